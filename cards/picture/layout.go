package picture

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/hfpub/hfpub/validate/license"
)

// Sizes in pixels.
const (
	charWidth  = 7.0
	boxHeight  = 42.0
	boxPadding = 12.0
	layerGap   = 110.0
	rowGap     = 18.0
	margin     = 20.0
)

// box is a node with its place: x and y of its upper left corner.
type box struct {
	node       *license.Node
	layer      int
	x, y, w, h float64
}

// layout places nodes in layers from left to right, so that edges lead to the right, and orders each layer so that few
// edges cross: every node stands near the mean of its neighbours in the layer before. Ties keep the order of the graph.
func layout(g *license.Graph) (boxes map[string]*box, width, height float64) {
	boxes = map[string]*box{}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		b := &box{node: n, h: boxHeight}
		for _, l := range labels(n) {
			b.w = max(b.w, float64(utf8.RuneCountInString(l))*charWidth+2*boxPadding)
		}
		boxes[n.ID] = b
	}
	assignLayers(g, boxes)
	layers := order(g, boxes)
	for _, layer := range layers {
		height = max(height, float64(len(layer))*(boxHeight+rowGap)-rowGap)
	}
	x := margin
	for _, layer := range layers {
		widest := 0.0
		for _, b := range layer {
			widest = max(widest, b.w)
		}
		y := margin + (height-float64(len(layer))*(boxHeight+rowGap)+rowGap)/2
		for _, b := range layer {
			b.x, b.y = x+(widest-b.w)/2, y
			y += boxHeight + rowGap
		}
		x += widest + layerGap
	}
	return boxes, x - layerGap + margin, height + 2*margin
}

// assignLayers puts every node one layer behind the last of those that flow into it. In a circle the layers stop growing at
// the number of nodes. Works with nothing above them then move right, next to what they flow into.
func assignLayers(g *license.Graph, boxes map[string]*box) {
	for range g.Nodes {
		changed := false
		for _, e := range g.Edges {
			from, to := boxes[e.From], boxes[e.To]
			if from == nil || to == nil || e.From == e.To || from.layer+1 <= to.layer || from.layer+1 >= len(g.Nodes) {
				continue
			}
			to.layer = from.layer + 1
			changed = true
		}
		if !changed {
			break
		}
	}
	for _, b := range boxes {
		if b.layer > 0 || len(g.Into(b.node.ID)) > 0 {
			continue
		}
		nearest := len(g.Nodes)
		for _, e := range g.Edges {
			if e.From == b.node.ID && boxes[e.To] != nil {
				nearest = min(nearest, boxes[e.To].layer-1)
			}
		}
		if nearest < len(g.Nodes) {
			b.layer = max(0, nearest)
		}
	}
}

// sweeps is how often the layers are put in order, forth and back.
const sweeps = 4

// order sorts the boxes into layers and the layers by their neighbours. Layers without boxes are left out.
func order(g *license.Graph, boxes map[string]*box) [][]*box {
	var layers [][]*box
	for i := range g.Nodes {
		b := boxes[g.Nodes[i].ID]
		for len(layers) <= b.layer {
			layers = append(layers, nil)
		}
		layers[b.layer] = append(layers[b.layer], b)
	}
	layers = slices.DeleteFunc(layers, func(l []*box) bool { return len(l) == 0 })
	place := map[string]float64{}
	note := func(layer []*box) {
		for i, b := range layer {
			place[b.node.ID] = (float64(i) + 0.5) / float64(len(layer))
		}
	}
	for _, layer := range layers {
		note(layer)
	}
	sort := func(layer []*box) {
		mean := map[*box]float64{}
		for _, b := range layer {
			mean[b] = neighbours(g, place, b.node.ID)
		}
		slices.SortStableFunc(layer, func(a, b *box) int { return cmp.Compare(mean[a], mean[b]) })
		note(layer)
	}
	for range sweeps {
		for _, layer := range layers {
			sort(layer)
		}
		for _, layer := range slices.Backward(layers) {
			sort(layer)
		}
	}
	return layers
}

// neighbours is the mean place of the nodes that share an edge with one; its own place where there are none.
func neighbours(g *license.Graph, place map[string]float64, id string) float64 {
	sum, n := 0.0, 0
	for _, e := range g.Edges {
		switch id {
		case e.From:
			sum, n = sum+place[e.To], n+1
		case e.To:
			sum, n = sum+place[e.From], n+1
		}
	}
	if n == 0 {
		return place[id]
	}
	return sum / float64(n)
}
