package license

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
)

// catalogFile is the index page of a release, beside hfpub.yaml.
const catalogFile = "catalog.md"

// besides are the names of the files beside hfpub.yaml that may speak of the licenses of its repos, with how each is read.
var besides = []struct {
	name string
	read func(text string, repo *release.Repo) []Statement
}{
	{"NOTICE", func(text string, _ *release.Repo) []Statement { return InNotice(text) }},
	{"NOTICE.md", func(text string, _ *release.Repo) []Statement { return InNotice(text) }},
	{"NOTICE.txt", func(text string, _ *release.Repo) []Statement { return InNotice(text) }},
	{catalogFile, func(text string, repo *release.Repo) []Statement { return InCatalog(text, repo.ID) }},
}

// beside gives the voices of the files that stand beside hfpub.yaml and speak for all repos. Those in the repo's own folder are
// heard with it.
func beside(rel *release.Release, repo *release.Repo) ([]voice, error) {
	if !repo.Declared || rel.Dir == "" {
		return nil, nil
	}
	var voices []voice
	for _, b := range besides {
		if b.name != catalogFile && filepath.Clean(rel.Dir) == filepath.Clean(repo.Dir) {
			continue
		}
		text, err := regularfile.Read(filepath.Join(rel.Dir, b.name), maxFile)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, regularfile.ErrNotRegular):
			continue
		case err != nil:
			return nil, fmt.Errorf("read %s: %w", b.name, err)
		}
		voices = append(voices, spoken(pathFrom(rel, repo, b.name), b.read(string(text), repo))...)
	}
	return voices, nil
}

// noticeAbove is the NOTICE beside hfpub.yaml, for a repo in a folder of its own; without text where there is none.
func noticeAbove(rel *release.Release, repo *release.Repo) (notice, error) {
	if !repo.Declared || rel.Dir == "" || filepath.Clean(rel.Dir) == filepath.Clean(repo.Dir) {
		return notice{}, nil
	}
	for _, name := range []string{"NOTICE", "NOTICE.md", "NOTICE.txt"} {
		text, err := regularfile.Read(filepath.Join(rel.Dir, name), maxFile)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, regularfile.ErrNotRegular):
			continue
		case err != nil:
			return notice{}, fmt.Errorf("read %s: %w", name, err)
		}
		return notice{pathFrom(rel, repo, name), string(text)}, nil
	}
	return notice{}, nil
}

// pathFrom is the path of a file beside hfpub.yaml as seen from the folder of a repo.
func pathFrom(rel *release.Release, repo *release.Repo, name string) string {
	if path, err := filepath.Rel(repo.Dir, filepath.Join(rel.Dir, name)); err == nil && repo.Dir != "" {
		return filepath.ToSlash(path)
	}
	return name
}

// notices gives the voice of the NOTICE in a repo.
func notices(root *os.Root, tree []release.TreeFile) ([]voice, error) {
	var voices []voice
	for _, f := range tree {
		if !noticeFile.MatchString(f.Path) || !f.Mode.IsRegular() || f.Size > maxFile {
			continue
		}
		text, err := regularfile.ReadIn(root, f.Path, maxFile)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", f.Path, err)
		}
		voices = append(voices, spoken(f.Path, InNotice(string(text)))...)
	}
	return voices, nil
}

// spoken is the voice of a file that says something, none for one that does not.
func spoken(path string, statements []Statement) []voice {
	var v voice
	for _, s := range statements {
		v.ids = append(v.ids, s.IDs...)
		v.said = append(v.said, saying{strings.Join(s.IDs, " or "), finding.Place{Path: path, Line: s.Line}})
	}
	if len(v.said) == 0 {
		return nil
	}
	return []voice{v}
}

// dataAre finds in a NOTICE where it says under which license the data are.
var dataAre = pattern(`\b(?:data~sets?|data|corpora|corpus|benchmarks?)\b(?: (?:in|of) this (?:repository|repo|project|release))?` +
	`(?: (?:files|released|published|artifacts|here))*:?~(?:is|are)?(?: (?:licen[sc]ed|released|distributed|available|shared|published|made available))?(?: (?:under|with))?(?: the)?(?: terms of)?(?: the)?~$`)

// InNotice finds the lines of a NOTICE that say under which license the data are: "Datasets are CC-BY-NC-4.0 unless
// noted". What it says of works that the data were made from is left out.
func InNotice(text string) []Statement {
	var found []Statement
	line := 0
	for raw := range strings.Lines(text) {
		line++
		said := mentions(raw, names())
		if len(said) == 0 || !dataAre().MatchString(raw[:said[0].start]) || otherWork().MatchString(raw[:said[0].start]) {
			continue
		}
		if ids := distinct(said); len(ids) == 1 {
			found = append(found, Statement{ids, line})
		}
	}
	return found
}

// otherWork are words before "data" that make them those of somebody else.
var otherWork = anyWord(`upstream original third~part(?:y|ies) source their its derived based~on from contains? includ\w* incorporat\w* training`)

var (
	tableRow = lazyregexp.New(`^\s*\|`)
	idBorder = lazyregexp.New(`[A-Za-z0-9_.-]`)
)

// InCatalog finds the rows of an index page's tables that name a repo and, in one cell, nothing but a license.
func InCatalog(text, repoID string) []Statement {
	var found []Statement
	line := 0
	for raw := range strings.Lines(text) {
		line++
		if !tableRow.MatchString(raw) || !holdsID(raw, repoID) {
			continue
		}
		for cell := range strings.SplitSeq(raw, "|") {
			cell = strings.Trim(strings.TrimSpace(cell), "`*_ ")
			id := cell
			if !Known(cell) {
				id = wholeName(cell)
			}
			if id != "" && !slices.ContainsFunc(found, func(s Statement) bool { return s.IDs[0] == id }) {
				found = append(found, Statement{[]string{id}, line})
			}
		}
	}
	return found
}

// holdsID says whether a line holds the whole of a repo's id.
func holdsID(line, id string) bool {
	for rest := line; ; {
		at := strings.Index(rest, id)
		if at < 0 {
			return false
		}
		end := at + len(id)
		before, after := "", ""
		if at > 0 {
			before = rest[at-1 : at]
		}
		if end < len(rest) {
			after = rest[end : end+1]
		}
		if !idBorder.MatchString(before) && !idBorder.MatchString(after) {
			return true
		}
		rest = rest[end:]
	}
}
