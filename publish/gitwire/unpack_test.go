package gitwire

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/rand"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/memory"

	"github.com/hfpub/hfpub/publish/exchange"
)

// rawPack is a pack of ready-made objects that may be as wrong as they like.
func rawPack(objects ...[]byte) *bytes.Reader {
	var b bytes.Buffer
	b.WriteString("PACK\x00\x00\x00\x02")
	b.Write(binary.BigEndian.AppendUint32(nil, uint32(len(objects))))
	for _, o := range objects {
		b.Write(o)
	}
	sum := sha1.Sum(b.Bytes())
	b.Write(sum[:])
	return bytes.NewReader(b.Bytes())
}

// rawObject is an object of a pack that says it has size bytes.
func rawObject(kind plumbing.ObjectType, size int64, between, content []byte) []byte {
	var b bytes.Buffer
	b.Write(objectHeader(kind, size))
	b.Write(between)
	z := zlib.NewWriter(&b)
	z.Write(content)
	z.Close()
	return b.Bytes()
}

// A short pack may unpack to any size: what it says of its sizes is added up before anything is held in memory.
func TestPacksThatUnpackToTooMuchAreRefused(t *testing.T) {
	blob := func(n int) []byte { return rawObject(plumbing.BlobObject, int64(n), nil, make([]byte, n)) }
	base := blob(100)
	// a delta that makes an object of 5000 bytes of the base before it
	delta := binary.AppendUvarint(binary.AppendUvarint(nil, 100), 5000)
	onBase := rawObject(plumbing.OFSDeltaObject, int64(len(delta)), []byte{byte(len(base))}, delta)
	for _, c := range []struct {
		name string
		pack *bytes.Reader
		ok   bool
	}{
		{"objects that fit", rawPack(blob(400), blob(500)), true},
		{"one big object", rawPack(blob(1001)), false},
		{"many that are big together", rawPack(blob(400), blob(400), blob(400)), false},
		{"a size that is a lie", rawPack(rawObject(plumbing.BlobObject, 10, nil, make([]byte, 5000))), false},
		{"a big size that is a lie", rawPack(rawObject(plumbing.BlobObject, 1<<40, nil, nil)), false},
		{"a delta that makes a big object", rawPack(base, onBase), false},
		{"a delta that is cut off", rawPack(base, rawObject(plumbing.OFSDeltaObject, 1, []byte{byte(len(base))}, delta[:1])), false},
		{"more objects than it has", bytes.NewReader([]byte("PACK\x00\x00\x00\x02\xff\xff\xff\xff")), false},
	} {
		err := checkSizes(t.Context(), c.pack, 1000)
		if (err == nil) != c.ok {
			t.Errorf("%s: %v, want it accepted: %v", c.name, err, c.ok)
		}
	}
	err := checkSizes(t.Context(), rawPack(blob(1001)), 1000)
	if exchange.Retryable(err) || !strings.Contains(err.Error(), "unpacks to more than") {
		t.Errorf("%v, want it said that it unpacks to too much, and no other try", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("interrupted")
	cancel(stop)
	if err := checkSizes(ctx, rawPack(blob(1)), 1000); !errors.Is(err, stop) {
		t.Errorf("%v, want the cause of the context", err)
	}
}

func store(t *testing.T, objects []Object) storer.EncodedObjectStorer {
	t.Helper()
	s := &memory.NewStorage().ObjectStorage
	for _, o := range objects {
		m := &plumbing.MemoryObject{}
		m.SetType(o.Type)
		r, err := o.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(m, r); err != nil {
			t.Fatal(err)
		}
		if _, err := s.SetEncodedObject(m); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// nested is a tree with n entries of the tree or file below it, so many levels deep.
func nested(t *testing.T, levels, n int) ([]Object, plumbing.Hash) {
	t.Helper()
	blob := Blob([]byte("x"))
	objects, below, mode := []Object{blob}, blob.Hash, filemode.Regular
	for range levels {
		var tree object.Tree
		for i := range n {
			tree.Entries = append(tree.Entries, object.TreeEntry{Name: fmt.Sprintf("%0200d", i), Mode: mode, Hash: below})
		}
		var o plumbing.MemoryObject
		if err := tree.Encode(&o); err != nil {
			t.Fatal(err)
		}
		objects, below, mode = append(objects, encoded(&o)), o.Hash(), filemode.Dir
	}
	return objects, below
}

// Ten small trees inside each other can name more files than any machine holds.
func TestTreesWithoutEndAreRefused(t *testing.T) {
	objects, root := nested(t, 3, 10)
	files, trees, err := flatten(t.Context(), store(t, objects), root)
	if err != nil || len(files) != 1000 || len(trees) != 3 {
		t.Errorf("%d files in %d trees, %v; want 1000 in 3", len(files), len(trees), err)
	}
	objects, root = nested(t, 200, 1)
	if _, _, err = flatten(t.Context(), store(t, objects), root); err == nil || !strings.Contains(err.Error(), "a path of more than") {
		t.Errorf("folders without end: %v, want an error about the path", err)
	}
	w := &walk{store: store(t, objects), files: map[string]Entry{}, trees: map[plumbing.Hash]bool{}, bytes: maxPathBytes - 10}
	if err := w.folder(t.Context(), root, ""); err == nil || !strings.Contains(err.Error(), "MiB of paths") {
		t.Errorf("files without end: %v, want an error about their number", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := flatten(ctx, store(t, objects), root); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the cause of the context", err)
	}
}

// The sizes are looked at before anything is unpacked, in packs that are held in memory and in those that are not.
func TestUnpackLooksAtTheSizesFirst(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	lie := rawObject(plumbing.BlobObject, 2<<30, nil, []byte("short"))
	long := make([]byte, maxHeld+1)
	rand.Read(long)
	for name, pack := range map[string]io.Reader{
		"short": rawPack(lie),
		"long":  rawPack(rawObject(plumbing.BlobObject, int64(len(long)), nil, long), lie),
	} {
		if _, err := unpack(t.Context(), pack); !errors.Is(err, errTooMuch) {
			t.Errorf("a %s pack: %v, want it refused for its size", name, err)
		}
	}
	store, err := unpack(t.Context(), rawPack(rawObject(plumbing.BlobObject, int64(len(long)), nil, long)))
	if err != nil || store.HasEncodedObject(plumbing.ComputeHash(plumbing.BlobObject, long)) != nil {
		t.Errorf("a long pack that is right: %v, want its object", err)
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
