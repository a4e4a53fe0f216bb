package familytest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
)

// HoldAnyForm puts values of every kind in every place of a row, one at a time, and checks that such rows can be validated: what
// is wrong with them is found, and nothing fails.
func HoldAnyForm(t *testing.T, artifact, row string) {
	t.Helper()
	var root any
	if err := json.Unmarshal([]byte(row), &root); err != nil {
		t.Fatal(err)
	}
	var out []byte
	write := func() {
		text, err := json.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, text...), '\n')
	}
	write()
	inEveryPlace(root, write)
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := os.WriteFile(path, out, 0o644); err != nil {
		t.Fatal(err)
	}
	rel, err := validate.Loose([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	rel.Repos[0].Configs[0].Splits[0] = release.Split{Name: "rows", Files: []string{filepath.ToSlash(path)}, Artifact: artifact}
	if _, err := validate.Run(t.Context(), rel, nil, validate.Options{MaxPlaces: 3}); err != nil {
		t.Errorf("%s: %v", artifact, err)
	}
}

// inEveryPlace calls fn with each value inside a value replaced by one of every kind. Of arrays the first two elements count.
func inEveryPlace(v any, fn func()) {
	each := func(get func() any, set func(any)) {
		old := get()
		for _, other := range []any{nil, true, 7, -1.5, "x", "", []any{"x", 1}, map[string]any{"x": 1}} {
			set(other)
			fn()
		}
		set(old)
		inEveryPlace(old, fn)
	}
	switch v := v.(type) {
	case map[string]any:
		for key := range v {
			each(func() any { return v[key] }, func(other any) { v[key] = other })
		}
	case []any:
		for i := range v[:min(len(v), 2)] {
			each(func() any { return v[i] }, func(other any) { v[i] = other })
		}
	}
}
