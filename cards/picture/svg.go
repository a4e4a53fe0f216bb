package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate/license"
)

// legendHeight is the height of the line that explains the edges, in pixels.
const legendHeight = 28.0

// SVG draws the graph.
func SVG(name string, g *license.Graph) string {
	boxes, width, height := layout(g)
	flows := flowsOf(g)
	width = max(width, 2*margin+float64(len(flows))*110)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="Helvetica, Arial, sans-serif" role="img">`+"\n",
		width, height+legendHeight, width, height+legendHeight)
	fmt.Fprintf(&b, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n", escaped("Licenses of "+name))
	b.WriteString("<defs>\n")
	for _, flow := range flows {
		fmt.Fprintf(&b, `<marker id="%s" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="%s"/></marker>`+"\n",
			markerOf(flow), styleOf(flow).color)
	}
	b.WriteString("</defs>\n")
	for _, e := range g.Edges {
		if boxes[e.From] != nil && boxes[e.To] != nil {
			writeEdge(&b, boxes[e.From], boxes[e.To], e.Flow)
		}
	}
	for i := range g.Nodes {
		writeBox(&b, boxes[g.Nodes[i].ID])
	}
	for i, flow := range flows {
		x, y := margin+float64(i)*110, height+legendHeight/2-4
		fmt.Fprintf(&b, `<path d="M%.1f %.1fh30" %s/><text x="%.1f" y="%.1f" font-size="11">%s</text>`+"\n",
			x, y, stroke(flow), x+36, y+4, escaped(string(flow)))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// flowsOf lists the flows of a graph in the order of the legend.
func flowsOf(g *license.Graph) []license.Flow {
	var out []license.Flow
	for _, flow := range []license.Flow{license.Content, license.Base, license.Labels, license.Reference, license.Tool} {
		if slices.ContainsFunc(g.Edges, func(e license.Edge) bool { return e.Flow == flow }) {
			out = append(out, flow)
		}
	}
	return out
}

func markerOf(flow license.Flow) string { return "to-" + string(flow) }

func stroke(flow license.Flow) string {
	s := styleOf(flow)
	dash := ""
	if s.dash != "" {
		dash = fmt.Sprintf(` stroke-dasharray="%s"`, s.dash)
	}
	return fmt.Sprintf(`fill="none" stroke="%s" stroke-width="%.1f"%s`, s.color, s.width, dash)
}

// writeEdge draws an edge from the right side of one box to the left side of another.
func writeEdge(b *strings.Builder, from, to *box, flow license.Flow) {
	x1, y1 := from.x+from.w, from.y+from.h/2
	x2, y2 := to.x, to.y+to.h/2
	bend := max(40, (x2-x1)/2)
	fmt.Fprintf(b, `<path d="M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f" %s marker-end="url(#%s)"><title>%s</title></path>`+"\n",
		x1, y1, x1+bend, y1, x2-bend, y2, x2, y2, stroke(flow), markerOf(flow),
		escaped(fmt.Sprintf("%s → %s: %s", from.node.ID, to.node.ID, flow)))
}

func writeBox(b *strings.Builder, at *box) {
	radius := 4.0
	if at.node.Kind == license.Upstream {
		radius = boxHeight / 2
	}
	fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%.1f" fill="%s" stroke="#333333"/>`+"\n",
		at.x, at.y, at.w, at.h, radius, fillOf(at.node))
	for i, text := range labels(at.node) {
		weight := ""
		if i == 0 {
			weight = ` font-weight="bold"`
		}
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" font-size="11.5" text-anchor="middle"%s>%s</text>`+"\n",
			at.x+at.w/2, at.y+17+float64(i)*16, weight, escaped(text))
	}
}

// escaped writes a text for XML.
func escaped(s string) string {
	var b bytes.Buffer
	if err := xml.EscapeText(&b, []byte(oneLine(s))); err != nil {
		return "" // a buffer takes everything
	}
	return b.String()
}
