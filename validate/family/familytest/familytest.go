// Package familytest helps the tests of families: it validates a release that is given as files, and lists what is found.
package familytest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/finding"
)

// Files are the files of a release by their paths, hfpub.yaml among them.
type Files map[string]string

// Findings validates the release and lists what is found, each as "code path:line pointer", with " xN" behind it when it
// stands for N. What says nothing of a family is left out: that something of hfpub.yaml is not evaluated, that there is no card,
// that claims differ, and what is no error of how rows load.
func (f Files) Findings(t testing.TB) []string {
	t.Helper()
	return list(t, f.validate(t), func(f *finding.Finding) bool {
		onLoading := f.Severity != finding.Error && strings.HasPrefix(string(f.Code), "loader/")
		onClaims := strings.HasPrefix(string(f.Code), "claim/")
		return f.Code != finding.ManifestNotEvaluated && f.Code != finding.CardMissing && !onLoading && !onClaims
	})
}

// All validates the release and lists all that is found, as [Files.Findings] does, whatever it is about.
func (f Files) All(t testing.TB) []string {
	t.Helper()
	return list(t, f.validate(t), func(*finding.Finding) bool { return true })
}

// list writes the findings that are wanted.
func list(t testing.TB, report *validate.Report, want func(f *finding.Finding) bool) []string {
	var list []string
	for _, f := range report.Findings {
		if !want(&f) {
			continue
		}
		text := fmt.Sprintf("%s %s:%d %s", f.Code, f.Path, f.Line, f.Pointer)
		if f.Count > 1 {
			text += fmt.Sprintf(" x%d", f.Count)
		}
		list = append(list, text)
		if testing.Verbose() {
			t.Logf("%s: %s", text, f.Message)
		}
	}
	return list
}

// validate validates the release.
func (f Files) validate(t testing.TB) *validate.Report {
	t.Helper()
	rel, found := f.load(t)
	report, err := validate.Run(t.Context(), rel, found, validate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	seen.note(f, rel, report)
	return report
}

// load writes the files and loads the release.
func (f Files) load(t testing.TB) (*release.Release, []finding.Finding) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range f {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	rel, found, err := release.Load(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return rel, found
}

// HoldShards checks that reading the release in shards and merging them gives the report of one run, whatever the number of
// places that are kept.
func (f Files) HoldShards(t *testing.T) {
	t.Helper()
	rel, found := f.load(t)
	for _, places := range []int{0, 2} {
		for _, shards := range []int{2, 3, 7} {
			opt := validate.Options{MaxPlaces: places, Jobs: 2}
			report, err := validate.Run(t.Context(), rel, found, opt)
			if err != nil {
				t.Fatal(err)
			}
			var partials []*validate.Partial
			for n := range shards {
				p, err := validate.ReadShard(t.Context(), rel, found, opt, validate.Shard{Number: n + 1, Of: shards}, "job")
				if err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(t.TempDir(), "partial")
				if err := p.Write(path); err != nil {
					t.Fatal(err)
				}
				if p, err = validate.ReadPartial(path); err != nil {
					t.Fatal(err)
				}
				partials = append(partials, p)
			}
			slices.Reverse(partials)
			merged, err := validate.Merge(t.Context(), rel, found, opt, partials)
			if err != nil {
				t.Fatal(err)
			}
			want, got := text(t, report), text(t, merged)
			if got != want {
				t.Errorf("%d places: %d shards give another report than one run:\n%s\n%s", places, shards, got, want)
			}
		}
	}
}

func text(t testing.TB, report *validate.Report) string {
	t.Helper()
	out, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
