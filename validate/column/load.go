package column

import (
	"github.com/hfpub/hfpub/validate/finding"
)

// Reading says how load_dataset reads the files of a config, as far as its card and the form of its files decide that.
type Reading struct {
	// Declared are the features that the card gives the config, nil when it gives none. Own says that they stand in the
	// config itself, where the CSV reader sees them before it parses.
	Declared Features
	Own      bool
	// NoJSON says that the config turns Json columns off (on_mixed_types: null), NoTraces that it does so with agent traces
	// (parse_agent_traces: false), and KeepsMissing that texts such as NA are texts in its CSV files (keep_default_na: false).
	NoJSON, NoTraces, KeepsMissing bool
	// KeepsEmpty says beside KeepsMissing that empty cells are texts too: nothing is a missing value unless na_values names it.
	KeepsEmpty bool
	// Forms says what is special about files, by path.
	Forms map[string]Form
}

// keeping is what the two say together.
func (r *Reading) keeping() keeping {
	switch {
	case r.KeepsMissing && r.KeepsEmpty:
		return keepsAll
	case r.KeepsMissing:
		return keepsWords
	}
	return keepsNone
}

// Form is what is special about a JSON file.
type Form struct {
	// Array says that the file is one array of rows.
	Array bool
	// BlankFirst says that blanks come before the first row; BlankLine is the first blank line, 0 for none.
	BlankFirst bool
	BlankLine  int
}

// Loaded is what load_dataset makes of a config.
type Loaded struct {
	// Features are the columns that it gives; where it fails, those that hold for all data.
	Features Features
	// Fails says that it fails on the rows or their types.
	Fails bool
	// Troubles are what makes it fail, and what it does to values without a word.
	Troubles []Trouble
	// Advised are the features that a card should declare: all data loads with them, changed as little as possible.
	// AdviseOwn says that they have to stand in the config itself, AdviseMissing that the config has to say which texts are
	// missing values.
	Advised                  Features
	AdviseOwn, AdviseMissing bool
}

// Trouble is one thing that goes wrong with a column.
type Trouble struct {
	Code     finding.Code
	Severity finding.Severity
	// Split is the index of the split among those of the config.
	Split int
	Place
	Pointer, Message string
	// Cure is what to do about it besides mending the data; "" when nothing else helps.
	Cure string
}

// Load follows load_dataset through the splits of a config, in their order. Without rows, or with rows of very many
// columns, there is nothing to follow, and nothing in it but what is declared.
func Load(splits []*Observer, r Reading) Loaded {
	l := newLoading(splits, r)
	switch {
	case l == nil:
		return Loaded{Features: r.Declared, Advised: r.Declared}
	case l.whole.wide:
		return Loaded{}
	}
	l.run()
	out := Loaded{Features: l.target, Troubles: l.troubles, Fails: l.fails}
	if l.fails {
		out.Features = l.whole.features()
	}
	l.advise(splits, &out)
	return out
}

// Config returns the features of a config without a card from the observers of its splits in their order.
func Config(splits []*Observer) Features { return Load(splits, Reading{}).Features }

// loading is a config on its way through load_dataset.
type loading struct {
	Reading
	// splits are those with rows, at their indexes in the config.
	splits  []*Observer
	indexes []int
	first   *Observer
	// whole are all data, target the columns that every batch is cast to.
	whole  *sketch
	target Features
	// at is where the columns stand in target.
	at map[string]int
	// array says that the first file is one array: the loader then types nothing before it writes.
	array bool

	troubles []Trouble
	fails    bool
}

// newLoading is nil when there is no row.
func newLoading(splits []*Observer, r Reading) *loading {
	l := &loading{Reading: r, whole: &sketch{}}
	for i, o := range splits {
		if o.batches == 0 {
			continue
		}
		l.splits, l.indexes = append(l.splits, o), append(l.indexes, i)
	}
	if len(l.splits) == 0 {
		return nil
	}
	l.first = l.splits[0]
	l.array = r.Forms[l.first.first.path].Array || l.first.framed
	for i, o := range l.splits {
		l.whole.unite(o.whole(i == 0 && l.seesKeys(), r.keeping()))
	}
	l.target = r.Declared
	if l.target == nil {
		l.target = l.first.firstBatch(l.seesKeys(), r.keeping())
	}
	l.at = make(map[string]int, len(l.target))
	for i := len(l.target) - 1; i >= 0; i-- {
		l.at[l.target[i].Name] = i
	}
	return l
}

// seesKeys says that the loader compares the keys of objects in the first batch. It passes over that when a line of the batch
// is no JSON: a blank one, or one of several over which an object is written.
func (l *loading) seesKeys() bool {
	if l.NoJSON || l.Declared != nil {
		return false
	}
	form := l.Forms[l.first.first.path]
	if form.Array {
		return true
	}
	if l.first.framed {
		return false // pandas has no Json
	}
	blank := form.BlankLine > 0
	if second := l.first.secondLine(); second > 0 && form.BlankLine > second {
		blank = false
	}
	return !blank && !l.first.spread
}

// secondLine is the line on which the second batch of the first file begins, 0 when that has only one.
func (o *Observer) secondLine() int {
	switch {
	case o.batches == 1:
	case o.batches == 2 && o.last.path == o.first.path:
		return o.root.tail.first.line
	case len(o.sets.list) > 0 && o.sets.list[0].first.Path == o.first.path:
		return o.sets.list[0].first.Line
	}
	return 0
}

func (l *loading) cells() bool { return l.first.cells }

// run follows the loader.
func (l *loading) run() {
	l.traces()
	for i := range l.splits {
		l.columns(i)
		for _, c := range l.splits[i].root.members {
			l.column(i, c)
		}
		l.numbers(i)
		l.blanks(i)
	}
	l.singles()
	l.nesting()
	if l.Declared == nil {
		l.typed()
	}
	l.parsed()
	if l.cells() {
		l.missing()
	}
}

func (l *loading) add(t Trouble) {
	if t.Severity == finding.Error {
		l.fails = true
	}
	t.Split = l.indexes[t.Split]
	l.troubles = append(l.troubles, t)
}

// typeOf is the type of a column of the target.
func (l *loading) typeOf(name string) (Type, bool) {
	i, ok := l.at[name]
	if !ok {
		return Type{}, false
	}
	return l.target[i].Type, true
}

// allSets are the sets of columns of all batches of a run.
func (o *Observer) allSets() columnSets {
	var all columnSets
	if o.batches > 1 {
		all.add(columnsOf(o.root, o.first.path, headBatch))
		all.merge(&o.sets)
	}
	all.add(columnsOf(o.root, o.last.path, tailBatch))
	return all
}

// variants are those of all batches of a field.
func (o *Observer) variants(f *field) []variant {
	sum := o.total(f, places{})
	if !sum.seen.many {
		return sum.seen.list
	}
	v := variant{kinds: sum.all}
	for kind, count := range f.inventory.counts {
		if count > 0 {
			first := f.inventory.firsts[kind]
			v.path, v.first = first.Path, mark{kinds: sum.all, line: first.Line}
			break
		}
	}
	return []variant{v}
}
