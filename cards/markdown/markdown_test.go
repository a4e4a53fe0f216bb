package markdown

import (
	"regexp"
	"strings"
	"testing"
)

func TestCode(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "id", "`id`"},
		{"pipe", "answer|choice", "`answer|choice`"},
		{"backtick inside", "a`b", "``a`b``"},
		{"backtick at an end", "`a", "`` `a ``"},
		{"two backticks", "a``b`", "``` a``b` ```"},
		{"blank at both ends", " a ", "`  a  `"},
		{"blank at one end", " a", "` a`"},
		{"only blanks", "  ", "`  `"},
		{"nothing", "", "<code></code>"},
		{"stars and tags", "*a* <b> &amp;", "`*a* <b> &amp;`"},
		{"line breaks", "a\r\nb\nc", "`a b c`"},
		{"control characters", "a\tb\x00c\u2028", "`a\\tb\\u0000c\\u2028`"},
		{"backslash before a pipe", `a\|b`, "<code>a&#92;&#124;b</code>"},
		{"not UTF-8", "a\xffb", "`a\uFFFDb`"},
		{"Chinese", "茶", "`茶`"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Code(tt.in); got != tt.want {
				t.Errorf("Code(%q) = %s, expected %s", tt.in, got, tt.want)
			}
		})
	}
}

func TestInline(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"Markdown stays", "Tea 🍵, in *stars* and `ticks`.", "Tea 🍵, in *stars* and `ticks`."},
		{"line breaks", "Either way |\nor both.\r\n\r\nYes.\n", "Either way | or both. Yes."},
		{"a tag", "the <name> of x", `the \<name> of x`},
		{"a tag in code", "write `<name>` or ``a`<b>``", "write `<name>` or ``a`<b>``"},
		{"a tag after a lone backtick", "a ` b <c>", "a ` b \\<c>"},
		{"an escaped tag", `a \<b`, `a \<b`},
		{"a comment", "<!-- hidden -->", `\<!-- hidden -->`},
		{"backslash at the end", `a\`, `a\`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Inline(tt.in); got != tt.want {
				t.Errorf("Inline(%q) = %s, expected %s", tt.in, got, tt.want)
			}
		})
	}
}

func TestText(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "Grade School Math 8K", "Grade School Math 8K"},
		{"underscores inside words", "my_data_set", "my_data_set"},
		{"underscores around words", "_my_ data", `\_my\_ data`},
		{"marks", "*a* [b] `c` <d> a|b", "\\*a\\* \\[b\\] \\`c\\` \\<d\\> a\\|b"},
		{"closing mark of a heading", "C # and F#", `C \# and F#`},
		{"line break", "two\nlines", "two lines"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Text(tt.in); got != tt.want {
				t.Errorf("Text(%q) = %s, expected %s", tt.in, got, tt.want)
			}
		})
	}
}

// border is where a reader of GFM tables sees the end of a cell.
var border = regexp.MustCompile(`(?:\\.|[^|\\])*`)

func FuzzCellsStayOneCell(f *testing.F) {
	for _, s := range []string{"a|b", `a\|b`, `a\\|b`, "`a|b`", "``|`|", "a\nb", "|", `\`, "`\\|`", "<|>", "\u2028|", "\x0b|\x1c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for name, cell := range map[string]string{"Code": Cell(Code(s)), "Inline": Cell(Inline(s)), "Text": Cell(Text(s))} {
			if got := border.FindString(cell); got != strings.TrimSuffix(cell, `\`) && got != cell {
				t.Errorf("%s(%q) gives the cell %q, which ends after %q", name, s, cell, got)
			}
			if strings.ContainsAny(cell, "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029") {
				t.Errorf("%s(%q) gives the cell %q, which holds a line break", name, s, cell)
			}
		}
	})
}

func TestCount(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 15630: "15,630", 123456789: "123,456,789", -1000: "-1,000"} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %s, expected %s", n, got, want)
		}
	}
}
