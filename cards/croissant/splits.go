package croissant

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate"
)

// splitPattern is a regular expression that finds the name of its split in the path of every file, as its only group; "" where
// there is none. It means the same to Go, Python and JavaScript. It is not tied to the start of the path, since some readers
// put a folder before it.
func splitPattern(splits []validate.Split) string {
	ofFile := map[string]string{}
	var first string
	var names []string
	for _, split := range splits {
		names = append(names, regexp.QuoteMeta(split.Name))
		for _, file := range split.Files {
			if other, ok := ofFile[file.Path]; ok && other != split.Name {
				return ""
			}
			ofFile[file.Path] = split.Name
			if first == "" {
				first = file.Path
			}
		}
	}
	if first == "" {
		return ""
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	group := "(" + strings.Join(names, "|") + ")"
	for _, candidate := range candidates(first, ofFile[first], group) {
		if tells(candidate, ofFile) {
			return candidate
		}
	}
	return ""
}

// candidates are expressions for paths that are built like the first one: the name behind a text that all have in common, or
// anywhere in the last part. The name ends where a word does.
func candidates(first, name, group string) []string {
	var out []string
	for at := 0; ; {
		i := strings.Index(first[at:], name)
		if i < 0 || name == "" {
			break
		}
		at += i
		out = append(out, regexp.QuoteMeta(first[:at])+group+`(?:[^A-Za-z0-9_].*)?$`)
		at++
	}
	return append(out, `(?:.*/)?[^/]*?`+group+`(?:[^A-Za-z0-9_][^/]*)?$`)
}

// tells says that an expression finds the right split in every path, also where a folder stands before it.
func tells(expression string, ofFile map[string]string) bool {
	compiled, err := regexp.Compile(expression)
	if err != nil {
		return false
	}
	for file, split := range ofFile {
		found := compiled.FindStringSubmatch(file)
		if found == nil || found[0] != file || found[1] != split {
			return false
		}
		if below := compiled.FindStringSubmatch("/folder/" + file); below == nil || below[1] != split {
			return false
		}
	}
	return true
}
