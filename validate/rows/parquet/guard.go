package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/format"
)

// runSlack is how many values more than there are the runs of a page may hold: the last one is padded.
const runSlack = 512

// dataPage is what has to be known of a page to hold its content against its header.
type dataPage struct {
	leaf *node
	// values counts those of the page, null included.
	values   int
	encoding format.Encoding
	// levels are the encodings of repetition and definition levels.
	levels [2]format.Encoding
	// v2 says that the levels of so many bytes stand before the values without their length.
	v2         bool
	levelBytes [2]int
}

// check says whether decoding the page takes memory in proportion to its size: what stands in it as counts and lengths is
// held against the header.
func (p *dataPage) check(data []byte) error {
	rest, err := p.checkLevels(data)
	if err != nil {
		return err
	}
	switch p.encoding {
	//lint:ignore SA1019 old files have this encoding in their data pages
	case format.PlainDictionary, format.RLEDictionary:
		if len(rest) == 0 {
			return nil // a page of nulls
		}
		return checkRuns(rest[1:], int(rest[0]), p.values)
	case format.RLE:
		if len(rest) < 4 {
			return errShort
		}
		return checkRuns(rest[4:], 1, p.values)
	case format.DeltaBinaryPacked, format.DeltaLengthByteArray:
		return checkDelta(rest, p.values)
	case format.DeltaByteArray:
		return checkPrefixes(rest, p.values)
	}
	return nil
}

// checkLevels goes over the levels and returns what stands behind them.
func (p *dataPage) checkLevels(data []byte) ([]byte, error) {
	for i, highest := range []int{p.leaf.maxRepetition, p.leaf.maxDefinition} {
		var size int
		switch {
		case p.v2:
			size = p.levelBytes[i]
		case highest == 0:
			continue
		case p.levels[i] == format.BitPacked:
			size = (p.values*bits.Len(uint(highest)) + 7) / 8
		case len(data) < 4:
			return nil, errShort
		default:
			length := binary.LittleEndian.Uint32(data)
			data = data[4:]
			if int64(length) > int64(len(data)) {
				return nil, errShort
			}
			size = int(length)
		}
		if size < 0 || size > len(data) {
			return nil, errShort
		}
		if highest > 0 && p.levels[i] != format.BitPacked {
			if err := checkRuns(data[:size], bits.Len(uint(highest)), p.values); err != nil {
				return nil, err
			}
		}
		data = data[size:]
	}
	return data, nil
}

// checkRuns goes over the runs of the hybrid of run lengths and packed bits: they may not hold many more values than there are.
func checkRuns(data []byte, width, values int) error {
	if width > 32 {
		return fmt.Errorf("values of %d bits", width)
	}
	limit := uint64(values) + runSlack
	var total uint64
	for len(data) > 0 {
		head, n := binary.Uvarint(data)
		if n <= 0 {
			return errShort
		}
		data = data[n:]
		count, size := head>>1, uint64(width+7)/8
		if count > limit {
			return errRuns
		}
		if head&1 == 1 {
			count, size = 8*count, count*uint64(width)
		}
		if total += count; total > limit {
			return errRuns
		}
		data = data[min(size, uint64(len(data))):]
	}
	return nil
}

var errRuns = errors.New("runs of more values than the page has")

// checkDelta looks at the head of delta-packed integers: they may not be more than there are values.
func checkDelta(data []byte, values int) error {
	for i := range 3 {
		n, size := binary.Uvarint(data)
		if size <= 0 {
			return errShort
		}
		switch {
		case i == 0 && n > 1<<20, i == 1 && (n == 0 || n > 1<<12):
			return fmt.Errorf("delta blocks of %d values", n)
		case i == 2 && n > uint64(values):
			return fmt.Errorf("more deltas than values")
		}
		data = data[size:]
	}
	return nil
}

// checkPrefixes adds up the lengths that values share with the one before: a few bytes could stand for gigabytes.
func checkPrefixes(data []byte, values int) error {
	if err := checkDelta(data, values); err != nil {
		return err
	}
	lengths, err := new(delta.BinaryPackedEncoding).DecodeInt32(make([]int32, 0, values), data)
	if err != nil {
		return err
	}
	total := len(data)
	for _, n := range lengths {
		if n < 0 {
			return fmt.Errorf("a prefix of a negative length")
		}
		if total += int(n); total > maxPage {
			return fmt.Errorf("values of more than %d bytes together", maxPage)
		}
	}
	return nil
}
