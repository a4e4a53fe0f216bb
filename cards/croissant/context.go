package croissant

import (
	"encoding/json"
	"strings"
)

// The names that a document is known by. The class is known to validators under the https address alone, the version under
// the http one.
const (
	version   = "http://mlcommons.org/croissant/1.0"
	raiTerms  = "http://mlcommons.org/croissant/RAI/1.0"
	typeOfSet = "sc:Dataset"
)

// conformance names what the document conforms to: Croissant, and its terms for responsible AI where people wrote some.
func conformance(old []member) severals {
	out := severals{version}
	for _, m := range old {
		if strings.HasPrefix(m.key, "rai:") {
			return append(out, raiTerms)
		}
	}
	return out
}

// context is the JSON-LD context of Croissant 1.0 with every key that the reference validator looks for in such a document.
var context = json.RawMessage(`{
  "@language": "en",
  "@vocab": "https://schema.org/",
  "sc": "https://schema.org/",
  "cr": "http://mlcommons.org/croissant/",
  "rai": "http://mlcommons.org/croissant/RAI/",
  "dct": "http://purl.org/dc/terms/",
  "citeAs": "cr:citeAs",
  "column": "cr:column",
  "conformsTo": "dct:conformsTo",
  "data": {"@id": "cr:data", "@type": "@json"},
  "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
  "description": {"@container": "@language"},
  "equivalentProperty": "cr:equivalentProperty",
  "examples": {"@id": "cr:examples", "@type": "@json"},
  "extract": "cr:extract",
  "field": "cr:field",
  "fileProperty": "cr:fileProperty",
  "fileObject": "cr:fileObject",
  "fileSet": "cr:fileSet",
  "format": "cr:format",
  "includes": "cr:includes",
  "isLiveDataset": "cr:isLiveDataset",
  "jsonPath": "cr:jsonPath",
  "key": "cr:key",
  "md5": "cr:md5",
  "name": {"@container": "@language"},
  "parentField": "cr:parentField",
  "path": "cr:path",
  "recordSet": "cr:recordSet",
  "references": "cr:references",
  "regex": "cr:regex",
  "repeated": "cr:repeated",
  "replace": "cr:replace",
  "samplingRate": "cr:samplingRate",
  "separator": "cr:separator",
  "source": "cr:source",
  "subField": "cr:subField",
  "transform": "cr:transform"
}`)
