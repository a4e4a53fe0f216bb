package statistics

import (
	"math"
	"time"
)

// dateFormat is a form of dates that the viewer knows, as strptime writes it.
type dateFormat string

// isoFormat stands for what Arrow reads as a timestamp. It is no format of the viewer's, and comes first.
const isoFormat dateFormat = "iso"

// dateFormats are the formats of the viewer in the order in which it tries them (identify_datetime_format in libcommon's
// utils.py), without those that can never make a column of dates: %Z, whose names polars does not read, and those that name
// no day.
var dateFormats = func() []dateFormat {
	out := []dateFormat{isoFormat, "%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S.%f"}
	for _, day := range []dateFormat{"%Y-%m-%d", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d", "%d/%m/%Y", "%m/%d/%Y"} {
		out = append(out, day+" %H:%M:%S%z", day+" %H:%M:%S", day+" %H:%M", day)
	}
	return append(out, "%B %d, %Y", "%d %B %Y")
}()

// allFormats has a bit for each of dateFormats.
var allFormats = uint32(1)<<len(dateFormats) - 1

// instant is a point in time: microseconds since 1970 in UTC, or in local time without a zone; and the zone's offset in seconds.
type instant struct {
	micros int64
	zoned  bool
	offset int
}

const (
	second = 1_000_000
	day    = 86_400 * second
)

// months are the names of months, in lower case.
var months = [...]string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
	"november", "december"}

// reading is a text that is read by a format.
type reading struct {
	text []byte
	// strict asks for what Python's strptime takes; else it is what polars takes, which lets years be short.
	strict bool

	year, month, day     int
	hour, minute, second int
	micro                int
	instant
}

// read reads a text by a format; false when it does not fit.
func (f dateFormat) read(text []byte, strict bool) (instant, bool) {
	if len(text) > maxDate {
		return instant{}, false
	}
	if f == isoFormat {
		return readISO(text)
	}
	r := reading{text: text, strict: strict}
	for i := 0; i < len(f); i++ {
		ok := false
		switch c := f[i]; c {
		case '%':
			i++
			ok = r.directive(f[i])
		case ' ':
			ok = r.blanks()
		default:
			if ok = len(r.text) > 0 && r.text[0] == c; ok {
				r.text = r.text[1:]
			}
		}
		if !ok {
			return instant{}, false
		}
	}
	return r.instantOf()
}

func (r *reading) directive(c byte) bool {
	switch c {
	case 'Y':
		return r.number(&r.year, 4, 1, 9999) && (!r.strict || r.year >= 1)
	case 'm':
		return r.number(&r.month, 2, 1, 12)
	case 'd':
		return r.number(&r.day, 2, 1, 31)
	case 'H':
		return r.number(&r.hour, 2, 0, 23)
	case 'M':
		return r.number(&r.minute, 2, 0, 59)
	case 'S':
		return r.number(&r.second, 2, 0, 59)
	case 'f':
		return r.fraction(6)
	case 'z':
		return r.zone()
	}
	return r.monthName()
}

// number reads a number of at most so many digits. Python takes a year of four digits only.
func (r *reading) number(to *int, digits, least, most int) bool {
	n, value := 0, 0
	for n < len(r.text) && n < digits && isDigit(r.text[n]) {
		value = value*10 + int(r.text[n]-'0')
		n++
	}
	if n == 0 || digits == 4 && r.strict && n < 4 || value < least || value > most {
		return false
	}
	*to, r.text = value, r.text[n:]
	return true
}

// fraction reads the decimals of a second; what is below a microsecond is dropped.
func (r *reading) fraction(most int) bool {
	n, unit := 0, second/10
	for n < len(r.text) && n < most && isDigit(r.text[n]) {
		r.micro += int(r.text[n]-'0') * unit
		unit /= 10
		n++
	}
	r.text = r.text[n:]
	return n > 0
}

func (r *reading) blanks() bool {
	n := 0
	for n < len(r.text) && isBlank(r.text[n]) {
		n++
	}
	r.text = r.text[n:]
	return n > 0 || !r.strict
}

// zone reads Z, +hh, +hhmm or +hh:mm.
func (r *reading) zone() bool {
	r.zoned = true
	if len(r.text) == 0 {
		return false
	}
	sign := 1
	switch r.text[0] {
	case 'Z':
		r.text = r.text[1:]
		return true
	case '+':
	case '-':
		sign = -1
	default:
		return false
	}
	rest := r.text[1:]
	hours, ok := twoDigits(rest, 23)
	if !ok {
		return false
	}
	rest = rest[2:]
	minutes := 0
	colon := len(rest) > 0 && rest[0] == ':'
	if colon {
		rest = rest[1:]
	}
	if colon || len(rest) > 0 || r.strict {
		if minutes, ok = twoDigits(rest, 59); !ok {
			return false
		}
		rest = rest[2:]
	}
	r.offset, r.text = sign*(hours*3600+minutes*60), rest
	return true
}

func twoDigits(text []byte, most int) (int, bool) {
	if len(text) < 2 || !isDigit(text[0]) || !isDigit(text[1]) {
		return 0, false
	}
	n := int(text[0]-'0')*10 + int(text[1]-'0')
	return n, n <= most
}

// monthName reads the name of a month in letters of any case; polars takes its first three letters too.
func (r *reading) monthName() bool {
	n := 0
	for n < len(r.text) && isLetter(r.text[n]) {
		n++
	}
	for i, name := range months {
		if !equalFold(r.text[:n], name) && (r.strict || !equalFold(r.text[:n], name[:3])) {
			continue
		}
		r.month, r.text = i+1, r.text[n:]
		return true
	}
	return false
}

func equalFold(text []byte, lower string) bool {
	if len(text) != len(lower) {
		return false
	}
	for i, c := range text {
		if c|0x20 != lower[i] {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { c |= 0x20; return 'a' <= c && c <= 'z' }
func isBlank(c byte) bool  { return c == ' ' || '\t' <= c && c <= '\r' }

// instantOf is the instant that was read, when nothing is left and the day exists.
func (r *reading) instantOf() (instant, bool) {
	if len(r.text) > 0 || r.day > daysOf(r.year, r.month) {
		return instant{}, false
	}
	seconds := int64(daysBefore(r.year, r.month, r.day))*86_400 + int64(r.hour*3600+r.minute*60+r.second-r.offset)
	r.micros = seconds*second + int64(r.micro)
	return r.instant, true
}

// daysOf is the number of days of a month: the day before the first of the next one.
func daysOf(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// daysBefore counts the days from 1970-01-01 to a day of the Gregorian calendar (Howard Hinnant, days_from_civil).
func daysBefore(year, month, dayOfMonth int) int {
	if month <= 2 {
		year--
		month += 12
	}
	era := int(math.Floor(float64(year) / 400))
	ofEra := year - era*400
	ofYear := (153*(month-3)+2)/5 + dayOfMonth - 1
	return era*146_097 + ofEra*365 + ofEra/4 - ofEra/100 + ofYear - 719_468
}

// readISO reads what Arrow reads as a timestamp (value_parsing.h): YYYY-MM-DD, then perhaps T or a blank with hh, hh:mm or
// hh:mm:ss, decimals of a second, and behind a time perhaps Z, +hh, +hhmm or +hh:mm.
func readISO(text []byte) (instant, bool) {
	r := reading{text: text, strict: true}
	if len(text) < len("2006-01-02") || !r.fixed(&r.year, 4, 0, 9999, 0) || !r.fixed(&r.month, 2, 1, 12, '-') ||
		!r.fixed(&r.day, 2, 1, 31, '-') {
		return instant{}, false
	}
	if len(r.text) == 0 {
		return r.instantOf()
	}
	mark := r.text[0]
	if mark != 'T' && mark != ' ' || !r.fixed(&r.hour, 2, 0, 23, mark) {
		return instant{}, false
	}
	if r.fixed(&r.minute, 2, 0, 59, ':') && r.fixed(&r.second, 2, 0, 59, ':') && len(r.text) > 0 && r.text[0] == '.' {
		r.text = r.text[1:]
		if !r.fraction(9) {
			return instant{}, false
		}
	}
	if len(r.text) > 0 {
		r.strict = false
		if !r.zone() {
			return instant{}, false
		}
	}
	return r.instantOf()
}

// fixed reads a number of exactly so many digits behind a mark; 0 for none.
func (r *reading) fixed(to *int, digits, least, most int, mark byte) bool {
	text := r.text
	if mark != 0 {
		if len(text) == 0 || text[0] != mark {
			return false
		}
		text = text[1:]
	}
	if len(text) < digits {
		return false
	}
	value := 0
	for _, c := range text[:digits] {
		if !isDigit(c) {
			return false
		}
		value = value*10 + int(c-'0')
	}
	if value < least || value > most {
		return false
	}
	*to, r.text = value, text[digits:]
	return true
}
