package umb

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/validate/family/field"
	"github.com/hfpub/hfpub/validate/family/notes"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// factKeys are the keys of a fact in their order.
var factKeys = []string{"fact", "fact_id", "timestamp", "state_repr", "schema"}

// numbered is a fact on its way through the look.
type numbered struct {
	number   int
	stamp    string
	value    tape.Value
	position int
}

// lookAtFacts checks a file of facts: one object with a list for each character.
func lookAtFacts(row *notes.Row, note *record.Writer) {
	type entry struct {
		name string
		line int
		list tape.Value
	}
	var all []entry
	for key, list := range row.Root.Members() {
		if list.Kind() == tape.Array {
			all = append(all, entry{key.Text(), row.LineOf(key), list})
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	note.Uint(uint64(len(all)))
	next := 1
	var buffer []numbered
	for _, e := range all {
		buffer = lookAtCharacter(row, e.name, e.list, next, buffer[:0])
		next += e.list.Len()
		note.Text(e.name)
		note.Int(int64(e.line))
		note.Uint(uint64(e.list.Len()))
		for _, v := range e.list.Elements() {
			day, _ := dayOf(field.Text(v, "timestamp"))
			schema := field.Text(v, "schema")
			h := factHash(e.name, schema, day, field.Text(v, "fact"))
			note.Raw(h[:])
			note.Text(schema)
		}
	}
}

// factHash is the hash of a fact as the ladder shows it.
func factHash(character, schema string, day int, fact string) hash {
	return hashTexts(character, schema, strconv.Itoa(day), fact)
}

// lookAtCharacter checks the facts of a character, whose numbers go on from first.
func lookAtCharacter(row *notes.Row, name string, list tape.Value, first int, facts []numbered) []numbered {
	base := "/" + tape.EscapeToken(name)
	say := func(f *numbered, key string, found finding.Finding) {
		at, _ := f.value.Get(key)
		row.Say(at, fmt.Sprintf("%s/%d/%s", base, f.position, key), found)
	}
	taken := make([]bool, list.Len())
	for i, v := range list.Elements() {
		f := numbered{stamp: field.Text(v, "timestamp"), value: v, position: i}
		lookAtFactKeys(row, v, fmt.Sprintf("%s/%d", base, i))
		if _, ok := dayOf(f.stamp); f.stamp != "" && !ok {
			say(&f, "timestamp", finding.New(finding.UMBFactDate, "%s is no date", f.stamp))
		}
		id := field.Text(v, "fact_id")
		number, err := strconv.Atoi(id)
		switch at := number - first; {
		case id == "" || err != nil:
			continue
		case at < 0 || at >= len(taken):
			found := finding.New(finding.UMBFactNumber, "the facts of %s are numbered %06d to %06d, found %s", name, first, first+len(taken)-1, id)
			say(&f, "fact_id", found.Hinting("facts are numbered over the whole file, characters in the order of their names"))
			continue
		case taken[at]:
			say(&f, "fact_id", finding.New(finding.UMBFactNumber, "%s stands twice", id))
			continue
		default:
			taken[at] = true
		}
		f.number = number
		facts = append(facts, f)
	}
	slices.SortFunc(facts, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
	for i := 1; i < len(facts); i++ {
		if facts[i-1].stamp > facts[i].stamp {
			found := finding.New(finding.UMBFactOrder, "fact %06d of %s comes behind one of %s", facts[i].number, facts[i].stamp, facts[i-1].stamp)
			say(&facts[i], "timestamp", found.Hinting("the facts of a character are numbered in the order of time"))
		}
	}
	return facts
}

// lookAtFactKeys checks that the keys of a fact stand in their order. Missing and unknown ones are for the schema.
func lookAtFactKeys(row *notes.Row, fact tape.Value, pointer string) {
	if fact.Kind() != tape.Object || fact.Len() != len(factKeys) {
		return
	}
	i := 0
	for key := range fact.Members() {
		if name := key.Text(); name != factKeys[i] {
			if slices.Contains(factKeys, name) {
				f := finding.New(finding.UMBFactKeys, "key %d is %s, expected %s", i+1, name, factKeys[i])
				row.Say(key, pointer+"/"+name, f.Hinting("the order is %s", strings.Join(factKeys, ", ")))
			}
			return
		}
		i++
	}
}

func (w *world) readFacts(note *notes.Note) {
	at := placeOf(note)
	if w.facts == nil {
		w.facts, w.factSizes = map[string]map[hash]bool{}, map[string]map[string]int{}
	}
	for range note.Uint() {
		if note.Err() != nil {
			return
		}
		name, line := note.Text(), int(note.Int())
		known, sizes := map[hash]bool{}, map[string]int{}
		for range note.Uint() {
			if note.Err() != nil {
				return
			}
			known[readHash(note.Reader)] = true
			sizes[note.Text()]++
		}
		w.facts[name], w.factSizes[name] = known, sizes
		w.remembered = append(w.remembered, named[place]{name, at.in(line, "/"+tape.EscapeToken(name))})
	}
}

// judgeFacts checks that every character with facts has a story.
func (w *world) judgeFacts() {
	if len(w.stories) == 0 || !w.has[stories] {
		return
	}
	for _, r := range w.remembered {
		if w.stories[r.name] == nil {
			w.unknown(r.of, r.of.Pointer, "the list of facts of", r.name, "story")
		}
	}
}
