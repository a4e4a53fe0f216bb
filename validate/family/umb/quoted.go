package umb

import (
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate/family/field"
	"github.com/hfpub/hfpub/validate/family/notes"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// A prompt of evaluation must not quote the dialogue that its question is about. What is kept of a turn is a fingerprint of its
// opening: of the first longOpening bytes of its first line, or of the whole line when it is shorter. Lines below shortOpening
// bytes, greetings and the like, are nobody's.
const (
	shortOpening = 20
	longOpening  = 40
)

// opening is the fingerprint of the beginning of a turn, of so many bytes.
type opening struct {
	print uint64
	size  int
}

// openingOf is the opening of what somebody says; ok is false when it is too short to tell.
func openingOf(said string) (o opening, ok bool) {
	said, _, _ = strings.Cut(strings.TrimSpace(said), "\n")
	said = strings.TrimSpace(said)
	if len(said) < shortOpening {
		return opening{}, false
	}
	said = said[:min(len(said), longOpening)]
	return opening{newPrints(said).of(0, len(said)), len(said)}, true
}

// prints computes fingerprints of any part of a text: what the part is as a number to a base, modulo a prime.
type prints struct {
	// upTo holds the fingerprints of the beginnings of the text, power the powers of the base.
	upTo, power []uint64
}

const (
	printPrime = 1<<61 - 1
	printBase  = 0x1b873593cc9e2d51 % printPrime
)

func newPrints(text string) *prints {
	p := &prints{make([]uint64, len(text)+1), make([]uint64, len(text)+1)}
	p.power[0] = 1
	for i := range len(text) {
		p.upTo[i+1] = (timesModulo(p.upTo[i], printBase) + uint64(text[i]) + 1) % printPrime
		p.power[i+1] = timesModulo(p.power[i], printBase)
	}
	return p
}

func timesModulo(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	_, rest := bits.Div64(high, low, printPrime)
	return rest
}

// of is the fingerprint of the bytes from one place to another.
func (p *prints) of(from, to int) uint64 {
	return (p.upTo[to] + printPrime - timesModulo(p.upTo[from], p.power[to-from])) % printPrime
}

// noteOpenings notes the openings of the turns of a dialogue.
func noteOpenings(row *notes.Row, note *record.Writer) {
	var found []opening
	for _, turn := range field.List(row.Root, "dialogue") {
		if o, ok := openingOf(field.Text(turn, "content")); ok {
			found = append(found, o)
		}
	}
	writeOpenings(note, found)
}

// noteChunkOpenings notes the openings of the turns of a chunk, each of which begins on a line with its role.
func noteChunkOpenings(text string, note *record.Writer) {
	var found []opening
	for line := range strings.SplitSeq(text, "\n") {
		said, isTurn := afterRole(line)
		if !isTurn {
			continue
		}
		if o, ok := openingOf(said); ok {
			found = append(found, o)
		}
	}
	writeOpenings(note, found)
}

// afterRole cuts the role from a line that begins a turn.
func afterRole(line string) (said string, ok bool) {
	line = strings.TrimLeft(line, " \t")
	for _, role := range []string{"user:", "assistant:"} {
		if len(line) >= len(role) && strings.EqualFold(line[:len(role)], role) {
			return line[len(role):], true
		}
	}
	return line, false
}

func writeOpenings(note *record.Writer, list []opening) {
	note.Uint(uint64(len(list)))
	for _, o := range list {
		note.Uint(o.print)
		note.Uint(uint64(o.size))
	}
}

// readOpenings adds openings to those of a dialogue.
func (w *world) readOpenings(dialogue string, r *record.Reader) {
	list := w.openings[dialogue]
	for range r.Uint() {
		if r.Err() != nil {
			return
		}
		list = append(list, opening{r.Uint(), int(r.Uint())})
	}
	w.openings[dialogue] = list
}

// lookAtQuote checks that no line of a prompt is a turn, which needs no dialogue to be seen.
func lookAtQuote(row *notes.Row, prompt tape.Value, before string) (quotes bool) {
	for line := range strings.SplitSeq(before, "\n") {
		said, isTurn := afterRole(line)
		if isTurn && strings.TrimSpace(said) != "" {
			row.Say(prompt, "/prompt", quoteFound(strings.TrimSpace(line)))
			return true
		}
	}
	return false
}

func quoteFound(quote string) finding.Finding {
	const most = 60
	if letters := []rune(quote); len(letters) > most {
		quote = string(letters[:most]) + "…"
	}
	f := finding.New(finding.UMBEvalDialogue, "the prompt holds a turn of a dialogue: %s", quote)
	return f.Hinting("the question has to be answered from memory: take the dialogue out of the prompt")
}

// judgeQuotes checks that no prompt holds the opening of a turn of its dialogue.
func (w *world) judgeQuotes(list []evaluated) {
	known := map[string]map[int]map[uint64]bool{} // of each dialogue that is asked about, by their sizes
	for i := range list {
		e := &list[i]
		if e.quotes || w.openings[e.dialogue] == nil {
			continue
		}
		bySize := known[e.dialogue]
		if bySize == nil {
			bySize = map[int]map[uint64]bool{}
			for _, o := range w.openings[e.dialogue] {
				if bySize[o.size] == nil {
					bySize[o.size] = map[uint64]bool{}
				}
				bySize[o.size][o.print] = true
			}
			known[e.dialogue] = bySize
		}
		if quote := quoteIn(e.before, bySize); quote != "" {
			w.report(e.place.in(e.place.Line, "/prompt"), quoteFound(quote))
		}
	}
}

// quoteIn is the first opening that a text holds; "" when it holds none.
func quoteIn(text string, bySize map[int]map[uint64]bool) string {
	p := newPrints(text)
	sizes := slices.Sorted(maps.Keys(bySize))
	for from := range len(text) {
		for _, size := range sizes {
			if to := from + size; to <= len(text) && bySize[size][p.of(from, to)] {
				return text[from:to]
			}
		}
	}
	return ""
}
