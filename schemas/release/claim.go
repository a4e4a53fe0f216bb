package release

// Claim is a number someone printed, with the measure that recomputes it.
type Claim struct {
	ID string
	// Text is what was printed, with the words around it; Where says in what paper, table or page.
	Text, Where string
	Measure     Measure
	// State is open, explained, by-design or resolved; Why gives the reason for any but open.
	State, Why string
	Pos        Pos
}

// Measure recomputes a claimed number. Name is "" for one with faults, which were found when hfpub.yaml was read, else one of rows, distinct, count, share, sum, mean, median, min, max, std,
// bytes, sha256, files, value, cell, accuracy, f1, auroc, ece, balance and expr; which of the other fields are set
// depends on it.
type Measure struct {
	Name string
	// In are the splits whose rows (files, for bytes and files) are measured, together.
	In []SplitRef
	// Where is a CEL expression over `row` that picks rows.
	Where    string
	WherePos Pos
	// Key is what distinct counts.
	Key []Path
	// Value is the number that sum, mean, median, min, max and std are taken of.
	Value Path
	// By and Equal are the field whose balance is measured and the value whose share it is.
	By    Path
	Equal *Scalar
	// Label, Prediction and Score are the fields that accuracy, f1, auroc and ece compare; Positive is the value of
	// the positive class, Bins the number of bins of ece (0: 15).
	Label, Prediction, Score Path
	Positive                 *Scalar
	Bins                     int64
	// Files are patterns of files, relative to the repo's root, for bytes and files.
	Files []string
	// File is the one file that sha256, value and cell look into, relative to the repo's root.
	File string
	// Pointer leads to value's number in the JSON file; it has no stars.
	Pointer string
	// Column and Row pick a cell of a CSV file: the column by its name, the row by the values of other columns.
	Column string
	Row    []Cell
	// Expr computes from other claims of the same list.
	Expr *Expr
	Pos  Pos
}

// Cell is a column of a CSV file and the text it has.
type Cell struct{ Column, Text string }
