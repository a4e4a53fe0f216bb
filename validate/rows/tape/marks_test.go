package tape

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// checkMarks holds what marks tell of a string against what the scan of eight bytes at a time tells. Marks may call anything with bytes
// beyond ASCII broken when the text is not UTF-8, and need not see that in a string that does not end.
func checkMarks(t *testing.T, text []byte, want scanned) {
	t.Helper()
	if !marking {
		return
	}
	var tape Tape
	tape.window.begin(text)
	end, seen, extra := tape.passMarked(text, 0)
	got := scanned{end, seen, extra, tape.codes, tape.size}
	switch {
	case want.seen&^traits == 0 && utf8.Valid(text):
		if !got.equals(want) {
			t.Fatalf("%q\nby marks %+v\nwant     %+v", text, got, want)
		}
	case want.seen&^traits == 0:
		got.seen &^= notUTF8
		if !got.equals(want) {
			t.Fatalf("%q\nby marks %+v\nwant     %+v, or that and not UTF-8", text, got, want)
		}
	case want.seen&unclosed != 0:
		if got.seen&^traits == 0 {
			t.Fatalf("%q\nby marks %+v\nwant     %+v, or another fault", text, got, want)
		}
	case seen&^traits == 0 || fault(seen) != refused:
		t.Fatalf("%q\nby marks %+v\nwant     it refused, as for %+v", text, got, want)
	}
}

// TestMarksOfEveryPlace holds all masks of a window against their definitions, with bytes of all kinds, and runs of backslashes across
// its blocks.
func TestMarksOfEveryPlace(t *testing.T) {
	if !marking {
		t.Skip("this processor makes no marks")
	}
	random := rand.New(rand.NewPCG(1, 3))
	const kinds = "\"\"\\\\\\\\\\\\nbftr/u \x00\x1f\x20\x7f\x80\xbf\xc0\xe9\xef\xf0\xff"
	for range 300 {
		text := make([]byte, 1+random.IntN(3*windowBlocks*blockSize))
		for i := range text {
			text[i] = kinds[random.IntN(len(kinds))]
			if random.IntN(4) == 0 {
				text[i] = byte(random.Uint32())
			}
		}
		var w window
		w.begin(text)
		isEscaped := false
		for i, c := range text {
			if i == w.limit {
				if got, want := w.slashes != 0, bytes.IndexByte(text[:i], '/') >= 0; got != want {
					t.Fatalf("slashes in %q: %v, want %v", text[:i], got, want)
				}
				w.advance(text)
			}
			want := markOf(c, isEscaped)
			if got := w.markAt(i); got != want {
				t.Fatalf("byte %d of %q has the marks %+v, want %+v", i, text, got, want)
			}
			isEscaped = c == '\\' && !isEscaped
		}
		for i := len(text); i < w.limit; i++ {
			if got, want := w.markAt(i), markOf(0, isEscaped && i == len(text)); got != want {
				t.Fatalf("behind the end of %q there are the marks %+v, want those of a zero, %+v", text, got, want)
			}
		}
	}
}

// markOf are the marks of one byte, in their lowest bits.
func markOf(c byte, isEscaped bool) marks {
	bit := func(is bool) uint64 {
		if is {
			return 1
		}
		return 0
	}
	end, escape := c == '"' && !isEscaped, isEscaped && !simpleEscapes[c]
	m := marks{
		ends:      bit(end),
		escaped:   bit(isEscaped),
		halts:     bit(end || c < ' ' || escape),
		wide:      bit(c >= utf8.RuneSelf),
		continued: bit(c&0xC0 == 0x80),
		astral:    bit(c >= 0xF0),
	}
	m.special = m.halts | m.escaped | m.wide
	return m
}

func (w *window) markAt(i int) marks {
	m := *w.at(i)
	for _, mask := range []*uint64{&m.ends, &m.escaped, &m.halts, &m.special, &m.wide, &m.continued, &m.astral} {
		*mask = *mask >> (uint(i) % blockSize) & 1
	}
	return m
}

// TestMarksOfBrokenUTF8 puts characters and what is none at the border of two blocks, and of two windows.
func TestMarksOfBrokenUTF8(t *testing.T) {
	if !marking {
		t.Skip("this processor makes no marks")
	}
	check := func(piece []byte) {
		for _, border := range []int{0, blockSize, windowBlocks * blockSize} {
			for back := range len(piece) + 1 {
				text := bytes.Repeat([]byte("x"), max(border-back, 0))
				text = append(append(text, piece...), `x"`...)
				var w window
				for w.begin(text); w.limit < len(text); {
					w.advance(text)
				}
				if got, want := w.broken == 0, utf8.Valid(text); got != want {
					t.Fatalf("%x, %d bytes before %d: taken as UTF-8: %v, want %v", piece, back, border, got, want)
				}
			}
		}
	}
	// The bytes at the borders of what may stand behind each other.
	edges := []byte{0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff}
	for a := range 256 {
		for b := range 256 {
			check([]byte{byte(a), byte(b)})
		}
	}
	for _, a := range edges {
		for _, b := range edges {
			for _, c := range edges {
				check([]byte{a, b, c})
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 4))
	for range 50_000 {
		piece := make([]byte, 4+random.IntN(4))
		for i := range piece {
			piece[i] = edges[6+random.IntN(len(edges)-6)]
			if i > 0 && random.IntN(3) > 0 {
				piece[i] = edges[2+random.IntN(6)]
			}
		}
		check(piece)
	}
}

// TestMarksTellTheSame reads rows with and without marks, in lists of objects of a few and of many bytes, so that their values stand
// anywhere in a window.
func TestMarksTellTheSame(t *testing.T) {
	if !marking {
		t.Skip("this processor makes no marks")
	}
	random := rand.New(rand.NewPCG(1, 5))
	var with, without Tape
	for range 2_000 {
		var b strings.Builder
		b.WriteString(`{"turns": [`)
		for i := range 1 + random.IntN(40) {
			if i > 0 {
				b.WriteString([]string{",", ", ", " , "}[random.IntN(3)])
			}
			fmt.Fprintf(&b, `{"role": "guest", "text": %s`, randomText(random, 0, 0))
			if random.IntN(3) > 0 {
				fmt.Fprintf(&b, `, "note": "%s"`, strings.Repeat("leaves ", random.IntN(300)))
			}
			b.WriteString([]string{"}", "}", " }", ", \"z\": {}}"}[random.IntN(4)])
		}
		b.WriteString("]}")
		text := []byte(b.String())
		if random.IntN(3) == 0 {
			text[random.IntN(len(text))] = "{}[],\"\\\x01\x80u"[random.IntN(10)]
		}
		got := slices.Clone(with.Parse(text))
		before := setMarking(false)
		want := without.Parse(text)
		setMarking(before)
		if !slices.Equal(got, want) || !slices.Equal(with.Nodes, without.Nodes) || !slices.Equal(with.codes, without.codes) || !slices.Equal(with.sizes, without.sizes) {
			t.Fatalf("%q\nwith marks %v %v\nwithout %v %v", text, got, with.Nodes, want, without.Nodes)
		}
	}
}

// TestSlashes puts the only slash of a text anywhere in it: into a key, a string, or behind all that is marked.
func TestSlashes(t *testing.T) {
	both := []bool{false}
	if marking {
		both = append(both, true)
	}
	for _, with := range both {
		before := setMarking(with)
		var tape Tape
		for _, size := range []int{0, 1, 63, 64, 1000, 1024, 3000} {
			leaves := strings.Repeat("x", size)
			for text, want := range map[string]bool{
				`{"a": "` + leaves + `/"}`:                 true,
				`{"a": "/` + leaves + `"}`:                 true,
				`{"a": "` + leaves + `", "b": ["c", "/"]}`: true,
				`{"a": "` + leaves + `", "/": 1}`:          true,
				`{"a": "` + leaves + `", "b": ["c", "."]}`: false,
			} {
				tape.Parse([]byte(text))
				if got := tape.Slashes(); got != want {
					t.Errorf("marks %v: slashes in %s: %v, want %v", with, text, got, want)
				}
			}
		}
		setMarking(before)
	}
}
