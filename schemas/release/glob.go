package release

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// glob is a pattern of data files, with the meaning that fsspec, and so load_dataset, gives it: * ? and [..] stay within
// one part of the path, ** as a whole part stands for any number of parts. A pattern without wildcard is a path.
type glob struct {
	pattern string
	// prefix is the text before the first wildcard.
	prefix string
	match  *regexp.Regexp
}

// compileGlob takes a pattern relative to a folder. Parts that are empty or a dot are dropped; the pattern must not leave
// the folder.
func compileGlob(pattern string) (glob, error) {
	if err := checkLocal(pattern); err != nil {
		return glob{}, err
	}
	parts := slices.DeleteFunc(strings.Split(pattern, "/"), func(part string) bool { return part == "" || part == "." })
	if len(parts) == 0 {
		return glob{}, errors.New("it names no file")
	}
	if strings.HasSuffix(pattern, "/") {
		return glob{}, errors.New("it names a folder")
	}
	var b strings.Builder
	b.WriteString(`(?s)^`)
	for i, part := range parts {
		last := i == len(parts)-1
		switch {
		case part == "**" && last:
			b.WriteString(`.+`)
		case part == "**":
			b.WriteString(`(?:.+/)?`)
			continue
		case strings.Contains(part, "**"):
			return glob{}, errors.New("** must be a whole part of the path, as in data/**/*.jsonl")
		default:
			b.WriteString(translatePart(part))
		}
		if !last {
			b.WriteByte('/')
		}
	}
	b.WriteByte('$')
	match, err := regexp.Compile(b.String())
	if err != nil {
		return glob{}, fmt.Errorf("it cannot be applied: %w", err)
	}
	g := glob{pattern: strings.Join(parts, "/"), match: match}
	g.prefix = g.pattern
	if i := strings.IndexAny(g.pattern, "*?["); i >= 0 {
		g.prefix = g.pattern[:i]
	}
	return g, nil
}

// checkLocal refuses paths and patterns that lead out of the folder they are relative to.
func checkLocal(p string) error {
	switch {
	case p == "":
		return errors.New("it is empty")
	case strings.Contains(p, "://"):
		return errors.New("it is an address; only files of the folder can be checked")
	case strings.HasPrefix(p, "/"):
		return errors.New("it starts with /; write it relative to the folder")
	case strings.Contains(p, `\`):
		return errors.New(`it has a backslash; parts of a path are separated by /`)
	case slices.Contains(strings.Split(p, "/"), ".."):
		return errors.New("it leads out of the folder with its .. parts")
	case !utf8.ValidString(p) || strings.ContainsRune(p, 0):
		return errors.New("it has bytes that no file name should have")
	}
	return nil
}

// translatePart writes one part of a pattern as a regular expression.
func translatePart(part string) string {
	if part == "*" {
		return `[^/]+`
	}
	var b strings.Builder
	runes := []rune(part)
	for i := 0; i < len(runes); {
		switch runes[i] {
		case '*':
			b.WriteString(`[^/]*`)
		case '?':
			b.WriteString(`[^/]`)
		case '[':
			if end := endOfClass(runes, i); end > 0 {
				b.WriteString(translateClass(runes[i+1 : end]))
				i = end + 1
				continue
			}
			b.WriteString(`\[`)
		default:
			b.WriteString(regexp.QuoteMeta(string(runes[i])))
		}
		i++
	}
	return b.String()
}

// endOfClass is the index of the ] that closes the [ at start, 0 when none does: the [ then stands for itself. A ] right
// behind [ or [! belongs to the class.
func endOfClass(runes []rune, start int) int {
	i := start + 1
	if i < len(runes) && runes[i] == '!' {
		i++
	}
	for i++; i < len(runes); i++ {
		if runes[i] == ']' {
			return i
		}
	}
	return 0
}

func translateClass(class []rune) string {
	var b strings.Builder
	negated := class[0] == '!' && len(class) > 1
	if negated {
		class = class[1:]
	}
	for i := 0; i < len(class); i++ {
		low, high := class[i], class[i]
		if i+2 < len(class) && class[i+1] == '-' {
			high = class[i+2]
			i += 2
		}
		if low <= high {
			fmt.Fprintf(&b, `\x{%x}-\x{%x}`, low, high)
		}
	}
	switch {
	case negated:
		return `[^/` + b.String() + `]`
	case b.Len() == 0:
		return `[^\x{0}-\x{10ffff}]`
	}
	return `[` + b.String() + `]`
}

// neverData are names that the loader passes over unless a pattern names them.
var neverData = []string{"README.md", "config.json", "dataset_info.json", "dataset_infos.json", "dummy_data.zip",
	"dataset_dict.json"}

// covers reports whether the loader takes a file for the pattern: it matches, is none of the files that are never data, and
// its hidden parts and its folders starting with two underscores are named by the pattern.
func (g glob) covers(file string) bool {
	if !g.match.MatchString(file) {
		return false
	}
	if name := path.Base(file); slices.Contains(neverData, name) && name != path.Base(g.pattern) {
		return false
	}
	return countParts(file, isHidden) == countParts(g.pattern, isHidden) &&
		countParts(path.Dir(file), isSpecial) == countParts(path.Dir(g.pattern), isSpecial)
}

func countParts(p string, is func(part string) bool) int {
	n := 0
	for part := range strings.SplitSeq(p, "/") {
		if is(part) {
			n++
		}
	}
	return n
}

func isHidden(part string) bool {
	return strings.HasPrefix(part, ".") && strings.Trim(part, ".") != ""
}

func isSpecial(part string) bool { return strings.HasPrefix(part, "__") }
