package digest

import "math"

const (
	// mostDecimals is how many decimals isShortest looks at: float64 holds 10^22 exactly.
	mostDecimals = 22
	// mantissaBits are those of a float64 behind its first.
	mantissaBits = 52
	// bias is what is added to the exponent of a float64 with a whole mantissa.
	bias = 1075
)

// powersOfTen and powersOfFive are those that isNearest needs.
var (
	powersOfTen = [mostDecimals + 1]float64{
		1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
	}
	powersOfFive = [mostDecimals + 1]int64{
		1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125, 9765625, 48828125, 244140625, 1220703125, 6103515625, 30517578125,
		152587890625, 762939453125, 3814697265625, 19073486328125, 95367431640625, 476837158203125, 2384185791015625,
	}
)

// isShortest says that a number is surely in its canonical form: a plain decimal with a point, from 10^-6 on, and the
// shortest of all that stand for the same float64, or the nearest to it of those. Behind the point there may be nothing: then that is
// too much. It may say no where it takes more to find out. (BenchmarkDecimals sets it beside reading and writing the number.)
func isShortest(number []byte) bool {
	// The number is digits / 10^decimals.
	var digits int64
	point, first := -1, -1
	for i, c := range number {
		switch {
		case c-'0' <= 9 && digits < 1e17:
			digits = digits*10 + int64(c-'0')
			if first < 0 && c != '0' {
				first = i
			}
		case c == '.':
			point = i
		case c != '-':
			return false
		}
	}
	decimals := len(number) - 1 - point
	switch {
	case point < 0 || first < 0 || number[len(number)-1] == '0' || first > point+6 || decimals > mostDecimals:
		return false
	case digits < 1e15:
		return true // fifteen digits come back from float64 as they went in
	}
	return digits < 1e17 && decimals > 0 && isNearest(digits, decimals)
}

// isNearest says that digits / 10^decimals, where digits are sixteen or seventeen and the last is not zero, is surely the
// shortest decimal of its float64 and the nearest to it.
//
// Let the float64 be mantissa / 2^shift. Both numbers are multiplied by 10^decimals * 2^(shift-decimals), which makes them whole:
// digits * 2^(shift-decimals) and mantissa * 5^decimals. Then two neighbours in float64 are 5^decimals apart, and two decimals
// 2^(shift-decimals). Only differences matter, which are small, so all else may overflow.
func isNearest(digits int64, decimals int) bool {
	guess := math.Float64bits(float64(digits) / powersOfTen[decimals])
	mantissa := int64(guess&(1<<mantissaBits-1) | 1<<mantissaBits)
	up := bias - int(guess>>mantissaBits) - decimals
	if up < 1 || up > 58 {
		return false
	}
	five := powersOfFive[decimals]
	off := digits<<up - mantissa*five
	switch { // rounded twice, the guess may be a neighbour
	case off > five/2:
		mantissa, off = mantissa+1, off-five
	case off < -five/2:
		mantissa, off = mantissa-1, off+five
	}
	if mantissa <= 1<<mantissaBits || mantissa >= 2<<mantissaBits {
		return false // its neighbours are not equally far away
	}
	lastDigit := digits % 10
	return abs(off) <= five/2 && // it is its float64
		abs(off) < 1<<(up-1) && // no other with as many decimals is nearer to that
		lastDigit<<up-off > five/2 && (10-lastDigit)<<up+off > five/2 // none with one decimal less is as well
}

func abs(n int64) int64 { return max(n, -n) }
