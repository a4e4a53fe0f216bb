package cards

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hfpub/hfpub/cards/markdown"
	"github.com/hfpub/hfpub/cards/marked"
	"github.com/hfpub/hfpub/schemas/frontmatter"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
)

// The names of the blocks. A section's block is named after its heading.
const (
	summaryBlock  = "summary"
	dataBlock     = "data"
	sectionPrefix = "section_"
)

// notice is the first line of every block.
const notice = "<!-- Generated: edits in this block are lost, the text around it is kept. -->\n"

// block is a part of a file that hfpub owns: lines that end in LF.
type block struct{ name, content string }

// renderReadme renders README.md; nil for a plain folder of which nothing is known.
func renderReadme(in *Input) (*File, error) {
	if in.README == nil && !in.Repo.Declared && len(in.Repo.Configs) == 0 {
		return nil, nil
	}
	if err := readable(ReadmePath, in.README); err != nil {
		return nil, err
	}
	if err := checkSections(in.Repo.Card.Sections); err != nil {
		return nil, err
	}
	block, _ := frontmatter.Split(in.README)
	old := block.Body()
	body, err := readmeBody(in, old)
	if err != nil {
		return nil, misplaced(ReadmePath, bytes.Count(in.README[:block.Close], []byte("\n")), err)
	}
	readme, err := renderHead(in, in.README)
	if err != nil {
		return nil, err
	}
	head := readme[:len(readme)-len(old)]
	return &File{ReadmePath, in.README, slices.Concat(head, body)}, nil
}

// readable refuses a text that is not UTF-8.
func readable(path string, text []byte) error {
	line := 1
	for l := range bytes.Lines(text) {
		if !utf8.Valid(l) {
			return refuse(finding.New(finding.CardUTF8, "bytes that are not UTF-8").At(path, line).Hinting("save the file as UTF-8"))
		}
		line++
	}
	return nil
}

// checkSections refuses a section with a line that would be taken for the marker of a block.
func checkSections(sections []release.Section) error {
	for _, s := range sections {
		if marked.HasMarker(unix(s.Text)) {
			return refuse(finding.New(finding.CardMarkers, "the section %q holds a line that is a marker of hfpub", s.Heading).
				Hinting("take the line out of card.sections in hfpub.yaml"))
		}
	}
	return nil
}

// misplaced makes a refusal of a fault in the markers of a text that follows the given number of lines.
func misplaced(path string, above int, err error) error {
	var fault *marked.Fault
	if !errors.As(err, &fault) {
		return err
	}
	f := finding.New(finding.CardMarkers, "%s", fault.Below(above)).At(path, above+fault.Line)
	return refuse(f.Hinting("a block is a line `<!-- hfpub:begin NAME -->` and below it a line `<!-- hfpub:end NAME -->`; " +
		"mend the markers or take them out"))
}

// readmeBody renders the Markdown of README.md. A body that says nothing is written anew. In a body that people wrote,
// blocks that stand there are brought up to date; of a declared repo, blocks that are missing are appended and those of
// sections that hfpub.yaml no longer has are removed. A plain folder's text gets no block that its author did not put
// there.
func readmeBody(in *Input, old []byte) ([]byte, error) {
	eol := lineEnd(in.README)
	text, err := marked.Parse(old, eol)
	if err != nil {
		return nil, err
	}
	blocks, err := readmeBlocks(in)
	if err != nil {
		return nil, err
	}
	fresh := blank(in.README) || in.Repo.Declared && blank(old)
	if fresh {
		if text, err = marked.Parse([]byte(eol+"# "+title(&in.Repo)+eol), eol); err != nil {
			return nil, err
		}
	}
	for _, b := range blocks {
		wanted := fresh || in.Repo.Declared && b.name != summaryBlock
		if !text.Replace(b.name, b.content) && wanted && b.content != notice {
			text.Append(b.name, b.content)
		}
	}
	if in.Repo.Declared {
		removeOthers(text, blocks)
	}
	return text.Bytes(), nil
}

func blank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// lineEnd is how the first line of a text ends.
func lineEnd(text []byte) string {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	if bytes.HasSuffix(first, []byte("\r")) {
		return "\r\n"
	}
	return "\n"
}

// readmeBlocks renders the blocks of README.md in the order in which a new one has them.
func readmeBlocks(in *Input) ([]block, error) {
	page := newPage(in)
	summary, err := execute("summary.md.tmpl", page)
	if err != nil {
		return nil, err
	}
	data, err := blockText(in, page)
	if err != nil {
		return nil, err
	}
	before, after := sectionBlocks(in.Repo.Card.Sections)
	blocks := append([]block{{summaryBlock, framed(summary)}}, before...)
	blocks = append(blocks, block{dataBlock, framed(data)})
	return append(blocks, after...), nil
}

// framed is the content of a block: the notice, the text, and a blank line that keeps the end marker out of a table.
func framed(text string) string {
	if text == "" {
		return notice
	}
	return notice + "\n" + text + "\n"
}

// blockText is the text of the block of what was measured: that of the repo's own template, else of those that hfpub has.
func blockText(in *Input, p *page) (string, error) {
	if in.Template == nil {
		return dataText(in, p)
	}
	return in.Template.render(p)
}

// dataText renders the parts of the block of what was measured, "" when there is nothing to say.
func dataText(in *Input, p *page) (string, error) {
	var parts []string
	for _, part := range []struct {
		template string
		headings []string
	}{
		{"model.md.tmpl", []string{"Model Details", "Evaluation"}},
		{"structure.md.tmpl", []string{"Dataset Structure"}},
		{"sources.md.tmpl", []string{"Source Data"}},
		{"reproduction.md.tmpl", []string{"Reproduction"}},
		{"discrepancies.md.tmpl", []string{"Known Discrepancies"}},
		{"license.md.tmpl", []string{"Licensing Information", "License"}},
		{"citation.md.tmpl", []string{"Citation"}},
	} {
		if hasSection(in.Repo.Card.Sections, part.headings) {
			continue
		}
		text, err := execute(part.template, p)
		if err != nil {
			return "", err
		}
		if text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n"), nil
}

// hasSection tells whether hfpub.yaml has a section of one of the headings, which then takes the place of the generated
// part.
func hasSection(sections []release.Section, headings []string) bool {
	return slices.ContainsFunc(sections, func(s release.Section) bool {
		return slices.ContainsFunc(headings, func(h string) bool { return strings.EqualFold(strings.TrimSpace(s.Heading), h) })
	})
}

// leading are the headings that the Hub's template puts before Dataset Structure, in lower case.
var leading = map[string]bool{
	"dataset details": true, "dataset description": true, "dataset summary": true, "dataset sources": true,
	"supported tasks and leaderboards": true, "languages": true,
	"uses": true, "direct use": true, "out-of-scope use": true,
	"model details": true, "model description": true, "model sources": true,
}

// sectionBlocks renders the sections of hfpub.yaml: those that come before the data and those that follow it.
func sectionBlocks(sections []release.Section) (before, after []block) {
	taken := map[string]bool{}
	for _, s := range sections {
		heading := strings.Join(strings.Fields(s.Heading), " ")
		text := strings.Trim(unix(s.Text), "\n")
		b := block{blockName(heading, taken), framed(strings.TrimRight("## "+heading+"\n\n"+text, "\n") + "\n")}
		if leading[strings.ToLower(heading)] {
			before = append(before, b)
		} else {
			after = append(after, b)
		}
	}
	return before, after
}

// blockName makes a marker's name of a heading: its letters and digits, words joined by underscores.
func blockName(heading string, taken map[string]bool) string {
	between := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	words := strings.FieldsFunc(strings.ToLower(heading), between)
	name := sectionPrefix + strings.Join(words, "_")
	for taken[name] {
		name += "_"
	}
	taken[name] = true
	return name
}

// removeOthers takes out the blocks of sections that hfpub.yaml no longer has.
func removeOthers(text *marked.Text, blocks []block) {
	wanted := map[string]bool{}
	for _, b := range blocks {
		wanted[b.name] = true
	}
	for _, name := range text.Names() {
		if strings.HasPrefix(name, sectionPrefix) && !wanted[name] {
			text.Remove(name)
		}
	}
}

func unix(s string) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
}

// title is the heading of a new README.md.
func title(repo *release.Repo) string {
	if name := strings.TrimSpace(repo.Card.PrettyName); name != "" {
		return markdown.Text(name)
	}
	return markdown.Text(repo.ID)
}
