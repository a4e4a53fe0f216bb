package release

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xeipuuv/gojsonschema"
	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/validate/finding"
)

const (
	head = "version: 1\nrelease: {name: tea, version: 1.0.0}\n"
	// repoHead takes up lines 3 to 6.
	repoHead = "repos:\n  - id: acme/tea\n    type: dataset\n    status: public\n"
	// configs takes up lines 7 to 11.
	configs = "    configs:\n      - name: default\n        splits:\n          - {name: train, files: [\"data/train.jsonl\"]}\n          - {name: test, files: [\"data/test.jsonl\"]}\n"
)

// repo is a manifest of one repo with two splits, and more lines for the repo from line 12 on.
func repo(lines string) string { return head + repoHead + configs + indent(lines) }

// bare is a manifest of one repo with more lines for it from line 7 on.
func bare(lines string) string { return head + repoHead + indent(lines) }

func indent(lines string) string {
	if lines == "" {
		return ""
	}
	return "    " + strings.ReplaceAll(strings.TrimSuffix(lines, "\n"), "\n", "\n    ") + "\n"
}

// release writes a manifest and what it needs beside it.
func releaseFolder(t *testing.T, manifest string) string {
	t.Helper()
	return folder(t, map[string]string{
		ManifestName: manifest, "data/train.jsonl": "{}\n", "data/test.jsonl": "{}\n", "schema.json": "{}", "sub/x.jsonl": "{}\n",
	})
}

// The manifests below are judged by Load and by the JSON Schema. Both must agree, but for what only Load can see because
// it takes two places of the file, the files beside it, or the YAML text.
var manifests = []struct {
	name, text string
	// want are code, line:column, pointer and words of the message of every error; none for a valid manifest.
	want []string
	// beyond marks faults that the JSON Schema cannot see.
	beyond bool
}{
	{name: "the least", text: head + repoHead},
	{name: "configs", text: repo("")},
	{name: "several repos",
		text: head + "repos:\n- {id: a/b, type: model, status: withheld, root: nowhere}\n- {id: a/c, type: dataset, status: pending, root: sub}\n"},
	{name: "empty rules and claims", text: head + repoHead + "rules: []\nclaims: []\n"},
	{name: "version missing", text: "release: {name: a, version: b}\n" + repoHead,
		want: []string{"manifest/missing 1:1 /version hfpub.yaml has no version"}},
	{name: "version of another form", text: "version: 2\nrelease: {name: a, version: b}\n" + repoHead,
		want: []string{"manifest/value 1:10 /version the number 2, expected 1"}},
	{name: "version in quotes", text: "version: \"1\"\nrelease: {name: a, version: b}\n" + repoHead,
		want: []string{`manifest/value 1:10 /version the text "1", expected 1`}},
	{name: "release missing", text: "version: 1\n" + repoHead,
		want: []string{"manifest/missing 1:1 /release has no release"}},
	{name: "release version is a number", text: "version: 1\nrelease: {name: a, version: 1.0}\n" + repoHead,
		want: []string{"manifest/value 2:29 /release/version the number 1.0, expected text"}},
	{name: "release version is a date", text: "version: 1\nrelease: {name: a, version: 2026-08-01}\n" + repoHead},
	{name: "release without name", text: "version: 1\nrelease: {version: b}\n" + repoHead,
		want: []string{"manifest/missing 2:10 /release/name release has no name"}},
	{name: "repos missing", text: head, want: []string{"manifest/missing 1:1 /repos has no repos"}},
	{name: "no repos", text: head + "repos: []\n", want: []string{"manifest/value 3:8 /repos empty list"}},
	{name: "repos are no list", text: head + "repos: {id: a/b}\n",
		want: []string{"manifest/value 3:8 /repos a mapping, expected a list"}},
	{name: "repo is no mapping", text: head + "repos: [x]\n",
		want: []string{`manifest/value 3:9 /repos/0 repo 1 is the text "x", expected a mapping`}},
	{name: "not a mapping", text: "- a\n", want: []string{"manifest/value 1:1 hfpub.yaml is a list, expected a mapping"}},
	{name: "unknown key", text: head + repoHead + "frobnicate: 1\n",
		want: []string{`manifest/unknown-key 7:1 /frobnicate unknown key "frobnicate"`}},
	{name: "misspelt key", text: bare("lisence: mit\n"),
		want: []string{`manifest/unknown-key 7:5 /repos/0/lisence unknown key "lisence" in repo 1 | license`}},
	{name: "misspelt key that is needed is one fault", text: head + "repos:\n- {id: a/b, type: dataset, stauts: public}\n",
		want: []string{`manifest/unknown-key 4:28 /repos/0/stauts unknown key "stauts" | status`}},
	{name: "all that is missing", text: head + "repos:\n- root: .\n",
		want: []string{"manifest/missing 4:3 /repos/0/id no id", "manifest/missing 4:3 /repos/0/type no type",
			"manifest/missing 4:3 /repos/0/status no status"}},
	{name: "status of another word", text: head + "repos:\n- {id: a/b, type: dataset, status: publc}\n",
		want: []string{`manifest/value 4:36 /repos/0/status "publc" | public`}},
	{name: "type of another word", text: head + "repos:\n- {id: a/b, type: space, status: public}\n",
		want: []string{`manifest/value 4:19 /repos/0/type "space"`}},
	{name: "key without value", text: bare("license:\n"),
		want: []string{"manifest/value 7:13 /repos/0/license nothing, expected text"}},
	{name: "empty text", text: bare("license: \"\"\n"),
		want: []string{"manifest/value 7:14 /repos/0/license license is empty"}},
	{name: "same key twice", text: bare("license: mit\nlicense: cc0-1.0\n"), beyond: true,
		want: []string{`manifest/duplicate-key 8:5 /repos/0/license first on line 7, column 5`}},
	{name: "id without namespace", text: head + "repos:\n- {id: tea, type: dataset, status: public}\n",
		want: []string{`manifest/value 4:8 /repos/0/id "tea" is no repo id: it has no namespace`}},
	{name: "id with datasets/", text: head + "repos:\n- {id: datasets/a/b, type: dataset, status: public}\n",
		want: []string{"manifest/value 4:8 /repos/0/id more than one /"}},
	{name: "id with two dots", text: head + "repos:\n- {id: a/b..c, type: dataset, status: public}\n",
		want: []string{"manifest/value 4:8 /repos/0/id -- and .."}},
	{name: "id that ends with .git", text: head + "repos:\n- {id: a/b.git, type: dataset, status: public}\n",
		want: []string{"manifest/value 4:8 /repos/0/id end with .git"}},
	{name: "id that starts with a dash", text: head + "repos:\n- {id: a/-b, type: dataset, status: public}\n",
		want: []string{"manifest/value 4:8 /repos/0/id neither starts nor ends"}},
	{name: "id too long", text: head + "repos:\n- {id: a/" + strings.Repeat("x",
		97) + ", type: dataset, status: public}\n", want: []string{"manifest/value 4:8 /repos/0/id longer than 96"}},
	{name: "longest id", text: head + "repos:\n- {id: a/" + strings.Repeat("x", 96) + ", type: dataset, status: public}\n"},
	{name: "two repos of one id",
		text: head + "repos:\n- {id: a/b, type: dataset, status: public}\n- {id: a/b, type: dataset, status: public, root: sub}\n", beyond: true,
		want: []string{`manifest/value 5:3 /repos/1 "a/b" stands twice, first on line 4`}},
	{name: "two repos with one root",
		text: head + "repos:\n- {id: a/b, type: dataset, status: public, root: ./sub}\n- {id: a/c, type: dataset, status: public, root: sub/}\n", beyond: true,
		want: []string{`manifest/value 5:3 /repos/1 same root`}},
	{name: "root that leaves the folder", text: bare("root: ../x\n"),
		want: []string{"manifest/value 7:11 /repos/0/root leads out"}},
	{name: "root that leaves half way", text: bare("root: sub/../../x\n"),
		want: []string{"manifest/value 7:11 /repos/0/root leads out"}},
	{name: "absolute root", text: bare("root: /tmp\n"), want: []string{"manifest/value 7:11 /repos/0/root starts with /"}},
	{name: "root with a backslash", text: bare("root: 'a\\b'\n"),
		want: []string{"manifest/value 7:11 /repos/0/root backslash"}},
	{name: "root that is not there", text: bare("root: nowhere\n"), beyond: true,
		want: []string{`manifest/value 7:11 /repos/0/root "nowhere" of acme/tea is not there`}},
	{name: "root that is a file", text: bare("root: schema.json\n"), beyond: true,
		want: []string{"manifest/value 7:11 /repos/0/root no folder"}},

	{name: "card", text: bare("license: other\nlicense_name: tea-1\nlicense_link: LICENSE\ncard:\n  pretty_name: Tea\n  language: [en, no]\n  tags: []\n  task_categories: text-generation\n  sections:\n    Uses: |\n      Drink.\n")},
	{name: "language with region", text: bare("card: {language: en-US}\n"),
		want: []string{`manifest/value 7:22 /repos/0/card/language "en-US"`}},
	{name: "tags that are no texts", text: bare("card: {tags: [a, 1]}\n"),
		want: []string{"manifest/value 7:22 /repos/0/card/tags/1 the number 1, expected text"}},
	{name: "sections that are no texts", text: bare("card: {sections: {A: [b]}}\n"),
		want: []string{`manifest/value 7:26 /repos/0/card/sections/A section "A" is a list`}},
	{name: "section without heading", text: bare("card: {sections: {'': b}}\n"),
		want: []string{"manifest/value 7:23 /repos/0/card/sections/ a section has no heading"}},
	{name: "sections as a list", text: bare("card: {sections: [A]}\n"),
		want: []string{"manifest/value 7:22 /repos/0/card/sections a list, expected a mapping"}},
	{name: "card of a model", text: bare("card:\n  base_model: acme/base\n  base_model_relation: adapter\n  library_name: peft\n  pipeline_tag: text-generation\n" +
		"  datasets: [acme/tea]\n  metrics: accuracy\n  citation: Ada 2024\n  template: card.md.tmpl\n" +
		"  results:\n    - {task: text-generation, dataset: acme/tea, dataset_name: Tea, config: default, split: test, metric: accuracy, value: 0.91}\n")},
	{name: "relation that is none", text: bare("card: {base_model_relation: lora}\n"),
		want: []string{`manifest/value 7:33 /repos/0/card/base_model_relation base_model_relation is "lora"`}},
	{name: "template outside the release", text: bare("card: {template: ../x.tmpl}\n"),
		want: []string{`manifest/value 7:22 /repos/0/card/template template "../x.tmpl" cannot be used`}},
	{name: "result that is no number", text: bare("card: {results: [{task: a, dataset: b, metric: c, value: high}]}\n"),
		want: []string{`manifest/value 7:62 /repos/0/card/results/0/value value is`}},
	{name: "result without a metric", text: bare("card: {results: [{task: a, dataset: b, value: 1}]}\n"),
		want: []string{`manifest/missing 7:22 /repos/0/card/results/0/metric result 1 has no metric`}},
	{name: "unknown key of a result", text: bare("card: {results: [{task: a, dataset: b, metric: c, value: 1, tsk: x}]}\n"),
		want: []string{`manifest/unknown-key 7:65 /repos/0/card/results/0/tsk unknown key | task`}},
	{name: "unknown key of the card", text: bare("card: {prettyname: x}\n"),
		want: []string{"manifest/unknown-key 7:12 /repos/0/card/prettyname unknown key | pretty_name"}},

	{name: "features, default, schema, artifact",
		text: bare("configs:\n- name: a\n  default: true\n  features: [{name: id, dtype: int64}]\n  splits:\n  - {name: train, files: data/*.jsonl, schema: schema.json}\n" +
			"  - {name: v1.0, files: [data/**/*.jsonl, ./data/x.csv], artifact: memgym/pairs}\n- name: b\n  splits: [{name: train, files: a.jsonl}]\n")},
	{name: "no configs", text: bare("configs: []\n"), want: []string{"manifest/value 7:14 /repos/0/configs empty list"}},
	{name: "config without name and splits", text: bare("configs: [{}]\n"),
		want: []string{"manifest/missing 7:15 /repos/0/configs/0/name no name",
			"manifest/missing 7:15 /repos/0/configs/0/splits no splits"}},
	{name: "config name with a slash", text: bare("configs: [{name: a/b, splits: [{name: t, files: x}]}]\n"),
		want: []string{`manifest/value 7:22 /repos/0/configs/0/name "a/b" is refused`}},
	{name: "two configs of one name",
		text: bare("configs:\n- {name: a, splits: [{name: t, files: x}]}\n- {name: a, splits: [{name: t, files: x}]}\n"), beyond: true,
		want: []string{`manifest/value 9:7 /repos/0/configs/1 config "a" stands twice, first on line 8`}},
	{name: "two default configs",
		text: bare("configs:\n- {name: default, splits: [{name: t, files: x}]}\n- {name: a, default: true, splits: [{name: t, files: x}]}\n"), beyond: true,
		want: []string{"manifest/value 8:5 /repos/0/configs several configs are the default"}},
	{name: "default is no boolean", text: bare("configs: [{name: a, default: yes, splits: [{name: t, files: x}]}]\n"),
		want: []string{`manifest/value 7:34 /repos/0/configs/0/default the text "yes", expected true or false`}},
	{name: "features as a mapping",
		text: bare("configs: [{name: a, features: {id: int64}, splits: [{name: t, files: x}]}]\n"), want: []string{"manifest/value 7:35 /repos/0/configs/0/features a mapping, expected a list"}},
	{name: "split name with a hyphen", text: bare("configs: [{name: a, splits: [{name: train-clean, files: x}]}]\n"),
		want: []string{`manifest/value 7:41 /repos/0/configs/0/splits/0/name "train-clean" is refused | train_clean`}},
	{name: "split called all", text: bare("configs: [{name: a, splits: [{name: all, files: x}]}]\n"),
		want: []string{`manifest/value 7:41 /repos/0/configs/0/splits/0/name union of all splits`}},
	{name: "split name as a number", text: bare("configs: [{name: a, splits: [{name: 2024, files: x}]}]\n"),
		want: []string{"manifest/value 7:41 /repos/0/configs/0/splits/0/name the number 2024, expected text"}},
	{name: "two splits of one name",
		text: bare("configs: [{name: a, splits: [{name: t, files: x}, {name: t, files: y}]}]\n"), beyond: true, want: []string{`manifest/value 7:55 /repos/0/configs/0/splits/1 split "t" stands twice`}},
	{name: "split without files", text: bare("configs: [{name: a, splits: [{name: t}]}]\n"),
		want: []string{"manifest/missing 7:34 /repos/0/configs/0/splits/0/files split 1 has no files"}},
	{name: "empty files", text: bare("configs: [{name: a, splits: [{name: t, files: []}]}]\n"),
		want: []string{"manifest/value 7:51 /repos/0/configs/0/splits/0/files empty list"}},
	{name: "two stars in a part", text: bare("configs: [{name: a, splits: [{name: t, files: ['**.csv']}]}]\n"),
		want: []string{"manifest/value 7:52 /repos/0/configs/0/splits/0/files/0 whole part"}},
	{name: "pattern that leaves root", text: bare("configs: [{name: a, splits: [{name: t, files: ../x.csv}]}]\n"),
		want: []string{"manifest/value 7:51 /repos/0/configs/0/splits/0/files leads out"}},
	{name: "pattern is an address", text: bare("configs: [{name: a, splits: [{name: t, files: 'hf://x/y.csv'}]}]\n"),
		want: []string{"manifest/value 7:51 /repos/0/configs/0/splits/0/files an address"}},
	{name: "pattern names a folder", text: bare("configs: [{name: a, splits: [{name: t, files: data/}]}]\n"),
		want: []string{"manifest/value 7:51 /repos/0/configs/0/splits/0/files names a folder"}},
	{name: "artifact and schema",
		text: bare("configs: [{name: a, splits: [{name: t, files: x, artifact: a/b, schema: schema.json}]}]\n"), want: []string{"manifest/value 7:77 /repos/0/configs/0/splits/0/schema side by side"}},
	{name: "artifact without family",
		text: bare("configs: [{name: a, splits: [{name: t, files: x, artifact: pairs}]}]\n"), want: []string{`manifest/value 7:64 /repos/0/configs/0/splits/0/artifact "pairs" is no family/name`}},
	{name: "schema that is not there",
		text: bare("configs: [{name: a, splits: [{name: t, files: x, schema: no.json}]}]\n"), beyond: true, want: []string{`manifest/value 7:62 /repos/0/configs/0/splits/0/schema "no.json" is not there`}},

	{name: "upstream", text: bare("upstream:\n- {name: SWE-Gym, license: mit, flow: content}\n- {name: x, license: unknown, flow: tool}\n")},
	{name: "hygiene", text: bare("hygiene: {allow: [/testbed, /home/user], forbid: schema.json}\n")},
	{name: "hygiene with a list that is not there", text: bare("hygiene: {forbid: [bank.txt]}\n"),
		want: []string{`manifest/value 7:24 /repos/0/hygiene/forbid/0 the list "bank.txt" is not there`}, beyond: true},
	{name: "upstream with another flow", text: bare("upstream: [{name: a, license: b, flow: contents}]\n"),
		want: []string{`manifest/value 7:44 /repos/0/upstream/0/flow "contents" | content`}},
	{name: "upstream without license", text: bare("upstream: [{name: a, flow: content}]\n"),
		want: []string{"manifest/missing 7:16 /repos/0/upstream/0/license upstream 1 has no license"}},
	{name: "reproduce", text: bare("reproduce: {run: [hfpub, generate, clerk, --seed, \"137\"], produces: data/train.jsonl}\n")},
	{name: "reproduce with a number", text: bare("reproduce: {run: [seed, 137], produces: x}\n"),
		want: []string{"manifest/value 7:29 /repos/0/reproduce/run/1 the number 137, expected text"}},
	{name: "reproduce as one text", text: bare("reproduce: {run: make, produces: x}\n"),
		want: []string{`manifest/value 7:22 /repos/0/reproduce/run the text "make", expected a list`}},
	{name: "reproduce outside", text: bare("reproduce: {run: [make], produces: ../x}\n"),
		want: []string{"manifest/value 7:40 /repos/0/reproduce/produces leads out"}},

	{name: "every rule", text: repo(`rules:
- unique: {in: [train, test], key: [/id, /a~1b/*/c]}
- unique: {in: train, key: "", normalize: casefold}
- disjoint: {between: [train, default/test], key: [/q], normalize: [nfkc, casefold, spaces, punctuation]}
- reference: {from: {in: train, key: /ids/*}, to: {in: acme/tea#default/test, key: /id}, exactly: 1}
- reference: {from: {in: train, key: /ids/*}, to: {in: [test], key: /id}, at_least: 0, at_most: 2}
- subset: {in: [test], of: [train], key: [/id]}
- determines: {in: [train], key: [/a], value: [/b]}
- counts: {in: [train], by: /label, equal: {0: 16357, "1": 2280, true: 0, a b: 3}}
- sorted: {in: [train], by: /edges, order: [12, 10.5, x, null]}
- sorted: {in: [train], by: /edges, order: descending}
- sorted: {in: [train], by: /edges}
- when: 'row.label == 1'
  must: 'row.completion == " Y"'
- {when: 'true', must: has(row.id), in: [test]}
- near_duplicates: {between: [train, test], key: [/q, /a]}
- near_duplicates: {in: train, key: /q, threshold: 0.85, shingle: 5, permutations: 128, bands: 32, seed: 42}
- near_duplicates: {in: [train, test], key: "", threshold: 1}
`)},
	{name: "rules of the release",
		text: repo("") + "rules:\n- disjoint: {between: [acme/tea#default/train, acme/tea#test], key: [/id]}\n"},
	{name: "unknown rule", text: repo("rules: [{uniqe: {in: [train], key: [/id]}}]\n"),
		want: []string{"manifest/unknown-key 12:14 /repos/0/rules/0/uniqe unknown key | unique"}},
	{name: "no rule", text: repo("rules: [{}]\n"),
		want: []string{"manifest/value 12:13 /repos/0/rules/0 rule 1 says no rule"}},
	{name: "two rules in one",
		text: repo("rules: [{unique: {in: [train], key: [/id]}, sorted: {in: [train], by: /id}}]\n"), want: []string{"manifest/value 12:57 /repos/0/rules/0/sorted rule sorted stands beside rule unique"}},
	{name: "rule without key", text: repo("rules: [{unique: {in: [train]}}]\n"),
		want: []string{"manifest/missing 12:22 /repos/0/rules/0/unique/key unique has no key"}},
	{name: "rule without splits", text: repo("rules: [{unique: {in: [], key: [/id]}}]\n"),
		want: []string{"manifest/value 12:27 /repos/0/rules/0/unique/in empty list"}},
	{name: "key without slash", text: repo("rules: [{unique: {in: [train], key: [id]}}]\n"),
		want: []string{`manifest/value 12:42 /repos/0/rules/0/unique/key/0 "id" is no JSON Pointer`}},
	{name: "key with a bare tilde", text: repo("rules: [{unique: {in: [train], key: /a~b}}]\n"),
		want: []string{"manifest/value 12:41 /repos/0/rules/0/unique/key is no JSON Pointer: ~"}},
	{name: "one split is not disjoint", text: repo("rules: [{disjoint: {between: [train], key: [/id]}}]\n"),
		want: []string{"manifest/value 12:34 /repos/0/rules/0/disjoint/between at least 2"}},
	{name: "a split twice", text: repo("rules: [{disjoint: {between: [train, default/train], key: [/id]}}]\n"), beyond: true,
		want: []string{`manifest/value 12:42 /repos/0/rules/0/disjoint/between/1 "default/train" stands in this list already`}},
	{name: "near duplicates of a split and itself", text: repo("rules: [{near_duplicates: {between: [train, train], key: /q}}]\n"), beyond: true,
		want: []string{`manifest/value 12:49 /repos/0/rules/0/near_duplicates/between/1 "train" stands in this list already`}},
	{name: "unknown normalization", text: repo("rules: [{unique: {in: [train], key: [/id], normalize: [lower]}}]\n"),
		want: []string{`manifest/value 12:60 /repos/0/rules/0/unique/normalize/0 "lower"`}},
	{name: "split that is not there", text: repo("rules: [{unique: {in: [trian], key: [/id]}}]\n"), beyond: true,
		want: []string{`manifest/value 12:28 /repos/0/rules/0/unique/in/0 has no split "trian" | train`}},
	{name: "config that is not there", text: repo("rules: [{unique: {in: [other/train], key: [/id]}}]\n"), beyond: true,
		want: []string{`manifest/value 12:28 /repos/0/rules/0/unique/in/0 has no split "other/train"`}},
	{name: "repo that is not there", text: repo("rules: [{unique: {in: [acme/coffee#train], key: [/id]}}]\n"),
		beyond: true, want: []string{`manifest/value 12:28 /repos/0/rules/0/unique/in/0 no repo "acme/coffee"`}},
	{name: "no name of a split", text: repo("rules: [{unique: {in: [train-clean], key: [/id]}}]\n"),
		want: []string{`manifest/value 12:28 /repos/0/rules/0/unique/in/0 "train-clean" names no split`}},
	{name: "split of the release without repo", text: repo("") + "rules: [{unique: {in: [train], key: [/id]}}]\n",
		beyond: true, want: []string{"manifest/value 12:24 /rules/0/unique/in/0 must say of which repo"}},
	{name: "split in two configs",
		text: bare("configs:\n- {name: a, splits: [{name: t, files: x}]}\n- {name: b, splits: [{name: t, files: x}]}\nrules: [{unique: {in: t, key: [/id]}}]\n"), beyond: true,
		want: []string{`manifest/value 10:27 /repos/0/rules/0/unique/in split "t" is in several configs: a, b | a/t`}},
	{name: "exactly beside at_least",
		text: repo("rules: [{reference: {from: {in: train, key: /a}, to: {in: test, key: /a}, exactly: 1, at_least: 1}}]\n"), want: []string{"manifest/value 12:25 /repos/0/rules/0/reference exactly stands beside"}},
	{name: "at_least above at_most",
		text: repo("rules: [{reference: {from: {in: train, key: /a}, to: {in: test, key: /a}, at_least: 2, at_most: 1}}]\n"), beyond: true, want: []string{"manifest/value 12:25 /repos/0/rules/0/reference at_least 2 is more"}},
	{name: "negative times",
		text: repo("rules: [{reference: {from: {in: train, key: /a}, to: {in: test, key: /a}, exactly: -1}}]\n"), want: []string{"manifest/value 12:88 /repos/0/rules/0/reference/exactly the number -1, expected a whole number from 0 on"}},
	{name: "counts without values", text: repo("rules: [{counts: {in: train, by: /a, equal: {}}}]\n"),
		want: []string{"manifest/value 12:49 /repos/0/rules/0/counts/equal a mapping, expected a mapping of values"}},
	{name: "counts of text", text: repo("rules: [{counts: {in: train, by: /a, equal: {a: many}}}]\n"),
		want: []string{`manifest/value 12:53 /repos/0/rules/0/counts/equal/a rows of a is the text "many"`}},
	{name: "order of another word", text: repo("rules: [{sorted: {in: train, by: /a, order: up}}]\n"),
		want: []string{`manifest/value 12:49 /repos/0/rules/0/sorted/order "up"`}},
	{name: "order with a list inside", text: repo("rules: [{sorted: {in: train, by: /a, order: [[1]]}}]\n"),
		want: []string{"manifest/value 12:50 /repos/0/rules/0/sorted/order/0 a list, expected one value"}},
	{name: "when without must", text: repo("rules: [{when: 'true'}]\n"),
		want: []string{"manifest/missing 12:13 /repos/0/rules/0/must no must"}},
	{name: "must without when", text: repo("rules: [{must: 'true'}]\n"),
		want: []string{"manifest/missing 12:13 /repos/0/rules/0/when no when"}},
	{name: "when is no text", text: repo("rules: [{when: true, must: 'true'}]\n"),
		want: []string{"manifest/value 12:20 /repos/0/rules/0/when true, expected text"}},
	{name: "near duplicates of nothing", text: repo("rules: [{near_duplicates: {key: /q}}]\n"),
		want: []string{"manifest/missing 12:31 /repos/0/rules/0/near_duplicates/between has no between"}},
	{name: "near duplicates in and between", text: repo("rules: [{near_duplicates: {in: train, between: [train, test], key: /q}}]\n"),
		want: []string{"manifest/value 12:52 /repos/0/rules/0/near_duplicates/between in stands beside between"}},
	{name: "near duplicates from 80 on", text: repo("rules: [{near_duplicates: {in: train, key: /q, threshold: 80}}]\n"),
		want: []string{"manifest/value 12:63 /repos/0/rules/0/near_duplicates/threshold the number 80, expected a number from 0.001 to 1"}},
	{name: "near duplicates from nothing on", text: repo("rules: [{near_duplicates: {in: train, key: /q, threshold: 1e-320}}]\n"),
		want: []string{"manifest/value 12:63 /repos/0/rules/0/near_duplicates/threshold the number 1e-320, expected a number from 0.001 to 1"}},
	{name: "near duplicates from a number of another base on", text: repo("rules: [{near_duplicates: {in: train, key: /q, threshold: 0x1}}]\n"), beyond: true,
		want: []string{"manifest/value 12:63 /repos/0/rules/0/near_duplicates/threshold the number 0x1, expected a number from 0.001 to 1"}},
	{name: "a count with a zero in front", text: repo("rules: [{counts: {in: train, by: /a, equal: {1: 010}}}]\n"), beyond: true,
		want: []string{"manifest/value 12:53 /repos/0/rules/0/counts/equal/1 rows of 1 is the number 010, expected a whole number from 0 on"}},
	{name: "near duplicates from a text on", text: repo("rules: [{near_duplicates: {in: train, key: /q, threshold: high}}]\n"),
		want: []string{`manifest/value 12:63 /repos/0/rules/0/near_duplicates/threshold the text "high"`}},
	{name: "more bands than permutations", text: repo("rules: [{near_duplicates: {in: train, key: /q, permutations: 16, bands: 17}}]\n"), beyond: true,
		want: []string{"manifest/value 12:77 /repos/0/rules/0/near_duplicates/bands bands 17 is too large"}},
	{name: "too many permutations", text: repo("rules: [{near_duplicates: {in: train, key: /q, permutations: 5000}}]\n"),
		want: []string{"manifest/value 12:66 /repos/0/rules/0/near_duplicates/permutations permutations 5000 is too large"}},
	{name: "rules as a mapping", text: repo("rules: {unique: {in: [train], key: [/id]}}\n"),
		want: []string{"manifest/value 12:12 /repos/0/rules a mapping, expected a list"}},

	{name: "every measure", text: repo(`claims:
- {id: a, said: {text: "15,630", where: table 1}, measure: {rows: {in: [train, test]}}, state: open}
- {id: b, said: {text: "3"}, measure: {distinct: {in: train, key: [/id], where: row.a}}, state: explained, why: typo}
- {id: c, said: {text: "3"}, measure: {count: {in: train, where: row.a}}}
- {id: d, said: {text: "3"}, measure: {share: {in: train, where: row.a}}}
- {id: e, said: {text: "3"}, measure: {mean: {in: train, value: /x}}}
- {id: f, said: {text: "3"}, measure: {std: {in: train, value: /x, where: row.a}}}
- {id: g, said: {text: "3"}, measure: {bytes: {in: train}}}
- {id: h, said: {text: "3"}, measure: {bytes: {files: [data/*]}}}
- {id: i, said: {text: "3"}, measure: {sha256: {file: data/train.jsonl}}}
- {id: j, said: {text: "3"}, measure: {files: {files: "**"}}}
- {id: k, said: {text: "3"}, measure: {value: {file: r.json, pointer: /a/0}}}
- {id: l, said: {text: "3"}, measure: {cell: {file: r.csv, where: {model: x, k: 5}, column: f1}}}
- {id: m, said: {text: "3"}, measure: {accuracy: {in: test, label: /y, prediction: /p}}}
- {id: n, said: {text: "3"}, measure: {f1: {in: test, label: /y, prediction: /p, positive: 1}}}
- {id: o, said: {text: "3"}, measure: {auroc: {in: test, label: /y, score: /s, positive: true}}}
- {id: p, said: {text: "3"}, measure: {ece: {in: test, label: /y, score: /s, positive: x, bins: 15}}}
- {id: q, said: {text: "3"}, measure: {balance: {in: test, by: /y, equal: 0}}}
- {id: rows-train.2, said: {text: "3"}, measure: {expr: "(a + b - 2) / -c * 1.5e3"}}
- {id: s, said: {text: "3"}, measure: {expr: rows-train.2 - a}}
`)},
	{name: "claims of the release",
		text: repo("") + "claims:\n- {id: a, said: {text: x}, measure: {rows: {in: acme/tea#train}}}\n"},
	{name: "claim without parts", text: repo("claims: [{}]\n"),
		want: []string{"manifest/missing 12:14 /repos/0/claims/0/id no id",
			"manifest/missing 12:14 /repos/0/claims/0/said no said", "manifest/missing 12:14 /repos/0/claims/0/measure no measure"}},
	{name: "said as a number", text: repo("claims: [{id: a, said: {text: 15}, measure: {rows: {in: train}}}]\n"),
		want: []string{"manifest/value 12:35 /repos/0/claims/0/said/text the number 15, expected text"}},
	{name: "claim id with a blank", text: repo("claims: [{id: a b, said: {text: x}, measure: {rows: {in: train}}}]\n"),
		want: []string{`manifest/value 12:19 /repos/0/claims/0/id claim id "a b"`}},
	{name: "two claims of one id",
		text: repo("claims:\n- {id: a, said: {text: x}, measure: {rows: {in: train}}}\n- {id: a, said: {text: x}, measure: {rows: {in: train}}}\n"), beyond: true, want: []string{`manifest/value 14:7 /repos/0/claims/1 claim "a" stands twice, first on line 13`}},
	{name: "state of another word",
		text: repo("claims: [{id: a, said: {text: x}, measure: {rows: {in: train}}, state: opened}]\n"), want: []string{`manifest/value 12:76 /repos/0/claims/0/state "opened" | open`}},
	{name: "explained without why",
		text: repo("claims: [{id: a, said: {text: x}, measure: {rows: {in: train}}, state: explained}]\n"), want: []string{"manifest/missing 12:14 /repos/0/claims/0/why no why"}},
	{name: "unknown measure", text: repo("claims: [{id: a, said: {text: x}, measure: {row: {in: train}}}]\n"),
		want: []string{"manifest/unknown-key 12:49 /repos/0/claims/0/measure/row unknown key | rows"}},
	{name: "two measures",
		text: repo("claims: [{id: a, said: {text: x}, measure: {rows: {in: train}, bytes: {in: train}}}]\n"), want: []string{"manifest/value 12:75 /repos/0/claims/0/measure/bytes measure bytes stands beside rows"}},
	{name: "no measure", text: repo("claims: [{id: a, said: {text: x}, measure: {}}]\n"),
		want: []string{"manifest/value 12:48 /repos/0/claims/0/measure names nothing"}},
	{name: "measure with an argument of another",
		text: repo("claims: [{id: a, said: {text: x}, measure: {rows: {in: train, key: /id}}}]\n"), want: []string{`manifest/unknown-key 12:67 /repos/0/claims/0/measure/rows/key unknown key "key" in rows`}},
	{name: "bytes of nothing", text: repo("claims: [{id: a, said: {text: x}, measure: {bytes: {}}}]\n"),
		want: []string{"manifest/value 12:56 /repos/0/claims/0/measure/bytes either in or files"}},
	{name: "bytes of two things",
		text: repo("claims: [{id: a, said: {text: x}, measure: {bytes: {in: train, files: x}}}]\n"), want: []string{"manifest/value 12:56 /repos/0/claims/0/measure/bytes either in or files"}},
	{name: "cell without row",
		text: repo("claims: [{id: a, said: {text: x}, measure: {cell: {file: a.csv, where: {}, column: b}}}]\n"), want: []string{"manifest/value 12:76 /repos/0/claims/0/measure/cell/where a mapping, expected a mapping of columns"}},
	{name: "file outside", text: repo("claims: [{id: a, said: {text: x}, measure: {sha256: {file: ../a}}}]\n"),
		want: []string{"manifest/value 12:64 /repos/0/claims/0/measure/sha256/file leads out"}},
	{name: "expr that cannot be read", text: repo("claims: [{id: a, said: {text: x}, measure: {expr: \"1 +\"}}]\n"),
		beyond: true, want: []string{"manifest/value 12:55 /repos/0/claims/0/measure/expr at character 4"}},
	{name: "expr over an unknown claim", text: repo("claims: [{id: abc, said: {text: x}, measure: {expr: abd + 1}}]\n"),
		beyond: true, want: []string{`manifest/value 12:50 /repos/0/claims/0/measure uses claim "abd" | abc`}},
	{name: "expr over itself",
		text: repo("claims: [{id: a, said: {text: x}, measure: {expr: b + 1}}, {id: b, said: {text: x}, measure: {expr: a}}]\n"), beyond: true,
		want: []string{`manifest/value 12:48 /repos/0/claims/0/measure "a" leads back`,
			`manifest/value 12:98 /repos/0/claims/1/measure "b" leads back`}},
	{name: "bins of ece below one",
		text: repo("claims: [{id: a, said: {text: x}, measure: {ece: {in: test, label: /y, score: /s, positive: 1, bins: 0}}}]\n"), want: []string{"manifest/value 12:106 /repos/0/claims/0/measure/ece/bins from 1 on"}},
	{name: "many faults in one go",
		text: "version: 3\nrelase: {}\nrepos:\n- id: x\n  type: data\n  status: public\n  license: [mit]\n  configs: [{name: 'a:b', splits: [{files: '/x', nam: t}]}]\n  rules: [{unique: {key: id}}]\n", want: []string{
			"manifest/value 1:10 /version the number 3", "manifest/unknown-key 2:1 /relase unknown key | release", "manifest/value 4:7 /repos/0/id no namespace",
			"manifest/value 5:9 /repos/0/type data", "manifest/value 7:12 /repos/0/license a list, expected text", "manifest/value 8:20 /repos/0/configs/0/name refused",
			"manifest/value 8:44 /repos/0/configs/0/splits/0/files starts with /", "manifest/unknown-key 8:50 /repos/0/configs/0/splits/0/nam unknown key | name",
			"manifest/missing 9:20 /repos/0/rules/0/unique/in no in", "manifest/value 9:26 /repos/0/rules/0/unique/key no JSON Pointer"}},
}

func TestManifests(t *testing.T) {
	compiled, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(Schema()))
	if err != nil {
		t.Fatalf("hfpub.schema.json: %v", err)
	}
	for _, test := range manifests {
		t.Run(test.name, func(t *testing.T) {
			dir := releaseFolder(t, test.text)
			_, findings := load(t, dir)
			var errs []finding.Finding
			for _, f := range findings {
				if f.Severity == finding.Error {
					errs = append(errs, f)
				}
			}
			compareFindings(t, ManifestName, test.want, errs)
			valid := validates(t, compiled, test.text)
			if want := len(test.want) == 0 || test.beyond; valid != want {
				t.Errorf("the JSON Schema calls it valid: %v, want %v", valid, want)
			}
		})
	}
}

// compareFindings holds findings, in any order, against lines of code, line:column, pointer and words of the message, with words of the
// hint behind a bar.
func compareFindings(t *testing.T, file string, want []string, got []finding.Finding) {
	t.Helper()
	rest := slices.Clone(got)
	for _, line := range want {
		code, line, _ := strings.Cut(line, " ")
		place, line, _ := strings.Cut(line, " ")
		pointer := ""
		if strings.HasPrefix(line, "/") {
			pointer, line, _ = strings.Cut(line, " ")
		}
		says, hint, _ := strings.Cut(line, " | ")
		i := slices.IndexFunc(rest, func(f finding.Finding) bool {
			return string(f.Code) == code && fmt.Sprintf("%d:%d", f.Line, f.Column) == place && f.Pointer == pointer &&
				strings.Contains(f.Message, says) && strings.Contains(f.Hint, hint) && f.Hint != "" && f.Path == file
		})
		if i < 0 {
			t.Errorf("no finding %s at %s %s that says %q with hint %q", code, place, pointer, says, hint)
			continue
		}
		rest = slices.Delete(rest, i, i+1)
	}
	for _, f := range rest {
		t.Errorf("unexpected: %s %s: %s (%s)", f.Code, f.Where(), f.Message, f.Hint)
	}
}

// validates judges a manifest by the JSON Schema, as an editor does.
func validates(t *testing.T, compiled *gojsonschema.Schema, text string) bool {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	result, err := compiled.Validate(gojsonschema.NewGoLoader(plain(t, doc.Content[0])))
	if err != nil {
		t.Fatal(err)
	}
	return result.Valid()
}

// plain turns a node into what JSON would hold, dates being text.
func plain(t *testing.T, n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plain(t, n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		list := []any{}
		for _, c := range n.Content {
			list = append(list, plain(t, c))
		}
		return list
	}
	if n.ShortTag() == "!!timestamp" {
		return n.Value
	}
	var v any
	if err := n.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestWarningsOfALicense(t *testing.T) {
	tests := []struct{ name, lines, says string }{
		{"name beside a known license", "license: mit\nlicense_name: x\n", "license_name has no effect"},
		{"link beside a known license", "license: mit\nlicense_link: x\n", "license_link has no effect"},
		{"other without name", "license: other\n", "no license_name"},
	}
	for _, test := range tests {
		_, findings := load(t, releaseFolder(t, bare(test.lines)))
		if len(findings) != 1 || findings[0].Severity != finding.Warning || !strings.Contains(findings[0].Message,
			test.says) {
			t.Errorf("%s: got %v, want one warning that says %q", test.name, findings, test.says)
		}
	}
}

func TestManifestThatIsNoYAML(t *testing.T) {
	for name, test := range map[string]struct {
		text, code string
		line       int
	}{
		"bracket":       {"version: 1\nrepos: [\n", "manifest/yaml", 2},
		"empty":         {"", "manifest/yaml", 1},
		"only comments": {"# x\n", "manifest/yaml", 1},
		"null":          {"~\n", "manifest/yaml", 1},
		"binary":        {"\x00\x01", "manifest/yaml", 1},
	} {
		rel, findings := load(t, releaseFolder(t, test.text))
		if len(findings) != 1 || string(findings[0].Code) != test.code || findings[0].Line != test.line || findings[0].Hint == "" {
			t.Errorf("%s: got %v, want one %s on line %d", name, findings, test.code, test.line)
		}
		if rel == nil || rel.File == "" || len(rel.Repos) > 0 {
			t.Errorf("%s: got the release %+v, want one that names its file and has no repos", name, rel)
		}
	}
}

func TestDecodedRelease(t *testing.T) {
	one := int64(1)
	rel, findings := load(t, releaseFolder(t, head+`repos:
  - id: acme/tea
    type: dataset
    status: pending
    root: .
    license: other
    license_name: tea-1
    license_link: LICENSE
    card: {pretty_name: Tea, language: en, tags: [a, b], task_categories: [c], sections: {Uses: Drink., Limits: Hot.}}
    configs:
      - name: default
        splits:
          - {name: train, files: ["data/train.jsonl"], artifact: memgym/pairs}
          - {name: test, files: "data/t*.jsonl", schema: schema.json}
    upstream: [{name: SWE-Gym, license: mit, flow: content}]
    rules:
      - reference: {from: {in: train, key: /ids/*}, to: {in: test, key: /id}, exactly: 1}
      - counts: {in: [train], by: /label, equal: {0: 16357, "1": 2280}}
      - {when: a, must: b}
    claims:
      - id: rows
        said: {text: "15,630", where: table}
        measure: {rows: {in: [train, test]}}
        state: explained
        why: typo
      - {id: twice, said: {text: "2"}, measure: {expr: 2 * rows}}
    reproduce: {run: [make, all], produces: data/train.jsonl}
`))
	if len(findings) > 0 {
		t.Fatalf("unexpected findings: %v", findings)
	}
	repo := rel.Repo("acme/tea")
	if repo == nil || rel.Repo("acme/none") != nil {
		t.Fatal("Repo finds repos by their id, and only those")
	}
	train := SplitRef{Repo: "acme/tea", Config: "default", Split: "train"}
	test := SplitRef{Repo: "acme/tea", Config: "default", Split: "test"}
	const file = ManifestName
	want := Repo{
		ID: "acme/tea", Type: Dataset, Status: Pending, Root: ".", Dir: rel.Dir, License: "other", LicenseName: "tea-1", LicenseLink: "LICENSE", Declared: true,
		Card: Card{PrettyName: "Tea", Language: []string{"en"}, Tags: []string{"a", "b"}, TaskCategories: []string{"c"},
			Sections: []Section{{"Uses", "Drink."}, {"Limits", "Hot."}}},
		Configs: []Config{{Name: "default", PosFile: file, Splits: []Split{
			{Name: "train", Patterns: []string{"data/train.jsonl"}, Files: []string{"data/train.jsonl"},
				Artifact: "memgym/pairs", PosFile: file},
			{Name: "test", Patterns: []string{"data/t*.jsonl"}, Files: []string{"data/test.jsonl", "data/train.jsonl"},
				Schema: "schema.json", PosFile: file},
		}}},
		Upstream: []Upstream{{Name: "SWE-Gym", License: "mit", Flow: "content"}},
		Rules: []Rule{
			{Kind: "reference", Reference: &Reference{From: End{[]SplitRef{train}, []Path{"/ids/*"}},
				To: End{[]SplitRef{test}, []Path{"/id"}}, Exactly: &one}},
			{Kind: "counts", Counts: &Counts{In: []SplitRef{train}, By: "/label", Equal: []ValueCount{{Scalar{Number,
				"0"}, 16357}, {Scalar{String, "1"}, 2280}}}},
			{Kind: "when", When: &When{Condition: "a", Must: "b"}},
		},
		Claims: []Claim{
			{ID: "rows", Text: "15,630", Where: "table", Measure: Measure{Name: "rows", In: []SplitRef{train, test}},
				State: "explained", Why: "typo"},
			{ID: "twice", Text: "2", State: "open", Measure: Measure{Name: "expr", Expr: &Expr{Op: "*",
				Left: &Expr{Op: "number", Text: "2"}, Right: &Expr{Op: "claim", Text: "rows"}}}},
		},
		Reproduce: &Reproduce{Run: []string{"make", "all"}, Produces: "data/train.jsonl"},
	}
	anywhere := cmp.FilterValues(func(a, b Pos) bool { return true }, cmp.Ignore())
	tree := cmp.FilterPath(func(p cmp.Path) bool {
		return strings.HasSuffix(p.String(), "Tree") || strings.HasSuffix(p.String(), "PatternPos")
	}, cmp.Ignore())
	if diff := cmp.Diff(want, *repo, anywhere, tree); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := repo.Configs[0].Splits[1]; got.Pos != (Pos{16, 13}) || got.PatternPos[0] != (Pos{16, 33}) {
		t.Errorf("split test stands at %v, its pattern at %v; want 16:13 and 16:33", got.Pos, got.PatternPos)
	}
}

func TestNotEvaluatedNamesEveryPart(t *testing.T) {
	dir := releaseFolder(t, head+`repos:
  - id: acme/tea
    type: dataset
    status: public
    configs:
      - name: default
        splits:
          - {name: train, files: data/train.jsonl, artifact: memgym/pairs}
    upstream: [{name: SWE-Gym, license: mit, flow: content}]
    rules:
      - unique: {in: train, key: /id}
      - {when: a, must: b}
    claims: [{id: rows, said: {text: "1"}, measure: {rows: {in: train}}}]
    reproduce: {run: [make], produces: x}
rules: [{unique: {in: acme/tea#train, key: /id}}]
claims: [{id: all, said: {text: "1"}, measure: {rows: {in: acme/tea#train}}}]
`)
	rel, findings := load(t, dir)
	if len(findings) > 0 {
		t.Fatalf("unexpected findings: %v", findings)
	}
	var got []string
	for _, f := range rel.NotEvaluated() {
		if f.Code != finding.ManifestNotEvaluated || f.Severity != finding.Warning || f.Path != ManifestName {
			t.Errorf("%+v is no warning %s at the manifest", f, finding.ManifestNotEvaluated)
		}
		if strings.Contains(strings.ToLower(f.Message+f.Hint), "duplicate") {
			t.Errorf("%q can be taken for a finding about duplicates", f.Message)
		}
		got = append(got, fmt.Sprintf("%d:%d %s %s %s", f.Line, f.Column, f.Pointer, f.Repo, strings.SplitN(f.Message,
			" was not ", 2)[0]))
	}
	want := []string{
		"16:16 /repos/0/reproduce acme/tea reproduce",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCasesOfTheProject(t *testing.T) {
	paths, _ := filepath.Glob("../../../shared/cases/*/hfpub.yaml")
	if len(paths) == 0 {
		t.Skip("the cases are not beside the checkout (../shared/cases)")
	}
	compiled, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		_, findings := load(t, path)
		if len(findings) > 0 {
			t.Errorf("%s: %v", path, findings)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !validates(t, compiled, string(text)) {
			t.Errorf("%s: refused by the JSON Schema", path)
		}
	}
}

func FuzzManifest(f *testing.F) {
	for _, m := range manifests {
		f.Add([]byte(m.text))
	}
	dir := f.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		f.Fatal(err)
	}
	file := filepath.Join(dir, ManifestName)
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
		rel, findings, err := Load(t.Context(), file)
		if err != nil {
			t.Fatalf("no text of a manifest makes Load give up, got %v", err)
		}
		for _, f := range findings {
			if f.Path == ManifestName && f.Line < 1 || f.Message == "" || f.Hint == "" || strings.Contains(f.Message, "\n") {
				t.Errorf("finding without place or words: %+v", f)
			}
		}
		if len(rel.Repos) == 0 && len(findings) == 0 {
			t.Error("no repos and no reason why")
		}
		rel.NotEvaluated()
	})
}
