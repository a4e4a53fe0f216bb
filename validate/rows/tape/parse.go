package tape

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
)

const (
	// MaxDepth is how deep arrays and objects may be nested.
	MaxDepth = 512
	// MaxNumber bounds a number: at most so many digits, and an exponent of at most so much either way.
	MaxNumber = 10_000
	// MaxText is the length in bytes of the longest text that a tape can hold: its offsets have 32 bits.
	MaxText = math.MaxUint32
	// MaxNodes bounds the values and keys of a text, which stay below it: a node takes 16 bytes, and two bytes of text may
	// ask for one.
	MaxNodes = 1 << 25
)

const (
	// maxProblems is how many problems of one text are reported.
	maxProblems = 1000
	// maxPointer bounds a problem's pointer in bytes: a longer one names the nearest value around that fits.
	maxPointer = 4096
	// longestWord is at least as long as everything that a fault's message looks at.
	longestWord = 16
	// fewKeys is up to how many keys an object's keys are compared each with each.
	fewKeys = 32
)

// Problem is something that strict JSON does not allow, with its place.
type Problem struct {
	Code finding.Code
	// Offset is the place as a position in the text, in bytes.
	Offset int
	// Pointer is the place as an RFC 6901 JSON Pointer; for a duplicate key it leads to the member, for a fault of the
	// syntax to the value that was being read.
	Pointer string
	// Message and Hint say what is wrong and what to do, as a finding does.
	Message, Hint string
	// Fatal says that nothing was read from Offset on.
	Fatal bool
}

// parser is the state of one tokenisation; everything in it is reused by the next.
type parser struct {
	open     []frame
	outer    []nesting
	keys     []keyHash
	table    []uint32
	scratch  []byte
	problems []Problem
	// maxNodes is MaxNodes but for tests.
	maxNodes int
}

// frame is an array or object that is not closed yet.
type frame struct {
	node uint32
	// member is the key of the member being read.
	member uint32
	// keys is where the object's keys begin in parser.keys.
	keys int
}

type keyHash struct {
	hash uint64
	node uint32
}

// state is what the tokeniser expects next.
type state uint8

const (
	wantValue      state = iota
	wantFirstValue       // a value or the end of the array
	wantKey
	wantFirstKey // a key or the end of the object
	wantNext     // a comma or the end of what is open
)

// Parse reads text as exactly one JSON value, blanks around it allowed. With problems the tape is empty. All duplicate
// keys, lone surrogates and the like are reported in the order of the text, up to the first fault of the syntax, at most
// 1000. The tape keeps text, and the problems are valid until the next Parse.
func (t *Tape) Parse(text []byte) []Problem {
	end, problems := t.ParseFirst(text, true)
	if n := len(problems); n > 0 && problems[n-1].Fatal {
		return problems
	}
	if end = skipBlanks(text, end); end < len(text) {
		t.clear()
		t.afterValue(text, end)
		return t.parser.problems
	}
	t.Text = text
	return problems
}

// ParseFirst reads the first JSON value of text, which ends at end; what follows is not looked at. When text may go on
// (last is false) and ends before the value does, end is 0 and nothing is reported: call again with more text. Otherwise
// ParseFirst is as Parse, and end is the offset of the problem when that is fatal.
func (t *Tape) ParseFirst(text []byte, last bool) (end int, problems []Problem) {
	t.clear()
	t.parser.problems = t.parser.problems[:0]
	t.parser.maxNodes = cmp.Or(t.parser.maxNodes, MaxNodes)
	if len(text) > MaxText {
		t.fail(MaxText, finding.RowsTooLong, "split it into smaller rows", "a row is longer than 4 GiB")
		return MaxText, t.parser.problems
	}
	t.Text = text
	end, outcome := t.accept(text)
	switch {
	case outcome == accepted && (last || end < len(text) || t.Nodes[0].Kind() != Number):
		t.Text = text[:end]
		return end, nil
	case outcome != refused && !last:
		t.clear()
		return 0, nil
	}
	return t.explain(text, last)
}

// explain reads a text that accept refused, and reports why.
func (t *Tape) explain(text []byte, last bool) (end int, problems []Problem) {
	t.clear()
	t.Text = text
	end, whole := t.read(text)
	if !last && (!whole || t.mayChange(end)) {
		t.clear()
		t.parser.problems = t.parser.problems[:0]
		return 0, nil
	}
	if len(t.parser.problems) > 0 {
		t.clear()
		byOffset := func(a, b Problem) int { return cmp.Compare(a.Offset, b.Offset) }
		slices.SortStableFunc(t.parser.problems, byOffset)
		return end, t.parser.problems
	}
	t.Text = text[:end]
	return end, nil
}

// mayChange says that more text could make something else of what read ended with: a number that touches the end, or a
// fault so near to it that its words depend on what follows.
func (t *Tape) mayChange(end int) bool {
	if n := len(t.parser.problems); n > 0 && t.parser.problems[n-1].Fatal {
		return end > len(t.Text)-longestWord
	}
	return end == len(t.Text) && t.Nodes[0].Kind() == Number
}

func (t *Tape) clear() {
	t.Text, t.Nodes = nil, t.Nodes[:0]
	t.sizes = append(t.sizes[:0], stringSize{})
	t.forget(noted{sizes: 1})
	t.parser.open, t.parser.keys = t.parser.open[:0], t.parser.keys[:0]
}

// read tokenises the first value. whole is false when the text ended before the value did: then a longer text might have
// done without the last problem.
func (t *Tape) read(text []byte) (end int, whole bool) {
	p := &t.parser
	i, want := 0, wantValue
	for {
		if i = skipBlanks(text, i); i >= len(text) {
			t.endsInside(len(text))
			return i, false
		}
		if len(t.Nodes) >= p.maxNodes {
			t.fail(i, finding.RowsTooLong, "split it into smaller rows", "a row holds more than %d values and keys", p.maxNodes-1)
			return i, true
		}
		c := text[i]
		switch want {
		case wantKey, wantFirstKey:
			if c == '}' && want == wantFirstKey {
				i++
				t.close(i)
				want = wantNext
				break
			}
			if c != '"' {
				return t.badKey(text, i)
			}
			top := &p.open[len(p.open)-1]
			top.member = uint32(len(t.Nodes))
			t.Nodes[top.node].bits += 1 << lenShift
			noted := t.noted()
			next, status := t.str(text, i)
			t.forget(noted)
			if status != read {
				return next, status != truncated
			}
			key := &t.Nodes[top.member]
			key.link, key.bits = 0, key.bits&(kindMask|traitMask)|isKey
			p.keys = append(p.keys, keyHash{t.hashKey(top.member), top.member})
			if i = skipBlanks(text, next); i >= len(text) {
				t.endsInside(i)
				return i, false
			}
			if text[i] != ':' {
				return t.syntax(i, "", "expected : after a key, found %s", show(text, i))
			}
			i++
			want = wantValue

		case wantValue, wantFirstValue:
			if c == ']' && want == wantFirstValue {
				i++
				t.close(i)
				want = wantNext
				break
			}
			if n := len(p.open); n > 0 {
				if top := &t.Nodes[p.open[n-1].node]; top.Kind() == Array {
					if c == ']' {
						return t.syntax(comma(text, i), "remove the comma", "trailing comma before ]")
					}
					top.bits += 1 << lenShift
				}
			}
			var status status
			switch {
			case c == '"':
				i, status = t.str(text, i)
			case c == '{' || c == '[':
				if len(p.open) == MaxDepth {
					t.fail(i, finding.JSONDepth, "store the inner part as a string, or flatten it", "values are nested more than %d deep", MaxDepth)
					return i, true
				}
				kind := Object
				want = wantFirstKey
				if c == '[' {
					kind, want = Array, wantFirstValue
				}
				p.open = append(p.open, frame{node: uint32(len(t.Nodes)), keys: len(p.keys)})
				t.Nodes = append(t.Nodes, Node{start: uint32(i), bits: uint32(kind)})
				i++
				continue
			case c == '-' || c-'0' <= 9:
				i, status = t.number(text, i)
			default:
				i, status = t.word(text, i)
			}
			if status != read {
				return i, status != truncated
			}
			want = wantNext

		case wantNext:
			top := &p.open[len(p.open)-1]
			kind := t.Nodes[top.node].Kind()
			switch {
			case c == ',' && kind == Object:
				i++
				want = wantKey
			case c == ',':
				i++
				want = wantValue
			case c == '}' && kind == Object || c == ']' && kind == Array:
				i++
				t.close(i)
			default:
				return t.badNext(text, i, kind)
			}
		}
		if want == wantNext && len(p.open) == 0 {
			return i, true
		}
	}
}

// status is how reading a scalar ended.
type status uint8

const (
	read      status = iota
	failed           // a fatal problem was noted
	truncated        // the same, and the text ends here
)

// close ends the innermost array or object, whose last byte stands before end.
func (t *Tape) close(end int) {
	p := &t.parser
	top := p.open[len(p.open)-1]
	n := &t.Nodes[top.node]
	n.end, n.link = uint32(end), uint32(len(t.Nodes))
	if n.Kind() == Object && n.Len() > 1 {
		t.compareKeys(p.keys[top.keys:], t.duplicate)
	}
	p.keys = p.keys[:top.keys]
	p.open = p.open[:len(p.open)-1]
}

// add appends a scalar's node.
func (t *Tape) add(kind Kind, start, end int) {
	t.Nodes = append(t.Nodes, Node{start: uint32(start), end: uint32(end), bits: uint32(kind)})
}

// str reads the string or key whose opening quote stands at i.
func (t *Tape) str(text []byte, i int) (int, status) {
	start, first := i+1, len(t.codes)
	end, notes, extra := t.scanString(text, start)
	t.add(String, start, end)
	n := &t.Nodes[len(t.Nodes)-1]
	n.link = uint32(end - start - extra)
	n.bits |= uint32(notes & traits)
	if notes&(coded|wide) != 0 {
		n.bits |= t.endSize(first) << lenShift
	}
	if notes&^traits == 0 {
		return end + 1, read
	}
	if notes&(lone|notUTF8) != 0 {
		t.examine(text[:end], start)
	}
	switch {
	case notes&control != 0:
		hint := fmt.Sprintf("write it as an escape: %s", controlEscape(text[end]))
		t.fail(end, finding.JSONSyntax, hint, "raw control character U+%04X in a string", text[end])
		return end, failed
	case notes&badEscape != 0:
		t.fail(end, finding.JSONSyntax, `after a backslash only " \ / b f n r t and u with four hex digits may stand`, "a string holds an escape that JSON does not have")
		return end, failed
	case notes&unclosed != 0:
		t.endsInside(len(text))
		return len(text), truncated
	}
	return end + 1, read
}

// examine reports the first lone surrogate and the first bytes that are not UTF-8 of the string that begins at start and
// ends with text.
func (t *Tape) examine(text []byte, start int) {
	if at, half := loneSurrogate(text, start); half != 0 {
		t.note(at, finding.JSONLoneSurrogate, "write both halves, or the character itself", `\u%04x is half of a surrogate pair`, half)
	}
	if at := invalidUTF8(text, start); at >= 0 {
		t.note(at, finding.JSONUTF8, "save the file as UTF-8", "a string holds bytes that are not UTF-8")
	}
}

// number reads the number at i, -Infinity too.
func (t *Tape) number(text []byte, i int) (int, status) {
	if text[i] == '-' && i+1 < len(text) && text[i+1] == 'I' {
		return t.word(text, i)
	}
	end, fault := scanNumber(text, i)
	switch fault {
	case "":
		t.add(Number, i, end)
		t.Nodes[len(t.Nodes)-1].bits |= traitsOf(text[i:end])
		return end, read
	case numberEnds:
		t.endsInside(end)
		return end, truncated
	case numberRange:
		hint := "store it as a string"
		t.note(i, finding.JSONNumberRange, hint, "a number has more than %d digits or an exponent beyond %d", MaxNumber, MaxNumber)
		t.add(Number, i, end)
		return end, read
	}
	t.fail(end, finding.JSONSyntax, "", "%s", fault)
	return end, failed
}

// literal is a word of JSON, or one that some writers use as a number.
type literal struct {
	text string
	kind Kind
	nan  bool
}

var literals = []literal{
	{"null", Null, false}, {"true", True, false}, {"false", False, false},
	{"NaN", Number, true}, {"Infinity", Number, true}, {"-Infinity", Number, true},
}

// word reads the literal at i. Anything else that no value starts with ends here too.
func (t *Tape) word(text []byte, i int) (int, status) {
	for _, l := range literals {
		if text[i] != l.text[0] {
			continue
		}
		end := min(i+len(l.text), len(text))
		if string(text[i:end]) != l.text[:end-i] {
			break
		}
		if end-i < len(l.text) {
			t.endsInside(len(text))
			return len(text), truncated
		}
		if l.nan {
			t.note(i, finding.JSONNaN, "write null, or leave the key out", "%s is no JSON number", l.text)
		}
		t.add(l.kind, i, end)
		return end, read
	}
	t.badValue(text, i)
	return i, failed
}

// hashKey hashes a key as it reads decoded.
func (t *Tape) hashKey(node uint32) uint64 {
	key := Value{t, node}
	text := key.Raw()
	if key.Escaped() {
		t.parser.scratch = unescape(t.parser.scratch[:0], text)
		text = t.parser.scratch
	}
	return maphash.Bytes(t.shapes.seed, text)
}

// anyTwice says that a key stands twice in one object.
func (t *Tape) anyTwice(keys []keyHash) bool {
	twice := false
	t.compareKeys(keys, func(uint32) { twice = true })
	return twice
}

// compareKeys calls found for the keys of one object that stand in it before: few are compared each with each, many go
// through a hash table.
func (t *Tape) compareKeys(keys []keyHash, found func(node uint32)) {
	if len(keys) > fewKeys {
		t.compareManyKeys(keys, found)
		return
	}
	for i := 1; i < len(keys); i++ {
		for j := range i {
			if keys[i].hash == keys[j].hash && t.sameKey(keys[i], keys[j]) {
				found(keys[i].node)
				break
			}
		}
	}
}

// compareManyKeys uses a table of open addresses, at most half full; an entry is a key's index plus one.
func (t *Tape) compareManyKeys(keys []keyHash, found func(node uint32)) {
	size := 1 << bits.Len(uint(2*len(keys)-1))
	table := slices.Grow(t.parser.table[:0], size)[:size]
	clear(table)
	t.parser.table = table
	for i, key := range keys {
		slot := key.hash & uint64(size-1)
		for table[slot] != 0 {
			if other := keys[table[slot]-1]; other.hash == key.hash && t.sameKey(key, other) {
				found(key.node)
				break
			}
			slot = (slot + 1) & uint64(size-1)
		}
		if table[slot] == 0 {
			table[slot] = uint32(i + 1)
		}
	}
}

func (t *Tape) sameKey(a, b keyHash) bool {
	x, y := Value{t, a.node}, Value{t, b.node}
	if !x.Escaped() && !y.Escaped() {
		return string(x.Raw()) == string(y.Raw())
	}
	return string(unescape(nil, x.Raw())) == string(unescape(nil, y.Raw()))
}

// duplicate reports a key that stands a second time in the innermost object.
func (t *Tape) duplicate(node uint32) {
	key := Value{t, node}
	t.parser.open[len(t.parser.open)-1].member = node
	t.note(key.Offset(), finding.JSONDuplicateKey, "keep one of them: readers differ on which one counts",
		"key %s stands more than once in one object", quoteKey(key.Raw()))
}

// quoteKey shows a key in a message, cut where it is long.
func quoteKey(raw []byte) string {
	const most = 60
	text := []rune(strings.ToValidUTF8(string(unescape(nil, raw[:min(len(raw), 8*most)])), "\uFFFD"))
	if len(text) <= most {
		return fmt.Sprintf("%q", string(text))
	}
	return fmt.Sprintf("%q…", string(text[:most]))
}

// note reports a problem at the value being read; reading goes on.
func (t *Tape) note(offset int, code finding.Code, hint, format string, args ...any) {
	if len(t.parser.problems) >= maxProblems {
		return
	}
	problem := Problem{Code: code, Offset: offset, Pointer: t.here(), Message: fmt.Sprintf(format, args...), Hint: hint}
	t.parser.problems = append(t.parser.problems, problem)
}

// fail reports the problem that ends the reading.
func (t *Tape) fail(offset int, code finding.Code, hint, format string, args ...any) {
	problem := Problem{Code: code, Offset: offset, Pointer: t.here(), Message: fmt.Sprintf(format, args...), Hint: hint, Fatal: true}
	t.parser.problems = append(t.parser.problems, problem)
}

// here is the pointer to the value being read.
func (t *Tape) here() string {
	var pointer []byte
	for _, f := range t.parser.open {
		n := &t.Nodes[f.node]
		before := len(pointer)
		switch {
		case n.Len() == 0:
			return string(pointer)
		case n.Kind() == Array:
			pointer = fmt.Appendf(pointer, "/%d", n.Len()-1)
		case len(Value{t, f.member}.Raw()) > maxPointer:
			return string(pointer)
		default:
			pointer = AppendToken(pointer, strings.ToValidUTF8(string(unescape(nil, Value{t, f.member}.Raw())), "\uFFFD"))
		}
		if len(pointer) > maxPointer {
			return string(pointer[:before])
		}
	}
	return string(pointer)
}
