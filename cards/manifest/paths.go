package manifest

import (
	"fmt"
	"strings"
	"unicode"
)

// SchemaFolder is where the schemas of a first hfpub.yaml lie, relative to it. load_dataset passes over hidden folders, and could
// take a .json file in any other for data as long as README.md has no configs.
const SchemaFolder = ".hfpub"

// longestName bounds the bytes of a config's name in the name of a file.
const longestName = 100

// SchemaPaths names a file for the schema of each config, relative to hfpub.yaml: .hfpub/NAME.schema.json. No two differ in
// nothing but case, and every system can hold them.
func SchemaPaths(configs []string) map[string]string {
	paths := map[string]string{}
	taken := map[string]bool{}
	for _, config := range configs {
		name := fileName(config)
		unique := name
		for n := 2; taken[strings.ToLower(unique)]; n++ {
			unique = fmt.Sprintf("%s-%d", name, n)
		}
		taken[strings.ToLower(unique)] = true
		paths[config] = SchemaFolder + "/" + unique + ".schema.json"
	}
	return paths
}

// fileName keeps the letters, digits and - _ . of a config's name.
func fileName(config string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_.", r) {
			return r
		}
		return '_'
	}, config)
	if len(name) > longestName {
		name = strings.ToValidUTF8(name[:longestName], "")
	}
	return name
}
