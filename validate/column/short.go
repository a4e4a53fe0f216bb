package column

import (
	"math"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// What follows is the short way of values that are like others of their field. Each of its functions does what the long way in
// value.go does, or does nothing and says so.

// short counts values of a field that hold nothing, the first at a node and each a stride behind the one before, until so many are counted
// or one is not as others of the field are: it has to take the long way, or is of another kind than the first. slashes says
// that some may be in texts. It returns how many were counted, and the length in which pandas writes them.
func (f *field) short(doc *tape.Tape, node, stride, limit int, slashes bool) (count, size int) {
	switch n := &doc.Nodes[node]; n.Kind() {
	case tape.String:
		return f.shortTexts(doc, node, stride, limit, slashes)
	case tape.Number:
		if n.Decimal() {
			return f.shortDecimals(doc, node, stride, limit)
		}
		return f.shortIntegers(doc, node, stride, limit)
	}
	return f.shortLiterals(doc, node, stride, limit)
}

// shortLiterals is short for true, false and null.
func (f *field) shortLiterals(doc *tape.Tape, node, stride, limit int) (count, size int) {
	known := uint(0)
	if f.knowsNull() {
		known = 1 << tape.Null
	}
	if f.tail.kinds.has(isBool) {
		known |= 1<<tape.False | 1<<tape.True
	}
	// Which of them a value is, a processor cannot foretell.
	var counts [8]int
	for ; count < limit; count, node = count+1, node+stride {
		kind := doc.Nodes[node].Kind()
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
	return count, size + f.addNulls(counts[tape.Null])
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
func (f *field) shortTexts(doc *tape.Tape, node, stride, limit int, slashes bool) (count, size int) {
	if !f.inventory.values.many {
		return f.knownTexts(doc, node, stride, limit)
	}
	if !f.tail.kinds.has(isText) {
		return 0, 0
	}
	nodes, text := doc.Nodes, doc.Text
	knowsNull := f.knowsNull()
	nulls, length, least, most := 0, 0, math.MaxInt, 0
	for ; count < limit; count, node = count+1, node+stride {
		n := &nodes[node]
		if n.Kind() == tape.Null && knowsNull {
			nulls++
			continue
		}
		start, end := n.Span()
		if n.Kind() != tape.String || end+1 >= len(text) || firstBytes[text[start]]&secondBytes[text[start+1]] != 0 {
			break
		}
		bytes, ascii := n.Chars(), end-start
		if !n.Narrow() {
			bytes, ascii = doc.Value(node).Sizes()
		}
		if slashes {
			ascii += countSlashes(text[start:end])
		}
		least, most = min(least, n.Chars()), max(most, n.Chars())
		length += bytes
		size += ascii + quotes
	}
	f.addTexts(count-nulls, length, size)
	f.inventory.chars.merge(lengths{int64(least), int64(most), count > nulls})
	return count, size + f.addNulls(nulls)
}

// knownTexts is shortTexts for a field whose distinct texts are counted. Those of any kind are short, when others of the kind were
// seen. How many characters each has is known since it came first.
func (f *field) knownTexts(doc *tape.Tape, node, stride, limit int) (count, size int) {
	values := &f.inventory.values
	var counts textCounts
	count = values.count(&counts, doc, node, stride, limit, f.tail.kinds, f.knowsNull())
	length, stored := 0, 0
	for i := range values.counts {
		n, text := counts[i+1], &values.known[i+1]
		values.counts[i].Count += int64(n)
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
		values := &f.inventory.values
		which := values.see(doc, n, f.tail.kinds)
		if which == 0 {
			return 0
		}
		values.counts[which-1].Count++
		known := &values.known[which]
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
