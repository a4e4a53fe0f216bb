package claim

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math/big"
	"slices"

	"github.com/hfpub/hfpub/validate/claim/number"
	"github.com/hfpub/hfpub/validate/field"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

const (
	// maxMembers is the number of members of a row, and of all rows together, beyond which rows are not grouped.
	maxMembers = 64
	// maxGroups is the number of values beyond which a field groups nothing.
	maxGroups = 32
	// maxValue is the length of the canonical bytes beyond which a value is no group.
	maxValue = 64
)

// groups measures the rows of each value of each field that has few: where a number differs, it may be that of some rows only, or
// a mean in which every group weighs the same. A field is nil when it has too many values, and all is off when there are too many
// fields: both whatever the order of the rows.
type groups struct {
	fields map[string]map[string]*cell
	off    bool
	key    []byte
}

// cell is what the rows of a group show: how many there are, how many of them count, and the sum of their numbers.
type cell struct {
	n, hits int64
	sum     total
}

func newGroups() *groups { return &groups{fields: map[string]map[string]*cell{}} }

// add counts a row into its groups; n, hits and numbers are what it adds to the measure.
func (g *groups) add(row *rows.Row, n, hits int64, numbers total) {
	root := row.Doc.Root()
	if g.off || root.Kind() != tape.Object {
		return
	}
	if root.Len() > maxMembers {
		g.turnOff()
		return
	}
	for member, v := range root.Members() {
		name := member.Raw()
		if member.Escaped() {
			name = member.AppendText(nil)
		}
		values, known := g.fields[string(name)]
		if known && values == nil {
			continue
		}
		if g.key = g.groupOf(row, v); len(g.key) == 0 {
			g.fields[string(name)] = nil
			continue
		}
		if !known {
			values = map[string]*cell{}
			g.fields[string(name)] = values
		}
		one := values[string(g.key)]
		if one == nil {
			if len(values) == maxGroups {
				g.fields[string(name)] = nil
				continue
			}
			one = &cell{sum: total{}}
			values[string(g.key)] = one
		}
		one.n += n
		one.hits += hits
		one.sum.merge(numbers)
	}
	if len(g.fields) > maxMembers {
		g.turnOff()
	}
}

// groupOf is the value of a field by its canonical bytes; empty for one that is no group.
func (g *groups) groupOf(row *rows.Row, v tape.Value) []byte {
	if v.Kind() >= tape.Array || len(v.Raw()) > maxValue {
		return nil
	}
	key := field.AppendCanonical(g.key[:0], row, v)
	if len(key) > maxValue || key[0] != '"' && key[0] <= '9' && bytes.ContainsAny(key, ".e") {
		return nil // a long text, or a number that is no whole one
	}
	return key
}

func (g *groups) turnOff() { g.off, g.fields = true, nil }

func (g *groups) merge(next *groups) {
	if g.off || next.off {
		g.turnOff()
		return
	}
	for name, theirs := range next.fields {
		mine, known := g.fields[name]
		switch {
		case theirs == nil || known && mine == nil:
			g.fields[name] = nil
			continue
		case !known:
			g.fields[name] = theirs
			continue
		}
		for value, c := range theirs {
			if mine[value] == nil {
				mine[value] = &cell{sum: total{}}
			}
			mine[value].n += c.n
			mine[value].hits += c.hits
			mine[value].sum.merge(c.sum)
		}
		if len(mine) > maxGroups {
			g.fields[name] = nil
		}
	}
	if len(g.fields) > maxMembers {
		g.turnOff()
	}
}

func (g *groups) write(w *record.Writer) {
	w.Bool(g.off)
	w.Uint(uint64(len(g.fields)))
	for _, name := range slices.Sorted(maps.Keys(g.fields)) {
		values := g.fields[name]
		w.Text(name)
		w.Bool(values != nil)
		w.Uint(uint64(len(values)))
		for _, value := range slices.Sorted(maps.Keys(values)) {
			w.Text(value)
			w.Uint(uint64(values[value].n))
			w.Uint(uint64(values[value].hits))
			values[value].sum.write(w)
		}
	}
}

func (g *groups) read(r *record.Reader) {
	g.off = r.Bool()
	for range r.Count(maxMembers) {
		name := r.Text()
		var values map[string]*cell
		if r.Bool() {
			values = map[string]*cell{}
		}
		for range r.Count(maxGroups) {
			value := r.Text()
			c := &cell{n: int64(r.Uint() & (1<<48 - 1)), hits: int64(r.Uint() & (1<<48 - 1)), sum: total{}}
			c.sum.read(r)
			if values == nil {
				r.Fail()
				return
			}
			values[value] = c
		}
		if !g.off {
			g.fields[name] = values
		}
	}
}

// averages says that a measure is a mean of what rows add to it.
func averages(measure string) bool {
	switch measure {
	case "mean", "share", "accuracy", "balance":
		return true
	}
	return false
}

// counted says that a measure counts rows.
func counted(measure string) bool { return measure == "rows" || measure == "count" }

// value is the measure over the rows of a group; nil when there are none.
func (c *cell) value(measure string) *big.Rat {
	switch {
	case counted(measure):
		return big.NewRat(c.n, 1)
	case measure == "sum":
		return c.sum.rat()
	case c.n == 0:
		return nil
	case measure == "mean":
		v := c.sum.rat()
		return v.Quo(v, big.NewRat(c.n, 1))
	}
	return big.NewRat(c.hits, c.n)
}

// balanced is the mean of groups in which each weighs the same; nil when there are fewer than two.
func balanced(measure string, cells []*cell) *big.Rat {
	sum, n := new(big.Rat), int64(0)
	for _, c := range cells {
		if v := c.value(measure); v != nil {
			sum.Add(sum, v)
			n++
		}
	}
	if n < 2 {
		return nil
	}
	return sum.Quo(sum, big.NewRat(n, 1))
}

// otherAverage tries means in which splits, or the values of a field, weigh the same.
func (c *Claims) otherAverage(it *item, _ Rows) string {
	measure := it.claim.Measure.Name
	if !averages(measure) || it.check == nil || it.check.result == nil {
		return ""
	}
	if n := balanced(measure, it.check.bySplit); n != nil && it.gives(n) {
		return fmt.Sprintf("likely another average: this is the plain (micro) mean over all rows, and the balanced (macro) mean of the %d splits is %s",
			len(it.check.bySplit), number.Text(n, 6))
	}
	for name, values := range it.check.grouped() {
		if n := balanced(measure, slices.Collect(maps.Values(values))); n != nil && it.gives(n) {
			return fmt.Sprintf("likely another average: this is the plain (micro) mean over all rows, and the balanced (macro) mean over the %d values of %s is %s",
				len(values), name, number.Text(n, 6))
		}
	}
	return ""
}

// otherSubset tries the rows that have one value of a field, and, for counts, all others.
func (c *Claims) otherSubset(it *item, _ Rows) string {
	measure := it.claim.Measure.Name
	if it.check == nil || it.check.result == nil || it.printed.Decimals < 2 && !telling(it.printed.Value) {
		return ""
	}
	others := ""
	for name, values := range it.check.grouped() {
		for _, value := range slices.Sorted(maps.Keys(values)) {
			one := values[value]
			if n := one.value(measure); n != nil && one.n > 0 && it.gives(n) {
				return fmt.Sprintf("likely a subset: the rows whose %s is %s give %s", name, value, number.Text(n, 6))
			}
			if rest := new(big.Rat).Sub(it.value.number, big.NewRat(one.n, 1)); others == "" && counted(measure) && one.n > 0 && it.gives(rest) {
				others = fmt.Sprintf("likely a subset: the rows whose %s is not %s are %s", name, value, number.Text(rest, 6))
			}
		}
	}
	return others
}

// grouped gives the fields that group rows, without the one that is measured: those of texts and truth values, which are likely to
// be meant as groups, then those of numbers, each in the order of their names.
func (c *check) grouped() iter.Seq2[string, map[string]*cell] {
	return func(yield func(string, map[string]*cell) bool) {
		fields := c.result.groups.fields
		ofNumbers := func(name string) int {
			for value := range fields[name] {
				if value[0] <= '9' && value[0] != '"' {
					return 1
				}
			}
			return 0
		}
		names := slices.SortedFunc(maps.Keys(fields), func(a, b string) int { return cmp.Or(ofNumbers(a)-ofNumbers(b), cmp.Compare(a, b)) })
		for _, name := range names {
			measured := "/" + tape.EscapeToken(name)
			if measured != string(c.measure.Value) && measured != string(c.measure.By) && !yield(name, fields[name]) {
				return
			}
		}
	}
}
