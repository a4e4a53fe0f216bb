package hubtest_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/hygiene/lfspointer"
)

// TestTreePages follows the links of a listing, from a branch that moves in between.
func TestTreePages(t *testing.T) {
	hub := start(t, hubtest.Options{PageSize: 2})
	repo := createRepo(t, hub, release.Dataset, "acme/rows")
	if _, err := repo.Commit("refs/heads/main", "Rows", map[string]string{"a": "a", "d/b c": "b", "d/e/f": "f"}); err != nil {
		t.Fatal(err)
	}
	next := hub.URL() + "/api/datasets/acme/rows/tree/main?recursive=true"
	var got []string
	for range 5 {
		a := ask(t, "GET", next, "", nil)
		for i := 0; a.json(fmt.Sprint(i)) != nil; i++ {
			got = append(got, a.text(fmt.Sprintf("%d.path", i)))
		}
		if _, err := repo.Commit("refs/heads/main", "More", map[string]string{"aa": "x"}); err != nil {
			t.Fatal(err)
		}
		link, more := strings.CutSuffix(a.header.Get("Link"), `>; rel="next"`)
		if !more {
			break
		}
		next = strings.TrimPrefix(link, "<")
	}
	if want := []string{".gitattributes", "a", "d", "d/b c", "d/e", "d/e/f"}; !reflect.DeepEqual(got, want) {
		t.Errorf("the pages hold %q, want %q", got, want)
	}
}

func TestFiles(t *testing.T) {
	hub := start(t, hubtest.Options{})
	repo := createRepo(t, hub, release.Model, "acme/adapter")
	data := noise(5000)
	ask(t, "PUT", batch(t, hub, repo, "upload", both, data).text("objects.0.actions.upload.href"), "", data)
	text := string(lfspointer.Format(oid(data), 5000))
	head, err := repo.Commit("refs/heads/main", "Files", map[string]string{
		"a b/ä.bin": text, "c.txt": "c\n", "gone.bin": string(lfspointer.Format(oid([]byte("1")), 1)),
	})
	if err != nil {
		t.Fatal(err)
	}
	entries, _ := repo.Tree("main")
	blob := map[string]string{}
	for _, e := range entries {
		blob[e.Path] = e.OID
	}
	tests := []struct {
		name, path string
		status     int
		header     map[string]string
		body       string
	}{
		{"plain file", "/resolve/main/c.txt", 200, map[string]string{
			"X-Repo-Commit": head, "ETag": `"` + blob["c.txt"] + `"`, "X-Linked-Etag": "", "Content-Length": "2"}, "c\n"},
		{"LFS file", "/resolve/main/a%20b/%C3%A4.bin", 302, map[string]string{
			"X-Repo-Commit": head, "X-Linked-Etag": `"` + oid(data) + `"`, "X-Linked-Size": "5000"}, ""},
		{"LFS file, raw", "/raw/" + head + "/a%20b/%C3%A4.bin", 200, map[string]string{"X-Linked-Etag": ""}, text},
		{"LFS file without object", "/resolve/main/gone.bin", 404, map[string]string{"X-Error-Code": "EntryNotFound"}, ""},
		{"no such file", "/resolve/main/nope", 404, map[string]string{
			"X-Error-Code": "EntryNotFound", "X-Repo-Commit": head}, ""},
		{"a folder", "/resolve/main/a%20b", 404, map[string]string{"X-Error-Code": "EntryNotFound"}, ""},
		{"no such revision", "/resolve/v1/c.txt", 404, map[string]string{"X-Error-Code": "RevisionNotFound"}, ""},
		{"outside", "/resolve/main/%2e%2e/%2e%2e/HEAD", 404, map[string]string{"X-Error-Code": "EntryNotFound"}, ""},
	}
	for _, tt := range tests {
		for _, method := range []string{"GET", "HEAD"} {
			t.Run(tt.name+", "+method, func(t *testing.T) {
				a := ask(t, method, repo.URL()+tt.path, "", nil)
				if a.status != tt.status {
					t.Errorf("answered %d, want %d: %s", a.status, tt.status, a.body)
				}
				for name, want := range tt.header {
					if got := a.header.Get(name); got != want {
						t.Errorf("%s is %q, want %q", name, got, want)
					}
				}
				if tt.status == 200 && method == "GET" && string(a.body) != tt.body {
					t.Errorf("the body is %q, want %q", a.body, tt.body)
				}
				if tt.status == 302 {
					if got := ask(t, method, a.header.Get("Location"), "", nil); method == "GET" && !bytes.Equal(got.body, data) {
						t.Errorf("the link answered %d with %d bytes, want the object", got.status, len(got.body))
					}
				}
			})
		}
	}
}
