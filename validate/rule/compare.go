package rule

import (
	"context"
	"fmt"
	"slices"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/fingerprint"
	"github.com/hfpub/hfpub/validate/leak"
	"github.com/hfpub/hfpub/validate/minhash"
	"github.com/hfpub/hfpub/validate/rows"
)

const (
	// maxPartners is how many rows of a split that share a band the following ones are held against, so that a thousand rows
	// with one beginning do not make half a million pairs. Rows that are alike share other bands too.
	maxPartners = 2
	// maxCompared is how many rows are compared: the places of more would take more than 16 MB of memory.
	maxCompared = 1 << 20
	// sketchSize is how many shingles of a row are kept to be compared, in a temporary file. Of longer texts they are a sample.
	sketchSize = 1024
)

// comparison finds the near duplicates among the rows of all splits.
type comparison struct {
	*joined
	rule *near
	// whole are the records of whole texts of each end, total is its number of rows.
	whole []*fingerprint.Log
	total []int64
	// repeated are the rows that repeat the texts of one before them.
	repeated rowSet
	// pairs are the candidates, and the repeats: see pairOf and repeatOf.
	pairs *fingerprint.Log
	// sources are the files with rows that are compared.
	sources map[source]*compared
	order   []source
	spool   spool
	texts   *textReader
	// last is the last pair that is compared, if not all are.
	last *fingerprint.Record
}

// source is a file of an end.
type source struct{ end, file int }

// compared are the rows of a file that are compared: their indexes, which ascend, and where their sketches are; -1 for none.
type compared struct {
	indexes []int64
	at      []int64
	sorted  int
}

// pairOf is a row x with one before it that may be like it. The pairs of x come one after another when they are sorted.
func pairOf(x, y spot) fingerprint.Record {
	return fingerprint.Record{Key: fingerprint.Key{uint64(x.place), uint64(x.end)<<32 | uint64(y.end)}, Place: y.place}
}

func spotsOf(r fingerprint.Record) (x, y spot) {
	return spot{end: int(r.Key[1] >> 32), place: fingerprint.Place(r.Key[0])}, spot{end: int(uint32(r.Key[1])), place: r.Place}
}

func (c *comparison) run(ctx context.Context) error {
	c.pairs = c.opt.Keys.NewLog()
	if err := c.findRepeats(ctx); err != nil {
		return err
	}
	if err := c.findPairs(ctx); err != nil || c.pairs.Len() == 0 {
		return err
	}
	if err := c.listRows(ctx); err != nil {
		return err
	}
	defer c.spool.close()
	if err := c.sketchRows(ctx); err != nil {
		return err
	}
	return c.judge(ctx)
}

// findPairs goes through all bands and pairs the rows that share one.
func (c *comparison) findPairs(ctx context.Context) error {
	some := c.addition()
	var bucket []spot
	var key fingerprint.Key
	met := make([]fingerprint.Record, rememberedPairs) // rows that are alike meet in many bands: most of their pairs need no second record
	err := fingerprint.Sorted(ctx, c.logs, func(end int, r fingerprint.Record) error {
		if r.Key != key {
			key, bucket = r.Key, bucket[:0]
		}
		x := spot{end: end, place: r.Place}
		if c.repeated.has(x) {
			return nil
		}
		mine := 0
		for _, y := range bucket {
			if y.end == end {
				mine++
			}
			if y.end == end && c.rule.across {
				continue
			}
			pair := pairOf(x, y)
			if before := &met[slotOf(pair)]; *before != pair {
				*before = pair
				some.add(pair)
			}
		}
		if mine < maxPartners {
			bucket = append(bucket, x)
		}
		return nil
	})
	some.end()
	return err
}

// addition adds records to the pairs some thousands at a time: only then does a log go to a file when there is no more room.
type addition struct {
	c    *comparison
	some *fingerprint.Log
}

func (c *comparison) addition() *addition { return &addition{c, c.opt.Keys.NewLog()} }

func (a *addition) add(r fingerprint.Record) {
	a.some.Add(r)
	if a.some.Len() >= 1<<12 {
		a.end()
		a.some = a.c.opt.Keys.NewLog()
	}
}

func (a *addition) end() { a.c.pairs.Merge(a.some) }

// rememberedPairs is how many pairs are remembered while all are found: 4 MB.
const rememberedPairs = 1 << 17

func slotOf(pair fingerprint.Record) uint64 {
	const odd = 0x9E3779B97F4A7C15
	return (((pair.Key[0]*odd^pair.Key[1])*odd ^ uint64(pair.Place)) * odd) >> (64 - 17)
}

// eachPair goes through the pairs, each once.
func (c *comparison) eachPair(ctx context.Context, see func(r fingerprint.Record) error) error {
	var before fingerprint.Record
	started := false
	return fingerprint.Sorted(ctx, []*fingerprint.Log{c.pairs}, func(_ int, r fingerprint.Record) error {
		if started && r == before {
			return nil
		}
		before, started = r, true
		return see(r)
	})
}

// listRows lists the rows of pairs, up to the pair at which there are too many.
func (c *comparison) listRows(ctx context.Context) error {
	c.sources = map[source]*compared{}
	listed := 0
	err := c.eachPair(ctx, func(r fingerprint.Record) error {
		if listed >= c.rule.most || isRepeat(r) {
			return nil
		}
		x, y := spotsOf(r)
		listed += c.list(x) + c.list(y)
		pair := r
		c.last = &pair
		return nil
	})
	for from, list := range c.sources {
		list.sort()
		c.order = append(c.order, from)
	}
	slices.SortFunc(c.order, func(a, b source) int { return slices.Compare([]int{a.end, a.file}, []int{b.end, b.file}) })
	return err
}

// list adds a row and returns how many more there are; rows that were listed before are found out when the list has doubled.
func (c *comparison) list(s spot) int {
	from := source{s.end, s.place.File()}
	list := c.sources[from]
	if list == nil {
		list = &compared{}
		c.sources[from] = list
	}
	if n := len(list.indexes); n > 0 && list.indexes[n-1] == s.place.Index() {
		return 0
	}
	before := len(list.indexes)
	list.indexes = append(list.indexes, s.place.Index())
	if len(list.indexes) >= 2*max(list.sorted, 1<<10) {
		list.sort()
	}
	return len(list.indexes) - before
}

func (l *compared) sort() {
	slices.Sort(l.indexes)
	l.indexes = slices.Compact(l.indexes)
	l.sorted = len(l.indexes)
}

// sketchRows reads the rows once more and puts a sketch of each aside.
func (c *comparison) sketchRows(ctx context.Context) error {
	c.texts = c.rule.newReader()
	for _, from := range c.order {
		list := c.sources[from]
		list.at = make([]int64, len(list.indexes))
		for i := range list.at {
			list.at[i] = -1
		}
		var failed error
		err := c.opt.Again(ctx, c.ends[from.end].split, from.file, list.indexes, func(row *rows.Row) {
			i, _ := slices.BinarySearch(list.indexes, row.Index)
			at, err := c.spool.write(minhash.NewSketch(c.texts.shingles(row), sketchSize))
			if list.at[i] = at; err != nil {
				failed = err
			}
		})
		if err != nil {
			return err
		}
		if failed != nil {
			return failed
		}
	}
	return c.spool.flush()
}

// sketch reads the sketch of a row; false when the row was not there any more.
func (c *comparison) sketch(s spot, into *minhash.Sketch) (bool, error) {
	list := c.sources[source{s.end, s.place.File()}]
	i, ok := slices.BinarySearch(list.indexes, s.place.Index())
	if !ok || list.at[i] < 0 {
		return false, nil
	}
	return true, c.spool.read(list.at[i], into)
}

// judge compares the pairs, and reports the rows that are like one before them.
func (c *comparison) judge(ctx context.Context) error {
	j := judgement{comparison: c, trained: c.newOffences(), others: c.newOffences(), past: c.last == nil}
	if err := c.eachPair(ctx, j.see); err != nil {
		return err
	}
	j.end()
	if j.skipped > 0 {
		f := finding.New(finding.LeakNotCompared, "%d rows more share a band with others and were not compared: at most %d rows are", j.skipped, c.rule.most)
		c.say.Add(nil, c.atRule(f.Hinting("the numbers of near duplicates are the least there are; raise the threshold, or compare fewer splits at once")))
	}
	if err := c.reportNear(ctx, j.trained, finding.LeakNearTrainRow); err != nil {
		return err
	}
	return c.reportNear(ctx, j.others, finding.LeakNearRow)
}

// judgement is what is found while the pairs go by: those of one row x after another, and behind them the rows that repeat x.
type judgement struct {
	*comparison
	// trained are the rows of evaluation splits with a row to train on, others all others.
	trained, others *offences

	x spot
	// mine is the sketch of x, known says that there is one.
	mine, theirs minhash.Sketch
	known        bool
	// best is the row that x is most like.
	best offence

	// past says that the last pair that is compared has gone by, left that it had before the first one of x.
	past, left bool
	// skipped counts the rows that were not compared.
	skipped int64
}

func (j *judgement) see(r fingerprint.Record) error {
	if isRepeat(r) {
		x, repeat := repeatsOf(r)
		if x != j.x {
			j.begin(x)
		}
		j.seeRepeat(repeat)
		return nil
	}
	x, y := spotsOf(r)
	fresh := x != j.x
	if fresh {
		j.begin(x)
	}
	switch {
	case j.past && fresh:
		j.left = true
		j.skipped++
		return nil
	case j.past:
		return nil
	}
	j.past = r == *j.last
	if fresh {
		var err error
		if j.known, err = j.sketch(x, &j.mine); err != nil {
			return err
		}
	}
	if there, err := j.sketch(y, &j.theirs); err != nil || !there || !j.known {
		return err
	}
	if share, exact := minhash.Similarity(j.mine, j.theirs); share >= j.rule.threshold && (!j.best.hasWith || share > j.best.likeness) {
		j.best = offence{at: x, with: y, hasWith: true, likeness: share, exact: exact}
	}
	return nil
}

// seeRepeat judges a row that repeats x.
func (j *judgement) seeRepeat(repeat spot) {
	switch {
	case !j.rule.across:
		j.add(offence{at: repeat, with: j.x, hasWith: true, likeness: 1, exact: true})
	case j.best.hasWith:
		like := j.best
		like.at = repeat
		j.add(like)
	case j.left:
		j.skipped++
	}
}

// begin ends with the last row and goes on with the next.
func (j *judgement) begin(x spot) {
	j.end()
	j.x, j.left = x, false
}

// end takes in what the row x is most like.
func (j *judgement) end() {
	if j.best.hasWith {
		j.add(j.best)
	}
	j.best = offence{}
}

func (j *judgement) add(o offence) {
	if j.purpose(o.with.end) == leak.Training && j.purpose(o.at.end) == leak.Evaluation {
		j.trained.add(o)
		return
	}
	j.others.add(o)
}

func (c *comparison) purpose(end int) leak.Purpose {
	return leak.PurposeOf(c.ends[end].split.Name)
}

func (c *comparison) reportNear(ctx context.Context, all *offences, code finding.Code) error {
	name, splits := c.ends[0].key.Name(), c.splits()
	others := "a row before it"
	switch {
	case code == finding.LeakNearTrainRow:
		others = "a row to train on"
	case c.rule.across:
		others = "a row of another split"
	}
	of := func(end int) string {
		return fmt.Sprintf("%s of %s are near duplicates of %s", share(all.count[end], c.total[end], "rows"), nameOf(c.ends[end].split, splits), others)
	}
	hint := fmt.Sprintf("take the row out, or change the rule of %s; %s", c.place(), c.rule.how())
	return c.report(ctx, all, code, hint, func(o *offence, at, with *detail) string {
		about := ""
		if !o.exact {
			about = "about "
		}
		return fmt.Sprintf("%s is nearly that of %s in %s (similarity %s%s): %s", name, c.pathOf(o, with), nameOf(c.ends[o.with.end].split, splits),
			about, percentless(o.likeness), of(o.at.end))
	}, func(end int, more int64) string { return fmt.Sprintf("%d more rows: %s", more, of(end)) })
}

// percentless writes a similarity with two digits, cut off, so that 1 is said of equal sets only.
func percentless(share float64) string { return fmt.Sprintf("%.2f", float64(int(share*100))/100) }
