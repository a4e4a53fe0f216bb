package column

// Reuse makes the observer ready for other rows, which will be merged into the same observer as those that it saw, behind them. Blocks
// of rows are much alike: the fields and all that merging twice does not change (extremes, examples, texts that were counted) stay
// as they are known to be there, and only what is added up begins anew. It is false when that cannot be: then a new observer is
// to be made.
func (o *Observer) Reuse() bool {
	if o.root == nil || o.batches == 0 {
		return false
	}
	o.root.forget()
	*o = Observer{root: o.root, reused: true, text: o.text}
	return true
}

// forget leaves of a field what [Observer.Reuse] keeps.
func (f *field) forget() {
	f.head, f.tail, f.sum = batch{}, batch{}, sums{}
	f.inventory.forget()
	for _, m := range f.members {
		m.forget()
	}
	if f.element != nil {
		f.element.forget()
	}
}

func (v *inventory) forget() {
	v.counts = [kindCount]int64{}
	v.cells = 0
	v.values.forget()
	v.missings.forget()
}
