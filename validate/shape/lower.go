package shape

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// lowering writes the normal form that gojsonschema is given.
//
// It is one document of draft 7 whose only references are "#/definitions/0", "#/definitions/1" and so on: ids are gone,
// so that gojsonschema resolves and loads nothing. Every keyword that combines schemas is written in such a way that the errors
// below it end with an error of allOf; see [treeOf].
type lowering struct {
	*tree
	// index numbers the schemas that references lead to; order lists them.
	index map[*node]int
	order []*node
}

// lower writes a schema and all it refers to in the normal form.
func lower(t *tree, schema *node) any {
	l := &lowering{tree: t, index: map[*node]int{}}
	root := l.reference(schema)
	definitions := map[string]any{}
	for i := 0; i < len(l.order); i++ {
		definitions[strconv.Itoa(i)] = l.body(l.order[i])
	}
	return map[string]any{"definitions": definitions, "$ref": root}
}

// reference gives a schema its number.
func (l *lowering) reference(schema *node) string {
	i, known := l.index[schema]
	if !known {
		i = len(l.order)
		l.index[schema] = i
		l.order = append(l.order, schema)
	}
	return "#/definitions/" + strconv.Itoa(i)
}

// schema lowers a schema where it is used.
func (l *lowering) schema(n *node) any {
	if target := l.target[n]; target != nil {
		return map[string]any{"$ref": l.reference(target)}
	}
	return l.body(n)
}

// body lowers a schema that is not just a reference.
func (l *lowering) body(n *node) any {
	switch {
	case l.target[n] != nil:
		return l.schema(n)
	case l.out[n]:
		return true
	case n.isBool():
		return n.kind == tape.True
	}
	out := map[string]any{}
	l.own(n, out)
	l.numbers(n, out)
	l.object(n, out)
	l.array(n, out)
	if all := append(l.counts(n, out), l.combined(n)...); len(all) > 0 {
		out["if"], out["then"] = true, map[string]any{"allOf": all}
	}
	return out
}

// own lowers the keywords that look at a value alone and mean the same to gojsonschema.
func (l *lowering) own(n *node, out map[string]any) {
	if value := l.get(n, "type"); value != nil {
		out["type"] = anySlice(l.typesOf(n))
	}
	if value := l.get(n, "pattern"); value != nil {
		out["pattern"] = l.patterns[value.text].String()
	}
	if value := l.get(n, "format"); value != nil {
		registerFormats()
		out["format"] = formatPrefix + value.text
	}
	if value := l.get(n, "uniqueItems"); value != nil {
		out["uniqueItems"] = value.kind == tape.True
	}
	if value := l.get(n, "required"); value != nil {
		out["required"] = anySlice(distinct(value))
	}
}

// counts lowers bounds of lengths and sizes. gojsonschema refuses a schema whose minimum is above its maximum, which is
// the author's right: then the maximum comes back, for a schema of its own.
func (l *lowering) counts(n *node, out map[string]any) (apart []any) {
	for _, pair := range [][2]string{{"minLength", "maxLength"}, {"minItems", "maxItems"}, {"minProperties", "maxProperties"}} {
		least, most := l.get(n, pair[0]), l.get(n, pair[1])
		if least != nil {
			out[pair[0]] = countOf(least)
		}
		switch {
		case most == nil:
		case least != nil && compare(least, most) > 0:
			apart = append(apart, map[string]any{pair[1]: countOf(most)})
		default:
			out[pair[1]] = countOf(most)
		}
	}
	return apart
}

// countOf is a count as gojsonschema takes it: digits only. What no row reaches is as good as any other such number.
func countOf(n *node) json.Number {
	exact, _ := exactly(n)
	if !exact.Num().IsInt64() {
		return "9223372036854775807"
	}
	return json.Number(exact.Num().String())
}

// distinct lists the texts of a list, each once.
func distinct(list *node) []string {
	var out []string
	known := map[string]bool{}
	for _, child := range list.children {
		if !known[child.text] {
			out = append(out, child.text)
		}
		known[child.text] = true
	}
	return out
}

func anySlice(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// numbers lowers bounds to their form of draft 6.
func (l *lowering) numbers(n *node, out map[string]any) {
	if value := l.get(n, "multipleOf"); value != nil {
		out["multipleOf"] = json.Number(value.text)
	}
	for inclusive, exclusive := range map[string]string{"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"} {
		limit, strict := l.get(n, inclusive), l.get(n, exclusive)
		if limit != nil && strict != nil && strict.kind == tape.True {
			out[exclusive] = json.Number(limit.text)
			continue
		}
		if limit != nil {
			out[inclusive] = json.Number(limit.text)
		}
		if strict != nil && strict.kind == tape.Number {
			out[exclusive] = json.Number(strict.text)
		}
	}
}

// object lowers the keywords about the members of an object. A property whose schema is left out stays a known property.
func (l *lowering) object(n *node, out map[string]any) {
	if value := l.get(n, "properties"); value != nil {
		out["properties"] = l.schemaMap(value)
	}
	additional := l.get(n, "additionalProperties")
	if value := l.get(n, "patternProperties"); value != nil {
		patterns := map[string]any{}
		for _, child := range value.children {
			expression := l.patterns[child.token]
			if expression == nil {
				additional = nil // nobody can tell which properties the pattern was meant for
				continue
			}
			patterns[expression.String()] = l.schema(child)
		}
		out["patternProperties"] = patterns
	}
	if additional != nil {
		out["additionalProperties"] = l.schema(additional)
	}
	if value := l.get(n, "propertyNames"); value != nil {
		out["propertyNames"] = closed(l.schema(value))
	}
	if value := l.get(n, "dependencies"); value != nil {
		dependencies := map[string]any{}
		for _, child := range l.usable(value) {
			if child.kind == tape.Array {
				dependencies[child.token] = anySlice(distinct(child))
			} else {
				dependencies[child.token] = l.schema(child)
			}
		}
		out["dependencies"] = dependencies
	}
}

func (l *lowering) schemaMap(value *node) map[string]any {
	out := map[string]any{}
	for _, child := range value.children {
		out[child.token] = l.schema(child)
	}
	return out
}

// array lowers the keywords about the elements of an array.
func (l *lowering) array(n *node, out map[string]any) {
	items, additional := l.get(n, "items"), l.get(n, "additionalItems")
	switch {
	case items == nil:
	case items.kind != tape.Array:
		out["items"] = l.schema(items)
	case len(items.children) > 0:
		var list []any
		for _, child := range items.children {
			list = append(list, l.schema(child))
		}
		out["items"] = list
		if additional != nil {
			out["additionalItems"] = l.schema(additional)
		}
	case additional != nil: // gojsonschema forgets additionalItems behind an empty list
		out["items"] = l.schema(additional)
	}
	if value := l.get(n, "contains"); value != nil {
		out["contains"] = closed(l.schema(value))
	}
}

// combined lowers the keywords that hold the value itself against other schemas. All of them must be met.
func (l *lowering) combined(n *node) []any {
	var all []any
	if value := l.get(n, "const"); value != nil {
		all = append(all, listed([]*node{value}))
	}
	if value := l.get(n, "enum"); value != nil {
		all = append(all, listed(value.children))
	}
	if value := l.get(n, "allOf"); value != nil {
		for _, child := range l.usable(value) {
			all = append(all, l.schema(child))
		}
	}
	for _, name := range []string{"anyOf", "oneOf"} {
		if value := l.whole(n, name); value != nil {
			var list []any
			for _, child := range value.children {
				list = append(list, l.alternative(child))
			}
			all = append(all, closed(map[string]any{name: list}))
		}
	}
	if value := l.whole(n, "not"); value != nil {
		forbidden := map[string]any{"not": l.schema(value)}
		all = append(all, map[string]any{"if": false, "else": closed(forbidden)})
	}
	if value := l.whole(n, "if"); value != nil {
		condition := map[string]any{"if": l.schema(value)}
		for _, name := range []string{"then", "else"} {
			if branch := l.get(n, name); branch != nil {
				condition[name] = closed(l.schema(branch))
			}
		}
		all = append(all, condition)
	}
	return all
}

// alternative lowers a schema of anyOf or oneOf. gojsonschema looks at all of a value before it gives up on a schema; in a
// tree of objects of several kinds that takes exponential time. So the constants that tell the kinds apart come first.
func (l *lowering) alternative(n *node) any {
	telling := map[string]any{}
	properties := l.get(l.deref(n), "properties")
	if properties == nil {
		return l.schema(n)
	}
	for _, property := range l.usable(properties) {
		if name, _ := l.onlyKeyword(property); name == "const" || name == "enum" {
			telling[property.token] = l.schema(property)
		}
	}
	if len(telling) == 0 {
		return l.schema(n)
	}
	first := map[string]any{"properties": telling}
	return map[string]any{"if": first, "then": closed(l.schema(n)), "else": closed(first)}
}

// whole returns a keyword whose schemas are all usable. With one of them left out it would refuse what it should let
// pass, so all of it is left out.
func (t *tree) whole(n *node, name string) *node {
	value := t.get(n, name)
	if value == nil || value.kind == tape.Array && len(t.usable(value)) < len(value.children) {
		return nil
	}
	return value
}

// closed makes the errors of a schema end with one of allOf.
func closed(schema any) map[string]any { return map[string]any{"allOf": []any{schema}} }

// listed is met by the values listed in enum or const, exactly: gojsonschema compares numbers as float64, and so is given
// texts, booleans and nulls only. For the others the two nots put one error in the place of many.
func listed(values []*node) map[string]any {
	var alternatives, plain []any
	kinds := map[string]bool{}
	known := map[string]bool{}
	for _, value := range values {
		switch {
		case known[value.exact]:
		case value.kind == tape.Number || value.kind == tape.Array || value.kind == tape.Object:
			alternatives = append(alternatives, just(value))
		default:
			plain = append(plain, value.value())
			kinds[value.kind.String()] = true
		}
		known[value.exact] = true
	}
	if len(plain) > 0 {
		alternatives = append(alternatives, map[string]any{"type": anySlice(slices.Sorted(maps.Keys(kinds))), "enum": plain})
	}
	if len(alternatives) == 1 && len(plain) > 0 {
		return alternatives[0].(map[string]any)
	}
	return map[string]any{"not": map[string]any{"not": map[string]any{"anyOf": alternatives}}}
}

// just is met by one value.
func just(value *node) map[string]any {
	switch value.kind {
	case tape.Number:
		n := json.Number(value.text)
		return map[string]any{"type": "number", "minimum": n, "maximum": n}
	case tape.Array:
		items := []any{}
		for _, child := range value.children {
			items = append(items, just(child))
		}
		return map[string]any{"type": "array", "items": items, "minItems": size(value), "maxItems": size(value)}
	case tape.Object:
		properties, required := map[string]any{}, []any{}
		for _, child := range value.children {
			properties[child.token] = just(child)
			required = append(required, child.token)
		}
		return map[string]any{"type": "object", "properties": properties, "required": required, "maxProperties": size(value)}
	}
	return map[string]any{"type": value.kind.String(), "enum": []any{value.value()}}
}

func size(n *node) json.Number { return json.Number(strconv.Itoa(len(n.children))) }

// typesOf lists the types that a schema allows by its own type, each once; none for all.
func (t *tree) typesOf(schema *node) []string {
	value := t.get(schema, "type")
	switch {
	case value == nil:
		return nil
	case value.kind == tape.String:
		return []string{value.text}
	}
	return distinct(value)
}
