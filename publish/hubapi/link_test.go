package hubapi

import (
	"strings"
	"testing"
)

func TestNextLink(t *testing.T) {
	for _, tt := range []struct {
		headers []string
		want    string
	}{
		{nil, ""},
		{[]string{`<https://h/x?a=1,2;b>; rel="next"`}, "https://h/x?a=1,2;b"},
		{[]string{`<a>; rel="prev", <b>; rel="next"`}, "b"},
		{[]string{`<a>; rel=prev`, `<b>;title="x";REL=next`}, "b"},
		{[]string{`<a>; rel="last next"`}, "a"},
		{[]string{`<a>; rel="nextone"`}, ""},
		{[]string{`<a>; rel="prev"; title="next"`}, ""},
		{[]string{`<a`}, ""},
		{[]string{`a; rel=next`}, ""},
		{[]string{`<>; rel=next`}, ""},
	} {
		got, ok := nextLink(tt.headers)
		if got != tt.want || ok != (tt.want != "") && len(tt.headers) > 0 && tt.headers[0] != `<>; rel=next` {
			t.Errorf("%q: %q %v, want %q", tt.headers, got, ok, tt.want)
		}
	}
}

func FuzzNextLink(f *testing.F) {
	f.Add(`<https://h/x>; rel="next", <y>; rel=prev`)
	f.Add(`<<>>;;rel="`)
	f.Fuzz(func(t *testing.T, header string) {
		got, ok := nextLink([]string{header})
		if ok && (!strings.Contains(header, "<"+got+">") || strings.Contains(got, ">")) {
			t.Errorf("%q gave %q", header, got)
		}
	})
}
