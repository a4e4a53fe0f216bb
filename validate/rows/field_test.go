package rows

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/finding"
)

func TestField(t *testing.T) {
	big := strings.Repeat(`{"n": 1, "text": "some words"}, `, 300)
	tests := []struct {
		name, path, content string
		rows, found         []string
		field               string
		line                int
		unread              bool
	}{
		{name: "the rows stand in the middle", content: "{\"version\": 1,\n \"data\": [{\"a\": 1},\n  {\"a\": 2}],\n \"more\": [[1], {\"b\": []}]}\n",
			rows: []string{`2: {"a": 1}`, `3: {"a": 2}`}, field: "array", line: 2},
		{name: "a .jsonl file is one document too", path: "a.jsonl", content: `{"data": [{"a": 1}]}`, rows: []string{`1: {"a": 1}`}, field: "array", line: 1},
		{name: "an escaped key", content: `{"\u0064ata": [{}]}`, rows: []string{`1: {}`}, field: "array", line: 1},
		{name: "a long document around them", content: `{"before": [` + big + `{}], "data": [{"a": 1}], "after": [` + big + `{}]}`,
			rows: []string{`1: {"a": 1}`}, field: "array", line: 1},
		{name: "an empty list", content: `{"data": []}`, field: "array", line: 1},
		{name: "null is a table without rows", content: `{"data": null}`, field: "null", line: 1},
		{name: "no such key", content: "\n{\"rows\": []}", field: "missing", line: 2, unread: true},
		{name: "no object", content: `[{"data": []}]`, field: "missing", line: 1, unread: true},
		{name: "an object of columns", content: "{\n\"data\": {\"a\": [1]}}", field: "object", line: 2, unread: true},
		{name: "a text", content: `{"data": "x"}`, field: "string", line: 1, unread: true},
		{name: "a number", content: `{"data": -1}`, field: "number", line: 1, unread: true},
		{name: "a truth value", content: `{"data": false}`, field: "boolean", line: 1, unread: true},
		{name: "a text with a fault", content: "{\"data\": \"\xff\", \"a\": 1}", found: []string{`error json/utf8 x:1:11: a string holds bytes that are not UTF-8`},
			field: "string", line: 1, unread: true},
		{name: "an object with a fault", content: `{"data": {"a": 1, "a": 2}}`,
			found: []string{`error json/duplicate-key x:1:19 /a: key "a" stands more than once in one object`}, field: "object", line: 1, unread: true},
		{name: "nothing", content: "", field: "missing", line: 1, unread: true},
		{name: "rows that are no objects", content: `{"data": [1, {"a": 1}]}`, rows: []string{`1: {"a": 1}`},
			found: []string{`error json/row-not-object x:1: row is a number, expected an object`}, field: "array", line: 1},
		{name: "JSON Lines", content: "{\"data\": [{}]}\n{\"data\": [{}]}\n", rows: []string{`1: {}`},
			found: []string{`error json/syntax x:2:1: text behind the document under one of whose keys the rows should stand`}, field: "array", line: 1},
		{name: "the key twice", content: `{"data": [{}], "data": [{}]}`, rows: []string{`1: {}`},
			found: []string{`error json/duplicate-key x:1:24: duplicate key "data", under which the rows stand`}, field: "array", line: 1},
		{name: "a fault in what is read over", content: "{\"x\": [{},\n {\"a\" 1}], \"data\": [{}]}",
			found: []string{`error json/syntax x:2:7 /a: expected : after a key, found 1`}, unread: true},
		{name: "a key twice in what is read over", content: `{"x": {"a": 1, "a": 2}, "data": [{}]}`, rows: []string{`1: {}`},
			found: []string{`error json/duplicate-key x:1:16 /a: key "a" stands more than once in one object`}, field: "array", line: 1},
		{name: "a trailing comma", content: `{"data": [{}],}`, rows: []string{`1: {}`},
			found: []string{`error json/syntax x:1:15: expected a key of the object`}, field: "array", line: 1},
		{name: "no comma", content: `{"data": [{}] "b": 1}`, rows: []string{`1: {}`},
			found: []string{`error json/syntax x:1:15: expected a comma or } after a member of the object`}, field: "array", line: 1},
		{name: "a fault before the key", content: "{\"\xff\": 1, \"data\": [{}]}", found: []string{`error json/utf8 x:1:3: a string holds bytes that are not UTF-8`}, unread: true},
		{name: "no colon", content: `{"data" [{}]}`, found: []string{`error json/syntax x:1:9: expected a colon behind a key`}, unread: true},
		{name: "cut short in the rows", content: `{"data": [{"a": 1}, `, rows: []string{`1: {"a": 1}`},
			found: []string{`error json/syntax x:1:21: the file ends inside its array`}, field: "array", line: 1},
		{name: "cut short behind them", content: `{"data": [{"a": 1}]`, rows: []string{`1: {"a": 1}`},
			found: []string{`error json/syntax x:1:20: the file ends inside its object`}, field: "array", line: 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path, key := tt.path, "data"
			if path == "" {
				path = "x.json"
			}
			opt := Options{Field: &key}
			got := readContent(t, path, []byte(tt.content), opt)
			for i := range got.found {
				got.found[i] = strings.Replace(got.found[i], path, "x", 1)
			}
			if diff := cmp.Diff(tt.rows, got.rows); diff != "" {
				t.Errorf("rows (want -, got +):\n%s", diff)
			}
			if diff := cmp.Diff(tt.found, got.found); diff != "" {
				t.Errorf("findings (want -, got +):\n%s", diff)
			}
			if got.totals.Field != tt.field || got.totals.FieldLine != tt.line || got.totals.Unread != tt.unread || got.totals.Array {
				t.Errorf("field %q on line %d, unread %t, array %t; want %q, %d, %t and no array", got.totals.Field, got.totals.FieldLine, got.totals.Unread,
					got.totals.Array, tt.field, tt.line, tt.unread)
			}
			checkCuts(t, path, []byte(tt.content), opt)
		})
	}
}

// A field is one of JSON documents: rows of other formats stand where they always do.
func TestFieldOfATable(t *testing.T) {
	key := "data"
	got := readContent(t, "x.csv", []byte("data\n1\n"), Options{Field: &key})
	if len(got.rows) != 1 || got.totals.Field != "" {
		t.Errorf("rows %v and field %q, want the row of the table and no field", got.rows, got.totals.Field)
	}
}

func TestWrappedArrays(t *testing.T) {
	blanks := func(n int) string { return "[" + strings.Repeat(" ", n) }
	for _, tt := range []struct {
		name, content string
		want          bool
	}{
		{"the object begins at once", `[{"a": 1}]`, false},
		{"with the last byte that is looked at", blanks(98) + `{"a": 1}]`, false},
		{"with the first one that is not", blanks(99) + `{"a": 1}]`, true},
		{"far behind", blanks(3000) + `{"a": 1}, {"a": 2}]`, true},
		{"blanks before the bracket: that fails anyway", " " + blanks(120) + `{"a": 1}]`, false},
		{"a byte order mark does not count", "\xEF\xBB\xBF" + blanks(98) + `{"a": 1}]`, false},
		{"no rows", "[]", false},
		{"a text first", `["x", {"a": 1}]`, true},
		{"a number first", `[1, {"a": 1}]`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := readContent(t, "x.json", []byte(tt.content), Options{})
			if got.totals.Wrapped != tt.want {
				t.Errorf("wrapped is %t, want %t", got.totals.Wrapped, tt.want)
			}
			checkCuts(t, "x.json", []byte(tt.content), Options{})
		})
	}
}

func FuzzField(f *testing.F) {
	for _, s := range []string{`{"a": [{"x": 1}, {}], "b": [[{}]]}`, `{"b": {"c": 1}, "a": []}`, `{"a": {}}`, `[{"a": []}]`, `{"a": [1`, `{"a": [{}], "a": 1}`, "{}\n{}", `{"\u0061": [{}]}`, `{"a": "\ud800"}`} {
		f.Add([]byte(s))
	}
	key := "a"
	f.Fuzz(func(t *testing.T, content []byte) {
		var set finding.Set
		var rows []string
		src := Source{Path: "x.json", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }}
		totals, err := Read(context.Background(), src, Options{Field: &key}, &set, func(r *Row) error {
			rows = append(rows, string(r.Doc.Text))
			return nil
		})
		if err != nil {
			t.Fatalf("%q: error %v, want none: the content alone is at fault", content, err)
		}
		if totals.Bytes != int64(len(content)) || totals.SHA256 != hexSum(content) || totals.Rows != int64(len(rows)) {
			t.Errorf("%q: totals %+v, want all %d bytes and %d rows", content, totals, len(content), len(rows))
		}
		var document map[string]json.RawMessage
		var list []map[string]json.RawMessage
		if len(set.All()) > 0 || json.Unmarshal(bytes.TrimPrefix(content, utf8Mark), &document) != nil || json.Unmarshal(document[key], &list) != nil {
			return
		}
		if len(rows) != len(list) || slices.ContainsFunc(rows, func(row string) bool { return !json.Valid([]byte(row)) }) {
			t.Errorf("%q: rows %q, want the %d elements of the list", content, rows, len(list))
		}
	})
}
