package column

import (
	"bytes"
	"math"
	"strconv"
)

// CellNumber reads the text of a CSV cell as pandas reads a number: blanks around it, a plus before it, zeros before its digits
// and a point without digits on one side are let pass, and inf and infinity are numbers.
func CellNumber(text []byte) (float64, bool) {
	if len(text) == 0 {
		return 0, false
	}
	kind, number := kindOfCell(text)
	switch {
	case !kind.has(isNumber):
		return 0, false
	case number == nil:
		if bytes.TrimLeft(text, " \t")[0] == '-' {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	}
	x, _ := strconv.ParseFloat(string(number), 64)
	return x, true
}
