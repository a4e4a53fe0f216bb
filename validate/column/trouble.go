package column

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// columns reports batches with columns that the target lacks, and for a CSV reader that was told the columns, batches that
// lack some of them.
func (l *loading) columns(i int) {
	var wanted []string
	for _, f := range l.target {
		wanted = append(wanted, f.Name)
	}
	slices.Sort(wanted)
	for _, set := range l.splits[i].allSets().list {
		added, absent := without(set.names, wanted), without(wanted, set.names)
		typed := l.cells() && l.Own
		switch {
		case len(added) > 0:
		case typed && len(absent) > 0:
			l.add(Trouble{Code: finding.LoaderColumnsDiffer, Severity: finding.Error, Split: i, Place: set.first,
				Message: fmt.Sprintf("%s %s declared in the config and not in the file: load_dataset fails", named(absent), isOrAre(absent))})
			continue
		default:
			continue
		}
		message := fmt.Sprintf("%s %s new here", named(added), isOrAre(added))
		if len(absent) > 0 {
			message += fmt.Sprintf(" and %s %s missing", named(absent), isOrAre(absent))
		}
		source := l.source()
		if l.Declared != nil {
			source = "the declared features"
		}
		l.add(Trouble{Code: finding.LoaderColumnsDiffer, Severity: finding.Error, Split: i, Place: set.first, Pointer: pointerTo("", added[0]),
			Message: message + ", compared with " + source + ": load_dataset fails"})
	}
}

// source names the rows that the target was taken from.
func (l *loading) source() string {
	if l.first.batches == 1 || l.first.last.path != l.first.first.path && l.first.batches == 2 {
		return l.first.first.path
	}
	return "the first batch of rows, of " + l.first.first.path
}

func without(names, others []string) []string {
	var out []string
	for _, name := range names {
		if _, found := slices.BinarySearch(others, name); !found {
			out = append(out, name)
		}
	}
	return out
}

// named names columns, some of many.
func named(names []string) string {
	const most = 8
	var quoted []string
	for _, name := range names[:min(len(names), most)] {
		quoted = append(quoted, fmt.Sprintf("%q", name))
	}
	text := "column "
	if len(names) > 1 {
		text = "columns "
	}
	text += strings.Join(quoted, ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func isOrAre(names []string) string {
	if len(names) == 1 {
		return "is"
	}
	return "are"
}

// spot is a field on its way through the loader.
type spot struct {
	split int
	field *field
	// origin is the field of the first split, nil when it lacks it.
	origin *field
	typ    Type
	// pointer is the place in a row, with * for the elements of a list; names says that a name on it misleads the loader
	// where kinds are mixed.
	pointer string
	names   bool
}

func pointerTo(around, name string) string { return string(tape.AppendToken([]byte(around), name)) }

func (a spot) member(f *field, t Type) spot {
	m := spot{split: a.split, field: f, typ: t, pointer: pointerTo(a.pointer, f.name)}
	m.names = a.names || strings.Contains(f.name, "/") || f.name == "[]"
	if a.origin != nil {
		m.origin = a.origin.at(0, []byte(f.name))
	}
	return m
}

func (a spot) element() spot {
	e := a
	e.field, e.typ, e.pointer, e.origin = a.field.element, *a.typ.List, a.pointer+"/*", nil
	if a.origin != nil {
		e.origin = a.origin.element
	}
	return e
}

// subject names the field in a message.
func (a spot) subject() string {
	if strings.Count(a.pointer, "/") == 1 {
		return fmt.Sprintf("column %q", a.field.name)
	}
	return "field " + a.pointer
}

// inRow is the pointer as far as it leads to one value.
func (a spot) inRow() string {
	head, _, _ := strings.Cut(a.pointer, "/*")
	return head
}

func (a spot) trouble(code finding.Code, severity finding.Severity, place Place, format string, args ...any) Trouble {
	message := a.subject() + " " + fmt.Sprintf(format, args...)
	return Trouble{Code: code, Severity: severity, Split: a.split, Place: place, Pointer: a.inRow(), Message: message}
}

// column checks a column of a split.
func (l *loading) column(split int, f *field) {
	if t, ok := l.typeOf(f.name); ok {
		l.check(spot{split: split, origin: l.first.root}.member(f, t))
	}
}

// check follows the values of a field, batch by batch, into the column's type. Of each kind of trouble the first is reported.
func (l *loading) check(a spot) {
	o := l.splits[a.split]
	c := caster{cells: o.cells, typed: o.cells && l.Own, keep: l.keeping()}
	told := map[change]bool{}
	for i, v := range o.variants(a.field) {
		first := a.split == 0 && i == 0 && a.field.opening(o.batches).present > 0
		asJSON := a.typ.Dtype == dtypeJSON && (l.Declared != nil || !first) // encoded before Arrow sees it
		if o.framed && v.kinds.has(isTorn) {
			l.add(a.trouble(finding.LoaderTypeChanges, finding.Error, v.secondKind(),
				"holds values of the kinds %s, of which Arrow makes no column of a pandas table: load_dataset fails", join(v.kinds.words())))
			return
		}
		if v.kinds.has(isTorn|isBlended) && !asJSON {
			l.blended(a, &v)
		}
		if v.kinds.has(isTorn) && !asJSON {
			return
		}
		if l.misled(a, &v, first) {
			return
		}
		if l.NoJSON && !o.cells && v.kinds.mixed() && (l.Declared == nil || a.typ.Dtype != dtypeJSON) {
			l.add(a.trouble(finding.LoaderTypeChanges, finding.Error, v.secondKind(),
				"holds values of the kinds %s, and the config has on_mixed_types: null: load_dataset fails", join(v.kinds.words())))
			return
		}
		l.digits(a, &v, told)
		e := c.cast(&v, a.typ)
		if e.bad != 0 {
			l.failure(a, &v, e)
			return
		}
		if e.what != unchanged && !told[e.what] && v.kinds.has(e.changed) {
			told[e.what] = true
			l.changed(a, &v, e)
		}
	}
	l.inside(a)
}

// inside checks what is in objects and lists.
func (l *loading) inside(a spot) {
	switch {
	case a.typ.Struct != nil:
		types := a.typ.fields()
		for _, m := range a.field.members {
			if t, ok := types[m.name]; ok {
				l.check(a.member(m, t))
			} else {
				l.newField(a.member(m, Type{}))
			}
		}
	case a.typ.List != nil && a.field.element != nil:
		l.check(a.element())
	}
}

// fields are the types of a struct by the names of its fields.
func (t Type) fields() map[string]Type {
	types := make(map[string]Type, len(t.Struct))
	for i := len(t.Struct) - 1; i >= 0; i-- {
		types[t.Struct[i].Name] = t.Struct[i].Type
	}
	return types
}

// newField reports a member of an object that the target lacks.
func (l *loading) newField(a spot) {
	vs := l.splits[a.split].variants(a.field)
	if len(vs) == 0 {
		return
	}
	place := vs[0].place(0)
	lacks := "the first batch of rows, of " + l.first.first.path + ", lacks it in every object"
	if l.Declared != nil {
		lacks = "the declared features lack it"
	}
	l.add(a.trouble(finding.LoaderFieldsDiffer, finding.Error, place, "is new here, and %s: load_dataset fails", lacks))
}

// blended reports kinds that Arrow meets in different blocks of a batch only.
func (l *loading) blended(a spot, v *variant) {
	seen := v.first.kinds
	for _, m := range v.more {
		seen |= m.kinds
	}
	what := "load_dataset turns all of them into numbers"
	code, severity := finding.LoaderValuesChange, finding.Warning
	switch {
	case v.kinds.has(isTorn):
		code, severity, what = finding.LoaderTypeChanges, finding.Error, "load_dataset fails"
	case v.kinds.has(isString):
		what = "load_dataset turns all of them into text"
	}
	l.add(a.trouble(code, severity, v.secondKind(), "holds values of the kinds %s, each in blocks of %d bytes of its own: %s",
		join(seen.words()), blockSize, what))
}

// misled reports mixed kinds below a name that the loader takes for a path: it never ends, or fails.
func (l *loading) misled(a spot, v *variant, first bool) bool {
	if !a.names || l.cells() || !v.kinds.mixed() {
		return false
	}
	found := first && l.seesKeys() && v.kinds.has(isList|isObject)
	if found || !first && a.typ.Dtype == dtypeJSON || l.Declared != nil && a.typ.Dtype == dtypeJSON {
		return false
	}
	l.add(a.trouble(finding.LoaderNameMisleads, finding.Error, v.secondKind(),
		"holds values of the kinds %s, and a slash or [] in its name misleads load_dataset, which then fails or never ends",
		join(v.kinds.words())))
	return true
}

// secondKind is where a value first is of another kind than the first one.
func (v *variant) secondKind() Place {
	seen := v.first.kinds
	for _, m := range v.more {
		if (seen | m.kinds).mixed() {
			return Place{v.path, m.line}
		}
		seen |= m.kinds
	}
	return Place{v.path, v.first.line}
}

// firstValue is the line of the first value that is not null.
func (v *variant) firstValue() (line int, of kinds) {
	if v.first.kinds != 0 {
		return v.first.line, v.first.kinds
	}
	if len(v.more) > 0 {
		return v.more[0].line, v.more[0].kinds
	}
	return v.first.line, 0
}

// digits reports numbers that lose digits, and cells that lose zeros.
func (l *loading) digits(a spot, v *variant, told map[change]bool) {
	const zeros, big = change(-1), change(-2)
	cells := l.cells()
	k := v.kinds &^ isMarker
	switch {
	case k.has(isInfinite) && !cells:
		if !told[big] {
			l.add(a.trouble(finding.LoaderNumberRange, finding.Error, v.place(isInfinite),
				"holds a number that float64 cannot hold: load_dataset fails on it"))
		}
		told[big] = true
	case cells && v.kinds.has(isPadded) && !l.Own && !told[zeros] && v.kinds.cells().only(isNumber):
		told[zeros] = true
		l.add(a.trouble(finding.LoaderLeadingZeros, finding.Warning, v.place(isPadded),
			"holds digits with zeros before them, which load_dataset takes for numbers: 007 becomes 7"))
	case told[big] || l.Declared != nil:
	case cells && k.has(isLong) && v.kinds.cells().only(isFloating), !cells && a.typ.Dtype == dtypeFloat64 && k.only(isNumber) && k.has(isHuge):
		told[big] = true
		why := "one is beyond 64 bits"
		if cells {
			why = "a cell is missing or has a fraction"
		}
		l.add(a.trouble(finding.LoaderBigInteger, finding.Warning, v.place(isHuge|isLong),
			"holds big integers, and %s: load_dataset reads the whole column as float64, and digits are lost", why))
	}
}

// failure reports values on which the loader fails.
func (l *loading) failure(a spot, v *variant, e effect) {
	place := v.place(e.bad)
	found := l.found(e.bad, a.typ, v)
	from := l.from(a)
	switch {
	case l.Declared != nil:
		l.add(a.trouble(finding.LoaderTypeChanges, finding.Error, place, "is declared %s and holds %s here: load_dataset fails", a.typ, found))
	case a.typ.Dtype == dtypeNull:
		l.add(a.trouble(finding.LoaderNullFirst, finding.Error, place,
			"is null wherever %s has it, so that load_dataset takes it for null and fails on %s here", l.source(), found))
	case a.typ.Dtype == dtypeTimestamp:
		l.add(a.trouble(finding.LoaderTypeChanges, finding.Error, place,
			"holds nothing but dates in %s, so that load_dataset takes it for timestamp[s] and fails on %s here", l.source(), found))
	default:
		l.add(a.trouble(finding.LoaderTypeChanges, finding.Error, place, "is %s%s and holds %s here: load_dataset fails", a.typ, from, found))
	}
}

// from says where the column got its type.
func (l *loading) from(a spot) string {
	if a.origin == nil {
		return ""
	}
	b := a.origin.opening(l.first.batches)
	if b.present == 0 {
		return ""
	}
	v := b.variant(b.all(), l.first.first.path)
	line, _ := v.firstValue()
	return fmt.Sprintf(" from the first batch on (%s:%d)", v.path, line)
}

// found says what a type cannot take.
func (l *loading) found(bad kinds, t Type, v *variant) string {
	mixed := !l.cells() && (v.after || v.kinds.mixed())
	switch {
	case bad == isNull:
		return "a missing value"
	case mixed:
		return "values of the kinds " + join(v.kinds.words())
	case bad.has(isObject):
		return "an object"
	case bad.has(isList):
		return "an array"
	case bad.has(isDate|isZoned) && !bad.has(isString&^(isDate|isZoned)):
		return "a date"
	case bad.has(isString) && t.Dtype == dtypeNull:
		return "a string"
	case bad.has(isString) && strings.HasPrefix(t.Dtype, "timestamp"):
		return "a string that is no date without zone"
	case bad.has(isString):
		return "a string that is no " + shortName(t)
	case bad.has(isFloat) && strings.Contains(t.Dtype, "int"):
		return "a number with a fraction"
	case bad.has(isHuge | isUint):
		return "an integer beyond 64 bits"
	case bad.has(isLong):
		return "an integer beyond 2^53, which " + t.Dtype + " does not hold exactly,"
	case bad.has(isBool):
		return "a boolean"
	case bad.has(isInteger):
		return "an integer"
	}
	return "a number"
}

func shortName(t Type) string {
	switch {
	case t.List != nil:
		return "list"
	case t.Struct != nil:
		return "struct"
	}
	return t.Dtype
}

// changed reports values that load as others.
func (l *loading) changed(a spot, v *variant, e effect) {
	is := fmt.Sprintf("is %s%s", a.typ, l.from(a))
	if l.Declared != nil {
		is = fmt.Sprintf("is declared %s", a.typ)
	}
	place := v.place(e.changed)
	what := map[change]string{
		toText:      "values of the kind " + join((e.changed & v.kinds).words()) + " here: load_dataset turns every one into text",
		toRewritten: "nothing but dates here: load_dataset reads them and writes them anew, as 2024-01-31 00:00:00",
		toQuoted:    "values of the kinds " + join(v.kinds.words()) + " here: load_dataset puts quotes around the texts from here on",
		toNumber:    "values of the kind " + join((e.changed & v.kinds).words()) + " here: load_dataset turns them into numbers",
		toTruth:     "values of the kind " + join((e.changed & v.kinds).words()) + " here: load_dataset turns them into true and false",
		toSeconds:   "dates here: load_dataset turns them into seconds since 1970",
		toParts:     join((e.changed & v.kinds).words()) + " here: load_dataset makes a list of its keys or characters",
		toDate:      "integers here: load_dataset takes them for seconds since 1970",
	}[e.what]
	l.add(a.trouble(finding.LoaderValuesChange, finding.Warning, place, "%s and holds %s", is, what))
}

func join(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// typed warns of what the types that the loader takes from the first batch do to the values, when no card declares any.
func (l *loading) typed() {
	for _, f := range l.first.root.members {
		if t, ok := l.typeOf(f.name); ok {
			l.typedField(spot{origin: l.first.root}.member(f, t), l.whole.member(f.name))
		}
	}
}

func (l *loading) typedField(a spot, all *sketch) {
	b := a.field.opening(l.first.batches)
	if b.present == 0 || a.field.wide {
		return
	}
	rows := l.first.root.opening(l.first.batches)
	kinds := b.loaded(rows.isCut())
	if l.first.framed {
		kinds = b.framed(rows.present, a.field.frameOf(true))
	}
	v := b.variant(kinds, l.first.first.path)
	switch t := a.typ; {
	case t.Dtype == dtypeJSON:
		l.keptAsJSON(a, &v)
	case strings.HasPrefix(t.Dtype, "timestamp[ns"):
		l.add(a.trouble(finding.LoaderTimestamps, finding.Warning, v.place(isZoned),
			"holds nothing but dates, and its name has pandas turn them into %s: the text is gone", t.Dtype))
	case t.Dtype == dtypeTimestamp:
		what := "holds nothing but dates, which load_dataset turns into timestamp[s]: the text is gone"
		if v.kinds.has(isZoned) {
			what = "holds nothing but dates, some with a zone, which load_dataset turns into timestamp[s] in UTC: the text and the zone are gone"
		}
		l.add(a.trouble(finding.LoaderTimestamps, finding.Warning, v.place(isZoned), "%s", what))
	case t.Dtype == dtypeNull && all != nil && all.all == 0:
		l.add(a.trouble(finding.LoaderNullColumn, finding.Note, v.place(0), "is null in every row: it loads as null, and the viewer has no statistics of it"))
	case t.Struct != nil:
		types := t.fields()
		for _, m := range a.field.members {
			if inside, ok := types[m.name]; ok {
				l.typedField(a.member(m, inside), all.member(m.name))
			}
		}
	case t.List != nil && a.field.element != nil && all != nil:
		l.typedField(a.element(), all.element)
	}
}

// parsed warns of texts in rows under a field that become numbers.
func (l *loading) parsed() {
	for i, o := range l.splits {
		if !o.framed {
			continue
		}
		for _, f := range o.root.members {
			for _, v := range o.variants(f) {
				if v.kinds.has(isParsed) {
					l.add(spot{split: i}.member(f, Type{}).trouble(finding.LoaderValuesChange, finding.Warning, v.place(isDigits|isBit|isDecimal),
						"holds digits in texts, of which pandas makes numbers: 007 becomes 7"))
					break
				}
			}
		}
	}
}

func (s *sketch) member(name string) *sketch {
	if s == nil {
		return nil
	}
	if len(s.members) > fewMembers {
		if len(s.index) != len(s.members) {
			s.index = make(map[string]*sketch, len(s.members))
			for _, m := range s.members {
				s.index[m.name] = m
			}
		}
		return s.index[name]
	}
	if i := slices.IndexFunc(s.members, func(m *sketch) bool { return m.name == name }); i >= 0 {
		return s.members[i]
	}
	return nil
}

// keptAsJSON says why a column, or something inside it, is Json.
func (l *loading) keptAsJSON(a spot, v *variant) {
	if v.kinds.mixed() {
		if l.NoJSON || v.kinds.has(isTorn) {
			return // that fails
		}
		line, kind := v.firstValue()
		second := v.secondKind()
		other := (v.kinds &^ sameKind(kind)).words()
		what := fmt.Sprintf("holds %s (first on line %d of %s) and %s here: load_dataset keeps it as json", join(kind.words()), line, v.path, join(other))
		if v.kinds.has(isDigits | isBit | isDecimal | isTruth) {
			what += `, in which a text such as "12" becomes the number 12`
		}
		l.add(a.trouble(finding.LoaderMixedKinds, finding.Warning, second, "%s", what))
		return
	}
	var some []string
	objects := a.field.opening(l.first.batches).objects
	for _, m := range a.field.members {
		if p := m.opening(l.first.batches).present; p > 0 && p < objects {
			some = append(some, m.name)
		}
	}
	why := "holds empty objects"
	if len(some) > 0 {
		slices.Sort(some)
		why = strings.TrimPrefix(strings.TrimPrefix(named(some), "columns "), "column ")
		why = "holds objects with different keys (not all have " + why + ")"
	}
	l.add(a.trouble(finding.LoaderKeysDiffer, finding.Warning, v.place(isObject),
		"%s: load_dataset keeps it as json, without columns of its own or statistics in the viewer", why))
}

// sameKind are all kinds that Arrow takes for the same kind of value.
func sameKind(k kinds) kinds {
	for _, same := range []kinds{isBool, isNumber, isString, isList, isObject} {
		if k.has(same) {
			return same
		}
	}
	return 0
}

// missing warns of texts in CSV files that the loader takes for missing values.
func (l *loading) missing() {
	if l.KeepsMissing {
		return
	}
	for i, o := range l.splits {
		for _, f := range o.root.members {
			t, ok := l.typeOf(f.name)
			if !ok || f.inventory.missings.counts == nil && !f.inventory.missings.many {
				continue
			}
			severity := finding.Warning
			if width(t.Dtype) > 0 && l.whole.member(f.name).all&^isNull != 0 || t.Dtype == dtypeBool {
				severity = finding.Note
			}
			var words []string
			for _, w := range f.inventory.missings.counts {
				words = append(words, fmt.Sprintf("%q", w.Text))
			}
			a := spot{split: i}.member(f, t)
			place := Place{}
			for _, v := range o.variants(f) {
				if v.kinds.has(isMissing) {
					place = v.place(isMissing)
					break
				}
			}
			l.add(a.trouble(finding.LoaderMissingText, severity, place, "holds %s, which load_dataset takes for a missing value", join(words)))
		}
	}
}
