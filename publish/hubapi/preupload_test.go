package hubapi_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/schemas/release"
)

func TestWantsLFS(t *testing.T) {
	hub := startHub(t, hubtest.Options{})
	repo, err := hub.CreateRepo(release.Dataset, "acme/rows")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Commit("refs/heads/main", "Rows", map[string]string{"README.md": "---\nlicense: mit\n---\n"}); err != nil {
		t.Fatal(err)
	}
	files := []hubapi.Candidate{
		{Path: "text.txt", Size: 5, Sample: []byte("hello")},
		{Path: "pic.dat", Size: 4, Sample: []byte{1, 0, 2, 0}},
		{Path: "named.jsonl", Size: 3, Sample: []byte("{}\n")},
	}
	for i := range 300 { // more than one request may ask about
		files = append(files, hubapi.Candidate{Path: fmt.Sprintf("many/%03d.txt", i), Size: 2, Sample: []byte("x\n")})
	}
	files = append(files, hubapi.Candidate{Path: "last.dat", Size: 1, Sample: []byte{0}})
	before := len(hub.Log())
	wanted, err := client(t, hub, hubtest.Write).WantsLFS(t.Context(), rows, "main", []byte("*.jsonl filter=lfs -text\n"), files)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := slices.Sorted(maps.Keys(wanted)), []string{"last.dat", "named.jsonl", "pic.dat"}; !slices.Equal(got, want) {
		t.Errorf("the Hub wants %q in LFS, expected %q", got, want)
	}
	if asked := len(hub.Log()) - before; asked != 2 {
		t.Errorf("%d requests for %d files, expected 2 of at most 256 files", asked, len(files))
	}
	if _, err := client(t, hub, hubtest.Read).WantsLFS(t.Context(), rows, "main", nil, files[:1]); err == nil {
		t.Error("a token that may only read was answered")
	}
}

// Only what the Hub clearly wants in LFS goes there: modes that are not known, files that were not asked about and files that it leaves
// out change nothing, and an answer of another form is an error.
func TestWantsLFSOfOddAnswers(t *testing.T) {
	files := []hubapi.Candidate{{Path: "a.dat", Size: 1, Sample: []byte{0}}, {Path: "b.dat", Size: 1, Sample: []byte{0}}}
	for _, tt := range []struct {
		name, answer string
		want         []string
		bad          bool
	}{
		{"an unknown mode", `{"files":[{"path":"a.dat","uploadMode":"xet"},{"path":"b.dat","uploadMode":"lfs"}]}`, []string{"b.dat"}, false},
		{"no mode", `{"files":[{"path":"a.dat"},{"path":"b.dat","uploadMode":null}]}`, nil, false},
		{"a file is left out", `{"files":[{"path":"b.dat","uploadMode":"lfs","shouldIgnore":true}]}`, []string{"b.dat"}, false},
		{"no files", `{}`, nil, false},
		{"null", `{"files":null}`, nil, false},
		{"a mode that is no text", `{"files":[{"path":"a.dat","uploadMode":7}]}`, nil, true},
		{"a list", `[]`, nil, true},
		{"a page", `<html>sign in</html>`, nil, true},
		{"half of it", `{"files":[{"path":"a.dat",`, nil, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			hub := scripted(t, says(200, tt.answer))
			wanted, err := quickly(t, hub.URL).WantsLFS(t.Context(), rows, "main", nil, files)
			if got := slices.Sorted(maps.Keys(wanted)); (err != nil) != tt.bad || !slices.Equal(got, tt.want) {
				t.Errorf("%q, error %v; want %q, an error: %v", got, err, tt.want, tt.bad)
			}
		})
	}
}
