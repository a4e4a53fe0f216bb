package statistics

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/column"
)

// recorded is a case in which the viewer's own code was asked.
type recorded struct {
	Case     string
	Rows     json.RawMessage
	Features map[string]struct {
		Kind  string `json:"_type"`
		Dtype string
		Names []string
	}
	Expected struct {
		Statistics []struct {
			Name   string         `json:"column_name"`
			Type   string         `json:"column_type"`
			Column map[string]any `json:"column_statistics"`
		}
		Errors map[string]string
	}
}

// recordedCases reads cases from the shared material beside the checkout, and skips the test without it. NaN becomes a null, and
// infinity the text of a cell.
func recordedCases(t *testing.T, file string) []recorded {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "reference", file)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("the shared material is not beside this checkout: %v", err)
	}
	var all struct{ Cases []recorded }
	readable := strings.NewReplacer(": NaN", ": null", ": Infinity", `: "inf"`, ": -Infinity", `: "-inf"`).Replace(string(text))
	if err := json.Unmarshal([]byte(readable), &all); err != nil {
		t.Fatal(err)
	}
	return all.Cases
}

// rowsOf are the rows of a case, each one as JSON with the numbers as they are written.
func (c *recorded) rowsOf(t *testing.T) []map[string]json.RawMessage {
	t.Helper()
	var out []map[string]json.RawMessage
	if c.Rows[0] == '[' {
		if err := json.Unmarshal(c.Rows, &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	var made struct {
		Generator string
		Count     int
	}
	if err := json.Unmarshal(c.Rows, &made); err != nil || made.Generator != "0..8550" {
		t.Fatalf("%s: unknown rows %s", c.Case, c.Rows)
	}
	for i := range made.Count {
		out = append(out, map[string]json.RawMessage{"a": json.RawMessage(strconv.Itoa(i))})
	}
	return out
}

// featuresOf are the declared features, and for other columns those of their values.
func (c *recorded) featuresOf(rows []map[string]json.RawMessage) column.Features {
	types := map[string]column.Type{}
	for _, row := range rows {
		for name, v := range row {
			old, known := types[name]
			if now := typeOf(v); !known || old.Dtype == "null" || now.Dtype == "float64" && old.Dtype == "int64" {
				types[name] = now
			}
		}
	}
	var out column.Features
	for _, name := range slices.Sorted(maps.Keys(types)) {
		feature := column.Feature{Name: name, Type: types[name]}
		switch declared := c.Features[name]; declared.Kind {
		case "Value":
			feature.Type = scalar(declared.Dtype)
		case "ClassLabel":
			feature.Type = column.Type{ClassLabel: declared.Names}
		case "List":
			feature.Type = column.Type{List: &column.Type{Dtype: "int64"}}
		}
		out = append(out, feature)
	}
	return out
}

func typeOf(v json.RawMessage) column.Type {
	switch c := v[0]; {
	case c == 'n':
		return scalar("null")
	case c == 't', c == 'f':
		return scalar("bool")
	case c == '[':
		return column.Type{List: &column.Type{Dtype: "int64"}}
	case c == '"' && strings.Contains(string(v), "inf"):
		return scalar("float64")
	case c == '"':
		return scalar("string")
	case strings.ContainsAny(string(v), ".eE"):
		return scalar("float64")
	}
	return scalar("int64")
}

var isDate = regexp.MustCompile(`"\d{4}-\d\d-\d\d`)

// linesOf are the rows as they would stand in a file. Dates that no feature makes timestamps of, and infinity, come from a CSV
// file, where they stay what they are.
func (c *recorded) linesOf(rows []map[string]json.RawMessage) (lines []string, cells bool) {
	for _, row := range rows {
		for name, v := range row {
			_, declared := c.Features[name]
			cells = cells || !declared && isDate.Match(v) || string(v) == `"inf"`
		}
	}
	for _, row := range rows {
		var members []string
		for _, name := range slices.Sorted(maps.Keys(row)) {
			v := string(row[name])
			if cells && v == "null" {
				v = `""`
			} else if cells && v[0] != '"' {
				v = strconv.Quote(v)
			}
			members = append(members, strconv.Quote(name)+": "+v)
		}
		lines = append(lines, "{"+strings.Join(members, ", ")+"}")
	}
	return lines, cells
}

// TestRecordedStatistics compares with what the viewer's own code said, field by field.
func TestRecordedStatistics(t *testing.T) {
	for _, file := range []string{"statistics-cases.json", "statistics-fuzz.json"} {
		t.Run(file, func(t *testing.T) {
			for _, c := range recordedCases(t, file) {
				t.Run(c.Case, func(t *testing.T) { c.compare(t) })
			}
		})
	}
}

func (c *recorded) compare(t *testing.T) {
	rows := c.rowsOf(t)
	lines, cells := c.linesOf(rows)
	columns, faults := seen(t, 1, cells, lines...).Finish(c.featuresOf(rows))
	fails := map[string]Reason{}
	for _, f := range faults {
		fails[f.Column] = f.Reason
	}
	got := map[string]Column{}
	for _, column := range columns {
		got[column.Name] = column
	}
	for name, text := range c.Expected.Errors {
		reason, ok := fails[name]
		if !ok {
			t.Errorf("the viewer fails on column %s (%s), and hfpub finds no fault", name, text)
		}
		if reason != TwoEdges {
			if _, described := got[name]; described {
				t.Errorf("column %s is described, although the viewer has nothing to say of it", name)
			}
		}
		delete(got, name)
		delete(fails, name)
	}
	if len(fails) > 0 {
		t.Errorf("faults %v of columns on which the viewer does not fail", fails)
	}
	for _, want := range c.Expected.Statistics {
		column, ok := got[want.Name]
		if !ok {
			t.Errorf("column %s is not described, want %s", want.Name, want.Type)
			continue
		}
		delete(got, want.Name)
		if string(column.Kind) != want.Type {
			t.Errorf("column %s is %s, want %s", want.Name, column.Kind, want.Type)
			continue
		}
		if column.Estimated != nil {
			t.Errorf("column %s: %v of so few rows are estimated", want.Name, column.Estimated)
		}
		var measured map[string]any
		if err := json.Unmarshal([]byte(asJSON(t, column.Values)), &measured); err != nil {
			t.Fatal(err)
		}
		if !alike(want.Column, measured, false) {
			t.Errorf("column %s is\n%s\nwant\n%s", want.Name, asJSON(t, measured), asJSON(t, want.Column))
		}
	}
	if len(got) > 0 {
		t.Errorf("columns %v are described, and the viewer does not", slices.Collect(maps.Keys(got)))
	}
}

// alike compares as the reference says: mean, median and std within 1e-5 or 1e-12 of themselves, the rest exactly.
func alike(want, got any, loose bool) bool {
	switch w := want.(type) {
	case float64:
		g, ok := got.(float64)
		return ok && (w == g || loose && math.Abs(w-g) <= max(1.00001e-5, 1e-12*math.Abs(w)))
	case []any:
		g, ok := got.([]any)
		return ok && slices.EqualFunc(w, g, func(a, b any) bool { return alike(a, b, loose) })
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(w) != len(g) {
			return false
		}
		for k, v := range w {
			if other, ok := g[k]; !ok || !alike(v, other, k == "mean" || k == "median" || k == "std") {
				return false
			}
		}
		return true
	}
	return fmt.Sprint(want) == fmt.Sprint(got)
}
