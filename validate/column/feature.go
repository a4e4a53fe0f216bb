// Package column measures the columns of a config: which features the loader gives them, how many bytes they take,
// and which values they hold.
//
// An [Observer] looks at the rows of a split, or of a run of them, and keeps a small record of every field at any
// depth. [Config] turns the observers of a config's splits into [Features], in the grammar of a card: what load_dataset
// infers from the first batch of the first split where all data fits it, else the types that hold for all data.
// [Observer.NumBytes] counts what the loader will write for a split, and [Fields] lists the fields for schema.md.
//
// [ParseFeatures] reads the features of a card; [Features.YAML] and MarshalJSON write them.
package column

import (
	"slices"
	"strings"
)

// Feature is one column in the grammar of a card's dataset_info.features.
type Feature struct {
	Name string
	Type Type
}

// Features are the columns of a config in order of first appearance. Their JSON and YAML forms are those of a card.
type Features []Feature

// Type is the type of a column or of something inside it. Exactly one of its forms is used: Dtype alone or with
// Params for a scalar, List, Struct, or ClassLabel.
type Type struct {
	// Dtype is an Arrow type name (int64, float64, bool, string, timestamp[s], null, …) or json, image, audio, …
	Dtype string
	// Params holds the parameters of a Dtype that has some, as the text of a JSON object: {"sampling_rate":16000}.
	Params string
	// List is the element type of a list; Length fixes its length when above 0, Large says that it is a large_list.
	List   *Type
	Length int
	Large  bool
	// Struct holds the fields of a struct; it is non-nil, even if empty, for a struct.
	Struct []Feature
	// ClassLabel holds the names of the label ids from 0.
	ClassLabel []string
}

// Dtypes that the loader infers from JSON and CSV.
const (
	dtypeNull      = "null"
	dtypeBool      = "bool"
	dtypeInt64     = "int64"
	dtypeUint64    = "uint64"
	dtypeFloat64   = "float64"
	dtypeString    = "string"
	dtypeTimestamp = "timestamp[s]"
	dtypeJSON      = "json"
)

// HoldsArray says that the type has an Array2D or the like in it.
func (t Type) HoldsArray() bool {
	if t.List != nil {
		return t.List.HoldsArray()
	}
	return strings.HasPrefix(t.Dtype, "array") && strings.HasSuffix(t.Dtype, "_d") ||
		slices.ContainsFunc(t.Struct, func(f Feature) bool { return f.Type.HoldsArray() })
}
