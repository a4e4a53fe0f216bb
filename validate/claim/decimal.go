package claim

import (
	"bytes"
	"errors"
	"maps"
	"math/big"
	"slices"
	"strconv"

	"github.com/hfpub/hfpub/validate/record"
)

// maxExponent bounds the exponents of numbers that are added up, in digits: beyond what a float64 holds.
const maxExponent = 400

// decimal is a number as digits × 10^exponent. Its big.Int is used again from row to row.
type decimal struct {
	digits   big.Int
	exponent int
}

var errRange = errors.New("the number is too large or too small to be added up")

// parse reads a number of JSON's form.
func (d *decimal) parse(text []byte) error {
	mantissa, exponent := text, 0
	if isZero(text) {
		d.digits.SetInt64(0)
		d.exponent = 0
		return nil
	}
	if e := bytes.IndexAny(text, "eE"); e >= 0 {
		mantissa = text[:e]
		n, err := strconv.Atoi(string(text[e+1:]))
		if err != nil {
			return errRange
		}
		exponent = n
	}
	whole, fraction, _ := bytes.Cut(mantissa, []byte("."))
	exponent -= len(fraction)
	if exponent < -maxExponent || exponent > maxExponent || len(mantissa) > maxExponent {
		return errRange
	}
	d.exponent = exponent
	if len(whole)+len(fraction) <= 18 {
		n, _ := strconv.ParseInt(string(whole)+string(fraction), 10, 64)
		d.digits.SetInt64(n)
		return nil
	}
	d.digits.SetString(string(whole)+string(fraction), 10)
	return nil
}

// isZero says that a number is 0, whatever its exponent.
func isZero(text []byte) bool {
	for _, c := range text {
		switch {
		case c == 'e' || c == 'E':
			return true
		case '1' <= c && c <= '9':
			return false
		}
	}
	return true
}

func (d *decimal) rat() *big.Rat {
	r := new(big.Rat).SetInt(&d.digits)
	return r.Mul(r, power(d.exponent))
}

func power(n int) *big.Rat {
	p := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil)
	if n < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}

// total adds numbers up exactly, in any order: one sum of digits for each exponent.
type total map[int]*big.Int

func (t total) add(digits *big.Int, exponent int) {
	sum := t[exponent]
	if sum == nil {
		sum = new(big.Int)
		t[exponent] = sum
	}
	sum.Add(sum, digits)
}

func (t total) merge(next total) {
	for exponent, digits := range next {
		t.add(digits, exponent)
	}
}

func (t total) rat() *big.Rat {
	sum := new(big.Rat)
	for exponent, digits := range t {
		r := new(big.Rat).SetInt(digits)
		sum.Add(sum, r.Mul(r, power(exponent)))
	}
	return sum
}

func (t total) write(w *record.Writer) {
	w.Uint(uint64(len(t)))
	for _, exponent := range slices.Sorted(maps.Keys(t)) {
		w.Int(int64(exponent))
		w.Bool(t[exponent].Sign() < 0)
		w.Part(t[exponent].Bytes())
	}
}

func (t total) read(r *record.Reader) {
	for range r.Count(4*maxExponent + 2) {
		exponent := r.Int()
		negative := r.Bool()
		digits := new(big.Int).SetBytes(r.Part())
		if exponent < -2*maxExponent || exponent > 2*maxExponent {
			r.Fail()
			return
		}
		if negative {
			digits.Neg(digits)
		}
		t.add(digits, int(exponent))
	}
}
