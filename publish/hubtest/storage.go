package hubtest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/hfpub/hfpub/validate/hygiene/lfspointer"
)

// linkSeconds is how long a link to the storage origin is said to live, as the real ones do.
const linkSeconds = 900

// link is what a signed URL allows: one method on one object.
type link struct {
	method string
	repo   *Repo
	object lfspointer.Pointer
	// size is the number of bytes that a PUT must bring.
	size int64
	// upload and part are set for a part of a multipart upload; upload alone for its completion.
	upload *upload
	part   int
}

// upload is a multipart upload under way. The Hub's mutex guards etags.
type upload struct {
	dir   string
	parts int
	etags map[int]string
}

// remember keeps a link and returns its signature.
func (h *Hub) remember(l link) (signature string) {
	signature = secret(16)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.links[signature] = l
	return signature
}

// storageLink is a signed URL on the storage origin.
func (h *Hub) storageLink(l link) string {
	return h.storage.url + "/" + l.object.OID + "?sig=" + h.remember(l)
}

func (h *Hub) downloadLink(repo *Repo, p lfspointer.Pointer) string {
	return h.storageLink(link{method: http.MethodGet, repo: repo, object: p})
}

// signed finds the link that a request was signed for.
func (h *Hub) signed(r *http.Request) (link, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	l, ok := h.links[r.URL.Query().Get("sig")]
	return l, ok
}

// expire forgets the link of a request.
func (h *Hub) expire(r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.links, r.URL.Query().Get("sig"))
}

// serveStorage is the handler of the storage origin: signed links and nothing else. Like a real object store it refuses a
// second way of signing, and a body of unknown length.
func (h *Hub) serveStorage(w http.ResponseWriter, r *http.Request) {
	l, ok := h.signed(r)
	switch {
	case r.Header.Get("Authorization") != "":
		storageError(w, r, http.StatusBadRequest, "InvalidArgument", "Only one auth mechanism allowed")
	case !ok || r.URL.Path != "/"+l.object.OID:
		storageError(w, r, http.StatusForbidden, "AccessDenied", "Request has expired")
	case l.method == http.MethodGet && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		h.download(w, r, l)
	case l.method != r.Method:
		storageError(w, r, http.StatusForbidden, "SignatureDoesNotMatch", "the link is for another method")
	case r.ContentLength < 0:
		storageError(w, r, http.StatusLengthRequired, "MissingContentLength", "the Content-Length header is missing")
	default:
		h.put(w, r, l)
	}
}

// storageError answers as an object store does, in XML.
func storageError(w http.ResponseWriter, r *http.Request, status int, code, message string) {
	drain(r)
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code><Message>%s</Message></Error>", code, message)
}

func (h *Hub) download(w http.ResponseWriter, r *http.Request, l link) {
	f, err := l.repo.openObject(l.object)
	if err != nil {
		storageError(w, r, http.StatusNotFound, "NoSuchKey", "The specified key does not exist.")
		return
	}
	defer f.Close()
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("ETag", strconv.Quote(l.object.OID))
	switch {
	case h.due(Get403):
		h.expire(r)
		storageError(w, r, http.StatusForbidden, "AccessDenied", "Request has expired")
	case h.due(Get503):
		storageError(w, r, http.StatusServiceUnavailable, "SlowDown", "Please reduce your request rate.")
	case h.due(GetReset):
		w.Header().Set("Content-Length", strconv.FormatInt(l.object.Size, 10))
		io.CopyN(w, f, l.object.Size/2)
		reset(w)
	case h.due(GetCorrupt):
		io.CopyN(w, zeros{}, l.object.Size)
	default:
		http.ServeContent(w, r, "", time.Time{}, f)
	}
}

// zeros reads as zeros without end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// put takes an object, or a part of one.
func (h *Hub) put(w http.ResponseWriter, r *http.Request, l link) {
	h.count(func(s *Stats) { s.Puts++ })
	switch {
	case h.due(Put403):
		h.expire(r)
		storageError(w, r, http.StatusForbidden, "AccessDenied", "Request has expired")
	case h.due(Put503):
		storageError(w, r, http.StatusServiceUnavailable, "SlowDown", "Please reduce your request rate.")
	case h.due(PutReset):
		io.CopyN(io.Discard, r.Body, min(256<<10, r.ContentLength/2))
		reset(w)
	case h.due(PutStall):
		select {
		case <-time.After(h.opts.StallFor):
		case <-h.ctx.Done():
		}
		reset(w)
	case h.due(PutSwallow):
		drain(r)
		w.Header().Set("ETag", `"`+secret(16)+`"`)
	default:
		h.keep(w, r, l)
	}
}

// keep stores what a PUT brings.
func (h *Hub) keep(w http.ResponseWriter, r *http.Request, l link) {
	if r.ContentLength != l.size {
		storageError(w, r, http.StatusBadRequest, "IncompleteBody", "the link was made for another number of bytes")
		return
	}
	var etag string
	var err error
	if l.upload == nil {
		etag = `"` + l.object.OID[:32] + `"`
		err = h.store(l.repo, l.object, r.Body)
	} else {
		etag, err = h.storePart(l, r.Body)
	}
	switch {
	case errors.Is(err, errDigest):
		storageError(w, r, http.StatusBadRequest, "BadDigest", err.Error())
	case err != nil:
		storageError(w, r, http.StatusInternalServerError, "InternalError", "try again")
	default:
		w.Header().Set("ETag", etag)
	}
}

// errDigest says that bytes are not the object they were announced as.
var errDigest = errors.New("the bytes are not the object that was announced")

// store keeps an object: written aside, checked, synced, renamed.
func (h *Hub) store(repo *Repo, p lfspointer.Pointer, src io.Reader) error {
	f, err := os.CreateTemp(h.tmp, "object-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once the file is renamed
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, sum), src)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if n != p.Size || hex.EncodeToString(sum.Sum(nil)) != p.OID {
		return errDigest
	}
	at := repo.objectPath(p.OID)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), at); err != nil {
		return err
	}
	h.count(func(s *Stats) { s.Objects++; s.Bytes += n })
	return nil
}

// storePart keeps one part until the upload is completed.
func (h *Hub) storePart(l link, src io.Reader) (etag string, err error) {
	if err := os.MkdirAll(l.upload.dir, 0o755); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(l.upload.dir, "part-")
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name()) // fails once the file is renamed
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, sum), src)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", err
	}
	if n != l.size {
		return "", errDigest
	}
	if err := os.Rename(f.Name(), l.upload.path(l.part)); err != nil {
		return "", err
	}
	etag = `"` + hex.EncodeToString(sum.Sum(nil)[:16]) + `"`
	h.mu.Lock()
	defer h.mu.Unlock()
	l.upload.etags[l.part] = etag
	return etag, nil
}

func (u *upload) path(part int) string { return filepath.Join(u.dir, strconv.Itoa(part)) }

// complete joins the parts of an upload. The request is signed by its URL and brings no token.
func (h *Hub) complete(w http.ResponseWriter, r *http.Request) {
	l, ok := h.signed(r)
	if !ok || l.method != r.Method || l.upload == nil {
		refuse(w, r, http.StatusForbidden, "the link has expired")
		return
	}
	var q struct {
		OID   string `json:"oid"`
		Parts []struct {
			PartNumber int    `json:"partNumber"`
			ETag       string `json:"etag"`
		} `json:"parts"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, bodyMax)).Decode(&q); err != nil || q.OID != l.object.OID {
		refuse(w, r, http.StatusBadRequest, "the completion cannot be read")
		return
	}
	if h.due(Complete500) {
		refuse(w, r, http.StatusInternalServerError, "Internal Error")
		return
	}
	if len(q.Parts) != l.upload.parts {
		refuse(w, r, http.StatusBadRequest, fmt.Sprintf("InvalidPart: %d of %d parts", len(q.Parts), l.upload.parts))
		return
	}
	for i, part := range q.Parts {
		if part.PartNumber != i+1 || part.ETag == "" || part.ETag != h.etag(l.upload, part.PartNumber) {
			refuse(w, r, http.StatusBadRequest, fmt.Sprintf("InvalidPart: part %d", i+1))
			return
		}
	}
	if err := h.join(l); err != nil {
		refuse(w, r, http.StatusBadRequest, err.Error())
		return
	}
	h.expire(r)
	writeJSON(w, http.StatusOK, "application/json; charset=utf-8", map[string]bool{"success": true})
}

func (h *Hub) etag(u *upload, part int) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return u.etags[part]
}

// join makes one object of the parts and removes them.
func (h *Hub) join(l link) error {
	var readers []io.Reader
	for n := 1; n <= l.upload.parts; n++ {
		f, err := os.Open(l.upload.path(n))
		if err != nil {
			return err
		}
		defer f.Close()
		readers = append(readers, f)
	}
	if err := h.store(l.repo, l.object, io.MultiReader(readers...)); err != nil {
		return err
	}
	return os.RemoveAll(l.upload.dir)
}
