// Package schemadoc reads from a JSON Schema what a person wants to know of a field: what it is for, which values it
// may have, whether it may be left out.
//
// It judges nothing. Keywords it does not know are passed over, and so are references to other documents and
// patterns that Go cannot run; package shape reports those. A field is named by a JSON Pointer into the row, with
// `*` for every element of an array.
package schemadoc

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// Doc is a JSON Schema.
type Doc struct {
	root tape.Value
	// byID finds the parts of the schema that have an $id or id of their own.
	byID map[string]tape.Value
}

// Field is what a schema says of one field.
type Field struct {
	Pointer     string
	Description string
	// Types are the JSON types the field may have, in the schema's order; empty where the schema does not say.
	Types []string
	// Required is true where the object that holds the field must have it.
	Required bool
	// Values are the only values the field may have, each as JSON.
	Values []string
	// Limits are further bounds in words: `≥ 0`, `items ≤ 8`.
	Limits []string
	// Pattern is a regular expression that texts match, "" for none.
	Pattern string
}

// Parse reads a schema. The error says where the text is not JSON.
func Parse(text []byte) (*Doc, error) {
	var t tape.Tape
	problems := t.Parse(text)
	for _, p := range problems {
		if p.Fatal {
			return nil, fmt.Errorf("byte %d: %s", p.Offset, p.Message)
		}
	}
	if len(t.Nodes) == 0 {
		return nil, fmt.Errorf("the text is empty")
	}
	d := &Doc{root: t.Root(), byID: map[string]tape.Value{}}
	d.index(d.root)
	return d, nil
}

// index finds the parts of a schema that references name by their id.
func (d *Doc) index(v tape.Value) {
	for _, element := range v.Elements() {
		d.index(element)
	}
	for key, member := range v.Members() {
		if name := key.Text(); (name == "$id" || name == "id") && member.Kind() == tape.String {
			if _, known := d.byID[member.Text()]; !known {
				d.byID[member.Text()] = v
			}
		}
		d.index(member)
	}
}

// Description is the schema's own description, "" where it has none.
func (d *Doc) Description() string { return text(d.root, "description") }

// Lookup says what the schema says of a field, and whether it says anything.
func (d *Doc) Lookup(pointer string) (Field, bool) {
	field := Field{Pointer: pointer}
	here := d.expand([]part{{d.root, true}})
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		key := unescape(token)
		field.Required = slices.ContainsFunc(here, func(p part) bool { return p.sure && requires(p.Value, key) })
		here = d.expand(children(here, token, key))
	}
	field.describe(here)
	return field, len(here) > 0
}

// part is a piece of the schema that speaks of a place. It is sure when it always holds, and not when it is one of
// several alternatives or depends on a condition.
type part struct {
	tape.Value
	sure bool
}

// maxParts bounds how many parts of a schema may speak of one place.
const maxParts = 200

// expand adds to the parts of a schema those that they refer to or consist of: $ref, allOf, anyOf, oneOf, then, else.
func (d *Doc) expand(parts []part) []part {
	var out []part
	seen := map[int]bool{}
	for len(parts) > 0 && len(out) < maxParts {
		p := parts[0]
		parts = parts[1:]
		if seen[p.Offset()] {
			continue
		}
		seen[p.Offset()] = true
		out = append(out, p)
		if target, ok := d.resolve(text(p.Value, "$ref")); ok {
			parts = append(parts, part{target, p.sure})
		}
		for _, name := range []string{"allOf", "anyOf", "oneOf"} {
			if list, ok := p.Get(name); ok {
				for _, element := range list.Elements() {
					parts = append(parts, part{element, p.sure && (name == "allOf" || list.Len() == 1)})
				}
			}
		}
		for _, name := range []string{"then", "else"} {
			if branch, ok := p.Get(name); ok {
				parts = append(parts, part{branch, false})
			}
		}
	}
	return out
}

// resolve finds what a reference within the document leads to.
func (d *Doc) resolve(ref string) (tape.Value, bool) {
	switch {
	case ref == "":
		return tape.Value{}, false
	case ref == "#":
		return d.root, true
	case strings.HasPrefix(ref, "#/"):
		pointer, err := url.PathUnescape(ref[1:])
		if err != nil {
			return tape.Value{}, false
		}
		return d.root.At(pointer)
	}
	v, ok := d.byID[ref]
	return v, ok
}

// children are the parts of a schema that speak of one member of an object, or of the elements of an array.
func children(parts []part, token, key string) []part {
	var out []part
	for _, p := range parts {
		if token == "*" {
			if items, ok := p.Get("items"); ok && items.Kind() == tape.Object {
				out = append(out, part{items, p.sure})
			}
		}
		for _, member := range members(p.Value, key) {
			out = append(out, part{member, p.sure})
		}
	}
	return out
}

// members are the parts of one schema that speak of a member: properties and patternProperties, else
// additionalProperties.
func members(s tape.Value, key string) []tape.Value {
	var out []tape.Value
	if properties, ok := s.Get("properties"); ok {
		if member, ok := properties.Get(key); ok {
			out = append(out, member)
		}
	}
	if patterns, ok := s.Get("patternProperties"); ok {
		for pattern, member := range patterns.Members() {
			if re, err := regexp.Compile(pattern.Text()); err == nil && re.MatchString(key) {
				out = append(out, member)
			}
		}
	}
	if other, ok := s.Get("additionalProperties"); ok && other.Kind() == tape.Object && len(out) == 0 {
		out = append(out, other)
	}
	return out
}

func requires(s tape.Value, key string) bool {
	required, ok := s.Get("required")
	if !ok {
		return false
	}
	for _, name := range required.Elements() {
		if name.Kind() == tape.String && name.Text() == key {
			return true
		}
	}
	return false
}

// Fields lists the fields that the schema names, in its order: the properties of objects, at any depth. A schema that
// contains itself is followed once.
func (d *Doc) Fields() []string {
	l := list{doc: d, inside: map[int]bool{}, listed: map[string]bool{}}
	l.walk(d.root, "")
	return l.out
}

// list walks through a schema and notes its fields.
type list struct {
	doc    *Doc
	out    []string
	listed map[string]bool
	// inside holds the parts that the walk is in.
	inside map[int]bool
	steps  int
}

// maxSteps bounds the walk: a schema can name one part of itself in very many places.
const maxSteps = 10_000

func (l *list) walk(schema tape.Value, pointer string) {
	for _, s := range l.doc.expand([]part{{schema, true}}) {
		at := s.Offset()
		if l.steps++; l.inside[at] || l.steps > maxSteps {
			continue
		}
		l.inside[at] = true
		if items, ok := s.Get("items"); ok && items.Kind() == tape.Object {
			l.walk(items, pointer+"/*")
		}
		if properties, ok := s.Get("properties"); ok {
			for key, member := range properties.Members() {
				child := pointer + "/" + tape.EscapeToken(key.Text())
				l.note(child)
				l.walk(member, child)
			}
		}
		delete(l.inside, at)
	}
}

func (l *list) note(pointer string) {
	if !l.listed[pointer] {
		l.listed[pointer] = true
		l.out = append(l.out, pointer)
	}
}

// describe puts together what all parts say of the field. Alternatives give the types and values they have between them,
// and limits only where no other alternative has any: as for a number or null.
func (f *Field) describe(parts []part) {
	var others []part
	for _, p := range parts {
		if !p.sure {
			others = append(others, p)
			continue
		}
		f.Description = cmp.Or(f.Description, text(p.Value, "description"))
		if len(f.Types) == 0 {
			f.Types = types(p.Value)
		}
		if len(f.Values) == 0 {
			f.Values = values(p.Value)
		}
		f.Limits = union(f.Limits, limits(p.Value))
		f.Pattern = cmp.Or(f.Pattern, text(p.Value, "pattern"))
	}
	f.choose(others)
}

// choose adds what the alternatives say.
func (f *Field) choose(parts []part) {
	var kinds, allowed, bounds []string
	open, bounded := false, 0
	for _, p := range parts {
		f.Description = cmp.Or(f.Description, text(p.Value, "description"))
		t, v, l := types(p.Value), values(p.Value), limits(p.Value)
		kinds, allowed = union(kinds, t), union(allowed, v)
		if len(v) == 0 && len(t) > 0 {
			if slices.Equal(t, []string{"null"}) {
				allowed = union(allowed, []string{"null"})
			} else {
				open = true
			}
		}
		if len(l) > 0 {
			bounds = l
			bounded++
		}
	}
	if len(f.Types) == 0 {
		f.Types = kinds
	}
	if len(f.Values) == 0 && !open && !slices.Equal(allowed, []string{"null"}) {
		f.Values = allowed
	}
	if bounded == 1 {
		f.Limits = union(f.Limits, bounds)
	}
}

// union appends to list what it does not hold yet.
func union(list, more []string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

func types(s tape.Value) []string {
	v, ok := s.Get("type")
	if !ok {
		return nil
	}
	if v.Kind() == tape.String {
		return []string{v.Text()}
	}
	var out []string
	for _, t := range v.Elements() {
		if t.Kind() == tape.String {
			out = append(out, t.Text())
		}
	}
	return out
}

func values(s tape.Value) []string {
	if v, ok := s.Get("const"); ok {
		return []string{json(v)}
	}
	var out []string
	if list, ok := s.Get("enum"); ok {
		for _, v := range list.Elements() {
			out = append(out, json(v))
		}
	}
	return out
}

// json is a value as JSON. The characters of a text stay as they are, except for quotes and backslashes.
func json(v tape.Value) string {
	if v.Kind() == tape.String {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(v.Text()) + `"`
	}
	return string(v.Raw())
}

// limits puts the keywords that bound a value into words. Draft 4 has exclusiveMinimum as a boolean beside minimum.
func limits(s tape.Value) []string {
	var out []string
	say := func(key, format string) {
		if v, ok := s.Get(key); ok && (v.Kind() == tape.Number || v.Kind() == tape.String) {
			out = append(out, fmt.Sprintf(format, display(v)))
		}
	}
	say("exclusiveMinimum", "> %s")
	say("minimum", strict(s, "exclusiveMinimum", ">", "≥")+" %s")
	say("exclusiveMaximum", "< %s")
	say("maximum", strict(s, "exclusiveMaximum", "<", "≤")+" %s")
	say("multipleOf", "multiple of %s")
	say("minLength", "length ≥ %s")
	say("maxLength", "length ≤ %s")
	say("minItems", "items ≥ %s")
	say("maxItems", "items ≤ %s")
	say("format", "format %s")
	return out
}

func strict(s tape.Value, key, if_, else_ string) string {
	if v, ok := s.Get(key); ok && v.Bool() {
		return if_
	}
	return else_
}

// display shows a number as it is and a text as it reads.
func display(v tape.Value) string {
	if v.Kind() == tape.String {
		return v.Text()
	}
	return string(v.Raw())
}

func text(s tape.Value, key string) string {
	if v, ok := s.Get(key); ok {
		return v.Text()
	}
	return ""
}

func unescape(token string) string {
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
}
