package marked

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
)

const page = `# Owls

<!-- reviewed, keep -->

<!-- hfpub:begin data -->
old
<!-- hfpub:end data -->

By hand.
<!--hfpub:begin other-->
<!--hfpub:end other-->
`

func parse(t *testing.T, text string) *Text {
	t.Helper()
	p, err := Parse([]byte(text), "\n")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestReplaceChangesOneBlock(t *testing.T) {
	p := parse(t, page)
	if got := p.Names(); !slices.Equal(got, []string{"data", "other"}) {
		t.Errorf("blocks %q, expected data and other", got)
	}
	if !p.Replace("data", "new\nlines\n") || !p.Replace("other", "x\n") || p.Replace("third", "y\n") {
		t.Error("Replace should find data and other and no third block")
	}
	want := strings.Replace(page, "old\n", "new\nlines\n", 1)
	want = strings.Replace(want, "other-->\n", "other-->\nx\n", 1)
	if got := string(p.Bytes()); got != want {
		t.Errorf("got\n%s\nexpected\n%s", got, want)
	}
}

func TestLineEndsFollowTheText(t *testing.T) {
	p := parse(t, strings.ReplaceAll(page, "\n", "\r\n"))
	p.Replace("data", "new\nlines\n")
	p.Append("more", "m\n")
	got := p.Bytes()
	if bytes.Count(got, []byte("\n")) != bytes.Count(got, []byte("\r\n")) {
		t.Errorf("a line of %q ends in LF alone", got)
	}
	mixed := strings.Replace(page, "old\n", "old\r\n", 1)
	p = parse(t, mixed)
	p.Replace("data", "old\n")
	if got := string(p.Bytes()); got != mixed {
		t.Errorf("a block that says the same with other line ends was rewritten: %q", got)
	}
}

func TestAppend(t *testing.T) {
	const block = "<!-- hfpub:begin data -->\nx\n<!-- hfpub:end data -->\n"
	tests := []struct{ name, text, want string }{
		{"to nothing", "", block},
		{"after a line", "a\n", "a\n\n" + block},
		{"after a line without end", "a", "a\n\n" + block},
		{"after a blank line", "a\n\n", "a\n\n" + block},
		{"after CRLF", "a\r\n", "a\r\n\r\n" + strings.ReplaceAll(block, "\n", "\r\n")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(t, tt.text)
			p.Append("data", "x\n")
			if got := string(p.Bytes()); got != tt.want {
				t.Errorf("got %q, expected %q", got, tt.want)
			}
			again := parse(t, tt.want)
			if !again.Replace("data", "x\n") || string(again.Bytes()) != tt.want {
				t.Errorf("the block was not found again, or changed: %q", again.Bytes())
			}
		})
	}
}

func TestRemove(t *testing.T) {
	const block = "<!-- hfpub:begin a -->\nx\n<!-- hfpub:end a -->\n"
	tests := []struct{ name, text, want string }{
		{"in the middle", "one\n\n" + block + "\ntwo\n", "one\n\ntwo\n"},
		{"at the end", "one\n\n" + block, "one\n"},
		{"at the beginning", block + "\ntwo\n", "two\n"},
		{"without blank lines", "one\n" + block + "two\n", "one\ntwo\n"},
		{"with CRLF", strings.ReplaceAll("one\n\n"+block+"\ntwo\n", "\n", "\r\n"), "one\r\n\r\ntwo\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(t, tt.text)
			p.Remove("a")
			if got := string(p.Bytes()); got != tt.want || len(p.Names()) != 0 {
				t.Errorf("got %q, expected %q", got, tt.want)
			}
		})
	}
}

func TestFaults(t *testing.T) {
	tests := []struct {
		name, text string
		line       int
		says       string
	}{
		{"begin without end", "a\n<!-- hfpub:begin data -->\nb\n", 2, `"data" has no end`},
		{"end without begin", "a\n\n<!-- hfpub:end data -->\n", 3, "without a beginning"},
		{"twice", strings.Repeat("<!-- hfpub:begin data -->\n<!-- hfpub:end data -->\n", 2), 3, "a second time; the first is on line 1"},
		{"one in another", "<!-- hfpub:begin a -->\n<!-- hfpub:begin b -->\n", 2, `"b" begins inside the block "a"`},
		{"crossed", "<!-- hfpub:begin a -->\n<!-- hfpub:end b -->\n", 2, `"b" ends inside the block "a"`},
		{"no name", "<!-- hfpub:begin -->\n", 1, "is not a marker"},
		{"two names", "<!-- hfpub:begin my data -->\n", 1, "is not a marker"},
		{"text behind it", "<!-- hfpub:begin data --> x\n<!-- hfpub:end data -->\n", 1, "is not a marker"},
		{"other case", "<!-- HFPUB:begin data -->\n", 1, "is not a marker"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.text), "\n")
			var fault *Fault
			if !errors.As(err, &fault) || fault.Line != tt.line || !strings.Contains(fault.Error(), tt.says) {
				t.Errorf("got %v, expected line %d and %q", err, tt.line, tt.says)
			}
		})
	}
}

// A page may speak about markers in the middle of a line, and to hfpub in a comment.
func TestMarkersInProseAreText(t *testing.T) {
	const text = "<!-- hfpub: ask Ann before changing this -->\nWrite `<!-- hfpub:begin data -->` and `<!-- hfpub:end data -->`.\n"
	p := parse(t, text)
	if len(p.Names()) != 0 || HasMarker(text) {
		t.Errorf("prose was taken for blocks: %q", p.Names())
	}
}

func FuzzReplaceKeepsTheRest(f *testing.F) {
	f.Add(page, "new\n")
	f.Add("<!-- hfpub:begin data -->\r\n<!-- hfpub:end data -->", "a\n\nb\n")
	f.Add("no blocks", "x\n")
	f.Fuzz(func(t *testing.T, text, content string) {
		content = strings.ReplaceAll(content, "\r", "") + "\n"
		p, err := Parse([]byte(text), "\n")
		if err != nil || HasMarker(content) {
			return
		}
		if !p.Replace("data", content) {
			p.Append("data", content)
			if !strings.HasPrefix(string(p.Bytes()), text) {
				t.Fatalf("Append changed what stood there: %q became %q", text, p.Bytes())
			}
		}
		once := string(p.Bytes())
		q, err := Parse([]byte(once), "\n")
		if err != nil {
			t.Fatalf("%q became %q, which cannot be read: %v", text, once, err)
		}
		if !q.Replace("data", content) || string(q.Bytes()) != once {
			t.Errorf("the second time %q became %q", once, q.Bytes())
		}
	})
}
