package hubtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/validate/hygiene/lfspointer"
)

// bodyMax bounds the JSON that a request may hold, in bytes.
const bodyMax = 64 << 20

// batchRequest is what an LFS client asks.
type batchRequest struct {
	Operation string   `json:"operation"`
	Transfers []string `json:"transfers"`
	HashAlgo  string   `json:"hash_algo"`
	Objects   []struct {
		OID  string `json:"oid"`
		Size int64  `json:"size"`
	} `json:"objects"`
}

// batchObject is what it is told of one object. No actions and no error: the Hub has it already.
type batchObject struct {
	OID     string            `json:"oid"`
	Size    int64             `json:"size"`
	Actions map[string]action `json:"actions,omitempty"`
	Error   *objectError      `json:"error,omitempty"`
}

type objectError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

type action struct {
	Href      string            `json:"href"`
	Header    map[string]string `json:"header"`
	ExpiresIn int               `json:"expires_in,omitempty"`
}

// serveLFS serves the LFS API of a repo. Locks are not kept, as on the Hub.
func (h *Hub) serveLFS(w http.ResponseWriter, r *http.Request, repo *Repo, at string) {
	switch {
	case r.Method == http.MethodPost && at == "objects/batch":
		h.batch(w, r, repo)
	case r.Method == http.MethodPost && at == "objects/verify":
		h.verify(w, r, repo)
	default:
		refuse(w, r, http.StatusNotFound, "Not Found")
	}
}

// batch tells a client where to send objects, or where to get them.
func (h *Hub) batch(w http.ResponseWriter, r *http.Request, repo *Repo) {
	var q batchRequest
	if !readLFS(w, r, &q) {
		return
	}
	need := Anonymous
	if q.Operation == "upload" {
		need = Write
	}
	if !h.admit(w, r, repo, need) {
		return
	}
	if status, message := q.check(); status != 0 {
		refuse(w, r, status, message)
		return
	}
	h.count(func(s *Stats) { s.Batches++ })
	if h.due(Batch429) {
		w.Header().Set("Retry-After", "1")
		refuse(w, r, http.StatusTooManyRequests, "We had to rate limit you, you hit the quota")
		return
	}
	if h.due(Batch502) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusBadGateway)
		io.WriteString(w, "<html><body>bad gateway</body></html>")
		return
	}
	if q.Operation == "upload" && h.overQuota(q) {
		refuse(w, r, http.StatusForbidden, "Private repository storage limit reached, please upgrade your plan to increase your private storage limit.")
		return
	}
	transfer, objects := h.answers(repo, q)
	if len(objects) > 0 && h.due(BatchMissing) {
		objects = objects[:len(objects)-1]
	}
	writeJSON(w, http.StatusOK, lfsJSON, map[string]any{"transfer": transfer, "objects": objects, "hash_algo": "sha256"})
}

// readLFS reads a JSON body sent under LFS's own media type; it answers itself when it cannot.
func readLFS(w http.ResponseWriter, r *http.Request, into any) bool {
	if !strings.HasPrefix(r.Header.Get("Content-Type"), lfsJSON) || !strings.Contains(r.Header.Get("Accept"), lfsJSON) {
		refuse(w, r, http.StatusNotAcceptable, "Accept and Content-Type must be "+lfsJSON)
		return false
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, bodyMax)).Decode(into); err != nil {
		refuse(w, r, http.StatusUnprocessableEntity, "the request is not the JSON that was expected")
		return false
	}
	return true
}

// check finds what the LFS specification does not know; the status is 0 when all is well.
func (q batchRequest) check() (status int, message string) {
	switch {
	case q.Operation != "upload" && q.Operation != "download":
		return http.StatusUnprocessableEntity, "operation must be upload or download"
	case len(q.Transfers) > 0 && !slices.Contains(q.Transfers, "basic"):
		return http.StatusUnprocessableEntity, "the basic transfer must be among the transfers"
	case !slices.Contains([]string{"", "sha256", "sha_256"}, q.HashAlgo):
		return http.StatusConflict, "hash_algo must be sha256"
	}
	return 0, ""
}

// overQuota says that there is no room for the objects of an upload.
func (h *Hub) overQuota(q batchRequest) bool {
	if h.opts.Quota == 0 {
		return false
	}
	more := h.Stats().Bytes
	for _, o := range q.Objects {
		more += o.Size
	}
	return more > h.opts.Quota
}

// answers makes the batch answer, object by object.
func (h *Hub) answers(repo *Repo, q batchRequest) (transfer string, objects []batchObject) {
	transfer, objects = "basic", []batchObject{}
	for _, o := range q.Objects {
		out := batchObject{OID: o.OID, Size: o.Size}
		p := lfspointer.Pointer{OID: o.OID, Size: o.Size}
		switch {
		case !sha256Hex.MatchString(o.OID) || o.Size < 1:
			out.Error = &objectError{http.StatusUnprocessableEntity, "oid must be 64 hex digits and size a positive number"}
		case q.Operation == "download" && repo.HasObject(p):
			out.Actions = map[string]action{"download": {Href: h.downloadLink(repo, p), ExpiresIn: linkSeconds}}
		case q.Operation == "download":
			out.Error = &objectError{http.StatusNotFound, "Object does not exist on the server"}
		case repo.HasObject(p):
		case p.Size > h.opts.MultipartOver && slices.Contains(q.Transfers, "multipart"):
			transfer = "multipart"
			out.Actions = map[string]action{"upload": h.multipartUpload(repo, p), "verify": h.verifyAction(repo)}
		default:
			out.Actions = map[string]action{"upload": h.basicUpload(repo, p), "verify": h.verifyAction(repo)}
		}
		objects = append(objects, out)
	}
	return transfer, objects
}

func (h *Hub) verifyAction(repo *Repo) action {
	return action{Href: h.URL() + "/" + repo.Path() + ".git/info/lfs/objects/verify", Header: map[string]string{}}
}

// basicUpload is one PUT to the storage origin.
func (h *Hub) basicUpload(repo *Repo, p lfspointer.Pointer) action {
	l := link{method: http.MethodPut, repo: repo, object: p, size: p.Size}
	return action{Href: h.storageLink(l), ExpiresIn: linkSeconds, Header: map[string]string{}}
}

// multipartUpload is one PUT for each part, and a POST to complete them.
func (h *Hub) multipartUpload(repo *Repo, p lfspointer.Pointer) action {
	parts := int((p.Size + h.opts.PartSize - 1) / h.opts.PartSize)
	u := &upload{dir: filepath.Join(h.tmp, "parts-"+secret(8)), parts: parts, etags: map[int]string{}}
	header := map[string]string{"chunk_size": strconv.FormatInt(h.opts.PartSize, 10)}
	for n := 1; n <= parts; n++ {
		size := min(h.opts.PartSize, p.Size-int64(n-1)*h.opts.PartSize)
		put := link{method: http.MethodPut, repo: repo, object: p, size: size, upload: u, part: n}
		header[fmt.Sprintf("%05d", n)] = h.storageLink(put)
	}
	done := h.remember(link{method: http.MethodPost, repo: repo, object: p, upload: u})
	return action{Href: h.URL() + "/api/complete_multipart?sig=" + done, Header: header, ExpiresIn: linkSeconds}
}

// verify says whether an object has arrived.
func (h *Hub) verify(w http.ResponseWriter, r *http.Request, repo *Repo) {
	var q struct {
		OID  string `json:"oid"`
		Size int64  `json:"size"`
	}
	if !readLFS(w, r, &q) {
		return
	}
	if !h.admit(w, r, repo, Write) {
		return
	}
	h.count(func(s *Stats) { s.Verifies++ })
	switch {
	case h.due(Verify500):
		refuse(w, r, http.StatusInternalServerError, "Internal Error")
	case !repo.HasObject(lfspointer.Pointer{OID: q.OID, Size: q.Size}):
		refuse(w, r, http.StatusNotFound, "the object is not there, or its size differs")
	default:
		writeJSON(w, http.StatusOK, lfsJSON, struct{}{})
	}
}
