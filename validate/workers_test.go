package validate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/testdata/releases"
	"github.com/hfpub/hfpub/validate/rows"
)

// everything is all that a report says: its JSON form, and the fields, which are not in it.
func everything(t *testing.T, report *Report) string {
	t.Helper()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(report); err != nil {
		t.Fatal(err)
	}
	for _, repo := range report.Repos {
		for _, config := range repo.Configs {
			if err := encoder.Encode(config.Fields); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out.String()
}

func validateFolder(t *testing.T, dir string, opt Options) string {
	t.Helper()
	rel, found, err := release.Load(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	report, err := Run(context.Background(), rel, found, opt)
	if err != nil {
		t.Fatal(err)
	}
	return everything(t, report)
}

// checkWorkersAndBlocks validates a folder with several numbers of workers and sizes of blocks, down to one row, and wants the
// same report every time. Each number of workers meets each size once, with one of the numbers of places.
func checkWorkersAndBlocks(t *testing.T, dir string, sizes []int) {
	t.Helper()
	workers := []int{1, 2, 7}
	for m, maxPlaces := range []int{100, 3, 0} {
		want := validateFolder(t, dir, Options{Jobs: 1, MaxPlaces: maxPlaces, Statistics: maxPlaces == 3, blockSize: 1 << 30})
		for i, size := range sizes {
			jobs := workers[(m+i)%len(workers)]
			got := validateFolder(t, dir, Options{Jobs: jobs, MaxPlaces: maxPlaces, Statistics: maxPlaces == 3, blockSize: size})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%d workers and blocks of %d bytes, at most %d places, give another report (-one block +blocks):\n%s", jobs, size, maxPlaces, diff)
			}
		}
	}
}

func TestReportsDoNotDependOnWorkersAndBlocks(t *testing.T) {
	dir := t.TempDir()
	for _, example := range releases.Names() {
		t.Run(example, func(t *testing.T) {
			if err := os.CopyFS(filepath.Join(dir, example), releases.Files(example)); err != nil {
				t.Fatal(err)
			}
			checkWorkersAndBlocks(t, filepath.Join(dir, example), []int{0, 1, 2, 100, 1000, 4096})
		})
	}
}

func TestReportsOfNastyFilesDoNotDependOnWorkersAndBlocks(t *testing.T) {
	dir := t.TempDir()
	writeNasty(t, dir)
	checkWorkersAndBlocks(t, dir, []int{0, 1, 17, 1000, 30_000})
}

// A check that takes rows one by one would have all others take them so.
func TestRowsOfReleasesAreReadTogether(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a.jsonl": "", "b.jsonl": "", "schema.json": "{}", "hfpub.yaml": `version: 1
release: {name: tea, version: 1.0.0}
repos:
  - id: acme/tea
    type: dataset
    status: public
    root: .
    license: mit
    configs: [{name: default, splits: [{name: train, files: a.jsonl, schema: schema.json}, {name: test, files: b.jsonl}]}]
`})
	rel, found, err := release.Load(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPass(rel, found, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.keys.Close()
	for _, s := range p.splits {
		for o := range s.seen.all {
			if _, ok := o.(rows.RunObserver); !ok {
				t.Errorf("split %s has an observer of rows one by one: %T", s.split.Name, o)
			}
		}
	}
}

// writeNasty writes a release of files in every format, with faults of all kinds.
func writeNasty(t *testing.T, dir string) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	files := map[string][]byte{
		"hfpub.yaml":         []byte(nastyManifest),
		"schema.json":        []byte(nastySchema),
		"csv.json":           []byte(`{"properties": {"n": {"type": "integer", "maximum": 50}, "ok": {"type": "boolean"}}}`),
		"lines/a.jsonl":      nastyLines(random, 900, "\n"),
		"lines/b.jsonl":      []byte("\xEF\xBB\xBFnot json\r\n\r\n" + string(nastyLines(random, 100, "\r\n"))),
		"lines/c.jsonl":      {},
		"lines/d.jsonl":      []byte("[1]\n[2]\n"),
		"lines/f.jsonl":      flatLines(rand.New(rand.NewPCG(3, 4)), 2000),
		"lines/e.jsonl":      []byte(`{"id": 1, "long": "` + strings.Repeat("long ", 20_000) + `"}` + "\n{\"id\": 2}\n{\"id\": 3, \"cut"),
		"packed/a.jsonl.gz":  members(t, gzipped, nastyLines(random, 400, "\n")),
		"packed/b.jsonl.zst": members(t, zstandard, nastyLines(random, 400, "\n")),
		"packed/c.jsonl.gz":  members(t, gzipped, nastyLines(random, 200, "\n"))[:500],
		"packed/d.jsonl.zst": []byte("{\"id\": 1}\n"),
		"arrays/a.json":      nastyArray(nastyLines(random, 400, "\n"), ","),
		"arrays/b.json":      nastyArray(nastyLines(random, 300, "\n"), " ,\r\n  "),
		"arrays/c.json":      []byte("[{\"id\": 1}, {\"id\": 2},\n {\"é\": tru}, {\"id\": 3}]"),
		"arrays/d.json":      []byte("[{\"id\": 1, \"id\": 2}, {\"ü\": 1, \"ü\": 2}, 7, {\"id\": 1},]"),
		"values/a.json":      nastyLines(random, 200, "\n"),
		"values/b.json":      []byte("{\n \"id\": 1\n}\n{\n \"id\": 2,\n}\n{\n \"id\": 3\n}"),
		"tables/a.csv":       nastyTable(random, 300, "\n"),
		"tables/b.csv":       nastyTable(random, 300, "\r\n"),
		"tables/c.csv":       []byte("id,n,text\n1,2,\"never closed\n3,4,5\n"),
		"tables/d.csv":       []byte("id,id\n1,2\n"),
		"tables/e.csv":       nastyTable(random, 300, "\r"),
	}
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const nastyManifest = `version: 1
release: {name: nasty, version: 1.0.0}
repos:
  - id: nasty/rows
    type: dataset
    status: public
    root: .
    license: mit
    configs:
      - name: lines
        splits:
          - {name: train, files: ["lines/*.jsonl"], schema: schema.json}
          - {name: packed, files: ["packed/*"], schema: schema.json}
      - name: arrays
        splits:
          - {name: train, files: ["arrays/*.json"], schema: schema.json}
          - {name: values, files: ["values/*.json"], schema: schema.json}
      - name: tables
        splits:
          - {name: train, files: ["tables/*.csv"], schema: csv.json}
      - name: again
        splits:
          - {name: train, files: ["lines/a.jsonl", "arrays/a.json"]}
          - {name: twice, files: ["lines/b.jsonl", "lines/b.jsonl", "lines/c.jsonl", "lines/b.jsonl"]}
    rules:
      - unique: {in: [lines/train, packed], key: /id}
      - unique: {in: [arrays/train], key: /tags/*}
      - disjoint: {between: [lines/train, packed, tables/train], key: [/text, /id], normalize: [nfkc, casefold, spaces, punctuation]}
      - reference: {from: {in: packed, key: /id}, to: {in: [arrays/train, values], key: /id}, exactly: 1}
      - subset: {in: twice, of: packed, key: /more/*}
      - determines: {in: [lines/train, again/train], key: /tags/0, value: [/text, /id]}
      - counts: {in: [lines/train, values], by: /id, equal: {1: 2, 2: 3, "9": 1, null: 4}}
      - sorted: {in: [lines/train, packed, arrays/train, tables/train], by: /id}
      - {when: 'has(row.id) && row.id != 7', must: 'row.text != "" && size(row.tags) < 5'}
      - sorted: {in: [packed, again/train], by: /tags/1, order: [green, black, Nr. 7, white]}
    claims:
      - {id: all, said: {text: "10"}, measure: {rows: {in: [lines/train, values]}}}
      - {id: ids, said: {text: "10"}, measure: {distinct: {in: [lines/train, packed], key: [/tags/*]}}}
      - {id: mean, said: {text: "0.5"}, measure: {mean: {in: [tables/train], value: /n}}}
      - {id: std, said: {text: "0.5"}, measure: {std: {in: [packed, arrays/train], value: /more/*, where: 'has(row.more)'}}}
      - {id: middle, said: {text: "0.5"}, measure: {median: {in: [packed, again/train], value: /id, where: 'has(row.id) && type(row.id) == int'}}}
      - {id: share, said: {text: "5 %"}, measure: {share: {in: [again/twice, again/train], where: 'has(row.more)'}}}
      - {id: half, said: {text: "5"}, measure: {expr: "all / 2"}}
`

const nastySchema = `{
  "type": "object",
  "required": ["id", "text"],
  "additionalProperties": false,
  "properties": {
    "id": {"type": "integer", "maximum": 500},
    "text": {"type": "string", "maxLength": 30},
    "tags": {"type": "array", "items": {"type": "string", "pattern": "^[a-z]+$"}, "uniqueItems": true},
    "more": {"anyOf": [{"type": "null"}, {"type": "object", "required": ["a"]}]}
  }
}`

// nastyLines writes rows, most of which keep to the schema, with faults of form now and then.
func nastyLines(random *rand.Rand, n int, end string) []byte {
	faults := []string{"{\"id\": 1,}", "{\"id\": 1} {\"id\": 2}", "[1, 2]", "\"text\"", "", " ", "{\"id\": 1, \"id\": 2, \"text\": \"\", \"text\": 3}", "{\"é\": \"\xff\"}",
		"{\"id\": NaN}", "{\"a\": \"\\ud800\"}", "{\"id\": 1e99999}", "{\"text\": \"never closed}"}
	var out bytes.Buffer
	for i := range n {
		if random.IntN(40) == 0 {
			out.WriteString(faults[random.IntN(len(faults))] + end)
			continue
		}
		var tags []string
		for range random.IntN(6) {
			tags = append(tags, fmt.Sprintf("%q", []string{"green", "black", "Nr. 7", "white", fmt.Sprint(random.IntN(1000))}[random.IntN(5)]))
		}
		row := fmt.Sprintf(`"id": %d, "text": "%s", "tags": [%s]`, i, strings.Repeat("téa ", random.IntN(12)), strings.Join(tags, ", "))
		switch random.IntN(10) {
		case 0:
			row += fmt.Sprintf(`, "more": {"b%d": %d.5}`, random.IntN(3), i)
		case 1:
			row += `, "more": {"a": null}`
		case 2:
			row += fmt.Sprintf(`, "extra%d": 1`, random.IntN(200))
		case 3:
			row = `"id": "` + fmt.Sprint(i) + `"`
		}
		out.WriteString("{" + row + "}" + end)
	}
	return out.Bytes()
}

// flatLines are lines of objects that are alike, so that they are read together, but for some.
func flatLines(random *rand.Rand, n int) []byte {
	others := []string{"", "{\"id\": 1}\r", " {\"id\": 2}", "[1]", "{\"id\": 1,}", "{\"id\": \"é\xff\"}", "{\"id\": 1, \"text\": \"" + strings.Repeat("long ", 5000) + "\"}"}
	texts := []string{`"green"`, `"black"`, `null`, `"Nr. 7"`, `"té\u00e9"`, `"2024-01-01"`, `"a/b"`, `"12"`, `7`, `true`}
	secrets := []string{"AKIAIOSFODNN7EXAMPLQ", `password = \"x8Jk2mQz9LpR\"`, `\u0041KIAIOSFODNN7EXAMPLQ`}
	var out bytes.Buffer
	for i := range n {
		text := texts[random.IntN(4+min(i/500, 1)*6)]
		switch random.IntN(150) {
		case 0:
			out.WriteString(others[random.IntN(len(others))] + "\n")
			continue
		case 1:
			text = `"` + secrets[random.IntN(len(secrets))] + `"`
		}
		license := []string{"mit", "cc-by-4.0"}[min(random.IntN(400), 1)]
		fmt.Fprintf(&out, `{"id": %d, "text": %s, "score": %.2f, "ok": %t, "license": "%s"}`+"\n", i, text, random.Float64(), i%3 == 0, license)
	}
	return out.Bytes()
}

// nastyArray puts lines into an array, and leaves out those that would end the reading.
func nastyArray(lines []byte, comma string) []byte {
	var elements []string
	for line := range strings.SplitSeq(string(lines), "\n") {
		if json.Valid([]byte(line)) || strings.Contains(line, "NaN") || strings.Contains(line, "1e99999") {
			elements = append(elements, line)
		}
	}
	return []byte("[" + strings.Join(elements, comma) + "]\n")
}

func nastyTable(random *rand.Rand, n int, end string) []byte {
	var out bytes.Buffer
	out.WriteString("id,n,\"text, long\",ok" + end)
	for i := range n {
		switch random.IntN(30) {
		case 0:
			out.WriteString("1,2" + end)
		case 1:
			out.WriteString("1,2,caf\xe9,true" + end)
		case 2:
			out.WriteString("1,2,5\" pipe,\"x\"y" + end)
		case 3:
			out.WriteString(end)
		default:
			fmt.Fprintf(&out, "%d,%d,\"say \"\"%d\"\",%sthen go\",%t%s", i, random.IntN(100), i, end, i%2 == 0, end)
		}
	}
	return out.Bytes()
}

func gzipped(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }

func zstandard(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }

// members packs a content in three members, cut anywhere.
func members(t *testing.T, packer func(io.Writer) (io.WriteCloser, error), content []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	for _, part := range [][]byte{content[:len(content)/3], content[len(content)/3 : len(content)/2], content[len(content)/2:]} {
		w, err := packer(&out)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}
