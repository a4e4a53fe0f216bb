package clerk

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/family/clerk/generate"
	"github.com/hfpub/hfpub/validate/family/clerk/vocabulary"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// A row can be any JSON: it is judged or passed over, and what was seen of it can be written and read again.
func FuzzRow(f *testing.F) {
	var b bytes.Buffer
	if err := generate.Write(f.Context(), &b, generate.Params{Personas: 1, Sessions: 3, Budget: 6, Seed: 1, Split: "test"}); err != nil {
		f.Fatal(err)
	}
	line := strings.TrimSuffix(b.String(), "\n")
	f.Add(line)
	f.Add(strings.Replace(line, `"ledger_after":"[`, `"ledger_after":"[null,`, 1))
	f.Add(strings.Replace(line, `\"t\":0`, `\"t\":-1.5e9`, 1))
	f.Add(strings.Replace(line, `\"t\":0`, `\"x\":0`, 1))
	f.Add(strings.Replace(line, `"gold_ops":[`, `"gold_ops":[1,{"op":null},`, 1))
	f.Add(`{"name":"","sessions":[{}],"final_ledger":"[{}]"}`)
	c := &check{maxPlaces: 3, words: newWords(vocabulary.Shipped())}
	split := newSplit(Artifact)
	f.Fuzz(func(t *testing.T, text string) {
		var doc tape.Tape
		if len(doc.Parse([]byte(text))) > 0 {
			return
		}
		o := c.Observer(split)
		o.Observe(&rows.Row{Path: "test.jsonl", Line: 1, Doc: &doc})
		first, err := o.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		again := c.Observer(split)
		if err := again.UnmarshalBinary(first); err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if second, err := again.MarshalBinary(); err != nil || !bytes.Equal(first, second) {
			t.Errorf("what was read is written otherwise (%v)", err)
		}
	})
}

// A partial result may come from anywhere.
func FuzzUnmarshalBinary(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 0, 1})
	c := &check{maxPlaces: 3, words: newWords(vocabulary.Shipped())}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := c.Observer(newSplit(Artifact)).UnmarshalBinary(data); err == nil && len(data) == 0 {
			t.Error("no bytes are taken for a record")
		}
	})
}

func newSplit(artifact string) *observe.Split {
	return &observe.Split{Repo: &release.Repo{}, Config: &release.Config{}, Split: &release.Split{}, Artifact: artifact}
}
