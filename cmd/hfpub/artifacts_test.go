package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/schemas"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/output"
)

// TestArtifactReference holds doc/artifacts.md to the schemas of the artifacts: one row for each.
func TestArtifactReference(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("# Artifacts\n\nGenerated from the schemas of the artifacts. Each is a JSON Schema and rules that no schema can express; name it in hfpub.yaml\n" +
		"(`artifact: clerk/timelines`), or with `hfpub validate --artifact`. `hfpub explain CODE` prints a page on each rule.\n\n")
	table := output.Table{Header: []string{"artifact", "what it is", "files", "evidence", "rules"}}
	named := map[string]bool{}
	for _, name := range schemas.Artifacts() {
		text, _ := schemas.Artifact(name)
		var schema struct {
			Title    string
			Files    string   `json:"x-files"`
			Evidence string   `json:"x-evidence"`
			Rules    []string `json:"x-rules"`
		}
		if err := json.Unmarshal(text, &schema); err != nil {
			t.Fatalf("the schema of %s is not JSON: %v", name, err)
		}
		for _, code := range schema.Rules {
			named[code] = true
			if _, ok := finding.Lookup(finding.Code(code)); !ok {
				t.Errorf("the schema of %s names the rule %s, which has no code", name, code)
			}
		}
		family, _, _ := strings.Cut(name, "/")
		rules := strings.Join(schema.Rules, ", ")
		if rules == "" {
			rules = family + "/*"
		}
		table.Rows = append(table.Rows, []string{name, schema.Title, schema.Files, schema.Evidence, rules})
	}
	table.Rows = append(table.Rows, []string{"(model repos)", "MemGym adapter: the repo of the reward model", "checkpoint-500/", "doc; inferred in part", "memgym/adapter, memgym/adapter-folder"})
	named["memgym/adapter"], named["memgym/adapter-folder"] = true, true
	for _, info := range finding.Codes() {
		family, _, _ := strings.Cut(string(info.Code), "/")
		if slices.Contains([]string{"clerk", "memgym", "racktic", "umb"}, family) && !named[string(info.Code)] {
			t.Errorf("no schema names the rule %s in x-rules", info.Code)
		}
	}
	output.MarkdownTable(&b, table)
	holdFile(t, "doc/artifacts.md", b.Bytes())
}
