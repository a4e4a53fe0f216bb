package column

import "strings"

// change is what the loader does to values so that they fit the type of their column, without a word.
type change int

const (
	unchanged change = iota
	// toText: numbers and truth values become texts; toRewritten: dates become texts of another form; toQuoted: texts get
	// quotes around them.
	toText
	toRewritten
	toQuoted
	// toNumber: digits in texts, or truth values, become numbers; toTruth: numbers, or texts, become true and false.
	toNumber
	toTruth
	// toSeconds: dates become seconds since 1970; toDate: numbers become dates.
	toSeconds
	toDate
	// toParts: the keys of objects, or the characters of texts, become elements of lists.
	toParts
)

// effect is what becomes of the values that a field has in a batch.
type effect struct {
	// bad are the kinds of values on which the loader fails.
	bad kinds
	// what it does to values of the changed kinds.
	what    change
	changed kinds
}

func fails(bad kinds) effect { return effect{bad: bad} }

// caster says what the loader does with the values of a batch when its column has a type (datasets/table.py: array_cast and
// cast_array_to_feature; Arrow's compute cast). The element of a list and the members of an object are looked at by
// themselves.
type caster struct {
	// cells says that the values are cells of a CSV file, typed that their reader was told the types, keep which
	// cells are texts to it that are missing to others.
	cells, typed bool
	keep         keeping
}

func (c caster) cast(v *variant, t Type) effect {
	kinds := v.kinds
	if c.cells {
		kinds = kinds.kept(c.keep)
	}
	k := kinds &^ (isNull | isNegative | isMissing | isEmpty | isBlended | isTorn | isParsed)
	switch {
	case k == 0 && !(c.typed && v.kinds.has(isNull)):
		return effect{}
	case t.Dtype == dtypeJSON:
		return effect{}
	case !c.cells && t.listsJSON() && k.only(isList|isObject|isString):
		return effect{what: toParts, changed: k & (isObject | isString)}
	case c.cells && c.typed:
		return castTyped(kinds, t)
	case c.cells:
		k = kinds.cells() &^ (isNull | isPadded)
	case v.after || k.mixed():
		return castEncoded(k&^isZoned, t)
	}
	switch {
	case t.List != nil:
		return fails(k &^ isList)
	case t.Struct != nil:
		return fails(k &^ isObject)
	case t.ClassLabel != nil, isMedia(t.Dtype), t.Params != "":
		return effect{} // what the values are decides, not their kinds
	case isTextType(t.Dtype):
		return c.castText(k)
	case k.has(isList | isObject):
		return fails(isList | isObject)
	}
	return castScalar(k, t.Dtype)
}

// listsJSON says that the type is a list of Json, or a list of such lists: the loader goes through whatever stands there as if it
// were a list, before Arrow sees it.
func (t Type) listsJSON() bool {
	return t.List != nil && (t.List.Dtype == dtypeJSON || t.List.listsJSON())
}

// castText is the cast to a column of texts.
func (c caster) castText(k kinds) effect {
	switch {
	case k.has(isList | isObject):
		return fails(isList | isObject)
	case k.only(isDate | isZoned):
		if c.cells {
			return effect{}
		}
		return effect{what: toRewritten, changed: isDate | isZoned}
	case k.only(isString):
		return effect{}
	}
	return effect{what: toText, changed: k}
}

// castScalar is the cast of the scalars of one kind to a column of anything but texts.
func castScalar(k kinds, dtype string) effect {
	switch {
	case dtype == dtypeNull:
		return fails(k)
	case dtype == dtypeBool:
		return castTruth(k)
	case strings.HasPrefix(dtype, "int") || strings.HasPrefix(dtype, "uint"):
		return castInteger(k, dtype)
	case strings.HasPrefix(dtype, "float"), dtype == "double":
		return castFloating(k, dtype)
	case strings.HasPrefix(dtype, "timestamp["):
		return castTimestamp(k, dtype)
	case strings.HasPrefix(dtype, "date"):
		return fails(k & (isFloating | isBool))
	}
	return effect{}
}

func castTruth(k kinds) effect {
	switch {
	case k.only(isBool):
		return effect{}
	case k.only(isNumber):
		return effect{what: toTruth, changed: k}
	case k.only(isTruth | isBit):
		return effect{what: toTruth, changed: k}
	}
	return fails(k &^ (isTruth | isBit))
}

func castInteger(k kinds, dtype string) effect {
	switch {
	case k.only(isBool):
		return effect{what: toNumber, changed: isBool}
	case k.only(isDate|isZoned) && dtype == dtypeInt64:
		return effect{what: toSeconds, changed: isDate | isZoned}
	case k.only(isDate | isZoned):
		return fails(k)
	case k.only(isDigits | isBit):
		return effect{what: toNumber, changed: k}
	case k.has(isString):
		return fails(k &^ (isDigits | isBit))
	case k.has(isUint) && !strings.HasPrefix(dtype, "u"):
		return fails(isUint)
	}
	return fails(k & (isFloat | isHuge))
}

func castFloating(k kinds, dtype string) effect {
	switch {
	case k.only(isBool):
		return effect{what: toNumber, changed: isBool}
	case k.only(isDate | isZoned):
		return fails(k)
	case k.only(isDigits | isBit | isDecimal):
		return effect{what: toNumber, changed: k}
	case k.has(isString):
		return fails(k &^ (isDigits | isBit | isDecimal))
	case k.only(isInteger | isUint):
		return fails(k & (isLong | isUint))
	}
	return effect{}
}

func castTimestamp(k kinds, dtype string) effect {
	switch {
	case k.only(isDate | isZoned):
		return effect{}
	case k.only(isInteger):
		return effect{what: toDate, changed: k}
	case k.only(isString) && dtype != dtypeTimestamp:
		return effect{} // texts with a fraction of a second fit a finer unit
	case k.only(isString):
		return fails(k &^ isDate)
	}
	return fails(k)
}

// castEncoded is the cast of a batch of mixed kinds, all values of which the loader has written as JSON: texts with
// quotes, unless they are JSON by themselves.
func castEncoded(k kinds, t Type) effect {
	switch {
	case t.ClassLabel != nil, isMedia(t.Dtype), t.Params != "":
		return effect{}
	case isTextType(t.Dtype) && k.has(isString&^(isDigits|isBit|isDecimal)):
		return effect{what: toQuoted, changed: isString}
	case isTextType(t.Dtype):
		return effect{what: toText, changed: k}
	case t.Dtype == dtypeBool:
		return effect{bad: k &^ (isBool | isTruth | isBit), what: toTruth, changed: isTruth | isBit}
	case strings.HasPrefix(t.Dtype, "int"), strings.HasPrefix(t.Dtype, "uint"):
		return effect{bad: k &^ (isInteger | isDigits | isBit), what: toNumber, changed: isDigits | isBit}
	case strings.HasPrefix(t.Dtype, "float"), t.Dtype == "double":
		const parsed = isInteger | isHuge | isFloating | isDigits | isBit | isDecimal
		return effect{bad: k &^ parsed, what: toNumber, changed: isDigits | isBit | isDecimal}
	}
	return fails(k)
}

// castTyped is what pandas does with cells when it is told the type of their column; k may hold null.
func castTyped(k kinds, t Type) effect {
	values := k &^ isMarker
	switch {
	case t.List != nil, t.Struct != nil:
		return fails(values)
	case t.Dtype == dtypeBool:
		return fails(k & (isNull | values&^isBool))
	case strings.HasPrefix(t.Dtype, "uint"):
		return fails(k & (isNull | values&^(isInteger|isUint)))
	case strings.HasPrefix(t.Dtype, "int"):
		return fails(k & (isNull | values&^isInteger))
	case strings.HasPrefix(t.Dtype, "float"), t.Dtype == "double":
		return fails(values &^ isNumber)
	}
	return effect{}
}

func isTextType(dtype string) bool {
	return dtype == dtypeString || dtype == "large_string" || dtype == "string_view"
}

func isMedia(dtype string) bool {
	switch dtype {
	case "image", "audio", "video", "pdf", "mesh", "nifti":
		return true
	}
	return false
}

// words name kinds as JSON does.
func (k kinds) words() []string {
	var words []string
	for _, w := range []struct {
		of   kinds
		word string
	}{
		{isBool, "boolean"}, {isInteger | isHuge | isUint, "integer"}, {isFloating | isInfinite, "number"}, {isString, "string"},
		{isList, "array"}, {isObject, "object"},
	} {
		if k.has(w.of) {
			words = append(words, w.word)
		}
	}
	return words
}
