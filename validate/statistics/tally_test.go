package statistics

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestKeysHaveTheOrderOfNumbers(t *testing.T) {
	numbers := []float64{math.Inf(-1), -math.MaxFloat64, -1.5, -1, -math.SmallestNonzeroFloat64, 0, math.SmallestNonzeroFloat64, 1, 1.5, 1 << 53, math.Inf(1)}
	for i, x := range numbers {
		if got := numberOf(keyOf(x)); got != x {
			t.Errorf("the key of %v is that of %v", x, got)
		}
		if i > 0 && keyOf(numbers[i-1]) >= keyOf(x) {
			t.Errorf("the key of %v is not below that of %v", numbers[i-1], x)
		}
	}
	if keyOf(math.Copysign(0, -1)) != keyOf(0) {
		t.Error("both zeros are one value")
	}
}

// With more distinct values than there is room for, a tally estimates, closely.
func TestEstimatesAreClose(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	const n, limit = 200_000, 4096
	for name, draw := range map[string]func(i int) float64{
		"numbered":  func(i int) float64 { return float64(i) },
		"uniform":   func(int) float64 { return random.Float64() },
		"normal":    func(int) float64 { return random.NormFloat64()*50 + 1000 },
		"skewed":    func(int) float64 { return math.Exp(random.NormFloat64() * 4) },
		"both ways": func(int) float64 { return math.Round(random.NormFloat64() * 1e7) },
		"epoch":     func(int) float64 { return float64(1_700_000_000 + random.IntN(30_000_000)) },
	} {
		var whole tally
		var all []float64
		for i := range n {
			x := draw(i)
			all = append(all, x)
			whole.add(keyOf(x), 1)
		}
		slices.Sort(all)
		s := whole.spread(limit, name == "numbered")
		if s.exact || s.count != n || s.least != all[0] || s.greatest != all[n-1] {
			t.Fatalf("%s: exact %v, %d values from %v to %v", name, s.exact, s.count, s.least, s.greatest)
		}
		below, _ := slices.BinarySearch(all, s.median())
		if off := math.Abs(float64(below) - n/2); off > n/500 {
			t.Errorf("%s: the median %v is %v places off", name, s.median(), off)
		}
		distinct := float64(len(slices.Compact(slices.Clone(all))))
		if off := math.Abs(float64(s.distinct)-distinct) / distinct; off > 0.04 {
			t.Errorf("%s: %d distinct values are estimated, %v are there", name, s.distinct, distinct)
		}
		if mean := meanOf(all); math.Abs(s.mean-mean) > 1e-12*math.Abs(mean) {
			t.Errorf("%s: the mean is %v, want %v exactly", name, s.mean, mean)
		}
		got, err := s.numbers(Nulls{})
		if err != nil {
			t.Fatal(err)
		}
		checkHistogram(t, name, all, got.Histogram)
	}
}

func meanOf(all []float64) float64 {
	sum := new(big.Float).SetPrec(300)
	for _, x := range all {
		sum.Add(sum, new(big.Float).SetFloat64(x))
	}
	mean, _ := sum.Quo(sum, new(big.Float).SetInt64(int64(len(all)))).Float64()
	return mean
}

// checkHistogram wants every bin to be right within a thousandth of all values.
func checkHistogram(t *testing.T, name string, all []float64, h *Histogram) {
	t.Helper()
	total := int64(0)
	for i, got := range h.Counts {
		total += got
		edge := func(i int) float64 {
			if whole, ok := h.Edges[i].(int64); ok {
				return float64(whole)
			}
			return float64(h.Edges[i].(Float))
		}
		from, _ := slices.BinarySearch(all, edge(i))
		to, _ := slices.BinarySearch(all, edge(i+1))
		if i == len(h.Counts)-1 {
			to = len(all)
		}
		if off := math.Abs(float64(got) - float64(to-from)); off > float64(len(all))/1000+1 {
			t.Errorf("%s: bin %d has %d values, want %d", name, i, got, to-from)
		}
	}
	if total != int64(len(all)) {
		t.Errorf("%s: the bins hold %d of %d values", name, total, len(all))
	}
}

// The exact sums are those of big numbers, whatever the signs and sizes.
func TestMomentsAreExact(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for name, draw := range map[string]func() float64{
		"small":     func() float64 { return random.NormFloat64() },
		"cancel":    func() float64 { return 1e15 + random.Float64() },
		"negative":  func() float64 { return -random.ExpFloat64() * 1e-5 },
		"all sizes": func() float64 { return math.Ldexp(random.Float64()-0.5, random.IntN(2000)-1060) },
		"tiny":      func() float64 { return math.SmallestNonzeroFloat64 * float64(random.IntN(9)) },
	} {
		var parts [2]moments
		first, second := new(big.Float).SetPrec(5000), new(big.Float).SetPrec(5000)
		for i := range 400 {
			x, n := draw(), uint64(1+random.IntN(3))
			if i == 0 {
				n = 1 << 33
			}
			parts[random.IntN(2)].add(x, n)
			weighted := new(big.Float).SetPrec(5000).Mul(big.NewFloat(x), new(big.Float).SetUint64(n))
			first.Add(first, weighted)
			second.Add(second, weighted.Mul(weighted, big.NewFloat(x)))
		}
		parts[0].merge(&parts[1])
		for which, pair := range map[string][2]*big.Float{"numbers": {first, exactly(&parts[0].first)}, "squares": {second, exactly(&parts[0].second)}} {
			if pair[0].Cmp(pair[1]) != 0 {
				t.Errorf("%s: the sum of %s is %g, want %g", name, which, pair[1], pair[0])
			}
		}
	}
}

func exactly(s *sum) *big.Float {
	x := new(big.Float).SetPrec(5000).SetInt(s.integer())
	return x.SetMantExp(x, -sumBias)
}

func TestStandardDeviation(t *testing.T) {
	var m moments
	for range 1000 {
		m.add(1e9+0.25, 1)
		m.add(1e9-0.25, 1)
	}
	if got, want := m.std(2000), 0.25*math.Sqrt(2000.0/1999); math.Abs(got-want) > 1e-15 {
		t.Errorf("the spread of numbers close to 1e9 is %v, want %v", got, want)
	}
}

func TestDistinctIsClose(t *testing.T) {
	for _, n := range []int{100, 1000, 5000, 20_000, 300_000} {
		var a, b distinct
		for i := range n {
			a.add(mixed(uint64(i)))
			b.add(mixed(uint64(i + n/2)))
		}
		a.merge(&b)
		want := float64(n + n/2)
		if got := float64(a.estimate()); math.Abs(got-want) > 0.04*want {
			t.Errorf("%v distinct values are taken for %v", want, got)
		}
	}
}
