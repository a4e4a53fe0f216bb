package validate_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate"
)

// cardOf is the card of a config that reads a field of a file, "" for no field.
func cardOf(file, field string) string {
	if field != "" {
		field = "  field: " + field + "\n"
	}
	return "---\nlicense: mit\nconfigs:\n- config_name: default\n  data_files: " + file + "\n" + field + "---\n"
}

// The rows under a field are the rows of the split: for its schema, its digest, its statistics and its size.
func TestRowsUnderAField(t *testing.T) {
	for name, rows := range map[string]string{
		"two rows": `{"a":1,"b":"x"},{"a":2,"b":"yy"}`, "more than are kept before they are merged": strings.Repeat(`{"a":1,"b":"x"},{"a":2,"b":"yy"},`, 5000) + `{"a":3,"b":null}`,
	} {
		t.Run(name, func(t *testing.T) { sameUnderAField(t, rows) })
	}
}

func sameUnderAField(t *testing.T, rows string) {
	under, found := folder(t, map[string]string{"README.md": cardOf("t.json", "data"), "t.json": `{"version":1,"data":[` + rows + `]}`})
	got := run(t, under, found, validate.Options{Statistics: true}).Repos[0].Configs[0]
	array, found := folder(t, map[string]string{"README.md": cardOf("t.json", ""), "t.json": `[` + rows + `]`})
	want := run(t, array, found, validate.Options{Statistics: true}).Repos[0].Configs[0]
	g, w := got.Splits[0], want.Splits[0]
	if g.Rows == nil || *g.Rows != *w.Rows || g.NumBytes == nil || *g.NumBytes != *w.NumBytes || *g.Digest != *w.Digest {
		t.Errorf("rows, num_bytes or digest differ from those of the same rows in an array: %+v, want %+v", g, w)
	}
	if diff := cmp.Diff(asJSON(t, w.Statistics), asJSON(t, g.Statistics)); diff != "" {
		t.Errorf("statistics differ from those of the same rows in an array:\n%s", diff)
	}
	if diff := cmp.Diff(want.Features, got.Features); diff != "" {
		t.Errorf("features differ from those of the same rows in an array:\n%s", diff)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestFaultsOfFields(t *testing.T) {
	const two = "---\nlicense: mit\nconfigs:\n- config_name: a\n  default: true\n  data_files: t.json\n  field: train\n- config_name: b\n  data_files: t.json\n  field: rows\n---\n"
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"the key is missing", map[string]string{"README.md": cardOf("t.json", "rows"), "t.json": "\n{\"data\": []}"}, []string{"loader/field-missing t.json:2"}},
		{"a text stands there", map[string]string{"README.md": cardOf("t.json", "data"), "t.json": "{\n\"data\": \"x\"}"}, []string{"loader/field-missing t.json:2"}},
		{"columns stand there", map[string]string{"README.md": cardOf("t.json", "data"), "t.json": `{"data": {"a": [1]}}`}, []string{"loader/field-not-read t.json:1"}},
		{"no row stands there", map[string]string{"README.md": cardOf("t.json", "data"), "t.json": `{"data": []}`}, []string{"loader/empty-split t.json:0"}},
		{"each config has its own", map[string]string{"README.md": two, "t.json": `{"train": [{"a": 1}]}`}, []string{"loader/field-missing t.json:1"}},
		{"hfpub.yaml names the files, the card the field", map[string]string{"hfpub.yaml": manifest("[{name: default, splits: [{name: train, files: t.json}]}]"),
			"README.md": cardOf("t.json", "rows"), "t.json": `{"data": []}`}, []string{"loader/field-missing t.json:1"}},
		{"blanks hide the rows of an array", map[string]string{"train.json": "\n[{}]"}, []string{"loader/array-place train.json:2"}},
		{"many blanks hide them otherwise", map[string]string{"train.json": "[" + strings.Repeat(" ", 100) + "{\"a\": 1}]"}, []string{"loader/array-wrapped train.json:1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rel, found := folder(t, tt.files)
			got := slices.DeleteFunc(codes(run(t, rel, found, validate.Options{})), func(code string) bool { return !strings.HasPrefix(code, "loader/") })
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("findings of the loader (want -, got +):\n%s", diff)
			}
		})
	}
}

// An array whose rows the loader does not see is one column of structs to it, and still rows to a schema.
func TestWrappedRows(t *testing.T) {
	rel, found := folder(t, map[string]string{"train.json": "[" + strings.Repeat("\n", 100) + `{"a": 1}, {"a": "x"}]`,
		"s.json": `{"properties": {"a": {"type": "integer"}}}`})
	report := run(t, rel, found, validate.Options{Schema: rel.Dir + "/s.json", Statistics: true})
	config := report.Repos[0].Configs[0]
	if len(config.Features) != 1 || config.Features[0].Name != "text" || config.Features[0].Type.Struct == nil {
		t.Errorf("features %+v, want one column text of structs", config.Features)
	}
	if !slices.Contains(codes(report), "schema/type train.json:101") {
		t.Errorf("findings %v, want the row held against its schema", codes(report))
	}
}
