package shape

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// disagreements are the tests of the official suite that do not hold, by what their names begin with (draft, file, group,
// test), and the reason. All of them are optional.
var disagreements = map[string]string{
	"draft7 content.json":                            "contentEncoding and contentMediaType are annotations",
	"draft7 cross-draft.json: refs to future drafts": "a document of a newer draft is not applied",
	"draft4 zeroTerminatedFloats.json":               "1.0 is an integer, as it is since draft 6",
}

// TestSuite holds the verdicts of both engines against the official JSON Schema suite, drafts 4, 6 and 7: every required
// test, and every optional one.
func TestSuite(t *testing.T) {
	suite := filepath.Join(shared(t), "data", "json-schema-test-suite")
	for engine := range engines {
		t.Run(string(engine), func(t *testing.T) {
			differ := map[string]bool{}
			for _, draft := range []string{"draft4", "draft6", "draft7"} {
				for _, folder := range []string{"", "optional", "optional/format"} {
					suiteFolder(t, suite, draft, folder, engine, differ)
				}
			}
			used := map[string]bool{}
			for d := range differ {
				known := false
				for prefix := range disagreements {
					if strings.HasPrefix(d, prefix) {
						known, used[prefix] = true, true
					}
				}
				if !known {
					t.Errorf("disagrees with the suite: %s", d)
				}
			}
			for prefix := range disagreements {
				if !used[prefix] {
					t.Errorf("agrees with the suite by now, take it off the list: %s", prefix)
				}
			}
		})
	}
}

func suiteFolder(t *testing.T, suite, draft, folder string, engine Engine, differ map[string]bool) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(suite, "tests", draft, filepath.FromSlash(folder), "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the suite has no tests of %s in folder %q: %v", draft, folder, err)
	}
	before, total := len(differ), 0
	for _, name := range files {
		total += suiteFile(t, suite, draft, name, engine, differ)
	}
	t.Logf("%s %s: %d/%d tests agree", draft, cmp.Or(folder, "required"), total-(len(differ)-before), total)
}

type suiteGroup struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

var metaschemaOf = map[string]string{
	"draft4": "http://json-schema.org/draft-04/schema#",
	"draft6": "http://json-schema.org/draft-06/schema#",
	"draft7": "http://json-schema.org/draft-07/schema#",
}

// suiteFile runs the tests of one file, counts them, and names those that do not agree.
func suiteFile(t *testing.T, suite, draft, name string, engine Engine, differ map[string]bool) (total int) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var groups []suiteGroup
	if err := json.Unmarshal(text, &groups); err != nil {
		t.Fatal(err)
	}
	refs := []Ref{{Prefix: "http://localhost:1234", Dir: filepath.Join(suite, "remotes")}}
	for _, g := range groups {
		schema, found := Compile("schema.json", withDraft(g.Schema, metaschemaOf[draft]), Options{Refs: refs, Engine: engine})
		for _, test := range g.Tests {
			total++
			where := fmt.Sprintf("%s %s: %s: %s", draft, filepath.Base(name), g.Description, test.Description)
			if schema == nil {
				t.Errorf("%s: the schema is not compiled: %v", where, found)
				continue
			}
			if valid := !refused(t, schema, string(test.Data)); valid != test.Valid {
				differ[where] = true
			}
		}
	}
	return total
}

// withDraft adds $schema to a schema that has none.
func withDraft(schema json.RawMessage, metaschema string) []byte {
	text := strings.TrimSpace(string(schema))
	if !strings.HasPrefix(text, "{") || strings.Contains(text, `"$schema"`) {
		return []byte(text)
	}
	rest := strings.TrimSpace(text[1:])
	comma := ","
	if rest == "}" {
		comma = ""
	}
	return []byte(fmt.Sprintf(`{"$schema": %q%s %s`, metaschema, comma, rest))
}

// anyOf decodes a JSON text as rows are.
func anyOf(t *testing.T, text []byte) any {
	t.Helper()
	var doc tape.Tape
	if problems := doc.Parse(text); len(problems) > 0 {
		t.Fatalf("%s: %s", text, problems[0].Message)
	}
	return doc.Root().Any()
}

// shared finds the folder of shared material beside the checkout, and skips the test without it.
func shared(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, "..", "shared")); err == nil {
			return filepath.Join(dir, "..", "shared")
		}
		break
	}
	t.Skip("the folder ../shared beside the checkout is not there")
	return ""
}
