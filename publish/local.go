package publish

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"golang.org/x/sync/errgroup"

	"github.com/hfpub/hfpub/publish/gitwire"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/hygiene/lfspointer"
)

// localFile is a file to publish, as it was when it was read.
type localFile struct {
	path     string
	mode     filemode.FileMode
	size     int64
	modified time.Time
	// blob is the hash of the content as a git blob, oid its SHA-256 in hex.
	blob plumbing.Hash
	oid  string
	// binary: a NUL in the first 8000 bytes, or bytes that are not UTF-8.
	binary bool
	// pointer is what the content says if it is a Git LFS pointer; nil if it is not.
	pointer *lfspointer.Pointer
}

// selected lists what a repo publishes by its status.
func selected(repo *release.Repo) []release.TreeFile {
	var files []release.TreeFile
	for _, f := range repo.Tree {
		if publishes(repo.Status, f.Path) {
			files = append(files, f)
		}
	}
	return files
}

// publishes says whether a file leaves with a repo of some status: all do, the card and schema.md alone, or none.
func publishes(s release.Status, path string) bool {
	switch s {
	case release.Public:
		return true
	case release.Pending:
		return path == readme || path == schemaPage
	}
	return false
}

const (
	readme     = "README.md"
	schemaPage = "schema.md"
)

// readFiles reads every file once, several at a time, for its hashes and its kind. The order of the result is that of the
// files.
func (p *Publisher) readFiles(ctx context.Context, root *os.Root, files []release.TreeFile) ([]*localFile, error) {
	var total int64
	for _, f := range files {
		total += f.Size
	}
	var done atomic.Int64
	read := make([]*localFile, len(files))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(min(p.opts.Concurrency, runtime.GOMAXPROCS(0)))
	for i, f := range files {
		group.Go(func() (err error) {
			read[i], err = readFile(ctx, root, f, func(n int64) {
				p.emit(Event{Phase: Hashing, Path: f.Path, Done: done.Add(n), Total: total})
			})
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return read, nil
}

// readFile reads one file.
func readFile(ctx context.Context, root *os.Root, f release.TreeFile, told func(n int64)) (*localFile, error) {
	file, err := root.Open(f.Path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", f.Path, bare(err))
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("stat %s: %w", f.Path, bare(err))
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file any more", f.Path)
	}
	l := &localFile{path: f.Path, mode: gitMode(f), size: info.Size(), modified: info.ModTime()}
	if err := l.read(ctx, file, told); err != nil {
		return nil, err
	}
	if now, err := file.Stat(); err != nil || now.Size() != l.size || !now.ModTime().Equal(l.modified) {
		return nil, fmt.Errorf("%s was changed while it was read", f.Path)
	}
	return l, nil
}

// gitMode is the mode that git keeps of a file: executable or not.
func gitMode(f release.TreeFile) filemode.FileMode {
	if f.Mode.Perm()&0o100 != 0 {
		return filemode.Executable
	}
	return filemode.Regular
}

// bare takes the path out of an error that is printed beside it.
func bare(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// read fills in what the content says.
func (l *localFile) read(ctx context.Context, content io.Reader, told func(n int64)) error {
	blob, sum := gitwire.BlobHash(l.size), sha256.New()
	var kind textKind
	var head bytes.Buffer
	block := make([]byte, 256<<10)
	for left := l.size; ; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		n, err := content.Read(block)
		b := block[:n]
		blob.Write(b)
		sum.Write(b)
		kind.add(b)
		if l.size < lfspointer.MaxSize {
			head.Write(b)
		}
		told(int64(n))
		left -= int64(n)
		if err == io.EOF && left == 0 {
			break
		}
		if err == io.EOF || left < 0 {
			return fmt.Errorf("%s was changed while it was read", l.path)
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", l.path, bare(err))
		}
	}
	l.blob = plumbing.Hash(blob.Sum(nil))
	l.oid = hex.EncodeToString(sum.Sum(nil))
	l.binary = kind.binary()
	if pointer, ok := lfspointer.Parse(head.Bytes()); ok {
		l.pointer = &pointer
	}
	return nil
}

// isDocument reports whether people read the file on the repository's page, where it has to be plain.
func (l *localFile) isDocument() bool {
	if l.path == readme || l.path == schemaPage {
		return true
	}
	name, _, _ := strings.Cut(strings.ToUpper(path.Base(l.path)), ".")
	switch name {
	case "LICENSE", "LICENCE", "COPYING", "NOTICE":
		return true
	}
	return false
}

// isAttributes reports whether the file is one of git's .gitattributes.
func isAttributes(p string) bool { return path.Base(p) == attributesName }

// textKind tells text from binary content, block by block.
type textKind struct {
	seen     int
	nul, bad bool
	// part is the beginning of a rune at the end of a block.
	part []byte
}

// add looks at the next block.
func (k *textKind) add(block []byte) {
	const nulWindow = 8000
	if k.seen < nulWindow && bytes.IndexByte(block[:min(len(block), nulWindow-k.seen)], 0) >= 0 {
		k.nul = true
	}
	k.seen += min(len(block), nulWindow)
	if k.bad || len(block) == 0 {
		return
	}
	if len(k.part) > 0 {
		block = append(k.part, block...)
		k.part = nil
	}
	// a rune that is cut at the block's end waits for the next
	end := len(block)
	for i := 1; i <= min(utf8.UTFMax-1, len(block)); i++ {
		if b := block[len(block)-i]; utf8.RuneStart(b) {
			if !utf8.FullRune(block[len(block)-i:]) {
				end = len(block) - i
			}
			break
		}
	}
	k.bad = !utf8.Valid(block[:end])
	k.part = append([]byte(nil), block[end:]...)
}

func (k *textKind) binary() bool { return k.nul || k.bad || len(k.part) > 0 }
