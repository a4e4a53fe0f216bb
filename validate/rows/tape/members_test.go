package tape

import (
	"strings"
	"testing"
)

// The usual members of an object whose keys are foretold are read in one go, up to the first that is not.
func TestMembers(t *testing.T) {
	const keys = `{"id": 0, "a_key_that_is_long": 0, "k": 0, "a_key_of_18_bytes_": 0, "z": 0}`
	long := strings.Repeat("leaves ", 9)
	tests := []struct {
		name, text string
		read       uint32
		next       nextPart
		// end is what follows; plain is how much of a string was looked at.
		end   string
		plain int
	}{
		{"short values", `"id": 12, "a_key_that_is_long": "tea", "k": null, "a_key_of_18_bytes_": -0.5, "z": true}`, 5, endNext, "}", 0},
		{"without blanks", `"id":1234567,"a_key_that_is_long":"","k":false,"a_key_of_18_bytes_":"tea and leaves","z":0.1234567}`, 5, endNext, "}", 0},
		{"an object", `"id": 1, "a_key_that_is_long": {}}`, 1, valueNext, "{}}", 0},
		{"a long string", `"id": 1, "a_key_that_is_long": "` + long + `"}`, 1, valueNext, `"` + long + `"}`, reach},
		{"an escape", `"id": 1, "a_key_that_is_long": "tea\n"}`, 1, valueNext, `"tea\n"}`, 0},
		{"an escape further on", `"id": 1, "a_key_that_is_long": "tea leaves\n"}`, 1, valueNext, `"tea leaves\n"}`, 8},
		{"beyond ASCII", `"id": 1, "a_key_that_is_long": "é"}`, 1, valueNext, `"é"}`, 0},
		{"a long number", `"id": 12345678}`, 0, valueNext, "12345678}", 0},
		{"many digits behind the point", `"id": 1.12345678}`, 0, valueNext, "1.12345678}", 0},
		{"an exponent", `"id": 1e5}`, 0, valueNext, "1e5}", 0},
		{"a leading zero", `"id": 01}`, 0, valueNext, "01}", 0},
		{"no number", `"id": -}`, 0, valueNext, "-}", 0},
		{"no digit behind the point", `"id": 1.}`, 0, valueNext, "1.}", 0},
		{"no literal", `"id": nul}`, 0, valueNext, "nul}", 0},
		{"more behind a literal", `"id": nulls}`, 1, endNext, "s}", 0},
		{"another key", `"id": 1, "k": 2}`, 1, keyNext, `"k": 2}`, 0},
		{"another key of the same ends", `"id": 1, "a_key_that_is_LONG": 2}`, 1, keyNext, `"a_key_that_is_LONG": 2}`, 0},
		{"another middle", `"id": 1, "a_key_that_IS_long": 2}`, 1, keyNext, `"a_key_that_IS_long": 2}`, 0},
		{"blanks around", `"id" : 1}`, 0, keyNext, `"id" : 1}`, 0},
		{"a blank behind", `"id": 1 , "k": 2}`, 1, endNext, ` , "k": 2}`, 0},
		{"the end of the text in a string", `"id": "tea`, 0, valueNext, `"tea`, 0},
		{"the end of the text in a key", `"id": 1, "a_key_tha`, 1, keyNext, `"a_key_tha`, 0},
	}
	for _, test := range tests {
		var tape Tape
		if problems := tape.Parse([]byte(keys)); problems != nil {
			t.Fatal(problems)
		}
		first := tape.shapes.sequences[top].inside.last
		end, nodes, _, n, next, plain := tape.members([]byte(test.text), 0, make([]Node, 0, 100), first)
		if n != test.read || next != test.next || test.text[end:] != test.end || plain != test.plain {
			t.Errorf("%s: of %s, %d members are read, next is %d, %q after %d bytes; expected %d, %d, %q, %d",
				test.name, test.text, n, next, test.text[end:], plain, test.read, test.next, test.end, test.plain)
		}
		want := 2 * int(n)
		if next == valueNext {
			want++
		}
		if len(nodes) != want {
			t.Errorf("%s: %d nodes, expected %d", test.name, len(nodes), want)
		}
	}
}
