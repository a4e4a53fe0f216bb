package shape

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// The rows of the benchmarks are of the kinds that are published: the schemas stand in testdata/bench.

func prose(r *rand.Rand, n int) string {
	words := strings.Fields(`the tea was steamed and \"rolled\" in Uji, thé 煎茶 dried.\n It keeps well`)
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(words[r.IntN(len(words))])
		b.WriteByte(' ')
	}
	return b.String()
}

func list(n int, write func(i int) string) string {
	var elements []string
	for i := range n {
		elements = append(elements, write(i))
	}
	return "[" + strings.Join(elements, ", ") + "]"
}

// timelines are rows of some 30 KB: nested, with many short strings and a oneOf.
func timelines(r *rand.Rand) string {
	return fmt.Sprintf(`{"name": "Aiko", "final": "[]", "sessions": %s}`, list(8, func(i int) string {
		return fmt.Sprintf(`{"index": %d, "turns": %s, "events": %s, "ops": %s, "before": "[\"a\"]"}`, i,
			list(14, func(k int) string {
				return fmt.Sprintf(`{"role": "%s", "content": "%s"}`, []string{"user", "assistant"}[k%2], prose(r, 20+r.IntN(150)))
			}),
			list(6, func(int) string {
				return fmt.Sprintf(`{"kind": "%s", "pred": "likes_tea", "value": "green", "text": "%s"}`,
					[]string{"ADD", "UPDATE", "DELETE"}[r.IntN(3)], prose(r, 60))
			}),
			list(6, func(k int) string {
				if k%2 == 0 {
					return `{"op": "ADD", "s": "Aiko", "p": "likes_tea", "o": "green"}`
				}
				return `{"op": "NOOP", "s": "Aiko", "p": "likes_tea"}`
			}))
	}))
}

// pairs are rows of some 40 KB: a few fields, of which some are long texts, and a condition.
func pairs(r *rand.Rand) string {
	label := r.IntN(2)
	const row = `{"label": %d, "prompt": "%s", "messages": %s, "completion": "%s", "split": "train", "id": "%032x", ` +
		`"step": %d, "input": "%s"}`
	return fmt.Sprintf(row, label, prose(r, 18_000), list(8, func(k int) string {
		return fmt.Sprintf(`{"role": "%s", "content": "%s"}`, []string{"user", "assistant"}[k%2], prose(r, 2_000))
	}), []string{" N", " Y"}[label], r.Uint64(), r.IntN(100), prose(r, 1_900))
}

// small are rows of some 140 bytes.
func small(r *rand.Rand) string {
	src := `null`
	if r.IntN(20) > 0 {
		src = fmt.Sprintf(`"s%d"`, r.IntN(7))
	}
	return fmt.Sprintf(`{"id": %d, "uid": "u-%08x", "q": "%s", "tag": "%s", "score": %.4f, "ok": %v, "src": %s}`,
		r.IntN(1e6), r.Uint32(), prose(r, 40), []string{"IE", "MSR", "ES", "TR"}[r.IntN(4)], r.Float64(), r.IntN(2) == 0, src)
}

// oneArray is a document: objects with objects, lists of numbers and a union of types.
func oneArray(r *rand.Rand) string {
	return list(20, func(i int) string {
		return fmt.Sprintf(`{"id": %d, "persona": {"name": "Aiko", "mbti": "INTJ"}, "segments": %s, "qa": %s, "coverage": %.4f}`, i,
			list(20, func(k int) string {
				return fmt.Sprintf(`{"segment": %d, "at": "2024-05-01T10:00:00Z", "turns": %s}`, k, list(8, func(int) string {
					return fmt.Sprintf(`{"speaker": "Aiko", "text": "%s"}`, prose(r, 40+r.IntN(300)))
				}))
			}),
			list(10, func(k int) string {
				return fmt.Sprintf(`{"qid": "q-%d", "answer": %s, "evidence": [1, 2, 3]}`, k, []string{`"green"`, `["green", "black"]`}[k%2])
			}), r.Float64())
	})
}

var kindsOfRows = []struct {
	name  string
	write func(*rand.Rand) string
	rows  int
}{{"timelines", timelines, 50}, {"pairs", pairs, 50}, {"small", small, 5000}, {"array", oneArray, 2}}

// benchmarkSchema reads a schema and has it changed.
func benchmarkSchema(b *testing.B, name string, change ...string) *Schema {
	b.Helper()
	text, err := os.ReadFile("testdata/bench/" + name + ".schema.json")
	if err != nil {
		b.Fatal(err)
	}
	changed := strings.NewReplacer(change...).Replace(string(text))
	if len(change) > 0 && changed == string(text) {
		b.Fatalf("%s.schema.json has none of %q", name, change)
	}
	return compiled(b, changed)
}

// written writes rows, always the same ones.
func written(write func(*rand.Rand) string, n int) (texts [][]byte, size int) {
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		texts = append(texts, []byte(write(r)))
		size += len(texts[len(texts)-1])
	}
	return texts, size
}

// onTapes parses rows on one tape, and keeps what comes out.
func onTapes(b *testing.B, texts [][]byte) []rows.Row {
	b.Helper()
	var doc tape.Tape
	var list []rows.Row
	for i, text := range texts {
		if problems := doc.Parse(text); len(problems) > 0 {
			b.Fatal(problems[0].Message)
		}
		kept := doc
		kept.Nodes = slices.Clone(doc.Nodes)
		list = append(list, rows.Row{Path: "rows.jsonl", Line: i + 1, Doc: &kept})
	}
	return list
}

// BenchmarkMatch is the matcher alone, with and without what is there for speed: rows that are on tapes already, and fit.
func BenchmarkMatch(b *testing.B) {
	for _, kind := range kindsOfRows {
		texts, size := written(kind.write, kind.rows)
		for _, name := range []string{"at a glance", "keyword by keyword"} {
			b.Run(kind.name+"/"+name, func(b *testing.B) {
				list := onTapes(b, texts)
				s := benchmarkSchema(b, kind.name)
				if name == "keyword by keyword" {
					s.root.blinded(map[*matcher]bool{})
				}
				o := s.NewObserver(100)
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					for i := range list {
						o.Observe(&list[i])
					}
				}
				if found := o.Findings().All(); len(found) > 0 {
					b.Fatal(found[0])
				}
			})
		}
	}
}

// BenchmarkTokenise is what the matcher is to be measured by.
func BenchmarkTokenise(b *testing.B) {
	for _, kind := range kindsOfRows {
		texts, size := written(kind.write, kind.rows)
		b.Run(kind.name, func(b *testing.B) {
			var doc tape.Tape
			b.SetBytes(int64(size))
			for b.Loop() {
				for _, text := range texts {
					doc.Parse(text)
				}
			}
		})
	}
}

// BenchmarkGoJSONSchema is the other engine.
func BenchmarkGoJSONSchema(b *testing.B) {
	for _, kind := range kindsOfRows {
		texts, size := written(kind.write, kind.rows)
		b.Run(kind.name, func(b *testing.B) {
			text, err := os.ReadFile("testdata/bench/" + kind.name + ".schema.json")
			if err != nil {
				b.Fatal(err)
			}
			s, _ := Compile("schema.json", text, Options{Engine: GoJSONSchema})
			list := onTapes(b, texts)
			o := s.NewObserver(100)
			b.SetBytes(int64(size))
			for b.Loop() {
				for i := range list {
					o.Observe(&list[i])
				}
			}
		})
	}
}

// BenchmarkBadRows is a file of small rows in which every row has faults, tokenising and words included, beside one in
// which none has.
func BenchmarkBadRows(b *testing.B) {
	kinds := `"oneOf": [{"properties": {"kind": {"const": "a"}}, "required": ["kind"]}, ` +
		`{"properties": {"kind": {"const": "b"}}, "required": ["kind"]}], `
	for _, bad := range []struct {
		name   string
		change []string
	}{
		{"none", nil},
		{"required", []string{`"required": [`, `"required": ["kind", `}},
		{"type", []string{`"integer"`, `"string"`}},
		{"pattern", []string{`^u-`, `^v-`}},
		{"enum", []string{`"MSR"`, `"a"`, `"ES"`, `"b"`, `"TR"`, `"c"`, `"IE"`, `"d"`}},
		{"every", []string{`"integer"`, `"array"`, `"string"`, `"array"`, `"number"`, `"array"`, `"boolean"`, `"array"`}},
		{"union", []string{`^s`, `^t`, `"null"`, `"array"`}},
		{"kinds", []string{`"required": [`, kinds + `"required": [`}},
	} {
		texts, size := written(small, 20_000)
		b.Run(bad.name, func(b *testing.B) {
			s := benchmarkSchema(b, "small", bad.change...)
			var row rows.Row
			var doc tape.Tape
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				o := s.NewObserver(100)
				for i, text := range texts {
					doc.Parse(text)
					row = rows.Row{Path: "rows.jsonl", Line: i + 1, Doc: &doc}
					o.Observe(&row)
				}
				if (o.Findings().Len() > 0) != (bad.change != nil) {
					b.Fatal("the schema does not find what it should")
				}
			}
		})
	}
}

// BenchmarkExpression sets the steps of plain expressions, and what is made of those of a fixed length, beside Go's engine.
func BenchmarkExpression(b *testing.B) {
	for _, test := range []struct{ pattern, text string }{
		{`^u-[0-9a-f]{8}$`, "u-c29fffcf"}, {`^\[`, `["Aiko", "likes", "tea"]`}, {`^[a-z]+__[a-z]+-[0-9]+$`, "house__tea-12345"},
	} {
		engine, err := compilePattern(test.pattern)
		if err != nil {
			b.Fatal(err)
		}
		e, text := expressionOf(engine), []byte(test.text)
		m, v := new(matching), parsed(b, quotedJSON(test.text)).Root()
		b.Run(test.pattern+"/value", func(b *testing.B) {
			for b.Loop() {
				m.matches(e, v)
			}
		})
		b.Run(test.pattern+"/steps", func(b *testing.B) {
			for b.Loop() {
				e.matches(text)
			}
		})
		b.Run(test.pattern+"/engine", func(b *testing.B) {
			for b.Loop() {
				engine.Match(text)
			}
		})
	}
}

// BenchmarkUnique looks for equal elements.
func BenchmarkUnique(b *testing.B) {
	for _, n := range []int{3, 30, 1000} {
		v := parsed(b, list(n, func(i int) string { return fmt.Sprint(100 + i) })).Root()
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var u uniqueTable
			for b.Loop() {
				u.find(v)
			}
		})
	}
}

// BenchmarkObject sets what is known of an object by its shape beside looking at its keys.
func BenchmarkObject(b *testing.B) {
	s := benchmarkSchema(b, "small")
	doc := parsed(b, small(rand.New(rand.NewPCG(1, 2))))
	m := s.idle.take(s.objects)
	m.begin(doc)
	b.Run("by shape", func(b *testing.B) {
		for b.Loop() {
			m.objectFits(s.root.object, doc.Root())
		}
	})
	b.Run("key by key", func(b *testing.B) {
		for b.Loop() {
			m.singleFits(s.root.object, doc.Root())
		}
	})
}

// BenchmarkUnion sets alternatives that a property tells apart beside trying each of them.
func BenchmarkUnion(b *testing.B) {
	for _, n := range []int{2, 4, 16} {
		kinds := list(n, func(i int) string {
			return fmt.Sprintf(`{"type": "object", "required": ["kind", "n"],
				"properties": {"n": {"type": "integer"}, "kind": {"const": "kind %d"}}}`, i)
		})
		s := compiled(b, `{"oneOf": `+kinds+`}`)
		doc := parsed(b, fmt.Sprintf(`{"n": 1, "kind": "kind %d"}`, n-1))
		m := s.idle.take(s.objects)
		m.begin(doc)
		told := s.root.inPlace.one
		each := &union{alternatives: told.alternatives}
		b.Run(fmt.Sprintf("%d/told apart", n), func(b *testing.B) {
			for b.Loop() {
				m.fitsOne(told, doc.Root())
			}
		})
		b.Run(fmt.Sprintf("%d/each tried", n), func(b *testing.B) {
			for b.Loop() {
				m.fitsOne(each, doc.Root())
			}
		})
	}
}

// BenchmarkColumn sets objects that are alike, held together, beside one after the other: a list of small rows.
func BenchmarkColumn(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	doc := parsed(b, list(64, func(int) string { return small(r) }))
	s := benchmarkSchema(b, "small")
	m := s.idle.take(s.objects)
	m.begin(doc)
	if n := doc.Alike(1, 64); n != 64 {
		b.Fatalf("%d objects are alike", n)
	}
	members := s.root.object.plan(m, doc.Value(1)).members
	const stride = 15
	one := func(member int) {
		for i := range 64 {
			at := 3 + 2*member + i*stride
			if n := &doc.Nodes[at]; !members[member].passes(n) && !m.meets(&members[member], doc.Value(at), n.Kind()) {
				b.Fatal(doc.Value(at))
			}
		}
	}
	together := func(member int) {
		if !m.columnFits(&members[member], column{doc, 3 + 2*member, stride, 64}) {
			b.Fatal(member)
		}
	}
	for member, name := range []string{"id", "uid", "q", "tag", "score", "ok", "src"} {
		b.Run(name+"/together", func(b *testing.B) {
			for b.Loop() {
				together(member)
			}
		})
		b.Run(name+"/one by one", func(b *testing.B) {
			for b.Loop() {
				one(member)
			}
		})
	}
	b.Run("all/together", func(b *testing.B) {
		for b.Loop() {
			m.objectsFit(s.root.object, doc, 1, 64)
		}
	})
	b.Run("all/one by one", func(b *testing.B) {
		for b.Loop() {
			for i := range 64 {
				m.fits(s.root, doc.Value(1+i*stride))
			}
		}
	})
}
