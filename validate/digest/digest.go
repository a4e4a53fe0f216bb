// Package digest turns rows into hashes that do not depend on how a file was written, and keeps them in hfpub.lock.
//
// The canonical bytes of a row ([AppendCanonical]) are RFC 8785 (JSON Canonicalization Scheme), with two exceptions for
// numbers that float64 cannot hold. h(row) is the SHA-256 of the canonical bytes, and a split's [Digest] is made of all h(row)
// in file order: line ends, key order, spacing and escapes do not change it, a changed value does. A cell of a CSV file
// counts as the text it is.
//
// # Canonical bytes
//
// No white space; the keys of an object sorted by their UTF-16 code units; in strings only \" \\ \b \f \n \r \t and, for other
// characters below U+0020, \u00xx are escaped, all else stands as UTF-8. Numbers:
//
//   - A number written without point and exponent keeps its digits, however many: 9007199254740993 stays; -0 is 0.
//   - Any other is written as ECMAScript writes the nearest float64: 1.0 is 1, 1e2 is 100, 1e21 is 1e+21, 1e-400 is 0.
//   - A number with point or exponent that is too large for float64 is written exactly, as d.ddde+n without zeros at the end of
//     the digits: 12.50e400 is 1.25e+401.
//
// In Python, for JSON Lines whose numbers have neither point nor exponent:
//
//	import hashlib, json
//	def canonical(v): return json.dumps(v, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
//	h = [hashlib.sha256(canonical(json.loads(line))).digest() for line in open("train.jsonl", "rb") if line.strip()]
//	print(hashlib.sha256(b"".join(h)).hexdigest())
//	print("%064x" % (sum(int.from_bytes(x, "big") for x in h) % 2**256))
//
// Python sorts keys by code point: with characters beyond U+FFFF in keys, sort by key.encode("utf-16-be").
package digest

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/sha256pair"
)

// Digest is the content hash of a split, both forms as 64 hex digits: Sequence depends on the order of rows, Set does not.
//
// Sequence is the SHA-256 of all h(row) one behind the other. Set is the sum of all h(row), read as big-endian integers,
// modulo 2^256: it counts repeats, and detects drift, but is no defence against crafted rows.
type Digest struct {
	Sequence string `json:"sequence"`
	Set      string `json:"set"`
}

// Observer makes the digest of the rows it sees. It implements rows.RunObserver.
//
// SHA-256 cannot be continued from two ends, so the observer of a run of rows that may have others before it keeps their
// h(row), 32 bytes for each row, until it is merged into the one before. The observer that begins a split hashes
// on and keeps few: see NewFirst.
//
// Rows are hashed together, and best beside something else: see [Observer.Batch].
type Observer struct {
	// sequence is set where the split begins; hashes holds the h(row) that it has not taken in yet, else all of them. The first lent bytes of
	// these are being taken in beside something else.
	sequence *sha256pair.Stream
	hashes   []byte
	lent     int
	set      sum
	rows     int64
	// canon is reused from row to row.
	canon canon
	// batch holds the canonical bytes of the last rows, which are not hashed yet.
	batch sha256pair.Batch
}

// NewObserver returns an observer for any run of rows of a split.
func NewObserver() *Observer { return &Observer{} }

// NewBuffered is NewObserver with memory for rows of about so many bytes to be hashed together.
func NewBuffered(size int) *Observer {
	return &Observer{batch: sha256pair.NewBatch(size)}
}

// NewFirst returns an observer for rows before which the split has none. Others are merged into it, in order; it is never
// merged into one that has seen rows.
func NewFirst() *Observer { return &Observer{sequence: sha256pair.NewStream()} }

// Observe takes in one row.
func (o *Observer) Observe(row *rows.Row) {
	o.rows++
	if len(row.Doc.Text) >= longRow {
		o.batch.Add(o.canon.sumLong(row.Doc))
		return
	}
	o.batch.End(o.canon.appendRow(o.batch.Begin(), row.Doc))
	o.bound()
}

// bound hashes the rows that are not hashed yet when they are many.
func (o *Observer) bound() {
	if o.batch.Size() >= mostUnhashed {
		o.Hash()
	}
}

const (
	// mostUnhashed is from how many canonical bytes on an observer hashes them by itself: more than those of most blocks of rows.
	mostUnhashed = 4 << 20
	// mostKept is for how many of them memory is kept.
	mostKept = 2 << 20
)

// Batch returns the rows that are not hashed yet. To have them hashed beside something else, hash the batch with that and call
// [Observer.Hash] at once.
func (o *Observer) Batch() *sha256pair.Batch { return &o.batch }

// Hash hashes the rows that are not hashed yet, and takes in their h(row).
func (o *Observer) Hash() {
	if o.batch.Len() == 0 {
		return
	}
	o.batch.Hash()
	sums := o.batch.Sums()
	o.set.addHashes(sums)
	o.append(sums)
	o.batch.Reset(mostKept)
}

// Hashes returns all h(row) of the rows seen, one behind the other, of an observer that was not made by [NewFirst].
func (o *Observer) Hashes() []byte {
	o.Hash()
	return o.hashes
}

// mostPending is from how many bytes of hashes on that nobody has asked for with Lend the sequence takes them in alone.
const mostPending = 2 << 20

// append takes in the h(row) of rows that follow those seen.
func (o *Observer) append(hashes []byte) {
	o.hashes = append(o.hashes, hashes...)
	if o.sequence != nil && o.lent == 0 && len(o.hashes) >= mostPending {
		o.flush()
	}
}

func (o *Observer) flush() {
	o.sequence.Write(o.hashes)
	o.hashes = o.hashes[:0]
}

// Lend has the sequence of h(row) go on beside the rows of another observer, when those are hashed together, and beside a file: alone
// it takes twice the time. Until TakeBack only Merge may be called.
func (o *Observer) Lend(beside *Observer) {
	if o.sequence != nil {
		o.lent = len(o.hashes)
		beside.batch.Along(o.sequence, o.hashes)
	}
}

// TakeBack ends what Lend began, once the rows of the other are hashed.
func (o *Observer) TakeBack() {
	o.hashes = o.hashes[:copy(o.hashes, o.hashes[o.lent:])]
	o.lent = 0
}

// Merge takes over the rows that next saw behind those of o; next is not to be used afterwards, but for Reset.
func (o *Observer) Merge(next rows.Observer) {
	n := next.(*Observer)
	o.Hash()
	n.Hash()
	switch {
	case n.rows == 0:
		return
	case o.rows == 0 && n.sequence != nil:
		o.sequence, o.hashes, n.hashes = n.sequence, n.hashes, nil
	case n.sequence != nil:
		panic("digest: an observer made by NewFirst is merged behind rows")
	default:
		o.append(n.hashes)
	}
	o.set.add(n.set)
	o.rows += n.rows
}

// Reset makes the observer as new, to be used for another run of rows. It keeps the memory it has, and what it knows of the
// shapes of rows.
func (o *Observer) Reset() {
	o.batch.Reset(mostKept)
	*o = Observer{hashes: o.hashes[:0], canon: o.canon, batch: o.batch}
}

// Digest returns the digest of the rows seen so far.
func (o *Observer) Digest() Digest {
	o.Hash()
	var sequence [sha256.Size]byte
	if o.sequence != nil {
		o.flush()
		sequence = o.sequence.Sum()
	} else {
		sequence = sha256.Sum256(o.hashes)
	}
	return Digest{Sequence: hex.EncodeToString(sequence[:]), Set: o.set.String()}
}

// Rows is the number of rows seen.
func (o *Observer) Rows() int64 { return o.rows }
