package rule_test

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
)

// example is a release with three splits in one repo and one in another.
type example struct {
	rules string
	// files are the rows of a.jsonl (split train), b.jsonl (test) and c.csv (table) of one repo and d.jsonl (train) of another.
	files map[string]string
	// global says that the rules are those of the release.
	global bool
}

// said returns the findings of the areas rule and leak: code, place, pointer, count and message.
func (e example) said(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	indent := func(text, by string) string { return by + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+by) }
	files := map[string]string{"one/a.jsonl": "", "one/b.jsonl": "", "one/c.csv": "id\n", "two/d.jsonl": ""}
	for name, text := range e.files {
		files[map[string]string{"a": "one/a.jsonl", "b": "one/b.jsonl", "c": "one/c.csv", "d": "two/d.jsonl"}[name]] = text
	}
	repoRules, rules := "\n    rules:\n"+indent(e.rules, "      "), ""
	if e.global {
		repoRules, rules = "", "\nrules:\n"+indent(e.rules, "  ")
	}
	files["hfpub.yaml"] = `version: 1
release: {name: tea, version: 1.0.0}
repos:
  - id: acme/one
    type: dataset
    status: public
    root: one
    configs:
      - name: default
        splits: [{name: train, files: a.jsonl}, {name: test, files: b.jsonl}]
      - name: tables
        splits: [{name: table, files: c.csv}]` + repoRules + `
  - id: acme/two
    type: dataset
    status: public
    root: two
    configs: [{name: default, splits: [{name: train, files: d.jsonl}]}]` + rules + "\n"
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	rel, found, err := release.Load(t.Context(), dir)
	if err != nil || len(found) > 0 {
		t.Fatal(err, found)
	}
	report, err := validate.Run(t.Context(), rel, found, validate.Options{MaxPlaces: 100})
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, f := range report.Findings {
		area, _, _ := strings.Cut(string(f.Code), "/")
		if area != "rule" && area != "leak" && area != "manifest" {
			continue
		}
		count := ""
		if f.Count > 1 {
			count = fmt.Sprintf(" ×%d", f.Count)
		}
		said = append(said, fmt.Sprintf("%s %s %s%s: %s", f.Severity, f.Code, f.Where(), count, f.Message))
	}
	return said
}

func TestRules(t *testing.T) {
	for _, c := range []struct {
		name string
		example
		want []string
	}{
		{"unique: rows that differ", example{
			rules: "- unique: {in: [train, test], key: /id}",
			files: map[string]string{"a": `{"id": "x", "p": 1}
{"id": "y", "p": 2}
{"id": "x", "p": 3, "q": null}
`, "b": `{"id": "y", "p": 2.0, "r": 1}
{"id": "z"}
`}}, []string{
			`error rule/unique a.jsonl:3 /id: id "x" is not unique: a.jsonl:1 has it too; the rows differ in p, q`,
			`error rule/unique b.jsonl:1 /id: id "y" is not unique: a.jsonl:2 has it too; the rows differ in r`,
		}},
		{"unique: 1 and 1.0 are one key, and 1 and \"1\" are two", example{
			rules: "- unique: {in: train, key: /id}",
			files: map[string]string{"a": "{\"id\": 1}\n{\"id\": 1.0}\n{\"id\": \"1\"}\n"}}, []string{
			`error rule/unique a.jsonl:2 /id: id 1 is not unique: a.jsonl:1 has it too; the rows are equal`,
			`warning leak/repeated-row a.jsonl:2: the row repeats a.jsonl:1: 1 of 3 rows (33.3 %) of train repeat another one`,
		}},
		{"unique: rows without key", example{
			rules: "- unique: {in: train, key: /id}",
			files: map[string]string{"a": "{\"id\": null, \"n\": 1}\n{\"n\": 2}\n{\"id\": 1}\n"}}, []string{
			`warning rule/no-key a.jsonl:1 ×2: the row has no value for id: rule unique says nothing about it`,
		}},
		{"unique: elements", example{
			rules: "- unique: {in: train, key: /turns/*/id}",
			files: map[string]string{"a": "{\"turns\": [{\"id\": 1}, {\"id\": 2}, {\"id\": 1}]}\n{\"turns\": [{}, {\"id\": 2}]}\n"}}, []string{
			`error rule/unique a.jsonl:1 /turns/0/id: turns[*].id 1 stands in this row more than once`,
			`error rule/unique a.jsonl:2 /turns/1/id: turns[*].id 2 is not unique: a.jsonl:1 has it too; the rows differ in turns`,
		}},
		{"disjoint: a key of two fields", example{
			rules: "- disjoint: {between: [test, train], key: [/q, /a]}",
			files: map[string]string{"a": `{"q": "half of 10?", "a": "5", "n": 1}
{"q": "half of 10?", "a": "5", "n": 2}
`, "b": `{"a": "5", "q": "half of 10?"}
{"q": "half of 10?", "a": "five"}
`}}, []string{
			`error rule/disjoint b.jsonl:1: q and a q = "half of 10?", a = "5" is in train too (a.jsonl:1 and 1 more): 1 of 2 rows (50.0 %) of test have a q and a of another split`,
		}},
		{"disjoint: normalised", example{
			rules: "- disjoint: {between: [train, test], key: /q, normalize: [nfkc, casefold, spaces, punctuation]}",
			files: map[string]string{"a": "{\"q\": \"Half  of ten?\"}\n", "b": "{\"q\": \"half of ten\"}\n{\"q\": \"half of nine\"}\n"}}, []string{
			`error rule/disjoint b.jsonl:1 /q: q "half of ten" is in train too (a.jsonl:1): 1 of 2 rows (50.0 %) of test have a q of another split`,
		}},
		{"disjoint: not normalised", example{
			rules: "- disjoint: {between: [train, test], key: /q}",
			files: map[string]string{"a": "{\"q\": \"Half of ten?\"}\n", "b": "{\"q\": \"half of ten\"}\n"}}, nil},
		{"disjoint across repos", example{
			rules: "- disjoint: {between: [acme/one#test, acme/two#train], key: /q}", global: true,
			files: map[string]string{"b": "{\"q\": 1}\n{\"q\": 2}\n", "d": "{\"q\": 0}\n{\"q\": 2}\n"}}, []string{
			`error rule/disjoint b.jsonl:2 /q: q 2 is in acme/two#default/train too (acme/two#d.jsonl:2): 1 of 2 rows (50.0 %) of acme/one#default/test have a q of another split`,
		}},
		{"reference: exactly one", example{
			rules: "- reference: {from: {in: train, key: /ids/*}, to: {in: test, key: /id}, exactly: 1}",
			files: map[string]string{"a": "{\"ids\": [1, 2]}\n{\"ids\": [3]}\n{\"ids\": []}\n", "b": "{\"id\": 2}\n{\"id\": 3}\n{\"id\": 3}\n{\"id\": 4}\n"}}, []string{
			`error rule/reference a.jsonl:1 /ids/0: ids[*] 1 is nowhere in test: exactly 1 is right`,
			`error rule/reference a.jsonl:2 /ids/0: ids[*] 3 is 2 times in test, first in b.jsonl:2: exactly 1 is right`,
			`warning leak/repeated-row b.jsonl:3: the row repeats b.jsonl:2: 1 of 4 rows (25.0 %) of test repeat another one`,
		}},
		{"reference: bounds", example{
			rules: "- reference: {from: {in: train, key: /r}, to: {in: test, key: /id}, at_least: 2, at_most: 3}\n" +
				"- reference: {from: {in: train, key: /r}, to: {in: test, key: /id}, at_most: 1}",
			files: map[string]string{"a": "{\"r\": 1}\n{\"r\": 2}\n{\"r\": null}\n",
				"b": "{\"id\": 2, \"n\": 1}\n{\"id\": 2, \"n\": 2}\n"}}, []string{
			`error rule/reference a.jsonl:1 /r: r 1 is nowhere in test: 2 to 3 is right`,
			`error rule/reference a.jsonl:2 /r: r 2 is 2 times in test, first in b.jsonl:1: at most 1 is right`,
			`note rule/no-key a.jsonl:3 ×2: the row has no value for r: rule reference says nothing about it`,
		}},
		{"reference: rows that could not be read may hold the key", example{
			rules: "- reference: {from: {in: train, key: /r}, to: {in: test, key: /id}}",
			files: map[string]string{"a": "{\"r\": 1}\n", "b": "{\"id\": 1,}\n"}}, nil},
		{"reference: a number in a CSV file", example{
			rules: "- reference: {from: {in: train, key: /r}, to: {in: table, key: /id}}",
			files: map[string]string{"a": "{\"r\": 1}\n{\"r\": 2}\n", "c": "id,n\n1,x\n"}}, []string{
			`error rule/reference a.jsonl:2 /r: r 2 is nowhere in tables/table: at least 1 is right`,
		}},
		{"subset", example{
			rules: "- subset: {in: test, of: [train, table], key: /id}",
			files: map[string]string{"a": "{\"id\": 1}\n", "b": "{\"id\": 1, \"n\": 1}\n{\"id\": 2}\n{\"id\": 3}\n", "c": "id\n3\n"}}, []string{
			`error rule/subset b.jsonl:2 /id: id 2 is nowhere in default/train, tables/table: at least 1 is right`,
		}},
		{"determines", example{
			rules: "- determines: {in: [train, test], key: /dir, value: [/model, /v]}",
			files: map[string]string{"a": `{"dir": "x", "model": "m"}
{"dir": "y", "model": "n"}
{"dir": "x", "model": "n"}
`, "b": `{"dir": "y", "model": "n", "v": null}
`}}, []string{
			`error rule/determines a.jsonl:3 /dir: dir "x" goes with model and v model = "n", v = null here, and with model = "m", v = null in a.jsonl:1`,
		}},
		{"counts", example{
			rules: "- counts: {in: [train, test], by: /label, equal: {0: 2, 1: 2, \"1\": 0}}",
			files: map[string]string{"a": "{\"label\": 0}\n{\"label\": 1, \"n\": 1}\n{\"label\": \"1\"}\n", "b": "{\"label\": 1}\n{\"label\": 1.0, \"n\": 2}\n{}\n"}}, []string{
			`error rule/counts b.jsonl:3 /label: label is null, which is not among the values that hfpub.yaml:14 counts`,
			`error rule/counts hfpub.yaml:14:9 /repos/0/rules/0/counts/equal: label is "1" in 1 rows, and the rule says 0 (+1)`,
			`error rule/counts hfpub.yaml:14:9 /repos/0/rules/0/counts/equal: label is 0 in 1 rows, and the rule says 2 (-1)`,
			`error rule/counts hfpub.yaml:14:9 /repos/0/rules/0/counts/equal: label is 1 in 3 rows, and the rule says 2 (+1)`,
		}},
		{"sorted: numbers", example{
			rules: "- sorted: {in: [train, test], by: /n}",
			files: map[string]string{"a": "{\"n\": 2}\n{\"n\": 10}\n{}\n{\"n\": 9.5}\n{\"n\": \"x\"}\n", "b": "{\"n\": 1}\n{\"n\": 1, \"m\": 1}\n"}}, []string{
			`error rule/sorted a.jsonl:4 /n: n goes back from 10 in a.jsonl:2 to 9.5`,
			`error rule/sorted a.jsonl:5 /n: n is "x" here and 9.5 in a.jsonl:4, which have no order`,
		}},
		{"sorted: big numbers", example{
			rules: "- sorted: {in: train, by: /n, order: descending}",
			files: map[string]string{"a": "{\"n\": 9007199254740993}\n{\"n\": 9007199254740992}\n{\"n\": 9007199254740993, \"m\": 1}\n"}}, []string{
			`error rule/sorted a.jsonl:3 /n: n goes back from 9007199254740992 in a.jsonl:2 to 9007199254740993`,
		}},
		{"sorted: a list", example{
			rules: "- sorted: {in: train, by: /t, order: [easy, mid, hard]}",
			files: map[string]string{"a": "{\"t\": \"easy\"}\n{\"t\": \"hard\"}\n{\"t\": \"mid\"}\n{\"t\": \"odd\"}\n{\"t\": \"hard\", \"m\": 1}\n"}}, []string{
			`error rule/sorted a.jsonl:3 /t: t goes back from "hard" in a.jsonl:2 to "mid"`,
			`error rule/sorted a.jsonl:4 /t: t is "odd", which is not in the order that hfpub.yaml:14 gives`,
		}},
		{"a value that is listed twice is one, however it is written", example{
			rules: "- counts: {in: train, by: /n, equal: {1: 2, 1.0: 3}}\n- sorted: {in: train, by: /n, order: [10, 1, 1e1]}\n- sorted: {in: train, by: /n, order: [1, \"1\"]}",
			files: map[string]string{"a": "{\"n\": 1}\n{\"n\": \"1\"}\n"}}, []string{
			`error manifest/value hfpub.yaml:14:9 /repos/0/rules/0/counts/equal: counts/equal lists the value 1.0 twice`,
			`error manifest/value hfpub.yaml:15:9 /repos/0/rules/1/sorted/order: sorted/order lists the value 1e1 twice`,
		}},
		{"when", example{
			rules: "- when: 'row.verdict == \"wrong\"'\n  must: 'has(row.step) && type(row.step) != string'\n  in: train\n- {when: 'true', must: 'row.n > 0', in: test}",
			files: map[string]string{"a": `{"verdict": "right"}
{"verdict": "wrong", "step": 1}
{"verdict": "wrong", "step": "N/A"}
{"verdict": "wrong"}
{}
`, "b": "{\"n\": 1}\n{\"n\": 0}\n"}}, []string{
			`error rule/must a.jsonl:3 /step: where row.verdict == "wrong", has(row.step) && type(row.step) != string must hold, and step is "N/A"`,
			`error rule/must a.jsonl:4 /step: where row.verdict == "wrong", has(row.step) && type(row.step) != string must hold, and step is missing`,
			`error rule/expression a.jsonl:5: row.verdict == "wrong" cannot be applied to the row: no such key: verdict`,
			`error rule/must b.jsonl:2 /n: row.n > 0 must hold, and n is 0`,
		}},
		{"when: an expression that loops for too long", example{
			rules: "- when: 'has(row.l)'\n  must: 'row.l.all(a, row.l.all(b, row.l.all(c, row.l.all(d, row.l.all(e, row.l.all(f, a+b+c+d+e+f >= 0))))))'\n  in: train",
			files: map[string]string{"a": "{\"l\": [1]}\n{\"l\": [-1]}\n{\"l\": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]}\n{\"l\": [-2]}\n"}}, []string{
			`error rule/must a.jsonl:2 /l: where has(row.l), row.l.all(a, row.l.all(b, row.l.all(c, row.l.all(d, row.l.all(e, row.l.all(f, a+b+c+d+e+f >= 0)))))) must hold, and l is [-1]`,
			`error rule/expression a.jsonl:3: row.l.all(a, row.l.all(b, row.l.all(c, row.l.all(d, row.l.all(e, row.l.all(f, a+b+c+d+e+f >= 0)))))) cannot be applied to the row: it needs more than 1000000 steps on one row; the rows behind it were not judged`,
		}},
		{"when: an expression that is none", example{
			rules: "- when: 'row.a = 1'\n  must: 'row.b'",
			files: map[string]string{"a": "{}\n"}}, []string{
			`error manifest/value hfpub.yaml:14:22 /repos/0/rules/0/when: when "row.a = 1" is no CEL expression: Syntax error: token recognition error at: '= '`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := gocmp.Diff(c.want, c.said(t)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Of many offences the first are told one by one, in the order of the rows, and all are counted.
func TestManyOffences(t *testing.T) {
	var a, b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&a, "{\"id\": %d}\n", i)
		fmt.Fprintf(&b, "{\"id\": %d, \"n\": 1}\n", i)
	}
	e := example{rules: "- unique: {in: [train, test], key: /id}", files: map[string]string{"a": a.String(), "b": b.String()}}
	said := e.said(t)
	if len(said) != 21 {
		t.Fatalf("%d findings, want 20 and one for the others:\n%s", len(said), strings.Join(said, "\n"))
	}
	slices.SortFunc(said, func(x, y string) int { return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)) })
	want := []string{"error rule/unique b.jsonl:21 /id ×280: 280 more rows repeat a value of id"}
	for i := range 20 {
		want = append(want, fmt.Sprintf("error rule/unique b.jsonl:%d /id: id %d is not unique: a.jsonl:%d has it too; the rows differ in n", i+1, i, i+1))
	}
	slices.SortFunc(want, func(x, y string) int { return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)) })
	if diff := gocmp.Diff(want, said); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLeaks(t *testing.T) {
	for _, c := range []struct {
		name string
		example
		want []string
	}{
		{"a train row in test", example{files: map[string]string{
			"a": "{\"q\": 1, \"a\": 2}\n{\"q\": 1, \"a\": 3}\n{\"q\": 1, \"a\": 3}\n", "b": "{\"a\": 3.0, \"q\": 1}\n{\"a\": 4, \"q\": 1}\n"}}, []string{
			`error leak/train-row b.jsonl:1: the row is in train too (a.jsonl:2 and 1 more): 1 of 2 rows (50.0 %) of test are in train`,
			`warning leak/repeated-row a.jsonl:3: the row repeats a.jsonl:2: 1 of 3 rows (33.3 %) of train repeat another one`,
		}},
		{"splits of different configs and repos are not compared", example{files: map[string]string{
			"a": "{\"id\": \"1\"}\n", "c": "id\n1\n", "d": "{\"id\": \"1\"}\n"}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.rules = "[]"
			if diff := gocmp.Diff(c.want, c.said(t)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
