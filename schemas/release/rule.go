package release

// Path is a JSON Pointer into a row in which `*` stands for every element of an array or object: /a/*/b. The empty Path is
// the row itself.
type Path string

// SplitRef names a split: `split`, `config/split` or `repo#config/split`. In a [Release] without errors all three parts
// are filled in and lead to a split that is there.
type SplitRef struct {
	Repo, Config, Split string
	Pos                 Pos
}

// same says that both name one split, whatever the places of the names.
func (r SplitRef) same(other SplitRef) bool {
	return r.Repo == other.Repo && r.Config == other.Config && r.Split == other.Split
}

// Kind is the type of a JSON value that is no object or array.
type Kind string

// The kinds of scalars.
const (
	String  Kind = "string"
	Number  Kind = "number"
	Boolean Kind = "boolean"
	Null    Kind = "null"
)

// Scalar is a JSON value that is no object or array. Text is the content of a string, and else the JSON text as written, so
// that numbers keep all their digits.
type Scalar struct {
	Kind Kind
	Text string
}

// Rule is a declared invariant. Kind is its one key: unique, disjoint, reference, subset, determines, counts, sorted,
// when or near_duplicates; the field of the same name holds its arguments, the others are nil.
type Rule struct {
	Kind           string
	Unique         *Unique
	Disjoint       *Disjoint
	Reference      *Reference
	Subset         *Subset
	Determines     *Determines
	Counts         *Counts
	Sorted         *Sorted
	When           *When
	NearDuplicates *NearDuplicates
	Pos            Pos
}

// Unique says that no two rows of the splits, taken together, have the same key.
type Unique struct {
	In  []SplitRef
	Key []Path
	// Normalize lists what is done to texts before they are compared: nfkc, casefold, spaces, punctuation.
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

// ValueCount is a value and the number of rows that have it. The key of a YAML mapping is plain (0, true) for a number or
// boolean, quoted ("0") for a string.
type ValueCount struct {
	Value Scalar
	Rows  int64
}

// Sorted says that the values of By never go back, from row to row within each split.
type Sorted struct {
	In []SplitRef
	By Path
	// Order lists the values from first to last; without it values ascend, or descend where Descending is set.
	Order      []Scalar
	Descending bool
}

// When says that rows for which Condition holds must meet Must. Both are CEL expressions over `row`; they are kept as
// text here.
type When struct {
	// In is empty when the rule is about all splits of the repo.
	In                    []SplitRef
	Condition, Must       string
	ConditionPos, MustPos Pos
}

// NearDuplicates says that no two rows have nearly the same texts: of the splits of In, taken together, or of two different
// splits of Between. One of the two is empty.
type NearDuplicates struct {
	In, Between []SplitRef
	// Key are the fields whose texts are compared, together.
	Key []Path
	// Threshold is the Jaccard similarity, above 0 and up to 1, from which on texts are nearly the same.
	Threshold float64
	// Shingle is the number of words in a row that a text is compared by, Permutations the length of a MinHash signature, Bands
	// the number of bands that it is cut into (0: as many as the threshold needs), and Seed that of its hashes.
	Shingle, Permutations, Bands, Seed int64
}
