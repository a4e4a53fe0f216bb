package column

// timestamp says whether Arrow reads a text as timestamp[s], and whether it has a zone: YYYY-MM-DD, then perhaps T or a
// space with hh, hh:mm or hh:mm:ss, and behind a time perhaps Z, +hh, +hhmm or +hh:mm. The date must exist; a fraction of a
// second is refused. (Arrow's value_parsing.h, ParseTimestampISO8601.)
func timestamp(s []byte) (zoned, ok bool) {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' || !isDay(s) {
		return false, false
	}
	if len(s) == 10 {
		return false, true
	}
	if s[10] != 'T' && s[10] != ' ' {
		return false, false
	}
	clock, ok := cutZone(s)
	if !ok || len(clock) < 13 {
		return false, false
	}
	return len(clock) < len(s), isClock(clock[11:], true)
}

func isTimestamp(s []byte) bool {
	_, ok := timestamp(s)
	return ok
}

// isDay checks the year, month and day of YYYY-MM-DD.
func isDay(s []byte) bool {
	century, ok1 := twoDigits(s)
	years, ok2 := twoDigits(s[2:])
	month, ok3 := twoDigits(s[5:])
	day, ok4 := twoDigits(s[8:])
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return false
	}
	return 1 <= month && month <= 12 && 1 <= day && day <= daysOf(100*century+years, month)
}

func daysOf(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// cutZone takes a zone off the end of a date with time; false when it is none.
func cutZone(s []byte) ([]byte, bool) {
	n := len(s)
	switch {
	case s[n-1] == 'Z':
		return s[:n-1], true
	case isSign(s[n-3]):
		return s[:n-3], isClock(s[n-2:], false)
	case isSign(s[n-5]):
		hours, ok1 := twoDigits(s[n-4:])
		minutes, ok2 := twoDigits(s[n-2:])
		return s[:n-5], ok1 && ok2 && hours < 24 && minutes < 60
	case isSign(s[n-6]) && s[n-3] == ':':
		return s[:n-6], isClock(s[n-5:], false)
	}
	return s, true
}

func isSign(c byte) bool { return c == '+' || c == '-' }

// isClock checks hh, hh:mm and, with seconds, hh:mm:ss.
func isClock(s []byte, seconds bool) bool {
	if len(s) != 2 && len(s) != 5 && (len(s) != 8 || !seconds) {
		return false
	}
	for i := 0; i < len(s); i += 3 {
		limit := 60
		if i == 0 {
			limit = 24
		}
		if n, ok := twoDigits(s[i:]); !ok || n >= limit || i > 0 && s[i-1] != ':' {
			return false
		}
	}
	return true
}

func twoDigits(s []byte) (int, bool) {
	if s[0]-'0' > 9 || s[1]-'0' > 9 {
		return 0, false
	}
	return int(s[0]-'0')*10 + int(s[1]-'0'), true
}
