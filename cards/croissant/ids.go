package croissant

import "strings"

// ids are the ids that are taken: no two parts of a document may share one.
type ids map[string]bool

// claim makes an id from a name, as the Hub does: what is no ASCII letter, digit, _, . or - becomes _, and an id that is
// taken gets _0 behind it. Under is the id of the part around, "" for none; slashes of the name stay where they part a path.
func (taken ids) claim(under, name string, isPath bool) string {
	parts := []string{name}
	if isPath {
		parts = strings.Split(name, "/")
	}
	for i, part := range parts {
		parts[i] = clean(part)
	}
	id := strings.Join(parts, "/")
	if under != "" {
		id = under + "/" + id
	}
	for taken[id] {
		id += "_0"
	}
	taken[id] = true
	return id
}

// clean writes one part of an id. Ids are addresses relative to the document, in which an empty part, . and .. would mean
// something else.
func clean(part string) string {
	part = strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '.', r == '-':
			return r
		}
		return '_'
	}, part)
	switch part {
	case "":
		return "_"
	case ".", "..":
		return strings.Repeat("_", len(part))
	}
	return part
}

// ref points to a part by its id.
type ref struct {
	ID string `json:"@id"`
}
