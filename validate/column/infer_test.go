package column

import (
	"slices"
	"strings"
	"testing"
)

func TestFeaturesInferredFromJSON(t *testing.T) {
	tests := map[string]struct {
		rows []string
		want string
	}{
		"integers":                           {[]string{`{"a": 1}`, `{"a": -9223372036854775808}`}, `"dtype":"int64"`},
		"integers and floats":                {[]string{`{"a": 1}`, `{"a": 1.5}`}, `"dtype":"float64"`},
		"a whole number with a point":        {[]string{`{"a": 1}`, `{"a": 1.0}`}, `"dtype":"float64"`},
		"an exponent":                        {[]string{`{"a": 1e3}`}, `"dtype":"float64"`},
		"an integer outside int64":           {[]string{`{"a": 1}`, `{"a": 9223372036854775808}`}, `"dtype":"float64"`},
		"booleans":                           {[]string{`{"a": true}`, `{"a": null}`, `{"a": false}`}, `"dtype":"bool"`},
		"texts":                              {[]string{`{"a": "x"}`, `{"a": ""}`}, `"dtype":"string"`},
		"timestamps":                         {[]string{`{"a": "2024-01-02"}`, `{"a": null}`, `{"a": "2024-01-02T03:04:05Z"}`}, `"dtype":"timestamp[s]"`},
		"timestamps and a text":              {[]string{`{"a": "2024-01-02"}`, `{"a": "unknown"}`}, `"dtype":"string"`},
		"timestamps with a fraction":         {[]string{`{"a": "2024-01-02T03:04:05.5"}`}, `"dtype":"string"`},
		"timestamps in lists":                {[]string{`{"a": ["2024-01-02"]}`}, `"list":"timestamp[s]"`},
		"timestamps in structs":              {[]string{`{"a": {"b": "2024-01-02"}}`}, `"struct":[{"name":"b","dtype":"timestamp[s]"}]`},
		"digits are text":                    {[]string{`{"a": "12"}`, `{"a": "007"}`}, `"dtype":"string"`},
		"nulls":                              {[]string{`{"a": null}`}, `"dtype":"null"`},
		"null, then something":               {[]string{`{"a": null}`, `{"a": 1}`}, `"dtype":"int64"`},
		"empty lists":                        {[]string{`{"a": []}`}, `"list":"null"`},
		"lists":                              {[]string{`{"a": []}`, `{"a": [1, 2.5]}`}, `"list":"float64"`},
		"lists of lists":                     {[]string{`{"a": [[1], [], [2, 3]]}`}, `"list":{"list":"int64"}`},
		"structs in any key order":           {[]string{`{"a": {"x": 1, "y": "p"}}`, `{"a": {"y": "q", "x": 2}}`}, `"struct":[{"name":"x","dtype":"int64"},{"name":"y","dtype":"string"}]`},
		"null counts as a key":               {[]string{`{"a": {"x": 1, "y": null}}`, `{"a": {"x": 1, "y": 2}}`}, `"struct":[{"name":"x","dtype":"int64"},{"name":"y","dtype":"int64"}]`},
		"a null struct":                      {[]string{`{"a": null}`, `{"a": {"x": 1}}`}, `"struct":[{"name":"x","dtype":"int64"}]`},
		"lists of structs":                   {[]string{`{"a": [{"x": 1}, {"x": 2}]}`, `{"a": []}`}, `"list":[{"name":"x","dtype":"int64"}]`},
		"text and number":                    {[]string{`{"a": "x"}`, `{"a": 1}`}, `"dtype":"json"`},
		"number and boolean":                 {[]string{`{"a": 1}`, `{"a": true}`}, `"dtype":"json"`},
		"object and list":                    {[]string{`{"a": {}}`, `{"a": []}`}, `"dtype":"json"`},
		"list and text":                      {[]string{`{"a": ["x"]}`, `{"a": "x"}`}, `"dtype":"json"`},
		"mixed elements":                     {[]string{`{"a": [1, "x"]}`}, `"list":"json"`},
		"mixed elements of different rows":   {[]string{`{"a": [1]}`, `{"a": ["x"]}`}, `"list":"json"`},
		"objects of different keys":          {[]string{`{"a": {"x": 1}}`, `{"a": {"y": 2}}`}, `"dtype":"json"`},
		"objects with a key that may lack":   {[]string{`{"a": {"x": 1, "y": 2}}`, `{"a": {"x": 1}}`}, `"dtype":"json"`},
		"empty objects":                      {[]string{`{"a": {}}`}, `"dtype":"json"`},
		"elements of different keys":         {[]string{`{"a": [{"x": 1}]}`, `{"a": [{"x": 1, "y": 2}]}`}, `"list":"json"`},
		"only the inner objects differ":      {[]string{`{"a": {"b": {"x": 1}}}`, `{"a": {"b": {"y": 1}}}`}, `"struct":[{"name":"b","dtype":"json"}]`},
		"an inner field of mixed kinds":      {[]string{`{"a": {"b": 1}}`, `{"a": {"b": "x"}}`}, `"struct":[{"name":"b","dtype":"json"}]`},
		"a number pandas refuses, elsewhere": {[]string{`{"a": {"x": 1}}`, `{"a": {"y": 18446744073709551616}}`}, `"struct":[{"name":"x","dtype":"int64"},{"name":"y","dtype":"float64"}]`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := asJSON(t, Config([]*Observer{observe(t, test.rows...)}))
			if want := `[{"name":"a",` + test.want + `}]`; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestColumnsStandInOrderOfFirstAppearance(t *testing.T) {
	tests := map[string]struct {
		rows []string
		want string
	}{
		"new columns come last": {[]string{`{"b": 1}`, `{"a": 1, "b": 1, "c": 1}`}, "b a c"},
		"Json columns stand in every row": {
			[]string{`{"b": 1}`, `{"a": 1, "j": "x"}`, `{"j": 1}`}, "b j a",
		},
		"so do lists of Json": {
			[]string{`{"b": 1}`, `{"a": 1, "j": ["x", 1]}`}, "b j a",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var names []string
			for _, f := range Config([]*Observer{observe(t, test.rows...)}) {
				names = append(names, f.Name)
			}
			if got := strings.Join(names, " "); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestConfigOverFilesAndSplits(t *testing.T) {
	type split []string // one text for each file
	tests := map[string]struct {
		splits []split
		want   string
	}{
		// The loader takes these, with the types of the first batch.
		"whole floats after integers":          {[]split{{`{"a": 1}`, `{"a": 2.0}`}}, `"dtype":"int64"`},
		"integers after floats":                {[]split{{`{"a": 1.5}`}, {`{"a": 2}`}}, `"dtype":"float64"`},
		"booleans after integers":              {[]split{{`{"a": 1}`}, {`{"a": true}`}}, `"dtype":"int64"`},
		"integers after booleans":              {[]split{{`{"a": true}`}, {`{"a": 2}`}}, `"dtype":"bool"`},
		"numbers after texts":                  {[]split{{`{"a": "x"}`}, {`{"a": 2}`}}, `"dtype":"string"`},
		"mixed kinds after texts":              {[]split{{`{"a": "x"}`}, {"{\"a\": \"x\"}\n{\"a\": {\"k\": 1}}"}}, `"dtype":"string"`},
		"digits after integers":                {[]split{{`{"a": 1}`}, {`{"a": "7"}`}}, `"dtype":"int64"`},
		"dates after texts":                    {[]split{{`{"a": "x"}`}, {`{"a": "2024-01-02"}`}}, `"dtype":"string"`},
		"dates after integers":                 {[]split{{`{"a": 1}`, `{"a": "2024-01-02"}`}}, `"dtype":"int64"`},
		"a key of a struct is missing":         {[]split{{`{"a": {"x": 1, "y": 2}}`}, {`{"a": {"x": 1}}`}}, `"struct":[{"name":"x","dtype":"int64"},{"name":"y","dtype":"int64"}]`},
		"anything after Json":                  {[]split{{"{\"a\": {}}"}, {`{"a": [1]}`}}, `"dtype":"json"`},
		"a column is missing":                  {[]split{{`{"a": 1}`}, {`{}`}}, `"dtype":"int64"`},
		"objects that differ in another split": {[]split{{`{"a": {"x": 1, "y": 2}}`}, {"{\"a\": {\"x\": 1}}\n{\"a\": {\"y\": 1}}"}}, `"struct":[{"name":"x","dtype":"int64"},{"name":"y","dtype":"int64"}]`},
		// These fail, so the types that hold for all data are given.
		"a fraction after integers":   {[]split{{`{"a": 1}`}, {`{"a": 2.5}`}}, `"dtype":"float64"`},
		"texts after numbers":         {[]split{{`{"a": 1}`}, {`{"a": "x"}`}}, `"dtype":"json"`},
		"a text after dates":          {[]split{{`{"a": "2024-01-02"}`}, {`{"a": "unknown"}`}}, `"dtype":"string"`},
		"something after nulls":       {[]split{{`{"a": null}`, `{"a": "x"}`}}, `"dtype":"string"`},
		"something after empty lists": {[]split{{`{"a": []}`, `{"a": ["x"]}`}}, `"list":"string"`},
		"a new key of a struct":       {[]split{{`{"a": {"x": 1}}`}, {`{"a": {"x": 1, "y": 2}}`}}, `"struct":[{"name":"x","dtype":"int64"},{"name":"y","dtype":"int64"}]`},
		"fractions in lists":          {[]split{{`{"a": [1]}`}, {`{"a": [1.5]}`}}, `"list":"float64"`},
		"a list after a text":         {[]split{{`{"a": "x"}`}, {`{"a": [1]}`}}, `"dtype":"json"`},
		"a split without rows first":  {[]split{{``}, {`{"a": 1}`}}, `"dtype":"int64"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var splits []*Observer
			for i, files := range test.splits {
				o := NewObserver()
				for j, text := range files {
					observeFile(t, o, string(rune('a'+i))+string(rune('0'+j)), text)
				}
				splits = append(splits, o)
			}
			if got, want := asJSON(t, Config(splits)), `[{"name":"a",`+test.want+`}]`; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
	if got := asJSON(t, Config([]*Observer{observe(t, `{"a": 1}`), observe(t, `{"a": 1, "b": true}`)})); got != `[{"name":"a","dtype":"int64"},{"name":"b","dtype":"bool"}]` {
		t.Errorf("a new column in another split: got %s", got)
	}
	if got := Config(nil); got != nil {
		t.Errorf("no splits have features %v", got)
	}
}

func TestFirstBatchIsWhatTheLoaderDemands(t *testing.T) {
	o := NewObserver()
	observeFile(t, o, "a", `{"a": null, "b": 1}`)
	observeFile(t, o, "b", `{"a": "x", "b": 1.5, "c": true}`)
	if got := asJSON(t, o.FirstBatch()); got != `[{"name":"a","dtype":"null"},{"name":"b","dtype":"int64"}]` {
		t.Errorf("the first file shows %s", got)
	}
}

func TestFeaturesInferredFromCells(t *testing.T) {
	tests := map[string]struct {
		cells []string
		want  string
	}{
		"integers":                    {[]string{"1", "-2", "007", " 3", "+4"}, "int64"},
		"integers and a missing one":  {[]string{"1", ""}, "float64"},
		"integers and floats":         {[]string{"1", "2.5"}, "float64"},
		"forms of floats":             {[]string{"1.", ".5", "1e5", "-1.5E-3", "inf", "-Infinity"}, "float64"},
		"missing ones only":           {[]string{"NA", "", "null", "None", "nan", "#N/A"}, "float64"},
		"truth values":                {[]string{"True", "FALSE", "true"}, "bool"},
		"truth values, one missing":   {[]string{"True", ""}, "bool"},
		"truth values and numbers":    {[]string{"True", "1"}, "string"},
		"texts":                       {[]string{"x", "", "1"}, "string"},
		"dates stay texts":            {[]string{"2024-01-02"}, "string"},
		"integers beyond int64":       {[]string{"1", "18446744073709551615"}, "uint64"},
		"those beside a negative one": {[]string{"-1", "18446744073709551615"}, "string"},
		"integers beyond uint64":      {[]string{"18446744073709551616"}, "string"},
		"nothing like a number":       {[]string{"1,000", "0x1f"}, "string"},
		"yes and no are texts":        {[]string{"yes", "no"}, "string"},
		"a lone sign":                 {[]string{"-"}, "string"},
		"blanks":                      {[]string{" "}, "string"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o := NewObserver()
			if !csvRows("train.csv", "pad,a\nx,\""+strings.Join(test.cells, "\"\nx,\"")+"\"\n", ',', o.Observe) {
				t.Fatal("the test's own CSV cannot be read")
			}
			if got := Config([]*Observer{o})[1].Type.Dtype; got != test.want {
				t.Errorf("%q make %s, want %s", test.cells, got, test.want)
			}
		})
	}
}

func TestCellsAreTypedChunkByChunk(t *testing.T) {
	column := func(cells ...string) string { return "a\n" + strings.Join(cells, "\n") + "\n" }
	ints := slices.Repeat([]string{"1"}, 10_000)
	tests := map[string]struct {
		text string
		want string
	}{
		"a missing value in the second chunk": {column(append(ints[:10_000:10_000], "2", "NA")...), "int64"},
		"a fraction in the second chunk":      {column(append(ints[:10_000:10_000], "1.5")...), "float64"},
		"a text in the second chunk":          {column(append(ints[:10_000:10_000], "x")...), "string"},
		"a fraction in the first chunk":       {column(append(ints[:9_999:9_999], "1.5", "2")...), "float64"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o := NewObserver()
			if !csvRows("train.csv", test.text, ',', o.Observe) {
				t.Fatal("the test's own CSV cannot be read")
			}
			if got := Config([]*Observer{o})[0].Type.Dtype; got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}
