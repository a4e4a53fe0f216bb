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
	for len(text) > 0 {
		n := s.addASCII(text)
		if n == len(text) {
			break
		}
		text = text[n:]
		n = untilBlank(text)
		s.addRunes(norm.NFKC.Bytes(s.fold.Bytes(norm.NFKC.Bytes(text[:n]))))
		text = text[n:]
	}
	s.endWord()
	if s.words > 0 && s.words < s.size {
		s.hashes = append(s.hashes, mix(s.rolling+uint64(s.words)))
	}
}

// addASCII adds the words of a text up to the last one before a character that is not ASCII, and returns how many bytes those are.
// That word is left to the tables of Unicode, which may join a letter and the mark behind it.
func (s *Shingler) addASCII(text []byte) int {
	start := 0 // of the word at hand
	for i, c := range text {
		switch {
		case lower[c] != 0:
		case c >= utf8.RuneSelf:
			return start
		default:
			s.addWord(text[start:i])
			start = i + 1
		}
	}
	s.addWord(text[start:])
	return len(text)
}

// addWord adds a word of ASCII letters and digits; an empty one is none.
func (s *Shingler) addWord(word []byte) {
	if len(word) == 0 {
		return
	}
	hash := uint64(offset)
	for _, c := range word {
		hash = (hash ^ uint64(lower[c])) * prime
	}
	s.word, s.started = hash, true
	s.endWord()
}

// lower are the ASCII letters and digits in lower case; 0 for anything else.
var lower = func() (table [256]byte) {
	for c := range byte(utf8.RuneSelf) {
		switch {
		case 'A' <= c && c <= 'Z':
			table[c] = c | 0x20
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			table[c] = c
		}
	}
	return table
}()

// untilBlank is the number of bytes before the next ASCII blank or control character, where no word goes on.
func untilBlank(text []byte) int {
	for i, c := range text {
		if c <= ' ' {
			return i
		}
	}
	return len(text)
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
	s.endWord()
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
