package column

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// checkShortWay holds what one observer sees of values of a field against what observers see that are each shown one of them: to
// those every value is the first, so that none takes the short way.
func checkShortWay(t *testing.T, form string, values []string) {
	t.Helper()
	for _, place := range rowPlaces {
		checkShortWayAt(t, place, form, values)
	}
}

// rowPlaces put rows into one batch, into several, and into several blocks of one.
var rowPlaces = []func(i int, row *rows.Row){
	func(int, *rows.Row) {},
	func(i int, row *rows.Row) { row.Batch = i / 9 },
	func(i int, row *rows.Row) { row.End = int64(i) * blockSize / 9 },
}

func checkShortWayAt(t *testing.T, place func(i int, row *rows.Row), form string, values []string) {
	t.Helper()
	var source []sourceRow
	var cuts []int
	for i, value := range values {
		row := rows.Row{Path: "a", Line: i + 1, Index: int64(i)}
		place(i, &row)
		source = append(source, sourceRow{row, fmt.Sprintf(form, value)})
		cuts = append(cuts, i)
	}
	short, long := state(observeRows(t, source, nil)), state(observeRows(t, source, cuts))
	if diff := cmp.Diff(long, short); diff != "" {
		t.Fatalf("%s with the values %q: one by one and together are different:\n%s", form, values, diff)
	}
}

// forms are rows with a value at the end of the text, and before more of it.
var forms = []string{`{"a": %s}`, `{"a":%s,"b":"more of the row's text"}`, `%s`}

func randomDigits(random *rand.Rand, n int) string {
	var out strings.Builder
	for i := range n {
		digit := random.IntN(10)
		if i == 0 && n > 1 {
			digit = 1 + random.IntN(9)
		}
		if i > 0 && random.IntN(3) == 0 {
			digit = 0
		}
		fmt.Fprint(&out, digit)
	}
	return out.String()
}

func randomNumber(random *rand.Rand) string {
	sign := []string{"", "", "-"}[random.IntN(3)]
	switch whole := sign + randomDigits(random, 1+random.IntN(1+random.IntN(12))); random.IntN(8) {
	case 0, 1, 2:
		return whole
	case 3:
		return whole + []string{"e5", "E-3", "e+2", ".5e1", ".0", ".00"}[random.IntN(6)]
	case 4:
		return sign + "0"
	case 5:
		return sign + "0." + strings.Repeat("0", random.IntN(7)) + randomDigits(random, 1+random.IntN(4))
	default:
		return whole + "." + randomDigits(random, 1+random.IntN(6)) + []string{"", "0", "00"}[random.IntN(3)]
	}
}

func TestShortWayOfNumbers(t *testing.T) {
	for seed := range uint64(80) {
		random := rand.New(rand.NewPCG(seed, 5))
		values := []string{"5", "0.5"}[:1+random.IntN(2)]
		for range random.IntN(40) {
			values = append(values, randomNumber(random))
		}
		for range 40 {
			values = append(values, fmt.Sprintf("%.1f", 999_999-random.Float64()*400_000))
		}
		if random.IntN(3) == 0 {
			random.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		}
		checkShortWay(t, forms[random.IntN(len(forms))], values)
	}
}

func TestShortWayOfTexts(t *testing.T) {
	beginnings := strings.Split("t f n N I T F r R a A u x 0 1 - [ { \u00e9 \u65e5 / \\\" \\\\ \\n \\u0074 \\u0031 \\/ true True TRUE false null NaN Infinity 12 2024-01-02 [1]", " ")
	beginnings = append(beginnings, " ", "", "")
	for seed := range uint64(80) {
		random := rand.New(rand.NewPCG(seed, 6))
		text := func() string {
			out := beginnings[random.IntN(len(beginnings))] + beginnings[random.IntN(len(beginnings))]
			if random.IntN(3) == 0 {
				out += strings.Repeat("and more words ", random.IntN(6))
			}
			return `"` + out + `"`
		}
		pool := []string{`"a text"`, `"a"`, `"a\\n"`, `"a\n"`, "null", "7", "true"}
		for range 1 + random.IntN(16) {
			pool = append(pool, text())
		}
		var values []string
		for range random.IntN(60) {
			values = append(values, pool[random.IntN(len(pool))])
		}
		checkShortWay(t, forms[random.IntN(len(forms))], values)
	}
}

// Each pair of first bytes, so that no word, number or date is taken for a text without a look.
func TestShortWayOfEveryBeginning(t *testing.T) {
	for first := byte(' '); first <= '~'; first++ {
		values := []string{`"a text"`}
		for second := byte(' '); second <= '~'; second++ {
			if first == '\\' || second == '\\' || first == '"' || second == '"' {
				continue
			}
			for _, rest := range []string{"", "ue", "lse", "ll", "N", "finity", "1"} {
				values = append(values, fmt.Sprintf(`"%c%c%s"`, first, second, rest))
			}
		}
		checkShortWayAt(t, rowPlaces[0], forms[1], values)
	}
}

// The table of distinct texts counts as a map does, those too that only a look at all bytes tells apart.
func TestTextsAreCounted(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 7))
	var doc tape.Tape
	for range 2000 {
		var pool []string
		for range 1 + random.IntN(14) {
			pool = append(pool, strings.Repeat("x", random.IntN(4)*random.IntN(7))+fmt.Sprint(random.IntN(3))+strings.Repeat("y", random.IntN(3)*random.IntN(9)))
		}
		var got texts
		want := map[string]int64{}
		for range random.IntN(100) {
			text := pool[random.IntN(len(pool))]
			if problems := doc.Parse([]byte(`["a text before", "` + text + `"]`)); problems != nil {
				t.Fatal(problems)
			}
			var counts textCounts
			known := want[text] > 0 && !got.many
			if seen := got.count(&counts, values{&doc, 2, 1, 1}, isString, false); seen == 1 != known {
				t.Fatalf("the text %q of %q is counted %d times, known: %v", text, pool, seen, known)
			} else if i := slices.Index(counts[:], 1); known && got.counts[i-1].Text != text {
				t.Fatalf("the text %q of %q is taken for %q", text, pool, got.counts[i-1].Text)
			}
			got.add([]byte(text))
			want[text]++
		}
		if got.many != (len(want) > maxValues) {
			t.Fatalf("%d texts are many: %v", len(want), got.many)
		}
		for _, value := range got.counts {
			if want[value.Text] != value.Count {
				t.Fatalf("%q was counted %d times, want %d", value.Text, value.Count, want[value.Text])
			}
		}
	}
}

// Lists whose elements are alike are looked at member by member. What is seen of them is what is seen when nothing says that they are: by a
// tape that has no room for the keys of more objects.
func TestElementsThatAreAlike(t *testing.T) {
	var full tape.Tape
	parse := func(doc *tape.Tape, text string) {
		t.Helper()
		if problems := doc.Parse([]byte(text)); len(problems) > 0 {
			t.Fatalf("the test's own row %s: %+v", text, problems)
		}
	}
	for i := 0; ; i++ {
		parse(&full, fmt.Sprintf(`{"full%d": 0}`, i))
		if full.Root().Shape() == 0 {
			break
		}
	}
	values := strings.Split(`"user" "assistant" "a/b" "" "t" "true" "12" "2024-01-02" "[1]" "\u00e9" "é" "a\nb" 1 -0 0.5 1e3 true null [] [1] {"x":1} {}`, " ")
	alike := 0
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 9))
		pool := values[:1+random.IntN(len(values))]
		fast, slow := NewObserver(), NewObserver()
		var doc tape.Tape
		for i := range 4 {
			var list strings.Builder
			for at := range random.IntN(30) {
				if at > 0 {
					list.WriteString(", ")
				}
				value := func() string { return pool[random.IntN(len(pool))] }
				switch random.IntN(20) {
				case 0:
					list.WriteString(value())
				case 1:
					fmt.Fprintf(&list, `{"b": %s, "a": %s}`, value(), value())
				default:
					fmt.Fprintf(&list, `{"a": %s, "b": %s, "c": "text %d"}`, value(), value(), random.IntN(40))
				}
			}
			text := fmt.Sprintf("{\n\"list\": [%s]}", list.String())
			for o, tape := range map[*Observer]*tape.Tape{fast: &doc, slow: &full} {
				parse(tape, text)
				o.Observe(&rows.Row{Path: "a", Line: 1 + 2*i, Index: int64(i), Doc: tape})
			}
			if full.Root().Shape() != 0 {
				t.Fatal("the tape of many keys knows those of the row")
			}
			if members := doc.Root().First().After(); members.Len() > 0 && doc.Alike(members.Node()+1, members.Len()) > 1 {
				alike++
			}
		}
		if diff := cmp.Diff(state(slow), state(fast)); diff != "" {
			t.Fatalf("seed %d: one by one and together are different:\n%s", seed, diff)
		}
	}
	if alike < 100 {
		t.Errorf("only %d lists began with objects that are alike", alike)
	}
}

func isValue(text string) bool {
	var doc tape.Tape
	return len(doc.Parse([]byte(text))) == 0
}

func FuzzShortWay(f *testing.F) {
	f.Add("1\n-0\n0.50\n12345678\n1e2")
	f.Add("\"x\"\n\"\"\n\"tr\"\n\"\\u0031\"\nnull\ntrue\nfalse")
	f.Fuzz(func(t *testing.T, text string) {
		var values []string
		for value := range strings.SplitSeq(text, "\n") {
			if isValue(value) {
				values = append(values, value)
			}
		}
		for _, form := range forms {
			checkShortWay(t, form, values)
		}
	})
}

// A text that is JSON is known when it comes again in the row, and forgotten with the row, the bytes of which may become another's.
func TestEncodedTextsThatComeAgain(t *testing.T) {
	buffer := []byte(`{"a": ["[1]", "[1]", "[1[", "[2]", "[1]"]}`)
	o := NewObserver()
	var doc tape.Tape
	for i, text := range []string{`{"a": ["[1]", "[1]", "[1[", "[2]", "[1]"]}`, `{"a": ["[1[", "[1[", "[1]", "[2[", "[1["]}`} {
		copy(buffer, text)
		if problems := doc.Parse(buffer); problems != nil {
			t.Fatal(problems)
		}
		o.Observe(&rows.Row{Path: "a", Line: i + 1, Index: int64(i), Doc: &doc})
	}
	const kept, quoted = int64(len("[1]")), int64(len(`"[1["`))
	if got, want := o.root.members[0].element.tail.encoded, 5*kept+5*quoted; got != want {
		t.Errorf("a Json column holds %d bytes of these texts, want %d: half of them quoted", got, want)
	}
}
