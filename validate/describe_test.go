package validate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/finding"
)

// A column on which the viewer's job fails is one finding, at the split's first file and in the column.
func TestColumnsOnWhichTheViewerFails(t *testing.T) {
	card := func(features string) string {
		return "---\ndataset_info:\n  features:\n" + features + "---\n"
	}
	for name, test := range map[string]struct {
		file, content, readme string
		want                  finding.Code
		pointer               string
	}{
		"nothing":   {file: "train.jsonl", content: `{"id": 1}` + "\n" + `{"id": 5}` + "\n"},
		"one value": {file: "train.jsonl", content: `{"id": 1, "x/y": 2.5}` + "\n" + `{"id": 5, "x/y": null}` + "\n", want: finding.StatisticsOneValue, pointer: "/x~1y"},
		"infinity":  {file: "train.csv", content: "id,x\n1,0.5\n5,inf\n", want: finding.StatisticsInfinite, pointer: "/x"},
		"edges":     {file: "train.jsonl", content: `{"x": 9007199254740992.0}` + "\n" + `{"x": 9007199254740994.0}` + "\n", want: finding.StatisticsEdges, pointer: "/x"},
		"two edges": {file: "train.jsonl", content: `{"x": 0}` + "\n" + `{"x": 1}` + "\n", want: finding.StatisticsTwoEdges, pointer: "/x"},
		"digits":    {file: "train.jsonl", content: `{"x": "66024895386"}` + "\n" + `{"x": "66024895387"}` + "\n", want: finding.StatisticsLongDigits, pointer: "/x"},
		"labels": {file: "train.jsonl", content: `{"x": 0}` + "\n" + `{"x": 7}` + "\n", want: finding.StatisticsLabelIDs, pointer: "/x",
			readme: card("  - name: x\n    dtype:\n      class_label:\n        names:\n          '0': neg\n")},
		"images": {file: "train.jsonl", content: `{"x": "a.png"}` + "\n" + `{"x": "b.png"}` + "\n", want: finding.StatisticsNotMeasured, pointer: "/x",
			readme: card("  - name: x\n    dtype: image\n")},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for path, text := range map[string]string{test.file: test.content, "README.md": test.readme} {
				if text == "" {
					continue
				}
				if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			rel, found := loadFolder(t, dir)
			report, err := Run(t.Context(), rel, found, Options{Statistics: true})
			if err != nil {
				t.Fatal(err)
			}
			var got []finding.Finding
			for _, f := range report.Findings {
				if strings.HasPrefix(string(f.Code), "statistics/") {
					got = append(got, f)
				}
			}
			if test.want == "" {
				if len(got) > 0 {
					t.Errorf("got %+v, want no finding", got)
				}
				return
			}
			if len(got) != 1 || got[0].Code != test.want || got[0].Path != test.file || got[0].Pointer != test.pointer || got[0].Split != "train" {
				t.Errorf("got %+v, want one %s at %s %s", got, test.want, test.file, test.pointer)
			}
			if report.Repos[0].Configs[0].Splits[0].Statistics == nil {
				t.Error("the split has no statistics, not even an empty list")
			}
		})
	}
}

// Plain validation measures no columns, and a split with rows that could not be read is described in part.
func TestStatisticsAreAskedFor(t *testing.T) {
	dir := t.TempDir()
	rows := `{"id": 1}` + "\n" + `{"id": 5, }` + "\n" + `{"id": 7}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "train.jsonl"), []byte(rows), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, asked := range []bool{false, true} {
		rel, found := loadFolder(t, dir)
		report, err := Run(t.Context(), rel, found, Options{Statistics: asked})
		if err != nil {
			t.Fatal(err)
		}
		split := report.Repos[0].Configs[0].Splits[0]
		if (split.Statistics != nil) != asked || split.Partial != asked {
			t.Errorf("asked %v: statistics %v, partial %v", asked, split.Statistics, split.Partial)
		}
	}
}
