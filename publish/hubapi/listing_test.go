package hubapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/schemas/release"
)

// A listing whose pages go on for ever is given up when it has become too long.
func TestEndlessListing(t *testing.T) {
	pages := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pages++
		w.Header().Set("Link", fmt.Sprintf(`<%s?page=%d>; rel="next"`, r.URL.Path, pages))
		fmt.Fprintf(w, `[{"type":"file","path":"%d"}]`, pages)
	}))
	t.Cleanup(s.Close)
	endpoint, err := NewEndpoint(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	c := NewClient(endpoint, Token{}, Options{})
	c.maxListing = 1000
	_, err = c.Tree(t.Context(), Repo{Type: release.Dataset, ID: "acme/rows"}, "main")
	if err == nil || !strings.Contains(err.Error(), "the listing has no end") || pages > 100 {
		t.Errorf("%v after %d pages, want it given up", err, pages)
	}
}
