package validate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/finding"
)

// folder writes files and loads what they make up.
func folder(t *testing.T, files map[string]string) (*release.Release, []finding.Finding) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	rel, found, err := release.Load(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return rel, found
}

// run validates a release; opt says how.
func run(t *testing.T, rel *release.Release, found []finding.Finding, opt validate.Options) *validate.Report {
	t.Helper()
	report, err := validate.Run(t.Context(), rel, found, opt)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func codes(report *validate.Report) []string {
	var list []string
	for _, f := range report.Findings {
		list = append(list, fmt.Sprintf("%s %s:%d", f.Code, f.Path, f.Line))
	}
	return list
}

// manifest declares one repo with the configs given in YAML.
func manifest(configs string) string {
	return "version: 1\nrelease: {name: tea, version: 1.0.0}\nrepos:\n- id: acme/tea\n  type: dataset\n  status: public\n  license: mit\n" +
		"  configs: " + configs + "\n"
}

// Workers finish in any order; files that fail, fold and drift must not show which was first.
func TestTheReportDoesNotDependOnTheWorkers(t *testing.T) {
	files := map[string]string{
		"README.md": "---\nlicense: mit\n---\n",
		"s.json":    `{"properties": {"n": {"type": "integer"}, "s": {"maxLength": 3}}, "required": ["n"]}`,
		"hfpub.yaml": manifest("[{name: default, splits: [{name: train, files: 'data/*.jsonl', schema: s.json}," +
			" {name: test, files: 'data/*2.jsonl'}]}]"),
	}
	for i := range 25 {
		var rows strings.Builder
		for j := range 40 {
			switch (i + j) % 5 {
			case 0:
				fmt.Fprintf(&rows, "{\"n\": %d, \"n\": 0}\n", j)
			case 1:
				fmt.Fprintf(&rows, "{\"n\": \"%d\", \"k%d\": [1.5, null]}\n", j, i%3)
			case 2:
				fmt.Fprintf(&rows, "{\"s\": \"text %d\"}\n", i*j)
			case 3:
				fmt.Fprintf(&rows, "{\"n\": %d}\n", i*j)
			default:
				fmt.Fprintf(&rows, "row %d\n", j)
			}
		}
		files[fmt.Sprintf("data/%02d.jsonl", i)] = rows.String()
	}
	rel, found := folder(t, files)
	for _, places := range []int{0, 1, 7} {
		var want []byte
		for _, jobs := range []int{1, 2, 3, 16, 0} {
			got, err := json.Marshal(run(t, rel, found, validate.Options{Jobs: jobs, MaxPlaces: places}))
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%d places: the report of %d workers differs from that of one:\n%s\n%s", places, jobs, got, want)
			}
		}
	}
}

func TestWhatIsMeasured(t *testing.T) {
	rel, found := folder(t, map[string]string{
		"README.md":        "---\nlicense: mit\n---\n",
		"hfpub.yaml":       manifest("[{name: all, splits: [{name: train, files: 'data/*.jsonl'}]}, {name: one, splits: [{name: train, files: data/a.jsonl}]}]"),
		"data/a.jsonl":     "{\"n\": 1}\n{\"n\": 2}\n",
		"data/b.jsonl":     "{\"n\": 3}\nbroken\n",
		"data/c.jsonl.bz2": "BZh9",
	})
	report := run(t, rel, found, validate.Options{})
	configs := report.Repos[0].Configs
	if got := *configs[0].Splits[0].Rows; got != 3 {
		t.Errorf("all/train has %d rows, want 3: a broken row is none", got)
	}
	if got := *configs[1].Splits[0].Rows; got != 2 {
		t.Errorf("one/train has %d rows, want 2", got)
	}
	if s := report.Summary; s.Rows != 5 || s.Bytes != 34 || s.Errors != 1 {
		t.Errorf("the summary is %+v, want 5 rows, 34 bytes (each file once) and 1 error", s)
	}
}

// A file that cannot be read as rows leaves the counts of its split unknown; they are never guessed.
func TestRowsOfAnUnreadFormatAreUnknown(t *testing.T) {
	rel, found := folder(t, map[string]string{
		"hfpub.yaml":       manifest("[{name: default, splits: [{name: train, files: 'data/*'}]}]"),
		"data/a.jsonl":     "{\"n\": 1}\n",
		"data/b.jsonl.bz2": "BZh9",
	})
	split := run(t, rel, found, validate.Options{}).Repos[0].Configs[0].Splits[0]
	if split.Rows != nil || split.Digest != nil || split.Statistics != nil || split.NumBytes != nil {
		t.Errorf("the split is %+v, want neither rows nor digest nor statistics", split)
	}
	if split.Files[0].Rows == nil || split.Files[1].Rows != nil {
		t.Errorf("the files are %+v, want rows for the first only", split.Files)
	}
}

func TestCutKeepsTheWorstAndTheTotals(t *testing.T) {
	rel, found := folder(t, map[string]string{"train.jsonl": "{\"n\": 1}\n\nx\n", "test.jsonl": "y\n"})
	report := run(t, rel, found, validate.Options{})
	all := len(report.Findings)
	report.Cut(1)
	if len(report.Findings) != 1 || report.Findings[0].Severity != finding.Error || report.Summary.Omitted != all-1 {
		t.Errorf("cut to one of %d: %v, omitted %d", all, codes(report), report.Summary.Omitted)
	}
	if report.Summary.Errors < 2 || report.Summary.Warnings == 0 {
		t.Errorf("the totals are %+v, want those of all findings", report.Summary)
	}
	report.Cut(0)
	if len(report.Findings) != 1 {
		t.Error("0 is no limit, and what was cut is gone")
	}
}

func TestTheLockAndEveryDrift(t *testing.T) {
	rel, found := folder(t, map[string]string{
		"README.md": "---\nlicense: mit\n---\n", "hfpub.yaml": manifest("[{name: default, splits: [{name: train, files: 'data/*.jsonl'}]}]"),
		"data/a.jsonl": "{\"n\": 1}\n", "notes/x.txt": "x",
	})
	lockPath := filepath.Join(rel.Dir, release.LockName)
	locked := validate.Options{Lock: lockPath}
	if got := codes(run(t, rel, found, locked)); !slices.Contains(got, "lock/missing hfpub.lock:0") {
		t.Errorf("without a lock: %v", got)
	}
	lock, err := validate.LockOf(t.Context(), rel, run(t, rel, found, validate.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	if err := lock.Write(lockPath); err != nil {
		t.Fatal(err)
	}
	drift := func() []string {
		rel, found, err := release.Load(t.Context(), rel.Dir)
		if err != nil {
			t.Fatal(err)
		}
		return slices.DeleteFunc(codes(run(t, rel, found, locked)), func(c string) bool { return !strings.HasPrefix(c, "lock/") })
	}
	if got := drift(); len(got) > 0 {
		t.Errorf("nothing changed: %v", got)
	}
	for name, text := range map[string]string{"data/a.jsonl": "{\"n\": 2}\n", "notes/x.txt": "y", "README.md": "---\nlicense: mit\n---\nx", "new.txt": ""} {
		path := filepath.Join(rel.Dir, filepath.FromSlash(name))
		old, _ := os.ReadFile(path)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := drift(); !slices.Contains(got, "lock/drift "+name+":0") {
			t.Errorf("%s changed: %v", name, got)
		}
		if old == nil {
			err = os.Remove(path)
		} else {
			err = os.WriteFile(path, old, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// With an hfpub.yaml that cannot be read, all that is known is why.
func TestBrokenManifest(t *testing.T) {
	rel, found := folder(t, map[string]string{"hfpub.yaml": "repos: [", "train.jsonl": "x"})
	report := run(t, rel, found, validate.Options{Lock: filepath.Join(rel.Dir, release.LockName)})
	if got := codes(report); len(got) != 1 || got[0] != "manifest/yaml hfpub.yaml:1" || len(report.Repos) > 0 || report.Repos == nil {
		t.Errorf("got %v, repos %v; want the fault alone, and an empty list", got, report.Repos)
	}
}

func TestLooseFiles(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "rows.jsonl")
	if err := os.WriteFile(file, []byte("1\n\"x\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	schema := filepath.Join(dir, "schema.json")
	if err := os.WriteFile(schema, []byte(`{"type": "integer"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	rel, err := validate.Loose([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	report := run(t, rel, nil, validate.Options{Schema: schema, AnyValue: true})
	if got, want := codes(report), fmt.Sprintf("schema/type %s:2", filepath.ToSlash(file)); len(got) != 1 || got[0] != want {
		t.Errorf("got %v, want %s alone: with a schema a row may be any value", got, want)
	}
	for path, want := range map[string]error{dir: nil, filepath.Join(dir, "none"): fs.ErrNotExist} {
		if _, err := validate.Loose([]string{file, path}); err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%s: error %v, want one: it is no data file", path, err)
		}
	}
}

func TestACancelledRunIsAnError(t *testing.T) {
	rel, found := folder(t, map[string]string{"train.jsonl": "{}\n"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if report, err := validate.Run(ctx, rel, found, validate.Options{}); !errors.Is(err, context.Canceled) || report != nil {
		t.Errorf("got %v, %v; want %v and no report", report, err, context.Canceled)
	}
}

// A file that goes away between listing and reading is named as the user would write it.
func TestAFileThatWentAway(t *testing.T) {
	rel, found := folder(t, map[string]string{"train.jsonl": "{}\n"})
	file := filepath.Join(rel.Dir, "train.jsonl")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	_, err := validate.Run(t.Context(), rel, found, validate.Options{})
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), file) {
		t.Errorf("error %v, want one that names %s", err, file)
	}
}

// Counts and hashes of a file that changes under the reader are those of a file that never was.
func TestAFileThatChangesWhileItIsRead(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"grows":   func(path string) error { return os.WriteFile(path, []byte("{}\n{}\n"), 0o644) },
		"shrinks": func(path string) error { return os.Truncate(path, 0) },
		"replaced": func(path string) error {
			return errors.Join(os.Remove(path), os.WriteFile(path, []byte("[]\n"), 0o644))
		},
	} {
		rel, found := folder(t, map[string]string{"train.jsonl": "{}\n"})
		file := filepath.Join(rel.Dir, "train.jsonl")
		once := sync.OnceValue(func() error { return change(file) })
		_, err := validate.Run(t.Context(), rel, found, validate.Options{OnBytes: func(int64) {
			if err := once(); err != nil {
				t.Error(err)
			}
		}})
		if err == nil || !strings.Contains(err.Error(), file+" changed while it was read") {
			t.Errorf("a file that %s: error %v, want one that says so", name, err)
		}
	}
}
