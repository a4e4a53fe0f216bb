package cards

import (
	"bytes"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/cards/yamlout"
	"github.com/hfpub/hfpub/schemas/frontmatter"
	"github.com/hfpub/hfpub/validate/finding"
)

// renderHead brings the front matter of README.md up to date. Text below it stays as it is.
func renderHead(in *Input, readme []byte) ([]byte, error) {
	readme = repaired(readme)
	matter, err := readHead(readme)
	if err != nil {
		return nil, err
	}
	edits, wanted := changes(in, matter.Node)
	if i := slices.IndexFunc(wanted, func(w entry) bool { return w.key == "configs" }); i >= 0 {
		if grown := grownConfigs(readme, wanted[i].value); grown != nil {
			readme = grown
			if matter, err = readHead(readme); err != nil {
				return nil, err
			}
			edits, wanted = changes(in, matter.Node)
		}
	}
	if len(edits) == 0 {
		return readme, nil
	}
	keys := make([]string, len(edits))
	for i, edit := range edits {
		keys[i] = edit.Key
	}
	if err := matter.Block.Editable(keys...); err != nil {
		return nil, refuse(finding.New(finding.CardFrontMatter, "%s", err).At(ReadmePath, matter.Block.FirstLine))
	}
	out := matter.Block.Apply(edits)
	return out, confirm(out, wanted)
}

// readHead reads a front matter that can be edited without guessing what its author meant.
func readHead(readme []byte) (*frontmatter.Matter, error) {
	matter, found := frontmatter.Read(ReadmePath, readme)
	if matter.Node == nil && bytes.HasPrefix(readme, []byte("\ufeff")) {
		f := finding.New(finding.CardFrontMatter, "a byte order mark stands before the text").AtColumn(ReadmePath, 1, 1)
		found = append(found, f.Hinting("save README.md as UTF-8 without byte order mark"))
	}
	found = slices.DeleteFunc(found, func(f finding.Finding) bool { return f.Severity != finding.Error })
	if len(found) > 0 {
		return nil, refuse(found...)
	}
	return matter, nil
}

// changes lists the keys whose lines have to be written, and what all keys of hfpub must say.
func changes(in *Input, present *yaml.Node) ([]frontmatter.Edit, []entry) {
	var out []frontmatter.Edit
	wanted := wantedKeys(in, present)
	for _, w := range wanted {
		if !saysAlready(w.key, value(present, w.key), w.value) {
			out = append(out, frontmatter.Edit{Key: w.key, Lines: []byte(yamlout.Entry(w.key, w.value))})
		}
	}
	return out, wanted
}

// confirm reads the new front matter back: what people put beside the keys of hfpub can be written in ways that an edit
// does not survive, such as an anchor, and then nothing should be written.
func confirm(readme []byte, wanted []entry) error {
	matter, err := readHead(readme)
	if err != nil {
		return err
	}
	for _, w := range wanted {
		k, v := matter.Get(w.key)
		if k == nil || !saysAlready(w.key, v, w.value) {
			f := finding.New(finding.CardFrontMatter, "the value of %s cannot be edited", w.key)
			f = f.At(ReadmePath, matter.Block.FirstLine)
			return refuse(f.Hinting("write the value of %s in plain lines, without anchors and complex keys", w.key))
		}
	}
	return nil
}
