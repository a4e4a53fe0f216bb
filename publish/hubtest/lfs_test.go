package hubtest_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/hygiene/lfspointer"
)

const lfsJSON = "application/vnd.git-lfs+json"

// batch asks for a batch of objects, offering both transfers.
func batch(t *testing.T, hub *hubtest.Hub, repo *hubtest.Repo, operation string, transfers []string, objects ...[]byte) answer {
	t.Helper()
	list := []map[string]any{}
	for _, o := range objects {
		list = append(list, map[string]any{"oid": oid(o), "size": len(o)})
	}
	return lfs(t, repo.URL()+".git/info/lfs/objects/batch", hub.Token(hubtest.Write),
		map[string]any{"operation": operation, "transfers": transfers, "objects": list})
}

// lfs posts JSON to the LFS API of a repo, or to a link.
func lfs(t *testing.T, url, token string, body any) answer {
	t.Helper()
	return ask(t, "POST", url, token, body, "Accept", lfsJSON, "Content-Type", lfsJSON)
}

func verify(t *testing.T, hub *hubtest.Hub, repo *hubtest.Repo, data []byte) int {
	t.Helper()
	return lfs(t, repo.URL()+".git/info/lfs/objects/verify", hub.Token(hubtest.Write),
		map[string]any{"oid": oid(data), "size": len(data)}).status
}

func oid(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func pointer(data []byte) lfspointer.Pointer {
	return lfspointer.Pointer{OID: oid(data), Size: int64(len(data))}
}

var both = []string{"basic", "multipart"}

func TestBasicUpload(t *testing.T) {
	hub := start(t, hubtest.Options{})
	repo := createRepo(t, hub, release.Dataset, "acme/rows")
	other := createRepo(t, hub, release.Dataset, "acme/other")
	data := noise(1000)

	a := batch(t, hub, repo, "upload", both, data, []byte("x"))
	if a.text("transfer") != "basic" || a.text("objects.1.oid") != oid([]byte("x")) {
		t.Fatalf("batch answered %d %s", a.status, a.body)
	}
	href := a.text("objects.0.actions.upload.href")
	if !strings.HasPrefix(href, hub.StorageURL()+"/") || strings.HasPrefix(href, hub.URL()) {
		t.Errorf("the link %s is not on the storage origin %s", href, hub.StorageURL())
	}
	if got := verify(t, hub, repo, data); got != 404 {
		t.Errorf("verify before the upload answered %d, want 404", got)
	}
	wrong := append([]byte("!"), data[1:]...)
	for name, refused := range map[string]struct {
		body any
		want int
	}{
		"other bytes":    {wrong, 400},
		"fewer bytes":    {data[:10], 400},
		"unknown length": {io.MultiReader(bytes.NewReader(data)), 411},
	} {
		if got := ask(t, "PUT", href, "", refused.body); got.status != refused.want || repo.HasObject(pointer(data)) {
			t.Errorf("%s: PUT answered %d, want %d and nothing stored", name, got.status, refused.want)
		}
	}
	if got := ask(t, "PUT", href+"0", "", data); got.status != 403 {
		t.Errorf("PUT with another signature answered %d, want 403", got.status)
	}
	if got := ask(t, "GET", href, "", nil); got.status != 403 {
		t.Errorf("GET by a link for PUT answered %d, want 403", got.status)
	}
	if got := ask(t, "PUT", href, "", data); got.status != 200 || !repo.HasObject(pointer(data)) {
		t.Errorf("PUT answered %d, want 200 and the object stored", got.status)
	}
	if got := verify(t, hub, repo, data); got != 200 {
		t.Errorf("verify after the upload answered %d, want 200", got)
	}
	if a := batch(t, hub, repo, "upload", both, data); a.json("objects.0.actions") != nil || a.json("objects.0.error") != nil {
		t.Errorf("an object that is there gets no actions; the batch answered %s", a.body)
	}
	if a := batch(t, hub, other, "upload", both, data); a.json("objects.0.actions.upload") == nil {
		t.Errorf("an object of another repo is not there; the batch answered %s", a.body)
	}
	a = batch(t, hub, repo, "download", both, data, []byte("y"))
	if got := ask(t, "GET", a.text("objects.0.actions.download.href"), "", nil); !bytes.Equal(got.body, data) {
		t.Errorf("the download answered %d with %d bytes, want the object", got.status, len(got.body))
	}
	if a.json("objects.1.error.code") != 404.0 {
		t.Errorf("the download of an object that is not there is an error of code 404; the batch answered %s", a.body)
	}
	if s := hub.Stats(); s.Objects != 1 || s.Bytes != 1000 {
		t.Errorf("%d objects of %d bytes were stored, want 1 of 1000", s.Objects, s.Bytes)
	}
}

func TestMultipartUpload(t *testing.T) {
	hub := start(t, hubtest.Options{MultipartOver: 999, PartSize: 400})
	repo := createRepo(t, hub, release.Model, "acme/adapter")
	data := noise(1000)
	if a := batch(t, hub, repo, "upload", []string{"basic"}, data); a.text("transfer") != "basic" {
		t.Errorf("a client without multipart gets basic; the batch answered %s", a.body)
	}
	a := batch(t, hub, repo, "upload", both, data)
	header, _ := a.json("objects.0.actions.upload.header").(map[string]any)
	if a.text("transfer") != "multipart" || len(header) != 4 || header["chunk_size"] != "400" {
		t.Fatalf("the batch answered %s", a.body)
	}
	type part struct {
		PartNumber int    `json:"partNumber"`
		ETag       string `json:"etag"`
	}
	var parts []part
	for n, chunk := range [][]byte{data[:400], data[400:800], data[800:]} {
		got := ask(t, "PUT", header[fmt.Sprintf("%05d", n+1)].(string), "", chunk)
		parts = append(parts, part{n + 1, got.header.Get("ETag")})
	}
	done := a.text("objects.0.actions.upload.href")
	for name, bad := range map[string][]part{
		"a part is missing":     parts[:2],
		"parts in wrong order":  {parts[1], parts[0], parts[2]},
		"an etag without quote": {parts[0], parts[1], {3, strings.Trim(parts[2].ETag, `"`)}},
	} {
		if got := lfs(t, done, "", map[string]any{"oid": oid(data), "parts": bad}); got.status != 400 {
			t.Errorf("%s: the completion answered %d, want 400", name, got.status)
		}
	}
	hub.Fault(hubtest.Complete500, 1)
	for i, want := range []int{500, 200} {
		if got := lfs(t, done, "", map[string]any{"oid": oid(data), "parts": parts}); got.status != want {
			t.Errorf("completion %d answered %d, want %d", i, got.status, want)
		}
	}
	if !repo.HasObject(pointer(data)) || verify(t, hub, repo, data) != 200 {
		t.Error("the object is not there after the completion")
	}
}

func TestBatchRefusals(t *testing.T) {
	hub := start(t, hubtest.Options{})
	repo := createRepo(t, hub, release.Dataset, "acme/rows")
	type request = map[string]any
	good := request{"operation": "upload", "objects": []any{}}
	url := repo.URL() + ".git/info/lfs/objects/batch"
	tests := []struct {
		name, token string
		body        any
		kind        string
		want        int
	}{
		{"no token", "", good, lfsJSON, 401},
		{"wrong token", "hf_wrong", good, lfsJSON, 401},
		{"read-only token", hub.Token(hubtest.Read), good, lfsJSON, 403},
		{"download without token", "", request{"operation": "download"}, lfsJSON, 200},
		{"write token", hub.Token(hubtest.Write), good, lfsJSON, 200},
		{"another media type", hub.Token(hubtest.Write), good, "application/json", 406},
		{"no JSON", hub.Token(hubtest.Write), "{", lfsJSON, 422},
		{"unknown operation", hub.Token(hubtest.Write), request{"operation": "steal"}, lfsJSON, 422},
		{"unknown hash", hub.Token(hubtest.Write), request{"operation": "upload", "hash_algo": "md5"}, lfsJSON, 409},
		{"no basic transfer", hub.Token(hubtest.Write), request{"operation": "upload", "transfers": []string{"xet"}}, lfsJSON, 422},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := ask(t, "POST", url, tt.token, tt.body, "Accept", lfsJSON, "Content-Type", tt.kind)
			if a.status != tt.want || a.status >= 400 && a.text("message") == "" {
				t.Errorf("answered %d %s, want %d with a message", a.status, a.body, tt.want)
			}
		})
	}
	a := lfs(t, url, hub.Token(hubtest.Write), request{"operation": "upload", "objects": []request{
		{"oid": "../../HEAD", "size": 3}, {"oid": oid(nil), "size": 0}}})
	for _, at := range []string{"objects.0.error.code", "objects.1.error.code"} {
		if a.json(at) != 422.0 {
			t.Errorf("%s is %v, want 422; the batch answered %s", at, a.json(at), a.body)
		}
	}
	if got := ask(t, "GET", repo.URL()+".git/info/lfs/locks", hub.Token(hubtest.Write), nil); got.status != 404 {
		t.Errorf("locks answered %d, want 404", got.status)
	}
}

// TestUploadFaults shows each fault of an upload: what the client sees, once, and that the next try works.
func TestUploadFaults(t *testing.T) {
	hub := start(t, hubtest.Options{StallFor: time.Millisecond})
	repo := createRepo(t, hub, release.Dataset, "acme/rows")
	tests := []struct {
		fault hubtest.Fault
		// batch, put and verify are the statuses of the spoiled try; 0 is a reset.
		batch, put, verify int
	}{
		{hubtest.Batch429, 429, 403, 404},
		{hubtest.Batch502, 502, 403, 404},
		{hubtest.BatchMissing, 200, 403, 404},
		{hubtest.Put503, 200, 503, 404},
		{hubtest.PutReset, 200, 0, 404},
		{hubtest.PutStall, 200, 0, 404},
		{hubtest.Put403, 200, 403, 404},
		{hubtest.PutSwallow, 200, 200, 404},
		{hubtest.Verify500, 200, 200, 500},
	}
	for i, tt := range tests {
		t.Run(string(tt.fault), func(t *testing.T) {
			data := noise(100_000 + i)
			hub.Fault(tt.fault, 1)
			a := batch(t, hub, repo, "upload", both, data)
			if a.status != tt.batch {
				t.Errorf("batch answered %d, want %d", a.status, tt.batch)
			}
			if tt.fault == hubtest.Batch429 && a.header.Get("Retry-After") != "1" {
				t.Errorf("Retry-After is %q, want 1", a.header.Get("Retry-After"))
			}
			href := a.text("objects.0.actions.upload.href")
			if href == "" {
				href = hub.StorageURL() + "/" + oid(data)
			}
			if got, err := try(t, "PUT", href, "", data); got.status != tt.put || (err != nil) != (tt.put == 0) {
				t.Errorf("PUT answered %d (%v), want %d", got.status, err, tt.put)
			}
			if got := verify(t, hub, repo, data); got != tt.verify {
				t.Errorf("verify answered %d, want %d", got, tt.verify)
			}
			if n := hub.Stats().Faults[tt.fault]; n != 1 {
				t.Errorf("the fault happened %d times, want once", n)
			}
			if a := batch(t, hub, repo, "upload", both, data); a.json("objects.0.actions") != nil {
				if got := ask(t, "PUT", a.text("objects.0.actions.upload.href"), "", data); got.status != 200 {
					t.Errorf("the second try answered %d", got.status)
				}
			}
			if got := verify(t, hub, repo, data); got != 200 {
				t.Errorf("verify after the second try answered %d", got)
			}
		})
	}
}
