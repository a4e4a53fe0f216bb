package column

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/rows"
	"gopkg.in/yaml.v3"
)

// recording is a folder with what load_dataset made of it.
type recording struct {
	Case   string
	Files  map[string]recordedFile
	Result struct {
		OK       bool
		Splits   map[string]struct{ NumExamples, NumBytes int64 }
		Features json.RawMessage `json:"features_yaml"`
	}
	LoadKwargs     map[string]any `json:"load_kwargs"`
	DependsOnPanda bool           `json:"depends_on_pandas"`
}

type recordedFile struct {
	Text   *string
	Base64 string
	Lines  []struct {
		Line   string
		Repeat int
	}
	FinalNewline *bool `json:"final_newline"`
}

func (f recordedFile) content(t *testing.T) []byte {
	if f.Text != nil {
		return []byte(*f.Text)
	}
	if f.Base64 != "" {
		data, err := base64.StdEncoding.DecodeString(f.Base64)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	var lines [][]byte
	for _, l := range f.Lines {
		for range l.Repeat {
			lines = append(lines, []byte(l.Line))
		}
	}
	text := bytes.Join(lines, []byte("\n"))
	if f.FinalNewline == nil || *f.FinalNewline {
		text = append(text, '\n')
	}
	return text
}

func recordings(t *testing.T, name string) []recording {
	text, err := os.ReadFile(shared(t, "reference", name))
	if err != nil {
		t.Fatal(err)
	}
	// Python writes bare NaN and Infinity in the rows, which this test does not look at.
	text = regexp.MustCompile(`([:\[,] )(NaN|-?Infinity)`).ReplaceAll(text, []byte("${1}null"))
	text = bytes.ReplaceAll(text, []byte(`"num_examples"`), []byte(`"NumExamples"`))
	text = bytes.ReplaceAll(text, []byte(`"num_bytes"`), []byte(`"NumBytes"`))
	var all struct{ Cases []recording }
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all.Cases
}

// splitsOf says which files are in which split, in the loader's order; nil where that takes rules that are no business of
// this package.
func (r *recording) splitsOf(t *testing.T) (names []string, files map[string][]string) {
	files = map[string][]string{}
	add := func(split, path string) {
		if files[split] == nil {
			names = append(names, split)
		}
		files[split] = append(files[split], path)
	}
	if readme, ok := r.Files["README.md"]; ok {
		parts := strings.SplitN(string(readme.content(t)), "---\n", 3)
		var card struct {
			Configs []struct {
				DataFiles []struct{ Split, Path string } `yaml:"data_files"`
			}
			DatasetInfo any `yaml:"dataset_info"`
		}
		if len(parts) < 3 || yaml.Unmarshal([]byte(parts[1]), &card) != nil || len(card.Configs) != 1 || card.DatasetInfo != nil ||
			strings.Contains(parts[1], "on_mixed_types") || strings.Contains(parts[1], "field") {
			return nil, nil
		}
		for _, f := range card.Configs[0].DataFiles {
			if matches := r.glob(f.Path); len(matches) > 0 {
				for _, m := range matches {
					add(f.Split, m)
				}
				continue
			}
			return nil, nil
		}
		return names, files
	}
	for _, name := range r.glob("*") {
		split := ""
		for _, keyword := range []string{"train", "validation", "test"} {
			if strings.Contains(name, keyword) {
				split = keyword
			}
		}
		if split == "" {
			split = "train"
		}
		add(split, name)
	}
	order := []string{"train", "validation", "test"}
	sort.Slice(names, func(i, j int) bool { return slices.Index(order, names[i]) < slices.Index(order, names[j]) })
	return names, files
}

func (r *recording) glob(pattern string) []string {
	var out []string
	for name := range r.Files {
		ok, _ := path.Match(pattern, name)
		if ok || pattern == "*" && name != "README.md" {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// observeRecording reads the files of a recording; nil when it is not made of plain JSON or CSV files.
func observeRecording(t *testing.T, r *recording) (names []string, observers []*Observer) {
	names, files := r.splitsOf(t)
	if len(names) != len(r.Result.Splits) || r.LoadKwargs != nil {
		return nil, nil
	}
	for _, name := range names {
		if _, ok := r.Result.Splits[name]; !ok {
			return nil, nil
		}
		o := NewObserver()
		var n int64
		observe := func(row *rows.Row) { n++; o.Observe(row) }
		for _, file := range files[name] {
			text := r.Files[file].content(t)
			ok := false
			switch filepath.Ext(file) {
			case ".jsonl", ".ndjson", ".json":
				if len(text) > 0 && text[0] == '[' {
					ok = jsonArray(file, text, observe)
				} else {
					ok = jsonLines(file, text, observe)
				}
			case ".csv":
				ok = csvRows(file, string(text), ',', observe)
			case ".tsv":
				ok = csvRows(file, string(text), '\t', observe)
			}
			if !ok {
				return nil, nil
			}
		}
		if n != r.Result.Splits[name].NumExamples {
			return nil, nil
		}
		observers = append(observers, o)
	}
	return names, observers
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		t.Fatalf("not JSON: %s\n%s", a, b)
	}
	return asJSON(t, x) == asJSON(t, y)
}

// knownGaps are recordings that hfpub describes in another way, and why. A config with `field` ("field in configs") is read as if it had none, since rows know nothing of the parameter.
var knownGaps = map[string]string{
	".json list whose first object after 100 chars ws": "rows do not say how their array was laid out",
	"csv NA strings": "recorded with pandas 1.5, which does not take None for a missing value",
}

func TestRecordedOutcomesOfTheLoader(t *testing.T) {
	for file, least := range map[string]int{"loader-cases.json": 111, "loader-fuzz.json": 297} {
		t.Run(file, func(t *testing.T) {
			compared, agree, sizes, known := 0, 0, 0, 0
			for _, r := range recordings(t, file) {
				if !r.Result.OK {
					continue
				}
				names, observers := observeRecording(t, &r)
				if names == nil {
					continue
				}
				compared++
				features := Config(observers)
				got := asJSON(t, features)
				same := sameJSON(t, got, string(r.Result.Features))
				if reason := knownGaps[r.Case]; reason != "" {
					if same {
						t.Errorf("%s agrees although it is listed as a gap", r.Case)
					}
					t.Logf("gap: %s: %s", r.Case, reason)
					continue
				}
				if !same {
					t.Errorf("%s: features\n%s\nwant\n%s", r.Case, got, r.Result.Features)
					continue
				}
				agree++
				for i, name := range names {
					sizes++
					size, ok := observers[i].NumBytes(features)
					if !ok {
						t.Logf("%s: num_bytes is not known", r.Case)
						continue
					}
					known++
					if want := r.Result.Splits[name].NumBytes; size != want {
						t.Errorf("%s: split %s has num_bytes %d, want %d\n%s", r.Case, name, size, want, got)
					}
				}
			}
			t.Logf("features: %d of %d agree; num_bytes: %d of %d known", agree, compared, known, sizes)
			if agree < least {
				t.Errorf("%d recordings agree, expected %d: are they still being read?", agree, least)
			}
		})
	}
}
