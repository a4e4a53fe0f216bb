package secrets

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// way is a way to look at blocks.
type way struct {
	name string
	look func(*masks, *tables, []byte, int) uint64
	// sets are those that it knows for the k-th byte of fingerprints.
	sets func(t *tables, k int, b byte) byte
	// assigned says that it leaves out values that no operator stands before.
	assigned bool
}

var plain = way{"plain", (*masks).lookPlainly, plainSets, false}

func plainSets(t *tables, k int, b byte) byte { return byte(t.plain[b] >> (8 * k)) }

// beginsAt says whether a fingerprint begins at a place.
func (w *way) beginsAt(t *tables, text []byte, at int) bool {
	all := byte(0xff)
	for k := range depth {
		all &= w.sets(t, k, text[at+k])
	}
	return all != 0
}

// lengthAt says how many bytes of a kind, and not of another, stand in a row at a place of a text, at most so many.
func lengthAt(text []byte, at, most int, kind, not uint8) int {
	n := 0
	for at+n < len(text) && n < most && kinds[text[at+n]]&kind != 0 && kinds[text[at+n]]&not == 0 {
		n++
	}
	return n
}

// leads says whether an operator stands before a place, with nothing but quotes, spaces and escapes between.
func leads(text []byte, at int) bool {
	for at--; at >= 0; at-- {
		switch {
		case kinds[text[at]]&operator != 0:
			return true
		case kinds[text[at]]&between == 0 && (at == 0 || kinds[text[at-1]]&between == 0):
			return false
		}
	}
	return false
}

// wanted says what a way has to see in so many blocks.
func (w *way) wanted(t *tables, text []byte, blocks int) (begins, values, longs, fulls []int) {
	for at := range blocks * block {
		if w.beginsAt(t, text, at) {
			begins = append(begins, at)
		}
		blocks := text[:blocks*block]
		run, part := lengthAt(blocks, at, minRun, ofRun, 0), lengthAt(blocks, at, minPart, ofRun, slash)
		before := at > 0 && kinds[text[at-1]]&ofRun != 0
		if run >= minRun && part > 0 && (!before || text[at-1] == '=') && (!w.assigned || leads(text, at)) {
			values = append(values, at+minRun-1)
		}
		if part >= minPart && (!before || kinds[text[at-1]]&slash != 0) {
			longs = append(longs, at+minPart-1)
		}
		if at%halfBlock == 0 && lengthAt(blocks, at, halfBlock, ofRun, 0) == halfBlock {
			fulls = append(fulls, at)
		}
	}
	return begins, values, longs, fulls
}

// places adds those of the bits of some masks.
func places(out []int, masks []uint64, from int) []int {
	for at := range len(masks) * block {
		if masks[at/block]>>(at%block)&1 != 0 {
			out = append(out, from+at)
		}
	}
	return out
}

// compareWays holds what all ways see in a text, in a walk of several steps, against what is wanted.
func compareWays(t *testing.T, tables *tables, text []byte, step int) {
	t.Helper()
	blocks := (len(text) - (depth - 1)) / block
	for _, w := range append(ways(), plain) {
		var m masks
		var begins, values, longs, fulls []int
		for from := 0; from < blocks; from += step {
			n := min(step, blocks-from)
			some := w.look(&m, tables, text[from*block:], n)
			for i := range maskCount {
				if want := i < n && m.begins[i]|m.values[i]|m.longs[i]|m.fulls[i] != 0; want != (some>>i&1 != 0) {
					t.Errorf("%s says %t of something in block %d of %d of %q, want %t", w.name, !want, i, n, text[from*block:], want)
				}
			}
			begins, values, longs = places(begins, m.begins[:n], from*block), places(values, m.values[:n], from*block), places(longs, m.longs[:n], from*block)
			fulls = places(fulls, m.fulls[:n], from*block)
		}
		wantBegins, wantValues, wantLongs, wantFulls := w.wanted(tables, text, blocks)
		for _, c := range []struct {
			what      string
			got, want []int
		}{{"fingerprints", begins, wantBegins}, {"values", values, wantValues}, {"long parts", longs, wantLongs}, {"halves full of runs", fulls, wantFulls}} {
			if !slices.Equal(c.got, c.want) {
				t.Fatalf("%s, %d blocks at once, sees %s at\n%d, want\n%d in\n%q", w.name, step, c.what, c.got, c.want, text)
			}
		}
	}
}

// Whatever fingerprints there are, and wherever runs and values lie.
func TestMasksOfAnyTables(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	common := []byte("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaZ09_.-++//====\"\"'' \t\\\\nu>:|?,,\n;({é")
	for range 300 {
		some := newTables()
		for range 3000 {
			some.add(r.IntN(depth), r.IntN(8), byte(r.Uint32()))
		}
		text := make([]byte, r.IntN(3*maskCount*block))
		for i := range text {
			if text[i] = common[r.IntN(len(common))]; r.IntN(8) == 0 {
				text[i] = byte(r.Uint32())
			}
		}
		compareWays(t, &some, text, 1+r.IntN(maskCount))
	}
}

// With the tables of all rules, too.
func FuzzMasks(f *testing.F) {
	f.Add([]byte("curl https://tea.org/x -H 'Authorization: Bearer abcdefghijklmnopqrstuvwxyz0123456789+/=_-.' \xff\x80\x00 é"), uint8(3))
	f.Fuzz(func(t *testing.T, text []byte, step uint8) {
		compareWays(t, &shared().sieve.tables, text, 1+int(step)%maskCount)
	})
}

// BenchmarkLook sets the ways to look at blocks beside each other.
func BenchmarkLook(b *testing.B) {
	text := []byte(fmt.Sprintf("%*s", maskCount*block+depth-1, "the leaves are steamed, rolled and dried in the sun before anyone pours water over them"))
	for _, w := range append(ways(), plain) {
		b.Run(w.name, func(b *testing.B) {
			b.SetBytes(maskCount * block)
			var m masks
			for b.Loop() {
				w.look(&m, &shared().sieve.tables, text, maskCount)
			}
		})
	}
}
