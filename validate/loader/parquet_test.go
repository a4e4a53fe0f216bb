package loader

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/rows/parquet"
)

// columns makes a schema of names and types: "id int64, tags map".
func columns(text string) *parquet.Schema {
	s := &parquet.Schema{}
	for column := range strings.SplitSeq(text, ", ") {
		name, kind, _ := strings.Cut(column, " ")
		t := parquet.Type{Name: kind}
		if kind == "list" || kind == "large_list" || kind == "map" {
			t.Fields = []parquet.Field{{Name: "element", Type: parquet.Type{Name: "string"}}}
		}
		s.Fields = append(s.Fields, parquet.Field{Name: name, Type: t})
	}
	return s
}

func TestParquetSchemas(t *testing.T) {
	tests := []struct {
		name        string
		first, next string
		want        []string
	}{
		{"the same", "id int64, text string", "id int64, text string", nil},
		{"another order", "id int64, text string", "text string, id int64", nil},
		{"another type", "id int64, year int64", "id int64, year string",
			[]string{"error column year is string, and int64 in data/train-0.parquet: load_dataset fails, or loads other values, and the viewer fails"}},
		{"a narrower type", "id int64", "id int32", []string{"warning column id is int32, and int64 in data/train-0.parquet: load_dataset casts it, and the viewer fails"}},
		{"a wider type", "id int32", "id int64",
			[]string{"error column id is int64, and int32 in data/train-0.parquet: load_dataset fails, or loads other values, and the viewer fails"}},
		{"only nulls", "id int64", "id null", []string{"warning column id is null, and int64 in data/train-0.parquet: load_dataset casts it, and the viewer fails"}},
		{"a large string", "id string", "id large_string",
			[]string{"warning column id is large_string, and string in data/train-0.parquet: load_dataset casts it, and the viewer may fail"}},
		{"a new column", "id int64", "id int64, b string", []string{"error column b is new, compared with data/train-0.parquet: load_dataset fails"}},
		{"a missing column", "id int64, b string", "id int64",
			[]string{"warning column b is missing, compared with data/train-0.parquet: load_dataset fills in null, and the viewer fails"}},
		{"a renamed column", "id int64, b string", "id int64, c string",
			[]string{"error column b is missing and column c is new, compared with data/train-0.parquet: load_dataset fails"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			repo, facts := load(t, map[string]string{"data/train-0.parquet": row, "data/train-1.parquet": row})
			facts.Parquet = map[string]*parquet.Schema{"data/train-0.parquet": columns(tt.first), "data/train-1.parquet": columns(tt.next)}
			var got []string
			for _, f := range Check(repo, facts) {
				got = append(got, string(f.Severity)+" "+f.Message)
				if f.Path != "data/train-1.parquet" || f.Split != "train" || f.Hint == "" {
					t.Errorf("finding %+v, want one at the second file, with a hint", f)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParquetTypesAndRowGroups(t *testing.T) {
	const file = "data/train.parquet"
	big := func(pageIndex bool) *parquet.Schema {
		s := columns("id int64")
		s.Stats = parquet.Stats{Largest: maxRowGroup + 1, PageIndex: pageIndex}
		return s
	}
	tests := []struct {
		name   string
		schema *parquet.Schema
		want   []string
	}{
		{"a map", columns("id int64, tags map"),
			[]string{"loader/parquet-type: column tags is of the type map<string>, or holds it, for which load_dataset has no feature: it fails"}},
		{"bytes of a fixed size", columns("hash fixed_size_binary[16]"),
			[]string{"loader/parquet-type: column hash is of the type fixed_size_binary[16], or holds it, for which load_dataset has no feature: it fails"}},
		{"a large row group", big(false),
			[]string{"loader/parquet-row-group: a row group has 300000001 bytes unpacked: without a page index the viewer shows rows of at most 300000000"}},
		{"a large row group with a page index", big(true), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			repo, facts := load(t, map[string]string{file: row})
			facts.Parquet = map[string]*parquet.Schema{file: tt.schema}
			var got []string
			for _, f := range Check(repo, facts) {
				got = append(got, string(f.Code)+": "+f.Message)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}
