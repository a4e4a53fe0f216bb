// Package statistics measures the columns of a split as the Hub's dataset viewer does: the same kinds of columns, the same
// JSON, bins, roundings and thresholds, computed by hfpub's own one pass.
//
// An [Observer] looks at the rows of a split, or of a run of them, and measures every column by the kinds of its values, since
// types are known only when all splits have been seen: numbers and lengths go into a tally, texts are counted as labels while
// there are few distinct ones, and read as dates while all of them can be. Observers merge. [Observer.Finish] then takes the
// features of the config and decides, column by column, what the viewer would compute; what makes the viewer's own job fail
// becomes a finding.
//
// Counts, proportions, minimum, maximum, mean, standard deviation and the frequencies of labels are always exact. Median,
// histogram and the number of distinct values are exact while a column has at most [MaxExact] distinct numbers, lengths or
// instants (fewer where very many columns share the memory) and 1,000 distinct texts; beyond that [Column.Estimated] names what
// is estimated. None of it depends on the number of workers, the size of blocks or the order in which they are merged.
//
// [Balances] says how the labels of a split are distributed, for cards; [Histogram.Sparkline] draws.
package statistics

import "github.com/hfpub/hfpub/validate/column"

// Kind is the viewer's name for a kind of column, its column_type.
type Kind string

// The kinds of columns.
const (
	Bool       Kind = "bool"
	Int        Kind = "int"
	FloatKind  Kind = "float"
	List       Kind = "list"
	Datetime   Kind = "datetime"
	ClassLabel Kind = "class_label"
	Label      Kind = "string_label"
	Text       Kind = "string_text"
)

// Column describes one column of a split. The first three fields are the viewer's, in its shape; the others are added.
type Column struct {
	Name string `json:"column_name"`
	Kind Kind   `json:"column_type"`
	// Values is what was measured: a *[Numbers], *[Dates], *[Labels] or *[Truths].
	Values Values `json:"column_statistics"`
	// Distinct counts the distinct values, null left out; nil where they are not counted: of lists.
	Distinct *int64 `json:"distinct,omitempty"`
	// Estimated names what is not exact: fields of Values, and distinct.
	Estimated []string `json:"estimated,omitempty"`
	// Shortened says that long texts among the frequencies are cut: they end in an ellipsis.
	Shortened bool `json:"shortened,omitempty"`

	// few are the values of a column of whole numbers with few distinct ones, in their order.
	few Frequencies
}

// Values is the viewer's column_statistics.
type Values interface {
	// Missing counts the rows in which the column is null, MissingShare is their share of all rows.
	Missing() int64
	MissingShare() Float
}

// Nulls counts the rows in which a column is null, or NaN, and their share of all rows.
type Nulls struct {
	Count      int64 `json:"nan_count"`
	Proportion Float `json:"nan_proportion"`
}

// Missing implements [Values].
func (n Nulls) Missing() int64 { return n.Count }

// MissingShare implements [Values].
func (n Nulls) MissingShare() Float { return n.Proportion }

// Numbers describes numbers, or lengths: in characters of texts, in elements of lists. All but Nulls is nil when every value is
// null. Min, Max and the histogram's edges are an int64 each in columns of whole numbers and of lengths, else a [Float].
type Numbers struct {
	Nulls
	Min       any        `json:"min"`
	Max       any        `json:"max"`
	Mean      *Float     `json:"mean"`
	Median    *Float     `json:"median"`
	Std       *Float     `json:"std"`
	Histogram *Histogram `json:"histogram"`
}

// Histogram counts values in bins; bin i goes from edge i up to before edge i+1, the last one up to its end.
type Histogram struct {
	Counts []int64 `json:"hist"`
	Edges  []any   `json:"bin_edges"`
}

// Dates describes instants: texts such as 2024-01-31 10:00:00, with an offset behind them where they have one. Std is a length of
// time as Python writes it. All but Nulls is nil when every value is null.
type Dates struct {
	Nulls
	Min       *string    `json:"min"`
	Max       *string    `json:"max"`
	Mean      *string    `json:"mean"`
	Median    *string    `json:"median"`
	Std       *string    `json:"std"`
	Histogram *Histogram `json:"histogram"`
}

// Labels describes a column of labels. Of class labels every name is listed, in the order of their ids; of texts those that
// occur, the most frequent first. NoLabelCount counts the id -1.
type Labels struct {
	Nulls
	NoLabelCount      int64       `json:"no_label_count"`
	NoLabelProportion Float       `json:"no_label_proportion"`
	Unique            int64       `json:"n_unique"`
	Frequencies       Frequencies `json:"frequencies"`
}

// Truths describes a column of truth values: how often False and True occur, those that do.
type Truths struct {
	Nulls
	Frequencies Frequencies `json:"frequencies"`
}

// kindOf is the kind that the viewer gives a column by its feature, "" if it skips the column. A column of texts is Text, whatever
// it may become.
func kindOf(t column.Type) Kind {
	switch {
	case t.HoldsArray(), t.Struct != nil:
		return ""
	case t.List != nil && t.Length == 0:
		return List
	case t.List != nil:
		return ""
	case t.ClassLabel != nil:
		return ClassLabel
	}
	switch t.Dtype {
	case "bool":
		return Bool
	case "string", "large_string":
		return Text
	case "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64":
		return Int
	case "float16", "float32", "float64", "float", "double", "half":
		return FloatKind
	}
	if _, ok := timestampOf(t.Dtype); ok {
		return Datetime
	}
	return ""
}
