package shape

import (
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/finding"
)

// The example on the page of each code gives that code, and the message the page shows.
func TestPages(t *testing.T) {
	for _, info := range finding.Codes() {
		if !strings.HasPrefix(string(info.Code), "schema/") {
			continue
		}
		page, ok := finding.Page(info.Code)
		if !ok {
			t.Errorf("%s has no page", info.Code)
			continue
		}
		schema, row, says := indented(page, "Schema:"), indented(page, "Row:"), indented(page, "hfpub says:")
		if schema == "" {
			continue
		}
		engine := Matcher
		if info.Code == finding.SchemaRowNotJudged {
			engine = GoJSONSchema
		}
		s, found := Compile("schema.json", []byte(schema), Options{Engine: engine})
		if row != "" {
			found = append(found, observe(s, []byte(row)).All()...)
		}
		told := false
		for _, f := range found {
			told = told || f.Code == info.Code && strings.Contains(says, f.Message)
		}
		if !told {
			t.Errorf("%s: the example gives %+v, and the page shows %s", info.Code, found, says)
		}
	}
}

// indented returns the indented block behind a line of a page, its lines joined by blanks.
func indented(page, after string) string {
	_, rest, _ := strings.Cut(page, "\n"+after+"\n\n")
	var block []string
	for line := range strings.SplitSeq(rest, "\n") {
		text, ok := strings.CutPrefix(line, "    ")
		if !ok {
			break
		}
		block = append(block, text)
	}
	return strings.Join(block, " ")
}
