package finding

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/record"
)

// someSets are sets of all kinds: empty, small, with many places, with many messages.
func someSets() []*Set {
	var sets []*Set
	for _, maxPlaces := range []int{0, 3} {
		for _, n := range []int{0, 1, 10, 400} {
			s := &Set{MaxPlaces: maxPlaces}
			for i := range n {
				s.Add(New(JSONSyntax, "fault").AtColumn("a.jsonl", i+1, 7).In(fmt.Sprintf("/a/%d", i)).Hinting("do so"))
				s.Add(New(SchemaType, "%d is wrong", i).At("b.jsonl", i))
				s.Add(New(CSVQuote, "a quote").As(Warning).At("c.csv", 1).OfSplit("config", "split"))
			}
			if n > 0 {
				f := New(JSONCRLF, "lines").At("d.jsonl", 3)
				f.Count = 12
				s.Add(f)
				s.Label("repo", "", "")
			}
			sets = append(sets, s)
		}
	}
	return sets
}

func TestSetsAreWrittenAndRead(t *testing.T) {
	for i, set := range someSets() {
		data, err := set.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		got := Set{MaxPlaces: set.MaxPlaces}
		if err := got.UnmarshalBinary(data); err != nil {
			t.Fatalf("set %d: %v", i, err)
		}
		if diff := cmp.Diff(set, &got, cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
			t.Errorf("set %d is another one when it has been read (-written +read):\n%s", i, diff)
		}
	}
}

// A set that was read merges as the one that was written.
func TestSetsThatWereReadMerge(t *testing.T) {
	sets := someSets()
	for i := range sets {
		for j := range sets {
			if sets[i].MaxPlaces != sets[j].MaxPlaces {
				continue
			}
			want, got := Set{MaxPlaces: sets[i].MaxPlaces}, Set{MaxPlaces: sets[i].MaxPlaces}
			for _, set := range []*Set{sets[i], sets[j]} {
				want.Merge(set)
				data, _ := set.MarshalBinary()
				read := Set{MaxPlaces: set.MaxPlaces}
				if err := read.UnmarshalBinary(data); err != nil {
					t.Fatal(err)
				}
				got.Merge(&read)
			}
			if diff := cmp.Diff(want.All(), got.All()); diff != "" {
				t.Errorf("sets %d and %d (-merged +read and merged):\n%s", i, j, diff)
			}
		}
	}
}

func FuzzSetUnmarshal(f *testing.F) {
	for _, set := range someSets() {
		data, err := set.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		set := Set{MaxPlaces: 3}
		if err := set.UnmarshalBinary(data); err != nil {
			if !errors.Is(err, record.ErrDamaged) || set.Len() > 0 {
				t.Errorf("error %v and %d findings, want ErrDamaged and none", err, set.Len())
			}
			return
		}
		merged := Set{MaxPlaces: 3}
		merged.Merge(&set)
		merged.Label("repo", "config", "split")
		if len(merged.All()) != merged.Len() {
			t.Error("findings got lost")
		}
	})
}
