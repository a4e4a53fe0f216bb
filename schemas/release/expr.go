package release

import (
	"fmt"
	"strings"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

// Expr is an arithmetic expression over the measured values of claims. Op is + - * or / with Left and Right, "negate"
// with Left alone, "number" with its decimal Text, or "claim" with the claim's id as Text.
type Expr struct {
	Op          string
	Text        string
	Left, Right *Expr
}

// Claims are the ids that an expression uses, in the order of its text.
func (e *Expr) Claims() []string {
	if e == nil {
		return nil
	}
	if e.Op == "claim" {
		return []string{e.Text}
	}
	return append(e.Left.Claims(), e.Right.Claims()...)
}

// maxExprDepth bounds how deep parentheses nest.
const maxExprDepth = 100

var (
	exprNumber = lazyregexp.New(`^(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?`)
	exprClaim  = lazyregexp.New(`^[A-Za-z_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?`)
	claimID    = lazyregexp.New(`^[A-Za-z_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?$`)
)

// ParseExpr reads an expression: numbers, ids of claims, + - * / and parentheses. A claim's id may hold hyphens and dots, so a
// minus between two ids needs blanks around it. The error names the character, counted from 1.
func ParseExpr(text string) (*Expr, error) {
	p := &exprParser{text: text}
	e, err := p.sum(0)
	if err != nil {
		return nil, err
	}
	if p.blanks(); p.at < len(text) {
		return nil, p.errorf("expected + - * / or the end, found %q", rest(text[p.at:]))
	}
	return e, nil
}

type exprParser struct {
	text string
	at   int
}

func (p *exprParser) errorf(format string, args ...any) error {
	return fmt.Errorf("at character %d: %s", len([]rune(p.text[:p.at]))+1, fmt.Sprintf(format, args...))
}

func (p *exprParser) blanks() {
	p.at += len(p.text[p.at:]) - len(strings.TrimLeft(p.text[p.at:], " \t\r\n"))
}

// operator takes the next character if it is one of those given.
func (p *exprParser) operator(of string) (op string, ok bool) {
	if p.blanks(); p.at == len(p.text) || !strings.ContainsRune(of, rune(p.text[p.at])) {
		return "", false
	}
	p.at++
	return p.text[p.at-1 : p.at], true
}

func (p *exprParser) sum(depth int) (*Expr, error) {
	return p.chain("+-", depth, p.product)
}

func (p *exprParser) product(depth int) (*Expr, error) {
	return p.chain("*/", depth, p.factor)
}

// chain reads operands joined by operators, which bind from the left.
func (p *exprParser) chain(operators string, depth int, operand func(int) (*Expr, error)) (*Expr, error) {
	left, err := operand(depth)
	if err != nil {
		return nil, err
	}
	for {
		op, ok := p.operator(operators)
		if !ok {
			return left, nil
		}
		right, err := operand(depth)
		if err != nil {
			return nil, err
		}
		left = &Expr{Op: op, Left: left, Right: right}
	}
}

func (p *exprParser) factor(depth int) (*Expr, error) {
	if depth > maxExprDepth {
		return nil, p.errorf("parentheses and signs nest deeper than %d", maxExprDepth)
	}
	if _, ok := p.operator("-"); ok {
		e, err := p.factor(depth + 1)
		if err != nil {
			return nil, err
		}
		return &Expr{Op: "negate", Left: e}, nil
	}
	if _, ok := p.operator("("); ok {
		e, err := p.sum(depth + 1)
		if err != nil {
			return nil, err
		}
		if _, ok := p.operator(")"); !ok {
			return nil, p.errorf("expected ), found %q", rest(p.text[p.at:]))
		}
		return e, nil
	}
	p.blanks()
	if number := exprNumber.FindString(p.text[p.at:]); number != "" {
		p.at += len(number)
		return &Expr{Op: "number", Text: number}, nil
	}
	if id := exprClaim.FindString(p.text[p.at:]); id != "" {
		p.at += len(id)
		return &Expr{Op: "claim", Text: id}, nil
	}
	return nil, p.errorf("expected a number, the id of a claim or (, found %q", rest(p.text[p.at:]))
}

// rest shortens what is left of an expression for a message.
func rest(text string) string {
	if runes := []rune(text); len(runes) > 12 {
		return string(runes[:12]) + "…"
	}
	return text
}
