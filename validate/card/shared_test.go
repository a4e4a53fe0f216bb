package card_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/cards"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/finding"
)

var update = flag.Bool("update", false, "write golden files anew")

// root is the path of a file of the checkout.
func root(path string) string { return filepath.Join("..", "..", filepath.FromSlash(path)) }

// shared is the path of a file in the material beside the checkout; the test is skipped without it.
func shared(t *testing.T, path string) string {
	t.Helper()
	full := filepath.Join(root(".."), "shared", filepath.FromSlash(path))
	if _, err := os.Stat(full); err != nil {
		t.Skipf("the shared material is not beside this checkout: %v", err)
	}
	return full
}

// rendered writes the cards of a release as hfpub card does; false where hfpub card refuses.
func rendered(t *testing.T, dir string) bool {
	t.Helper()
	rel, found, err := release.Load(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	report, err := validate.Run(t.Context(), rel, found, validate.Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	refuses := func(f finding.Finding) bool { return f.Code == finding.CardConfigs && f.Severity == finding.Error }
	if slices.ContainsFunc(report.Findings, refuses) {
		return false
	}
	for i := range rel.Repos {
		in := cards.Input{Repo: rel.Repos[i], Measured: report.Repos[i]}
		in.README, _ = os.ReadFile(filepath.Join(in.Repo.Dir, cards.ReadmePath))
		in.SchemaMD, _ = os.ReadFile(filepath.Join(in.Repo.Dir, cards.SchemaPath))
		out, err := cards.Render(in)
		var refusal *cards.Refusal
		if errors.As(err, &refusal) {
			return false
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := out.Write(); err != nil {
			t.Fatal(err)
		}
	}
	return true
}

// What hfpub card writes must be above reproach: on what it owns, and for a release, on everything. Only a person can
// choose a license for a folder that has none.
func TestRenderedCardsHaveNoFindings(t *testing.T) {
	folders := map[string]string{
		"tea-house": root("testdata/releases/tea-house"), "owls": filepath.Join("testdata", "dataset"),
		"adapter": filepath.Join("testdata", "release"),
	}
	for name, dir := range folders {
		t.Run(name, func(t *testing.T) { renderedIsClean(t, os.DirFS(dir), nil) })
	}
	mixed := t.TempDir()
	write(t, mixed, "train.jsonl",
		`{"a": 1, "no": "x", "when": "2024-01-31", "list": [], "o": {"x": 1}}`+"\n"+`{"a": 1.5, "o": {"y": null}}`+"\n")
	write(t, mixed, "test.jsonl", `{"a": null, "b/c": [[1]]}`+"\n")
	t.Run("plain folder", func(t *testing.T) {
		renderedIsClean(t, os.DirFS(mixed),
			[]finding.Code{finding.CardLicenseMissing})
	})
	cells := t.TempDir()
	write(t, cells, "data.csv", "zip,n,when\n02116,1,2024-01-31\n,,\n")
	t.Run("cells", func(t *testing.T) { renderedIsClean(t, os.DirFS(cells), []finding.Code{finding.CardLicenseMissing}) })
}

// renderedIsClean renders the cards of a copy of a folder and demands that nothing is said of them but what is allowed.
func renderedIsClean(t *testing.T, from fs.FS, allowed []finding.Code) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, from); err != nil {
		t.Fatal(err)
	}
	if !rendered(t, dir) {
		t.Skip("hfpub card refuses the folder")
	}
	for _, f := range validated(t, dir) {
		if !slices.Contains(allowed, f.Code) {
			t.Errorf("a rendered card is reported: %s", places([]finding.Finding{f})[0]+" "+f.Message)
		}
	}
}

// Cards of the cases that hold hand-written faults keep those, since hfpub card writes its own keys only.
func TestRenderedCasesHaveNoFindings(t *testing.T) {
	handWritten := []finding.Code{finding.CardLicenseMissing, finding.CardLicenseUnknown}
	folders, err := filepath.Glob(filepath.Join(shared(t, "cases"), "*", "data"))
	if err != nil || len(folders) == 0 {
		t.Fatalf("no cases with data: %v", err)
	}
	for _, data := range folders {
		dir := filepath.Dir(data)
		t.Run(filepath.Base(dir), func(t *testing.T) { renderedIsClean(t, os.DirFS(dir), handWritten) })
	}
}

// TestRealCards keeps what is said of 48 real cards: each alone, and with a little data of its own beside it.
func TestRealCards(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(shared(t, "data/cards"), "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".md")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if name == "SOURCE" {
			continue
		}
		dir := t.TempDir()
		write(t, dir, "README.md", string(text))
		fmt.Fprintf(&out, "%s\n", name)
		summarise(&out, "alone", validated(t, dir))
		write(t, dir, "train.jsonl", "{\"id\": 1, \"text\": \"one small row\"}\n{\"id\": 2, \"text\": \"and another one\"}\n")
		summarise(&out, "with rows", validated(t, dir))
	}
	golden := filepath.Join("testdata", "real-cards.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Errorf("what is said of real cards changed; look at each and run with -update (-want +got):\n%s", diff)
	}
}

// summarise counts findings by severity and code.
func summarise(out *strings.Builder, what string, found []finding.Finding) {
	counts := map[string]int{}
	for _, f := range found {
		counts[fmt.Sprintf("%s %s", f.Severity, f.Code)] += f.Count
	}
	var parts []string
	for key, n := range counts {
		parts = append(parts, fmt.Sprintf("%s x%d", key, n))
	}
	slices.Sort(parts)
	if len(parts) == 0 {
		parts = []string{"nothing"}
	}
	fmt.Fprintf(out, "  %s: %s\n", what, strings.Join(parts, ", "))
}

// stricter are recorded folders that load_dataset takes and whose cards are wrong all the same, with what is wrong.
var stricter = map[string]finding.Code{
	"README features string, ints":         finding.CardFeaturesDiffer,
	"README features string, floats":       finding.CardFeaturesDiffer,
	"README features string, mixed":        finding.CardFeaturesDiffer,
	"README class_label out of range":      finding.CardFeaturesDiffer,
	"README class_label yes/no yaml bools": finding.CardYAML11,
	"README yaml dup key":                  finding.CardDuplicateKey,
}

// TestRecordedOutcomes compares what is said of cards with what load_dataset did: a folder that it loads has no error
// in its card, and one on which it fails for what the card says has one.
func TestRecordedOutcomes(t *testing.T) {
	text, err := os.ReadFile(shared(t, "reference/loader-cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct {
		Cases []struct {
			Case  string
			Files map[string]struct {
				Text, Base64 string
				Lines        []struct {
					Line   string
					Repeat int
				}
			}
			Result struct{ OK bool }
		}
	}
	// Rows hold numbers that JSON does not have; no folder with features does.
	for _, word := range []string{": NaN", ": Infinity", ": -Infinity"} {
		text = bytes.ReplaceAll(text, []byte(word), []byte(": null"))
	}
	if err := json.Unmarshal(text, &recorded); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, c := range recorded.Cases {
		readme := c.Files["README.md"].Text
		if !strings.Contains(readme, "dataset_info") && !strings.Contains(readme, "features:") {
			continue
		}
		compared++
		dir := t.TempDir()
		for path, file := range c.Files {
			content := file.Text
			if decoded, err := base64.StdEncoding.DecodeString(file.Base64); err == nil && file.Base64 != "" {
				content = string(decoded)
			}
			for _, line := range file.Lines {
				content += strings.Repeat(line.Line+"\n", line.Repeat)
			}
			write(t, dir, path, content)
		}
		var codes []finding.Code
		for _, f := range validated(t, dir) {
			if f.Severity == finding.Error {
				codes = append(codes, f.Code)
			}
		}
		switch code := stricter[c.Case]; {
		case code != "" && !slices.Contains(codes, code):
			t.Errorf("%s: errors %v, want %s", c.Case, codes, code)
		case code == "" && c.Result.OK && len(codes) > 0:
			t.Errorf("%s: errors %v, though load_dataset takes it", c.Case, codes)
		case !c.Result.OK && len(codes) == 0:
			t.Errorf("%s: no error, though load_dataset fails", c.Case)
		}
	}
	if compared < 30 {
		t.Errorf("only %d recorded folders have a card with features", compared)
	}
}
