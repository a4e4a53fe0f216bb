package tape

// EightDigits is the value of eight digits that stand in a word, the first in the lowest byte. Zero bytes count as the digit 0. Pairs
// of digits are put together at once, then pairs of pairs, then those.
func EightDigits(word uint64) uint64 {
	x := word & (lows * 0x0f)
	x = x * (10<<8 + 1) >> 8 & 0x00ff00ff00ff00ff
	x = x * (100<<16 + 1) >> 16 & 0x0000ffff0000ffff
	return x * (10_000<<32 + 1) >> 32
}
