package minhash

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Shingler cuts texts into shingles: runs of so many words. A word is a run of letters, digits and marks, in Unicode's compatibility
// form (NFKC) and without regard to case; all else stands between words. Of scripts that write no blanks between words each
// letter is one. It holds what is reused from text to text: each goroutine needs one of its own.
type Shingler struct {
	size   int
	power  uint64
	fold   cases.Caser
	window []uint64
	hashes []uint64

	// words, rolling and started are of the text at hand.
	words   int
	rolling uint64
	word    uint64
	started bool
}

// NewShingler returns a shingler for runs of so many words, at least 1.
func NewShingler(size int) *Shingler {
	s := &Shingler{size: size, power: 1, fold: cases.Fold(), window: make([]uint64, size)}
	for range size {
		s.power *= multiplier
	}
	return s
}

// Reset begins a new set of shingles.
func (s *Shingler) Reset() { s.hashes = s.hashes[:0] }

// Hashes are the shingles of all texts since [Shingler.Reset], by their hashes, which may repeat. They are good until the next call.
func (s *Shingler) Hashes() []uint64 { return s.hashes }

const (
	offset     = 14695981039346656037 // FNV-1a
	prime      = 1099511628211
	multiplier = 0xD1342543DE82EF95
)

// Add adds the shingles of a text. No shingle goes across texts; a text that has fewer words than a shingle is one.
func (s *Shingler) Add(text []byte) {
	s.words, s.rolling, s.started = 0, 0, false
	if isASCII(text) {
		s.addASCII(text)
	} else {
		folded := norm.NFKC.Bytes(s.fold.Bytes(norm.NFKC.Bytes(text)))
		s.addRunes(folded)
	}
	s.endWord()
	if s.words > 0 && s.words < s.size {
		s.hashes = append(s.hashes, mix(s.rolling+uint64(s.words)))
	}
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func (s *Shingler) addASCII(text []byte) {
	for _, c := range text {
		switch {
		case 'A' <= c && c <= 'Z':
			s.letter(c | 0x20)
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			s.letter(c)
		default:
			s.endWord()
		}
	}
}

func (s *Shingler) addRunes(text []byte) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch alone := unicode.In(r, unspaced...); {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			s.endWord()
		case alone && !unicode.IsMark(r):
			s.endWord()
			fallthrough
		default:
			for _, c := range text[:size] {
				s.letter(c)
			}
		}
		text = text[size:]
	}
}

// unspaced are scripts that write no blanks between words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan}

func (s *Shingler) letter(c byte) {
	if !s.started {
		s.word, s.started = offset, true
	}
	s.word = (s.word ^ uint64(c)) * prime
}

// endWord ends the word at hand. The hash of the last words is a polynomial of theirs, so that it goes on from word to word.
func (s *Shingler) endWord() {
	if !s.started {
		return
	}
	s.started = false
	word := mix(s.word)
	at := s.words % s.size
	s.rolling = s.rolling*multiplier + word
	if s.words >= s.size {
		s.rolling -= s.window[at] * s.power
	}
	s.window[at] = word
	if s.words++; s.words >= s.size {
		s.hashes = append(s.hashes, mix(s.rolling+uint64(s.size)))
	}
}
