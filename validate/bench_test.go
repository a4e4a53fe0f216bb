package validate

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// benchmarks are files like those that people release, each with its schema.
var benchmarks = []struct {
	name, schema string
	// row writes row i.
	row  func(out *bytes.Buffer, random *rand.Rand, i int)
	rows int
}{
	{"dialogues.jsonl", `{
		"type": "object", "required": ["id", "split", "persona", "turns", "answer"], "additionalProperties": false,
		"properties": {
			"id": {"type": "string", "pattern": "^dialogue-[0-9]+$"}, "split": {"enum": ["train", "test"]},
			"persona": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "minLength": 1}, "age": {"type": "integer", "minimum": 0}}},
			"turns": {"type": "array", "minItems": 1, "items": {"type": "object", "required": ["speaker", "text"],
				"properties": {"speaker": {"enum": ["guest", "host"]}, "text": {"type": "string", "minLength": 1}, "seconds": {"type": "number"}}}},
			"answer": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
		}}`, dialogue, 4_000},
	{"texts.jsonl", `{
		"type": "object", "required": ["id", "prompt", "completion", "label"],
		"properties": {"id": {"type": "integer"}, "prompt": {"type": "string", "minLength": 10}, "completion": {"enum": [" Y", " N"]}, "label": {"type": "integer", "minimum": 0, "maximum": 1}}}`,
		longText, 1_500},
	{"small.jsonl", `{
		"type": "object", "required": ["a", "b"], "additionalProperties": false,
		"properties": {"a": {"type": "integer"}, "b": {"type": "string", "maxLength": 40}, "c": {"type": "boolean"}, "d": {"type": "number"}, "e": {"type": ["null", "string"]}}}`,
		smallRow, 80_000},
	{"array.json", "", dialogue, 4_000},
	{"table.csv", "", tableRow, 60_000},
}

const words = "the leaves are steamed rolled and dried in the sun before anyone pours water over them "

func dialogue(out *bytes.Buffer, random *rand.Rand, i int) {
	fmt.Fprintf(out, `{"id": "dialogue-%d", "split": "train", "persona": {"name": "Zoë %d", "age": %d}, "turns": [`, i, i, random.IntN(90))
	for turn := range 8 {
		if turn > 0 {
			out.WriteString(", ")
		}
		fmt.Fprintf(out, `{"speaker": %q, "text": "%s", "seconds": %d.25}`, []string{"guest", "host"}[turn%2], words[:20+random.IntN(60)], turn)
	}
	fmt.Fprintf(out, `], "answer": ["%d", "green"]}`, i)
}

func longText(out *bytes.Buffer, random *rand.Rand, i int) {
	fmt.Fprintf(out, `{"id": %d, "prompt": "%s\n\"%s\"", "completion": " Y", "label": %d}`, i, strings.Repeat(words, 20+random.IntN(40)), words, i%2)
}

func smallRow(out *bytes.Buffer, random *rand.Rand, i int) {
	fmt.Fprintf(out, `{"a": %d, "b": "%s", "c": true, "d": %d.%d, "e": null}`, i, words[:random.IntN(40)], random.IntN(1000), i%10)
}

func tableRow(out *bytes.Buffer, random *rand.Rand, i int) {
	fmt.Fprintf(out, "%d,%d.5,\"%s, \"\"so\"\"\",true", i, random.IntN(1000), words[:random.IntN(40)])
}

// writeRows writes a file of n rows in the form that its name asks for.
func writeRows(b *testing.B, path string, n int, row func(*bytes.Buffer, *rand.Rand, int)) int64 {
	b.Helper()
	var out bytes.Buffer
	random := rand.New(rand.NewPCG(1, 2))
	end := "\n"
	switch filepath.Ext(path) {
	case ".json":
		out.WriteString("[\n")
		end = ",\n"
	case ".csv":
		out.WriteString("id,number,text,ok\n")
	}
	for i := range n {
		if i > 0 {
			out.WriteString(end)
		}
		row(&out, random, i)
	}
	if filepath.Ext(path) == ".json" {
		out.WriteString("]")
	}
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		b.Fatal(err)
	}
	return int64(out.Len())
}

// benchmarkRun validates data files.
func benchmarkRun(b *testing.B, paths []string, size int64, opt Options) {
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		rel, err := Loose(paths)
		if err != nil {
			b.Fatal(err)
		}
		report, err := Run(context.Background(), rel, nil, opt)
		if err != nil {
			b.Fatal(err)
		}
		if report.Summary.Errors > 0 {
			b.Fatalf("%+v", report.Findings[0])
		}
	}
}

// BenchmarkRun is the whole pass over one file, with and without a schema, by one worker and by one for each core.
func BenchmarkRun(b *testing.B) {
	for _, file := range benchmarks {
		dir := b.TempDir()
		path := filepath.Join(dir, file.name)
		size := writeRows(b, path, file.rows, file.row)
		schemas := []string{""}
		if file.schema != "" {
			schema := filepath.Join(dir, "schema.json")
			if err := os.WriteFile(schema, []byte(file.schema), 0o644); err != nil {
				b.Fatal(err)
			}
			schemas = append(schemas, schema)
		}
		for _, schema := range schemas {
			for _, jobs := range []int{1, 0} {
				name := fmt.Sprintf("%s/schema=%t/jobs=%d", file.name, schema != "", jobs)
				b.Run(name, func(b *testing.B) {
					benchmarkRun(b, []string{path}, size, Options{Jobs: jobs, Schema: schema, AnyValue: true, MaxPlaces: 100})
				})
			}
		}
	}
}

// BenchmarkRunManyFiles is the pass over a thousand files of a few rows.
func BenchmarkRunManyFiles(b *testing.B) {
	dir := b.TempDir()
	var paths []string
	var size int64
	for i := range 1000 {
		path := filepath.Join(dir, fmt.Sprintf("%d.jsonl", i))
		size += writeRows(b, path, 5, smallRow)
		paths = append(paths, path)
	}
	for _, jobs := range []int{1, 0} {
		b.Run(fmt.Sprintf("jobs=%d", jobs), func(b *testing.B) { benchmarkRun(b, paths, size, Options{Jobs: jobs, MaxPlaces: 100}) })
	}
}
