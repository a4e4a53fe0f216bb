package column

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
)

// numbers reports integers that pandas cannot read, in files that it has to read: arrays, and batches with Json in them.
func (l *loading) numbers(split int) {
	o := l.splits[split]
	if o.cells {
		return
	}
	for _, v := range o.variants(o.root) {
		array := l.Forms[v.path].Array
		if !v.refused || !array && !o.framed && !l.encodes(split) {
			continue
		}
		why := "the file is an array"
		switch {
		case o.framed:
			why = "pandas reads the file"
		case !array:
			why = "a column of the config is json"
		}
		message := fmt.Sprintf("an integer is beyond 64 bits, and %s: load_dataset fails on it", why)
		l.add(Trouble{Code: finding.LoaderNumberRange, Severity: finding.Error, Split: split, Place: v.place(0), Message: message})
		return
	}
}

// encodes says that the loader writes values of the split as JSON text.
func (l *loading) encodes(split int) bool {
	return slices.ContainsFunc(l.target, func(f Feature) bool { return f.Type.holdsJSON() }) || l.splits[split].whole(false, keepsNone).mixes()
}

// mixes says that some batch has values of several kinds in one place.
func (s *sketch) mixes() bool {
	return s.mixed || s.element != nil && s.element.mixes() || slices.ContainsFunc(s.members, (*sketch).mixes)
}

// blanks reports a blank first line where the loader has to read the lines one by one.
func (l *loading) blanks(split int) {
	o := l.splits[split]
	if o.cells || !o.whole(false, keepsNone).mixes() {
		return
	}
	for _, set := range o.allSets().list {
		form := l.Forms[set.first.Path]
		if !form.BlankFirst || form.Array {
			continue
		}
		l.add(Trouble{Code: finding.LoaderBlankFirst, Severity: finding.Error, Split: split, Place: Place{set.first.Path, 1},
			Message: "the file begins with a blank line and has a column of mixed kinds: load_dataset fails on the line"})
		return
	}
}

// maxLevels is how many levels of types Arrow imports (c/bridge.cc: kMaxImportRecursionLevel).
const maxLevels = 64

// nesting reports columns that are nested too deeply.
func (l *loading) nesting() {
	for _, f := range l.target {
		if f.Type.levels() <= maxLevels {
			continue
		}
		place := Place{}
		if c := l.first.root.at(0, []byte(f.Name)); c != nil {
			if vs := l.first.variants(c); len(vs) > 0 {
				place = vs[0].place(isList | isObject)
			}
		}
		l.add(Trouble{Code: finding.LoaderNesting, Severity: finding.Error, Place: place, Pointer: pointerTo("", f.Name),
			Message: fmt.Sprintf("column %q is nested more than %d levels deep: load_dataset fails", f.Name, maxLevels)})
	}
}

func (t Type) levels() int {
	deepest := 0
	if t.List != nil {
		deepest = t.List.levels()
	}
	for _, f := range t.Struct {
		deepest = max(deepest, f.Type.levels())
	}
	return deepest + 1
}

// traces reports columns that make load_dataset take the data set for logs of agents (datasets/packaged_modules/json).
func (l *loading) traces() {
	if l.Declared != nil || l.NoTraces || l.array || l.cells() {
		return
	}
	is := func(name string, dtypes ...string) bool {
		t, ok := l.typeOf(name)
		return ok && (slices.Contains(dtypes, t.Dtype) || t.List != nil && slices.Contains(dtypes, "list"))
	}
	var like []string
	switch {
	case is("type", dtypeString) && is("message", dtypeJSON):
		like = []string{"type", "message"}
	case is("type", dtypeString) && is("payload", dtypeJSON):
		like = []string{"type", "payload"}
	case is("id", dtypeString) && is("source", dtypeString) && is("model", dtypeString) && is("system_prompt", dtypeString) && is("messages", "list", dtypeJSON):
		like = []string{"id", "source", "model", "system_prompt", "messages"}
	case is("type", dtypeString) && is("id", dtypeString) && is("cwd", dtypeString) && is("version", dtypeInt64):
		like = []string{"type", "id", "cwd", "version"}
	default:
		return
	}
	l.add(Trouble{Code: finding.LoaderAgentTrace, Severity: finding.Error, Place: Place{l.first.first.path, 1},
		Message: fmt.Sprintf("load_dataset takes rows with the columns %s for logs of agents and fails without the package teich", strings.Join(like, ", "))})
}

// singles reports batches of one row of different types. Where nothing is typed before it is written, the loader puts those
// together as they are.
func (l *loading) singles() {
	if l.Declared != nil || !l.array && !l.cells() {
		return
	}
	o := l.first
	rows := int64(0)
	place := Place{}
	for _, v := range o.variants(o.root) {
		if v.single {
			rows += v.batches
		}
	}
	for _, c := range o.root.members {
		var odd *field
		if odd = o.oddSingle(c, rows); odd == nil {
			continue
		}
		for _, v := range o.variants(odd) {
			if v.single {
				place = v.place(v.kinds)
			}
		}
		a := spot{origin: o.root}.member(c, Type{})
		l.add(a.trouble(finding.LoaderTypeChanges, finding.Error, place,
			"is not of the same type in all files of one row, which load_dataset puts together as they are: it fails"))
	}
}

// oddSingle finds a field that is not of the same type in all of so many batches of one row, nil for none.
func (o *Observer) oddSingle(f *field, rows int64) *field {
	var have int64
	var all kinds
	types := map[string]bool{}
	for _, v := range o.variants(f) {
		if v.single {
			have += v.batches
			all |= v.kinds
			types[singleType(v.kinds, o.cells)] = true
		}
	}
	switch {
	case have == 0:
		return nil
	case have != rows || len(types) > 1:
		return f
	}
	for _, m := range f.members {
		if odd := o.oddSingle(m, rows); odd != nil {
			return odd
		}
	}
	if f.element != nil {
		return o.oddSingle(f.element, rows)
	}
	return nil
}

func singleType(k kinds, cells bool) string {
	k &^= isNull
	switch {
	case cells:
		return cellDtype(k.cells())
	case k.mixed():
		return dtypeJSON
	case k.has(isObject):
		return "struct"
	case k.has(isList):
		return "list"
	}
	return scalarDtype(k)
}
