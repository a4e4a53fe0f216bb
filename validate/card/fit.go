package card

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/finding"
)

// problem is a difference between declared features and the data.
type problem struct {
	// index is that of the feature in the declared list, -1 for a column that is not in it.
	index         int
	severity      finding.Severity
	message, hint string
}

// fitter compares declared features with what was measured of a config.
type fitter struct {
	fields map[string]*column.Field
	// inside lists the pointers of the fields right inside another.
	inside map[string][]string
	// typed says that the reader is told the types before it parses, as the CSV reader is by features of a config.
	typed    bool
	index    int
	problems []problem
}

// fit lists the differences between declared features and the data of a config: what makes load_dataset fail, and what
// makes it load other values than the data has. own says that the features stand in the config.
func fit(declared column.Features, config *Config, own bool) []problem {
	f := &fitter{fields: map[string]*column.Field{}, inside: map[string][]string{}, typed: own && isCSV(config)}
	for i := range config.Fields {
		at := config.Fields[i].Pointer
		f.fields[at] = &config.Fields[i]
		around := at[:strings.LastIndexByte(at, '/')]
		f.inside[around] = append(f.inside[around], at)
	}
	types, listed := typesOf(config.Inferred), typesOf(declared)
	var absent []string
	for i, feature := range declared {
		f.index = i
		if found, ok := types[feature.Name]; ok {
			f.check(feature.Type, found, "/"+strictyaml.Escape(feature.Name))
		} else {
			absent = append(absent, feature.Name)
		}
	}
	f.index = -1
	for _, feature := range config.Inferred {
		if _, ok := listed[feature.Name]; !ok {
			f.add(finding.Error, "declare it: "+encoded(feature),
				"column %q (%s) is in the data and not in the declared features: load_dataset fails",
				feature.Name, shortType(feature.Type))
		}
	}
	if len(absent) > 0 {
		f.add(finding.Note, "write it into the data, or take it out of the card",
			"declared and in no row, so that load_dataset fills in null: %s",
			list(absent))
	}
	return f.problems
}

func typesOf(features []column.Feature) map[string]column.Type {
	types := map[string]column.Type{}
	for _, feature := range features {
		types[feature.Name] = feature.Type
	}
	return types
}

// isCSV tells whether the files of a config are read by the CSV reader.
func isCSV(config *Config) bool {
	var paths []string
	for _, split := range config.Splits {
		for _, file := range split.Files {
			paths = append(paths, file.Path)
		}
	}
	return release.Builder(paths) == "csv"
}

func (f *fitter) add(severity finding.Severity, hint, format string, args ...any) {
	f.problems = append(f.problems, problem{f.index, severity, fmt.Sprintf(format, args...), hint})
}

// check compares the type of one field. at is the field's pointer.
func (f *fitter) check(declared, found column.Type, at string) {
	if encoded(declared) == encoded(found) || isNull(found) || declared.Dtype == "json" && declared.Params == "" {
		return
	}
	if found.Dtype == "json" {
		if found = f.kindType(at); found.Dtype == "json" {
			f.outcome(declared, found, at, f.mixed(declared, at))
			return
		}
	}
	switch {
	case declared.List != nil && found.List != nil:
		f.checkLength(declared, found, at)
		f.check(*declared.List, *found.List, at+"/*")
	case fieldsOfStruct(declared) != nil && found.Struct != nil:
		f.checkStruct(fieldsOfStruct(declared), found.Struct, at)
	case found.List != nil:
		f.outcome(declared, found, at, listInto(declared))
	case found.Struct != nil:
		f.outcome(declared, found, at, structInto(declared))
	default:
		f.outcome(declared, found, at, f.scalarInto(declared, found.Dtype, at))
	}
}

func isNull(t column.Type) bool { return t.Dtype == "null" }

func (f *fitter) outcome(declared, found column.Type, at string, o outcome) {
	if o.what == "" {
		return
	}
	shown := f.shown(found, at)
	hint := "declare " + shortType(found)
	if isStructOfLists(declared) && found.List != nil {
		hint = "write `list:` instead of `sequence:`, which means a struct of lists"
	}
	f.add(o.severity, hint, "%s is declared %s, the data has %s: %s", fieldName(at), shortType(declared), shown, o.what)
}

// shown names what the data has: a type, or the kinds of values that have none in common.
func (f *fitter) shown(found column.Type, at string) string {
	field := f.fields[at]
	if found.Dtype != "json" || field == nil {
		return shortType(found)
	}
	var kinds []string
	for _, k := range field.Kinds {
		if k.Kind != "null" {
			kinds = append(kinds, k.Kind)
		}
	}
	return "values of the kinds " + strings.Join(kinds, ", ")
}

// isStructOfLists tells whether a type is what the loader makes of a sequence of fields.
func isStructOfLists(t column.Type) bool {
	return len(t.Struct) > 0 && !slices.ContainsFunc(t.Struct, func(f column.Feature) bool { return f.Type.List == nil })
}

// fieldName names the field at a pointer: a column by its name, what is inside of one by its pointer.
func fieldName(at string) string {
	if name := at[1:]; !strings.Contains(name, "/") {
		return "column " + quoted(nameOf(name))
	}
	return "field " + at
}

// checkLength compares the lengths of lists with a fixed one.
func (f *fitter) checkLength(declared, found column.Type, at string) {
	field := f.fields[at]
	if declared.Length == 0 || field == nil || field.Items.Max < 0 {
		return
	}
	if want := int64(declared.Length); field.Items.Min != want || field.Items.Max != want {
		f.add(finding.Error, "take the length out",
			"%s is declared with lists of length %d, the data has lengths from %d to %d: load_dataset fails",
			fieldName(at), want, field.Items.Min, field.Items.Max)
	}
}

// checkStruct compares objects with declared fields: more of those are null, more in the data make the loader fail.
func (f *fitter) checkStruct(declared, found []column.Feature, at string) {
	types := typesOf(declared)
	for _, member := range found {
		below := at + "/" + strictyaml.Escape(member.Name)
		declared, ok := types[member.Name]
		if !ok {
			f.add(finding.Error, "declare it: "+encoded(member),
				"field %s (%s) is in the data and not in the declared features: load_dataset fails",
				below, shortType(member.Type))
			continue
		}
		f.check(declared, member.Type, below)
	}
}

// fieldsOfStruct are the fields of a struct, or of a type that is stored as one; nil for any other.
func fieldsOfStruct(t column.Type) []column.Feature {
	if t.Dtype != "translation" {
		return t.Struct
	}
	var params struct{ Languages []string }
	if err := json.Unmarshal([]byte(t.Params), &params); err != nil {
		return nil
	}
	fields := []column.Feature{}
	for _, language := range params.Languages {
		fields = append(fields, column.Feature{Name: language, Type: column.Type{Dtype: "string"}})
	}
	return fields
}

// kindType is a type made of the kinds of values that a field has, for what the loader keeps as Json unless it is told
// better. Texts are texts, whether or not they are dates.
func (f *fitter) kindType(at string) column.Type {
	mixed := column.Type{Dtype: "json"}
	field := f.fields[at]
	if field == nil || field.Wide {
		return mixed
	}
	var kinds []string
	for _, k := range field.Kinds {
		if k.Kind != "null" {
			kinds = append(kinds, k.Kind)
		}
	}
	switch strings.Join(kinds, " ") {
	case "":
		return column.Type{Dtype: "null"}
	case "boolean":
		return column.Type{Dtype: "bool"}
	case "integer":
		return column.Type{Dtype: "int64"}
	case "number", "integer number":
		return column.Type{Dtype: "float64"}
	case "string":
		return column.Type{Dtype: "string"}
	case "array":
		element := column.Type{Dtype: "null"}
		if f.fields[at+"/*"] != nil {
			element = f.kindType(at + "/*")
		}
		return column.Type{List: &element}
	case "object":
		return column.Type{Struct: f.members(at)}
	}
	return mixed
}

// members are the fields right inside an object.
func (f *fitter) members(at string) []column.Feature {
	members := []column.Feature{}
	for _, below := range f.inside[at] {
		if below != at+"/*" {
			members = append(members, column.Feature{Name: nameOf(below[len(at)+1:]), Type: f.kindType(below)})
		}
	}
	return members
}

// nameOf reads one part of a JSON Pointer.
func nameOf(part string) string { return strings.NewReplacer("~1", "/", "~0", "~").Replace(part) }

// mixed says what becomes of values of several kinds.
func (f *fitter) mixed(declared column.Type, at string) outcome {
	field := f.fields[at]
	if field == nil || field.Wide || declared.ClassLabel != nil || isMedia(declared.Dtype) {
		return fine
	}
	has := func(kind string) bool {
		return slices.ContainsFunc(field.Kinds, func(k column.KindCount) bool { return k.Kind == kind })
	}
	switch {
	case has("array") || has("object") || !isText(declared.Dtype):
		return fatal
	case has("string"):
		return fails("load_dataset puts quotes around the texts")
	}
	return intoText
}
