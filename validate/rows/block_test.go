package rows

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
	"github.com/hfpub/hfpub/validate/sha256pair"
)

// alone shows rows that are read together one by one.
func alone(show func(*Row) error) func(*Run) error {
	return func(run *Run) error {
		for i := range run.Rows {
			if err := show(run.Alone(i)); err != nil {
				return err
			}
		}
		return nil
	}
}

// readBlocks reads all blocks of a file one after the other and shows the rows of those that count.
func readBlocks(t testing.TB, f *File, show func(*Row) error) {
	t.Helper()
	var doc tape.Tape
	for b := range blocksOf(t, f) {
		b.Hash(&sha256pair.Batch{})
		if err := b.Read(&doc, show, alone(show)); err != nil {
			t.Fatal(err)
		}
		f.Add(b)
	}
}

// blocksOf cuts a file into its blocks.
func blocksOf(t testing.TB, f *File) iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		for {
			b, err := f.Next()
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !yield(b) {
				return
			}
		}
	}
}

// everything is all that reading a file gives.
type everything struct {
	Rows     []string
	Findings []finding.Finding
	Totals   Totals
}

func rowText(r *Row) string {
	return fmt.Sprintf("line %d, row %d, %d-%d, batch %d: %s", r.Line, r.Index, r.Offset, r.End, r.Batch, r.Doc.Text)
}

// readLive reads a file from front to back.
func readLive(t testing.TB, src Source, opt Options) everything {
	t.Helper()
	var out everything
	found := finding.Set{MaxPlaces: opt.MaxPlaces}
	totals, err := Read(context.Background(), src, opt, &found, func(r *Row) error {
		out.Rows = append(out.Rows, rowText(r))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	out.Findings, out.Totals = found.All(), totals
	return out
}

// lent are the buffers of all files of the tests, with what others left in them.
var lent Buffers

// readApart cuts a file into blocks and reads them in any order: ahead says how many may wait, and random which is read next.
func readApart(t testing.TB, src Source, opt Options, ahead int, random *rand.Rand) everything {
	t.Helper()
	opt.Buffers = &lent
	f, err := Open(context.Background(), src, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out everything
	var doc tape.Tape
	var blocks []*Block
	shown := map[*Block][]string{}
	read := func() {
		var unread []*Block
		for _, b := range blocks {
			if _, ok := shown[b]; !ok {
				unread = append(unread, b)
			}
		}
		if len(unread) > 0 {
			b := unread[random.IntN(len(unread))]
			shown[b] = []string{}
			show := func(r *Row) error { shown[b] = append(shown[b], rowText(r)); return nil }
			if err := b.Read(&doc, show, alone(show)); err != nil {
				t.Fatal(err)
			}
		}
		for len(blocks) > 0 {
			b := blocks[0]
			rows, ok := shown[b]
			if !ok {
				break
			}
			if f.Add(b) {
				out.Rows = append(out.Rows, rows...)
			}
			delete(shown, b)
			blocks = blocks[1:]
		}
	}
	for {
		b, err := f.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		b.Hash(&sha256pair.Batch{})
		blocks = append(blocks, b)
		for b.Alone() && len(blocks) > 0 || len(blocks) > ahead {
			read()
		}
	}
	for len(blocks) > 0 {
		read()
	}
	totals, found := f.Part().Finish()
	out.Findings, out.Totals = found.All(), totals
	return out
}

// checkCuts holds what a file gives in blocks of any size against what it gives when it is read from front to back.
func checkCuts(t *testing.T, name string, content []byte, opt Options) {
	t.Helper()
	src := Source{Path: name, Open: open(content)}
	want := readLive(t, src, opt)
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{0, 1, 2, 3, 5, 7, 16, 61, 1000, 4096, 1 << 17} {
		if size > 0 && len(content) > 100_000 && size < 4096 {
			continue // very many blocks
		}
		packed := want.Totals.Format.Packing != Plain
		if packed && size > 1 && size < 1000 {
			continue // unpackers take long to make
		}
		opt.BlockSize = size
		for _, ahead := range []int{0, 3} {
			got := readApart(t, src, opt, ahead, random)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s %.300q: in blocks of %d bytes, %d of them ahead, the file gives something else (-live +blocks):\n%s", name, content, size, ahead, diff)
			}
		}
	}
}

// checkSomeCuts is checkCuts for a fuzz test.
func checkSomeCuts(t *testing.T, name string, content []byte, opt Options) {
	t.Helper()
	src := Source{Path: name, Open: open(content)}
	want := readLive(t, src, opt)
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{0, 1, 7} {
		opt.BlockSize = size
		if diff := cmp.Diff(want, readApart(t, src, opt, 2, random)); diff != "" {
			t.Fatalf("%s %q: in blocks of %d bytes the file gives something else (-live +blocks):\n%s", name, content, size, diff)
		}
	}
}

// nasty are contents with faults and odd forms in places where they may meet the borders of blocks.
var nasty = map[string][]string{
	"x.jsonl": {
		"", "\n", "\n\n\n", " ", "{}", "{}\n", "\xEF\xBB\xBF", "\xEF\xBB\xBF{\"a\":1}\n", "\xFF\xFE{}",
		"{\"a\":1}\r\n{\"a\":2}\r\n\r\n \r\n{\"a\":3}", "{\"a\":1,}\n{\"a\":2}\n{\"a\":NaN}\n[1]\n{} {}\n{\"é\": \"\xff\"}\n{\"a\":1,\"a\":2}\r\n",
		"\n\n{\"a\": \"" + strings.Repeat("long ", 300) + "\"}\n\n{}\n" + strings.Repeat("[", 600) + "\n{\"b\":2}\n{\"b\":",
	},
	"x.json": {
		"", " \n\n ", "[]", " [ ] ", "[{}]", "\xEF\xBB\xBF [1,2]", "\n\n[ {\"a\":1} , {\"a\":2} ]\n\n", "[{\"a\":1},{\"a\":2}]x", "[{}] \n ]", "[", "[ ", "[ \n\n", "[,", "[{}", "[{},", "[{},]", "[{} , \n ]",
		"[1,,2]", "[ , 1]", "[1 2,3]", "[{\"a\":1} {\"a\":2},{}]", "[{\"a\":[1},{\"b\":2}]", "[{\"a\":1]},{\"b\":2}]", "[\"a\",\"\\\\\",\"\\\"\",\"\\\\\\\"x\",{}]", "[{\"a\":\"\\\\\\\\\"},{\"a\":\"]\"},{\"a\":\"},{\"}]",
		"[1,-2.5e3,\"x\",null,true,[1,[2,[3]]],{\"a\":{\"b\":[{}]}}]", "[tru,{}]", "[Non,{}]", "[None,{}]", "[/,{}]", "[//,{}]", "[1.,{}]", "[-,{}]", "[\xe2\x82,{}]", "[{\"a\":\"\xe2\x82\"},{}]", "[{\"\xff\":1},{}]", "[}]", "[1}]", "[{}}]", "]", "[]]", "[\"a]", "[\"a\\",
		"[\r\n{\"a\":\r\n1}\r\n,\r\n{}\r\n]\r\n", "[{\"é😀\":1,\"é😀\":2},{\"ü\":1,\"ü\":1},\n{\"a\":1,\"a\":2},{\"b\":1,\"b\":2}]", "[{\"a\":\"\\ud800\"},{\"b\":NaN},{\"c\":1e99999},{\"d\":01}]", "[{\"é\":1,\"é\":2},{\"a\":x}]", "[" + strings.Repeat(" \r\n", 200) + "{}" + strings.Repeat(" \r\n", 200) + ",{}" + strings.Repeat("\r\n ", 200) + "]" + strings.Repeat("\r\n", 200) + "!",
		"[" + strings.Repeat("{\"a\":[1,2,{\"b\":\"c\"}]},", 200) + "{}]", "[\n" + strings.Repeat("  {\"a\": \"é\"},\n", 100) + "  {\"a\": 1,, \"b\"}\n]", "[" + strings.Repeat("[", 600) + "]",
		"{\"a\":1}\n{\"a\":2}\n", "{\n\"a\":1\n}\n{\"a\":2,}\n{\"a\":3}\r\n", "1 2\n3", "\"x\"", "{\"a\":1", "\n\n{} {}\n{}",
	},
	"x.csv": {
		"", "\n\n", "a", "a\n", "a,b\n1,2\n", "\xEF\xBB\xBFa,b\r\n1,2\r\n", "\n \na,b\n\n1,2\n \t\n3,4", "a,b\r1,2\r\r3,4", "a,b\n\"1\n2\",3\n4\n5,6\n", "a,b\n\"x\r\ny\",\"\"\"\"\n\"\",\n,\n", "a,b\n5\" pipe,x\n1,\"y\"z\"\n2,\"\"\"\n", "a,b\n1,2\n3,\"x\n4,y\n",
		"a,b\n1,caf\xe9\n2,\"\n\xe9\"\n3,x\n", "a,a\n1,2\n", ",b\n1,2\n", "a,\xe9\n1,2\n", "\"a\nb\",c\n1,2\n", "\"a", "a,b\n1\n1,2,3\n1,2\r\n\"\r\n\",\r\n", "a\n\"\"\n\nx\n", "a\n" + strings.Repeat("\"x\"\"\n\"\n", 100), "a,b\n1,\"2\"\r3,\"4\"\r\n5,\"6\"\"\"\r",
	},
	"x.tsv": {"a\tb\n1,5\t\"x\ty\"\n \t\n", "a\tb\r\n\"\t\"\t\r\n"},
}

func TestBlocksGiveWhatTheFileGives(t *testing.T) {
	for name, contents := range nasty {
		for i, content := range contents {
			t.Run(fmt.Sprintf("%s %d", name, i), func(t *testing.T) {
				checkCuts(t, name, []byte(content), Options{})
				checkCuts(t, name, []byte(content), Options{AnyValue: true, MaxPlaces: 2})
			})
		}
	}
}

func TestBlocksOfPackedFiles(t *testing.T) {
	for _, packing := range []Packing{Gzip, Zstd} {
		for name, contents := range nasty {
			for i, content := range contents {
				if i%3 == 0 {
					continue
				}
				half := len(content) / 2
				packed := append(pack(t, packing, []byte(content[:half])), pack(t, packing, []byte(content[half:]))...)
				for cut := range []int{0, 1, 9} {
					checkCuts(t, name+"."+string(packing), packed[:max(len(packed)-cut, 0)], Options{})
				}
				checkCuts(t, name+"."+string(packing), append(bytes.Clone(packed), "garbage"...), Options{})
			}
		}
	}
}

func TestBlocksOfBigFiles(t *testing.T) {
	rows := manyRows("{\"id\": %d, \"tea\": \"sén\\\"cha\\\\\", \"tags\": [\"green\", %d.5], \"ok\": true}\r\n\n", 20_000)
	bad := bytes.Clone(rows)
	random := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		bad[random.IntN(len(bad))] = byte(random.IntN(256))
	}
	array := append(append([]byte("["), bytes.ReplaceAll(bytes.TrimSpace(rows), []byte("\r\n\n"), []byte(", "))...), ']')
	badArray := bytes.Clone(array)
	badArray[len(badArray)*9/10] = '!'
	table := append([]byte("a,b\r\n"), manyRows("%d,\"some \"\"%d\"\"\r\ntext\"\n", 40_000)...)
	badTable := bytes.Clone(table)
	for range 50 {
		badTable[10+random.IntN(len(badTable)-10)] = ",\n x\xff"[random.IntN(5)]
	}
	for name, content := range map[string][]byte{
		"x.jsonl": rows, "bad.jsonl": bad, "x.json": array, "bad.json": badArray, "x.csv": table, "bad.csv": badTable,
		"x.jsonl.gz": pack(t, Gzip, rows), "bad.json.zst": pack(t, Zstd, badArray), "x.arrow": rows, "lines.json": rows,
	} {
		t.Run(name, func(t *testing.T) {
			checkCuts(t, name, content, Options{MaxPlaces: 10})
			if format, _ := FormatOf(name); format.Packing == Plain {
				third := int64(len(content) / 3)
				checkShares(t, name, content, []int64{third, 2*third + 1}, Options{MaxPlaces: 10})
			}
		})
	}
}

func TestBlocksOfTheSharedCases(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(sharedDir(t), "cases", "*", "data", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, "no cases")
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := FormatOf(file); ok && len(content) < 1<<20 {
			t.Run(filepath.Base(filepath.Dir(filepath.Dir(file))), func(t *testing.T) { checkCuts(t, filepath.Base(file), content, Options{}) })
		}
	}
}

// TestBlocksAreReadSideBySide is for the race detector: everything that may happen at once does.
func TestBlocksAreReadSideBySide(t *testing.T) {
	content := manyRows("{\"id\": %d, \"n\": %d}\n", 20_000)
	for _, name := range []string{"x.jsonl", "x.json", "x.csv"} {
		text := content
		switch name {
		case "x.json":
			text = append(append([]byte("["), bytes.ReplaceAll(bytes.TrimSpace(content), []byte("\n"), []byte(","))...), ']')
		case "x.csv":
			text = append([]byte("a,b\n"), content...)
		}
		f, err := Open(context.Background(), Source{Path: name, Open: open(text)}, Options{BlockSize: 10_000})
		if err != nil {
			t.Fatal(err)
		}
		var blocks []chan *Block
		hashes := make(chan *Block, 1000)
		var hashed, read sync.WaitGroup
		hashed.Go(func() {
			for b := range hashes {
				b.Hash(&sha256pair.Batch{})
			}
		})
		added := make(chan chan *Block, 1000)
		read.Go(func() {
			for next := range added {
				f.Add(<-next)
			}
		})
		for {
			b, err := f.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			ready := make(chan *Block, 1)
			blocks = append(blocks, ready)
			hashes <- b
			added <- ready
			go func() {
				var doc tape.Tape
				if err := b.Read(&doc, func(*Row) error { return nil }, nil); err != nil {
					t.Error(err)
				}
				ready <- b
			}()
		}
		close(hashes)
		close(added)
		hashed.Wait()
		read.Wait()
		if got, _ := f.Part().Finish(); got.Rows != 20_000 || got.SHA256 != hexSum(text) || len(blocks) < 10 {
			t.Errorf("%s: %+v in %d blocks, want 20,000 rows and the sha256 of the file", name, got, len(blocks))
		}
		f.Close()
	}
}

// growing is a regular file that is written to while it is read.
func TestFileThatGrowsEndsWhereItEnded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	content := manyRows("{\"id\": %d, \"n\": %d}\n", 10_000)
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	grow := func() {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString("{\"id\": 1}\n{\"cut"); err != nil {
			t.Fatal(err)
		}
	}
	for _, size := range []int{0, 1000} {
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := Open(context.Background(), Source{Path: path, Open: func() (io.ReadCloser, error) { return os.Open(path) }}, Options{BlockSize: size})
		if err != nil {
			t.Fatal(err)
		}
		readBlocks(t, f, func(r *Row) error {
			if r.Line == 1 {
				grow()
			}
			return nil
		})
		got, found := f.Part().Finish()
		if found.Len() > 0 {
			t.Errorf("findings %+v, want none: what was written later is not read", found.All())
		}
		if got.Rows != 10_000 || got.Bytes != int64(len(content)) || got.SHA256 != hexSum(content) {
			t.Errorf("%+v, want the %d bytes that were there when the file was opened", got, len(content))
		}
		f.Close()
	}
}

func TestNextFailsWithTheFile(t *testing.T) {
	mine := errors.New("mine")
	for _, name := range []string{"x.jsonl", "x.json", "x.csv", "x.jsonl.gz", "x.arrow"} {
		content := bytes.Repeat([]byte("[1],\n"), 100_000)
		if strings.HasSuffix(name, ".gz") {
			content = pack(t, Gzip, slices.Concat(content, []byte{1, 2, 3}))
		}
		file := io.MultiReader(bytes.NewReader(content[:len(content)/2]), &failing{mine})
		f, err := Open(context.Background(), Source{Path: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(file), nil }}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var doc tape.Tape
		for err == nil {
			var b *Block
			if b, err = f.Next(); err == nil {
				b.Hash(&sha256pair.Batch{})
				err = b.Read(&doc, func(*Row) error { return nil }, nil)
				f.Add(b)
			}
		}
		if !errors.Is(err, mine) {
			t.Errorf("%s: error %v, want that of the file", name, err)
		}
		f.Close()
	}
}

type failing struct{ err error }

func (f *failing) Read([]byte) (int, error) { return 0, f.err }

// Once blocks hash something, each hashes the bytes of its own rows: as many as can be hashed beside each other.
func TestBlocksHashTheirRows(t *testing.T) {
	content := []byte(strings.Repeat(`{"tea": "sencha"}`+"\n", 200_000))
	f, err := Open(context.Background(), Source{Path: "teas.jsonl", Open: open(content)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	hashing := 0
	for b := range blocksOf(t, f) {
		if hashing > 0 && len(b.raw) != len(b.text) {
			t.Errorf("a block of %d bytes hashes %d", len(b.text), len(b.raw))
		}
		if len(b.raw) > 0 {
			hashing++
		}
		b.Hash(&sha256pair.Batch{})
		f.Add(b)
	}
	if hashing < 5 {
		t.Errorf("%d blocks hash something, want most", hashing)
	}
}
