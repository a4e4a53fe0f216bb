package rows

import "bytes"

// batchSize is the number of bytes after which load_dataset ends a batch of a JSON Lines file at the next line end.
const batchSize = 10 << 20

// Batches numbers the batches in which load_dataset reads a JSON Lines file: 10,485,760 bytes and on to the end of the
// line. The loader infers and writes one table for each, so types and sizes depend on where they end. The zero value
// stands at the start of a file. A byte order mark and blank lines count, as they do for the loader.
type Batches struct {
	start int64
	batch int
}

// Line takes the next physical line of the file, blank or not, by the offset behind its line end, and returns the
// number of the batch it is in, from 0.
func (b *Batches) Line(end int64) int {
	batch := b.batch
	if end > b.start+batchSize {
		b.start = end
		b.batch++
	}
	return batch
}

// left is how many bytes from an offset on are surely in the batch, line ends included.
func (b *Batches) left(offset int64) int { return int(max(b.start+batchSize-offset, 0)) }

// pass takes all lines that end in a text, which stands at an offset of the file.
func (b *Batches) pass(text []byte, offset int64) {
	for {
		from := max(b.start+batchSize-offset, 0)
		if from >= int64(len(text)) {
			return
		}
		i := bytes.IndexByte(text[from:], '\n')
		if i < 0 {
			return
		}
		b.Line(offset + from + int64(i) + 1)
	}
}
