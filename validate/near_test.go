package validate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const nearManifest = `version: 1
release: {name: tea, version: 1.0.0}
repos:
  - id: acme/tea
    type: dataset
    status: public
    configs: [{name: default, splits: [{name: train, files: "train-*.jsonl"}, {name: test, files: test.jsonl}]}]
    rules:
      - near_duplicates: {between: [train, test], key: /text}
      - near_duplicates: {in: train, key: /text, threshold: 0.5, shingle: 2, permutations: 32, seed: 9}
`

// Near duplicates, and rows that repeat others, are the same for any number of workers, blocks and shards.
func TestNearDuplicatesDoNotDependOnWorkersBlocksAndShards(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var texts []string
	row := func() string {
		var words []string
		switch kind := random.IntN(4); {
		case kind < 2 && len(texts) > 0:
			words = strings.Fields(texts[random.IntN(len(texts))])
			if kind == 0 {
				words[random.IntN(len(words))] = "changed"
			}
		default:
			for range 20 {
				words = append(words, fmt.Sprintf("w%d", random.IntN(900)))
			}
		}
		texts = append(texts, strings.Join(words, " "))
		return fmt.Sprintf("{\"text\": %q}\n", texts[len(texts)-1])
	}
	dir := t.TempDir()
	files := map[string]string{"hfpub.yaml": nearManifest}
	for _, name := range []string{"train-1.jsonl", "train-2.jsonl", "test.jsonl"} {
		for range 150 {
			files[name] += row()
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := validateFolder(t, dir, Options{Jobs: 1, MaxPlaces: 100, blockSize: 1 << 30})
	for _, code := range []string{"leak/near-train-row", "leak/near-row"} {
		if n := strings.Count(want, code); n < 10 {
			t.Errorf("only %d findings %s: there is little to compare", n, code)
		}
	}
	for _, jobs := range []int{1, 4} {
		for _, size := range []int{1, 700} {
			if diff := cmp.Diff(want, validateFolder(t, dir, Options{Jobs: jobs, MaxPlaces: 100, blockSize: size})); diff != "" {
				t.Fatalf("%d workers and blocks of %d bytes give another report (-one block +blocks):\n%s", jobs, size, diff)
			}
		}
	}
	opt := Options{MaxPlaces: 100, blockSize: 500, Jobs: 2}
	rel, found := loadFolder(t, dir)
	report, err := Merge(context.Background(), rel, found, opt, readShards(t, dir, 3, opt))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, everything(t, report)); diff != "" {
		t.Fatalf("3 shards give another report (-one run +merged):\n%s", diff)
	}
}
