package secrets

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
)

// spellings are ways to write a text as a string of JSON.
var spellings = []struct {
	name  string
	write func(text string, r *rand.Rand) string
}{
	{"plain", func(text string, _ *rand.Rand) string { return quoted(text) }},
	{"in JSON in JSON", func(text string, _ *rand.Rand) string { return quoted(quoted(text)) }},
	{"slashes escaped", func(text string, _ *rand.Rand) string { return strings.ReplaceAll(quoted(text), "/", `\/`) }},
	{"a character as a number", func(text string, r *rand.Rand) string {
		at := r.IntN(len(text))
		return strings.Replace(quoted(text[:at]+"\x01"+text[at+1:]), `\u0001`, fmt.Sprintf(`\u00%02x`, text[at]), 1)
	}},
	{"between numbers", func(text string, _ *rand.Rand) string {
		return `"\u00e9` + quoted(text)[1:len(quoted(text))-1] + `\u2019"`
	}},
	{"between letters that are wide", func(text string, _ *rand.Rand) string { return quoted("é" + text + "’") }},
}

// quoted writes a text as JSON that escapes no more than it has to.
func quoted(text string) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// decoded reads a string of JSON.
func decoded(t *testing.T, raw string) string {
	t.Helper()
	var text string
	if err := json.Unmarshal([]byte(raw), &text); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return text
}

// Wherever a rule finds something there is a candidate: at the borders of blocks, at the ends of a text, and however JSON writes it.
func TestSieveLosesNoSecret(t *testing.T) {
	set := shared()
	r := rand.New(rand.NewPCG(7, 8))
	s := set.NewScanner()
	found := map[string]bool{}
	for i := range rules {
		rule := &rules[i]
		if rule.path != nil {
			continue
		}
		tree, err := syntax.Parse(rule.expression.Compiled().String(), syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			secret := string(matched(tree, r))
			for _, spelling := range spellings {
				raw := spelling.write(secret, r)
				if len(s.Scan([]byte(decoded(t, raw)), "", nil)) == 0 {
					continue
				}
				found[rule.id] = true
				for pad := range 2*block + 2 {
					text := strings.Repeat(" ", pad) + raw
					if !hasCandidate(s, text) {
						t.Fatalf("%s, %s: no candidate in %q, behind %d spaces", rule.id, spelling.name, raw, pad)
					}
				}
			}
		}
	}
	if len(found) < 180 {
		t.Errorf("secrets of %d rules were looked for, want most of them", len(found))
	}
}

func hasCandidate(s *Scanner, text string) (has bool) {
	s.Candidates([]byte(text), func(int) { has = true })
	return has
}

// The words that are looked for everywhere are found at every place of a block, and at both ends of a text.
func TestSieveFindsWords(t *testing.T) {
	set := NewSet(Marker{Word: "@"}, Marker{Word: "/home/"}, Marker{Word: "+", Around: Around{Before: "xX", After: []string{"12"}}})
	s := set.NewScanner()
	looked := 0
	for word, text := range set.wordOf {
		if set.standsInRuns(word) || !set.worth(word, []byte(text), 0, len(text)) {
			continue
		}
		looked++
		if text == "+" {
			text = "x+2"
		}
		for pad := range 2*block + 2 {
			for _, text := range []string{text, strings.ToUpper(text)} {
				for _, behind := range []string{"", "é", strings.Repeat(" ", block)} {
					if text := strings.Repeat(" ", pad) + text + behind; !hasCandidate(s, text) {
						t.Fatalf("no candidate in %q", text)
					}
				}
			}
		}
	}
	if looked < 20 || looked > 50 {
		t.Errorf("%d words are looked for everywhere, want some 30: each of them costs time", looked)
	}
}

// A text that is looked at as a part of a longer one has all candidates that it has alone, wherever what was seen before ends.
func TestCandidatesAhead(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	set := NewSet(Marker{Word: "/home/"}, Marker{Word: "@"})
	candidates := 0
	for range 300 {
		var lines [][]byte
		for range r.IntN(60) {
			line := bytes.Repeat([]byte("x "), r.IntN(80))
			for range r.IntN(4) {
				line = append(line, []string{" /home/", "@", `\/`, ` "token": "q8f2bzm7xjw3ndc5ksov9tk4"`, " ghp_" + random(upper, 36), strings.Repeat(" ", r.IntN(200))}[r.IntN(6)]...)
			}
			lines = append(lines, line)
		}
		text := bytes.Join(lines, []byte("\n"))
		alone, ahead := set.NewScanner(), set.NewScanner()
		at, end := 0, 0
		for i, line := range lines {
			want, got := map[int]bool{}, map[int]bool{}
			if at >= end { // of the lines from here on, some are in memory
				for j := range 1 + r.IntN(20) {
					if i+j < len(lines) {
						end += len(lines[i+j]) + 1
					}
				}
			}
			if r.IntN(10) > 0 { // the others are passed over
				alone.Candidates(line, func(start int) { want[start] = true })
				ahead.CandidatesAhead(text[at:min(end, len(text))], len(line), int64(at), func(start int) { got[start] = true })
			}
			for start := range want {
				if candidates++; !got[start] {
					t.Fatalf("no candidate at %d of %q, line %d of\n%s", start, line, i, text)
				}
			}
			for start := range got {
				if start < 0 || start >= len(line) {
					t.Fatalf("a candidate at %d of %q, which has %d bytes", start, line, len(line))
				}
			}
			at += len(line) + 1
		}
	}
	if candidates < 1000 {
		t.Errorf("%d candidates were looked for, want more", candidates)
	}
}

// A run with + and / is no part of 16 bytes anywhere, and is looked through if it is long: for keywords in it, and for names before it.
func TestSieveLooksThroughLongRuns(t *testing.T) {
	s := scanner(t)
	long := random(lower+upper+digit, 112)
	short := ""
	for i := 0; i < len(long); i += 7 {
		short += long[i:i+7] + "/"
	}
	for _, secret := range []string{
		"fm2_" + short, "ABSK" + short, `kraken_key": "/` + short[:85], `kraken = "` + short[:85], "kraken=" + short[:85], "kraken==/" + short[:83], "glc_" + short[:40],
		"kraken\t\t.\tkey\t\t\t\t\t\t\t\t\t=\n\n/" + short[:85],
	} {
		raw := quoted(secret)
		if len(s.Scan([]byte(secret), "", nil)) == 0 {
			t.Errorf("%s is taken for no secret", secret)
		}
		for pad := range 2*block + 2 {
			if text := strings.Repeat(" ", pad) + raw; !hasCandidate(s, text) {
				t.Fatalf("no candidate in %q", text)
			}
		}
	}
}

// A name and its value may stand in cells of a table, with tabs between them: JSON writes these in two bytes each.
func TestSieveReadsNamesWithTabs(t *testing.T) {
	s := scanner(t)
	for _, secret := range []string{
		"api_key\tprod\t: q8f2bzm7xjw3ndc5", "token\tt\t=q8f2bzm7xjw3", "secret" + strings.Repeat("\t", 20) + "= q8f2bzm7xjw3ndc5", "password\tnone\t\t|| 'q8f2bzm7xjw3'",
	} {
		raw := quoted(secret)
		if len(s.Scan([]byte(secret), "", nil)) == 0 {
			t.Errorf("%q is taken for no secret", secret)
		}
		for pad := range 2*block + 2 {
			if text := strings.Repeat(" ", pad) + raw; !hasCandidate(s, text) {
				t.Fatalf("no candidate in %q", text)
			}
		}
	}
}

// FuzzSieve looks for a text in which Scan finds something and Candidates nothing.
func FuzzSieve(f *testing.F) {
	set := NewSet(Marker{Word: "/home/"}, Marker{Word: "@", Near: func(text []byte, start, end int) bool {
		return start > 0 && end < len(text) && text[start-1] == 'a' && text[end] == 'b'
	}, Around: Around{Before: "a", After: []string{"b"}}})
	for _, text := range []string{
		"my_secret = 'q8f2bzm7xjw3ndc5ksov9tk4'", "a@b", "x /home/anna", "AKIA" + random(upper+"234567", 16), "token:\n\t \"q8f2bzm7xjw3ndc5ksov9tk4\"",
		"kraken=/q8f2bzm/" + random(lower+"/", 72), "glc_" + random(lower+"/", 40), "fm2_" + random(upper+"/+", 110), "my_key: q8f2bzm7xjw3",
		"api_key==q8f2bzm7xj/w3ndc5ks+ov9tk4==", "postgresql://tea:v3ryLongOne9@db.tea.org/x", "access-token=>\"q8.f2bzm7xjw3ndc5\"", "key\t0000,01278abc9xyz",
	} {
		f.Add(text, uint64(1))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		if text == "" || strings.ContainsAny(text, "\x01\ufffd") {
			return
		}
		text = strings.ToValidUTF8(text, "")
		r := rand.New(rand.NewPCG(seed, 1))
		for _, spelling := range spellings {
			if spelling.name == "a character as a number" && slices.ContainsFunc([]byte(text), func(b byte) bool { return b >= 0x80 }) || text == "" {
				continue
			}
			raw := spelling.write(text, r)
			s := set.NewScanner()
			marks := 0
			hits := len(s.Scan([]byte(decoded(t, raw)), "", func(Mark) { marks++ }))
			if hits+marks > 0 && !hasCandidate(s, raw) {
				t.Errorf("%s: %d hits and %d marks, but no candidate in %s", spelling.name, hits, marks, raw)
			}
		}
	})
}

// Fingerprints are found in vain at few places.
func TestFingerprintsAreRare(t *testing.T) {
	set := shared()
	text := []byte(strings.Repeat(`{"role": "user", "content": "The leaves are steamed, rolled and dried in the sun before anyone pours water over them.\n`+
		`    def test_make(self): return os.path.join(root, 'a/b.py')\n", "score": 0.25, "tags": ["green", "black"]}`+"\n", 10))
	n := 0
	for at := range len(text) - depth {
		if plain.beginsAt(&set.sieve.tables, text, at) {
			n++
		}
	}
	if n*300 > len(text) {
		t.Errorf("%d fingerprints in %d bytes, want less than one in three hundred", n, len(text))
	}
}

// BenchmarkCandidates is the walk that every row pays for, beside a search for all words.
func BenchmarkCandidates(b *testing.B) {
	text := []byte(strings.Repeat("the leaves are steamed, rolled and dried in the sun before anyone pours water over them; the key is to wait. ", 1000))
	s := scanner(b)
	b.Run("sieve", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			s.Candidates(text, func(int) { b.Fatal("there is nothing") })
		}
	})
	b.Run("words", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			s.set.words.find(text, func(start, word int) {
				if s.set.worth(word, text, start, start+len(s.set.wordOf[word])) {
					b.Fatal("there is nothing")
				}
			})
		}
	})
}
