package lfspointer

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	oid1 = "097417381d6c7230bd9e3557456d726de6e83245ec8b24f529f60198a67b203a"
	oid2 = "a7a17d6d844b5de815ccab5f42cad6d24496db3850a2a43d8258221018ce87d2"
	head = "version https://git-lfs.github.com/spec/v1\n"
)

// The expected lengths and blob ids are those of pointers on the Hub.
func TestFormatGivesTheBytesThatTheHubStores(t *testing.T) {
	for _, c := range []struct {
		oid    string
		size   int64
		length int
		blob   string
	}{
		{oid1, 440473133, 134, "ba5d19791be1dd7992e33bd61f20207b0f7f50a5"},
		{oid2, 536063208, 134, "9eb98c817f04b051b3bcca591bcd4e03cec88018"},
	} {
		text := Format(c.oid, c.size)
		if len(text) != c.length {
			t.Errorf("pointer of %s has %d bytes, want %d", c.oid, len(text), c.length)
		}
		blob := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text))
		if got := hex.EncodeToString(blob[:]); got != c.blob {
			t.Errorf("git blob id of the pointer of %s is %s, want %s", c.oid, got, c.blob)
		}
		if p, ok := Parse(text); !ok || p != (Pointer{c.oid, c.size}) {
			t.Errorf("Parse(Format(%s, %d)) = %v, %v", c.oid, c.size, p, ok)
		}
	}
}

var parseCases = []struct {
	name string
	text string
	ok   bool
}{
	{"canonical", head + "oid sha256:" + oid1 + "\nsize 5\n", true},
	{"no last line break", head + "oid sha256:" + oid1 + "\nsize 5", true},
	{"CR LF", strings.ReplaceAll(head+"oid sha256:"+oid1+"\nsize 5\n", "\n", "\r\n"), true},
	{"space around it", "\n  " + head + "oid sha256:" + oid1 + "\nsize 5\n\n \n", true},
	{"blank lines inside", head + "\noid sha256:" + oid1 + "\n\nsize 5\n", true},
	{"an older name of the format", "version https://hawser.github.com/spec/v1\noid sha256:" + oid1 + "\nsize 5\n", true},
	{"the oldest name of the format", "version http://git-media.io/v/2\noid sha256:" + oid1 + "\nsize 5\n", true},
	{"an extension", head + "ext-0-foo sha256:" + oid2 + "\noid sha256:" + oid1 + "\nsize 5\n", true},
	{"extensions after the size", head + "oid sha256:" + oid1 + "\nsize 5\next-0-foo sha256:" + oid2 + "\n", false},
	{"two extensions of one priority", head + "ext-0-a sha256:" + oid2 + "\next-0-b sha256:" + oid2 + "\noid sha256:" + oid1 +
		"\nsize 5\n", false},
	{"two extensions", head + "ext-0-a sha256:" + oid2 + "\next-1-b sha256:" + oid2 + "\noid sha256:" + oid1 + "\nsize 5\n", true},
	{"an extension without oid", head + "ext-0-foo bar\noid sha256:" + oid1 + "\nsize 5\n", false},
	{"upper-case hex", head + "oid sha256:" + strings.ToUpper(oid1) + "\nsize 5\n", false},
	{"size 0", head + "oid sha256:" + oid1 + "\nsize 0\n", true},
	{"size with a plus sign", head + "oid sha256:" + oid1 + "\nsize +5\n", true},
	{"negative size", head + "oid sha256:" + oid1 + "\nsize -5\n", false},
	{"size that is no number", head + "oid sha256:" + oid1 + "\nsize 5 bytes\n", false},
	{"size beyond int64", head + "oid sha256:" + oid1 + "\nsize 9223372036854775808\n", false},
	{"no size", head + "oid sha256:" + oid1 + "\n", false},
	{"keys in another order", head + "size 5\noid sha256:" + oid1 + "\n", false},
	{"a fourth line", head + "oid sha256:" + oid1 + "\nsize 5\nmore 1\n", false},
	{"another hash", head + "oid sha512:" + oid1 + "\nsize 5\n", false},
	{"short oid", head + "oid sha256:abc\nsize 5\n", false},
	{"unknown version", "version https://git-lfs.github.com/spec/v2\noid sha256:" + oid1 + "\nsize 5\n", false},
	{"JSON Lines", "{\"version\": \"https://git-lfs.github.com/spec/v1\"}\n", false},
	{"byte order mark", "\ufeff" + head + "oid sha256:" + oid1 + "\nsize 5\n", false},
	{"1023 bytes", padded(1023), true},
}

// padded is a pointer with blank lines before it, n bytes in all.
func padded(n int) string {
	text := head + "oid sha256:" + oid1 + "\nsize 5\n"
	return strings.Repeat("\n", n-len(text)) + text
}

func TestParse(t *testing.T) {
	for _, c := range parseCases {
		t.Run(c.name, func(t *testing.T) {
			p, ok := Parse([]byte(c.text))
			if ok != c.ok {
				t.Fatalf("Parse says %v, want %v, of\n%s", ok, c.ok, c.text)
			}
			if ok && p.OID != oid1 {
				t.Errorf("oid %s, want %s", p.OID, oid1)
			}
		})
	}
}

func TestParseRefusesOneKiBAndMore(t *testing.T) {
	if _, ok := Parse([]byte(padded(1024))); ok {
		t.Error("a text of 1024 bytes was taken for a pointer; pointers are shorter")
	}
	if _, ok := Parse(nil); ok {
		t.Error("the empty file was taken for a pointer")
	}
}

func TestParseAgreesWithGitLFS(t *testing.T) {
	if err := exec.Command("git", "lfs", "version").Run(); err != nil {
		t.Skip("git-lfs is not installed")
	}
	dir := t.TempDir()
	for i, c := range parseCases {
		file := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("git", "lfs", "pointer", "--check", "--file", file)
		cmd.Dir = dir
		err := cmd.Run()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if want := err == nil; want != c.ok {
			t.Errorf("%s: git lfs pointer --check says %v, Parse %v", c.name, want, c.ok)
		}
	}
}

func TestDetect(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string][]byte{
		"pointer.jsonl": Format(oid1, 20480), "rows.jsonl": []byte("{}\n"), "big.jsonl": []byte(padded(2000)), "empty.jsonl": nil,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for path, want := range map[string]bool{"pointer.jsonl": true, "rows.jsonl": false, "big.jsonl": false, "empty.jsonl": false, ".": false} {
		p, ok, err := Detect(root, path)
		if err != nil || ok != want {
			t.Errorf("Detect(%s) = %v, %v; want %v", path, ok, err, want)
		}
		if ok && p != (Pointer{oid1, 20480}) {
			t.Errorf("Detect(%s) found %v", path, p)
		}
	}
	if _, _, err := Detect(root, "absent"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Detect of an absent file: %v, want fs.ErrNotExist", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range parseCases {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, ok := Parse(text)
		if !ok {
			return
		}
		again, ok := Parse(Format(p.OID, p.Size))
		if !ok || again != p {
			t.Errorf("%q reads as %v, but its canonical form as %v, %v", text, p, again, ok)
		}
	})
}
