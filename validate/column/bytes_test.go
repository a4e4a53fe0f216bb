package column

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// hundred repeats a row 100 times, with other rows in the place of the first ones.
func hundred(row string, other ...string) []string {
	return append(other, slices.Repeat([]string{row}, 100-len(other))...)
}

func TestNumBytes(t *testing.T) {
	tests := map[string]struct {
		rows []string
		want int64
	}{
		"int64":                                     {hundred(`{"a": 1}`), 800},
		"int64 with a null":                         {hundred(`{"a": 1}`, `{"a": null}`), 813},
		"int64 missing once":                        {hundred(`{"a": 1}`, `{}`), 813},
		"float64":                                   {hundred(`{"a": 1.5}`), 800},
		"timestamp":                                 {hundred(`{"a": "2024-01-02"}`), 800},
		"bool":                                      {hundred(`{"a": true}`), 13},
		"bool with a null":                          {hundred(`{"a": true}`, `{"a": null}`), 26},
		"null":                                      {hundred(`{"a": null}`), 0},
		"texts of three bytes":                      {hundred(`{"a": "abc"}`), 700},
		"texts in UTF-8":                            {hundred(`{"a": "日"}`), 700},
		"escapes count as what they mean":           {hundred(`{"a": "\u65e5"}`), 700},
		"texts with a null":                         {hundred(`{"a": "abc"}`, `{"a": null}`), 710},
		"lists of two integers":                     {hundred(`{"a": [1, 2]}`), 2000},
		"lists of two integers, one list null":      {hundred(`{"a": [1, 2]}`, `{"a": null}`), 1997},
		"lists with a null":                         {hundred(`{"a": [1, null]}`), 2025},
		"empty lists":                               {hundred(`{"a": []}`), 400},
		"lists of lists":                            {hundred(`{"a": [[1], [2, 3]]}`), 400 + 2*400 + 3*800},
		"structs":                                   {hundred(`{"a": {"x": 1, "y": "ab"}}`), 800 + 600},
		"a null struct makes its fields null":       {hundred(`{"a": {"x": 1, "y": true}}`, `{"a": null}`), 800 + 13 + 13 + 13},
		"lists of structs":                          {hundred(`{"a": [{"x": 1}, {"x": null}]}`), 400 + 1600 + 25},
		"Json for several kinds":                    {[]string{`{"a": "x"}`, `{"a": 1}`}, 12},
		"Json keeps a text that is JSON":            {[]string{`{"a": "12"}`, `{"a": 1}`, `{"a": "true"}`, `{"a": "01"}`, `{"a": "x"}`}, 32},
		"Json for objects of different keys":        {[]string{`{"a": {"x": 1}}`, `{"a": {"y": 2}}`}, 22},
		"Json is ASCII, a slash is escaped":         {[]string{`{"a": {"é": "日/🦉"}}`, `{"a": {}}`}, 8 + int64(len(`{"\u00e9":"\u65e5\/\ud83e\udd89"}{}`))},
		"Json has ten decimals":                     {[]string{`{"a": [0.12345678901234567, 1.50, -2.0, 1e20]}`, `{"a": 1}`}, 8 + int64(len(`[0.123456789,1.5,-2.0,1e+20]1`))},
		"Json has a validity bit":                   {[]string{`{"a": 1}`, `{"a": null}`, `{"a": "x"}`}, 12 + 4 + 1},
		"lists of Json":                             {[]string{`{"a": [1, "x"]}`, `{"a": null}`, `{}`}, 25},
		"a Json field of a struct that may be null": {[]string{`{"a": {"k": {"x": 1}}}`, `{"a": {"k": {"y": 1}}}`, `{"a": null}`}, 27},
		"a field that is not in the first rows":     {hundred(`{"a": 1, "b": 2}`, `{"a": 1}`), 800 + 813},
		"no rows":                                   {nil, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o := observe(t, test.rows...)
			features := Config([]*Observer{o})
			if got, ok := o.NumBytes(features); got != test.want || !ok {
				t.Errorf("got %d, %v, want %d for %s", got, ok, test.want, asJSON(t, features))
			}
		})
	}
}

func TestNumBytesOfDeclaredFeatures(t *testing.T) {
	rows := hundred(`{"a": 1, "b": "abc", "c": [1], "d": {"x": 1}}`)
	label := Type{ClassLabel: []string{"x"}}
	tests := map[string]struct {
		features Features
		want     int64
	}{
		"int32":                           {Features{{"a", scalar("int32")}}, 400},
		"bool from integers":              {Features{{"a", scalar("bool")}}, 13},
		"text from integers":              {Features{{"a", scalar("string")}}, 500},
		"text from lists":                 {Features{{"c", listOf(scalar("string"))}}, 400 + 500},
		"class label":                     {Features{{"b", label}}, 800},
		"large_string":                    {Features{{"b", scalar("large_string")}}, 1100},
		"large_list":                      {Features{{"c", Type{List: &Type{Dtype: "int64"}, Large: true}}}, 1600},
		"json":                            {Features{{"d", scalar("json")}}, 1100},
		"a column that is not there":      {Features{{"z", scalar("int64")}}, 813},
		"a list that is not there":        {Features{{"z", listOf(scalar("int64"))}}, 413},
		"a struct that is not there":      {Features{{"z", structOf(Feature{"y", scalar("int64")})}}, 800},
		"a field that the struct lacks":   {Features{{"d", structOf(Feature{"x", scalar("int64")}, Feature{"y", scalar("int64")})}}, 1613},
		"timestamp of another unit":       {Features{{"a", scalar("timestamp[us, tz=UTC]")}}, 800},
		"decimal":                         {Features{{"a", scalar("decimal128(10, 2)")}}, 1600},
		"json in place of lists and text": {Features{{"b", scalar("json")}, {"c", scalar("json")}}, 900 + 700},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got, ok := observe(t, rows...).NumBytes(test.features); got != test.want || !ok {
				t.Errorf("got %d, %v, want %d", got, ok, test.want)
			}
		})
	}
}

func TestNumBytesOfFixedListsAndPaths(t *testing.T) {
	rows := []string{`{"pair": [1, 2], "picture": "x.png"}`, `{"pair": [3, 4], "picture": null}`}
	pair := Features{{"pair", Type{List: &Type{Dtype: "int64"}, Length: 2}}}
	if got, ok := observe(t, rows...).NumBytes(pair); got != 4*8 || !ok {
		t.Errorf("two lists of two numbers and no offsets: got %d, %v, want 32", got, ok)
	}
	// Each picture is an object of bytes, which are null, and a path: a bit and an offset for each of the two.
	picture := Features{{"picture", scalar("image")}}
	if got, ok := observe(t, rows...).NumBytes(picture); got != (1+8)+(1+8+5) || !ok {
		t.Errorf("one path and one null: got %d, %v, want 23", got, ok)
	}
}

func TestNumBytesIsNotGuessed(t *testing.T) {
	tests := map[string]struct {
		row      string
		features Features
	}{
		"floats of very many digits":   {`{"a": 0.12345678901234567}`, Features{{"a", scalar("string")}}},
		"objects written as text":      {`{"a": {"x": 1}}`, Features{{"a", scalar("string")}}},
		"lists of another length":      {`{"a": [1]}`, Features{{"a", Type{List: &Type{Dtype: "int64"}, Length: 2}}}},
		"lists of something else":      {`{"a": 1}`, Features{{"a", listOf(scalar("int64"))}}},
		"images that are objects":      {`{"a": {"path": "x"}}`, Features{{"a", scalar("image")}}},
		"arrays":                       {`{"a": [[1]]}`, Features{{"a", Type{Dtype: "array2_d", Params: "{}"}}}},
		"a number that pandas refuses": {`{"a": {"x": 18446744073709551616}}`, Features{{"a", scalar("json")}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got, ok := observe(t, test.row).NumBytes(test.features); ok {
				t.Errorf("got %d, which is a guess", got)
			}
		})
	}
}

func TestNumBytesOfSeveralTables(t *testing.T) {
	type file struct{ path, text string }
	lines := func(row string, n int) string { return strings.Repeat(row+"\n", n) }
	tests := map[string]struct {
		files []file
		want  int64
	}{
		"validity only where a table has a null": {
			[]file{{"a", lines(`{"x": 1}`, 100)}, {"b", lines(`{"x": null}`, 10) + lines(`{"x": 1}`, 10)}}, 800 + 160 + 3,
		},
		"bits are rounded up for each table":              {[]file{{"a", lines(`{"x": true}`, 9)}, {"b", lines(`{"x": true}`, 9)}}, 4},
		"a file that is in the split twice is two tables": {[]file{{"a", lines(`{"x": true}`, 9)}, {"a", lines(`{"x": true}`, 9)}}, 4},
		"a column that a file lacks is null in it": {
			[]file{{"a", lines(`{"x": 1, "y": 1}`, 9)}, {"b", lines(`{"x": 1}`, 9)}}, 2*9*16 + 2,
		},
		"a column that the first file lacks": {
			[]file{{"a", lines(`{"x": 1}`, 9)}, {"b", lines(`{"x": 1, "y": 1}`, 9)}}, 2*9*16 + 2,
		},
		"fields of a struct that a file lacks are not null": {
			[]file{{"a", lines(`{"x": 1, "y": {"z": 1}}`, 9)}, {"b", lines(`{"x": 1}`, 9)}}, 2 * 9 * 16,
		},
		"tables of one row are put together": {
			[]file{{"a", `{"x": true}`}, {"b", `{"x": null}`}, {"c", lines(`{"x": true}`, 2)}, {"d", `{"x": true}`}}, 1 + 1 + 1,
		},
		"a text column writes a table of dates in its own form": {
			[]file{{"a", lines(`{"x": "tea"}`, 2)}, {"b", lines(`{"x": "2024-01-02"}`, 2)}}, 2*(4+3) + 2*(4+19),
		},
		"a text column writes a table of numbers as Arrow casts them": {
			[]file{{"a", `{"x": "tea"}`}, {"b", "{\"x\": 1.0}\n{\"x\": 12}\n{\"x\": 1e20}"}, {"c", "{\"x\": 12}"}, {"d", "{\"x\": true}"}},
			4 + 3 + 12 + int64(len("1"+"12"+"1e+20")) + 4 + 2 + 4 + 4,
		},
		"a text column gains quotes from the first mixed table on": {
			[]file{{"a", lines(`{"x": "tea"}`, 2)}, {"b", "{\"x\": \"tea\"}\n{\"x\": 1}\n"}, {"c", lines(`{"x": "tea"}`, 2)}},
			2*(4+3) + 4 + 5 + 4 + 1 + 2*(4+5),
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			whole, merged := NewObserver(), NewObserver()
			for _, f := range test.files {
				observeFile(t, whole, f.path, f.text)
				merged.Merge(observeFile(t, NewObserver(), f.path, f.text))
			}
			for how, o := range map[string]*Observer{"one observer": whole, "one for each file": merged} {
				features := Config([]*Observer{o})
				if got, ok := o.NumBytes(features); got != test.want || !ok {
					t.Errorf("%s: got %d, %v, want %d for %s", how, got, ok, test.want, asJSON(t, features))
				}
			}
		})
	}
}

func TestNumBytesOfABigFileCountsTheLoadersBatches(t *testing.T) {
	// 11,000 rows of 1,019 bytes: the first batch ends with the row that passes 10 MiB, number 10,291.
	pad := strings.Repeat("x", 1000)
	row := fmt.Sprintf(`{"a": 1, "pad": %q}`+"\n", pad)
	first := 10<<20/len(row) + 1
	text := strings.Repeat(row, 10_999) + strings.Replace(row, "1", "null", 1)
	o := observeFile(t, NewObserver(), "train.jsonl", text)
	want := int64(11_000*8+11_000*1004) + int64((11_000-first+7)/8)
	if got, ok := o.NumBytes(Config([]*Observer{o})); got != want || !ok {
		t.Errorf("got %d, %v, want %d: the null is in the second batch of %d rows", got, ok, want, 11_000-first)
	}
}

func TestNumBytesOfCells(t *testing.T) {
	tests := map[string]struct {
		text string
		want int64
	}{
		"all kinds":                       {"a,b,c,d\n1,x,2024-01-01,True\n2,,2024-01-02,False\n", 55},
		"integers with a missing one":     {"a,b\n1,1\n,2\n", 33},
		"nothing but missing ones":        {"a\nNA\nnull\n", 17},
		"cells of a text column as are":   {"a\n007\nx\n", 8 + 4},
		"zeros before integers are lost":  {"a\n007\n008\n", 16},
		"a chunk of numbers behind texts": {"a\nx\n" + strings.Repeat("y\n", 9999) + "1.50\n-2\ninf\n", 4*10_003 + 10_000 + int64(len("1.5"+"-2"+"inf"))},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o := NewObserver()
			if !csvRows("train.csv", test.text, ',', o.Observe) {
				t.Fatal("the test's own CSV cannot be read")
			}
			if got, ok := o.NumBytes(Config([]*Observer{o})); got != test.want || !ok {
				t.Errorf("got %d, %v, want %d", got, ok, test.want)
			}
		})
	}
}

func TestNumBytesOfGSM8K(t *testing.T) {
	dir := shared(t, "data", "gsm8k")
	for name, want := range map[string]int64{"train.jsonl": 3963202, "test.jsonl": 713732, "test_socratic.jsonl": 936859} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		o := NewObserver()
		if !jsonLines(name, text, o.Observe) {
			t.Fatalf("%s is not JSON Lines", name)
		}
		features := Config([]*Observer{o})
		if got := asJSON(t, features); got != `[{"name":"question","dtype":"string"},{"name":"answer","dtype":"string"}]` {
			t.Errorf("%s has features %s, want two texts", name, got)
		}
		if got, ok := o.NumBytes(features); got != want || !ok {
			t.Errorf("%s has num_bytes %d, %v, its published card says %d", name, got, ok, want)
		}
	}
}

// A struct with json inside that a file lacks is filled in as null before Arrow sees the rows, so that its fields are null too; any
// other struct is filled in behind it, with fields that are empty.
func TestNumBytesOfAbsentStructs(t *testing.T) {
	const rest = "{\"d\": 1}\n{\"d\": 2}\n"
	for _, c := range []struct {
		name, first string
		want        int64
	}{
		{"texts inside", "{\"c\": {\"k\": \"x\"}, \"d\": 1}\n{\"c\": {\"k\": \"y\"}, \"d\": 2}\n", (8 + 2 + 16) + (8 + 16)},
		{"json inside", "{\"c\": {\"k\": \"x\"}, \"d\": 1}\n{\"c\": {\"k\": 7}, \"d\": 2}\n", (8 + 4 + 16) + (1 + 8 + 16)},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := NewObserver()
			if !jsonLines("a.jsonl", []byte(c.first), o.Observe) || !jsonLines("b.jsonl", []byte(rest), o.Observe) {
				t.Fatal("the test's own rows cannot be read")
			}
			features := Config([]*Observer{o})
			if size, ok := o.NumBytes(features); !ok || size != c.want {
				t.Errorf("num_bytes %d, known %t; want %d", size, ok, c.want)
			}
		})
	}
}
