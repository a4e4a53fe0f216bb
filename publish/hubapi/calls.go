package hubapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hfpub/hfpub/publish/exchange"
	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/release"
)

// Account is who the Hub takes the token's owner for.
type Account struct {
	// Type is user, org or app.
	Type string `json:"type"`
	ID   string `json:"id"`
	Name string `json:"name"`
	Orgs []struct {
		Name string `json:"name"`
		// Role is no_access, read, contributor, write or admin; may be "".
		Role string `json:"roleInOrg"`
	} `json:"orgs"`
	Auth struct {
		Type        string `json:"type"`
		AccessToken struct {
			Name string `json:"displayName"`
			// Role is read, write or fineGrained; may be "".
			Role string `json:"role"`
		} `json:"accessToken"`
	} `json:"auth"`
}

// WhoAmI asks who the token belongs to. The Hub limits this call strictly: a client asks once and remembers.
func (c *Client) WhoAmI(ctx context.Context) (Account, error) {
	c.asking.Lock()
	defer c.asking.Unlock()
	if c.me != nil {
		return *c.me, nil
	}
	q := call{op: "who am I", method: http.MethodGet, url: c.api("whoami-v2")}
	var a Account
	if err := c.ask(ctx, q, &a); err != nil {
		return Account{}, err
	}
	c.me = &a
	return a, nil
}

// Visibility says who can see a new repo.
type Visibility string

// The visibilities. The zero value leaves it to the Hub: public, unless an organization has other defaults.
const (
	Public  Visibility = "public"
	Private Visibility = "private"
)

// Created is the outcome of [Client.CreateRepo].
type Created struct {
	// URL is the repo's page, with the Hub's spelling of the id.
	URL string
	// Existed is true for a repo that was there before: its visibility is what it was.
	Existed bool
}

// CreateRepo makes a repo, or finds that it is there. A new repo is not empty: it has one commit with a .gitattributes.
func (c *Client) CreateRepo(ctx context.Context, repo Repo, visibility Visibility) (Created, error) {
	q := call{
		op: "create " + repo.String(), repo: repo, method: http.MethodPost, url: c.api("repos", "create"),
		fine: []int{http.StatusConflict},
		body: struct {
			Name         string       `json:"name"`
			Organization string       `json:"organization"`
			Type         release.Type `json:"type"`
			Visibility   Visibility   `json:"visibility,omitempty"`
		}{repo.Name(), repo.Namespace(), repo.Type, visibility},
	}
	q.busy = func(r reply) bool {
		return r.status == http.StatusConflict && bytes.Contains(r.body, []byte("conflicting operation"))
	}
	r, err := c.do(ctx, q)
	if err != nil {
		return c.foundInstead(ctx, repo, err)
	}
	var a struct {
		URL string `json:"url"`
	}
	existed := r.status == http.StatusConflict
	if err := c.decode(q, r, &a); err != nil && !existed {
		return Created{}, err
	}
	return Created{c.pageURL(repo, a.URL), existed}, nil
}

// foundInstead looks whether a repo that may not be created is there already: then all is well.
func (c *Client) foundInstead(ctx context.Context, repo Repo, refused error) (Created, error) {
	switch exchange.Code(refused) {
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden:
	default:
		return Created{}, refused
	}
	if _, err := c.RepoInfo(ctx, repo, ""); err != nil {
		return Created{}, refused
	}
	return Created{c.endpoint.WebURL(repo), true}, nil
}

// pageURL is the address that the Hub gave for a repo, if it is one of this Hub; else the one that follows from the id.
func (c *Client) pageURL(repo Repo, given string) string {
	u, err := url.Parse(c.endpoint.Local(given))
	own, _ := url.Parse(c.endpoint.String())
	if err != nil || !exchange.SameOrigin(u, own) {
		return c.endpoint.WebURL(repo)
	}
	return exchange.Bare(u)
}

// Verdict is what the Hub thinks of a card. Errors would stop a push, warnings show on the page.
type Verdict struct{ Errors, Warnings []string }

// ValidateYAML lets the Hub judge a whole README.md, as the card of a dataset or a model. It needs no token.
func (c *Client) ValidateYAML(ctx context.Context, kind release.Type, readme string) (Verdict, error) {
	q := call{
		op: "validate the card", method: http.MethodPost, url: c.api("validate-yaml"), fine: []int{http.StatusBadRequest},
		body: struct {
			Content  string       `json:"content"`
			RepoType release.Type `json:"repoType"`
		}{readme, kind},
	}
	r, err := c.do(ctx, q)
	if err != nil {
		return Verdict{}, err
	}
	var a struct {
		Errors, Warnings []struct {
			Message string `json:"message"`
		}
	}
	if err := c.decode(q, r, &a); err != nil {
		return Verdict{}, err
	}
	if r.status == http.StatusBadRequest && len(a.Errors) == 0 {
		return Verdict{}, &Error{Op: q.op, Status: r.status, Message: "the Hub could not read what was sent"}
	}
	var v Verdict
	for _, e := range a.Errors {
		v.Errors = append(v.Errors, c.clean(e.Message))
	}
	for _, w := range a.Warnings {
		v.Warnings = append(v.Warnings, c.clean(w.Message))
	}
	return v, nil
}

// CheckWrite asks whether the token may write to a repo: cheap, before hours of upload. No error means that it may.
func (c *Client) CheckWrite(ctx context.Context, repo Repo) error {
	_, err := c.do(ctx, call{op: "check write access to " + repo.String(), repo: repo, method: http.MethodGet,
		url: c.api(repo.APIPath(), "auth-check", "write")})
	return err
}

// Info is what the Hub knows of a repo at a revision.
type Info struct {
	ID string `json:"id"`
	// SHA is the whole id of the commit.
	SHA          string    `json:"sha"`
	Private      bool      `json:"private"`
	Disabled     bool      `json:"disabled"`
	Gated        Gate      `json:"gated"`
	LastModified time.Time `json:"lastModified"`
	Tags         []string  `json:"tags"`
	// CardData is the metadata of README.md as the Hub read it, nil when there is none.
	CardData json.RawMessage `json:"cardData"`
}

// Gate says how a repo's files are given out: "" to all, "auto" on request, "manual" when the owner approves.
type Gate string

// UnmarshalJSON reads false or a word.
func (g *Gate) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case "false", "null":
		*g = ""
		return nil
	}
	var word string
	if err := json.Unmarshal(data, &word); err != nil {
		return fmt.Errorf("gated: %w", err)
	}
	*g = Gate(word)
	return nil
}

var commitID = lazyregexp.New(`^[0-9a-f]{40}$`)

// RepoInfo describes a repo at a revision: a branch, a tag, a commit or a full ref such as refs/pr/1; "" is the tip of
// main. A revision that does not exist is an [*Error] with the code RevisionNotFound.
func (c *Client) RepoInfo(ctx context.Context, repo Repo, rev string) (Info, error) {
	q := call{op: "look at " + repo.String(), repo: repo, rev: rev, method: http.MethodGet, url: c.api(repo.APIPath())}
	if rev != "" {
		q.op += " at " + rev
		q.url = c.api(repo.APIPath(), "revision", url.PathEscape(rev))
	}
	var i Info
	if err := c.ask(ctx, q, &i); err != nil {
		return Info{}, err
	}
	if !commitID.MatchString(i.SHA) {
		return Info{}, unexpected(q, http.StatusOK, nil)
	}
	return i, nil
}

// Entry is a file or folder of a repo.
type Entry struct {
	// Type is file or directory.
	Type string `json:"type"`
	Path string `json:"path"`
	// Size is that of the content in bytes, for an LFS file too; 0 for a folder.
	Size int64 `json:"size"`
	// OID is the id of the blob or tree in git: for an LFS file that of the pointer.
	OID string `json:"oid"`
	// LFS is nil for a file that lies in git itself.
	LFS *LFS `json:"lfs"`
}

// LFS says where the content of an LFS file is.
type LFS struct {
	// OID is the sha256 of the content in hex.
	OID         string `json:"oid"`
	Size        int64  `json:"size"`
	PointerSize int64  `json:"pointerSize"`
}

// Limits on a listing: its pages, at a thousand entries a page a hundred times what the Hub advises for a repo, and the bytes of
// all answers together.
const (
	maxPages   = 10_000
	maxListing = 4 * maxAnswer
)

// Tree lists all files and folders of a repo at a revision, as [Client.RepoInfo] takes it.
func (c *Client) Tree(ctx context.Context, repo Repo, rev string) ([]Entry, error) {
	if rev == "" {
		rev = "main"
	}
	q := call{
		op: fmt.Sprintf("list %s at %s", repo, rev), repo: repo, rev: rev, method: http.MethodGet,
		url: c.api(repo.APIPath(), "tree", url.PathEscape(rev)) + "?recursive=true&expand=false",
	}
	var all []Entry
	bytes := 0
	for range maxPages {
		r, err := c.do(ctx, q)
		if err != nil {
			return nil, err
		}
		if bytes += len(r.body); bytes > c.maxListing {
			break
		}
		var page []Entry
		if err := c.decode(q, r, &page); err != nil {
			return nil, err
		}
		all = append(all, page...)
		next, more := nextLink(r.header.Values("Link"))
		if !more {
			return all, nil
		}
		if q.url, err = c.follow(q, next); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%s: the listing has no end", q.op)
}

// follow is the address of the next page, which must be one of this Hub and another than the page before.
func (c *Client) follow(q call, next string) (string, error) {
	here, err := url.Parse(q.url)
	if err != nil {
		return "", unexpected(q, http.StatusOK, err)
	}
	u, err := here.Parse(c.endpoint.Local(next))
	if err != nil || u.User != nil || !exchange.SameOrigin(here, u) || u.String() == q.url {
		return "", fmt.Errorf("%s: the link to the next page leads elsewhere", q.op)
	}
	return u.String(), nil
}

// nextLink finds the address of rel="next" in Link headers (RFC 8288).
func nextLink(headers []string) (address string, ok bool) {
	for _, h := range headers {
		for {
			_, rest, found := strings.Cut(h, "<")
			if !found {
				break
			}
			target, params, found := strings.Cut(rest, ">")
			if !found {
				break
			}
			// The parameters end where the next link begins.
			params, h, _ = cutBefore(params, "<")
			for p := range strings.SplitSeq(strings.TrimRight(params, ", \t"), ";") {
				name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
				if strings.EqualFold(strings.TrimSpace(name), "rel") && isNext(value) {
					return target, true
				}
			}
		}
	}
	return "", false
}

// cutBefore cuts s before sep, which stays with the second part.
func cutBefore(s, sep string) (before, after string, found bool) {
	if i := strings.Index(s, sep); i >= 0 {
		return s[:i], s[i:], true
	}
	return s, "", false
}

// isNext reads the value of rel: words, maybe in quotes.
func isNext(value string) bool {
	for word := range strings.FieldsSeq(strings.Trim(strings.TrimSpace(value), `"`)) {
		if strings.EqualFold(word, "next") {
			return true
		}
	}
	return false
}
