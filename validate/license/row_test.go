package license

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/rowstest"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// judgeLines shows lines of a file to the check, in runs that are cut at the given lines, and returns what it says.
func judgeLines(t *testing.T, license string, lines []string, cuts ...int) []string {
	t.Helper()
	split := &observe.Split{Repo: &release.Repo{License: license}, Config: &release.Config{Name: "default"}, Split: &release.Split{Name: "train"}}
	var all observe.Observer
	run := RowCheck{}.Observer(split)
	end := func() {
		// Every run goes through its binary form, as from another process, and leaves its observer to the next one.
		data, err := run.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		read := RowCheck{}.Observer(split)
		if err := read.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		if all == nil {
			all = read
		} else {
			all.Merge(read)
		}
		run.(observe.Reusable).Reset()
	}
	var doc tape.Tape
	for i, line := range lines {
		if len(cuts) > 0 && cuts[0] == i {
			end()
			cuts = cuts[1:]
		}
		if problems := doc.Parse([]byte(line)); len(problems) > 0 {
			t.Fatalf("line %d: %v", i+1, problems)
		}
		run.Observe(&rows.Row{Path: "train.jsonl", Line: i + 1, Doc: &doc})
	}
	end()
	say := observe.NewFindings(10)
	if err := (RowCheck{}).Finish(context.Background(), []observe.Seen{{Split: split, Observer: all, Whole: true}}, say); err != nil {
		t.Fatal(err)
	}
	var got []string
	say.All(func(_ *observe.Split, found *finding.Set) {
		for _, f := range found.All() {
			got = append(got, fmt.Sprintf("%s %s %s: %s", f.Severity, f.Code, f.Where(), f.Message))
		}
	})
	return got
}

func TestRows(t *testing.T) {
	for _, c := range []struct {
		name, license string
		lines, want   []string
	}{
		{"no license in the rows", "mit", []string{`{"a": "cc-by-nc-4.0", "licensed": "cc-by-nc-4.0"}`}, nil},
		{"the same license", "cc-by-sa-4.0", []string{`{"license": "CC BY-SA 4.0"}`, `{"license": "cc-by-sa-3.0"}`, `{"license": "MIT"}`}, nil},
		{"no license of the repo", "", []string{`{"license": "cc-by-nc-4.0"}`}, nil},
		{"share-alike", "mit", []string{`{"license": "mit"}`, `{"license": "CC-BY-SA-4.0"}`, `{"license": null}`, `{"license": "CC-BY-SA-4.0"}`}, []string{
			"error license/row train.jsonl:2 /license: 2 rows under cc-by-sa-4.0, which demands the same license, in a repo under mit"}},
		{"no commercial use, in a nested field", "cc-by-4.0", []string{`{"metadata": {"source_license": "CC BY-NC 4.0"}}`}, []string{
			"error license/row train.jsonl:1 /metadata/source_license: 1 row under cc-by-nc-4.0, which allows no commercial use, in a repo under cc-by-4.0"}},
		{"no changed works, in a list", "cc-by-4.0", []string{`{"licenses": ["x"], "license": ["cc-by-nd-4.0", "cc-by-4.0"]}`}, []string{
			"error license/row train.jsonl:1 /license: 1 row under cc-by-nd-4.0, which allows no changed works, in a repo under cc-by-4.0"}},
		{"a value that is no license", "mit", []string{`{"license_id": "tea"}`}, []string{
			`warning license/row train.jsonl:1 /license_id: "tea" is no license that hfpub knows, in 1 row`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, judgeLines(t, c.license, c.lines)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Where runs are cut makes no difference, nor does it where there are too many values.
func TestRowsInRuns(t *testing.T) {
	var few, many, keys []string
	for i := range 1200 {
		few = append(few, `{"license": "cc-by-nc-4.0"}`)
		many = append(many, fmt.Sprintf(`{"license": "text %d", "source_license": "gpl-3.0"}`, i))
		keys = append(keys, fmt.Sprintf(`{"k%d": {"license": "cc-by-nc-4.0"}}`, i))
	}
	for _, lines := range [][]string{few, many, keys} {
		want := judgeLines(t, "mit", lines)
		if len(want) > 1 {
			t.Errorf("a field with too many values is judged: %d findings", len(want))
		}
		if diff := cmp.Diff(want, judgeLines(t, "mit", lines, 1, 50, 700, 1199)); diff != "" {
			t.Errorf("in runs it differs (-whole +runs):\n%s", diff)
		}
	}
}

func FuzzUnmarshalRows(f *testing.F) {
	f.Add([]byte{0, 1, 1, 'p', 0, 1, 1, 'l', 2, 1, 'f', 2})
	f.Fuzz(func(t *testing.T, data []byte) {
		o := &rowObserver{}
		if o.UnmarshalBinary(data) != nil {
			return
		}
		again, err := o.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if err := (&rowObserver{}).UnmarshalBinary(again); err != nil {
			t.Fatalf("what was read cannot be written and read again: %v", err)
		}
	})
}

// The spelling of SPDX and of the Hub's own list are read alike.
func TestSharedLicenseList(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "reference", "licenses.tsv"))
	if err != nil {
		t.Skipf("the shared material is not beside this checkout: %v", err)
	}
	for line := range strings.Lines(string(text)) {
		id, _, _ := strings.Cut(line, "\t")
		if got := TermsOf(id).ID; got != id {
			t.Errorf("TermsOf(%q) is of %q", id, got)
		}
		if spdx := TermsOf(id).SPDX; spdx != "" && TermsOf(spdx).ID != id {
			t.Errorf("the SPDX identifier %s is read as %q, want %s", spdx, TermsOf(spdx).ID, id)
		}
	}
}

// Licenses of rows that are looked at together are counted as those of each by itself.
func TestRowLicensesTogether(t *testing.T) {
	kinds := []string{`"mit"`, `"cc-by-nc-4.0"`, `"m\u0069t"`, `""`, `null`, `1`, `[]`}
	for _, keys := range [][2]string{{"license", "text"}, {"text", "source_license"}, {"license", "metadata_license"}, {"id", "text"}} {
		var content strings.Builder
		for i := range 1_500 {
			if i == 700 {
				fmt.Fprintf(&content, `{"metadata": {"license": "gpl-3.0"}}`+"\n")
			}
			fmt.Fprintf(&content, `{"n": %d, %q: %s, %q: %s}`+"\n", i, keys[0], kinds[i/100%len(kinds)], keys[1], kinds[i/30%len(kinds)])
		}
		var together, one rowObserver
		if n := rowstest.Together(t, "train.jsonl", []byte(content.String()), &together, &one); n < 1_000 {
			t.Errorf("%d rows were looked at together, which are too few for this test", n)
		}
		got, err := together.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		want, err := one.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: rows that are looked at together have the licenses %q, one by one %q", keys, got, want)
		}
	}
}
