package tape

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// rowsTogether reads rows together on a tape that has seen the first line of text, and holds each against what Parse makes of its line.
func rowsTogether(t *testing.T, text []byte) (rows int) {
	t.Helper()
	lines := bytes.SplitAfter(text, []byte("\n"))
	var run, alone Tape
	run.Parse(lines[0])
	if rows = run.ParseRun(text); rows == 0 {
		return 0
	}
	stride := run.Root().After().Node()
	if len(run.Nodes) != rows*stride {
		t.Fatalf("%q: %d rows of %d nodes are read together, and %d nodes are there", text, rows, stride, len(run.Nodes))
	}
	for i := range rows {
		line, fed := bytes.CutSuffix(lines[i], []byte("\n"))
		row := run.Value(i * stride)
		if !fed || !bytes.Equal(row.Raw(), line) {
			t.Fatalf("%q: row %d is %q, expected a whole line, %q", text, i, row.Raw(), lines[i])
		}
		if problems := alone.ParseLike(&run, line); problems != nil {
			t.Fatalf("%q is read together with others and not alone: %v", line, problems)
		}
		if row.Shape() != alone.Root().Shape() || row.Len() != alone.Root().Len() {
			t.Fatalf("%q: a row of shape %d with %d members, alone %d with %d", line, row.Shape(), row.Len(), alone.Root().Shape(), alone.Root().Len())
		}
		key, want := row.First(), alone.Root().First()
		for range 2 * row.Len() {
			compareValues(t, line, key, want)
			key, want = key.After(), want.After()
		}
		checkSizes(t, row)
	}
	return rows
}

// compareValues holds a key or a value without elements and members against the same one on another tape.
func compareValues(t *testing.T, line []byte, got, want Value) {
	t.Helper()
	g, w := *got.at(), *want.at()
	const traits = kindMask | traitMask // and not which of Tape.sizes it is
	if g.bits&traits != w.bits&traits || g.Kind() == String && g.bits&isKey == 0 && g.link != w.link || !bytes.Equal(got.Raw(), want.Raw()) {
		t.Fatalf("%q: %q is %+v, alone %+v", line, got.Raw(), g, w)
	}
	if g.Kind() != String {
		return
	}
	one, other := got.Codes(), want.Codes()
	for more := true; more; {
		var a, b Code
		a, more = one.Next()
		b, _ = other.Next()
		if a.what != b.what || more && a.at-g.start != b.at-w.start {
			t.Fatalf("%q: the coded escapes of %q differ from those of the row alone", line, got.Raw())
		}
	}
}

func TestParseRun(t *testing.T) {
	many := strings.Repeat(`{"id": 1, "tea": "sencha"}`+"\n", 1000)
	tests := []struct {
		name, text string
		rows       int
	}{
		{"three rows", `{"id": 1, "tea": "sencha"}` + "\n" + `{"id": -2.5, "tea": null}` + "\n" + `{"id": 1e5, "tea": "thé \u8336"}` + "\n", 3},
		{"the last line is open", `{"id": 1, "tea": "sencha"}` + "\n" + `{"id": 2, "tea": "sencha"}`, 1},
		{"blanks at the end", `{"id": 1, "tea": "sencha"}` + "\n" + `{"id": 2, "tea": "sencha"} ` + "\n", 1},
		{"a carriage return", `{"id": 1, "tea": "sencha"}` + "\r\n" + `{"id": 2, "tea": "sencha"}` + "\r\n", 0},
		{"a blank line", `{"id": 1, "tea": "sencha"}` + "\n\n" + `{"id": 2, "tea": "sencha"}` + "\n", 1},
		{"another key", `{"id": 1, "tea": "sencha"}` + "\n" + `{"id": 1, "pot": "kyusu"}` + "\n" + `{"id": 1, "tea": "sencha"}` + "\n", 1},
		{"fewer keys", `{"id": 1, "tea": "sencha"}` + "\n" + `{"id": 1}` + "\n", 1},
		{"a list inside", `{"id": 1, "tea": "sencha"}` + "\n" + `{"id": 1, "tea": []}` + "\n", 1},
		{"a line end inside", `{"id": 1, "tea": "sencha"}` + "\n" + `{"id": 1,` + "\n" + ` "tea": "sencha"}` + "\n", 1},
		{"rows on one line", `{"id": 1, "tea": "sencha"}, {"id": 1, "tea": "sencha"}` + "\n", 0},
		{"a row that is no object", `{"id": 1, "tea": "sencha"}` + "\n" + `[1, 2, 3, 4, 5]` + "\n", 1},
		{"no keys", "{}\n{}\n{}\n{}\n", 0},
		{"a fault", `{"id": 1, "tea": "sencha"}` + "\n" + `{"id": 01, "tea": "sencha"}` + "\n", 1},
		{"not UTF-8", `{"id": 1, "tea": "sencha"}` + "\n" + `{"id": 1, "tea": "th` + "\xe9" + `"}` + "\n", 1},
		{"a row in the last eight bytes", "{\"a\":1}\n{\"a\":2}\n", 1},
		{"more than are read together", many, maxRunNodes / 5},
	}
	for _, marks := range []bool{marking, false} {
		defer setMarking(setMarking(marks))
		for _, test := range tests {
			if rows := rowsTogether(t, []byte(test.text)); rows != test.rows {
				t.Errorf("%s: %d rows are read together, expected %d (by marks: %v)", test.name, rows, test.rows, marks)
			}
		}
	}
}

// A tape that has seen no row reads none together, nor one whose rows are lists.
func TestParseRunNeedsARowBefore(t *testing.T) {
	text := []byte(`{"id": 1, "tea": "sencha"}` + "\n")
	var tape Tape
	if rows := tape.ParseRun(text); rows != 0 {
		t.Errorf("%d rows are read together on a tape that has seen none", rows)
	}
	tape.Parse([]byte("[1]"))
	if rows := tape.ParseRun(text); rows != 0 || len(tape.Nodes) != 0 || tape.Text != nil {
		t.Errorf("%d rows are read together behind a list, and %d nodes are left", rows, len(tape.Nodes))
	}
}

// randomRows writes lines that are alike for the most part.
func randomRows(random *rand.Rand) []byte {
	var b bytes.Buffer
	for range random.IntN(40) {
		if random.IntN(20) == 0 {
			b.WriteString(randomText(random, 2, 0))
		} else {
			fmt.Fprintf(&b, `{"a": %s, "a_key_that_is_long": %s}`, randomText(random, 0, 0), randomText(random, 0, 0))
		}
		b.WriteString([]string{"\n", "\n", "\n", "\n", "\n", "\n", "\r\n", "\n\n", ""}[random.IntN(9)])
	}
	return b.Bytes()
}

func TestRowsTogetherAreAsEachAlone(t *testing.T) {
	for _, marks := range []bool{marking, false} {
		defer setMarking(setMarking(marks))
		random := rand.New(rand.NewPCG(3, 3))
		seen := 0
		for range 4000 {
			seen += rowsTogether(t, randomRows(random))
		}
		if seen < 4000 {
			t.Errorf("%d rows were read together, which are too few for this test (by marks: %v)", seen, marks)
		}
	}
}

func FuzzParseRun(f *testing.F) {
	random := rand.New(rand.NewPCG(4, 4))
	for range 20 {
		f.Add(randomRows(random))
	}
	f.Fuzz(func(t *testing.T, text []byte) { rowsTogether(t, text) })
}

// BenchmarkParseRun reads small rows together.
func BenchmarkParseRun(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	var text []byte
	for i := 0; len(text) < 1<<20; i++ {
		text = append(text, rowSets[2].row(random, i)...)
		text = append(text, '\n')
	}
	var tape Tape
	tape.Parse(text[:bytes.IndexByte(text, '\n')])
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for rest := text; len(rest) > 0; rest = rest[len(tape.Text)+1:] {
			if tape.ParseRun(rest) == 0 {
				b.Fatalf("%.100s must be read together with others", rest)
			}
		}
	}
}
