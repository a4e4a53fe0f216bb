package release

import (
	_ "embed"
	"slices"
)

//go:embed hfpub.schema.json
var schema []byte

// Schema is the JSON Schema (draft 7) of hfpub.yaml, for editors. It says what one place of the file can say by itself;
// what needs two places, such as a rule about a split that is not there, only [Load] finds.
func Schema() []byte { return slices.Clone(schema) }
