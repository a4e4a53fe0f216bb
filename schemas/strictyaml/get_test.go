package strictyaml

import (
	"slices"
	"testing"

	"gopkg.in/yaml.v3"
)

func value(t *testing.T, text string) *yaml.Node {
	t.Helper()
	doc, findings := parse("k: " + text + "\n")
	if len(findings) > 0 {
		t.Fatalf("%q: %v", text, findings)
	}
	_, v := Lookup(doc.Root, "k")
	return v
}

func TestAmbiguous(t *testing.T) {
	ambiguous := []string{
		"no", "No", "NO", "yes", "on", "off", "Off", "1:20", "190:20:30", "1:20.5", "2024-01-02", "2024-1-2 3:04:05", "1e3", "1.0e3",
		"0o17", "010", "-012", "0b11", "1_000", "1_0.5", "-0x1F", "=", "<<", "08", "-.5", "+0x1",
	}
	for _, text := range ambiguous {
		if n := value(t, text); !Ambiguous(n) {
			t.Errorf("%s is %s in YAML 1.1 and %s in YAML 1.2, but is not called ambiguous", text, Type11(n), Type12(n))
		}
	}
	clear := []string{
		"y", "N", "nb", "en", "true", "False", "null", "~", "", "1", "-17", "0", "007", "1.5", "1.0e+3", ".5", ".inf", ".nan", "0x1F", "1.2.3", "v1", "2024",
		"2024-01", "n<1K", "10:99", "\"no\"", "'1e3'", "\"2024-01-02\"", "!!str no", "|\n  no", ">-\n  on", "[no]", "{a: on}", "==", "1e3x",
	}
	for _, text := range clear {
		if n := value(t, text); Ambiguous(n) {
			t.Errorf("%s is %s in YAML 1.1 and %s in YAML 1.2, and called ambiguous", text, Type11(n), Type12(n))
		}
	}
}

func TestTypesOfBothVersions(t *testing.T) {
	tests := []struct {
		text         string
		old, current Type
	}{
		{"no", Boolean, Text},
		{"1:20", Integer, Text},
		{"1:20.5", Float, Text},
		{"2024-01-02", Date, Text},
		{"1e3", Text, Float},
		{"0o17", Text, Integer},
		{"=", Default, Text},
		{"<<", Merge, Text},
		{"~", Null, Null},
		{"12", Integer, Integer},
		{"\"12\"", Text, Text},
	}
	for _, test := range tests {
		n := value(t, test.text)
		if Type11(n) != test.old || Type12(n) != test.current {
			t.Errorf("%s is %s and %s, want %s and %s", test.text, Type11(n), Type12(n), test.old, test.current)
		}
	}
}

func TestGetters(t *testing.T) {
	texts := []struct {
		text, want string
		ok         bool
	}{
		{"mit", "mit", true}, {"no", "no", true}, {"2024-01-02", "2024-01-02", true}, {"\"1\"", "1", true}, {"\"\"", "",
			true},
		{"1", "", false}, {"1.0", "", false}, {"true", "", false}, {"", "", false}, {"[a]", "", false}, {"{a: b}", "",
			false},
	}
	for _, test := range texts {
		if got, ok := String(value(t, test.text)); got != test.want || ok != test.ok {
			t.Errorf("String(%s) = %q, %v; want %q, %v", test.text, got, ok, test.want, test.ok)
		}
	}
	lists := []struct {
		text string
		want []string
		ok   bool
	}{
		{"a", []string{"a"}, true}, {"[a, b]", []string{"a", "b"}, true}, {"[]", []string{}, true}, {"[a, 1]", nil,
			false}, {"{a: b}", nil, false},
	}
	for _, test := range lists {
		if got, ok := Strings(value(t, test.text)); !slices.Equal(got, test.want) || ok != test.ok {
			t.Errorf("Strings(%s) = %q, %v; want %q, %v", test.text, got, ok, test.want, test.ok)
		}
	}
	for text, want := range map[string]bool{"true": true, "True": true, "false": false} {
		if got, ok := Bool(value(t, text)); got != want || !ok {
			t.Errorf("Bool(%s) = %v, %v; want %v, true", text, got, ok, want)
		}
	}
	for _, text := range []string{"yes", "\"true\"", "1", "[true]"} {
		if _, ok := Bool(value(t, text)); ok {
			t.Errorf("Bool(%s) takes it for a boolean", text)
		}
	}
	for text, want := range map[string]int64{"7": 7, "-3": -3, "0": 0} {
		if got, ok := Int(value(t, text)); got != want || !ok {
			t.Errorf("Int(%s) = %d, %v; want %d, true", text, got, ok, want)
		}
	}
	for _, text := range []string{"1.0", "\"1\"", "0x10", "99999999999999999999", "1_000", "010", "-010", "00"} {
		if got, ok := Int(value(t, text)); ok {
			t.Errorf("Int(%s) = %d, want none", text, got)
		}
	}
	for text, want := range map[string]string{
		"7": "the number 7", "x": `the text "x"`, "true": "true", "": "nothing", "[a]": "a list", "{a: b}": "a mapping",
	} {
		if got := Describe(value(t, text)); got != want {
			t.Errorf("Describe(%s) = %s, want %s", text, got, want)
		}
	}
}
