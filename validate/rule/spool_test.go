package rule

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hfpub/hfpub/validate/minhash"
)

// Sketches that do not fit in memory go to a file, and all come back as they were, in any order.
func TestSpool(t *testing.T) {
	var s spool
	defer s.close()
	random := rand.New(rand.NewPCG(1, 2))
	var places []int64
	var all []minhash.Sketch
	for len(places) < 3000 {
		hashes := make([]uint64, random.IntN(2*sketchSize))
		for i := range hashes {
			hashes[i] = random.Uint64()
		}
		k := minhash.NewSketch(hashes, sketchSize)
		at, err := s.write(k)
		if err != nil {
			t.Fatal(err)
		}
		places, all = append(places, at), append(all, k)
	}
	if err := s.flush(); err != nil {
		t.Fatal(err)
	}
	if s.file == nil {
		t.Fatal("nothing was written to a file: the test shows nothing")
	}
	var got minhash.Sketch
	for _, i := range random.Perm(len(places)) {
		if err := s.read(places[i], &got); err != nil {
			t.Fatal(err)
		}
		if got.Whole != all[i].Whole || !slices.Equal(got.Hashes, all[i].Hashes) {
			t.Fatalf("sketch %d of %d hashes comes back with %d", i, len(all[i].Hashes), len(got.Hashes))
		}
	}
}
