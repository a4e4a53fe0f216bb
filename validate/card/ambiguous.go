package card

import (
	"fmt"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/finding"
)

// text gives the text of a value that must be text to every reader, and reports it where it is not.
func (c *checker) text(n *yaml.Node, at, what string) (string, bool) {
	switch {
	case n.Kind != yaml.ScalarNode || strictyaml.IsNull(n):
		c.report(finding.CardType, n, at, "write a text", "%s is %s, expected a text", what, strictyaml.Describe(n))
	case strictyaml.Ambiguous(n):
		c.ambiguous(n, at, "put quotes around it: "+quoted(n.Value), what)
	case strictyaml.Type11(n) != strictyaml.Text:
		c.report(finding.CardType, n, at, "put quotes around it: "+quoted(n.Value), "%s is %s, expected a text", what,
			strictyaml.Describe(n))
	default:
		return n.Value, true
	}
	return "", false
}

// ambiguous reports a value that readers of YAML 1.1 and 1.2 take for different things.
func (c *checker) ambiguous(n *yaml.Node, at, hint, what string) *finding.Finding {
	if stopsPython(n) {
		return c.report(finding.CardYAML11, n, at, hint,
			"%s is a bare %s, at which Python's YAML reader stops", what, n.Value)
	}
	old, now := a(strictyaml.Type11(n)), a(strictyaml.Type12(n))
	if old == now {
		now = "another " + string(strictyaml.Type12(n))
	}
	return c.report(finding.CardYAML11, n, at, hint,
		"%s is %s without quotes: %s to YAML 1.1 readers such as Python's, %s to YAML 1.2",
		what, n.Value, old, now)
}

// stopsPython tells whether a value is one of the bare marks that Python's reader knows as keys only.
func stopsPython(n *yaml.Node) bool {
	t := strictyaml.Type11(n)
	return t == strictyaml.Default || t == strictyaml.Merge
}

// a names a type with its article.
func a(t strictyaml.Type) string {
	switch t {
	case strictyaml.Text, strictyaml.Null:
		return string(t)
	case strictyaml.Integer:
		return "an integer"
	}
	return "a " + string(t)
}

func quoted(text string) string { return strconv.Quote(text) }

// strict reports every ambiguous value and key below a node that the Hub or the loader reads.
func (c *checker) strict(n *yaml.Node, at string, skip ...string) {
	c.walk(n, at, finding.Error, finding.Error, skip)
}

// loose reports ambiguous values and keys below a node that nobody is known to read. Readers that hand on a date write
// it as it stood, which is worth no more than a note.
func (c *checker) loose(n *yaml.Node, at string) { c.walk(n, at, finding.Warning, finding.Note, nil) }

// walk reports the ambiguous values and keys below a node, except below keys that others judge.
func (c *checker) walk(n *yaml.Node, at string, severity, ofDates finding.Severity, skip []string) {
	c.scalar(n, at, severity, ofDates)
	for k, v := range strictyaml.Pairs(n) {
		if slices.Contains(skip, k.Value) {
			continue
		}
		below := at + "/" + strictyaml.Escape(k.Value)
		if !stopsPython(k) {
			c.scalar(k, below, severity, ofDates)
		}
		c.walk(v, below, severity, ofDates, skip)
	}
	for i, item := range strictyaml.Items(n) {
		c.walk(item, fmt.Sprintf("%s/%d", at, i), severity, ofDates, skip)
	}
}

func (c *checker) scalar(n *yaml.Node, at string, severity, ofDates finding.Severity) {
	if !strictyaml.Ambiguous(n) {
		return
	}
	f := c.ambiguous(n, at, "put quotes around it if it is a text: "+quoted(n.Value), at)
	switch {
	case stopsPython(n):
	case strictyaml.Type11(n) == strictyaml.Date:
		f.Severity = ofDates
	default:
		f.Severity = severity
	}
}
