package rows

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
	"github.com/hfpub/hfpub/validate/sha256pair"
)

// readTogether reads a file of JSON Lines in blocks. It returns what is shown of each row, and how many rows were shown together.
func readTogether(t *testing.T, content string, opt Options) (shown []string, together int) {
	t.Helper()
	src := Source{Path: "tea.jsonl", Open: open([]byte(content))}
	f, err := Open(t.Context(), src, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var doc tape.Tape
	for b, err := f.Next(); err != io.EOF; b, err = f.Next() {
		if err != nil {
			t.Fatal(err)
		}
		b.Hash(&sha256pair.Batch{})
		one := func(row *Row) error { shown = append(shown, rowText(row)); return nil }
		run := func(run *Run) error {
			together += run.Rows
			if n := run.Rows * run.Stride; n != len(run.Doc.Nodes) {
				t.Fatalf("a run of %d rows of %d nodes has %d nodes", run.Rows, run.Stride, len(run.Doc.Nodes))
			}
			for i := range run.Rows {
				at := *run.At(i)
				row := run.Alone(i)
				if place, want := placeText(&at), placeText(row); place != want {
					t.Fatalf("row %d of a run is %s, alone %s", i, place, want)
				}
				if text := at.Doc.Value(i * run.Stride).Raw(); string(text) != string(row.Doc.Text) || !strings.HasPrefix(string(row.Ahead), string(text)) {
					t.Fatalf("row %d of a run is %s, alone %s, and ahead is %.100s", i, text, row.Doc.Text, row.Ahead)
				}
				one(row)
			}
			return nil
		}
		if err := b.Read(&doc, one, run); err != nil {
			t.Fatal(err)
		}
		f.Add(b)
	}
	return shown, together
}

// placeText is what a row says beside its value.
func placeText(r *Row) string {
	return fmt.Sprintf("%s:%d, row %d, %d-%d, batch %d, on one line: %v", r.Path, r.Line, r.Index, r.Offset, r.End, r.Batch, r.OneLine)
}

// Rows that are alike are read together, whatever stands between them, and each has the place that it has when it is read alone.
func TestRowsAreReadTogether(t *testing.T) {
	var alike, mixed strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&alike, `{"id": %d, "tea": "sencha %d"}`+"\n", i, i*i)
		switch i % 100 {
		case 7:
			mixed.WriteString("\n")
		case 23:
			mixed.WriteString(`{"id": 1, "tea": ["list"]}` + "\r\n")
		case 56:
			mixed.WriteString(`{"id": 01}` + "\n")
		default:
			fmt.Fprintf(&mixed, `{"id": %d, "tea": "th\u00e9 \"%d\""}`+"\n", i, i*i)
		}
	}
	for name, test := range map[string]struct {
		content string
		least   int
	}{"alike": {alike.String(), 4990}, "mixed": {mixed.String(), 4000}} {
		for _, size := range []int{0, 1000, 1} {
			opt := Options{BlockSize: size}
			var found finding.Set
			src := Source{Path: "tea.jsonl", Open: open([]byte(test.content))}
			var want []string
			if _, err := Read(t.Context(), src, opt, &found, func(r *Row) error { want = append(want, rowText(r)); return nil }); err != nil {
				t.Fatal(err)
			}
			got, together := readTogether(t, test.content, opt)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, blocks of %d: rows differ from those read one by one (-want +got):\n%s", name, size, diff)
			}
			if size == 0 && together < test.least {
				t.Errorf("%s: %d rows were read together, expected %d or more", name, together, test.least)
			}
		}
	}
}

// Long rows gain nothing by being read together.
func TestLongRowsAreReadOneByOne(t *testing.T) {
	for _, test := range []struct{ words, together int }{{longTogether / 20, 490}, {longTogether, 0}} {
		row := `{"tea": "` + strings.Repeat("sencha ", test.words/7) + `"}` + "\n"
		shown, together := readTogether(t, strings.Repeat(row, 500), Options{})
		if len(shown) != 500 || together < test.together || together > 0 && test.together == 0 {
			t.Errorf("%d rows of %d bytes are shown, %d of them together, expected 500 and %d or more", len(shown), len(row), together, test.together)
		}
	}
}

// Where no rows can be read together that is tried less and less often.
func TestRowsThatCannotBeReadTogether(t *testing.T) {
	var r runs
	var doc tape.Tape
	text := []byte(`{"teas": ["sencha", "bancha"]}` + "\n")
	doc.Parse(text)
	tried := 0
	for range 1000 {
		before := r.missed
		if n := r.next(&doc, text, len(text)); n != 0 {
			t.Fatalf("%d rows with lists are read together", n)
		}
		tried += r.missed - before
	}
	if tried > 25 {
		t.Errorf("for 1000 rows, %d times others were looked for that could be read together, expected 25 or fewer", tried)
	}
}

// A run ends with the batch in which load_dataset reads.
func TestRunsEndWithTheBatch(t *testing.T) {
	row := `{"tea": "` + strings.Repeat("sencha ", 200) + `"}` + "\n"
	content := strings.Repeat(row, 3*batchSize/len(row))
	batches := map[int]int{}
	f, err := Open(t.Context(), Source{Path: "tea.jsonl", Open: open([]byte(content))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var want, got []int
	if _, err := Read(t.Context(), Source{Path: "tea.jsonl", Open: open([]byte(content))}, Options{}, &finding.Set{}, func(r *Row) error { want = append(want, r.Batch); return nil }); err != nil {
		t.Fatal(err)
	}
	var doc tape.Tape
	for b, err := f.Next(); err != io.EOF; b, err = f.Next() {
		if err != nil {
			t.Fatal(err)
		}
		b.Hash(&sha256pair.Batch{})
		one := func(r *Row) error { got = append(got, r.Batch); return nil }
		err = b.Read(&doc, one, func(run *Run) error {
			for i := range run.Rows {
				got = append(got, run.At(i).Batch)
				batches[run.At(i).Batch]++
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		f.Add(b)
	}
	if !slices.Equal(got, want) {
		t.Errorf("batches of rows: %v, one by one %v", got, want)
	}
	if len(batches) < 3 {
		t.Errorf("rows were read together in the batches %v, expected three or more", batches)
	}
}
