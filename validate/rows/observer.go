package rows

// Observer looks at every row of a split once. Everything hfpub knows about data is one: shape, columns, digests,
// rules. A split's rows may be shown to several observers of one kind, each seeing a run of consecutive rows, and
// merged afterwards in file order; the result must not depend on where the runs were cut.
type Observer interface {
	// Observe looks at one row. The row and everything it points to is valid only until Observe returns.
	Observe(*Row)
	// Merge takes over what next, an observer of the same kind, saw in the rows that follow the receiver's.
	Merge(next Observer)
}

// RunObserver is an observer that can be shown many rows at once. ObserveRun does what Observe does for each of them in their order;
// the run is valid only until it returns.
type RunObserver interface {
	Observer
	ObserveRun(*Run)
}
