package hygiene

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/hygiene/lfspointer"
)

const oid = "c591aed07aa32bd9b7fe14af9f88c35c7e4b6fd43729f76b71242914559c1bce"

// repoOf writes files into a folder and returns it as a repo. A text of the form "-> PATH" makes a
// symbolic link.
func repoOf(t *testing.T, files map[string]string) *release.Repo {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, ok := strings.CutPrefix(text, "-> "); ok {
			err = os.Symlink(target, path)
		} else {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Skipf("this file system cannot hold %q: %v", name, err)
		}
	}
	tree, err := release.Walk(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return &release.Repo{ID: "tea", Type: release.Dataset, Status: release.Public, Dir: dir, Tree: tree}
}

// big makes an existing file of a repo as long as wanted, without using disk space.
func big(t *testing.T, repo *release.Repo, path string, size int64) {
	t.Helper()
	if err := os.Truncate(filepath.Join(repo.Dir, path), size); err != nil {
		t.Fatal(err)
	}
	tree, err := release.Walk(context.Background(), repo.Dir)
	if err != nil {
		t.Fatal(err)
	}
	repo.Tree = tree
}

func check(t *testing.T, repo *release.Repo) []finding.Finding {
	t.Helper()
	found, err := Check(context.Background(), repo)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// brief is what tests compare of a finding.
type brief struct {
	Code finding.Code
	Path string
}

func briefs(found []finding.Finding) []brief {
	out := []brief{}
	for _, f := range found {
		out = append(out, brief{f.Code, f.Path})
	}
	return out
}

func TestOrdinaryFilesAreClean(t *testing.T) {
	repo := repoOf(t, map[string]string{
		"README.md": "# Tea\n", "LICENSE": "mit\n", "data/train.jsonl": "{}\n", "data/Test.jsonl": "{}\n", "étude/ü b.txt": "x", "a": "", "a.b/c": "",
		".gitattributes": "*.bin filter=lfs\n", "github/.gitignore": "x\n", "cache/x": "x",
	})
	if found := check(t, repo); len(found) > 0 {
		t.Errorf("an ordinary folder has findings: %+v", found)
	}
}

func TestPointerInPlaceOfContent(t *testing.T) {
	pointer := string(lfspointer.Format(oid, 20480))
	repo := repoOf(t, map[string]string{"data/train.jsonl": pointer, "images/cup.png": pointer, "data/test.jsonl": "{}\n", "notes.md": "see " + pointer})
	found := check(t, repo)
	want := []brief{{finding.HygieneLFSPointer, "data/train.jsonl"}, {finding.HygieneLFSPointer, "images/cup.png"}}
	if diff := cmp.Diff(want, briefs(found)); diff != "" {
		t.Fatalf("every pointer has one finding and nothing else has (-want +got):\n%s", diff)
	}
	text := found[0].Message + "\n" + found[0].Hint
	for _, part := range []string{"LFS pointer", "c591aed0…", "sha256:" + oid, "20480", "git lfs pull"} {
		if !strings.Contains(text, part) {
			t.Errorf("the finding does not say %q:\n%s", part, text)
		}
	}
	if found[0].Severity != finding.Error {
		t.Errorf("severity %s, want an error: the rows are not there", found[0].Severity)
	}
}

func TestPointerAmongLooseFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "train.jsonl")
	if err := os.WriteFile(path, lfspointer.Format(oid, 5), 0o644); err != nil {
		t.Fatal(err)
	}
	split := release.Split{Name: "train.jsonl", Files: []string{filepath.ToSlash(path)}}
	found := check(t, &release.Repo{Configs: []release.Config{{Splits: []release.Split{split, split}}}})
	if diff := cmp.Diff([]brief{{finding.HygieneLFSPointer, filepath.ToSlash(path)}}, briefs(found)); diff != "" {
		t.Errorf("a pointer named twice is reported once (-want +got):\n%s", diff)
	}
}

func TestBigPlainFile(t *testing.T) {
	for _, c := range []struct {
		name, file string
		attributes map[string]string
		size       int64
		// hint is how the finding's hint ends, "" when there is none.
		hint string
	}{
		{"left out of LFS", "data/train.jsonl", map[string]string{"": "*.parquet filter=lfs diff=lfs merge=lfs -text\n"}, 11534336,
			"add this line to .gitattributes: *.jsonl filter=lfs diff=lfs merge=lfs -text"},
		{"one byte too big", "data/train.jsonl", map[string]string{"": ""}, PlainMax + 1,
			"add this line to .gitattributes: *.jsonl filter=lfs diff=lfs merge=lfs -text"},
		{"just small enough", "data/train.jsonl", map[string]string{"": ""}, PlainMax, ""},
		{"in LFS", "data/train.jsonl", map[string]string{"": "*.jsonl filter=lfs\n"}, 11534336, ""},
		{"in LFS by a folder's file", "data/train.jsonl", map[string]string{"": "", "data": "*.jsonl filter=lfs\n"}, 11534336, ""},
		{"no .gitattributes: push writes one", "data/train.jsonl", nil, 11534336, ""},
		{"only a folder has .gitattributes", "data/train.jsonl", map[string]string{"data": "*.txt text\n"}, 11534336, ""},
		{"without extension", "data/a b", map[string]string{"": ""}, 11534336,
			"add this line to .gitattributes: /data/a[[:space:]]b filter=lfs diff=lfs merge=lfs -text"},
		{"with an odd extension", "data/a.[x]", map[string]string{"": ""}, 11534336,
			`add this line to .gitattributes: /data/a.\[x\] filter=lfs diff=lfs merge=lfs -text`},
		{"compressed", "data/a.jsonl.gz", map[string]string{"": ""}, 11534336, "add this line to .gitattributes: *.gz filter=lfs diff=lfs merge=lfs -text"},
		{"a folder's file has the last word", "data/train.jsonl", map[string]string{"": "*.jsonl filter=lfs\n", "data": "*.jsonl -filter\n"}, 11534336,
			"add this line to data/.gitattributes: *.jsonl filter=lfs diff=lfs merge=lfs -text"},
		{"a folder's file has the last word on a name", "data/sub/train", map[string]string{"": "", "data": "train -filter\n"}, 11534336,
			"add this line to data/.gitattributes: /sub/train filter=lfs diff=lfs merge=lfs -text"},
		{"a folder's file says nothing of it", "data/train.jsonl", map[string]string{"": "", "data": "*.txt text\n"}, 11534336,
			"add this line to .gitattributes: *.jsonl filter=lfs diff=lfs merge=lfs -text"},
		{"the card cannot be in LFS", "README.md", nil, PlainMax + 1, "shorten it"},
		{"the card cannot be in LFS, whatever is said", "README.md", map[string]string{"": "*.md filter=lfs\n"}, PlainMax + 1, "shorten it"},
		{"another README.md can", "data/README.md", map[string]string{"": "*.md filter=lfs\n"}, PlainMax + 1, ""},
		{".gitattributes itself", ".gitattributes", nil, 11534336, "shorten it"},
		{".gitattributes of a folder", "data/.gitattributes", map[string]string{"": "* filter=lfs\n"}, 11534336, "shorten it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{c.file: "", "data/test.jsonl": "{}\n"}
			for dir, text := range c.attributes {
				files[filepath.ToSlash(filepath.Join(dir, ".gitattributes"))] = text
			}
			repo := repoOf(t, files)
			big(t, repo, c.file, c.size)
			found := check(t, repo)
			if c.hint == "" {
				if len(found) > 0 {
					t.Errorf("unexpected findings: %+v", found)
				}
				return
			}
			if diff := cmp.Diff([]brief{{finding.PublishPlainTooBig, c.file}}, briefs(found)); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
			if found[0].Hint != c.hint {
				t.Errorf("the hint is\n%s\nwant\n%s", found[0].Hint, c.hint)
			}
			if c.size == 11534336 && !strings.Contains(found[0].Message, "11534336 bytes (11.0 MiB)") {
				t.Errorf("the message gives no size: %s", found[0].Message)
			}
		})
	}
}

// Git stops at a NUL, as a file in UTF-16 has them in its first line.
func TestAttributesThatGitDoesNotRead(t *testing.T) {
	repo := repoOf(t, map[string]string{".gitattributes": "*.gz filter=lfs\n*.bin\x00 filter=lfs\n", "data/.gitattributes": "*\x00", "b/.gitattributes": "\ufeff* text\r\n"})
	found := check(t, repo)
	if diff := cmp.Diff([]brief{{finding.PublishAttributes, ".gitattributes"}, {finding.PublishAttributes, "data/.gitattributes"}}, briefs(found)); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	if found[0].Line != 2 || found[1].Line != 1 {
		t.Errorf("lines %d and %d, want 2 and 1", found[0].Line, found[1].Line)
	}
}

func TestDataThatStaysAtHomeMayBeBig(t *testing.T) {
	for _, status := range []release.Status{release.Pending, release.Withheld} {
		repo := repoOf(t, map[string]string{"train.jsonl": "", ".gitattributes": "", "link": "-> train.jsonl", ".GIT": ""})
		big(t, repo, "train.jsonl", 11534336)
		repo.Status = status
		if found := check(t, repo); len(found) > 0 {
			t.Errorf("a %s repo pushes no data, yet: %+v", status, found)
		}
	}
}

func TestSymlink(t *testing.T) {
	repo := repoOf(t, map[string]string{"data/train.jsonl": "-> ../../blobs/x", "data/test.jsonl": "{}\n"})
	if diff := cmp.Diff([]brief{{finding.PublishSymlink, "data/train.jsonl"}}, briefs(check(t, repo))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPathsThatCannotBePushed(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []string
		// path of the finding and a part of its message.
		path, says string
	}{
		{"control character", []string{"data/a\tb.jsonl"}, `data/a\tb.jsonl`, "control character"},
		{"line break", []string{"a\n.txt"}, `a\n.txt`, "control character"},
		{"escape sequence", []string{"a\x1b[31m"}, `a\x1b[31m`, "control character"},
		{"C1 control", []string{"a\u0085"}, `a\u0085`, "control character"},
		{"backslash", []string{`data\train.jsonl`}, `data\train.jsonl`, "backslash"},
		{"not UTF-8", []string{"caf\xe9.jsonl"}, `caf\xe9.jsonl`, "not UTF-8"},
		{"git's folder in capitals", []string{"sub/.Git/config"}, "sub/.Git/config", ".Git"},
		{"git's folder as Windows sees it", []string{".git. /x"}, ".git. /x", ".git. "},
		{"git's short name", []string{"GIT~1"}, "GIT~1", "GIT~1"},
		{"the Hub's cache in capitals", []string{".Cache/x"}, ".Cache/x", ".Cache"},
		{"two files", []string{"data/A.jsonl", "data/a.jsonl"}, "data/a.jsonl", "data/A.jsonl and data/a.jsonl"},
		{"two folders, said once", []string{"Data/x", "data/y", "data/z"}, "data/y", "the folder Data and the folder data"},
		{"file and folder", []string{"DATA", "data/x"}, "data/x", "DATA and the folder data"},
		{"two Unicode forms", []string{"e\u0301.txt", "\u00e9.txt"}, "\u00e9.txt", `"e\u0301.txt" and ` + "\u00e9.txt"},
		{"case beyond ASCII", []string{"STRASSE", "straße"}, "straße", "STRASSE and straße"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{}
			for _, name := range c.files {
				files[name] = "x"
			}
			repo := repoOf(t, files)
			if len(repo.Tree) != len(c.files) {
				t.Skip("this file system takes the names for one")
			}
			found := check(t, repo)
			if diff := cmp.Diff([]brief{{finding.PublishPath, c.path}}, briefs(found)); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
			if !strings.Contains(found[0].Message, c.says) {
				t.Errorf("the message %q does not say %q", found[0].Message, c.says)
			}
		})
	}
}

func TestCheckStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	repo := repoOf(t, map[string]string{"train.jsonl": "{}\n"})
	if _, err := Check(ctx, repo); !errors.Is(err, context.Canceled) {
		t.Errorf("Check of a cancelled context: %v", err)
	}
}

func TestFileGoneMeanwhileIsAnError(t *testing.T) {
	repo := repoOf(t, map[string]string{"train.jsonl": "{}\n"})
	if err := os.Remove(filepath.Join(repo.Dir, "train.jsonl")); err != nil {
		t.Fatal(err)
	}
	if _, err := Check(context.Background(), repo); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Check of a file that is gone: %v, want fs.ErrNotExist", err)
	}
}

func TestIsPointer(t *testing.T) {
	for text, want := range map[string]bool{
		string(lfspointer.Format(oid, 5)): true, "": false, "{}\n": false,
		strings.Repeat("\n", 2000) + string(lfspointer.Format(oid, 5)): false,
	} {
		got, err := IsPointer(strings.NewReader(text))
		if err != nil || got != want {
			t.Errorf("IsPointer(%.20q) = %v, %v; want %v", text, got, err, want)
		}
	}
}

func FuzzPaths(f *testing.F) {
	f.Add("a/b\nA/b\na\x1b\n\xff\ne\u0301\n.GIT /x\n//")
	f.Fuzz(func(t *testing.T, names string) {
		var tree []release.TreeFile
		for _, name := range strings.Split(names, "\n") {
			tree = append(tree, release.TreeFile{Path: name})
		}
		for _, f := range paths(tree) {
			if text := f.Path + f.Message + f.Hint; !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
				t.Errorf("a finding that cannot be shown: %q", text)
			}
		}
	})
}
