package rows

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/hfpub/hfpub/validate/finding"
)

// fuzzRead reads content under a name in two ways, whole and byte by byte, and checks what must hold of any content.
func fuzzRead(t *testing.T, name string, content []byte, anyValue bool) (rows [][]byte, lines []int, found []finding.Finding) {
	read := func(file io.Reader) (rows [][]byte, lines []int, found []finding.Finding, totals Totals) {
		var set finding.Set
		src := Source{Path: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(file), nil }}
		totals, err := Read(context.Background(), src, Options{AnyValue: anyValue}, &set, func(r *Row) error {
			rows, lines = append(rows, bytes.Clone(r.Doc.Text)), append(lines, r.Line)
			return nil
		})
		if err != nil {
			t.Fatalf("%s %q: error %v, want none: the content alone is at fault", name, content, err)
		}
		return rows, lines, set.All(), totals
	}
	rows, lines, found, totals := read(bytes.NewReader(content))
	if totals.Bytes != int64(len(content)) || totals.SHA256 != hexSum(content) || totals.Rows != int64(len(rows)) {
		t.Errorf("%s %q: totals %+v, want all %d bytes and %d rows", name, content, totals, len(content), len(rows))
	}
	if !slices.IsSorted(lines) {
		t.Errorf("%s %q: lines %v go back", name, content, lines)
	}
	last := bytes.Count(content, []byte{'\n'}) + bytes.Count(content, []byte{'\r'}) + 1
	for _, f := range found {
		packed := totals.Format.Packing != Plain
		if f.Line < 0 || f.Line > last && !packed || f.Message == "" || f.Path != name || f.Severity != f.Code.Severity() && f.Code != finding.CSVQuote {
			t.Errorf("%s %q: finding %+v", name, content, f)
		}
	}
	for i, row := range rows {
		if !json.Valid(row) || !anyValue && bytes.TrimSpace(row)[0] != '{' {
			t.Errorf("%s %q: row %d is %q, want a JSON object", name, content, i, row)
		}
	}
	rows2, lines2, found2, totals2 := read(iotest.OneByteReader(bytes.NewReader(content)))
	if !reflect.DeepEqual(rows, rows2) || !reflect.DeepEqual(lines, lines2) || !reflect.DeepEqual(found, found2) || totals != totals2 {
		t.Errorf("%s %q: read byte by byte it gives other rows or findings:\n%q %v %+v\n%q %v %+v", name, content, rows, lines, found, rows2, lines2, found2)
	}
	checkSomeCuts(t, name, content, Options{AnyValue: anyValue})
	return rows, lines, found
}

func FuzzJSONLines(f *testing.F) {
	for _, s := range []string{"{\"a\":1}\n{\"a\":2,}\r\n\n[1]\n{} {}", "\xEF\xBB\xBF{}", "\xFF\xFE", "{\"a\":\"\\ud800\"}", "{\n\"a\": NaN}\n", "{\"a\":1,\"a\":2}\n{}"} {
		f.Add([]byte(s), false)
	}
	f.Fuzz(func(t *testing.T, content []byte, anyValue bool) {
		rows, lines, _ := fuzzRead(t, "x.jsonl", content, anyValue)
		physical := bytes.Split(bytes.TrimPrefix(content, utf8Mark), []byte{'\n'})
		for i, row := range rows {
			if want := bytes.TrimSuffix(physical[lines[i]-1], []byte{'\r'}); !bytes.Equal(bytes.TrimRight(row, "\r"), bytes.TrimRight(want, "\r")) {
				t.Errorf("%q: row %q is said to stand on line %d, where %q stands", content, row, lines[i], want)
			}
		}
	})
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{"[{\"a\":1},\n{\"a\":2}]", "[{},]", "[{} {}]", "[{}]x", "[", "{\n\"a\":\r\n1}", "{\"a\":1}\n{\"a\":2}\n", "{\"a\":1\n{\"a\":2}\n{}", "{} {}\n{}",
		"{\n \"a\": 1,\n}\n{\n \"a\": 2\n}\n", "[NaN,\n{\"a\":1,\"a\":1},[1]]", "\xEF\xBB\xBF [1,2]", "1 2\n3", "{\"a\":\n{\"b\":1} } {\"c\":2}"} {
		f.Add([]byte(s), false)
	}
	f.Fuzz(func(t *testing.T, content []byte, anyValue bool) {
		rows, lines, found := fuzzRead(t, "x.json", content, anyValue)
		physical := bytes.Split(bytes.TrimPrefix(content, utf8Mark), []byte{'\n'})
		for i, row := range rows {
			if first, _, _ := bytes.Cut(row, []byte{'\n'}); !bytes.Contains(physical[lines[i]-1], first) {
				t.Errorf("%q: row %q is said to begin on line %d, where %q stands", content, row, lines[i], physical[lines[i]-1])
			}
		}
		var list []map[string]json.RawMessage
		if json.Unmarshal(content, &list) == nil && !anyValue && len(found) == 0 && len(rows) != len(list) {
			t.Errorf("%q: %d rows, want the %d elements of the array", content, len(rows), len(list))
		}
	})
}

func FuzzCSV(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "a,b\r\n\"1\r\n\",\"2\"\"\"\r\n", "a\r1\r2", "\xEF\xBB\xBFa,b\n1\n1,2,3\n", ",\n", "a,a\n", "a,b\n\"x", "a\n\"x\"y\n5\"\n", "\n \na\n\n1", "a,\xff\n", "a,b\n\x00,\t\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		rows, _, found := fuzzRead(t, "x.csv", content, false)
		fuzzRead(t, "x.tsv", content, false)
		// Where encoding/csv reads the file without complaint, the same cells must come out. It drops CR before LF and skips
		// no lines of blanks, so such files are left to the other checks.
		r := csv.NewReader(bytes.NewReader(content))
		r.FieldsPerRecord = -1
		records, err := r.ReadAll()
		if err != nil || bytes.IndexByte(content, '\r') >= 0 || bytes.HasPrefix(content, utf8Mark) || len(records) == 0 || slices.ContainsFunc(found, isError) {
			return
		}
		var want []string
		for _, record := range records[1:] {
			if len(record) == 1 && strings.Trim(record[0], " \t\n") == "" {
				return
			}
			want = append(want, fmt.Sprint(record))
		}
		if strings.Trim(strings.Join(records[0], ""), " \t\n") == "" {
			return
		}
		var got []string
		for _, row := range rows {
			var cells []string
			d := json.NewDecoder(bytes.NewReader(row))
			for i := 0; ; i++ {
				token, err := d.Token()
				if err != nil {
					break
				}
				if text, ok := token.(string); ok && i%2 == 0 {
					cells = append(cells, text)
				}
			}
			got = append(got, fmt.Sprint(cells))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: rows %q, encoding/csv gives %q", content, got, want)
		}
	})
}

func isError(f finding.Finding) bool { return f.Severity == finding.Error }

func FuzzPacked(f *testing.F) {
	for _, packing := range []Packing{Gzip, Zstd} {
		whole := pack(f, packing, []byte("{\"a\":1}\n{\"a\":2}\n"))
		f.Add(whole)
		f.Add(whole[:len(whole)-3])
		f.Add(append(bytes.Clone(whole), whole...))
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, content []byte) {
		for _, name := range []string{"x.jsonl.gz", "x.jsonl.zst"} {
			var set finding.Set
			totals, err := Read(context.Background(), Source{Path: name, Open: open(content)}, Options{}, &set, func(*Row) error { return nil })
			if err != nil || totals.Bytes != int64(len(content)) || totals.SHA256 != hexSum(content) {
				t.Errorf("%s %x: %+v, %v, want all bytes measured and no error", name, content, totals, err)
			}
		}
	})
}
