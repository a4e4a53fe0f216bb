package hubapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/schemas/release"
)

func TestPullRequests(t *testing.T) {
	hub := startHub(t, hubtest.Options{User: "ada", Orgs: []string{"acme"}})
	repo, err := hub.CreateRepo(release.Dataset, "acme/rows")
	if err != nil {
		t.Fatal(err)
	}
	tip, err := repo.Head("main")
	if err != nil {
		t.Fatal(err)
	}
	c := client(t, hub, hubtest.Outsider) // the right to write is not needed
	for i, heading := range []string{"x", strings.Repeat("é", 300)} {
		p, err := c.OpenPullRequest(t.Context(), rows, heading, "why")
		if err != nil || p.Num != i+1 {
			t.Fatalf("%+v (%v), want number %d", p, err, i+1)
		}
		if at, err := repo.Head(p.Ref()); err != nil || at != tip {
			t.Errorf("%s is at %s (%v), want the tip of main", p.Ref(), at, err)
		}
	}
	if err := c.PublishPullRequest(t.Context(), rows, hubapi.PullRequest{Num: 2}); err != nil {
		t.Fatal(err)
	}
	pulls := repo.PullRequests()
	if pulls[0].Status != "draft" || pulls[1].Status != "open" || pulls[0].Title != "Update: x" {
		t.Errorf("%+v, want a draft with a title that is long enough, and an open one", pulls)
	}
	if err := c.PublishPullRequest(t.Context(), rows, hubapi.PullRequest{Num: 3}); err == nil {
		t.Error("a pull request that is not there was published")
	}
}

// What makes something new is asked for once: a lost answer must not make it twice.
func TestPullRequestIsOpenedOnce(t *testing.T) {
	hub := scripted(t, says(503, "busy"), says(200, `{"num": 1}`))
	if p, err := quickly(t, hub.URL).OpenPullRequest(t.Context(), rows, "heading", ""); err == nil {
		t.Errorf("%+v, want the first answer to count", p)
	}
	hub = scripted(t, says(200, `{"num": 0}`))
	if _, err := quickly(t, hub.URL).OpenPullRequest(t.Context(), rows, "heading", ""); err == nil {
		t.Error("number 0 was taken for one")
	}
}

func TestPullRequestsThatAreSwitchedOff(t *testing.T) {
	hub := scripted(t, says(403, `{"error":"Forbidden"}`))
	_, err := quickly(t, hub.URL).OpenPullRequest(t.Context(), rows, "Title", "")
	if err == nil || !strings.Contains(err.Error(), "pull requests may be switched off for this repo") {
		t.Errorf("%v, want it said what may be the cause", err)
	}
}

func TestCollections(t *testing.T) {
	hub := startHub(t, hubtest.Options{User: "ada", Orgs: []string{"acme"}})
	if _, err := hub.CreateRepo(release.Dataset, "acme/rows"); err != nil {
		t.Fatal(err)
	}
	c := client(t, hub, hubtest.Write)
	var slugs []string
	for range 2 {
		made, err := c.CreateCollection(t.Context(), "acme", "Tea & houses")
		if err != nil {
			t.Fatal(err)
		}
		slugs = append(slugs, made.Slug)
		if err := c.AddToCollection(t.Context(), made.Slug, rows); err != nil {
			t.Error(err)
		}
	}
	found, err := c.Collection(t.Context(), slugs[0])
	if err != nil || slugs[0] != slugs[1] || !found.Holds(rows) || len(found.Items) != 1 {
		t.Errorf("%+v (%v), slugs %v; want one collection with the repo once", found, err, slugs)
	}
	if err := c.AddToCollection(t.Context(), slugs[0], hubapi.Repo{Type: release.Model, ID: "acme/none"}); err == nil {
		t.Error("a repo that is not there was added")
	}
	if _, err := client(t, hub, hubtest.Read).CreateCollection(t.Context(), "acme", "x"); err == nil {
		t.Error("a token that can only read made a collection")
	}
	for _, slug := range []string{"", "acme", "acme/x", "a/../../repos/create-" + strings.Repeat("a", 24), "a/b?-" + strings.Repeat("a", 24)} {
		if _, err := c.Collection(t.Context(), slug); err == nil || !strings.Contains(err.Error(), "no slug of a collection") {
			t.Errorf("slug %q: %v", slug, err)
		}
	}
	for name, answer := range map[string]http.HandlerFunc{
		"no slug":       says(200, `{"title": "x"}`),
		"hostile slug":  says(409, `{"slug": "../../x"}`),
		"conflict text": says(409, `taken`),
	} {
		if made, err := quickly(t, scripted(t, answer).URL).CreateCollection(t.Context(), "acme", "x"); err == nil {
			t.Errorf("%s: %+v, want an error", name, made)
		}
	}
}
