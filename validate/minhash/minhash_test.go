package minhash

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/fingerprint"
)

// setOf is the set of shingles of texts.
func setOf(size int, texts ...string) Sketch {
	s := NewShingler(size)
	for _, text := range texts {
		s.Add([]byte(text))
	}
	return NewSketch(slices.Clone(s.Hashes()), math.MaxInt)
}

func TestSimilarityOfTexts(t *testing.T) {
	for _, c := range []struct {
		name string
		size int
		a, b []string
		want float64
	}{
		{"equal", 2, []string{"half of ten"}, []string{"half of ten"}, 1},
		{"one word of three differs", 1, []string{"half of ten"}, []string{"half of nine"}, 0.5},
		{"pairs of words", 2, []string{"half of ten is five"}, []string{"half of nine is five"}, 2.0 / 6},
		{"case, blanks and punctuation do not count", 3, []string{"Half of TEN, is:  five!"}, []string{"half\tof ten is five"}, 1},
		{"the case of other letters", 2, []string{"Große ÄPFEL"}, []string{"GROSSE äpfel"}, 1},
		{"a mark behind an ASCII letter", 1, []string{"one cafe\u0301 two"}, []string{"one café two"}, 1},
		{"words with and without other letters", 2, []string{"a naïve-Bayes classifier, Москва и tea"}, []string{"A NAÏVE BAYES CLASSIFIER москва И TEA"}, 1},
		{"compatibility forms", 2, []string{"ﬁne １２ cafe\u0301"}, []string{"fine 12 café"}, 1},
		{"order counts", 2, []string{"a b c"}, []string{"c b a"}, 0},
		{"repeats do not count", 1, []string{"a b a b a"}, []string{"a b"}, 1},
		{"a text that is shorter than a shingle is one", 5, []string{"two words"}, []string{"Two words."}, 1},
		{"short texts that differ", 5, []string{"two words"}, []string{"two words more"}, 0},
		{"no shingle goes across texts", 2, []string{"a b", "c d"}, []string{"a b c d"}, 2.0 / 3},
		{"letters of Chinese are words", 2, []string{"我喜欢喝绿茶"}, []string{"我喜欢喝红茶"}, 3.0 / 7},
		{"no word at all", 1, []string{"?!"}, []string{"half"}, 0},
		{"two empty sets are not alike", 1, []string{"?!"}, nil, 0},
	} {
		got, exact := Similarity(setOf(c.size, c.a...), setOf(c.size, c.b...))
		if math.Abs(got-c.want) > 1e-12 || !exact {
			t.Errorf("%s: %q and %q are alike by %v (exact: %v), want %v", c.name, c.a, c.b, got, exact, c.want)
		}
	}
}

// The rolling hash of a shingle depends on its own words only.
func TestShinglesDoNotDependOnWhatStandsBefore(t *testing.T) {
	last := func(text string) uint64 {
		s := NewShingler(3)
		s.Add([]byte(text))
		return s.Hashes()[len(s.Hashes())-1]
	}
	want := last("x y z")
	for _, before := range []string{"a ", "a b ", "a b c ", "a b c d e f g "} {
		if got := last(before + "x y z"); got != want {
			t.Errorf("behind %q the shingle has another hash", before)
		}
	}
	if last("y x z") == want || last("x y y") == want {
		t.Error("other words have the same hash")
	}
}

// pairOf makes two sets of so many shingles together, of which so many are shared.
func pairOf(random *rand.Rand, all, shared int) (a, b []uint64) {
	for i := range all {
		h := random.Uint64()
		if i < shared || i%2 == 0 {
			a = append(a, h)
		}
		if i < shared || i%2 == 1 {
			b = append(b, h)
		}
	}
	return a, b
}

func keysOf(h *Hasher, set []uint64) []fingerprint.Key {
	var keys []fingerprint.Key
	h.Each(set, func(k fingerprint.Key) { keys = append(keys, k) })
	return keys
}

// Bands agree as often as the formula says, for short texts and long ones: the densified bins behave as permutations of their own.
func TestBandsAgreeAsOftenAsTheFormulaSays(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for _, c := range []struct{ all, shared, rows int }{
		{10, 8, 1}, {10, 5, 1}, {10, 5, 2}, {40, 28, 4}, {40, 32, 5}, {2000, 1400, 4}, {2000, 600, 2}, {2, 1, 1},
	} {
		bands := 64 / c.rows
		similarity := float64(c.shared) / float64(c.all)
		want := math.Pow(similarity, float64(c.rows))
		agree, total := 0, 0
		for trial := range 400 {
			h := NewHasher(bands, c.rows, uint64(trial))
			a, b := pairOf(random, c.all, c.shared)
			keys := keysOf(h, a)
			for i, k := range keysOf(h, b) {
				total++
				if k == keys[i] {
					agree++
				}
			}
		}
		// The bands of one pair hang together, above all those of few shingles: the trials count, not the bands.
		got, allowed := float64(agree)/float64(total), 4*math.Sqrt(want*(1-want)/400)
		if math.Abs(got-want) > allowed {
			t.Errorf("%d of %d shingles shared, bands of %d: %.3f of them agree, want %.3f ± %.3f", c.shared, c.all, c.rows, got, want, allowed)
		}
	}
}

// Of pairs at the threshold, 98 of 100 become candidates.
func TestPairsAtTheThresholdAreFound(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for _, c := range []struct {
		threshold   float64
		all, shared int
	}{{0.5, 60, 30}, {0.7, 40, 28}, {0.8, 100, 80}, {0.9, 1000, 900}, {1, 12, 12}} {
		bands, rows := Bands(c.threshold, 64)
		found := 0
		const trials = 500
		for trial := range trials {
			h := NewHasher(bands, rows, uint64(trial))
			a, b := pairOf(random, c.all, c.shared)
			keys := keysOf(h, a)
			for i, k := range keysOf(h, b) {
				if k == keys[i] {
					found++
					break
				}
			}
		}
		if found < trials*95/100 {
			t.Errorf("from %v on, in %d bands of %d: %d of %d pairs were found", c.threshold, bands, rows, found, trials)
		}
	}
}

func TestBands(t *testing.T) {
	for _, c := range []struct {
		threshold          float64
		permutations       int
		bands, rows        int
		chance, farthestAt float64
	}{
		{0.7, 64, 16, 4, 0.9877, 0.3}, {0.8, 64, 12, 5, 0.9915, 0.4}, {0.8, 128, 18, 7, 0.9856, 0.5}, {0.9, 128, 10, 12, 0.9634, 0.7},
		{0.5, 64, 32, 2, 0.9999, 0.1}, {1, 64, 1, 64, 1, 0.9}, {0.01, 64, 64, 1, 0.4744, 0}, {0.7, 1, 1, 1, 0.7, 0.3},
	} {
		bands, rows := Bands(c.threshold, c.permutations)
		if bands*rows > c.permutations {
			t.Errorf("%d bands of %d need more than %d permutations", bands, rows, c.permutations)
		}
		chance := Chance(c.threshold, bands, rows)
		if chance < recall && rows > 1 {
			t.Errorf("from %v on, %d permutations: %d bands of %d find only %.4f", c.threshold, c.permutations, bands, rows, chance)
		}
		if more := c.permutations / (rows + 1); more > 0 && Chance(c.threshold, more, rows+1) >= recall {
			t.Errorf("from %v on, %d permutations: bands of %d are enough, got %d", c.threshold, c.permutations, rows+1, rows)
		}
	}
	if bands, rows := Bands(0.7, 64); bands != 16 || rows != 4 {
		t.Errorf("the documented 16 bands of 4 are %d of %d", bands, rows)
	}
}

func TestAnotherSeedGivesOtherBands(t *testing.T) {
	set := setOf(1, "half of ten is five").Hashes
	if slices.Equal(keysOf(NewHasher(16, 4, 0), set), keysOf(NewHasher(16, 4, 1), set)) {
		t.Error("the seed changes nothing")
	}
	if keysOf(NewHasher(16, 4, 0), nil) != nil {
		t.Error("an empty set has bands")
	}
}

// A sketch of 1024 estimates the similarity of long texts, and says that it is an estimate.
func TestSketchesOfLongTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 13))
	for _, shared := range []int{2000, 7000, 9000} {
		a, b := pairOf(random, 10000, shared)
		got, exact := Similarity(NewSketch(a, 1024), NewSketch(b, 1024))
		if want := float64(shared) / 10000; math.Abs(got-want) > 5*0.5/32 || exact {
			t.Errorf("%d of 10000 shared: %.3f (exact: %v), want about %.3f", shared, got, exact, want)
		}
	}
	whole, part := NewSketch([]uint64{5, 1, 3, 3}, 4), NewSketch([]uint64{1, 2, 3, 9, 10}, 4)
	if got, exact := Similarity(whole, part); got != 0.5 || exact { // of 1 2 3 5 in both: 1 and 3
		t.Errorf("a whole and a cut sketch: %v, exact %v; want 0.5, an estimate", got, exact)
	}
}

func FuzzShingler(f *testing.F) {
	for _, text := range []string{"", "half of ten", "我喜欢", "\xff\xfe a", "e\u0301", "a\u0345 ß", "ไทย 12"} {
		f.Add([]byte(text), 3)
	}
	f.Fuzz(func(t *testing.T, text []byte, size int) {
		s := NewShingler(max(1, size&15))
		s.Add(text)
		if n := len(s.Hashes()); n > len(text)*18 { // NFKC makes 18 characters of U+FDFA
			t.Errorf("%d shingles of %d bytes", n, len(text))
		}
		h := NewHasher(4, 4, 0)
		if n := len(keysOf(h, s.Hashes())); n != 0 && n != 4 {
			t.Errorf("%d bands, want 4", n)
		}
	})
}

func BenchmarkShinglesAndBands(b *testing.B) {
	for _, words := range []int{10, 50, 1000} {
		var text strings.Builder
		for i := range words {
			fmt.Fprintf(&text, "word%d ", i*i%977)
		}
		b.Run(fmt.Sprintf("words=%d", words), func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			s, h := NewShingler(3), NewHasher(16, 4, 0)
			data := []byte(text.String())
			for b.Loop() {
				s.Reset()
				s.Add(data)
				h.Each(s.Hashes(), func(fingerprint.Key) {})
			}
		})
	}
}
