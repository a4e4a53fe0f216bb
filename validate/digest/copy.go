package digest

import "unsafe"

// Most keys and many values are short, and a call for each takes longer than to copy it. So they are copied in steps, the last of which
// may go on behind the end: there has to be room for that, and something to read.
const (
	// shortCopy is up to how many bytes are copied so, overrun by how many the last step may go on.
	shortCopy = 256
	overrun   = 64
)

// octets are bytes that are read and written without a look at how many there are.
type octets struct {
	first unsafe.Pointer
	size  int
}

func octetsOf(text []byte) octets { return octets{unsafe.Pointer(unsafe.SliceData(text)), cap(text)} }

func (o octets) at(i int) unsafe.Pointer { return unsafe.Add(o.first, i) }

// copyShort copies size bytes, and what is behind them, less than overrun bytes of it.
func copyShort(to, from unsafe.Pointer, size int) {
	*(*[16]byte)(to) = *(*[16]byte)(from)
	for i := 16; i < size; i += 64 {
		*(*[16]byte)(unsafe.Add(to, i)) = *(*[16]byte)(unsafe.Add(from, i))
		*(*[16]byte)(unsafe.Add(to, i+16)) = *(*[16]byte)(unsafe.Add(from, i+16))
		*(*[16]byte)(unsafe.Add(to, i+32)) = *(*[16]byte)(unsafe.Add(from, i+32))
		*(*[16]byte)(unsafe.Add(to, i+48)) = *(*[16]byte)(unsafe.Add(from, i+48))
	}
}

// name writes what stands in front of the value of a member.
func (c *canon) name(n int, m *ordered) int {
	if m.keySize <= shortKey {
		*(*[shortKey]byte)(octetsOf(c.out).at(n)) = m.head
		return n + m.keySize
	}
	return n + copy(c.out[n:], m.key)
}

// short writes members of flat objects from one on, up to the first whose value is not short and verbatim. The objects are as for
// [canon.flat]. It calls nothing, so that what it needs stays in registers.
func (c *canon) short(n, node, behind int, members []ordered, from int) (written, object, member int) {
	nodes, text, out := c.doc.Nodes, octetsOf(c.doc.Text), octetsOf(c.out)
	for ; node < behind; node += 1 + 2*len(members) {
		for i := from; i < len(members); i++ {
			m := &members[i]
			v := &nodes[node+int(m.value)]
			start, end := v.Whole()
			size := end - start
			if !v.Verbatim() || size > shortCopy {
				return n, node, i
			}
			*(*[shortKey]byte)(out.at(n)) = m.head
			n += m.keySize
			copyShort(out.at(n), text.at(start), size)
			n += size
		}
		*(*[2]byte)(out.at(n)) = [2]byte{'}', ','}
		n += len("},")
		from = 0
	}
	return n, node, 0
}

// copy writes text[start:end] of the tape's text behind the first n bytes.
func (c *canon) copy(n, start, end int) int {
	text := octetsOf(c.doc.Text)
	if end-start <= shortCopy && end+overrun <= text.size {
		copyShort(octetsOf(c.out).at(n), text.at(start), end-start)
		return n + end - start
	}
	return n + copy(c.out[n:], c.doc.Text[start:end])
}
