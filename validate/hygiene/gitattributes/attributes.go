// Package gitattributes answers one question as git itself would: is the attribute filter=lfs set for a path?
//
// [Parse] and [ParseTree] read .gitattributes files (parse.go), patterns are matched with git's rules (pattern.go),
// and [Attributes.LFS] looks a path up: the last line that matches wins within a file, the deeper folder wins over
// the higher one, and macros are expanded. [Line] and [Append] write what is missing without touching what is there
// (write.go). The settings of the user, core.attributesFile, $GIT_DIR/info/attributes and core.ignoreCase play no
// part: what is asked is how a fresh clone will see the repository.
package gitattributes

import (
	"slices"
	"strings"
)

// LFS is what a line says to put its files into Git LFS.
const LFS = "filter=lfs diff=lfs merge=lfs -text"

// Attributes is what the .gitattributes files of a repository say.
type Attributes struct {
	// rules holds the lines of each file by its folder, "" for the root.
	rules  map[string][]rule
	macros map[string][]setting
}

// rule is one line: the settings of the paths that match its pattern.
type rule struct {
	pattern  pattern
	settings []setting
}

// setting is what one word of a line says about an attribute.
type setting struct {
	name  string
	state state
	// text is the value after the equals sign.
	text string
}

type state byte

const (
	isSet state = iota
	isUnset
	isUnspecified
	isText
)

// Parse reads the .gitattributes file at the root of a repository. Lines that git would ignore are ignored.
func Parse(text []byte) *Attributes { return ParseTree(map[string][]byte{"": text}) }

// ParseTree reads all .gitattributes files of a repository by the folder they are in, with slashes; "" is the root.
func ParseTree(texts map[string][]byte) *Attributes {
	a := &Attributes{
		rules:  map[string][]rule{},
		macros: map[string][]setting{"binary": {{"diff", isUnset, ""}, {"merge", isUnset, ""}, {"text", isUnset, ""}}},
	}
	for dir, text := range texts {
		for _, line := range parse(text) {
			switch {
			case line.macro == "":
				a.rules[dir] = append(a.rules[dir], line.rule)
			case dir == "":
				a.macros[line.macro] = line.rule.settings
			}
		}
	}
	return a
}

// LFS reports whether the file at a path, relative to the repository's root and with slashes, has the attribute
// filter=lfs.
func (a *Attributes) LFS(path string) bool {
	found := map[string]setting{}
	dir, _ := cutLast(path)
	for {
		a.lookup(found, dir, path)
		if dir == "" {
			break
		}
		dir, _ = cutLast(dir)
	}
	return isLFS(found["filter"])
}

func isLFS(s setting) bool { return s.state == isText && s.text == "lfs" }

// lookup adds what the file of a folder says about a path and no deeper file has said.
func (a *Attributes) lookup(found map[string]setting, dir, path string) {
	inside := strings.TrimPrefix(path[len(dir):], "/")
	for _, r := range slices.Backward(a.rules[dir]) {
		if r.pattern.matches(inside) {
			a.fill(found, r.settings)
		}
	}
}

// fill adds settings to those found; what is found already stays. Like git it goes from the last setting of a line to
// the first, and expands a macro where it is set.
func (a *Attributes) fill(found map[string]setting, settings []setting) {
	for _, s := range slices.Backward(settings) {
		if _, known := found[s.name]; known {
			continue
		}
		found[s.name] = s
		if s.state == isSet {
			a.fill(found, a.macros[s.name])
		}
	}
}

// cutLast cuts a path at its last slash; the folder is "" when there is none.
func cutLast(path string) (dir, base string) {
	i := strings.LastIndexByte(path, '/')
	return path[:max(i, 0)], path[i+1:]
}
