package strictyaml

import (
	"math/big"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

// Type is what a scalar is to a reader of YAML.
type Type string

// The types of scalars. Dates, the merge key and the default key (=) are types of YAML 1.1 only.
const (
	Text    Type = "text"
	Null    Type = "null"
	Boolean Type = "boolean"
	Integer Type = "integer"
	Float   Type = "float"
	Date    Type = "date"
	Merge   Type = "merge key"
	Default Type = "default key"
)

// The patterns of YAML 1.1 are those of its type repository as PyYAML, the reader behind the Hub's Python libraries,
// applies them: y and n, booleans to the letter, are text to it.
var yaml11 = []struct {
	typ     Type
	pattern *lazyregexp.Regexp
}{
	{Boolean, lazyregexp.New(`^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$`)},
	{Float, lazyregexp.New(`^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|` +
		`[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)},
	{Integer, lazyregexp.New(`^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|` +
		`[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$`)},
	{Merge, lazyregexp.New(`^<<$`)},
	{Null, lazyregexp.New(`^(?:~|null|Null|NULL|)$`)},
	{Date, lazyregexp.New(`^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}` +
		`:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)$`)},
	{Default, lazyregexp.New(`^=$`)},
}

// The patterns of YAML 1.2 are those of its core schema.
var yaml12 = []struct {
	typ     Type
	pattern *lazyregexp.Regexp
}{
	{Null, lazyregexp.New(`^(?:~|null|Null|NULL|)$`)},
	{Boolean, lazyregexp.New(`^(?:true|True|TRUE|false|False|FALSE)$`)},
	{Integer, lazyregexp.New(`^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)},
	{Float, lazyregexp.New(`^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|` +
		`\.(?:nan|NaN|NAN))$`)},
}

// Type11 is what a scalar is to a YAML 1.1 reader such as Python's.
func Type11(n *yaml.Node) Type {
	if !plain(n) {
		return Text
	}
	for _, t := range yaml11 {
		if t.pattern.MatchString(n.Value) {
			return t.typ
		}
	}
	return Text
}

// Type12 is what a scalar is to a YAML 1.2 reader such as a browser's.
func Type12(n *yaml.Node) Type {
	if !plain(n) {
		return Text
	}
	for _, t := range yaml12 {
		if t.pattern.MatchString(n.Value) {
			return t.typ
		}
	}
	return Text
}

// Ambiguous reports whether YAML 1.1 and YAML 1.2 readers take a scalar for different things, as with no, on, 1:20,
// 2024-01-02, 1e3, 010, 0o17, = and <<. A value in quotes is never ambiguous.
func Ambiguous(n *yaml.Node) bool {
	if n.Kind != yaml.ScalarNode {
		return false
	}
	old, new := Type11(n), Type12(n)
	if old != new {
		return true
	}
	return old == Integer && octal11(n.Value)
}

// octal11 reports whether an integer of both versions is octal in YAML 1.1 with another value than its decimal digits have.
func octal11(text string) bool {
	digits := strings.TrimLeft(text, "-+")
	if len(digits) < 2 || digits[0] != '0' || strings.Trim(digits, "01234567") != "" {
		return false
	}
	octal, _ := new(big.Int).SetString(digits, 8)
	decimal, _ := new(big.Int).SetString(digits, 10)
	return octal.Cmp(decimal) != 0
}

// plain reports whether a scalar is written without quotes and tag, so that its text decides its type.
func plain(n *yaml.Node) bool {
	const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle | yaml.TaggedStyle
	return n.Kind == yaml.ScalarNode && n.Style&quoted == 0
}
