package memgym_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/family/familytest"
)

// shared reads a real file beside the checkout, and skips the test without it.
func shared(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "shared", "data", filepath.FromSlash(path)))
	if err != nil {
		t.Skipf("the shared material is not beside this checkout: %v", err)
	}
	return string(text)
}

func site(leaderboard string) familytest.Files {
	return familytest.Files{"data/leaderboard.json": leaderboard, "hfpub.yaml": `version: 1
release: {name: site, version: 1.0.0}
repos:
  - {id: a/site, type: dataset, status: public, license: mit,
     configs: [{name: default, splits: [{name: train, files: [data/leaderboard.json], artifact: memgym/leaderboard}]}]}
`}
}

// What is wrong with the site's leaderboard is known: it counts other instances than were published, of code-QA (2,131 for
// 4,289) and of deep research with five and six hops (1,194 for 117). Nothing else is; what the loader makes of its dates is so.
func TestTheRealLeaderboard(t *testing.T) {
	files := site(shared(t, "memgym-site/data/leaderboard.json"))
	files["README.md"] = "---\nlicense: mit\n---\n"
	want := []string{
		"loader/timestamps data/leaderboard.json:3 /meta/last_updated", "loader/timestamps data/leaderboard.json:37 /entries",
		"memgym/published data/leaderboard.json:94 /entries/6/n x2", "memgym/published data/leaderboard.json:114 /entries/8/n x2",
	}
	if got := files.All(t); !slices.Equal(got, want) {
		t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// The list of instances is text, of which hfpub reads no rows, and says so. It has 500 ids of 11 repos.
func TestTheRealList(t *testing.T) {
	text := shared(t, "memgym/data/swegym_diverse_500.txt")
	files := familytest.Files{"data/swegym_diverse_500.txt": text, "README.md": "---\nlicense: mit\n---\n", "hfpub.yaml": `version: 1
release: {name: list, version: 1.0.0}
repos:
  - {id: a/list, type: dataset, status: public, license: mit, configs: [{name: default, splits: [{name: train, files: [data/swegym_diverse_500.txt]}]}]}
`}
	want := []string{"rows/format-not-read data/swegym_diverse_500.txt:0 "}
	if got := files.All(t); !slices.Equal(got, want) {
		t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), want[0])
	}
	ids, repos := map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(text) {
		id := strings.TrimSpace(line)
		repo, _, _ := strings.Cut(id, "__")
		ids[id], repos[repo] = true, true
	}
	if len(ids) != 500 || len(repos) != 11 {
		t.Errorf("the list has %d ids of %d repos, want 500 of 11", len(ids), len(repos))
	}
}

func TestMutationsOfTheLeaderboard(t *testing.T) {
	const board = `{
 "meta": {"last_updated": "2026-05-18", "track_labels": {}, "track_descriptions": {}, "tracks": {
  "tau2": {"regime": "a", "blurb": "b", "headline": "+8.7pp", "headline_label": "gain"},
  "swe": {"regime": "a", "blurb": "b", "headline": "1.47×", "headline_label": "compression"}}},
 "entries": [
  {"track": "tau2", "method": "A", "score": 58.7, "score_units": "%", "base_model": "m", "baseline": 50.0, "delta": 8.7, "n": 288, "notes": "", "is_baseline": false, "date_added": "2026-05-01"},
  {"track": "tau2", "method": "None", "score": 50.0, "score_units": "%", "base_model": "m", "baseline": null, "delta": null, "n": 288, "notes": "", "is_baseline": true, "date_added": "2026-05-01"}]}
`
	for name, c := range map[string]struct{ old, text, want string }{
		"nothing":                   {"", "", ""},
		"a delta":                   {`"delta": 8.7`, `"delta": 8.8`, "memgym/leaderboard-delta data/leaderboard.json:6 /entries/0/delta"},
		"a baseline of others":      {`"score": 50.0`, `"score": 51.0`, "memgym/leaderboard-baseline data/leaderboard.json:6 /entries/0/baseline"},
		"a baseline on other tasks": {`null, "n": 288`, `null, "n": 287`, "memgym/leaderboard-baseline data/leaderboard.json:6 /entries/0/n"},
		"a baseline with a delta":   {`"delta": null`, `"delta": 0.5`, "memgym/leaderboard-baseline data/leaderboard.json:7 /entries/1/baseline"},
		"a headline":                {"+8.7pp", "+8.9pp", "memgym/headline data/leaderboard.json:3 /meta/tracks/tau2/headline"},
	} {
		t.Run(name, func(t *testing.T) {
			var want []string
			if c.want != "" {
				want = []string{c.want}
			}
			if got := site(strings.Replace(board, c.old, c.text, 1)).Findings(t); !slices.Equal(got, want) {
				t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), c.want)
			}
		})
	}
}
