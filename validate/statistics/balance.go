package statistics

// Balance says how the labels of one column are distributed over the rows of a split.
type Balance struct {
	Column string
	// Kind is ClassLabel, Label, Bool or Int.
	Kind Kind
	// Labels are the labels with the number of their rows: class labels in the order of their ids, those without rows too; texts
	// from the most frequent on; False before True; whole numbers in growing order.
	Labels []LabelCount
	// Rows counts the rows that have a label, Missing those in which the column is null or has the id -1.
	Rows, Missing int64
}

// Balances lists the columns of a split that can be read as labels: class labels, truth values, few distinct texts and few
// distinct whole numbers, with at most so many labels each. Columns of texts and numbers in which nearly every row has a label
// of its own (fewer than two rows for a label on average) are left out: those are ids. The order is that of columns.
//
//	for _, b := range statistics.Balances(split.Statistics, 12) {
//		for _, l := range b.Labels {
//			fmt.Printf("%s %s: %d of %d\n", b.Column, l.Label, l.Count, b.Rows)
//		}
//	}
func Balances(columns []Column, most int) []Balance {
	var out []Balance
	for _, c := range columns {
		b := Balance{Column: c.Name, Kind: c.Kind, Labels: c.few, Missing: c.Values.Missing()}
		switch v := c.Values.(type) {
		case *Labels:
			b.Labels = v.Frequencies
			b.Missing += v.NoLabelCount
		case *Truths:
			b.Labels = v.Frequencies
		}
		for _, l := range b.Labels {
			b.Rows += l.Count
		}
		ids := (c.Kind == Label || c.Kind == Int) && b.Rows < 2*int64(len(b.Labels))
		if len(b.Labels) > 0 && len(b.Labels) <= most && !ids {
			out = append(out, b)
		}
	}
	return out
}
