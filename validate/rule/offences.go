package rule

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate/field"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/fingerprint"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// shown is how many offences of a rule get a finding of their own; the others of a split are folded into one.
const shown = 20

// spot is a row of an end that has a key.
type spot struct {
	end   int
	place fingerprint.Place
	key   fingerprint.Key
}

// offence is a row that breaks a rule, with the row that it breaks it with, if there is one.
type offence struct {
	at      spot
	with    spot
	hasWith bool
	// count is how many rows have the key on the other side.
	count int64
	// likeness is how alike the texts of the two rows are, exact whether that is more than an estimate; for near duplicates.
	likeness float64
	exact    bool
}

func (a offence) compare(b offence) int {
	return cmp.Or(cmp.Compare(a.at.end, b.at.end), cmp.Compare(a.at.place, b.at.place), cmp.Compare(a.at.key[0], b.at.key[0]),
		cmp.Compare(a.at.key[1], b.at.key[1]))
}

// offences keeps the first offences in the order of the rows, and counts all.
type offences struct {
	limit int
	first []offence
	count map[int]int64
}

func (j *joined) newOffences() *offences {
	limit := 0
	if j.opt.MaxPlaces > 0 {
		limit = j.opt.MaxPlaces + shown
	}
	return &offences{limit: limit, count: map[int]int64{}}
}

func (o *offences) add(new offence) {
	o.count[new.at.end]++
	o.first = append(o.first, new)
	if o.limit > 0 && len(o.first) >= 2*o.limit {
		o.cut()
	}
}

func (o *offences) cut() {
	slices.SortFunc(o.first, offence.compare)
	if o.limit > 0 && len(o.first) > o.limit {
		o.first = o.first[:o.limit]
	}
}

// detail is what is known of a row that was read once more.
type detail struct {
	path    string
	line    int
	found   field.Found
	members map[string]fingerprint.Key
}

// where writes the place of a row as people read it.
func (d *detail) where() string { return fmt.Sprintf("%s:%d", d.path, d.line) }

// report says what is wrong with the first offences one by one, and folds the others: message is for one, rest for so many more rows
// of an end.
func (j *joined) report(ctx context.Context, all *offences, code finding.Code, hint string, message func(o *offence, at, with *detail) string,
	rest func(end int, more int64) string) error {
	all.cut()
	details, err := j.readAgain(ctx, all.first)
	if err != nil {
		return err
	}
	individually := len(all.first)
	if j.opt.MaxPlaces > 0 {
		individually = min(individually, shown)
	}
	left := maps.Clone(all.count)
	for i := range all.first[:individually] {
		o := &all.first[i]
		at := details[o.at]
		left[o.at.end]--
		f := finding.New(code, "%s", message(o, at, details[o.with])).At(at.path, at.line).In(j.pointer(o, at))
		j.say.Add(j.ends[o.at.end].split, f.Hinting("%s", hint))
	}
	for _, end := range slices.Sorted(maps.Keys(left)) {
		if left[end] > 0 {
			j.fold(end, left[end], all.first[individually:], details, finding.New(code, "%s", rest(end, left[end])).Hinting("%s", hint))
		}
	}
	return nil
}

// pointer leads to the key where that is one field.
func (j *joined) pointer(o *offence, at *detail) string {
	key := j.ends[o.at.end].key
	switch {
	case key.Many() || key.Single() && at.found.Pointer != "":
		return at.found.Pointer
	case key.Single():
		return key.Pointer()
	}
	return ""
}

// fold adds one finding for the other offences of an end, with the first of their places.
func (j *joined) fold(end int, count int64, others []offence, details map[spot]*detail, f finding.Finding) {
	split := j.ends[end].split
	f.Count = int(count)
	for i := range others {
		if o := &others[i]; o.at.end == end && (j.opt.MaxPlaces == 0 || len(f.Places) < j.opt.MaxPlaces) {
			at := details[o.at]
			f.Places = append(f.Places, finding.Place{Path: at.path, Line: at.line, Pointer: j.pointer(o, at)})
		}
	}
	if len(f.Places) > 0 {
		f.Place = f.Places[0]
	} else if len(split.Files) > 0 {
		f.Path = split.Files[0]
	}
	j.say.Add(split, f)
}

// readAgain reads the rows of offences once more, file by file.
func (j *joined) readAgain(ctx context.Context, list []offence) (map[spot]*detail, error) {
	type source struct {
		split *observe.Split
		file  int
	}
	details := map[spot]*detail{}
	wanted := map[source]map[int64][]spot{}
	var order []source
	want := func(s spot) {
		if details[s] != nil {
			return
		}
		split := j.ends[s.end].split
		details[s] = &detail{path: split.Files[s.place.File()]}
		from := source{split, s.place.File()}
		if wanted[from] == nil {
			wanted[from] = map[int64][]spot{}
			order = append(order, from)
		}
		wanted[from][s.place.Index()] = append(wanted[from][s.place.Index()], s)
	}
	for i := range list {
		want(list[i].at)
		if list[i].hasWith {
			want(list[i].with)
		}
	}
	for _, from := range order {
		spots := wanted[from]
		err := j.opt.Again(ctx, from.split, from.file, slices.Sorted(maps.Keys(spots)), func(row *rows.Row) {
			for _, s := range spots[row.Index] {
				details[s].take(row, j.ends[s.end].key, s.key)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return details, nil
}

// take keeps what people want to know of a row.
func (d *detail) take(row *rows.Row, key *field.Key, want fingerprint.Key) {
	d.line = row.Line
	for _, found := range key.Find(row) {
		if found.Key == want {
			d.found, d.line = found, found.Line
			break
		}
	}
	d.members = map[string]fingerprint.Key{}
	for name, member := range row.Doc.Root().Members() {
		d.members[name.Text()] = fingerprint.Of(field.AppendCanonical(nil, row, member))
	}
	if row.Doc.Root().Kind() == tape.Array {
		d.members[""] = fingerprint.Of(field.AppendCanonical(nil, row, row.Doc.Root()))
	}
}

// maxDifferences is how many fields are named in which two rows differ.
const maxDifferences = 5

// differences says in which fields two rows differ.
func differences(a, b *detail) string {
	var names []string
	for name, key := range a.members {
		if other, ok := b.members[name]; !ok || other != key {
			names = append(names, name)
		}
	}
	for name := range b.members {
		if _, ok := a.members[name]; !ok {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "the rows are equal"
	}
	slices.Sort(names)
	more := ""
	if n := len(names) - maxDifferences; n > 0 {
		names, more = names[:maxDifferences], fmt.Sprintf(" and %d other fields", n)
	}
	return "the rows differ in " + strings.Join(names, ", ") + more
}

// pathOf names a row of another end: with its repo where that is another one.
func (j *joined) pathOf(o *offence, with *detail) string {
	if a, b := j.ends[o.at.end].split.Repo, j.ends[o.with.end].split.Repo; a != b {
		return b.ID + "#" + with.where()
	}
	return with.where()
}

// share writes so many of all as people read it: 1 of 3 rows (33.3 %).
func share(n, of int64, noun string) string {
	percent := 0.0
	if of > 0 {
		percent = 100 * float64(n) / float64(of)
	}
	return fmt.Sprintf("%d of %d %s (%.1f %%)", n, of, noun, percent)
}

// noun is what the records of an end are.
func (j *joined) noun(end int) string {
	if j.ends[end].key.Many() {
		return "values"
	}
	return "rows"
}
