package hubtest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/schemas/release"
)

func start(t *testing.T, opts hubtest.Options) *hubtest.Hub {
	t.Helper()
	hub, err := hubtest.Start(t.TempDir(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := hub.Close(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			for _, line := range hub.Log() {
				t.Log(line)
			}
		}
		for _, leak := range hub.Leaks() {
			t.Error("leak: ", leak)
		}
	})
	return hub
}

func createRepo(t *testing.T, hub *hubtest.Hub, kind release.Type, id string) *hubtest.Repo {
	t.Helper()
	repo, err := hub.CreateRepo(kind, id)
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

func noise(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{7}).Read(b)
	return b
}

// answer is what came back for one request; redirects are not followed.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// json reads a path such as "objects.0.actions.upload.href" out of the body; nil when there is no such value.
func (a answer) json(path string) any {
	var v any
	if json.Unmarshal(a.body, &v) != nil {
		return nil
	}
	for _, key := range strings.Split(path, ".") {
		switch c := v.(type) {
		case map[string]any:
			v = c[key]
		case []any:
			var i int
			if fmt.Sscan(key, &i); i >= len(c) {
				return nil
			}
			v = c[i]
		default:
			return nil
		}
	}
	return v
}

func (a answer) text(path string) string {
	s, _ := a.json(path).(string)
	return s
}

// ask sends one request. The body may be nil, bytes, a string, a reader of unknown length, or a value to send as JSON.
func ask(t *testing.T, method, url, token string, body any, header ...string) answer {
	t.Helper()
	a, err := try(t, method, url, token, body, header...)
	if err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	return a
}

func try(t *testing.T, method, url, token string, body any, header ...string) (answer, error) {
	t.Helper()
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case []byte:
		reader = bytes.NewReader(b)
	case string:
		reader = strings.NewReader(b)
	case io.Reader:
		reader = b
	default:
		data, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		reader = bytes.NewReader(data)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, url, reader)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	c := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := c.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header, data}, err
}
