package claim_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
)

// measured validates a release of one repo with splits train (a.jsonl), test (b.jsonl) and table (c.csv), and returns for each claim
// its measured number, verdict and reason, and the findings about claims.
func measured(t *testing.T, claims string, files map[string]string) (results, found []string) {
	t.Helper()
	dir := t.TempDir()
	all := map[string]string{"a.jsonl": "", "b.jsonl": "", "c.csv": "n\n", "hfpub.yaml": `version: 1
release: {name: tea, version: 1.0.0}
repos:
  - id: acme/one
    type: dataset
    status: public
    root: .
    configs:
      - name: default
        splits: [{name: train, files: a.jsonl}, {name: test, files: b.jsonl}, {name: table, files: c.csv}]
    claims:
` + claims}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	rel, faults, err := release.Load(t.Context(), dir)
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	report, err := validate.Run(t.Context(), rel, faults, validate.Options{MaxPlaces: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range report.Repos[0].Claims {
		line := c.Measured + " " + c.Verdict
		if c.Reason != "" {
			line += ": " + c.Reason
		}
		results = append(results, line)
	}
	for _, f := range report.Findings {
		if strings.HasPrefix(string(f.Code), "claim/") {
			found = append(found, fmt.Sprintf("%s %s %s: %s", f.Severity, f.Code, f.Where(), f.Message))
		}
	}
	return results, found
}

// claim writes a claim as it stands in hfpub.yaml.
func claim(id, text, measure string) string {
	return fmt.Sprintf("      - {id: %s, said: {text: %q, where: paper}, measure: {%s}}\n", id, text, measure)
}

const scored = `{"label": 1, "p": 0.95, "pred": 1, "n": 1}
{"label": 1, "p": 0.80, "pred": 1, "n": 2.5}
{"label": 1, "p": 0.60, "pred": 0, "n": null}
{"label": 0, "p": 0.10, "pred": 0, "n": 4}
{"label": 0, "p": 0.30, "pred": 1, "n": 1}
`

func TestMeasures(t *testing.T) {
	files := map[string]string{
		"a.jsonl": scored, "b.jsonl": "{\"label\": 0, \"tags\": [1, 2, 2], \"zero\": -0.0E-999}\n{\"label\": \"0\", \"zero\": 0e500}\n", "c.csv": "n,m\n1,x\n3,x\n10,\n",
		"r/table.csv": "\ufeffmodel,score,size\r\nlarge,0.748,\"15,630\"\r\nsmall,22.57%,1\r\nsmall,1,2\r\n",
		"r/data.json": `{"rows": 12, "list": [1, 2, 3], "rate": "97.4%", "dropout": 0.05, "name": "Qwen"}`,
	}
	const sha = "a1fb50e6c86fae1679ef3351296fd6713411a08cf8dd1790a4fd05fae8688164" // of 12 and a line end
	files["r/twelve.txt"] = "12\n"
	for _, c := range []struct{ said, measure, want string }{
		{"5", "rows: {in: train}", "5 agrees"},
		{"7", "rows: {in: [train, test]}", "7 agrees"},
		{"3", "distinct: {in: [train, test], key: /label}", "3 agrees"},
		{"4", "distinct: {in: train, key: [/label, /pred]}", "4 agrees"},
		{"2", "distinct: {in: test, key: /tags/*}", "2 agrees"},
		{"2", "count: {in: train, where: row.label == 0}", "2 agrees"},
		{"40 %", "share: {in: train, where: row.label == 0}", "0.4 agrees"},
		{"0.4", "balance: {in: train, by: /label, equal: 0}", "0.4 agrees"},
		{"8.5", "sum: {in: train, value: /n}", "8.5 agrees"},
		{"14", "sum: {in: table, value: /n}", "14 agrees"},
		{"0", "sum: {in: test, value: /zero}", "0 agrees"},
		{"2.13", "mean: {in: train, value: /n}", "2.125 agrees-rounded"},
		{"1.8", "median: {in: train, value: /n}", "1.75 agrees-rounded"},
		{"1", "min: {in: train, value: /n}", "1 agrees"},
		{"4", "max: {in: train, value: /n}", "4 agrees"},
		{"1.44", "std: {in: train, value: /n}", "1.436141 agrees-rounded"},
		{"60%", "accuracy: {in: train, label: /label, prediction: /pred}", "0.6 agrees"},
		{".667", "f1: {in: train, label: /label, prediction: /pred, positive: 1}", "0.666667 agrees-rounded"},
		{"1.0", "auroc: {in: train, label: /label, score: /p, positive: 1}", "1 agrees"},
		{"0.19", "ece: {in: train, label: /label, score: /p, positive: 1}", "0.21 differs"},
		{"0.21", "ece: {in: train, label: /label, score: /p, positive: 1, bins: 2}", "0.21 agrees"},
		{"20 bytes", "bytes: {files: c.csv}", "16 differs"},
		{"2", "files: {in: [train, test]}", "2 agrees"},
		{"a1fb50e6…", "sha256: {file: r/twelve.txt}", sha + " agrees"},
		{"0.75", "cell: {file: r/table.csv, where: {model: large}, column: score}", "0.748 agrees-rounded"},
		{"15,630", "cell: {file: r/table.csv, where: {model: large}, column: size}", "15630 agrees"},
		{"22.6 %", "cell: {file: r/table.csv, where: {model: small, size: 1}, column: score}", "22.57 agrees-rounded"},
		{"1", "cell: {file: r/table.csv, where: {model: small}, column: score}", " not-measured: 2 rows of r/table.csv have what where asks for, and one is needed"},
		{"12 rows", "value: {file: r/data.json, pointer: /rows}", "12 agrees"},
		{"3", "value: {file: r/data.json, pointer: /list}", "3 agrees"},
		{"97.4 %", "value: {file: r/data.json, pointer: /rate}", "97.4 agrees"},
		{"5 %", "value: {file: r/data.json, pointer: /dropout}", "0.05 agrees"},
		{"Qwen", "value: {file: r/data.json, pointer: /name}", "Qwen agrees"},
		{"1", "value: {file: r/none.json, pointer: /a}", " not-measured: r/none.json is not there"},
		{"1", "mean: {in: table, value: /m}", " not-measured: it cannot be applied to 2 rows"},
		{"1", "count: {in: test, where: row.absent}", " not-measured: it cannot be applied to 2 rows"},
		{"many rows", "rows: {in: train}", "5 not-measured: what was printed cannot be read: it holds no number"},
	} {
		results, _ := measured(t, claim("c", c.said, c.measure), files)
		got, _, _ := strings.Cut(results[0], ": likely")
		if got != c.want {
			t.Errorf("%s, said to be %q, is %q; expected %q", c.measure, c.said, got, c.want)
		}
	}
}

func TestExpressions(t *testing.T) {
	claims := claim("train", "5", "rows: {in: train}") + claim("all", "10", `expr: "(train + test) * 2 / 1 - -4"`) + claim("test", "0", "rows: {in: test}") +
		claim("zero", "1", `expr: "train / test"`)
	results, _ := measured(t, claims, map[string]string{"a.jsonl": scored})
	want := []string{"5 agrees", "14 differs", "0 agrees", " not-measured: it divides by zero"}
	if diff := cmp.Diff(want, results); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReasons(t *testing.T) {
	rows := func(n int) string { return strings.Repeat("{\"a\": 1}\n", n) }
	files := map[string]string{"a.jsonl": rows(40), "b.jsonl": rows(30), "c.csv": "n\n" + strings.Repeat("1\n", 20),
		"big.bin": strings.Repeat("x", 2_450_000), "s.json": `{"share": 0.8777, "a": 87.77}`}
	for _, c := range []struct{ said, measure, want string }{
		{"30", "rows: {in: train}", "likely another split: test has 30 rows"},
		{"90", "rows: {in: train}", "likely all splits together, which have 90 rows"},
		{"40", "rows: {in: [train, test]}", "likely split train alone, which has 40 rows"},
		{"21", "rows: {in: table}", "likely the lines of the CSV files, the header lines among them"},
		{"41", "rows: {in: train}", ""},
		{"about 2.57 MB", "bytes: {files: big.bin}", "likely a mix-up of units: 2.57 MB differs from 2.45 MB (2450000 bytes) as MiB (2^20 bytes) does from MB (10^6 bytes)"},
		{"2.34 MB", "bytes: {files: big.bin}", "likely a mix-up of units: it is 2.34 MiB and 2.45 MB"},
		{"87.77", "value: {file: s.json, pointer: /share}", "likely printed in percent without the sign"},
		{"87.7 %", "value: {file: s.json, pointer: /share}", "likely cut off instead of rounded: 87.77 %"},
		{"0 %", "share: {in: train, where: row.a == 1}", "likely the share of the others"},
		{">40", "rows: {in: train}", ""},
		{"<40", "rows: {in: train}", ""},
		{"> 3 MB", "bytes: {files: big.bin}", ""},
		{"19", "rows: {in: table}", "likely a row of each CSV file taken for its header line"},
		{"70", "distinct: {in: [train, test], key: /a}", "likely all values, repeats among them: there are 70"},
	} {
		results, _ := measured(t, claim("c", c.said, c.measure), files)
		_, reason, _ := strings.Cut(results[0], " differs")
		if reason = strings.TrimPrefix(reason, ": "); reason != c.want || !strings.Contains(results[0], "differs") {
			t.Errorf("%s, said to be %q: %q; expected the reason %q", c.measure, c.said, results[0], c.want)
		}
	}
}

// A number may be that of some rows only, or of an average in which every part weighs the same.
func TestReasonsOfAveragesAndSubsets(t *testing.T) {
	var a, b strings.Builder
	for i := range 60 { // 40 rows IE with a score of 0.5, 20 rows TR with one of 0.2; a third of each is right
		task, score := "IE", 0.5
		if i%3 == 2 {
			task, score = "TR", 0.2
		}
		fmt.Fprintf(&a, "{\"id\": \"row %d\", \"task\": %q, \"score\": %v, \"label\": %d, \"said\": 1, \"code\": %d}\n", i, task, score, i%2, len(task)+i%3/2)
	}
	for i := range 10 {
		fmt.Fprintf(&b, "{\"task\": \"IE\", \"score\": 0.9, \"label\": 1, \"said\": 1, \"id\": \"other row %d\"}\n", i)
	}
	files := map[string]string{"a.jsonl": a.String(), "b.jsonl": b.String()}
	for _, c := range []struct{ said, measure, want string }{
		{"0.35", "mean: {in: train, value: /score}", "likely another average: this is the plain (micro) mean over all rows, and the balanced (macro) mean over the 2 values of task is 0.35"},
		{"0.65", "mean: {in: [train, test], value: /score}", "likely another average: this is the plain (micro) mean over all rows, and the balanced (macro) mean of the 2 splits is 0.65"},
		{"75 %", "accuracy: {in: [train, test], label: /label, prediction: /said}", "likely another average: this is the plain (micro) mean over all rows, and the balanced (macro) mean of the 2 splits is 0.75"},
		{"0.2", "mean: {in: train, value: /score}", ""},
		{"0.20", "mean: {in: train, value: /score}", `likely a subset: the rows whose task is "TR" give 0.2`},
		{"40 rows", "rows: {in: train}", `likely a subset: the rows whose task is "IE" give 40`},
		{"20", "count: {in: train, where: 'row.score > 0'}", `likely a subset: the rows whose task is "TR" give 20`},
		{"33", "rows: {in: train}", ""},
	} {
		results, _ := measured(t, claim("c", c.said, c.measure), files)
		_, reason, _ := strings.Cut(results[0], " differs")
		if reason = strings.TrimPrefix(reason, ": "); reason != c.want || !strings.Contains(results[0], "differs") {
			t.Errorf("%s, said to be %q: %q; expected the reason %q", c.measure, c.said, results[0], c.want)
		}
	}
	claims := claim("ie", "0.5", "mean: {in: train, value: /score, where: 'row.task == \"IE\"'}") + claim("tr", "0.2", "mean: {in: train, value: /score, where: 'row.task == \"TR\"'}") +
		claim("overall", "0.40", `expr: "(ie + tr) / 2"`)
	results, _ := measured(t, claims, files)
	want := "0.35 differs: likely another average: this is the balanced (macro) mean of 2 numbers (ie … tr), and the plain (micro) mean over their 60 rows is 0.4"
	if results[2] != want {
		t.Errorf("the mean of two means is %q; expected %q", results[2], want)
	}
}

func TestStatesAndContradictions(t *testing.T) {
	claims := claim("paper", "12", "rows: {in: train}") + claim("card", "11", "rows: {in: train}") +
		"      - {id: old, said: {text: \"670\", where: pilot}, measure: {count: {in: train, where: 'true'}}, state: explained, why: two runs}\n" +
		"      - {id: again, said: {text: \"11\"}, measure: {max: {in: train, value: /n}}, state: by-design, why: none}\n" +
		"      - {id: wrong, said: {text: \"1\"}, measure: {count: {in: train, where: 'row.n ='}}}\n"
	var rows strings.Builder
	for i := range 11 {
		fmt.Fprintf(&rows, "{\"n\": %d}\n", i+1)
	}
	_, found := measured(t, claims, map[string]string{"a.jsonl": rows.String()})
	want := []string{
		`error claim/differs hfpub.yaml:12:9 /repos/0/claims/0: claim paper differs: paper says "12", and the data 11 (-1)`,
		`warning claim/contradiction hfpub.yaml:13:9 /repos/0/claims/1: paper says "12" (claim paper) and paper says "11" (claim card) of the same; the data says 11`,
		`warning claim/not-measured hfpub.yaml:16:9 /repos/0/claims/4: claim wrong is not measured: its measure cannot be applied`,
		`note claim/known-difference hfpub.yaml:14:9 /repos/0/claims/2: claim old differs: pilot says "670", and the data 11 (-659); explained: two runs`,
		`note claim/agrees-again hfpub.yaml:15:9 /repos/0/claims/3: claim again is marked by-design, and agrees: claim again says "11", and the data 11`,
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
