package tape

// manyNodes is from how many nodes on a text's length foretells how many it has.
const manyNodes = 1 << 16

// outcome is how accept ended.
type outcome uint8

const (
	accepted outcome = iota
	refused          // the text is not strict JSON, or perhaps not
	cut              // the text ends inside the value, without a fault before that
)

// nesting is an array or object that is not closed yet.
type nesting struct {
	node, count uint32
	// at is where its values are, for what to expect there: in an array what the array is in, in an object the sequence of its
	// keys up to the last. Before the first key it is what the object is in.
	at   Shape
	kind nestingKind
}

type nestingKind uint32

const (
	outside nestingKind = iota
	inArray
	inObject     // an object whose keys so far are a sequence that is remembered
	inDictionary // any other; its keys are the last ones in parser.keys
)

// accept reads the first value of text if it is strict JSON. It is one loop, a turn for each value, with its state in local
// variables: BenchmarkRows says what calls would cost.
func (t *Tape) accept(text []byte) (end int, how outcome) {
	p := &t.parser
	if t.shapes == nil || t.shapes.full() {
		t.shapes = newShapes()
	}
	nodes := t.Nodes
	outer := p.outer[:0]
	in := nesting{at: top}
	i, behind := 0, false
	t.window.begin(text)
	for {
		// What ends behind the value, and the comma before the next one.
		for behind {
			if in.kind == outside {
				t.Nodes = nodes
				return i, accepted
			}
			if i < len(text) && text[i] <= ' ' {
				i = skipBlanks(text, i)
			}
			if i >= len(text) {
				return 0, cut
			}
			c := text[i]
			i++
			if c == ',' {
				if i < len(text) && text[i] == ' ' {
					i++
				}
				behind = false
				continue
			}
			if c != ']' && c != '}' || (c == ']') != (in.kind == inArray) {
				return 0, refused
			}
			in.end(nodes, i)
			if in.kind == inDictionary {
				t.Nodes = nodes
				keys := p.keys[len(p.keys)-int(in.count):]
				if t.anyTwice(keys) {
					return 0, refused
				}
				p.keys = p.keys[:len(p.keys)-len(keys)]
			}
			in = outer[len(outer)-1]
			outer = outer[:len(outer)-1]
		}

		if len(nodes)+2 > cap(nodes) {
			if nodes = t.grow(nodes, i); nodes == nil {
				return 0, refused
			}
		}
		// Members, or a key and its colon, if the innermost value is an object.
		if in.kind >= inObject {
			next := keyNext
			if in.kind == inObject {
				list := &outer[len(outer)-1]
				if list.kind != inArray {
					list = nil
				}
				i, nodes, in, next = t.members(text, i, nodes, in, list)
			}
			switch {
			case next == refusedNext:
				return 0, refused
			case next == cutNext:
				return 0, cut
			case next == endNext:
				behind = true
				continue
			case next == keyNext && len(nodes)+2 > cap(nodes):
				continue
			case next == keyNext:
				t.Nodes = nodes
				if i, in, how = t.key(text, i, in, outer[len(outer)-1].at); how != accepted {
					return 0, how
				}
				nodes = t.Nodes
			}
		}
		in.count++

		// A value.
		if i < len(text) && text[i] <= ' ' {
			i = skipBlanks(text, i)
		}
		if i >= len(text) {
			return 0, cut
		}
		nodes = nodes[:len(nodes)+1]
		n := &nodes[len(nodes)-1]
		switch c := text[i]; c {
		case '"':
			if end, how = t.text(text, i+1, 0, n); how != accepted {
				return 0, how
			}
			i = end + 1
		case '{', '[':
			if len(outer) == MaxDepth {
				return 0, refused
			}
			if outer = append(outer, in); cap(outer) > cap(p.outer) {
				p.outer = outer
			}
			in.node, in.count, in.kind = uint32(len(nodes)-1), 0, inArray
			*n = Node{start: uint32(i), bits: uint32(Array)}
			if c == '{' {
				n.bits, in.kind = uint32(Object), inObject
				if !t.shapes.looksUp(in.at) {
					in.at, in.kind = nowhere, inDictionary
				}
			}
			if i = skipBlanks(text, i+1); i >= len(text) {
				return 0, cut
			}
			if text[i] != c+2 {
				continue
			}
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			end, bits := acceptNumber(text, i)
			if end < 0 {
				return 0, refused
			}
			*n = Node{start: uint32(i), end: uint32(end), bits: bits}
			i = end
		default:
			literal, size := word(text, i)
			if size == 0 {
				return 0, refused
			}
			*n = Node{start: uint32(i), end: uint32(i + size), bits: uint32(literal)}
			i += size
		}

		behind = true
	}
}

// key reads the key at i, perhaps behind blanks, that was not foretold, and its colon; the object is at a place. The key's
// coded escapes and size are not kept: those of a key that is foretold are not known either.
func (t *Tape) key(text []byte, i int, in nesting, place Shape) (end int, after nesting, how outcome) {
	if i = skipBlanks(text, i); i >= len(text) {
		return 0, in, cut
	}
	if text[i] != '"' {
		return 0, in, refused
	}
	start, noted := i+1, t.noted()
	end, seen, _ := t.scanString(text, start)
	t.forget(noted)
	if seen&^traits != 0 {
		return 0, in, fault(seen)
	}
	if i = skipBlanks(text, end+1); i >= len(text) {
		return 0, in, cut
	}
	if text[i] != ':' {
		return 0, in, refused
	}
	i++
	bits := uint32(String) | isKey | uint32(seen)
	node := uint32(len(t.Nodes))
	t.Nodes = append(t.Nodes, Node{start: uint32(start), end: uint32(end), bits: bits})
	if in.kind == inObject {
		if s := t.shapes.follow(t, in, node); s != nowhere {
			in.at = s
			return i, in, accepted
		}
		t.giveUp(in, place)
		in.kind, in.at = inDictionary, nowhere
	}
	t.parser.keys = append(t.parser.keys, keyHash{t.hashKey(node), node})
	return i, in, accepted
}

// follow returns the sequence of an object's keys up to the one of a node, a new one if need be. It is nowhere when that
// has no room, or perhaps a key twice.
func (s *Shapes) follow(t *Tape, in nesting, node uint32) Shape {
	from, expected := in.at, &s.sequences[in.at].next
	if in.count == 0 {
		from, expected = nowhere, &s.sequences[in.at].inside
	}
	key := Value{t, node}.Raw()
	found := expected.other
	if found == nowhere || string(key) != s.sequences[found].key() {
		found = s.find(from, key)
	}
	if found == nowhere {
		if found = s.add(from, key, t.Nodes[node].bits, t.hashKey(node)); found == nowhere {
			return nowhere
		}
		expected = &s.sequences[in.at].next // add has moved it
		if in.count == 0 {
			expected = &s.sequences[in.at].inside
		}
	}
	expected.learn(found)
	return found
}

// giveUp remembers the keys of an object at a place one by one, up to the last: it is a dictionary.
func (t *Tape) giveUp(in nesting, place Shape) {
	t.shapes.missed++
	t.shapes.sequences[place].lost++
	key := Value{t, in.node}.First()
	for range in.count {
		t.parser.keys = append(t.parser.keys, keyHash{t.hashKey(key.node), key.node})
		key = key.After().After()
	}
}

// text reads the string whose first byte is text[start] into its node; so many bytes are known to be plain.
func (t *Tape) text(text []byte, start, plain int, n *Node) (end int, how outcome) {
	first := len(t.codes)
	var seen notes
	var extra int
	if marking {
		end, seen, extra = t.passMarked(text, start+plain)
	} else {
		end, seen, extra = t.scanOn(text, start+plain, plain >= reach)
	}
	if seen&^traits != 0 {
		return 0, fault(seen)
	}
	*n = Node{uint32(start), uint32(end), uint32(end - start - extra), uint32(String) | uint32(seen)}
	if seen&(coded|wide) != 0 {
		n.bits |= t.endSize(first) << lenShift
	}
	return end, accepted
}

// fault tells a string that only ends too early from others that are no strict JSON.
func fault(seen notes) outcome {
	if seen&^traits == unclosed {
		return cut
	}
	return refused
}

// acceptNumber returns the end of the number at i and the bits of its node; the end is -1 when it is not strict, or not
// whole.
func acceptNumber(text []byte, i int) (end int, bits uint32) {
	const refused = -1
	start := i
	if text[i] == '-' {
		i++
	}
	first := i
	i = skipDigits(text, i)
	if i == first || i > first+1 && text[first] == '0' || i-start > MaxNumber {
		return refused, 0
	}
	if i >= len(text) || text[i] != '.' && text[i]|0x20 != 'e' {
		if text[first] == '0' && first > start {
			return i, uint32(Number) | isLoose
		}
		return i, uint32(Number)
	}
	bits = uint32(Number) | isDecimal | isLoose
	if text[i] == '.' {
		from := i + 1
		if i = skipDigits(text, from); i == from || i-start > MaxNumber {
			return refused, 0
		}
		if isFirm(text[first:i], i-from) {
			bits &^= isLoose
		}
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		end, fault := scanNumber(text, start)
		if fault != "" {
			return refused, 0
		}
		return end, bits | isLoose
	}
	return i, bits
}

// word returns the kind and the size of the literal at i, 0 if it is none.
func word(text []byte, i int) (kind Kind, size int) {
	if len(text)-i < 4 {
		return 0, 0
	}
	switch string(text[i : i+4]) {
	case "null":
		return Null, 4
	case "true":
		return True, 4
	case "fals":
		if len(text)-i > 4 && text[i+4] == 'e' {
			return False, 5
		}
	}
	return 0, 0
}

// grow makes room for two nodes at least; nil when a tape holds no more. Of a long text the number of nodes is foretold by
// those up to i: copying a very large tape again and again would double its memory.
func (t *Tape) grow(nodes []Node, i int) []Node {
	n, limit := len(nodes), t.parser.maxNodes-1
	if n+2 > limit {
		return nil
	}
	size := max(2*n, 64)
	if n >= manyNodes {
		size = max(n+n/4, int(float64(n)*float64(len(t.Text))/float64(i)*1.1))
	}
	t.Nodes = append(make([]Node, 0, min(size, limit)), nodes...)
	return t.Nodes
}
