package hygiene

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/hygiene/fingerprint"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/rowstest"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// pieces are what rows are put together of, as JSON writes it: what is found, what nearly is, and what stands around it.
var pieces = []string{
	token, hidden, "AKIAQ2E5B7ZT4XW3" + "YKLM", `my_secret = 'q8f2bzm7xjw3ndc5ksov9tk4'`, `api_key\": \"q8f2bzm7xjw3ndc5ksov9tk4`, "token=q8f2bzm7xjw3ndc5ksov9tk4",
	"datadog_api_key", "q8f2bjq8sjw8sj2ksow9sk2jdk29dk2lsa8sj2ka", `postgresql:\/\/tea:v3ryLongOne9@db.tea.org/x`, "https://tea.org/a@b",
	"/home/anna/x", `\/home\/anna`, `C:\\Users\\anna\\x`, "file:///scratch/tea/x", `\n/Users/anna`, `/home/\u00fcmit`, "/mnt/", "anna.b@mail.tea-house.org", "a@b", "n@@ -1,2 +3,4 @@",
	"+49 30 901820-11", `\u2019+49 30 901820-11`, "+12", "token", "key", "asked", `"`, `\n`, `\t`, `\\`, `\u0041`, `\u00e9`, "é", "日本", " ", " ", ": ", "=", ", ", "-", "steamed, rolled and dried ",
	"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "https://hooks.slack.com/services/T00/B00/x", "curl -u tea:v3ryLongOne9 https://db.tea.org",
}

// row makes an object of strings of pieces.
func row(r *rand.Rand) []byte {
	var out bytes.Buffer
	text := func() {
		for range r.IntN(4) {
			if piece := pieces[r.IntN(len(pieces))]; piece != `"` {
				out.WriteString(piece)
			}
		}
		out.WriteString(strings.Repeat("x ", r.IntN(3)*r.IntN(40)))
	}
	out.WriteString("{")
	for i := range 1 + r.IntN(4) {
		if i > 0 {
			out.WriteString(strings.Repeat(" ", r.IntN(2)) + "," + strings.Repeat(" ", r.IntN(2)))
		}
		fmt.Fprintf(&out, `"%d`, i)
		text()
		out.WriteString(`"` + strings.Repeat(" ", r.IntN(2)) + ":" + strings.Repeat(" ", r.IntN(3)) + `"`)
		text()
		out.WriteString(`"`)
	}
	out.WriteString("}")
	return out.Bytes()
}

// Reading the strings that the walk over a row points to finds what reading all of its strings does.
func TestRowsLoseNothing(t *testing.T) {
	rules := set()
	newObserver := func(p *policy) *rowObserver {
		return &rowObserver{reader: reader{scanner: rules.NewScanner(), policy: p}, found: finding.Set{MaxPlaces: 100}}
	}
	r := rand.New(rand.NewPCG(3, 9))
	var doc tape.Tape
	found := map[string]int{}
	walked, all := newObserver(&policy{}), newObserver(&policy{forbidden: &fingerprint.List{}})
	for range 3_000 {
		text := row(r)
		if problems := doc.Parse(text); len(problems) > 0 {
			t.Fatalf("%s: %v", text, problems)
		}
		for _, o := range []*rowObserver{walked, all} {
			o.Reset()
			o.Observe(&rows.Row{Path: "train.jsonl", Line: 1, Doc: &doc, Ahead: text})
		}
		want := all.found.All()
		if diff := cmp.Diff(want, walked.found.All()); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", text, diff)
		}
		for _, f := range want {
			found[f.Message]++
		}
	}
	if len(found) < 10 {
		t.Errorf("the rows show too little: %v", found)
	}
}

// Rows that are looked at together show what each shows by itself, in the same order, with texts that are forbidden and without.
func TestRowsTogether(t *testing.T) {
	rules := set()
	r := rand.New(rand.NewPCG(5, 8))
	for _, p := range []*policy{{}, {forbidden: &fingerprint.List{}}} {
		var content bytes.Buffer
		for i := range 3_000 {
			text := func() string {
				var out strings.Builder
				for range r.IntN(4) {
					if piece := pieces[r.IntN(len(pieces))]; piece != `"` && r.IntN(4) == 0 {
						out.WriteString(piece)
					}
				}
				return out.String() + strings.Repeat("x ", r.IntN(3)*r.IntN(40))
			}
			key := "api_key"
			if i%100 == 0 {
				key = pieces[0]
			}
			fmt.Fprintf(&content, `{"id": %d, "%s": "%s", "q": "%s", "last": "%s"}`+"\n", i, key, text(), text(), text())
		}
		newObserver := func() *rowObserver {
			return &rowObserver{reader: reader{scanner: rules.NewScanner(), policy: p}, found: finding.Set{MaxPlaces: 1000}}
		}
		together, one := newObserver(), newObserver()
		if n := rowstest.Together(t, "train.jsonl", content.Bytes(), together, one); n < 2_500 {
			t.Errorf("%d rows were looked at together, which are too few for this test", n)
		}
		want := one.found.All()
		if diff := cmp.Diff(want, together.found.All()); diff != "" {
			t.Errorf("rows that are looked at together (-one by one +together):\n%s", diff)
		}
		if len(want) < 10 {
			t.Errorf("the rows show too little: %v", want)
		}
	}
}

// FuzzRowLosesNothing looks for a row of which something is lost.
func FuzzRowLosesNothing(f *testing.F) {
	rules := set()
	for _, piece := range pieces {
		f.Add([]byte(`{"a": "` + piece + `"}`))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var doc tape.Tape
		if len(doc.Parse(text)) > 0 {
			return
		}
		var found [2][]finding.Finding
		for i, p := range []*policy{{}, {forbidden: &fingerprint.List{}}} {
			o := &rowObserver{reader: reader{scanner: rules.NewScanner(), policy: p}, found: finding.Set{MaxPlaces: 100}}
			o.Observe(&rows.Row{Path: "train.jsonl", Line: 1, Doc: &doc})
			found[i] = o.found.All()
		}
		if diff := cmp.Diff(found[1], found[0]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	})
}
