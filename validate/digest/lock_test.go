package digest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func count(n int64) *int64 { return &n }

func hex64(c string) string { return strings.Repeat(c, 64) }

// teaLock is a small lock; every call gives a new one.
func teaLock() *Lock {
	return &Lock{
		Version: 1,
		Release: LockedRelease{Name: "tea-notes", Version: "1.0.0"},
		Repos: []LockedRepo{{
			ID: "acme/tea-notes", Type: "dataset",
			Configs: []LockedConfig{{Name: "default", Splits: []LockedSplit{
				{Name: "train", Rows: count(7473), Digest: &Digest{hex64("a"), hex64("b")}, Files: []LockedFile{
					{Path: "data/train-0.jsonl", Bytes: 100, Rows: count(7000), SHA256: hex64("1")},
					{Path: "data/train-1.jsonl", Bytes: 10, Rows: count(473), SHA256: hex64("2")},
				}},
				{Name: "test", Files: []LockedFile{{Path: "data/test.parquet", Bytes: 5, SHA256: hex64("3")}}},
			}}},
			Files: []LockedFile{{Path: "LICENSE", Bytes: 7, SHA256: hex64("4")}, {Path: "README.md", Bytes: 1, SHA256: hex64("5")}},
		}, {ID: "acme/tea-quiz", Type: "dataset", Status: "pending", Configs: []LockedConfig{}, Files: []LockedFile{{Path: "README.md", Bytes: 1, SHA256: hex64("6")}}}},
	}
}

func TestLockIsWrittenAndRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hfpub.lock")
	lock := teaLock()
	if err := lock.Write(path); err != nil {
		t.Fatal(err)
	}
	got, err := ReadLock(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(lock, got); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
}

func TestLockText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hfpub.lock")
	lock := &Lock{Version: 1, Release: LockedRelease{"a <b> & c", ""}, Repos: []LockedRepo{{ID: "x",
		Configs: []LockedConfig{{Name: "default", Splits: []LockedSplit{{Name: "train", Rows: count(0), Digest: &Digest{hex64("a"), hex64("b")}}}}},
		Files:   []LockedFile{{Path: "b", SHA256: hex64("2")}, {Path: "a", Bytes: 1, SHA256: hex64("1")}}}}}
	if err := lock.Write(path); err != nil {
		t.Fatal(err)
	}
	want := `{
  "version": 1,
  "release": {
    "name": "a <b> & c",
    "version": ""
  },
  "repos": [
    {
      "id": "x",
      "configs": [
        {
          "name": "default",
          "splits": [
            {
              "name": "train",
              "rows": 0,
              "digest": {
                "sequence": "` + hex64("a") + `",
                "set": "` + hex64("b") + `"
              },
              "files": []
            }
          ]
        }
      ],
      "files": [
        {
          "path": "a",
          "bytes": 1,
          "sha256": "` + hex64("1") + `"
        },
        {
          "path": "b",
          "bytes": 0,
          "sha256": "` + hex64("2") + `"
        }
      ]
    }
  ]
}
`
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("hfpub.lock (-want +got):\n%s", diff)
	}
	if lock.Repos[0].Files[0].Path != "b" {
		t.Error("Write must not change the lock it writes")
	}
}

func TestWriteRefusesWhatCannotBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hfpub.lock")
	wrongHash, latin1 := teaLock(), teaLock()
	wrongHash.Repos[0].Files[0].SHA256 = "short"
	latin1.Repos[0].Files[0].Path = "caf\xe9"
	for _, lock := range []*Lock{wrongHash, latin1} {
		if err := lock.Write(path); err == nil {
			t.Errorf("a lock with the file %+v was written", lock.Repos[0].Files[0])
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("stat: %v, want no file", err)
	}
}

func TestReadLockRefuses(t *testing.T) {
	split := func(s string) string {
		return `{"version":1,"release":{"name":"","version":""},"repos":[{"id":"r","configs":[{"name":"c","splits":[` + s + `]}],"files":[]}]}`
	}
	file := func(s string) string { return split(`{"name":"s","files":[` + s + `]}`) }
	tests := []struct {
		name, text string // ^ marks the place
		message    string
		newer      bool
	}{
		{"not JSON", "{\n \"version\": 1^,\n}", "trailing comma before }", false},
		{"empty", "^", "no value", false},
		{"conflict markers", "^<<<<<<< HEAD\n", "expected a value, found <", false},
		{"newer", `{"version": ^2, "more": []}`, "the lock has version 2, and this hfpub reads 1", true},
		{"version as text", `{"version": ^"1"}`, "expected version 1", false},
		{"version 0", `{"version": ^0}`, "expected version 1", false},
		{"version 1.0", `{"version": ^1.0}`, "expected version 1", false},
		{"an array", `^[]`, "expected an object", false},
		{"unknown key", `{"version":1,^"Release":{}}`, `unknown key "Release"`, false},
		{"missing key", `{"version":1,"release":^{"name":""},"repos":[]}`, `the key "version" is missing`, false},
		{"key twice", `{"version":1,^"version":1}`, `key "version" stands more than once in one object`, false},
		{"number as name", split(`{"name":^1,"files":[]}`), "expected a text", false},
		{"empty name", split(`{"name":^"","files":[]}`), "expected a text that is not empty", false},
		{"a status that is none", `{"version":1,"release":{"name":"","version":""},"repos":[{"id":"a/b","status":^"public","configs":[],"files":[]}]}`,
			"expected pending or withheld, or no status for a repo that is public", false},
		{"null for files", split(`{"name":"s","files":^null}`), "expected an array", false},
		{"rows below zero", split(`{"name":"é","rows":^-1,"files":[]}`), "expected a count", false},
		{"rows with a point", split(`{"name":"s","rows":^1.0,"files":[]}`), "expected a count", false},
		{"rows beyond int64", split(`{"name":"s","rows":^9223372036854775808,"files":[]}`), "expected a count", false},
		{"short digest", split(`{"name":"s","digest":{"sequence":^"ab","set":"ab"},"files":[]}`), "expected 64 hex digits in small letters", false},
		{"capitals in a hash", file(`{"path":"p","bytes":1,"sha256":^"` + hex64("A") + `"}`), "expected 64 hex digits in small letters", false},
		{"file without a hash", file(`^{"path":"p","bytes":1}`), `the key "sha256" is missing`, false},
		{"split twice", split(`{"name":"s","files":[]},^{"name":"s","files":[]}`), `"s" stands twice`, false},
		{"text behind", `{"version":1,"release":{"name":"","version":""},"repos":[]} ^x`, "text behind the value: x", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before, after, _ := strings.Cut(tt.text, "^")
			lines := strings.Split(before, "\n")
			at := fmt.Sprintf("%d:%d", len(lines), utf8.RuneCountInString(lines[len(lines)-1])+1)
			path := filepath.Join(t.TempDir(), "hfpub.lock")
			if err := os.WriteFile(path, []byte(before+after), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := ReadLock(path)
			var bad *LockError
			if !errors.As(err, &bad) {
				t.Fatalf("error %v, want a LockError", err)
			}
			if got := fmt.Sprintf("%d:%d", bad.Line, bad.Column); got != at || bad.Message != tt.message || bad.Newer != tt.newer || bad.Hint == "" {
				t.Errorf("error %q, newer %v, want %q at %s, newer %v", bad, bad.Newer, tt.message, at, tt.newer)
			}
			if !strings.HasPrefix(err.Error(), path+":"+at+": ") {
				t.Errorf("error %q, want it to begin with the place", err)
			}
		})
	}
}

func TestReadLockThatIsNotThere(t *testing.T) {
	if _, err := ReadLock(filepath.Join(t.TempDir(), "hfpub.lock")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want one that is fs.ErrNotExist", err)
	}
}

func TestCompare(t *testing.T) {
	train := func(l *Lock) *LockedSplit { return &l.Repos[0].Configs[0].Splits[0] }
	const repo = "acme/tea-notes"
	tests := []struct {
		name   string
		change func(now *Lock)
		want   []string // repo config split path: message
	}{
		{"nothing", func(*Lock) {}, nil},
		{"a row less", func(now *Lock) {
			s := train(now)
			s.Rows, s.Digest = count(7472), &Digest{hex64("c"), hex64("d")}
			s.Files[1] = LockedFile{Path: "data/train-1.jsonl", Bytes: 9, Rows: count(472), SHA256: hex64("9")}
		}, []string{
			repo + " default train : split train changed: rows 7473 -> 7472, sequence aaaaaaaaaaaa -> cccccccccccc, set bbbbbbbbbbbb -> dddddddddddd",
			repo + " default train data/train-1.jsonl: file data/train-1.jsonl changed: bytes 10 -> 9, rows 473 -> 472, sha256 222222222222 -> 999999999999",
		}},
		{"other line ends", func(now *Lock) { train(now).Files[0].Bytes, train(now).Files[0].SHA256 = 120, hex64("9") }, []string{
			repo + " default train data/train-0.jsonl: file data/train-0.jsonl changed, the rows of the split did not: bytes 100 -> 120, sha256 111111111111 -> 999999999999",
		}},
		{"another order of rows", func(now *Lock) { train(now).Digest.Sequence = hex64("c") }, []string{
			repo + " default train : split train has the same rows in another order: sequence aaaaaaaaaaaa -> cccccccccccc",
		}},
		{"digest without a change of bytes", func(now *Lock) { train(now).Digest = &Digest{hex64("c"), hex64("d")} }, []string{
			repo + " default train : split train changed although its files have the same bytes: sequence aaaaaaaaaaaa -> cccccccccccc, set bbbbbbbbbbbb -> dddddddddddd",
		}},
		{"rows that were unknown", func(now *Lock) { now.Repos[0].Configs[0].Splits[1].Rows = count(3) }, []string{
			repo + " default test : split test changed although its files have the same bytes: rows unknown -> 3",
		}},
		{"a file missing, another new", func(now *Lock) { train(now).Files[1].Path = "data/new.jsonl" }, []string{
			repo + " default train data/train-1.jsonl: file data/train-1.jsonl is missing: it had 10 bytes, sha256 222222222222",
			repo + " default train data/new.jsonl: file data/new.jsonl is new: it has 10 bytes, sha256 222222222222",
		}},
		{"a file beside the splits", func(now *Lock) { now.Repos[0].Files[1].SHA256 = hex64("6") }, []string{
			repo + "   README.md: file README.md changed: sha256 555555555555 -> 666666666666",
		}},
		{"a split renamed", func(now *Lock) { train(now).Name = "training" }, []string{
			repo + " default train : split train is missing: it had 7473 rows in 2 files",
			repo + " default training : split training is new: it has 7473 rows in 2 files",
		}},
		{"a split that was not read", func(now *Lock) { now.Repos[0].Configs[0].Splits = now.Repos[0].Configs[0].Splits[:1] }, []string{
			repo + " default test : split test is missing: it had 1 file",
		}},
		{"a config renamed", func(now *Lock) { now.Repos[0].Configs[0].Name = "main" }, []string{
			repo + " default  : config default is missing: it had 2 splits",
			repo + " main  : config main is new: it has 2 splits",
		}},
		{"a repo renamed", func(now *Lock) { now.Repos[0].ID = "acme/coffee" }, []string{
			repo + "   : the repo is missing: it had 1 config and 2 other files",
			"acme/coffee   : the repo is new: it has 1 config and 2 other files",
		}},
		{"the release", func(now *Lock) { now.Release.Version = "1.1.0" }, []string{
			`   : the release changed: version "1.0.0" -> "1.1.0"`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			now := teaLock()
			tt.change(now)
			var got []string
			for _, f := range Compare(teaLock(), now) {
				if f.Code != "lock/drift" || f.Severity != "error" || f.Hint == "" || f.Count != 1 {
					t.Errorf("finding %+v, want a lock/drift error with a hint", f)
				}
				got = append(got, fmt.Sprintf("%s %s %s %s: %s", f.Repo, f.Config, f.Split, f.Path, f.Message))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("drifts (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzReadLock(f *testing.F) {
	path := filepath.Join(f.TempDir(), "hfpub.lock")
	if err := teaLock().Write(path); err != nil {
		f.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"version":1,"release":{"name":"","version":""},"repos":[]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		lock, err := parseLock("hfpub.lock", text)
		if err != nil {
			var bad *LockError
			if !errors.As(err, &bad) || bad.Line < 1 || bad.Column < 1 {
				t.Errorf("%q: error %v, want a LockError with its place", text, err)
			}
			return
		}
		if drifts := Compare(lock, lock); drifts != nil {
			t.Errorf("%q: a lock drifts from itself: %+v", text, drifts)
		}
		copy := filepath.Join(t.TempDir(), "hfpub.lock")
		if err := lock.Write(copy); err != nil {
			t.Errorf("%q: cannot be written again: %v", text, err)
		}
		again, err := ReadLock(copy)
		if err != nil {
			t.Errorf("%q: cannot be read again: %v", text, err)
		}
		if drifts := Compare(lock, again); drifts != nil {
			t.Errorf("%q: changed by writing: %+v", text, drifts)
		}
	})
}
