package yamlout

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

// traps are texts that some YAML reader takes for something else when they stand bare.
var traps = []string{
	"", " ", "no", "No", "NO", "yes", "on", "Off", "y", "N", "true", "False", "null", "Null", "~", "=", "<<", "---", "...", "-", "?", ":",
	"0", "-1", "+1", "1_000", "007", "0o7", "0x1F", "0b101", "1e3", "1.5", ".5", "5.", "1E+3", "685.230_15e+03", ".inf", "-.INF", ".NaN",
	"1:20", "190:20:30.15", "2024-01-01", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43.10 -5", "2001-12-14T21:59:43Z",
	" leading", "trailing ", "\ttab", "a\tb", "key: value", "ends with:", "a #comment", "#comment", "&anchor", "*alias", "!tag", "!!binary x",
	"|", ">", "|-", "@at", "`tick`", "%directive", "[a]", "{a: b}", "]", "}", ",", "- item", "? key", "\"quoted\"", "'single'", `back\slash`,
	"line\nbreak", "cr\rlf\r\n", "\u0085", "\u2028", "\u2029", "\ufeff", "\u00a0", "bell\a", "del\x7f", "zero\x00", "\u200d",
	"owl \U0001F989", "family \U0001F468\u200D\U0001F469", "tag \U000E0067", "日本語", "naïve", "a'b", `a"b`, "a: b # c", "x:y", "a,b", "n<1K", "1K<n<10K",
}

func TestTextReadsBack(t *testing.T) {
	for _, s := range traps {
		for _, doc := range []string{"k: " + Text(s) + "\n", "- " + Text(s) + "\n", Text(s) + ": 1\n"} {
			var got any
			if err := yaml.Unmarshal([]byte(doc), &got); err != nil {
				t.Errorf("%q written as %q cannot be read: %v", s, doc, err)
				continue
			}
			if text := onlyText(got); text != s {
				t.Errorf("%q written as %q reads back as %q", s, doc, text)
			}
			if strings.Count(doc, "\n") != 1 {
				t.Errorf("%q written as %q takes more than one line", s, doc)
			}
		}
	}
}

// onlyText is the text in a mapping or list of one.
func onlyText(v any) string {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			if s, ok := inner.(string); ok {
				return s
			}
			return k
		}
	case []any:
		if s, ok := v[0].(string); ok {
			return s
		}
	}
	return "not a text"
}

func TestTextQuotesWhatYAML11Misreads(t *testing.T) {
	for _, s := range []string{
		"no", "ON", "y", "N", "off", "Yes", "1:20", "190:20:30", "0o7", "007", "1_000", "1e3", "2024-01-01", "2001-12-14 21:59:43.10 -5",
		"=", "<<", "~", "null", "", ".5", "0x1F", "-", "a\tb", "\u0085", "\ufeff",
	} {
		if got := Text(s); !strings.HasPrefix(got, `"`) {
			t.Errorf("Text(%q) = %s, expected it in quotes: a YAML 1.1 reader takes it for something else", s, got)
		}
	}
}

func TestTextLeavesSafeTextsBare(t *testing.T) {
	for _, s := range []string{
		"en", "nob", "mit", "cc-by-4.0", "apache-2.0", "n<1K", "1K<n<10K", "100M<n<1B", "text-generation", "Grade School Math 8K", "data/*.jsonl",
		"./data/train.jsonl", "timestamp[s]", "timestamp[us, tz=UTC]", "Owl calls \U0001F989", "it's", "x:y", "2wikimultihop", "_hidden", "/abs", "日本語",
	} {
		if got := Text(s); got != s {
			t.Errorf("Text(%q) = %s, expected it bare", s, got)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range traps {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := strings.ToValidUTF8(s, "\uFFFD")
		var got map[string][]string
		doc := "k:\n- " + Text(want) + "\n"
		if err := yaml.Unmarshal([]byte(doc), &got); err != nil || len(got["k"]) != 1 || got["k"][0] != want {
			t.Errorf("%q written as %q reads back as %q, %v", want, doc, got["k"], err)
		}
		Text(s)
	})
}

func TestEntry(t *testing.T) {
	feature := func(name, kind string, value *yaml.Node) *yaml.Node {
		m := Map()
		Put(m, "name", String(name))
		Put(m, kind, value)
		return m
	}
	names := Map()
	Put(names, "0", String("neg"))
	Put(names, "1", String("no"))
	label := Map()
	Put(label, "names", names)
	class := Map()
	Put(class, "class_label", label)
	pair := feature("pair", "list", String("float32"))
	Put(pair, "length", Int(2))
	info := Map()
	Put(info, "config_name", String("default"))
	Put(info, "features", List(
		feature("id", "dtype", String("int64")),
		feature("on", "dtype", String("null")),
		feature("label", "dtype", class),
		pair,
		feature("turns", "list", List(feature("role", "dtype", String("string")))),
		feature("grid", "list", List(List(String("a"), String("b")), List())),
		feature("empty", "struct", List()),
	))
	Put(info, "viewer", True())

	got := Entry("dataset_info", List(info, Map()))
	want := `dataset_info:
- config_name: default
  features:
  - name: id
    dtype: int64
  - name: "on"
    dtype: "null"
  - name: label
    dtype:
      class_label:
        names:
          "0": neg
          "1": "no"
  - name: pair
    list: float32
    length: 2
  - name: turns
    list:
    - name: role
      dtype: string
  - name: grid
    list:
    - - a
      - b
    - []
  - name: empty
    struct: []
  viewer: true
- {}
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Entry (-want +got):\n%s", diff)
	}
	if got, want := Entry("license", String("mit")), "license: mit\n"; got != want {
		t.Errorf("Entry of a text is %q, expected %q", got, want)
	}
}

// What people wrote beside the keys that hfpub writes keeps its meaning to every reader.
func TestEntryKeepsForeignScalars(t *testing.T) {
	const text = `k:
- config_name: a
  header: no
  sep: "="
  skip: 1_000
  none:
  base: &b !!str 12
  more: {x: 1}
  note: |
    two
    lines
`
	want := `k:
- config_name: a
  header: no
  sep: "="
  skip: 1_000
  none:
  base: &b !!str 12
  more:
    x: 1
  note: "two\nlines\n"
`
	if diff := cmp.Diff(want, Entry("k", parse(t, text).Content[1])); diff != "" {
		t.Errorf("Entry (-want +got):\n%s", diff)
	}
}

func parse(t *testing.T, text string) *yaml.Node {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Content[0]
}

func TestSame(t *testing.T) {
	m := func(pairs ...any) *yaml.Node {
		m := Map()
		for i := 0; i < len(pairs); i += 2 {
			Put(m, pairs[i].(string), pairs[i+1].(*yaml.Node))
		}
		return m
	}
	tests := []struct {
		name string
		have string
		want *yaml.Node
		same bool
	}{
		{"flow for block", "[a, b]", Strings([]string{"a", "b"}), true},
		{"other quotes", `- 'a'` + "\n" + `- "b"`, Strings([]string{"a", "b"}), true},
		{"comments", "- a # why\n# more\n- b", Strings([]string{"a", "b"}), true},
		{"keys in another order", "{b: 1, a: x}", m("a", String("x"), "b", Int(1)), true},
		{"another value", "[a, c]", Strings([]string{"a", "b"}), false},
		{"one more", "[a, b, c]", Strings([]string{"a", "b"}), false},
		{"a key twice", "{a: 1, a: 1}", m("a", Int(1), "b", Int(1)), false},
		{"a number for a text", "[1]", Strings([]string{"1"}), false},
		{"a text for a number", `["1"]`, List(Int(1)), false},
		{"a word that YAML 1.1 misreads", "[no]", Strings([]string{"no"}), false},
		{"the same word in quotes", `["no"]`, Strings([]string{"no"}), true},
		{"a date for a text", "[2024-01-02]", Strings([]string{"2024-01-02"}), false},
		{"a date in quotes", `["2024-01-02"]`, Strings([]string{"2024-01-02"}), true},
		{"nothing", "", m(), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var doc yaml.Node
			if err := yaml.Unmarshal([]byte(tt.have), &doc); err != nil {
				t.Fatal(err)
			}
			var have *yaml.Node
			if len(doc.Content) > 0 {
				have = doc.Content[0]
			}
			if got := Same(have, tt.want); got != tt.same {
				t.Errorf("Same(%s, %s) = %v, expected %v", tt.have, Entry("k", tt.want), got, tt.same)
			}
		})
	}
}
