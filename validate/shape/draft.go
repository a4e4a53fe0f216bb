package shape

import (
	"fmt"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// declared returns the draft that a document names in $schema, 0 for one that is not applied; ok is false for a document
// that names none.
func declared(root *node) (d draft, ok bool) {
	address := root.get("$schema")
	if address == nil || address.kind != tape.String {
		return 0, false
	}
	d, _ = draftOf(address.text)
	return d, true
}

// refuse says that a document is of a draft that is not applied, and names every keyword that would be ignored.
func refuse(root *node) finding.Finding {
	address := root.get("$schema")
	var ignored []string
	listNewer(root, func(keyword *node) {
		ignored = append(ignored, fmt.Sprintf("%s at %s", keyword.token, keyword.pointer()))
	})
	f := address.finding(finding.SchemaDraft, "the schema is of %s, hfpub applies drafts 4, 6 and 7: no row is judged by it",
		nameOfDraft(address.text))
	if len(ignored) > 0 {
		f.Message += "; a reader of those drafts ignores " + enumerate(ignored, 20)
	}
	return f.Hinting("write it for draft 7: %s", `"$schema": "http://json-schema.org/draft-07/schema#"`)
}

// nameOfDraft names the draft behind an address that is not applied.
func nameOfDraft(address string) string {
	for _, part := range []string{"2019-09", "2020-12"} {
		if strings.Contains(address, "json-schema.org/draft/"+part+"/") {
			return "draft " + part
		}
	}
	for _, old := range []string{"1", "2", "3", "5"} {
		if strings.Contains(address, "json-schema.org/draft-0"+old+"/") {
			return "draft " + old
		}
	}
	return "a draft that hfpub does not know (" + quote(address) + ")"
}

// listNewer yields the keywords that came after draft 7 at all places where schemas stand, in document order.
func listNewer(schema *node, yield func(*node)) {
	for _, value := range schema.children {
		if schema.kind != tape.Object {
			return
		}
		if _, ok := newer[value.token]; ok {
			yield(value)
		}
		switch k := keywords[value.token]; {
		case k.form == mapForm, k.form == patternsForm, k.form == dependentsForm, value.token == "dependentSchemas",
			k.form == schemasForm, value.token == "prefixItems", k.form == itemsForm && value.kind == tape.Array:
			for _, child := range value.children {
				listNewer(child, yield)
			}
		case k.form.isSchemas(), strings.HasPrefix(value.token, "unevaluated"), value.token == "contentSchema":
			listNewer(value, yield)
		}
	}
}
