package card

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

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
	// typed says that the reader is told the types before it parses, as the CSV reader is by features of a config.
	typed    bool
	index    int
	problems []problem
}

// fit lists the differences between declared features and the data of a config: what makes load_dataset fail, and what
// makes it load other values than the data has. own says that the features stand in the config.
func fit(declared column.Features, config *Config, own bool) []problem {
	f := &fitter{fields: map[string]*column.Field{}, typed: own && isCSV(config)}
	for i := range config.Fields {
		f.fields[config.Fields[i].Pointer] = &config.Fields[i]
	}
	byName := map[string]column.Type{}
	for _, feature := range config.Inferred {
		byName[feature.Name] = feature.Type
	}
	var absent []string
	for i, feature := range declared {
		f.index = i
		if found, ok := byName[feature.Name]; ok {
			f.check(feature.Type, found, "/"+strictyaml.Escape(feature.Name))
		} else {
			absent = append(absent, feature.Name)
		}
	}
	f.index = -1
	for _, feature := range config.Inferred {
		if !slices.ContainsFunc(declared, func(d column.Feature) bool { return d.Name == feature.Name }) {
			f.add(finding.Error, "declare it: "+encoded(feature), "column %q (%s) is in the data and not in the declared features: load_dataset fails",
				feature.Name, shortType(feature.Type))
		}
	}
	if len(absent) > 0 {
		f.add(finding.Note, "write it into the data, or take it out of the card", "declared and in no row, so that load_dataset fills in null: %s",
			list(absent))
	}
	return f.problems
}

func isCSV(config *Config) bool {
	for _, split := range config.Splits {
		for _, file := range split.Files {
			name := strings.ToLower(file.Path)
			return strings.Contains(name, ".csv") || strings.Contains(name, ".tsv")
		}
	}
	return false
}

func (f *fitter) add(severity finding.Severity, hint, format string, args ...any) {
	f.problems = append(f.problems, problem{f.index, severity, fmt.Sprintf(format, args...), hint})
}

// outcome is what becomes of values of one type in a column of another.
type outcome struct {
	severity finding.Severity
	// what is said behind both types; empty where the values load as they are.
	what string
}

func fails(format string, args ...any) outcome {
	return outcome{finding.Error, fmt.Sprintf(format, args...)}
}

var (
	fine  = outcome{}
	fatal = fails("load_dataset fails")
	// intoText is what becomes of numbers and truth values in a column of texts.
	intoText = fails("load_dataset turns every value into text")
)

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
		return "column " + quoted(strings.NewReplacer("~1", "/", "~0", "~").Replace(name))
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
		f.add(finding.Error, "take the length out", "%s is declared with lists of length %d, the data has lengths from %d to %d: load_dataset fails",
			fieldName(at), want, field.Items.Min, field.Items.Max)
	}
}

// checkStruct compares objects with declared fields: more of those are null, more in the data make the loader fail.
func (f *fitter) checkStruct(declared, found []column.Feature, at string) {
	for _, member := range found {
		below := at + "/" + strictyaml.Escape(member.Name)
		i := slices.IndexFunc(declared, func(d column.Feature) bool { return d.Name == member.Name })
		if i < 0 {
			f.add(finding.Error, "declare it: "+encoded(member), "field %s (%s) is in the data and not in the declared features: load_dataset fails",
				below, shortType(member.Type))
			continue
		}
		f.check(declared[i].Type, member.Type, below)
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
	for pointer := range f.fields {
		name, inside := strings.CutPrefix(pointer, at+"/")
		if inside && name != "*" && !strings.Contains(name, "/") {
			plain := strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
			members = append(members, column.Feature{Name: plain, Type: f.kindType(pointer)})
		}
	}
	slices.SortFunc(members, func(a, b column.Feature) int { return strings.Compare(a.Name, b.Name) })
	return members
}

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

// listInto says what becomes of lists in a column of a scalar type.
func listInto(declared column.Type) outcome {
	if isMedia(declared.Dtype) || isArray(declared.Dtype) || declared.Dtype == "translation_variable_languages" {
		return fine
	}
	return fatal
}

// structInto says what becomes of objects.
func structInto(declared column.Type) outcome {
	if isMedia(declared.Dtype) || declared.Dtype == "translation_variable_languages" {
		return fine
	}
	return fatal
}

// scalarInto says what becomes of scalars of a dtype in a column of another type. Where that depends on more than is known, the
// answer is that they load.
func (f *fitter) scalarInto(declared column.Type, found, at string) outcome {
	switch {
	case declared.List != nil, fieldsOfStruct(declared) != nil, isArray(declared.Dtype), isNull(declared):
		return fatal
	case declared.ClassLabel != nil:
		return f.labels(declared.ClassLabel, found, at)
	case isMedia(declared.Dtype):
		if found == "string" {
			return fine
		}
		return fatal
	case isText(declared.Dtype):
		return f.scalarIntoText(found)
	case isNumber(declared.Dtype):
		return f.intoNumber(declared.Dtype, found, at)
	case declared.Dtype == "bool":
		return intoBool(found)
	}
	return f.intoOther(declared.Dtype, found, at)
}

// scalarIntoText says what becomes of values of a dtype in a column of texts.
func (f *fitter) scalarIntoText(found string) outcome {
	switch {
	case isText(found) || f.typed:
		return fine
	case isTime(found):
		return outcome{finding.Warning, "load_dataset reads the dates and writes them anew, as 2024-01-31 00:00:00"}
	}
	return intoText
}

func intoBool(found string) outcome {
	switch {
	case found == "bool":
		return fine
	case isNumber(found):
		return fails("load_dataset makes true of every number but 0")
	}
	return fatal
}

// intoNumber says what becomes of values in a column of numbers.
func (f *fitter) intoNumber(declared, found, at string) outcome {
	field := f.fields[at]
	switch {
	case found == "bool":
		return fails("load_dataset turns true and false into 1 and 0")
	case isText(found):
		return fails("load_dataset turns digits into numbers and fails on any other text")
	case isTime(found) && declared == "int64":
		return fails("load_dataset turns the dates into seconds since 1970")
	case !isNumber(found):
		return fatal
	case field == nil:
		return fine
	case isInteger(declared) && field.Fractions:
		return fails("load_dataset fails on fractions")
	case isInteger(declared) || isInteger(found) && !f.typed:
		if text := outside(field, declared); text != "" {
			return fails("%s is beyond what it holds exactly, and load_dataset fails", text)
		}
	}
	return fine
}

// mantissas are the bits of a float in which integers are held exactly.
var mantissas = map[string]uint{"float16": 11, "float32": 24, "float": 24, "float64": 53, "double": 53}

// bounds are the least and the greatest integer that a type of numbers holds exactly.
func bounds(dtype string) (least, greatest *big.Int) {
	power := func(bits uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), bits) }
	if bits, ok := mantissas[dtype]; ok {
		return new(big.Int).Neg(power(bits)), power(bits)
	}
	width, _ := strconv.Atoi(strings.TrimLeft(dtype, "uint"))
	bits := uint(max(width, 1))
	if strings.HasPrefix(dtype, "u") {
		return new(big.Int), new(big.Int).Sub(power(bits), big.NewInt(1))
	}
	return new(big.Int).Neg(power(bits - 1)), new(big.Int).Sub(power(bits-1), big.NewInt(1))
}

// outside gives an extreme of a field of whole numbers that a type does not hold exactly, "" when there is none.
func outside(field *column.Field, dtype string) string {
	least, greatest := bounds(dtype)
	for _, text := range []string{field.Min, field.Max} {
		if value, ok := whole(text); ok && (value.Cmp(least) < 0 || value.Cmp(greatest) > 0) {
			return text
		}
	}
	return ""
}

// whole reads a whole number. One with a point or an exponent is small enough for a float, else it counts as a fraction.
func whole(text string) (*big.Int, bool) {
	if value, ok := new(big.Int).SetString(text, 10); ok {
		return value, true
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || value != math.Trunc(value) || math.Abs(value) > 1<<53 {
		return nil, false
	}
	return big.NewInt(int64(value)), true
}

// labels says what becomes of values in a column of class labels: texts are names, numbers are ids, -1 is no label.
func (f *fitter) labels(names []string, found, at string) outcome {
	field := f.fields[at]
	switch {
	case isNumber(found) && field != nil && field.Fractions:
		return fails("load_dataset fails on fractions")
	case isNumber(found) && field != nil:
		for _, text := range []string{field.Min, field.Max} {
			if id, ok := whole(text); ok && (id.Cmp(big.NewInt(-1)) < 0 || id.Cmp(big.NewInt(int64(len(names)))) >= 0) {
				return fails("%s is the id of no label: load_dataset or the viewer fails on it", text)
			}
		}
	case found == "string":
		for _, text := range f.texts(at) {
			if !isLabel(text, names) {
				return fails("%s is no label: load_dataset fails on it", quoted(text))
			}
		}
	}
	return fine
}

// isLabel tells whether the loader takes a text for a label: its name, with blanks around it or not, or its id.
func isLabel(text string, names []string) bool {
	word := strings.TrimSpace(text)
	if slices.Contains(names, text) || slices.Contains(names, word) {
		return true
	}
	id, err := strconv.Atoi(word)
	return err == nil && id >= -1 && id < len(names)
}

// texts are the texts of a field as far as they are known: all of few, or an example of many.
func (f *fitter) texts(at string) []string {
	field := f.fields[at]
	if field == nil {
		return nil
	}
	var texts []string
	for _, value := range field.Values {
		texts = append(texts, value.Text)
	}
	var example string
	if json.Unmarshal([]byte(field.Example), &example) == nil && !strings.HasSuffix(example, "…") {
		texts = append(texts, example)
	}
	return texts
}

// intoOther says what becomes of values in columns of times, dates, decimals and bytes.
func (f *fitter) intoOther(declared, found, at string) outcome {
	isBytes := strings.Contains(declared, "binary")
	switch {
	case isBytes && !isText(found), found == "bool":
		return fatal
	case isTime(declared) && isNumber(found) && !isInteger(found):
		return fatal
	case isTime(declared) && isText(found):
		for _, text := range f.texts(at) {
			if !startsWithDate(text) {
				return fails("%s is no date: load_dataset fails on it", quoted(text))
			}
		}
	}
	return fine
}

// startsWithDate tells whether a text begins as all texts do that Arrow takes for a date.
func startsWithDate(text string) bool {
	const form = "0000-00-00"
	if len(text) < len(form) {
		return false
	}
	for i := range form {
		if isDigit := '0' <= text[i] && text[i] <= '9'; form[i] == '0' && !isDigit || form[i] == '-' && text[i] != '-' {
			return false
		}
	}
	return true
}

func isText(dtype string) bool {
	return dtype == "string" || dtype == "large_string" || dtype == "string_view"
}

func isInteger(dtype string) bool {
	return strings.HasPrefix(dtype, "int") || strings.HasPrefix(dtype, "uint")
}

func isNumber(dtype string) bool { return isInteger(dtype) || mantissas[dtype] > 0 }

// isTime tells whether a dtype is a date or a point in time.
func isTime(dtype string) bool {
	return strings.HasPrefix(dtype, "timestamp[") || dtype == "date32" || dtype == "date64"
}

func isMedia(dtype string) bool {
	return slices.Contains([]string{"image", "audio", "video", "pdf", "mesh", "nifti"}, dtype)
}

func isArray(dtype string) bool { return strings.HasPrefix(dtype, "array") }
