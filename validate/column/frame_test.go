package column

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows"
)

// observeField observes the rows under the key data of a document.
func observeField(t *testing.T, path, list string) *Observer {
	t.Helper()
	o := NewObserver()
	o.BeginFile()
	key := "data"
	var found finding.Set
	src := rows.Source{Path: path, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(`{"data": ` + list + `}`)), nil
	}}
	if _, err := rows.Read(context.Background(), src, rows.Options{Field: &key}, &found, func(r *rows.Row) error {
		o.Observe(r)
		return nil
	}); err != nil || len(found.All()) > 0 {
		t.Fatalf("read %s: %v, findings %v", list, err, found.All())
	}
	return o
}

// The types were seen with pandas 1.5.3 (read_json) and are those that Arrow gives such columns.
func TestFieldsGoThroughPandas(t *testing.T) {
	for _, tt := range []struct {
		name, list, want string
		bytes            int64
		troubles         []string
	}{
		{name: "integers", list: `[{"a": 1}, {"a": 2}]`, want: "a int64", bytes: 16},
		{name: "integers and a missing one", list: `[{"a": 1}, {}]`, want: "a float64", bytes: 17},
		{name: "integers and null", list: `[{"a": 1}, {"a": null}]`, want: "a float64", bytes: 17},
		{name: "floats that are whole", list: `[{"a": 1.0}, {"a": 2e0}]`, want: "a int64", bytes: 16},
		{name: "floats that are whole and null", list: `[{"a": 1.0}, {"a": null}]`, want: "a float64", bytes: 17},
		{name: "floats", list: `[{"a": 1.5}, {"a": 2}]`, want: "a float64", bytes: 16},
		{name: "booleans", list: `[{"a": true}, {"a": false}]`, want: "a bool", bytes: 1},
		{name: "booleans and null", list: `[{"a": true}, {"a": null}]`, want: "a float64", bytes: 17, troubles: []string{
			`warning loader/values-change /a: column "a" is float64 from the first batch on (train.json:1) and holds values of the kind boolean here: load_dataset turns them into numbers`}},
		{name: "booleans and numbers", list: `[{"a": true}, {"a": 2}]`, want: "a int64", bytes: 16},
		{name: "null alone", list: `[{"a": null}, {"a": null}]`, want: "a float64", bytes: 17},
		{name: "texts", list: `[{"a": "x"}, {"a": null}]`, want: "a string", bytes: 10},
		{name: "digits in texts", list: `[{"a": "007"}, {"a": "8"}]`, want: "a int64", bytes: 16,
			troubles: []string{`warning loader/values-change /a: column "a" holds digits in texts, of which pandas makes numbers: 007 becomes 7`}},
		{name: "fractions in texts", list: `[{"a": "1.5"}, {"a": 2}]`, want: "a float64", bytes: 16,
			troubles: []string{`warning loader/values-change /a: column "a" holds digits in texts, of which pandas makes numbers: 007 becomes 7`}},
		{name: "dates stay texts", list: `[{"a": "2024-01-01"}]`, want: "a string", bytes: 14},
		{name: "unless their column is named so", list: `[{"date": "2024-01-01"}]`, want: "date timestamp[ns]", bytes: 8,
			troubles: []string{`warning loader/timestamps /date: column "date" holds nothing but dates, and its name has pandas turn them into timestamp[ns]: the text is gone`}},
		{name: "lists", list: `[{"a": [1, null]}, {"a": []}]`, want: "a {list int64}", bytes: 8 + 1 + 16},
		{name: "dates in lists", list: `[{"a": ["2024-01-01"]}]`, want: "a {list string}", bytes: 4 + 4 + 10},
		{name: "objects: keys in their order, no json", list: `[{"a": {"z": 1, "b": "x"}}, {"a": {"c": 1.5}}]`,
			want: "a struct{b string, c float64, z int64}", bytes: (1 + 8 + 1) + (1 + 16) + (1 + 16)},
		{name: "texts and numbers", list: `[{"a": "x"}, {"a": 1}]`, want: "a json", troubles: []string{
			`error loader/type-changes /a: column "a" holds values of the kinds integer and string, of which Arrow makes no column of a pandas table: load_dataset fails`}},
		{name: "kinds mixed in a list", list: `[{"a": [1, "x"]}]`, want: "a {list json}", troubles: []string{
			`error loader/type-changes /a: field /a/* holds values of the kinds integer and string, of which Arrow makes no column of a pandas table: load_dataset fails`}},
		{name: "an integer beyond 64 bits", list: `[{"a": 18446744073709551616}]`, want: "a uint64", troubles: []string{
			`error loader/number-range : an integer is beyond 64 bits, and pandas reads the file: load_dataset fails on it`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := observeField(t, "train.json", tt.list)
			l := Load([]*Observer{o}, Reading{})
			if got := briefFeatures(l.Features); got != tt.want {
				t.Errorf("features %s, want %s", got, tt.want)
			}
			var troubles []string
			for _, tr := range l.Troubles {
				troubles = append(troubles, fmt.Sprintf("%s %s %s: %s", tr.Severity, tr.Code, tr.Pointer, tr.Message))
			}
			if diff := cmp.Diff(tt.troubles, troubles); diff != "" {
				t.Errorf("troubles (want -, got +):\n%s", diff)
			}
			if l.Fails {
				return
			}
			if size, ok := o.NumBytes(l.Features); !ok || size != tt.bytes {
				t.Errorf("num_bytes %d, known %t; want %d", size, ok, tt.bytes)
			}
		})
	}
}

func briefFeatures(features Features) string {
	var out []string
	for _, f := range features {
		out = append(out, f.Name+" "+briefType(f.Type))
	}
	return strings.Join(out, ", ")
}

func briefType(t Type) string {
	switch {
	case t.List != nil:
		return "{list " + briefType(*t.List) + "}"
	case t.Struct != nil:
		return "struct{" + briefFeatures(t.Struct) + "}"
	}
	return t.Dtype
}

// Every file is a table of its own, and the first one says what the others have to be.
func TestFieldsOfSeveralFiles(t *testing.T) {
	for _, tt := range []struct {
		name, first, second string
		want                string
	}{
		{"integers become floats", `[{"a": 1.5}, {"a": 2}]`, `[{"a": 1}, {"a": 3}]`, ""},
		{"fractions fit no integers", `[{"a": 1}, {"a": 2}]`, `[{"a": 1.5}, {"a": 3}]`, "loader/type-changes"},
		{"a new column", `[{"a": 1}, {"a": 2}]`, `[{"a": 1, "b": 1}, {"a": 3}]`, "loader/columns-differ"},
		{"files of one row are put together as they are", `[{"a": 1}]`, `[{"a": 1.5}]`, "loader/type-changes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := observeField(t, "a.json", tt.first)
			o.Merge(observeField(t, "b.json", tt.second))
			var got string
			for _, tr := range Load([]*Observer{o}, Reading{}).Troubles {
				if tr.Severity == finding.Error {
					got = string(tr.Code)
				}
			}
			if got != tt.want {
				t.Errorf("error %q, want %q", got, tt.want)
			}
		})
	}
}
