package field

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// normalizer changes texts before they are compared, in this order: Unicode's compatibility forms (NFKC), case (Unicode's full
// folding), punctuation (taken out), spaces (runs of white space become one blank, none at the ends).
type normalizer struct {
	nfkc, casefold, spaces, punctuation bool
	fold                                cases.Caser
}

// newNormalizer returns nil when nothing is to be done.
func newNormalizer(words []string) *normalizer {
	if len(words) == 0 {
		return nil
	}
	has := func(word string) bool { return slices.Contains(words, word) }
	return &normalizer{has("nfkc"), has("casefold"), has("spaces"), has("punctuation"), cases.Fold()}
}

func (n *normalizer) apply(v tape.Value) string { return n.text(v.Text()) }

func (n *normalizer) text(s string) string {
	if n.nfkc {
		s = norm.NFKC.String(s)
	}
	if n.casefold {
		s = n.fold.String(s)
		if n.nfkc {
			s = norm.NFKC.String(s) // folding can undo it: U+0345 and others
		}
	}
	if n.punctuation {
		s = strings.Map(func(r rune) rune {
			if unicode.IsPunct(r) {
				return -1
			}
			return r
		}, s)
	}
	if n.spaces {
		s = strings.Join(strings.Fields(s), " ")
	}
	return s
}
