package column

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// Statistics describes one column of a split in the shape of the Hub's viewer.
type Statistics struct {
	Name   string           `json:"column_name"`
	Type   string           `json:"column_type"`
	Column ColumnStatistics `json:"column_statistics"`
}

// ColumnStatistics holds what is measured of a column so far.
type ColumnStatistics struct {
	// NaNCount counts the rows in which the column is null or missing, NaNProportion is their share of all rows, rounded
	// to five decimals as the viewer does.
	NaNCount      int64   `json:"nan_count"`
	NaNProportion float64 `json:"nan_proportion"`
}

// The viewer's kinds of columns.
const (
	columnBool       = "bool"
	columnInt        = "int"
	columnFloat      = "float"
	columnList       = "list"
	columnDatetime   = "datetime"
	columnClassLabel = "class_label"
	columnLabel      = "string_label"
	columnText       = "string_text"
)

// Statistics describes the columns of the split for which the kind of the viewer is known, sorted by name. features are
// those of the config. A column of a kind that the viewer skips is left out, and so is one of texts of which it is not
// known yet whether the viewer takes them for labels, texts or dates. Without rows there are none: the viewer fails then.
func (o *Observer) Statistics(features Features) []Statistics {
	rows := o.root.inventory.present()
	if rows == 0 || o.root.wide {
		return nil
	}
	var out []Statistics
	for i, feature := range features {
		f := o.root.at(i, []byte(feature.Name))
		if f == nil {
			f = &field{}
		}
		kind := viewerKind(feature.Type, f, rows)
		if kind == "" {
			continue
		}
		missing := rows - f.valid()
		out = append(out, Statistics{feature.Name, kind, ColumnStatistics{missing, proportion(missing, rows)}})
	}
	slices.SortFunc(out, func(a, b Statistics) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// valid counts the values that are not null.
func (f *field) valid() int64 { return f.inventory.present() - f.inventory.kinds[kindNull].count }

// proportion is n/all rounded as numpy.round(x, 5) does: halves to even, in float64.
func proportion(n, all int64) float64 {
	return math.RoundToEven(float64(n)/float64(all)*1e5) / 1e5
}

// viewerKind is the viewer's name for a column of that type, "" if it skips the column or that is not known.
func viewerKind(t Type, f *field, rows int64) string {
	switch {
	case t.holdsArray(), t.Struct != nil:
		return ""
	case t.List != nil && t.Length == 0:
		return columnList
	case t.List != nil:
		return ""
	case t.ClassLabel != nil:
		return columnClassLabel
	}
	switch dtype := t.Dtype; {
	case dtype == dtypeBool:
		return columnBool
	case dtype == dtypeString, dtype == "large_string":
		return stringKind(f, rows)
	case strings.HasPrefix(dtype, "timestamp"):
		return columnDatetime
	case strings.HasPrefix(dtype, "int"), strings.HasPrefix(dtype, "uint"):
		return columnInt
	case strings.HasPrefix(dtype, "float"), dtype == "double":
		return columnFloat
	}
	return ""
}

// holdsArray says that the type has an Array2D or the like in it.
func (t Type) holdsArray() bool {
	if t.List != nil {
		return t.List.holdsArray()
	}
	return strings.HasPrefix(t.Dtype, "array") && strings.HasSuffix(t.Dtype, "_d") ||
		slices.ContainsFunc(t.Struct, func(f Feature) bool { return f.Type.holdsArray() })
}

// stringKind decides what the viewer makes of a column of texts, where a few distinct values or a few rows decide it.
// Null counts as a distinct value.
func stringKind(f *field, rows int64) string {
	values := f.inventory.kinds[kindString].count
	nulls := rows - f.valid()
	if values+nulls != rows {
		return ""
	}
	if values == 0 {
		return columnLabel
	}
	distinct := int64(len(f.inventory.values.counts))
	if f.inventory.values.many {
		return manyTextsKind(f, rows)
	}
	if !slices.ContainsFunc(f.inventory.values.counts, func(v ValueCount) bool { return !maybeDate(v.Text) }) {
		return ""
	}
	if nulls > 0 {
		distinct++
	}
	if distinct <= 10 || float64(distinct)/float64(rows) <= 0.2 {
		return columnLabel
	}
	return columnText
}

// manyTextsKind is sure of texts only: with more than 12 distinct ones a column of so few rows is no column of labels.
func manyTextsKind(f *field, rows int64) string {
	short := f.inventory.chars.any && f.inventory.chars.max <= maxValueBytes/4
	if short && rows <= 5*maxValues && !maybeDate(strings.Trim(f.inventory.example, `"`)) {
		return columnText
	}
	return ""
}

// maybeDate says that one of the viewer's date formats might fit a text: there is a digit, and no letters but those of
// months, zones and the T between date and time.
func maybeDate(text string) bool {
	digit := false
	words := strings.FieldsFunc(text, func(r rune) bool {
		digit = digit || '0' <= r && r <= '9'
		return '0' <= r && r <= '9' || strings.ContainsRune(" -/:.,+", r)
	})
	for _, word := range words {
		if !slices.Contains(dateWords, strings.ToLower(word)) {
			return false
		}
	}
	return digit && !strings.ContainsFunc(text, unicode.IsControl)
}

var dateWords = []string{"t", "z", "utc", "gmt", "january", "february", "march", "april", "may", "june", "july", "august",
	"september", "october", "november", "december"}
