package tape

import (
	"fmt"
	"strings"
	"testing"
)

func TestShape(t *testing.T) {
	var tape Tape
	shape := func(text, pointer string) Shape {
		t.Helper()
		if problems := tape.Parse([]byte(text)); problems != nil {
			t.Fatalf("parse %s: %+v", text, problems)
		}
		v, _ := tape.Root().At(pointer)
		return v.Shape()
	}
	first := shape(`{"id": 1, "tea": {"id": 2, "tea": 3}}`, "")
	if first == 0 || first >= MaxShapes {
		t.Fatalf("the shape of two keys is %d, want one from 1 to %d", first, MaxShapes-1)
	}
	same := []struct{ text, pointer string }{
		{`{"id": 1, "tea": {"id": 2, "tea": 3}}`, "/tea"},
		{`{"id":"x","tea":[]}`, ""},
		{`[[{"x": {"id":{},"tea":{}}}]]`, "/0/0/x"},
	}
	for _, tt := range same {
		if got := shape(tt.text, tt.pointer); got != first {
			t.Errorf("the object at %q of %s has shape %d, want that of the same keys elsewhere, %d", tt.pointer, tt.text, got, first)
		}
	}
	for _, text := range []string{`{"tea": 1, "id": 2}`, `{"id": 1}`, `{"id": 1, "tea": 2, "x": 3}`, `{"id": 1, "te\u0061": 2}`, `{"id": 1, "Tea": 2}`} {
		if got := shape(text, ""); got == first || got == 0 {
			t.Errorf("%s has shape %d, want one of its own: %d is that of id and tea", text, got, first)
		}
	}
	for _, text := range []string{`{}`, `[]`, `"id"`, `7`} {
		if got := shape(text, ""); got != 0 {
			t.Errorf("%s has shape %d, want none", text, got)
		}
	}
}

func TestAlike(t *testing.T) {
	for text, want := range map[string]int{
		`[{"a": 1, "b": ""}]`: 1,
		`[{"a": 1, "b": ""}, {"a": null, "b": true}, {"a": 0, "b": 0}]`: 3,
		`[{"a": 1, "b": 2}, {"b": 1, "a": 2}]`:                          1,
		`[{"a": 1, "b": 2}, {"a": 1}]`:                                  1,
		`[{"a": 1, "b": 2}, {"a": 1, "b": []}, {"a": 1, "b": 2}]`:       3, // an empty list has nothing in it
		`[{"a": 1, "b": 2}, {"a": 1, "b": [0]}]`:                        1,
		`[{"a": 1, "b": {"a": 1}}, {"a": 1, "b": {"a": 1}}]`:            0,
		`[{}, {}]`:                0,
		`[1, {"a": 1}]`:           0,
		`[{"a": 1}, 1]`:           1,
		`[{"a": 1}, [0]]`:         1,
		`[{"a": 1}, {"a": 1}, 1]`: 2,
	} {
		var tape Tape
		if problems := tape.Parse([]byte(text)); problems != nil {
			t.Fatalf("parse %s: %+v", text, problems)
		}
		count := tape.Root().Len()
		for _, time := range []string{"first", "second"} {
			if got := tape.Alike(1, count); got != want {
				t.Errorf("asked the %s time, %d elements of %s are alike, want %d", time, got, text, want)
			}
		}
		if want < 2 {
			continue
		}
		second := 2 + 2*tape.Nodes[1].Len()
		if got := tape.Alike(second, count-1); got != want-1 {
			t.Errorf("%d elements of %s behind the first are alike, want %d", got, text, want-1)
		}
	}
}

func TestShapesAreBounded(t *testing.T) {
	var tape Tape
	parse := func(text string) Shape {
		t.Helper()
		if problems := tape.Parse([]byte(text)); problems != nil {
			t.Fatalf("parse %.100s: %+v", text, problems)
		}
		return tape.Root().Shape()
	}
	regular := parse(`{"id": 1, "tea": 2}`)
	shapes := tape.Shapes()
	word := func(i int) string { return fmt.Sprintf(`{"a%d": 1, "b%d": 2, "c%d": 3}`, i, i, i) }
	room := 0
	for parse(word(room)) != 0 {
		room++
	}
	if room < MaxShapes/4 {
		t.Errorf("there is room for %d sequences of three keys, want %d", room, MaxShapes/3)
	}
	if got := parse(`{"id": 1, "tea": 2}`); got != regular || tape.Shapes() != shapes {
		t.Errorf("a known sequence has shape %d, want %d as before", got, regular)
	}
	for i := range enoughMissed {
		parse(word(room + i))
	}
	if parse(word(0)); tape.Shapes() == shapes {
		t.Errorf("after %d objects without room the sequences are not forgotten", enoughMissed)
	}
	if got := parse(`{"` + strings.Repeat("k", maxShapeKey+1) + `": 1}`); got != 0 {
		t.Errorf("a very long key has shape %d, want none", got)
	}
}

// Where hardly any object is known, as among dictionaries, they are not looked up; but when they become regular, that is
// found out.
func TestPlacesOfDictionaries(t *testing.T) {
	var tape Tape
	known := func(text string) bool {
		t.Helper()
		if problems := tape.Parse([]byte(text)); problems != nil {
			t.Fatalf("parse %.100s: %+v", text, problems)
		}
		v, _ := tape.Root().At("/words")
		return v.Shape() != 0
	}
	known(`{"id": 0, "words": {"regular": 1}}`)
	for i := range 3 * MaxShapes {
		if lost := !known(fmt.Sprintf(`{"id": %d, "words": {"a%d": 1, "b%d": 2}}`, i, i, i)); !lost && i > MaxShapes {
			t.Fatalf("words of row %d have a shape, there should be no room", i)
		}
		if tape.Root().Shape() == 0 {
			t.Fatalf("row %d has no shape, though rows are all alike", i)
		}
	}
	rows := 0
	for !known(`{"id": 1, "words": {"regular": 1}}`) || !known(`{"id": 2, "words": {"regular": 2}}`) {
		if rows++; rows > 100_000 {
			t.Fatal("after 100,000 rows a place with regular objects is still taken for one of dictionaries")
		}
	}
	for _, text := range []string{`{"id": 1, "words": {"x": 1, "y": 2, "x": 3}}`, `{"id": 1, "words": {"regular": 1, "y": 2, "regular": 3}}`} {
		for range 2 * retryLost {
			if problems := tape.Parse([]byte(text)); len(problems) != 1 || problems[0].Code != "json/duplicate-key" {
				t.Fatalf("%s gives %+v, want one key that stands twice", text, problems)
			}
		}
	}
}

// A key that stands twice is found whether the object's keys are remembered, foretold or neither.
func TestKeysThatStandTwiceInKnownObjects(t *testing.T) {
	var tape Tape
	for _, text := range []string{`{"a": 1, "b": 2}`, `{"a": 1, "b": 2, "c": 3}`, `{"b": 1, "a": 2}`, `{"\u0061": 1, "b": 2}`} {
		if problems := tape.Parse([]byte(text)); problems != nil {
			t.Fatalf("parse %s: %+v", text, problems)
		}
	}
	for _, text := range []string{`{"a": 1, "a": 2}`, `{"a": 1, "b": 2, "a": 3}`, `{"b": 1, "a": 2, "\u0061": 3}`, `{"\u0061": 1, "b": 2, "a": 3}`} {
		for range 2 {
			if problems := tape.Parse([]byte(text)); len(problems) != 1 || problems[0].Code != "json/duplicate-key" {
				t.Errorf("%s gives %+v, want one key that stands twice", text, problems)
			}
		}
	}
}

func TestChars(t *testing.T) {
	for text, want := range map[string]int{
		`""`: 0, `"tea"`: 3, `"thé vert"`: 8, `"煎茶"`: 2, `"🍵"`: 1, `"\n\"\/"`: 3, `"\u00e9x"`: 2, `"\ud83c\udf75"`: 1, `"\uD83C\uDF75\ud83c\udf75"`: 2, `12`: 0,
	} {
		if got := parsed(t, text).Chars(); got != want {
			t.Errorf("Chars of %s = %d, want %d", text, got, want)
		}
		if text == `12` {
			continue
		}
		if got := parsed(t, "{"+text+":0}").First().Chars(); got != want {
			t.Errorf("Chars of the key %s = %d, want %d", text, got, want)
		}
	}
}

func TestTraits(t *testing.T) {
	tests := []struct {
		text                          string
		escaped, coded, wide, decimal bool
	}{
		{`"plain"`, false, false, false, false},
		{`"a\nb\"\\"`, true, false, false, false},
		{`"a\/b"`, true, true, false, false},
		{`"caf\u00e9"`, true, true, false, false},
		{`"café\n"`, true, false, true, false},
		{`12`, false, false, false, false},
		{`-12.0`, false, false, false, true},
		{`1e3`, false, false, false, true},
		{`1E3`, false, false, false, true},
		{`[1.5]`, false, false, false, false},
	}
	for _, tt := range tests {
		v := parsed(t, tt.text)
		if v.Escaped() != tt.escaped || v.Coded() != tt.coded || v.Wide() != tt.wide || v.Decimal() != tt.decimal {
			t.Errorf("%s: escaped %v, coded %v, wide %v, decimal %v", tt.text, v.Escaped(), v.Coded(), v.Wide(), v.Decimal())
		}
	}
}

func TestFirstAndAfter(t *testing.T) {
	v := parsed(t, `{"a": [1, [2, {}], "x"], "b": {"c": {}}, "d": 4}`)
	var got []string
	key := v.First()
	for range v.Len() {
		value := key.After()
		got = append(got, string(key.Raw())+"="+string(value.Raw()))
		key = value.After()
	}
	if want := `a=[1, [2, {}], "x"];b={"c": {}};d=4`; strings.Join(got, ";") != want {
		t.Errorf("the members are %s, want %s", strings.Join(got, ";"), want)
	}
}

func TestKept(t *testing.T) {
	type notes struct{ n int }
	type owner struct{ name string }
	var one, other Tape
	for _, doc := range []*Tape{&one, &other} {
		doc.Parse([]byte(`{"a": 1}`))
	}
	Kept[notes](one.Shapes(), owner{"tea"}).n = 7
	for _, tt := range []struct {
		what  string
		tape  *Tape
		owner owner
		want  int
	}{
		{"the same tape and owner", &one, owner{"tea"}, 7},
		{"another owner", &one, owner{"rice"}, 0},
		{"another tape", &other, owner{"tea"}, 0},
	} {
		if got := Kept[notes](tt.tape.Shapes(), tt.owner).n; got != tt.want {
			t.Errorf("%s: %d is kept, want %d", tt.what, got, tt.want)
		}
	}
}
