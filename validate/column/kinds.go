package column

// kinds is a set of kinds of values, as fine as the loader's choice of types needs.
type kinds uint16

const (
	isNull kinds = 1 << iota
	isBool
	// isInt is an integer that float64 holds exactly, isLong any other of int64, isHuge one outside int64.
	isInt
	isLong
	isHuge
	// isWhole is a number with a point or an exponent whose value is such an integer as isInt is; isFloat is any other.
	isWhole
	isFloat
	// isDate is a text that Arrow reads as timestamp[s], isDigits one it reads as int64, isDecimal one it reads as
	// float64; isText is any other.
	isDate
	isDigits
	isDecimal
	isText
	isList
	isObject
	// isUint is a CSV cell's integer beyond int64 within uint64, isNegative marks a column of cells with a negative one.
	isUint
	isNegative
)

const (
	isInteger = isInt | isLong
	isNumber  = isInt | isLong | isHuge | isWhole | isFloat | isUint
	isString  = isDate | isDigits | isDecimal | isText
	isScalar  = isBool | isNumber | isString
)

// only says that nothing outside allowed was seen, null aside.
func (k kinds) only(allowed kinds) bool { return k&^(allowed|isNull|isNegative) == 0 }

// has says that something of which was seen.
func (k kinds) has(which kinds) bool { return k&which != 0 }

// mixed says that Arrow's JSON reader would see more than one kind: it tells booleans, numbers, strings, arrays and objects
// apart.
func (k kinds) mixed() bool {
	n := 0
	for _, kind := range [...]kinds{isBool, isNumber, isString, isList, isObject} {
		if k.has(kind) {
			n++
		}
	}
	return n > 1
}

// cells reduces what was seen in one chunk of a CSV column to the one kind that pandas gives the chunk: a text among
// them makes all of them text, so does a truth value among numbers, and a missing value makes integers floats.
func (k kinds) cells() kinds {
	switch {
	case k.has(isText | isHuge), k.has(isBool) && k.has(isNumber), k.has(isUint) && k.has(isNull|isNegative):
		return isText
	case k.has(isWhole | isFloat):
		return isFloat
	case k.has(isInt|isLong) && k.has(isNull):
		return isWhole
	}
	return k &^ isNegative
}
