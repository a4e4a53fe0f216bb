package digest

import (
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/sha256pair"
)

// ObserveRun takes in rows that were read together.
func (o *Observer) ObserveRun(run *rows.Run) {
	o.rows += int64(run.Rows)
	o.canon.addRun(&o.batch, run)
	o.bound()
}

// addRun adds the canonical bytes of rows that were read together to a batch. Room is made once for all of them.
func (c *canon) addRun(to *sha256pair.Batch, run *rows.Run) {
	c.begin(run.Doc)
	c.out, c.most = to.Begin(), len(run.Doc.Text)+run.Rows*sha256pair.MostAdded
	n := len(c.out)
	c.room(n)
	o := c.orderOf(n, 0)
	for node := 0; node < len(run.Doc.Nodes); node += run.Stride {
		n = c.flat(n, node, node+run.Stride, o) - len(",")
		to.End(c.out[:n])
		n = to.Size()
	}
	c.out = nil
}
