package claim

import (
	"fmt"
	"math/big"
	"path"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/claim/number"
	"github.com/hfpub/hfpub/validate/observe"
)

// reason looks for the likely reason why a claim differs; "" when there is none to be seen.
func (c *Claims) reason(it *item, rows Rows) string {
	if it.value == nil || it.value.number == nil || it.printed.Bound != number.None {
		return "" // some other unit, split or subset is on the right side of any bound
	}
	for _, look := range []func(*item, Rows) string{c.otherUnit, c.otherScale, c.cutOff, c.otherRows, c.otherForm, c.otherAverage, c.otherClaim, c.otherSubset, c.lastDigit} {
		if why := look(it, rows); why != "" {
			return why
		}
	}
	return ""
}

// gives says that a number, in the unit of the measure, would have been printed as it was.
func (it *item) gives(n *big.Rat) bool {
	other := *it
	other.value = &value{number: n, percent: it.value.percent}
	return slices.ContainsFunc(other.inItsUnit(), func(n *big.Rat) bool {
		fits, _ := it.printed.Fits(n)
		return fits
	})
}

var units = []struct {
	name  string
	bytes int64
}{{"B", 1}, {"kB", 1000}, {"KiB", 1 << 10}, {"MB", 1e6}, {"MiB", 1 << 20}, {"GB", 1e9}, {"GiB", 1 << 30}, {"TB", 1e12}, {"TiB", 1 << 40}}

// otherUnit tries other units of size: MB for MiB above all, and the number taken over from one to the other.
func (c *Claims) otherUnit(it *item, _ Rows) string {
	if it.printed.Bytes == nil {
		return ""
	}
	printed := it.printed
	for _, u := range units {
		if fits, _ := printed.Fits(new(big.Rat).Quo(it.value.number, big.NewRat(u.bytes, 1))); fits {
			return fmt.Sprintf("likely a mix-up of units: it is %s %s and %s %s", it.sizeIn(u.bytes), u.name,
				number.Text(new(big.Rat).Quo(it.value.number, printed.Bytes), printed.Decimals), printed.Unit)
		}
	}
	// The number is right in the one unit of what is wrong in the other: 24.5 MiB said to be 24.5 MB, and taken for 25.7.
	for _, factor := range []*big.Rat{big.NewRat(1<<20, 1e6), big.NewRat(1<<10, 1000), big.NewRat(1<<30, 1e9)} {
		for _, f := range []*big.Rat{factor, new(big.Rat).Inv(factor)} {
			n := new(big.Rat).Quo(it.value.number, printed.Bytes)
			if fits, _ := printed.Fits(n.Mul(n, f)); fits {
				return fmt.Sprintf("likely a mix-up of units: %s differs from %s as MiB (2^20 bytes) does from MB (10^6 bytes)", printed.Text,
					it.shown(it.inItsUnit()[0]))
			}
		}
	}
	return ""
}

func (it *item) sizeIn(bytes int64) string {
	return number.Text(new(big.Rat).Quo(it.value.number, big.NewRat(bytes, 1)), it.printed.Decimals)
}

// otherScale tries percent for share, and thousands.
func (c *Claims) otherScale(it *item, _ Rows) string {
	for _, try := range []struct {
		by   *big.Rat
		text string
	}{
		{big.NewRat(100, 1), "likely printed in percent without the sign"},
		{big.NewRat(1, 100), "likely a share that was printed with the sign of percent"},
		{big.NewRat(1000, 1), "likely off by a factor of a thousand"},
		{big.NewRat(1, 1000), "likely off by a factor of a thousand"},
	} {
		if it.value.number.Sign() != 0 && it.printed.Value.Sign() != 0 && it.gives(new(big.Rat).Mul(it.value.number, try.by)) {
			return try.text
		}
	}
	if fraction(it.claim.Measure.Name) {
		if rest := new(big.Rat).Sub(big.NewRat(1, 1), it.value.number); it.gives(rest) {
			if it.claim.Measure.Name == "auroc" {
				return "likely the scores of the other class"
			}
			return "likely the share of the others"
		}
	}
	return ""
}

// cutOff tries digits that were cut off instead of rounded.
func (c *Claims) cutOff(it *item, _ Rows) string {
	for _, n := range it.inItsUnit() {
		steps := new(big.Rat).Quo(n, it.printed.Step)
		down := new(big.Int).Quo(steps.Num(), steps.Denom()) // towards zero
		if cut := new(big.Rat).Mul(new(big.Rat).SetInt(down), it.printed.Step); cut.Cmp(it.printed.Value) == 0 && it.printed.Bound == number.None {
			return fmt.Sprintf("likely cut off instead of rounded: %s", it.shown(n))
		}
	}
	return ""
}

// otherRows tries other splits, all of them, single files, and the header lines of CSV files.
func (c *Claims) otherRows(it *item, rows Rows) string {
	m := &it.claim.Measure
	if m.Name != "rows" && m.Name != "count" {
		return ""
	}
	mine := observe.Find(c.splits, m.In)
	if m.Name == "rows" {
		headers, total := int64(0), it.value.number
		for _, split := range mine {
			for _, file := range split.Files {
				if ext := path.Ext(strings.TrimSuffix(strings.TrimSuffix(file, ".gz"), ".zst")); ext == ".csv" || ext == ".tsv" {
					headers++
				}
			}
		}
		if headers > 0 && it.gives(new(big.Rat).Add(total, big.NewRat(headers, 1))) {
			return "likely the lines of the CSV files, the header lines among them"
		}
		if headers > 0 && it.gives(new(big.Rat).Sub(total, big.NewRat(headers, 1))) {
			return "likely a row of each CSV file taken for its header line"
		}
	}
	all := int64(0)
	known := true
	for _, split := range c.splits {
		n, ok := rows(split)
		known = known && ok
		if len(mine) == 0 || split.Repo != mine[0].Repo {
			continue
		}
		all += n
		if ok && !slices.Contains(mine, split) && it.gives(big.NewRat(n, 1)) {
			return fmt.Sprintf("likely another split: %s has %d rows", nameOf(split), n)
		}
		if ok && len(mine) > 1 && slices.Contains(mine, split) && it.gives(big.NewRat(n, 1)) {
			return fmt.Sprintf("likely split %s alone, which has %d rows", nameOf(split), n)
		}
	}
	if known && it.gives(big.NewRat(all, 1)) {
		return fmt.Sprintf("likely all splits together, which have %d rows", all)
	}
	if it.check != nil && it.check.result != nil && it.gives(big.NewRat(it.check.result.all, 1)) {
		return "likely all rows, not only those that where picks"
	}
	return ""
}

func nameOf(split *observe.Split) string {
	if len(split.Repo.Configs) > 1 {
		return split.Config.Name + "/" + split.Name
	}
	return split.Name
}

// otherForm tries other definitions of the same measure.
func (c *Claims) otherForm(it *item, _ Rows) string {
	if why := c.weighted(it); why != "" {
		return why
	}
	if it.check == nil || it.check.result == nil {
		return ""
	}
	o := it.check.result
	switch it.claim.Measure.Name {
	case "std":
		if it.gives(o.deviation(o.values)) {
			return "likely the deviation of a whole population, with n and not n-1 as its divisor"
		}
	case "f1":
		others := new(big.Rat)
		negatives := o.rows - o.positives - o.predicted + o.hits // rightly said not to be of the class
		if d := o.rows - o.positives + o.rows - o.predicted; d > 0 {
			others.SetFrac64(2*negatives, d)
		}
		if it.gives(others) {
			return "likely the F1 of the other class"
		}
		macro := new(big.Rat).Add(it.value.number, others)
		if it.gives(macro.Quo(macro, big.NewRat(2, 1))) {
			return "likely the macro mean of the F1 of both classes"
		}
		if o.rows > 0 && it.gives(big.NewRat(o.hits+negatives, o.rows)) {
			return "likely the micro mean over both classes, which is the accuracy"
		}
	case "distinct":
		if it.gives(big.NewRat(o.keys, 1)) {
			return fmt.Sprintf("likely all values, repeats among them: there are %d", o.keys)
		}
	}
	return ""
}

// weighted tries, for a mean of claims that are means over rows, the mean over all those rows.
func (c *Claims) weighted(it *item) string {
	e := it.claim.Measure.Expr
	if meanOf(it.claim) == "" || e == nil {
		return ""
	}
	all := &cell{sum: total{}}
	measure := ""
	for _, id := range e.Left.Claims() {
		part := c.other(it, id)
		if part == nil || part.check == nil || part.check.result == nil || !averages(part.claim.Measure.Name) || measure != "" && part.claim.Measure.Name != measure {
			return ""
		}
		measure = part.claim.Measure.Name
		one := part.check.result.cell()
		all.n += one.n
		all.hits += one.hits
		all.sum.merge(one.sum)
	}
	if n := all.value(measure); n != nil && it.gives(n) {
		return fmt.Sprintf("likely another average: this is %s, and the plain (micro) mean over their %d rows is %s", meanOf(it.claim), all.n, number.Text(n, 6))
	}
	return ""
}

// otherClaim looks for a claim whose measure gives what was printed: another average of the same, say.
func (c *Claims) otherClaim(it *item, _ Rows) string {
	for _, o := range c.items {
		if o == it || o.same == it.same || o.value == nil || o.value.number == nil || fraction(o.claim.Measure.Name) != fraction(it.claim.Measure.Name) {
			continue
		}
		if !it.gives(o.value.number) || it.printed.Decimals < 2 && !telling(it.printed.Value) {
			continue
		}
		mine, theirs := meanOf(it.claim), meanOf(o.claim)
		if mine != "" && theirs != "" {
			return fmt.Sprintf("likely another average: this is %s, and %s of claim %s gives %s", mine, theirs, o.claim.ID, number.Text(o.value.number, 6))
		}
		return fmt.Sprintf("the measure of claim %s gives %s", o.claim.ID, number.Text(o.value.number, 6))
	}
	return ""
}

// telling says that a number is large enough not to be met by chance.
func telling(n *big.Rat) bool { return n.Cmp(big.NewRat(20, 1)) >= 0 }

// meanOf says that a claim is measured by a mean: a plain one over rows, or one over other claims in which each weighs the same or as
// much as it is multiplied with; "" for others.
func meanOf(c *release.Claim) string {
	switch c.Measure.Name {
	case "mean":
		return "the plain (micro) mean over all rows"
	case "expr":
		e := c.Measure.Expr
		if e == nil || e.Op != "/" {
			return ""
		}
		if terms := weightedSum(e.Left); terms > 1 {
			return fmt.Sprintf("the plain (micro) mean of %d numbers, each with its weight", terms)
		}
		if e.Right.Op != "number" {
			return ""
		}
		terms := sumOf(e.Left)
		if terms > 1 && e.Right.Text == fmt.Sprint(terms) {
			return fmt.Sprintf("the balanced (macro) mean of %d numbers (%s)", terms, commonOf(e.Left.Claims()))
		}
	}
	return ""
}

// sumOf is the number of claims that are added up; 0 when something else is.
func sumOf(e *release.Expr) int {
	switch {
	case e.Op == "claim":
		return 1
	case e.Op == "+":
		left, right := sumOf(e.Left), sumOf(e.Right)
		if left > 0 && right > 0 {
			return left + right
		}
	}
	return 0
}

// weightedSum is the number of claims that are added up, each times a number or another claim; 0 when something else is.
func weightedSum(e *release.Expr) int {
	switch e.Op {
	case "*":
		return 1
	case "+":
		left, right := weightedSum(e.Left), weightedSum(e.Right)
		if left > 0 && right > 0 {
			return left + right
		}
	}
	return 0
}

// commonOf names claims by the beginning that they share, or by the first and the last.
func commonOf(ids []string) string {
	first, last := ids[0], ids[len(ids)-1]
	return first + " … " + last
}

// lastDigit tries a number that was rounded twice, or off by one.
func (c *Claims) lastDigit(it *item, _ Rows) string {
	if it.printed.Bound != number.None || it.printed.Decimals == 0 {
		return ""
	}
	for _, n := range it.inItsUnit() {
		off := new(big.Rat).Sub(n, it.printed.Value)
		off.Abs(off)
		if off.Cmp(it.printed.Step) <= 0 {
			return "likely rounded twice: it is off by less than one in the last digit"
		}
	}
	return ""
}
