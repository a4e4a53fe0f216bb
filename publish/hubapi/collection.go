package hubapi

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/release"
)

// Collection is a list of repos on a page of its own.
type Collection struct {
	// Slug names it: namespace/title-and-24-hex-digits.
	Slug  string `json:"slug"`
	Title string `json:"title"`
	Items []struct {
		// ID is that of the repo, Type dataset, model or another kind of item.
		ID   string `json:"id"`
		Type string `json:"type"`
	} `json:"items"`
}

// Holds says whether a repo is in the collection.
func (c Collection) Holds(repo Repo) bool {
	for _, item := range c.Items {
		if item.ID == repo.ID && item.Type == string(repo.Type) {
			return true
		}
	}
	return false
}

// collectionSlug is the form of a slug; what stands before the last 24 digits is made of the title and may change.
var collectionSlug = lazyregexp.New(`^\w[\w.-]*/[\w.-]*[0-9a-f]{24}$`)

// CheckSlug says what is wrong with the slug of a collection.
func CheckSlug(slug string) error {
	if !collectionSlug.MatchString(slug) {
		return fmt.Errorf("%q is no slug of a collection: it is the end of the collection's address, as in acme/tea-64f9a55bb3115b4f513ec026", slug)
	}
	return nil
}

// CollectionURL is the page of a collection.
func (e Endpoint) CollectionURL(slug string) string { return e.String() + "/collections/" + slug }

// CreateCollection makes a public collection, or finds the one of this title in the namespace.
func (c *Client) CreateCollection(ctx context.Context, namespace, title string) (Collection, error) {
	q := call{
		op: fmt.Sprintf("create collection %q", title), method: http.MethodPost, url: c.api("collections"),
		fine: []int{http.StatusConflict}, collects: true,
		body: struct {
			Title     string `json:"title"`
			Namespace string `json:"namespace"`
		}{title, namespace},
	}
	r, err := c.do(ctx, q)
	if err != nil {
		return Collection{}, err
	}
	var made Collection
	if err := c.decode(q, r, &made); err != nil {
		return Collection{}, err
	}
	if CheckSlug(made.Slug) != nil {
		return Collection{}, unexpected(q, r.status, nil)
	}
	if r.status == http.StatusConflict {
		return c.Collection(ctx, made.Slug)
	}
	return made, nil
}

// Collection reads a collection with all of its items.
func (c *Client) Collection(ctx context.Context, slug string) (Collection, error) {
	if err := CheckSlug(slug); err != nil {
		return Collection{}, err
	}
	var found Collection
	err := c.ask(ctx, call{op: "look at collection " + slug, method: http.MethodGet, url: c.api("collections", escapedSlug(slug)),
		collects: true}, &found)
	return found, err
}

// AddToCollection adds a repo. One that is in the collection already is no error.
func (c *Client) AddToCollection(ctx context.Context, slug string, repo Repo) error {
	if err := CheckSlug(slug); err != nil {
		return err
	}
	type item struct {
		ID   string       `json:"id"`
		Type release.Type `json:"type"`
	}
	_, err := c.do(ctx, call{
		op: fmt.Sprintf("add %s to collection %s", repo, slug), repo: repo, method: http.MethodPost,
		url: c.api("collections", escapedSlug(slug), "items"), fine: []int{http.StatusConflict}, collects: true,
		body: struct {
			Item item `json:"item"`
		}{item{repo.ID, repo.Type}},
	})
	return err
}

// escapedSlug keeps the slash of a slug, as the Hub wants it.
func escapedSlug(slug string) string {
	namespace, name, _ := strings.Cut(slug, "/")
	return url.PathEscape(namespace) + "/" + url.PathEscape(name)
}
