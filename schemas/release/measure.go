package release

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/strictyaml"
)

var jsonNumber = lazyregexp.New(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$`)

// measures lists what each measure takes: keys that are needed, keys that may be left out, and pairs of which exactly one
// is needed.
var measures = []struct {
	name             string
	needed, optional []string
	either           []string
}{
	{name: "rows", needed: []string{"in"}},
	{name: "distinct", needed: []string{"in", "key"}, optional: []string{"where"}},
	{name: "count", needed: []string{"in", "where"}},
	{name: "share", needed: []string{"in", "where"}},
	{name: "sum", needed: []string{"in", "value"}, optional: []string{"where"}},
	{name: "mean", needed: []string{"in", "value"}, optional: []string{"where"}},
	{name: "median", needed: []string{"in", "value"}, optional: []string{"where"}},
	{name: "min", needed: []string{"in", "value"}, optional: []string{"where"}},
	{name: "max", needed: []string{"in", "value"}, optional: []string{"where"}},
	{name: "std", needed: []string{"in", "value"}, optional: []string{"where"}},
	{name: "bytes", either: []string{"in", "files"}},
	{name: "sha256", needed: []string{"file"}},
	{name: "files", either: []string{"in", "files"}},
	{name: "value", needed: []string{"file", "pointer"}},
	{name: "cell", needed: []string{"file", "where", "column"}},
	{name: "accuracy", needed: []string{"in", "label", "prediction"}, optional: []string{"where"}},
	{name: "f1", needed: []string{"in", "label", "prediction", "positive"}, optional: []string{"where"}},
	{name: "auroc", needed: []string{"in", "label", "score", "positive"}, optional: []string{"where"}},
	{name: "ece", needed: []string{"in", "label", "score", "positive"}, optional: []string{"bins", "where"}},
	{name: "balance", needed: []string{"in", "by", "equal"}, optional: []string{"where"}},
}

// measureNames are the names of all measures.
func measureNames() []string {
	var names []string
	for _, m := range measures {
		names = append(names, m.name)
	}
	return append(names, "expr")
}

func (m *manifest) claims(v value, repo int) []Claim {
	var all []Claim
	items := v.list("claims")
	lines := map[string]int{}
	for i, item := range items {
		item.name = fmt.Sprintf("claim %d", i+1)
		c := m.claim(item, repo)
		if line, twice := lines[c.ID]; twice && c.ID != "" {
			m.fault(item, "give each claim an id of its own", "claim %q stands twice, first on line %d", c.ID, line)
		} else {
			lines[c.ID] = c.Pos.Line
		}
		all = append(all, c)
	}
	m.checkExprs(all, items)
	return all
}

func (m *manifest) claim(v value, repo int) Claim {
	c := Claim{Pos: v.pos(), State: "open"}
	o, ok := v.object("id", "said", "measure", "state", "why")
	if !ok {
		return c
	}
	if id, ok := o.need("id", "add `id:` with a short name, such as rows-train"); ok {
		if c.ID, ok = id.text(); ok && !claimID.MatchString(c.ID) {
			m.fault(id, "use letters, digits, _, - and ., a letter first", "claim id %q cannot be used in expressions",
				c.ID)
		}
	}
	if said, ok := o.need("said", "add `said: {text: \"15,630\", where: …}` with what was printed, and where"); ok {
		c.Text, c.Where = m.said(said)
	}
	if measure, ok := o.need("measure", "add `measure: {rows: {in: [train]}}`, or another measure"); ok {
		before := len(m.findings)
		if c.Measure = m.measure(measure, repo); len(m.findings) > before {
			c.Measure = Measure{Pos: c.Measure.Pos} // what it would measure is not known
		}
	}
	if state, ok := o.get("state"); ok {
		c.State, _ = state.oneOf("open", "explained", "by-design", "resolved")
	}
	c.Why = o.text("why")
	if c.State != "open" && c.State != "" {
		o.need("why", fmt.Sprintf("add `why:`; a claim that is %s has a reason", c.State))
	}
	return c
}

func (m *manifest) said(v value) (text, where string) {
	o, ok := v.object("text", "where")
	if !ok {
		return "", ""
	}
	if t, ok := o.need("text", "add `text:` with the number as it was printed, in quotes"); ok {
		text, _ = t.text()
	}
	return text, o.text("where")
}

func (m *manifest) measure(v value, repo int) Measure {
	out := Measure{Pos: v.pos()}
	v.name = "measure"
	o, ok := v.object(measureNames()...)
	if !ok {
		return out
	}
	for _, spec := range measures {
		args, ok := o.get(spec.name)
		if !ok || !m.onlyMeasure(&out, args, spec.name) {
			continue
		}
		if a, ok := args.object(slices.Concat(spec.needed, spec.optional, spec.either)...); ok {
			m.measureArguments(&out, a, spec.needed, spec.optional, spec.either, repo)
		}
	}
	if expr, ok := o.get("expr"); ok && m.onlyMeasure(&out, expr, "expr") {
		if text, ok := expr.text(); ok {
			out.Expr = m.expr(expr, text)
		}
	}
	if out.Name == "" && len(o.meant) == 0 {
		m.fault(v, "write one of "+strings.Join(measureNames(), ", "), "measure names nothing to measure")
	}
	return out
}

// onlyMeasure notes the name of a measure, and reports a second one.
func (m *manifest) onlyMeasure(out *Measure, args value, name string) bool {
	if out.Name != "" {
		m.fault(args, "write one measure for each claim; `expr` combines claims", "measure %s stands beside %s", name,
			out.Name)
		return false
	}
	out.Name = name
	return true
}

func (m *manifest) expr(v value, text string) *Expr {
	e, err := ParseExpr(text)
	if err != nil {
		m.fault(v, "write numbers and ids of claims with + - * / and parentheses, blanks around a minus",
			"expr %q cannot be read: %v", text, err)
	}
	return e
}

func (m *manifest) measureArguments(out *Measure, o object, needed, optional, either []string, repo int) {
	for _, key := range needed {
		if v, ok := o.need(key, argumentHint(out.Name, key)); ok {
			m.argument(out, key, v, repo)
		}
	}
	for _, key := range optional {
		if v, ok := o.get(key); ok {
			m.argument(out, key, v, repo)
		}
	}
	found := 0
	for _, key := range either {
		if v, ok := o.get(key); ok {
			m.argument(out, key, v, repo)
			found++
		}
	}
	if len(either) > 0 && found != 1 && len(o.meant) == 0 {
		m.fault(o.value, "keep one of the two", "%s needs either %s", out.Name, strings.Join(either, " or "))
	}
}

func argumentHint(measure, key string) string {
	switch key {
	case "in":
		return inHint
	case "key":
		return keyHint
	case "by":
		return byHint
	case "where":
		if measure == "cell" {
			return "add `where: {column: text}` to pick the row"
		}
		return "add `where:` with a condition over row"
	case "file":
		return "add `file:` with a path relative to root"
	case "column":
		return "add `column:` with the name of a column"
	case "positive", "equal":
		return fmt.Sprintf("add `%s:` with a value of that field", key)
	}
	return fmt.Sprintf("add `%s:` with a JSON Pointer", key)
}

// argument decodes one argument of a measure.
func (m *manifest) argument(out *Measure, key string, v value, repo int) {
	switch key {
	case "in":
		out.In = m.splitRefs(v, repo, 1)
	case "key":
		out.Key = m.pointers(v)
	case "value":
		out.Value = m.pointer(v)
	case "by":
		out.By = m.pointer(v)
	case "label":
		out.Label = m.pointer(v)
	case "prediction":
		out.Prediction = m.pointer(v)
	case "score":
		out.Score = m.pointer(v)
	case "positive":
		out.Positive = m.scalarPointer(v)
	case "equal":
		out.Equal = m.scalarPointer(v)
	case "bins":
		out.Bins, _ = v.number(1)
	case "file":
		out.File = m.localPath(v, "")
	case "files":
		out.Files, _ = m.patterns(v)
	case "pointer":
		out.Pointer = m.plainPointer(v)
	case "column":
		out.Column, _ = v.text()
	case "where":
		if out.Name == "cell" {
			out.Row = m.row(v)
		} else {
			out.Where, _ = v.text()
			out.WherePos = v.pos()
		}
	}
}

func (m *manifest) scalarPointer(v value) *Scalar {
	s, ok := m.scalar(v)
	if !ok {
		return nil
	}
	return &s
}

// plainPointer reads a JSON Pointer into a document. A star in it is a name.
func (m *manifest) plainPointer(v value) string { return string(m.pointer(v)) }

// row reads what picks a row of a CSV file: columns and the texts they have.
func (m *manifest) row(v value) []Cell {
	if v.node.Kind != yaml.MappingNode || len(v.node.Content) == 0 {
		v.wrong("a mapping of columns to texts", "write it as {model: large, task: QA}")
		return nil
	}
	var cells []Cell
	for k, n := range strictyaml.Pairs(v.node) {
		if n.Kind != yaml.ScalarNode {
			value{m.decoder, n, "column " + k.Value, v.at + "/" + strictyaml.Escape(k.Value)}.wrong("one value",
				"write the text of the cell")
			continue
		}
		cells = append(cells, Cell{k.Value, n.Value})
	}
	return cells
}

// checkExprs reports expressions over claims that are not there, and those that lead back to themselves.
func (m *manifest) checkExprs(claims []Claim, at []value) {
	byID := map[string]*Claim{}
	var ids []string
	for i := range claims {
		if _, twice := byID[claims[i].ID]; !twice {
			byID[claims[i].ID] = &claims[i]
			ids = append(ids, claims[i].ID)
		}
	}
	for i := range claims {
		place := at[i]
		if o, ok := (object{value: at[i]}).get("measure"); ok {
			place = o
		}
		for _, id := range claims[i].Measure.Expr.Claims() {
			if byID[id] == nil {
				m.fault(place, suggest(id, ids), "expr uses claim %q, which is not in this list", id)
			}
		}
		if usesItself(claims[i].ID, byID) {
			m.fault(place, "break the circle with a measure of the data", "the expr of claim %q leads back to itself",
				claims[i].ID)
		}
	}
}

// usesItself reports whether the expression of a claim uses the claim, by way of others too.
func usesItself(id string, byID map[string]*Claim) bool {
	seen := map[string]bool{}
	todo := []string{id}
	for len(todo) > 0 {
		claim := byID[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		if claim == nil {
			continue
		}
		for _, used := range claim.Measure.Expr.Claims() {
			if used == id {
				return true
			}
			if !seen[used] {
				seen[used] = true
				todo = append(todo, used)
			}
		}
	}
	return false
}
