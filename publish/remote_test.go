package publish

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/finding"
)

func TestParseRemote(t *testing.T) {
	const secret = "hf_ExampleOnlyNotARealToken"
	for _, c := range []struct {
		name, raw               string
		url, shown, user, basic string
	}{
		{"no credentials", "https://huggingface.co/datasets/acme/tea-notes", "https://huggingface.co/datasets/acme/tea-notes",
			"https://huggingface.co/datasets/acme/tea-notes", "", ""},
		{"a user and a token", "https://release-bot:" + secret + "@huggingface.co/datasets/acme/tea-notes",
			"https://huggingface.co/datasets/acme/tea-notes", "https://release-bot:***@huggingface.co/datasets/acme/tea-notes", "release-bot",
			"release-bot:" + secret},
		{"a port", "http://bot:" + secret + "@127.0.0.1:8080/x.git", "http://127.0.0.1:8080/x.git",
			"http://bot:***@127.0.0.1:8080/x.git", "bot", "bot:" + secret},
		{"a token as user", "https://" + secret + "@huggingface.co/acme/m", "https://huggingface.co/acme/m",
			"https://***@huggingface.co/acme/m", "",
			"hf_user:" + secret},
		{"a token as user, with a password", "https://" + secret + ":x-oauth-basic@host.example/acme/m",
			"https://host.example/acme/m",
			"https://***:***@host.example/acme/m", "", "hf_user:" + secret},
		{"a token of another kind as user", "https://ghp_" + strings.Repeat("a", 36) + "@host.example/m",
			"https://host.example/m", "https://***@host.example/m",
			"", "hf_user:ghp_" + strings.Repeat("a", 36)},
		{"a token of unknown kind as user", "https://0123456789abcdef0123456789abcdef01234567@host.example/m",
			"https://host.example/m",
			"https://***@host.example/m", "", "hf_user:0123456789abcdef0123456789abcdef01234567"},
		{"a token without user", "https://:" + secret + "@host.example/m", "https://host.example/m",
			"https://:***@host.example/m", "", "hf_user:" + secret},
		{"a user alone", "https://alice@host.example/m", "https://host.example/m", "https://alice@host.example/m", "alice", ""},
		{"a password that is written in percents", "https://bot:hf%5Fsecret%40x@host.example/m", "https://host.example/m",
			"https://bot:***@host.example/m",
			"bot", "bot:hf_secret@x"},
		{"blanks around", " https://host.example/m\n", "https://host.example/m", "https://host.example/m", "", ""},
	} {
		r, err := ParseRemote(c.raw)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if r.URL != c.url || r.Shown != c.shown || r.User != c.user || r.HasToken() != (c.basic != "") {
			t.Errorf("%s: %s, shown as %s, user %q, token %v; want %s, %s, %q", c.name, r.URL, r.Shown, r.User, r.HasToken(),
				c.url, c.shown, c.user)
		}
		q, _ := http.NewRequest(http.MethodGet, "http://x", nil)
		r.Token.Basic(q, r.User)
		user, password, _ := q.BasicAuth()
		if got := strings.Trim(user+":"+password, ":"); got != c.basic {
			t.Errorf("%s: sent as %q, want %q", c.name, got, c.basic)
		}
		if text := fmt.Sprintf("%v %+v %#v %s", r, r, r, r.Finding().Message); strings.Contains(text, "hf_E") ||
			strings.Contains(text, secret) {
			t.Errorf("%s: the token shows in %s", c.name, text)
		}
	}
}

func TestParseRemoteRefuses(t *testing.T) {
	for raw, why := range map[string]string{
		"":                                      "only addresses",
		"git@hf.co:acme/rows":                   "cannot be read",
		"ssh://git@hf.co/a/b":                   "only addresses",
		"ssh://bot:hf_sssssssss@":               "only addresses",
		"/srv/rows.git":                         "only addresses",
		"https://":                              "names no host",
		"https://bot:hf_sssssssss@host.example": "names no repository",
		"https://host.example/m?token=hf_sssssssss":    "no query",
		"https://host.example/m#hf_sssssssss":          "no query",
		"https://bot:hf_sssssssss%zz@host.example/m":   "cannot be read",
		"https://bot:hf_sss/sssssss@host.example/m":    "cannot be read",
		"bot:hf_sssssssss@host.example:acme/rows":      "only addresses",
		"https://host.example/\x00hf_sssssssss@ho/m":   "cannot be read",
		"https://bot:hf_sssssssss@host.example/m?x=@y": "no query",
	} {
		_, err := ParseRemote(raw)
		var bad *RemoteError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), why) || strings.Contains(err.Error(), "sss") {
			t.Errorf("%q: %v, want %q without the secret", raw, err, why)
		}
	}
}

func TestTokenInURLIsAWarning(t *testing.T) {
	r, err := ParseRemote("https://release-bot:hf_ExampleOnly@huggingface.co/datasets/acme/tea-notes")
	if err != nil {
		t.Fatal(err)
	}
	f := r.Finding()
	if f.Code != finding.PublishTokenInURL || f.Severity != finding.Warning ||
		!strings.Contains(f.Message, "https://release-bot:***@huggingface.co") {
		t.Errorf("%+v, want a warning that shows the masked address", f)
	}
	two := r.TwoTokens("HF_TOKEN").Error()
	if !strings.Contains(two, "another one in HF_TOKEN") || !strings.Contains(two, "release-bot:***@") ||
		strings.Contains(two, "hf_E") {
		t.Errorf("%q, want both places named and no token", two)
	}
}

// FuzzParseRemote: whatever stands as a password, or as a user that looks like a token, is never shown.
func FuzzParseRemote(f *testing.F) {
	f.Add("https://", "bot", "hf_secretsecret", "host.example/m")
	f.Add("https://", "", "a/b@c", "host.example/m")
	f.Add("", "git", "p#q?r", "host:m")
	f.Add("https://", "a%zz", "x", "h/m#y@z")
	f.Fuzz(func(t *testing.T, scheme, user, password, rest string) {
		const secret = "hf_THESECRETTHESECRET"
		for _, raw := range []string{
			scheme + user + ":" + password + secret + "@" + rest,
			"https://" + secret + "@" + rest,
			scheme + rest + "?" + secret,
		} {
			r, err := ParseRemote(raw)
			shown := r.URL + r.Shown + r.User + fmt.Sprint(r.Token)
			if err != nil {
				shown = err.Error()
			}
			if strings.Contains(shown, "THESECRET") {
				t.Errorf("ParseRemote(%q) shows %q", raw, shown)
			}
		}
	})
}
