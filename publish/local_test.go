package publish

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/hygiene"
	"github.com/hfpub/hfpub/validate/hygiene/gitattributes"
)

func TestTextOrBinary(t *testing.T) {
	for _, c := range []struct {
		name, content string
		binary        bool
	}{
		{"empty", "", false},
		{"ASCII", "a\tb\r\n", false},
		{"UTF-8 of two, three and four bytes", "ß€😀", false},
		{"a NUL", "a\x00b", true},
		{"a NUL after 8000 bytes", strings.Repeat("a", 8000) + "\x00", false},
		{"a NUL as byte 8000", strings.Repeat("a", 7999) + "\x00", true},
		{"Latin-1", "gr\xfc\xdfe", true},
		{"a rune cut off at the end", "abc\xe2\x82", true},
		{"a rune that goes on for too long", "\xff\xff\xff\xff", true},
		{"half of a surrogate pair", "\xed\xa0\x80", true},
		{"UTF-16", "a\x00b\x00", true},
	} {
		for _, size := range []int{1, 2, 3, 7, 4096, 1 << 20} {
			var kind textKind
			for block := range chunk([]byte(c.content), size) {
				kind.add(block)
			}
			if kind.binary() != c.binary {
				t.Errorf("%s, in blocks of %d: binary is %v, want %v", c.name, size, kind.binary(), c.binary)
			}
		}
	}
}

// chunk cuts bytes into blocks.
func chunk(b []byte, size int) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(b) > 0 {
			n := min(size, len(b))
			if !yield(b[:n]) {
				return
			}
			b = b[n:]
		}
	}
}

// The kind of a content does not depend on where its blocks end.
func FuzzTextKind(f *testing.F) {
	f.Add([]byte("größe\x00"), 3)
	f.Add([]byte("😀\xe2"), 1)
	f.Fuzz(func(t *testing.T, content []byte, size int) {
		if size < 1 || size > 1<<16 {
			return
		}
		var kind textKind
		for block := range chunk(content, size) {
			kind.add(block)
		}
		want := !utf8.Valid(content) || bytes.IndexByte(content[:min(len(content), 8000)], 0) >= 0
		if kind.binary() != want {
			t.Errorf("%q in blocks of %d: binary is %v, want %v", content, size, kind.binary(), want)
		}
	})
}

func TestMergeAttributes(t *testing.T) {
	for _, c := range []struct{ name, local, remote, want string }{
		{"the remote has it all", "*.a x\n", "*.b x\n*.a x\n*.c x\n", "*.b x\n*.a x\n*.c x\n"},
		{"the remote has nothing", "*.a x\n", "", "*.a x\n"},
		{"the local one says more", "*.a x\n*.z x\n", "*.b x\n*.a x\n# c\n\n", "*.b x\n# c\n*.a x\n*.z x\n"},
		{"another order here", "*.z x\n*.a x\n", "*.a x\n*.z x\n", "*.z x\n*.a x\n"},
		{"CR LF", "*.a x\r\n", "*.a x\n", "*.a x\n"},
		{"a byte order mark", "\ufeff*.a x\n", "*.b x\n", "*.b x\n*.a x\n"},
		{"no last line break", "*.a x", "*.b x", "*.b x\n*.a x"},
		{"empty here", "", "*.b x\n", "*.b x\n"},
	} {
		got := string(mergeAttributes(withoutMark([]byte(c.local)), []byte(c.remote)))
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if again := string(mergeAttributes(withoutMark([]byte(c.local)), []byte(got))); again != got {
			t.Errorf("%s: merged again it is %q, want it as it was: %q", c.name, again, got)
		}
	}
	if got := mergeAttributes(nil, []byte("*.b x\n")); string(got) != "*.b x\n" {
		t.Errorf("without a local file: %q, want the remote's", got)
	}
}

// FuzzMergeAttributes: no line is lost, local lines keep their order and come last, and merging again changes nothing.
func FuzzMergeAttributes(f *testing.F) {
	f.Add("*.a x\n*.b y\n", "*.b y\n# c\n*.a x\n", "data/x y.bin")
	f.Add("\ufeffa\r\n", "b", "#x")
	f.Fuzz(func(t *testing.T, local, remote, path string) {
		local, remote = string(withoutMark([]byte(local))), string(withoutMark([]byte(remote)))
		merged := mergeAttributes([]byte(local), []byte(remote))
		have := slices.Collect(lines(merged))
		for line := range lines([]byte(remote)) {
			if !slices.Contains(have, line) {
				t.Errorf("the line %q of the remote is gone from %q", line, merged)
			}
		}
		if !contains(merged, []byte(local)) {
			t.Errorf("the lines of %q do not stand in %q in their order", local, merged)
		}
		if again := mergeAttributes([]byte(local), merged); !bytes.Equal(again, merged) {
			t.Errorf("merged again %q became %q", merged, again)
		}
		if len(hygiene.Names([]release.TreeFile{{Path: path}})) > 0 || len(merged) > 1<<16 {
			return
		}
		for _, inLFS := range []bool{true, false} {
			files := attributes{"": merged}
			after := coverage{path: inLFS}.apply(files)
			if !bytes.HasPrefix(after, bytes.TrimRight(merged, "\r\n")) && !bytes.Contains(merged, []byte("hfpub")) {
				t.Errorf("%q became %q: what was there is changed", merged, after)
			}
			if got := gitattributes.Parse(after).LFS(path); got != inLFS && len(path) < 400 {
				t.Errorf("%q in LFS: %v, want %v, by\n%s", path, got, inLFS, after)
			}
		}
	})
}

func TestManaged(t *testing.T) {
	m := managedBy(&release.Repo{Configs: []release.Config{{Splits: []release.Split{
		{Patterns: []string{"data/*.jsonl", "./raw/**", "one.csv", "hf://datasets/x/*.csv", "bad[", "README.md",
			".hidden/x.jsonl", "*.txt", "{x,y}.tsv", "part-[!0-9].csv"},
			Files: []string{"data/train-00000-of-00002.csv.gz", "one.csv"}}}}}})
	for path, want := range map[string]bool{
		"data/a.jsonl": true, "data/b/a.jsonl": false, "data/a.csv": false, "raw/a/b/c.bin": true, "one.csv": true, "sub/one.csv": false,
		"notes.txt": true, "LICENSE.txt": false, "README.md": true, "raw/README.md": false, "raw/.gitattributes": false, ".gitattributes": false,
		"raw/.cache/x": false, "raw/__pycache__/x": false, ".hidden/x.jsonl": true, "raw/dataset_infos.json": false, "schema.md": false,
		// other shards of the same file
		"data/train-00007-of-00010.csv.gz": true, "data/train-00007-of-00010.csv": false, "data/test-00000-of-00002.csv.gz": false,
		"train-00000-of-00002.csv.gz": false,
		// as the loader reads patterns: braces stand for themselves
		"x.tsv": false, "{x,y}.tsv": true, "part-a.csv": true, "part-1.csv": false, "raw/config.json": false,
	} {
		if got := m.covers(path); got != want {
			t.Errorf("%s is owned by the release: %v, want %v", path, got, want)
		}
	}
}
