package tape

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// codesOf lists the coded escapes of a string, with what stands between them.
func codesOf(v Value) []string {
	var out []string
	text := v.tape.Text
	listed, all := v.ListedCodes()
	from, end := v.at().Span()
	for codes := v.Codes(); ; {
		code, more := codes.Next()
		if all && (more != (len(listed) > 0) || more && listed[0] != code) {
			return []string{fmt.Sprintf("listed are %v, next comes %v", listed, code)}
		}
		if !more {
			return append(out, string(text[from:end]))
		}
		if all {
			listed = listed[1:]
		}
		start, behind := code.Span()
		out = append(out, string(text[from:start]), fmt.Sprintf("<%c>", code.Rune()))
		from = behind
	}
}

func TestCodes(t *testing.T) {
	doc := parsed(t, `{"k\u0065y": ["a\n\u00e9b\\\/\ud83c\udf75\"", "plain", "\\u0041", "\/"], "x": "\u0078"}`)
	tests := []struct{ pointer, want string }{
		{"/key/0", `a\n <é> b\\ </>  <🍵> \"`},
		{"/key/1", `plain`},
		{"/key/2", `\\u0041`},
		{"/key/3", ` </> `},
		{"/x", ` <x> `},
	}
	for _, tt := range tests {
		v, _ := doc.At(tt.pointer)
		if got := strings.Join(codesOf(v), " "); got != tt.want {
			t.Errorf("%s falls into %s, want %s", v.Raw(), got, tt.want)
		}
	}
	if got := strings.Join(codesOf(doc.First()), " "); got != "k <e> y" {
		t.Errorf("the key %s falls into %s, want k <e> y", doc.First().Raw(), got)
	}
	if _, all := doc.First().ListedCodes(); all {
		t.Error("the escapes of a key are listed, which are not kept")
	}
	for _, v := range []Value{doc.First(), doc.First().After().First()} {
		if v.Len() != 0 {
			t.Errorf("the string %s has Len %d, want 0", v.Raw(), v.Len())
		}
	}
}

// Of very many escapes the last are not remembered, but searched.
func TestCodesAreBounded(t *testing.T) {
	doc := parsed(t, `["`+strings.Repeat(`\u0061`, maxCodes-1)+`", "\u0062\n\u0063", "\u0064"]`)
	if n := len(doc.tape.codes); n != maxCodes {
		t.Fatalf("%d places are remembered, want %d", n, maxCodes)
	}
	for pointer, want := range map[string][]string{"/1": {"", "<b>", `\n`, "<c>", ""}, "/2": {"", "<d>", ""}} {
		v, _ := doc.At(pointer)
		if got := codesOf(v); !slices.Equal(got, want) {
			t.Errorf("%s falls into %q, want %q", v.Raw(), got, want)
		}
	}
	if first, _ := doc.At("/0"); len(codesOf(first)) != 2*maxCodes-1 {
		t.Errorf("the first string has %d pieces, want %d", len(codesOf(first)), 2*maxCodes-1)
	}
}
