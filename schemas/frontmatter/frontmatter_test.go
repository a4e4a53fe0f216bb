package frontmatter

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/finding"
)

func TestSplit(t *testing.T) {
	tests := []struct {
		name, readme string
		found        bool
		yaml, body   string
		line         int
	}{
		{"plain", "---\nlicense: mit\n---\n# T\n", true, "license: mit\n", "# T\n", 2},
		{"CR LF", "---\r\nlicense: mit\r\n---\r\n# T\r\n", true, "license: mit\r\n", "# T\r\n", 2},
		{"no text below", "---\nlicense: mit\n---", true, "license: mit\n", "", 2},
		{"empty", "---\n---\n# T\n", true, "", "# T\n", 2},
		{"byte order mark", "\ufeff---\na: 1\n---\n", true, "a: 1\n", "", 2},
		{"blanks behind the dashes", "--- \na: 1\n---\t \nx", true, "a: 1\n", "x", 2},
		{"blank lines above", "\n \n---\na: 1\n---\n", true, "a: 1\n", "", 4},
		{"blanks before the dashes", "  ---\na: 1\n---\n", true, "a: 1\n", "", 2},
		{"closing dashes with more text do not close", "---\na: 1\n---x\nb: 2\n---\n", true, "a: 1\n---x\nb: 2\n", "", 2},
		{"a line of dashes inside a block closes", "---\na: |\n  x\n---\n  y\n---\n", true, "a: |\n  x\n", "  y\n---\n", 2},
		{"indented dashes do not close", "---\na: |\n  ---\n---\n", true, "a: |\n  ---\n", "", 2},
		{"none", "# T\n\ntext\n", false, "", "# T\n\ntext\n", 0},
		{"text above", "hello\n---\na: 1\n---\n", false, "", "hello\n---\na: 1\n---\n", 0},
		{"not closed", "---\na: 1\n", false, "", "---\na: 1\n", 0},
		{"only dashes", "---", false, "", "---", 0},
		{"four dashes", "----\na: 1\n----\n", false, "", "----\na: 1\n----\n", 0},
		{"no bytes", "", false, "", "", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b, found := Split([]byte(test.readme))
			if found != test.found || string(b.YAML()) != test.yaml || string(b.Body()) != test.body || b.FirstLine != test.line {
				t.Errorf("found %v, YAML %q from line %d, body %q; want %v, %q from line %d, %q",
					found, b.YAML(), b.FirstLine, b.Body(), test.found, test.yaml, test.line, test.body)
			}
		})
	}
}

func TestReadReportsWhatReadersStumbleOver(t *testing.T) {
	tests := []struct {
		name, readme string
		want         []string
		node         bool
	}{
		{"clean", "---\nlicense: mit\n---\n# T\n", nil, true},
		{"CR LF", "---\r\nlicense: mit\r\n---\r\n", nil, true},
		{"no front matter", "# T\n", nil, false},
		{"byte order mark", "\ufeff---\na: 1\n---\n", []string{"error card/front-matter 1:1 byte order mark"}, true},
		{"blank behind the opening dashes", "--- \na: 1\n---\n", []string{"error card/front-matter 1:4 blanks follow"},
			true},
		{"blank line above", "\n---\na: 1\n---\n", []string{"warning card/front-matter 2:1 blanks stand before"}, true},
		{"blank behind the closing dashes", "---\na: 1\n--- \n",
			[]string{"warning card/front-matter 3:4 blanks follow the closing"}, true},
		{"not closed", "---\na: 1\n", []string{"error card/front-matter 1:1 not closed"}, false},
		{"empty", "---\n---\n", []string{"warning card/front-matter 2:1 empty"}, false},
		{"only a comment", "---\n# x\n---\n", []string{"warning card/front-matter 2:1 empty"}, false},
		{"a list", "---\n- a\n---\n", []string{"error card/front-matter 2:1 a list, expected a mapping"}, false},
		{"a text", "---\nhello\n---\n", []string{"error card/front-matter 2:1 expected a mapping"}, false},
		{"not YAML", "---\nlicense: mit\nconfigs: [\n---\n", []string{"error card/front-matter 3:10 not closed"}, false},
		{"same key twice", "---\nlicense: mit\ntags: []\nlicense: cc0-1.0\n---\n",
			[]string{"error card/duplicate-key 4:1 first on line 2"}, true},
		{"tabs", "---\nlicense: apache-2.0\t\nlanguage:\n- en\t\n---\n",
			[]string{"error card/front-matter 2:20 tab", "error card/front-matter 4:5 tab"}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, findings := Read("README.md", []byte(test.readme))
			if (m.Node != nil) != test.node {
				t.Errorf("node is there: %v, want %v", m.Node != nil, test.node)
			}
			if len(findings) != len(test.want) {
				t.Fatalf("got %v, want %q", findings, test.want)
			}
			for i, f := range findings {
				place, says, _ := strings.Cut(test.want[i][strings.Index(test.want[i], ":"):], " ")
				place = test.want[i][:strings.Index(test.want[i], ":")] + place
				got := fmt.Sprintf("%s %s %d:%d", f.Severity, f.Code, f.Line, f.Column)
				if got != place || !strings.Contains(f.Message, says) || f.Hint == "" || f.Path != "README.md" {
					t.Errorf("got %s %q (hint %q), want %s with %q", got, f.Message, f.Hint, place, says)
				}
			}
		})
	}
}

func TestGetters(t *testing.T) {
	m, _ := Read("README.md", []byte("---\nlicense: mit\nlanguage:\n- en\n- \"no\"\n---\n"))
	if got, ok := m.String("license"); got != "mit" || !ok {
		t.Errorf("license is %q, %v", got, ok)
	}
	if got, ok := m.Strings("language"); !slices.Equal(got, []string{"en", "no"}) || !ok {
		t.Errorf("language is %q, %v", got, ok)
	}
	if k, _ := m.Get("language"); k.Line != 3 || k.Column != 1 {
		t.Errorf("language stands at %d:%d, want 3:1", k.Line, k.Column)
	}
	none, _ := Read("README.md", []byte("# T\n"))
	if k, v := none.Get("license"); k != nil || v != nil {
		t.Error("a README.md without front matter has a license")
	}
}

const newConfigs = "configs:\n- config_name: default\n"

func TestApply(t *testing.T) {
	set := Edit{Key: "configs", Lines: []byte(newConfigs)}
	out := Edit{Key: "configs"}
	tests := []struct {
		name, readme string
		edits        []Edit
		want         string
	}{
		{"replace in place", "---\na: 1\nconfigs: x\nb: 2\n---\n# T\n", []Edit{set},
			"---\na: 1\n" + newConfigs + "b: 2\n---\n# T\n"},
		{"replace the last", "---\na: 1\nconfigs:\n- x\n- y\n---\n# T\n", []Edit{set},
			"---\na: 1\n" + newConfigs + "---\n# T\n"},
		{"add", "---\na: 1\n---\n# T\n", []Edit{set}, "---\na: 1\n" + newConfigs + "---\n# T\n"},
		{"take out", "---\na: 1\nconfigs:\n- x\nb: 2\n---\n", []Edit{out}, "---\na: 1\nb: 2\n---\n"},
		{"take out what is not there", "---\na: 1\n---\n", []Edit{out}, "---\na: 1\n---\n"},
		{"several, in any order", "---\na: 1\nb: 2\nc: 3\n---\n", []Edit{{"c", []byte("c: 4\n")}, {"x",
			[]byte("x: 0\n")}, {"a", nil}, {"w", []byte("w: 0")}},
			"---\nb: 2\nc: 4\nx: 0\nw: 0\n---\n"},
		{"last edit of a key counts", "---\na: 1\n---\n", []Edit{{"a", []byte("a: 2\n")}, {"a", []byte("a: 3\n")}},
			"---\na: 3\n---\n"},
		{"flow mapping over lines", "---\nconfigs: {a: [1,\n  2], # }\n\n}\nb: 2\n---\n", []Edit{set},
			"---\n" + newConfigs + "b: 2\n---\n"},
		{"a block with a key inside", "---\ntext: |\n  configs: fake\n\n  b: 2\nb: 2\n---\n", []Edit{set},
			"---\ntext: |\n  configs: fake\n\n  b: 2\nb: 2\n" + newConfigs + "---\n"},
		{"replace a block", "---\nconfigs: >-\n  x\n  # no comment\n\n# comment\nb: 2\n---\n", []Edit{set},
			"---\n" + newConfigs + "\n# comment\nb: 2\n---\n"},
		{"text in quotes that looks like a comment", "---\nconfigs: 'x\n  # y'\nb: 2\n---\n", []Edit{set},
			"---\n" + newConfigs + "b: 2\n---\n"},
		{"comments between keys stay",
			"---\n# one\na: 1\n# two\nconfigs: # three\n# four\n- x # five\n# six\n\n# seven\nb: 2\n# eight\n---\n", []Edit{set},
			"---\n# one\na: 1\n# two\n" + newConfigs + "# six\n\n# seven\nb: 2\n# eight\n---\n"},
		{"comment below the last key stays above a new one", "---\na: 1\n# end\n---\n", []Edit{set},
			"---\na: 1\n# end\n" + newConfigs + "---\n"},
		{"an indented comment goes with its key", "---\na: |\n  x\nconfigs: y\n  # about y\nb: 2\n---\n", []Edit{out},
			"---\na: |\n  x\nb: 2\n---\n"},
		{"blank lines below go with a key taken out", "---\na: |+\n  x\nconfigs: y\n\n# z\nb: 2\n---\n", []Edit{out},
			"---\na: |+\n  x\n# z\nb: 2\n---\n"},
		{"an anchor used below the same key", "---\nconfigs: &c {x: &x 1, y: *x}\nb: 2\n---\n", []Edit{set},
			"---\n" + newConfigs + "b: 2\n---\n"},
		{"anchors of other keys", "---\na: &a [1]\nconfigs: x\nb: *a\n---\n", []Edit{set},
			"---\na: &a [1]\n" + newConfigs + "b: *a\n---\n"},
		{"an anchor that another key uses: nothing changes", "---\nconfigs: &c [1]\nb: *c\n---\n", []Edit{set},
			"---\nconfigs: &c [1]\nb: *c\n---\n"},
		{"quoted keys", "---\n\"configs\":\n  - x\n'b': 2\n---\n", []Edit{set, {"b", []byte("b: 3\n")}},
			"---\n" + newConfigs + "b: 3\n---\n"},
		{"CR LF", "---\r\na: 1\r\nconfigs: x\r\n---\r\n# T\r\n", []Edit{set, {"z", []byte("z: 1\n")}},
			"---\r\na: 1\r\nconfigs:\r\n- config_name: default\r\nz: 1\r\n---\r\n# T\r\n"},
		{"no line end behind the closing dashes", "---\na: 1\n---", []Edit{set}, "---\na: 1\n" + newConfigs + "---"},
		{"lines without final line end", "---\na: 1\n---\n", []Edit{{"b", []byte("b: 2")}}, "---\na: 1\nb: 2\n---\n"},
		{"empty front matter", "---\n---\n# T\n", []Edit{set}, "---\n" + newConfigs + "---\n# T\n"},
		{"front matter of comments", "---\n# x\n\n---\n# T\n", []Edit{set}, "---\n# x\n\n" + newConfigs + "---\n# T\n"},
		{"no front matter", "# T\n", []Edit{set}, "---\n" + newConfigs + "---\n\n# T\n"},
		{"no front matter, CR LF", "# T\r\n", []Edit{{"a", []byte("a: 1\n")}}, "---\r\na: 1\r\n---\r\n\r\n# T\r\n"},
		{"no front matter, blank line on top", "\n# T\n", []Edit{set}, "---\n" + newConfigs + "---\n\n# T\n"},
		{"no README.md", "", []Edit{set}, "---\n" + newConfigs + "---\n"},
		{"no front matter, nothing to add", "# T\n", []Edit{out}, "# T\n"},
		{"no front matter, byte order mark", "\ufeff# T\n", []Edit{set}, "---\n" + newConfigs + "---\n\n# T\n"},
		{"indented keys", "---\n  a: 1\n  configs: x\n---\n", []Edit{set, {"z", []byte("z: |\n  t\n\n  u\n")}},
			"---\n  a: 1\n  configs:\n  - config_name: default\n  z: |\n    t\n\n    u\n---\n"},
		{"end of document", "---\na: 1\n...\n---\n", []Edit{set}, "---\na: 1\n" + newConfigs + "...\n---\n"},
		{"dots inside a block", "---\na: |\n  ...\n---\n", []Edit{set}, "---\na: |\n  ...\n" + newConfigs + "---\n"},
		{"a key that stands twice is mended", "---\nconfigs: 1\nb: 2\nconfigs: 3\n---\n", []Edit{set},
			"---\n" + newConfigs + "b: 2\n---\n"},
		{"braces: nothing changes", "---\n{a: 1, configs: 2}\n---\n", []Edit{set}, "---\n{a: 1, configs: 2}\n---\n"},
		{"question mark: nothing changes", "---\n? a\n: 1\n---\n", []Edit{set}, "---\n? a\n: 1\n---\n"},
		{"not YAML: nothing changes", "---\na: [\n---\n", []Edit{set}, "---\na: [\n---\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b, _ := Split([]byte(test.readme))
			got := b.Apply(test.edits)
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
			again, _ := Split(got)
			if twice := again.Apply(test.edits); string(twice) != string(got) {
				t.Errorf("the second time it changed again:\n%s", cmp.Diff(string(got), string(twice)))
			}
		})
	}
}

func TestEditable(t *testing.T) {
	tests := []struct{ name, readme, says string }{
		{"plain", "---\na: 1\nconfigs: 1\n---\n", ""},
		{"none", "# T\n", ""},
		{"empty", "---\n---\n", ""},
		{"braces", "---\n\n{a: 1}\n---\n", "line 3"},
		{"explicit key", "---\na: 1\n? b\n: 2\n---\n", "line 3"},
		{"list", "---\n- a\n---\n", "line 2"},
		{"anchor used elsewhere", "---\nconfigs: &c 1\na: *c\n---\n", `"configs"`},
		{"not YAML", "---\na: 1\nb: [\n---\n", "line 3"},
	}
	for _, test := range tests {
		b, _ := Split([]byte(test.readme))
		err := b.Editable("configs")
		if (err == nil) != (test.says == "") || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: got %v, want an error that names %q", test.name, err, test.says)
		}
	}
}

// cards gives the real cards that stand beside the checkout.
func cards(t *testing.T) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("../../../shared/data/cards/*.md")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(path)] = text
	}
	delete(all, "SOURCE.md")
	if len(all) == 0 {
		t.Skip("the real cards are not beside the checkout (../shared/data/cards)")
	}
	return all
}

func TestRealCardsKeepEveryOtherByte(t *testing.T) {
	edits := []Edit{
		{"configs", []byte(newConfigs)},
		{"dataset_info", []byte("dataset_info:\n  features:\n  - name: id\n    dtype: int64\n")},
		{"size_categories", []byte("size_categories:\n- n<1K\n")},
	}
	owned := []string{"configs", "dataset_info", "size_categories"}
	for name, card := range cards(t) {
		t.Run(name, func(t *testing.T) {
			b, found := Split(card)
			if got := b.Apply(nil); string(got) != string(card) {
				t.Fatalf("without edits the card changed:\n%s", cmp.Diff(string(card), string(got)))
			}
			before, findings := Read("README.md", card)
			if !found || before.Node == nil {
				if len(findings) == 0 {
					t.Fatal("front matter not read, and no finding says why")
				}
				return
			}
			got := b.Apply(edits)
			after, findings := Read("README.md", got)
			for _, f := range findings {
				if f.Severity == finding.Error {
					t.Errorf("the edited card has an error at %s: %s", f.Where(), f.Message)
				}
			}
			if string(after.Block.Body()) != string(b.Body()) {
				t.Error("the body changed")
			}
			if diff := cmp.Diff(lineList(without(t, b, owned)), lineList(without(t, after.Block, owned))); diff != "" {
				t.Errorf("lines of other keys changed (-before +after):\n%s", diff)
			}
			sameOtherKeys(t, before.Node, after.Node, owned)
		})
	}
}

// without is the block's text less the lines of some keys, found without the help of the package: a key's lines go on to
// the next line that starts in the first column with neither a blank, a dash, a comment nor a bracket.
func without(t *testing.T, b Block, keys []string) string {
	t.Helper()
	var kept strings.Builder
	skip := false
	for line := range strings.Lines(string(b.YAML())) {
		if !strings.ContainsAny(line[:1], " -#]}\n\r") {
			key, _, _ := strings.Cut(line, ":")
			skip = slices.Contains(keys, key)
		}
		if !skip {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

func lineList(s string) []string { return strings.Split(s, "\n") }

func sameOtherKeys(t *testing.T, before, after *yaml.Node, edited []string) {
	t.Helper()
	for k, v := range strictyaml.Pairs(before) {
		if slices.Contains(edited, k.Value) {
			continue
		}
		_, now := strictyaml.Lookup(after, k.Value)
		if now == nil || outline(v) != outline(now) {
			t.Errorf("key %q changed", k.Value)
		}
	}
}

// outline writes a value without its places.
func outline(n *yaml.Node) string {
	var b strings.Builder
	var write func(*yaml.Node)
	write = func(n *yaml.Node) {
		fmt.Fprintf(&b, "(%d %d %s %q", n.Kind, n.Style, n.Tag, n.Value)
		for _, c := range n.Content {
			write(c)
		}
		b.WriteByte(')')
	}
	write(n)
	return b.String()
}

func FuzzApply(f *testing.F) {
	for _, s := range []string{
		"---\na: 1\nconfigs:\n- x\nb: |\n  configs: y\n---\n# T\n", "---\r\nconfigs: {a: 1,\r\n b: 2}\r\n---\r\n", "# T\n", "", "---\n---", "\ufeff---\na: 1\n--- \n",
		"---\n# c\n---\n", "---\n  configs: &a x\n  b: *a\n---\n", "---\n\"configs\": 'x\n  # y'\n# z\n---\n", "---\na: |+\n  x\n\nconfigs: y\n\n---\nz", "---\na: 1\n...\n---\n",
		"---\n{a: 1}\n---\n", "---\n? a\n: b\n---\n", "---\nconfigs: >2\n    x\n   # y\nz: 1\n---\n", "---\n!!map\na: 1\n---\n", "---\n- a\n---\n", "---\nconfigs: a\n b\n\n c # d\n---\n",
		"---\nb:\n- |\n  x\nconfigs: 1\n  # z\n---\n", "---\n--- # x\na: 1\n---\n",
	} {
		f.Add([]byte(s), true)
		f.Add([]byte(s), false)
	}
	f.Fuzz(func(t *testing.T, readme []byte, remove bool) {
		edits := []Edit{{"configs", []byte(newConfigs)}, {"new", []byte("new: |\n  text\n")}}
		if remove {
			edits[0].Lines = nil
		}
		b, found := Split(readme)
		if got := b.Apply(nil); string(got) != string(readme) {
			t.Fatalf("without edits %q became %q", readme, got)
		}
		before, findings := Read("README.md", readme)
		got := b.Apply(edits)
		if !strings.HasSuffix(string(got), strings.TrimPrefix(string(b.Body()), mark)) {
			t.Fatalf("the body of %q is lost in %q", readme, got)
		}
		if hasError(findings) || b.Editable("configs", "new") != nil {
			return
		}
		after, findings := Read("README.md", got)
		if hasError(findings) {
			t.Fatalf("%q became %q, which has errors: %v", readme, got, findings)
		}
		if found && string(after.Block.Body()) != string(b.Body()) {
			t.Fatalf("the body of %q became %q", readme, after.Block.Body())
		}
		if _, v := after.Get("new"); v == nil || v.Value != "text\n" {
			t.Fatalf("%q became %q, where the new key does not stand", readme, got)
		}
		if _, v := after.Get("configs"); (v == nil) != remove {
			t.Fatalf("%q became %q, where configs is wrong", readme, got)
		}
		sameOtherKeys(t, before.Node, after.Node, []string{"configs", "new"})
	})
}

func hasError(findings []finding.Finding) bool {
	return slices.ContainsFunc(findings, func(f finding.Finding) bool { return f.Severity == finding.Error })
}
