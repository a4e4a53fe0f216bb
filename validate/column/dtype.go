package column

import (
	"strconv"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

// scalars are the dtypes that stand for themselves, with the bytes of one value; 0 where it is not fixed.
var scalars = map[string]int{
	"null": 0, "bool": 0,
	"int8": 1, "int16": 2, "int32": 4, "int64": 8,
	"uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8,
	"float16": 2, "float32": 4, "float64": 8, "float": 4, "double": 8,
	"string": 0, "large_string": 0, "string_view": 0, "binary": 0, "large_binary": 0, "binary_view": 0,
	"date32": 4, "date64": 8,
}

// features are the feature classes of the loader, in the spelling of a card. Those that need parameters stand in
// parametrised alone.
var features = map[string]bool{
	"json": true, "image": true, "audio": true, "video": true, "pdf": true, "mesh": true, "nifti": true,
}

var parametrised = map[string]bool{
	"image": true, "audio": true, "video": true, "pdf": true, "mesh": true, "nifti": true, "json": true,
	"translation": true, "translation_variable_languages": true,
	"array2_d": true, "array3_d": true, "array4_d": true, "array5_d": true,
}

var (
	timeDtype    = lazyregexp.New(`^(?:timestamp\[(?:s|ms|us|ns)(?:, tz=[^\[\],]+)?\]|duration\[(?:s|ms|us|ns)\])$`)
	clockDtype   = lazyregexp.New(`^(?:time32\[m?s\]|time64\[[un]s\])$`)
	decimalDtype = lazyregexp.New(`^decimal(128|256)\([0-9]+, *-?[0-9]+\)$`)
	fixedDtype   = lazyregexp.New(`^fixed_size_binary\[([0-9]{1,9})\]$`)
)

// validDtype says whether the loader knows a dtype that is given by its name alone.
func validDtype(name string) bool {
	if _, ok := scalars[name]; ok {
		return true
	}
	return features[name] || timeDtype.MatchString(name) || clockDtype.MatchString(name) ||
		decimalDtype.MatchString(name) || fixedDtype.MatchString(name)
}

// canonical is the name under which the loader keeps a dtype: it takes float and double for what they are in C.
func canonical(name string) string {
	switch name {
	case "float":
		return "float32"
	case "double":
		return "float64"
	}
	return name
}

// width is the number of bytes that one value of a fixed-width dtype takes in Arrow; 0 for any other dtype.
func width(dtype string) int {
	if w, ok := scalars[dtype]; ok {
		return w
	}
	if timeDtype.MatchString(dtype) {
		return 8
	}
	if clockDtype.MatchString(dtype) {
		if dtype[:len("time32")] == "time32" {
			return 4
		}
		return 8
	}
	if m := decimalDtype.FindStringSubmatch(dtype); m != nil {
		bits, _ := strconv.Atoi(m[1])
		return bits / 8
	}
	if m := fixedDtype.FindStringSubmatch(dtype); m != nil {
		n, _ := strconv.Atoi(m[1])
		return n
	}
	return 0
}

// meant names the dtype that the author of a wrong one probably meant, "" if there is none.
func meant(name string) string {
	switch name {
	case "str", "text", "object":
		return dtypeString
	case "int", "integer", "number":
		return dtypeInt64
	case "boolean":
		return dtypeBool
	}
	return ""
}
