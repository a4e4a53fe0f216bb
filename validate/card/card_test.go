package card_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/card"
	"github.com/hfpub/hfpub/validate/finding"
)

// validated gives the findings of a whole validation that are about the card.
func validated(t *testing.T, dir string) []finding.Finding {
	t.Helper()
	rel, found, err := release.Load(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	report, err := validate.Run(t.Context(), rel, found, validate.Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(report.Findings, func(f finding.Finding) bool {
		return !strings.HasPrefix(string(f.Code),
			"card/")
	})
}

// places writes findings as severity, code, line, column and pointer.
func places(found []finding.Finding) []string {
	lines := []string{}
	for _, f := range found {
		lines = append(lines, fmt.Sprintf("%s %s %d:%d %s", f.Severity, f.Code, f.Line, f.Column, f.Pointer))
	}
	return lines
}

func words(found []finding.Finding) string {
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintf(&b, "%s -> %s\n", f.Message, f.Hint)
	}
	return b.String()
}

// copied is a copy of a folder of testdata, to be broken.
func copied(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", name))); err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, dir, path, text string) {
	t.Helper()
	full := filepath.Join(dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// edit replaces a text that stands in a file.
func edit(t *testing.T, path, old, new string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		t.Fatalf("%s does not hold %q", path, old)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), old, new, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestGoodCardsHaveNoFindings(t *testing.T) {
	for _, name := range []string{"dataset", "release"} {
		if found := validated(t, copied(t, name)); len(found) > 0 {
			t.Errorf("%s: findings about a card that keeps all promises:\n%s%s", name, strings.Join(places(found), "\n"),
				words(found))
		}
	}
}

// mutation breaks one promise of a good card.
type mutation struct {
	name string
	// old is replaced by new in README.md.
	old, new string
	// want are the findings there must be, and no others; say is what they must say between them.
	want []string
	say  string
}

func mutate(t *testing.T, folder, readme string, mutations []mutation) {
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			dir := copied(t, folder)
			edit(t, filepath.Join(dir, readme), m.old, m.new)
			found := validated(t, dir)
			if diff := cmp.Diff(m.want, places(found)); diff != "" {
				t.Errorf("%q in place of %q (-want +got):\n%s%s", m.new, m.old, diff, words(found))
			}
			if !strings.Contains(words(found), m.say) {
				t.Errorf("%q in place of %q: expected a finding that says %q, got\n%s", m.new, m.old, m.say, words(found))
			}
		})
	}
}

func TestKeysOfDatasets(t *testing.T) {
	mutate(t, "dataset", "README.md", []mutation{
		{"language no without quotes", `- "no"`, "- no", []string{"error card/yaml-1-1 5:3 /language/1"}, `"no"`},
		{"tag on without quotes", `- "on"`, "- on", []string{"error card/yaml-1-1 14:3 /tags/1"}, `"on"`},
		{"tag in quotes of another kind", `- "on"`, "- 'off'", []string{}, ""},
		{"tag that is a number", `- "2024"`, "- 2024", []string{"error card/type 15:3 /tags/2"}, `"2024"`},
		{"tag that is a date", `- "2024"`, "- 2024-01-31", []string{"error card/yaml-1-1 15:3 /tags/2"}, `"2024-01-31"`},
		{"tag that is nothing", `- "2024"`, "-", []string{"error card/type 15:2 /tags/2"}, "nothing"},
		{"tag that is empty", `- "2024"`, `- ""`, []string{"warning card/blank 15:3 /tags/2"}, ""},
		{"bare equals sign", `- "2024"`, `- =`, []string{"error card/yaml-1-1 15:3 /tags/2"}, "stops"},
		{"pretty name that is a number", "Owl calls", "1.0", []string{"error card/type 11:14 /pretty_name"}, `"1.0"`},
		{"pretty name that is a time", "Owl calls", "12:30", []string{"error card/yaml-1-1 11:14 /pretty_name"}, `"12:30"`},
		{"pretty name that is a list", "Owl calls", "[Owl, calls]", []string{"error card/type 11:14 /pretty_name"}, "list"},
		{"pretty name left blank", "Owl calls", "", []string{"warning card/blank 11:1 /pretty_name"}, ""},
		{"value of an unknown key", `"no one"`, "no", []string{"warning card/yaml-1-1 41:21 /recorded_by/team"}, ""},
		{"date in an unknown key", `"2024-01-31"`, "2024-01-31", []string{"note card/yaml-1-1 41:38 /recorded_by/since"}, ""},
		{"bare equals sign in an unknown key", `"no one"`, "=", []string{"error card/yaml-1-1 41:21 /recorded_by/team"}, ""},
		{"viewer: no", "viewer: true", "viewer: no", []string{"error card/yaml-1-1 32:9 /viewer"}, "write true or false"},
		{"viewer as a text", "viewer: true", `viewer: "true"`, []string{"error card/type 32:9 /viewer"}, ""},
		{"mapping for a list", "tags:\n- owls\n- \"on\"\n- \"2024\"", "tags: {owls: 1}",
			[]string{"error card/type 12:7 /tags"}, ""},
		{"one text for a list", "task_ids:\n-", "task_ids:", []string{"warning card/type 20:11 /task_ids"},
			"[sentiment-classification]"},
		{"blank list", "multilinguality:\n- multilingual", "multilinguality:",
			[]string{"warning card/blank 26:1 /multilinguality"}, ""},
		{"misspelt key", "pretty_name:", "prety_name:", []string{"warning card/key-misspelt 11:1 /prety_name"},
			"pretty_name"},
		{"licence for license", "license:", "licence:", []string{"warning card/key-misspelt 2:1 /licence"}, "license"},
		{"licenses for license", "license: cc-by-4.0", "licenses: [cc-by-4.0]",
			[]string{"error card/plural-key 2:1 /licenses"}, "license:"},
		{"languages for language", "language:", "languages:", []string{"error card/plural-key 3:1 /languages"}, "language:"},
		{"unknown key beside the known one it is close to", "pretty_name:", "tag: x\npretty_name:", []string{}, ""},
		{"key of model cards", "pretty_name:", "library_name: no one knows\npretty_name:", []string{}, ""},
		{"unknown key", "pretty_name:", "homepage: https://example.org\npretty_name:", []string{}, ""},
	})
}

func TestVocabulary(t *testing.T) {
	mutate(t, "dataset", "README.md", []mutation{
		{"language by name", "- en\n-", "- english\n-", []string{"error card/language 4:3 /language/0"}, "write en"},
		{"language in upper case", "- en\n-", "- EN\n-", []string{"error card/language 4:3 /language/0"}, "write en"},
		{"language with region", "- en\n-", "- en-US\n-", []string{"error card/language 4:3 /language/0"},
			"write en here, and en-US under language_bcp47"},
		{"language by country", "- en\n-", "- jp\n-", []string{"error card/language 4:3 /language/0"}, "write ja"},
		{"language nobody knows", "- en\n-", "- en us\n-", []string{"error card/language 4:3 /language/0"}, "ISO 639"},
		{"Norwegian by name", "- en\n-", "- Norwegian\n-", []string{"error card/language 4:3 /language/0"}, `"no"`},
		{"size category in small letters", "- n<1K", "- 1k<n<10k",
			[]string{"error card/size-category 17:3 /size_categories/0"}, "write n<1K"},
		{"size category of another size", "- n<1K", "- 1K<n<10K",
			[]string{"warning card/size-differs 17:3 /size_categories/0"}, "write n<1K"},
		{"one of several size categories", "- n<1K", "- 1K<n<10K\n- n<1K", []string{}, ""},
		{"size category other", "- n<1K", "- other", []string{"warning card/size-differs 17:3 /size_categories/0"}, "n<1K"},
		{"task category with a typing error", "- text-classification", "- text-clasification",
			[]string{"warning card/value-unknown 19:3 /task_categories/0"}, "text-classification?"},
		{"task id as category", "- text-classification", "- text2text-generation",
			[]string{"warning card/value-unknown 19:3 /task_categories/0"}, "text-generation here"},
		{"category as task id", "- sentiment-classification", "- summarization",
			[]string{"warning card/value-unknown 21:3 /task_ids/0"},
			"task_categories"},
		{"old task id", "- sentiment-classification", "- text-classification-other-owls",
			[]string{"warning card/value-unknown 21:3 /task_ids/0"},
			"tags"},
		{"creator", "- expert-generated", "- experts", []string{"warning card/value-unknown 23:3 /annotations_creators/0"},
			"known are"},
		{"language creator", "creators:\n- found\nmulti", "creators:\n- no-annotation\nmulti",
			[]string{"warning card/value-unknown 25:3 /language_creators/0"}, ""},
		{"multilinguality", "- multilingual", "- bilingual", []string{"warning card/value-unknown 27:3 /multilinguality/0"},
			"multilingual"},
		{"source by address", "- original", "- https://huggingface.co/datasets/acme/owls",
			[]string{"warning card/repo-id 29:3 /source_datasets/0"},
			"write acme/owls"},
		{"extended source that is a title", "extended|acme/owls", "extended|The Owls",
			[]string{"warning card/repo-id 30:3 /source_datasets/1"}, ""},
		{"gate field of an unknown type", "Name: text", "Name: string",
			[]string{"warning card/value-unknown 35:9 /extra_gated_fields/Name"}, "known are"},
		{"gate fields as a list", "extra_gated_fields:\n  Name: text\n", "extra_gated_fields:\n- Name: text\nother:\n",
			[]string{"warning card/type 35:1 /extra_gated_fields"}, "expected a mapping"},
		{"gate fields as a text", "extra_gated_fields:\n  Name: text\n", "extra_gated_fields: Name\nother:\n",
			[]string{"error card/type 34:21 /extra_gated_fields"}, "expected a mapping"},
		{"gate field without type", "type: country", "kind: country",
			[]string{"error card/type 37:5 /extra_gated_fields/Country"}, "type: text"},
	})
}

func TestLicenses(t *testing.T) {
	mutate(t, "dataset", "README.md", []mutation{
		{"no license", "license: cc-by-4.0\n", "", []string{"warning card/license-missing 2:1 "}, ""},
		{"other without name and link", "cc-by-4.0", "other", []string{"warning card/license-other 2:10 /license"},
			"license_name and license_link"},
		{"other without link", "cc-by-4.0", "other\nlicense_name: owl-1.0",
			[]string{"warning card/license-other 2:10 /license"}, "without license_link"},
		{"other without name", "cc-by-4.0", "other\nlicense_link: https://example.org/owl",
			[]string{"warning card/license-other 2:10 /license"},
			"without license_name"},
		{"other in a list", "license: cc-by-4.0", "license:\n- other", []string{"warning card/license-other 3:1 /license"},
			""},
		{"other with a file that is not there", "cc-by-4.0", "other\nlicense_name: owl-1.0\nlicense_link: LICENSE",
			[]string{"warning card/license-other 4:15 /license_link"}, "no such file"},
		{"other with a file", "cc-by-4.0", "other\nlicense_name: owl-1.0\nlicense_link: data/plain.jsonl", []string{}, ""},
		{"other with an address", "cc-by-4.0", "other\nlicense_name: owl-1.0\nlicense_link: https://example.org/owl",
			[]string{}, ""},
		{"name beside a listed id", "cc-by-4.0", "cc-by-4.0\nlicense_name: owl-1.0",
			[]string{"warning card/license-ignored 3:1 /license_name"}, ""},
		{"link beside a listed id", "cc-by-4.0", "cc-by-4.0\nlicense_link: LICENSE",
			[]string{"warning card/license-ignored 3:1 /license_link"}, ""},
		{"blank license is reported once", "cc-by-4.0", "", []string{"error card/license-unknown 2:9 "}, ""},
		{"unknown license is reported once", "cc-by-4.0", "CC BY 4.0\nlicense_name: owl-1.0",
			[]string{"error card/license-unknown 2:10 "}, ""},
	})
}

func TestCardsWithoutLicense(t *testing.T) {
	const manifest = "version: 1\nrelease: {name: owls, version: 1.0.0}\nrepos:\n" +
		"  - id: acme/owls\n    type: dataset\n    status: %s\n" +
		"    root: .\n    license: mit\n"
	for _, test := range []struct {
		name, readme, manifest string
		want                   []string
		say                    string
	}{
		{"folder without README.md", "", "", []string{}, ""},
		{"README.md without front matter", "# Owls\n", "", []string{"warning card/license-missing 1:0 "}, "no front matter"},
		{"empty front matter", "---\n---\n# Owls\n", "", []string{"warning card/front-matter 2:1 "}, "empty"},
		{"front matter that is not closed", "---\nlicense: mit\n# Owls\n", "", []string{"error card/front-matter 1:1 "},
			"not closed"},
		{"declared repo", "---\nlanguage: en\n---\n", fmt.Sprintf(manifest, "public"),
			[]string{"warning card/license-missing 2:1 "}, "hfpub.yaml, mit"},
		{"repo that stays at home", "---\nlanguage: en\n---\n", fmt.Sprintf(manifest, "withheld"), []string{}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "train.jsonl", "{\"id\": 1}\n")
			if test.readme != "" {
				write(t, dir, "README.md", test.readme)
			}
			if test.manifest != "" {
				write(t, dir, "hfpub.yaml", test.manifest)
			}
			found := validated(t, dir)
			if diff := cmp.Diff(test.want, places(found)); diff != "" {
				t.Errorf("findings (-want +got):\n%s%s", diff, words(found))
			}
			if !strings.Contains(words(found), test.say) {
				t.Errorf("expected a finding that says %q, got\n%s", test.say, words(found))
			}
		})
	}
}

func TestDatasetInfo(t *testing.T) {
	mutate(t, "dataset", "README.md", []mutation{
		{"num_examples too high", "num_examples: 3", "num_examples: 4",
			[]string{"error card/num-examples 108:19 /dataset_info/0/splits/0/num_examples"},
			"says 4, found 3 rows (difference -1)"},
		{"num_examples too low", "num_examples: 3", "num_examples: 1",
			[]string{"error card/num-examples 108:19 /dataset_info/0/splits/0/num_examples"},
			"(difference +2)"},
		{"num_examples left out", "  - name: train\n    num_examples: 3", "  - name: train",
			[]string{"error card/num-examples 107:5 /dataset_info/0/splits/0"}, "no num_examples"},
		{"num_examples as text", "num_examples: 3", `num_examples: "3"`,
			[]string{"error card/dataset-info 108:19 /dataset_info/0/splits/0/num_examples"}, "plain digits"},
		{"num_examples with underscores", "num_examples: 3", "num_examples: 3_000",
			[]string{"error card/yaml-1-1 108:19 /dataset_info/0/splits/0/num_examples"}, "plain digits"},
		{"num_examples misspelt", "num_examples: 3", "num_example: 3", []string{
			"error card/num-examples 107:5 /dataset_info/0/splits/0",
			"error card/dataset-info 108:5 /dataset_info/0/splits/0/num_example",
		}, "did you mean num_examples?"},
		{"split without data", "  - name: test\n", "  - name: validation\n    num_examples: 1\n  - name: test\n",
			[]string{"error card/splits-differ 109:11 /dataset_info/0/splits/1/name"}, "no data belongs"},
		{"data without split", "  - name: test\n    num_examples: 2\n", "",
			[]string{"error card/splits-differ 106:3 /dataset_info/0/splits"},
			`"test" has data (2 rows)`},
		{"no splits at all", "  splits:\n  - name: train\n    num_examples: 3\n  - name: test\n    num_examples: 2\n", "",
			[]string{}, ""},
		{"empty list of splits", "splits:\n  - name: train\n    num_examples: 3\n  - name: test\n    num_examples: 2\n",
			"splits: []\n", []string{
				"error card/splits-differ 106:3 /dataset_info/0/splits", "error card/splits-differ 106:3 /dataset_info/0/splits",
			}, ""},
		{"split that stands twice", "  - name: test\n", "  - name: train\n    num_examples: 3\n  - name: test\n",
			[]string{"error card/dataset-info 109:5 /dataset_info/0/splits/1"}, "twice"},
		{"split without name", "- name: test\n    num_examples: 2", "- num_examples: 2", []string{
			"error card/splits-differ 106:3 /dataset_info/0/splits", "error card/dataset-info 109:5 /dataset_info/0/splits/1",
		}, "has no name"},
		{"split whose name is a truth value", "- name: test\n", "- name: off\n", []string{
			"error card/splits-differ 106:3 /dataset_info/0/splits",
			"error card/splits-differ 109:11 /dataset_info/0/splits/1/name",
			"error card/yaml-1-1 109:11 /dataset_info/0/splits/1/name",
		}, `"off"`},
		{"splits as a mapping", "splits:\n  - name: train\n    num_examples: 3\n  - name: test\n    num_examples: 2\n",
			"splits: {train: 3, test: 2}\n",
			[]string{"error card/dataset-info 106:11 /dataset_info/0/splits"}, "expected a list"},
		{"num_bytes with a point", "num_bytes: 28", "num_bytes: 28.0", []string{}, ""},
		{"num_bytes with a fraction", "num_bytes: 28", "num_bytes: 28.5",
			[]string{"error card/dataset-info 120:16 /dataset_info/1/splits/0/num_bytes"}, "whole number"},
		{"num_bytes below zero", "num_bytes: 28", "num_bytes: -28",
			[]string{"error card/dataset-info 120:16 /dataset_info/1/splits/0/num_bytes",
				"warning card/bytes-differ 120:16 /dataset_info/1/splits/0/num_bytes"}, ""},
		{"num_bytes", "num_bytes: 28", "num_bytes: 27",
			[]string{"warning card/bytes-differ 120:16 /dataset_info/1/splits/0/num_bytes"}, "difference +1"},
		{"dataset_size", "dataset_size: 28", "dataset_size: 0",
			[]string{"warning card/bytes-differ 123:17 /dataset_info/1/dataset_size"}, "found 28"},
		{"download_size", "download_size: 863", "download_size: 1",
			[]string{"warning card/bytes-differ 111:18 /dataset_info/0/download_size"}, "found 863"},
		{"download_size as text", "download_size: 863", "download_size: 863B",
			[]string{"error card/dataset-info 111:18 /dataset_info/0/download_size"}, ""},
		{"config that is not there", "- config_name: plain\n  features", "- config_name: plan\n  features",
			[]string{"warning card/config-unknown 112:16 /dataset_info/1/config_name"}, "did you mean plain?"},
		{"several configs without name", "- config_name: default\n  features", "- features",
			[]string{"error card/dataset-info 59:3 /dataset_info/0"}, "config_name"},
		{"config described twice", "- config_name: plain\n  features",
			"- config_name: plain\n  download_size: 7\n- config_name: plain\n  features",
			[]string{"warning card/dataset-info 114:3 /dataset_info/2"}, "twice"},
		{"config whose name is a number", "- config_name: plain\n  features", "- config_name: 1800\n  features", []string{
			"error card/type 112:16 /dataset_info/1/config_name",
			"warning card/config-unknown 112:16 /dataset_info/1/config_name",
		}, `"1800"`},
		{"item that is a text", "- config_name: plain\n  features", "- plain\n- config_name: plain\n  features",
			[]string{"error card/dataset-info 112:3 /dataset_info/1"}, "expected a mapping"},
	})
}

// One entry of dataset_info is taken for the default config where no configs are listed.
func TestTheOnlyConfigOfDatasetInfo(t *testing.T) {
	for _, test := range []struct{ name, info, want, say string }{
		{"without name", "dataset_info:\n  download_size: 10\n", "", ""},
		{"named default", "dataset_info:\n  config_name: default\n  download_size: 10\n", "", ""},
		{"in a list", "dataset_info:\n- config_name: default\n  download_size: 10\n", "", ""},
		{"of another name", "dataset_info:\n  config_name: en-pt\n  download_size: 10\n",
			"error card/config-unknown 4:16 /dataset_info/config_name",
			"load_dataset fails"},
		{"one of two", "dataset_info:\n- config_name: a\n  download_size: 10\n- config_name: b\n  download_size: 10\n",
			"warning card/config-unknown 4:16 /dataset_info/0/config_name", `"a", "b"`},
		{"a text", "dataset_info: default\n", "error card/dataset-info 3:15 /dataset_info", "expected a mapping"},
		{"blank", "dataset_info:\n", "warning card/blank 3:1 /dataset_info", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "README.md", "---\nlicense: mit\n"+test.info+"---\n")
			write(t, dir, "train.jsonl", "{\"id\": 1}\n")
			found := validated(t, dir)
			if got := strings.Join(places(found), "; "); got != test.want {
				t.Errorf("got %q, want %q\n%s", got, test.want, words(found))
			}
			if !strings.Contains(words(found), test.say) {
				t.Errorf("expected a finding that says %q, got\n%s", test.say, words(found))
			}
		})
	}
}

func TestWhatIsNotMeasuredIsNotCompared(t *testing.T) {
	const info = "dataset_info:\n  features:\n  - name: id\n    dtype: string\n" +
		"  splits:\n  - name: train\n    num_examples: 99\n  download_size: 7\n"
	const sized = "size_categories: [1M<n<10M]\n"
	for _, test := range []struct {
		name   string
		readme string
		files  map[string]string
	}{
		{"no data", info, nil},
		{"a format that is not read", info + sized, map[string]string{"train.parquet": "PAR1"}},
		{"a parameter of the builder",
			info + sized + "configs:\n- config_name: default\n  data_files: t.json\n  field: data\n",
			map[string]string{"t.json": `{"data": [{"id": 1}]}`}},
		{"another file with metadata", info + sized, map[string]string{"train.jsonl": "{\"id\": 1}\n",
			".huggingface.yaml": "viewer: true\n"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "README.md", "---\nlicense: mit\n"+test.readme+"---\n")
			for path, text := range test.files {
				write(t, dir, path, text)
			}
			if found := validated(t, dir); len(found) > 0 {
				t.Errorf("compared with what was not measured:\n%s\n%s", strings.Join(places(found), "\n"), words(found))
			}
		})
	}
}

func TestDeclaredFeatures(t *testing.T) {
	mutate(t, "dataset", "README.md", []mutation{
		{"column left out", "  - name: heard\n    dtype: timestamp[s]\n", "",
			[]string{"error card/features-differ 60:3 /dataset_info/0/features"},
			`column "heard" (timestamp[s]) is in the data`},
		{"column that is in no row", "  - name: heard", "  - name: seen\n    dtype: bool\n  - name: heard",
			[]string{"note card/features-differ 60:3 /dataset_info/0/features"}, `fills in null: "seen"`},
		{"integers as texts", "dtype: int32\n  - name: text\n    dtype: string\n  - name: label",
			"dtype: string\n  - name: text\n    dtype: string\n  - name: label",
			[]string{"error card/features-differ 61:5 /dataset_info/0/features/0"}, `declared string, the data has int64`},
		{"texts as integers", "- name: text\n    dtype: string\n  - name: label",
			"- name: text\n    dtype: int64\n  - name: label",
			[]string{"error card/features-differ 63:5 /dataset_info/0/features/1"}, "declared int64, the data has string"},
		{"integers out of range", "- name: weight\n    dtype: int64", "- name: weight\n    dtype: int8",
			[]string{"error card/features-differ 79:5 /dataset_info/0/features/5"}, "4e2 is beyond"},
		{"dates as texts", "timestamp[s]", "string", []string{"warning card/features-differ 81:5 /dataset_info/0/features/6"},
			"writes them anew"},
		{"dates as dates", "timestamp[s]", "date32", []string{}, ""},
		{"list of another length", "length: 2", "length: 3",
			[]string{"error card/features-differ 83:5 /dataset_info/0/features/7"}, "from 2 to 2"},
		{"list of texts", "list: float32", "list: string",
			[]string{"error card/features-differ 83:5 /dataset_info/0/features/7"}, "field /pair/*"},
		{"list as scalar", "list: float32\n    length: 2", "dtype: float32",
			[]string{"error card/features-differ 83:5 /dataset_info/0/features/7"},
			"list of float64: load_dataset fails"},
		{"old sequence of fields", "- name: notes\n    list:", "- name: notes\n    sequence:",
			[]string{"error card/features-differ 86:5 /dataset_info/0/features/8"}, "instead of `sequence:`"},
		{"field of a list's objects left out", "    - name: by\n      dtype: string\n", "",
			[]string{"error card/features-differ 86:5 /dataset_info/0/features/8"}, "field /notes/*/by (string)"},
		{"field of a struct left out", "    - name: height\n      dtype: int64\n", "",
			[]string{"error card/features-differ 92:5 /dataset_info/0/features/9"}, "field /place/height"},
		{"label that is not listed", "'1': alarmed", "'1': cross",
			[]string{"error card/features-differ 71:5 /dataset_info/0/features/3"},
			`"alarmed" is no label`},
		{"label id out of range", "          '1': screech\n", "",
			[]string{"error card/features-differ 65:5 /dataset_info/0/features/2"}, "1 is the id of no label"},
		{"translation into another language", "        - de\n", "        - fr\n",
			[]string{"error card/features-differ 100:5 /dataset_info/0/features/11"},
			"field /names/de"},
		{"json for anything",
			"- name: place\n    struct:\n    - name: wood\n      dtype: string\n    - name: height\n      dtype: int64",
			"- name: place\n    dtype: json", []string{}, ""},
		{"features of the config itself", "dtype: int32\n  - name: text\n    dtype: string\ndataset_info",
			"dtype: string\n  - name: text\n    dtype: string\ndataset_info",
			[]string{"error card/features-differ 54:5 /configs/2/features/0"}, "declared string"},
		{"features that those of the config hide", "- config_name: plain\n  features",
			"- config_name: typed\n  features:\n  - name: id\n    dtype: string\n" +
				"  - name: text\n    dtype: string\n- config_name: plain\n  features",
			[]string{"warning card/features-differ 114:5 /dataset_info/1/features/0"}, ""},
		{"the features that fit are offered", "    dtype: int64\n  - name: text\n    dtype: string\n  splits",
			"    dtype: bool\n  splits", []string{
				"error card/features-differ 113:3 /dataset_info/1/features",
				"error card/features-differ 114:5 /dataset_info/1/features/0",
			}, `features: [{"name":"id","dtype":"int64"},{"name":"text","dtype":"string"}]`},
	})
}

// Features may also stand in hfpub.yaml, and in configs of README.md that hfpub.yaml lists anew.
func TestFeaturesOfReleases(t *testing.T) {
	const manifest = "version: 1\nrelease: {name: owls, version: 1.0.0}\nrepos:\n  - id: acme/owls\n    type: dataset\n" +
		"    status: public\n    root: .\n    license: mit\n    configs:\n      - name: default\n%s" +
		"        splits:\n          - {name: train, files: [train.jsonl]}\n"
	const readme = "---\nlicense: mit\nconfigs:\n- config_name: default\n  data_files: train.jsonl\n%s---\n"
	const inManifest = "        features:\n          - {name: id, dtype: %s}\n"
	const inReadme = "  features:\n  - {name: id, dtype: %s}\n"
	for _, test := range []struct{ name, manifest, readme, want string }{
		{"none", "", "", ""},
		{"that fit", fmt.Sprintf(inManifest, "int8"), fmt.Sprintf(inReadme, "int16"), ""},
		{"in hfpub.yaml", fmt.Sprintf(inManifest, "string"), "", "error card/features-differ 12:13 /0"},
		{"in hfpub.yaml, unknown", fmt.Sprintf(inManifest, "str"), "", "error card/features 12:31 /0/dtype"},
		{"in README.md", "", fmt.Sprintf(inReadme, "string"), "error card/features-differ 7:5 /configs/0/features/0"},
		{"in README.md, unknown", "", fmt.Sprintf(inReadme, "str"), "error card/features 7:23 /configs/0/features/0/dtype"},
		{"beside a parameter of the builder", "", "  sep: no\n" + fmt.Sprintf(inReadme, "string"),
			"warning card/yaml-1-1 6:8 /configs/0/sep"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "train.jsonl", "{\"id\": 1}\n")
			write(t, dir, "hfpub.yaml", fmt.Sprintf(manifest, test.manifest))
			write(t, dir, "README.md", fmt.Sprintf(readme, test.readme))
			found := validated(t, dir)
			if got := strings.Join(places(found), "; "); got != test.want {
				t.Errorf("got %q, want %q\n%s", got, test.want, words(found))
			}
		})
	}
}

// Without rows to compare with, the category is offered that was meant.
func TestSizeCategoriesWithoutRows(t *testing.T) {
	for text, want := range map[string]string{"1k<n<10k": "write 1K<n<10K", "n > 1T": "write n>1T",
		"big": "write one of n<1K"} {
		dir := t.TempDir()
		write(t, dir, "README.md", "---\nlicense: mit\nsize_categories: "+strconv.Quote(text)+"\n---\n")
		if found := validated(t, dir); len(found) != 1 || !strings.Contains(found[0].Hint, want) {
			t.Errorf("size_categories: %s: expected one finding that advises to %s, got\n%s", text, want, words(found))
		}
	}
}

func TestGrammarOfFeatures(t *testing.T) {
	mutate(t, "dataset", "README.md", []mutation{
		{"unknown type", "timestamp[s]", "datetime", []string{"error card/features 82:12 /dataset_info/0/features/6/dtype"},
			`"datetime"`},
		{"str for string", "timestamp[s]", "str", []string{"error card/features 82:12 /dataset_info/0/features/6/dtype"},
			"string"},
		{"feature without name", "- name: heard\n    dtype", "- dtype",
			[]string{"error card/features 81:5 /dataset_info/0/features/6"}, "no name"},
		{"length before list", "list: float32\n    length: 2", "length: 2\n    list: float32",
			[]string{"error card/features 84:5 /dataset_info/0/features/7/length"}, "first key"},
		{"label ids without quotes", "'0': hoot", "0: hoot",
			[]string{"error card/features 69:11 /dataset_info/0/features/2/dtype/class_label/names/0"}, "'0'"},
		{"label that is a truth value", "hoot", "no",
			[]string{"error card/yaml-1-1 69:16 /dataset_info/0/features/2/dtype/class_label/names/0"}, `"no"`},
		{"name that is a truth value", "- name: heard", "- name: off", []string{
			"error card/features-differ 60:3 /dataset_info/0/features",
			"error card/yaml-1-1 81:11 /dataset_info/0/features/6/name",
			"note card/features-differ 60:3 /dataset_info/0/features",
		}, ""},
		{"name that is a number", "- name: heard", "- name: 7", []string{
			"error card/features-differ 60:3 /dataset_info/0/features",
			"error card/features 81:11 /dataset_info/0/features/6/name",
			"note card/features-differ 60:3 /dataset_info/0/features",
		}, `"7"`},
		{"features left blank", "  - name: id\n    dtype: int64\n  - name: text\n    dtype: string\n  splits", "  splits",
			[]string{"warning card/blank 113:3 /dataset_info/1/features"}, ""},
		{"features as a mapping", "  - name: id\n    dtype: int64\n  - name: text\n    dtype: string\n  splits",
			"    id: int64\n    text: string\n  splits",
			[]string{"error card/features 114:5 /dataset_info/1/features"}, "a list of features"},
		{"features of a config", "dtype: int32\n  - name: text\n    dtype: string\ndataset_info",
			"dtype: integer\n  - name: text\n    dtype: string\ndataset_info",
			[]string{"error card/features 55:12 /configs/2/features/0/dtype"}, "int64"},
	})
}

func TestModelCards(t *testing.T) {
	const result = "model-index/0/results/0"
	mutate(t, "release", "adapter/README.md", []mutation{
		{"no license", "license: apache-2.0\n", "", []string{"warning card/license-missing 2:1 "}, "hfpub.yaml"},
		{"base model by address", "acme/bear-7b", "https://huggingface.co/acme/bear-7b",
			[]string{"warning card/repo-id 5:13 /base_model"}, "write acme/bear-7b"},
		{"base model by path", "acme/bear-7b", "./models/bear", []string{"warning card/repo-id 5:13 /base_model"},
			"namespace/name"},
		{"several base models", "base_model: acme/bear-7b", "base_model: [acme/bear-7b, gpt2]", []string{}, ""},
		{"relation", "relation: adapter", "relation: lora", []string{"warning card/value-unknown 6:22 /base_model_relation"},
			"quantized"},
		{"library name that is a list", "peft", "[peft]", []string{"error card/type 7:15 /library_name"}, ""},
		{"pipeline tag", "pipeline_tag: text-classification", "pipeline_tag: text-clasification",
			[]string{"warning card/value-unknown 8:15 /pipeline_tag"},
			"text-classification?"},
		{"datasets left blank", "datasets:\n- acme/owls\n- squad\n", "datasets:\n",
			[]string{"error card/blank 9:1 /datasets"}, "refuses"},
		{"data set by address", "- acme/owls", "- hf.co/datasets/acme/owls",
			[]string{"warning card/repo-id 10:3 /datasets/0"}, "write acme/owls"},
		{"misspelt key", "library_name", "libary_name", []string{"warning card/key-misspelt 7:1 /libary_name"},
			"library_name"},
		{"key of data sets", "tags:", "task_categories: [whatever]\ntags:", []string{}, ""},
		{"model-index that is no list", "model-index:\n- name: owl-adapter\n  results:",
			"model-index:\n  name: owl-adapter\n  results:",
			[]string{"error card/model-index 17:3 /model-index"}, "a mapping, expected a list"},
		{"model without name", "- name: owl-adapter\n  results:", "- results:",
			[]string{"error card/model-index 17:3 /model-index/0"}, "name is missing"},
		{"task without type", "      type: text-classification\n", "",
			[]string{"error card/model-index 20:7 /" + result + "/task"}, "type is missing"},
		{"data set without name", "      name: Owl calls\n", "",
			[]string{"error card/model-index 23:7 /" + result + "/dataset"}, "name is missing"},
		{"no data set",
			"    dataset:\n      type: acme/owls\n      name: Owl calls\n      config: default\n      split: test\n" +
				"      revision: \"5503434ddd753f426f4b38109466949a1217c2bb\"\n", "",
			[]string{"error card/model-index 19:5 /" + result}, "dataset is missing"},
		{"config that is a number", "config: default", "config: 1",
			[]string{"error card/type 25:15 /" + result + "/dataset/config"}, `"1"`},
		{"revision that is a float to some", `"5503434ddd753f426f4b38109466949a1217c2bb"`, "55034e40",
			[]string{"error card/yaml-1-1 27:17 /" + result + "/dataset/revision"}, `"55034e40"`},
		{"metric without value", "      value: 0.91\n", "", []string{"error card/model-index 29:7 /" + result + "/metrics/0"},
			"value is missing"},
		{"metric value that some read as text", "value: 0.91", "value: 9e-1",
			[]string{"warning card/yaml-1-1 30:14 /" + result + "/metrics/0/value"}, ""},
		{"source without address", "      url: https://example.org/run\n", "",
			[]string{"error card/model-index 33:7 /" + result + "/source"}, "url is missing"},
		{"task that is a text", "  - task:\n      type: text-classification\n      name: Text Classification\n",
			"  - task: classification\n", []string{"error card/model-index 19:11 /" + result + "/task"}, "expected a mapping"},
		{"metrics as a mapping", "    metrics:\n    - type: accuracy\n", "    metrics:\n      type: accuracy\n",
			[]string{"error card/model-index 29:7 /" + result + "/metrics"}, "expected a list"},
		{"metric that is a text", "    - type: accuracy\n      value: 0.91\n      name: Accuracy\n", "    - accuracy\n",
			[]string{"error card/model-index 29:7 /" + result + "/metrics/0"}, "expected a mapping"},
		{"no metrics", "    metrics:\n    - type: accuracy\n      value: 0.91\n      name: Accuracy\n", "",
			[]string{"error card/model-index 19:5 /" + result}, "metrics is missing"},
		{"no results", "  results:", "  result:", []string{"error card/model-index 17:3 /model-index/0"},
			"results is missing"},
	})
}

func TestSizeCategory(t *testing.T) {
	for rows, want := range map[int64]string{
		0: "n<1K", 999: "n<1K", 1000: "1K<n<10K", 10_111: "10K<n<100K", 999_999: "100K<n<1M", 1e6: "1M<n<10M",
		1e9:             "1B<n<10B",
		999_999_999_999: "100B<n<1T", 1e12: "n>1T",
	} {
		if got := card.SizeCategory(rows); got != want {
			t.Errorf("SizeCategory(%d) = %s, want %s", rows, got, want)
		}
	}
}

// What hfpub card puts quotes around must be what is reported here for want of them.
func TestHoldsText(t *testing.T) {
	for key, want := range map[string]bool{
		"language": true, "tags": true, "license": true, "pretty_name": true, "base_model": true, "extra_gated_prompt": true,
		"viewer": false, "configs": false, "dataset_info": false, "homepage": false,
	} {
		if got := card.HoldsText(key); got != want {
			t.Errorf("HoldsText(%s) = %v, want %v", key, got, want)
		}
	}
}
