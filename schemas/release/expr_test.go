package release

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// write puts an expression into prefix form.
func write(e *Expr) string {
	switch {
	case e.Left == nil:
		return e.Text
	case e.Right == nil:
		return fmt.Sprintf("(%s %s)", e.Op, write(e.Left))
	}
	return fmt.Sprintf("(%s %s %s)", e.Op, write(e.Left), write(e.Right))
}

func TestParseExpr(t *testing.T) {
	tests := []struct {
		text, want string
		claims     []string
	}{
		{"(a + b) / 2", "(/ (+ a b) 2)", []string{"a", "b"}},
		{"a - b - c", "(- (- a b) c)", []string{"a", "b", "c"}},
		{"a + b * c", "(+ a (* b c))", []string{"a", "b", "c"}},
		{"rows-train - rows-test", "(- rows-train rows-test)", []string{"rows-train", "rows-test"}},
		{"a-b", "a-b", []string{"a-b"}},
		{"a- b", "(- a b)", []string{"a", "b"}},
		{"-a * -2.5e-3", "(* (negate a) (negate 2.5e-3))", []string{"a"}},
		{" .5 ", ".5", nil},
		{"v1.2 / 1.", "(/ v1.2 1.)", []string{"v1.2"}},
		{"--1", "(negate (negate 1))", nil},
	}
	for _, test := range tests {
		e, err := ParseExpr(test.text)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		if got := write(e); got != test.want || !slices.Equal(e.Claims(), test.claims) {
			t.Errorf("%q is read as %s over %q, want %s over %q", test.text, got, e.Claims(), test.want, test.claims)
		}
	}
}

func TestExprErrorsNameTheCharacter(t *testing.T) {
	tests := []struct{ text, says string }{
		{"", "at character 1"},
		{"1 +", "at character 4"},
		{"(a", "at character 3: expected )"},
		{"a b", "at character 3: expected + - * / or the end"},
		{"a)", "at character 2"},
		{"é", "at character 1"},
		{"a ^ 2", "at character 3"},
		{"a @", "at character 3"},
		{strings.Repeat("(", 1000), "nest deeper"},
		{strings.Repeat("-", 1000) + "1", "nest deeper"},
	}
	for _, test := range tests {
		if _, err := ParseExpr(test.text); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%.20q: got %v, want %q", test.text, err, test.says)
		}
	}
}

func FuzzParseExpr(f *testing.F) {
	for _, s := range []string{"(a + b) / 2", "-1e5*x-y", "((", "a b", ".", "1..2", "\u00e9"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := ParseExpr(text)
		if err != nil {
			return
		}
		for _, id := range e.Claims() {
			if !claimID.MatchString(id) {
				t.Errorf("%q uses %q, which is no id of a claim", text, id)
			}
		}
	})
}
