package license

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/frontmatter"
	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/schemas/release"
)

// bundle is what the files of a repo say about rights.
type bundle struct {
	// hasCard says that there is a README.md; body is its text below the front matter.
	hasCard bool
	body    string
	// license is the id in the front matter, "" where there is none or are several.
	license string
	// texts are the licenses whose text, or whose name in a file that is about licenses, comes with the repo.
	texts []string
	// notice is the path of the NOTICE file, "" for none, and thanks its text.
	notice, thanks string
	// above is the NOTICE beside hfpub.yaml, where that is another one.
	above notice
	// onCard are the base models that the card names, inConfig those of adapters.
	onCard, inConfig []base
}

// notice is a NOTICE: its path relative to the repo's root, and its text.
type notice struct{ path, text string }

// rightsFile is the name of a file about rights: a license, of the whole or of a part, or a notice.
var rightsFile = lazyregexp.New(`(?i)^(?:licen[sc]es?|copying|notice|third[-_ ]?party)(?:[-_. ].*)?$`)

// noticeFile is the name of a NOTICE as the Apache license means it.
var noticeFile = lazyregexp.New(`(?i)^notice(?:\.(?:md|txt|rst))?$`)

// readBundle reads the files of a repo that speak of rights, as far as its folder is there.
func readBundle(repo *release.Repo) (*bundle, error) {
	b := &bundle{}
	if repo.Dir == "" || len(repo.Tree) == 0 {
		return b, nil
	}
	root, err := os.OpenRoot(repo.Dir)
	if err != nil {
		return nil, fmt.Errorf("open folder: %w", err)
	}
	defer root.Close()
	for _, f := range repo.Tree {
		if !f.Mode.IsRegular() {
			continue
		}
		if err := b.read(root, f); err != nil {
			return nil, err
		}
	}
	b.inConfig, err = basesOfAdapters(root, repo.Tree)
	return b, err
}

func (b *bundle) read(root *os.Root, f release.TreeFile) error {
	dir, name := path.Split(f.Path)
	aboutRights := dir == "" && rightsFile.MatchString(name) || strings.EqualFold(dir, "licenses/")
	if f.Path != readme && !aboutRights || f.Size > maxFile {
		return nil
	}
	text, err := regularfile.ReadIn(root, filepath.FromSlash(f.Path), maxFile)
	if err != nil {
		return fmt.Errorf("read %s: %w", f.Path, err)
	}
	if f.Path == readme {
		matter, _ := frontmatter.Read(readme, text)
		b.hasCard, b.body, b.onCard = true, string(matter.Block.Body()), basesOfCard(matter)
		b.license, _ = matter.String("license")
		return nil
	}
	for _, id := range InFile(text) {
		if !slices.Contains(b.texts, id) {
			b.texts = append(b.texts, id)
		}
	}
	if b.notice == "" && noticeFile.MatchString(f.Path) {
		b.notice, b.thanks = f.Path, string(text)
	}
	return nil
}

// isMentioned says whether a text calls a work by its name, or by the last part of a repo's id.
func isMentioned(text, work string) bool {
	text = strings.ToLower(text)
	if strings.Contains(text, strings.ToLower(work)) {
		return true
	}
	short := path.Base(work)
	return short != work && len(short) > 3 && strings.Contains(text, strings.ToLower(short))
}
