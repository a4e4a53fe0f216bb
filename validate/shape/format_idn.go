package shape

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// idn holds names against RFC 5891 as far as package idna goes: Punycode, hyphens, joiners, the rule for text from right to
// left, lengths. What RFC 5892 has beyond that stands in isULabel.
var idn = idna.New(idna.ValidateLabels(true), idna.CheckHyphens(true), idna.CheckJoiners(true), idna.BidiRule(),
	idna.StrictDomainName(true), idna.VerifyDNSLength(true))

// fullStops are the characters that RFC 3490 takes for a dot.
var fullStops = strings.NewReplacer("\u3002", ".", "\uFF0E", ".", "\uFF61", ".")

// isIDNHostname: RFC 5890, labels in Unicode or encoded.
func isIDNHostname(s []byte) bool {
	name := fullStops.Replace(string(s))
	if name == "" || strings.HasSuffix(name, ".") {
		return false
	}
	encoded, err := idn.ToASCII(name)
	return err == nil && areULabels(encoded)
}

// isALabel: a label that begins with xn--, of RFC 5890.
func isALabel(label []byte) bool {
	_, err := idn.ToASCII(string(label))
	return err == nil && areULabels(string(label))
}

func areULabels(encoded string) bool {
	name, err := idn.ToUnicode(encoded)
	if err != nil {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if !isULabel([]rune(label)) {
			return false
		}
	}
	return true
}

// isULabel: letters and digits that NFKC leaves as they are, the exceptions of RFC 5892, section 2.6, and its rules for
// characters in a context, appendix A.
func isULabel(label []rune) bool {
	for i, r := range label {
		switch r {
		case 0x0640, 0x07FA, 0x302E, 0x302F, 0x3031, 0x3032, 0x3033, 0x3034, 0x3035, 0x303B:
			return false
		case 0x00B7: // middle dot
			if i == 0 || i+1 == len(label) || label[i-1] != 'l' || label[i+1] != 'l' {
				return false
			}
		case 0x0375: // Greek keraia
			if i+1 == len(label) || !unicode.Is(unicode.Greek, label[i+1]) {
				return false
			}
		case 0x05F3, 0x05F4: // Hebrew geresh and gershayim
			if i == 0 || !unicode.Is(unicode.Hebrew, label[i-1]) {
				return false
			}
		case 0x30FB: // Katakana middle dot
			if !slices.ContainsFunc(label, isJapanese) {
				return false
			}
		case '-', 0x200C, 0x200D, 0x06FD, 0x06FE, 0x0F0B, 0x3007: // the joiners in their places, and exceptions
		default:
			if !unicode.In(r, unicode.Ll, unicode.Lo, unicode.Lm, unicode.Mn, unicode.Mc, unicode.Nd) {
				return false
			}
		}
	}
	return norm.NFKC.IsNormalString(string(label))
}

func isJapanese(r rune) bool {
	return r != 0x30FB && unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han)
}
