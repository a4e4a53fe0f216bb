package diff

import (
	"fmt"
	"strconv"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

// semantic is a version of three numbers, with whatever follows.
var semantic = lazyregexp.New(`^(v?)(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-+].*)?$`)

// Proposal is the version that follows an old one after a change of some weight: the first of three numbers goes up by one for a
// breaking change (also before 1.0.0, where it is the second), the second for an addition, the third for a fix. It is the old
// version for no change, and "" where that is not of three numbers.
func Proposal(old string, weight Weight) string {
	m := semantic.FindStringSubmatch(old)
	if m == nil {
		return ""
	}
	var n [3]int
	for i := range n {
		n[i], _ = strconv.Atoi(m[i+2])
	}
	switch {
	case weight == Breaking && n[0] > 0:
		n = [3]int{n[0] + 1, 0, 0}
	case weight == Breaking, weight == Addition:
		n = [3]int{n[0], n[1] + 1, 0}
	case weight == Fix:
		n[2]++
	default:
		return old
	}
	return fmt.Sprintf("%s%d.%d.%d", m[1], n[0], n[1], n[2])
}

// Below says whether a version is lower than another; false where one of them is not of three numbers.
func Below(version, other string) bool {
	a, b := semantic.FindStringSubmatch(version), semantic.FindStringSubmatch(other)
	if a == nil || b == nil {
		return false
	}
	for i := 2; i < 5; i++ {
		x, _ := strconv.Atoi(a[i])
		y, _ := strconv.Atoi(b[i])
		if x != y {
			return x < y
		}
	}
	return false
}
