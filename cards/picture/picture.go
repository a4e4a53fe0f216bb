// Package picture draws the license graph of a release: as DOT for Graphviz ([DOT]), and as SVG ([SVG]) with a layout of its own,
// so that nothing has to be installed. The same graph gives the same bytes.
package picture

import (
	"fmt"
	"strings"

	"github.com/hfpub/hfpub/validate/license"
)

// style is how the edges of a flow are drawn.
type style struct {
	color string
	// dash is the pattern of strokes of SVG, "" for a whole line; dot is the style of Graphviz.
	dash, dot string
	width     float64
}

// styleOf gives content and base models, which carry obligations, a whole line, and all else a broken one.
func styleOf(flow license.Flow) style {
	switch flow {
	case license.Content:
		return style{color: "#1f4e79", dot: "solid", width: 2}
	case license.Base:
		return style{color: "#7a3e9d", dot: "bold", width: 2.5}
	case license.Labels:
		return style{color: "#2e7d32", dash: "6 3", dot: "dashed", width: 1.2}
	case license.Reference:
		return style{color: "#757575", dash: "2 3", dot: "dotted", width: 1.2}
	}
	return style{color: "#b26a00", dash: "6 3 2 3", dot: "dashed", width: 1.2}
}

// fillOf is the colour of a box: repos by their status, works by what their license demands.
func fillOf(n *license.Node) string {
	switch {
	case n.Kind == license.Repo && n.Status == "pending":
		return "#fff3cd"
	case n.Kind == license.Repo && n.Status == "withheld":
		return "#e0e0e0"
	case n.Kind == license.Repo:
		return "#d7ebd3"
	}
	for _, t := range n.Traits {
		if t == license.ShareAlike || t == license.NonCommercial || t == license.NoDerivatives {
			return "#f8d7da"
		}
	}
	return "#ffffff"
}

// labels are the lines of text in the box of a node.
func labels(n *license.Node) []string {
	second := n.License
	if second == "" {
		second = "no license"
	}
	if n.Kind == license.Repo {
		second += " · " + n.Type + " · " + n.Status
	}
	return []string{shortened(n.ID), shortened(second)}
}

// maxLabel is how many characters of a name are drawn.
const maxLabel = 48

func shortened(s string) string {
	if r := []rune(oneLine(s)); len(r) > maxLabel {
		return string(r[:maxLabel-1]) + "…"
	}
	return oneLine(s)
}

// oneLine replaces what cannot stand in a drawing: control characters, and what XML 1.0 does not allow.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufffe' || r == '\uffff' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}

// DOT writes the graph in the language of Graphviz, from left to right.
func DOT(name string, g *license.Graph) string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n  rankdir=LR;\n  node [shape=box, style=filled, fontname=\"Helvetica\", fontsize=11];\n", quote(name))
	b.WriteString("  edge [fontname=\"Helvetica\", fontsize=9];\n")
	for i := range g.Nodes {
		n := &g.Nodes[i]
		shape := "box"
		if n.Kind == license.Upstream {
			shape = "ellipse"
		}
		fmt.Fprintf(&b, "  %s [label=%s, shape=%s, fillcolor=\"%s\"];\n", quote(n.ID), quote(strings.Join(labels(n), "\n")), shape, fillOf(n))
	}
	for _, e := range g.Edges {
		s := styleOf(e.Flow)
		fmt.Fprintf(&b, "  %s -> %s [label=%s, style=%s, color=\"%s\"];\n", quote(e.From), quote(e.To), quote(string(e.Flow)), s.dot, s.color)
	}
	b.WriteString("}\n")
	return b.String()
}

// quote writes a text as a string of DOT; a line break is the escape \n.
func quote(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(oneLine(l))
	}
	return `"` + strings.Join(lines, `\n`) + `"`
}
