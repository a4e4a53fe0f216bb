package croissant

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/column"
)

var update = flag.Bool("update", false, "write the golden files")

// measured loads and measures a release, for one input per repo.
func measured(t *testing.T, dir string) []Input {
	t.Helper()
	rel, found, err := release.Load(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	report, err := validate.Run(context.Background(), rel, found, validate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out []Input
	for i := range rel.Repos {
		out = append(out, Input{Repo: rel.Repos[i], Measured: report.Repos[i], Version: rel.Version})
	}
	return out
}

func render(t *testing.T, in Input) Document {
	t.Helper()
	out, err := Render(in)
	if err != nil {
		t.Fatalf("Render: %v", err)
	}
	return out
}

// TestGolden renders releases of every form. The documents keep all rules, carry the mark, and rendering them again changes
// nothing.
func TestGolden(t *testing.T) {
	for _, c := range []struct {
		dir, golden string
		missing     []string
	}{
		{"../../testdata/releases/tea-house", "tea-house", []string{"datePublished"}},
		{"testdata/forms", "forms", []string{"datePublished"}},
		{"testdata/folder", "folder", []string{"url", "creator", "datePublished"}},
	} {
		t.Run(c.golden, func(t *testing.T) {
			for _, in := range measured(t, c.dir) {
				out := render(t, in)
				hold(t, c.golden+"-"+filepath.Base(in.Repo.ID)+".json", out.JSON)
				if diff := cmp.Diff(c.missing, out.Missing); diff != "" {
					t.Errorf("what only people know of %s (-want +got):\n%s", in.Repo.ID, diff)
				}
				if broken := violations(out.JSON); len(broken) > 0 {
					t.Errorf("%s is no valid Croissant:%s", in.Repo.ID, quoteAll(broken))
				}
				in.Old = out.JSON
				if again := render(t, in); !bytes.Equal(again.JSON, out.JSON) || !Marked(out.JSON) {
					t.Errorf("%s: rendered again it differs, or has no mark:\n%s", in.Repo.ID, cmp.Diff(string(out.JSON), string(again.JSON)))
				}
			}
		})
	}
}

func hold(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is not what is rendered; go test -update writes it (-want +got):\n%s", path, diff)
	}
}

// TestRules breaks a valid document in one way at a time: the rules that guard the other tests find it.
func TestRules(t *testing.T) {
	valid := string(render(t, measured(t, "testdata/forms")[0]).JSON)
	if broken := violations([]byte(valid)); len(broken) > 0 {
		t.Fatalf("the document is not valid:%s", quoteAll(broken))
	}
	for _, c := range []struct{ rule, old, new string }{
		{"the context is that of Croissant 1.0", `"recordSet": "cr:recordSet",`, ``},
		{"the context is that of Croissant 1.0", `"sc": "https://schema.org/"`, `"sc": "http://schema.org/"`},
		{"the context is that of Croissant 1.0", `"sc": "https`, `"isArray": "cr:isArray", "sc": "https`},
		{"the type is sc:Dataset", `"sc:Dataset"`, `"Dataset"`},
		{"it conforms to 1.0", `http://mlcommons.org/croissant/1.0`, `https://mlcommons.org/croissant/1.0`},
		{"name and description are texts", `"name": "forms"`, `"name": ""`},
		{"a license is an address", `"license": "https`, `"license": "ftp`},
		{"creators are persons or organizations", `"@type": "sc:Organization"`, `"@type": "Account"`},
		{"ids are unique", `"@id": "nested_splits"`, `"@id": "table_splits"`},
		{"ids are addresses", `"@id": "packed"`, `"@id": "the packed"`},
		{"resources have an encoding", `"encodingFormat": "text/csv"`, `"encodingFormat": ""`},
		{"a FileObject has an address", `"contentUrl"`, `"url"`},
		{"a FileObject has its checksum", `"contentSize": "`, `"contentSize": "about `},
		{"a FileSet includes something", `"includes": [`, `"excludes": [`},
		{"a container is a resource", "\"containedIn\": {\n        \"@id\": \"repo\"", "\"containedIn\": {\n        \"@id\": \"packed\""},
		{"record sets and fields have their type", `"cr:Field"`, `"sc:Field"`},
		{"fields are called after", `"@id": "nested/meta/lang"`, `"@id": "nested_lang"`},
		{"data has the fields as keys", `"nested_splits/split_name": "train"`, `"split_name": "train"`},
		{"a key is a field of its set", "\"key\": {\n        \"@id\": \"nested_splits/split_name\"", "\"key\": {\n        \"@id\": \"nested/id\""},
		{"a leaf has a known type", `"sc:Integer"`, `"sc:Number"`},
		{"a leaf has a source", "\"fileSet\": {\n              \"@id\": \"files-for-config-nested\"", "\"fileSet\": {\n              \"@id\": \"nested\""},
		{"a source extracts one thing", `"column": "id"`, `"columns": "id"`},
		{"a transform does one thing", `"jsonPath": "lang"`, `"lang": "lang"`},
		{"the fields of a set have one source", "\"fileSet\": {\n              \"@id\": \"files-for-config-nested\"", "\"fileSet\": {\n              \"@id\": \"files-for-config-table\""},
		{"references lead to a field", "\"field\": {\n              \"@id\": \"nested_splits/split_name\"", "\"field\": {\n              \"@id\": \"nested_splits\""},
		{"repeated is true", `"repeated": true`, `"repeated": "yes"`},
		{"nothing is of Croissant 1.1", `"repeated": true`, `"isArray": true`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			broken := strings.Replace(valid, c.old, c.new, 1)
			if broken == valid {
				t.Fatalf("the document does not hold %q", c.old)
			}
			if found := violations([]byte(broken)); !strings.Contains(strings.Join(found, "\n"), c.rule) {
				t.Errorf("%q in place of %q is not found out; found:%s", c.new, c.old, quoteAll(found))
			}
		})
	}
}

// top reads the keys of the data set itself.
func top(t *testing.T, document []byte) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal(document, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// tea is a small input: one config, one split of one row.
func tea() Input {
	rows := int64(1)
	return Input{
		Repo: release.Repo{ID: "acme/tea", Type: release.Dataset, Declared: true, License: "mit"},
		Measured: validate.Repo{ID: "acme/tea", Configs: []validate.Config{{
			Name: "default", Features: column.Features{{Name: "id", Type: column.Type{Dtype: "int64"}}},
			Splits: []validate.Split{{Name: "train", Rows: &rows, Files: []validate.File{
				{Path: "data/train.jsonl", Bytes: 9, Rows: &rows, SHA256: strings.Repeat("ab", 32)}}}},
		}}},
	}
}

// TestWrittenByHand: what people know and hfpub does not stays in the document, everything else is made anew.
func TestWrittenByHand(t *testing.T) {
	fresh := string(render(t, tea()).JSON)
	date := func(in *Input) { in.Published = time.Unix(1767312000, 0) }
	renamed := func(in *Input) { in.Repo.ID = "tee/tea" }
	for _, c := range []struct {
		name, old, new string
		change         func(in *Input)
		key            string
		want           any
	}{
		{name: "no date is made up", key: "datePublished", want: nil},
		{name: "a date that is given", change: date, key: "datePublished", want: "2026-01-02"},
		{name: "a date once written", old: `"sdPublisher"`, new: `"datePublished": "2025-05-05", "sdPublisher"`, change: date, key: "datePublished", want: "2025-05-05"},
		{name: "a person as creator", old: `"@type": "sc:Organization",` + "\n" + `    "name": "acme"`, new: `"@type": "sc:Person", "name": "Ada"`,
			key: "creator", want: map[string]any{"@type": "sc:Person", "name": "Ada", "url": "https://huggingface.co/acme"}},
		{name: "the account as creator follows the repo", change: renamed, old: `{`, new: `{`,
			key: "creator", want: map[string]any{"@type": "sc:Organization", "name": "tee", "url": "https://huggingface.co/tee"}},
		{name: "a citation", old: `"sdPublisher"`, new: `"citeAs": "Ada, 2026", "sdPublisher"`, key: "citeAs", want: "Ada, 2026"},
		{name: "a term for responsible AI", old: `"sdPublisher"`, new: `"rai:dataLimitations": "few", "sdPublisher"`, key: "rai:dataLimitations", want: "few"},
		{name: "and what that conforms to", old: `"sdPublisher"`, new: `"rai:dataLimitations": "few", "sdPublisher"`, key: "conformsTo",
			want: []any{"http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"}},
		{name: "a number is not taken over", old: `"9 B"`, new: `"10 B"`, key: "description", want: "tea: a data set of 1 row in 1 config."},
		{name: "no name is taken over", old: `"name": "tea"`, new: `"name": "tee"`, key: "name", want: "tea"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := tea()
			if c.old != "" {
				in.Old = []byte(strings.Replace(fresh, c.old, c.new, 1))
			}
			if c.change != nil {
				c.change(&in)
			}
			out := render(t, in)
			if diff := cmp.Diff(c.want, top(t, out.JSON)[c.key]); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.key, diff)
			}
			if broken := violations(out.JSON); len(broken) > 0 {
				t.Errorf("the document is no valid Croissant:%s", quoteAll(broken))
			}
			in.Old = out.JSON
			if again := render(t, in); !bytes.Equal(again.JSON, out.JSON) {
				t.Errorf("rendered again it differs (-first +second):\n%s", cmp.Diff(string(out.JSON), string(again.JSON)))
			}
		})
	}
}

func TestMarked(t *testing.T) {
	ours := render(t, tea()).JSON
	var flat bytes.Buffer
	if err := json.Compact(&flat, ours); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"as written", string(ours), true},
		{"with other line breaks", flat.String(), true},
		{"cut short behind the mark", string(ours[:bytes.Index(ours, []byte("distribution"))]), true},
		{"of somebody else", strings.Replace(string(ours), `"name": "hfpub"`, `"name": "Ada"`, 1), false},
		{"that speaks of hfpub elsewhere", `{"creator": {"name": "hfpub"}}`, false},
		{"empty", "", false},
	} {
		if got := Marked([]byte(c.text)); got != c.want {
			t.Errorf("a document %s: Marked is %v, expected %v", c.name, got, c.want)
		}
	}
}

func TestBrokenDocument(t *testing.T) {
	for _, c := range []struct {
		text string
		line int
	}{
		{"{\n  \"a\": 1,\n  \"b\" 2\n}", 3}, {"", 1}, {"[1]", 1}, {"{\"a\": 1}\n\n}", 3}, {"{\n", 1},
	} {
		in := tea()
		in.Old = []byte(c.text)
		_, err := Render(in)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Line != c.line {
			t.Errorf("%q: the error is %v, expected one in line %d", c.text, err, c.line)
		}
	}
}

func TestSplitPattern(t *testing.T) {
	for _, c := range []struct {
		name   string
		splits []string
		want   string
	}{
		{"names behind a folder", []string{"train: data/train.jsonl", "test: data/test.jsonl"}, `data/(train|test)(?:[^A-Za-z0-9_].*)?$`},
		{"shards", []string{"train: train-0-of-2.csv train-1-of-2.csv", "test: test.csv"}, `(train|test)(?:[^A-Za-z0-9_].*)?$`},
		{"folders", []string{"train: a/train/1.jsonl a/train/2.jsonl", "test: a/test/1.jsonl"}, `a/(train|test)(?:[^A-Za-z0-9_].*)?$`},
		{"a name that begins another", []string{"train: train.jsonl", "train_extra: train_extra.jsonl"}, `(train_extra|train)(?:[^A-Za-z0-9_].*)?$`},
		{"a name with a point", []string{"v1.0: v1.0/a.jsonl", "v2.0: v2.0/a.jsonl"}, `(v1\.0|v2\.0)(?:[^A-Za-z0-9_].*)?$`},
		{"the name twice", []string{"test: test/test.jsonl", "train: test/train.jsonl"}, `test/(train|test)(?:[^A-Za-z0-9_].*)?$`},
		{"the last part, in folders of their own", []string{"train: x/a-train.jsonl", "test: y/b-test.jsonl"},
			`(?:.*/)?[^/]*?(train|test)(?:[^A-Za-z0-9_][^/]*)?$`},
		{"names that the paths lack", []string{"train: a.jsonl", "test: b.jsonl"}, ""},
		{"a path of the wrong name", []string{"train: test.jsonl", "test: train.jsonl"}, ""},
		{"a file in two splits", []string{"train: train.jsonl", "test: train.jsonl"}, ""},
		{"no files", []string{"train:"}, ""},
		{"one split", []string{"train: train.jsonl"}, `(train)(?:[^A-Za-z0-9_].*)?$`},
		{"one split of another name", []string{"train: data.jsonl"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := splitPattern(splitsOf(c.splits)); got != c.want {
				t.Errorf("the pattern is %q, expected %q", got, c.want)
			}
		})
	}
}

// splitsOf makes splits from lines of `name: file file`.
func splitsOf(lines []string) []validate.Split {
	var out []validate.Split
	for _, line := range lines {
		name, files, _ := strings.Cut(line, ":")
		split := validate.Split{Name: name}
		for _, file := range strings.Fields(files) {
			split.Files = append(split.Files, validate.File{Path: file})
		}
		out = append(out, split)
	}
	return out
}

func TestEncoding(t *testing.T) {
	one, two := int64(1), int64(2)
	data, odd := "data", "the rows"
	lines, csv := encoding{format: "application/jsonlines"}, encoding{format: "text/csv"}
	for _, c := range []struct {
		name  string
		files []validate.File
		want  encoding
	}{
		{"JSON Lines", []validate.File{{Path: "a.jsonl"}, {Path: "b.ndjson"}}, lines},
		{"gzip is unpacked by name", []validate.File{{Path: "a.jsonl.gz"}, {Path: "b.jsonl"}}, lines},
		{"other packings are not", []validate.File{{Path: "a.csv.zst"}}, encoding{format: "application/zstd"}},
		{"tables", []validate.File{{Path: "A.CSV"}}, csv},
		{"tables with tabs", []validate.File{{Path: "a.tsv"}}, encoding{format: "text/tab-separated-values"}},
		{"Parquet", []validate.File{{Path: "a.parquet"}}, encoding{format: "application/x-parquet"}},
		{"an array", []validate.File{{Path: "a.json", Array: true, Rows: &two}}, encoding{"application/json", "$[*]"}},
		{"an array under a field", []validate.File{{Path: "a.json", Under: &data, Rows: &two}}, encoding{"application/json", "$.data[*]"}},
		{"a field in a file called JSON Lines", []validate.File{{Path: "a.jsonl", Under: &odd, Rows: &two}}, encoding{"application/json", "$['the rows'][*]"}},
		{"an object", []validate.File{{Path: "a.json", Rows: &one}}, encoding{"application/json", "$"}},
		{"JSON Lines called JSON", []validate.File{{Path: "a.json", Rows: &two}, {Path: "b.json", Rows: &one}}, lines},
		{"the other way around", []validate.File{{Path: "b.json", Rows: &one}, {Path: "a.json", Rows: &two}}, lines},
		{"JSON that could not be read", []validate.File{{Path: "a.json"}}, encoding{format: "application/json"}},
		{"several", []validate.File{{Path: "a.csv"}, {Path: "a.jsonl"}}, encoding{}},
		{"an unknown one", []validate.File{{Path: "LICENSE"}}, encoding{format: "application/octet-stream"}},
		{"none", nil, encoding{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := common(c.files); got != c.want {
				t.Errorf("the encoding is %+v, expected %+v", got, c.want)
			}
		})
	}
}

// TestIncludes: a pattern of hfpub.yaml stands only where readers, whose * crosses slashes, find the same files by it.
func TestIncludes(t *testing.T) {
	for _, c := range []struct {
		name     string
		patterns []string
		files    []string
		others   []string
		want     severals
	}{
		{"a pattern", []string{"data/*.jsonl"}, []string{"data/a.jsonl", "data/b.jsonl"}, []string{"README.md"}, severals{"data/*.jsonl"}},
		{"a pattern that would find more below", []string{"data/*.jsonl"}, []string{"data/a.jsonl"}, []string{"data/old/a.jsonl"}, severals{"data/a.jsonl"}},
		{"a pattern that would find less", []string{"data/**/*.jsonl"}, []string{"data/a.jsonl"}, nil, severals{"data/a.jsonl"}},
		{"a pattern that would find this document", []string{"*.json"}, []string{"a.json"}, nil, severals{"a.json"}},
		{"a path written in another way", []string{"./data//a.jsonl"}, []string{"data/a.jsonl"}, nil, severals{"data/a.jsonl"}},
		{"a class", []string{"[ab].jsonl"}, []string{"a.jsonl", "b.jsonl"}, nil, severals{"a.jsonl", "b.jsonl"}},
		{"no pattern", nil, []string{"what?[1]*.jsonl"}, nil, severals{"what[?][[]1][*].jsonl"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			split := validate.Split{Name: "train"}
			in := Input{Repo: release.Repo{Configs: []release.Config{{Name: "default", Splits: []release.Split{{Name: "train", Patterns: c.patterns}}}}}}
			for _, file := range c.files {
				split.Files = append(split.Files, validate.File{Path: file})
				in.Repo.Tree = append(in.Repo.Tree, release.TreeFile{Path: file})
			}
			for _, file := range c.others {
				in.Repo.Tree = append(in.Repo.Tree, release.TreeFile{Path: file})
			}
			config := validate.Config{Name: "default", Splits: []validate.Split{split}}
			in.Measured.Configs = []validate.Config{config}
			if diff := cmp.Diff(c.want, newBuilder(&in).includes(tables(config)[0])); diff != "" {
				t.Errorf("includes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFnmatch(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"data/*.jsonl", "data/a.jsonl", true}, {"data/*.jsonl", "data/b/a.jsonl", true}, {"data/*.jsonl", "data/a.jsonl.gz", false},
		{"*a*b*", "xaxbxab", true}, {"*a*b", "ba", false}, {"a?c", "aéc", true}, {"a?c", "ac", false}, {"*??", "é", false},
		{"", "", true}, {"", "a", false}, {"*", "", true}, {"**", "a/b", true}, {"a.c", "abc", false}, {"{a,b}", "{a,b}", true},
	} {
		if got := fnmatch(c.pattern, c.name); got != c.want {
			t.Errorf("%q matches %q: %v, expected %v", c.pattern, c.name, got, c.want)
		}
	}
}

func TestIDs(t *testing.T) {
	taken := ids{}
	for _, c := range []struct {
		under, name string
		path        bool
		want        string
	}{
		{"", "repo", false, "repo"}, {"", "repo", false, "repo_0"}, {"", "repo", false, "repo_0_0"},
		{"", "data/a b.jsonl", true, "data/a_b.jsonl"}, {"", "data/a:b.jsonl", true, "data/a_b.jsonl_0"},
		{"set", "größe", false, "set/gr__e"}, {"set", "gröse", false, "set/gr_se"}, {"set", "größe!", false, "set/gr__e_"},
		{"set", "a/b", false, "set/a_b"}, {"set", "", false, "set/_"}, {"set", "..", false, "set/__"}, {"", "./x", true, "_/x"},
		{"", "e", false, "e"},
	} {
		if got := taken.claim(c.under, c.name, c.path); got != c.want || !isID(got) {
			t.Errorf("the id of %q under %q is %q, expected %q", c.name, c.under, got, c.want)
		}
	}
}

func TestJSONPath(t *testing.T) {
	for _, c := range []struct{ path, name, want string }{
		{"", "lang", "lang"}, {"meta", "lang", "meta.lang"}, {"[*]", "role", "[*].role"}, {"$[*]", "id", "$[*].id"},
		{"", "my key", "['my key']"}, {"meta", "it's", `meta['it\'s']`}, {"", `back\slash`, `['back\\slash']`},
		{"", "where", "['where']"}, {"", "0", "['0']"}, {"", "größe", "['größe']"}, {"", "", "['']"},
	} {
		if got := joined(c.path, c.name); got != c.want {
			t.Errorf("%q below %q is %q, expected %q", c.name, c.path, got, c.want)
		}
	}
}

// TestTypes: every dtype has a type of Croissant, or is left out and named.
func TestTypes(t *testing.T) {
	scalar := func(dtype string) column.Type { return column.Type{Dtype: dtype} }
	for _, c := range []struct {
		dtype column.Type
		kinds string
		want  string
	}{
		{dtype: scalar("int8"), want: "sc:Integer"}, {dtype: scalar("uint64"), want: "sc:Integer"}, {dtype: scalar("float64"), want: "sc:Float"},
		{dtype: scalar("bool"), want: "sc:Boolean"}, {dtype: scalar("string"), want: "sc:Text"}, {dtype: scalar("large_string"), want: "sc:Text"},
		{dtype: scalar("timestamp[s]"), want: "sc:DateTime"}, {dtype: scalar("timestamp[us, tz=UTC]"), want: "sc:DateTime"},
		{dtype: scalar("date32"), want: "sc:Date"}, {dtype: scalar("time64[us]"), want: "sc:Time"}, {dtype: scalar("fixed_size_binary[3]"), want: "sc:Text"},
		{dtype: column.Type{ClassLabel: []string{"a", "b"}}, kinds: "integer", want: "sc:Integer"},
		{dtype: column.Type{ClassLabel: []string{"a", "b"}}, kinds: "string", want: "sc:Text"},
		{dtype: scalar("json")}, {dtype: scalar("null")}, {dtype: scalar("decimal128(4, 2)")}, {dtype: scalar("duration[s]")}, {dtype: scalar("image")},
		{dtype: column.Type{Struct: []column.Feature{}}}, {dtype: column.Type{Struct: []column.Feature{{Name: "x", Type: scalar("null")}}}},
	} {
		t.Run(fmt.Sprint(c.dtype, c.kinds), func(t *testing.T) {
			in := tea()
			config := &in.Measured.Configs[0]
			config.Features = append(config.Features, column.Feature{Name: "x", Type: c.dtype})
			config.Fields = []column.Field{{Pointer: "/x", Kinds: []column.KindCount{{Kind: c.kinds}}}}
			document := render(t, in).JSON
			if broken := violations(document); len(broken) > 0 {
				t.Errorf("the document is no valid Croissant:%s", quoteAll(broken))
			}
			got := ""
			for _, f := range newDocument(top(t, document)).fields {
				if f["@id"] == "default/x" {
					got = str(f["dataType"])
				}
			}
			if got != c.want {
				t.Errorf("the type is %q, expected %q", got, c.want)
			}
			if named := strings.Contains(string(document), "Left out, since Croissant has no type for them: \\\"x"); named != (c.want == "") {
				t.Errorf("the description names the column as left out: %v, expected %v", named, c.want == "")
			}
		})
	}
}

func TestLicense(t *testing.T) {
	for _, c := range []struct {
		name string
		repo release.Repo
		want any
	}{
		{"of SPDX", release.Repo{License: "apache-2.0"}, "https://spdx.org/licenses/Apache-2.0.html"},
		{"of Creative Commons", release.Repo{License: "cc-by-nc-sa-4.0"}, "https://spdx.org/licenses/CC-BY-NC-SA-4.0.html"},
		{"without a version", release.Repo{License: "odc-by"}, work{"sc:CreativeWork", "odc-by"}},
		{"other with an address", release.Repo{License: "other", LicenseName: "Acme", LicenseLink: "https://acme.example/license"}, "https://acme.example/license"},
		{"other with a file", release.Repo{ID: "acme/tea", Declared: true, License: "other", LicenseLink: "LICENSE", Tree: []release.TreeFile{{Path: "LICENSE"}}},
			"https://huggingface.co/datasets/acme/tea/resolve/main/LICENSE"},
		{"other with a file that is not there", release.Repo{Declared: true, License: "other", LicenseName: "Acme", LicenseLink: "LICENSE"}, work{"sc:CreativeWork", "Acme"}},
		{"none", release.Repo{}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, (&Input{Repo: c.repo}).license(), cmp.AllowUnexported(work{})); diff != "" {
				t.Errorf("license (-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzOld: whatever stands in an old document, the new one is valid JSON with all keys of hfpub, or there is an error with a
// line.
func FuzzOld(f *testing.F) {
	f.Add([]byte(`{"@type": "sc:Dataset", "sdPublisher": {"name": "hfpub"}, "datePublished": "2026-01-02", "recordSet": []}`))
	f.Add([]byte("{\n\"creator\": {\n"))
	f.Add([]byte(`{"creator": 1, "creator": {"@type": "sc:Person"}, "@context": [], "x": "<&>\u2028", "rai:x": null}`))
	f.Add([]byte(`{} {}`))
	f.Fuzz(func(t *testing.T, old []byte) {
		in := tea()
		in.Old = old
		out, err := Render(in)
		var syntax *SyntaxError
		if err != nil {
			if !errors.As(err, &syntax) || syntax.Line < 1 {
				t.Fatalf("the error has no line: %v", err)
			}
			return
		}
		keys := top(t, out.JSON)
		if keys["@type"] != typeOfSet || keys["recordSet"] == nil || !Marked(out.JSON) {
			t.Errorf("the document lacks what hfpub writes:\n%s", out.JSON)
		}
		in.Old = out.JSON
		if again := render(t, in); !bytes.Equal(again.JSON, out.JSON) {
			t.Errorf("rendered again it differs (-first +second):\n%s", cmp.Diff(string(out.JSON), string(again.JSON)))
		}
	})
}

// FuzzNames: whatever configs, splits, columns and files are called, the document is valid.
func FuzzNames(f *testing.F) {
	f.Add("default", "train", "test", "id", "meta", "data/train.jsonl", "data/test.jsonl")
	f.Add("repo", "a", "a_0", "split", "split_0", "repo", "files-for-config-repo")
	f.Add("x y", "", "..", "", ".", "a//b:c", "%2F/?#")
	f.Add("tea", "(", "[", "'", `\`, "*", "?")
	f.Fuzz(func(t *testing.T, config, split, other, col, sub, file, second string) {
		in := tea()
		c := &in.Measured.Configs[0]
		c.Name = config
		text := column.Type{Dtype: "string"}
		object := column.Type{Struct: []column.Feature{{Name: col, Type: text}, {Name: sub, Type: column.Type{List: &text}}}}
		c.Features = append(c.Features, column.Feature{Name: col, Type: object}, column.Feature{Name: sub, Type: column.Type{List: &object}})
		sum := strings.Repeat("0", 64)
		c.Splits = []validate.Split{
			{Name: split, Files: []validate.File{{Path: file, SHA256: sum}}}, {Name: other, Files: []validate.File{{Path: second, SHA256: sum}}},
		}
		in.Measured.Configs = append(in.Measured.Configs, validate.Config{Name: config + "_splits", Splits: c.Splits})
		if broken := violations(render(t, in).JSON); len(broken) > 0 {
			t.Errorf("the document is no valid Croissant:%s", quoteAll(broken))
		}
	})
}

// Configs of Parquet files, and of rows under a field, are valid too, and their fields are found where they are.
func TestParquetAndFields(t *testing.T) {
	rows, key := int64(2), "data"
	text, number := column.Type{Dtype: "string"}, column.Type{Dtype: "int64"}
	turn := column.Type{Struct: []column.Feature{{Name: "role", Type: text}, {Name: "n", Type: number}}}
	features := column.Features{
		{Name: "id", Type: number},
		{Name: "tags", Type: column.Type{List: &text}},
		{Name: "meta", Type: column.Type{Struct: []column.Feature{{Name: "lang", Type: text}}}},
		{Name: "turns", Type: column.Type{List: &turn}},
	}
	config := func(name string, file validate.File) validate.Config {
		file.Bytes, file.Rows, file.SHA256 = 9, &rows, strings.Repeat("ab", 32)
		return validate.Config{Name: name, Features: features, Splits: []validate.Split{{Name: "train", Rows: &rows, Files: []validate.File{file}}}}
	}
	for _, c := range []struct {
		name string
		file validate.File
		want map[string]string
	}{
		{"Parquet", validate.File{Path: "data/train-00000-of-00001.parquet"}, map[string]string{
			"id": `{"column":"id"}`, "tags": `{"column":"tags"}`, "lang": `{"column":"meta"} {"jsonPath":"lang"}`, "role": `{"column":"turns"} {"jsonPath":"role"}`}},
		{"a field", validate.File{Path: "train.json", Under: &key}, map[string]string{
			"id": `{"jsonPath":"$.data[*].id"}`, "tags": `{"jsonPath":"$.data[*].tags"}`, "lang": `{"jsonPath":"$.data[*].meta"} {"jsonPath":"lang"}`,
			"role": `{"jsonPath":"$.data[*].turns"} {"jsonPath":"role"}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := tea()
			in.Measured.Configs = []validate.Config{config("default", c.file)}
			out := render(t, in)
			if broken := violations(out.JSON); len(broken) > 0 {
				t.Fatalf("no valid Croissant:%s", quoteAll(broken))
			}
			var root map[string]any
			if err := json.Unmarshal(out.JSON, &root); err != nil {
				t.Fatal(err)
			}
			found := map[string]string{}
			for _, f := range newDocument(root).fields {
				source, ok := f["source"].(map[string]any)
				if !ok {
					continue
				}
				text, _ := json.Marshal(source["extract"])
				if source["transform"] != nil {
					step, _ := json.Marshal(source["transform"])
					text = append(append(text, ' '), step...)
				}
				found[str(f["name"])] = string(text)
			}
			for name, want := range c.want {
				if found[name] != want {
					t.Errorf("field %s is found by %s, want %s", name, found[name], want)
				}
			}
		})
	}
}
