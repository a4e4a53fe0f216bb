package output

import (
	"strings"
	"testing"
)

// A table wider than the terminal is written row by row, and loses nothing.
func TestTablesOnNarrowTerminals(t *testing.T) {
	table := Table{Title: "tea · train", Header: []string{"column", "kind", "distribution"}, Rows: [][]string{
		{"id", "int", "▁▂▃ from 1 to 12,000,000"},
		{"text", "string_text", ""},
	}}
	var wide strings.Builder
	if err := Write(&wide, "table", Result{Tables: []Table{table}}, Options{}); err != nil {
		t.Fatal(err)
	}
	widest := 0
	for line := range strings.Lines(wide.String()) {
		widest = max(widest, len([]rune(line))-1)
	}
	for _, tt := range []struct {
		width int
		want  string
	}{
		{0, wide.String()},
		{widest, wide.String()},
		{widest - 1, "tea · train\ncolumn        id\nkind          int\ndistribution  ▁▂▃ from 1 to 12,000,000\n\ncolumn        text\nkind          string_text\n\n"},
	} {
		var got strings.Builder
		if err := Write(&got, "table", Result{Tables: []Table{table}}, Options{Width: tt.width}); err != nil {
			t.Fatal(err)
		}
		if got.String() != tt.want {
			t.Errorf("on %d columns the table is\n%s\nwant\n%s", tt.width, got.String(), tt.want)
		}
	}
}
