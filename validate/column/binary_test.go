package column

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// written writes an observer and reads it again.
func written(t testing.TB, o *Observer) *Observer {
	t.Helper()
	data, err := o.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	read := &Observer{}
	if err := read.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	return read
}

// oddRows have texts, numbers and depths that are special to an observer.
func oddRows() []string {
	var wide strings.Builder
	for i := range 200 {
		fmt.Fprintf(&wide, `"k%d": {"deep": {"er": 1}}, `, i)
	}
	return []string{
		`{"a": -0.50, "b": "2020-01-01", "c": [[1], [], [null]], "d": {"e": {"f": []}}}`,
		`{"a": 12345678901234567890123, "b": null, "c": [], "d": {}}`,
		`{"a": 1e-400, "b": "` + strings.Repeat("é", 100) + `"}`,
		`{"a": ` + strings.Repeat("1", 2000) + `, "": 1, "a/~b": "\u0000\ud83d\ude00"}`,
		`{"w": {` + wide.String() + `"z": 0}}`,
		strings.Repeat(`{"n":[`, 200) + strings.Repeat(`]}`, 200),
	}
}

func TestObserversAreWrittenAndRead(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		source := randomRows(random)
		for i, text := range oddRows() {
			if random.IntN(3) == 0 {
				source = append(source, sourceRow{rows.Row{Path: "odd", Line: i + 1, Index: int64(i), Batch: i / 2}, text})
			}
		}
		cut := random.IntN(len(source) + 1)
		first, second := observeRows(t, source[:cut], nil), observeRows(t, source[cut:], nil)
		for _, o := range []*Observer{first, second} {
			if got, want := state(written(t, o)), state(o); got != want {
				t.Fatalf("an observer is another one when it has been read:\n%s\nwant\n%s", got, want)
			}
		}
		readFirst := written(t, first)
		readFirst.Merge(written(t, second))
		first.Merge(second)
		if got, want := state(readFirst), state(first); got != want {
			t.Fatalf("observers that were read merge to something else:\n%s\nwant\n%s", got, want)
		}
	}
}

func TestObserversOfCellsAreWrittenAndRead(t *testing.T) {
	o := NewObserver()
	o.BeginFile()
	if got := state(written(t, o)); got != state(o) || !written(t, o).newFile {
		t.Errorf("an observer that has seen nothing is read as\n%s", got)
	}
	if !csvRows("a.csv", "a,b,c\n1,NA,x\n007,TRUE,\n+5,inf,1.50\n", ',', o.Observe) {
		t.Fatal("the test's own rows are no CSV")
	}
	if got, want := state(written(t, o)), state(o); got != want {
		t.Errorf("read\n%s\nwant\n%s", got, want)
	}
}

// TestEverythingSeenIsWritten fails when one of the types gets another field: then binary.go has to write it, or this test to say
// that it can be told from the others.
func TestEverythingSeenIsWritten(t *testing.T) {
	checkFields(t, reflect.TypeFor[Observer](), "root batches first last block fromStart newFile reused json cells framed example slashes encoded spread sets text num")
	checkFields(t, reflect.TypeFor[batchID](), "path number")
	checkFields(t, reflect.TypeFor[batch](), "present valid objects strings bytes encoded cast unsized words wordBytes digits kinds earlier refused first more")
	checkFields(t, reflect.TypeFor[sums](), "bits single validity singleValid gone encoded text mixedText as pure all mixed refused unsized seen")
	checkFields(t, reflect.TypeFor[absence](), "bits single")
	checkFields(t, reflect.TypeFor[cellSums](), "bytes words validity singleValid all full")
	checkFields(t, reflect.TypeFor[mark](), "kinds line block")
	checkFields(t, reflect.TypeFor[variant](), "kinds single after refused batches path first more")
	checkFields(t, reflect.TypeFor[variants](), "list many")
	checkFields(t, reflect.TypeFor[columnSet](), "names batches first")
	checkFields(t, reflect.TypeFor[columnSets](), "list many")
	checkFields(t, reflect.TypeFor[Place](), "Path Line")
	checkFields(t, reflect.TypeFor[lengths](), "min max any")
	checkFields(t, reflect.TypeFor[ValueCount](), "Text Count")
	checkFields(t, reflect.TypeFor[field](), "name key level weight wide inFirstRow parent members index element layouts oldest head tail sum inventory")
	checkFields(t, reflect.TypeFor[inventory](), "counts chars values example numbers firsts fractions items missings cells pandasOnly")
	checkFields(t, reflect.TypeFor[extremes](), "min max minT maxT above below lost under over")
	checkFields(t, reflect.TypeFor[texts](), "counts known slots many")
}

func checkFields(t *testing.T, of reflect.Type, want string) {
	t.Helper()
	var names []string
	for i := range of.NumField() {
		names = append(names, of.Field(i).Name)
	}
	if got := strings.Join(names, " "); got != want {
		t.Errorf("%s has the fields\n%s, want\n%s", of, got, want)
	}
}

func FuzzObserverUnmarshal(f *testing.F) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 5 {
		data, err := observeRows(f, randomRows(random), nil).MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, text := range oddRows() {
		data, err := observeRows(f, []sourceRow{{rows.Row{Path: "odd", Line: 1}, text}}, nil).MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var o Observer
		if err := o.UnmarshalBinary(data); err != nil {
			if !errors.Is(err, record.ErrDamaged) {
				t.Errorf("error %v, want ErrDamaged", err)
			}
			return
		}
		var doc tape.Tape
		doc.Parse([]byte(`{"a": [1, {"b": "x"}], "k0": null}`))
		after := NewObserver()
		after.Observe(&rows.Row{Path: "a", Line: 1, Doc: &doc})
		o.Merge(after)
		o.Observe(&rows.Row{Path: "b", Line: 1, Doc: &doc})
		again := written(t, &o)
		features := Config([]*Observer{again})
		again.NumBytes(features)
		Fields([]*Observer{again})
	})
}
