package schemas_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/schemas"
)

// Where the form of an artifact is inferred its schema is lenient, and says so; where it was read in code or computed from data it is
// strict: a row has no other fields. Of all artifacts the families clerk and memgym are held to it here.
func TestEvidence(t *testing.T) {
	for _, name := range schemas.Artifacts() {
		if !strings.HasPrefix(name, "clerk/") && !strings.HasPrefix(name, "memgym/") {
			continue
		}
		text, _ := schemas.Artifact(name)
		var s struct {
			Description string
			Evidence    string `json:"x-evidence"`
			Additional  any    `json:"additionalProperties"`
		}
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatal(err)
		}
		lenient := strings.Contains(s.Description, "Lenient")
		switch {
		case s.Evidence == "":
			t.Errorf("%s does not say what is known of it (x-evidence)", name)
		case strings.Contains(s.Evidence, "inferred") && !lenient:
			t.Errorf("%s is inferred in part, and its description does not say where it is lenient", name)
		case !lenient && s.Additional != false:
			t.Errorf("%s allows fields that nobody knows, and its description does not say that it is lenient", name)
		}
	}
}
