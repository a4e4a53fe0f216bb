package hubapi_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/hygiene/lfspointer"
)

func TestWhoAmI(t *testing.T) {
	hub := startHub(t, hubtest.Options{User: "ada", Orgs: []string{"acme"}})
	c := client(t, hub, hubtest.Write)
	for range 3 {
		a, err := c.WhoAmI(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintln(a.Type, a.Name, a.Orgs, a.Auth.AccessToken.Role)
		if want := "user ada [{acme write}] write\n"; got != want {
			t.Errorf("the account is %s, want %s", got, want)
		}
	}
	if n := len(hub.Log()); n != 1 {
		t.Errorf("the Hub was asked %d times, want once", n)
	}
	if _, err := client(t, hub, hubtest.Anonymous).WhoAmI(t.Context()); err == nil || !strings.Contains(err.Error(), "set HF_TOKEN") {
		t.Errorf("no token: %v", err)
	}
	_, err := clientAt(t, hub.URL(), secret, hubapi.Options{Retry: quick}).WhoAmI(t.Context())
	if err == nil || !strings.Contains(err.Error(), "the token from HF_TOKEN is wrong, revoked or expired") {
		t.Errorf("wrong token: %v", err)
	}
}

func TestValidateYAML(t *testing.T) {
	hub := startHub(t, hubtest.Options{})
	tests := []struct {
		name, readme     string
		errors, warnings []string
	}{
		{"good", "---\nlicense: mit\n---\n", nil, nil},
		{"no metadata", "# T\n", nil, []string{"empty or missing yaml metadata in repo card"}},
		{"errors", "---\nlanguage: EN\nconfigs: x\n---\n",
			[]string{`"language" must only contain lowercase characters`, `"configs" must be an array`}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := client(t, hub, hubtest.Anonymous).ValidateYAML(t.Context(), release.Dataset, tt.readme)
			if err != nil || !slices.Equal(v.Errors, tt.errors) || !slices.Equal(v.Warnings, tt.warnings) {
				t.Errorf("%+v (%v), want errors %q, warnings %q", v, err, tt.errors, tt.warnings)
			}
		})
	}
	for name, answer := range map[string]http.HandlerFunc{
		"400 without errors": says(400, `{"error":"bad request"}`),
		"400 in text":        says(400, "- Error: x"),
		"413":                says(413, "too large"),
	} {
		hub := scripted(t, answer)
		var e *hubapi.Error
		if _, err := quickly(t, hub.URL).ValidateYAML(t.Context(), release.Dataset, ""); !errors.As(err, &e) {
			t.Errorf("%s: %v, want an Error", name, err)
		}
	}
}

func TestRepoInfoAndTree(t *testing.T) {
	hub := startHub(t, hubtest.Options{PageSize: 3})
	repo, err := hub.CreateRepo(release.Dataset, "acme/rows")
	if err != nil {
		t.Fatal(err)
	}
	pointer := lfspointer.Pointer{OID: strings.Repeat("0a", 32), Size: 123456}
	head, err := repo.Commit("refs/heads/main", "Rows", map[string]string{
		"README.md":      "---\nlicense: mit\ntags: [x]\n---\n",
		"data/big.jsonl": string(lfspointer.Format(pointer.OID, pointer.Size)),
		"data/ä #?.txt":  "hello\n",
		"z/1":            "1", "z/2": "2", "z/3": "3", "z/4": "4",
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Commit("refs/pr/1", "PR", map[string]string{"only": "x"}); err != nil {
		t.Fatal(err)
	}
	c := client(t, hub, hubtest.Anonymous)
	for _, rev := range []string{"", "main", head, head[:7]} {
		i, err := c.RepoInfo(t.Context(), rows, rev)
		card := string(i.CardData)
		if err != nil || i.SHA != head || i.ID != "acme/rows" || i.Gated != "" || !strings.Contains(card, `"license":"mit"`) {
			t.Errorf("revision %q: %+v (%v)", rev, i, err)
		}
	}
	want, err := repo.Tree("main")
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Tree(t.Context(), rows, "main")
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d entries (%v), want %d", len(got), err, len(want))
	}
	for i, e := range got {
		if e.Path != want[i].Path || e.OID != want[i].OID || (e.Type == "directory") != want[i].Dir {
			t.Errorf("entry %d is %+v, want %+v", i, e, want[i])
		}
		if e.Path == "data/big.jsonl" {
			want := hubapi.LFS{OID: pointer.OID, Size: pointer.Size, PointerSize: 131}
			if e.LFS == nil || *e.LFS != want || e.Size != pointer.Size {
				t.Errorf("the LFS file is %+v", e)
			}
		} else if e.LFS != nil {
			t.Errorf("%s is in LFS: %+v", e.Path, e.LFS)
		}
	}
	if got, err := c.Tree(t.Context(), rows, "refs/pr/1"); err != nil || len(got) != 1 || got[0].Path != "only" {
		t.Errorf("the pull request holds %+v (%v)", got, err)
	}
	for _, rev := range []string{"v1", "a/b", "a b?c#d"} {
		var e *hubapi.Error
		_, err := c.RepoInfo(t.Context(), rows, rev)
		if !errors.As(err, &e) || e.Status != 404 || e.Code != "RevisionNotFound" || e.RequestID == "" {
			t.Fatalf("revision %q: %v", rev, err)
		}
		if !strings.Contains(e.Advice, fmt.Sprintf("%q", rev)) {
			t.Errorf("revision %q: the advice is %q", rev, e.Advice)
		}
	}
}

func TestCheckWrite(t *testing.T) {
	hub := startHub(t, hubtest.Options{})
	if _, err := hub.CreatePrivateRepo(release.Dataset, "acme/rows"); err != nil {
		t.Fatal(err)
	}
	for role, want := range map[hubtest.Role]string{
		hubtest.Write:     "",
		hubtest.Read:      "the token from HF_TOKEN may not do this",
		hubtest.Outsider:  "dataset acme/rows may not exist, or be private",
		hubtest.Anonymous: "dataset acme/rows may not exist, or be private",
	} {
		err := client(t, hub, role).CheckWrite(t.Context(), rows)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("role %d: %v, want %q", role, err, want)
		}
	}
}
