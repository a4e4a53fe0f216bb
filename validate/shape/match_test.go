package shape

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

func parsed(t testing.TB, text string) *tape.Tape {
	t.Helper()
	doc := new(tape.Tape)
	if problems := doc.Parse([]byte(text)); len(problems) > 0 {
		t.Fatalf("%s: %s", text, problems[0].Message)
	}
	return doc
}

func rational(t testing.TB, number string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(number)
	if !ok {
		t.Fatalf("%s is no number", number)
	}
	return r
}

var numbers = []string{
	"0", "-0", "0.0", "0e5", "1", "-1", "1.0", "10e-1", "0.1e1", "100", "1e2", "100.00", "-1e2", "12.5", "1.25e1", "0.05", "5e-2", "0.5",
	"9007199254740992", "9007199254740993", "9007199254740993.0", "123456789012345678", "1234567890123456789", "-123456789012345678901",
	"1e400", "10e399", "1e-400", "999999999999999999999999999999e-10", "0.30000000000000001", "0.3", "0.1", "3", "7", "21", "0.0001",
	"1000000000000000000000000000000000000000", "12345678901234567890123", "24691357802469135780246",
}

// Numbers are what package big takes them for.
func TestDecimals(t *testing.T) {
	for _, a := range numbers {
		for _, b := range numbers {
			holdNumbers(t, a, b)
		}
	}
}

func FuzzDecimals(f *testing.F) {
	f.Add("1.50e3", "-0.02")
	f.Add("1e10000", "12345678901234567890e-3")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, text := range []string{a, b} {
			var doc tape.Tape
			if len(text) > 200 || len(doc.Parse([]byte(text))) > 0 || doc.Root().Kind() != tape.Number || string(doc.Root().Raw()) != text {
				return
			}
		}
		if strings.ContainsAny(a+b, "eE") && len(a)+len(b) > 20 {
			return // what package big makes of large exponents takes long
		}
		holdNumbers(t, a, b)
	})
}

func holdNumbers(t *testing.T, a, b string) {
	t.Helper()
	x, y := rational(t, a), rational(t, b)
	d, e := decimalOf([]byte(a)), decimalOf([]byte(b))
	if got, want := d.compare(&e), x.Cmp(y); got != want {
		t.Errorf("%s against %s: %d, expected %d", a, b, got, want)
	}
	n := numeralOf([]byte(a))
	if got, want := boundOf(b).compare(&n), x.Cmp(y); got != want {
		t.Errorf("%s against the bound %s: %d, expected %d", a, b, got, want)
	}
	holdBounds(t, a, b)
	if got, want := d.isWhole(), x.IsInt(); got != want {
		t.Errorf("%s is whole: %v, expected %v", a, got, want)
	}
	if same := string(d.appendExact(nil)) == string(e.appendExact(nil)); same != (x.Cmp(y) == 0) {
		t.Errorf("%s and %s have the same digits: %v", a, b, same)
	}
	if y.Sign() > 0 {
		if got, want := factorOf(b).divides(&n), new(big.Rat).Quo(x, y).IsInt(); got != want {
			t.Errorf("%s is a multiple of %s: %v, expected %v", a, b, got, want)
		}
	}
}

// Equality is that of the canonical text.
func TestEqual(t *testing.T) {
	texts := []string{
		`null`, `true`, `false`, `0`, `-0.0`, `1`, `1.0`, `9007199254740993`, `""`, `"a"`, `"\u0061"`, `"é"`, `"\u00e9"`, `"null"`, `[]`, `{}`, `[1]`, `[1.0]`,
		`[[1]]`, `["a,b"]`, `["a", "b"]`, `{"a": 1, "b": [2]}`, `{"b": [2.0], "\u0061": 1}`, `{"a": 1}`, `{"a": 1, "c": [2]}`, `{"b": 1, "a": [2]}`, `{"a": null}`,
		`[["a", 1]]`, `{"é": {"x": 1}}`, `{"\u00e9": {"x": 1e0}}`,
	}
	u := new(uniqueTable)
	for _, a := range texts {
		f, _ := parse("schema.json", []byte(a))
		for _, b := range texts {
			pair := parsed(t, "["+a+", "+b+", [[[]]]]").Root()
			x, y := elementAt(pair, 0), elementAt(pair, 1)
			want := canonical(x.Any()) == canonical(y.Any())
			if got := equal(x, y); got != want {
				t.Errorf("%s and %s are equal: %v, expected %v", a, b, got, want)
			}
			if got := f.root.is(y); got != want {
				t.Errorf("%s of a schema is %s: %v, expected %v", a, b, got, want)
			}
			if i, j, _ := u.find(pair); (i == 0 && j == 1) != want {
				t.Errorf("%s and %s in an array: elements %d and %d are found equal", a, b, i, j)
			}
		}
	}
}

func TestPlainExpressions(t *testing.T) {
	tests := map[string]bool{
		`^u-[0-9a-f]{8}$`: true, `^\[`: true, `^[a-z]+__[a-z]+-[0-9]+$`: true, `^20[0-9]{2}-`: true, `^[^"]*$`: true, `^.$`: true, `^$`: true,
		`^(?:ab)c?$`: true, `^(a)(b)$`: true, `^\d{4}-\d\d$`: true, `^`: true, `^x{2,3}y`: true, `^é`: false, `^[é]`: false, `^\S+$`: false,
		`^a*a$`: false, `^a?b?a$`: false, `^[a-z]*[a-z0-9]$`: false, `a`: false, `^(?i)a`: false, `^a|b`: false, `^(a|bc)$`: false, `^(ab)*$`: false, `a$`: false,
	}
	for pattern, want := range tests {
		engine, err := compilePattern(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := expressionOf(engine).plain; got != want {
			t.Errorf("%s is plain: %v, expected %v", pattern, got, want)
		}
	}
}

// An expression matches what Go's engine matches, in plain texts and in those with escapes.
func FuzzExpression(f *testing.F) {
	for _, pattern := range []string{`^u-[0-9a-f]{2}$`, `^\[`, `^[a-z]+_[^"]*$`, `^a{1,2}b?\n`, `^.*$`, `^[^a]{2}`, `^\\`, `@[0-9]+$`, `^a?b*c+`, `^[^é]$`} {
		f.Add(pattern, "u-ab")
		f.Add(pattern, "aab\nccé")
		f.Add(pattern, `\"[a_`)
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		engine, err := regexp.Compile(pattern)
		if err != nil || !utf8.ValidString(text) || len(pattern) > 100 {
			return
		}
		e := expressionOf(engine)
		want := engine.MatchString(text)
		if got := e.matches([]byte(text)); got != want {
			t.Errorf("%q matches %q: %v, expected %v", pattern, text, got, want)
		}
		for _, quoted := range []string{quotedJSON(text), everyEscape(text)} {
			v := parsed(t, quoted).Root()
			if got := new(matching).matches(e, v); got != want {
				t.Errorf("%q matches %s: %v, expected %v", pattern, quoted, got, want)
			}
		}
	})
}

func quotedJSON(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted)
}

// everyEscape writes every other character of a text as an escape.
func everyEscape(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i, r := range text {
		switch {
		case r > 0xFFFF:
			b.WriteRune(r)
		case i%2 == 0 || r < 0x20 || r == '"' || r == '\\':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// A row that fits is judged without an allocation, once rows like it have been seen.
func TestNoAllocations(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector makes pools forget, which allocates")
	}
	schema := `{
		"definitions": {"node": {"properties": {"kind": {"const": "node"}, "next": {"$ref": "#/definitions/tree"}}, "required": ["kind"]},
			"leaf": {"properties": {"kind": {"const": "leaf"}, "score": {"type": "number"}}, "required": ["kind"]},
			"tree": {"oneOf": [{"$ref": "#/definitions/node"}, {"$ref": "#/definitions/leaf"}]}},
		"type": "object", "required": ["id"], "propertyNames": {"maxLength": 10},
		"properties": {
			"id": {"type": "integer", "minimum": 0, "maximum": 1e40}, "price": {"multipleOf": 0.01, "exclusiveMaximum": 1000.5},
			"text": {"minLength": 1, "maxLength": 50, "pattern": "b$"}, "code": {"pattern": "^[a-z]+-\\d{2}$"},
			"tags": {"items": {"enum": ["a", "b", "c", "d", "e", "f", "g", "h", "i"]}, "uniqueItems": true, "contains": {"const": "a"}},
			"many": {"uniqueItems": true, "items": {"type": "integer"}},
			"pair": {"items": [{"type": "string"}, {"const": [1, {"a": 2}]}], "additionalItems": false},
			"when": {"format": "date-time"}, "site": {"format": "uri"}, "mail": {"format": "email"}, "host": {"format": "ipv6"}, "day": {"format": "date"},
			"tree": {"$ref": "#/definitions/tree"}, "maybe": {"anyOf": [{"type": "null"}, {"type": "string"}]}
		},
		"patternProperties": {"^x_": {"type": "boolean"}}, "additionalProperties": false, "dependencies": {"price": ["id"], "text": {"required": ["id"]}},
		"if": {"properties": {"id": {"const": 3}}}, "then": {"not": {"required": ["nothing"]}}, "else": {"allOf": [{"maxProperties": 20}]}
	}`
	s := compiled(t, schema)
	for name, text := range map[string]string{
		"plain": `{"id": 3, "price": 19.99, "text": "aéb", "code": "ab-12", "tags": ["a", "b"], "when": "2024-05-01T10:00:00Z", "x_1": true}`,
		"escapes": `{"id": 9007199254740993.0, "text": "a\n\u00e9\"b", "code": "\u0061-12", "tags": ["\u0061"], "day": "2024\u002d02-29", ` +
			`"site": "https:\/\/example.com", "\u0068ost": "::1"}`,
		"deep": `{"id": 4, "tree": {"kind": "node", "next": {"kind": "node", "next": {"kind": "leaf", "score": 1e3}}}, "maybe": null, "pair": ["x", [1.0, {"a": 2}]]}`,
		"many": `{"id": 1e30, "many": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], "mail": "a.b@example.com"}`,
	} {
		row := &rows.Row{Path: "rows.jsonl", Line: 1, Doc: parsed(t, text)}
		o := s.NewObserver(0)
		o.Observe(row)
		if found := o.Findings().All(); len(found) > 0 {
			t.Fatalf("%s: the row must fit: %v", name, found)
		}
		if n := testing.AllocsPerRun(100, func() { o.Observe(row) }); n > 0 {
			t.Errorf("%s: %v allocations for a row", name, n)
		}
	}
}

// CSV rows with typed columns are no exception.
func TestNoAllocationsForCells(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector makes pools forget, which allocates")
	}
	s := compiled(t, `{"properties": {"id": {"type": "integer"}, "ok": {"type": "boolean"}, "note": {"type": "string"}}, "required": ["id"]}`)
	row := &rows.Row{Path: "rows.csv", Line: 1, Cells: true, Doc: parsed(t, `{"id": "1", "ok": "True", "note": "a \"b\""}`)}
	o := s.NewObserver(0)
	o.Observe(row)
	if found := o.Findings().All(); len(found) > 0 {
		t.Fatalf("the row must fit: %v", found)
	}
	if n := testing.AllocsPerRun(100, func() { o.Observe(row) }); n > 0 {
		t.Errorf("%v allocations for a row", n)
	}
}
