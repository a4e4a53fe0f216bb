package statistics

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
)

// verdict is what the viewer's date parser does with texts.
type verdict int

const (
	accepts verdict = iota
	refuses
	overflows
)

// verdict is what becomes of the opening texts, one after another up to the first that is refused.
func (o *opening) verdict() verdict {
	if !slices.ContainsFunc(o.texts, hasLongDigits) {
		return accepts // the formats alone decide then
	}
	for _, text := range o.texts {
		if v := judge(text); v != accepts {
			return v
		}
	}
	return accepts
}

// longDigits is how many digits a number beyond 32 bits has at least.
const longDigits = 10

// hasLongDigits says that a number in a text may be outside of 32 bits.
func hasLongDigits(text string) bool {
	run := 0
	for i := range len(text) {
		if !isDigit(text[i]) {
			run = 0
		} else if run++; run >= longDigits {
			return true
		}
	}
	return false
}

// errRefused says that the parser takes a text for no date.
var errRefused = errors.New("no date")

// judge says what python-dateutil's parser does with a text of ASCII: it follows parser._parse and _build_naive of dateutil 2.9
// step by step, as far as they decide between a date, a refusal, and a number that no C int holds.
func judge(text string) verdict {
	p := dateParser{tokens: dateTokens(text)}
	for i := 0; i < len(p.tokens); i++ {
		next, err := p.token(i)
		if err != nil {
			return refuses
		}
		i = next
	}
	year, month, day, err := p.ymd.resolve()
	if err != nil {
		return refuses
	}
	return p.build(year, month, day)
}

// dateTokens splits a text as dateutil's _timelex does: into words, numbers, blanks and other characters. Points separate the parts
// of a date and belong to decimals; commas may stand for a point.
func dateTokens(text string) []string {
	var out []string
	text = strings.ReplaceAll(text, "\x00", "")
	for len(text) > 0 {
		n, words, state := tokenLength(text)
		token := text[:n]
		text = text[n:]
		dotted := state == 'A' || state == 'N'
		switch {
		case isBlank(token[0]) || '\x1c' <= token[0] && token[0] <= '\x1f':
			out = append(out, " ")
		case dotted && (words || strings.Count(token, ".") > 1 || strings.HasSuffix(token, ".") || strings.HasSuffix(token, ",")):
			out = append(out, splitAtPoints(token)...)
		case state == 'N' && !strings.Contains(token, "."):
			out = append(out, strings.ReplaceAll(token, ",", "."))
		default:
			out = append(out, token)
		}
	}
	return out
}

// tokenLength is the length of the first token. The state is that at its end: a in a word, 0 in a number, A and N in those with
// points. words says that a letter was seen behind the first.
func tokenLength(text string) (n int, words bool, state byte) {
	switch {
	case isLetter(text[0]):
		state = 'a'
	case isDigit(text[0]):
		state = '0'
	default:
		return 1, false, 0
	}
	for n = 1; n < len(text); n++ {
		c, afterPoint := text[n], text[n-1] == '.'
		switch state {
		case 'a', 'A':
			words = true
			switch {
			case isLetter(c), c == '.' && state == 'A':
			case c == '.':
				state = 'A'
			case state == 'A' && isDigit(c) && afterPoint:
				state = 'N'
			default:
				return n, words, state
			}
		default:
			switch {
			case isDigit(c), c == '.' && state == 'N':
			case state == '0' && (c == '.' || c == ',' && n >= 2):
				state = 'N'
			case state == 'N' && isLetter(c) && afterPoint:
				state = 'A'
			default:
				return n, words, state
			}
		}
	}
	return n, words, state
}

// splitAtPoints splits a token at points and commas, which become tokens.
func splitAtPoints(token string) []string {
	var out []string
	for len(token) > 0 {
		at := strings.IndexAny(token, ".,")
		switch {
		case at < 0:
			return append(out, token)
		case at > 0 || len(out) == 0:
			out = append(out, token[:at])
		}
		out = append(out, token[at:at+1])
		token = token[at+1:]
	}
	return out
}

// dateParser is dateutil's parser at work. Fields are nil until they are set.
type dateParser struct {
	tokens               []string
	ymd                  ymd
	hour, minute, second *int64
	zone                 bool
	offset               bool
	weekday              bool
}

// set makes a field a value.
func set(field **int64, value int64) { *field = &value }

var dateWords = struct {
	jump     []string
	weekdays [][]string
	months   [][]string
	hms      [][]string
	ampm     [][]string
}{
	jump: []string{" ", ".", ",", ";", "-", "/", "'", "at", "on", "and", "ad", "m", "t", "of", "st", "nd", "rd", "th"},
	weekdays: [][]string{{"mon", "monday"}, {"tue", "tuesday"}, {"wed", "wednesday"}, {"thu", "thursday"}, {"fri", "friday"},
		{"sat", "saturday"}, {"sun", "sunday"}},
	months: [][]string{{"jan", "january"}, {"feb", "february"}, {"mar", "march"}, {"apr", "april"}, {"may"}, {"jun", "june"},
		{"jul", "july"}, {"aug", "august"}, {"sep", "sept", "september"}, {"oct", "october"}, {"nov", "november"},
		{"dec", "december"}},
	hms:  [][]string{{"h", "hour", "hours"}, {"m", "minute", "minutes"}, {"s", "second", "seconds"}},
	ampm: [][]string{{"am", "a"}, {"pm", "p"}},
}

// wordIn is the index of the list that has a word in any case; -1 when none has.
func wordIn(lists [][]string, word string) int {
	word = strings.ToLower(word)
	return slices.IndexFunc(lists, func(list []string) bool { return slices.Contains(list, word) })
}

func isJump(word string) bool { return slices.Contains(dateWords.jump, strings.ToLower(word)) }

// at is a token; there must be one.
func (p *dateParser) at(i int) (string, error) {
	if i >= len(p.tokens) {
		return "", errRefused
	}
	return p.tokens[i], nil
}

// is says that there is a token of that text.
func (p *dateParser) is(i int, texts ...string) bool {
	return 0 <= i && i < len(p.tokens) && slices.Contains(texts, p.tokens[i])
}

// token looks at a token and returns the last one that was used.
func (p *dateParser) token(i int) (int, error) {
	word := p.tokens[i]
	if isNumeral(word) {
		return p.number(i)
	}
	switch {
	case wordIn([][]string{{"nan"}, {"inf"}, {"infinity"}}, word) >= 0:
		return 0, errRefused
	case wordIn(dateWords.weekdays, word) >= 0:
		p.weekday = true
		return i, nil
	case wordIn(dateWords.months, word) >= 0:
		return p.month(i)
	case wordIn(dateWords.ampm, word) >= 0:
		if p.hour == nil || *p.hour < 0 || *p.hour > 12 {
			return 0, errRefused
		}
		p.setHalf(*p.hour, wordIn(dateWords.ampm, word))
		return i, nil
	case p.couldBeZone(word):
		p.zone = true
		p.offset = slices.Contains([]string{"UTC", "GMT", "Z", "z"}, word)
		if p.is(i+1, "+", "-") {
			p.offset = false
			if slices.Contains([]string{"utc", "gmt", "z"}, strings.ToLower(word)) {
				p.zone = false
			}
		}
		return i, nil
	case p.hour != nil && (word == "+" || word == "-"):
		return p.zoneOffset(i)
	case !isJump(word):
		return 0, errRefused
	}
	return i, nil
}

// isNumeral says that a token is digits, perhaps with a point among them.
func isNumeral(token string) bool {
	digit := false
	points := 0
	for i := range len(token) {
		switch {
		case isDigit(token[i]):
			digit = true
		case token[i] == '.':
			points++
		default:
			return false
		}
	}
	return digit && points <= 1
}

func (p *dateParser) couldBeZone(word string) bool {
	if p.hour == nil || p.zone || p.offset || len(word) > 5 {
		return false
	}
	return word == "z" || !strings.ContainsFunc(word, func(r rune) bool { return r < 'A' || r > 'Z' })
}

// month reads the name of a month, and what follows it: Jan-01, Jan-01-99, Jan of 01.
func (p *dateParser) month(i int) (int, error) {
	if err := p.ymd.add(int64(wordIn(dateWords.months, p.tokens[i])+1), 'M'); err != nil {
		return 0, err
	}
	switch {
	case p.is(i+1, "-", "/"):
		sep := p.tokens[i+1]
		if err := p.addToken(i + 2); err != nil {
			return 0, err
		}
		last := i + 2
		if p.is(i+3, sep) {
			if err := p.addToken(i + 4); err != nil {
				return 0, err
			}
			last = i + 4
		}
		return last, nil
	case i+4 < len(p.tokens) && p.tokens[i+1] == " " && p.tokens[i+3] == " " && strings.EqualFold(p.tokens[i+2], "of"):
		if allDigits(p.tokens[i+4]) {
			year, _ := whole(p.tokens[i+4])
			if year < 100 {
				year += 2000
			}
			if err := p.ymd.add(year, 'Y'); err != nil {
				return 0, err
			}
		}
		return i + 4, nil
	}
	return i, nil
}

// addToken adds a token to the parts of the day.
func (p *dateParser) addToken(i int) error {
	text, err := p.at(i)
	if err != nil {
		return err
	}
	return p.ymd.addText(text, 0)
}

func (p *dateParser) setHalf(hour int64, half int) {
	switch {
	case hour < 12 && half == 1:
		hour += 12
	case hour == 12 && half == 0:
		hour = 0
	}
	set(&p.hour, hour)
}

func (p *dateParser) zoneOffset(i int) (int, error) {
	text, err := p.at(i + 1)
	if err != nil {
		return 0, err
	}
	last := i + 1
	parts := []string{text}
	switch {
	case len(text) == 4:
		parts = []string{text[:2], text[2:]}
	case p.is(i+2, ":"):
		minutes, err := p.at(i + 3)
		if err != nil {
			return 0, err
		}
		parts = append(parts, minutes)
		last = i + 3
	case len(text) > 2:
		return 0, errRefused
	}
	for _, part := range parts {
		if _, ok := whole(part); !ok {
			return 0, errRefused
		}
	}
	p.offset = true
	if start := last - 1; start+5 < len(p.tokens) && isJump(p.tokens[start+2]) && p.tokens[start+3] == "(" && p.tokens[start+5] == ")" &&
		len(p.tokens[start+4]) >= 3 && !p.zone && !strings.ContainsFunc(p.tokens[start+4], func(r rune) bool { return r < 'A' || r > 'Z' }) &&
		len(p.tokens[start+4]) <= 5 {
		p.zone = true
		last += 4
	}
	return last, nil
}

// number is parser._parse_numeric_token.
func (p *dateParser) number(i int) (int, error) {
	text := p.tokens[i]
	value, _ := strconv.ParseFloat(text, 64)
	more := i+1 < len(p.tokens)
	hms := p.hmsOf(i)
	switch {
	case len(p.ymd.values) == 3 && (len(text) == 2 || len(text) == 4) && p.hour == nil &&
		(!more || p.tokens[i+1] != ":" && wordIn(dateWords.hms, p.tokens[i+1]) < 0):
		return i, p.setTexts(text[:2], text[2:], "")
	case len(text) == 6 || len(text) > 6 && strings.IndexByte(text, '.') == 6:
		if len(p.ymd.values) == 0 && !strings.Contains(text, ".") {
			return i, p.addTexts(text[:2], text[2:4], text[4:])
		}
		return i, p.setTexts(text[:2], text[2:4], text[4:])
	case len(text) == 8 || len(text) == 12 || len(text) == 14:
		return i, p.packed(text)
	case hms >= 0:
		return p.unit(i, hms, value)
	case i+2 < len(p.tokens) && p.tokens[i+1] == ":":
		return p.clock(i, value)
	case p.is(i+1, "-", "/", "."):
		return p.separated(i)
	case !more || isJump(p.tokens[i+1]):
		if i+2 < len(p.tokens) && wordIn(dateWords.ampm, p.tokens[i+2]) >= 0 {
			p.setHalf(truncated(value), wordIn(dateWords.ampm, p.tokens[i+2]))
			return i + 2, nil
		}
		return i + 1, p.ymd.addNumber(value)
	case wordIn(dateWords.ampm, p.tokens[i+1]) >= 0 && value < 24:
		p.setHalf(truncated(value), wordIn(dateWords.ampm, p.tokens[i+1]))
		return i + 1, nil
	case p.ymd.couldBeDay(value):
		return i, p.ymd.addNumber(value)
	}
	return 0, errRefused
}

// truncated is the whole part of a number, at most what is surely outside of 32 bits.
func truncated(x float64) int64 { return int64(math.Min(x, 1<<40)) }

// whole reads a text of digits; false when it is anything else. Values beyond 40 bits are all alike.
func whole(text string) (int64, bool) {
	if !allDigits(text) {
		return 0, false
	}
	x, _ := strconv.ParseFloat(text, 64)
	return truncated(x), true
}

func allDigits(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}

// setTexts sets hour, minute and second, those that are not empty.
func (p *dateParser) setTexts(hour, minute, second string) error {
	for _, part := range []struct {
		field **int64
		text  string
	}{{&p.hour, hour}, {&p.minute, minute}, {&p.second, second}} {
		if part.text == "" {
			continue
		}
		text := part.text
		if part.field == &p.second {
			fraction := ""
			if text, fraction, _ = strings.Cut(text, "."); fraction != "" && !allDigits(fraction) {
				return errRefused
			}
		}
		value, ok := whole(text)
		if !ok {
			return errRefused
		}
		set(part.field, value)
	}
	return nil
}

func (p *dateParser) addTexts(texts ...string) error {
	for _, text := range texts {
		if err := p.ymd.addText(text, 0); err != nil {
			return err
		}
	}
	return nil
}

// packed reads YYYYMMDD, perhaps with hhmm or hhmmss behind it.
func (p *dateParser) packed(text string) error {
	if err := p.ymd.addText(text[:4], 'Y'); err != nil {
		return err
	}
	if err := p.addTexts(text[4:6], text[6:8]); err != nil {
		return err
	}
	if len(text) == 8 {
		return nil
	}
	second := ""
	if len(text) > 12 {
		if second = text[12:]; !allDigits(second) {
			return errRefused
		}
	}
	return p.setTexts(text[8:10], text[10:12], second)
}

// hmsOf is parser._find_hms_idx: the token that says what a number counts, hours, minutes or seconds; -1 for none.
func (p *dateParser) hmsOf(i int) int {
	unit := func(i int) bool { return wordIn(dateWords.hms, p.tokens[i]) >= 0 }
	switch {
	case i+1 < len(p.tokens) && unit(i+1):
		return i + 1
	case i+2 < len(p.tokens) && p.tokens[i+1] == " " && unit(i+2):
		return i + 2
	case i > 0 && unit(i-1):
		return i - 1
	case i > 1 && i == len(p.tokens)-1 && p.tokens[i-1] == " " && unit(i-2):
		return i - 2
	}
	return -1
}

// unit reads a number of hours, minutes or seconds.
func (p *dateParser) unit(i, at int, value float64) (int, error) {
	kind := wordIn(dateWords.hms, p.tokens[at])
	last := at
	if at < i {
		kind, last = kind+1, i
	}
	n := truncated(value)
	switch kind {
	case 0:
		set(&p.hour, n)
		if value != math.Trunc(value) {
			set(&p.minute, int64(60*(value-math.Trunc(value))))
		}
	case 1:
		set(&p.minute, n)
		p.second = nil
		if value != math.Trunc(value) {
			set(&p.second, int64(60*(value-math.Trunc(value))))
		}
	case 2:
		set(&p.second, n)
	}
	return last, nil
}

// clock reads hh:mm and hh:mm:ss.
func (p *dateParser) clock(i int, value float64) (int, error) {
	set(&p.hour, truncated(value))
	minutes := p.tokens[i+2]
	if !isNumeral(minutes) {
		return 0, errRefused
	}
	m, _ := strconv.ParseFloat(minutes, 64)
	set(&p.minute, truncated(m))
	p.second = nil
	if m != math.Trunc(m) {
		set(&p.second, int64(60*(m-math.Trunc(m))))
	}
	if i+4 < len(p.tokens) && p.tokens[i+3] == ":" {
		return i + 4, p.setTexts("", "", p.tokens[i+4])
	}
	return i + 2, nil
}

// separated reads 01-01, 01-Jan, 01-01-01.
func (p *dateParser) separated(i int) (int, error) {
	sep := p.tokens[i+1]
	if err := p.ymd.addText(p.tokens[i], 0); err != nil {
		return 0, err
	}
	if i+2 >= len(p.tokens) || isJump(p.tokens[i+2]) {
		return i + 1, nil
	}
	if err := p.addPart(i+2, true); err != nil {
		return 0, err
	}
	if !p.is(i+3, sep) {
		return i + 2, nil
	}
	return i + 4, p.addPart(i+4, false)
}

// addPart adds the name of a month, or a number.
func (p *dateParser) addPart(i int, digits bool) error {
	text, err := p.at(i)
	if err != nil {
		return err
	}
	month := wordIn(dateWords.months, text)
	switch {
	case digits && allDigits(text):
		return p.ymd.addText(text, 0)
	case month >= 0:
		return p.ymd.add(int64(month+1), 'M')
	case digits:
		return errRefused
	}
	return p.ymd.addText(text, 0)
}

// ymd holds the numbers of a day in the order of the text, and which of them are known to be what.
type ymd struct {
	values []int64
	// year and month say which of the values they are, from 1; 0 when that is not known. The day is never told by its form.
	year, month int
	// century says that the year is written with its century.
	century bool
}

func (y *ymd) add(value int64, label byte) error {
	y.values = append(y.values, value)
	at := len(y.values)
	var known *int
	switch label {
	case 'Y':
		known = &y.year
	case 'M':
		known = &y.month
	default:
		return nil
	}
	if *known > 0 {
		return errRefused
	}
	*known = at
	return nil
}

func (y *ymd) addText(text string, label byte) error {
	if allDigits(text) && len(text) > 2 {
		y.century, label = true, 'Y'
	}
	value, ok := whole(text)
	if !ok {
		return errRefused
	}
	return y.add(value, label)
}

func (y *ymd) addNumber(value float64) error {
	label := byte(0)
	if value > 100 {
		y.century, label = true, 'Y'
	}
	return y.add(truncated(value), label)
}

func (y *ymd) couldBeDay(value float64) bool {
	most := 31
	switch {
	case y.month > 0 && y.year > 0:
		most = daysOf(int(y.values[y.year-1]), int(y.values[y.month-1]))
	case y.month > 0:
		most = daysOf(2000, int(y.values[y.month-1]))
	}
	return value >= 1 && value <= float64(most)
}

// resolve says which number is what; nil for a part that is not there.
func (y *ymd) resolve() (year, month, day *int64, err error) {
	n := len(y.values)
	known := 0
	for _, at := range []int{y.year, y.month} {
		if at > 0 {
			known++
		}
	}
	if n > 0 && n == known || n == 3 && known == 2 {
		year, month, day = y.known()
		return year, month, day, nil
	}
	v := func(i int) *int64 { return &y.values[i] }
	switch {
	case n > 3:
		return nil, nil, nil, errRefused
	case n == 1 || y.month > 0 && n == 2:
		other := y.values[0]
		if y.month > 0 {
			month = v(y.month - 1)
			other = y.values[(y.month-2+n)%n]
		}
		if n > 1 || y.month == 0 {
			if other > 31 {
				year = &other
			} else {
				day = &other
			}
		}
	case n == 2 && y.values[0] > 31:
		year, month = v(0), v(1)
	case n == 2 && y.values[1] > 31:
		month, year = v(0), v(1)
	case n == 2:
		month, day = v(0), v(1)
	case n == 3:
		year, month, day = y.three(v)
	}
	return year, month, day, nil
}

// known are the parts by their labels; the third is what is left of three.
func (y *ymd) known() (year, month, day *int64) {
	at := [3]int{y.year, y.month}
	if len(y.values) == 3 {
		for i, known := range at {
			if known == 0 {
				at[i] = 6 - at[0] - at[1] - at[2]
			}
		}
	}
	part := func(i int) *int64 {
		if i == 0 {
			return nil
		}
		return &y.values[i-1]
	}
	return part(at[0]), part(at[1]), part(at[2])
}

func (y *ymd) three(v func(int) *int64) (year, month, day *int64) {
	switch a, b := y.values[0], y.values[1]; {
	case y.month == 1 && b > 31:
		return v(1), v(0), v(2)
	case y.month == 1:
		return v(2), v(0), v(1)
	case y.month == 2 && a > 31:
		return v(0), v(1), v(2)
	case y.month == 2:
		return v(2), v(1), v(0)
	case y.month == 3 && b > 31:
		return v(1), v(2), v(0)
	case y.month == 3:
		return v(0), v(2), v(1)
	case a > 31 || y.year == 1:
		return v(0), v(1), v(2)
	case a > 12:
		return v(2), v(1), v(0)
	}
	return v(2), v(0), v(1)
}

// build is parser._build_naive: it puts the parts into a datetime of today.
func (p *dateParser) build(year, month, day *int64) verdict {
	if year == nil && month == nil && day == nil && p.hour == nil && p.minute == nil && p.second == nil && !p.weekday && !p.zone && !p.offset {
		return refuses
	}
	if year != nil && *year < 100 && !p.ymd.century {
		full := *year + 2000
		year = &full
	}
	if day == nil && month != nil && (*month < 1 || *month > 12) {
		return refuses
	}
	for _, part := range []*int64{year, month, day, p.hour, p.minute, p.second} {
		if part != nil && *part > math.MaxInt32 {
			return overflows
		}
	}
	in := func(part *int64, least, most int64) bool { return part == nil || *part >= least && *part <= most }
	if !in(year, 1, 9999) || !in(month, 1, 12) || !in(p.hour, 0, 23) || !in(p.minute, 0, 59) || !in(p.second, 0, 59) || !in(day, 1, 31) {
		return refuses
	}
	if day != nil && month != nil {
		of := int64(2000)
		if year != nil {
			of = *year
		}
		if *day > int64(daysOf(int(of), int(*month))) {
			return refuses
		}
	}
	return accepts
}
