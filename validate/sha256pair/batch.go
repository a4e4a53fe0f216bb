package sha256pair

import (
	"crypto/sha256"

	"github.com/hfpub/hfpub/validate/prefault"
)

// Batch gathers texts and hashes them together. The zero value is ready.
type Batch struct {
	// padded holds the texts, each with what SHA-256 adds to it.
	padded []byte
	texts  []text
	sums   []byte
	// hashed counts the texts that have their sum, and those before them.
	hashed int
	// along is what a stream takes in when the texts are hashed.
	along lane
}

// text is one text of a batch: where it begins in Batch.padded, its length, and that with what is added, 0 when it is hashed.
type text struct{ start, length, padded int }

// NewBatch returns a batch with memory for texts of so many bytes, and with half as much for what SHA-256 adds to short ones.
func NewBatch(size int) Batch { return Batch{padded: prefault.Bytes(size, size+size/2)[:0]} }

// Begin returns a buffer for the next text to be appended to. What stands in it is to be kept.
func (b *Batch) Begin() []byte { return b.padded }

// End takes back the buffer that Begin returned, with the text behind what stood in it.
func (b *Batch) End(buffer []byte) {
	start := len(b.padded)
	length := len(buffer) - start
	b.padded = pad(buffer, uint64(length))
	b.texts = append(b.texts, text{start, length, len(b.padded) - start})
}

// Add adds the sum of a text that was hashed elsewhere.
func (b *Batch) Add(sum [sha256.Size]byte) {
	b.texts = append(b.texts, text{})
	b.reserve()
	copy(b.sums[len(b.sums)-sha256.Size:], sum[:])
}

// Along has a stream take in bytes when the texts of the batch are hashed, which has to be next: until then neither may be used otherwise.
func (b *Batch) Along(s *Stream, text []byte) {
	if s.portable != nil {
		s.portable.Write(text)
		return
	}
	b.along = s.take(text)
}

// Len is the number of texts.
func (b *Batch) Len() int { return len(b.texts) }

// Size is the number of bytes that the batch holds of texts.
func (b *Batch) Size() int { return len(b.padded) }

// Sums returns the hashes of the texts, one behind the other. All have to be hashed; the bytes are valid until Reset.
func (b *Batch) Sums() []byte { return b.sums }

// Reset takes all texts out and keeps the memory, unless it is more than most bytes.
func (b *Batch) Reset(most int) {
	if cap(b.padded) > most {
		b.padded = nil
	}
	*b = Batch{padded: b.padded[:0], texts: b.texts[:0], sums: b.sums[:0]}
}

// reserve makes room for the sums of all texts.
func (b *Batch) reserve() {
	for len(b.sums) < len(b.texts)*sha256.Size {
		b.sums = append(b.sums, make([]byte, sha256.Size)...)
	}
}

// Hash hashes the texts that are not hashed yet, each two beside each other.
func (b *Batch) Hash() {
	b.reserve()
	if !fast {
		for ; b.hashed < len(b.texts); b.hashed++ {
			if t := b.texts[b.hashed]; t.padded > 0 {
				b.put(b.hashed, sha256.Sum256(b.padded[t.start:t.start+t.length]))
			}
		}
		return
	}
	b.hashBeside(lane{})
}

func (b *Batch) put(i int, sum [sha256.Size]byte) { copy(b.sums[i*sha256.Size:], sum[:]) }

// hashBeside takes in what a lane of a stream holds, and hashes all texts beside it and behind it. Streams come first: what is left are texts,
// of which the processor may take many at once.
func (b *Batch) hashBeside(stream lane) {
	b.reserve()
	left, right := stream, b.along
	b.along = lane{}
	if size := min(len(left.text), len(right.text)); size > 0 {
		left.beside(&right, size)
	}
	b.hashAlong(&left)
	b.hashAlong(&right)
	for b.fill(&left) && b.fill(&right) {
		left.beside(&right, min(len(left.text), len(right.text)))
	}
	left.alone()
	right.alone()
	b.keep(&left)
	b.keep(&right)
}

// hashAlong hashes texts one behind the other, as far as a lane of a stream goes along with whole ones, and takes in as much of that.
func (b *Batch) hashAlong(stream *lane) {
	for b.hashed < len(b.texts) {
		texts := b.texts[b.hashed:]
		count, size := 0, 0
		for count < len(texts) && texts[count].padded > 0 && size+texts[count].padded <= len(stream.text) {
			size += texts[count].padded
			count++
		}
		switch {
		case count > 0:
			compressTexts(&stream.state, &stream.text[0], &b.padded[texts[0].start], &texts[0], count, &b.sums[b.hashed*sha256.Size])
			stream.text = stream.text[size:]
			b.hashed += count
		case texts[0].padded == 0:
			b.hashed++
		default:
			return
		}
	}
}

// beside takes in so many bytes of each of two lanes.
func (l *lane) beside(r *lane, size int) {
	compressTwo(&l.state, &l.text[0], &r.state, &r.text[0], size/blockSize)
	l.text, r.text = l.text[size:], r.text[size:]
}

// alone takes in the rest of a lane when nothing is left for the other.
func (l *lane) alone() {
	if len(l.text) > 0 {
		compressOne(&l.state, &l.text[0], len(l.text)/blockSize)
		l.text = nil
	}
}

// fill sees to it that a lane has something to take in: if need be, the next text. It is false when there is none.
func (b *Batch) fill(l *lane) bool {
	if len(l.text) > 0 {
		return true
	}
	b.keep(l)
	b.hashSixteens()
	for b.hashed < len(b.texts) {
		t := b.texts[b.hashed]
		b.hashed++
		if t.padded > 0 {
			*l = lane{state: initial, text: b.padded[t.start : t.start+t.padded], of: b.hashed}
			return true
		}
	}
	*l = lane{}
	return false
}

// keep keeps the state of a lane that has taken in all of its text.
func (b *Batch) keep(l *lane) {
	if l.stream != nil {
		l.stream.state = l.state
	}
	if l.of > 0 {
		b.put(l.of-1, l.state.sum())
	}
}
