// Package fingerprint remembers which keys stand in which rows, for any number of rows.
//
// A [Key] is 128 bits of a SHA-256: equal values have equal keys, and that two others share one does not happen. A [Log] takes a
// [Record] for each key met; the logs of the blocks of a split are merged. All logs of a run share a [Store], which bounds how
// many records are in memory: beyond that a log sorts what it holds and writes it to a temporary file, as a run. [Sorted] then
// goes through the records of several logs in the order of their keys, so that equal keys meet, from memory and from runs alike:
// exact at any size, in constant memory and in time n log n.
package fingerprint

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"
)

// Key stands for a value: the first 128 bits of a SHA-256, or a number that is to be sorted (see [OfNumber]).
type Key [2]uint64

// Of returns the key of a value by its canonical bytes.
func Of(canonical []byte) Key { return OfHash(sha256.Sum256(canonical)) }

// OfHash returns the key of something by its SHA-256.
func OfHash(h [sha256.Size]byte) Key {
	return Key{binary.BigEndian.Uint64(h[:8]), binary.BigEndian.Uint64(h[8:16])}
}

// OfNumber returns a key by which numbers are sorted from small to large; [Key.Number] is it undone. There is no key for NaN.
func OfNumber(f float64) Key {
	bits := math.Float64bits(f + 0) // -0 + 0 is 0
	if bits>>63 == 1 {
		return Key{^bits}
	}
	return Key{bits | 1<<63}
}

// Number returns the number that the key was made of.
func (k Key) Number() float64 {
	if k[0]>>63 == 1 {
		return math.Float64frombits(k[0] &^ (1 << 63))
	}
	return math.Float64frombits(^k[0])
}

func (k Key) compare(other Key) int {
	return cmp.Or(cmp.Compare(k[0], other[0]), cmp.Compare(k[1], other[1]))
}

// Place says which row of a split it is: the file, by its place in the split's list, and the row's index in the file.
type Place uint64

// indexBits is how many bits of a place are the row's index.
const indexBits = 40

// MaxFiles is the number of files of a split that places can tell apart.
const MaxFiles = 1 << (64 - indexBits)

// At returns the place of a row.
func At(file int, index int64) Place { return Place(file)<<indexBits | Place(index)&(1<<indexBits-1) }

// File is the place of the file in the split's list.
func (p Place) File() int { return int(p >> indexBits) }

// Index is the row's index in the file.
func (p Place) Index() int64 { return int64(p & (1<<indexBits - 1)) }

// Record says that a key stands in a row. Value is whatever its user wants to know with it.
type Record struct {
	Key   Key
	Place Place
	Value uint64
}

// recordSize is the number of bytes that a record takes, in memory and in a file.
const recordSize = 32

func (r Record) compare(other Record) int {
	return cmp.Or(r.Key.compare(other.Key), cmp.Compare(r.Place, other.Place), cmp.Compare(r.Value, other.Value))
}

func (r Record) append(dst []byte) []byte {
	for _, n := range [...]uint64{r.Key[0], r.Key[1], uint64(r.Place), r.Value} {
		dst = binary.BigEndian.AppendUint64(dst, n)
	}
	return dst
}

func recordOf(b []byte) Record {
	word := func(i int) uint64 { return binary.BigEndian.Uint64(b[8*i:]) }
	return Record{Key{word(0), word(1)}, Place(word(2)), word(3)}
}

// sortRecords sorts records that stand in several slices into one, and gives the slices up as it goes.
func sortRecords(chunks [][]Record, n int) []Record {
	out := make([]Record, n)
	bits := 0
	for bits < 16 && n>>bits > 32 {
		bits++
	}
	shift := 64 - bits
	starts := make([]int, 1<<bits+1)
	for _, chunk := range chunks {
		for i := range chunk {
			starts[chunk[i].Key[0]>>shift+1]++
		}
	}
	for i := 1; i < len(starts); i++ {
		starts[i] += starts[i-1]
	}
	next := slices.Clone(starts[:1<<bits])
	for i, chunk := range chunks {
		for _, r := range chunk {
			bucket := r.Key[0] >> shift
			out[next[bucket]] = r
			next[bucket]++
		}
		chunks[i] = nil
	}
	for i := range next {
		if bucket := out[starts[i]:starts[i+1]]; len(bucket) > 1 {
			slices.SortFunc(bucket, Record.compare)
		}
	}
	return out
}
