package gitattributes

import (
	"strings"
	"testing"
)

func TestLFS(t *testing.T) {
	for _, c := range []struct {
		name    string
		text    string
		matches []string
		misses  []string
	}{
		{"a pattern without slash is a file name at any depth", "*.bin filter=lfs\n",
			[]string{"x.bin", "a/b/x.bin", ".bin"}, []string{"x.bin.txt", "x.bins", "bin"}},
		{"a literal name at any depth", "tokenizer.json filter=lfs\n",
			[]string{"tokenizer.json", "a/tokenizer.json"}, []string{"my-tokenizer.json", "tokenizer.json/x"}},
		{"a pattern with a slash starts at the file's folder", "data/*.jsonl filter=lfs\n",
			[]string{"data/x.jsonl"}, []string{"data/a/x.jsonl", "my/data/x.jsonl", "x.jsonl"}},
		{"a leading slash anchors", "/x.jsonl filter=lfs\n", []string{"x.jsonl"}, []string{"a/x.jsonl"}},
		{"two stars and a slash are any folders", "**/x.jsonl filter=lfs\n", []string{"x.jsonl", "a/b/x.jsonl"}, []string{"ax.jsonl"}},
		{"a slash and two stars are all below", "data/** filter=lfs\n", []string{"data/x", "data/a/b/x"}, []string{"data", "my/data/x"}},
		{"two stars between slashes", "a/**/b filter=lfs\n", []string{"a/b", "a/x/b", "a/x/y/b"}, []string{"ab", "a/xb", "x/a/b"}},
		{"two stars inside a name are one", "a/x**y filter=lfs\n", []string{"a/x1y"}, []string{"b/x1y"}},
		{"a rule of every model repo", "saved_model/**/* filter=lfs\n",
			[]string{"saved_model/x", "saved_model/a/b/c"}, []string{"saved_models/x", "x/saved_model/a"}},
		{"folders that look like files", "data/**/s-* filter=lfs\n", []string{"data/s-1/s-2", "data/s-1", "data/x/s-1"}, []string{"data/s-1/x"}},
		{"a pattern of a folder matches no file", "data/ filter=lfs\n", nil, []string{"data", "data/x"}},
		{"spaces as git-lfs writes them", "my[[:space:]]file.bin filter=lfs\n", []string{"my file.bin", "a/my\tfile.bin"}, []string{"my-file.bin"}},
		{"a set", "s[0-2x].bin filter=lfs\n", []string{"s0.bin", "s2.bin", "sx.bin"}, []string{"s3.bin", "s.bin"}},
		{"a set turned round", "s[!0-9].bin filter=lfs\n", []string{"sx.bin"}, []string{"s0.bin"}},
		{"a set with a caret", "s[^0-9].bin filter=lfs\n", []string{"sx.bin"}, []string{"s0.bin"}},
		{"a set with a closing bracket", "s[]a].bin filter=lfs\n", []string{"s].bin", "sa.bin"}, []string{"sb.bin"}},
		{"a set never matches a slash", "a[!x]b filter=lfs\nc/[/]d filter=lfs\n", []string{"a-b"}, []string{"a/b", "c//d"}},
		{"a set that is not closed", "s[ab filter=lfs\n", nil, []string{"sa", "s[ab"}},
		{"a class that nobody knows", "s[[:foo:]] filter=lfs\n", nil, []string{"sf", "s:"}},
		{"a question mark is one byte", "s?.bin filter=lfs\n", []string{"s1.bin"}, []string{"s12.bin", "s.bin"}},
		{"a backslash takes the meaning away", `s\*.bin filter=lfs` + "\n" + `\!x filter=lfs` + "\n" + `\#y filter=lfs`,
			[]string{"s*.bin", "!x", "#y"}, []string{"s1.bin", "x"}},
		{"a backslash at the end", `s\ filter=lfs`, nil, []string{"s", `s\`}},
		{"a quoted pattern", `"a b\t\"\\\\\303\251" filter=lfs`, []string{"a b\t\"\\é"}, []string{"a"}},
		{"a quote that is not closed", `"a filter=lfs`, []string{`"a`}, []string{"a"}},
		{"a negative pattern is ignored", "!x.bin filter=lfs\n", nil, []string{"x.bin", "!x.bin"}},
		{"the last line that matches wins", "*.bin filter=lfs\nx.bin -filter\n", []string{"y.bin"}, []string{"x.bin"}},
		{"the last line wins the other way", "x.bin -filter\n*.bin filter=lfs\n", []string{"x.bin"}, nil},
		{"a later line about other attributes changes nothing", "*.bin filter=lfs\nx.bin -text\n", []string{"x.bin"}, nil},
		{"taken back", "* filter=lfs\nx !filter\n", []string{"y"}, []string{"x"}},
		{"another filter", "* filter=lfs\nx filter=crypt\ny filter\n", []string{"z"}, []string{"x", "y"}},
		{"the last word of a line wins", "x filter=crypt filter=lfs\ny filter=lfs -filter\n", []string{"x"}, []string{"y"}},
		{"a macro", "[attr]big filter=lfs -text\n*.bin big\ny.bin -big\n", []string{"x.bin"}, []string{"x", "y.bin"}},
		{"a macro taken back", "*.bin -big\n[attr]big filter=lfs\n", nil, []string{"x.bin"}},
		{"a macro in a macro", "[attr]a b\n[attr]b filter=lfs a\n*.bin a\n", []string{"x.bin"}, nil},
		{"binary has nothing to do with LFS", "* filter=lfs\nx binary\n", []string{"x"}, nil},
		{"binary may be defined anew", "[attr]binary filter=lfs\nx binary\n", []string{"x"}, nil},
		{"comments, blank lines and leading blanks", "# *.a filter=lfs\n\n \t*.b filter=lfs\n  # *.c filter=lfs\n", []string{"x.b"}, []string{"x.a", "x.c"}},
		{"CR LF", "*.bin filter=lfs\r\n*.pt filter=lfs\r\n", []string{"x.bin", "x.pt"}, nil},
		{"a byte order mark", "\ufeff*.bin filter=lfs\n", []string{"x.bin"}, nil},
		{"no last line break", "*.bin filter=lfs", []string{"x.bin"}, nil},
		{"a bad name spoils its line", "*.bin filter=lfs a/b\n*.pt filter=lfs --x\n", nil, []string{"x.bin", "x.pt"}},
		{"a line of 2048 bytes is too long", "*.bin filter=lfs " + strings.Repeat("x", 2048-17) + "\n*.pt filter=lfs " +
			strings.Repeat("x", 2047-16) + "\n", []string{"x.pt"}, []string{"x.bin"}},
		{"upper case is another name", "*.bin filter=lfs\n", nil, []string{"x.BIN"}},
		{"the filter's value is lfs and nothing else", "*.a filter=LFS\n*.b filter=lfs2\n*.c filter=\n*.d filter = lfs\n", nil,
			[]string{"x.a", "x.b", "x.c", "x.d"}},
		{"stars after the literal start cross slashes", "a/b**/c filter=lfs\n", []string{"a/bc", "a/bx/y/c"}, []string{"a/c"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := Parse([]byte(c.text))
			for _, path := range c.matches {
				if !a.LFS(path) {
					t.Errorf("%q should be in LFS by\n%s", path, c.text)
				}
			}
			for _, path := range c.misses {
				if a.LFS(path) {
					t.Errorf("%q should not be in LFS by\n%s", path, c.text)
				}
			}
		})
	}
}

func TestDeeperFilesWin(t *testing.T) {
	a := ParseTree(map[string][]byte{
		"":         []byte("*.jsonl filter=lfs\n[attr]big filter=lfs\n"),
		"raw":      []byte("/x.jsonl -filter\n*.csv filter=lfs\n"),
		"raw/deep": []byte("*.jsonl filter=lfs\n[attr]huge filter=lfs\n*.a huge\n*.b big\n"),
	})
	for path, want := range map[string]bool{
		"x.jsonl":          true,
		"raw/x.jsonl":      false,
		"raw/y.jsonl":      true,
		"raw/deep/x.jsonl": true,
		"raw/deep/z.csv":   true,
		"z.csv":            false,
		"rawer/z.csv":      false,
		"raw/deep/x.a":     false,
		"raw/deep/x.b":     true,
	} {
		if got := a.LFS(path); got != want {
			t.Errorf("LFS(%s) = %v, want %v", path, got, want)
		}
	}
}

// The time must not explode with the number of stars.
func TestManyStars(t *testing.T) {
	name := strings.Repeat("a", 4000)
	for _, pattern := range []string{strings.Repeat("*a", 500) + "b", "x/" + strings.Repeat("**/a*", 300) + "b"} {
		if Parse([]byte(pattern + " filter=lfs\n")).LFS("x/" + strings.Repeat("a/", 2000) + name) {
			t.Errorf("%.20s… matches a name without b", pattern)
		}
	}
}
