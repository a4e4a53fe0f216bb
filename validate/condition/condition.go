// Package condition applies CEL expressions over `row` to rows: the when and must of rules, the where of measures.
//
// CEL (Common Expression Language, https://cel.dev) is typed, has no side effects and always ends. An expression is compiled once.
// A row is not decoded for it: an object is a view of the tape, and only the members that the expression asks for are converted
// (value.go). Beside CEL's own functions there are those of its extensions for strings and sets.
//
// A JSON null is null, so has(row.x) is true for it. Integers beyond 64 bits are floating-point numbers.
package condition

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/ext"
	"cel.dev/cel-go/interpreter"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/field"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// Condition is a compiled expression. It is safe for use by several goroutines.
type Condition struct {
	// Text is the expression.
	Text    string
	program cel.Program
	fields  []field.Path
}

// Fault is what is wrong with an expression: the line from 1 and the character from 0 in its text.
type Fault struct {
	Line, Column int
	Message      string
}

// Compiler compiles expressions. The zero value is ready; it is not safe for use by several goroutines.
type Compiler struct {
	env *cel.Env
	err error
}

// prepare makes the environment when the first expression comes: most releases have none.
func (c *Compiler) prepare() error {
	if c.env == nil && c.err == nil {
		c.env, c.err = cel.NewEnv(cel.Variable("row", cel.DynType), cel.CrossTypeNumericComparisons(true), ext.Strings(), ext.Sets())
	}
	return c.err
}

// Compile compiles an expression, which must give true or false.
func (c *Compiler) Compile(text string) (*Condition, *Fault) {
	if err := c.prepare(); err != nil {
		return nil, &Fault{1, 0, err.Error()}
	}
	checked, issues := c.env.Compile(text)
	if issues.Err() != nil {
		first := issues.Errors()[0]
		return nil, &Fault{first.Location.Line(), first.Location.Column(), first.Message}
	}
	if t := checked.OutputType(); !t.IsExactType(types.BoolType) && !t.IsExactType(types.DynType) {
		return nil, &Fault{1, 0, fmt.Sprintf("the expression gives a %s, not true or false", t)}
	}
	expr := checked.NativeRep().Expr()
	options := []cel.ProgramOption{cel.EvalOptions(cel.OptOptimize)}
	if loops(expr) {
		options = append(options, cel.CostLimit(maxSteps))
	}
	program, err := c.env.Program(checked, options...)
	if err != nil {
		return nil, &Fault{1, 0, err.Error()}
	}
	return &Condition{text, program, fieldsOf(expr)}, nil
}

// maxSteps bounds the work on one row, in CEL's units of cost (about one for each operation): CEL always ends, but loops within loops
// over long lists end after years.
const maxSteps = 1_000_000

// ErrTooMuchWork is what an expression fails with that needs too many steps on a row.
var ErrTooMuchWork = fmt.Errorf("it needs more than %d steps on one row", maxSteps)

// loops says whether an expression goes over lists or maps. Without that its work is bounded by its text, and nobody has to count.
func loops(e ast.Expr) bool {
	found := false
	ast.PostOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) { found = found || e.Kind() == ast.ComprehensionKind }))
	return found
}

// At makes a finding of what is wrong with an expression of hfpub.yaml. pos is where its text stands; name is its key.
func (f *Fault) At(file, name, text string, pos release.Pos) finding.Finding {
	if f.Line == 1 && !strings.Contains(text, "\n") {
		pos.Column += f.Column + 1 // behind the quote
	}
	out := finding.New(finding.ManifestValue, "%s %q is no CEL expression: %s", name, shortened(text), shortened(f.Message))
	return out.AtColumn(file, pos.Line, pos.Column).Hinting("write a condition over row, such as row.label == 1 or has(row.id)")
}

// maxText is how many characters of an expression are shown.
const maxText = 200

func shortened(text string) string {
	if chars := []rune(text); len(chars) > maxText {
		return string(chars[:maxText]) + "…"
	}
	return text
}

// String is the expression as people read it, shortened.
func (c *Condition) String() string { return shortened(c.Text) }

// activation gives an expression its row.
type activation struct{ row *rows.Row }

// ResolveName implements cel.Activation.
func (a activation) ResolveName(name string) (any, bool) {
	if name != "row" {
		return nil, false
	}
	return valueOf(a.row, a.row.Doc.Root()), true
}

// Parent implements cel.Activation.
func (a activation) Parent() cel.Activation { return nil }

// Holds says whether the condition is true of the row. It is an error when the condition cannot be applied: [ErrTooMuchWork] when it
// loops for too long.
func (c *Condition) Holds(row *rows.Row) (bool, error) {
	out, _, err := c.program.Eval(activation{row})
	var cancelled interpreter.EvalCancelledError
	if errors.As(err, &cancelled) && cancelled.Cause == interpreter.CostLimitExceeded {
		return false, ErrTooMuchWork
	}
	if err != nil {
		return false, err
	}
	holds, ok := out.(types.Bool)
	if !ok {
		return false, fmt.Errorf("it gives a %s, not true or false", out.Type().TypeName())
	}
	return bool(holds), nil
}

// maxFields is how many fields are shown.
const maxFields = 4

// Shows writes the fields that the expression looks at, as people read them: label is 1, completion is missing.
func (c *Condition) Shows(row *rows.Row) string {
	var parts []string
	for i := range c.fields {
		p := &c.fields[i]
		if i == maxFields {
			parts = append(parts, "…")
			break
		}
		value := "missing"
		if v, ok := p.First(row); ok {
			value = field.Show(row, v)
		}
		parts = append(parts, p.Name()+" is "+value)
	}
	return strings.Join(parts, ", ")
}

// Pointer leads to the one field that the expression looks at; "" when it looks at several.
func (c *Condition) Pointer() string {
	if len(c.fields) != 1 {
		return ""
	}
	return c.fields[0].Text
}

// fieldsOf lists the fields of the row that an expression looks at, in the order of its text.
func fieldsOf(e ast.Expr) []field.Path {
	type at struct {
		pointer string
		id      int64
	}
	var found []at
	ast.PostOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		if pointer, ok := pointerOf(e); ok && pointer != "" {
			found = append(found, at{pointer, e.ID()})
		}
	}))
	var paths []field.Path
	for i, f := range found {
		longer := slices.ContainsFunc(found, func(other at) bool { return strings.HasPrefix(other.pointer, f.pointer+"/") })
		again := slices.ContainsFunc(found[:i], func(other at) bool { return other.pointer == f.pointer })
		if !longer && !again {
			paths = append(paths, field.Compile(release.Path(f.pointer)))
		}
	}
	return paths
}

// pointerOf reads row.a.b and row["a"].b as pointers.
func pointerOf(e ast.Expr) (string, bool) {
	switch e.Kind() {
	case ast.IdentKind:
		return "", e.AsIdent() == "row"
	case ast.SelectKind:
		of, ok := pointerOf(e.AsSelect().Operand())
		return string(tape.AppendToken([]byte(of), e.AsSelect().FieldName())), ok && e.AsSelect().FieldName() != "*"
	case ast.CallKind:
		call := e.AsCall()
		if call.FunctionName() != operators.Index || len(call.Args()) != 2 || call.Args()[1].Kind() != ast.LiteralKind {
			return "", false
		}
		of, ok := pointerOf(call.Args()[0])
		switch token := call.Args()[1].AsLiteral().(type) {
		case types.String:
			return string(tape.AppendToken([]byte(of), string(token))), ok && token != "*" && utf8.ValidString(string(token))
		case types.Int:
			return fmt.Sprintf("%s/%d", of, token), ok && token >= 0
		}
	}
	return "", false
}
