package gitattributes

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// gitSays asks git for the attribute filter of paths, in a repository with the given .gitattributes files.
func gitSays(t *testing.T, texts map[string][]byte, paths []string) map[string]bool {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	run := func(stdin string, args ...string) []byte {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1", "LC_ALL=C")
		cmd.Stdin = strings.NewReader(stdin)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return out
	}
	run("", "init", "--quiet")
	for folder, text := range texts {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, folder, ".gitattributes"), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out := run(strings.Join(paths, "\x00")+"\x00", "check-attr", "--stdin", "-z", "filter")
	said := map[string]bool{}
	for triple := range slices.Chunk(bytes.Split(bytes.TrimSuffix(out, []byte{0}), []byte{0}), 3) {
		said[string(triple[0])] = string(triple[2]) == "lfs"
	}
	if len(said) != len(paths) {
		t.Fatalf("git answered for %d paths of %d", len(said), len(paths))
	}
	return said
}

// compare reports whether the case can tell a good matcher from a bad one: some paths are in LFS and some are not.
func compare(t *testing.T, texts map[string][]byte, paths []string) (telling bool) {
	t.Helper()
	a := ParseTree(texts)
	hits := 0
	for path, want := range gitSays(t, texts, paths) {
		if got := a.LFS(path); got != want {
			t.Errorf("%q: LFS says %v, git %v, with %q", path, got, want, texts)
		}
		if want {
			hits++
		}
	}
	return hits > 0 && hits < len(paths)
}

// pick draws a word of one to n pieces.
func pick(r *rand.Rand, n int, pieces []string) string {
	var b strings.Builder
	for range 1 + r.IntN(n) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func TestAgreesWithGitOnRandomFiles(t *testing.T) {
	globs := []string{"a", "b", "c", "a", "b", "/", "/", ".x", "*", "*", "**", "**/", "/**", "/**/", "?", "[ab]", "[!a]", "[a-c]", "[^b-]", "[]a]",
		"[[:alpha:]]", "[[:space:]]", "[[:digit:]b]", "[[:foo:]]", "[a", `\*`, `\a`, `\/`, `\`, "-", "1", "é", `"`, "!", "#", " ", "[[:]", "[b-\\]]"}
	attributes := []string{" filter=lfs", " filter=lfs", " filter=lfs diff=lfs merge=lfs -text", " -filter", " !filter", " filter=other", " big",
		" -big", " binary", " filter", "\tfilter=lfs", " filter=lfs a/b", " small=1"}
	names := []string{"a", "b", "a", "b", "a", "c", "ab", "bc", "abc", "a.x", "b.x", "1", "a1", "-", "*", "a*", "?", " ", "a b", "[", "[a]", "]", "é", `"`, "!a", "#a", `\`, "b-"}
	const seeds = 24
	telling := 0
	for seed := range uint64(seeds) {
		r := rand.New(rand.NewPCG(seed, 1))
		file := func(lines int) []byte {
			var b strings.Builder
			for range lines {
				pattern := []string{"a", "b", "*", "a*", "?", "/a/", "a/", "b/"}[r.IntN(8)] + pick(r, 3, globs)
				switch r.IntN(12) {
				case 0:
					pattern = `"` + pattern + `"`
				case 1:
					pattern = "[attr]" + []string{"big", "binary", "a/b"}[r.IntN(3)]
				case 2:
					pattern = "# " + pattern
				}
				b.WriteString(pattern + attributes[r.IntN(len(attributes))] + []string{"\n", "\n", "\r\n"}[r.IntN(3)])
			}
			return []byte(b.String())
		}
		texts := map[string][]byte{"": file(12), "a": file(4), "a/b": file(3)}
		seen := map[string]bool{}
		for len(seen) < 150 {
			parts := make([]string, 1+r.IntN(4))
			for i := range parts {
				parts[i] = names[r.IntN(len(names))]
			}
			seen[strings.Join(parts, "/")] = true
		}
		paths := make([]string, 0, len(seen))
		for path := range seen {
			paths = append(paths, path)
		}
		if compare(t, texts, paths) {
			telling++
		}
	}
	if telling < seeds/3 {
		t.Errorf("only %d of %d random cases have paths in LFS and others: draw better ones", telling, seeds)
	}
}

// One pattern in each folder's file, so that no other line hides a difference.
func TestAgreesWithGitOnSinglePatterns(t *testing.T) {
	pieces := []string{"a", "b", "/", "*", "**", "?", "[ab]", "[!a]", `\a`, `\/`, ".x"}
	names := []string{"a", "b", "ab", "ba", "a.x", "aab"}
	for seed := range uint64(2) {
		r := rand.New(rand.NewPCG(seed, 1))
		texts := map[string][]byte{}
		var paths []string
		for i := range 150 {
			folder := fmt.Sprintf("r%d", i)
			texts[folder] = []byte(pick(r, 6, pieces) + " filter=lfs\n")
			for _, one := range names {
				paths = append(paths, folder+"/"+one)
				for _, two := range names {
					paths = append(paths, folder+"/"+one+"/"+two, folder+"/"+one+"/a/"+two, folder+"/"+one+"/ab/b/"+two)
				}
			}
		}
		compare(t, texts, paths)
	}
}

func TestAgreesWithGitOnClasses(t *testing.T) {
	texts := map[string][]byte{}
	var paths []string
	for _, class := range []string{"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit"} {
		texts[class] = []byte("[[:" + class + ":]] filter=lfs\n")
		texts["not-"+class] = []byte("[![:" + class + ":]] filter=lfs\n")
		for c := 1; c < 256; c++ {
			if c != '/' && c != '.' {
				paths = append(paths, class+"/"+string([]byte{byte(c)}), "not-"+class+"/"+string([]byte{byte(c)}))
			}
		}
	}
	compare(t, texts, paths)
}
