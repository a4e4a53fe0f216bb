package hubapi_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/publish/hubapi"
)

func TestTrustedPublisher(t *testing.T) {
	const id = "id-token-0123456789"
	var hub *httptest.Server
	var sent map[string]string
	hub = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.RequestURI() == "/ci?audience="+url.QueryEscape(hub.URL)+"&x=1" && r.Header.Get("Authorization") == "Bearer request-token":
			fmt.Fprintf(w, `{"value":%q}`, id)
		case r.URL.Path == "/oauth/token" && r.Header.Get("Authorization") == "":
			sent = map[string]string{}
			json.NewDecoder(r.Body).Decode(&sent)
			if sent["resource"] != "datasets/acme/rows" {
				says(400, `{"error":"invalid_target","error_description":"no publisher for `+sent["subject_token"]+`"}`)(w, r)
				return
			}
			io.WriteString(w, `{"access_token":"hf_jwt_x","expires_in":3600}`)
		default:
			says(404, "")(w, r)
		}
	}))
	defer hub.Close()
	e, _ := hubapi.NewEndpoint(hub.URL)
	actions := map[string]string{
		"ACTIONS_ID_TOKEN_REQUEST_URL":   hub.URL + "/ci?x=1",
		"ACTIONS_ID_TOKEN_REQUEST_TOKEN": "request-token",
	}
	variable := map[string]string{"HF_OIDC_ID_TOKEN": id + "\n"}
	with := func(more map[string]string, resource string) func(string) string {
		env := map[string]string{"HF_OIDC_RESOURCE": resource}
		for k, v := range more {
			env[k] = v
		}
		return environment(env)
	}
	for name, env := range map[string]map[string]string{"id token in a variable": variable, "GitHub Actions": actions} {
		token, err := hubapi.TrustedPublisher(t.Context(), e, with(env, "datasets/acme/rows"), hubapi.Options{Retry: quick})
		if err != nil || bearer(token) != "hf_jwt_x" || token.Source() != "HF_OIDC_RESOURCE" {
			t.Errorf("%s: %q from %q (%v)", name, bearer(token), token.Source(), err)
		}
		if sent["subject_token"] != id || sent["grant_type"] != "urn:ietf:params:oauth:grant-type:token-exchange" {
			t.Errorf("%s: sent %v", name, sent)
		}
	}
	_, err := hubapi.TrustedPublisher(t.Context(), e, with(actions, "datasets/acme/other"), hubapi.Options{Retry: quick})
	if err == nil || !strings.Contains(err.Error(), "invalid_target no publisher for ***") ||
		!strings.Contains(err.Error(), "check the trusted publishers") {
		t.Errorf("a resource without publisher: %v", err)
	}
	for chain := err; chain != nil; chain = errors.Unwrap(chain) {
		if strings.Contains(fmt.Sprintf("%+v", chain), id) {
			t.Errorf("the id token is in %v", chain)
		}
	}
	_, err = hubapi.TrustedPublisher(t.Context(), e, with(nil, "x"), hubapi.Options{})
	if err == nil || !strings.Contains(err.Error(), "id-token: write") {
		t.Errorf("without id token: %v", err)
	}
}
