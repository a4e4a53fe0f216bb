package finding_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/finding"
)

// row is a finding about a row of data/train.jsonl.
func row(line int, pointer, message string) finding.Finding {
	return finding.New(finding.JSONDuplicateKey, "%s", message).At("data/train.jsonl", line).In(pointer)
}

func TestSetFoldsEqualFindings(t *testing.T) {
	var s finding.Set
	s.Add(row(2, "/messages/0/role", "twice"))
	s.Add(row(3, "/messages/7/role", "twice"))
	s.Add(row(4, "/messages/7/text", "twice"))
	got := s.All()
	if len(got) != 2 {
		t.Fatalf("%d findings, want 2: the same fault in two array elements is one finding, another field is another: %+v", len(got), got)
	}
	want := []finding.Place{
		{Path: "data/train.jsonl", Line: 2, Pointer: "/messages/0/role"},
		{Path: "data/train.jsonl", Line: 3, Pointer: "/messages/7/role"},
	}
	if diff := cmp.Diff(want, got[0].Places); diff != "" || got[0].Count != 2 {
		t.Errorf("count %d, want 2; places (-want +got):\n%s", got[0].Count, diff)
	}
	if s.Count(finding.Error) != 3 {
		t.Errorf("Count(Error) = %d, want 3: folded findings count one by one", s.Count(finding.Error))
	}
}

func TestSetBoundsPlaces(t *testing.T) {
	s := finding.Set{MaxPlaces: 2}
	for line := 1; line <= 5; line++ {
		s.Add(row(line, "/a", "twice"))
	}
	got := s.All()[0]
	if got.Count != 5 || len(got.Places) != 2 || got.Places[1].Line != 2 {
		t.Errorf("count %d, places %v: want all 5 counted and the first 2 places kept", got.Count, got.Places)
	}
}

// Where a run of rows is cut into parts must not show: merged parts give what one run gives.
func TestSetMergeEqualsOneRun(t *testing.T) {
	all := []finding.Finding{row(1, "/a", "x"), row(2, "/a", "x"), row(3, "/b", "y"), row(4, "/a", "x"), row(5, "/b", "y")}
	for _, limit := range []int{0, 1, 2, 3} {
		one := finding.Set{MaxPlaces: limit}
		for _, f := range all {
			one.Add(f)
		}
		for cut := range len(all) + 1 {
			first, second := finding.Set{MaxPlaces: limit}, finding.Set{MaxPlaces: limit}
			for _, f := range all[:cut] {
				first.Add(f)
			}
			for _, f := range all[cut:] {
				second.Add(f)
			}
			first.Merge(&second)
			if diff := cmp.Diff(one.All(), first.All()); diff != "" {
				t.Errorf("limit %d, cut at %d (-one run +merged):\n%s", limit, cut, diff)
			}
		}
	}
}

func TestSetLabelKeepsNamesThatAreThere(t *testing.T) {
	var s finding.Set
	s.Add(row(1, "/a", "x"))
	s.Add(row(1, "/b", "y").OfSplit("main", "test"))
	s.Label("acme/tea", "default", "train")
	got := s.All()
	if got[0].Split != "train" || got[1].Split != "test" || got[1].Repo != "acme/tea" {
		t.Errorf("got %+v, want the first labelled train and the second still test", got)
	}
}

func TestAllIsWorstFirst(t *testing.T) {
	var s finding.Set
	s.Add(finding.New(finding.JSONCRLF, "w").At("a", 1))
	s.Add(finding.New(finding.JSONSyntax, "late").At("b", 9))
	s.Add(finding.New(finding.JSONSyntax, "early").At("b", 2))
	var got []string
	for _, f := range s.All() {
		got = append(got, f.Message)
	}
	if diff := cmp.Diff([]string{"early", "late", "w"}, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestWhere(t *testing.T) {
	for _, c := range []struct {
		place finding.Place
		want  string
	}{
		{finding.Place{}, ""},
		{finding.Place{Path: "a"}, "a"},
		{finding.Place{Path: "a", Line: 3}, "a:3"},
		{finding.Place{Path: "a", Line: 3, Column: 7, Pointer: "/x"}, "a:3:7 /x"},
		{finding.Place{Pointer: "/x"}, "/x"},
	} {
		if got := c.place.Where(); got != c.want {
			t.Errorf("Where(%+v) = %q, want %q", c.place, got, c.want)
		}
	}
}

// A file in which every row is wrong in its own words must not fill the memory, and the outcome must not depend on
// where the rows were cut.
func TestSetBoundsMessages(t *testing.T) {
	const rows = 1000
	var all []finding.Finding
	for line := 1; line <= rows; line++ {
		all = append(all, row(line, "/a", fmt.Sprintf("%d is wrong", line%400)))
	}
	one := finding.Set{MaxPlaces: 3}
	for _, f := range all {
		one.Add(f)
	}
	got := one.All()
	if len(got) != 1 || got[0].Count != rows || got[0].Line != 1 || len(got[0].Places) != 3 {
		t.Fatalf("%d findings, first %+v: want one that counts all %d rows and keeps the first 3 places", len(got), got[0], rows)
	}
	if want := "1 is wrong (and others like it)"; got[0].Message != want {
		t.Errorf("message %q, want %q", got[0].Message, want)
	}
	for _, cut := range []int{1, 50, 99, 150, 500, 999} {
		first, second := finding.Set{MaxPlaces: 3}, finding.Set{MaxPlaces: 3}
		for _, f := range all[:cut] {
			first.Add(f)
		}
		for _, f := range all[cut:] {
			second.Add(f)
		}
		second.Label("", "default", "")
		first.Label("", "default", "")
		first.Merge(&second)
		whole := finding.Set{MaxPlaces: 3}
		whole.Merge(&one)
		whole.Label("", "default", "")
		if diff := cmp.Diff(whole.All(), first.All()); diff != "" {
			t.Errorf("cut at %d (-one run +merged):\n%s", cut, diff)
		}
	}
}

// The first places are kept in the order in which they were found, also where many messages about one row become one.
func TestSetKeepsTheFirstPlacesOfManyMessages(t *testing.T) {
	var all []finding.Finding
	for line := 1; line <= 5; line++ {
		for element := range 60 {
			pointer, message := fmt.Sprintf("/a/%d", element), fmt.Sprintf("%d of line %d", element, line)
			if element == 7 {
				message = "again"
			}
			all = append(all, row(line, pointer, message))
		}
	}
	for _, limit := range []int{1, 3, 70, 100, 1000} {
		one := finding.Set{MaxPlaces: limit}
		for _, f := range all {
			one.Add(f)
		}
		got := one.All()
		if len(got) != 1 || got[0].Count != len(all) || got[0].Message != "0 of line 1 (and others like it)" {
			t.Fatalf("%d findings, first %.200v, want one for all", len(got), got[0])
		}
		for _, place := range got[0].Places {
			if !slices.ContainsFunc(all[:min(limit, len(all))], func(f finding.Finding) bool { return f.Place == place }) {
				t.Fatalf("limit %d: the place %v is not one of the first", limit, place)
			}
		}
		if want := min(limit, len(all)); limit <= 100 && len(got[0].Places) != want {
			t.Errorf("limit %d: %d places", limit, len(got[0].Places))
		}
		for cut := range len(all) + 1 {
			parts := [3]finding.Set{{MaxPlaces: limit}, {MaxPlaces: limit}, {MaxPlaces: limit}}
			for i, f := range all {
				switch {
				case i < cut/2:
					parts[0].Add(f)
				case i < cut:
					parts[1].Add(f)
				default:
					parts[2].Add(f)
				}
			}
			parts[1].Merge(&parts[2])
			parts[0].Merge(&parts[1])
			if diff := cmp.Diff(got, parts[0].All()); diff != "" {
				t.Fatalf("limit %d, cut at %d and %d (-one run +merged):\n%s", limit, cut/2, cut, diff)
			}
		}
	}
}

func TestSetWithoutLimitKeepsEveryMessage(t *testing.T) {
	var s finding.Set
	for line := 1; line <= 500; line++ {
		s.Add(row(line, "/a", fmt.Sprintf("%d is wrong", line)))
	}
	if s.Len() != 500 {
		t.Errorf("%d findings, want 500: without MaxPlaces nothing is merged", s.Len())
	}
}
