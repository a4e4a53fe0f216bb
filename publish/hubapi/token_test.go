package hubapi_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/publish/hubapi"
)

// secret does not look like a token of the Hub, so that nothing but its value can give it away.
const secret = "OnlyForThisTest-0123456789abcdefXY"

// environment is a getenv over a map.
func environment(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

// bearer is what a token sends.
func bearer(token hubapi.Token) string {
	r, _ := http.NewRequest("GET", "http://hub.invalid/", nil)
	token.Bearer(r)
	return strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
}

func TestFindToken(t *testing.T) {
	type (
		vars  = map[string]string
		files = map[string]string
	)
	const standard = ".cache/huggingface/token"
	tests := []struct {
		name string
		// HOME in a value is the home folder, below which the files lie.
		env          vars
		files        files
		want, source string
	}{
		{"HF_TOKEN before all others", vars{"HF_TOKEN": "a", "HUGGING_FACE_HUB_TOKEN": "b", "HF_TOKEN_PATH": "HOME/t"},
			files{"t": "c", standard: "d"}, "a", "HF_TOKEN"},
		{"the older variable", vars{"HUGGING_FACE_HUB_TOKEN": "b"}, files{standard: "d"}, "b", "HUGGING_FACE_HUB_TOKEN"},
		{"an empty HF_TOKEN is none", vars{"HF_TOKEN": " \r\n", "HUGGING_FACE_HUB_TOKEN": "b"}, nil, "b", "HUGGING_FACE_HUB_TOKEN"},
		{"line ends and blanks are cut", vars{"HF_TOKEN": " a\r\n"}, nil, "a", "HF_TOKEN"},
		{"HF_TOKEN_PATH", vars{"HF_TOKEN_PATH": "HOME/t", "HF_HOME": "HOME/hf"}, files{"t": "c\n", "hf/token": "d"}, "c", "~/t"},
		{"HF_TOKEN_PATH with ~ and a variable", vars{"HF_TOKEN_PATH": "~/$WHERE/t", "WHERE": "x"}, files{"x/t": "c"}, "c", "~/x/t"},
		{"HF_HOME", vars{"HF_HOME": "~/hf", "XDG_CACHE_HOME": "HOME/xdg"},
			files{"hf/token": "d", "xdg/huggingface/token": "e"}, "d", "~/hf/token"},
		{"XDG_CACHE_HOME", vars{"XDG_CACHE_HOME": "HOME/xdg"},
			files{"xdg/huggingface/token": "e", standard: "f"}, "e", "~/xdg/huggingface/token"},
		{"the default", nil, files{standard: "f\r\n"}, "f", "~/" + standard},
		{"a variable that is not set stays", vars{"HF_HOME": "~/$NOPE"}, files{"$NOPE/token": "g"}, "g", "~/$NOPE/token"},
		{"stored_tokens are not read", nil, files{".cache/huggingface/stored_tokens": "[x]\nhf_token = h\n"},
			"", "HF_TOKEN and ~/" + standard},
		{"an empty file", nil, files{standard: "\n"}, "", "HF_TOKEN and ~/" + standard},
		{"not implicitly", vars{"HF_TOKEN": "a", "HF_HUB_DISABLE_IMPLICIT_TOKEN": "yes"}, nil,
			"", "nowhere, since HF_HUB_DISABLE_IMPLICIT_TOKEN is set"},
		{"implicitly after all", vars{"HF_TOKEN": "a", "HF_HUB_DISABLE_IMPLICIT_TOKEN": "0"}, nil, "a", "HF_TOKEN"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			for name, text := range tt.files {
				put(t, filepath.Join(home, name), text)
			}
			env := map[string]string{}
			for name, value := range tt.env {
				env[name] = strings.ReplaceAll(value, "HOME", home)
			}
			got, err := hubapi.FindToken(environment(env), home)
			if err != nil {
				t.Fatal(err)
			}
			if bearer(got) != tt.want || got.Present() != (tt.want != "") || got.Source() != tt.source {
				t.Errorf("found %q in %q, want %q in %q", bearer(got), got.Source(), tt.want, tt.source)
			}
		})
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFindTokenErrors(t *testing.T) {
	home := t.TempDir()
	put(t, filepath.Join(home, "long"), strings.Repeat("x", 20<<10))
	tests := []struct {
		name string
		env  map[string]string
		want string
	}{
		{"blanks inside", map[string]string{"HF_TOKEN": "hf_secret part"}, "token from HF_TOKEN: it holds what no token holds"},
		{"a control character", map[string]string{"HF_TOKEN": "hf_secret\x00"}, "token from HF_TOKEN: it holds"},
		{"not ASCII", map[string]string{"HF_TOKEN": "hf_secrét"}, "token from HF_TOKEN: it holds"},
		{"a folder", map[string]string{"HF_TOKEN_PATH": home}, "token from " + home + ": is a directory"},
		{"a file that is too long", map[string]string{"HF_TOKEN_PATH": "~/long"}, "token from ~/long: the file is too long"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := hubapi.FindToken(environment(tt.env), home)
			var bad *hubapi.TokenError
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want a TokenError with %q", err, tt.want)
			}
			if strings.Contains(fmt.Sprint(err), "secr") {
				t.Errorf("the error holds the token: %v", err)
			}
		})
	}
	publisher := environment(map[string]string{"HF_OIDC_RESOURCE": "acme/rows", "HF_TOKEN": "a"})
	if _, err := hubapi.FindToken(publisher, home); !errors.Is(err, hubapi.ErrTrustedPublisher) {
		t.Errorf("with HF_OIDC_RESOURCE: %v, want ErrTrustedPublisher", err)
	}
}

func TestTokenIsSent(t *testing.T) {
	r, _ := http.NewRequest("GET", "http://hub.invalid/", nil)
	hubapi.NewToken(secret, "test").Basic(r, "")
	if user, password, ok := r.BasicAuth(); !ok || user != "hf_user" || password != secret {
		t.Errorf("Basic sent user %q, want hf_user, and the token as password", user)
	}
	hubapi.NewToken(secret, "test").Basic(r, "ada")
	if user, _, _ := r.BasicAuth(); user != "ada" {
		t.Errorf("Basic sent user %q, want ada", user)
	}
	r, _ = http.NewRequest("GET", "http://hub.invalid/", nil)
	hubapi.Token{}.Basic(r, "ada")
	hubapi.Token{}.Bearer(r)
	if len(r.Header) != 0 {
		t.Errorf("no token sent %v", r.Header)
	}
}

// TestTokenIsNeverShown prints a token in every way people print by mistake, also inside of other values.
func TestTokenIsNeverShown(t *testing.T) {
	token := hubapi.NewToken(secret, "HF_TOKEN")
	type holder struct {
		Public hubapi.Token
		hidden hubapi.Token
		list   []hubapi.Token
		ptr    *hubapi.Token
	}
	values := []any{token, &token, holder{token, token, []hubapi.Token{token}, &token}, map[string]hubapi.Token{"t": token},
		hubapi.NewClient(hubapi.Endpoint{}, token, hubapi.Options{})}
	for _, v := range values {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%p", "%T"} {
			if out := fmt.Sprintf(verb, v); strings.Contains(out, secret) || strings.Contains(out, fmt.Sprintf("%x", secret)) {
				t.Errorf("%s of %T shows the token: %s", verb, v, out)
			}
		}
	}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "token", token, "holder", holder{Public: token})
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "token", token, "holder", holder{hidden: token})
	data, err := json.Marshal(map[string]any{"token": token, "holder": holder{Public: token}})
	text, yamlErr := yaml.Marshal(map[string]any{"token": token})
	if err != nil || yamlErr != nil {
		t.Fatal(err, yamlErr)
	}
	for _, out := range []string{log.String(), string(data), string(text), fmt.Errorf("x: %w", fmt.Errorf("%v", token)).Error()} {
		if strings.Contains(out, secret) || !strings.Contains(out, "***") {
			t.Errorf("want *** for the token, got %s", out)
		}
	}
	if out := fmt.Sprintf("%v|%#v", hubapi.Token{}, token); out != "|***" {
		t.Errorf("printed %q, want %q", out, "|***")
	}
	if got := token.Redact("a " + secret + " b"); got != "a *** b" {
		t.Errorf("Redact gave %q", got)
	}
}

// FuzzFindToken: whatever stands in the variables and the file, what is found can be sent and is not in the error.
func FuzzFindToken(f *testing.F) {
	f.Add("hf_abc", "hf_def", "~/x")
	f.Add(" \r\n", "a b", "$HOME/${x")
	f.Add("", "\x00", "~")
	f.Fuzz(func(t *testing.T, variable, file, path string) {
		home := t.TempDir()
		put(t, filepath.Join(home, ".cache/huggingface/token"), file)
		for _, env := range []map[string]string{{"HF_TOKEN": variable}, {"HF_HOME": path}} {
			token, err := hubapi.FindToken(environment(env), home)
			if err != nil {
				continue
			}
			if sent := bearer(token); strings.ContainsAny(sent, " \r\n\x00") || (sent == "") == token.Present() {
				t.Errorf("%q and %q gave %q", variable, file, sent)
			}
		}
	})
}
