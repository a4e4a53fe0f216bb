package column

import (
	"slices"
	"strings"
)

// What follows is how load_dataset types rows that stand under a `field` of JSON documents. It has pandas make a table of each file
// (pandas.read_json), which types columns in its own way, and Arrow then take the types of objects and lists from their values.

// frame says whether a field belongs to such rows.
type frame uint8

const (
	notFramed frame = iota
	// framedColumn is a column of them, framedDate one whose name makes pandas look for dates, framedInside anything inside one.
	framedColumn
	framedDate
	framedInside
)

// frameOf says what a field is when the rows of the run are framed.
func (f *field) frameOf(framed bool) frame {
	switch {
	case !framed:
		return notFramed
	case f.isColumn() && namesDate(f.name):
		return framedDate
	case f.isColumn():
		return framedColumn
	}
	return framedInside
}

// namesDate says that pandas tries to make dates of a column with this name (pandas.read_json: keep_default_dates).
func namesDate(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, "_at") || strings.HasSuffix(name, "_time") || name == "modified" || name == "date" || name == "datetime" ||
		strings.HasPrefix(name, "timestamp")
}

// framed is what becomes of the kinds of a batch with n places for the field: one kind, or kinds on which the loader fails.
func (b *batch) framed(n int64, as frame) kinds {
	k := b.all()
	missing := b.valid < n
	switch {
	case b.present == 0:
		return k
	case as == framedInside:
		return k.framedInside()
	case k.has(isList | isObject):
		return k.framedInside()
	case k == 0:
		return isWhole // all missing: NaN
	case as == framedDate && (k.only(isDate) || k.only(isZoned)):
		return k
	case k.only(isBool) && !missing:
		return isBool
	}
	parsed := kinds(0)
	if k.has(isString) {
		parsed = isParsed
	}
	switch {
	case k.only(isString) && !k.only(isDigits|isBit|isDecimal):
		return isText
	case !k.only(isBool | isNumber | isDigits | isBit | isDecimal):
		return k | isTorn
	case k.has(isFloat | isDecimal | isInfinite):
		return isFloat | parsed
	case k.has(isHuge) && k.only(isInteger|isHuge) && !missing:
		return isUint
	case k.has(isHuge):
		return isFloat | parsed
	case missing && k.has(isLong|isGreat):
		return isGreat | parsed
	case missing:
		return isWhole | parsed
	case k.has(isLong | isGreat):
		return isLong | parsed
	}
	return isInt | parsed
}

// framedInside is what Arrow makes of the values of Python's lists and dictionaries: texts stay as they are.
func (k kinds) framedInside() kinds {
	if k.mixed() || k.has(isHuge) {
		return k | isTorn
	}
	if k.has(isString) {
		return k&^isString | isText
	}
	return k
}

// sorted puts the fields of a struct in the order of their names, in which Arrow has those that it takes from dictionaries.
func sorted(fields []Feature) []Feature {
	slices.SortFunc(fields, func(a, b Feature) int { return strings.Compare(a.Name, b.Name) })
	return fields
}
