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
