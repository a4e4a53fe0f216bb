package hubapi_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/schemas/release"
)

func TestCreateRepo(t *testing.T) {
	hub := startHub(t, hubtest.Options{User: "ada", Orgs: []string{"acme"}})
	c := client(t, hub, hubtest.Write)
	for i, existed := range []bool{false, true} {
		got, err := c.CreateRepo(t.Context(), rows, hubapi.Private)
		if want := (hubapi.Created{URL: hub.URL() + "/datasets/acme/rows", Existed: existed}); err != nil || got != want {
			t.Errorf("call %d: %+v (%v), want %+v", i, got, err, want)
		}
	}
	if info, err := c.RepoInfo(t.Context(), rows, ""); err != nil || !info.Private {
		t.Errorf("the new repo is %+v (%v), want it private", info, err)
	}
	mine := hubapi.Repo{Type: release.Model, ID: "ada/lora"}
	if got, err := c.CreateRepo(t.Context(), mine, ""); err != nil || got.URL != hub.URL()+"/ada/lora" {
		t.Errorf("in the own namespace: %+v (%v)", got, err)
	}
	if info, err := c.RepoInfo(t.Context(), mine, ""); err != nil || info.Private {
		t.Errorf("the visibility that the Hub chose is %+v (%v), want public", info, err)
	}

	if _, err := hub.CreateRepo(release.Dataset, "globex/there"); err != nil {
		t.Fatal(err)
	}
	there := hubapi.Repo{Type: release.Dataset, ID: "globex/there"}
	want := hubapi.Created{URL: hub.URL() + "/datasets/globex/there", Existed: true}
	if got, err := c.CreateRepo(t.Context(), there, hubapi.Public); err != nil || got != want {
		t.Errorf("a repo that is there and may not be created: %+v (%v), want it found", got, err)
	}
	_, err := c.CreateRepo(t.Context(), hubapi.Repo{Type: release.Dataset, ID: "globex/none"}, hubapi.Public)
	var e *hubapi.Error
	if !errors.As(err, &e) || e.Status != 403 || !strings.Contains(err.Error(), "rights to create") ||
		!strings.Contains(e.Advice, "write role") {
		t.Errorf("a repo that may not be created: %v", err)
	}
}

func TestCreateRepoConflicts(t *testing.T) {
	busy := says(409, `{"error":"another conflicting operation is in progress"}`)
	const there, own = "URL/datasets/acme/rows", "URL/datasets/Acme/Rows"
	type answers = []http.HandlerFunc
	tests := []struct {
		name    string
		answers answers
		want    hubapi.Created
		bad     string
		asked   int32
	}{
		{"exists, with its URL", answers{says(409, `{"error":"You already created this dataset repo","url":"`+own+`?x=1"}`)},
			hubapi.Created{URL: own, Existed: true}, "", 1},
		{"exists, without URL", answers{says(409, `{"error":"a repo of this name exists"}`)},
			hubapi.Created{URL: there, Existed: true}, "", 1},
		{"exists, with another host's URL", answers{says(409, `{"url":"https://evil.invalid/datasets/acme/rows"}`)},
			hubapi.Created{URL: there, Existed: true}, "", 1},
		{"exists, in text", answers{says(409, `Conflict`)}, hubapi.Created{URL: there, Existed: true}, "", 1},
		{"the Hub's own name in the URL", answers{says(200, `{"url":"https://huggingface.co/datasets/Acme/Rows"}`)},
			hubapi.Created{URL: own}, "", 1},
		{"busy, then created", answers{busy, busy, says(200, `{"url":"`+there+`"}`)}, hubapi.Created{URL: there}, "", 3},
		{"busy for ever", answers{busy}, hubapi.Created{}, "the Hub is busy with another request of yours", 3},
		{"trouble, then created", answers{says(503, ""), says(200, `{"url":"`+there+`"}`)}, hubapi.Created{URL: there}, "", 2},
		{"no right to create, and it is there", answers{says(403, ""), says(200, `{"id":"acme/rows","sha":"`+strings.Repeat("0a", 20)+`"}`)}, hubapi.Created{URL: there, Existed: true}, "", 2},
		{"a token of a CI job, and it is there", answers{says(401, ""), says(200, `{"id":"acme/rows","sha":"`+strings.Repeat("0a", 20)+`"}`)}, hubapi.Created{URL: there, Existed: true}, "", 2},
		{"no plan that pays for more, and it is there", answers{says(402, ""), says(200, `{"id":"acme/rows","sha":"`+strings.Repeat("0a", 20)+`"}`)}, hubapi.Created{URL: there, Existed: true}, "", 2},
		{"no plan that pays for more", answers{says(402, ""), says(404, "")}, hubapi.Created{}, "402", 2},
		{"a bad request is no question whether it is there", answers{says(400, `{"error":"no such region"}`)}, hubapi.Created{}, "no such region", 1},
		{"no JSON", answers{says(200, `<html>sign in</html>`)}, hubapi.Created{}, "check that HF_ENDPOINT is a Hub", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var hub *script
			for i, answer := range tt.answers {
				tt.answers[i] = func(w http.ResponseWriter, r *http.Request) {
					rec := httptest.NewRecorder()
					answer(rec, r)
					w.WriteHeader(rec.Code)
					io.WriteString(w, strings.ReplaceAll(rec.Body.String(), "URL", hub.URL))
				}
			}
			hub = scripted(t, tt.answers...)
			got, err := quickly(t, hub.URL).CreateRepo(t.Context(), rows, hubapi.Public)
			tt.want.URL = strings.Replace(tt.want.URL, "URL", hub.URL, 1)
			if got != tt.want || (err == nil) != (tt.bad == "") || err != nil && !strings.Contains(err.Error(), tt.bad) {
				t.Errorf("%+v (%v), want %+v (%s)", got, err, tt.want, tt.bad)
			}
			if n := hub.asked.Load(); n != tt.asked {
				t.Errorf("the Hub was asked %d times, want %d", n, tt.asked)
			}
		})
	}
}
