package cards

import (
	"strings"
	"testing"

	"github.com/hfpub/hfpub/cards/schemadoc"
	"github.com/hfpub/hfpub/cards/yamlout"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/column"
)

const answersSchema = `{
  "description": "One answer to one question.",
  "type": "object",
  "required": ["answer|choice"],
  "properties": {
    "id": {"type": "integer", "description": "Row number."},
    "answer|choice": {"enum": ["yes|no", "a\nb"], "description": "Either way |\nor both."},
    "茶": {"type": "string", "description": "Tea 🍵, in *stars* and ` + "`ticks`" + `, <b>not</b> HTML."},
    "score": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
    "turns": {"type": "array", "items": {"required": ["role"], "properties": {
      "role": {"enum": ["user", "assistant"]}, "later": {"type": "string", "pattern": "^a|b$"}
    }}}
  }
}`

// answers has every kind of field, with names that would break a table.
func answers() Input {
	ranged := func(f column.Field, low, high string) column.Field {
		f.Min, f.Max = low, high
		return f
	}
	texts := func(f column.Field, chars column.Span, values ...column.ValueCount) column.Field {
		f.Chars, f.Values, f.ManyValues = chars, values, len(values) == 0
		return f
	}
	items := func(f column.Field, span column.Span) column.Field {
		f.Items = span
		return f
	}
	mixed := field("/mixed", "integer", 100, 0, "7")
	mixed.Kinds = append(mixed.Kinds, column.KindCount{Kind: "string", Count: 3})
	missing := ranged(field("/a~1b", "number", 60, 0, "0.5"), "0.5", "1e3")
	missing.Missing = 40
	wide := field("/wide", "object", 100, 0, `{"k1":1}`)
	wide.Wide = true
	in := folder("")
	config := &in.Measured.Configs[0]
	config.Features = column.Features{
		{Name: "id", Type: column.Type{Dtype: "int64"}},
		{Name: "when", Type: column.Type{Dtype: "timestamp[s]"}},
		{Name: "label", Type: column.Type{ClassLabel: []string{"a", "b"}}},
		{Name: "mixed", Type: column.Type{Dtype: "json"}},
		{Name: "turns", Type: column.Type{List: &column.Type{Struct: []column.Feature{{Name: "n", Type: column.Type{Dtype: "float64"}}}}}},
	}
	config.Fields = []column.Field{
		ranged(field("/id", "integer", 100, 0, "1"), "1", "12345678901234567890"),
		texts(field("/answer|choice", "string", 100, 0, `"yes|no"`), column.Span{Min: 3, Max: 6}, column.ValueCount{Text: "yes|no", Count: 100}),
		texts(field("/茶", "string", 100, 0, `"烏龍"`), column.Span{Min: 2, Max: 2000}),
		ranged(field("/score", "number", 100, 33, "0.25"), "0.25", "0.25"),
		texts(field("/when", "string", 100, 0, `"2024-01-02"`), column.Span{Min: 10, Max: 10}),
		texts(field("/label", "string", 100, 0, `"a"`), column.Span{Min: 1, Max: 1},
			column.ValueCount{Text: "a", Count: 90}, column.ValueCount{Text: "b\"\\|", Count: 10}),
		texts(field("/few", "string", 3, 0, `"x"`), column.Span{Min: 1, Max: 2},
			column.ValueCount{Text: "x", Count: 1}, column.ValueCount{Text: "yz", Count: 2}),
		mixed, missing, wide,
		items(field("/turns", "array", 100, 0, `[{"role":"user","n":1}]`), column.Span{Min: 1, Max: 8}),
		field("/turns/*", "object", 400, 0, `{"role":"user","n":1}`),
		texts(field("/turns/*/role", "string", 400, 0, `"user"`), column.Span{Min: 4, Max: 9}),
		ranged(field("/turns/*/n", "integer", 400, 0, "1"), "1", "3"),
		field("/none", "null", 100, 100, ""),
		field("/", "boolean", 100, 0, "true"),
		field("/two\nlines", "boolean", 100, 0, "false"),
		field("/`tick", "string", 100, 0, "\"``\""),
		field(`/back\|pipe`, "string", 100, 0, `"\\|"`),
	}
	in.Repo.Configs[0].Splits[0].Schema = "answers.schema.json"
	in.Schemas = map[string][]byte{"answers.schema.json": []byte(answersSchema)}
	return in
}

func TestSchemaMD(t *testing.T) {
	in := answers()
	out := render(t, in)
	text := out.file(t, SchemaPath)
	golden(t, "schema/answers.md", text)
	again(t, in, out)

	header := -1
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		cells := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
		if header < 0 {
			header = cells
		}
		if cells != header {
			t.Errorf("a row with %d borders under a header with %d: %s", cells, header, line)
		}
	}
	for _, want := range []string{
		"| `/answer\\|choice` |", "`\"yes\\|no\"`", "Either way \\| or both.", "| `/a~1b` (`a/b`) |", "| `/two lines` |", "| ``/`tick`` |",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("expected %q in schema.md", want)
		}
	}
}

func TestSchemaMDIsNotWrittenWithoutFields(t *testing.T) {
	in := declared()
	for i := range in.Measured.Configs {
		in.Measured.Configs[i].Fields = nil
	}
	if out := render(t, in); len(out.Files) != 1 {
		t.Errorf("expected README.md alone, got %d files", len(out.Files))
	}
	in.SchemaMD = []byte("# S\n\n<!-- hfpub:begin schema -->\nold\n<!-- hfpub:end schema -->\n")
	out := render(t, in)
	if got := string(out.file(t, SchemaPath)); strings.Contains(got, "old") || !strings.HasPrefix(got, "# S\n\n<!--") {
		t.Errorf("a table of what was not read should go, got\n%s", got)
	}
	again(t, in, out)
}

// A schema that cannot be read, or is not given, leaves its words out; what was measured is said all the same.
func TestSchemaMDWithoutItsSchema(t *testing.T) {
	for _, text := range []string{"", "{"} {
		in := answers()
		in.Schemas["answers.schema.json"] = []byte(text)
		got := string(render(t, in).file(t, SchemaPath))
		if !strings.Contains(got, "| `/id` | integer | no | 1 to 12345678901234567890 | 0% | `1` |\n") {
			t.Errorf("with the schema %q the row of /id is not as measured:\n%s", text, got)
		}
	}
}

// A card may go out before its data do: then no text of theirs stands in schema.md, only what the schema says.
func TestSchemaMDOfPendingDataShowsNoneOfThem(t *testing.T) {
	in := answers()
	in.Repo.Status = release.Pending
	got := string(render(t, in).file(t, SchemaPath))
	for _, secret := range []string{"烏龍", `{"role":"user"`, "`\"a\"`"} {
		if strings.Contains(got, secret) {
			t.Errorf("schema.md of a pending repo shows %s of its data:\n%s", secret, got)
		}
	}
	for _, said := range []string{"`\"user\"`, `\"assistant\"`", "1 character |", "0.25"} {
		if !strings.Contains(got, said) {
			t.Errorf("schema.md of a pending repo lacks %s, which the schema or a range says:\n%s", said, got)
		}
	}
}

func TestNumbersOfACSVFileAreShownAsNumbers(t *testing.T) {
	in := folder("")
	in.Measured.Configs[0].Fields[0].Example = `"1"`
	got := string(render(t, in).file(t, SchemaPath))
	if !strings.Contains(got, "| `/id` | integer | no |  | 0% | `1` |") {
		t.Errorf("the example of an integer column is no integer:\n%s", got)
	}
}

// A few texts that come again are a list of values, unless they fill the cell.
func TestLongTextsAreNoListOfValues(t *testing.T) {
	f := field("/call", "string", 90, 0, `"hoo"`)
	f.Chars = column.Span{Min: 3, Max: 120}
	f.Values = []column.ValueCount{{Text: "hoo", Count: 30}, {Text: strings.Repeat("hoo ", 30), Count: 30}, {Text: strings.Repeat("hu ", 40), Count: 30}}
	if got := strings.Join(held(&f, schemadoc.Field{}, false), "; "); got != "3 to 120 characters" {
		t.Errorf("got %s, expected the lengths alone", got)
	}
	f.Values = f.Values[:1]
	if got := strings.Join(held(&f, schemadoc.Field{}, false), "; "); got != "`\"hoo\"`" {
		t.Errorf("got %s, expected the one value", got)
	}
}

func TestLongListsOfValuesAreCut(t *testing.T) {
	var list []string
	for i := range 30 {
		list = append(list, strings.Repeat(string(rune('a'+i%26)), 100-i))
	}
	got := codes(list)
	if !strings.HasSuffix(got, ", and 6 more") || !strings.HasPrefix(got, "`"+strings.Repeat("a", 79)+"…`, ") {
		t.Errorf("got %s, expected 24 values of at most 80 characters and a count of the rest", got)
	}
}

func TestShare(t *testing.T) {
	tests := []struct {
		part, whole int64
		want        string
	}{
		{0, 0, "0%"}, {0, 9, "0%"}, {9, 9, "100%"}, {1, 8, "12.5%"}, {1, 3, "33.3%"}, {999, 1000, "99.9%"},
		{1, 100000, "< 0.1%"}, {99999, 100000, "> 99.9%"},
	}
	for _, tt := range tests {
		if got := share(tt.part, tt.whole); got != tt.want {
			t.Errorf("share(%d, %d) = %s, expected %s", tt.part, tt.whole, got, tt.want)
		}
	}
}

// Rendering what was rendered changes nothing, whatever mixture of habits a card shows.
func TestRenderingTwiceIsRenderingOnce(t *testing.T) {
	heads := []string{
		"", "---\nlicense: mit\n---\n", "\n\n---\nlicense: mit\n---  \n", "---\n# nothing\n---\n", "---\n\n---\n",
		"---\nlanguage:\n  - no\n  - en # why\n\n# below\nlicense: [apache-2.0]\n---\n",
		"---\nconfigs:\n  - config_name: default\n    data_files: \"*.jsonl\"\n    sep: \"=\"\n---\n",
		"---\nconfigs: {config_name: main}\ndataset_info: [1, {features: x}]\nsize_categories:\n---\n",
		"---\ndataset_info:\n  features:\n  - name: &n id\n    dtype: int64\n  - {name: *n, sequence: [{name: a, dtype: null}]}\ntags: |\n  a\n\n---\n",
		"---\n  license: mit\n  pretty_name: >-\n    two\n\n    lines\n  ...\n---\n",
		"---\npretty_name: 'it''s'\ntags:\n- \"on\"\n- off\ntask_categories: text-generation\t\n---",
	}
	bodies := []string{
		"", "\n", "# T", "# T\n\ntext  \nmore\n", "text\n\n\n", "```\nopen fence\n", "<!-- open comment\n",
		"<!-- hfpub:begin data -->\n<!-- hfpub:end data -->", "x\n<!-- hfpub:begin section_uses -->\nold\n<!-- hfpub:end section_uses -->\ny\n",
		"<!-- hfpub:begin section_gone -->\nold\n<!-- hfpub:end section_gone -->\n\n\n<!-- hfpub:begin summary -->\n<!-- hfpub:end summary -->\n",
		"<!-- hfpub:begin other -->\nstays\n<!-- hfpub:end other -->\n---\n",
	}
	for _, eol := range []string{"\n", "\r\n"} {
		for _, head := range heads {
			for _, body := range bodies {
				for _, in := range []Input{folder(""), declared()} {
					in.README = []byte(strings.ReplaceAll(head+body, "\n", eol))
					in.SchemaMD = []byte(strings.ReplaceAll(body, "\n", eol))
					out, err := Render(in)
					if err != nil {
						continue
					}
					again(t, in, out)
				}
			}
		}
	}
}

// The trap words reach the front matter in quotes, in every place where hfpub writes texts.
func TestTrapsAreQuotedEverywhere(t *testing.T) {
	traps := []string{"no", "on", "1:20", "2024-01-01", "1e3", "=", "<<", "~", "", " x", "a: b", "a #b", "\ttab", "line\nbreak", "0o7", "null"}
	in := declared()
	in.Repo.Card.Tags, in.Repo.Card.Language = traps, traps
	in.Repo.Card.PrettyName, in.Repo.License = "1e3", "no"
	in.Repo.Configs = in.Repo.Configs[:1]
	in.Repo.Configs[0].Name = "on"
	in.Repo.Configs[0].Splits = []release.Split{{Name: "y", Patterns: traps}}
	in.Measured.Configs = in.Measured.Configs[:1]
	in.Measured.Configs[0].Name = "on"
	in.Measured.Configs[0].Splits[0].Name = "y"
	features := column.Features{{Name: "label", Type: column.Type{ClassLabel: traps}}}
	for _, trap := range traps {
		features = append(features, column.Feature{Name: trap, Type: column.Type{Dtype: "null"}})
	}
	in.Measured.Configs[0].Features = features
	out := render(t, in)
	head := string(out.file(t, ReadmePath))
	for _, trap := range traps {
		quoted := yamlout.Text(trap)
		if !strings.HasPrefix(quoted, `"`) {
			t.Fatalf("%q is no trap", trap)
		}
		for _, line := range []string{"\n- " + quoted + "\n", "\n    - " + quoted + "\n", "\n  - name: " + quoted + "\n    dtype: \"null\"\n"} {
			if !strings.Contains(head, line) {
				t.Errorf("expected %q in\n%s", line, head)
			}
		}
	}
	for _, line := range []string{
		"license: \"no\"\n", "pretty_name: \"1e3\"\n", "- config_name: \"on\"\n", "  - split: \"y\"\n",
		"  - name: \"y\"\n    num_bytes:", `"0": "no"`,
	} {
		if !strings.Contains(head, line) {
			t.Errorf("expected %q in\n%s", line, head)
		}
	}
	again(t, in, out)
}
