package release

// Claim is a number someone printed, with the measure that recomputes it.
type Claim struct {
	ID, Text, Where string
	Measure         Measure
	// State is open, explained, by-design or resolved; Why gives the reason for any but open.
	State, Why string
	Pos        Pos
}
