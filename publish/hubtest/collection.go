package hubtest

import (
	"net/http"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/release"
)

// Collection is a list of repos on a page of its own.
type Collection struct {
	Slug, Title string
	Items       []hubapi.Repo
}

// Collections lists the collections in the order in which they were made.
func (h *Hub) Collections() []Collection {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]Collection(nil), h.collections...)
}

// serveCollections serves what lies below /api/collections.
func (h *Hub) serveCollections(w http.ResponseWriter, r *http.Request, rest []string) {
	role, ok := h.caller(r)
	write := r.Method == http.MethodPost
	switch {
	case !ok || write && role == Anonymous:
		refuse(w, r, http.StatusUnauthorized, "Invalid username or password.")
	case write && role != Write:
		refuse(w, r, http.StatusForbidden, "Forbidden: you have no write access to this collection")
	case write && len(rest) == 0:
		h.createCollection(w, r)
	case write && len(rest) == 3 && rest[2] == "items":
		h.addItem(w, r, rest[0]+"/"+rest[1])
	case reads(r) && len(rest) == 2:
		h.mu.Lock()
		defer h.mu.Unlock()
		if c := h.collection(rest[0] + "/" + rest[1]); c != nil {
			writeJSON(w, http.StatusOK, apiJSON, c.answer())
			return
		}
		refuse(w, r, http.StatusNotFound, "Collection not found")
	default:
		refuse(w, r, http.StatusNotFound, "Not Found")
	}
}

// collection finds a collection by its slug, of which the last 24 digits count. The Hub's lock is held.
func (h *Hub) collection(slug string) *Collection {
	if len(slug) < 24 {
		return nil
	}
	for i := range h.collections {
		if strings.HasSuffix(h.collections[i].Slug, slug[len(slug)-24:]) {
			return &h.collections[i]
		}
	}
	return nil
}

var notInSlug = lazyregexp.New(`[^a-z0-9]+`)

func (h *Hub) createCollection(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Title     string `json:"title"`
		Namespace string `json:"namespace"`
	}
	if !readJSON(w, r, &q) {
		return
	}
	if q.Title == "" || !h.owns(q.Namespace) {
		refuse(w, r, http.StatusForbidden, "You don't have the rights to create a collection under this namespace")
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.collections {
		if c.Title == q.Title && strings.HasPrefix(c.Slug, q.Namespace+"/") {
			writeJSON(w, http.StatusConflict, apiJSON, map[string]string{"error": "a collection of this title exists", "slug": c.Slug})
			return
		}
	}
	words := strings.Trim(notInSlug.ReplaceAllString(strings.ToLower(q.Title), "-"), "-")
	slug := q.Namespace + "/" + words + "-" + hexID("collection/"+q.Namespace+"/"+q.Title)
	h.collections = append(h.collections, Collection{Slug: slug, Title: q.Title})
	writeJSON(w, http.StatusOK, apiJSON, h.collections[len(h.collections)-1].answer())
}

func (h *Hub) addItem(w http.ResponseWriter, r *http.Request, slug string) {
	var q struct {
		Item struct {
			ID   string       `json:"id"`
			Type release.Type `json:"type"`
		} `json:"item"`
	}
	if !readJSON(w, r, &q) {
		return
	}
	name, err := hubapi.NewRepo(q.Item.Type, q.Item.ID)
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.collection(slug)
	switch {
	case c == nil || err != nil || !h.repo(name).exists():
		refuse(w, r, http.StatusNotFound, "Item not found")
	case slices.Contains(c.Items, name):
		refuse(w, r, http.StatusConflict, "Item is already in the collection")
	default:
		c.Items = append(c.Items, name)
		writeJSON(w, http.StatusOK, apiJSON, c.answer())
	}
}

// answer is the collection as the API shows it.
func (c Collection) answer() map[string]any {
	items := []map[string]any{}
	for _, item := range c.Items {
		items = append(items, map[string]any{"_id": hexID(c.Slug + item.Path()), "id": item.ID, "type": item.Type})
	}
	return map[string]any{"slug": c.Slug, "title": c.Title, "items": items}
}
