package card

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/finding"
)

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

// scalarInto says what becomes of scalars of a dtype in a column of another type. Where that depends on more than is
// known, the answer is that they load.
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
	case isInteger(declared) && !isInteger(found) && outside(field, found) != "":
		return fails("load_dataset reads %s as a float, which does not hold it exactly", outside(field, found))
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

// whole reads a whole number. One with a point or an exponent is small enough for a float, else it counts as a
// fraction.
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
