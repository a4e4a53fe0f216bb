package column

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

func TestExample(t *testing.T) {
	long := strings.Repeat("é", 200)
	for name, tt := range map[string]struct{ row, want string }{
		"small":        {`{"a":1,"b":[],"c":{},"d":null}`, "{\n  \"a\": 1,\n  \"b\": [],\n  \"c\": {},\n  \"d\": null\n}"},
		"long text":    {`{"a":"` + long + `"}`, "{\n  \"a\": \"" + strings.Repeat("é", 159) + "…\"\n}"},
		"long number":  {`{"a":` + strings.Repeat("1", 200) + `}`, "{\n  \"a\": \"" + strings.Repeat("1", 159) + "…\"\n}"},
		"long array":   {`{"a":[1,2,3,4,5]}`, "{\n  \"a\": [\n    1,\n    2,\n    3,\n    \"… 2 more\"\n  ]\n}"},
		"escapes":      {`{"a\n":"x\u0041\"<` + "`" + `"}`, "{\n  \"a\\n\": \"xA\\\"<`\"\n}"},
		"deeply":       {`{"a":{"b":{"c":{"d":{"e":{"f":{"g":1}}}}}}}`, ""},
		"many members": {manyMembers(100), ""},
		"all long":     {`{"x":[` + strings.Repeat(`{"a":"`+long+`","b":"`+long+`"},`, 100) + `1],"y":"` + long + `","z":1}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var doc tape.Tape
			if problems := doc.Parse([]byte(tt.row)); problems != nil {
				t.Fatal(problems)
			}
			got := exampleOf(doc.Root())
			if tt.want != "" && got != tt.want {
				t.Errorf("(-want +got):\n%s", cmp.Diff(tt.want, got))
			}
			if !json.Valid([]byte(got)) || len(got) > 2*exampleBytes {
				t.Errorf("%d bytes, want at most %d of JSON:\n%s", len(got), 2*exampleBytes, got)
			}
		})
	}
}

func manyMembers(n int) string {
	var members []string
	for i := range n {
		members = append(members, fmt.Sprintf(`"m%d":%d`, i, i))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// The example is the first row, wherever runs are cut, and goes with what another process merges.
func TestExampleIsTheFirstRow(t *testing.T) {
	see := func(o *Observer, index int64, text string) {
		var doc tape.Tape
		doc.Parse([]byte(text))
		o.Observe(&rows.Row{Path: "x.jsonl", Line: int(index) + 1, Index: index, Doc: &doc})
	}
	first, second := NewObserver(), NewObserver()
	see(first, 0, `{"a":1}`)
	see(first, 1, `{"a":2}`)
	see(second, 2, `{"a":3}`)
	whole := NewObserver()
	whole.Merge(first)
	whole.Merge(second)
	data, err := whole.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	again := NewObserver()
	if err := again.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if want := "{\n  \"a\": 1\n}"; whole.Example() != want || again.Example() != want {
		t.Errorf("examples %q and %q, want %q", whole.Example(), again.Example(), want)
	}
}
