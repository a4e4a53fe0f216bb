// Package lfspointer reads and writes Git LFS pointer files: the three lines of text that git holds in place of a
// big file. [Parse] and [Detect] recognise a pointer as git-lfs does, so that nothing which git-lfs would resolve is
// ever taken for data; [Format] writes the one canonical form.
package lfspointer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

// MaxSize is the size in bytes that a pointer file stays below.
const MaxSize = 1024

// Pointer names the content that a pointer file stands for.
type Pointer struct {
	// OID is the SHA-256 of the content, 64 lower-case hex digits.
	OID string
	// Size is the size of the content in bytes.
	Size int64
}

// version is the first line's value in pointers written today; the others are the names that git-lfs had before.
const version = "https://git-lfs.github.com/spec/v1"

func knownVersion(v string) bool {
	return v == version || v == "https://hawser.github.com/spec/v1" || v == "http://git-media.io/v/2"
}

var (
	oidForm       = lazyregexp.New(`^[0-9a-f]{64}$`)
	extensionForm = lazyregexp.New(`^ext-[0-9]-\w+`)
)

// Format writes the pointer file of a content: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md. The oid is
// 64 lower-case hex digits.
func Format(oid string, size int64) []byte {
	return fmt.Appendf(nil, "version %s\noid sha256:%s\nsize %d\n", version, oid, size)
}

// Parse reads a whole file as a pointer and reports whether it is one. It accepts what git-lfs accepts: the keys
// version, oid and size in this order, blank lines, CR LF, space around the text, and lines of extensions.
func Parse(text []byte) (Pointer, bool) {
	if len(text) >= MaxSize {
		return Pointer{}, false
	}
	values, ok := values(text)
	if !ok || !knownVersion(values[0]) {
		return Pointer{}, false
	}
	oid, isSHA256 := strings.CutPrefix(values[1], "sha256:")
	size, err := strconv.ParseInt(values[2], 10, 64)
	if !isSHA256 || !oidForm.MatchString(oid) || err != nil || size < 0 {
		return Pointer{}, false
	}
	return Pointer{OID: oid, Size: size}, true
}

// values returns the values of version, oid and size.
func values(text []byte) (found [3]string, ok bool) {
	keys := [...]string{"version", "oid", "size"}
	n, priorities := 0, map[byte]bool{}
	for line := range bytes.Lines(bytes.TrimSpace(text)) {
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if len(line) == 0 {
			continue
		}
		key, value, hasValue := strings.Cut(string(line), " ")
		switch {
		case !hasValue || n == len(keys):
			return found, false
		case key == keys[n]:
			found[n] = value
			n++
		case extensionForm.MatchString(key) && isExtension(value) && !priorities[key[len("ext-")]]:
			priorities[key[len("ext-")]] = true
		default:
			return found, false
		}
	}
	return found, n == len(keys)
}

// isExtension reports whether the value of an extension line is the oid of a content, which git-lfs demands.
func isExtension(value string) bool {
	oid, ok := strings.CutPrefix(value, "sha256:")
	return ok && oidForm.MatchString(oid)
}

// Read reports whether what r gives is a pointer file. It reads no more than a pointer may hold.
func Read(r io.Reader) (Pointer, bool, error) {
	text := make([]byte, MaxSize)
	n, err := io.ReadFull(r, text)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return Pointer{}, false, err
	}
	pointer, ok := Parse(text[:n])
	return pointer, ok, nil
}

// Detect reports whether a file below root is a pointer. It reads nothing of a file that is too big to be one.
func Detect(root *os.Root, path string) (Pointer, bool, error) {
	f, err := root.Open(path)
	if err != nil {
		return Pointer{}, false, fmt.Errorf("open %s: %w", path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Pointer{}, false, fmt.Errorf("stat %s: %w", path, err)
	}
	if !info.Mode().IsRegular() || info.Size() >= MaxSize {
		return Pointer{}, false, nil
	}
	pointer, ok, err := Read(f)
	if err != nil {
		return Pointer{}, false, fmt.Errorf("read %s: %w", path, err)
	}
	return pointer, ok, nil
}
