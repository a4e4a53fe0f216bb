package gitattributes

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// The markers around the lines that hfpub wrote.
const (
	begin = "# hfpub: begin"
	end   = "# hfpub: end"
)

// Line writes the line for the root's .gitattributes that puts one file, and no other, into Git LFS. A space is
// written as git-lfs writes it, [[:space:]], which a tab or line break matches too; a path with control characters is
// quoted. Git ignores the line when it comes to 2048
// bytes or more.
func Line(path string) string {
	var b strings.Builder
	b.WriteByte('/')
	control := false
	for _, c := range []byte(path) {
		control = control || isControl(c)
		switch {
		case c == ' ':
			b.WriteString("[[:space:]]")
		case strings.IndexByte(`*?[]\"#!`, c) >= 0:
			b.Write([]byte{'\\', c})
		default:
			b.WriteByte(c)
		}
	}
	if control {
		return quote(b.String()) + " " + LFS
	}
	return b.String() + " " + LFS
}

func isControl(c byte) bool { return c < ' ' || c == 0x7f }

// quote writes a text as a C-style quoted one.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(text) {
		switch {
		case c == '\\' || c == '"':
			b.Write([]byte{'\\', c})
		case isControl(c):
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Append adds lines to a .gitattributes file, between markers of hfpub, and keeps every byte that is there. Lines
// that what is there already covers are not added, nor those that git would ignore; where none is left, existing is
// returned as it is. Last in the file they win over all others, unless the file has reached git's limits.
func Append(existing []byte, lines []string) []byte {
	missing := uncovered(existing, lines)
	if len(missing) == 0 {
		return existing
	}
	newline := "\n"
	if first, _, ok := bytes.Cut(existing, []byte("\n")); ok && bytes.HasSuffix(first, []byte("\r")) {
		newline = "\r\n"
	}
	added := strings.Join(missing, newline) + newline
	if at, ok := lastBlockEnd(existing); ok {
		return slices.Concat(existing[:at], []byte(added), existing[at:])
	}
	added = begin + newline + added + end + newline
	if len(existing) > 0 && !bytes.HasSuffix(existing, []byte("\n")) {
		added = newline + added
	}
	return slices.Concat(existing, []byte(added))
}

// uncovered picks the lines that say something new.
func uncovered(existing []byte, lines []string) []string {
	a := Parse(existing)
	var missing []string
	for _, text := range lines {
		l, ok := parseLine(text)
		if !ok || l.macro != "" || strings.ContainsAny(text, "\n\x00") || a.covers(l.rule) {
			continue
		}
		a.rules[""] = append(a.rules[""], l.rule)
		missing = append(missing, text)
	}
	return missing
}

// covers reports whether a rule would change nothing: the one file it names is in LFS already, or the last line
// with the same pattern says the same.
func (a *Attributes) covers(r rule) bool {
	wantsLFS := a.makesLFS(r)
	if path, ok := r.pattern.path(); ok && wantsLFS {
		return a.LFS(path)
	}
	for _, old := range slices.Backward(a.rules[""]) {
		if old.pattern.text == r.pattern.text {
			return slices.Equal(old.settings, r.settings) || wantsLFS && a.makesLFS(old)
		}
	}
	return false
}

// makesLFS reports whether a rule alone puts its files into LFS.
func (a *Attributes) makesLFS(r rule) bool {
	found := map[string]setting{}
	a.fill(found, r.settings)
	return isLFS(found["filter"])
}

// path is the one path that a pattern of the form [Line] writes matches.
func (p *pattern) path() (string, bool) {
	if p.never || !p.anchored {
		return "", false
	}
	path := make([]byte, 0, len(p.tokens))
	for _, t := range p.tokens {
		c, ok := t.only()
		if !ok {
			return "", false
		}
		path = append(path, c)
	}
	return string(path), !bytes.HasPrefix(path, []byte("/"))
}

// only is the one byte that a token stands for; a blank for [[:space:]], since git-lfs writes blanks so.
func (t token) only() (byte, bool) {
	if t.kind != one {
		return 0, false
	}
	for c := range 256 {
		if t.set.has(byte(c)) && t.set == single(byte(c)).set {
			return byte(c), true
		}
	}
	var spaces set
	spaces.addIf(classes("space"))
	return ' ', t.set == spaces
}

// lastBlockEnd finds the start of the line that ends hfpub's last block, when no line that git heeds comes after it.
func lastBlockEnd(text []byte) (at int, ok bool) {
	open, offset := false, 0
	for raw := range bytes.Lines(text) {
		switch string(bytes.TrimSpace(raw)) {
		case begin:
			open, ok = true, false
		case end:
			if open {
				at, ok, open = offset, true, false
			}
		default:
			if _, heeded := parseLine(string(raw)); heeded && !open {
				ok = false
			}
		}
		offset += len(raw)
	}
	return at, ok
}
