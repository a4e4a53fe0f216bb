package card_test

import (
	"strings"
	"testing"
)

// What becomes of data in declared columns: "" where it loads as it is, else the severity and words of the one finding.
func TestFit(t *testing.T) {
	const long = "9007199254740993"
	for _, test := range []struct{ name, features, rows, want string }{
		{"int8 that fits", "dtype: int8", `{"a": -128} {"a": 127}`, ""},
		{"int8 too high", "dtype: int8", `{"a": 1} {"a": 128}`, "error 128 is beyond"},
		{"int8 too low", "dtype: int8", `{"a": -129} {"a": 0}`, "error -129 is beyond"},
		{"uint8 that fits", "dtype: uint8", `{"a": 0} {"a": 255}`, ""},
		{"uint8 below zero", "dtype: uint8", `{"a": -1}`, "error -1 is beyond"},
		{"uint64", "dtype: uint64", `{"a": 9223372036854775807}`, ""},
		{"integers beyond int64", "dtype: uint64", `{"a": 9223372036854775808}`, "error as a float"},
		{"long integers among floats", "dtype: int64", `{"a": 1.0} {"a": ` + long + `}`, "error as a float"},
		{"float64 of integers", "dtype: float64", `{"a": 9007199254740992} {"a": null}`, ""},
		{"float64 of longer integers", "dtype: float64", `{"a": ` + long + `}`, "error beyond"},
		{"float32 of integers", "dtype: float32", `{"a": 16777216}`, ""},
		{"float32 of longer integers", "dtype: float32", `{"a": 16777217}`, "error beyond"},
		{"float16 of longer integers", "dtype: float16", `{"a": 2049}`, "error beyond"},
		{"float32 of floats", "dtype: float32", `{"a": 0.1}`, ""},
		{"double", "dtype: double", `{"a": 0.1}`, ""},
		{"int64 of whole floats", "dtype: int64", `{"a": 2.0} {"a": 1e15}`, ""},
		{"int64 of fractions", "dtype: int64", `{"a": 2.0} {"a": 0.5}`, "error fractions"},
		{"int32 of whole floats too high", "dtype: int32", `{"a": 1e10}`, "error 1e10 is beyond"},
		{"int64 of truth values", "dtype: int64", `{"a": true}`, "error 1 and 0"},
		{"int64 of dates", "dtype: int64", `{"a": "2024-01-31"}`, "error seconds since 1970"},
		{"float64 of dates", "dtype: float64", `{"a": "2024-01-31"}`, "error fails"},
		{"int64 of digits", "dtype: int64", `{"a": "007"}`, "error digits into numbers"},
		{"bool of numbers", "dtype: bool", `{"a": 1}`, "error true of every number but 0"},
		{"bool of texts", "dtype: bool", `{"a": "x"}`, "error fails"},
		{"bool of truth values", "dtype: bool", `{"a": true} {"a": null}`, ""},
		{"string of integers", "dtype: string", `{"a": 7}`, "error into text"},
		{"string of truth values", "dtype: string", `{"a": true}`, "error into text"},
		{"string of dates", "dtype: string", `{"a": "2024-01-31"}`, "warning writes them anew"},
		{"large_string", "dtype: large_string", `{"a": "x"}`, ""},
		{"binary of texts", "dtype: binary", `{"a": "x"}`, ""},
		{"binary of numbers", "dtype: binary", `{"a": 1}`, "error fails"},
		{"string of texts and numbers", "dtype: string", `{"a": "x"} {"a": 1}`,
			"error the kinds integer, string: load_dataset puts quotes"},
		{"string of numbers and truth values", "dtype: string", `{"a": true} {"a": 1}`, "error into text"},
		{"int64 of texts and numbers", "dtype: int64", `{"a": "x"} {"a": 1}`, "error fails"},
		{"string of objects", "dtype: string", `{"a": {"x": 1}} {"a": {"y": 1}}`, "error fails"},
		{"string of lists", "dtype: string", `{"a": ["x"]}`, "error fails"},
		{"json of anything", "dtype: json", `{"a": "x"} {"a": 1} {"a": {"x": 1}}`, ""},
		{"null of values", "dtype: 'null'", `{"a": 1}`, "error fails"},
		{"anything of nulls", "list: string", `{"a": null}`, ""},
		{"list of empty lists", "list: string", `{"a": []}`, ""},
		{"timestamp of dates", "dtype: 'timestamp[us, tz=UTC]'", `{"a": "2024-01-31T10:00:00Z"}`, ""},
		{"timestamp of fractions of seconds", "dtype: 'timestamp[ms]'", `{"a": "2024-01-31T10:00:00.5"}`, ""},
		{"timestamp of other texts", "dtype: 'timestamp[s]'", `{"a": "2024-01-31"} {"a": "unknown"}`,
			`error "unknown" is no date`},
		{"timestamp of floats", "dtype: 'timestamp[s]'", `{"a": 0.5}`, "error fails"},
		{"timestamp of seconds", "dtype: 'timestamp[s]'", `{"a": 1700000000}`, ""},
		{"timestamp of truth values", "dtype: 'timestamp[s]'", `{"a": true}`, "error fails"},
		{"decimal", "dtype: 'decimal128(20, 2)'", `{"a": 0.25}`, ""},
		{"image of paths", "dtype: image", `{"a": "x.png"}`, ""},
		{"image of objects", "dtype: image", `{"a": {"path": "x.png", "bytes": null}}`, ""},
		{"image of numbers", "dtype: image", `{"a": 7}`, "error fails"},
		{"array of lists", "dtype: {array2_d: {shape: [1, 2], dtype: int64}}", `{"a": [[1, 2]]}`, ""},
		{"array of numbers", "dtype: {array2_d: {shape: [1, 2], dtype: int64}}", `{"a": 1}`, "error fails"},
		{"array of objects", "dtype: {array2_d: {shape: [1, 2], dtype: int64}}", `{"a": {"x": 1}}`, "error fails"},
		{"list of narrower numbers", "list: int8", `{"a": [1, 200]}`, "error field /a/* is declared int8"},
		{"list of lists", "list: {list: string}", `{"a": [["x"], []]}`, ""},
		{"list of a scalar", "list: int64", `{"a": 1}`, "error fails"},
		{"list of objects", "list: [{name: x, dtype: int64}]", `{"a": [{"x": 1}, {}]}`, ""},
		{"list of objects with more fields", "list: [{name: x, dtype: int64}]", `{"a": [{"x": 1, "y": 2}]}`,
			"error field /a/*/y (int64)"},
		{"objects for lists", "list: int64", `{"a": {"x": 1}}`, "error fails"},
		{"large_list", "large_list: int64", `{"a": [1]}`, ""},
		{"fixed lists", "list: int64, length: 2", `{"a": [1, 2]} {"a": null}`, ""},
		{"fixed lists of other lengths", "list: int64, length: 2", `{"a": [1, 2]} {"a": [1]}`, "error lengths from 1 to 2"},
		{"struct of more fields", "struct: [{name: x, dtype: int64}, {name: y, dtype: string}]",
			`{"a": {"x": 1}} {"a": {"x": 2, "y": "q"}}`, ""},
		{"struct of fewer fields", "struct: [{name: x, dtype: int64}]", `{"a": {"x": 1}} {"a": {"x": 2, "y": "q"}}`,
			"error field /a/y (string)"},
		{"struct with another type deep inside", "struct: [{name: x, struct: [{name: z, dtype: string}]}]",
			`{"a": {"x": {"z": true}}}`,
			"error field /a/x/z is declared string, the data has bool"},
		{"struct where keys differ and types too", "struct: [{name: x, dtype: string}, {name: y, dtype: string}]",
			`{"a": {"x": 1}} {"a": {"y": "q"}}`, "error field /a/x is declared string, the data has int64"},
		{"struct of texts", "struct: [{name: x, dtype: int64}]", `{"a": "x"}`, "error fails"},
		{"key with a slash", "struct: [{name: x/y~z, dtype: int64}]", `{"a": {"x/y~z": 1}} {"a": {}}`, ""},
		{"labels by name", "dtype: {class_label: {names: [neg, pos]}}", `{"a": "pos"} {"a": " neg "} {"a": "1"} {"a": null}`,
			""},
		{"labels by id", "dtype: {class_label: {names: [neg, pos]}}", `{"a": 1} {"a": -1} {"a": 0.0}`, ""},
		{"label that is not there", "dtype: {class_label: {names: [neg, pos]}}", `{"a": "pos"} {"a": "neutral"}`,
			`error "neutral" is no label`},
		{"label id too high", "dtype: {class_label: {names: [neg, pos]}}", `{"a": 2}`, "error 2 is the id of no label"},
		{"label id too low", "dtype: {class_label: {names: [neg, pos]}}", `{"a": -2}`, "error -2 is the id of no label"},
		{"label that is a fraction", "dtype: {class_label: {names: [neg, pos]}}", `{"a": 0.5}`, "error fractions"},
		{"list of labels", "list: {class_label: {names: [neg, pos]}}", `{"a": ["pos", "x"]}`,
			`error field /a/* is declared class_label`},
		{"labels of objects", "dtype: {class_label: {names: [neg, pos]}}", `{"a": {"x": 1}}`, "error fails"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "README.md", "---\nlicense: mit\ndataset_info:\n  features: [{name: a, "+test.features+"}]\n---\n")
			write(t, dir, "train.jsonl", strings.ReplaceAll(test.rows, "} {\"a", "}\n{\"a")+"\n")
			sees(t, dir, test.want)
		})
	}
}

// sees demands no finding, or one of a severity with words in it.
func sees(t *testing.T, dir, want string) {
	t.Helper()
	found := validated(t, dir)
	severity, say, _ := strings.Cut(want, " ")
	switch {
	case want == "" && len(found) > 0:
		t.Errorf("expected no finding, got %v\n%s", places(found), words(found))
	case want == "":
	case len(found) != 1 || string(found[0].Severity) != severity || !strings.Contains(found[0].Message, say):
		t.Errorf("expected one %s that says %q, got %v\n%s", severity, say, places(found), words(found))
	}
}

// CSV cells get their types from pandas, unless the config itself declares them.
func TestFitOfCells(t *testing.T) {
	const info = "dataset_info:\n  features: [%]\n"
	const own = "configs:\n- config_name: default\n  data_files: train.csv\n  features: [%]\n"
	for _, test := range []struct{ name, card, features, cells, want string }{
		{"string of digits", info, "dtype: string", "02116", "error into text"},
		{"string of digits, told in time", own, "dtype: string", "02116", ""},
		{"int64 with missing values", info, "dtype: int64", "1\n\n2", ""},
		{"int64 of fractions", info, "dtype: int64", "1.5", "error fractions"},
		{"dates stay text", info, "dtype: string", "2024-01-31", ""},
		{"float64 of long integers, told in time", own, "dtype: float64", "9007199254740993", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "README.md", "---\nlicense: mit\n"+strings.ReplaceAll(test.card, "%",
				"{name: a, "+test.features+"}, {name: b, dtype: string}")+"---\n")
			write(t, dir, "train.csv", "a,b\n"+strings.ReplaceAll(test.cells, "\n", ",x\n")+",x\n")
			sees(t, dir, test.want)
		})
	}
}
