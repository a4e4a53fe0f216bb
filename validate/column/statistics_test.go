package column

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestStatistics(t *testing.T) {
	o := observe(t,
		`{"z": 1, "flag": true, "f": 0.5, "when": "2024-01-01", "tags": ["x"], "kind": "x", "j": 1, "s": {"x": 1}, "n": null, "year": "2024"}`,
		`{"z": 2, "flag": null, "f": null, "when": "2024-01-02", "tags": [], "kind": "y", "j": "x", "s": {"x": 1}, "n": null, "year": "2025"}`,
		`{"z": 3, "flag": false, "when": null, "tags": null, "kind": "x", "j": [], "s": null, "n": null, "year": "2025"}`,
	)
	want := `[{"column_name":"f","column_type":"float","column_statistics":{"nan_count":2,"nan_proportion":0.66667}},` +
		`{"column_name":"flag","column_type":"bool","column_statistics":{"nan_count":1,"nan_proportion":0.33333}},` +
		`{"column_name":"kind","column_type":"string_label","column_statistics":{"nan_count":0,"nan_proportion":0}},` +
		`{"column_name":"tags","column_type":"list","column_statistics":{"nan_count":1,"nan_proportion":0.33333}},` +
		`{"column_name":"when","column_type":"datetime","column_statistics":{"nan_count":1,"nan_proportion":0.33333}},` +
		`{"column_name":"z","column_type":"int","column_statistics":{"nan_count":0,"nan_proportion":0}}]`
	if got := asJSON(t, o.Statistics(Config([]*Observer{o}))); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestKindsOfTextColumns(t *testing.T) {
	column := func(n, distinct int, format string) []string {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprintf(`{"a": "`+format+`"}`, i%distinct))
		}
		return out
	}
	tests := map[string]struct {
		rows []string
		want string
	}{
		"ten distinct texts":            {column(10, 10, "v%d"), columnLabel},
		"eleven of eleven":              {column(11, 11, "v%d"), columnText},
		"eleven of fifty-five":          {column(55, 11, "v%d"), columnLabel},
		"ten and null":                  {append(column(10, 10, "v%d"), `{"a": null}`), columnText},
		"nothing but null":              {[]string{`{"a": null}`}, columnLabel},
		"thirty of thirty":              {column(30, 30, "v%d"), columnText},
		"many among many rows":          {column(300, 30, "v%d"), ""},
		"could be dates":                {column(5, 5, "1%d/02/2024"), ""},
		"could be dates, in words":      {column(5, 5, "May %d, 2024"), ""},
		"letters that no date has":      {column(5, 5, "%dx"), columnLabel},
		"many texts that could be date": {column(30, 30, "%d"), ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := ""
			for _, s := range observe(t, test.rows...).Statistics(Features{{"a", scalar("string")}}) {
				got = s.Type
			}
			if got != test.want {
				t.Errorf("got kind %q, want %q", got, test.want)
			}
		})
	}
}

func TestKindsFollowTheFeatures(t *testing.T) {
	o := observe(t, `{"a": 1, "b": [[1]], "c": "x"}`)
	features := Features{
		{"a", Type{ClassLabel: []string{"x", "y"}}},
		{"b", listOf(Type{Dtype: "array2_d", Params: "{}"})},
		{"c", scalar("date32")},
		{"d", scalar("int8")},
		{"e", Type{List: &Type{Dtype: "int64"}, Length: 2}},
	}
	want := `[{"column_name":"a","column_type":"class_label","column_statistics":{"nan_count":0,"nan_proportion":0}},` +
		`{"column_name":"d","column_type":"int","column_statistics":{"nan_count":1,"nan_proportion":1}}]`
	if got := asJSON(t, o.Statistics(features)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := NewObserver().Statistics(features); got != nil {
		t.Errorf("without rows the viewer fails, got %v", got)
	}
}

// TestStatisticsAgreeWithTheViewer compares what is said of a column with what the viewer's own code said.
func TestStatisticsAgreeWithTheViewer(t *testing.T) {
	for _, file := range []string{"statistics-cases.json", "statistics-fuzz.json"} {
		text, err := os.ReadFile(shared(t, "reference", file))
		if err != nil {
			t.Fatal(err)
		}
		var all struct {
			Cases []struct {
				Case     string
				Rows     json.RawMessage
				Features map[string]struct {
					Kind  string `json:"_type"`
					Dtype string
					Names []string
				}
				Expected struct {
					Statistics []struct {
						Name   string `json:"column_name"`
						Type   string `json:"column_type"`
						Column struct {
							Count      int64   `json:"nan_count"`
							Proportion float64 `json:"nan_proportion"`
						} `json:"column_statistics"`
					}
				}
			}
		}
		text = []byte(strings.NewReplacer(": NaN", ": null", ": Infinity", `: "Infinity"`, ": -Infinity", `: "-Infinity"`, "[NaN", "[null").Replace(string(text)))
		if err := json.Unmarshal(text, &all); err != nil {
			t.Logf("%s: %v", file, err)
			continue
		}
		said, columns := 0, 0
		for _, c := range all.Cases {
			o := NewObserver()
			if c.Rows[0] != '[' || !jsonArray("a", c.Rows, o.Observe) {
				continue
			}
			features := Config([]*Observer{o})
			for i := range features {
				switch declared := c.Features[features[i].Name]; {
				case declared.Kind == "Value":
					features[i].Type = scalar(declared.Dtype)
				case declared.Kind == "ClassLabel":
					features[i].Type = Type{ClassLabel: declared.Names}
				case features[i].Type.Dtype == dtypeTimestamp:
					// The recorded columns hold texts: they did not pass the JSON loader.
					features[i].Type = scalar(dtypeString)
				}
			}
			want := map[string]string{}
			for _, s := range c.Expected.Statistics {
				want[s.Name] = fmt.Sprintf("%s %d %v", s.Type, s.Column.Count, s.Column.Proportion)
			}
			columns += len(want)
			for _, s := range o.Statistics(features) {
				got := fmt.Sprintf("%s %d %v", s.Type, s.Column.NaNCount, s.Column.NaNProportion)
				if want[s.Name] != "" && want[s.Name] != got {
					t.Errorf("%s: column %s is %s, the viewer says %s", c.Case, s.Name, got, want[s.Name])
				}
				said++
			}
		}
		t.Logf("%s: %d columns are described, the viewer describes %d", file, said, columns)
		if said < len(all.Cases)/2 {
			t.Errorf("%s: only %d columns of %d cases are described", file, said, len(all.Cases))
		}
	}
}
