package digest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// canonicalDecimal writes a number by reading it.
func canonicalDecimal(number string) string {
	f, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return ""
	}
	return string(appendFloat(nil, f))
}

func TestShortest(t *testing.T) {
	for _, number := range []string{"0.5", "-0.5996", "3.141592653589793", "0.1", "123456.789", "0.000001", "0.30000000000000004", "-0.8444218515250481", "1234567890.1234567",
		"0.0000012345678901234567", "2.718281828459045", "100000000000000.25"} {
		if !isShortest([]byte(number)) {
			t.Errorf("%s is canonical and often seen, it should not take reading it to know", number)
		}
	}
	for _, number := range []string{"1.0", "0.0", "-0.0", "0.10", "1e2", "1.5e3", "0.0000001", "0.1000000000000000055", "0.300000000000000041", "0.30000000000000003", "9007199254740993.5",
		"3.1415926535897931", "4503599627370496.5", "0.84442185152504811", "123456789012345678.5"} {
		if isShortest([]byte(number)) && canonicalDecimal(number) != number {
			t.Errorf("%s is not canonical, that is %s", number, canonicalDecimal(number))
		}
	}
}

// Whatever is said to be shortest, is what strconv writes; and of what strconv writes, hardly anything is not said to be.
func TestShortestOfRandomDecimals(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	missed, all := 0, 0
	for range 300_000 {
		f := math.Abs(random.NormFloat64()) * math.Pow(10, float64(random.IntN(16)-6))
		if random.IntN(20) == 0 {
			f = math.Ldexp(1, random.IntN(70)-20) // the distances below and above differ
		}
		f = math.Float64frombits(math.Float64bits(f) + uint64(random.IntN(3)))
		shortest := string(appendFloat(nil, f))
		if !strings.Contains(shortest, ".") || strings.Contains(shortest, "e") {
			continue
		}
		all++
		if !isShortest([]byte(shortest)) {
			missed++
		}
		// Its neighbours among the decimals, and longer and shorter ones.
		decimals := len(shortest) - strings.IndexByte(shortest, '.') - 1
		for _, near := range []string{
			fmt.Sprintf("%.*f", decimals+1, f), fmt.Sprintf("%.*f", decimals-1, f), shortest[:len(shortest)-1] + string("123456789"[random.IntN(9)]),
			shortest + string("123456789"[random.IntN(9)]), strconv.FormatFloat(math.Nextafter(f, 0), 'f', decimals, 64),
		} {
			if isShortest([]byte(near)) && canonicalDecimal(near) != near {
				t.Fatalf("%s is not canonical, that is %s", near, canonicalDecimal(near))
			}
		}
	}
	if missed*100 > all {
		t.Errorf("%d of %d canonical decimals are not known to be, want less than one in a hundred", missed, all)
	}
}

func FuzzShortest(f *testing.F) {
	f.Add(int64(8444218515250481), uint8(16))
	f.Add(int64(30000000000000004), uint8(17))
	f.Add(int64(1<<53), uint8(3))
	f.Fuzz(func(t *testing.T, digits int64, decimals uint8) {
		text := fmt.Sprintf("%0*d", int(decimals%40)+1, max(digits, -digits))
		point := len(text) - int(decimals%40)
		if digits == math.MinInt64 || point == len(text) {
			return
		}
		number := text[:point] + "." + text[point:]
		if isShortest([]byte(number)) && canonicalDecimal(number) != number {
			t.Errorf("%s is not canonical, that is %s", number, canonicalDecimal(number))
		}
	})
}

func BenchmarkDecimals(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	var numbers [][]byte
	for range 1000 {
		numbers = append(numbers, appendFloat(nil, random.NormFloat64()))
	}
	b.Run("known to be shortest", func(b *testing.B) {
		var out []byte
		for b.Loop() {
			out = out[:0]
			for _, n := range numbers {
				out = appendDecimal(out, n)
			}
		}
	})
	b.Run("read and written", func(b *testing.B) {
		var out []byte
		for b.Loop() {
			out = out[:0]
			for _, n := range numbers {
				f, _ := strconv.ParseFloat(string(n), 64)
				out = appendFloat(out, f)
			}
		}
	})
}
