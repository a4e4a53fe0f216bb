package rule_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

const (
	guest = "A guest orders two pots of green tea and one pot of black tea for the table near the window"
	maid  = "The maid brings three cups, a jug of milk and a plate with lemon slices from the kitchen"
)

// rowsOf writes one row for each text.
func rowsOf(texts ...string) string {
	var b strings.Builder
	for i, text := range texts {
		q, _ := json.Marshal(text)
		fmt.Fprintf(&b, "{\"n\": %d, \"q\": %s}\n", i, q)
	}
	return b.String()
}

func TestNearDuplicates(t *testing.T) {
	const between = "- near_duplicates: {between: [test, train], key: /q}"
	for _, c := range []struct {
		name string
		example
		want []string
	}{
		{"a changed word", example{rules: between, files: map[string]string{
			"a": rowsOf(maid, guest), "b": rowsOf(strings.Replace(guest, "window", "door", 1), "Who orders tea?")}}, []string{
			`error leak/near-train-row b.jsonl:1 /q: q is nearly that of a.jsonl:2 in train (similarity 0.89): 1 of 2 rows (50.0 %) of test are near duplicates of a row to train on`,
		}},
		{"case, punctuation and spaces do not count, and order of splits neither", example{rules: between, files: map[string]string{
			"a": rowsOf(guest), "b": rowsOf("  " + strings.ToUpper(guest) + " ...")}}, []string{
			`error leak/near-train-row b.jsonl:1 /q: q is nearly that of a.jsonl:1 in train (similarity 1.00): 1 of 1 rows (100.0 %) of test are near duplicates of a row to train on`,
		}},
		{"below the threshold", example{rules: "- near_duplicates: {between: [train, test], key: /q, threshold: 0.9}", files: map[string]string{
			"a": rowsOf(guest), "b": rowsOf(strings.Replace(guest, "window", "door", 1))}}, nil},
		{"between splits, rows of one split are not compared", example{rules: between, files: map[string]string{"a": rowsOf(guest, guest+" again")}}, nil},
		{"in a split, all are", example{rules: "- near_duplicates: {in: train, key: /q}", files: map[string]string{"a": rowsOf(guest, maid, guest+" again")}}, []string{
			`error leak/near-row a.jsonl:3 /q: q is nearly that of a.jsonl:1 in train (similarity 0.94): 1 of 3 rows (33.3 %) of train are near duplicates of a row before it`,
		}},
		{"the most alike of several", example{rules: between, files: map[string]string{
			"a": rowsOf(guest+" and waits for it", guest+" again"), "b": rowsOf(guest)}}, []string{
			`error leak/near-train-row b.jsonl:1 /q: q is nearly that of a.jsonl:2 in train (similarity 0.94): 1 of 1 rows (100.0 %) of test are near duplicates of a row to train on`,
		}},
		{"a row that repeats one is as alike as that", example{rules: between, files: map[string]string{
			"a": rowsOf(guest), "b": rowsOf(guest+" again", maid, strings.ToUpper(guest)+", again!", guest, maid)}}, []string{
			`error leak/near-train-row b.jsonl:1 /q ×2: q is nearly that of a.jsonl:1 in train (similarity 0.94): 3 of 5 rows (60.0 %) of test are near duplicates of a row to train on`,
			`error leak/near-train-row b.jsonl:4 /q: q is nearly that of a.jsonl:1 in train (similarity 1.00): 3 of 5 rows (60.0 %) of test are near duplicates of a row to train on`,
		}},
		{"in a split, a row that repeats another is like that one", example{rules: "- near_duplicates: {in: [train, test], key: /q}", files: map[string]string{
			"a": rowsOf(guest), "b": rowsOf(maid, guest+" again", guest+" again", guest)}}, []string{
			`error leak/near-train-row b.jsonl:2 /q: q is nearly that of a.jsonl:1 in train (similarity 0.94): 2 of 4 rows (50.0 %) of test are near duplicates of a row to train on`,
			`error leak/near-row b.jsonl:3 /q: q is nearly that of b.jsonl:2 in test (similarity 1.00): 1 of 4 rows (25.0 %) of test are near duplicates of a row before it`,
			`error leak/near-train-row b.jsonl:4 /q: q is nearly that of a.jsonl:1 in train (similarity 1.00): 2 of 4 rows (50.0 %) of test are near duplicates of a row to train on`,
		}},
		{"texts of several fields, and inside of them", example{rules: "- near_duplicates: {between: [train, test], key: [/t, /m]}", files: map[string]string{
			"a": `{"t": "` + guest + `", "m": [{"c": "` + maid + `"}]}` + "\n", "b": `{"m": [{"c": "` + guest + `"}, "` + maid + `"], "x": 1}` + "\n"}}, []string{
			`error leak/near-train-row b.jsonl:1: t and m is nearly that of a.jsonl:1 in train (similarity 1.00): 1 of 1 rows (100.0 %) of test are near duplicates of a row to train on`,
		}},
		{"across repos", example{rules: "- near_duplicates: {between: [acme/two#train, acme/one#test], key: /q}", global: true, files: map[string]string{
			"b": rowsOf(maid), "d": rowsOf(guest, maid)}}, []string{
			`error leak/near-train-row b.jsonl:1 /q: q is nearly that of acme/two#d.jsonl:2 in acme/two#default/train (similarity 1.00): 1 of 1 rows (100.0 %) of acme/one#default/test are near duplicates of a row to train on`,
		}},
		{"a row without a word", example{rules: between, files: map[string]string{"a": rowsOf(guest), "b": rowsOf("?") + "{\"n\": 1}\n"}}, []string{
			`warning rule/no-key b.jsonl:1 ×2: q holds no word: rule near_duplicates says nothing about the row`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := gocmp.Diff(c.want, c.said(t)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// variedTexts are texts of 40 words of which every third is a near duplicate of an earlier one.
func variedTexts(n int) (texts []string, near int) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		if i%3 == 2 {
			words := strings.Fields(texts[random.IntN(i)])
			words[random.IntN(len(words))] = "another"
			texts = append(texts, strings.Join(words, " "))
			near++
			continue
		}
		words := make([]string, 40)
		for j := range words {
			words[j] = fmt.Sprintf("w%d", random.IntN(5000))
		}
		texts = append(texts, strings.Join(words, " "))
	}
	return texts, near
}

// All near duplicates are found and counted, the first are shown.
func TestManyNearDuplicates(t *testing.T) {
	texts, near := variedTexts(1200)
	e := example{rules: "- near_duplicates: {in: train, key: /q}", files: map[string]string{"a": rowsOf(texts...)}}
	said := e.said(t)
	if len(said) != 21 {
		t.Fatalf("%d findings, want 20 and one for the others:\n%s", len(said), strings.Join(said, "\n"))
	}
	for _, line := range said {
		if want := fmt.Sprintf("%d of 1200 rows (33.3 %%) of train are near duplicates of a row before it", near); !strings.Contains(line, want) {
			t.Errorf("%s; want %q in it", line, want)
		}
	}
}

// Sketches that do not fit in memory go to a file, and come back as they were.
func TestNearDuplicatesOfLongTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	var texts []string
	for range 3 {
		words := make([]string, 5000)
		for i := range words {
			words[i] = fmt.Sprintf("w%d", random.IntN(40000))
		}
		texts = append(texts, strings.Join(words, " "))
	}
	texts = append(texts, strings.Replace(texts[1], " ", " changed ", 40))
	e := example{rules: "- near_duplicates: {in: train, key: /q}", files: map[string]string{"a": rowsOf(texts...)}}
	said := e.said(t)
	if len(said) != 1 || !strings.HasPrefix(said[0], "error leak/near-row a.jsonl:4 /q: q is nearly that of a.jsonl:2 in train (similarity about 0.9") {
		t.Errorf("got %q, want one near duplicate with an estimated similarity of about 0.97", said)
	}
}
