package column

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// cellsOf observes the rows of a CSV file.
func cellsOf(t *testing.T, text string) *Observer {
	t.Helper()
	o := NewObserver()
	if !csvRows("train.csv", text, ',', o.Observe) {
		t.Fatal("the test's own CSV cannot be read")
	}
	return o
}

func TestFieldsAsRead(t *testing.T) {
	fields := cellsOf(t, "zip,land,n\n00501,NA,7\n10115,DE,NA\n75001,,9\n").Fields()
	features := Features{{"zip", Type{Dtype: "string"}}, {"land", Type{Dtype: "string"}}, {"n", Type{Dtype: "int64"}}}
	type seen struct {
		kinds    string
		nulls    int64
		min, max string
		values   []ValueCount
		chars    Span
	}
	look := func(f Field) seen {
		var kinds []string
		for _, k := range f.Kinds {
			kinds = append(kinds, k.Kind)
		}
		return seen{strings.Join(kinds, " "), f.Nulls, f.Min, f.Max, f.Values, f.Chars}
	}
	got := FieldsAsRead(fields, features, Reading{Own: true, KeepsMissing: true})
	for i, want := range []seen{
		{kinds: "string", chars: none},
		{"null string", 1, "", "", []ValueCount{{"DE", 1}, {"NA", 1}}, Span{2, 2}},
		{"integer string", 0, "7", "9", []ValueCount{{"NA", 1}}, Span{2, 2}},
	} {
		if diff := cmp.Diff(want, look(got[i]), cmp.AllowUnexported(seen{})); diff != "" {
			t.Errorf("%s with features of its own, and NA a text (-want +got):\n%s", got[i].Pointer, diff)
		}
	}
	if diff := cmp.Diff(fields, FieldsAsRead(fields, features, Reading{})); diff != "" {
		t.Errorf("without a word in the config, fields stay as pandas reads them (-want +got):\n%s", diff)
	}
}

func TestExampleAsRead(t *testing.T) {
	o := cellsOf(t, "zip,land,n,x,ok,none,\"also \"\"odd\"\"\"\n00501,NA,7,1.5,TRUE,,\"a,b\"\n")
	features := Features{{"zip", Type{Dtype: "string"}}, {"land", Type{Dtype: "string"}}, {"n", Type{Dtype: "int64"}}, {"x", Type{Dtype: "float64"}}, {"ok", Type{Dtype: "bool"}}, {"none", Type{Dtype: "string"}}, {`also "odd"`, Type{Dtype: "string"}}}
	want := "{\n  \"zip\": \"00501\",\n  \"land\": \"NA\",\n  \"n\": 7,\n  \"x\": 1.5,\n  \"ok\": true,\n  \"none\": null,\n  \"also \\\"odd\\\"\": \"a,b\"\n}"
	if diff := cmp.Diff(want, o.ExampleAsRead(features, Reading{Own: true, KeepsMissing: true})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := o.ExampleAsRead(features, Reading{}); !strings.Contains(got, `"land": null`) {
		t.Errorf("NA is missing unless the config says otherwise, got %s", got)
	}
	o = observe(t, `{"n": "7"}`)
	if got := o.ExampleAsRead(Features{{"n", Type{Dtype: "int64"}}}, Reading{}); !strings.Contains(got, `"7"`) {
		t.Errorf("a JSON text stays a text, got %s", got)
	}
}
