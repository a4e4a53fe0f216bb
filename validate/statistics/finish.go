package statistics

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hfpub/hfpub/validate/column"
)

// Fault says why the viewer's own job fails on a column, or why hfpub does not measure it.
type Fault struct {
	Column string
	Reason Reason
	// Detail says it in words that follow the name of the column. Lengths says that it is about the lengths of texts or lists.
	Detail  string
	Lengths bool
}

// Reason is a kind of fault.
type Reason int

// The reasons.
const (
	// OneValue: a column with one value has no standard deviation.
	OneValue Reason = iota
	// Infinite: no histogram goes up to infinity.
	Infinite
	// Edges: there are no edges for a histogram of such numbers.
	Edges
	// TwoEdges: the viewer of 2026-08 fails on values that differ by one; the statistics are those of later ones.
	TwoEdges
	// LabelIDs: there are more distinct ids than names of class labels.
	LabelIDs
	// LongDigits: the viewer's date parser fails on a long text of digits.
	LongDigits
	// NotMeasured: the viewer measures images, audio and video; hfpub does not.
	NotMeasured
)

// reasons are those of errors.
var reasons = map[error]Reason{errOneValue: OneValue, errInfinite: Infinite, errHistogram: Edges, errTwoEdges: TwoEdges}

// fewValues is up to how many distinct whole numbers a column may be one of labels, for [Balances].
const fewValues = 32

// Finish makes the statistics of the columns that the viewer describes, sorted by name, and says on which ones the viewer's job
// fails. features are those of the config. Without rows, or with very many columns, there are none. A column whose values do
// not become what its feature says is left out: the loader fails on it. Texts such as NA in CSV files are missing values.
func (o *Observer) Finish(features column.Features) ([]Column, []Fault) {
	return o.finish(features, false, false)
}

// FinishKeeping is Finish for a config that says that texts such as NA are texts: keep_default_na is false. With empty, so are empty
// cells.
func (o *Observer) FinishKeeping(features column.Features, empty bool) ([]Column, []Fault) {
	return o.finish(features, true, empty)
}

func (o *Observer) finish(features column.Features, keeping, empty bool) ([]Column, []Fault) {
	f := finisher{o: o, limit: o.limit(), columns: []Column{}}
	if o.rows == 0 || o.wide {
		return f.columns, nil
	}
	for _, feature := range features {
		seen := &columnSeen{name: feature.Name}
		if at, ok := o.index[feature.Name]; ok {
			seen = o.columns[at]
		}
		if keeping {
			seen = seen.keeping(f.limit, empty)
		}
		f.column(seen, feature.Type)
	}
	slices.SortFunc(f.columns, func(a, b Column) int { return strings.Compare(a.Name, b.Name) })
	return f.columns, f.faults
}

// finisher makes statistics of what was seen.
type finisher struct {
	o       *Observer
	limit   int
	columns []Column
	faults  []Fault
}

func (f *finisher) column(c *columnSeen, t column.Type) {
	kind := kindOf(t)
	switch kind {
	case List:
		f.list(c)
	case ClassLabel:
		f.classLabel(c, t.ClassLabel)
	case Bool:
		f.bool(c)
	case Text:
		f.text(c)
	case Int, FloatKind:
		f.number(c, kind)
	case Datetime:
		f.datetime(c, t.Dtype)
	default:
		if media := strings.TrimSpace(t.Dtype); media == "image" || media == "audio" || media == "video" {
			f.fault(c, NotMeasured, "holds "+media+", which hfpub does not look into: the viewer measures it")
		}
	}
}

func (f *finisher) fault(c *columnSeen, reason Reason, detail string) {
	f.faults = append(f.faults, Fault{Column: c.name, Reason: reason, Detail: detail})
}

// failed says that the viewer fails, and whether there are statistics all the same.
func (f *finisher) failed(c *columnSeen, kind Kind, err error) bool {
	if err == nil {
		return false
	}
	fault := Fault{Column: c.name, Reason: reasons[err], Detail: err.Error(), Lengths: kind == Text || kind == List}
	if fault.Lengths && errors.Is(err, errTwoEdges) {
		fault.Detail = "the lengths of its values differ by one only"
	}
	f.faults = append(f.faults, fault)
	return !errors.Is(err, errTwoEdges)
}

func (f *finisher) nulls(valid int64) Nulls {
	missing := f.o.rows - valid
	return Nulls{missing, proportion(missing, f.o.rows)}
}

// add adds the statistics of a column whose values are distributed like that.
func (f *finisher) add(c *columnSeen, kind Kind, values Values, s *spread) {
	out := Column{Name: c.name, Kind: kind, Values: values}
	if s != nil && kind != List && kind != Text {
		out.Distinct = &s.distinct
	}
	if s != nil && !s.exact {
		out.Estimated = append(out.Estimated, "median", "histogram")
	}
	if s != nil && !s.exact && out.Distinct != nil {
		out.Estimated = append(out.Estimated, "distinct")
	}
	if kind == Int && s.exact && len(s.points) <= fewValues {
		for _, p := range s.points {
			out.few = append(out.few, LabelCount{strconv.FormatFloat(p.lo, 'f', -1, 64), int64(p.count)})
		}
	}
	f.columns = append(f.columns, out)
}

func (f *finisher) list(c *columnSeen) {
	if int64(c.items.count) != c.valid {
		return
	}
	s := c.items.spread(f.limit, true)
	n, err := s.numbers(f.nulls(c.valid))
	if !f.failed(c, List, err) {
		f.add(c, List, n, s)
	}
}

func (f *finisher) number(c *columnSeen, kind Kind) {
	t, ok := c.asNumbers(f.limit)
	if !ok {
		return
	}
	s := t.spread(f.limit, kind == Int)
	if kind == Int && slices.ContainsFunc(s.points, func(p point) bool { return s.exact && p.lo != math.Trunc(p.lo) }) {
		return
	}
	n, err := s.numbers(f.nulls(c.valid))
	if !f.failed(c, kind, err) {
		f.add(c, kind, n, s)
	}
}

// asNumbers counts all values of the column as numbers: truths as 0 and 1, texts that are numbers, and dates as seconds since 1970;
// false when some are anything else.
func (c *columnSeen) asNumbers(limit int) (*tally, bool) {
	if c.items.count > 0 || c.objects > 0 {
		return nil, false
	}
	if c.texts == nil && c.truths == [2]int64{} {
		return &c.numbers, true
	}
	out := c.numbers.clone()
	var more tally
	for i, n := range c.truths {
		if n > 0 {
			more.add(keyOf(float64(i)), uint64(n))
		}
	}
	if c.texts != nil {
		texts, ok := c.texts.asNumbers()
		if !ok {
			return nil, false
		}
		out.merge(texts, limit)
	}
	out.merge(&more, limit)
	return out, true
}

func (t *texts) asNumbers() (*tally, bool) {
	if n := t.asNumerals(); !n.broken {
		return n.values.clone(), true
	}
	iso, fine := t.asDates(isoFormat)
	if iso == nil || fine || iso.level > 0 {
		return nil, false
	}
	out := &tally{}
	for _, p := range iso.settle(unlimited) {
		out.add(keyOf(float64(instantOfKey(p.key)/second)), p.count)
	}
	return out, true
}

// asNumerals are the numbers that the texts stand for.
func (t *texts) asNumerals() *numerals {
	if t.labels == nil {
		return &t.numerals
	}
	out := &numerals{}
	for i := range t.labels.entries {
		e := &t.labels.entries[i]
		out.add(t.labels.text(e), uint64(e.count))
	}
	return out
}

// asDates are the instants of the texts by a format, nil when it does not fit all of them; fine says that some are no whole
// seconds.
func (t *texts) asDates(format dateFormat) (instants *tally, fine bool) {
	d := &t.dates
	if t.labels != nil {
		d = &dates{}
		for i := range t.labels.entries {
			e := &t.labels.entries[i]
			d.add(t.labels.text(e), uint64(e.count))
			if d.left == 0 {
				return nil, false
			}
		}
	}
	i := slices.Index(dateFormats, format)
	if !d.any || d.left&(1<<i) == 0 {
		return nil, false
	}
	return d.instants[i], d.fine&(1<<i) != 0
}

func (f *finisher) bool(c *columnSeen) {
	counts := c.truths
	for _, p := range c.numbers.clone().settle(unlimited) {
		if numberOf(p.key) == 0 {
			counts[0] += int64(p.count)
		} else {
			counts[1] += int64(p.count)
		}
	}
	if c.texts != nil {
		if c.texts.labels == nil {
			return
		}
		for i := range c.texts.labels.entries {
			e := &c.texts.labels.entries[i]
			switch strings.ToLower(string(c.texts.labels.text(e))) {
			case "false", "0":
				counts[0] += e.count
			case "true", "1":
				counts[1] += e.count
			default:
				return
			}
		}
	}
	if counts[0]+counts[1] != c.valid {
		return
	}
	out := &Truths{f.nulls(c.valid), Frequencies{}}
	for i, name := range []string{"False", "True"} {
		if counts[i] > 0 {
			out.Frequencies = append(out.Frequencies, LabelCount{name, counts[i]})
		}
	}
	f.add(c, Bool, out, nil)
}

// noLabel is the id of a row without a class label.
const noLabel = -1

func (f *finisher) classLabel(c *columnSeen, names []string) {
	ids, ok := c.asIDs(names)
	if !ok {
		return
	}
	out := &Labels{Nulls: f.nulls(c.valid), Unique: int64(len(names)), Frequencies: Frequencies{}}
	for _, name := range names {
		out.Frequencies = append(out.Frequencies, LabelCount{Label: name})
	}
	most := len(names)
	run := ids.settle(f.limit)
	for _, p := range run {
		switch id := ids.valueOf(p.key); {
		case id == noLabel:
			out.NoLabelCount = int64(p.count)
			most++
		case id >= 0 && id < float64(len(names)) && id == math.Trunc(id):
			out.Frequencies[int(id)].Count += int64(p.count)
		}
	}
	out.NoLabelProportion = proportion(out.NoLabelCount, f.o.rows)
	if ids.level > 0 || len(run) > most {
		f.fault(c, LabelIDs, "it holds "+plural(len(run), "distinct id")+", and its feature names "+plural(len(names), "class label"))
		return
	}
	f.add(c, ClassLabel, out, nil)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// asIDs counts class labels by their ids; texts are names, or ids in digits. It is false when the loader makes no labels of the
// values.
func (c *columnSeen) asIDs(names []string) (*tally, bool) {
	if c.items.count > 0 || c.objects > 0 {
		return nil, false
	}
	out := c.numbers.clone()
	for i, n := range c.truths {
		if n > 0 {
			out.merge(tallyOf(float64(i), n), unlimited)
		}
	}
	if c.texts == nil {
		return out, true
	}
	if c.texts.labels == nil {
		if c.texts.numerals.broken {
			return nil, false
		}
		out.merge(c.texts.numerals.values.clone(), unlimited)
		return out, true
	}
	for i := range c.texts.labels.entries {
		e := &c.texts.labels.entries[i]
		text := c.texts.labels.text(e)
		id := float64(slices.Index(names, string(text)))
		if id < 0 {
			var ok bool
			if id, ok = column.CellNumber(text); !ok {
				return nil, false
			}
		}
		out.merge(tallyOf(id, e.count), unlimited)
	}
	return out, true
}

func tallyOf(x float64, n int64) *tally {
	t := &tally{}
	t.add(keyOf(x), uint64(n))
	return t
}

func (f *finisher) datetime(c *columnSeen, dtype string) {
	stamp, _ := timestampOf(dtype)
	if c.items.count > 0 || c.objects > 0 || c.truths != [2]int64{} {
		return
	}
	all := &tally{instants: true}
	fine := stamp.unit < second
	if c.texts != nil {
		instants, _ := c.texts.asDates(isoFormat)
		if instants == nil {
			return
		}
		all = instants.clone()
	}
	if c.numbers.count > 0 {
		if c.numbers.level > 0 || c.decimals {
			return
		}
		numbers := &tally{instants: true}
		for _, p := range c.numbers.clone().settle(unlimited) {
			numbers.add(keyOfInstant(int64(math.Floor(numberOf(p.key)*stamp.unit))), p.count)
		}
		all.merge(numbers, f.limit)
	}
	d, s, err := dateStatistics(all, f.limit, fine, stamp.zone, f.nulls(c.valid))
	if !f.failed(c, Datetime, err) {
		f.addDates(c, d, s, fine)
	}
}

// addDates adds the statistics of dates. Of very many that are no whole seconds mean and spread are estimated too: what is cut off
// of each is not known.
func (f *finisher) addDates(c *columnSeen, d *Dates, s *spread, fine bool) {
	f.add(c, Datetime, d, s)
	if !s.exact && fine {
		last := &f.columns[len(f.columns)-1]
		last.Estimated = append(last.Estimated, "mean", "std")
	}
}

// text decides what the viewer makes of a column of texts: dates, labels or lengths.
func (f *finisher) text(c *columnSeen) {
	t, ok := f.asTexts(c)
	if !ok {
		return
	}
	dated, failed := f.dated(c, t)
	switch {
	case failed, dated:
		return
	case f.areLabels(c, t):
		f.label(c, t)
		return
	}
	lengths := &t.lengths
	if t.labels != nil {
		lengths = &tally{}
		for _, e := range t.labels.entries {
			lengths.add(keyOf(float64(e.chars)), uint64(e.count))
		}
	}
	s := lengths.spread(f.limit, true)
	n, err := s.numbers(f.nulls(c.valid))
	if f.failed(c, Text, err) {
		return
	}
	f.add(c, Text, n, s)
	last := &f.columns[len(f.columns)-1]
	distinct, exact := int64(0), true
	if t.labels != nil {
		distinct = int64(len(t.labels.entries))
	} else {
		distinct, exact = t.distinct.estimate(), false
	}
	last.Distinct = &distinct
	if !exact {
		last.Estimated = append(last.Estimated, "distinct")
	}
}

// Bounds of a column of labels to the viewer: the share of distinct values, null counted as one, among rows, or their number.
const (
	maxLabelShare = 0.2
	alwaysLabels  = 10
)

func (f *finisher) areLabels(c *columnSeen, t *texts) bool {
	if t.labels == nil {
		return false
	}
	distinct := len(t.labels.entries)
	if c.valid < f.o.rows {
		distinct++
	}
	return distinct <= maxLabels && float64(distinct)/float64(f.o.rows) <= maxLabelShare || distinct <= alwaysLabels
}

func (f *finisher) label(c *columnSeen, t *texts) {
	out := &Labels{Nulls: f.nulls(c.valid), Unique: int64(len(t.labels.entries)), Frequencies: Frequencies{}}
	cut := false
	for _, e := range t.labels.sorted() {
		text := string(t.labels.text(&e))
		if e.cut {
			text, cut = text+"…", true
		}
		out.Frequencies = append(out.Frequencies, LabelCount{text, e.count})
	}
	f.add(c, Label, out, nil)
	last := &f.columns[len(f.columns)-1]
	last.Distinct = &out.Unique
	last.Shortened = cut
}

// dated adds statistics of dates when the viewer makes dates of a column; failed says that its job fails.
func (f *finisher) dated(c *columnSeen, t *texts) (dated, failed bool) {
	verdict := t.opening.verdict()
	if verdict == overflows {
		f.fault(c, LongDigits, "one of its first texts is a number of so many digits that the viewer's date parser fails on it")
		return false, true
	}
	if !c.inFirstRow || t.opening.broken || verdict == refuses {
		return false, false
	}
	format, first, ok := t.opening.format()
	if !ok {
		return false, false
	}
	instants, fine := t.asDates(format)
	if instants == nil {
		return false, false
	}
	var zone *time.Location
	if first.zoned && first.offset != 0 {
		zone = time.FixedZone("", first.offset)
	}
	d, s, err := dateStatistics(instants, f.limit, fine, zone, f.nulls(c.valid))
	if err != nil {
		return false, false // the viewer goes on with the texts
	}
	f.addDates(c, d, s, fine)
	return true, false
}

// format is the one format of all opening texts, and the instant of the first.
func (o *opening) format() (format dateFormat, first instant, ok bool) {
	for i, text := range o.texts {
		f, at, ok := formatOf(text)
		if !ok || i > 0 && f != format {
			return "", instant{}, false
		}
		if i == 0 {
			format, first = f, at
		}
	}
	return format, first, len(o.texts) > 0
}

// formatOf is the first of the viewer's formats that a text has.
func formatOf(text string) (dateFormat, instant, bool) {
	for _, f := range dateFormats[1:] {
		if at, ok := f.read([]byte(text), true); ok {
			return f, at, true
		}
	}
	return "", instant{}, false
}

// asTexts are the values of the column as the loader makes texts of them: numbers and truths are written out, and the texts of a
// JSON file that are all dates get the form YYYY-MM-DD HH:MM:SS, since Arrow takes them for timestamps first. It is false when
// there are lists or objects among them.
func (f *finisher) asTexts(c *columnSeen) (*texts, bool) {
	if c.items.count > 0 || c.objects > 0 {
		return nil, false
	}
	if c.numbers.count == 0 && c.truths == [2]int64{} {
		switch {
		case c.texts == nil:
			return newTexts(), true
		case !f.o.json:
			return c.texts, true
		}
		iso, fine := c.texts.asDates(isoFormat)
		if iso == nil || fine {
			return c.texts, true
		}
		return c.texts.rewritten(iso), true
	}
	out := newTexts()
	if c.texts != nil {
		out.merge(c.texts.clone(), f.limit)
	}
	for _, p := range c.numbers.clone().settle(f.limit) {
		out.spell(castNumber(numberOf(p.key), c.decimals), p.count)
	}
	for i, name := range []string{"false", "true"} {
		if c.truths[i] > 0 {
			out.spell(name, uint64(c.truths[i]))
		}
	}
	out.opening = opening{broken: true}
	return out, true
}

// spell takes a text of ASCII that was made of another value, so often.
func (t *texts) spell(text string, count uint64) {
	t.count += int64(count)
	t.put(labelOf([]byte(text), len(text), int64(count)), []byte(text))
}

// castNumber writes a number as Arrow casts it to text (formatting.cc): an integer with all its digits; among other numbers as
// the shortest decimal, with an exponent below 10^-6 and from 10^10 on.
func castNumber(x float64, decimals bool) string {
	if !decimals {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	if size := math.Abs(x); x == 0 || size >= 1e-6 && size < 1e10 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	power, _ := strconv.Atoi(exponent)
	if power > 0 {
		return mantissa + "e+" + strconv.Itoa(power)
	}
	return mantissa + "e" + strconv.Itoa(power)
}

// rewritten are the texts of timestamps that were cast back to text.
func (t *texts) rewritten(iso *tally) *texts {
	out := newTexts()
	show := func(micros int64) string { return time.UnixMicro(micros).UTC().Format(time.DateTime) }
	for _, p := range iso.settle(unlimited) {
		out.spell(show(instantOfKey(p.key)), p.count)
	}
	out.opening.broken = t.opening.broken
	for _, text := range t.opening.texts {
		if at, ok := readISO([]byte(text)); ok {
			out.opening.texts = append(out.opening.texts, show(at.micros))
		}
	}
	return out
}

// clone returns a copy that can be changed.
func (t *texts) clone() *texts {
	out := &texts{count: t.count, opening: t.opening}
	out.opening.texts = slices.Clone(t.opening.texts)
	if t.labels != nil {
		out.labels = t.labels.clone()
		return out
	}
	out.lengths = *t.lengths.clone()
	out.distinct = t.distinct.clone()
	out.numerals = numerals{values: *t.numerals.values.clone(), broken: t.numerals.broken}
	out.dates = dates{any: t.dates.any, left: t.dates.left, fine: t.dates.fine}
	for _, i := range t.dates.instants {
		if i != nil {
			i = i.clone()
		}
		out.dates.instants = append(out.dates.instants, i)
	}
	return out
}
