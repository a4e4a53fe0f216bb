package memgymtest

import (
	"bytes"
	"encoding/json"
	"strings"
)

// object is a JSON object with its members in order: key, value, key, value.
type object []any

func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := 0; i < len(o); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(encode(o[i]) + ":" + encode(o[i+1]))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// with returns the object with members put behind its own.
func (o object) with(members ...any) object { return append(o[:len(o):len(o)], members...) }

// without returns the object without some members.
func (o object) without(keys ...string) object {
	var out object
	for i := 0; i < len(o); i += 2 {
		if !strings.Contains(" "+strings.Join(keys, " ")+" ", " "+o[i].(string)+" ") {
			out = append(out, o[i], o[i+1])
		}
	}
	return out
}

// set returns the object with other values.
func (o object) set(members ...any) object {
	out := append(object(nil), o...)
	for i := 0; i < len(members); i += 2 {
		for k := 0; k < len(out); k += 2 {
			if out[k] == members[i] {
				out[k+1] = members[i+1]
			}
		}
	}
	return out
}

// get is the value of a member.
func (o object) get(key string) any {
	for i := 0; i < len(o); i += 2 {
		if o[i] == key {
			return o[i+1]
		}
	}
	return nil
}

// encode writes compact JSON without the escapes that are meant for HTML.
func encode(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // all values of the example can be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// lines writes rows as JSON Lines.
func lines(rows []object) string {
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(encode(row) + "\n")
	}
	return b.String()
}

// indented writes a document for people.
func indented(v any) string {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(encode(v)), "", "  "); err != nil {
		panic(err) // encode writes JSON
	}
	return b.String() + "\n"
}
