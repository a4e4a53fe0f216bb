package claim

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/claim/number"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
)

// Rows is the number of rows of a split; false when some of its files could not be read as rows.
type Rows func(*observe.Split) (int64, bool)

// Judge measures all claims, when all rows have been seen, and compares them with what was printed.
func (c *Claims) Judge(ctx context.Context, rows Rows) ([]Result, []finding.Finding, error) {
	for _, it := range c.items {
		it.printed, it.unread = number.Read(it.claim.Text, fraction(it.claim.Measure.Name))
		if err := c.measure(ctx, it, rows); err != nil {
			return nil, nil, err
		}
	}
	c.found = nil
	var results []Result
	for _, it := range c.items {
		r := c.compare(it)
		if r.Verdict == Differs {
			r.Reason = c.reason(it, rows)
		}
		r.About = c.about(it)
		results = append(results, r)
		c.report(it, &r)
	}
	c.contradictions()
	return results, c.found, nil
}

// measure measures a claim, those that it computes from first.
func (c *Claims) measure(ctx context.Context, it *item, rows Rows) error {
	if it.measured || it.busy {
		return nil
	}
	it.busy = true
	v, problem, err := c.valueOfMeasure(ctx, it, rows)
	it.value, it.problem = v, problem
	it.measured, it.busy = true, false
	return err
}

func (c *Claims) valueOfMeasure(ctx context.Context, it *item, rows Rows) (*value, string, error) {
	m := &it.claim.Measure
	switch m.Name {
	case "rows":
		return c.rows(m, rows)
	case "bytes", "files":
		sizes := c.listed(it)
		var n int64
		for _, size := range sizes {
			n += size
		}
		switch {
		case len(sizes) == 0:
			return nil, "there is no such file", nil
		case m.Name == "files":
			n = int64(len(sizes))
		}
		return &value{number: big.NewRat(n, 1)}, "", nil
	case "sha256":
		v, problem := c.hash(ctx, it)
		return v, problem, ctx.Err()
	case "value":
		v, problem := c.valueOf(it)
		return v, problem, nil
	case "cell":
		v, problem := c.cell(it)
		return v, problem, nil
	case "expr":
		return c.expr(ctx, it, m.Expr, rows)
	}
	if it.check == nil {
		return nil, "its measure cannot be applied", nil
	}
	n, problem, err := it.check.measured(ctx)
	if n == nil || problem != "" || err != nil {
		return nil, problem, err
	}
	return &value{number: n}, "", nil
}

func (c *Claims) rows(m *release.Measure, rows Rows) (*value, string, error) {
	var total int64
	splits := observe.Find(c.splits, m.In)
	for _, split := range splits {
		n, known := rows(split)
		if !known {
			return nil, fmt.Sprintf("the rows of split %s could not be counted", split.Name), nil
		}
		total += n
	}
	if len(splits) == 0 {
		return nil, "its splits are not there", nil
	}
	return &value{number: big.NewRat(total, 1)}, "", nil
}

// other finds another claim of the same list.
func (c *Claims) other(it *item, id string) *item {
	for _, o := range c.items {
		if o.repo == it.repo && o.claim.ID == id {
			return o
		}
	}
	return nil
}

// expr computes from other claims.
func (c *Claims) expr(ctx context.Context, it *item, e *release.Expr, rows Rows) (*value, string, error) {
	if e == nil {
		return nil, "its expression cannot be read", nil
	}
	switch e.Op {
	case "number":
		v, problem := numberOf(canonicalNumber(e.Text))
		return v, problem, nil
	case "claim":
		return c.used(ctx, it, e.Text, rows)
	}
	left, problem, err := c.expr(ctx, it, e.Left, rows)
	if left == nil || err != nil {
		return nil, problem, err
	}
	if e.Op == "negate" {
		return &value{number: new(big.Rat).Neg(left.number)}, "", nil
	}
	right, problem, err := c.expr(ctx, it, e.Right, rows)
	if right == nil || err != nil {
		return nil, problem, err
	}
	out := new(big.Rat)
	switch e.Op {
	case "+":
		out.Add(left.number, right.number)
	case "-":
		out.Sub(left.number, right.number)
	case "*":
		out.Mul(left.number, right.number)
	case "/":
		if right.number.Sign() == 0 {
			return nil, "it divides by zero", nil
		}
		out.Quo(left.number, right.number)
	}
	return &value{number: out}, "", nil
}

// canonicalNumber writes a number of an expression as JSON does: 1. and .5 have digits on both sides.
func canonicalNumber(text string) string {
	if strings.HasPrefix(text, ".") {
		text = "0" + text
	}
	return text
}

// used measures a claim that an expression uses.
func (c *Claims) used(ctx context.Context, it *item, id string, rows Rows) (*value, string, error) {
	o := c.other(it, id)
	if o == nil || o.busy {
		return nil, fmt.Sprintf("claim %s cannot be used", id), nil
	}
	if err := c.measure(ctx, o, rows); err != nil {
		return nil, "", err
	}
	switch {
	case o.value == nil:
		return nil, fmt.Sprintf("claim %s is not measured: %s", id, o.problem), nil
	case o.value.number == nil:
		return nil, fmt.Sprintf("claim %s measures a text", id), nil
	}
	return o.value, "", nil
}

// compare gives the verdict on a claim.
func (c *Claims) compare(it *item) Result {
	r := Result{Repo: it.repo, Claim: it.claim, Verdict: NotMeasured, Reason: it.problem}
	switch {
	case it.value == nil:
		return r
	case it.value.number == nil:
		r.Measured, r.Verdict, r.Reason = it.value.text, sameText(it.claim.Text, it.value.text), ""
		return r
	}
	r.Measured = number.Text(it.value.number, 6)
	if it.unread != nil {
		r.Reason = fmt.Sprintf("what was printed cannot be read: %v", it.unread)
		return r
	}
	r.Verdict = Differs
	for _, n := range it.inItsUnit() {
		switch fits, exactly := it.printed.Fits(n); {
		case exactly:
			r.Verdict = Agrees
			return r
		case fits:
			r.Verdict = AgreesRounded
		}
	}
	return r
}

// sameText compares a text: a hash may be shortened to eight digits at least.
func sameText(said, measured string) Verdict {
	said = strings.Trim(strings.TrimSpace(said), "`\"'")
	short := strings.TrimRight(said, "….")
	if _, err := hex.DecodeString(measured); err == nil && len(measured) == 64 && len(short) >= 8 {
		said, short = strings.ToLower(said), strings.ToLower(short)
		if strings.HasPrefix(measured, short) {
			return Agrees
		}
	}
	if said == measured {
		return Agrees
	}
	return Differs
}

// inItsUnit writes the measured number in the unit of the printed one. Where the data does not say whether it is in percent, both
// ways count.
func (it *item) inItsUnit() []*big.Rat {
	n := it.value.number
	switch {
	case it.printed.Percent && fraction(it.claim.Measure.Name):
		return []*big.Rat{hundred(n)}
	case it.printed.Percent && it.value.percent:
		return []*big.Rat{n}
	case it.printed.Percent:
		return []*big.Rat{n, hundred(n)}
	case it.value.percent:
		return []*big.Rat{n, new(big.Rat).Quo(n, big.NewRat(100, 1))}
	case it.printed.Bytes != nil:
		return []*big.Rat{new(big.Rat).Quo(n, it.printed.Bytes)}
	}
	return []*big.Rat{n}
}

func hundred(n *big.Rat) *big.Rat { return new(big.Rat).Mul(n, big.NewRat(100, 1)) }

// shown writes a measured number as it would be printed, a little more exactly.
func (it *item) shown(n *big.Rat) string {
	text := number.Text(n, max(it.printed.Decimals+2, 2))
	switch {
	case it.printed.Percent:
		return text + " %"
	case it.printed.Unit != "":
		return fmt.Sprintf("%s %s (%s bytes)", text, it.printed.Unit, number.Text(it.value.number, 0))
	}
	return text
}

// where says where the number was printed.
func (it *item) where() string {
	if it.claim.Where == "" {
		return "claim " + it.claim.ID
	}
	return it.claim.Where
}

// report says what came of a claim.
func (c *Claims) report(it *item, r *Result) {
	switch {
	case r.Verdict == Differs:
		c.reportDifference(it, r)
	case r.Verdict == NotMeasured:
		f := finding.New(finding.ClaimNotMeasured, "claim %s is not measured: %s", it.claim.ID, r.Reason)
		if it.repo != nil && it.repo.Status != release.Public || it.claim.State != "open" {
			f = f.As(finding.Note)
		}
		c.found = append(c.found, c.at(it, f.Hinting("mend the measure, or what keeps it from being applied")))
	case it.claim.State == "explained" || it.claim.State == "by-design":
		f := finding.New(finding.ClaimAgreesAgain, "claim %s is marked %s, and agrees: %s says %q, and the data %s", it.claim.ID, it.claim.State,
			it.where(), it.claim.Text, r.Measured)
		c.found = append(c.found, c.at(it, f.Hinting("mark it resolved, or take the state away")))
	}
}

func (c *Claims) reportDifference(it *item, r *Result) {
	measured := fmt.Sprintf("%q", r.Measured)
	if it.value.number != nil {
		n := it.inItsUnit()[0]
		measured = it.shown(n)
		if it.printed.Bound == number.None && it.printed.To == nil {
			measured += fmt.Sprintf(" (%s)", signed(new(big.Rat).Sub(n, it.printed.Value), it.printed.Decimals+2))
		}
	}
	text := fmt.Sprintf("claim %s differs: %s says %q, and the data %s", it.claim.ID, it.where(), it.claim.Text, measured)
	if r.Reason != "" {
		text += "; " + r.Reason
	}
	if it.claim.State == "open" || it.claim.State == "" {
		f := finding.New(finding.ClaimDiffers, "%s", text)
		c.found = append(c.found, c.at(it, f.Hinting("correct what is printed or the data, or give the claim a state and say why")))
		return
	}
	f := finding.New(finding.ClaimKnown, "%s; %s: %s", text, it.claim.State, it.claim.Why)
	c.found = append(c.found, c.at(it, f))
}

// signed writes a difference with its sign.
func signed(n *big.Rat, decimals int) string {
	text := number.Text(n, decimals)
	if n.Sign() > 0 {
		return "+" + text
	}
	return text
}

// contradictions finds claims of the same measure whose printed numbers cannot both be right.
func (c *Claims) contradictions() {
	for i, it := range c.items {
		if it.unread != nil || it.claim.Measure.Name == "" {
			continue
		}
		j := slices.IndexFunc(c.items[:i], func(o *item) bool { return o.same == it.same && o.unread == nil && apart(o, it) })
		if j < 0 {
			continue
		}
		first := c.items[j]
		measured := ""
		if it.value != nil && it.value.number != nil {
			measured = "; the data says " + number.Text(it.value.number, 6)
		}
		f := finding.New(finding.ClaimContradiction, "%s says %q (claim %s) and %s says %q (claim %s) of the same%s", first.where(), first.claim.Text,
			first.claim.ID, it.where(), it.claim.Text, it.claim.ID, measured)
		if first.claim.State != "open" || it.claim.State != "open" {
			f = f.As(finding.Note)
		}
		c.found = append(c.found, c.at(it, f.Hinting("print the same number in both places")))
	}
}

// apart says that no number is both of what was printed.
func apart(a, b *item) bool {
	scale := func(it *item, n *big.Rat) *big.Rat {
		switch {
		case n == nil:
			return nil
		case it.printed.Bytes != nil:
			return new(big.Rat).Mul(n, it.printed.Bytes)
		case it.printed.Percent:
			return new(big.Rat).Quo(n, big.NewRat(100, 1))
		}
		return n
	}
	if a.printed.Percent != b.printed.Percent && !fraction(a.claim.Measure.Name) {
		return false // one of them may be in percent without a sign
	}
	lowA, highA := a.printed.Interval()
	lowB, highB := b.printed.Interval()
	lowA, highA, lowB, highB = scale(a, lowA), scale(a, highA), scale(b, lowB), scale(b, highB)
	if whole(a.claim.Measure.Name) { // 11 ± 0.5 and 12 ± 0.5 do not meet where only whole numbers count
		return below(highA, lowB, false) || below(highB, lowA, false)
	}
	return below(highA, lowB, true) || below(highB, lowA, true)
}

// whole says that a measure gives whole numbers.
func whole(measure string) bool {
	switch measure {
	case "rows", "distinct", "count", "bytes", "files":
		return true
	}
	return false
}

// below says that one end is below another one, or meets it where that is not enough.
func below(high, low *big.Rat, strictly bool) bool {
	if high == nil || low == nil {
		return false
	}
	if c := high.Cmp(low); c != 0 || strictly {
		return c < 0
	}
	return !high.IsInt()
}
