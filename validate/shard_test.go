package validate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/testdata/releases"
	"github.com/hfpub/hfpub/validate/finding"
)

func loadFolder(t *testing.T, dir string) (*release.Release, []finding.Finding) {
	t.Helper()
	rel, found, err := release.Load(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return rel, found
}

// readShards reads a folder in n shards and returns the partial results, as they are read from files.
func readShards(t *testing.T, dir string, n int, opt Options) []*Partial {
	t.Helper()
	out := t.TempDir()
	var partials []*Partial
	for i := range n {
		rel, found := loadFolder(t, dir)
		partial, err := ReadShard(context.Background(), rel, found, opt, Shard{i + 1, n}, "job")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(out, fmt.Sprint(i))
		if err := partial.Write(path); err != nil {
			t.Fatal(err)
		}
		read, err := ReadPartial(path)
		if err != nil {
			t.Fatal(err)
		}
		if read.Job != "job" || read.Shard != (Shard{i + 1, n}) || read.Bytes != partial.Bytes {
			t.Errorf("read %+v, want what was written: %+v", read, partial)
		}
		partials = append(partials, read)
	}
	return partials
}

// checkShards validates a folder in shards and wants the report of one run. Each number of shards meets each size of blocks once, with
// one of the numbers of places.
func checkShards(t *testing.T, dir string) {
	t.Helper()
	for m, maxPlaces := range []int{100, 3} {
		want := validateFolder(t, dir, Options{MaxPlaces: maxPlaces, Statistics: maxPlaces == 3, blockSize: 1 << 30})
		for i, size := range []int{0, 1, 500, 20_000} {
			for k, n := range []int{1, 2, 3, 7} {
				if (m+i+k)%2 > 0 {
					continue
				}
				opt := Options{MaxPlaces: maxPlaces, Statistics: maxPlaces == 3, blockSize: size, Jobs: 2}
				partials := readShards(t, dir, n, opt)
				partials[0], partials[n-1] = partials[n-1], partials[0]
				rel, found := loadFolder(t, dir)
				report, err := Merge(context.Background(), rel, found, opt, partials)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, everything(t, report)); diff != "" {
					t.Fatalf("%d shards in blocks of %d bytes, at most %d places, give another report (-one run +merged):\n%s", n, size, maxPlaces, diff)
				}
			}
		}
	}
}

func TestShardsGiveTheReportOfOneRun(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "tea-house"), releases.Files("tea-house")); err != nil {
		t.Fatal(err)
	}
	checkShards(t, filepath.Join(dir, "tea-house"))
	nasty := t.TempDir()
	writeNasty(t, nasty)
	checkShards(t, nasty)
}

func TestShardsShareOutAllBytes(t *testing.T) {
	files := []*dataFile{{path: "a.jsonl"}, {path: "empty.jsonl"}, {path: "b.jsonl.gz"}, {path: "c.csv"}, {path: "last.jsonl"}}
	sizes := []int64{10_000, 0, 5_000, 20_000, 0}
	for _, n := range []int{1, 2, 3, 4, 50, 1000} {
		covered := make([]int64, len(files))
		ends := make([]int, len(files))
		for i := range n {
			fresh := make([]*dataFile, len(files))
			for k, f := range files {
				fresh[k] = &dataFile{path: f.path, index: k}
			}
			for _, f := range (Shard{i + 1, n}).of(fresh, sizes, 1) {
				from, to := int64(0), sizes[f.index]
				if f.share != nil {
					from, to = f.share.From, min(f.share.To, to)
				}
				if from != covered[f.index] {
					t.Errorf("%d shards: shard %d begins %s at %d, want %d", n, i+1, f.path, from, covered[f.index])
				}
				covered[f.index] = to
				if f.toEnd() {
					ends[f.index]++
				}
			}
		}
		for k, f := range files {
			if covered[k] != sizes[k] || ends[k] != 1 {
				t.Errorf("%d shards: %d of %d bytes of %s are read, and its end %d times", n, covered[k], sizes[k], f.path, ends[k])
			}
		}
	}
}

func TestShardsAreWrittenAsNumbers(t *testing.T) {
	for text, want := range map[string]Shard{"1/1": {1, 1}, "2/4": {2, 4}, "10000/10000": {10000, 10000}} {
		if got, err := ParseShard(text); got != want || err != nil || got.String() != text {
			t.Errorf("ParseShard(%q) = %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "1", "0/2", "3/2", "-1/2", "a/b", "1/2/3", "1/10001", "1/99999999999999999999"} {
		if got, err := ParseShard(text); err == nil || !strings.Contains(err.Error(), "2/4 is the second of four") {
			t.Errorf("ParseShard(%q) = %v, %v, want an error that shows the form", text, got, err)
		}
	}
}

func TestMergeRefusesWhatDoesNotBelongTogether(t *testing.T) {
	dir := t.TempDir()
	writeNasty(t, dir)
	opt := Options{MaxPlaces: 3, Version: "1"}
	partials := readShards(t, dir, 3, opt)
	two := readShards(t, dir, 2, opt)
	newer := readShards(t, dir, 3, Options{MaxPlaces: 3, Version: "2"})
	other := readShards(t, dir, 3, Options{MaxPlaces: 4, Version: "1"})
	tests := map[string]struct {
		partials []*Partial
		opt      Options
		want     string
	}{
		"none":            {nil, opt, "there is no partial result"},
		"one is missing":  {[]*Partial{partials[0], partials[2]}, opt, "shard 2/3 is missing"},
		"two are missing": {[]*Partial{partials[1]}, opt, "shard 1/3, 3/3 is missing"},
		"one is twice":    {[]*Partial{partials[0], partials[0]}, opt, "are both shard 1/3"},
		"of other sizes":  {[]*Partial{partials[0], two[1]}, opt, "they are not of one job"},
		"other flags":     {[]*Partial{partials[0], other[1], partials[2]}, opt, "files, schemas or flags differ"},
		"other versions":  {[]*Partial{partials[0], newer[1], partials[2]}, opt, "by hfpub 2, and this is hfpub 1"},
		"another hfpub":   {partials, Options{MaxPlaces: 3, Version: "3"}, "this is hfpub 3"},
		"other options":   {partials, Options{MaxPlaces: 7, Version: "1"}, "another state of the release"},
	}
	for name, test := range tests {
		rel, found := loadFolder(t, dir)
		report, err := Merge(context.Background(), rel, found, test.opt, test.partials)
		if err == nil || report != nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that says %q, and no report", name, err, test.want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "lines", "a.jsonl"), []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	rel, found := loadFolder(t, dir)
	if _, err := Merge(context.Background(), rel, found, opt, partials); err == nil || !strings.Contains(err.Error(), "have changed since") {
		t.Errorf("a file has changed: error %v, want one that says so", err)
	}
}

func TestFilesThatAreNoPartialResults(t *testing.T) {
	dir := t.TempDir()
	writeNasty(t, dir)
	rel, found := loadFolder(t, dir)
	partial, err := ReadShard(context.Background(), rel, found, Options{MaxPlaces: 3}, Shard{1, 2}, "job")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "part")
	if err := partial.Write(path); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	flipped := append([]byte(nil), good...)
	flipped[len(flipped)/2] ^= 1
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"empty":           {nil, "is no partial result"},
		"rows":            {[]byte("{\"a\": 1}\n"), "is no partial result"},
		"newer":           {[]byte("hfpub partial result 2\n..."), "another version of hfpub"},
		"cut short":       {good[:len(good)-1], "damaged or cut short"},
		"hardly begun":    {good[:30], "damaged or cut short"},
		"one bit flipped": {flipped, "damaged or cut short"},
	} {
		if err := os.WriteFile(path, test.data, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadPartial(path); err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%s: error %v, want one that names the file and says %q", name, err, test.want)
		}
	}
	if _, err := ReadPartial(filepath.Join(dir, "none")); err == nil {
		t.Error("a file that is not there is no error")
	}
}

func FuzzPartial(f *testing.F) {
	f.Add([]byte(partialForm), []byte("body"))
	f.Add([]byte("x"), []byte{})
	f.Fuzz(func(t *testing.T, head, body []byte) {
		if p, err := parsePartial(append(head, body...)); err == nil && (p.Shard.Number < 1 || p.Shard.Number > p.Shard.Of) {
			t.Errorf("shard %v", p.Shard)
		}
	})
}
