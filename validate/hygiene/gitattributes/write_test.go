package gitattributes

import (
	"bytes"
	"io/fs"
	"strings"
	"testing"
)

var nastyPaths = []string{
	"data/train.jsonl", "a b.bin", "a[x].bin", "a*.bin", "a?.bin", `a\b.bin`, `a"b.bin`, "#a.bin", "!a.bin", "é.bin", "a  b.bin", "[attr]x",
	"-text", "a\tb.bin", "a\nb.bin", "a\rb", "a\x7fb", "]", "data/**/x", "x filter=lfs", "\xff\xfe", " ", "**", "data/[!a]/[[:alpha:]]",
}

var decoys = []string{
	"other/data/train.jsonl", "a-b.bin", "ax.bin", "aa.bin", "ab.bin", "a/b.bin", "x/#a.bin", "x/!a.bin", "e.bin", "sub/a b.bin", "text", "x",
	"data/q/x", "data/x", "data/b/c", "-", "sub/ ",
}

func TestLineMatchesItsPathAlone(t *testing.T) {
	for _, path := range nastyPaths {
		a := Parse([]byte(Line(path) + "\n"))
		if !a.LFS(path) {
			t.Errorf("%q is not put into LFS by its own line %q", path, Line(path))
		}
		for _, other := range append(decoys, nastyPaths...) {
			blank := strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")
			if blank.Replace(other) != path && other != path && a.LFS(other) {
				t.Errorf("the line of %q, %q, puts %q into LFS too", path, Line(path), other)
			}
		}
	}
}

func TestGitReadsLinesTheSameWay(t *testing.T) {
	text := Append([]byte("*.png -text\n"), linesOf(nastyPaths))
	compare(t, map[string][]byte{"": text}, append(decoys, nastyPaths...))
}

func linesOf(paths []string) (lines []string) {
	for _, path := range paths {
		lines = append(lines, Line(path))
	}
	return lines
}

func TestLineIsWrittenAsGitLFSWritesIt(t *testing.T) {
	for path, want := range map[string]string{
		"data/my file[1].jsonl": `/data/my[[:space:]]file\[1\].jsonl filter=lfs diff=lfs merge=lfs -text`,
		"a\tb":                  `"/a\011b" filter=lfs diff=lfs merge=lfs -text`,
	} {
		if got := Line(path); got != want {
			t.Errorf("Line(%q) = %s, want %s", path, got, want)
		}
	}
}

func TestAppend(t *testing.T) {
	jsonl := "*.jsonl " + LFS
	for _, c := range []struct {
		name     string
		existing string
		lines    []string
		want     string
	}{
		{"to nothing", "", []string{jsonl}, "# hfpub: begin\n" + jsonl + "\n# hfpub: end\n"},
		{"after what is there", "*.bin filter=lfs\n\n", []string{jsonl}, "*.bin filter=lfs\n\n# hfpub: begin\n" + jsonl + "\n# hfpub: end\n"},
		{"after a last line without line break", "*.bin filter=lfs", []string{jsonl},
			"*.bin filter=lfs\n# hfpub: begin\n" + jsonl + "\n# hfpub: end\n"},
		{"with the file's line ends", "*.bin filter=lfs\r\n", []string{jsonl}, "*.bin filter=lfs\r\n# hfpub: begin\r\n" + jsonl + "\r\n# hfpub: end\r\n"},
		{"into the block that is there", "# hfpub: begin\n/a filter=lfs\n# hfpub: end\n\n# mine\n", []string{jsonl},
			"# hfpub: begin\n/a filter=lfs\n" + jsonl + "\n# hfpub: end\n\n# mine\n"},
		{"after later lines, which would win", "# hfpub: begin\n/a filter=lfs\n# hfpub: end\n*.jsonl -filter\n", []string{jsonl},
			"# hfpub: begin\n/a filter=lfs\n# hfpub: end\n*.jsonl -filter\n# hfpub: begin\n" + jsonl + "\n# hfpub: end\n"},
		{"after a block that is not closed", "# hfpub: begin\n/a filter=lfs\n", []string{jsonl},
			"# hfpub: begin\n/a filter=lfs\n# hfpub: begin\n" + jsonl + "\n# hfpub: end\n"},
		{"nothing new", jsonl + "\n", []string{jsonl}, jsonl + "\n"},
		{"the same pattern in other words", "*.jsonl filter=lfs\n", []string{jsonl}, "*.jsonl filter=lfs\n"},
		{"a path that a pattern covers", "*.jsonl filter=lfs\n", []string{Line("data/a.jsonl")}, "*.jsonl filter=lfs\n"},
		{"a path with a blank that a pattern covers", "*.jsonl filter=lfs\n", []string{Line("data/a b.jsonl")}, "*.jsonl filter=lfs\n"},
		{"a path that a new pattern covers", "", []string{jsonl, Line("data/a.jsonl"), jsonl}, "# hfpub: begin\n" + jsonl + "\n# hfpub: end\n"},
		{"a pattern that was taken back", jsonl + "\n*.jsonl -filter\n", []string{jsonl},
			jsonl + "\n*.jsonl -filter\n# hfpub: begin\n" + jsonl + "\n# hfpub: end\n"},
		{"another rule for the same pattern", jsonl + "\n", []string{"*.jsonl -filter"}, jsonl + "\n# hfpub: begin\n*.jsonl -filter\n# hfpub: end\n"},
		{"a comment is no rule", "", []string{"# *.jsonl filter=lfs", ""}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := string(Append([]byte(c.existing), c.lines))
			if got != c.want {
				t.Errorf("Append gave\n%s\nwant\n%s", got, c.want)
			}
			if again := string(Append([]byte(got), c.lines)); again != got {
				t.Errorf("a second Append changed it to\n%s", again)
			}
		})
	}
}

func FuzzAppend(f *testing.F) {
	f.Add([]byte("*.bin filter=lfs\n# hfpub: begin\n/a b filter=lfs\n# hfpub: end\n*.x -filter\n"), "data/a b.jsonl", "*.jsonl")
	f.Add([]byte("\ufeff\"a\\\t filter=lfs\r\n[attr]filter filter=lfs"), "!#[x]\\\"", "data/**/[!a]?*")
	f.Fuzz(func(t *testing.T, existing []byte, path, glob string) {
		lines := []string{Line(path), glob + " " + LFS}
		got := Append(existing, lines)
		kept := 0
		for kept < len(existing) && existing[kept] == got[kept] {
			kept++
		}
		if !bytes.HasSuffix(got, existing[kept:]) {
			t.Fatalf("bytes were lost: %q became %q", existing, got)
		}
		if again := Append(got, lines); !bytes.Equal(again, got) {
			t.Fatalf("a second Append changed %q to %q", got, again)
		}
		if !fs.ValidPath(path) || strings.Contains(path, "\x00") || len(Line(path)) >= lineLimit {
			return
		}
		if !Parse(Append(existing, lines[:1])).LFS(path) {
			t.Fatalf("%q is not in LFS after Append to %q", path, existing)
		}
	})
}

func FuzzLFS(f *testing.F) {
	f.Add([]byte("a/**/b filter=lfs\n\"x\\303\" -filter\n[attr]m filter=lfs\n[[:foo:]]*[!a-]m m\n"), "a/x/b")
	f.Fuzz(func(t *testing.T, text []byte, path string) {
		a := Parse(text)
		a.LFS(path)
		for _, line := range parse(text) {
			if len(line.rule.pattern.tokens) > 12 || len(path) > 24 || line.rule.pattern.never {
				continue
			}
			subject := path
			if !line.rule.pattern.anchored {
				_, subject = cutLast(path)
			}
			if got, want := match(line.rule.pattern.tokens, subject), slowMatch(line.rule.pattern.tokens, subject); got != want {
				t.Errorf("match(%q, %q) = %v, want %v", line.rule.pattern.text, subject, got, want)
			}
		}
	})
}

// slowMatch tries everything.
func slowMatch(tokens []token, text string) bool {
	if len(tokens) == 0 {
		return text == ""
	}
	first, rest := tokens[0], tokens[1:]
	if first.kind == one {
		return text != "" && first.set.has(text[0]) && slowMatch(rest, text[1:])
	}
	for n := 0; n <= len(text); n++ {
		taken := text[:n]
		ok := first.kind == deep || first.kind == star && !strings.Contains(taken, "/") ||
			first.kind == folders && (n == 0 || strings.HasSuffix(taken, "/"))
		if ok && slowMatch(rest, text[n:]) {
			return true
		}
	}
	return false
}
