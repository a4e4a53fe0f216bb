package column

import (
	"math"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// What follows is the short way of values that are like others of their field. Each of its functions does what the long way in
// value.go does, or does nothing and says so.

// values are so many values of a field, one or more, that hold nothing: the first at a node of a tape, and each a stride behind the one before.
type values struct {
	doc                 *tape.Tape
	node, stride, limit int
}

// nodes are the nodes up to that of the last value.
func (v values) nodes() []tape.Node { return v.doc.Nodes[:v.node+(v.limit-1)*v.stride+1] }

// before counts the values before a node.
func (v values) before(node uint) int { return (int(node) - v.node) / v.stride }

// short counts values of a field up to the first that is not as others of the field are: it has to take the long way, or is of another kind
// than the first of all. slashes says that some may be in texts. It returns how many were counted, and the length in which pandas
// writes them.
func (f *field) short(v values, slashes bool) (count, size int) {
	switch n := &v.doc.Nodes[v.node]; n.Kind() {
	case tape.String:
		return f.shortTexts(v, slashes)
	case tape.Number:
		if n.Decimal() {
			return f.shortDecimals(v)
		}
		return f.shortIntegers(v)
	}
	return f.shortLiterals(v)
}

// shortLiterals is short for true, false and null.
func (f *field) shortLiterals(v values) (count, size int) {
	known := uint(0)
	if f.knowsNull() {
		known = 1 << tape.Null
	}
	if f.tail.kinds.has(isBool) {
		known |= 1<<tape.False | 1<<tape.True
	}
	// Which of them a value is, a processor cannot foretell.
	var counts [8]int
	nodes, at := v.nodes(), uint(v.node)
	for ; at < uint(len(nodes)); at += uint(v.stride) {
		kind := nodes[at].Kind()
		if known>>kind&1 == 0 {
			break
		}
		counts[kind]++
	}
	if truths := int64(counts[tape.False] + counts[tape.True]); truths > 0 {
		size = counts[tape.False]*len("false") + counts[tape.True]*len("true")
		b := &f.tail
		b.present += truths
		b.valid += truths
		b.encoded += int64(size)
		f.inventory.counts[kindBoolean] += truths
	}
	return v.before(at), size + f.addNulls(counts[tape.Null])
}

// knowsNull says that another null has no place that is to be kept.
func (f *field) knowsNull() bool { return f.inventory.counts[kindNull] > 0 && f.tail.present > 0 }

// addNulls counts so many nulls when knowsNull, and returns their length.
func (f *field) addNulls(count int) int {
	f.inventory.counts[kindNull] += int64(count)
	f.tail.present += int64(count)
	return count * encodedNull
}

// shortTexts is short for strings of a field that is known to have texts, and for nulls among them. A string is as others are when it begins with
// nothing of which Arrow or pandas could make anything else, or is among the distinct ones that are counted.
func (f *field) shortTexts(v values, slashes bool) (count, size int) {
	if !f.inventory.values.many {
		return f.knownTexts(v)
	}
	if !f.tail.kinds.has(isText) {
		return 0, 0
	}
	nodes, text, at := v.nodes(), v.doc.Text, uint(v.node)
	knowsNull := f.knowsNull()
	nulls, length, least, most := 0, 0, math.MaxInt, 0
	for ; at < uint(len(nodes)); at += uint(v.stride) {
		n := &nodes[at]
		if n.Kind() == tape.Null && knowsNull {
			nulls++
			continue
		}
		start, end := n.Span()
		if n.Kind() != tape.String || end+1 >= len(text) || firstBytes[text[start]]&secondBytes[text[start+1]] != 0 {
			break
		}
		bytes, ascii, known := v.doc.Sizes(n)
		if !known {
			bytes, ascii = v.doc.Value(int(at)).Sizes()
		}
		if slashes {
			ascii += countSlashes(text[start:end])
		}
		least, most = min(least, n.Chars()), max(most, n.Chars())
		length += bytes
		size += ascii + quotes
	}
	count = v.before(at)
	f.addTexts(count-nulls, length, size)
	f.inventory.chars.merge(lengths{int64(least), int64(most), count > nulls})
	return count, size + f.addNulls(nulls)
}

// knownTexts is shortTexts for a field whose distinct texts are counted. Those of any kind are short, when others of the kind were
// seen. How many characters each has is known since it came first.
func (f *field) knownTexts(v values) (count, size int) {
	texts := &f.inventory.values
	var counts textCounts
	count = texts.count(&counts, v, f.tail.kinds, f.knowsNull())
	length, stored := 0, 0
	for i := range texts.counts {
		n, text := counts[i+1], &texts.known[i+1]
		texts.counts[i].Count += int64(n)
		length += n * text.length
		size += n * text.encoded
		stored += n * text.stored
	}
	f.addTexts(count-counts[nullText], length, stored)
	return count, size + f.addNulls(counts[nullText])
}

// addTexts counts texts of so many bytes together, which take so many in a Json column.
func (f *field) addTexts(count, length, stored int) {
	b, n := &f.tail, int64(count)
	f.inventory.counts[kindString] += n
	b.present += n
	b.valid += n
	b.strings += n
	b.bytes += int64(length)
	b.encoded += int64(stored)
}

// shortText is shortTexts for one string: one of many, without slashes, that is as long in all forms, or one of those that are counted. Then it
// returns the length in which pandas writes it, else 0.
func (f *field) shortText(doc *tape.Tape, n *tape.Node, slashes bool) (size int) {
	start, end := n.Span()
	text, many := doc.Text, f.inventory.values.many
	switch {
	case !many:
		texts := &f.inventory.values
		which := texts.see(doc, n, f.tail.kinds)
		if which == 0 {
			return 0
		}
		texts.counts[which-1].Count++
		known := &texts.known[which]
		f.addTexts(1, end-start, known.stored)
		return known.encoded
	case slashes || !n.Narrow() || !f.tail.kinds.has(isText) || end+1 >= len(text) || firstBytes[text[start]]&secondBytes[text[start+1]] != 0:
		return 0
	}
	size = end - start + quotes
	f.addTexts(1, n.Chars(), size)
	f.inventory.chars.add(int64(n.Chars()))
	return size
}

// firstBytes and secondBytes say what a string in a text may be by its first two bytes, the quote behind it included: when they have
// a bit in common, [openings] lets it be something else than a text. All bytes may stand behind one that is no letter.
var firstBytes, secondBytes = func() (first, second [256]uint8) {
	const anything = 1
	for c := range second {
		second[c] = anything
	}
	second['\\'] = 0xff
	bit := uint8(anything)
	for _, word := range [...]string{"tr", "fa", "Tr", "TR", "Fa", "FA", "nu", "Na", "In"} {
		if first[word[0]] == 0 {
			bit <<= 1
			first[word[0]] = bit
		}
		second[word[1]] |= first[word[0]]
	}
	for c, opens := range openings {
		if opens != 0 && first[c] == 0 && c != '"' {
			first[c] = anything
		}
	}
	return first, second
}()
