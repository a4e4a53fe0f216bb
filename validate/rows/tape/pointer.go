package tape

import "strings"

// AppendToken appends a slash and one token, a key or an index, to an RFC 6901 JSON Pointer.
func AppendToken(pointer []byte, token string) []byte {
	pointer = append(pointer, '/')
	for i := range len(token) {
		switch c := token[i]; c {
		case '~':
			pointer = append(pointer, "~0"...)
		case '/':
			pointer = append(pointer, "~1"...)
		default:
			pointer = append(pointer, c)
		}
	}
	return pointer
}

// EscapeToken writes a key as a token of an RFC 6901 JSON Pointer: ~ as ~0 and / as ~1.
func EscapeToken(key string) string {
	if !strings.ContainsAny(key, "~/") {
		return key
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

// unescapeToken is EscapeToken undone; a tilde with anything but 0 or 1 behind it is no token.
func unescapeToken(token string) (string, bool) {
	if !strings.Contains(token, "~") {
		return token, true
	}
	rest := strings.NewReplacer("~0", "", "~1", "").Replace(token)
	return strings.NewReplacer("~0", "~", "~1", "/").Replace(token), !strings.Contains(rest, "~")
}
