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

// What keeps a pull request from being opened is told apart, with advice that does not lead astray.
func TestPullRequestsThatCannotBeOpened(t *testing.T) {
	cut := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		w.Write([]byte(`{"num"`))
	}
	for _, c := range []struct {
		name      string
		answer    http.HandlerFunc
		want, not string
	}{
		{"no right, or switched off", says(403, `{"error":"Forbidden"}`), "pull requests may be switched off for this repo, or the token from HF_TOKEN lacks", ""},
		{"switched off", says(403, `{"error":"Discussions are disabled for this repo"}`), "ask its owner to switch them on in the repo's settings", "the token"},
		{"switched off for good", says(410, `{"error":"Gone"}`), "ask its owner to switch them on", ""},
		{"a server without them", says(404, `{"error":"Not Found"}`), "the server has none", "--first"},
		{"no such repo", says(404, "", "X-Error-Code", "RepoNotFound"), "check the id and the type", "switched off"},
		{"a repo that is disabled", says(403, `{"error":"Access to this resource is disabled."}`), "the repo is disabled", "switched off"},
		{"an answer that is lost", cut, "the server closed the connection; the pull request may be open all the same", ""},
		{"trouble", says(504, ""), "the pull request may be open all the same", "run the command again"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := quickly(t, scripted(t, c.answer).URL).OpenPullRequest(t.Context(), rows, "Title", "")
			if err == nil || !strings.Contains(err.Error(), c.want) || c.not != "" && strings.Contains(err.Error(), c.not) {
				t.Errorf("%v, want it to say %q and not %q", err, c.want, c.not)
			}
		})
	}
}

// A collection that is full, gone or somebody else's is told as that: no advice about the repo that is to be put into it.
func TestCollectionsThatTakeNothing(t *testing.T) {
	slug := "acme/tea-" + strings.Repeat("a", 24)
	add := func(c *hubapi.Client) error { return c.AddToCollection(t.Context(), slug, rows) }
	create := func(c *hubapi.Client) error { _, err := c.CreateCollection(t.Context(), "acme", "Tea"); return err }
	look := func(c *hubapi.Client) error { _, err := c.Collection(t.Context(), slug); return err }
	for _, c := range []struct {
		name   string
		call   func(*hubapi.Client) error
		answer http.HandlerFunc
		want   string
	}{
		{"full", add, says(403, `{"error":"A collection can hold at most 100 items"}`), "at most 100 items; the collection may be full"},
		{"full, by another status", add, says(400, `{"error":"full"}`), "the collection may be full"},
		{"somebody else's", add, says(403, `{"error":"Forbidden"}`), "somebody else's"},
		{"gone while it is filled", add, says(404, `{"error":"Collection not found"}`), "the collection or the repo is not there"},
		{"gone", look, says(404, `{"error":"Collection not found"}`), "check the collection's address"},
		{"no right in the namespace", create, says(403, `{"error":"Forbidden"}`), "the right to change collections of that owner"},
		{"a title that is too long", create, says(400, `{"error":"at most 59 characters"}`), "its title too long"},
		{"a token that is no more", add, says(401, `{"error":"Invalid credentials in Authorization header"}`), "the token from HF_TOKEN is wrong"},
		{"trouble", add, says(500, ""), "run the command again later"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.call(quickly(t, scripted(t, c.answer).URL))
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "--first") || strings.Contains(err.Error(), "contents of this repo") {
				t.Errorf("%v, want it to say %q and nothing of the repo", err, c.want)
			}
		})
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
