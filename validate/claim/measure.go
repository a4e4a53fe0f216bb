package claim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/condition"
	"github.com/hfpub/hfpub/validate/field"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/fingerprint"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// check measures rows.
type check struct {
	measure *release.Measure
	splits  []*observe.Split
	opt     observe.Options
	where   *condition.Condition

	key                             *field.Key
	value, label, prediction, score field.Path
	// positive are the canonical bytes of the value of the positive class, or of the value that balance counts.
	positive []byte

	// result is what the rows of all splits showed, and its logs; whole says that all rows were seen.
	result *observer
	logs   []*fingerprint.Log
	whole  bool
	// bySplit is what the rows of each split showed.
	bySplit []*cell
}

func newCheck(m *release.Measure, splits []*observe.Split, opt observe.Options) *check {
	c := &check{measure: m, splits: splits, opt: opt, value: field.Compile(m.Value), label: field.Compile(m.Label),
		prediction: field.Compile(m.Prediction), score: field.Compile(m.Score)}
	if len(m.Key) > 0 {
		c.key = field.NewKey(m.Key, nil)
	}
	if m.Name == "balance" {
		c.label = field.Compile(m.By)
	}
	for _, scalar := range []*release.Scalar{m.Positive, m.Equal} {
		if scalar != nil {
			c.positive = field.AppendScalar(nil, *scalar)
		}
	}
	return c
}

// Observer implements observe.Check.
func (c *check) Observer(split *observe.Split) observe.Observer {
	if !slices.Contains(c.splits, split) {
		return nil
	}
	return c.newObserver(split)
}

func (c *check) newObserver(split *observe.Split) *observer {
	o := &observer{check: c, split: split, sum: total{}, squares: total{}, row: total{}, groups: newGroups(), faults: finding.Set{MaxPlaces: c.opt.MaxPlaces}, log: c.opt.Keys.NewLog()}
	if c.key != nil {
		o.key = c.key.Clone()
	}
	return o
}

// Finish implements observe.Check.
func (c *check) Finish(_ context.Context, seen []observe.Seen, say *observe.Findings) error {
	c.result = c.newObserver(nil)
	c.whole = true
	for _, s := range seen {
		o := s.Observer.(*observer)
		say.Merge(s.Split, &o.faults)
		c.logs = append(c.logs, o.log)
		c.bySplit = append(c.bySplit, o.cell())
		c.result.mergeCounts(o)
		c.result.faults.Merge(&o.faults)
		c.whole = c.whole && s.Whole
	}
	return nil
}

// observer measures a run of rows.
type observer struct {
	check *check
	split *observe.Split
	key   *field.Key

	// rows counts the rows that where picks, of all; hits those of them that count, or are right, values the numbers added up.
	// keys are those that distinct counts, repeats among them.
	all, rows, hits, values, keys int64
	// positives and found count the rows of the positive class, and those that are predicted to be.
	positives, predicted int64
	// row is the sum of the row at hand.
	sum, squares, row total
	// least and most are the texts of the smallest and the largest number; nil before the first.
	least, most []byte
	log         *fingerprint.Log
	groups      *groups
	// faults are rows that the measure cannot be applied to. At the first that needs too much work the measure stopped.
	faults  finding.Set
	stopped bool

	decimal, square decimal
	a, b            []byte
}

// Observe implements observe.Observer.
func (o *observer) Observe(row *rows.Row) {
	if o.stopped {
		return
	}
	o.all++
	picked := true
	if where := o.check.where; where != nil {
		var err error
		if picked, err = where.Holds(row); err != nil {
			o.stopped = errors.Is(err, condition.ErrTooMuchWork)
			o.fault(row, "", "where cannot be applied to the row: %v", err)
			return
		}
	}
	rowsBefore, hitsBefore, valuesBefore := o.rows, o.hits, o.values
	clear(o.row)
	if picked {
		o.rows++
		if err := o.take(row); err != nil {
			o.fault(row, "", "%s cannot be measured: %v", o.check.measure.Name, err)
		}
	}
	o.group(row, o.rows-rowsBefore, o.hits-hitsBefore, o.values-valuesBefore)
}

// group counts the row into its groups by what it added to the measure.
func (o *observer) group(row *rows.Row, picked, hits, values int64) {
	switch name := o.check.measure.Name; {
	case name == "share":
		o.groups.add(row, 1, picked, nil)
	case name == "mean" || name == "sum":
		if values > 0 {
			o.groups.add(row, values, 0, o.row)
		}
	case (averages(name) || counted(name)) && picked > 0:
		o.groups.add(row, 1, hits, nil)
	}
}

// cell is what all rows add to a measure that can be grouped.
func (o *observer) cell() *cell {
	switch o.check.measure.Name {
	case "share":
		return &cell{n: o.all, hits: o.rows}
	case "mean", "sum":
		return &cell{n: o.values, sum: o.sum}
	}
	return &cell{n: o.rows, hits: o.hits}
}

func (o *observer) fault(row *rows.Row, pointer, format string, args ...any) {
	f := finding.New(finding.ClaimNotMeasured, format, args...).At(row.Path, row.Line).In(pointer)
	o.faults.Add(f.Hinting("mend the row, or pick the rows with where"))
}

// take measures a row that was picked.
func (o *observer) take(row *rows.Row) (err error) {
	c := o.check
	switch c.measure.Name {
	case "distinct":
		o.keys += int64(o.key.Each(row, func(k fingerprint.Key) { o.log.Add(fingerprint.Record{Key: k}) }))
	case "sum", "mean", "std", "min", "max", "median":
		c.value.Each(row, func(v tape.Value) {
			if one := o.number(row, v); one != nil {
				err = one
			}
		})
	case "balance":
		if o.a, err = canonical(o.a[:0], row, &c.label); err == nil && bytes.Equal(o.a, c.positive) {
			o.hits++
		}
	case "accuracy", "f1":
		err = o.compare(row)
	case "auroc", "ece":
		err = o.scored(row)
	}
	return err
}

// number takes in a number. Null is none.
func (o *observer) number(row *rows.Row, v tape.Value) error {
	if field.Missing(row, v) {
		return nil
	}
	text, ok := field.Number(row, v)
	if !ok {
		return fmt.Errorf("%s is %s, and not a number", o.check.value.Name(), field.Show(row, v))
	}
	if err := o.decimal.parse(text); err != nil {
		return err
	}
	o.values++
	switch o.check.measure.Name {
	case "median":
		f, _ := strconv.ParseFloat(string(text), 64)
		o.log.Add(fingerprint.Record{Key: fingerprint.OfNumber(f)})
	case "min", "max":
		o.extend(text)
	case "std":
		o.square.digits.Mul(&o.decimal.digits, &o.decimal.digits)
		o.squares.add(&o.square.digits, 2*o.decimal.exponent)
		fallthrough
	default:
		o.sum.add(&o.decimal.digits, o.decimal.exponent)
		o.row.add(&o.decimal.digits, o.decimal.exponent)
	}
	return nil
}

// extend keeps the smallest and the largest number.
func (o *observer) extend(text []byte) {
	if o.least == nil || compareNumbers(text, o.least) < 0 {
		o.least = bytes.Clone(text)
	}
	if o.most == nil || compareNumbers(text, o.most) > 0 {
		o.most = bytes.Clone(text)
	}
}

func compareNumbers(a, b []byte) int {
	x, _ := strconv.ParseFloat(string(a), 64)
	y, _ := strconv.ParseFloat(string(b), 64)
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	case bytes.Equal(a, b):
		return 0
	}
	var p, q decimal
	if p.parse(a) != nil || q.parse(b) != nil {
		return 0
	}
	return p.rat().Cmp(q.rat())
}

var errNoValue = errors.New("it has no value")

// canonical appends the canonical bytes of a field.
func canonical(dst []byte, row *rows.Row, p *field.Path) ([]byte, error) {
	v, ok := p.First(row)
	if !ok || field.Missing(row, v) {
		return dst, fmt.Errorf("%s: %w", p.Name(), errNoValue)
	}
	return field.AppendCanonical(dst, row, v), nil
}

// compare counts a prediction.
func (o *observer) compare(row *rows.Row) (err error) {
	if o.a, err = canonical(o.a[:0], row, &o.check.label); err != nil {
		return err
	}
	if o.b, err = canonical(o.b[:0], row, &o.check.prediction); err != nil {
		return err
	}
	if o.check.measure.Name == "accuracy" {
		if bytes.Equal(o.a, o.b) {
			o.hits++
		}
		return nil
	}
	is, said := bytes.Equal(o.a, o.check.positive), bytes.Equal(o.b, o.check.positive)
	if is {
		o.positives++
	}
	if said {
		o.predicted++
	}
	if is && said {
		o.hits++
	}
	return nil
}

// scored takes in a score: the probability of the positive class.
func (o *observer) scored(row *rows.Row) (err error) {
	c := o.check
	if o.a, err = canonical(o.a[:0], row, &c.label); err != nil {
		return err
	}
	v, ok := c.score.First(row)
	if !ok || field.Missing(row, v) {
		return fmt.Errorf("%s: %w", c.score.Name(), errNoValue)
	}
	text, ok := field.Number(row, v)
	if !ok {
		return fmt.Errorf("%s is %s, and not a number", c.score.Name(), field.Show(row, v))
	}
	p, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return errRange
	}
	positive := bytes.Equal(o.a, c.positive)
	if positive {
		o.positives++
	}
	o.values++
	r := fingerprint.Record{Key: fingerprint.OfNumber(p)}
	if c.measure.Name == "auroc" {
		if positive {
			r.Value = 1
		}
		o.log.Add(r)
		return nil
	}
	if p < 0 || p > 1 {
		return fmt.Errorf("%s is %s, which is no probability", c.score.Name(), text)
	}
	r.Key = fingerprint.OfNumber(math.Max(p, 1-p))
	if (p >= 0.5) == positive {
		r.Value = 1
	}
	r.Place = fingerprint.At(max(slices.Index(o.split.Files, row.Path), 0), row.Index) // rows of one confidence in their order
	o.log.Add(r)
	return nil
}

func (o *observer) counts() []*int64 {
	return []*int64{&o.all, &o.rows, &o.hits, &o.values, &o.keys, &o.positives, &o.predicted}
}

// Merge implements observe.Observer. What stands behind the row at which the measure stopped does not count, wherever blocks end.
func (o *observer) Merge(next rows.Observer) {
	n := next.(*observer)
	if o.stopped {
		return
	}
	o.stopped = n.stopped
	o.mergeCounts(n)
	o.log.Merge(n.log)
	o.faults.Merge(&n.faults)
}

// mergeCounts takes over all but the log and the faults.
func (o *observer) mergeCounts(n *observer) {
	theirs := n.counts()
	for i, mine := range o.counts() {
		*mine += *theirs[i]
	}
	o.sum.merge(n.sum)
	o.squares.merge(n.squares)
	o.groups.merge(n.groups)
	if n.least != nil {
		o.extend(n.least)
		o.extend(n.most)
	}
}

// MarshalBinary implements observe.Observer.
func (o *observer) MarshalBinary() ([]byte, error) {
	var w record.Writer
	for _, n := range o.counts() {
		w.Uint(uint64(*n))
	}
	o.sum.write(&w)
	o.squares.write(&w)
	o.groups.write(&w)
	w.Text(string(o.least))
	w.Text(string(o.most))
	faults, err := o.faults.MarshalBinary()
	if err != nil {
		return nil, err
	}
	w.Part(faults)
	w.Bool(o.stopped)
	log, err := o.log.MarshalBinary()
	w.Raw(log)
	return w.Bytes(), err
}

// UnmarshalBinary implements observe.Observer.
func (o *observer) UnmarshalBinary(data []byte) error {
	r := record.NewReader(data)
	for _, n := range o.counts() {
		*n = int64(r.Uint() & (1<<48 - 1))
	}
	o.sum.read(r)
	o.squares.read(r)
	o.groups.read(r)
	for _, text := range []*[]byte{&o.least, &o.most} {
		if t := r.Text(); t != "" {
			var d decimal
			if _, err := strconv.ParseFloat(t, 64); err != nil && !errors.Is(err, strconv.ErrRange) || d.parse([]byte(t)) != nil {
				return record.ErrDamaged
			}
			*text = []byte(t)
		}
	}
	if (o.least == nil) != (o.most == nil) {
		return record.ErrDamaged
	}
	if err := o.faults.UnmarshalBinary(r.Part()); err != nil {
		return err
	}
	o.stopped = r.Bool()
	o.log.Read(r, len(o.split.Files))
	return r.End()
}

// measured computes the measure when all rows have been seen; problem says why there is none.
func (c *check) measured(ctx context.Context) (v *big.Rat, problem string, err error) {
	o := c.result
	switch {
	case o == nil:
		return nil, "its splits were not read", nil
	case !c.whole:
		return nil, "some rows of its splits could not be read", nil
	case o.faults.Len() > 0:
		return nil, fmt.Sprintf("it cannot be applied to %d rows", o.faults.Count(finding.Warning)), nil
	}
	n := big.NewRat(max(o.values, 1), 1)
	none := func(count int64) bool { return count == 0 }
	switch c.measure.Name {
	case "count":
		return big.NewRat(o.rows, 1), "", nil
	case "sum":
		return o.sum.rat(), "", nil
	case "distinct":
		return c.distinct(ctx)
	case "share":
		v, problem = ratio(o.rows, o.all)
	case "balance", "accuracy":
		v, problem = ratio(o.hits, o.rows)
	case "f1":
		v = new(big.Rat)
		if o.positives+o.predicted > 0 {
			v.SetFrac64(2*o.hits, o.positives+o.predicted)
		}
		if none(o.rows) {
			problem = "there is no row to measure"
		}
	case "mean", "std", "min", "max", "median", "auroc", "ece":
		if none(o.values) {
			return nil, "there is no value to measure", nil
		}
		switch c.measure.Name {
		case "mean":
			v = o.sum.rat()
			v.Quo(v, n)
		case "std":
			v = o.deviation(o.values - 1)
		case "min":
			v = ratOf(o.least)
		case "max":
			v = ratOf(o.most)
		case "median":
			return c.median(ctx)
		case "auroc":
			return c.auroc(ctx)
		case "ece":
			return c.ece(ctx)
		}
	}
	return v, problem, nil
}

func ratOf(text []byte) *big.Rat {
	var d decimal
	if d.parse(text) != nil {
		return new(big.Rat)
	}
	return d.rat()
}

func ratio(n, of int64) (*big.Rat, string) {
	if of == 0 {
		return nil, "there is no row to measure"
	}
	return big.NewRat(n, of), ""
}

// deviation is the standard deviation with the given divisor: n-1 for that of a sample, which the measure std is, as in the
// viewer's statistics; 0 for a single value. n is that of a whole population.
func (o *observer) deviation(divisor int64) *big.Rat {
	if divisor < 1 {
		return new(big.Rat)
	}
	mean := o.sum.rat()
	mean.Quo(mean, big.NewRat(o.values, 1))
	spread := o.squares.rat()
	spread.Sub(spread, mean.Mul(o.sum.rat(), mean))
	spread.Quo(spread, big.NewRat(divisor, 1))
	if spread.Sign() <= 0 {
		return new(big.Rat)
	}
	root := new(big.Float).SetPrec(256).SetRat(spread)
	out, _ := root.Sqrt(root).Rat(nil)
	return out
}

func (c *check) distinct(ctx context.Context) (*big.Rat, string, error) {
	var n int64
	var last fingerprint.Key
	err := fingerprint.Sorted(ctx, c.logs, func(_ int, r fingerprint.Record) error {
		if n == 0 || r.Key != last {
			n++
		}
		last = r.Key
		return nil
	})
	return big.NewRat(n, 1), "", err
}

func (c *check) median(ctx context.Context) (*big.Rat, string, error) {
	n, at := c.result.values, int64(0)
	sum := new(big.Rat)
	err := fingerprint.Sorted(ctx, c.logs, func(_ int, r fingerprint.Record) error {
		for _, middle := range []int64{(n - 1) / 2, n / 2} {
			if at == middle {
				value, _ := new(big.Rat).SetString(strconv.FormatFloat(r.Key.Number(), 'g', -1, 64))
				sum.Add(sum, value)
			}
		}
		at++
		return nil
	})
	return sum.Quo(sum, big.NewRat(2, 1)), "", err
}

// auroc is the area under the ROC curve by trapezoids: the share of pairs of a positive and a negative row in which the positive one
// has the higher score, ties counting half. It is 0.5 when a class is missing, and not defined when all scores are equal.
func (c *check) auroc(ctx context.Context) (*big.Rat, string, error) {
	positives := c.result.positives
	negatives := c.result.values - positives
	// Of each score: pairs won are its positives times the negatives below.
	won := new(big.Int)
	var below, here, right int64 // negatives below this score, negatives and positives with it
	scores := 0
	var last fingerprint.Key
	flush := func() {
		pairs := new(big.Int).Mul(big.NewInt(right), big.NewInt(2*below+here))
		won.Add(won, pairs)
		below, here, right = below+here, 0, 0
	}
	err := fingerprint.Sorted(ctx, c.logs, func(_ int, r fingerprint.Record) error {
		if scores == 0 || r.Key != last {
			flush()
			scores++
		}
		last = r.Key
		right += int64(r.Value)
		here += 1 - int64(r.Value)
		return nil
	})
	flush()
	switch {
	case err != nil:
		return nil, "", err
	case scores == 1:
		return nil, "all scores are equal", nil
	case positives == 0 || negatives == 0:
		return big.NewRat(1, 2), "", nil
	}
	pairs := new(big.Int).Mul(big.NewInt(2*positives), big.NewInt(negatives))
	return new(big.Rat).SetFrac(won, pairs), "", nil
}

// ece is the expected calibration error with bins of equal mass: rows sorted by confidence max(p, 1-p), max(1, n/bins) in each bin, the
// rest in one more; the sum over the bins of |mean confidence - accuracy| × size / n.
func (c *check) ece(ctx context.Context) (*big.Rat, string, error) {
	bins := c.measure.Bins
	if bins == 0 {
		bins = 15
	}
	n := c.result.values
	size := max(1, n/bins)
	var in, right int64
	confidence, sum := new(big.Rat), new(big.Rat)
	flush := func() {
		gap := new(big.Rat).Sub(confidence, big.NewRat(right, 1))
		sum.Add(sum, gap.Abs(gap))
		in, right = 0, 0
		confidence.SetInt64(0)
	}
	err := fingerprint.Sorted(ctx, c.logs, func(_ int, r fingerprint.Record) error {
		value, _ := new(big.Rat).SetString(strconv.FormatFloat(r.Key.Number(), 'g', -1, 64))
		confidence.Add(confidence, value)
		right += int64(r.Value)
		if in++; in == size {
			flush()
		}
		return nil
	})
	flush()
	return sum.Quo(sum, big.NewRat(n, 1)), "", err
}
