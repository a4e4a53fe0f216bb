package shape

import (
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// fixed are the characters that a text begins with: all ASCII, each in one of the ranges of its place. Eight are compared at once;
// BenchmarkExpression sets that beside the steps.
type fixed struct {
	length int
	words  []fixedWord
}

// fixedWord is what eight characters from an offset on may be: each lies in one of the ranges, with the character of from and to in its
// place.
type fixedWord struct {
	offset int
	// first and second are ranges, the same where there is one only; others are more.
	first, second byteRanges
	others        []byteRanges
}

// byteRanges are eight ranges of bytes, ends included. In those of a word the top bits of to are set.
type byteRanges struct{ from, to uint64 }

// maxRanges is how many ranges the characters of one place may come from.
const maxRanges = 4

// fixedOf writes steps as fixed characters, nil where they are not.
func fixedOf(steps []step) *fixed {
	const longest = 64
	var places [][]byteRanges
	for i := range steps {
		s := &steps[i]
		ranges := s.ranges()
		if s.least != s.most || s.wide || len(ranges) == 0 || len(ranges) > maxRanges || s.least > longest {
			return nil
		}
		for range s.least {
			places = append(places, ranges)
		}
	}
	if len(places) == 0 || len(places) > longest {
		return nil
	}
	f := &fixed{length: len(places)}
	for at := 0; at < len(places); at += 8 {
		offset := max(0, min(at, len(places)-8))
		f.words = append(f.words, fixedWordOf(offset, places[offset:min(offset+8, len(places))]))
	}
	return f
}

// ranges are the characters of a step's class.
func (s *step) ranges() (list []byteRanges) {
	for c := range uint64(len(s.ascii)) {
		switch n := len(list); {
		case !s.ascii[c]:
		case n > 0 && list[n-1].to == c-1:
			list[n-1].to = c
		default:
			list = append(list, byteRanges{c, c})
		}
	}
	return list
}

// fixedWordOf is the word of up to eight places; behind them any ASCII character may stand.
func fixedWordOf(offset int, places [][]byteRanges) fixedWord {
	most := 2
	for _, ranges := range places {
		most = max(most, len(ranges))
	}
	var list []byteRanges
	for k := range most {
		r := byteRanges{0, lows * 0xff}
		for i, ranges := range places {
			one := ranges[min(k, len(ranges)-1)]
			r.from |= one.from << (8 * i)
			r.to &^= (0x7f ^ one.to) << (8 * i)
		}
		list = append(list, r)
	}
	return fixedWord{offset, list[0], list[1], list[2:]}
}

// begins says that a string, which has no escapes, begins with the characters.
func (f *fixed) begins(v tape.Value) bool {
	raw := v.Raw()
	if len(raw) < f.length {
		return false
	}
	if f.length < 8 {
		var first uint64
		if start, _ := v.Tape().Nodes[v.Node()].Span(); start <= len(v.Tape().Text)-8 {
			first = eightAt(v.Tape().Text, start)
		} else {
			first, _ = tape.Ends(raw)
		}
		return f.words[0].has(first & (1<<(8*f.length) - 1))
	}
	for i := range f.words {
		w := &f.words[i]
		if !w.has(eightAt(raw, w.offset)) {
			return false
		}
	}
	return true
}

// has compares eight characters.
func (w *fixedWord) has(x uint64) bool {
	in := w.first.has(x) | w.second.has(x)
	for i := range w.others {
		in |= w.others[i].has(x)
	}
	return in&^x&highs == highs
}

// has sets the top bit of each byte that lies in its range, for bytes that are ASCII. 128 is added before the start of a range is taken
// away, so that the top bit is left to a character that is not below it and nothing is borrowed from the next one; so with the end.
func (r *byteRanges) has(x uint64) uint64 {
	return ((x | highs) - r.from) & (r.to - x&^highs)
}
