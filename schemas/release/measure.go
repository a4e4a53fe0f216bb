package release

// Measure recomputes a claimed number. Name is one of rows, distinct, count, share, sum, mean, median, min, max, std,
// bytes, sha256, files, value, cell, accuracy, f1, auroc, ece, balance and expr; which of the other fields are set
// depends on it.
type Measure struct {
	Name string
	// In are the splits whose rows are measured.
	In []SplitRef
	// Key is what distinct counts.
	Key []Path
	// Where is a CEL expression over `row` that picks rows.
	Where string
	Pos   Pos
}
