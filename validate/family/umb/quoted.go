package umb

import (
	"encoding/binary"
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

// A prompt of evaluation must not quote the dialogue that its question is about, and a chunk for pre-training must hold the turns
// that it says it holds. What is kept of a turn is a fingerprint of its opening: of the first longOpening bytes of its first line, or
// of the whole line when it is shorter.
const longOpening = 40

// Lines below shortOpening bytes, greetings and the like, are nobody's: a prompt may hold them.
const shortOpening = 20

// opening is the fingerprint of the beginning of a turn, above its size in bytes.
type opening uint64

// sizeBits are enough for longOpening.
const sizeBits = 6

func (o opening) size() int { return int(o & (1<<sizeBits - 1)) }

func openingAs(print uint64, size int) opening { return opening(print<<sizeBits | uint64(size)) }

// openingOf is the opening of what somebody says.
func openingOf(said string) opening {
	said, _, _ = strings.Cut(strings.TrimSpace(said), "\n")
	said = strings.TrimSpace(said)
	said = said[:min(len(said), longOpening)]
	return openingAs(printOf(said), len(said))
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

// printOf is the fingerprint of a text.
func printOf(text string) uint64 {
	print := uint64(0)
	for i := range len(text) {
		print = printOn(print, text[i])
	}
	return print
}

// printOn is a fingerprint with one more byte.
func printOn(print uint64, b byte) uint64 {
	return (timesModulo(print, printBase) + uint64(b) + 1) % printPrime
}

func newPrints(text string) *prints {
	p := &prints{make([]uint64, len(text)+1), make([]uint64, len(text)+1)}
	p.power[0] = 1
	for i := range len(text) {
		p.upTo[i+1] = printOn(p.upTo[i], text[i])
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

// openingsOf are the openings of the turns of a dialogue that say something.
func openingsOf(row *notes.Row) []opening {
	var found []opening
	for _, turn := range field.List(row.Root, "dialogue") {
		if said := field.Text(turn, "content"); strings.TrimSpace(said) != "" {
			found = append(found, openingOf(said))
		}
	}
	return found
}

// openingsIn are the openings of the turns of a chunk, each of which begins on a line with its role.
func openingsIn(text string) []opening {
	var found []opening
	for line := range strings.SplitSeq(text, "\n") {
		if said, isTurn := afterRole(line); isTurn {
			found = append(found, openingOf(said))
		}
	}
	return found
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
		note.Raw(binary.LittleEndian.AppendUint64(nil, uint64(o)))
	}
}

func readOpenings(r *record.Reader) []opening {
	var list []opening
	for range r.Uint() {
		raw := r.Raw(8)
		if r.Err() != nil {
			return nil
		}
		list = append(list, opening(binary.LittleEndian.Uint64(raw)))
	}
	return list
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
	known := map[string]map[int]map[opening]bool{} // of each dialogue that is asked about, by their sizes
	for i := range list {
		e := &list[i]
		if e.quotes {
			continue
		}
		bySize, ok := known[e.dialogue]
		if !ok {
			bySize = w.openingsBySize(e.dialogue)
			known[e.dialogue] = bySize
		}
		if quote := quoteIn(e.before, bySize); quote != "" {
			w.report(e.place.in(e.place.Line, "/prompt"), quoteFound(quote))
		}
	}
}

// openingsBySize are the openings of a dialogue, from itself or from the chunks made of it, that are long enough to be its own.
func (w *world) openingsBySize(dialogue string) map[int]map[opening]bool {
	bySize := map[int]map[opening]bool{}
	add := func(list []opening) {
		for _, o := range list {
			if o.size() < shortOpening {
				continue
			}
			if bySize[o.size()] == nil {
				bySize[o.size()] = map[opening]bool{}
			}
			bySize[o.size()][o] = true
		}
	}
	if d := w.dialogues[dialogue]; d != nil {
		add(d.openings)
		return bySize
	}
	for _, c := range w.chunks[dialogue] {
		add(c.openings)
	}
	return bySize
}

// quoteIn is the first opening that a text holds; "" when it holds none.
func quoteIn(text string, bySize map[int]map[opening]bool) string {
	if len(bySize) == 0 {
		return ""
	}
	p := newPrints(text)
	sizes := slices.Sorted(maps.Keys(bySize))
	for from := range len(text) {
		for _, size := range sizes {
			if to := from + size; to <= len(text) && bySize[size][openingAs(p.of(from, to), size)] {
				return text[from:to]
			}
		}
	}
	return ""
}

// judgeTexts checks that chunks hold the turns of their dialogues that they say they hold. Where no chunk does, its text is written in
// a way that nobody here knows, and nothing is said.
func (w *world) judgeTexts(list []*chunk, count counting) {
	found := map[*chunk]int{}
	whole := false
	for _, c := range list {
		lost, known := w.lostTurn(c, count)
		whole = whole || known && lost < 0
		if known && lost >= 0 {
			found[c] = lost
		}
	}
	if !whole {
		return
	}
	for _, c := range list {
		if lost, wrong := found[c]; wrong {
			f := finding.New(finding.UMBChunkText, "the text lacks turn %d of the dialogue at %s", lost, w.dialogues[c.dialogue].place.Where())
			w.report(c.place.in(c.place.Line, "/input"), f.Hinting("the chunk says it holds turns %d to %d: cut the dialogue anew", c.first, c.last))
		}
	}
}

// lostTurn is the first turn that a chunk lacks, -1 when it has all of them; known is false when there is no dialogue to tell, or when
// no turn can be told from another in the text.
func (w *world) lostTurn(c *chunk, count counting) (turn int, known bool) {
	d := w.dialogues[c.dialogue]
	first, behind := c.first-count.first, c.last-count.first-count.behind+1
	if d == nil || len(c.openings) == 0 || first < 0 || behind > len(d.openings) || first > behind {
		return 0, false
	}
	rest := c.openings
	for i, want := range d.openings[first:behind] {
		at := slices.Index(rest, want)
		if at < 0 {
			return c.first + i, true
		}
		rest = rest[at+1:]
	}
	return -1, true
}
