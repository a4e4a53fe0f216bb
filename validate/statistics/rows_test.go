package statistics

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// seen returns an observer of one split that has seen rows: JSON objects, or the cells of a CSV file as objects of strings.
func seen(t testing.TB, splits int, cells bool, lines ...string) *Observer {
	t.Helper()
	o := NewObserver(splits)
	observe(t, o, cells, lines...)
	return o
}

// observe shows rows to an observer.
func observe(t testing.TB, o *Observer, cells bool, lines ...string) {
	t.Helper()
	var doc tape.Tape
	for i, line := range lines {
		if problems := doc.Parse([]byte(line)); len(problems) > 0 {
			t.Fatalf("the test's own row %s: %+v", line, problems)
		}
		o.Observe(&rows.Row{Path: "train", Line: i + 1, Index: int64(i), Doc: &doc, Cells: cells})
	}
}

// asJSON writes a value without escaping HTML.
func asJSON(t testing.TB, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(b.Bytes()))
}

func scalar(dtype string) column.Type { return column.Type{Dtype: dtype} }

// one is the feature of a column called a.
func one(t column.Type) column.Features { return column.Features{{Name: "a", Type: t}} }

// values makes rows with a column a.
func values(texts ...string) []string {
	var out []string
	for _, text := range texts {
		out = append(out, `{"a": `+text+`}`)
	}
	return out
}
