package release

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/finding"
)

func paths(files []TreeFile) []string {
	all := []string{}
	for _, f := range files {
		all = append(all, f.Path)
	}
	return all
}

func TestWalk(t *testing.T) {
	dir := folder(t, map[string]string{
		"b/x.jsonl": "12345", "b-c/x.jsonl": "", "README.md": "", ".gitattributes": "", ".git/config": "", "sub/.git": "gitdir: x", ".DS_Store": "", "sub/.DS_Store": "",
		".cache/x": "", "sub/__pycache__/x.pyc": "", ".venv/x": "", ".hfpub-123": "", "sub/.hfpub-a/x": "", "sub/y": "", ".hidden/z": "", "hfpub.lock": "",
	})
	outside := folder(t, map[string]string{"secret": "x"})
	if err := os.Symlink(filepath.Join(outside, "secret"), filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links here")
	}
	if err := os.Symlink(outside, filepath.Join(dir, "sub", "folder")); err != nil {
		t.Fatal(err)
	}
	files, err := Walk(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{".gitattributes", ".hidden/z", "README.md", "b-c/x.jsonl", "b/x.jsonl", "hfpub.lock", "link",
		"sub/folder", "sub/y"}
	if diff := cmp.Diff(want, paths(files)); diff != "" {
		t.Errorf("files in the order of their paths (-want +got):\n%s", diff)
	}
	for _, f := range files {
		if link := f.Path == "link" || f.Path == "sub/folder"; f.Symlink() != link {
			t.Errorf("%s: symbolic link %v, want %v", f.Path, f.Symlink(), link)
		}
		if f.Path == "b/x.jsonl" && f.Size != 5 {
			t.Errorf("%s has %d bytes, want 5", f.Path, f.Size)
		}
	}
}

func TestWalkStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Walk(ctx, folder(t, map[string]string{"a": ""})); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

func TestLoadOfWhatIsNotThere(t *testing.T) {
	dir := folder(t, map[string]string{"data.jsonl": "", "x/hfpub.yaml/y": ""})
	for path, is := range map[string]error{
		filepath.Join(dir, "none"):       fs.ErrNotExist,
		filepath.Join(dir, "none.yaml"):  fs.ErrNotExist,
		filepath.Join(dir, "data.jsonl"): nil,
		filepath.Join(dir, "x"):          nil,
	} {
		rel, findings, err := Load(context.Background(), path)
		if err == nil || is != nil && !errors.Is(err, is) || rel != nil || findings != nil {
			t.Errorf("%s: got %v, %v, %v; want an error alone", path, rel, findings, err)
		}
	}
}

func TestLoadByFileOrFolder(t *testing.T) {
	dir := releaseFolder(t, repo(""))
	for _, path := range []string{dir, filepath.Join(dir, ManifestName)} {
		rel, findings := load(t, path)
		if len(findings) > 0 || rel.File != filepath.Join(dir,
			ManifestName) || rel.Dir != dir || rel.Name != "tea" || rel.Version != "1.0.0" {
			t.Errorf("%s: got %+v, %v", path, rel, findings)
		}
	}
	t.Chdir(dir)
	rel, _ := load(t, ".")
	if rel.File != ManifestName || rel.Repos[0].Dir != "." {
		t.Errorf("in the folder itself: file %q, dir %q; want them as a user would write them", rel.File, rel.Repos[0].Dir)
	}
}

// Findings are the same from wherever a release is looked at: their paths start at its folder.
func TestFindingsNameTheManifestByItsFolder(t *testing.T) {
	dir := releaseFolder(t, repo("lisence: mit\n"))
	for _, path := range []string{dir, filepath.Join(dir, ManifestName)} {
		rel, findings := load(t, path)
		if len(findings) != 1 || findings[0].Path != ManifestName || rel.Repos[0].Configs[0].PosFile != ManifestName {
			t.Errorf("%s: got %v, configs in %s; want both at %s", path, findings, rel.Repos[0].Configs[0].PosFile, ManifestName)
		}
	}
}

func TestManifestUnderAnotherName(t *testing.T) {
	_, findings := load(t, folder(t, map[string]string{"hfpub.yml": "version: 1\n", "train.jsonl": ""}))
	if len(findings) != 1 || findings[0].Code != finding.ManifestMissing || !strings.Contains(findings[0].Hint,
		ManifestName) {
		t.Errorf("got %v, want one finding that offers %s: the statuses in hfpub.yml would count for nothing", findings,
			ManifestName)
	}
}

func TestFilesBelongToOneRepo(t *testing.T) {
	dir := folder(t, map[string]string{
		ManifestName: head + `repos:
- {id: a/all, type: dataset, status: public, configs: [{name: c, splits: [{name: s, files: "**"}]}]}
- {id: a/sub, type: dataset, status: public, root: sub}
- {id: a/deep, type: model, status: withheld, root: sub/deep/er}
`, LockName: "", "x.jsonl": "", "sub/y.jsonl": "", "sub/deep/z.jsonl": "", "sub/deep/er/w.jsonl": "", "sub/" + ManifestName: "", "sub2/v.jsonl": "",
	})
	rel, findings := load(t, dir)
	if len(findings) > 0 {
		t.Fatalf("unexpected findings: %v", findings)
	}
	want := map[string][]string{
		"a/all": {"sub2/v.jsonl", "x.jsonl"}, "a/sub": {"deep/z.jsonl", "y.jsonl"}, "a/deep": {"w.jsonl"},
	}
	for id, files := range want {
		if got := paths(rel.Repo(id).Tree); !slices.Equal(got, files) {
			t.Errorf("%s has %q, want %q: files of inner repos, and the manifest and lock of several repos, are left out", id, got, files)
		}
	}
	if got := rel.Repo("a/all").Configs[0].Splits[0].Files; !slices.Equal(got, want["a/all"]) {
		t.Errorf("split s of a/all has %q, want %q", got, want["a/all"])
	}
	if got := splits(*rel.Repo("a/sub")); !slices.Equal(got["default/train"], want["a/sub"]) {
		t.Errorf("a/sub without configs is read as the Hub would, got %q", got)
	}
	if got := rel.Repo("a/deep"); len(got.Configs) != 0 {
		t.Errorf("a model has configs: %v", got.Configs)
	}
}

func TestManifestOfOneRepoIsPartOfIt(t *testing.T) {
	rel, _ := load(t, releaseFolder(t, repo("")))
	if got := paths(rel.Repos[0].Tree); !slices.Contains(got, ManifestName) {
		t.Errorf("got %q without %s", got, ManifestName)
	}
}

func TestRootThatLeadsOutByALink(t *testing.T) {
	dir := folder(t, map[string]string{ManifestName: bare("root: link\n")})
	if err := os.Symlink(folder(t, map[string]string{"secret": ""}), filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links here")
	}
	rel, findings := load(t, dir)
	if len(findings) != 1 || findings[0].Code != finding.ManifestValue || findings[0].Pointer != "/repos/0/root" || rel.Repos[0].Tree != nil {
		t.Errorf("got %v and %v, want one finding about the root and no files", findings, rel.Repos[0].Tree)
	}
}

// A link to a withheld repo's folder, or to one above it, would put the files of the withheld repo into the public one.
func TestRootThatLeadsIntoAnotherRepo(t *testing.T) {
	for _, target := range []string{"kept", ".", "up/../kept"} {
		dir := folder(t, map[string]string{"kept/secret.jsonl": "{}\n", "up/x": "", ManifestName: head + `repos:
- {id: a/kept, type: dataset, status: withheld, root: kept}
- {id: a/open, type: dataset, status: public, root: link}
`})
		if err := os.Symlink(target, filepath.Join(dir, "link")); err != nil {
			t.Skip("no symbolic links here")
		}
		rel, findings := load(t, dir)
		if len(findings) != 1 || findings[0].Code != finding.ManifestValue || findings[0].Pointer != "/repos/1/root" {
			t.Errorf("link to %s: got %v, want one finding about the root", target, findings)
		}
		if tree := rel.Repo("a/open").Tree; tree != nil {
			t.Errorf("link to %s: the public repo has the files %v", target, tree)
		}
	}
}

func TestRulesOverConfigsOfAREADME(t *testing.T) {
	manifest := head + repoHead + "    rules: [{unique: {in: [first], key: [/id]}}, {unique: {in: [second], key: [/id]}}]\n"
	_, findings := load(t, folder(t, map[string]string{ManifestName: manifest, "a.jsonl": "",
		"README.md": "---\nconfigs:\n- config_name: default\n  data_files:\n  - split: first\n    path: a.jsonl\n---\n"}))
	if len(findings) != 1 || findings[0].Pointer != "/repos/0/rules/1/unique/in/0" {
		t.Errorf("got %v, want one finding about split second: first is in README.md", findings)
	}
}
