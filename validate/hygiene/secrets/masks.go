package secrets

// block is how many bytes of a text are looked at in one step: as many as a mask has bits.
const block = 64

// halfBlock is how many bytes of a block are seen to be those of one run.
const halfBlock = block / 2

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
	// plain is what there is for each byte: the sets of the four bytes of fingerprints, from the lowest byte on, and the kinds of the byte.
	// A fingerprint stands where the first byte is in a set of the first four bytes, the next one in one of the same number of the second
	// and so on.
	plain [256]uint64
	// begin and run are the same for shuffles of halves. In run, slashSet has those bytes of runs that are none of parts. Of the others the
	// number of the set does not matter.
	begin [depth]nibbles
	run   nibbles
	// ascii is the same for shuffles by the lower seven bits: the sets of fingerprints, for which a byte that is not ASCII is taken
	// for one that is, and at last classes.
	ascii [depth + 1][128]byte
}

// The kinds of bytes in tables.plain: those of runs, those of parts of them, and the equals sign.
const (
	runBit = 1 << (63 - iota)
	partBit
	equalBit
)

// slashSet is a set of tables.run.
const slashSet = 7

// The classes of bytes in tables.ascii.
const (
	runClass = 1 << iota
	partClass
	betweenClass
	operatorClass
)

// newTables returns tables without fingerprints.
func newTables() (t tables) {
	for b := range byte(128) {
		if kinds[b]&ofRun != 0 {
			t.plain[b] |= runBit
			t.ascii[depth][b] |= runClass
			if kinds[b]&slash != 0 {
				t.run.add(slashSet, b)
			} else {
				t.plain[b] |= partBit
				t.ascii[depth][b] |= partClass
				t.run.add(int(b>>4)-2, b)
			}
		}
		if b == '=' {
			t.plain[b] |= equalBit
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
	// begins says where fingerprints begin, runs which bytes are those of runs, parts which of these are those of parts, and equals which
	// are equals signs.
	begins, runs, parts, equals [maskCount]uint64
	// values and longs have a bit for the last of the first minRun bytes of each value, and of the first minPart bytes of each part. A
	// value is a run or begins in one, behind an equals sign, with a byte of a part; some ways to make masks leave out values that no
	// operator stands before.
	values, longs [maskCount]uint64
	// fulls has a bit for the first byte of each half of a block that is all of a run.
	fulls [maskCount]uint64
	// betweens say which bytes may stand between an operator and a value, and operators which are operators.
	//lint:ignore U1000 the code for AVX-512 keeps them here
	betweens, operators [maskCount]uint64
	before              behind
}

// behind are masks of the block before, for what goes on in the next one.
type behind struct {
	// The last bytes of so many of a run in a row, and of a part.
	runs, runTwos, runFours           uint64
	parts, twos, fours, eights, longs uint64
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
		var begin, run, part, equal, state uint64
		for j, b := range text[i*block : i*block+block] {
			sets := t.plain[b]
			// Byte k of the state holds the sets in which the k+1 bytes that end here begin a fingerprint.
			state = (state<<8 | 0xff) & sets
			if state>>(8*(depth-1)) != 0 {
				begin |= 1 << (j - (depth - 1))
			}
			run = run>>1 | sets&runBit
			part = part>>1 | sets<<1&runBit
			equal = equal>>1 | sets<<2&runBit
		}
		for j, b := range text[(i+1)*block : (i+1)*block+depth-1] {
			state = (state<<8 | 0xff) & t.plain[b]
			if state>>(8*(depth-1)) != 0 {
				begin |= 1 << (block - (depth - 1) + j)
			}
		}
		m.begins[i], m.runs[i], m.parts[i], m.equals[i] = begin, run, part, equal
	}
	return m.combine(blocks)
}

// combine makes values and longs of the other masks.
func (m *masks) combine(blocks int) (some uint64) {
	b := m.before
	for i := range blocks {
		run, part, equal := m.runs[i], m.parts[i], m.equals[i]
		runOn := run<<1 | b.runs>>63
		runTwo := run & runOn
		runFour := runTwo & (runTwo<<2 | b.runTwos>>62)
		runEight := runFour & (runFour<<4 | b.runFours>>60)
		runTwelve := runEight & (runFour<<8 | b.runFours>>56)
		begun := part &^ (runOn &^ (equal<<1 | b.equals>>63))
		two := part & (part<<1 | b.parts>>63)
		four := two & (two<<2 | b.twos>>62)
		eight := four & (four<<4 | b.fours>>60)
		long := eight & (eight<<8 | b.eights>>56)

		m.values[i] = runTwelve & (begun<<(minRun-1) | b.begun>>(block-(minRun-1)))
		m.longs[i] = long &^ (long<<1 | b.longs>>63)
		m.fulls[i] = 0
		for at := 0; at < block; at += halfBlock {
			if uint32(run>>at) == 1<<halfBlock-1 {
				m.fulls[i] |= 1 << at
			}
		}
		if m.begins[i]|m.values[i]|m.longs[i]|m.fulls[i] != 0 {
			some |= 1 << i
		}
		b = behind{
			runs: run, runTwos: runTwo, runFours: runFour, parts: part, twos: two, fours: four, eights: eight, longs: long,
			equals: equal, begun: begun,
		}
	}
	m.before = b
	return some
}
