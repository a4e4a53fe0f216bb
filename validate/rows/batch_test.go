package rows

import "testing"

func TestBatchesEndAtTheLineThatPassesTheirSize(t *testing.T) {
	tests := map[string]struct {
		ends []int64
		want []int
	}{
		"a short file is one batch":                   {[]int64{10, 20, 30}, []int{0, 0, 0}},
		"a line across the size belongs to its batch": {[]int64{batchSize - 1, batchSize + 1, batchSize + 2}, []int{0, 0, 1}},
		// read(10 MiB) stops exactly behind the line feed, and readline() then takes one more line.
		"a line that ends at the size takes the next one along": {[]int64{batchSize, batchSize + 5, batchSize + 9}, []int{0, 0, 1}},
		"the next batch counts from where the last one ended": {
			[]int64{batchSize + 100, 2*batchSize + 100, 2*batchSize + 101, 2*batchSize + 102}, []int{0, 1, 1, 2},
		},
		"a line longer than a batch is a batch": {[]int64{3 * batchSize, 3*batchSize + 1}, []int{0, 1}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var b Batches
			for i, end := range test.ends {
				if got := b.Line(end); got != test.want[i] {
					t.Errorf("the line that ends at %d is in batch %d, want %d", end, got, test.want[i])
				}
			}
		})
	}
}
