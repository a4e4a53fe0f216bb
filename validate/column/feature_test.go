package column

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

// workedExample shows every form that hfpub writes.
const workedExample = `- name: id
  dtype: string
- name: when
  dtype: timestamp[s]
- name: label
  dtype:
    class_label:
      names:
        '0': neg
        '1': pos
- name: tags
  list: string
- name: grid
  list:
    list: int32
- name: pair
  list: float32
  length: 2
- name: meta
  struct:
    - name: lang
      dtype: string
    - name: k
      struct:
        - name: x
          dtype: int64
- name: messages
  list:
    - name: role
      dtype: string
    - name: parts
      list:
        - name: t
          dtype: string
- name: labels
  list:
    class_label:
      names:
        '0': a
- name: anything
  dtype: json
- name: anythings
  list: json
- name: nothing
  dtype: 'null'
`

func scalar(dtype string) Type { return Type{Dtype: dtype} }

func listOf(t Type) Type { return Type{List: &t} }

func structOf(fields ...Feature) Type { return Type{Struct: fields} }

var workedFeatures = Features{
	{"id", scalar("string")},
	{"when", scalar("timestamp[s]")},
	{"label", Type{ClassLabel: []string{"neg", "pos"}}},
	{"tags", listOf(scalar("string"))},
	{"grid", listOf(listOf(scalar("int32")))},
	{"pair", Type{List: &Type{Dtype: "float32"}, Length: 2}},
	{"meta", structOf(Feature{"lang", scalar("string")}, Feature{"k", structOf(Feature{"x", scalar("int64")})})},
	{"messages", listOf(structOf(Feature{"role", scalar("string")},
		Feature{"parts", listOf(structOf(Feature{"t", scalar("string")}))}))},
	{"labels", listOf(Type{ClassLabel: []string{"a"}})},
	{"anything", scalar("json")},
	{"anythings", listOf(scalar("json"))},
	{"nothing", scalar("null")},
}

func parse(t *testing.T, text string) (Features, error) {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("the test's own YAML does not parse: %v", err)
	}
	return ParseFeatures(&doc)
}

func write(t *testing.T, f Features) string {
	t.Helper()
	var out strings.Builder
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(f.YAML()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestWorkedExampleRoundTrips(t *testing.T) {
	got, err := parse(t, workedExample)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(workedFeatures, got); diff != "" {
		t.Errorf("reading the worked example (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(workedExample, write(t, got)); diff != "" {
		t.Errorf("writing it again gives another text (-want +got):\n%s", diff)
	}
}

func TestFeaturesAsJSONKeepTheOrderOfKeys(t *testing.T) {
	want := `[{"name":"id","dtype":"string"},{"name":"when","dtype":"timestamp[s]"},` +
		`{"name":"label","dtype":{"class_label":{"names":{"0":"neg","1":"pos"}}}},{"name":"tags","list":"string"},` +
		`{"name":"grid","list":{"list":"int32"}},{"name":"pair","list":"float32","length":2},` +
		`{"name":"meta","struct":[{"name":"lang","dtype":"string"},{"name":"k","struct":[{"name":"x","dtype":"int64"}]}]},` +
		`{"name":"messages","list":[{"name":"role","dtype":"string"},{"name":"parts","list":[{"name":"t","dtype":"string"}]}]},` +
		`{"name":"labels","list":{"class_label":{"names":{"0":"a"}}}},{"name":"anything","dtype":"json"},` +
		`{"name":"anythings","list":"json"},{"name":"nothing","dtype":"null"}]`
	got, err := json.Marshal(workedFeatures)
	if err != nil || string(got) != want {
		t.Errorf("json.Marshal gave %v\n%s\nwant\n%s", err, got, want)
	}
	if got, err := json.Marshal(Features(nil)); err != nil || string(got) != "[]" {
		t.Errorf("no features are %s, %v, want []", got, err)
	}
}

func TestParseFeaturesReadsEveryForm(t *testing.T) {
	tests := map[string]struct {
		text string
		want Type
	}{
		"dtype":                        {"dtype: int64", scalar("int64")},
		"name after the type":          {"dtype: bool", scalar("bool")},
		"time zone":                    {"dtype: timestamp[us, tz=UTC]", scalar("timestamp[us, tz=UTC]")},
		"decimal":                      {"dtype: decimal128(10, 2)", scalar("decimal128(10, 2)")},
		"quoted null":                  {"dtype: 'null'", scalar("null")},
		"image":                        {"dtype: image", scalar("image")},
		"image with parameters":        {"dtype: {image: {mode: RGB}}", Type{Dtype: "image", Params: `{"mode":"RGB"}`}},
		"audio with parameters":        {"dtype: {audio: {sampling_rate: 16000}}", Type{Dtype: "audio", Params: `{"sampling_rate":16000}`}},
		"translation":                  {"dtype: {translation: {languages: [en, fr]}}", Type{Dtype: "translation", Params: `{"languages":["en","fr"]}`}},
		"array":                        {"dtype: {array2_d: {shape: [2, 3], dtype: int64}}", Type{Dtype: "array2_d", Params: `{"shape":[2,3],"dtype":"int64"}`}},
		"class labels by id":           {"dtype: {class_label: {names: {'1': pos, '0': neg}}}", Type{ClassLabel: []string{"neg", "pos"}}},
		"class labels by unquoted id":  {"dtype: {class_label: {names: {0: neg, 1: pos}}}", Type{ClassLabel: []string{"neg", "pos"}}},
		"class labels as a list":       {"dtype: {class_label: {names: [neg, pos]}}", Type{ClassLabel: []string{"neg", "pos"}}},
		"class labels by number":       {"dtype: {class_label: {num_classes: 2}}", Type{ClassLabel: []string{"0", "1"}}},
		"list of a dtype":              {"list: string", listOf(scalar("string"))},
		"list of a mapping":            {"list: {dtype: string}", listOf(scalar("string"))},
		"list of lists":                {"list: {list: int64}", listOf(listOf(scalar("int64")))},
		"list of structs":              {"list: [{name: a, dtype: int64}]", listOf(structOf(Feature{"a", scalar("int64")}))},
		"list of a struct in words":    {"list: {struct: [{name: a, dtype: int64}]}", listOf(structOf(Feature{"a", scalar("int64")}))},
		"list of class labels":         {"list: {class_label: {names: {'0': a}}}", listOf(Type{ClassLabel: []string{"a"}})},
		"list of a fixed length":       {"list: int64\n  length: 3", Type{List: &Type{Dtype: "int64"}, Length: 3}},
		"list of any length":           {"list: int64\n  length: -1", listOf(scalar("int64"))},
		"large list":                   {"large_list: string", Type{List: &Type{Dtype: "string"}, Large: true}},
		"sequence of a dtype":          {"sequence: string", listOf(scalar("string"))},
		"sequence of sequences":        {"sequence: {sequence: string}", listOf(listOf(scalar("string")))},
		"sequence of fields":           {"sequence: [{name: a, dtype: int64}]", structOf(Feature{"a", listOf(scalar("int64"))})},
		"sequence of fields, in words": {"sequence: {struct: [{name: a, dtype: int64}]}", structOf(Feature{"a", listOf(scalar("int64"))})},
		"struct":                       {"struct: [{name: a, list: bool}]", structOf(Feature{"a", listOf(scalar("bool"))})},
		"empty struct":                 {"struct: []", Type{Struct: []Feature{}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			text := "- name: x\n  " + test.text + "\n"
			if name == "name after the type" {
				text = "- " + test.text + "\n  name: x\n"
			}
			got, err := parse(t, text)
			if err != nil {
				t.Fatal(err)
			}
			want := Features{{"x", test.want}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("reading (-want +got):\n%s", diff)
			}
			again, err := parse(t, write(t, got))
			if err != nil {
				t.Fatalf("hfpub's own text does not parse: %v\n%s", err, write(t, got))
			}
			if diff := cmp.Diff(want, again); diff != "" {
				t.Errorf("writing and reading again (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseFeaturesSaysWhatIsWrongAndWhere(t *testing.T) {
	tests := map[string]struct {
		text   string
		line   int
		reason string
	}{
		"not a list":          {"id: int64", 1, "expected a list of features"},
		"item is a text":      {"- id", 1, "expected a feature with a name and a type"},
		"no name":             {"- dtype: int64", 1, "a feature has no name"},
		"no type":             {"- name: a", 1, "a feature has no type"},
		"unknown type":        {"- name: a\n  dtype: int128", 2, `unknown type "int128"`},
		"Python's name":       {"- name: a\n  dtype: str", 2, `the loader's name for it is string`},
		"null without quotes": {"- name: a\n  dtype: null", 2, "write 'null' in quotes"},
		"length first":        {"- name: a\n  length: 2\n  list: int64", 2, `unknown kind of feature "length"`},
		"bad length":          {"- name: a\n  list: int64\n  length: two", 3, "length is not a number"},
		"gap in label ids":    {"- name: a\n  dtype:\n    class_label:\n      names: {'0': x, '2': y}", 4, "without a gap, found 2"},
		"label twice":         {"- name: a\n  dtype: {class_label: {names: [x, x]}}", 2, `two labels are named "x"`},
		"name twice":          {"- {name: a, dtype: bool}\n- {name: a, dtype: bool}", 2, `feature "a" stands twice`},
		"fields of a struct":  {"- name: a\n  struct: int64", 2, "expected a list of features"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := parse(t, test.text)
			var wrong *FeatureError
			if !errors.As(err, &wrong) {
				t.Fatalf("got error %v, want a *FeatureError", err)
			}
			if wrong.Line != test.line || !strings.Contains(wrong.Reason, test.reason) {
				t.Errorf("got %v, want line %d and %q", err, test.line, test.reason)
			}
		})
	}
}

func TestParseFeaturesEndsOnAliasesThatHoldThemselves(t *testing.T) {
	for _, text := range []string{
		"- &a\n  name: x\n  list: *a\n",
		"- name: x\n  struct: &s\n    - {name: a, struct: *s}\n",
		"- {name: p, dtype: {image: &m {k: *m}}}\n",
	} {
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
			continue
		}
		if _, err := ParseFeatures(&doc); err == nil {
			t.Errorf("%q is endless and was accepted", text)
		}
	}
}

// misread are texts that a reader of YAML 1.1 or 1.2 takes for something else when they stand without quotes.
var misread = []string{"no", "Yes", "on", "OFF", "y", "N", "true", "NULL", "~", "", "1", "1e3", "0x1f", "0o7", "1_000", "12:30:45", "2024-01-02", ".inf", ".NaN",
	"-1", "+1", "=", "<<", "- a", "? a", "a: b", "a #b", "#a", "*a", "&a", "!a", "%a", "@a", "`a", "{a", "[a", "a\nb", " a", "a ", "'a'", `"a"`, "a\tb", "\u2028", "é", "🦉", "null "}

func TestNamesThatYAMLCouldMisreadAreQuoted(t *testing.T) {
	for _, name := range misread {
		text := write(t, Features{{name, scalar("string")}})
		value := strings.TrimPrefix(text, "- name: ")
		if value[0] != '\'' && value[0] != '"' {
			t.Errorf("the name %q is written without quotes: %s", name, text)
		}
		got, err := parse(t, text)
		if err != nil || got[0].Name != name {
			t.Errorf("the name %q comes back as %v, %v from\n%s", name, got, err, text)
		}
	}
	if text := write(t, Features{{"o_title", scalar("string")}}); text != "- name: o_title\n  dtype: string\n" {
		t.Errorf("a harmless name needs no quotes, got\n%s", text)
	}
}

// shared finds the folder of shared material beside the checkout.
func shared(t testing.TB, parts ...string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
	}
	path := filepath.Join(append([]string{filepath.Dir(dir), "shared"}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the shared material is not here: %v", err)
	}
	return path
}

func TestFeaturesOfRealCardsRoundTrip(t *testing.T) {
	cards, err := filepath.Glob(filepath.Join(shared(t, "data", "cards"), "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	front := regexp.MustCompile(`(?s)^---\r?\n(.*?)\r?\n---`)
	seen := 0
	for _, path := range cards {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var doc yaml.Node
		match := front.FindSubmatch(text)
		if match == nil || yaml.Unmarshal(match[1], &doc) != nil {
			continue
		}
		for _, node := range featureNodes(&doc) {
			seen++
			features, err := ParseFeatures(node)
			if err != nil {
				t.Errorf("%s: %v", filepath.Base(path), err)
				continue
			}
			again, err := ParseFeatures(features.YAML())
			if err != nil || !reflect.DeepEqual(features, again) {
				t.Errorf("%s: features do not come back: %v\n%s", filepath.Base(path), err, cmp.Diff(features, again))
			}
		}
	}
	if seen < 40 {
		t.Errorf("found the features of %d configs in real cards, expected at least 40", seen)
	}
}

func featureNodes(node *yaml.Node) []*yaml.Node {
	var found []*yaml.Node
	for i, child := range node.Content {
		if node.Kind == yaml.MappingNode && i%2 == 1 && node.Content[i-1].Value == "features" && child.Kind == yaml.SequenceNode {
			found = append(found, child)
			continue
		}
		found = append(found, featureNodes(child)...)
	}
	return found
}

func FuzzParseFeatures(f *testing.F) {
	f.Add(workedExample)
	f.Add("- name: x\n  sequence:\n  - name: a\n    dtype: {array2_d: {shape: [2, .inf], dtype: int64}}\n")
	f.Add("- &a {name: x, list: *a}\n")
	for _, name := range misread {
		f.Add("- name: '" + strings.ReplaceAll(name, "'", "''") + "'\n  dtype: int8\n")
	}
	f.Fuzz(func(t *testing.T, text string) {
		var doc yaml.Node
		if yaml.Unmarshal([]byte(text), &doc) != nil {
			return
		}
		features, err := ParseFeatures(&doc)
		if err != nil {
			return
		}
		encoded, err := json.Marshal(features)
		if err != nil || !json.Valid(encoded) {
			t.Fatalf("not JSON: %v %s", err, encoded)
		}
		out, err := yaml.Marshal(features.YAML())
		if err != nil {
			t.Fatal(err)
		}
		again, err := parse(t, string(out))
		if err != nil {
			t.Fatalf("hfpub's own text does not parse: %v\n%s", err, out)
		}
		if !reflect.DeepEqual(features, again) {
			t.Fatalf("comes back changed:\n%s\n%s", cmp.Diff(features, again), out)
		}
	})
}
