package column

// kinds is a set of kinds of values, as fine as the loader's choice of types needs.
type kinds uint32

const (
	isNull kinds = 1 << iota
	isBool
	// isInt is an integer that float64 holds exactly, isLong any other of int64, isHuge one outside int64.
	isInt
	isLong
	isHuge
	// isWhole is a number with a point or an exponent whose value is such an integer as isInt is, isGreat one whose float64 is any
	// other integer of int64; isFloat is any other.
	isWhole
	isGreat
	isFloat
	// isDate is a text that Arrow reads as timestamp[s], isDigits one it reads as int64, isDecimal one it reads as
	// float64; isText is any other. isZoned is such a date with a zone, isDate one without.
	isDate
	isDigits
	isDecimal
	isText
	isList
	isObject
	// isUint is a CSV cell's integer beyond int64 within uint64, isNegative marks a column of cells with a negative one.
	isUint
	isNegative
	// isTruth is a text that Arrow reads as a truth value, isBit the text 0 or 1, which it reads as that and as int64.
	isTruth
	isBit
	isZoned
	// isInfinite marks a number that float64 cannot hold, isPadded a CSV cell's number with zeros before its digits.
	isInfinite
	isPadded
	// isMissing marks a CSV cell with a text that pandas takes for a missing value.
	isMissing
	// isBlended marks a batch in whose blocks values of several kinds stand and of which Arrow makes one, the kinds beside it;
	// isTorn one on which it fails. See [batch.loaded].
	isBlended
	isTorn
	// isEmpty marks an empty CSV cell.
	isEmpty
	// isParsed marks numbers that pandas reads out of texts; see [batch.framed].
	isParsed
)

const (
	isInteger  = isInt | isLong
	isFloating = isWhole | isGreat | isFloat
	isNumber   = isInteger | isHuge | isFloating | isUint | isInfinite | isPadded
	isString   = isDate | isZoned | isDigits | isBit | isDecimal | isTruth | isText
	// isMarker says more of other kinds.
	isMarker = isNull | isNegative | isPadded | isMissing | isEmpty | isBlended | isTorn | isParsed
	isScalar = isBool | isNumber | isString
)

// only says that nothing outside allowed was seen, null aside.
func (k kinds) only(allowed kinds) bool { return k&^(allowed|isMarker) == 0 }

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

// keeping says which cells of CSV files are texts although pandas takes them for missing values by default.
type keeping uint8

const (
	keepsNone keeping = iota
	// keepsWords: texts such as NA (keep_default_na: false with na_values: ['']).
	keepsWords
	// keepsAll: empty cells too (keep_default_na: false alone, or na_filter: false).
	keepsAll
)

// kept takes such cells for texts.
func (k kinds) kept(keep keeping) kinds {
	if keep >= keepsWords && k.has(isMissing) || keep == keepsAll && k.has(isEmpty) {
		k |= isText
	}
	switch keep {
	case keepsWords:
		k &^= isMissing
	case keepsAll:
		k &^= isMissing | isEmpty | isNull
	}
	return k
}

// conflicts says of a chunk of a CSV column of integers that pandas finds no type for it: some are beyond int64, and others negative
// or missing. It then takes every cell for a text, those too that are missing values elsewhere.
func (k kinds) conflicts() bool {
	return k.has(isUint) && k.has(isNull|isNegative) && !k.has(isText|isBool|isFloating|isHuge)
}

// cells reduces what was seen in one chunk of a CSV column to the one kind that pandas gives the chunk: a text among
// them makes all of them text, so does a truth value among numbers, and a missing value makes integers floats. An integer beyond 64
// bits before the first float makes a text of the column to pandas, behind it a float: it is taken for behind it.
func (k kinds) cells() kinds {
	switch {
	case k.has(isText), k.has(isBool) && k.has(isNumber):
		return isText
	case k.has(isFloating):
		return isFloat
	case k.has(isHuge), k.conflicts():
		return isText
	case k.has(isInt|isLong) && k.has(isNull):
		return isWhole
	}
	return k &^ (isNegative | isPadded | isMissing | isEmpty)
}
