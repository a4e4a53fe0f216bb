package field

import (
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/fingerprint"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// Key is one or several fields taken together. It holds what is reused from row to row: each goroutine needs one of its own,
// see [Key.Clone].
type Key struct {
	paths     []Path
	normalize []string
	stars     bool
	// own is how many of the paths are the key; those behind are what it is said to determine.
	own int

	normalizer *normalizer
	canonical  []byte
	at         []cursor
}

// cursor is where one path of a key is in the row.
type cursor struct {
	tokens  []token
	value   tape.Value
	missing bool
	// bound is how many tokens of the path lie behind.
	bound int
	// pointer leads to the value, when pointers are asked for.
	pointer string
}

// NewKey makes a key of fields; normalize is what is done to texts before they are compared.
func NewKey(paths []release.Path, normalize []string) *Key {
	return NewPair(paths, nil, normalize)
}

// NewPair makes a key of fields together with the fields that it may determine; see [Key.Pairs].
func NewPair(key, value []release.Path, normalize []string) *Key {
	k := &Key{normalize: normalize, own: len(key)}
	for _, p := range slices.Concat(key, value) {
		k.paths = append(k.paths, Compile(p))
		k.stars = k.stars || k.paths[len(k.paths)-1].stars
	}
	return k.Clone()
}

// Clone returns the same key for another goroutine.
func (k *Key) Clone() *Key {
	return &Key{paths: k.paths, normalize: k.normalize, stars: k.stars, own: k.own, normalizer: newNormalizer(k.normalize)}
}

// Many says that a row may have several values of the key, or none.
func (k *Key) Many() bool { return k.stars }

// Single says that the key is one field, so that a pointer says all.
func (k *Key) Single() bool { return k.own == 1 }

// Pointer is the first field of the key, as hfpub.yaml writes it.
func (k *Key) Pointer() string { return k.paths[0].Text }

// Name is the key as people read it: id, or q and a.
func (k *Key) Name() string { return names(k.paths[:k.own]) }

// ValueName is what the key may determine, as people read it.
func (k *Key) ValueName() string { return names(k.paths[k.own:]) }

func names(paths []Path) string {
	var names []string
	for i := range paths {
		names = append(names, paths[i].Name())
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return names[0]
}

// Found is a value of a key in a row.
type Found struct {
	Key fingerprint.Key
	// Text is the value as people read it, shortened. Pointer leads to the first of its fields that is there, Line is
	// the line on which that begins.
	Text, Pointer string
	Line          int
	// Value is what the key may determine, as people read it; "" when it determines nothing.
	Value string
}

// Each calls see with every value that the key has in the row, and returns how many there are.
//
// Of paths with stars, those that have the same beginning up to a star go through its elements together: /turns/*/id and /turns/*/text
// are the id and the text of one turn. Others are combined, each with each.
func (k *Key) Each(row *rows.Row, see func(fingerprint.Key)) (n int) {
	k.each(row, false, func() {
		if k.noValue(row) {
			return
		}
		n++
		see(k.fingerprint(row, 0, k.own))
	})
	return n
}

// Pairs is Each with the value of the other fields, which may be null.
func (k *Key) Pairs(row *rows.Row, see func(key, value fingerprint.Key)) (n int) {
	k.each(row, false, func() {
		if k.noValue(row) {
			return
		}
		n++
		see(k.fingerprint(row, 0, k.own), k.fingerprint(row, k.own, len(k.paths)))
	})
	return n
}

// Find returns the values of the key in the row with what people want to know of them.
func (k *Key) Find(row *rows.Row) []Found {
	var all []Found
	k.each(row, true, func() {
		if k.noValue(row) {
			return
		}
		found := Found{Key: k.fingerprint(row, 0, k.own), Text: k.text(row, 0, k.own), Line: row.Line}
		if k.own < len(k.at) {
			found.Value = k.text(row, k.own, len(k.at))
		}
		for i := range k.own {
			if !k.at[i].missing {
				found.Pointer, found.Line = k.at[i].pointer, row.LineOf(k.at[i].value)
				break
			}
		}
		if !k.stars {
			found.Line = row.Line
		}
		all = append(all, found)
	})
	return all
}

// each sets the cursors to every value of the key.
func (k *Key) each(row *rows.Row, pointers bool, see func()) {
	k.at = k.at[:0]
	for i := range k.paths {
		k.at = append(k.at, cursor{tokens: k.paths[i].tokens, value: row.Doc.Root()})
	}
	k.walk(pointers, see)
}

// walk follows all paths to their next star, and goes through the elements of the first.
func (k *Key) walk(pointers bool, see func()) {
	first := -1
	for i := range k.at {
		k.at[i].follow(pointers)
		if first < 0 && k.at[i].bound < len(k.at[i].tokens) {
			first = i
		}
	}
	if first < 0 {
		see()
		return
	}
	before := slices.Clone(k.at)
	if before[first].missing {
		return
	}
	together := before[first].tokens[:before[first].bound+1]
	children(before[first].value, func(token string, child tape.Value) {
		copy(k.at, before)
		for i := range k.at {
			c := &k.at[i]
			if i == first || len(c.tokens) > len(together)-1 && slices.Equal(c.tokens[:len(together)], together) {
				c.value, c.bound = child, len(together)
				if pointers {
					c.pointer += "/" + token
				}
			}
		}
		k.walk(pointers, see)
	})
	copy(k.at, before)
}

// follow goes on to the next star or the end.
func (c *cursor) follow(pointers bool) {
	for c.bound < len(c.tokens) && !c.tokens[c.bound].star {
		if !c.missing {
			next, ok := step(c.value, &c.tokens[c.bound])
			c.missing = !ok
			c.value = next
		}
		if pointers {
			c.pointer = string(tape.AppendToken([]byte(c.pointer), c.tokens[c.bound].name))
		}
		c.bound++
	}
}

// noValue says that none of the key's fields has a value.
func (k *Key) noValue(row *rows.Row) bool {
	for i := range k.own {
		if !k.at[i].missing && !Missing(row, k.at[i].value) {
			return false
		}
	}
	return true
}

func (k *Key) fingerprint(row *rows.Row, from, to int) fingerprint.Key {
	k.canonical = k.canonical[:0]
	for i := from; i < to; i++ {
		if i > from {
			k.canonical = append(k.canonical, ',')
		}
		switch v := k.at[i].value; {
		case k.at[i].missing:
			k.canonical = append(k.canonical, "null"...)
		case v.Kind() == tape.String && k.normalizer != nil:
			k.canonical = appendText(k.canonical, k.normalizer.apply(v))
		default:
			k.canonical = AppendCanonical(k.canonical, row, v)
		}
	}
	return fingerprint.Of(k.canonical)
}

// text is the value as people read it: the JSON of one field, or name = JSON for each.
func (k *Key) text(row *rows.Row, from, to int) string {
	var parts []string
	for i := from; i < to; i++ {
		value := "null"
		if !k.at[i].missing {
			value = Show(row, k.at[i].value)
		}
		if to-from > 1 {
			value = k.paths[i].Name() + " = " + value
		}
		parts = append(parts, value)
	}
	return strings.Join(parts, ", ")
}

// maxShown is how many characters of a value are shown.
const maxShown = 80

// Show writes a value of a row for people, shortened.
func Show(row *rows.Row, v tape.Value) string {
	text := string(AppendCanonical(nil, row, v))
	if chars := []rune(text); len(chars) > maxShown {
		return string(chars[:maxShown]) + "…"
	}
	return text
}
