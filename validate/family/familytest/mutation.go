package familytest

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
)

// Read reads the files below a folder, without the cards and the lock: they are about the release as it was.
func Read(t *testing.T, dir string) Files {
	t.Helper()
	files := Files{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || slices.Contains([]string{"README.md", "schema.md", release.LockName}, d.Name()) {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Edit replaces the first place of a text in a file; New is there instead of Old. With Old empty, the whole file is New; a file
// that becomes empty is taken away.
type Edit struct{ File, Old, New string }

// Mutation is a promise to break.
type Mutation struct {
	// Name says what is broken.
	Name  string
	Edits []Edit
	// Want is what has to be found and nothing else, as [Found] writes it. $N stands for the line of the N-th edit, from 1.
	Want []string
}

// Only returns the release with some of its repos, by their roots: what joins them to others says nothing.
func (f Files) Only(roots ...string) Files {
	out := Files{}
	for name, text := range f {
		if root, _, ok := strings.Cut(name, "/"); ok && slices.Contains(roots, root) {
			out[name] = text
		}
	}
	head, repos, _ := strings.Cut(f[release.ManifestName], "\n  - id: ")
	manifest := head
	for repo := range strings.SplitSeq(repos, "\n  - id: ") {
		for line := range strings.Lines(repo) {
			if root, ok := strings.CutPrefix(strings.TrimSpace(line), "root: "); ok && slices.Contains(roots, root) {
				manifest += "\n  - id: " + repo
			}
		}
	}
	out[release.ManifestName] = manifest
	return out
}

// With returns the files after edits, and the line of each.
func (f Files) With(t *testing.T, edits []Edit) (changed Files, lines []int) {
	t.Helper()
	changed = maps.Clone(f)
	for _, e := range edits {
		text, ok := changed[e.File]
		if !ok && e.Old != "" {
			t.Fatalf("the release has no file %s", e.File)
		}
		before, after, ok := strings.Cut(text, e.Old)
		if !ok {
			t.Fatalf("%s does not hold %q", e.File, e.Old)
		}
		if e.Old == "" {
			after = ""
		}
		changed[e.File] = before + e.New + after
		if changed[e.File] == "" {
			delete(changed, e.File)
		}
		// Lines at the beginning of both texts are context.
		same := 0
		for same < len(e.Old) && same < len(e.New) && e.Old[same] == e.New[same] {
			same++
		}
		lines = append(lines, 1+strings.Count(before, "\n")+strings.Count(e.Old[:same], "\n"))
	}
	return changed, lines
}

// Found validates the files and returns what is found in the given areas: code, path, line and pointer.
func (f Files) Found(t *testing.T, areas ...string) []string {
	t.Helper()
	return Places(f.validate(t).Findings, areas...)
}

// FoundAll is [Files.Found] for all areas, each finding with its severity in front.
func (f Files) FoundAll(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, one := range f.validate(t).Findings {
		for _, place := range placesOf(one) {
			out = append(out, string(one.Severity)+" "+place)
		}
	}
	return out
}

// Places writes the findings of the given areas, each of their places: code, path, line and pointer.
func Places(findings []finding.Finding, areas ...string) []string {
	out := []string{}
	for _, one := range findings {
		area, _, _ := strings.Cut(string(one.Code), "/")
		if slices.Contains(areas, area) {
			out = append(out, placesOf(one)...)
		}
	}
	return out
}

// placesOf writes a finding at each of its places.
func placesOf(one finding.Finding) []string {
	places := one.Places
	if len(places) == 0 {
		places = []finding.Place{one.Place}
	}
	var out []string
	for _, p := range places {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s:%d %s", one.Code, p.Path, p.Line, p.Pointer)))
	}
	return out
}

// Run breaks each promise in files that hold all of them, and compares what is found in the given areas.
func Run(t *testing.T, files Files, mutations []Mutation, areas ...string) {
	if got := files.Found(t, areas...); len(got) > 0 {
		t.Fatalf("the release should be true under all rules, found %q", got)
	}
	for _, m := range mutations {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			changed, lines := files.With(t, m.Edits)
			want := []string{}
			for _, w := range m.Want {
				for i, line := range lines {
					w = strings.ReplaceAll(w, fmt.Sprintf("$%d", i+1), fmt.Sprint(line))
				}
				want = append(want, w)
			}
			if got := changed.Found(t, areas...); !slices.Equal(got, want) {
				t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
			}
		})
	}
}
