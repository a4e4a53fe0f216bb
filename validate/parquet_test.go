package validate

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pq "github.com/parquet-go/parquet-go"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
)

type teaRow struct {
	ID    int64    `parquet:"id"`
	Text  *string  `parquet:"text,optional"`
	Score float64  `parquet:"score"`
	Tags  []string `parquet:"tags,list"`
}

// teas are rows as a Parquet file of several row groups, and as JSON Lines.
func teas(t *testing.T, n int) (columns []byte, lines string) {
	t.Helper()
	var out bytes.Buffer
	var text strings.Builder
	w := pq.NewGenericWriter[teaRow](&out, pq.MaxRowsPerRowGroup(300), pq.Compression(&pq.Zstd))
	for i := range n {
		row := teaRow{ID: int64(i), Score: float64(i) / 4}
		said, tags := "null", ""
		if i%3 > 0 {
			s := fmt.Sprintf("cup %d", i)
			row.Text, said = &s, `"`+s+`"`
		}
		if i%2 > 0 {
			row.Tags, tags = []string{"green"}, `"green"`
		}
		if _, err := w.Write([]teaRow{row}); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, `{"score":%v, "id":%d, "tags":[%s], "text":%s}`+"\n", row.Score, i, tags, said)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), text.String()
}

// validatedFiles runs a folder of files, with some workers and blocks of a size.
func validatedFiles(t *testing.T, files map[string]string, jobs, blockSize int) *Report {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tea")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	rel, found, err := release.Load(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	report, err := Run(t.Context(), rel, found, Options{Jobs: jobs, blockSize: blockSize, Schema: filepath.Join(dir, ".schema.json")})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

const teaSchema = `{"properties": {"id": {"type": "integer", "maximum": 700}, "text": {"type": ["string", "null"]}, "tags": {"maxItems": 0}}}`

// The same rows give the same digests and break the same promises, as Parquet and as JSON Lines, whoever reads them.
func TestParquetIsLikeJSONLines(t *testing.T) {
	columns, lines := teas(t, 1000)
	want := validatedFiles(t, map[string]string{"train.jsonl": lines, ".schema.json": teaSchema}, 1, 0)
	for _, jobs := range []int{1, 3} {
		for _, blockSize := range []int{0, 2000} {
			got := validatedFiles(t, map[string]string{"train.parquet": string(columns), ".schema.json": teaSchema}, jobs, blockSize)
			a, b := want.Repos[0].Configs[0].Splits[0], got.Repos[0].Configs[0].Splits[0]
			if diff := cmp.Diff(*a.Digest, *b.Digest); diff != "" || *b.Rows != 1000 {
				t.Errorf("%d workers, blocks of %d: %d rows, digests (-JSON Lines +Parquet):\n%s", jobs, blockSize, *b.Rows, diff)
			}
			if diff := cmp.Diff(summed(want.Findings), summed(got.Findings)); diff != "" || len(got.Findings) < 2 {
				t.Errorf("%d workers, blocks of %d: findings (-JSON Lines +Parquet):\n%s", jobs, blockSize, diff)
			}
			var sizes int64
			for _, file := range b.Files {
				sizes += file.parquet.Stats.Unpacked
			}
			if b.NumBytes == nil || *b.NumBytes != sizes || sizes == 0 {
				t.Errorf("num_bytes %v, want the %d bytes of the unpacked columns", b.NumBytes, sizes)
			}
		}
	}
}

// summed writes findings without the names of files.
func summed(found []finding.Finding) []string {
	var out []string
	for _, f := range found {
		out = append(out, fmt.Sprintf("%s line %d %s ×%d: %s", f.Code, f.Line, f.Pointer, f.Count, f.Message))
	}
	return out
}
