package shape

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// disagreements are the required tests of the official suite that do not hold yet: draft, file, group, test.
var disagreements = []string{}

// optional are files of the suite's optional tests that are held to as well.
var optional = []string{
	"bignum", "ecmascript-regex", "float-overflow", "id", "non-bmp-regex", "unknownKeyword", "format/date", "format/date-time",
	"format/email", "format/idn-email", "format/ipv4", "format/ipv6", "format/iri", "format/iri-reference", "format/json-pointer",
	"format/regex", "format/relative-json-pointer", "format/time", "format/unknown", "format/uri", "format/uri-reference",
	"format/uri-template",
}

// TestSuite holds the verdicts against every required test of the official JSON Schema suite, drafts 4, 6 and 7.
func TestSuite(t *testing.T) {
	suite := filepath.Join(shared(t), "data", "json-schema-test-suite")
	var differ []string
	for _, draft := range []string{"draft4", "draft6", "draft7"} {
		files, err := filepath.Glob(filepath.Join(suite, "tests", draft, "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("the suite has no tests of %s: %v", draft, err)
		}
		agree, total := 0, 0
		for _, name := range files {
			d, n := suiteFile(t, suite, draft, name)
			differ = append(differ, d...)
			agree, total = agree+n-len(d), total+n
		}
		t.Logf("%s: %d/%d required tests agree", draft, agree, total)
		for _, name := range optional {
			name = filepath.Join(suite, "tests", draft, "optional", filepath.FromSlash(name)+".json")
			if _, err := os.Stat(name); err == nil {
				d, _ := suiteFile(t, suite, draft, name)
				differ = append(differ, d...)
			}
		}
	}
	for _, d := range differ {
		if !slices.Contains(disagreements, d) {
			t.Errorf("disagrees with the suite: %s", d)
		}
	}
	for _, d := range disagreements {
		if !slices.Contains(differ, d) {
			t.Errorf("agrees with the suite by now, take it off the list: %s", d)
		}
	}
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

// suiteFile runs the tests of one file, and names those that do not agree.
func suiteFile(t *testing.T, suite, draft, name string) (differ []string, total int) {
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
		schema, found := Compile("schema.json", withDraft(g.Schema, metaschemaOf[draft]), Options{Refs: refs})
		for _, test := range g.Tests {
			total++
			where := fmt.Sprintf("%s %s: %s: %s", draft, filepath.Base(name), g.Description, test.Description)
			if schema == nil {
				t.Errorf("%s: the schema is not compiled: %v", where, found)
				continue
			}
			if valid := len(schema.NewObserver(0).judge(anyOf(t, test.Data))) == 0; valid != test.Valid {
				differ = append(differ, where)
			}
		}
	}
	return differ, total
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
