package secrets

import (
	"bytes"
	"math/bits"
	"slices"
)

// sieve finds the places in JSON, as it is written, around which there may be a secret or a mark. That is much faster than to look for
// all keywords, since few rules match without a run: letters, digits and _ . - = + or / in a row.
//
//   - What stands behind a name and an operator begins with a run of at least minRun bytes, of which the first is no + or /. Names are
//     looked for before operators before runs.
//   - Most keywords are in a part of a run, without + and /, of at least minPart bytes. They are looked for in such parts.
//   - Others are in a run of at least minLong bytes, or name one. All of these keywords are looked for in such runs and before them.
//   - All other words are looked for everywhere, by a fingerprint of each: four bytes in a row.
//
// Masks say where runs and fingerprints are, so that most of a text is never looked at byte by byte.
type sieve struct {
	set    *Set
	tables tables
	// names finds the keywords of rules for a name with a value, parts those that stand in a part of a run.
	names, parts *finder
	// anchors are the words that are looked for everywhere, by the second byte of their fingerprints.
	anchors [256][]anchor
}

const (
	minRun  = 12
	minPart = 16
	minLong = 2*halfBlock - 1
)

// anchor is a word, by its number, and where in it its fingerprint begins; that may be before it.
type anchor struct {
	word, at int
	// first is the first byte of the word with lowBit set, which tells most others without a closer look.
	first byte
	// near is that of the marker that the word is, if it has one byte and is nothing else.
	near func(text []byte, start, end int) bool
}

// lowBit makes an upper case letter a lower one.
const lowBit = 0x20

// pattern is what is looked for by a fingerprint.
type pattern struct {
	// bytes are the sets of bytes that stand in a row. The word, by its number, begins at start of them.
	bytes       []byteSet
	word, start int
	first       byte
}

// escaped stands for the number of a word where an escape is.
const escaped = -1

// escapes hide words in JSON: a slash behind a backslash, and a character of ASCII by its number. The backslash of the other stands
// before all numbers, and is left out.
var escapes = []pattern{
	{[]byteSet{setOf(`\`), setOf(`/`), anyByte(), anyByte()}, escaped, 0, '\\'},
	{[]byteSet{setOf(`u`), setOf(`0`), setOf(`0`), setOf(`01234567`)}, escaped, -1, '\\'},
}

// newSieve makes the sieve of a set whose words are numbered.
func newSieve(set *Set) *sieve {
	s := &sieve{set: set, tables: newTables(), names: set.finderOf(inNames), parts: set.finderOf(inParts)}
	patterns := set.patterns()
	for i, place := range s.tables.chooseFingerprints(patterns) {
		p := &patterns[i]
		for b := range 256 {
			if p.bytes[place.at+1].has(byte(b)) {
				s.anchors[b] = append(s.anchors[b], anchor{p.word, place.at - p.start, p.first | lowBit, set.nearOf(p.word)})
			}
		}
	}
	return s
}

// finderOf finds the keywords that are looked for in a place.
func (s *Set) finderOf(place where) *finder {
	return newFinder(s.wordOf, func(word int) bool {
		return slices.ContainsFunc(s.byWord[word], func(r *rule) bool { return r.near.where(s.wordOf[word]) == place })
	})
}

// patterns returns those of all words that are looked for everywhere, and of escapes.
func (s *Set) patterns() []pattern {
	out := slices.Clone(escapes)
	for word, text := range s.wordOf {
		if s.standsInRuns(word) {
			continue
		}
		var around Around
		if markers := s.markersBy[word]; len(markers) == 1 && len(s.byWord[word]) == 0 {
			around = s.markers[markers[0]].Around
		}
		out = append(out, newPattern(word, text, around))
	}
	return out
}

// nearOf is what has to stand around a word of one byte that is one marker and no keyword; nil if it is another.
func (s *Set) nearOf(word int) func(text []byte, start, end int) bool {
	if word == escaped || len(s.wordOf[word]) > 1 || len(s.byWord[word]) > 0 || len(s.markersBy[word]) != 1 {
		return nil
	}
	return s.markers[s.markersBy[word][0]].Near
}

// standsInRuns says whether a word need not be looked for everywhere. Rules for files of certain names are for none that hold rows.
func (s *Set) standsInRuns(word int) bool {
	for _, r := range s.byWord[word] {
		if r.path == nil && r.near.where(s.wordOf[word]) == everywhere {
			return false
		}
	}
	return len(s.markersBy[word]) == 0
}

func newPattern(word int, text string, around Around) pattern {
	p := pattern{word: word, first: text[0]}
	if around.Before != "" {
		p.bytes, p.start = append(p.bytes, setOf(around.Before)), 1
	}
	for _, b := range []byte(text) {
		set := setOf(string(b))
		if 'a' <= b && b <= 'z' {
			set.add(b - 'a' + 'A')
		}
		p.bytes = append(p.bytes, set)
	}
	for _, after := range around.After {
		p.bytes = append(p.bytes, setOf(after))
	}
	for len(p.bytes) < depth {
		p.bytes = append(p.bytes, anyByte())
	}
	return p
}

// sifting is a walk over a text.
type sifting struct {
	masks
	// tail is the end of a text with zeros behind it.
	tail [2*block + depth]byte
}

// sift calls found for every place of a text around which there may be something, in no order and perhaps twice.
func (s *sieve) sift(text []byte, w *sifting, found func(start int)) {
	w.before = behind{}
	for at := 0; at < len(text); {
		at = s.siftFrom(text, at, w, found)
	}
}

// siftFrom sifts some blocks of a text, to which the walk has come, and returns how far it is then.
func (s *sieve) siftFrom(text []byte, at int, w *sifting, found func(start int)) int {
	from := text[at:]
	n := min((len(from)-(depth-1))/block, maskCount)
	if n <= 0 {
		clear(w.tail[copy(w.tail[:], from):])
		from, n = w.tail[:], (len(from)+block-1)/block
	}
	for some := w.look(&s.tables, from, n); some != 0; some &= some - 1 {
		i := bits.TrailingZeros64(some)
		first := at + i*block
		for m := w.begins[i]; m != 0; m &= m - 1 {
			s.fingerprint(text, first+bits.TrailingZeros64(m), found)
		}
		for m := w.values[i]; m != 0; m &= m - 1 {
			s.name(text, first+bits.TrailingZeros64(m)-(minRun-1), found)
		}
		for m := w.longs[i]; m != 0; m &= m - 1 {
			s.part(text, first+bits.TrailingZeros64(m)-(minPart-1), found)
		}
		for m := w.fulls[i]; m != 0; m &= m - 1 {
			s.long(text, first+bits.TrailingZeros64(m), found)
		}
	}
	return at + n*block
}

// fingerprint looks for the words whose fingerprint may stand at a place.
func (s *sieve) fingerprint(text []byte, at int, found func(start int)) {
	second := byte(0) // as masks see what is behind a text
	if at+1 < len(text) {
		second = text[at+1]
	}
	for _, a := range s.anchors[second] {
		start := at - a.at
		switch {
		case start < 0 || start >= len(text) || text[start]|lowBit != a.first:
		case a.word == escaped:
			if isEscape(text[start:]) {
				found(start)
			}
		case a.near != nil:
			if a.near(text, start, start+1) || besideCode(text, start, start+1) {
				found(start)
			}
		default:
			s.word(text, start, a.word, found)
		}
	}
}

// isEscape says whether a text begins with one of escapes.
func isEscape(text []byte) bool {
	return bytes.HasPrefix(text, []byte(`\/`)) || bytes.HasPrefix(text, []byte(`\u00`)) && len(text) > 4 && text[4] < '8'
}

// word calls found if a word stands at a place and may be more than that.
func (s *sieve) word(text []byte, start, number int, found func(start int)) {
	word := s.set.wordOf[number]
	end := start + len(word)
	if end > len(text) || !equalFold(text[start:end], word) {
		return
	}
	if s.set.worth(number, text, start, end) || besideCode(text, start, end) {
		found(start)
	}
}

// part looks for words in the part of a run that begins at a place and has at least minPart bytes.
func (s *sieve) part(text []byte, start int, found func(start int)) {
	end := start + minPart
	for end < len(text) && kinds[text[end]]&(ofRun|slash) == ofRun {
		end++
	}
	s.search(s.parts, text, start, end, found)
}

// long looks for words in a run and in what may be a name before it. halfBlock bytes of it are those from a place on: it is for the
// first such place of the run to do.
func (s *sieve) long(text []byte, at int, found func(start int)) {
	start, end := at, at+halfBlock
	for start > 0 && kinds[text[start-1]]&ofRun != 0 {
		if start--; at-start == halfBlock {
			return
		}
	}
	for end < len(text) && kinds[text[end]]&ofRun != 0 {
		end++
	}
	s.search(s.parts, text, start, end, found)
	s.search(s.names, text, max(0, start-maxBetween-maxNamed-maxName), end, found)
}

const (
	// maxBetween is how many bytes may stand between a name and its value, as JSON writes them.
	maxBetween = 40
	// maxNamed is how many characters of a name are looked at: maxName, each of which may be a tab of two bytes, and a keyword.
	maxNamed   = 100
	maxKeyword = maxNamed - maxName
)

// name looks for keywords in the name of the value that begins at a place, if there is one: before an operator, spaces, quotes and
// escapes.
func (s *sieve) name(text []byte, value int, found func(start int)) {
	end, assigned := value, false
	for end > 0 && value-end < maxBetween {
		kind := kinds[text[end-1]]
		if kind&between == 0 {
			if end < 2 || text[end-2] != '\\' {
				break
			}
			end-- // the letter of an escape
		}
		assigned = assigned || kind&operator != 0
		end--
	}
	if !assigned {
		return
	}
	start := end
	for passed := 0; start > 0 && passed < maxNamed; passed++ {
		if start < end && text[start] == 't' && text[start-1] == '\\' {
			passed-- // with its letter, a tab
		} else if kinds[text[start-1]]&ofName == 0 {
			break
		}
		start--
	}
	s.search(s.names, text, start, end, found)
}

// search looks for keywords in a part of a text.
func (s *sieve) search(keywords *finder, text []byte, from, to int, found func(start int)) {
	keywords.findLong(text[from:to], func(start, word int) {
		start += from
		if end := start + len(s.set.wordOf[word]); s.set.worth(word, text, start, end) {
			found(start)
		}
	})
}

// The kinds of bytes. One may be of several.
const (
	ofRun = 1 << iota
	slash
	operator
	// between are operators and what may stand before and behind them, with the backslash of an escape.
	between
	// ofName are the bytes of a name, or between its words.
	ofName
)

var kinds = func() (kinds [256]uint8) {
	for i := range kinds {
		b := byte(i)
		if isName(b) || b == '=' {
			kinds[b] |= ofRun
		}
		if b == '+' || b == '/' {
			kinds[b] |= ofRun | slash
		}
		if isOperator(b) {
			kinds[b] |= operator | between
		}
		if isSpaceOrQuote(b) || b == '\\' {
			kinds[b] |= between
		}
		if isName(b) || b == ' ' || b == '\t' {
			kinds[b] |= ofName
		}
	}
	return kinds
}()

// setOf is the set of the bytes of a text, anyByte that of all.
func setOf(text string) (s byteSet) {
	for _, b := range []byte(text) {
		s.add(b)
	}
	return s
}

func anyByte() byteSet { return byteSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)} }
