package generate

import "strconv"

// stream is a stream of random words: SplitMix64, started from the FNV-1a hash of a key. It is the same on every machine.
type stream uint64

// newStream starts the stream of a key.
func newStream(key []byte) stream {
	h := uint64(14695981039346656037)
	for _, c := range key {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return stream(h)
}

func (s *stream) word() uint64 {
	*s += 0x9E3779B97F4A7C15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// below draws a number from 0 to n-1, all equally likely: words in the part of the range that n does not divide are left out.
func (s *stream) below(n int) int {
	m := uint64(n)
	t := -m % m
	for {
		if w := s.word(); w >= t {
			return int(w % m)
		}
	}
}

// shuffle puts a list in random order.
func shuffle[T any](s *stream, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := s.below(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}

// none stands in keys for a level that does not apply.
const none = -1

// stream returns the stream of a persona and session for one purpose.
func (p *Params) stream(persona, session int, label string) stream {
	key := make([]byte, 0, 80)
	key = append(key, "clerkgen/1/"...)
	key = append(key, p.Split...)
	key = append(key, '/')
	key = strconv.AppendUint(key, p.Seed, 10)
	for _, level := range [2]int{persona, session} {
		key = append(key, '/')
		if level == none {
			key = append(key, '-')
		} else {
			key = strconv.AppendInt(key, int64(level), 10)
		}
	}
	key = append(key, '/')
	return newStream(append(key, label...))
}
