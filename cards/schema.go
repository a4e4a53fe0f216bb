package cards

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/cards/marked"
	"github.com/hfpub/hfpub/cards/schemadoc"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/column"
)

// schemaBlock is the name of the block in schema.md.
const schemaBlock = "schema"

// schemaView is what the template of schema.md shows. Pending is for data that stay at home: none of them is shown.
type schemaView struct {
	Configs []schemaConfig
	Pending bool
}

type schemaConfig struct {
	Name string
	// Description is that of the first schema that has one.
	Description string
	// Schemas are the artifacts and schema files that the splits name.
	Schemas []string
	// Described says that a schema describes fields: without one there is nothing to say of what is required.
	Described bool
	Fields    []fieldRow
}

// fieldRow is one row of the table. Every value is Markdown that fits into a cell.
type fieldRow struct {
	Name, Type, Required, Nullable, Values, Nulls, Example, Description string
}

// renderSchema renders schema.md; nil where there is no field to describe and no file to bring up to date.
func renderSchema(in *Input) (*File, error) {
	if err := readable(SchemaPath, in.SchemaMD); err != nil {
		return nil, err
	}
	text, err := marked.Parse(in.SchemaMD, "\n")
	if err != nil {
		return nil, misplaced(SchemaPath, 0, err)
	}
	content := notice
	if hasFields(in) {
		tables, err := execute("schema.md.tmpl", schemaView{schemaConfigs(in), isPending(in)})
		if err != nil {
			return nil, err
		}
		content = framed(tables)
	} else if !slices.Contains(text.Names(), schemaBlock) {
		return nil, nil
	}
	if blank(in.SchemaMD) {
		if text, err = marked.Parse([]byte("# Schema of "+title(&in.Repo)+"\n"), "\n"); err != nil {
			return nil, err
		}
	}
	if !text.Replace(schemaBlock, content) {
		text.Append(schemaBlock, content)
	}
	return &File{SchemaPath, in.SchemaMD, text.Bytes()}, nil
}

// hasFields tells whether there is a field to describe.
func hasFields(in *Input) bool {
	return slices.ContainsFunc(in.Measured.Configs, func(c validate.Config) bool { return len(c.Fields) > 0 })
}

func isPending(in *Input) bool { return in.Repo.Status == release.Pending }

func schemaConfigs(in *Input) []schemaConfig {
	var out []schemaConfig
	for i := range in.Measured.Configs {
		measured := &in.Measured.Configs[i]
		config := schemaConfig{Name: measured.Name, Schemas: schemaNames(in, measured.Name)}
		var docs []*schemadoc.Doc
		for _, name := range config.Schemas {
			if doc, err := schemadoc.Parse(in.Schemas[name]); err == nil {
				docs = append(docs, doc)
				config.Description = cmp.Or(config.Description, doc.Description())
			}
		}
		config.Described = len(docs) > 0
		config.Fields = fieldRows(measured, docs, isPending(in))
		out = append(out, config)
	}
	return out
}

// schemaNames lists the schemas of a config's splits, each once.
func schemaNames(in *Input, config string) []string {
	var out []string
	for _, c := range in.Repo.Configs {
		for _, split := range c.Splits {
			name := cmp.Or(split.Artifact, split.Schema)
			if c.Name == config && name != "" && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// fieldRows lists the fields that were seen, then those that only a schema names.
func fieldRows(config *validate.Config, docs []*schemadoc.Doc, secret bool) []fieldRow {
	var out []fieldRow
	seen := map[string]bool{}
	for i := range config.Fields {
		field := &config.Fields[i]
		seen[field.Pointer] = true
		said, known := lookup(docs, field.Pointer)
		r := row(field, said, dtype(config.Features, field.Pointer), secret)
		if !known || strings.HasSuffix(field.Pointer, "/*") {
			r.Required = ""
		}
		out = append(out, r)
	}
	if len(out) == 0 {
		return nil
	}
	for _, doc := range docs {
		for _, pointer := range doc.Fields() {
			if !seen[pointer] {
				seen[pointer] = true
				said, _ := lookup(docs, pointer)
				out = append(out, absentRow(said))
			}
		}
	}
	return out
}

// lookup asks the schemas for a field; the first that knows it has the word.
func lookup(docs []*schemadoc.Doc, pointer string) (schemadoc.Field, bool) {
	for _, doc := range docs {
		if said, ok := doc.Lookup(pointer); ok {
			return said, true
		}
	}
	return schemadoc.Field{Pointer: pointer}, false
}

// row describes a field that was seen.
func row(field *column.Field, said schemadoc.Field, dtype string, secret bool) fieldRow {
	r := absentRow(said)
	if kinds := kindNames(field); len(kinds) > 0 {
		r.Type = strings.Join(kinds, ", ")
	}
	if dtype != "" && dtype != usual[r.Type] {
		r.Type = strings.TrimSpace(r.Type + " " + code(dtype))
	}
	if len(said.Types) == 0 {
		r.Nullable = yes(field.Nulls+field.Missing > 0)
	}
	r.Values = values(allowed(said), held(field, said, secret))
	r.Nulls = share(field.Nulls+field.Missing, field.Present+field.Missing)
	if field.Example != "" {
		r.Example = code(example(field))
	}
	return r
}

// example is a value of the field. A number or truth value of a CSV file is a text in the file and none to its readers.
func example(field *column.Field) string {
	text := func(k column.KindCount) bool { return k.Kind == "string" }
	if slices.ContainsFunc(field.Kinds, text) {
		return field.Example
	}
	if bare, ok := strings.CutPrefix(field.Example, `"`); ok {
		return strings.TrimSuffix(bare, `"`)
	}
	return field.Example
}

// usual are the loader's types that follow from the kind of the values; any other is worth saying.
var usual = map[string]string{
	"string": "string", "boolean": "bool", "integer": "int64", "number": "float64", "null": "null",
}

// absentRow describes a field by what the schema says alone.
func absentRow(said schemadoc.Field) fieldRow {
	r := fieldRow{
		Name: fieldName(said.Pointer), Required: yes(said.Required), Values: values(allowed(said), nil),
		Nulls: "not in the data", Description: inline(said.Description),
	}
	if len(said.Types) > 0 {
		r.Nullable = yes(slices.Contains(said.Types, "null"))
		others := slices.DeleteFunc(slices.Clone(said.Types), func(t string) bool { return t == "null" })
		r.Type = plain(strings.Join(others, ", "))
	}
	return r
}

// kindNames are the kinds of values that were seen, nulls aside; null where there was nothing else.
func kindNames(field *column.Field) []string {
	var out []string
	for _, kind := range field.Kinds {
		if kind.Kind != "null" {
			out = append(out, kind.Kind)
		}
	}
	if len(out) == 0 && field.Nulls > 0 {
		return []string{"null"}
	}
	return out
}

// dtype is the loader's type of a field, "" where it has none of its own, as lists and structs.
func dtype(features column.Features, pointer string) string {
	here := column.Type{Struct: features}
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		next, ok := inside(here, token)
		if !ok {
			return ""
		}
		here = next
	}
	if here.ClassLabel != nil {
		return "class_label"
	}
	return here.Dtype
}

func inside(t column.Type, token string) (column.Type, bool) {
	if t.List != nil && token == "*" {
		return *t.List, true
	}
	name := strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
	for _, f := range t.Struct {
		if f.Name == name {
			return f.Type, true
		}
	}
	return column.Type{}, false
}
