// Package column measures the columns of a config: which features the loader would give them, and statistics.
package column

// Feature is one column in the grammar of a card's dataset_info.features.
type Feature struct {
	Name string
	Type Type
}

// Features are the columns of a config in order of first appearance. Their JSON and YAML forms are those of a card.
type Features []Feature

// Type is the type of a column or of something inside it. Exactly one of its forms is used: Dtype alone for a
// scalar, List, Struct, or ClassLabel.
type Type struct {
	// Dtype is an Arrow type name (int64, float64, bool, string, timestamp[s], null, …) or json, image, audio, …
	Dtype string
	// List is the element type of a list; Length fixes its length when above 0.
	List   *Type
	Length int
	// Struct holds the fields of a struct; it is non-nil, even if empty, for a struct.
	Struct []Feature
	// ClassLabel holds the names of the label ids from 0.
	ClassLabel []string
}
