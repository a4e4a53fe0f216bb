package rows

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/hfpub/hfpub/validate/finding"
)

// seen is what reading a file gave, in a form that is easy to compare.
type seen struct {
	rows   []string // line: row
	found  []string // severity code line:column pointer message ×count
	totals Totals
}

func open(content []byte) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return inMemory{bytes.NewReader(content)}, nil }
}

func readContent(t testing.TB, name string, content []byte, opt Options) seen {
	t.Helper()
	return readSource(t, Source{Path: name, Open: open(content)}, opt)
}

func readSource(t testing.TB, src Source, opt Options) seen {
	t.Helper()
	var out seen
	var found finding.Set
	totals, err := Read(context.Background(), src, opt, &found, func(r *Row) error {
		if r.Index < int64(len(out.rows)) {
			t.Errorf("row %s has index %d, want at least %d: so many were shown before", r.Doc.Text, r.Index, len(out.rows))
		}
		if r.Path != src.Path {
			t.Errorf("row has path %q, want %q", r.Path, src.Path)
		}
		out.rows = append(out.rows, fmt.Sprintf("%d: %s", r.Line, r.Doc.Text))
		return nil
	})
	if err != nil {
		t.Fatalf("read %s: %v", src.Path, err)
	}
	if totals.Rows != int64(len(out.rows)) {
		t.Errorf("%s: %d rows counted, %d shown", src.Path, totals.Rows, len(out.rows))
	}
	for _, f := range found.All() {
		out.found = append(out.found, line(f))
	}
	out.totals = totals
	return out
}

func line(f finding.Finding) string {
	s := fmt.Sprintf("%s %s %s: %s", f.Severity, f.Code, f.Where(), f.Message)
	if f.Count > 1 {
		s += fmt.Sprintf(" ×%d", f.Count)
	}
	return s
}

type readTest struct {
	name, path, content string
	any                 bool
	rows, found         []string
	unread              bool
}

func check(t *testing.T, tests []readTest) {
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := readContent(t, tt.path, []byte(tt.content), Options{AnyValue: tt.any})
			if diff := cmp.Diff(tt.rows, got.rows); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.found, got.found); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if got.totals.Unread != tt.unread {
				t.Errorf("Unread = %v, want %v", got.totals.Unread, tt.unread)
			}
			if want := hexSum([]byte(tt.content)); got.totals.SHA256 != want || got.totals.Bytes != int64(len(tt.content)) {
				t.Errorf("measured %d bytes with sha256 %s, want %d and %s: all of the file, whatever it holds",
					got.totals.Bytes, got.totals.SHA256, len(tt.content), want)
			}
			small := readSource(t, Source{Path: tt.path, Open: func() (io.ReadCloser, error) {
				return io.NopCloser(iotest.OneByteReader(strings.NewReader(tt.content))), nil
			}}, Options{AnyValue: tt.any})
			if diff := cmp.Diff(got, small, cmp.AllowUnexported(seen{})); diff != "" {
				t.Errorf("read byte by byte, the file gives something else (-whole +bytes):\n%s", diff)
			}
		})
	}
}

func hexSum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func TestJSONLines(t *testing.T) {
	const p = "data/train.jsonl"
	check(t, []readTest{
		{name: "rows", path: p, content: "{\"a\":1}\n{\"a\":2}\n", rows: []string{`1: {"a":1}`, `2: {"a":2}`}},
		{name: "no line feed at the end", path: p, content: "{\"a\":1}\n{\"a\":2}", rows: []string{`1: {"a":1}`, `2: {"a":2}`}},
		{name: "empty file", path: p},
		{name: "blanks within a line", path: p, content: " \t{ \"a\" : 1 } \n", rows: []string{"1:  \t{ \"a\" : 1 } "}},
		{name: "byte order mark", path: p, content: "\xEF\xBB\xBF{\"id\": 1}\n{\"id\" 2}\n",
			rows: []string{`1: {"id": 1}`},
			found: []string{
				"error json/syntax data/train.jsonl:2:7 /id: expected : after a key, found 2",
				"warning json/bom data/train.jsonl:1:1: the file starts with a byte order mark"}},
		{name: "the column does not count the mark", path: p, content: "\xEF\xBB\xBF[,\n", unread: true,
			found: []string{
				"error json/syntax data/train.jsonl:1:2 /0: a value is missing before ,",
				"warning json/bom data/train.jsonl:1:1: the file starts with a byte order mark"}},
		{name: "CR LF", path: p, content: "{\"t\": \"one\"}\r\n{\"t\": \"two\"}\n{\"t\": \"three\"}\r\n",
			rows:  []string{`1: {"t": "one"}`, `2: {"t": "two"}`, `3: {"t": "three"}`},
			found: []string{"warning json/crlf data/train.jsonl:1: 2 lines end with CR LF"}},
		{name: "blank lines", path: p, content: "{\"id\": 1}\n\n \t\n{\"id\": 2}\n\r\n",
			rows: []string{`1: {"id": 1}`, `4: {"id": 2}`},
			found: []string{
				"warning json/blank-line data/train.jsonl:2: blank line ×3",
				"warning json/crlf data/train.jsonl:5: 1 line ends with CR LF"}},
		{name: "trailing comma, physical line and column", path: p, content: "{\"id\": 1}\n\n{\"id\": 2,}\n{\"id\": 3}\n",
			rows: []string{`1: {"id": 1}`, `4: {"id": 3}`},
			found: []string{
				"error json/syntax data/train.jsonl:3:9 /id: trailing comma before }",
				"warning json/blank-line data/train.jsonl:2: blank line"}},
		{name: "columns count characters", path: p, content: "{\"café 😀\": 01}\n", unread: true,
			found: []string{"error json/syntax data/train.jsonl:1:12 /café 😀: a number with a leading zero"}},
		{name: "duplicate keys", path: p, content: "{\"id\": 1}\n{\"id\": 2, \"label\": \"z\", \"label\": \"b\"}\n{\"meta\": {\"k\": 1, \"\\u006b\": 2}}\n",
			rows: []string{`1: {"id": 1}`},
			found: []string{
				`error json/duplicate-key data/train.jsonl:2:25 /label: key "label" stands more than once in one object`,
				`error json/duplicate-key data/train.jsonl:3:19 /meta/k: key "k" stands more than once in one object`}},
		{name: "rows that are no objects", path: p, content: "[{\"a\": 1}]\n[2]\n\"x\"\n3\nnull\ntrue\n", unread: true,
			found: []string{
				"error json/row-not-object data/train.jsonl:1: row is an array, expected an object ×2",
				"error json/row-not-object data/train.jsonl:3: row is a string, expected an object",
				"error json/row-not-object data/train.jsonl:4: row is a number, expected an object",
				"error json/row-not-object data/train.jsonl:5: row is null, expected an object",
				"error json/row-not-object data/train.jsonl:6: row is a boolean, expected an object"}},
		{name: "rows may be any value", path: p, any: true, content: "[1]\n\"x\"\n3\nnull\n", rows: []string{"1: [1]", `2: "x"`, "3: 3", "4: null"}},
		{name: "only LF ends a row", path: p, content: "{\"t\": \"a\u2028b\u0085c\"}\n{\"t\": \"x\\r\\ny\"}\n",
			rows: []string{"1: {\"t\": \"a\u2028b\u0085c\"}", `2: {"t": "x\r\ny"}`}},
		{name: "two objects on a line", path: p, content: "{\"a\":1} {\"a\":2}\n{\"a\":3}\n", rows: []string{`2: {"a":3}`},
			found: []string{"error json/several-values data/train.jsonl:1:9: more than one value on a line"}},
		{name: "pretty-printed over lines", path: p, content: "{\n  \"a\": 1\n}\n", unread: true,
			found: []string{
				"error json/syntax data/train.jsonl:1:2: the text ends inside an object",
				`error json/syntax data/train.jsonl:2:6: text behind the value: :`,
				"error json/syntax data/train.jsonl:3:1: a value is missing before }"}},
		{name: "cut short", path: p, content: "{\"a\":1}\n{\"a\":\"x", rows: []string{`1: {"a":1}`},
			found: []string{"error json/syntax data/train.jsonl:2:8 /a: the text ends inside an object"}},
		{name: "NaN, a lone surrogate, Latin-1, a huge exponent", path: p,
			content: "{\"a\":NaN,\"b\":[-Infinity]}\n{\"a\":\"\\ud800\"}\n{\"a\":\"caf\xe9\"}\n{\"a\":1e99999}\n{\"a\":1e400}\n",
			rows:    []string{`5: {"a":1e400}`},
			found: []string{
				"error json/nan data/train.jsonl:1:6 /a: NaN is no JSON number",
				"error json/nan data/train.jsonl:1:15 /b/0: -Infinity is no JSON number",
				`error json/lone-surrogate data/train.jsonl:2:7 /a: \ud800 is half of a surrogate pair`,
				"error json/utf8 data/train.jsonl:3:10 /a: a string holds bytes that are not UTF-8",
				"error json/number-range data/train.jsonl:4:6 /a: a number has more than 10000 digits or an exponent beyond 10000"}},
		{name: "UTF-16", path: p, content: "\xFF\xFE{\x00}\x00\n\x00", unread: true,
			found: []string{"error json/utf8 data/train.jsonl:1:1: the file is UTF-16, not UTF-8"}},
		{name: "nesting", path: p, content: strings.Repeat("[", 100_000) + "\n{}\n", rows: []string{"2: {}"},
			found: []string{"error json/depth data/train.jsonl:1:513 " + strings.Repeat("/0", 512) + ": values are nested more than 512 deep"}},
		{name: "ndjson", path: "x.NDJSON", content: "{}\n", rows: []string{"1: {}"}},
	})
}

func TestJSON(t *testing.T) {
	const p = "train.json"
	check(t, []readTest{
		{name: "array on one line", path: p, content: `[{"a": 1}, {"a": 2}]`, rows: []string{`1: {"a": 1}`, `1: {"a": 2}`}},
		{name: "pretty-printed array", path: p, content: "\n[\n  {\n    \"a\": 1\n  },\n\n  {\"a\": [\n 2]}\n]\n",
			rows: []string{"3: {\n    \"a\": 1\n  }", "7: {\"a\": [\n 2]}"}},
		{name: "empty array", path: p, content: " [ ] \n"},
		{name: "empty file", path: p},
		{name: "blanks only", path: p, content: " \n\n"},
		{name: "array behind a byte order mark", path: p, content: "\xEF\xBB\xBF[{\"a\":01}]", unread: true,
			found: []string{
				"error json/syntax train.json:1:7 /a: a number with a leading zero",
				"warning json/bom train.json:1:1: the file starts with a byte order mark"}},
		{name: "trailing comma", path: p, content: "[{\"a\":1},\n{\"a\":2} ,\n]\n", rows: []string{`1: {"a":1}`, `2: {"a":2}`},
			found: []string{"error json/syntax train.json:2:9: trailing comma before ]"}},
		{name: "comma first", path: p, content: `[,{}]`, unread: true, found: []string{"error json/syntax train.json:1:2: a value is missing before ,"}},
		{name: "comma missing", path: p, content: "[{\"é\":1}\n {\"a\":2}]", rows: []string{`1: {"é":1}`},
			found: []string{"error json/syntax train.json:2:2: expected a comma or ] after an element of the array"}},
		{name: "text behind", path: p, content: "[{\"a\":1}]\n  x", rows: []string{`1: {"a":1}`},
			found: []string{"error json/syntax train.json:2:3: text behind the array"}},
		{name: "cut between elements", path: p, content: "[{\"a\":1},\n", rows: []string{`1: {"a":1}`},
			found: []string{"error json/syntax train.json:2:1: the file ends inside its array"}},
		{name: "cut behind an element", path: p, content: "[{\"a\":1}", rows: []string{`1: {"a":1}`},
			found: []string{"error json/syntax train.json:1:9: the file ends inside its array"}},
		{name: "cut in an element", path: p, content: "[{\"a\":1},\n{\"b\":", rows: []string{`1: {"a":1}`},
			found: []string{"error json/syntax train.json:2:6 /b: the text ends inside an object"}},
		{name: "fault in an element ends the reading", path: p, content: "[{\"a\":1},\n{\"é\": x},{\"a\":2}]", rows: []string{`1: {"a":1}`},
			found: []string{"error json/syntax train.json:2:7 /é: expected a value, found x"}},
		{name: "fault within a line of an element", path: p, content: "[\n {\"a\": 1,\n  \"b\": tru}]", unread: true,
			found: []string{"error json/syntax train.json:3:8 /b: expected a value, found t"}},
		{name: "faults that do not end it", path: p, content: "[{\"a\":1,\"a\":2},\n {\"b\":\n   NaN}, {\"c\":3},\n 4]", rows: []string{`3: {"c":3}`},
			found: []string{
				`error json/duplicate-key train.json:1:9 /a: key "a" stands more than once in one object`,
				"error json/nan train.json:3:4 /b: NaN is no JSON number",
				"error json/row-not-object train.json:4: row is a number, expected an object"}},
		{name: "elements may be any value", path: p, any: true, content: "[1,\"x\",\n[2],null]", rows: []string{"1: 1", `1: "x"`, "2: [2]", "2: null"}},
		{name: "array with CR LF", path: p, content: "[\r\n{\"a\":\r\n1},\r\n{}]\r\n", rows: []string{"2: {\"a\":\r\n1}", "4: {}"},
			found: []string{"warning json/crlf train.json:1: 4 lines end with CR LF"}},

		{name: "one object", path: p, content: `{"a": 1}`, rows: []string{`1: {"a": 1}`}},
		{name: "one pretty-printed object", path: p, content: "\n{\n  \"a\": 1\n}\n", rows: []string{"2: {\n  \"a\": 1\n}"}},
		{name: "one string", path: p, content: `"x"`, unread: true, found: []string{"error json/row-not-object train.json:1: row is a string, expected an object"}},
		{name: "JSON Lines", path: p, content: "{\"id\": 1}\n{\"id\": 2}\n\n{\"id\": 3}\n", rows: []string{`1: {"id": 1}`, `2: {"id": 2}`, `4: {"id": 3}`},
			found: []string{"note json/lines-in-json train.json:1: the file holds JSON Lines"}},
		{name: "JSON Lines with a broken line", path: p, content: "{\"id\": 1}\n{\"id\": 2,}\n{\"id\": 3}\n", rows: []string{`1: {"id": 1}`, `3: {"id": 3}`},
			found: []string{
				"error json/syntax train.json:2:9 /id: trailing comma before }",
				"note json/lines-in-json train.json:1: the file holds JSON Lines"}},
		{name: "JSON Lines with a first line cut short", path: p, content: "{\"id\": 1\n{\"id\": 2}\n{\"id\": 3}\n", rows: []string{`2: {"id": 2}`, `3: {"id": 3}`},
			found: []string{
				"error json/syntax train.json:2:1 /id: expected a comma or }, found {",
				"note json/lines-in-json train.json:1: the file holds JSON Lines"}},
		{name: "JSON Lines with two values on a line", path: p, content: "{\"id\": 1}\n{\"id\": 2} {\"id\": 3}\n{\"id\": 4}\n", rows: []string{`1: {"id": 1}`, `3: {"id": 4}`},
			found: []string{
				"error json/several-values train.json:2:11: more than one value on a line",
				"note json/lines-in-json train.json:1: the file holds JSON Lines"}},
		{name: "JSON Lines with a duplicate key", path: p, content: "{\"id\": 1, \"id\": 1}\n{\"id\": 2}\n", rows: []string{`2: {"id": 2}`},
			found: []string{
				`error json/duplicate-key train.json:1:11 /id: key "id" stands more than once in one object`,
				"note json/lines-in-json train.json:1: the file holds JSON Lines"}},
		{name: "pretty-printed objects", path: p, content: "{\n \"a\": 1\n}\n{\n \"a\": 2\n}\n", rows: []string{"1: {\n \"a\": 1\n}", "4: {\n \"a\": 2\n}"},
			found: []string{"note json/lines-in-json train.json:1: the file holds several JSON values, one behind the other"}},
		{name: "pretty-printed objects, one of them broken", path: p, content: "{\n \"a\": 1,\n}\n{\n \"a\": 2\n}\n", rows: []string{"4: {\n \"a\": 2\n}"},
			found: []string{
				"error json/syntax train.json:2:8 /a: trailing comma before }",
				"note json/lines-in-json train.json:1: the file holds several JSON values, one behind the other"}},
		{name: "a comma behind each object", path: p, content: "{\"a\": 1},\n{\"a\": 2}\n", rows: []string{`2: {"a": 2}`},
			found: []string{
				"error json/syntax train.json:1:9: a comma behind the value",
				"note json/lines-in-json train.json:1: the file holds JSON Lines"}},
		{name: "not JSON at all", path: p, content: "id: 1\ntea: sencha\n", unread: true, found: []string{"error json/syntax train.json:1:1: expected a value, found i"}},
		{name: "bracket that never closes", path: p, content: "{\"a\": {\"b\": 1}\n\n", unread: true,
			found: []string{"error json/syntax train.json:3:1 /a: the text ends inside an object"}},
		{name: "one object with CR LF", path: p, content: "{\r\n\"a\": 1\r\n}", rows: []string{"1: {\r\n\"a\": 1\r\n}"},
			found: []string{"warning json/crlf train.json:1: 2 lines end with CR LF"}},
	})
}

func TestCSV(t *testing.T) {
	const p = "train.csv"
	check(t, []readTest{
		{name: "cells are text, in column order", path: p, content: "country,word,count\nNA,null,3\nNO, None ,\n",
			rows: []string{`2: {"country":"NA","word":"null","count":"3"}`, `3: {"country":"NO","word":" None ","count":""}`}},
		{name: "TSV", path: "train.tsv", content: "a\tb\n1,5\t\"x\ty\"\n \t\n", rows: []string{`2: {"a":"1,5","b":"x\ty"}`, `3: {"a":" ","b":""}`}},
		{name: "quoted cells", path: p, content: "a,\"b \"\"c\"\"\"\n\"1, 2\",\"say \"\"no\"\"\"\n\"line\nbreak\",\"\"\n\"\"\"\",back\\slash\n",
			rows: []string{`2: {"a":"1, 2","b \"c\"":"say \"no\""}`, `3: {"a":"line\nbreak","b \"c\"":""}`, `5: {"a":"\"","b \"c\"":"back\\slash"}`}},
		{name: "no line feed at the end", path: p, content: "a,b\n1,", rows: []string{`2: {"a":"1","b":""}`}},
		{name: "header only", path: p, content: "a,b\n"},
		{name: "one column, an empty cell in quotes", path: p, content: "a\n\"\"\n\nx\n", rows: []string{`2: {"a":""}`, `4: {"a":"x"}`}},
		{name: "blank lines", path: p, content: "\n  \na,b\n\n1,2\n \t\n", rows: []string{`5: {"a":"1","b":"2"}`}},
		{name: "byte order mark", path: p, content: "\xEF\xBB\xBFid,tea\n1,sencha\n", rows: []string{`2: {"id":"1","tea":"sencha"}`},
			found: []string{"warning csv/bom train.csv:1:1: the file starts with a byte order mark"}},
		{name: "CR LF, kept inside quotes", path: p, content: "a,b\r\n1,\"x\r\ny\"\r\n2,z\n", rows: []string{`2: {"a":"1","b":"x\r\ny"}`, `4: {"a":"2","b":"z"}`},
			found: []string{"note csv/crlf train.csv:1: 2 lines end with CR LF"}},
		{name: "CR alone ends a row", path: p, content: "a,b\r1,2\r3,\xff\r", rows: []string{`2: {"a":"1","b":"2"}`},
			found: []string{"error csv/utf8 train.csv:3:3 /b: bytes that are not UTF-8"}},
		{name: "ragged rows", path: p, content: "id,text,label\n1,plain,a\n2,one, two,b\n3,\"one, two\",b\n4,short\n",
			rows: []string{`2: {"id":"1","text":"plain","label":"a"}`, `4: {"id":"3","text":"one, two","label":"b"}`},
			found: []string{
				"error csv/ragged-row train.csv:3: row has 4 cells, expected 3",
				"error csv/ragged-row train.csv:5: row has 2 cells, expected 3"}},
		{name: "ragged row behind a line break in a cell", path: p, content: "a,b\n\"1\n2\",3\n4\n", rows: []string{`2: {"a":"1\n2","b":"3"}`},
			found: []string{"error csv/ragged-row train.csv:4: row has 1 cell, expected 2"}},
		{name: "empty file", path: p, unread: true, found: []string{"error csv/header train.csv:1: the file has no header: it holds no row at all"}},
		{name: "column without a name", path: p, content: ",b,\n1,2,3\n", unread: true,
			found: []string{"error csv/header train.csv:1:1: column 1 has no name", "error csv/header train.csv:1:4: column 3 has no name"}},
		{name: "columns with one name", path: p, content: "a,é,\"a\"\n1,2,3\n", unread: true,
			found: []string{`error csv/header train.csv:1:5: columns 1 and 3 have the same name "a"`}},
		{name: "quote inside a cell without quotes", path: p, content: "a,b\n5\" pipe,x\n1,\"y\"z\"\n", rows: []string{`2: {"a":"5\" pipe","b":"x"}`, `3: {"a":"1","b":"yz\""}`},
			found: []string{
				"warning csv/quote train.csv:2:2 /a: a quote inside a cell without quotes",
				"warning csv/quote train.csv:3:6 /b: text behind the closing quote of a cell"}},
		{name: "quote that is never closed", path: p, content: "a,b\n1,2\n3,\"x\n4,y\n", rows: []string{`2: {"a":"1","b":"2"}`},
			found: []string{"error csv/quote train.csv:3:3: a quote that is never closed: the cell goes on to the end of the file"}},
		{name: "not UTF-8", path: p, content: "a,b\n1,caf\xe9\n2,\"\n\xe9\"\n3,x\n", rows: []string{`5: {"a":"3","b":"x"}`},
			found: []string{"error csv/utf8 train.csv:2:6 /b: bytes that are not UTF-8 ×2"}},
		{name: "header not UTF-8", path: p, content: "a,\xe9\n1,2\n", unread: true, found: []string{"error csv/utf8 train.csv:1:3: bytes that are not UTF-8"}},
		{name: "UTF-16", path: p, content: "\xFE\xFF\x00a\x00\n", unread: true, found: []string{"error csv/utf8 train.csv:1:1: the file is UTF-16, not UTF-8"}},
		{name: "characters that JSON escapes", path: p, content: "a\x01,b\n\x00\x1f,\t\"\\\n", rows: []string{`2: {"a\u0001":"\u0000\u001f","b":"\t\"\\"}`},
			found: []string{"warning csv/quote train.csv:2:5 /b: a quote inside a cell without quotes"}},
	})
}

func pack(t testing.TB, packing Packing, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch packing {
	case Gzip:
		w = gzip.NewWriter(&b)
	case Zstd:
		z, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		w = z
	default:
		return content
	}
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestPacked(t *testing.T) {
	one, two := []byte("{\"a\":1}\n{\"a\""), []byte(":2}\n{\"a\":3}\n")
	rows := []string{`1: {"a":1}`, `2: {"a":2}`, `3: {"a":3}`}
	for _, packing := range []Packing{Gzip, Zstd} {
		name := "train.jsonl." + string(packing)
		members := append(pack(t, packing, one), pack(t, packing, two)...)
		whole := pack(t, packing, append(bytes.Clone(one), two...))
		big := pack(t, packing, bytes.Repeat([]byte("{\"a\":1,\"b\":[0.5,2]}\n"), 100_000))
		damaged := bytes.Clone(whole)
		damaged[len(damaged)-2] ^= 0x55 // in the checksum
		check(t, []readTest{
			{name: name, path: name, content: string(whole), rows: rows},
			{name: name + " in several members", path: name, content: string(members), rows: rows},
			{name: name + ", empty", path: name},
			{name: name + ", not packed", path: name, content: "{\"a\":1}\n", unread: true,
				found: []string{"error rows/corrupt " + name + ":1: the file is not what its suffix ." + string(packing) + " says"}},
		})
		cut := readContent(t, name, big[:len(big)/2], Options{})
		if len(cut.found) != 1 || !strings.HasSuffix(cut.found[0], "the packed data ends too early") {
			t.Errorf("%s cut short gave %q, want one finding about that", name, cut.found)
		}
		bad := readContent(t, name, damaged, Options{})
		if len(bad.found) != 1 || !strings.HasSuffix(bad.found[0], "the packed data is damaged") {
			t.Errorf("%s with a wrong checksum gave %q, want one finding about that", name, bad.found)
		}
		trailing := readContent(t, name, append(bytes.Clone(whole), "garbage"...), Options{})
		if len(trailing.rows) != 3 || len(trailing.found) != 1 || !strings.Contains(trailing.found[0], "rows/corrupt") {
			t.Errorf("%s with garbage behind it gave %q and %q, want its rows and one finding", name, trailing.rows, trailing.found)
		}
	}
}

func TestPackedOtherFormats(t *testing.T) {
	check(t, []readTest{
		{name: "csv.gz", path: "a.csv.gz", content: string(pack(t, Gzip, []byte("a\n1\n"))), rows: []string{`2: {"a":"1"}`}},
		{name: "json.zst", path: "a.json.zst", content: string(pack(t, Zstd, []byte("[{\"a\":1}]"))), rows: []string{`1: {"a":1}`}},
		{name: "TSV.GZ", path: "A.TSV.GZ", content: string(pack(t, Gzip, []byte("a\tb\n1\t2\n"))), rows: []string{`2: {"a":"1","b":"2"}`}},
	})
}

func TestFormatOf(t *testing.T) {
	tests := map[string]string{
		"train.jsonl": "jsonl", "data/a.b.ndjson": "jsonl", "x.JSON": "json", "x.csv.gz": "csv.gz", "x.tsv.ZST": "tsv.zst", "x.parquet": "parquet",
		"x.arrow": "arrow", "x.jsonl.bz2": "jsonl.bz2", "x.txt": "text", "README.md": "", "jsonl": "", "x.gz": "", "x.json.bak": "json", "x.csv.gz.part": "csv", "dir.jsonl/x": "", "": "",
	}
	for name, want := range tests {
		format, ok := FormatOf(name)
		if format.String() != want || ok != (want != "") {
			t.Errorf("FormatOf(%q) = %q, %v, want %q", name, format, ok, want)
		}
	}
}

func TestFormatNotRead(t *testing.T) {
	for name, message := range map[string]string{
		"x.arrow":     "the rows of this file are not read: hfpub does not read arrow yet",
		"x.jsonl.bz2": "the rows of this file are not read: hfpub does not read jsonl.bz2 yet",
		"x.bin":       "the rows of this file are not read: its name does not end as a data file's does",
	} {
		check(t, []readTest{{name: name, path: name, content: "PAR1\x00\xff", unread: true, found: []string{"warning rows/format-not-read " + name + ": " + message}}})
	}
}

func TestHashOnly(t *testing.T) {
	got := readContent(t, "train.jsonl", []byte("version https://git-lfs.github.com/spec/v1\n"), Options{HashOnly: true})
	if got.rows != nil || got.found != nil || !got.totals.Unread || got.totals.Bytes != 43 {
		t.Errorf("got %+v, want the size and hash and nothing else", got)
	}
}

func TestTotalsForTheLoader(t *testing.T) {
	type facts struct{ BOM, BlankFirst, Array bool }
	tests := []struct {
		path, content string
		want          facts
	}{
		{"a.json", `[{}]`, facts{Array: true}},
		{"a.json", "\n[{}]", facts{BlankFirst: true, Array: true}},
		{"a.json", "\xEF\xBB\xBF[{}]", facts{BOM: true, Array: true}},
		{"a.json", `{}`, facts{}},
		{"a.jsonl", "\n{}\n", facts{BlankFirst: true}},
		{"a.jsonl", "[{}]\n", facts{}},
	}
	for _, tt := range tests {
		got := readContent(t, tt.path, []byte(tt.content), Options{}).totals
		if f := (facts{got.BOM, got.BlankFirst, got.Array}); f != tt.want {
			t.Errorf("%s %q: %+v, want %+v", tt.path, tt.content, f, tt.want)
		}
	}
}

func TestTotalsOfAnArray(t *testing.T) {
	type facts struct {
		Line     int
		Elements int64
	}
	blanks := strings.Repeat("\n", readSize)
	tests := []struct {
		path, content string
		want          facts
	}{
		{"a.json", "\n[{}, {\"a\": 1}]", facts{2, 2}},
		{"a.json", "[]", facts{1, 0}},
		{"a.json", "[1, {\"a\": NaN}, {}]\n", facts{1, 3}},
		{"a.json", "[1, 2", facts{1, -1}},
		{"a.json", "[1, 2] x", facts{1, -1}},
		{"a.json", "[1, }, 2]", facts{1, -1}},
		{"a.json", "{}", facts{0, -1}},
		{"a.jsonl", "[1]", facts{0, -1}},
		{"a.json", blanks + "[{},\n{}]" + blanks, facts{readSize + 1, 2}},
	}
	for _, tt := range tests {
		checkCuts(t, tt.path, []byte(tt.content), Options{})
		got := readContent(t, tt.path, []byte(tt.content), Options{}).totals
		if f := (facts{got.ArrayLine, got.Elements}); f != tt.want {
			t.Errorf("%s %.50q: %+v, want %+v", tt.path, tt.content, f, tt.want)
		}
	}
}

// TestIndexNumbersAllRows: of an array it is the place, of CSV it counts what the loader can read.
func TestIndexNumbersAllRows(t *testing.T) {
	for name, test := range map[string]struct {
		content string
		want    []int64
	}{
		"x.jsonl":    {"{}\n\n{\"a\":}\n{}\n1\n{}\n", []int64{0, 2, 4}},
		"x.json":     {"[1, {}, {\"a\": NaN}, {}]", []int64{1, 3}},
		"lines.json": {"{}\n{\"a\"}\n{}\n", []int64{0, 2}},
		"x.csv":      {"a,b\n1\n1,2\n\n3,\xff\n3,4\n", []int64{0, 1}},
	} {
		var got []int64
		var found finding.Set
		_, err := Read(context.Background(), Source{Path: name, Open: open([]byte(test.content))}, Options{}, &found, func(r *Row) error {
			got = append(got, r.Index)
			return nil
		})
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v, rows have other numbers (-want +got):\n%s", name, err, diff)
		}
	}
}

func TestLineOf(t *testing.T) {
	content := "[\n {\"a\": 1,\n  \"b\": [\n   2]}]"
	var found finding.Set
	_, err := Read(context.Background(), Source{Path: "x.json", Open: open([]byte(content))}, Options{}, &found, func(r *Row) error {
		for pointer, want := range map[string]int{"": 2, "/a": 2, "/b": 3, "/b/0": 4} {
			v, _ := r.Doc.Root().At(pointer)
			if got := r.LineOf(v); got != want {
				t.Errorf("%s stands on line %d, want %d", pointer, got, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestErrors(t *testing.T) {
	mine := errors.New("mine")
	content := bytes.Repeat([]byte("{\"a\":1}\n"), 200_000)
	good := func(*Row) error { return nil }
	broken := func() (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(bytes.NewReader(content[:12]), iotest.ErrReader(mine))), nil
	}
	brokenPacked := func() (io.ReadCloser, error) {
		packed := pack(t, Gzip, content)
		return io.NopCloser(io.MultiReader(bytes.NewReader(packed[:len(packed)/2]), iotest.ErrReader(mine))), nil
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	later, stopLater := context.WithCancel(context.Background())
	tests := []struct {
		name string
		ctx  context.Context
		src  Source
		fn   func(*Row) error
		want error
	}{
		{"cannot be opened", context.Background(), Source{"x.jsonl", func() (io.ReadCloser, error) { return nil, mine }}, good, mine},
		{"fails while it is read", context.Background(), Source{"x.jsonl", broken}, good, mine},
		{"fails behind an unpacker", context.Background(), Source{"x.jsonl.gz", brokenPacked}, good, mine},
		{"fails in JSON", context.Background(), Source{"x.json", broken}, good, mine},
		{"fails in CSV", context.Background(), Source{"x.csv", broken}, good, mine},
		{"fails where no rows are read", context.Background(), Source{"x.arrow", broken}, good, mine},
		{"fn fails", context.Background(), Source{"x.jsonl", open(content)}, func(*Row) error { return mine }, mine},
		{"fn fails in an array", context.Background(), Source{"x.json", open([]byte("[{}]"))}, func(*Row) error { return mine }, mine},
		{"fn fails in CSV", context.Background(), Source{"x.csv", open([]byte("a\n1\n"))}, func(*Row) error { return mine }, mine},
		{"context is over", stopped, Source{"x.jsonl", open(content)}, good, context.Canceled},
		{"context ends", later, Source{"x.jsonl", open(content)}, func(*Row) error { stopLater(); return nil }, context.Canceled},
		{"context ends behind an unpacker", later, Source{"x.jsonl.zst", open(pack(t, Zstd, content))}, good, context.Canceled},
		{"reader that never gives a byte", context.Background(), Source{"x.jsonl", func() (io.ReadCloser, error) { return io.NopCloser(stuck{}), nil }}, good, io.ErrNoProgress},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var found finding.Set
			_, err := Read(tt.ctx, tt.src, Options{}, &found, tt.fn)
			if !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
			for _, f := range found.All() {
				if f.Code == finding.RowsCorrupt || f.Code == finding.JSONSyntax {
					t.Errorf("finding %s: the content is not to blame", line(f))
				}
			}
		})
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestOnBytes(t *testing.T) {
	content := pack(t, Gzip, bytes.Repeat([]byte("{}\n"), 1_000_000))
	var n int64
	got := readContent(t, "x.jsonl.gz", content, Options{OnBytes: func(more int64) { n += more }})
	if n != int64(len(content)) || got.totals.Bytes != n {
		t.Errorf("OnBytes was told of %d bytes, want the %d of the file as stored", n, len(content))
	}
}

func TestLongRows(t *testing.T) {
	readLimited := func(path, content string) seen {
		var out seen
		f, err := Open(context.Background(), Source{Path: path, Open: open([]byte(content))}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		f.limit = 1 << 20
		readBlocks(t, f, func(r *Row) error {
			out.rows = append(out.rows, fmt.Sprintf("%d: %.20s", r.Line, r.Doc.Text))
			return nil
		})
		_, found := f.Part().Finish()
		for _, f := range found.All() {
			out.found = append(out.found, line(f))
		}
		return out
	}
	long := strings.Repeat("x", 3<<20)
	fits := `{"a":"` + strings.Repeat("x", 900<<10) + `"}`
	tests := []struct {
		name, path, content string
		want                seen
	}{
		{"lines", "x.jsonl", fits + "\n{\"a\":\"" + long + "\"}\n{\"b\":1}\n", seen{rows: []string{`1: {"a":"xxxxxxxxxxxxxx`, `3: {"b":1}`}, found: []string{"error rows/too-long x.jsonl:2: a row is longer than 1 MiB"}}},
		{"last line", "x.jsonl", "{\"b\":1}\n" + long, seen{rows: []string{`1: {"b":1}`}, found: []string{"error rows/too-long x.jsonl:2: a row is longer than 1 MiB"}}},
		{"element", "x.json", "[" + fits + ",\n{\"a\":\"" + long + "\"},{\"b\":1}]", seen{rows: []string{`1: {"a":"xxxxxxxxxxxxxx`}, found: []string{"error rows/too-long x.json:2: a row is longer than 1 MiB"}}},
		{"cell", "x.csv", "a\ny\n\"" + long + "\"\nz\n", seen{rows: []string{`2: {"a":"y"}`}, found: []string{"error rows/too-long x.csv:3: a row is longer than 1 MiB"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, readLimited(tt.path, tt.content), cmp.AllowUnexported(seen{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestBlockBoundaries moves a file's content over the boundary of a block byte by byte: nothing may change but the lines.
func TestBlockBoundaries(t *testing.T) {
	tests := []struct{ path, head, content string }{
		{"x.jsonl", "", "{\"a\":1}\r\n{\"a\":\"\\ud83d\\ude00é\"}\n{\"a\":NaN} \n{} {}\n"},
		{"x.json", "", "[{\"a\":1} ,\r\n{\"é\":\"\\ud83d\\ude00é\"},{\"a\":NaN},12,{}\r\n,]"},
		{"x.json", "", "{\"a\":1}\r\n{\"a\":\"é\"}  \n{\"a\":1} {\"b\"\n:2}\n{\"a\":12,}\n{}"},
		{"x.csv", "a,b\n", "\"x\r\ny\"\"\",é\r\n1,2\r3,4\n5\n6,\"7\"8\n"},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			read := func(padding int) seen {
				got := readContent(t, tt.path, []byte(tt.head+strings.Repeat("\n", padding)+tt.content), Options{})
				got.totals = Totals{}
				for i := range got.rows {
					got.rows[i] = unshift(got.rows[i], padding)
				}
				var found []string
				for _, f := range got.found {
					if !strings.Contains(f, "json/blank-line") && !strings.HasPrefix(f, "note json/lines-in-json") {
						found = append(found, unshift(f, padding))
					}
				}
				got.found = found
				return got
			}
			want := read(0)
			for k := range len(tt.content) + 2 {
				got := read(readSize - len(tt.head) - k)
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(seen{})); diff != "" {
					t.Fatalf("with %d bytes before the boundary (-want +got):\n%s", k, diff)
				}
			}
		})
	}
}

// number is the line of a row or finding as this test writes them: the first one.
var number = regexp.MustCompile(`\d+`)

func unshift(s string, lines int) string {
	at := number.FindStringIndex(s)
	n, err := strconv.Atoi(s[at[0]:at[1]])
	if err != nil {
		panic(err)
	}
	return s[:at[0]] + strconv.Itoa(n-lines) + s[at[1]:]
}

// TestCases reads the shared cases that are about reading rows.
func TestCases(t *testing.T) {
	shared := sharedDir(t)
	tests := []struct {
		path        string
		rows        int64
		found       []string
		sha256Start string
	}{
		{"09-utf8-bom-jsonl/data/train.jsonl", 2, []string{"warning json/bom"}, ""},
		{"10-utf8-bom-csv/data/train.csv", 2, []string{"warning csv/bom"}, ""},
		{"11-crlf-same-content/a/train.jsonl", 3, nil, "1ae04e2b"},
		{"11-crlf-same-content/b/train.jsonl", 3, []string{"warning json/crlf"}, "02c902bd"},
		{"12-duplicate-object-keys/data/train.jsonl", 1, []string{"error json/duplicate-key", "error json/duplicate-key"}, ""},
		{"14-trailing-comma-physical-line/data/train.jsonl", 2, []string{"error json/syntax", "warning json/blank-line"}, ""},
		{"15-rows-are-arrays/data/train.jsonl", 0, []string{"error json/row-not-object"}, ""},
		{"16-json-lines-in-dot-json/data/train.json", 3, []string{"note json/lines-in-json"}, ""},
		{"17-empty-split-file/data/test.jsonl", 0, nil, ""},
		{"19-big-integers-are-distinct/data/train.jsonl", 3, nil, ""},
		{"21-line-separators-inside-strings/data/train.jsonl", 2, nil, ""},
		{"22-csv-na-strings-are-values/data/train.csv", 3, nil, ""},
		{"24-csv-ragged-row/data/train.csv", 2, []string{"error csv/ragged-row", "error csv/ragged-row"}, ""},
		{"26-parquet-shards-disagree-on-type/data/train-00000-of-00002.parquet", 3, nil, ""},
		{"92-key-order-same-content/a/train.jsonl", 2, nil, "5997b9e3"},
		{"92-key-order-same-content/b/train.jsonl", 2, nil, "f5c72489"},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			content, err := os.ReadFile(filepath.Join(shared, "cases", tt.path))
			if err != nil {
				t.Fatal(err)
			}
			got := readContent(t, tt.path, content, Options{})
			if got.totals.Rows != tt.rows || !strings.HasPrefix(got.totals.SHA256, tt.sha256Start) {
				t.Errorf("%d rows, sha256 %s, want %d and %s…", got.totals.Rows, got.totals.SHA256, tt.rows, tt.sha256Start)
			}
			var codes []string
			for _, f := range got.found {
				codes = append(codes, strings.Join(strings.Fields(f)[:2], " "))
			}
			if diff := cmp.Diff(tt.found, codes); diff != "" {
				t.Errorf("findings (-want +got):\n%s\n%q", diff, got.found)
			}
		})
	}
}

func sharedDir(t *testing.T) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Skip("no go.mod above the package")
		}
	}
	shared := filepath.Join(dir, "..", "shared")
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the shared cases are not beside this checkout")
	}
	return shared
}

// inMemory is a file whose content is in memory.
type inMemory struct{ *bytes.Reader }

// Close implements [io.Closer].
func (inMemory) Close() error { return nil }
