// Package schemas holds the JSON Schemas of the known artifacts, one file for each in the folder of its family. The packages
// below know how things must look that are no rows: hfpub.yaml, front matter, YAML.
package schemas

import (
	"embed"
	"io/fs"
	"path"
	"strings"
)

//go:embed */*.schema.json
var files embed.FS

// suffix is what the names of schemas end with.
const suffix = ".schema.json"

// Artifact returns the schema of an artifact by its name, family/name. ok is false when there is none.
func Artifact(name string) (text []byte, ok bool) {
	if family, _, _ := strings.Cut(name, "/"); family == "release" {
		return nil, false // that of hfpub.yaml
	}
	text, err := files.ReadFile(name + suffix)
	return text, err == nil
}

// Artifacts lists the names of all artifacts in order.
func Artifacts() []string {
	var all []string
	names, _ := fs.Glob(files, "*/*"+suffix) // the pattern is well formed
	for _, name := range names {
		if path.Dir(name) != "release" {
			all = append(all, strings.TrimSuffix(name, suffix))
		}
	}
	return all
}
