package tape

import (
	"encoding/json"
	"reflect"
	"testing"
)

func parsed(t *testing.T, text string) Value {
	t.Helper()
	var tape Tape
	if problems := tape.Parse([]byte(text)); problems != nil {
		t.Fatalf("parse %s: %+v", text, problems)
	}
	return tape.Root()
}

func TestText(t *testing.T) {
	tests := []struct{ json, want string }{
		{`"plain"`, "plain"},
		{`""`, ""},
		{`"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t"},
		{`"caf\u00e9 \u20AC \ud83d\ude00 \u0000"`, "café € 😀 \x00"},
		{`"é\u0301x"`, "é\u0301x"},
		{`12`, ""},
		{`["a"]`, ""},
	}
	for _, tt := range tests {
		v := parsed(t, tt.json)
		if got := v.Text(); got != tt.want {
			t.Errorf("Text of %s = %q, want %q", tt.json, got, tt.want)
		}
		if got := string(v.AppendText([]byte("<"))); got != "<"+tt.want {
			t.Errorf("AppendText of %s = %q, want it behind what was there", tt.json, got)
		}
	}
}

func TestIsInteger(t *testing.T) {
	tests := map[string]bool{
		"0": true, "-0": true, "7": true, "-12": true, "1.0": true, "1.000": true, "1e2": true, "1E+2": true, "15e-1": false, "150e-1": true,
		"1.5": false, "1.5e1": true, "1.25e1": false, "0.0": true, "0e-5": true, "0.00e-9": true, "1e-1": false, "100e-2": true, "100e-3": false,
		"1e400": true, "1e-400": false, "9007199254740993": true, "9007199254740993.0": true, "-0.5": false, "10.10e1": true, "true": false, `"1"`: false,
	}
	for text, want := range tests {
		if got := parsed(t, text).IsInteger(); got != want {
			t.Errorf("IsInteger of %s = %v, want %v", text, got, want)
		}
	}
}

func TestAt(t *testing.T) {
	// The first rows are the examples of RFC 6901 section 5.
	doc := parsed(t, `{"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8,
		"\u0061~1": 9, "deep": [[1, {"x": null}]]}`)
	tests := []struct{ pointer, want string }{
		{"/foo/0", "bar"}, {"/", "0"}, {"/a~1b", "1"}, {"/c%d", "2"}, {"/e^f", "3"}, {"/g|h", "4"}, {`/i\j`, "5"}, {`/k"l`, "6"}, {"/ ", "7"}, {"/m~0n", "8"},
		{"/a~01", "9"}, {"/deep/0/0", "1"}, {"/deep/0/1/x", "null"},
	}
	for _, tt := range tests {
		v, ok := doc.At(tt.pointer)
		if !ok || string(v.Raw()) != tt.want {
			t.Errorf("At(%q) found %v, want %s", tt.pointer, ok, tt.want)
		}
	}
	if v, ok := doc.At(""); !ok || v != doc {
		t.Error("the empty pointer must lead to the value itself")
	}
	for _, pointer := range []string{"foo", "/nope", "/foo/2", "/foo/00", "/foo/-", "/foo/", "/foo/1/x", "/foo/99999999999999999999", "/m~n", "/m~2n", "/foo/+1"} {
		if _, ok := doc.At(pointer); ok {
			t.Errorf("At(%q) found something, want nothing", pointer)
		}
	}
}

func TestGet(t *testing.T) {
	doc := parsed(t, `{"a": {"b": 1}, "c": 2, "d\n": 3}`)
	if v, ok := doc.Get("c"); !ok || string(v.Raw()) != "2" {
		t.Error("Get must step over the members of a nested object")
	}
	if v, ok := doc.Get("d\n"); !ok || string(v.Raw()) != "3" {
		t.Error("Get must compare decoded keys")
	}
	for _, key := range []string{"b", "", `d\n`} {
		if _, ok := doc.Get(key); ok {
			t.Errorf("Get(%q) found something, want nothing", key)
		}
	}
	if _, ok := parsed(t, `[1]`).Get("0"); ok {
		t.Error("Get on an array must find nothing")
	}
}

func TestAny(t *testing.T) {
	got := parsed(t, `{"a": [1, 2.50, 1e400], "b": {"c": "x\ty"}, "d": [true, false, null], "e": {}, "f": []}`).Any()
	want := map[string]any{
		"a": []any{json.Number("1"), json.Number("2.50"), json.Number("1e400")}, "b": map[string]any{"c": "x\ty"},
		"d": []any{true, false, nil}, "e": map[string]any{}, "f": []any{},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Any() = %#v, want %#v", got, want)
	}
}

func TestTokens(t *testing.T) {
	for key, want := range map[string]string{"": "", "a.b": "a.b", "a/b": "a~1b", "~1": "~01", "c~d/": "c~0d~1"} {
		if got := EscapeToken(key); got != want {
			t.Errorf("EscapeToken(%q) = %q, want %q", key, got, want)
		}
		if got := string(AppendToken([]byte("/x"), key)); got != "/x/"+want {
			t.Errorf("AppendToken(/x, %q) = %q, want %q", key, got, "/x/"+want)
		}
		if got, ok := unescapeToken(want); !ok || got != key {
			t.Errorf("%q read back gives %q, want %q", want, got, key)
		}
	}
}

func TestLinesBefore(t *testing.T) {
	doc := parsed(t, "{\n \"a\": 1,\n\n \"b\": [\n  2]}")
	for pointer, want := range map[string]int{"": 0, "/a": 1, "/b": 3, "/b/0": 4} {
		v, _ := doc.At(pointer)
		if got := v.LinesBefore(); got != want {
			t.Errorf("LinesBefore of %s = %d, want %d", pointer, got, want)
		}
	}
}
