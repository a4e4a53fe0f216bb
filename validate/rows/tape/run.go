package tape

// maxRunNodes bounds the nodes of rows that are read together: they are to stay in the nearest cache until all observers have seen them.
const maxRunNodes = 1024

// Overlap is how many bytes behind rows [Tape.ParseRun] needs, if there are any, to read the last one too: eight bytes are read at once.
const Overlap = 8

// ParseRun reads rows of JSON Lines from the beginning of text, as many as can be read together: objects of one shape, which the tape has
// seen before, with nothing inside their members, each followed by a line feed at once. It returns how many there are, perhaps none: then the
// next row is one for [Tape.Parse], which finds out what is special with it. Text may go on behind them.
//
// The tape then holds these objects one behind the other, each with as many nodes as the first, and [Tape.Root] is the first.
func (t *Tape) ParseRun(text []byte) (rows int) {
	t.clear()
	if t.shapes == nil || t.shapes.full() || len(text) < Overlap || text[0] != '{' || !t.shapes.looksUp(top) {
		return 0
	}
	if cap(t.Nodes) < maxRunNodes {
		t.Nodes = make([]Node, 0, maxRunNodes)
	}
	t.window.begin(text)
	nodes := t.Nodes[:1:maxRunNodes]
	nodes[0] = Node{bits: uint32(Object)}
	list := nesting{at: top}
	i, nodes, object, next := t.members(text, len("{"), nodes, nesting{at: top, kind: inObject}, &list)
	if next == endNext && i+1 < len(text) && text[i] == '}' && text[i+1] == '\n' {
		object.end(nodes, i+1)
		list.count++
	}
	return t.endRun(text, nodes, int(list.count))
}

// endRun keeps of so many objects those that are like the first.
func (t *Tape) endRun(text []byte, nodes []Node, rows int) int {
	t.Text, t.Nodes = text, nodes
	if rows > 0 {
		rows = t.Alike(0, rows)
	}
	if rows == 0 {
		t.clear()
		return 0
	}
	stride := int(nodes[0].link)
	t.Nodes = nodes[:rows*stride]
	t.Text = text[:nodes[(rows-1)*stride].end]
	return rows
}

// ParseLike is [Tape.Parse] with the shapes of another tape: for a row that one has read.
func (t *Tape) ParseLike(other *Tape, text []byte) []Problem {
	t.shapes = other.shapes
	return t.Parse(text)
}
