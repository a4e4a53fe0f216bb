package reproduce_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/reproduce"
)

// The test binary is the command that makes files: what it does is its first argument.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 || !strings.HasPrefix(os.Args[1], "do:") {
		os.Exit(m.Run())
	}
	switch rest := os.Args[2:]; strings.TrimPrefix(os.Args[1], "do:") {
	case "print":
		fmt.Print(rest[0])
	case "write":
		if err := os.WriteFile(rest[0], []byte(rest[1]), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "several":
		for _, name := range []string{"a", "b", "data/c", "d", "e"} {
			if err := os.WriteFile(name, []byte("x\n"), 0o644); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		fmt.Print(rest[0])
	case "folder":
		if err := os.Mkdir(rest[0], 0o755); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "env":
		fmt.Println(os.Getenv("HF_TOKEN") + "|" + os.Getenv("HFPUB_TEST"))
	case "list":
		entries, _ := os.ReadDir(".")
		for _, e := range entries {
			fmt.Println(e.Name())
		}
	case "fail":
		fmt.Fprintln(os.Stderr, "no such seed\x1b[31m")
		os.Exit(3)
	case "sleep":
		time.Sleep(time.Minute)
	}
	os.Exit(0)
}

// repo is a repo with one file, and the command that makes it.
func repo(t *testing.T, text, produces string, run ...string) *release.Repo {
	t.Helper()
	dir := t.TempDir()
	if text != "" {
		path := filepath.Join(dir, "data", "train.jsonl")
		if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return &release.Repo{ID: "a/b", Dir: dir, Reproduce: &release.Reproduce{Run: append([]string{"hfpub"}, run...), Produces: produces, Pos: release.Pos{Line: 9, Column: 5}}}
}

func TestCheck(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const file = "data/train.jsonl"
	rows := "{\"a\": 1, \"b\": {\"c\": [1, 2]}}\n{\"a\": 2, \"b\": {\"c\": [3, 4]}}\n"
	t.Setenv("HF_TOKEN", "hf_secret")
	t.Setenv("HFPUB_TEST", "inherited")
	folders := t.TempDir()
	t.Setenv("TMPDIR", folders)
	for name, c := range map[string]struct {
		repo *release.Repo
		want []string
	}{
		"the same, on stdout":          {repo(t, rows, file, "do:print", rows), nil},
		"the same, in the file":        {repo(t, rows, file, "do:write", file, rows), nil},
		"no command":                   {&release.Repo{Dir: t.TempDir()}, nil},
		"a value":                      {repo(t, rows, file, "do:print", strings.Replace(rows, "4", "5", 1)), []string{"reproduce/differs data/train.jsonl:2 /b/c/1"}},
		"an element more":              {repo(t, rows, file, "do:print", strings.Replace(rows, "2]", "2, 3]", 1)), []string{"reproduce/differs data/train.jsonl:1 /b/c/2"}},
		"an element less":              {repo(t, rows, file, "do:print", strings.Replace(rows, ", 2]", "]", 1)), []string{"reproduce/differs data/train.jsonl:1 /b/c/1"}},
		"a member more":                {repo(t, rows, file, "do:print", strings.Replace(rows, "}}", "}, \"z\": 1}", 1)), []string{"reproduce/differs data/train.jsonl:1 /z"}},
		"a member less":                {repo(t, rows, file, "do:print", strings.Replace(rows, "\"a\": 1, ", "", 1)), []string{"reproduce/differs data/train.jsonl:1 /a"}},
		"blanks":                       {repo(t, rows, file, "do:print", strings.Replace(rows, ": ", ":", 1)), []string{"reproduce/differs data/train.jsonl:1 "}},
		"a row more":                   {repo(t, rows, file, "do:print", rows[:strings.Index(rows, "\n")+1]), []string{"reproduce/differs data/train.jsonl:2 "}},
		"a row less":                   {repo(t, rows, file, "do:print", rows+"{}\n"), []string{"reproduce/differs data/train.jsonl:3 "}},
		"no line end":                  {repo(t, rows, file, "do:print", strings.TrimSuffix(rows, "\n")), []string{"reproduce/differs data/train.jsonl:2 "}},
		"text":                         {repo(t, "one\n", file, "do:print", "two\n"), []string{"reproduce/differs data/train.jsonl:1 "}},
		"nothing":                      {repo(t, rows, file, "do:print", ""), []string{"reproduce/missing hfpub.yaml:9 "}},
		"no file in the repo":          {repo(t, "", file, "do:print", rows), []string{"reproduce/missing hfpub.yaml:9 "}},
		"more files":                   {repo(t, rows, file, "do:several", rows), []string{"reproduce/extra hfpub.yaml:9 "}},
		"more files and other rows":    {repo(t, "{}\n", file, "do:several", rows), []string{"reproduce/differs data/train.jsonl:1 /a", "reproduce/extra hfpub.yaml:9 "}},
		"a folder for a file":          {repo(t, rows, file, "do:folder", file), []string{"reproduce/missing hfpub.yaml:9 "}},
		"no such command":              {&release.Repo{Dir: t.TempDir(), Reproduce: &release.Reproduce{Run: []string{"no-such-program"}, Produces: file, Pos: release.Pos{Line: 9, Column: 5}}}, []string{"reproduce/failed hfpub.yaml:9 "}},
		"a failure":                    {repo(t, rows, file, "do:fail"), []string{"reproduce/failed hfpub.yaml:9 "}},
		"no token, no environment":     {repo(t, "|\n", file, "do:env"), nil},
		"an empty folder but for data": {repo(t, "data\n", file, "do:list"), nil},
		"no end":                       {repo(t, rows, file, "do:sleep"), []string{"reproduce/failed hfpub.yaml:9 "}},
	} {
		t.Run(name, func(t *testing.T) {
			opt := reproduce.Options{Self: self, Timeout: time.Minute / 2}
			if name == "no end" {
				opt.Timeout = time.Second / 2
			}
			found, err := reproduce.Check(t.Context(), c.repo, "hfpub.yaml", opt)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range found {
				got = append(got, fmt.Sprintf("%s %s:%d %s", f.Code, f.Path, f.Line, f.Pointer))
				if strings.ContainsAny(f.Message, "\x1b") {
					t.Errorf("the message holds control characters: %q", f.Message)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("found %q, want %q (%v)", got, c.want, found)
			}
			if left, err := os.ReadDir(folders); err != nil || len(left) > 0 {
				t.Errorf("the folder of the command stays: %v (%v)", left, err)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folders := t.TempDir()
	t.Setenv("TMPDIR", folders)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := reproduce.Check(ctx, repo(t, "x\n", "data/train.jsonl", "do:sleep"), "hfpub.yaml", reproduce.Options{Self: self}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a cancelled context gives %v, want its error", err)
	}
	if left, err := os.ReadDir(folders); err != nil || len(left) > 0 {
		t.Errorf("the folder of the command stays: %v (%v)", left, err)
	}
}
