package strictyaml

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/validate/finding"
)

const (
	syntax    finding.Code = "manifest/yaml"
	duplicate finding.Code = "manifest/duplicate-key"
)

func parse(text string) (*Document, []finding.Finding) {
	return Parse(Source{Path: "f.yaml", Text: []byte(text), Syntax: syntax, DuplicateKey: duplicate})
}

func TestSyntaxErrorsStandWhereTheTextStopsBeingYAML(t *testing.T) {
	tests := []struct {
		name, text   string
		line, column int
		says         string
	}{
		{"colon in plain text", "a: b: c\n", 1, 5, "colon"},
		{"list not closed", "a: [1, 2\nb: 3\n", 1, 4, "square brackets"},
		{"list not closed at the end", "a: 1\nconfigs: [\n", 2, 10, "not closed"},
		{"mapping not closed", "a: {b: 1\nc: 2\n", 1, 4, "braces"},
		{"quote not closed", "a: \"x\nb: 1\n", 1, 4, "quote"},
		{"text after a quote", "key: \"abc\" def\nnext: 1\n", 1, 12, "does not belong"},
		{"apostrophe in single quotes", "a: 'it's'\n", 1, 8, "does not belong"},
		{"tab indents", "a:\n\tb: 1\n", 2, 1, "tab"},
		{"tab indents a block", "a: |\n x\n\ty\n", 3, 1, "tab"},
		{"indented key", "a: 1\n b: 2\n", 2, 3, "colon"},
		{"key dedented half way", "a:\n  b: 1\n c: 2\n", 3, 2, "does not belong to the mapping"},
		{"item dedented half way", "a:\n  - x\n - y\n", 3, 2, "does not belong"},
		{"item among keys", "a: 1\n- b\n", 2, 1, "does not belong to the mapping"},
		{"key among items", "- a\nb: 1\n", 2, 1, "does not belong to the list"},
		{"no colon", "foo\nbar: 1\n", 2, 4, "colon"},
		{"at sign", "a: @x\n", 1, 4, "cannot start"},
		{"alias without anchor", "a: *x\n", 1, 4, "unknown anchor"},
		{"unknown escape", "a: \"\\q\"\n", 1, 4, "backslash"},
		{"half of a surrogate pair", "a: \"\\ud83d\\ude00\"\n", 1, 4, "stands for no character"},
		{"stray brace", "a: 1\n}\n", 2, 1, "does not belong"},
		{"text after the end", "a: 1\n...\nb: 2\n", 3, 1, "document"},
		{"columns count characters", "é: \"ü\" x\n", 1, 8, "does not belong"},
		{"far down", strings.Repeat("- a\n", 300) + "- b: c: d\n", 301, 7, "colon"},
		{"not UTF-8", "a: 1\nb: x\xffy\n", 2, 5, "0xff is not UTF-8"},
		{"control character", "a: 1\nb: \x07\n", 2, 4, "U+0007"},
		{"NUL", "a: \x00\n", 1, 4, "U+0000"},
		{"mark inside", "a: 1\nb: \ufeff\n", 2, 4, "byte order mark"},
		{"UTF-16", "\xff\xfea\x00:\x00", 1, 1, "not UTF-8"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			doc, findings := parse(test.text)
			if doc != nil || len(findings) != 1 {
				t.Fatalf("got document %v, findings %v; want no document and one finding", doc, findings)
			}
			f := findings[0]
			if f.Code != syntax || f.Path != "f.yaml" || f.Line != test.line || f.Column != test.column {
				t.Errorf("got %s at %s, want %s at f.yaml:%d:%d", f.Code, f.Where(), syntax, test.line, test.column)
			}
			if !strings.Contains(f.Message, test.says) || f.Hint == "" {
				t.Errorf("got %q with hint %q, want %q in the message, and a hint", f.Message, f.Hint, test.says)
			}
		})
	}
}

func TestStrictFormIsCheckedInOneGo(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"same key twice", "a: 1\nb: 2\na: 3\n",
			[]string{`manifest/duplicate-key 3:1 /a key "a" stands twice: first on line 1, column 1, again on line 3, column 1`}},
		{"same key in and out of quotes", "x:\n  a: 1\n  \"a\": 2\n",
			[]string{`manifest/duplicate-key 3:3 /x/a key "a" stands twice: first on line 2, column 3, again on line 3, column 3`}},
		{"three times, in a flow mapping", "{a: 1, a: 2, a: 3}\n", []string{
			`manifest/duplicate-key 1:14 /a key "a" stands twice: first on line 1, column 2, again on line 1, column 14`,
			`manifest/duplicate-key 1:8 /a key "a" stands twice: first on line 1, column 2, again on line 1, column 8`}},
		{"number and text are two keys", "1: a\n\"1\": b\n", nil},
		{"merge key", "a: &a {x: 1}\nb:\n  <<: *a\n", []string{"manifest/yaml 3:3 /b/<< merge keys (<<) are not read"}},
		{"merge key in quotes is a name", "\"<<\": 1\n", nil},
		{"key without text", "a: 1\nnull: 2\n", []string{"manifest/yaml 2:1 /null a key is null, expected text"}},
		{"mapping as key", "? {a: 1}\n: 2\n", []string{"manifest/yaml 1:3 a key is a mapping, expected plain text"}},
		{"binary", "a: !!binary aGk=\n", []string{"manifest/yaml 1:4 /a tag \"!!binary\" is not read"}},
		{"python", "a: !!python/tuple [1]\n", []string{"manifest/yaml 1:4 /a tag \"!!python/tuple\" is not read"}},
		{"own tag in a list", "a:\n- !mine x\n", []string{"manifest/yaml 2:3 /a/0 tag \"!mine\" is not read"}},
		{"tags that change nothing", "a: !!str 5\nb: !!seq [x]\nc: !!map {d: 1}\n", nil},
		{"tag of another kind", "a: !!map [x]\n", []string{"manifest/yaml 1:4 /a tag \"!!map\" is not read"}},
		{"two documents", "a: 1\n---\nb: 2\n", []string{"manifest/yaml 3:1 a second YAML document starts here"}},
		{"document marks around one document", "---\na: 1\n...\n", nil},
		{"several faults", "a: !!binary aGk=\nb: 1\t\nb: 2\n", []string{
			`manifest/duplicate-key 3:1 /b key "b" stands twice: first on line 2, column 1, again on line 3, column 1`,
			"manifest/yaml 1:4 /a tag \"!!binary\" is not read",
			"manifest/yaml 2:5 /b a tab stands outside quotes: Python's YAML reader stops at it"}},
		{"pointers are escaped", "a/b: {c~d: !x y}\n", []string{"manifest/yaml 1:12 /a~1b/c~0d tag \"!x\" is not read"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			doc, findings := parse(test.text)
			if doc == nil || doc.Root == nil {
				t.Fatalf("no document although the text can be read: %v", findings)
			}
			if diff := cmp.Diff(test.want, lines(findings)); diff != "" {
				t.Errorf("findings differ (-want +got):\n%s", diff)
			}
		})
	}
}

// lines writes findings as code, line:column, pointer, message, sorted.
func lines(findings []finding.Finding) []string {
	var out []string
	for _, f := range findings {
		pointer := ""
		if f.Pointer != "" {
			pointer = f.Pointer + " "
		}
		out = append(out, fmt.Sprintf("%s %d:%d %s%s", f.Code, f.Line, f.Column, pointer, f.Message))
	}
	slices.Sort(out)
	return out
}

func TestTabs(t *testing.T) {
	tests := []struct {
		name, text string
		places     []string
	}{
		{"after a value", "license: apache-2.0\t\nlanguage:\n- en\t\n", []string{"1:20 /license", "3:5 /language/0"}},
		{"inside plain text", "a: x\ty\n", []string{"1:5 /a"}},
		{"before a value", "a:\tx\n", []string{"1:3 /a"}},
		{"after a dash", "-\tx\n", []string{"1:2 "}},
		{"before a comment", "a: x\t# why\n", []string{"1:5 /a"}},
		{"on a blank line", "a: x\n\t\nb: y\n", []string{"2:1 "}},
		{"in brackets", "a: [x,\ty]\n", []string{"1:7 /a/0"}},
		{"after a block's sign", "a: |\t\n  x\n", []string{"1:5 /a"}},
		{"several on a line count once", "a:\tx\t\n", []string{"1:3 /a"}},
		{"in double quotes", "a: \"x\ty\\\"\t\"\n", nil},
		{"in single quotes", "a: 'it''s\ta'\n", nil},
		{"in quotes over lines", "a: 'x\n \ty'\nb: 1\n", nil},
		{"in a tagged quote", "a: !!str &x\n  \"x\ty\"\n", nil},
		{"in a comment", "a: x # y\tz\n# \tw\n", nil},
		{"in a literal block", "a: |\n  x\ty\n  \tz\nb: 1\n", nil},
		{"in a folded block", "- >-\n  x\ty\n- b\n", nil},
		{"in a block with an indentation of its own", "a: |1\n   x\n \ty\nb: 1\n", nil},
		{"in the block of a nested list", "a:\n- - |2\n     x\n    \ty\n", nil},
		{"in a block as root", "|\n x\ty\n", nil},
		{"after a block", "a: |\n  x\ty\nb: 1\t\n", []string{"3:5 /b"}},
		{"after an empty block", "a: |\n\nb: 1\t\n", []string{"3:5 /b"}},
		{"in a comment that looks like a quote", "a: x # \"\nb: 1\t\n", []string{"2:5 /b"}},
		{"in a block with a sign of comment", "a: |\n  # x\ty\nb: 1\n", nil},
		{"in a key in quotes", "\"x\ty\": 1\n", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, findings := parse(test.text)
			var places []string
			for _, f := range findings {
				if !strings.Contains(f.Message, "tab") {
					t.Errorf("unexpected finding %s: %s", f.Where(), f.Message)
				}
				places = append(places, fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Pointer))
			}
			if diff := cmp.Diff(test.places, places); diff != "" {
				t.Errorf("tabs are reported at other places (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPositionsAreThoseOfTheFile(t *testing.T) {
	tests := []struct {
		name, text string
		first      int
		line, col  int
	}{
		{"first line", "key: 1\n", 0, 1, 1},
		{"text starts further down", "key: 1\n", 5, 5, 1},
		{"after a mark", "\ufeffkey: 1\n", 0, 1, 1},
		{"CR LF", "a: 1\r\nb: 2\r\nkey: 3\r\n", 0, 3, 1},
		{"line separator inside a value", "a: \"x\u2028y\"\nkey: 3\n", 0, 2, 1},
		{"next line inside a value", "a: \"x\u0085y\"\n\nkey: 3\n", 2, 4, 1},
		{"lone CR", "a: 1\rkey: 3\n", 0, 1, 6},
		{"characters beyond ASCII before it", "{ä: \"🦉\", key: 1}\n", 0, 1, 10},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			doc, findings := Parse(Source{Text: []byte(test.text), FirstLine: test.first})
			if len(findings) > 0 {
				t.Fatalf("unexpected findings: %v", findings)
			}
			k, _ := Lookup(doc.Root, "key")
			if k.Line != test.line || k.Column != test.col {
				t.Errorf("key stands at %d:%d, want %d:%d", k.Line, k.Column, test.line, test.col)
			}
			if at := doc.Offset(k); !strings.HasPrefix(test.text[at:], "key") {
				t.Errorf("offset %d leads to %q, want the key", at, test.text[at:])
			}
		})
	}
}

func TestAliases(t *testing.T) {
	doc, findings := parse("a: &x [1, 2]\nb: *x\nc: {d: *x}\n")
	if len(findings) > 0 {
		t.Fatalf("aliases in bounds are allowed, got %v", findings)
	}
	_, b := Lookup(doc.Root, "b")
	if b.Kind != yaml.SequenceNode || len(b.Content) != 2 {
		t.Errorf("b is %s, want the list it refers to", Describe(b))
	}
	_, a := Lookup(doc.Root, "a")
	want := []Alias{{2, 4, a}, {3, 8, a}}
	if !slices.Equal(doc.Aliases, want) {
		t.Errorf("aliases %v, want %v", doc.Aliases, want)
	}
}

func TestBoundsHold(t *testing.T) {
	bomb := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c <= 'j'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c, ", c-1), 10), ", "))
	}
	chain := "k0: &k0 x\n"
	for i := 1; i <= MaxDepth+1; i++ {
		chain += fmt.Sprintf("k%d: &k%d [*k%d]\n", i, i, i-1)
	}
	tests := []struct{ name, text, says string }{
		{"alias bomb", bomb, "aliases repeat more than"},
		{"alias to itself", "a: &x {b: *x}\n", "holds the alias itself"},
		{"deep by aliases", chain, "nest deeper than"},
		{"deep brackets", strings.Repeat("[", 500) + strings.Repeat("]", 500), "nest deeper than"},
		{"deep mappings", strings.Repeat("{a: ", 500) + "x" + strings.Repeat("}", 500), "nest deeper than"},
		{"deep items", strings.Repeat("- ", 500) + "x", "nest deeper than"},
		{"too long", "a: " + strings.Repeat("x", MaxBytes), "longer than 4 MiB"},
		{"too deep for yaml.v3", strings.Repeat("[", 20_000), "nest deeper than"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			doc, findings := parse(test.text)
			if doc != nil || len(findings) == 0 || !strings.Contains(findings[len(findings)-1].Message, test.says) {
				t.Errorf("got document %v and %v, want none and a finding that says %q", doc != nil, findings, test.says)
			}
		})
	}
}

func TestEmptyTextHasNoRoot(t *testing.T) {
	for _, text := range []string{"", "\n", "# only a comment\n", "---\n"} {
		doc, findings := parse(text)
		if doc == nil || len(findings) > 0 {
			t.Errorf("%q: document %v, findings %v; want a document and no finding", text, doc, findings)
			continue
		}
		if doc.Root != nil && !IsNull(doc.Root) {
			t.Errorf("%q: root is %s, want none", text, Describe(doc.Root))
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"a: 1\nb: [x, {y: z}]\n", "a: |\n  x\n  \ty\n", "a: &x 1\nb: *x\n", "a: \"x\\ty\"\n", "? a\n: b\n", "- - - a\n",
		"a: 'it''s'\n", "%YAML 1.1\n---\na\n...\n", "a: b: c\n", "\ufeffa:\r\n- b\t\r\n", "a: \u2028b\n", "{a: 1, a: 2}", "<<: x", ": x\n",
		"a: >2-\n   x\n", "!!binary x", "&a !!str \"x\"", "#", "\t", "a:\tb", "!a)a%0aT", "{,}", "'", "*a", "[[[[", "a: |1\n\tx",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		const first = 7
		doc, findings := Parse(Source{Path: "f", Text: text, FirstLine: first, Syntax: syntax, DuplicateKey: duplicate})
		last := first + strings.Count(string(text), "\n")
		for _, f := range findings {
			if f.Line < first || f.Line > last || f.Column < 1 || f.Message == "" || f.Hint == "" || strings.Contains(f.Message, "\n") {
				t.Errorf("finding outside the text, or without words: %+v", f)
			}
		}
		if doc == nil {
			if len(findings) == 0 {
				t.Error("no document and no reason why")
			}
			return
		}
		if doc.Root == nil {
			return
		}
		walk(doc.Root, func(n *yaml.Node) {
			if n.Kind == yaml.AliasNode {
				t.Error("an alias was not followed")
			}
			if n.Line < first || n.Line > last || n.Column < 1 {
				t.Errorf("node at %d:%d of lines %d to %d", n.Line, n.Column, first, last)
			}
			if at := doc.Offset(n); at < 0 || at > len(text) {
				t.Errorf("node at byte %d of %d", at, len(text))
			}
		})
		for i, s := range doc.Opaque {
			if s.Start < 0 || s.End < s.Start || s.End > len(text) || i > 0 && s.Start < doc.Opaque[i-1].Start {
				t.Errorf("bad span %v of %v in %d bytes", s, doc.Opaque, len(text))
			}
		}
	})
}
