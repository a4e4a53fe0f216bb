package shape

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// blind takes from a matcher, and from all that it leads to, what is there for speed only.
func (s *matcher) blinded(done map[*matcher]bool) {
	if s == nil || done[s] {
		return
	}
	done[s] = true
	s.glance = s.blind()
	for _, l := range s.listings {
		l.quick = nil
	}
	if s.text != nil && s.text.pattern != nil {
		s.text.pattern.fixed = nil
	}
	var inner []*matcher
	if a := s.array; a != nil {
		inner = append(inner, append(a.list, a.rest, a.contains)...)
	}
	if o := s.object; o != nil {
		inner = append(inner, o.additional, o.names)
		for _, p := range o.properties {
			inner = append(inner, p.value)
		}
		for _, p := range o.patterns {
			inner = append(inner, p.value)
		}
		for _, d := range o.dependencies {
			inner = append(inner, d.schema)
		}
	}
	if p := s.inPlace; p != nil {
		inner = append(inner, append(p.all, p.forbidden, p.condition, p.then, p.orElse)...)
		for _, u := range []*union{p.any, p.one} {
			if u != nil {
				u.quick = nil
				inner = append(inner, u.alternatives...)
			}
		}
	}
	for _, other := range inner {
		other.blinded(done)
	}
}

// blindly compiles a schema to matchers that go through the keywords one by one.
func blindly(t testing.TB, schema string) *Schema {
	s := compiled(t, schema)
	s.root.blinded(map[*matcher]bool{})
	return s
}

// A look at the kinds of values says what the keywords say one by one, for the root and every value inside it.
func holdGlances(t *testing.T, schema string, list []string) {
	t.Helper()
	quick, slow := compiled(t, schema), blindly(t, schema)
	var doc tape.Tape
	for _, text := range list {
		if problems := doc.Parse([]byte(text)); len(problems) > 0 {
			t.Fatalf("%s: %s", text, problems[0].Message)
		}
		for node := range doc.Nodes {
			v := doc.Value(node)
			m, n := quick.idle.take(quick.objects), slow.idle.take(slow.objects)
			m.begin(&doc)
			n.begin(&doc)
			if got, want := m.fits(quick.root, v), n.fits(slow.root, v); got != want {
				t.Errorf("%s\nagainst %s\nfits at a glance: %v, keyword by keyword: %v", v.Raw(), schema, got, want)
			}
			quick.idle.give(m)
			slow.idle.give(n)
		}
	}
}

func TestGlances(t *testing.T) {
	for seed := range uint64(2_000) {
		w := writer{rand.New(rand.NewPCG(seed, 1))}
		schema := w.document()
		holdGlances(t, schema, []string{w.value(3), w.value(2), w.value(3)})
	}
}

// What is asked of strings alone is found out, and says what the keywords say.
func TestStringsAtAGlance(t *testing.T) {
	tests := []struct {
		schema string
		// lengths says that a number of characters is all that is asked, listed that a list of texts is.
		lengths, listed bool
	}{
		{`{"minLength": 1}`, true, false},
		{`{"type": "string", "minLength": 2, "maxLength": 3}`, true, false},
		{`{"maxLength": 0}`, true, false},
		{`{"minLength": 3, "maxLength": 2}`, false, false},
		{`{"minLength": 9223372036854775807}`, true, false},
		{`{"minLength": 1, "pattern": "b"}`, false, false},
		{`{"maxLength": 3, "format": "date"}`, false, false},
		{`{"enum": ["ab", "", "é€x", "\n"]}`, false, true},
		{`{"enum": ["ab", 1, null]}`, false, true},
		{`{"enum": ["ab", "abcd"], "maxLength": 2}`, false, false},
		{`{"oneOf": [{"type": "null"}, {"type": "string", "minLength": 2}]}`, true, false},
		{`{"type": ["array", "object"]}`, false, false},
	}
	values := []string{`""`, `"a"`, `"ab"`, `"a\u0062"`, `"é€x"`, `"\n"`, `"abcd"`, `1`, `null`, `[]`, `{}`}
	for _, tt := range tests {
		g := compiled(t, tt.schema).root.glance
		if g.lengths > 0 != tt.lengths || (g.listed != nil) != tt.listed {
			t.Errorf("%s: lengths %d from %d on, listed %v; want lengths: %v, listed: %v", tt.schema, g.lengths, g.least, g.listed, tt.lengths, tt.listed)
		}
		for _, value := range values {
			holdGlances(t, `{"items": `+tt.schema+`}`, []string{`[` + value + `]`})
			holdGlances(t, `{"properties": {"a": `+tt.schema+`}}`, []string{`{"a": ` + value + `}`})
		}
	}
}

// Schemas of the usual form are held to at a glance, to the last value.
func TestKindsAtAGlance(t *testing.T) {
	tests := []struct{ schema, possible, enough, one string }{
		{`{"type": "string"}`, "string", "string", ""},
		{`{"type": ["boolean", "null"]}`, "null boolean boolean", "null boolean boolean", ""},
		{`{"enum": ["a", null, 1, true]}`, "null boolean number string", "null boolean", "string"},
		{`{"type": "string", "enum": ["a", 1]}`, "string", "", "string"},
		{`{"type": "integer"}`, "number", "", "number"},
		{`{"minimum": 1, "minLength": 1}`, "null boolean boolean number string array object", "null boolean boolean array object", "number string"},
		{`{"items": {"type": "null"}, "required": ["a"]}`, "null boolean boolean number string array object", "null boolean boolean number string", "array object"},
		{`{"oneOf": [{"type": "null"}, {"type": "string", "pattern": "^a"}]}`, "null string", "null", "string"},
		{`{"anyOf": [{"type": "null"}, {"type": "number", "maximum": 1}, {"type": ["array", "null"], "maxItems": 1}]}`, "null number array", "null", "number array"},
		{`{"anyOf": [{"type": "object"}, {"required": ["a"], "type": "object"}]}`, "object", "object", ""},
		{`{"oneOf": [{"type": "object"}, {"required": ["a"], "type": "object"}]}`, "object", "", ""},
		{`{"oneOf": [true, {"type": "string"}]}`, "null boolean boolean number string array object", "null boolean boolean number array object", ""},
		{`{"enum": ["a"], "minLength": 1}`, "string", "", ""},
	}
	for _, test := range tests {
		g := compiled(t, test.schema).root.glance
		one := map[tape.Kind]bool{tape.String: g.text != nil, tape.Number: g.number != nil, tape.Array: g.array != nil, tape.Object: g.object != nil}
		var possible, enough, ones []string
		for kind := tape.Null; kind <= tape.Object; kind++ {
			for _, is := range []struct {
				so   bool
				list *[]string
			}{{g.possible.has(kind), &possible}, {g.enough.has(kind), &enough}, {one[kind], &ones}} {
				if is.so {
					*is.list = append(*is.list, kind.String())
				}
			}
		}
		got := []string{strings.Join(possible, " "), strings.Join(enough, " "), strings.Join(ones, " ")}
		if want := []string{test.possible, test.enough, test.one}; !slices.Equal(got, want) {
			t.Errorf("%s: possible, enough, one thing asked: %q, expected %q", test.schema, got, want)
		}
	}
}

// Short numbers are held to bounds as all numbers are.
func holdBounds(t *testing.T, number, limit string) {
	t.Helper()
	v := elementAt(parsed(t, "[12345678, "+number+"]").Root(), 1)
	b := boundOf(limit)
	for i, all := range []*numberMatcher{
		{minimum: b}, {maximum: b}, {exclusiveMinimum: b}, {exclusiveMaximum: b}, {minimum: b, exclusiveMaximum: boundOf("2.5")},
	} {
		for _, whole := range []bool{false, true} {
			got := shortNumbersOf(&matcher{number: all, whole: whole}).fits(v)
			if want := all.fits(v) && (!whole || v.IsInteger()); got != want {
				t.Errorf("%s against the bound %s, keyword %d, whole %v: %v, expected %v", number, limit, i, whole, got, want)
			}
		}
	}
}

func TestShortNumbers(t *testing.T) {
	tests := []struct {
		number string
		value  int64
		scale  int
		short  bool
	}{
		{"0", 0, 0, true}, {"-0", 0, 0, true}, {"12345678", 12345678, 0, true}, {"-12345678", -12345678, 0, true}, {"0.5", 5, 1, true}, {"1234.567", 1234567, 3, true},
		{"-1.234567", -1234567, 6, true}, {"0.000001", 1, 6, true}, {"9.9", 99, 1, true}, {"123456789", 0, 0, false}, {"1.2345678", 0, 0, false}, {"1e2", 0, 0, false},
		{"1E2", 0, 0, false}, {"1e+2", 0, 0, false}, {"1.5e-2", 0, 0, false},
	}
	for _, test := range tests {
		v := elementAt(parsed(t, "[12345678, "+test.number+"]").Root(), 1)
		start, end := v.Tape().Nodes[v.Node()].Span()
		value, scale, short := shortNumber(v.Tape().Text, start, end)
		if short != test.short || short && (value != test.value || scale != test.scale) {
			t.Errorf("%s is read as %d ÷ 10^%d, short %v; expected %d ÷ 10^%d, %v", test.number, value, scale, short, test.value, test.scale, test.short)
		}
		if _, _, short := shortNumber([]byte(test.number), 0, len(test.number)); short && len(test.number) < 8 {
			t.Errorf("%s is read although it begins the text", test.number)
		}
	}
}

// A set of texts has what a map has.
func FuzzTextSet(f *testing.F) {
	f.Add("a b c", "b")
	f.Add("claude-sonnet claude-haiku gpt", "claude-haiku")
	f.Add("0123456789abcdef0123456 01234567x89abcdef0123456 ", "")
	f.Add("日本 日 本日本日本", "日本")
	f.Fuzz(func(t *testing.T, list, probe string) {
		texts := slices.Compact(slices.Sorted(strings.SplitSeq(list, " ")))
		s := textSetOf(texts)
		if s == nil {
			return
		}
		for _, text := range append(slices.Clone(texts), probe, probe+"x", strings.ToUpper(probe), "") {
			quoted := quotedJSON(text)
			for _, v := range []tape.Value{parsed(t, quoted).Root(), parsed(t, "[[], [["+quoted+"]]]").Value(4)} {
				if v.Escaped() || string(v.Raw()) != text {
					continue
				}
				want, _ := slices.BinarySearch(texts, text)
				if !slices.Contains(texts, text) {
					want = -1
				}
				if got := s.find(v); got != want {
					t.Errorf("%q is found at %d of %q, expected %d", text, got, texts, want)
				}
			}
		}
	})
}

// Texts of all lengths are put into slots; those that differ neither at their ends nor in length are left to a map.
func TestTextSets(t *testing.T) {
	for _, n := range []int{1, 2, 6, 16, manyTexts} {
		var texts []string
		for i := range n {
			texts = append(texts, fmt.Sprintf("%*d", 1+i%20, i))
		}
		if textSetOf(texts) == nil {
			t.Errorf("%d texts find no slots", n)
		}
	}
	for _, texts := range [][]string{{"the same start, 1 and end", "the same start, 2 and end"}, slices.Repeat([]string{""}, manyTexts+1)} {
		if textSetOf(texts) != nil {
			t.Errorf("%.3q must find no slots", texts)
		}
	}
}

func TestFixedExpressions(t *testing.T) {
	tests := map[string]bool{
		`^u-[0-9a-f]{8}$`: true, `^[0-9a-f]{32}$`: true, `^\[`: true, `^s[0-9]$`: true, `^runs/`: true, `^[A-Za-z0-9_]{7}$`: true, `^[ -~]{9}`: true,
		`^[a-z_]+$`: false, `^.{3}$`: false, `^$`: false, `^[acegi]$`: false, `^[0-9]{65}$`: false, `^[0-9]{60}[a-z]{60}`: false, `^a?`: false,
	}
	for pattern, want := range tests {
		engine, err := compilePattern(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := expressionOf(engine).fixed != nil; got != want {
			t.Errorf("%s has a fixed length: %v, expected %v", pattern, got, want)
		}
	}
}

// BenchmarkTextSet looks for texts of a set, among others.
func BenchmarkTextSet(b *testing.B) {
	texts := []string{"ES", "IE", "KU", "MA", "MSR", "TR", "aggressive_0.5", "summary_redaction"}
	v := parsed(b, `["`+strings.Join(texts, `", "`)+`", "other", "another one that is long"]`).Root()
	set, byText := textSetOf(texts), map[string]bool{}
	for _, text := range texts {
		byText[text] = true
	}
	b.Run("slots", func(b *testing.B) {
		for b.Loop() {
			for node := 1; node <= v.Len(); node++ {
				set.find(v.Tape().Value(node))
			}
		}
	})
	b.Run("map", func(b *testing.B) {
		for b.Loop() {
			for node := 1; node <= v.Len(); node++ {
				_ = byText[string(v.Tape().Value(node).Raw())]
			}
		}
	})
}

// BenchmarkShortNumber holds numbers against two bounds.
func BenchmarkShortNumber(b *testing.B) {
	all := &numberMatcher{minimum: boundOf("0"), exclusiveMaximum: boundOf("1.0001")}
	short := shortNumbersOf(&matcher{number: all})
	v := elementAt(parsed(b, `["score", 0.5996]`).Root(), 1)
	b.Run("short", func(b *testing.B) {
		for b.Loop() {
			short.fits(v)
		}
	})
	b.Run("any", func(b *testing.B) {
		for b.Loop() {
			all.fits(v)
		}
	})
}
