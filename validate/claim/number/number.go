// Package number reads numbers as people print them in papers, tables and cards: 15,630, 87.8%, ~25.7 MB, .748, 1.5K, about 400,
// more than 1,000; and says whether a measured number is the one that was printed, as exactly as it was printed.
package number

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

// Bound says which side of a printed number the true one is on.
type Bound int

// The bounds that words and signs before a number set.
const (
	None Bound = iota
	MoreThan
	AtLeast
	LessThan
	AtMost
)

// Printed is a number as it was printed.
type Printed struct {
	// Text is the number with its unit, as it stands in the text, from byte Start to End.
	Text       string
	Start, End int
	// Value is the number, its suffix and exponent applied: 1.5K is 1500. A percentage is in percent, a size in its unit.
	Value *big.Rat
	// Step is what the last printed digit counts: 0.1 in 87.8, 100 in 1.5K.
	Step *big.Rat
	// Decimals is the number of digits behind the point.
	Decimals int
	// About says that the number is said to be no exact one.
	About bool
	Bound Bound
	// Percent says that the number is in percent.
	Percent bool
	// Unit is B, kB, MB, MiB … for a size, with its number of bytes; "" and nil for others.
	Unit  string
	Bytes *big.Rat
	// To is the upper end of a range; nil for a single number.
	To *Printed
}

var (
	digits = lazyregexp.New(`^(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?` +
		`|[1-9][0-9]{0,2}(?:[ \x{a0}\x{202f}\x{2009}'’_][0-9]{3})+(?:\.[0-9]+)?` +
		`|[1-9][0-9]{0,2}(?:\.[0-9]{3}){2,}` +
		`|0,[0-9]+` +
		`|[0-9]+(?:\.[0-9]+)?` +
		`|\.[0-9]+)`)
	exponent = lazyregexp.New(`^(?:[eE]([+-]?[0-9]{1,3})|\s?[×x·*]\s?10(?:\^([+-]?[0-9]{1,3})|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})))`)
	percent  = lazyregexp.New(`^\s?(?:%|percent\b|per cent\b|pct\b)`)
	unit     = lazyregexp.New(`^(?:\s?(kB|KB|MB|GB|TB|PB|KiB|MiB|GiB|TiB|PiB|bytes?)|\s(B))(?:[^A-Za-z0-9]|$)`)
	suffix   = lazyregexp.New(`^\s?(k|K|M|G|B|T|bn|mn|thousand|million|billion|trillion)(?:[^A-Za-z0-9]|$)`)
	between  = lazyregexp.New(`^\s?(?:-|–|—|to)\s?$`)
)

var suffixes = map[string]int{"k": 3, "K": 3, "thousand": 3, "M": 6, "mn": 6, "million": 6, "G": 9, "B": 9, "bn": 9, "billion": 9, "T": 12, "trillion": 12}

// before lists what may stand before a number, longest first where one ends with another.
var before = []struct {
	words string
	bound Bound
	about bool
}{
	{"no more than", AtMost, false}, {"not more than", AtMost, false}, {"no fewer than", AtLeast, false}, {"no less than", AtLeast, false},
	{"not less than", AtLeast, false}, {"at most", AtMost, false}, {"up to", AtMost, false}, {"≤", AtMost, false}, {"<=", AtMost, false},
	{"at least", AtLeast, false}, {"≥", AtLeast, false}, {">=", AtLeast, false}, {"more than", MoreThan, false}, {"greater than", MoreThan, false},
	{"over", MoreThan, false}, {"above", MoreThan, false}, {">", MoreThan, false}, {"less than", LessThan, false}, {"fewer than", LessThan, false},
	{"under", LessThan, false}, {"below", LessThan, false}, {"<", LessThan, false}, {"about", None, true}, {"around", None, true},
	{"approximately", None, true}, {"approx.", None, true}, {"approx", None, true}, {"roughly", None, true}, {"circa", None, true}, {"ca.", None, true},
	{"nearly", None, true}, {"almost", None, true}, {"some", None, true}, {"~", None, true}, {"≈", None, true}, {"∼", None, true}, {"≃", None, true},
}

// Find returns the numbers of a text. What only looks like one is left out: digits in names and versions, dates.
func Find(text string) []Printed {
	var all []Printed
	for at := 0; at < len(text); {
		start := firstDigit(text, at)
		end := start + len(digits.FindString(window(text, start, 4*maxDigits)))
		if start == end {
			break
		}
		if partOfName(text, start, end) {
			at = endOfName(text, end)
			continue
		}
		p := read(text, start, end)
		if n := len(all); n > 0 && between.MatchString(text[all[n-1].End:start]) && all[n-1].To == nil {
			all[n-1].To = &p
		} else {
			all = append(all, p)
		}
		at = p.End
	}
	return all
}

// firstDigit is where the next number begins, at a digit or a point before one; the text's length where there is none.
func firstDigit(text string, at int) int {
	isDigit := func(i int) bool { return i < len(text) && text[i] >= '0' && text[i] <= '9' }
	for ; at < len(text); at++ {
		if isDigit(at) || text[at] == '.' && isDigit(at+1) {
			break
		}
	}
	return at
}

// window is a piece of a text. A search takes time by the length of what it is given, though it ends early: with many numbers the
// whole rest of a text would be paid for each.
func window(text string, at, size int) string { return text[at:min(len(text), at+size)] }

// near is as many bytes as what belongs to a number takes at most on one side of it, and some more.
const near = 64

// maxDigits bounds the digits of a number, with what stands between them: nobody prints more, and exact arithmetic takes its time.
const maxDigits = 200

// partOfName says that digits belong to a name, a version, a date or something else that is no number.
func partOfName(text string, start, end int) bool {
	previous, size := utf8.DecodeLastRuneInString(text[:start])
	beyond, _ := utf8.DecodeLastRuneInString(text[:start-size])
	next, _ := utf8.DecodeRuneInString(text[end:])
	after := ""
	if end < len(text) {
		after = text[end+1:]
	}
	digitAfter := len(after) > 0 && after[0] >= '0' && after[0] <= '9'
	switch {
	case end-start > maxDigits:
		return true
	case unicode.IsLetter(previous), unicode.IsDigit(previous), previous == '_', previous == '#', previous == '^':
		return true
	case (previous == '-' || previous == '.' || previous == '/' || previous == ':') && (unicode.IsLetter(beyond) || unicode.IsDigit(beyond) && previous != '-'):
		return true
	case (next == '.' || next == ',' || next == ':' || next == '/') && digitAfter, next == '_':
		return true
	case next == '-' && digitAfter && isDate(window(text, start, near)):
		return true
	}
	return false
}

var date = lazyregexp.New(`^[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?(?:[^0-9]|$)`)

func isDate(text string) bool { return date.MatchString(text) }

// endOfName goes on behind what belongs to a name.
func endOfName(text string, at int) int {
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.:/,", r) {
			break
		}
		at += size
	}
	return at
}

// read reads the number whose digits stand from start to end, with what is around it.
func read(text string, start, end int) Printed {
	figures := text[start:end]
	p := Printed{Start: start}
	switch {
	case strings.HasPrefix(figures, "0,"):
		figures = strings.Replace(figures, ",", ".", 1)
	case strings.Count(figures, ".") > 1:
		figures = strings.ReplaceAll(figures, ".", "")
	default:
		figures = strings.NewReplacer(",", "", " ", "", "\u00a0", "", "\u202f", "", "\u2009", "", "'", "", "’", "", "_", "").Replace(figures)
	}
	if _, fraction, ok := strings.Cut(figures, "."); ok {
		p.Decimals = len(fraction)
	}
	p.Value, _ = new(big.Rat).SetString("0" + figures)
	p.Step = power(-p.Decimals)
	if m := exponent.FindStringSubmatch(window(text, end, near)); m != nil {
		n, _ := strconv.Atoi(m[1] + m[2] + plainDigits(m[3]))
		p.scale(power(n))
		end += len(m[0])
	}
	p.End = end
	p.readUnit(text)
	p.readBefore(text)
	if strings.HasPrefix(text[p.End:], "+") && p.Bound == None {
		p.Bound = AtLeast
		p.End++
	}
	p.Text = text[p.Start:p.End]
	return p
}

// readUnit reads what stands behind the digits.
func (p *Printed) readUnit(text string) {
	rest := window(text, p.End, near)
	if m := percent.FindString(rest); m != "" {
		p.Percent = true
		p.End += len(m)
		return
	}
	if m := unit.FindStringSubmatchIndex(rest); m != nil {
		from, to := m[2], m[3]
		if from < 0 {
			from, to = m[4], m[5]
		}
		p.Unit = strings.TrimSuffix(rest[from:to], "s")
		p.Bytes = bytesOf(p.Unit)
		p.End += to
		return
	}
	if m := suffix.FindStringSubmatchIndex(rest); m != nil {
		p.scale(power(suffixes[rest[m[2]:m[3]]]))
		p.End += m[3]
	}
}

// readBefore reads the sign, the words and the signs before the digits.
func (p *Printed) readBefore(text string) {
	for _, minus := range []string{"-", "−"} {
		if front, ok := strings.CutSuffix(text[:p.Start], minus); ok {
			if last, _ := utf8.DecodeLastRuneInString(front); !unicode.IsDigit(last) && !unicode.IsLetter(last) {
				p.Value.Neg(p.Value)
				p.Start = len(front)
			}
			break
		}
	}
	front := strings.ToLower(strings.TrimRight(lastOf(text[:p.Start]), " \u00a0"))
	for _, b := range before {
		head, ok := strings.CutSuffix(front, b.words)
		if !ok {
			continue
		}
		if last, _ := utf8.DecodeLastRuneInString(head); unicode.IsLetter(last) && b.words[0] < utf8.RuneSelf && unicode.IsLetter(rune(b.words[0])) {
			continue
		}
		p.Bound, p.About = b.bound, b.about
		return
	}
}

// lastOf is the end of a text, longer than all that may stand before a number.
func lastOf(text string) string {
	at := max(0, len(text)-near)
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return text[at:]
}

func (p *Printed) scale(by *big.Rat) {
	p.Value.Mul(p.Value, by)
	p.Step.Mul(p.Step, by)
}

// bytesOf is the number of bytes of a unit: MB counts 10^6 and MiB 2^20.
func bytesOf(unit string) *big.Rat {
	place := strings.IndexByte("kmgtp", strings.ToLower(unit)[0])
	switch {
	case place < 0:
		return big.NewRat(1, 1)
	case strings.Contains(unit, "i"):
		return new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(10*(place+1))))
	}
	return power(3 * (place + 1))
}

// power is 10^n.
func power(n int) *big.Rat {
	p := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil)
	if n < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}

// plainDigits writes raised digits as plain ones.
func plainDigits(s string) string {
	return strings.NewReplacer("⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9", "⁻", "-", "⁺", "").Replace(s)
}

// ErrNone says that a text holds no number.
var ErrNone = errors.New("it holds no number")

var (
	deviation = lazyregexp.New(`^\s?(?:±|\+/-|\+-)\s?$`)
	outOf     = lazyregexp.New(`^\s?(?:/|of|out of)\s?$`)
	fraction  = lazyregexp.New(`([0-9][0-9,]*)\s?/\s?([0-9][0-9,]*)`)
)

// Read reads the one number of a text. Of several it takes the one that is in percent, or not, as percent says. Of a number with its
// deviation (0.60 ± 0.15) it reads the number; of 2,926 of 3,007, or 2,926/3,007, the first, or the share where percent asks for one.
func Read(text string, percent bool) (Printed, error) {
	all := Find(text)
	if len(all) == 0 && strings.Count(text, "/") == 1 {
		text = fraction.ReplaceAllString(text, "$1 of $2")
		all = Find(text)
	}
	if len(all) == 2 && all[0].To == nil && all[0].Percent == all[1].Percent {
		switch between := text[all[0].End:all[1].Start]; {
		case deviation.MatchString(between):
			all = all[:1]
		case !outOf.MatchString(between) || all[0].Percent:
		case !percent:
			all = all[:1]
		case all[1].Value.Sign() > 0:
			all = []Printed{shareOf(text, all[0], all[1])}
		}
	}
	if len(all) > 1 {
		fitting := slices.DeleteFunc(slices.Clone(all), func(p Printed) bool { return p.Percent != percent })
		if len(fitting) == 1 {
			all = fitting
		}
	}
	switch len(all) {
	case 0:
		if p, ok := fromWords(text); ok {
			return p, nil
		}
		return Printed{}, ErrNone
	case 1:
		return all[0], nil
	}
	return Printed{}, fmt.Errorf("it holds several numbers: %s and %s", all[0].Text, all[1].Text)
}

// shareOf is a share that was printed as two numbers: nothing of it is rounded.
func shareOf(text string, part, all Printed) Printed {
	return Printed{Text: text[part.Start:all.End], Start: part.Start, End: all.End, Value: new(big.Rat).Quo(part.Value, all.Value), Step: power(-12), Decimals: 6}
}

var words = map[string]int64{"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
	"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}

var multiples = map[string]int64{"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}

// fromWords reads a number in English words: ten thousand, twenty-one.
func fromWords(text string) (Printed, bool) {
	var total, part int64
	started := false
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		value, isDigit := words[word]
		multiple, isMultiple := multiples[word]
		switch {
		case isDigit:
			part += value
		case isMultiple && started && multiple == 100:
			part *= 100
		case isMultiple && started:
			total, part = total+part*multiple, 0
		case started && word != "and":
			return wordsOf(text, total+part), true
		default:
			continue
		}
		if started = true; part > 1e6 || total > 1e15 { // one word more could be too much for an int64
			return Printed{}, false
		}
	}
	return wordsOf(text, total+part), started
}

func wordsOf(text string, n int64) Printed {
	return Printed{Text: strings.TrimSpace(text), Value: big.NewRat(n, 1), Step: big.NewRat(1, 1)}
}

// tolerance is how far from the printed number the true one may be: half of what the last digit counts. In a number that is said
// to be about right, zeros at the end say nothing of how exact it is; a tenth of it is the most.
func (p *Printed) tolerance() *big.Rat {
	half := new(big.Rat).Mul(p.Step, big.NewRat(1, 2))
	if !p.About || p.Value.Sign() == 0 {
		return half
	}
	wide := new(big.Rat).Set(half)
	ten := big.NewRat(10, 1)
	for next := new(big.Rat).Set(p.Step); ; {
		next.Mul(next, ten)
		if !new(big.Rat).Quo(p.Value, next).IsInt() {
			break
		}
		wide.Mul(wide, ten)
	}
	if tenth := new(big.Rat).Abs(new(big.Rat).Quo(p.Value, ten)); wide.Cmp(tenth) > 0 {
		wide = tenth
	}
	if wide.Cmp(half) < 0 {
		return half
	}
	return wide
}

// Interval is where the true number may be, both ends included; nil for no end.
func (p *Printed) Interval() (low, high *big.Rat) {
	t := p.tolerance()
	switch {
	case p.Bound == MoreThan || p.Bound == AtLeast:
		return p.Value, nil
	case p.Bound == LessThan || p.Bound == AtMost:
		return nil, p.Value
	case p.To != nil:
		return new(big.Rat).Sub(p.Value, t), new(big.Rat).Add(p.To.Value, p.To.tolerance())
	}
	return new(big.Rat).Sub(p.Value, t), new(big.Rat).Add(p.Value, t)
}

// isNothing says that 0 was printed without decimals: who reads it takes it for none at all, not for a third that was rounded.
func (p *Printed) isNothing() bool {
	return p.Value.Sign() == 0 && p.Decimals == 0 && !p.About && !p.Percent && p.Bytes == nil && p.Bound == None && p.To == nil
}

// Fits says whether a number, in the unit of the printed one, is what was printed, and whether it is exactly that.
func (p *Printed) Fits(n *big.Rat) (fits, exactly bool) {
	switch c := n.Cmp(p.Value); p.Bound {
	case MoreThan:
		return c > 0, c > 0
	case AtLeast:
		return c >= 0, c >= 0
	case LessThan:
		return c < 0, c < 0
	case AtMost:
		return c <= 0, c <= 0
	}
	if p.isNothing() {
		return n.Sign() == 0, n.Sign() == 0
	}
	low, high := p.Interval()
	fits = n.Cmp(low) >= 0 && n.Cmp(high) <= 0
	return fits, fits && (n.Cmp(p.Value) == 0 || p.To != nil)
}

// Text writes a number with so many decimals at most, and no zeros at the end.
func Text(n *big.Rat, decimals int) string {
	if n.IsInt() {
		return n.Num().String()
	}
	text := n.FloatString(decimals)
	text = strings.TrimRight(text, "0")
	return strings.TrimSuffix(text, ".")
}
