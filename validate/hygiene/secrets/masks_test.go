package secrets

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// wanted are the masks of a text by what the tables say, place by place.
func wanted(t *tables, text []byte, blocks int) (begins, runs []uint64) {
	begins, runs = make([]uint64, blocks), make([]uint64, blocks)
	for at := range blocks * block {
		sets := byte(0xff)
		for k := range depth {
			sets &= t.begin[k].of(text[at+k])
		}
		if sets != 0 {
			begins[at/block] |= 1 << (at % block)
		}
		if t.run.of(text[at]) != 0 {
			runs[at/block] |= 1 << (at % block)
		}
	}
	return begins, runs
}

// compareMasks sets both ways to make masks beside what is wanted.
func compareMasks(t *testing.T, tables *tables, text []byte) {
	t.Helper()
	blocks := (len(text) - (depth - 1)) / block
	if blocks <= 0 {
		return
	}
	wantBegins, wantRuns := wanted(tables, text, blocks)
	for name, way := range map[string]func([]byte, []uint64, []uint64){"masks": tables.masks, "masksPlainly": tables.masksPlainly} {
		begins, runs := make([]uint64, blocks), make([]uint64, blocks)
		way(text, begins, runs)
		if !slices.Equal(begins, wantBegins) || !slices.Equal(runs, wantRuns) {
			t.Errorf("%s of %q:\n got %x %x\nwant %x %x", name, text, begins, runs, wantBegins, wantRuns)
		}
	}
}

// Whatever is in the tables, both ways to make masks see it.
func TestMasksOfAnyTables(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var some tables
		for k := range some.begin {
			for half := range 16 {
				some.begin[k].low[half], some.begin[k].high[half] = byte(r.Uint32()), byte(r.Uint32())
				some.run.low[half], some.run.high[half] = byte(r.Uint32()&r.Uint32()), byte(r.Uint32()&r.Uint32())
			}
		}
		some.complete()
		text := make([]byte, r.IntN(5*block))
		for i := range text {
			text[i] = byte(r.Uint32())
		}
		compareMasks(t, &some, text)
	}
}

// With the tables of all rules, too.
func FuzzMasks(f *testing.F) {
	set := shared()
	f.Add([]byte("curl https://tea.org/x -H 'Authorization: Bearer abcdefghijklmnopqrstuvwxyz0123456789+/=_-.' \xff\x80\x00 é"))
	f.Fuzz(func(t *testing.T, text []byte) { compareMasks(t, &set.sieve.tables, text) })
}

// BenchmarkMasks sets the ways to make masks beside each other.
func BenchmarkMasks(b *testing.B) {
	set := shared()
	const blocks = 64
	text := []byte(fmt.Sprintf("%*s", blocks*block+depth-1, "the leaves are steamed, rolled and dried in the sun before anyone pours water over them"))
	begins, runs := make([]uint64, blocks), make([]uint64, blocks)
	for _, way := range []struct {
		name string
		do   func([]byte, []uint64, []uint64)
	}{{"vectors", set.sieve.tables.masks}, {"plain", set.sieve.tables.masksPlainly}} {
		b.Run(way.name, func(b *testing.B) {
			b.SetBytes(blocks * block)
			for b.Loop() {
				way.do(text, begins, runs)
			}
		})
	}
}
