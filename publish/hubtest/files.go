package hubtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// file serves one file of a revision: raw as git has it, or resolved. The content of an LFS file lies at the storage
// origin, to which the answer leads.
func (h *Hub) file(w http.ResponseWriter, r *http.Request, repo *Repo, raw bool, rev, name string) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		refuse(w, r, http.StatusMethodNotAllowed, "method not allowed")
		return
	}
	if !h.admit(w, r, repo, Anonymous) {
		return
	}
	commit, ok := h.revision(w, r, repo, rev)
	if !ok {
		return
	}
	w.Header().Set("X-Repo-Commit", commit)
	e, err := repo.entry(r.Context(), commit, name)
	if err != nil {
		failed(w, r, rev, err)
		return
	}
	if e.LFS == nil || raw {
		h.plainFile(w, r, repo, e)
		return
	}
	if !repo.HasObject(*e.LFS) {
		refuseCode(w, r, http.StatusNotFound, "EntryNotFound", "the LFS object of "+name+" is not there")
		return
	}
	w.Header().Set("X-Linked-Etag", strconv.Quote(e.LFS.OID))
	w.Header().Set("X-Linked-Size", strconv.FormatInt(e.LFS.Size, 10))
	w.Header().Set("ETag", strconv.Quote(e.LFS.OID))
	w.Header().Set("Location", h.downloadLink(repo, *e.LFS))
	w.WriteHeader(http.StatusFound)
}

// plainFile serves a blob.
func (h *Hub) plainFile(w http.ResponseWriter, r *http.Request, repo *Repo, e Entry) {
	data, err := repo.blob(r.Context(), e.OID)
	if err != nil {
		failed(w, r, e.Path, err)
		return
	}
	kind := "application/octet-stream"
	if utf8.Valid(data) && !isBinary(data) {
		kind = "text/plain; charset=utf-8"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("ETag", strconv.Quote(e.OID))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

// text is what a small file at the root holds, "" when it is not there; instead replaces it, if given.
func (r *Repo) text(entries []Entry, name string, instead *string) string {
	if instead != nil {
		return *instead
	}
	for _, e := range entries {
		if e.Path == name && !e.Dir {
			data, _ := r.blob(r.hub.ctx, e.OID) // an unreadable blob says nothing
			return string(data)
		}
	}
	return ""
}

// cardData is the metadata of the repo's card as JSON knows it, nil when there is none that can be read.
func (r *Repo) cardData(entries []Entry) map[string]any {
	block := frontMatter.FindStringSubmatch(r.text(entries, "README.md", nil))
	if block == nil {
		return nil
	}
	root, err := readYAML(block[1])
	if err != nil {
		return nil
	}
	return asJSON(root)
}

// asJSON turns a YAML mapping into what JSON can hold, nil when it cannot.
func asJSON(root *yaml.Node) map[string]any {
	var data map[string]any
	if err := root.Decode(&data); err != nil {
		return nil
	}
	if _, err := json.Marshal(data); err != nil {
		return nil
	}
	return data
}

// cardTags are the tags a card gives, as far as this Hub knows them: its own, and those of its license and languages.
func cardTags(card map[string]any) []string {
	tags := []string{}
	for _, from := range []struct{ key, prefix string }{{"tags", ""}, {"license", "license:"}, {"language", "language:"}} {
		switch v := card[from.key].(type) {
		case string:
			tags = append(tags, from.prefix+v)
		case []any:
			for _, item := range v {
				tags = append(tags, from.prefix+fmt.Sprint(item))
			}
		}
	}
	return tags
}

// hexID is the database id of a thing: 24 hex digits that depend on its name alone.
func hexID(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:12])
}

// timestamp writes a time as the Hub does.
func timestamp(seconds int64) string {
	return strings.TrimSuffix(time.Unix(seconds, 0).UTC().Format(time.RFC3339), "Z") + ".000Z"
}
