package croissant

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

// mark is how a document says that hfpub wrote it, in whatever way its lines are broken since.
var mark = lazyregexp.New(`"sdPublisher"\s*:\s*\{[^{}]*"name"\s*:\s*"hfpub"`)

// Marked tells whether a document was written by hfpub: its sdPublisher has the name hfpub.
func Marked(document []byte) bool { return mark.Match(document) }

// SyntaxError says where a document is not JSON.
type SyntaxError struct {
	// Line counts from 1.
	Line int
	Err  error
}

func (e *SyntaxError) Error() string { return e.Err.Error() }

func (e *SyntaxError) Unwrap() error { return e.Err }

// readOld reads the keys of a document in their order, with their values as they stand. The last of two equal keys counts.
func readOld(document []byte) ([]member, error) {
	if document == nil {
		return nil, nil
	}
	if !json.Valid(document) {
		return nil, syntaxError(document)
	}
	d := json.NewDecoder(bytes.NewReader(document))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, &SyntaxError{1, errors.New("the document is not a JSON object")}
	}
	var out []member
	at := map[string]int{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		var flat bytes.Buffer
		if err := json.Compact(&flat, value); err != nil {
			return nil, err
		}
		name, ok := key.(string)
		if !ok {
			return nil, fmt.Errorf("a key is %v", key)
		}
		if i, twice := at[name]; twice {
			out[i].value = json.RawMessage(flat.Bytes())
			continue
		}
		at[name] = len(out)
		out = append(out, member{name, json.RawMessage(flat.Bytes())})
	}
	return out, nil
}

func syntaxError(document []byte) error {
	var whole json.RawMessage
	err := json.Unmarshal(document, &whole)
	var at *json.SyntaxError
	if !errors.As(err, &at) {
		return &SyntaxError{1, err}
	}
	before := document[:min(max(at.Offset-1, 0), int64(len(document)))]
	return &SyntaxError{1 + bytes.Count(before, []byte{'\n'}), err}
}

// own are the keys that are written here; those that people may know better are held where they belong.
var own = []string{
	"@context", "@type", "conformsTo", "name", "alternateName", "description", "license", "url", "creator", "datePublished", "version",
	"citeAs", "keywords", "inLanguage", "sdPublisher", "distribution", "recordSet",
}

// foreign are the keys of an old document that nobody but its author knows.
func foreign(old []member) []member {
	return slices.DeleteFunc(slices.Clone(old), func(m member) bool { return slices.Contains(own, m.key) })
}

// without leaves out a key.
func without(members []member, key string) []member {
	return slices.DeleteFunc(slices.Clone(members), func(m member) bool { return m.key == key })
}
