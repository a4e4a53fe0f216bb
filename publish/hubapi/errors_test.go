package hubapi_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/publish/hubapi"
)

// TestErrors turns answers of the Hub into advice.
func TestErrors(t *testing.T) {
	tests := []struct {
		name   string
		answer http.HandlerFunc
		code   string
		want   []string
	}{
		{"gated", says(403, `{"error":"Access is restricted"}`, "X-Error-Code", "GatedRepo", "X-Request-Id", "r-1"), "GatedRepo",
			[]string{"403", "restricted", "[request r-1]", "request access"}},
		{"disabled", says(403, "", "X-Error-Message", "Access to this resource is disabled."), "",
			[]string{"write to the Hub's support"}},
		{"storage", says(403, `{"error":"Private repository storage limit reached"}`), "", []string{"free space"}},
		{"token policy", says(403, `{"error":"this organization only accepts fine-grained tokens"}`), "", []string{"ask an admin"}},
		{"pull request", says(403, `{"error":"Forbidden: pass create_pr=1"}`), "", []string{"ask someone with write access", "hfpub push --pr"}},
		{"rights", says(403, `{"error":"Forbidden"}`), "", []string{"the token from HF_TOKEN may not do this", "the write role",
			"write access to the contents of this repo", "open discussions"}},
		{"single sign-on", says(401, `{"error":"This organization requires SSO"}`), "", []string{"sign in to the organization"}},
		{"no path", says(404, "", "X-Error-Code", "EntryNotFound"), "EntryNotFound", []string{"the path does not exist"}},
		{"there already", says(409, `{"error":"being moved"}`), "", []string{"being moved", "there already"}},
		{"too large", says(413, ""), "", []string{"make README.md shorter"}},
		{"payment", says(402, `{"error":"plan"}`), "", []string{"402 Payment Required: plan", "paid plan"}},
		{"not there", says(404, `{"error":"Repository not found"}`, "X-Error-Code", "RepoNotFound"), "RepoNotFound",
			[]string{"check the id and the type (data sets have /datasets/ in their address): dataset acme/rows", "hfpub push --first"}},
		{"invalid token", says(401, `{"error":"Invalid credentials in Authorization header"}`), "",
			[]string{"the token from HF_TOKEN is wrong", "hf auth whoami"}},
		{"trouble", says(502, "<html><body>oops</body></html>", "X-Amz-Cf-Id", "cf-9"), "",
			[]string{"502 Bad Gateway [request cf-9]", "run the command again later"}},
		{"too many", says(429, `{"error":["You hit the quota","of 5"]}`), "", []string{"You hit the quota of 5", "wait until"}},
		{"teapot", says(418, `{"errors":[{"message":"short and stout"}]}`), "", []string{"418", "short and stout"}},
		{"the token comes back", says(400, `{"error":"bad header Bearer `+secret+`"}`, "X-Request-Id", "id-"+secret), "",
			[]string{"bad header Bearer ***", "[request id-***]"}},
		{"terminal escapes", says(400, "\x1b[31mred\x1b[0m\nline"), "", []string{"red line"}},
		{"no Hub at all", says(200, `[]`), "", []string{"check that HF_ENDPOINT is a Hub"}},
		{"no commit id", says(200, `{"sha":"main"}`), "", []string{"check that HF_ENDPOINT is a Hub"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			hub := scripted(t, tt.answer)
			_, err := quickly(t, hub.URL).RepoInfo(t.Context(), rows, "")
			var e *hubapi.Error
			if !errors.As(err, &e) || e.Code != tt.code || e.Op != "look at dataset acme/rows" {
				t.Fatalf("%v, want an Error of code %q", err, tt.code)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
			for chain := err; chain != nil; chain = errors.Unwrap(chain) {
				text := fmt.Sprintf("%v %+v", chain, chain)
				if strings.Contains(text, secret) || strings.ContainsAny(text, "\x1b\n") {
					t.Errorf("an error shows what it must not: %q", text)
				}
			}
		})
	}
}
