package fingerprint

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const passage = "The leaves are steamed, rolled and dried in the sun before anyone pours hot water over them; so it was in Übersee."

func list(t *testing.T, name, text string) *List {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, name, Of([]byte(text))); err != nil {
		t.Fatal(err)
	}
	l := &List{}
	if err := l.Read("bank.txt", &b); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestScan(t *testing.T) {
	l := list(t, "Tea Book", passage)
	for _, c := range []struct {
		name, text string
		runs       int
	}{
		{"the whole text", passage, 11},
		{"other case, spaces and marks", strings.ToUpper(strings.ReplaceAll(passage, " ", " \n — ")), 11},
		{"twelve words inside of others", "He said: leaves are steamed, rolled and dried in the sun before anyone pours, and left.", 1},
		{"eleven words", "He said: leaves are steamed, rolled and dried in the sun before anyone, and left.", 0},
		{"other words", strings.Repeat("green tea and black tea ", 20), 0},
		{"nothing", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := 0
			for _, f := range l.Scan([]byte(c.text)) {
				if f.Source != "Tea Book" || len(Of([]byte(c.text[f.Start:f.End]))) != 1 {
					t.Errorf("%+v is not one run of the Tea Book", f)
				}
				got += f.Runs
			}
			if got != c.runs {
				t.Errorf("%d runs of the text are found, want %d", got, c.runs)
			}
		})
	}
}

// The hash can be computed elsewhere by what the package says of it: this value is from a few lines of Python.
func TestHash(t *testing.T) {
	got := Of([]byte("a b c d e f g h i j k l"))
	if diff := cmp.Diff([]uint64{0x5b297d52b5320cd2}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestListsThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "the list is empty",
		"0123456789abcdef\n":                  "bank.txt:1: this is no list of fingerprints",
		header + "\n0123456789abcdef\n":       "bank.txt:2: a fingerprint stands before the name",
		header + "\n# x\n0123\n":              `bank.txt:3: "0123" is no fingerprint`,
		header + "\n# x\n0123456789abcdeg\n":  `bank.txt:3: "0123456789abcdeg" is no fingerprint`,
		header + "\n# x\n0123456789abcdef0\n": `bank.txt:3: "0123456789abcdef0" is no fingerprint`,
	} {
		if err := (&List{}).Read("bank.txt", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: want an error with %q, got %v", text, want, err)
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add([]byte(passage), []byte(header+"\n# x\n0123456789abcdef\n"))
	f.Fuzz(func(t *testing.T, text, list []byte) {
		l := &List{}
		if l.Read("x", bytes.NewReader(list)) == nil {
			l.Scan(text)
		}
		own := &List{}
		var b bytes.Buffer
		if err := Write(&b, "x", Of(text)); err != nil {
			t.Fatal(err)
		}
		if err := own.Read("x", &b); err != nil {
			t.Fatal(err)
		}
		runs := 0
		for _, find := range own.Scan(text) {
			runs += find.Runs
		}
		if runs < own.Len() {
			t.Errorf("a text holds %d of its own %d fingerprints", runs, own.Len())
		}
	})
}
