package shape

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// tallies finds the findings of which only the number still counts, by what is known of a fault before it is put in words.
// A key says which finding a fault would become a part of: all of a code at one place, once the set tells their messages apart
// no more; else those with the same message.
type tallies struct {
	// path is the file that they are about.
	path  string
	known map[string]finding.Repeats
	// told are the findings of which some were told here, by both their keys.
	told map[string]finding.Kind
	// before are those of which the rows before left only the number to count; counts are the numbers, by their places there.
	before *settled
	counts []int
	key    []byte
}

const (
	// maxTallies bounds how many are kept.
	maxTallies = 10_000
	// maxTallied is how long a value may be, in bytes, for its text to be part of a key.
	maxTallied = 64
	// separator ends the place in a key: it is no UTF-8.
	separator = 0xFF
)

// count counts a fault, if that is all there is to do about it.
func (t *tallies) count(path string, f *fault, e *explainer) bool {
	if t.path != path {
		t.path, t.known, t.told = path, nil, nil
	}
	if len(t.known) == 0 && !t.follows() {
		return false
	}
	t.ofPlace(f)
	return t.countKey() || t.ofMessage(f, e) && t.countKey()
}

// follows says that something is known from the rows before.
func (t *tallies) follows() bool { return t.before != nil && t.before.path == t.path }

// countKey counts a fault that has the key at hand.
func (t *tallies) countKey() bool {
	if tally, ok := t.known[string(t.key)]; ok {
		tally.Add()
		return true
	}
	if !t.follows() {
		return false
	}
	i, ok := t.before.byKey[string(t.key)]
	if ok {
		t.counts[i]++
	}
	return ok
}

// keep remembers the finding that a fault became a part of.
func (t *tallies) keep(f *fault, e *explainer, kind finding.Kind, tally finding.Repeats) {
	t.keepKind(f, e, kind)
	if !tally.Full() || len(t.known) >= maxTallies {
		return
	}
	if t.known == nil {
		t.known = map[string]finding.Repeats{}
	}
	if t.ofPlace(f); tally.AllMessages() || t.ofMessage(f, e) {
		t.known[string(t.key)] = tally
	}
}

// keepKind remembers a finding that was told, for those who go on with what is known here.
func (t *tallies) keepKind(f *fault, e *explainer, kind finding.Kind) {
	if len(t.told) >= maxTallies {
		return
	}
	if t.told == nil {
		t.told = map[string]finding.Kind{}
	}
	t.ofPlace(f)
	if _, known := t.told[string(t.key)]; !known {
		t.told[string(t.key)] = kind
	}
	if t.ofMessage(f, e) {
		if _, known := t.told[string(t.key)]; !known {
			t.told[string(t.key)] = kind
		}
	}
}

// ofPlace makes the key of all faults of a code at places that differ in array indexes only.
func (t *tallies) ofPlace(f *fault) {
	t.key = append(t.key[:0], f.code...)
	for _, step := range f.path {
		if t.key = append(t.key, '/'); step.inArray {
			t.key = append(t.key, '*')
		} else {
			t.key = step.key.AppendText(t.key)
		}
	}
	t.key = append(t.key, separator)
}

// isOfPlace says that a key is one of a place.
func isOfPlace(key string) bool {
	return key[len(key)-1] == separator && strings.IndexByte(key, separator) == len(key)-1
}

// ofMessage makes the key of the place that of the faults with the same message. ok is false where that depends on too much.
func (t *tallies) ofMessage(f *fault, e *explainer) (ok bool) {
	isContainer := f.value.Kind() >= tape.Array
	switch f.code {
	case finding.SchemaAnyOf, finding.SchemaOneOf:
		if f.lacksTypes() && isContainer {
			return t.ofWords(f)
		}
		if isContainer && len(f.value.Raw()) > maxTallied {
			return !f.isInArray() && t.ofWords(f) && t.ofChoice(f, e)
		}
		return !(isContainer && f.isInArray()) && t.ofWords(f) && t.ofValue(f)
	case finding.SchemaContains:
		return !f.isInArray() && t.ofWords(f) && t.ofValue(f)
	case finding.SchemaRequired, finding.SchemaDependencies:
		return t.ofWords(f)
	case finding.SchemaAdditionalProperties, finding.SchemaPropertyNames:
		t.text(string(f.key.Raw()))
		return len(f.key.Raw()) <= maxTallied && t.ofWords(f)
	case finding.SchemaMinItems, finding.SchemaMaxItems, finding.SchemaAdditionalItems,
		finding.SchemaMinProperties, finding.SchemaMaxProperties:
		t.number(f.value.Len())
		return t.ofWords(f)
	case finding.SchemaFalse:
		if last := len(f.path) - 1; last >= 0 {
			t.number(f.path[last].index)
		}
		return t.ofWords(f)
	case finding.SchemaType:
		if isContainer {
			return t.ofWords(f)
		}
	case finding.SchemaConst, finding.SchemaEnum:
		if isContainer && isLong(f.value) {
			return t.ofWords(f)
		}
	case finding.SchemaNot:
		if isContainer {
			return t.ofWords(f) && t.ofForbidding(f, e)
		}
	}
	return t.ofWords(f) && t.ofValue(f)
}

// isInArray says that a message with the pointer of something inside the value would have an index of an array in it.
func (f *fault) isInArray() bool {
	return slices.ContainsFunc(f.path, func(t token) bool { return t.inArray })
}

// ofWords adds what the schema says.
func (t *tallies) ofWords(f *fault) bool {
	t.key = append(t.key, byte(f.value.Kind()))
	t.text(f.name)
	t.text(f.by)
	t.number(f.site)
	return true
}

// ofForbidding adds what is said of an array or object that not forbids: which schema says it, and the value where that is shown.
func (t *tallies) ofForbidding(f *fault, e *explainer) bool {
	simple := e.tree.forbidding(e.tree.get(f.schema.schema, "not"), f.value)
	if simple == nil {
		return true
	}
	t.text(simple.file.path)
	t.number(simple.offset)
	return !e.tree.showsValue(simple) || t.ofValue(f)
}

// ofValue adds the value itself, unless it is long.
func (t *tallies) ofValue(f *fault) bool {
	raw := f.value.Raw()
	if len(raw) > maxTallied {
		return false
	}
	t.text(string(raw))
	return true
}

// ofChoice adds what is said of the alternatives.
func (t *tallies) ofChoice(f *fault, e *explainer) bool {
	c := e.choose(f)
	t.number(len(c.fitting))
	for _, i := range c.fitting {
		t.number(i)
	}
	if c.first == nil {
		return true
	}
	t.number(c.nearest)
	t.number(len(c.faults))
	for _, step := range c.first.path[len(f.path):] {
		t.text(step.text())
	}
	t.text(string(c.first.code))
	return t.ofMessage(c.first, e)
}

// text and number add to the key so that what follows is told apart from it.
func (t *tallies) text(s string) {
	t.key = binary.AppendUvarint(t.key, uint64(len(s)))
	t.key = append(t.key, s...)
}

func (t *tallies) number(n int) { t.key = binary.AppendUvarint(t.key, uint64(n)) }
