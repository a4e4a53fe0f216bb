package tape

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// compareReaders holds accept against the reader that explains: both take the same texts and make the same nodes of them. Only where
// something behind the value is not UTF-8, accept may leave it to the other.
func compareReaders(t *testing.T, tape *Tape, text []byte) {
	t.Helper()
	var plain Tape
	plain.parser.maxNodes = MaxNodes
	plain.shapes = newShapes()
	end, problems := plain.explain(text, true)

	tape.clear()
	tape.parser.maxNodes = MaxNodes
	tape.Text = text
	got, how := tape.accept(text)
	if how == refused && problems == nil && marking && !utf8.Valid(text[end:]) {
		return
	}
	if (how == accepted) != (problems == nil) {
		t.Fatalf("%.200q: accept says %d, with the problems %+v", text, how, problems)
	}
	if how != accepted {
		return
	}
	if got != end {
		t.Fatalf("%.200q: accept ends at %d, want %d", text, got, end)
	}
	nodes := slices.Clone(tape.Nodes)
	for i := range nodes {
		if nodes[i].bits&isKey != 0 && nodes[i].Kind() == String {
			nodes[i].link = 0 // a shape
		}
	}
	if !slices.Equal(nodes, plain.Nodes) {
		t.Fatalf("%.200q: accept makes the nodes\n%v, want\n%v", text, nodes, plain.Nodes)
	}
	if !slices.Equal(tape.codes, plain.codes) || !slices.Equal(tape.sizes, plain.sizes) {
		t.Fatalf("%.200q: accept notes the codes and sizes\n%v %v, want\n%v %v", text, tape.codes, tape.sizes, plain.codes, plain.sizes)
	}
}

func TestAcceptEqualsThePlainReader(t *testing.T) {
	t.Run("by marks", func(t *testing.T) {
		if !marking {
			t.Skip("this processor makes no marks")
		}
		checkAccept(t)
	})
	t.Run("without marks", func(t *testing.T) {
		defer setMarking(setMarking(false))
		checkAccept(t)
	})
}

func checkAccept(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var tape Tape
	for i := range 12_000 {
		// Now and then most keys are new: there are more than the tape remembers.
		text := randomText(random, 4, []int{1, 80}[i/2000%2])
		compareReaders(t, &tape, []byte(text))
		// One byte off, it is often not strict any more.
		broken := []byte(text)
		at := random.IntN(len(broken))
		switch random.IntN(3) {
		case 0:
			broken[at] = "{}[]:,\"\\0-.eE \n\x01\x80u"[random.IntN(18)]
		case 1:
			broken = slices.Delete(broken, at, at+1)
		case 2:
			broken = broken[:at]
		}
		compareReaders(t, &tape, broken)
	}
	if len(tape.shapes.sequences) != MaxShapes || tape.shapes.sequences[top].passed == 0 || tape.shapes.sequences[nowhere].passed == 0 {
		t.Error("the texts should have so many different keys that objects are not looked up any more")
	}
}

// randomText writes values with few different keys, so that shapes come again, escapes and characters of every length, and
// strings that end near the end of the text.
//
// newKeys is the share of keys in percent that hardly come again.
func randomText(random *rand.Rand, depth, newKeys int) string {
	blank := func() string { return []string{"", "", " ", "  ", "\n\t"}[random.IntN(5)] }
	list := func(open, end string, n int, item func(i int) string) string {
		var out []string
		for i := range n {
			out = append(out, blank()+item(i)+blank())
		}
		return open + strings.Join(out, ",") + end
	}
	str := func() string {
		var b strings.Builder
		for range random.IntN(6) * random.IntN(6) {
			b.WriteString([]string{"a", "tea", "é", "茶", "🍵", `\n`, `\"`, `\\`, `\/`, `\u00e9`, `\ud83c\udf75`, `\uD83C\uDF75`, "the leaves "}[random.IntN(13)])
		}
		return `"` + b.String() + `"`
	}
	key := func(i int) string {
		if random.IntN(100) < newKeys {
			return fmt.Sprintf(`"%d"`, random.IntN(100_000))
		}
		return fmt.Sprintf([]string{`"k%d"`, `"k%d"`, `"k%d"`, `"key_%d"`, `"a_key_that_is_long_%d"`, `"\u006b%d"`, `"é/%d"`}[random.IntN(7)], i%5)
	}
	switch kind := random.IntN(9); {
	case depth > 0 && kind < 4:
		return list("{", "}", random.IntN(6), func(i int) string { return key(i) + blank() + ":" + blank() + randomText(random, depth-1, newKeys) })
	case depth > 0 && kind < 6:
		return list("[", "]", random.IntN(5), func(int) string { return randomText(random, depth-1, newKeys) })
	case kind == 6:
		numbers := []string{
			"0", "-1", "12", "1.50", "-0.0", "1e5", "2.5E-7", "123456789012345678901", "1e10001", "01", "1.", "-", "NaN",
			"1234567", "12345678", "-12345678", "0.1234567", "0.12345678", "-12.5e3", "1.e2", "-01", "00", "1.5.5", "7x",
		}
		return numbers[random.IntN(len(numbers))]
	case kind == 7:
		return []string{"true", "false", "null", "nul", "True", "truex", "falsy"}[min(random.IntN(20), random.IntN(7))]
	}
	return str()
}
