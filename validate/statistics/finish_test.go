package statistics

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/column"
)

// The worked example of the rules: every kind of column, with the viewer's numbers.
func TestWorkedExample(t *testing.T) {
	var lines []string
	scores := []string{"0", "0.25", "0.5", "null", "1", "1.0", "2", "2.5", "3", "3.75", "4", "5"}
	for i := range 12 {
		text := strings.Repeat("é", i+1)
		if i == 11 {
			text = strings.Repeat("x", 20)
		}
		lines = append(lines, fmt.Sprintf(`{"id": %d, "score": %s, "flag": %s, "kind": "%s", "text": "%s", "tags": %s, "label": %d, "when": "2024-01-%02d"}`,
			i*i, scores[i], []string{"true", "true", "false", "null"}[i%4], []string{"x", "y", "x"}[i%3], text,
			[]string{"[]", `["p"]`, `["p","q"]`, `["p","q","r"]`}[i%4], []int{0, 1, 1, -1}[i%4], i+1))
	}
	features := column.Features{
		{Name: "id", Type: scalar("int64")}, {Name: "score", Type: scalar("float64")}, {Name: "flag", Type: scalar("bool")},
		{Name: "kind", Type: scalar("string")}, {Name: "text", Type: scalar("string")},
		{Name: "tags", Type: column.Type{List: &column.Type{Dtype: "string"}}},
		{Name: "label", Type: column.Type{ClassLabel: []string{"neg", "pos"}}}, {Name: "when", Type: scalar("timestamp[s]")},
	}
	want := []string{
		`{"column_name":"flag","column_type":"bool","column_statistics":{"nan_count":3,"nan_proportion":0.25,"frequencies":{"False":3,"True":6}}}`,
		`{"column_name":"id","column_type":"int","column_statistics":{"nan_count":0,"nan_proportion":0.0,"min":0,"max":121,"mean":42.16667,"median":30.5,"std":41.16228,"histogram":{"hist":[4,2,1,1,1,0,1,1,0,1],"bin_edges":[0,13,26,39,52,65,78,91,104,117,121]}},"distinct":12}`,
		`{"column_name":"kind","column_type":"string_label","column_statistics":{"nan_count":0,"nan_proportion":0.0,"no_label_count":0,"no_label_proportion":0.0,"n_unique":2,"frequencies":{"x":8,"y":4}},"distinct":2}`,
		`{"column_name":"label","column_type":"class_label","column_statistics":{"nan_count":0,"nan_proportion":0.0,"no_label_count":3,"no_label_proportion":0.25,"n_unique":2,"frequencies":{"neg":3,"pos":6}}}`,
		`{"column_name":"score","column_type":"float","column_statistics":{"nan_count":1,"nan_proportion":0.08333,"min":0.0,"max":5.0,"mean":2.09091,"median":2.0,"std":1.6892,"histogram":{"hist":[2,1,2,0,1,1,1,1,1,1],"bin_edges":[0.0,0.5,1.0,1.5,2.0,2.5,3.0,3.5,4.0,4.5,5.0]}},"distinct":10}`,
		`{"column_name":"tags","column_type":"list","column_statistics":{"nan_count":0,"nan_proportion":0.0,"min":0,"max":3,"mean":1.5,"median":1.5,"std":1.16775,"histogram":{"hist":[3,3,6],"bin_edges":[0,1,2,3]}}}`,
		`{"column_name":"text","column_type":"string_text","column_statistics":{"nan_count":0,"nan_proportion":0.0,"min":1,"max":20,"mean":7.16667,"median":6.5,"std":5.1316,"histogram":{"hist":[2,2,2,2,2,1,0,0,0,1],"bin_edges":[1,3,5,7,9,11,13,15,17,19,20]}},"distinct":12}`,
		`{"column_name":"when","column_type":"datetime","column_statistics":{"nan_count":0,"nan_proportion":0.0,"min":"2024-01-01 00:00:00","max":"2024-01-12 00:00:00","mean":"2024-01-06 12:00:00","median":"2024-01-06 12:00:00","std":"3 days, 14:31:59.630200","histogram":{"hist":[2,1,1,1,1,1,1,1,1,2],"bin_edges":["2024-01-01 00:00:00","2024-01-02 02:24:01","2024-01-03 04:48:02","2024-01-04 07:12:03","2024-01-05 09:36:04","2024-01-06 12:00:05","2024-01-07 14:24:06","2024-01-08 16:48:07","2024-01-09 19:12:08","2024-01-10 21:36:09","2024-01-12 00:00:00"]}},"distinct":12}`,
	}
	columns, faults := seen(t, 1, false, lines...).Finish(features)
	var got []string
	for _, c := range columns {
		got = append(got, asJSON(t, c))
	}
	if diff := cmp.Diff(want, got); diff != "" || len(faults) > 0 {
		t.Errorf("faults %v, (-want +got):\n%s", faults, diff)
	}
}

// repeated makes n rows of a format that goes through so many values.
func repeated(n, distinct int, format string) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf(`{"a": `+format+`}`, i%distinct))
	}
	return out
}

func TestKindsOfTextColumns(t *testing.T) {
	for name, test := range map[string]struct {
		rows  []string
		cells bool
		want  Kind
	}{
		"ten distinct texts":               {rows: repeated(10, 10, `"v%d"`), want: Label},
		"eleven of eleven":                 {rows: repeated(11, 11, `"v%03d %[1]d"`), want: Text},
		"eleven of fifty-five":             {rows: repeated(55, 11, `"v%d"`), want: Label},
		"eleven of fifty-four":             {rows: repeated(54, 11, `"%d v%[1]03d"`), want: Text},
		"a thousand of five thousand":      {rows: repeated(5000, 1000, `"v%d"`), want: Label},
		"a thousand and one":               {rows: repeated(6000, 1001, `"v%d"`), want: Text},
		"a thousand and null":              {rows: append(repeated(6000, 1000, `"v%d"`), values("null")...), want: Text},
		"nine and null":                    {rows: append(repeated(9, 9, `"v%d"`), values("null")...), want: Label},
		"ten and null":                     {rows: append(repeated(10, 10, `"%[1]d v%03[1]d"`), values("null")...), want: Text},
		"nothing but null":                 {rows: values("null", "null"), want: Label},
		"dates of JSON":                    {rows: repeated(20, 20, `"2024-01-01 00:00:%02d"`), want: Datetime},
		"dates of a CSV file":              {rows: repeated(20, 20, `"2024-01-01 00:00:%02d"`), cells: true, want: Datetime},
		"dates behind a null":              {rows: append(values("null"), repeated(20, 20, `"%02d/12/2024 10:00"`)...), want: Text},
		"one date":                         {rows: values(`"May 2, 2024"`), want: Label},
		"two dates a second apart":         {rows: values(`"2024/01/02 10:00:00"`, `"2024/01/02 10:00:01"`), want: Label},
		"dates in two forms":               {rows: values(`"2024-01-02"`, `"2024/01/03"`), want: Label},
		"days and months in doubt":         {rows: values(`"01-02-2024"`, `"02-03-2024"`), want: Datetime},
		"months that cannot be days":       {rows: values(`"01-13-2024"`, `"02-03-2024"`), want: Label},
		"one bad date behind many":         {rows: append(repeated(300, 28, `"2024/01/%02d"`)[1:20], values(`"2024/13/01"`)...), want: Text},
		"a date behind a hundred others":   {rows: append(repeated(150, 9, `"2024/1/1%d"`), values(`"2024/1/5"`)...), want: Datetime},
		"texts behind a hundred dates":     {rows: append(repeated(150, 9, `"2024/1/1%d"`), values(`"unknown"`)...), want: Label},
		"years":                            {rows: repeated(30, 30, `"20%02d"`), want: Text},
		"numbers that become texts":        {rows: values("1", "2.5", "true", `"x"`), want: Label},
		"empty cells":                      {rows: values(`""`, `""`), cells: true, want: Label},
		"more dates than labels may be":    {rows: repeated(3000, 3000, `"%04d-01-31 10:00"`)[1:], cells: true, want: Datetime},
		"more than there are texts, twice": {rows: repeated(4000, 2000, `"%d"`), want: Text},
	} {
		t.Run(name, func(t *testing.T) {
			columns, faults := seen(t, 1, test.cells, test.rows...).Finish(one(scalar("string")))
			if len(columns) != 1 || columns[0].Kind != test.want {
				t.Errorf("got %s and faults %v, want kind %s", asJSON(t, columns), faults, test.want)
			}
		})
	}
}

func TestFaults(t *testing.T) {
	list := column.Type{List: &column.Type{Dtype: "int64"}}
	for name, test := range map[string]struct {
		rows  []string
		cells bool
		typ   column.Type
		want  Reason
		// histogram is that of the statistics that are given all the same.
		histogram string
	}{
		"one number":          {rows: values("null", "8", "null"), typ: scalar("int64"), want: OneValue},
		"one float":           {rows: values("8.5"), typ: scalar("float32"), want: OneValue},
		"one list":            {rows: values("[]", "null"), typ: list, want: OneValue},
		"one timestamp":       {rows: values(`"2024-01-02"`), typ: scalar("timestamp[us]"), want: OneValue},
		"infinity":            {rows: values(`"1.5"`, `"-inf"`), cells: true, typ: scalar("float64"), want: Infinite},
		"very large floats":   {rows: values("1e308", "-1e308", "5"), typ: scalar("float64"), want: Infinite},
		"floats side by side": {rows: values("9007199254740992.0", "9007199254740994.0", "9007199254740993.0"), typ: scalar("float64"), want: Edges},
		"flags":               {rows: values("0", "1", "1"), typ: scalar("int64"), want: TwoEdges, histogram: `{"hist":[3],"bin_edges":[0,1]}`},
		"short lists":         {rows: values("[1]", "[1,2]"), typ: list, want: TwoEdges, histogram: `{"hist":[2],"bin_edges":[1,2]}`},
		"seconds": {rows: values(`"2024-01-01T00:00:00"`, `"2024-01-01T00:00:01"`), typ: scalar("timestamp[s]"), want: TwoEdges,
			histogram: `{"hist":[2],"bin_edges":["2024-01-01 00:00:00","2024-01-01 00:00:01"]}`},
		"texts of two lengths": {rows: repeated(20, 20, `"word-%d"`), typ: scalar("string"), want: TwoEdges, histogram: `{"hist":[20],"bin_edges":[6,7]}`},
		"ids beyond the names": {rows: values("0", "7"), typ: column.Type{ClassLabel: []string{"neg"}}, want: LabelIDs},
		"long digits":          {rows: values(`"66024895386"`, `"66024895387"`), typ: scalar("string"), want: LongDigits},
		"images":               {rows: values(`"a.png"`), typ: scalar("image"), want: NotMeasured},
	} {
		t.Run(name, func(t *testing.T) {
			columns, faults := seen(t, 1, test.cells, test.rows...).Finish(one(test.typ))
			if len(faults) != 1 || faults[0].Reason != test.want || faults[0].Column != "a" || faults[0].Detail == "" {
				t.Fatalf("got faults %+v, want one for reason %d", faults, test.want)
			}
			got := ""
			if len(columns) == 1 {
				switch v := columns[0].Values.(type) {
				case *Numbers:
					got = asJSON(t, v.Histogram)
				case *Dates:
					got = asJSON(t, v.Histogram)
				}
			}
			if got != test.histogram {
				t.Errorf("got %s, want histogram %s", asJSON(t, columns), test.histogram)
			}
		})
	}
}

// Values become what the feature says, as the loader casts them.
func TestValuesFollowTheFeature(t *testing.T) {
	labels := column.Type{ClassLabel: []string{"a", "b"}}
	for name, test := range map[string]struct {
		rows  []string
		cells bool
		typ   column.Type
		want  string
	}{
		"integers as floats":        {values("1", "3"), false, scalar("float64"), `"min":1.0,"max":3.0,"mean":2.0,"median":2.0`},
		"whole floats as integers":  {values("1.0", "3"), false, scalar("int32"), `"min":1,"max":3,"mean":2.0,"median":2.0`},
		"fractions as integers":     {values("1.5", "3"), false, scalar("int32"), ""},
		"truths as integers":        {values("true", "5"), false, scalar("int64"), `"min":1,"max":5`},
		"digits as integers":        {values(`"7"`, `"9"`, "12"), false, scalar("int64"), `"min":7,"max":12`},
		"texts as integers":         {values(`"seven"`, "12"), false, scalar("int64"), ""},
		"dates as integers":         {values(`"1970-01-01"`, `"1970-01-02"`), false, scalar("int64"), `"min":0,"max":86400`},
		"cells as numbers":          {values(`"007"`, `"+9"`, `"NA"`, `" 11"`), true, scalar("float64"), `"nan_count":1,"nan_proportion":0.25,"min":7.0,"max":11.0`},
		"cells as truths":           {values(`"True"`, `"FALSE"`, `""`), true, scalar("bool"), `"nan_count":1,"nan_proportion":0.33333,"frequencies":{"False":1,"True":1}`},
		"numbers as truths":         {values("0", "7"), false, scalar("bool"), `"frequencies":{"False":1,"True":1}`},
		"names as labels":           {values(`"b"`, `"a"`, `"b"`, "-1"), false, labels, `"no_label_count":1,"no_label_proportion":0.25,"n_unique":2,"frequencies":{"a":1,"b":2}`},
		"unknown names as labels":   {values(`"c"`), false, labels, ""},
		"integers as texts":         {values("7", "10"), false, scalar("string"), `"frequencies":{"10":1,"7":1}`},
		"floats as texts":           {values("1.0", "1e20", "0.1"), false, scalar("string"), `"frequencies":{"0.1":1,"1":1,"1e+20":1}`},
		"truths as texts":           {values("true", "false", `"true"`), false, scalar("string"), `"frequencies":{"true":2,"false":1}`},
		"dates as texts":            {values(`"2024-01-02"`, "null", `"2024-01-03T10:00:00+02:00"`), false, scalar("string"), `"min":"2024-01-02 00:00:00","max":"2024-01-03 08:00:00"`},
		"instants in a zone":        {values(`"2024-01-02T10:00:00"`, `"2024-07-02T10:00:00"`), false, scalar("timestamp[us, tz=Europe/Paris]"), `"min":"2024-01-02 11:00:00+0100","max":"2024-07-02 12:00:00+0200"`},
		"instants in UTC":           {values(`"2024-01-02T10:00:00"`, `"2024-07-02T10:00:00"`), false, scalar("timestamp[us, tz=UTC]"), `"min":"2024-01-02 10:00:00","max":"2024-07-02 10:00:00"`},
		"numbers as instants":       {values("0", "86400000"), false, scalar("timestamp[ms]"), `"min":"1970-01-01 00:00:00","max":"1970-01-02 00:00:00"`},
		"texts with offsets":        {values(`"2024-01-02 10:00:00+02:00"`, `"2024-01-02 10:00:00-01:00"`), true, scalar("string"), `"min":"2024-01-02 10:00:00+0200","max":"2024-01-02 13:00:00+0200"`},
		"large integers":            {values("9007199254740993", "18446744073709551615"), false, scalar("uint64"), ""},
		"lists beside numbers":      {values("[1]", "3"), false, column.Type{List: &column.Type{Dtype: "int64"}}, ""},
		"lists of a fixed length":   {values("[1]", "[2]"), false, column.Type{List: &column.Type{Dtype: "int64"}, Length: 1}, ""},
		"lists with arrays in them": {values("[1]", "[2]"), false, column.Type{List: &column.Type{Dtype: "array2_d", Params: "{}"}}, ""},
		"structs":                   {values(`{"x": 1}`), false, column.Type{Struct: []column.Feature{}}, ""},
		"json":                      {values(`{"x": 1}`, "3"), false, scalar("json"), ""},
		"dates without time":        {values(`"2024-01-02"`), false, scalar("date32"), ""},
		"null everywhere":           {values("null", "null"), false, scalar("float16"), `"nan_count":2,"nan_proportion":1.0,"min":null,"max":null,"mean":null,"median":null,"std":null,"histogram":null`},
		"null everywhere, as dates": {values("null", "null"), false, scalar("timestamp[s]"), `"nan_count":2,"nan_proportion":1.0,"min":null,"max":null,"mean":null,"median":null,"std":null,"histogram":null`},
	} {
		t.Run(name, func(t *testing.T) {
			columns, faults := seen(t, 1, test.cells, test.rows...).Finish(one(test.typ))
			got := asJSON(t, columns)
			if test.want == "" && len(columns) > 0 || !strings.Contains(got, test.want) {
				t.Errorf("got %s and faults %v, want %s", got, faults, test.want)
			}
		})
	}
}

// Fractions of a second do not count, and offsets are those of the first row.
func TestSecondsAreCutOff(t *testing.T) {
	columns, _ := seen(t, 1, true, values(`"2024-01-02T10:00:00.900"`, `"2024-01-02T10:00:02.100"`, `"2024-01-02T10:00:05.000"`)...).Finish(one(scalar("string")))
	want := `"min":"2024-01-02 10:00:00","max":"2024-01-02 10:00:04","mean":"2024-01-02 10:00:02","median":"2024-01-02 10:00:01"`
	if got := asJSON(t, columns); !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestVeryLongLabelsAreCut(t *testing.T) {
	long := strings.Repeat("日本", 720_000)
	rows := values(`"x"`, `"`+long+`"`, `"`+long+`"`, `"`+long+`x"`)
	columns, _ := seen(t, 1, false, rows...).Finish(one(scalar("string")))
	labels, ok := columns[0].Values.(*Labels)
	if !ok || labels.Unique != 3 || !columns[0].Shortened {
		t.Fatalf("got %.300s, want three labels, long ones cut", asJSON(t, columns))
	}
	if first := labels.Frequencies[0]; first.Count != 2 || first.Label != long[:255]+"…" {
		t.Errorf("the most frequent label is %q, %d times", first.Label, first.Count)
	}
}

func TestRowsWithVeryManyColumnsHaveNoStatistics(t *testing.T) {
	var lines []string
	for i := range 3 {
		var members []string
		for k := range 4000 {
			members = append(members, fmt.Sprintf(`"k%d": 1`, i*4000+k))
		}
		lines = append(lines, "{"+strings.Join(members, ",")+"}")
	}
	whole := seen(t, 1, false, lines...)
	parts := seen(t, 1, false, lines[:2]...)
	parts.Merge(seen(t, 1, false, lines[2]))
	for name, o := range map[string]*Observer{"one run": whole, "two runs": parts, "another process": carried(t, parts)} {
		if columns, _ := o.Finish(one(scalar("int64"))); !o.wide || len(o.columns) > 0 || len(columns) > 0 || columns == nil {
			t.Errorf("%s: %d columns are kept and %d described of 12,000", name, len(o.columns), len(columns))
		}
	}
}

func TestWithoutRowsThereAreNoStatistics(t *testing.T) {
	if columns, faults := NewObserver(1).Finish(one(scalar("int64"))); columns == nil || len(columns)+len(faults) > 0 {
		t.Errorf("got %v and %v, want an empty list", columns, faults)
	}
}
