package column

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestParseNumber(t *testing.T) {
	tests := map[string]num{
		"0":                      {kind: isInt, whole: true, encoded: 1},
		"-0":                     {kind: isInt, whole: true, encoded: 1},
		"7":                      {kind: isInt, whole: true, integer: 7, approx: 7, encoded: 1},
		"-42":                    {kind: isInt, whole: true, integer: -42, approx: -42, encoded: 3},
		"9007199254740992":       {kind: isInt, whole: true, integer: 1 << 53, approx: 1 << 53, encoded: 16},
		"9007199254740993":       {kind: isLong, whole: true, integer: 1<<53 + 1, approx: 1 << 53, encoded: 16},
		"9223372036854775807":    {kind: isLong, whole: true, integer: 1<<63 - 1, approx: 1 << 63, encoded: 19},
		"-9223372036854775808":   {kind: isLong, whole: true, integer: -1 << 63, approx: -1 << 63, encoded: 20},
		"9223372036854775808":    {kind: isHuge | isUint, whole: true, approx: 1 << 63, encoded: 19},
		"18446744073709551616":   {kind: isHuge, whole: true, approx: 1 << 64, encoded: 20, refused: true},
		"-9223372036854775809":   {kind: isHuge, whole: true, approx: -1 << 63, encoded: 20, refused: true},
		"1.0":                    {kind: isWhole, approx: 1, encoded: 3},
		"-2.00":                  {kind: isWhole, approx: -2, encoded: 4},
		"-0.0":                   {kind: isWhole, encoded: 3},
		"2.5":                    {kind: isFloat, approx: 2.5, encoded: 3},
		"1e3":                    {kind: isWhole, approx: 1000, encoded: 6},
		"1E+3":                   {kind: isWhole, approx: 1000, encoded: 6},
		"1e20":                   {kind: isFloat, approx: 1e20, encoded: 5},
		"1.5e20":                 {kind: isFloat, approx: 1.5e20, encoded: 7},
		"1e-20":                  {kind: isFloat, approx: 1e-20, encoded: 5},
		"0.00000000001":          {kind: isFloat, approx: 1e-11, encoded: 3},
		"123456.789":             {kind: isFloat, approx: 123456.789, encoded: 10},
		"0.12345678901234567":    {kind: isFloat, approx: 0.12345678901234567, encoded: 11},
		"18446744073709551616.5": {kind: isFloat, approx: 1 << 64, refused: true},
	}
	for text, want := range tests {
		got := parseNumber([]byte(text))
		if math.Abs(got.approx-want.approx) <= closeFactor/10*math.Abs(want.approx) {
			got.approx = want.approx
		}
		got.text = 0 // see TestNumbersCastToText
		if got != want {
			t.Errorf("parseNumber(%s)\ngot  %+v\nwant %+v", text, got, want)
		}
	}
}

func TestNumbersAreComparedExactly(t *testing.T) {
	ascending := []string{"-1e400", "-1e308", "-9007199254740993", "-9007199254740992", "-1.5", "-1e-400", "0", "1e-400", "1e-5", "0.1", "0.10000000000000000000000000001",
		"1", "1.00000000000000000000000000000000000001", "9007199254740992", "9007199254740993", "9007199254740993.5", "18446744073709551615", "18446744073709551616", "1e308", "1e400", "1.1e400"}
	for i, a := range ascending {
		for j, b := range ascending {
			x, y := parseNumber([]byte(a)), parseNumber([]byte(b))
			if got := x.less([]byte(a), &y, []byte(b)); got != (i < j) {
				t.Errorf("%s < %s is %v", a, b, got)
			}
		}
	}
	for _, same := range [][2]string{{"1", "1.0"}, {"1e2", "100"}, {"0", "-0.0"}, {"0e5", "0"}, {"10.50e-1", "1.05"}, {"0.001e3", "1"}} {
		if got := compareNumbers([]byte(same[0]), []byte(same[1])); got != 0 {
			t.Errorf("%s and %s are equal, got %d", same[0], same[1], got)
		}
	}
}

func FuzzNumber(f *testing.F) {
	for _, seed := range [][2]string{{"1", "1.0"}, {"-0.1e-2", "1E3"}, {"9007199254740993", "9007199254740992.5"}, {"1e400", "-1e-400"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if !small(a) || !small(b) {
			return
		}
		x, y := parseNumber([]byte(a)), parseNumber([]byte(b))
		exactX, _ := new(big.Rat).SetString(a)
		exactY, _ := new(big.Rat).SetString(b)
		if got, want := compareNumbers([]byte(a), []byte(b)), exactX.Cmp(exactY); got != want {
			t.Errorf("compareNumbers(%s, %s) is %d, want %d", a, b, got, want)
		}
		if got, want := x.less([]byte(a), &y, []byte(b)), exactX.Cmp(exactY) < 0; got != want {
			t.Errorf("%s less than %s is %v, want %v", a, b, got, want)
		}
		limit := big.NewRat(maxExact, 1)
		exact := exactX.IsInt() && new(big.Rat).Abs(exactX).Cmp(limit) <= 0
		if got := x.kind.has(isInt | isWhole); got != exact {
			t.Errorf("%s is whole and exact in float64: %v, want %v", a, got, exact)
		}
	})
}

// small says that a text is a number in JSON's form whose exponent big.Rat can take.
func small(s string) bool {
	if len(s) == 0 || len(s) > 60 || !isNumeric([]byte(s)) {
		return false
	}
	if e := strings.IndexAny(s, "eE"); e >= 0 {
		exponent, err := strconv.Atoi(strings.TrimPrefix(s[e+1:], "+"))
		return err == nil && exponent > -500 && exponent < 500
	}
	return true
}

func TestShortDecimalsAreMeasuredAsLongOnes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		text := fmt.Sprintf("%s%d.%0*d", []string{"", "-"}[random.IntN(2)], random.IntN(10_000), 1+random.IntN(10), random.IntN(10))
		if random.IntN(2) == 0 {
			text = fmt.Sprintf("%d.%d", random.IntN(10_000), random.IntN(1e9))
		}
		got := parseNumber([]byte(text)).encoded
		want, _ := encodedFloat([]byte(text), text[0] == '-')
		if got != want {
			t.Fatalf("%s has %d bytes as pandas writes it, want %d", text, got, want)
		}
	}
}

func TestNumbersCastToText(t *testing.T) {
	for number, want := range map[string]string{
		"0": "0", "-0": "-0", "7": "7", "-42": "-42", "1.0": "1", "2.50": "2.5", "-1.25": "-1.25", "0.1": "0.1", "0.0025": "0.0025", "1e3": "1000", "1e20": "1e+20",
		"12345678901234567890": "1.2345678901234567e+19", "9999999999": "9999999999", "10000000000": "1e+10", "-12300000000": "-1.23e+10",
		"12345678901.5": "1.23456789015e+10", "120000000000.0": "1.2e+11", "0.000001": "0.000001", "0.00000012": "1.2e-7", "1e-7": "1e-7", "0.0": "0", "-0.0": "-0",
	} {
		if got := parseNumber([]byte(number)).text; got != len(want) {
			t.Errorf("%s is cast to a text of %d bytes, want %d: %s", number, got, len(want), want)
		}
	}
	for _, number := range []string{"1234567890123456", "0.12345678901234567", "123456.7890123456"} {
		if got := parseNumber([]byte(number)).text; got != 0 {
			t.Errorf("the text of %s is not measured, got %d", number, got)
		}
	}
	random := rand.New(rand.NewPCG(2, 2))
	for range 20_000 {
		number := fmt.Sprintf("%d.%0*d", random.Int64N(1e12)>>random.IntN(40), 1+random.IntN(9), random.IntN(1000))
		if random.IntN(3) == 0 {
			number = fmt.Sprint(random.Int64N(1e15) >> random.IntN(50))
		}
		value, err := strconv.ParseFloat(number, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := parseNumber([]byte(number)).text, castFloat(value); got != 0 && got != want {
			t.Fatalf("%s is cast to a text of %d bytes, want %d", number, got, want)
		}
	}
}
