package gitattributes

import "strings"

// pattern is a compiled pattern of one line.
type pattern struct {
	// text is the pattern as it stands in the file, without quotes.
	text string
	// anchored patterns hold a slash and are matched against the whole path, the others against the file's name.
	anchored bool
	// never is true for a pattern that no file can match: that of a folder, or one that is cut off.
	never  bool
	tokens []token
}

// token is a piece of a pattern.
type token struct {
	kind kind
	// set holds the bytes that match, of a token that stands for one byte.
	set set
}

type kind byte

const (
	// one stands for one byte.
	one kind = iota
	// star stands for any text without a slash.
	star
	// deep stands for any text.
	deep
	// folders stands for nothing, or for any text that ends with a slash.
	folders
)

// set is a set of bytes.
type set [4]uint64

func (s *set) add(c byte)      { s[c>>6] |= 1 << (c & 63) }
func (s *set) has(c byte) bool { return s[c>>6]&(1<<(c&63)) != 0 }
func (s *set) remove(c byte)   { s[c>>6] &^= 1 << (c & 63) }

func (s *set) addRange(from, to byte) {
	for c := int(from); c <= int(to); c++ {
		s.add(byte(c))
	}
}

func (s *set) addIf(member func(byte) bool) {
	for c := range 256 {
		if member(byte(c)) {
			s.add(byte(c))
		}
	}
}

func (s *set) invert() {
	for i := range s {
		s[i] = ^s[i]
	}
}

func single(c byte) token {
	t := token{kind: one}
	t.set.add(c)
	return t
}

const special = `*?[\`

// newPattern compiles a pattern. The rules are those of gitattributes(5) and gitignore(5), and two that are git's alone:
// a pattern that ends with a slash is that of a folder and matches no file, and stars that follow the literal start
// of an anchored pattern count as if they followed a slash (`a**/b` matches ab).
func newPattern(text string) pattern {
	p := pattern{text: text, anchored: strings.Contains(strings.TrimSuffix(text, "/"), "/")}
	if strings.HasSuffix(text, "/") {
		p.never = true
		return p
	}
	glob := text
	if p.anchored {
		glob = strings.TrimPrefix(glob, "/")
	}
	literal := strings.IndexAny(glob, special)
	for i := 0; i < len(glob); {
		var t token
		n := 1
		switch glob[i] {
		case '*':
			n = len(glob) - i - len(strings.TrimLeft(glob[i:], "*"))
			t.kind = star
			if p.anchored && n > 1 && (i == literal || glob[i-1] == '/') {
				t.kind, n = stars(glob[i+n:], n)
			}
		case '?':
			t.set.add('/')
			t.set.invert()
		case '[':
			t.set, n = parseSet(glob[i:])
		case '\\':
			if i+1 < len(glob) {
				t, n = single(glob[i+1]), 2
			} else {
				n = 0
			}
		default:
			t = single(glob[i])
		}
		if n == 0 {
			p.never = true
			return p
		}
		p.tokens = append(p.tokens, t)
		i += n
	}
	return p
}

// stars tells what n stars stand for that follow a slash, by what comes after them; the slash of `**/` is taken in.
func stars(rest string, n int) (kind, int) {
	switch {
	case rest == "" || strings.HasPrefix(rest, `\/`):
		return deep, n
	case rest[0] == '/':
		return folders, n + 1
	}
	return star, n
}

// parseSet reads a bracket expression; its length is 0 when it is cut off or names no known class. A set never
// matches a slash.
func parseSet(glob string) (members set, length int) {
	i := 1
	at := func(k int) byte {
		if k < len(glob) {
			return glob[k]
		}
		return 0
	}
	inverted := at(i) == '!' || at(i) == '^'
	if inverted {
		i++
	}
	for first, before := true, byte(0); first || at(i) != ']'; first = false {
		c := at(i)
		switch {
		case c == '-' && before != 0 && at(i+1) != 0 && at(i+1) != ']':
			i++
			if at(i) == '\\' {
				i++
			}
			members.addRange(before, at(i))
			before = 0
		case c == '[' && at(i+1) == ':' && strings.Contains(glob[i+2:], "]"):
			end := i + 2 + strings.IndexByte(glob[i+2:], ']')
			name, closed := strings.CutSuffix(glob[i+2:end], ":")
			if !closed {
				members.add('[')
				before = '['
				break
			}
			if classes(name) == nil {
				return set{}, 0
			}
			members.addIf(classes(name))
			i, before = end, 0
		default:
			if c == '\\' {
				i++
			}
			members.add(at(i))
			before = at(i)
		}
		if at(i) == 0 {
			return set{}, 0
		}
		i++
	}
	if inverted {
		members.invert()
	}
	members.remove('/')
	return members, i + 1
}

// classes finds the members of a POSIX class as git has them: ASCII only, and vertical tab and form feed are no
// space; nil when there is no class of this name.
func classes(name string) func(byte) bool {
	switch name {
	case "alnum":
		return isAlnum
	case "alpha":
		return isAlpha
	case "blank":
		return func(c byte) bool { return c == ' ' || c == '\t' }
	case "cntrl":
		return func(c byte) bool { return c < ' ' || c == 0x7f }
	case "digit":
		return isDigit
	case "graph":
		return isGraph
	case "lower":
		return isLower
	case "print":
		return func(c byte) bool { return isGraph(c) || c == ' ' }
	case "punct":
		return func(c byte) bool { return isGraph(c) && !isAlnum(c) }
	case "space":
		return func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
	case "upper":
		return isUpper
	case "xdigit":
		return func(c byte) bool { return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' }
	}
	return nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isAlpha(c byte) bool { return isLower(c) || isUpper(c) }
func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }
func isGraph(c byte) bool { return ' ' < c && c < 0x7f }

// matches reports whether the file at a path below the folder of the .gitattributes file matches.
func (p *pattern) matches(path string) bool {
	if p.never {
		return false
	}
	if !p.anchored {
		_, path = cutLast(path)
	}
	return match(p.tokens, path)
}

// retry is where to go on after a mismatch: a token that may stand for more text, and the end of what it stands for.
type retry struct{ token, end int }

// match reports whether tokens stand for the whole text. Only the last star, and the last token that crosses slashes,
// need another try: where the one before them ends early, all later choices stay open. So the time is bounded by
// the length of the text times that of the tokens.
func match(tokens []token, text string) bool {
	none := retry{token: -1}
	within, across := none, none
	for i, j := 0, 0; ; {
		switch {
		case i == len(tokens) && j == len(text):
			return true
		case i < len(tokens) && tokens[i].kind == star:
			within = retry{i, j}
			i++
		case i < len(tokens) && tokens[i].kind != one:
			within, across = none, retry{i, j}
			i++
		case i < len(tokens) && j < len(text) && tokens[i].set.has(text[j]):
			i++
			j++
		case within != none && within.end < len(text) && text[within.end] != '/':
			within.end++
			i, j = within.token+1, within.end
		case across != none && across.end < len(text):
			step := 1
			if tokens[across.token].kind == folders {
				step = strings.IndexByte(text[across.end:], '/') + 1
			}
			if step == 0 {
				return false
			}
			across.end += step
			within = none
			i, j = across.token+1, across.end
		default:
			return false
		}
	}
}
