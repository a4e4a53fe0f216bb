package release

// Path is a JSON Pointer into a row in which `*` stands for every element of an array or object: /a/*/b.
type Path string

// SplitRef names a split: `split`, `config/split` or `repo#config/split`. Parts that are not written are "".
type SplitRef struct {
	Repo, Config, Split string
	Pos                 Pos
}

// Scalar is a JSON value that is no object or array, kept as it was written: 0, "0" and 0.0 are three scalars.
type Scalar struct {
	// Kind is string, number, boolean or null.
	Kind string
	Text string
}

// Rule is a declared invariant. Kind is its one key: unique, disjoint, reference, subset, determines, counts, sorted or
// when; the field of the same name holds its arguments, the others are nil.
type Rule struct {
	Kind       string
	Unique     *Unique
	Disjoint   *Disjoint
	Reference  *Reference
	Subset     *Subset
	Determines *Determines
	Counts     *Counts
	Sorted     *Sorted
	When       *When
	Pos        Pos
}

// Unique says that no two rows of the splits, taken together, have the same key.
type Unique struct {
	In        []SplitRef
	Key       []Path
	Normalize []string
}

// Disjoint says that no key occurs in two of the splits.
type Disjoint struct {
	Between   []SplitRef
	Key       []Path
	Normalize []string
}

// Reference says how often each key of From occurs in To: exactly, at least or at most so many times. At least once
// when none of the three is given.
type Reference struct {
	From, To                 End
	Exactly, AtLeast, AtMost *int64
}

// End is one side of a reference.
type End struct {
	In  []SplitRef
	Key []Path
}

// Subset says that every key of In occurs in Of.
type Subset struct {
	In, Of    []SplitRef
	Key       []Path
	Normalize []string
}

// Determines says that rows with the same key have the same value.
type Determines struct {
	In         []SplitRef
	Key, Value []Path
}

// Counts says how many rows have each value of By.
type Counts struct {
	In    []SplitRef
	By    Path
	Equal []ValueCount
}

// ValueCount is a value and the number of rows that have it.
type ValueCount struct {
	Value Scalar
	Rows  int64
}

// Sorted says that the values of By never go back, from row to row within each split.
type Sorted struct {
	In []SplitRef
	By Path
	// Order lists the values from first to last; without it Descending tells the direction.
	Order      []Scalar
	Descending bool
}

// When says that rows for which Condition holds must meet Must. Both are CEL expressions over `row`; they are kept as
// text here.
type When struct {
	// In is empty when the rule is about all splits of the repo.
	In              []SplitRef
	Condition, Must string
}
