package tape

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// AppendText appends the text of a string to dst: its escapes decoded, without quotes. For other kinds nothing is
// appended.
func (v Value) AppendText(dst []byte) []byte {
	if v.Kind() != String {
		return dst
	}
	if v.Escaped() {
		return unescape(dst, v.Raw())
	}
	return append(dst, v.Raw()...)
}

// Text returns the text of a string, its escapes decoded; "" for other kinds.
func (v Value) Text() string {
	if v.Kind() != String {
		return ""
	}
	if v.Escaped() {
		return string(unescape(nil, v.Raw()))
	}
	return string(v.Raw())
}

// Bool is true for the value true and false for every other value.
func (v Value) Bool() bool { return v.Kind() == True }

// IsInteger says that the value is a number whose exact value is whole, as 1, 1.0, 1e2 and 1.5e1 are.
func (v Value) IsInteger() bool {
	return v.Kind() == Number && isInteger(v.Raw())
}

// isInteger looks at a number of valid form: it is whole when the exponent makes up for the digits behind the point, those
// that are zero at the end left out.
func isInteger(number []byte) bool {
	mantissa, exponent := number, 0
	if e := bytes.IndexAny(number, "eE"); e >= 0 {
		mantissa = number[:e]
		exponent, _ = strconv.Atoi(string(number[e+1:]))
	}
	whole, fraction, _ := bytes.Cut(bytes.TrimPrefix(mantissa, []byte("-")), []byte("."))
	fraction = bytes.TrimRight(fraction, "0")
	if len(fraction) > 0 {
		return exponent >= len(fraction)
	}
	significant := bytes.TrimRight(whole, "0")
	return len(significant) == 0 || exponent >= len(significant)-len(whole)
}

// Get returns the value of a member of an object by its decoded key.
func (v Value) Get(key string) (Value, bool) {
	for k, member := range v.Members() {
		if k.isText(key) {
			return member, true
		}
	}
	return Value{}, false
}

// isText says that a string's text is s.
func (v Value) isText(s string) bool {
	if !v.Escaped() {
		return string(v.Raw()) == s
	}
	return len(v.Raw()) > len(s) && v.Text() == s
}

// At returns the value that an RFC 6901 JSON Pointer leads to; the empty pointer leads to v itself.
func (v Value) At(pointer string) (Value, bool) {
	if pointer == "" {
		return v, true
	}
	if pointer[0] != '/' {
		return Value{}, false
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		next, ok := v.step(token)
		if !ok {
			return Value{}, false
		}
		v = next
	}
	return v, true
}

// step follows one token of a pointer, as it is written in the pointer.
func (v Value) step(token string) (Value, bool) {
	switch v.Kind() {
	case Object:
		key, ok := unescapeToken(token)
		if !ok {
			return Value{}, false
		}
		return v.Get(key)
	case Array:
		index, ok := arrayIndex(token)
		if !ok || index >= v.Len() {
			return Value{}, false
		}
		for i, element := range v.Elements() {
			if i == index {
				return element, true
			}
		}
	}
	return Value{}, false
}

// arrayIndex reads a pointer's token as an index: digits without a leading zero.
func arrayIndex(token string) (int, bool) {
	if token == "" || len(token) > 1 && token[0] == '0' || strings.Trim(token, "0123456789") != "" {
		return 0, false
	}
	index, err := strconv.Atoi(token)
	return index, err == nil
}

// Any decodes the value into the types of encoding/json: map[string]any, []any, string, json.Number, bool and nil. It is
// for libraries that want them, not for the way every row takes.
func (v Value) Any() any {
	switch v.Kind() {
	case False, True:
		return v.Bool()
	case Number:
		return json.Number(v.Raw())
	case String:
		return v.Text()
	case Array:
		list := make([]any, 0, v.Len())
		for _, element := range v.Elements() {
			list = append(list, element.Any())
		}
		return list
	case Object:
		members := make(map[string]any, v.Len())
		for key, member := range v.Members() {
			members[key.Text()] = member.Any()
		}
		return members
	}
	return nil
}
