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

// tables says what masks are made of. The codes for processors read their parts of it as they lie in memory.
type tables struct {
	// plain is what there is for each byte: the sets of the four bytes of fingerprints, from the lowest byte on, and runBit. A fingerprint
	// stands where the first byte is in a set of the first four bytes, the next one in one of the same number of the second and
	// so on.
	plain [256]uint64
	// begin and run are the same for shuffles of halves. The number of a set of run does not matter.
	begin [depth]nibbles
	run   nibbles
	// ascii is the same for shuffles by the lower seven bits: the sets of fingerprints, for which a byte that is not ASCII is taken
	// for one that is, and at last classes.
	ascii [depth + 1][128]byte
}

// runBit says in plain that a byte is one of a run.
const runBit = 1 << 63

// The classes of bytes in tables.ascii.
const (
	runClass = 1 << iota
	betweenClass
	operatorClass
)

// newTables returns tables without fingerprints.
func newTables() (t tables) {
	for b := range byte(128) {
		if kinds[b]&ofRun != 0 {
			t.plain[b] |= runBit
			t.run.add(int(b>>4), b)
			t.ascii[depth][b] |= runClass
		}
		if kinds[b]&between != 0 {
			t.ascii[depth][b] |= betweenClass
		}
		if kinds[b]&operator != 0 {
			t.ascii[depth][b] |= operatorClass
		}
	}
	return t
}

// add adds a byte to a set of the k-th bytes of fingerprints.
func (t *tables) add(k, set int, b byte) {
	t.plain[b] |= 1 << (8*k + set)
	t.begin[k].add(set, b)
	t.ascii[k][b&0x7f] |= 1 << set
}

// maskCount is how many masks are made at once.
const maskCount = 64

// masks has a bit for each place of a text, in blocks. The codes for processors write it as it lies in memory.
type masks struct {
	// begins says where fingerprints begin, runs which bytes are those of runs, and equals which of these are equals signs.
	begins, runs, equals [maskCount]uint64
	// values and longs have a bit for the last of the first minRun bytes of each value, and of the first minPart bytes of each run. A
	// value is a run or begins in one, behind an equals sign; some ways to make masks leave out values that no operator
	// stands before.
	values, longs [maskCount]uint64
	before        behind
}

// behind are masks of the block before, for what goes on in the next one.
type behind struct {
	// In runs: the bytes that are at least so many from the beginning of one.
	runs, twos, fours, eights, sixteens uint64
	// begun is where values begin.
	equals, begun uint64
	// between may stand between an operator and a value, and reached does.
	//lint:ignore U1000 the code for AVX-512 keeps them here
	between, reached uint64
}

// lookPlainly makes the masks of so many blocks of a text, at most maskCount, and says in which of them something begins, of whatever
// kind. Behind the last block the text has depth-1 bytes more.
func (m *masks) lookPlainly(t *tables, text []byte, blocks int) (some uint64) {
	for i := range blocks {
		var begin, run, equal, state uint64
		for j, b := range text[i*block : i*block+block+depth-1] {
			sets := t.plain[b]
			// Byte k of the state holds the sets in which the k+1 bytes that end here begin a fingerprint.
			state = (state<<8 | 0xff) & sets
			if state>>(8*(depth-1)) != 0 {
				begin |= 1 << (j - (depth - 1))
			}
			if sets&runBit != 0 {
				run |= 1 << j
				if b == '=' {
					equal |= 1 << j
				}
			}
		}
		m.begins[i], m.runs[i], m.equals[i] = begin, run, equal
	}
	return m.combine(blocks)
}

// combine makes values and longs of the other masks.
func (m *masks) combine(blocks int) (some uint64) {
	b := m.before
	for i := range blocks {
		run, equal := m.runs[i], m.equals[i]
		runOn := run<<1 | b.runs>>63
		two := run & runOn
		four := two & (two<<2 | b.twos>>62)
		eight := four & (four<<4 | b.fours>>60)
		ten := eight & (two<<8 | b.twos>>56)
		sixteen := eight & (eight<<8 | b.eights>>56)
		begun := run &^ (runOn &^ (equal<<1 | b.equals>>63))

		m.values[i] = ten & (begun<<(minRun-1) | b.begun>>(block-(minRun-1)))
		m.longs[i] = sixteen &^ (sixteen<<1 | b.sixteens>>63)
		if m.begins[i]|m.values[i]|m.longs[i] != 0 {
			some |= 1 << i
		}
		b = behind{runs: run, twos: two, fours: four, eights: eight, sixteens: sixteen, equals: equal, begun: begun}
	}
	m.before = b
	return some
}
