package diff

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/digest"
	"github.com/hfpub/hfpub/validate/fingerprint"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// logged shows lines to the check, in two runs, and returns their log.
func logged(t *testing.T, store *fingerprint.Store, keys []string, lines []string) *fingerprint.Log {
	t.Helper()
	c := NewRows(store, keys)
	split := &observe.Split{Repo: &release.Repo{ID: "tea"}, Config: &release.Config{Name: "default"}, Split: &release.Split{Name: "train"}}
	runs := []observe.Observer{c.Observer(split), c.Observer(split)}
	var doc tape.Tape
	for i, line := range lines {
		if problems := doc.Parse([]byte(line)); len(problems) > 0 {
			t.Fatal(problems)
		}
		runs[2*i/(len(lines)+1)].Observe(&rows.Row{Doc: &doc})
	}
	runs[0].Merge(runs[1])
	if err := c.Finish(context.Background(), []observe.Seen{{Split: split, Observer: runs[0], Whole: true}}, nil); err != nil {
		t.Fatal(err)
	}
	return c.logs["tea#default/train"]
}

func TestCompareRows(t *testing.T) {
	for _, c := range []struct {
		name     string
		keys     []string
		old, new string
		want     RowCounts
	}{
		{"the same rows, written otherwise", nil, `{"a":1,"b":2}|{"a":2}`, `{"b": 2, "a": 1}|{"a":2}`, RowCounts{Unchanged: 2}},
		{"whole rows are added and removed", nil, `{"a":1}|{"a":2}`, `{"a":1}|{"a":3}|{"a":4}`, RowCounts{Added: 2, Removed: 1, Unchanged: 1}},
		{"by a key they change", []string{"/a"}, `{"a":1,"b":1}|{"a":2}|{"a":3}`, `{"a":1,"b":2}|{"a":2}|{"a":4}`, RowCounts{Added: 1, Removed: 1, Changed: 1, Unchanged: 1}},
		{"a nested key of two fields", []string{"/a/x", "/b"}, `{"a":{"x":1},"b":"1","c":1}`, `{"b":"1","a":{"x":1},"c":2}`, RowCounts{Changed: 1}},
		{"numbers are no texts", []string{"/a"}, `{"a":1}`, `{"a":"1"}`, RowCounts{Added: 1, Removed: 1}},
		{"a key that stands several times", []string{"/a"}, `{"a":1,"b":1}|{"a":1,"b":1}|{"a":1,"b":2}`, `{"a":1,"b":1}|{"a":1,"b":3}`, RowCounts{Removed: 1, Changed: 1, Unchanged: 1}},
		{"rows without the key", []string{"/a"}, `{"b":1}|{"b":2}`, `{"b":1}|{"b":3}`, RowCounts{Added: 1, Removed: 1, Unchanged: 1}},
		{"nothing before", nil, ``, `{"a":1}`, RowCounts{Added: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines := func(s string) []string {
				if s == "" {
					return nil
				}
				return strings.Split(s, "|")
			}
			store := fingerprint.NewStore()
			defer store.Close()
			got, err := compareRows(context.Background(), logged(t, store, c.keys, lines(c.old)), logged(t, store, c.keys, lines(c.new)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Beyond what fits into memory the numbers are the same.
func TestCompareRowsOnDisk(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var old, new []string
	want := RowCounts{}
	for i := range 3000 {
		row := fmt.Sprintf(`{"id":%d,"v":%d}`, i, i)
		switch r.IntN(4) {
		case 0:
			old = append(old, row)
			want.Removed++
		case 1:
			new = append(new, row)
			want.Added++
		case 2:
			old, new = append(old, row), append(new, fmt.Sprintf(`{"id":%d,"v":-1}`, i))
			want.Changed++
		default:
			old, new = append(old, row), append(new, row)
			want.Unchanged++
		}
	}
	r.Shuffle(len(new), func(i, j int) { new[i], new[j] = new[j], new[i] })
	store := fingerprint.NewStoreOf(100)
	defer store.Close()
	got, err := compareRows(context.Background(), logged(t, store, []string{"/id"}, old), logged(t, store, []string{"/id"}, new))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCompareColumns(t *testing.T) {
	scalar := func(name, dtype string) column.Feature {
		return column.Feature{Name: name, Type: column.Type{Dtype: dtype}}
	}
	list := func(name string, of column.Type) column.Feature {
		return column.Feature{Name: name, Type: column.Type{List: &of}}
	}
	old := column.Features{scalar("a", "int32"), scalar("b", "string"), scalar("c", "null"), scalar("gone", "bool"),
		list("turns", column.Type{Struct: column.Features{scalar("text", "string"), scalar("n", "int64")}})}
	new := column.Features{scalar("b", "int64"), scalar("a", "int64"), scalar("c", "string"), scalar("new", "bool"),
		list("turns", column.Type{Struct: column.Features{scalar("text", "string"), scalar("n", "int32"), scalar("by", "string")}})}
	want := []Change{
		{Column: "a", Weight: Addition, Message: "the type was int32 and is int64, which holds all its values"},
		{Column: "b", Weight: Breaking, Message: "the type was string and is int64"},
		{Column: "c", Weight: Addition, Message: "the type was null and is string, which holds all its values"},
		{Column: "gone", Weight: Breaking, Message: "the column is gone; it was bool"},
		{Column: "turns[].n", Weight: Breaking, Message: "the type was int64 and is int32"},
		{Column: "turns[].by", Weight: Addition, Message: "the column is new: string"},
		{Column: "new", Weight: Addition, Message: "the column is new: bool"},
	}
	if diff := cmp.Diff(want, compareColumns(old, new)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := compareColumns(old, old); len(got) > 0 {
		t.Errorf("nothing changed, and yet: %+v", got)
	}
}

// Of locks, each thing that came, went or changed is one change.
func TestCompareLocks(t *testing.T) {
	hash := func(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }
	split := func(name, content string, rows int64) digest.LockedSplit {
		return digest.LockedSplit{Name: name, Rows: &rows, Digest: &digest.Digest{Sequence: hash(content), Set: hash(content)}, Files: []digest.LockedFile{{Path: name, SHA256: hash(content)}}}
	}
	lock := func(splits ...digest.LockedSplit) Side {
		return Side{Lock: &digest.Lock{Release: digest.LockedRelease{Name: "tea", Version: "0.3.0"}, Repos: []digest.LockedRepo{
			{ID: "acme/tea", Configs: []digest.LockedConfig{{Name: "default", Splits: splits}}},
		}}}
	}
	for _, c := range []struct {
		name     string
		new      Side
		want     string
		proposed string
	}{
		{"nothing", lock(split("train", "a", 2), split("test", "b", 1)), "", "0.3.0"},
		{"a split gone", lock(split("train", "a", 2)), "breaking test: the split is gone", "0.4.0"},
		{"a split new", lock(split("train", "a", 2), split("test", "b", 1), split("more", "c", 1)), "addition more: the split is new: 1 row", "0.4.0"},
		{"other rows", lock(split("train", "x", 2), split("test", "b", 1)), "fix train: rows changed: 2 rows before, 2 rows now", "0.3.1"},
		{"more rows", lock(split("train", "x", 3), split("test", "b", 1)), "addition train: rows changed: 2 rows before, 3 rows now", "0.4.0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Compare(context.Background(), lock(split("train", "a", 2), split("test", "b", 1)), c.new)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, change := range r.Changes {
				got = append(got, fmt.Sprintf("%s %s: %s", change.Weight, change.Split, change.Message))
			}
			if strings.Join(got, "; ") != c.want || r.Proposed != c.proposed || len(r.Limits) != 2 {
				t.Errorf("got %q and %s, want %q and %s, with two limits: %q", got, r.Proposed, c.want, c.proposed, r.Limits)
			}
		})
	}
}

func TestProposal(t *testing.T) {
	for _, c := range []struct {
		old    string
		weight Weight
		want   string
	}{
		{"1.2.3", Breaking, "2.0.0"}, {"1.2.3", Addition, "1.3.0"}, {"1.2.3", Fix, "1.2.4"}, {"1.2.3", "", "1.2.3"},
		{"0.2.3", Breaking, "0.3.0"}, {"v1.2.3-rc1", Fix, "v1.2.4"}, {"2024-01", Fix, ""}, {"", Fix, ""},
	} {
		if got := Proposal(c.old, c.weight); got != c.want {
			t.Errorf("after %q and a change of the kind %q comes %q, want %q", c.old, c.weight, got, c.want)
		}
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{{"1.2.3", "1.3.0", true}, {"1.3.0", "1.3.0", false}, {"1.10.0", "1.9.0", false}, {"x", "1.0.0", false}} {
		if Below(c.a, c.b) != c.want {
			t.Errorf("%s is below %s: want %t", c.a, c.b, c.want)
		}
	}
}
