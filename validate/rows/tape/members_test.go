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
		// end is what follows.
		end string
	}{
		{"short values", `"id": 12, "a_key_that_is_long": "tea", "k": null, "a_key_of_18_bytes_": -0.5, "z": true}`, 5, endNext, "}"},
		{"without blanks", `"id":1234567,"a_key_that_is_long":"","k":false,"a_key_of_18_bytes_":"tea and leaves","z":0.1234567}`, 5, endNext, "}"},
		{"an object", `"id": 1, "a_key_that_is_long": {}}`, 1, valueNext, "{}}"},
		{"a long string", `"id": 1, "a_key_that_is_long": "` + long + `"}`, 2, endNext, "}"},
		{"an escape", `"id": 1, "a_key_that_is_long": "tea\n"}`, 2, endNext, "}"},
		{"a fault in a string", `"id": 1, "a_key_that_is_long": "tea\x"}`, 1, refusedNext, `"tea\x"}`},
		{"beyond ASCII", `"id": 1, "a_key_that_is_long": "é"}`, 2, endNext, "}"},
		{"a long number", `"id": 12345678}`, 1, endNext, "}"},
		{"many digits behind the point", `"id": 1.12345678}`, 1, endNext, "}"},
		{"an exponent", `"id": 1e5}`, 1, endNext, "}"},
		{"no digit in the exponent", `"id": 1e}  `, 0, valueNext, "1e}  "},
		{"a leading zero", `"id": 01}`, 0, valueNext, "01}"},
		{"no number", `"id": -}`, 0, valueNext, "-}"},
		{"no digit behind the point", `"id": 1.}`, 0, valueNext, "1.}"},
		{"no literal", `"id": nul}`, 0, valueNext, "nul}"},
		{"more behind a literal", `"id": nulls}`, 1, endNext, "s}"},
		{"another key", `"id": 1, "k": 2}`, 1, keyNext, `"k": 2}`},
		{"another key of the same ends", `"id": 1, "a_key_that_is_LONG": 2}`, 1, keyNext, `"a_key_that_is_LONG": 2}`},
		{"another middle", `"id": 1, "a_key_that_IS_long": 2}`, 1, keyNext, `"a_key_that_IS_long": 2}`},
		{"blanks around", `"id" : 1}`, 0, keyNext, `"id" : 1}`},
		{"a blank behind", `"id": 1 , "k": 2}`, 1, endNext, ` , "k": 2}`},
		{"the end of the text in a string", `"id": "tea`, 0, cutNext, `"tea`},
		{"the end of the text in a key", `"id": 1, "a_key_tha`, 1, keyNext, `"a_key_tha`},
	}
	for _, marks := range []bool{marking, false} {
		defer setMarking(setMarking(marks))
		for _, test := range tests {
			var tape Tape
			if problems := tape.Parse([]byte(keys)); problems != nil {
				t.Fatal(problems)
			}
			tape.window.begin([]byte(test.text))
			end, nodes, object, next := tape.members([]byte(test.text), 0, make([]Node, 0, 100), nesting{at: top, kind: inObject}, nil)
			if object.count != test.read || next != test.next || test.text[end:] != test.end {
				t.Errorf("%s: of %s, %d members are read, next is %d, %q; expected %d, %d, %q (by marks: %v)",
					test.name, test.text, object.count, next, test.text[end:], test.read, test.next, test.end, marks)
			}
			want := 2 * int(object.count)
			if next == valueNext {
				want++
			}
			if next < refusedNext && len(nodes) != want {
				t.Errorf("%s: %d nodes, expected %d", test.name, len(nodes), want)
			}
		}
	}
}

// In a list, one object after the other is read in one go, up to one that has no members or does not begin as foretold.
func TestMembersOfLists(t *testing.T) {
	const keys = `[{"id": 0, "k": 0}]`
	tests := []struct {
		name, text string
		// objects is how many of the list are begun, read how many members of the last one are read.
		objects, read uint32
		next          nextPart
		end           string
	}{
		{"three objects", `"id": 1, "k": "tea"}, {"id": 2, "k": "é"}, {"id": 3, "k": null}]`, 3, 2, endNext, "}]"},
		{"without blanks", `"id":1,"k":"tea"},{"id":2},{"id":3,"k":true}] `, 3, 2, endNext, "}] "},
		{"other blanks", `"id": 1} , {"id": 2}]`, 1, 1, endNext, `} , {"id": 2}]`},
		{"two blanks", `"id": 1},  {"id": 2}]`, 1, 1, endNext, `},  {"id": 2}]`},
		{"an empty object", `"id": 1}, {"id": 2}, {}, {"id": 3}]`, 2, 1, endNext, `}, {}, {"id": 3}]`},
		{"another first key", `"id": 1}, {"k": 2, "id": 3}]`, 2, 0, keyNext, `"k": 2, "id": 3}]`},
		{"a value of another kind", `"id": 1}, "tea"]          `, 1, 1, endNext, `}, "tea"]          `},
		{"a comma too many", `"id": 1}, {"id": 2}, ]     `, 2, 1, endNext, `}, ]     `},
	}
	for _, test := range tests {
		var tape Tape
		if problems := tape.Parse([]byte(keys)); problems != nil {
			t.Fatal(problems)
		}
		tape.window.begin([]byte(test.text))
		list := nesting{count: 1, at: top, kind: inArray}
		nodes := make([]Node, 2, 100)
		end, nodes, object, next := tape.members([]byte(test.text), 0, nodes, nesting{node: 1, at: top, kind: inObject}, &list)
		if list.count != test.objects || object.count != test.read || next != test.next || test.text[end:] != test.end {
			t.Errorf("%s: of %s, %d objects are begun, %d members of the last are read, next is %d, %q; expected %d, %d, %d, %q",
				test.name, test.text, list.count, object.count, next, test.text[end:], test.objects, test.read, test.next, test.end)
		}
		if at := nodes[object.node].start; int(object.node) > 1 && test.text[at] != '{' {
			t.Errorf("%s: the last object begins at %d, where no object is", test.name, at)
		}
	}
}
