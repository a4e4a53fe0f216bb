package condition

import (
	"strings"
	"testing"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

func rowOf(t testing.TB, text string) *rows.Row {
	t.Helper()
	doc := &tape.Tape{}
	if problems := doc.Parse([]byte(text)); len(problems) > 0 {
		t.Fatal(problems)
	}
	return &rows.Row{Path: "a.jsonl", Line: 1, Doc: doc}
}

func compile(t testing.TB, text string) *Condition {
	t.Helper()
	var compiler Compiler
	c, fault := compiler.Compile(text)
	if fault != nil {
		t.Fatalf("%s: %+v", text, fault)
	}
	return c
}

const row = `{"label": 1, "score": 0.5, "big": 18446744073709551615, "text": "a\tb", "none": null, "o": {"p": {"q": [1, 2]}}, "list": ["x", "y"], "odd name": true}`

func TestConditions(t *testing.T) {
	for text, want := range map[string]bool{
		`row.label == 1`:                                     true,
		`row.label == 1.0`:                                   true,
		`row.score < row.label`:                              true,
		`row.score > 0`:                                      true,
		`row.big > 18446744073709551614u`:                    true,
		`row.text == "a\tb"`:                                 true,
		`row.text == 1`:                                      false,
		`has(row.none) && row.none == null`:                  true,
		`has(row.absent)`:                                    false,
		`has(row.o.p.q) && row.o.p.q[1] == 2`:                true,
		`row["odd name"]`:                                    true,
		`"x" in row.list && size(row.list) == 2`:             true,
		`"label" in row && size(row) == 8`:                   true,
		`row.list.all(e, e.size() == 1)`:                     true,
		`row.o == {"p": {"q": [1, 2]}}`:                      true,
		`row.o.p.exists(k, k == "q")`:                        true,
		`type(row.text) == string && type(row.label) == int`: true,
		`row.text.split("\t")[0] == "a"`:                     true,
		`sets.contains(row.list, ["x"])`:                     true,
	} {
		got, err := compile(t, text).Holds(rowOf(t, row))
		if err != nil || got != want {
			t.Errorf("%s is %t (%v), not %t", text, got, err, want)
		}
	}
}

func TestConditionsThatCannotBeApplied(t *testing.T) {
	for text, want := range map[string]string{
		`row.absent == 1`:     "no such key: absent",
		`row.text < 1`:        "no such overload",
		`row.label`:           "int, not true or false",
		`row.o.absent.q == 1`: "no such key: absent",
		`row.list[2] == "z"`:  "index out of bounds: 2",
	} {
		_, err := compile(t, text).Holds(rowOf(t, row))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v, expected %q", text, err, want)
		}
	}
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]struct {
		column int
		words  string
	}{
		`row.label = 1`: {10, "Syntax error"},
		`label == 1`:    {0, "undeclared reference"},
		`"a" + "b"`:     {0, "gives a string"},
		`1 == "a"`:      {2, "no matching overload"},
	} {
		var compiler Compiler
		_, fault := compiler.Compile(text)
		if fault == nil || !strings.Contains(fault.Message, want.words) || fault.Column != want.column || fault.Line != 1 {
			t.Errorf("%s has the fault %+v, expected %+v", text, fault, want)
			continue
		}
		if f := fault.At("hfpub.yaml", "when", text, release.Pos{Line: 3, Column: 10}); f.Line != 3 || f.Column != 11+want.column {
			t.Errorf("%s is found at %d:%d", text, f.Line, f.Column)
		}
	}
}

func TestShows(t *testing.T) {
	for text, want := range map[string][2]string{
		`row.label == 1`:                             {"label is 1", "/label"},
		`has(row.absent) && row.absent != 1`:         {"absent is missing", "/absent"},
		`row.o.p.q[0] == 1 && row["odd name"]`:       {"o.p.q.0 is 1, odd name is true", ""},
		`size(row) > 2`:                              {"", ""},
		`row.list.all(e, e != "") && row.score == 1`: {`list is ["x","y"], score is 0.5`, ""},
	} {
		c := compile(t, text)
		if got := [2]string{c.Shows(rowOf(t, row)), c.Pointer()}; got != want {
			t.Errorf("%s shows %q, expected %q", text, got, want)
		}
	}
}

func TestCellsCountAsTheirValues(t *testing.T) {
	r := rowOf(t, `{"n": "1.5", "e": "", "s": "x"}`)
	r.Cells = true
	if got, err := compile(t, `row.n == 1.5 && row.e == null && row.s == "x"`).Holds(r); !got || err != nil {
		t.Errorf("%t, %v", got, err)
	}
}

func FuzzCompile(f *testing.F) {
	f.Add(`row.a == 1`)
	f.Add(`has(row.a.b) ? row["x"][0] : row.c`)
	f.Fuzz(func(t *testing.T, text string) {
		var compiler Compiler
		c, fault := compiler.Compile(text)
		if (c == nil) == (fault == nil) {
			t.Fatalf("%q has both or neither of a condition and a fault", text)
		}
		if c != nil {
			r := rowOf(t, row)
			c.Holds(r)
			c.Shows(r)
		}
	})
}

func BenchmarkHolds(b *testing.B) {
	c, r := compile(b, `row.label == 1 && row.text != ""`), rowOf(b, row)
	b.ReportAllocs()
	for b.Loop() {
		c.Holds(r)
	}
}
