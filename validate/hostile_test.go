package validate

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/testdata/releases"
	"github.com/hfpub/hfpub/validate/record"
)

// everyRule is a release of one repo whose rows every kind of rule and measure looks at.
var everyRule = map[string]string{
	"hfpub.yaml": `version: 1
release: {name: tea, version: 1.0.0}
repos:
  - id: acme/tea
    type: dataset
    status: public
    license: mit
    root: .
    configs:
      - name: default
        splits: [{name: train, files: a.jsonl}, {name: test, files: b.jsonl}]
    rules:
      - unique: {in: [train, test], key: /id}
      - disjoint: {between: [train, test], key: [/q], normalize: [nfkc, casefold, spaces]}
      - subset: {of: train, in: test, key: /kind}
      - reference: {from: {in: test, key: /kind}, to: {in: train, key: /kind}, at_least: 1}
      - determines: {in: [train], key: [/kind], value: [/label]}
      - counts: {in: [train, test], by: /label, equal: {0: 2, 1: 2}}
      - sorted: {in: [train], by: /id}
      - near_duplicates: {between: [train, test], key: /q}
      - when: 'row.label == 1'
        must: 'row.score > 0.5'
    claims:
      - {id: rows, said: {text: "4"}, measure: {rows: {in: [train, test]}}}
      - {id: kinds, said: {text: "2"}, measure: {distinct: {in: [train, test], key: /kind}}}
      - {id: mean, said: {text: "0.5"}, measure: {mean: {in: train, value: /score}}}
      - {id: median, said: {text: "0.5"}, measure: {median: {in: train, value: /score}}}
      - {id: auroc, said: {text: "0.5"}, measure: {auroc: {in: train, label: /label, positive: 1, score: /score}}}
`,
	"a.jsonl": `{"id": 1, "q": "How long is green tea to draw in hot water?", "kind": "green", "label": 0, "score": 0.25, "license": "mit"}
{"id": 2, "q": "How long is black tea to draw in hot water?", "kind": "black", "label": 1, "score": 0.75, "mail": "anna@tea-house.org"}
`,
	"b.jsonl": `{"id": 3, "q": "How long is green tea to draw in hot water??", "kind": "green", "label": 0, "score": 0.5, "license": "cc-by-sa-4.0"}
{"id": 2, "q": "see /home/anna/tea.txt", "kind": "white", "label": 1, "score": 0.25}
`,
}

// hostile holds a release with the partial result of all of it, to be merged with parts of it changed.
type hostile struct {
	dir     string
	opt     Options
	partial *Partial
	parts   [][]byte
}

func newHostile(t testing.TB, dir string) *hostile {
	t.Helper()
	h := &hostile{dir: dir, opt: Options{MaxPlaces: 3, Statistics: true, Jobs: 1}}
	rel, found, err := release.Load(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) > 0 {
		t.Fatalf("the release is not as it should be: %v", found)
	}
	if h.partial, err = ReadShard(context.Background(), rel, found, h.opt, Shard{1, 1}, "job"); err != nil {
		t.Fatal(err)
	}
	for r := record.NewReader(h.partial.body); r.More(); {
		h.parts = append(h.parts, r.Part())
	}
	if err := h.merge(0, h.parts[0]); err != nil {
		t.Fatalf("the partial result as it was: %v", err)
	}
	return h
}

// merge merges the partial result with other bytes for a part.
func (h *hostile) merge(part int, data []byte) error {
	var w record.Writer
	for i, p := range h.parts {
		if i == part {
			p = data
		}
		w.Part(p)
	}
	changed := *h.partial
	changed.body = w.Bytes()
	rel, found, err := release.Load(context.Background(), h.dir)
	if err != nil {
		return err
	}
	_, err = Merge(context.Background(), rel, found, h.opt, []*Partial{&changed})
	return err
}

// damage changes bytes in a few ways.
func damage(data []byte, r *rand.Rand) []byte {
	out := slices.Clone(data)
	at := r.IntN(len(out) + 1)
	switch r.IntN(5) {
	case 0:
		if at < len(out) {
			out[at] ^= 1 << r.IntN(8)
		}
	case 1:
		out = out[:at]
	case 2: // a count beyond all bounds
		out = slices.Insert(out, at, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f)
	case 3:
		if at < len(out) {
			out[at] = 0xff
		}
	case 4:
		other := r.IntN(len(out) + 1)
		out = slices.Insert(out, at, data[min(at, other):max(at, other)]...)
	}
	return out
}

// A partial result is bytes from elsewhere. Whatever stands in it, merging ends with a report or an error that names the file, and
// takes no more memory than what is there to read.
func TestMergeTakesAnyBytes(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, filepath.Join(dir, "every-rule"), everyRule)
	names := append(releases.Names(), "every-rule")
	for _, name := range releases.Names() {
		if err := os.CopyFS(filepath.Join(dir, name), releases.Files(name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			h := newHostile(t, filepath.Join(dir, name))
			r := rand.New(rand.NewPCG(1, 2))
			refused, rounds := 0, 40
			if len(h.parts) > 100 { // merging them takes long
				rounds = 10
			}
			for range rounds {
				part := r.IntN(len(h.parts))
				data := damage(h.parts[part], r)
				if bytes.Equal(data, h.parts[part]) {
					continue
				}
				before := allocated()
				if err := h.attempt(t, part, data); err != nil {
					refused++
				}
				if more := allocated() - before; more > 256<<20 {
					t.Errorf("part %d: merging %q took %d MB", part, data, more>>20)
				}
			}
			if refused == 0 {
				t.Error("no damage was refused")
			}
		})
	}
}

// attempt is merge that names the part in a panic.
func (h *hostile) attempt(t testing.TB, part int, data []byte) error {
	defer func() {
		if fault := recover(); fault != nil {
			t.Errorf("part %d: %v", part, fault)
			panic(fault)
		}
	}()
	return h.merge(part, data)
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

func writeFiles(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// FuzzMerge puts any bytes in the place of a part.
func FuzzMerge(f *testing.F) {
	dir := f.TempDir()
	writeFiles(f, dir, everyRule)
	h := newHostile(f, dir)
	for i, part := range h.parts {
		f.Add(uint8(i), part)
	}
	f.Fuzz(func(t *testing.T, part uint8, data []byte) {
		_ = h.attempt(t, int(part)%len(h.parts), data)
	})
}
