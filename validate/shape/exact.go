package shape

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// canonical writes a value so that equal values have the same text: numbers are equal by their exact value (1, 1.0 and
// 10e-1 are, 9007199254740992 and 9007199254740993 are not), objects whatever the order of their keys.
func canonical(value any) string {
	var b strings.Builder
	writeCanonical(&b, value)
	return b.String()
}

func writeCanonical(b *strings.Builder, value any) {
	switch v := value.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case json.Number:
		b.WriteString(canonicalNumber(v))
	case string:
		b.WriteString(strconv.Quote(v))
	case []any:
		b.WriteByte('[')
		for _, element := range v {
			writeCanonical(b, element)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case map[string]any:
		b.WriteByte('{')
		for _, key := range slices.Sorted(maps.Keys(v)) {
			b.WriteString(strconv.Quote(key))
			b.WriteByte(':')
			writeCanonical(b, v[key])
			b.WriteByte(',')
		}
		b.WriteByte('}')
	}
}

func canonicalNumber(n json.Number) string {
	exact, ok := new(big.Rat).SetString(string(n))
	if !ok {
		return string(n)
	}
	return exact.RatString()
}

// compare orders two nodes that are numbers.
func compare(a, b *node) int {
	x, _ := exactly(a)
	y, _ := exactly(b)
	return x.Cmp(y)
}
