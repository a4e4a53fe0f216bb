package tape

import (
	"hash/maphash"
	"math"
)

// Shape stands for the keys of an object: objects of one shape have the same keys, written alike and in the same order. It
// is less than [MaxShapes], so that it can index a slice. 0 is no shape: the object has no keys, or ones that are not
// remembered, as in a dictionary.
type Shape uint32

const (
	// MaxShapes bounds how many sequences of keys are remembered.
	MaxShapes = 4096
	// maxShapeKeys is how many keys the longest of them has, maxShapeKey how many bytes the longest key.
	maxShapeKeys = 1024
	maxShapeKey  = 256
	// enoughMissed is after how many objects without a shape the sequences are forgotten, when there is no room for more.
	enoughMissed = 1 << 16
)

// The first two sequences have no keys.
const (
	// nowhere stands for the keys that are not remembered, and is where the values of those are.
	nowhere Shape = iota
	// top is where the whole value is.
	top
)

// Shapes are the sequences of keys that a tape has seen. They form a tree: each is its parent and one more key. No key
// is in a sequence twice.
type Shapes struct {
	// sequences are indexed by Shape.
	sequences []sequence
	index     map[step]Shape
	seed      maphash.Seed
	// missed counts the objects that got no shape since there was no room for more.
	missed int
	// kept is what [Kept] returned, by owner.
	kept map[any]any
}

// Kept returns what an owner keeps with the shapes of a tape, which begins as a zero T: what it finds out about objects by their shapes
// is then known to all who look at rows on that tape for it, one after the other, until the shapes are forgotten. An owner has one T.
func Kept[T any](s *Shapes, owner any) *T {
	if kept, ok := s.kept[owner].(*T); ok {
		return kept
	}
	if s.kept == nil {
		s.kept = map[any]any{}
	}
	kept := new(T)
	s.kept[owner] = kept
	return kept
}

// step leads from a sequence to a longer one.
type step struct {
	from Shape
	key  string
}

// sequence is a sequence of keys, by its last one.
type sequence struct {
	// head and tail are the first and the last eight bytes of the key as it is written, with its quotes and a colon; mask covers
	// those of head when there are fewer. size is the number of these bytes.
	head, tail, mask uint64
	size             int
	quoted           string
	// bits are those of the key's node.
	bits uint32
	// next foretells the key that follows, inside the first key of an object that is in the last key's value.
	next, inside guess
	parent       Shape
	length       int
	// hash is that of the decoded key.
	hash uint64
	// looked counts the objects in the last key's value whose keys were looked up, lost those of them that are not remembered, and
	// passed the objects that were not looked up since too many were lost.
	looked, lost, passed uint32
}

// key is the last key as it is written, without its quotes.
func (q *sequence) key() string { return q.quoted[1 : q.size-2] }

// guess holds the sequence that came the last time, and another that came before.
type guess struct{ last, other Shape }

func (g *guess) learn(s Shape) {
	if g.last != s {
		g.last, g.other = s, g.last
	}
}

// Shapes returns what the shapes of the tape's objects belong to. It changes when they are forgotten: what is found out by shape holds
// for one Shapes only; see [Kept].
func (t *Tape) Shapes() *Shapes { return t.shapes }

// Shape returns the shape of an object; see [Tape.Shapes].
func (v Value) Shape() Shape {
	n := v.at()
	if n.Kind() != Object || n.Len() == 0 {
		return 0
	}
	return Shape(v.tape.Nodes[v.node+1].link)
}

// Alike counts the objects that stand one behind the other in an array, the first of them at a node, which have the shape of that one and
// nothing inside their members. Each takes a node and two for each member. It is 0 when the first has no shape. From the first on so many
// elements of the array are left. All observers ask the same, so the count is kept with the first key.
func (t *Tape) Alike(node, left int) int {
	first := t.Nodes[node]
	shape := t.Value(node).Shape()
	if shape == 0 {
		return 0
	}
	key := &t.Nodes[node+1]
	if count := key.count(); count > 0 {
		return count
	}
	stride := 1 + 2*first.Len()
	count := 0
	for at := node; count < left; count++ {
		object := &t.Nodes[at]
		if object.bits != first.bits || int(object.link) != at+stride || t.Nodes[at+1].link != uint32(shape) {
			break
		}
		at += stride
	}
	key.bits |= uint32(count) << lenShift
	return count
}

func newShapes() *Shapes {
	s := &Shapes{sequences: make([]sequence, 2, 16), index: map[step]Shape{}, seed: maphash.MakeSeed()}
	for i := range s.sequences {
		s.sequences[i].mask = math.MaxUint64 // eight zeros stand in no strict JSON
	}
	return s
}

// full says that there is no room for more sequences, and that it has cost enough to begin anew.
func (s *Shapes) full() bool { return s.missed >= enoughMissed }

const (
	// manyLooked is after how many objects of a place what was counted there counts half.
	manyLooked = 256
	// retryLost is how many objects are passed for one that is looked up, where most are lost.
	retryLost = 64
)

// isKnown says that most objects of a place have keys that are remembered.
func (q *sequence) isKnown() bool { return q.lost <= manyLooked/4 || q.lost <= q.looked/2 }

// looksUp says that an object of a place is to be looked up: most there are known, or it is time to try again.
func (s *Shapes) looksUp(place Shape) bool {
	q := &s.sequences[place]
	if !q.isKnown() {
		s.missed++
		if q.passed++; q.passed%retryLost != 0 {
			return false
		}
	}
	if q.looked++; q.looked == manyLooked {
		q.looked, q.lost = q.looked/2, q.lost/2
	}
	return true
}

// find returns the sequence that goes on from one with a key as it is written; 0 if there is none yet.
func (s *Shapes) find(from Shape, key []byte) Shape { return s.index[step{from, string(key)}] }

// add remembers a sequence; 0 when there is no room, or when it would have a key twice.
func (s *Shapes) add(from Shape, key []byte, bits uint32, hash uint64) Shape {
	length := s.sequences[from].length + 1
	if len(s.sequences) == MaxShapes || length > maxShapeKeys || len(key) > maxShapeKey || s.has(from, hash) {
		return 0
	}
	q := sequence{quoted: `"` + string(key) + `":`, bits: bits, parent: from, length: length, hash: hash}
	q.size, q.head, q.mask = len(q.quoted), eight([]byte(q.quoted), 0), ^uint64(0)
	if q.size < 8 {
		q.mask = 1<<(8*q.size) - 1
	} else {
		q.tail = eight([]byte(q.quoted), q.size-8)
	}
	added := Shape(len(s.sequences))
	s.sequences = append(s.sequences, q)
	s.index[step{from, q.key()}] = added
	return added
}

// has says that a key may be in a sequence already: one with the same hash is.
func (s *Shapes) has(in Shape, hash uint64) bool {
	for ; in != 0; in = s.sequences[in].parent {
		if s.sequences[in].hash == hash {
			return true
		}
	}
	return false
}
