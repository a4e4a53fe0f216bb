package shape

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// compilePattern compiles a regular expression of ECMA 262, as JSON Schema has them, with Go's engine. The error says what
// the engine does not have.
func compilePattern(expression string) (*regexp.Regexp, error) {
	translated, err := translate(expression)
	if err != nil {
		return nil, err
	}
	compiled, err := regexp.Compile(translated)
	if err == nil {
		return compiled, nil
	}
	var fault *syntax.Error
	if errors.As(err, &fault) {
		return nil, fmt.Errorf("%s in %s", fault.Code, quote(fault.Expr))
	}
	return nil, err
}

// lacking is the error that an expression holds something Go's engine does not have.
type lacking string

func (l lacking) Error() string { return "it holds " + string(l) }

// lookarounds are groups that the engine does not have, by what stands behind their bracket.
var lookarounds = []struct{ opens, name string }{
	{"?=", "a lookahead"}, {"?!", "a negative lookahead"}, {"?<=", "a lookbehind"}, {"?<!", "a negative lookbehind"},
	{"?>", "an atomic group"},
}

// translate writes in Go's way what ECMA 262 writes or means otherwise, and finds what Go's engine cannot do.
func translate(expression string) (string, error) {
	var out strings.Builder
	inClass := false
	for i := 0; i < len(expression); i++ {
		c := expression[i]
		rest := expression[i+1:]
		switch {
		case c == '\\' && rest != "":
			written, n, err := escape(rest, inClass)
			if err != nil {
				return "", err
			}
			out.WriteString(written)
			i += n
			continue
		case inClass:
			inClass = c != ']'
		case c == '[':
			inClass = true
			// A bracket that closes at once is Go's for a literal one; ECMA 262 has an empty class.
			if strings.HasPrefix(rest, "]") || strings.HasPrefix(rest, "^]") {
				return "", lacking("an empty class")
			}
		case c == '(':
			for _, l := range lookarounds {
				if strings.HasPrefix(rest, l.opens) {
					return "", lacking(l.name + ", " + quote("("+l.opens))
				}
			}
		}
		out.WriteByte(c)
	}
	return out.String(), nil
}

// space is what \s stands for in ECMA 262: white space and line ends of Unicode.
const space = `\t\n\v\f\r\x{FEFF}\p{Z}`

// escape translates what stands behind a backslash; n is how much of it is used.
func escape(rest string, inClass bool) (written string, n int, err error) {
	c := rest[0]
	switch {
	case !inClass && (c >= '1' && c <= '9' || strings.HasPrefix(rest, "k<")):
		return "", 0, lacking("a backreference, " + quote(`\`+rest[:1]))
	case c == 'u' && isHex(rest[1:], 4):
		return `\x{` + rest[1:5] + `}`, 5, nil
	case c == 'c' && len(rest) > 1 && (rest[1]|0x20) >= 'a' && (rest[1]|0x20) <= 'z':
		return fmt.Sprintf(`\x%02X`, rest[1]&0x1f), 2, nil
	case c == 's' && inClass:
		return space, 1, nil
	case c == 's':
		return `[` + space + `]`, 1, nil
	case c == 'S' && !inClass:
		return `[^` + space + `]`, 1, nil
	}
	return `\` + rest[:1], 1, nil
}

// isHex says that a text starts with n hex digits.
func isHex(s string, n int) bool {
	return len(s) >= n && strings.Trim(s[:n], "0123456789abcdefABCDEF") == ""
}
