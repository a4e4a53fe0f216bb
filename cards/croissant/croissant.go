// Package croissant describes a dataset repo as Croissant 1.0, the JSON-LD vocabulary by which search engines and loaders
// know data sets: https://docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html.
//
// [Render] takes a repo, what was measured of it and the document as it stands, and returns the document as it should be.
// The same input gives the same bytes: no clock, a fixed order of keys, ids by rule.
//
// A document has three parts. The properties of the data set (dataset.go) come from hfpub.yaml and the Hub's addresses.
// The distribution (distribution.go) has a FileObject with checksum and size for every data file, and a FileSet for the
// files of every config. The record sets (records.go, field.go) say, for every config, which splits there are and which
// fields a row has; a field takes its value from the FileSet. The split of a row is told from its file's path (splits.go);
// where the paths do not tell it, every split has a record set of its own.
//
// What nobody can measure is not made up. People write such properties (a date, a citation, the creator's name, anything
// under rai:) into the document by hand, and they stay (kept.go); every other part is written anew. [Marked] tells a
// document of hfpub from one of somebody else.
//
// Ids and names follow what the Hub's own endpoint writes, where it is in line with the specification.
package croissant

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
)

// Path is where the document lies in a repo.
const Path = "croissant.json"

// Input is what a document is made of.
type Input struct {
	Repo release.Repo
	// Measured is the repo's part of the report.
	Measured validate.Repo
	// Version is that of the release, "" where there is none.
	Version string
	// Published is written where the document has no datePublished yet; the zero time is not written.
	Published time.Time
	// Old is the document as it stands, nil where there is none. It has to be [Marked].
	Old []byte
}

// Document is a rendered document.
type Document struct {
	// JSON is the document, indented, with a line end behind it.
	JSON []byte
	// Missing lists the properties that Croissant 1.0 requires of a data set and that nothing gives.
	Missing []string
}

// Render writes the document. The error says what is wrong with the old one.
func Render(in Input) (Document, error) {
	old, err := readOld(in.Old)
	if err != nil {
		return Document{}, err
	}
	b := &builder{in: &in, ids: ids{}}
	members := b.properties(old)
	var out Document
	for _, key := range required {
		if find(members, key) == nil {
			out.Missing = append(out.Missing, key)
		}
	}
	if out.JSON, err = encode(members); err != nil {
		return Document{}, err
	}
	return out, nil
}

// required are the properties that Croissant 1.0 requires of a data set, besides those of every document.
var required = []string{"name", "description", "license", "url", "creator", "datePublished", "distribution"}

// builder is one rendering under way.
type builder struct {
	in  *Input
	ids ids
}

// member is one key of an object whose keys keep their order.
type member struct {
	key   string
	value any
}

// find is the value of a key, nil where there is none.
func find(members []member, key string) any {
	for _, m := range members {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// encode writes the members as an indented JSON object. Texts keep <, > and & as they are.
func encode(members []member) ([]byte, error) {
	var flat bytes.Buffer
	flat.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			flat.WriteByte(',')
		}
		if err := appendJSON(&flat, m.key); err != nil {
			return nil, err
		}
		flat.WriteByte(':')
		if err := appendJSON(&flat, m.value); err != nil {
			return nil, fmt.Errorf("encode %s: %w", m.key, err)
		}
	}
	flat.WriteByte('}')
	var out bytes.Buffer
	if err := json.Indent(&out, flat.Bytes(), "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

func appendJSON(b *bytes.Buffer, value any) error {
	if raw, ok := value.(json.RawMessage); ok {
		b.Write(raw)
		return nil
	}
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	return e.Encode(value)
}
