package secrets

// block is how many bytes of a text are looked at in one step: as many as a mask has bits.
const block = 64

// depth is how many bytes a fingerprint has.
const depth = 4

// nibbles is a table of eight sets of bytes: byte b is in set i if bit i is set in low, at the lower half of b, and in high, at
// its upper half. That lets two shuffles of a vector look up many bytes at once. A set that is no product of halves holds
// some bytes too many.
type nibbles struct{ low, high [16]byte }

// of returns the sets of a byte.
func (n *nibbles) of(b byte) byte { return n.low[b&15] & n.high[b>>4] }

func (n *nibbles) add(set int, b byte) {
	n.low[b&15] |= 1 << set
	n.high[b>>4] |= 1 << set
}

// tables says what masks are made of. The code for a processor reads begin and run as they lie in memory.
type tables struct {
	// begin holds fingerprints, in eight sets: one stands where the first byte is in begin[0], the next one in begin[1] and so
	// on, in a set of the same number.
	begin [depth]nibbles
	// run holds the bytes of runs; the number of the set does not matter.
	run nibbles
	// plain is the same for each byte: begin from the lowest byte on, and run in the highest.
	plain [256]uint64
}

// runShift is where run stands in an entry of plain.
const runShift = 56

// complete makes plain of the rest.
func (t *tables) complete() {
	for b := range 256 {
		t.plain[b] = uint64(t.run.of(byte(b))) << runShift
		for i := range t.begin {
			t.plain[b] |= uint64(t.begin[i].of(byte(b))) << (8 * i)
		}
	}
}

// masksPlainly sets a bit of begins for each place at which a fingerprint stands and one of runs for each byte of a run, for as
// many blocks as the masks are for. Behind the last block the text has depth-1 bytes more.
func (t *tables) masksPlainly(text []byte, begins, runs []uint64) {
	for i := range begins {
		var begin, run, state uint64
		for j, b := range text[i*block : i*block+block+depth-1] {
			sets := t.plain[b]
			// Byte k of the state holds the sets in which the k+1 bytes that end here begin a fingerprint.
			state = (state<<8 | 0xff) & sets
			if state>>(8*(depth-1)) != 0 {
				begin |= 1 << (j - (depth - 1))
			}
			if sets>>runShift != 0 {
				run |= 1 << j
			}
		}
		begins[i], runs[i] = begin, run
	}
}
