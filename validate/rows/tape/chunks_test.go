package tape

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// scanned is everything that is told of a string.
type scanned struct {
	end   int
	seen  notes
	extra int
	codes []Code
	size  stringSize
}

func scan(text []byte, in, more bool) scanned {
	defer setChunked(setChunked(in))
	var t Tape
	end, seen, extra := t.scanOn(text, 0, more)
	return scanned{end, seen, extra, t.codes, t.size}
}

func (s scanned) equals(other scanned) bool {
	return s.end == other.end && s.seen == other.seen && s.extra == other.extra && s.size == other.size && slices.Equal(s.codes, other.codes)
}

// checkChunks compares what is seen of a string with and without looking at many bytes together.
func checkChunks(t *testing.T, text []byte) {
	t.Helper()
	want := scan(text, false, false)
	for _, more := range []bool{false, true} {
		if got := scan(text, true, more); !got.equals(want) {
			t.Fatalf("%q\nin chunks (at once: %v) %+v\nwant      %+v", text, more, got, want)
		}
	}
	checkMarks(t, text, want)
}

func TestChunksTellTheSame(t *testing.T) {
	if !chunked && !marking {
		t.Skip("this processor scans no chunks")
	}
	pieces := []string{"a", "words of plain text, ", strings.Repeat("long ", 20), `\n`, `\"`, `\\`, `\t`, `\/`, `\u00e9`, `\ud83d\ude00`, `\ud800`, "\u00e9", "\u65e5\u672c", "\U0001F600"}
	ends := []string{`"`, `"more`, "", `\`, `\x"`, "\x01", "\xff\"", `\u12`, `\"`, "\n\""}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		plain := random.IntN(4)
		for range random.IntN(40) {
			if random.IntN(4) < plain {
				b.WriteString(strings.Repeat("x", random.IntN(70)))
				continue
			}
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		b.WriteString(ends[random.IntN(len(ends))])
		b.WriteString(strings.Repeat(" behind it", random.IntN(9)))
		checkChunks(t, []byte(b.String()))
	}
}

// TestChunksAtEveryPlace puts everything that a chunk may stop at, and runs of backslashes, at every place of a chunk.
func TestChunksAtEveryPlace(t *testing.T) {
	if !chunked && !marking {
		t.Skip("this processor scans no chunks")
	}
	specials := []string{`"`, "\x00", "\x1f", "\x7f", "\x80", "\u00e9", `\/`, `\u0041`, `\a`, `\n`}
	for c := range 256 {
		specials = append(specials, `\`+string([]byte{byte(c)}))
	}
	for backslashes := range 70 {
		specials = append(specials, strings.Repeat(`\`, backslashes)+`"`, strings.Repeat(`\`, backslashes)+"n")
	}
	for at := range 3 * chunkSize {
		for _, special := range specials {
			checkChunks(t, []byte(strings.Repeat("x", at)+special+strings.Repeat("y", 2*chunkSize)+`"`))
		}
	}
}

func FuzzChunks(f *testing.F) {
	f.Add([]byte(`plain \" escaped \\ and é "`))
	f.Fuzz(func(t *testing.T, text []byte) {
		checkChunks(t, text)
		checkChunks(t, append([]byte(strings.Repeat("x", 2*chunkSize)), text...))
	})
}
