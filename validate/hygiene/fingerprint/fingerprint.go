// Package fingerprint recognises texts that must not be passed on, without holding them.
//
// A list holds the hashes of all runs of [Window] words of the forbidden texts. Words are runs of letters and digits in lower
// case, so that neither spaces, line breaks nor marks matter. One run found in a text is a find: twelve words in a row are
// hardly ever the same by chance. Texts of fewer words leave no fingerprint.
//
// The hash of a word is FNV-1a of 64 bits over its UTF-8; that of a run of words w1 … w12 is w1·m¹¹ + w2·m¹⁰ + … + w12 modulo 2⁶⁴, with
// m = 0x9E3779B97F4A7C15. A list is text: a first line, then for each source a line "# NAME" and the hashes in hexadecimal digits, one on each line.
package fingerprint

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Window is how many words in a row are a fingerprint.
const Window = 12

const (
	header     = "hfpub fingerprints 1"
	multiplier = 0x9E3779B97F4A7C15
	fnvOffset  = 14695981039346656037
	fnvPrime   = 1099511628211
)

// oldest is multiplier to the power of Window - 1, which the oldest word of a run is multiplied with.
var oldest = func() uint64 {
	p := uint64(1)
	for range Window - 1 {
		p *= multiplier
	}
	return p
}()

// windows calls fn for every run of words in a text, with its hash and the bounds of the run.
func windows(text []byte, fn func(hash uint64, start, end int) bool) {
	var words, starts [Window]uint64
	var sum uint64
	n := 0
	for at := 0; at < len(text); {
		start, end, hash := nextWord(text, at)
		if start == end {
			return
		}
		slot := n % Window
		sum = (sum-words[slot]*oldest)*multiplier + hash
		words[slot], starts[slot] = hash, uint64(start)
		n++
		if n >= Window && !fn(sum, int(starts[n%Window]), end) {
			return
		}
		at = end
	}
}

// nextWord finds the next word of a text from an offset on, and hashes it; start is end where there is none.
func nextWord(text []byte, at int) (start, end int, hash uint64) {
	hash = fnvOffset
	start = -1
	for at < len(text) {
		c := text[at]
		size := 1
		switch {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			hash = (hash ^ uint64(c)) * fnvPrime
		case 'A' <= c && c <= 'Z':
			hash = (hash ^ uint64(c+'a'-'A')) * fnvPrime
		case c < utf8.RuneSelf:
			if start >= 0 {
				return start, at, hash
			}
			at++
			continue
		default:
			var r rune
			r, size = utf8.DecodeRune(text[at:])
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				if start >= 0 {
					return start, at, hash
				}
				at += size
				continue
			}
			for _, b := range utf8.AppendRune(nil, unicode.ToLower(r)) {
				hash = (hash ^ uint64(b)) * fnvPrime
			}
		}
		if start < 0 {
			start = at
		}
		at += size
	}
	if start < 0 {
		return at, at, hash
	}
	return start, at, hash
}

// Of returns the fingerprints of a text, sorted, each once.
func Of(text []byte) []uint64 {
	var out []uint64
	windows(text, func(hash uint64, _, _ int) bool {
		out = append(out, hash)
		return true
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// Write writes a list with one source.
func Write(w io.Writer, name string, hashes []uint64) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s\n# %s\n", header, strings.Join(strings.Fields(name), " "))
	for _, h := range hashes {
		fmt.Fprintf(b, "%016x\n", h)
	}
	return b.Flush()
}

// List is what is forbidden. It serves many goroutines.
type List struct {
	names   []string
	sources map[uint64]uint16
	// bits says for the lowest bits of a hash whether any with these is on the list: most words of a text are turned away here.
	bits [1 << 11]uint64
}

// maxSources bounds the sources of all lists together.
const maxSources = 1 << 16

// Read adds the sources of a list that is read; path names it in errors.
func (l *List) Read(path string, r io.Reader) error {
	if l.sources == nil {
		l.sources = map[uint64]uint16{}
	}
	lines := bufio.NewScanner(r)
	line, named := 0, false
	for lines.Scan() {
		line++
		text := strings.TrimSpace(lines.Text())
		name, isName := strings.CutPrefix(text, "# ")
		switch {
		case line == 1 && text != header:
			return fmt.Errorf("%s:1: this is no list of fingerprints: it does not begin with %q; hfpub fingerprint writes one", path, header)
		case line == 1 || text == "":
		case isName && len(l.names) == maxSources:
			return fmt.Errorf("%s:%d: more than %d sources", path, line, maxSources)
		case isName:
			l.names, named = append(l.names, name), true
		case !named:
			return fmt.Errorf("%s:%d: a fingerprint stands before the name of its source: write a line such as `# Persona Bank` above it", path, line)
		default:
			h, err := strconv.ParseUint(text, 16, 64)
			if err != nil || len(text) != 16 {
				return fmt.Errorf("%s:%d: %.40q is no fingerprint of 16 hexadecimal digits", path, line, text)
			}
			l.add(h)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	if line == 0 {
		return errors.New(path + ": the list is empty; hfpub fingerprint writes one")
	}
	return nil
}

func (l *List) add(h uint64) {
	if _, known := l.sources[h]; !known {
		l.sources[h] = uint16(len(l.names) - 1)
	}
	bit := h % (1 << 17)
	l.bits[bit/64] |= 1 << (bit % 64)
}

// Len is the number of fingerprints.
func (l *List) Len() int { return len(l.sources) }

// Find is a forbidden text in another one.
type Find struct {
	// Source is the name of what it is from; Start and End bound its first run of words.
	Source     string
	Start, End int
	// Runs is how many runs of words of the source are in the text.
	Runs int
}

// Scan returns what of the list is in a text, one find for each source, in the order of the text.
func (l *List) Scan(text []byte) []Find {
	var found []Find
	windows(text, func(hash uint64, start, end int) bool {
		bit := hash % (1 << 17)
		if l.bits[bit/64]&(1<<(bit%64)) == 0 {
			return true
		}
		source, ok := l.sources[hash]
		if !ok {
			return true
		}
		name := l.names[source]
		at := slices.IndexFunc(found, func(f Find) bool { return f.Source == name })
		if at < 0 {
			found = append(found, Find{name, start, end, 1})
		} else {
			found[at].Runs++
		}
		return true
	})
	return found
}

// Plain replaces, in the text of a file of JSON, the escapes that stand for spaces and quotes by as many blanks and quotes, so
// that words end where they do in the text and every byte stays where it is. Other files it leaves alone. It changes text.
func Plain(path string, text []byte) []byte {
	switch filepath.Ext(path) {
	case ".json", ".jsonl", ".ndjson", ".ipynb":
		blankEscapes(text)
	}
	return text
}

func blankEscapes(text []byte) {
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		switch text[i+1] {
		case 'n', 't', 'r', 'f', 'b':
			text[i], text[i+1] = ' ', ' '
		case '"', '/':
			text[i] = text[i+1]
			if text[i+1] == '/' {
				text[i] = ' '
			}
		}
		i++
	}
}
