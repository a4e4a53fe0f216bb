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
	// present is how many of the values are not null, found by check; -1 where that is not known. end is where the last of them ends.
	present, end int
}

// check says whether decoding the page takes memory in proportion to its size: what stands in it as counts and lengths is
// held against the header.
func (p *dataPage) check(data []byte) error {
	p.end = len(data)
	rest, err := p.checkLevels(data)
	if err != nil {
		return err
	}
	isText := p.leaf.physical == format.ByteArray
	switch p.encoding {
	case format.Plain:
		if !isText || p.present < 0 {
			return nil
		}
		size, err := plainTexts(rest, p.present)
		p.end -= len(rest) - size
		return err
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
	case format.DeltaBinaryPacked:
		_, err := checkDelta(rest, p.values)
		return err
	case format.DeltaLengthByteArray, format.DeltaByteArray:
		n, err := checkDelta(rest, p.values)
		if err == nil && isText && p.present >= 0 && n != p.present {
			return fmt.Errorf("%d values, and levels for %d", n, p.present)
		}
		if err == nil && p.encoding == format.DeltaByteArray {
			return checkPrefixes(rest, p.values)
		}
		return err
	}
	return nil
}

// plainTexts goes over so many values, each of which has its length before it, and returns how many bytes they take.
func plainTexts(data []byte, values int) (size int, err error) {
	for n := range values {
		if len(data)-size < 4 {
			return 0, fmt.Errorf("%d values of %d: %w", n, values, errShort)
		}
		length := int64(binary.LittleEndian.Uint32(data[size:]))
		if size += 4; length > int64(len(data)-size) {
			return 0, fmt.Errorf("value %d of %d is said to have %d bytes: %w", n+1, values, length, errShort)
		}
		size += int(length)
	}
	return size, nil
}

// checkDictionary holds the bytes of a dictionary against the number of its values, and returns how many they take.
func checkDictionary(leaf *node, h *format.DictionaryPageHeader, data []byte) (size int, err error) {
	//lint:ignore SA1019 old files have this encoding in their dictionaries
	if h.Encoding != format.Plain && h.Encoding != format.PlainDictionary {
		return 0, fmt.Errorf("it is encoded as %v", h.Encoding)
	}
	values := int(h.NumValues)
	width := 0
	switch leaf.physical {
	case format.ByteArray:
		return plainTexts(data, values)
	case format.Int32, format.Float:
		width = 4
	case format.Int64, format.Double:
		width = 8
	case format.Int96:
		width = 12
	case format.FixedLenByteArray:
		width = leaf.length
	default:
		return 0, fmt.Errorf("values of type %v", leaf.physical)
	}
	if int64(values)*int64(width) > int64(len(data)) {
		return 0, fmt.Errorf("%d values in %d bytes: %w", values, len(data), errShort)
	}
	return values * width, nil
}

// checkLevels goes over the levels and returns what stands behind them.
func (p *dataPage) checkLevels(data []byte) (rest []byte, err error) {
	p.present = p.values
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
		switch {
		case highest == 0:
		case p.levels[i] == format.BitPacked:
			p.present = -1
		default:
			if err := checkRuns(data[:size], bits.Len(uint(highest)), p.values); err != nil {
				return nil, err
			}
			if p.present, err = atHighest(data[:size], highest, p.values); err != nil {
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

// atHighest counts the levels that are the highest one, in runs that were checked; a level above it is an error, and so are fewer levels
// than values.
func atHighest(data []byte, highest, values int) (n int, err error) {
	width := bits.Len(uint(highest))
	for values > 0 {
		head, size := binary.Uvarint(data)
		if size <= 0 {
			return 0, errShort
		}
		data = data[size:]
		var level [4]byte
		if head&1 == 0 {
			count := min(int(head>>1), values)
			if values -= count; count == 0 {
				continue
			}
			data = data[copy(level[:(width+7)/8], data):]
			switch got := int(binary.LittleEndian.Uint32(level[:])); {
			case got > highest:
				return 0, fmt.Errorf("a level of %d where %d is the highest", got, highest)
			case got == highest:
				n += count
			}
			continue
		}
		count := min(8*int(head>>1), values)
		packed := data[:min(int(head>>1)*width, len(data))]
		if data = data[len(packed):]; len(packed)*8 < count*width {
			return 0, errShort
		}
		values -= count
		for i := range count {
			at := i * width
			level = [4]byte{}
			copy(level[:], packed[at/8:min(at/8+2, len(packed))])
			switch got := int(binary.LittleEndian.Uint32(level[:])) >> (at % 8) & (1<<width - 1); {
			case got > highest:
				return 0, fmt.Errorf("a level of %d where %d is the highest", got, highest)
			case got == highest:
				n++
			}
		}
	}
	return n, nil
}

var errRuns = errors.New("runs of more values than the page has")

// checkDelta looks at the head of delta-packed integers and returns how many there are: they may not be more than there are values.
func checkDelta(data []byte, values int) (count int, err error) {
	for i := range 3 {
		n, size := binary.Uvarint(data)
		if size <= 0 {
			return 0, errShort
		}
		switch {
		case i == 0 && n > 1<<20, i == 1 && (n == 0 || n > 1<<12):
			return 0, fmt.Errorf("delta blocks of %d values", n)
		case i == 2 && n > uint64(values):
			return 0, fmt.Errorf("more deltas than values")
		}
		data, count = data[size:], int(n)
	}
	return count, nil
}

// checkPrefixes adds up the lengths that values share with the one before: a few bytes could stand for gigabytes.
func checkPrefixes(data []byte, values int) error {
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
