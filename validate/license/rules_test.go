package license

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
)

// wholeRelease is a release in which every rule has something to look at, and holds.
var wholeRelease = map[string]string{
	"hfpub.yaml": `version: 1
release: {name: tea, version: 1.0.0}
repos:
  - id: tea/pairs
    type: dataset
    status: public
    root: pairs
    license: mit
    configs: [{name: default, splits: [{name: train, files: [train.jsonl]}]}]
    upstream:
      - {name: SWE-bench, license: mit, flow: content}
      - {name: WebArena, license: apache-2.0, flow: content}
      - {name: HotpotQA, license: cc-by-sa-4.0, flow: labels}
      - {name: dm_alchemy, license: apache-2.0, flow: reference}
      - {name: Photos, license: cc-by-nc-nd-4.0, flow: reference}
  - id: tea/judge
    type: model
    status: public
    root: judge
    license: apache-2.0
    upstream:
      - {name: Qwen/Qwen3-1.7B-Base, license: apache-2.0, flow: tool}
      - {name: tea/pairs, license: mit, flow: labels}
  - id: tea/quotes
    type: dataset
    status: public
    root: quotes
    license: cc-by-sa-4.0
    configs: [{name: default, splits: [{name: train, files: [train.jsonl]}]}]
    upstream:
      - {name: Wikipedia, license: cc-by-sa-3.0, flow: content}
`,
	"pairs/README.md":           "---\nlicense: mit\n---\n# Pairs\n",
	"pairs/train.jsonl":         "{}\n",
	"pairs/LICENSE":             mitText,
	"pairs/LICENSES/apache.txt": "Apache License\nVersion 2.0, January 2004\n",
	"pairs/NOTICE":              "This holds parts of WebArena, Copyright 2023 its authors.\n",
	"judge/README.md":           "---\nlicense: apache-2.0\nbase_model: Qwen/Qwen3-1.7B-Base\n---\n# Judge\n",
	"judge/adapter_config.json": `{"base_model_name_or_path": "Qwen/Qwen3-1.7B-Base", "r": 16}`,
	"judge/adapter.safetensors": "weights",
	"quotes/README.md":          "---\nlicense: cc-by-sa-4.0\n---\n# Quotes\n\nPlease cite tea/quotes and Wikipedia, https://creativecommons.org/licenses/by-sa/4.0/.\n",
	"quotes/train.jsonl":        "{}\n",
}

func loadRelease(t *testing.T, files map[string]string) *release.Release {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	rel, found, err := release.Load(context.Background(), dir)
	if err != nil || len(found) > 0 {
		t.Fatalf("the release does not load: %v %+v", err, found)
	}
	return rel
}

// heard lists all findings of a release, each with its severity, place and message.
func heard(t *testing.T, rel *release.Release) []finding.Finding {
	t.Helper()
	x, err := Examine(rel)
	if err != nil {
		t.Fatal(err)
	}
	var all []finding.Finding
	for i := range rel.Repos {
		all = append(all, x.Findings(i)...)
	}
	return all
}

func TestWholeRelease(t *testing.T) {
	if found := heard(t, loadRelease(t, wholeRelease)); len(found) > 0 {
		t.Errorf("every rule holds, and yet: %+v", found)
	}
}

// Each promise is broken alone, and exactly that is found.
func TestBrokenRules(t *testing.T) {
	for _, c := range []struct {
		name string
		// file, from, to: the change. to "" with from "" takes the file away.
		file, from, to string
		want           []string
	}{
		{"share-alike content in a repo under MIT", "hfpub.yaml", "license: cc-by-sa-4.0, flow: labels", "license: cc-by-sa-4.0, flow: content", []string{
			"error license/share-alike hfpub.yaml:13:9: content of HotpotQA, which is under cc-by-sa-4.0, is in tea/pairs, which is under mit",
			"error license/attribution hfpub.yaml:13:9: content of HotpotQA, which is under cc-by-sa-4.0, is in tea/pairs, and neither the card nor a NOTICE names it"}},
		{"a name from SPDX", "hfpub.yaml", "license: cc-by-sa-3.0, flow", "license: GPL-2.0-only, flow", []string{
			"error license/share-alike hfpub.yaml:31:9: content of Wikipedia, which is under gpl-2.0, is in tea/quotes, which is under cc-by-sa-4.0"}},
		{"share-alike through another repo", "hfpub.yaml", "tea/pairs, license: mit, flow: labels", "tea/quotes, license: cc-by-sa-4.0, flow: content", []string{
			"error license/share-alike hfpub.yaml:23:9: content of tea/quotes, which is under cc-by-sa-4.0, is in tea/judge, which is under apache-2.0",
			"error license/share-alike hfpub.yaml:23:9: content of Wikipedia, which is under cc-by-sa-3.0, is in tea/judge through tea/quotes, which is under apache-2.0",
			"error license/attribution hfpub.yaml:23:9: content of Wikipedia, which is under cc-by-sa-3.0, is in tea/judge through tea/quotes, and neither the card nor a NOTICE names it"}},
		{"content that allows neither money nor changes", "hfpub.yaml", "cc-by-nc-nd-4.0, flow: reference", "cc-by-nc-nd-4.0, flow: content", []string{
			"error license/non-commercial hfpub.yaml:15:9: content of Photos, which is under cc-by-nc-nd-4.0, is in tea/pairs, whose license mit allows commercial use",
			"error license/no-derivatives hfpub.yaml:15:9: content of Photos, whose license cc-by-nc-nd-4.0 allows no changed works, is in tea/pairs",
			"error license/attribution hfpub.yaml:15:9: content of Photos, which is under cc-by-nc-nd-4.0, is in tea/pairs, and neither the card nor a NOTICE names it"}},
		{"weights under another license", "hfpub.yaml", "Qwen/Qwen3-1.7B-Base, license: apache-2.0", "Qwen/Qwen3-1.7B-Base, license: gemma", []string{
			"error license/base-model hfpub.yaml:22:9: the weights of tea/judge are under apache-2.0, and their base model Qwen/Qwen3-1.7B-Base is under gemma"}},
		{"a base model nobody speaks of", "hfpub.yaml", "Qwen/Qwen3-1.7B-Base, license", "Other/Model, license", []string{
			"warning license/upstream-unknown README.md:3:13: the license of the base model Qwen/Qwen3-1.7B-Base is not stated, and the weights inherit it",
			"note license/tool-terms hfpub.yaml:22:9: Other/Model made parts of tea/judge: its terms (apache-2.0) do not change the license, and may bind those who made or use the data"}},
		{"another base model on the card", "judge/README.md", "Qwen3-1.7B-Base", "Qwen3-1.7B", []string{
			"warning license/upstream-unknown README.md:3:13: the license of the base model Qwen/Qwen3-1.7B is not stated, and the weights inherit it",
			"error license/base-model-name adapter_config.json /base_model_name_or_path: the adapter was made for the base model Qwen/Qwen3-1.7B-Base, and the card says Qwen/Qwen3-1.7B",
			"note license/tool-terms hfpub.yaml:22:9: Qwen/Qwen3-1.7B-Base made parts of tea/judge: its terms (apache-2.0) do not change the license, and may bind those who made or use the data"}},
		{"no base model on the card", "judge/README.md", "base_model: Qwen/Qwen3-1.7B-Base\n", "", []string{
			"error license/base-model-name adapter_config.json /base_model_name_or_path: the adapter was made for the base model Qwen/Qwen3-1.7B-Base, and the card names none"}},
		{"no link to the license", "quotes/README.md", "https://creativecommons.org/licenses/by-sa/4.0/", "CC BY-SA", []string{
			"warning license/attribution README.md: cc-by-sa-4.0 asks for attribution, and the card does not say whom to name with a link to the license"}},
		{"nobody to name", "quotes/README.md", "Please cite tea/quotes and Wikipedia", "Made of Wikipedia", []string{
			"warning license/attribution README.md: cc-by-sa-4.0 asks for attribution, and the card does not say whom to name with a link to the license"}},
		{"a source that is not named", "quotes/README.md", " and Wikipedia", "", []string{
			"error license/attribution hfpub.yaml:31:9: content of Wikipedia, which is under cc-by-sa-3.0, is in tea/quotes, and neither the card nor a NOTICE names it"}},
		{"no text of the Apache license", "pairs/LICENSES/apache.txt", "", "", []string{
			"error license/notice hfpub.yaml:12:9: content of WebArena, which is under apache-2.0, is in tea/pairs without the text of apache-2.0"}},
		{"content of another license that asks for a NOTICE", "hfpub.yaml", "WebArena, license: apache-2.0", "WebArena, license: llama3.1", []string{
			"error license/notice hfpub.yaml:12:9: content of WebArena, which is under llama3.1, is in tea/pairs without the text of llama3.1"}},
		{"no NOTICE", "pairs/NOTICE", "", "", []string{
			"error license/notice hfpub.yaml:12:9: content of WebArena, which is under apache-2.0, is in tea/pairs without a NOTICE"}},
		{"a NOTICE about others", "pairs/NOTICE", "WebArena", "OtherArena2", []string{
			"error license/notice hfpub.yaml:12:9: content of WebArena, which is under apache-2.0, is in tea/pairs without its name in NOTICE"}},
		{"a NOTICE with another license for the data", "pairs/NOTICE", "This", "Datasets are CC-BY-NC-4.0 unless noted.\nThis", []string{
			"error license/disagree README.md:2:10: the license differs from place to place: mit (hfpub.yaml:8), mit (README.md:2), mit (LICENSE), cc-by-nc-4.0 (NOTICE:1)"}},
		{"a NOTICE that names another base model", "judge/NOTICE", "", "An adapter of Qwen/Qwen3-1.7B.\n", []string{
			"warning license/base-model-name NOTICE:1: the base model is Qwen/Qwen3-1.7B-Base (README.md:3:13), and the NOTICE says Qwen/Qwen3-1.7B"}},
		{"a NOTICE of the release that names another base model", "NOTICE", "", "Made by us.\nBased on qwen/Qwen3-1.7B-Base-Chat, not on Other/Model.\n", []string{
			"warning license/base-model-name ../NOTICE:2: the base model is Qwen/Qwen3-1.7B-Base (README.md:3:13), and the NOTICE says qwen/Qwen3-1.7B-Base-Chat"}},
		{"a NOTICE for the whole release", "NOTICE", "", "Datasets are CC-BY-NC-4.0 unless noted.", []string{
			"error license/disagree README.md:2:10: the license differs from place to place: mit (hfpub.yaml:8), mit (README.md:2), mit (LICENSE), cc-by-nc-4.0 (../NOTICE:1)",
			"error license/disagree README.md:2:10: the license differs from place to place: apache-2.0 (hfpub.yaml:20), apache-2.0 (README.md:2), cc-by-nc-4.0 (../NOTICE:1)",
			"error license/disagree README.md:2:10: the license differs from place to place: cc-by-sa-4.0 (hfpub.yaml:28), cc-by-sa-4.0 (README.md:2), cc-by-nc-4.0 (../NOTICE:1)"}},
		{"a catalog that says something else", "catalog.md", "", "| repo | license |\n| --- | --- |\n| `tea/pairs` | `cc-by-4.0` |\n| `tea/judge` | `apache-2.0` |\n", []string{
			"error license/disagree README.md:2:10: the license differs from place to place: mit (hfpub.yaml:8), mit (README.md:2), mit (LICENSE), cc-by-4.0 (../catalog.md:3)"}},
		{"a tool", "hfpub.yaml", "license: mit, flow: content", "license: commercial API terms, flow: tool", []string{
			"note license/tool-terms hfpub.yaml:11:9: SWE-bench made parts of tea/pairs: its terms (commercial API terms) do not change the license, and may bind those who made or use the data"}},
		{"a work nobody knows the license of", "hfpub.yaml", "license: mit, flow: content", "license: unknown, flow: content", []string{
			"warning license/upstream-unknown hfpub.yaml:11:9: content of SWE-bench is in tea/pairs, and its license is not known"}},
		{"one work with two licenses", "hfpub.yaml", "tea/pairs, license: mit", "tea/pairs, license: cc-by-4.0", []string{
			"error license/upstream-differs hfpub.yaml:23:9: tea/pairs is under cc-by-4.0 here and under mit elsewhere in hfpub.yaml"}},
		{"a model without weights", "judge/adapter.safetensors", "", "", []string{
			"warning license/status hfpub.yaml:16:5: tea/judge is a public model without weights"}},
		{"what is withheld leaves in another repo", "hfpub.yaml", "tea/pairs, license: mit, flow: labels}\n  - id: tea/quotes\n    type: dataset\n    status: public",
			"tea/quotes, license: cc-by-sa-4.0, flow: content}\n  - id: tea/quotes\n    type: dataset\n    status: withheld", []string{
				"error license/share-alike hfpub.yaml:23:9: content of tea/quotes, which is under cc-by-sa-4.0, is in tea/judge, which is under apache-2.0",
				"error license/share-alike hfpub.yaml:23:9: content of Wikipedia, which is under cc-by-sa-3.0, is in tea/judge through tea/quotes, which is under apache-2.0",
				"error license/attribution hfpub.yaml:23:9: content of Wikipedia, which is under cc-by-sa-3.0, is in tea/judge through tea/quotes, and neither the card nor a NOTICE names it",
				"warning license/status hfpub.yaml:16:5: content of tea/quotes, which is withheld, is in tea/judge, which is public"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{}
			for name, text := range wholeRelease {
				files[name] = text
			}
			switch {
			case c.from != "":
				if !strings.Contains(files[c.file], c.from) {
					t.Fatalf("%s does not hold %q", c.file, c.from)
				}
				files[c.file] = strings.Replace(files[c.file], c.from, c.to, 1)
			case c.to != "":
				files[c.file] = c.to
			default:
				delete(files, c.file)
			}
			var got []string
			for _, f := range heard(t, loadRelease(t, files)) {
				got = append(got, string(f.Severity)+" "+string(f.Code)+" "+f.Where()+": "+f.Message)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The base model of hfpub.yaml counts where the card does not name it yet.
func TestBaseModelOfTheManifest(t *testing.T) {
	rel := loadRelease(t, map[string]string{
		"hfpub.yaml": "version: 1\nrelease: {name: tea, version: 1.0.0}\nrepos:\n  - id: tea/judge\n    type: model\n    status: public\n    license: mit\n" +
			"    card: {base_model: Qwen/Qwen3-1.7B-Base}\n    upstream: [{name: Qwen/Qwen3-1.7B-Base, license: apache-2.0, flow: content}]\n",
		"model.safetensors": "weights",
	})
	found := heard(t, rel)
	if len(found) != 1 || found[0].Code != finding.LicenseBaseModel || found[0].Where() != "hfpub.yaml:9:16" {
		t.Errorf("want license/base-model at hfpub.yaml:9:16, got %+v", found)
	}
}

// Without a license anywhere a public repo is not ready.
func TestPublicWithoutLicense(t *testing.T) {
	rel := loadRelease(t, map[string]string{
		"hfpub.yaml": "version: 1\nrelease: {name: tea, version: 1.0.0}\nrepos:\n  - id: tea/pairs\n    type: dataset\n    status: public\n" +
			"    configs: [{name: default, splits: [{name: train, files: [train.jsonl]}]}]\n",
		"train.jsonl": "{}\n",
	})
	found := heard(t, rel)
	if len(found) != 1 || found[0].Code != finding.LicenseStatus || found[0].Where() != "hfpub.yaml:4:5" {
		t.Errorf("want license/status at hfpub.yaml:4:5, got %+v", found)
	}
}

// A circle of content ends.
func TestCircle(t *testing.T) {
	g := &Graph{Nodes: []Node{newNode("a", Repo, "mit"), newNode("b", Repo, "mit"), newNode("w", Upstream, "cc-by-sa-4.0")},
		Edges: []Edge{{From: "b", To: "a", Flow: Content}, {From: "a", To: "b", Flow: Content}, {From: "w", To: "b", Flow: Content}}}
	var got []string
	for _, d := range g.duties("a") {
		got = append(got, d.work.ID+d.way())
	}
	if diff := cmp.Diff([]string{"b", "w through b"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTermsOf(t *testing.T) {
	for license, want := range map[string]string{
		"mit":                      "mit [text]",
		"MIT":                      "mit [text]",
		"Apache-2.0":               "apache-2.0 [text notice]",
		"Apache License 2.0":       "apache-2.0 [text notice]",
		"CC BY-SA 4.0":             "cc-by-sa-4.0 [attribution share-alike]",
		"CC-BY-NC-SA-2.5":          "cc-by-nc-sa-2.5 [attribution non-commercial share-alike]",
		"CC BY-NC":                 "cc-by-nc [attribution non-commercial]",
		"ODbL-1.0":                 "odbl [attribution share-alike]",
		"GPL-3.0-or-later":         "gpl-3.0 [text share-alike]",
		"commercial API terms":     "commercial API terms []",
		"unknown":                  "unknown []",
		"":                         " []",
		"bigcode-openrail-m":       "bigcode-openrail-m [use]",
		"mixed; some are CC-BY-SA": "mixed; some are CC-BY-SA []",
	} {
		terms := TermsOf(license)
		var traits []string
		for _, trait := range terms.Traits {
			traits = append(traits, string(trait))
		}
		if got := terms.ID + " [" + strings.Join(traits, " ") + "]"; got != want {
			t.Errorf("TermsOf(%q) is %s, want %s", license, got, want)
		}
	}
}

// Every id of the Hub's list has its terms, and the two tables stand in one order.
func TestTermsOfAllIDs(t *testing.T) {
	var got []string
	for line := range strings.Lines(termsTable) {
		id, _, _ := strings.Cut(line, "\t")
		got = append(got, id)
	}
	if diff := cmp.Diff(ids(), got); diff != "" {
		t.Errorf("ids.tsv and terms.tsv differ (-ids +terms):\n%s", diff)
	}
}

func TestInNotice(t *testing.T) {
	for text, want := range map[string]string{
		"Datasets are CC-BY-NC-4.0 unless noted.":                       "cc-by-nc-4.0",
		"The data in this repository are licensed under the CC BY 4.0.": "cc-by-4.0",
		"All datasets: CC0": "cc0-1.0",
		"The source data are licensed under CC BY-SA 4.0":                   "",
		"This dataset contains content from SWE-bench (MIT License).":       "",
		"Portions are licensed under the MIT License.":                      "",
		"Training data of the base model are available under CC BY-SA 4.0.": "",
	} {
		var got []string
		for _, s := range InNotice(text) {
			got = append(got, s.IDs...)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("InNotice(%q) is %q, want %q", text, got, want)
		}
	}
}

func FuzzNotice(f *testing.F) {
	f.Add("Datasets are CC-BY-NC-4.0 unless noted.")
	f.Add("| tea/pairs | mit |")
	f.Fuzz(func(_ *testing.T, text string) {
		InNotice(text)
		InCatalog(text, "tea/pairs")
		TermsOf(text)
	})
}
