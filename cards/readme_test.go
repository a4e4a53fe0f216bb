package cards

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/cards/yamlout"
	"github.com/hfpub/hfpub/schemas/frontmatter"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/finding"
)

const owls = `---
pretty_name: "Owl calls 🦉"
# agreed with the donors, do not change
license: cc-by-4.0
extra_gated_prompt: "You agree to credit the recorders: see below."
custom_key: {a: 1, b: [x, y]}
configs:
- config_name: default
  data_files:
  - split: train
    path: data/train.jsonl
---

# Owl calls

<!-- reviewed by the release group, keep -->

and a line with two trailing spaces  
end.`

const owlsInfo = `size_categories:
- n<1K
dataset_info:
  features:
  - name: id
    dtype: int64
  - name: call
    dtype: string
  splits:
  - name: train
    num_bytes: 16
    num_examples: 2
  download_size: 20
  dataset_size: 16
`

func TestPlainFolderKeepsItsCard(t *testing.T) {
	in := folder(owls)
	out := render(t, in)
	want := strings.Replace(owls, "\n---\n\n#", "\n"+owlsInfo+"---\n\n#", 1)
	if diff := cmp.Diff(want, string(out.file(t, ReadmePath))); diff != "" {
		t.Errorf("only dataset_info and size_categories should be added (-want +got):\n%s", diff)
	}
	again(t, in, out)
}

func TestLineEndsOfTheCardStay(t *testing.T) {
	in := folder(strings.ReplaceAll(owls, "\n", "\r\n"))
	out := render(t, in)
	got := out.file(t, ReadmePath)
	if bytes.Count(got, []byte("\n")) != bytes.Count(got, []byte("\r\n")) {
		t.Errorf("a line ends in LF alone in %q", got)
	}
	again(t, in, out)

	in = declared()
	in.README = []byte("---\r\nlicense: mit\r\n---\r\n")
	in.SchemaMD = []byte("# Mine\r\n")
	out = render(t, in)
	for _, f := range out.Files {
		if bytes.Count(f.New, []byte("\n")) != bytes.Count(f.New, []byte("\r\n")) {
			t.Errorf("a line of %s ends in LF alone in %q", f.Path, f.New)
		}
	}
	again(t, in, out)
}

// What a front matter says already is left as it is written.
func TestEquivalentValuesKeepTheirBytes(t *testing.T) {
	tests := []struct{ name, head string }{
		{"as hfpub writes it", "configs:\n- config_name: default\n  data_files:\n  - split: train\n    path: data/train.jsonl\n" + owlsInfo},
		{"in flow style", `size_categories: n<1K # by hand
dataset_info: {splits: [{num_examples: 2, num_bytes: 16, name: "train"}], features: [{dtype: int64, name: id}, {name: call, dtype: string}],
  dataset_size: 16, download_size: 20}
configs: [{config_name: default, data_files: [{path: data/train.jsonl, split: train}]}]
`},
		{"as a list with config_name", "size_categories: [ 'n<1K' ]\n" +
			"configs: [{config_name: default, data_files: data/train.jsonl}]\ndataset_info:\n" +
			"- config_name: default\n  features:\n    - {name: id, dtype: int64}\n    - {name: call, dtype: string}\n" +
			"  splits:\n    - {name: train, num_bytes: 16, num_examples: 2}\n  download_size: 20\n  dataset_size: 16\n"},
		{"with keys that hfpub does not write", strings.Replace(owlsInfo, "  splits:", "  license: mit\n  splits:", 1) +
			"configs:\n- config_name: default\n  data_dir: data\n  sep: \"=\"\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			readme := "---\n" + tt.head + "---\n# Owls\n"
			out := render(t, folder(readme))
			if diff := cmp.Diff(readme, string(out.file(t, ReadmePath))); diff != "" {
				t.Errorf("nothing should change (-want +got):\n%s", diff)
			}
		})
	}
}

// Old spellings of features mean the same as new ones; a spelling that some reader takes for something else does not.
func TestSpellingsOfFeatures(t *testing.T) {
	features := func(text string) string {
		return "---\nconfigs: [{config_name: default, data_files: x}]\nsize_categories: [n<1K]\ndataset_info:\n  features:\n" + text +
			"  splits:\n  - name: train\n    num_bytes: 16\n    num_examples: 2\n  download_size: 20\n  dataset_size: 16\n---\n# Owls\n"
	}
	label := func(list, names string) string {
		return "  - name: tags\n    " + list + ": string\n  - {name: label, dtype: {class_label: {names: " + names + "}}}\n"
	}
	tests := []struct {
		name, text string
		kept       bool
	}{
		{"sequence for list", label("sequence", `{'0': a, '1': b}`), true},
		{"label ids as numbers", label("list", `{0: a, 1: b}`), false},
		{"another label", label("list", `{'0': a, '1': c}`), false},
		{"a name that YAML 1.1 misreads", label("list", `[a, off]`), false},
		{"the same in quotes", label("list", `[a, "off"]`), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := folder(features(tt.text))
			in.Measured.Configs[0].Features = column.Features{
				{Name: "tags", Type: column.Type{List: &column.Type{Dtype: "string"}}},
				{Name: "label", Type: column.Type{ClassLabel: []string{"a", "b"}}},
			}
			if strings.Contains(tt.text, "off") {
				in.Measured.Configs[0].Features[1].Type.ClassLabel[1] = "off"
			}
			out := render(t, in)
			if got := string(out.file(t, ReadmePath)) == string(in.README); got != tt.kept {
				t.Errorf("kept as it is: %v, expected %v:\n%s", got, tt.kept, out.file(t, ReadmePath))
			}
			again(t, in, out)
		})
	}
}

func TestStaleValuesAreReplaced(t *testing.T) {
	const stale = `---
license: mit
dataset_info:
  features:
  - name: id
    dtype: string
  splits:
  - name: train
    num_examples: 3
  - name: gone
    num_examples: 1
  homepage: https://example.org
size_categories:
- 1k<n<10k # wrong
# below
tags: [a]
---
# Owls
`
	const want = `---
license: mit
dataset_info:
  features:
  - name: id
    dtype: int64
  - name: call
    dtype: string
  splits:
  - name: train
    num_bytes: 16
    num_examples: 2
  download_size: 20
  dataset_size: 16
  homepage: https://example.org
size_categories:
- n<1K
# below
tags: [a]
configs:
- config_name: default
  data_files:
  - split: train
    path: data/train.jsonl
---
# Owls
`
	in := folder(stale)
	out := render(t, in)
	if diff := cmp.Diff(want, string(out.file(t, ReadmePath))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	again(t, in, out)
}

// A config whose files hfpub does not read keeps what its card says; one without rows counts for nothing.
func TestWhatWasNotMeasuredIsNotSaid(t *testing.T) {
	in := declared()
	in.README = []byte("---\nsize_categories: [100K<n<1M]\ndataset_info:\n" +
		"- config_name: socratic\n  features: [{name: picture, dtype: image}]\n- config_name: old\n---\n# A\n")
	in.Measured.Configs[1].Splits[0].Rows = nil
	in.Measured.Configs[0].Splits[1].NumBytes = nil
	got := string(render(t, in).file(t, ReadmePath))
	for _, want := range []string{
		"size_categories: [100K<n<1M]\n", "- config_name: socratic\n  features:\n  - name: picture\n    dtype: image\n",
		"  - name: test\n    num_examples: 1319\n  download_size: 87920\n- ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("expected %q in\n%s", want, got)
		}
	}
	for _, gone := range []string{"config_name: old", "dataset_size"} {
		if strings.Contains(got, gone) {
			t.Errorf("%q should be gone from\n%s", gone, got)
		}
	}
}

func TestDeclaredRepoGetsItsBlocks(t *testing.T) {
	const hand = `---
# by hand
language: [no, en]
license:
- mit
configs:
- config_name: main
  sep: ";"
  header: no
  data_dir: main
  data_files: train.jsonl
---
# By hand

Text.
`
	in := declared()
	in.README = []byte(hand)
	in.SchemaMD = []byte("# Fields\n\nWritten by Ann.\n")
	out := render(t, in)
	golden(t, "existing/declared/README.md", out.file(t, ReadmePath))
	golden(t, "existing/declared/schema.md", out.file(t, SchemaPath))
	again(t, in, out)

	in.README, in.SchemaMD = out.file(t, ReadmePath), out.file(t, SchemaPath)
	in.Repo.Card.Sections = []release.Section{{Heading: "Uses", Text: "Evaluation only."}, {Heading: "Bias", Text: "Some."}}
	out = render(t, in)
	golden(t, "existing/changed/README.md", out.file(t, ReadmePath))
	again(t, in, out)
}

// Without a word in hfpub.yaml the default config stays the one that people chose.
func TestDefaultConfigByHand(t *testing.T) {
	in := declared()
	in.Repo.Configs[0].Default = false
	in.README = []byte("---\nconfigs:\n- config_name: socratic\n  default: true\n---\n# A\n")
	if got := string(render(t, in).file(t, ReadmePath)); !strings.Contains(got, "    path: socratic/*.jsonl\n  default: true\n") {
		t.Errorf("default: true is lost:\n%s", got)
	}
	in.Repo.Configs[0].Default = true
	got := string(render(t, in).file(t, ReadmePath))
	if strings.Count(got, "default: true") != 1 || !strings.Contains(got, "- config_name: main\n  default: true\n") {
		t.Errorf("the default config should be main alone:\n%s", got)
	}
}

// A block stays where its reader put it, and so does the text around it.
func TestBlocksAreUpdatedInPlace(t *testing.T) {
	const above = "# Owls\n\n<!-- hfpub:begin data -->\n"
	const below = "<!-- hfpub:end data -->\n\nBy hand, below.\n<!-- mine --><!-- not ours -->\n"
	in := folder(above + "old\n" + below)
	out := render(t, in)
	got := string(out.file(t, ReadmePath))
	if !strings.Contains(got, "---\n\n"+above) || !strings.HasSuffix(got, below) {
		t.Errorf("the text around the block changed:\n%s", got)
	}
	if strings.Contains(got, "old") || !strings.Contains(got, "### Data Splits") {
		t.Errorf("the block was not brought up to date:\n%s", got)
	}
	again(t, in, out)
}

func TestFaultsThatAreRepaired(t *testing.T) {
	tests := []struct{ name, have, want string }{
		{"words that YAML 1.1 misreads", "language:\n- no\n- nb\nlicense: mit\ntags:\n- on # why\n- \"off\"\n",
			"language:\n- \"no\"\n- nb\nlicense: mit\ntags:\n- \"on\" # why\n- \"off\"\n"},
		{"in a flow list", "tags: [on, 1:20, a]\n", "tags: [\"on\", \"1:20\", a]\n"},
		{"a date for a name", "pretty_name: 2024-01-02\n", "pretty_name: \"2024-01-02\"\n"},
		{"names of configs and splits", "configs:\n- config_name: on\n  header: no\n  data_files:\n  - split: off\n    path: [no, a]\n",
			"configs:\n- config_name: \"on\"\n  header: no\n  data_files:\n  - split: \"off\"\n    path: [\"no\", a]\n"},
		{"not where a boolean may be meant", "viewer: no\nextra_gated_fields: {yes: checkbox}\n", "viewer: no\nextra_gated_fields: {yes: checkbox}\n"},
		{"tabs at the ends of lines", "license: apache-2.0\t\nlanguage:\n- en \t \n", "license: apache-2.0\nlanguage:\n- en\n"},
		{"tabs beside values", "license:\tmit\ntags: [a]\t# why\n", "license: mit\ntags: [a] # why\n"},
		{"tabs in texts and comments stay", "a: \"x\t\"\nb: |\n  y\t\n  z\n# c\t\n", "a: \"x\t\"\nb: |\n  y\t\n  z\n# c\t\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, eol := range []string{"\n", "\r\n"} {
				in := Input{Repo: release.Repo{ID: "x", Type: release.Dataset}}
				in.README = []byte(strings.ReplaceAll("---\n"+tt.have+"---\n# X\n", "\n", eol))
				want := strings.ReplaceAll("---\n"+tt.want+"---\n# X\n", "\n", eol)
				in.Repo.Configs = []release.Config{}
				out := render(t, in)
				if diff := cmp.Diff(want, string(out.file(t, ReadmePath))); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				again(t, in, out)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	section := func(text string) func(*Input) {
		return func(in *Input) {
			in.Repo.Card.Sections = []release.Section{{Heading: "Uses", Text: text}}
		}
	}
	readme := func(text string) func(*Input) { return func(in *Input) { in.README = []byte(text) } }
	schema := func(text string) func(*Input) { return func(in *Input) { in.SchemaMD = []byte(text) } }
	tests := []struct {
		name   string
		change func(*Input)
		code   finding.Code
		path   string
		line   int
	}{
		{"not UTF-8", readme("---\nlicense: mit\n---\nna\xefve\n"), finding.CardUTF8, "README.md", 4},
		{"UTF-16", readme("\xff\xfe-\x00-\x00-\x00"), finding.CardUTF8, "README.md", 1},
		{"byte order mark", readme("\ufeff---\nlicense: mit\n---\n"), finding.CardFrontMatter, "README.md", 1},
		{"byte order mark without block", readme("\ufeff# X\n"), finding.CardFrontMatter, "README.md", 1},
		{"broken YAML", readme("---\nlicense: mit\ntags: [a\n---\n# X\n"), finding.CardFrontMatter, "README.md", 3},
		{"a list", readme("---\n- a\n---\n# X\n"), finding.CardFrontMatter, "README.md", 2},
		{"blank after the dashes", readme("--- \nlicense: mit\n---\n"), finding.CardFrontMatter, "README.md", 1},
		{"never closed", readme("---\nlicense: mit\n"), finding.CardFrontMatter, "README.md", 1},
		{"a key twice", readme("---\nlicense: mit\nlicense: mit\n---\n"), finding.CardDuplicateKey, "README.md", 3},
		{"in braces", readme("---\n{license: mit}\n---\n"), finding.CardFrontMatter, "README.md", 2},
		{"an anchor that another key needs", readme("---\nsize_categories: &a [x]\ntags: *a\n---\n"), finding.CardFrontMatter, "README.md", 2},
		{"block without end", readme("---\nlicense: mit\n---\n\n<!-- hfpub:begin data -->\n"), finding.CardMarkers, "README.md", 5},
		{"end without block", readme("<!-- hfpub:end data -->\n"), finding.CardMarkers, "README.md", 1},
		{"block twice", readme(strings.Repeat("<!-- hfpub:begin data -->\n<!-- hfpub:end data -->\n", 2)), finding.CardMarkers, "README.md", 3},
		{"broken markers in schema.md", schema("a\n<!-- hfpub:begin schema -->\n"), finding.CardMarkers, "schema.md", 2},
		{"schema.md not UTF-8", schema("a\n\xff"), finding.CardUTF8, "schema.md", 2},
		{"a marker in a section", section("a\n<!-- hfpub:end data -->\n"), finding.CardMarkers, "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := declared()
			tt.change(&in)
			out, err := Render(in)
			var refusal *Refusal
			if !errors.As(err, &refusal) {
				t.Fatalf("Render gave %v, expected a refusal", err)
			}
			if len(out.Files) > 0 {
				t.Errorf("a refused card has files to write: %v", out.Files)
			}
			f := refusal.Findings[0]
			if f.Code != tt.code || f.Path != tt.path || f.Line != tt.line || f.Repo != "acme/gsm8k" || f.Severity != finding.Error {
				t.Errorf("got %s %s at %s, repo %q, expected %s at %s:%d: %v", f.Severity, f.Code, f.Where(), f.Repo, tt.code, tt.path, tt.line, err)
			}
		})
	}
}

// Lines are those of the file, not of the text below its front matter.
func TestBothBlocksOfANameAreNamedByTheirLines(t *testing.T) {
	in := declared()
	in.README = []byte("---\nlicense: mit\n---\n" + strings.Repeat("<!-- hfpub:begin data -->\n<!-- hfpub:end data -->\n", 2))
	_, err := Render(in)
	var refusal *Refusal
	if !errors.As(err, &refusal) {
		t.Fatalf("Render gave %v, expected a refusal", err)
	}
	f := refusal.Findings[0]
	if want := `the block "data" begins a second time; the first is on line 4`; f.Line != 6 || f.Message != want {
		t.Errorf("got line %d: %s, expected line 6: %s", f.Line, f.Message, want)
	}
}

func TestNothingKnownNothingWritten(t *testing.T) {
	in := Input{Repo: release.Repo{ID: "x", Type: release.Dataset}, Measured: validate.Repo{ID: "x"}}
	if out := render(t, in); len(out.Files) > 0 {
		t.Errorf("an empty folder got %v", out.Files)
	}
	in.README = []byte("# X\r\nhand")
	for _, f := range render(t, in).Files {
		if f.Changed() {
			t.Errorf("%s changed to %q", f.Path, f.New)
		}
	}
}

// Names that the loader takes for patterns are written so that they match themselves.
func TestPathsOfAPlainFolderAreLiteral(t *testing.T) {
	in := folder("")
	in.Repo.Configs[0].Splits[0].Files = []string{"data/a[1]*.jsonl", "data/no"}
	got := string(render(t, in).file(t, ReadmePath))
	want := "    path:\n    - data/a[[]1][*].jsonl\n    - data/no\n"
	if !strings.Contains(got, want) {
		t.Errorf("expected %q in\n%s", want, got)
	}
}

func TestCheck(t *testing.T) {
	info := strings.Replace(owls, "\n---\n\n#", "\n"+owlsInfo+"---\n\n#", 1)
	tests := []struct {
		name, readme string
		line         int
		says         string
	}{
		{"a stale number", strings.Replace(info, "num_examples: 2", "num_examples: 3", 1), 23,
			"the line is `    num_examples: 3`, expected `    num_examples: 2`"},
		{"a missing key", strings.Replace(info, "size_categories:\n- n<1K\n", "", 1), 24, "the line is `---`, expected `size_categories:`"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := folder(tt.readme)
			in.SchemaMD = render(t, in).file(t, SchemaPath)
			out := render(t, in)
			found := out.Check()
			where := fmt.Sprintf("README.md:%d", tt.line)
			if len(found) != 1 || found[0].Code != finding.CardOutOfDate || found[0].Where() != where || found[0].Message != tt.says {
				t.Errorf("got %+v, expected one finding on line %d: %s", found, tt.line, tt.says)
			}
		})
	}
	out := render(t, declared())
	found := out.Check()
	if len(found) != 2 || found[0].Message != "README.md does not exist" || found[1].Path != "schema.md" || found[1].Repo != "acme/gsm8k" {
		t.Errorf("without files got %+v, expected that both do not exist", found)
	}
}

func TestWrite(t *testing.T) {
	in := folder(owls)
	in.Repo.Dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(in.Repo.Dir, ReadmePath), in.README, 0o644); err != nil {
		t.Fatal(err)
	}
	out := render(t, in)
	if got, _ := os.ReadFile(filepath.Join(in.Repo.Dir, ReadmePath)); string(got) != owls {
		t.Error("Render wrote to README.md")
	}
	if err := out.Write(); err != nil {
		t.Fatal(err)
	}
	for _, f := range out.Files {
		if got, err := os.ReadFile(filepath.Join(in.Repo.Dir, f.Path)); err != nil || !bytes.Equal(got, f.New) {
			t.Errorf("%s holds %q, %v", f.Path, got, err)
		}
	}
}

// sharedCards lists real cards, kept outside the project.
func sharedCards(t testing.TB) []string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
	}
	cards, _ := filepath.Glob(filepath.Join(dir, "..", "shared", "data", "cards", "*.md"))
	cards = slices.DeleteFunc(cards, func(path string) bool { return filepath.Base(path) == "SOURCE.md" })
	if len(cards) == 0 {
		t.Skip("the real cards in ../shared/data/cards are not here")
	}
	return cards
}

// Real cards keep their text, their keys in their order, and every line of a key that is not hfpub's.
func TestRealCards(t *testing.T) {
	for _, path := range sharedCards(t) {
		readme, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			for _, in := range []Input{folder(""), declared()} {
				in.README = readme
				in.Repo.License, in.Repo.Card = "", release.Card{}
				out, err := Render(in)
				var refusal *Refusal
				if errors.As(err, &refusal) {
					t.Logf("refused: %v", err)
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				got := out.file(t, ReadmePath)
				keepsText(t, readme, got, in.Repo.Declared)
				keepsKeys(t, readme, got)
				again(t, in, out)
			}
		})
	}
}

// keepsText compares the text below the front matter; a declared repo has blocks behind it.
func keepsText(t *testing.T, before, after []byte, declared bool) {
	t.Helper()
	old, _ := frontmatter.Split(before)
	now, _ := frontmatter.Split(after)
	if !declared && !bytes.Equal(old.Body(), now.Body()) {
		t.Errorf("the text changed:\n%s", cmp.Diff(string(old.Body()), string(now.Body())))
	}
	if declared && !bytes.HasPrefix(now.Body(), bytes.TrimRight(old.Body(), "\n")) {
		t.Errorf("the text before the blocks changed:\n%s", now.Body())
	}
}

// keepsKeys compares the lines of the front matter without those of hfpub's keys.
func keepsKeys(t *testing.T, before, after []byte) {
	t.Helper()
	if diff := cmp.Diff(foreignLines(before), foreignLines(after)); diff != "" {
		t.Errorf("lines of other keys changed (-before +after):\n%s", diff)
	}
}

func foreignLines(readme []byte) []string {
	block, _ := frontmatter.Split(readme)
	var out []string
	own := false
	for line := range strings.Lines(string(block.YAML())) {
		if c := line[0]; c != ' ' && c != '-' && c != '#' && c != '\n' {
			key, _, _ := strings.Cut(line, ":")
			own = key == "configs" || key == "dataset_info" || key == "size_categories"
		}
		if !own {
			out = append(out, line)
		}
	}
	return out
}

// Whatever stands in the files: they are refused, or keep what people wrote and do not change when rendered again.
func FuzzRender(f *testing.F) {
	f.Add([]byte(owls), []byte("# S\n"))
	f.Add([]byte("# Owls\n\n<!-- hfpub:begin data -->\nold\n<!-- hfpub:end data -->\n"),
		[]byte("<!-- hfpub:begin schema -->\r\n<!-- hfpub:end schema -->"))
	f.Add([]byte("---\r\nlanguage: [no]\t\r\nconfigs:\r\n  - {config_name: main, sep: \"=\"}\r\n---\r\n"), []byte(""))
	f.Add([]byte("\n\n---\ntags: &a [x]\nmore: *a\n---"), []byte("x"))
	f.Add([]byte("---\ndataset_info: {features: [{name: a, dtype: null}]}\nsize_categories:\n...\n---\n"+
		"<!-- hfpub:begin section_uses -->\n<!-- hfpub:end section_uses -->\n"), []byte("\r\n"))
	f.Fuzz(func(t *testing.T, readme, schema []byte) {
		for _, in := range []Input{folder(""), declared()} {
			in.README, in.SchemaMD = readme, schema
			out, err := Render(in)
			var refusal *Refusal
			if errors.As(err, &refusal) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			keepsHandWritten(t, readme, out.file(t, ReadmePath), in.Repo.Declared)
			again(t, in, out)
		}
	})
}

// keepsHandWritten compares the values of foreign keys, and the text where it holds no blocks.
func keepsHandWritten(t *testing.T, before, after []byte, declared bool) {
	t.Helper()
	old, _ := frontmatter.Read(ReadmePath, before)
	now, _ := frontmatter.Read(ReadmePath, after)
	own := map[string]bool{"configs": true, "dataset_info": true, "size_categories": true}
	if declared {
		for _, key := range []string{"license", "language", "pretty_name", "tags", "task_categories"} {
			own[key] = true
		}
	}
	for k, v := range strictyaml.Pairs(old.Node) {
		if _, kept := now.Get(k.Value); !own[k.Value] && !yamlout.Same(kept, v) {
			t.Errorf("key %q changed in\n%s", k.Value, after)
		}
	}
	body := old.Block.Body()
	if bytes.Contains(body, []byte("hfpub")) || blank(body) {
		return
	}
	if !declared && !bytes.HasSuffix(after, body) || declared && !bytes.Contains(after, body) {
		t.Errorf("the text changed in\n%s", after)
	}
}
