package picture

import (
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/license"
)

var update = flag.Bool("update", false, "write golden files anew")

func example() *license.Graph {
	repo := func(id, status, id2 string) license.Node {
		return license.Node{ID: id, Kind: license.Repo, Type: "dataset", Status: status, License: id2}
	}
	work := func(id, of string, traits ...license.Trait) license.Node {
		return license.Node{ID: id, Kind: license.Upstream, License: of, Traits: traits}
	}
	edge := func(from, to string, flow license.Flow) license.Edge {
		return license.Edge{From: from, To: to, Flow: flow}
	}
	return &license.Graph{
		Nodes: []license.Node{
			repo("tea/pairs", "public", "mit"), repo("tea/judge", "pending", "apache-2.0"), repo("tea/notes", "withheld", ""),
			work("HotpotQA", "cc-by-sa-4.0", license.Attribution, license.ShareAlike),
			work(`<odd> "name" \ & more`, "unknown"), work("Qwen3", "apache-2.0"), work("lonely", "mit"),
		},
		Edges: []license.Edge{
			edge("HotpotQA", "tea/pairs", license.Content), edge(`<odd> "name" \ & more`, "tea/pairs", license.Tool),
			edge("tea/pairs", "tea/judge", license.Labels), edge("Qwen3", "tea/judge", license.Base), edge("tea/pairs", "tea/notes", license.Reference),
		},
	}
}

func TestGolden(t *testing.T) {
	for name, got := range map[string]string{"graph.dot": DOT("tea", example()), "graph.svg": SVG("tea", example())} {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Edges lead to the right, and no two boxes lie on each other.
func TestLayout(t *testing.T) {
	g := example()
	boxes, width, height := layout(g)
	for _, e := range g.Edges {
		if from, to := boxes[e.From], boxes[e.To]; from.x+from.w >= to.x {
			t.Errorf("the edge from %s to %s does not lead to the right", e.From, e.To)
		}
	}
	for a, x := range boxes {
		if x.x < 0 || x.y < 0 || x.x+x.w > width || x.y+x.h > height {
			t.Errorf("%s is outside of the picture", a)
		}
		for b, y := range boxes {
			if a != b && x.x < y.x+y.w && y.x < x.x+x.w && x.y < y.y+y.h && y.y < x.y+x.h {
				t.Errorf("%s lies on %s", a, b)
			}
		}
	}
}

// Whatever things are called, the SVG is XML, and a circle is drawn too.
func FuzzPicture(f *testing.F) {
	f.Add("a", "b", "c")
	f.Add("]]>", "\x00\xff", `"\`)
	f.Fuzz(func(t *testing.T, a, b, c string) {
		g := &license.Graph{
			Nodes: []license.Node{{ID: a, Kind: license.Repo, License: c}, {ID: b, Kind: license.Upstream}, {ID: c}},
			Edges: []license.Edge{{From: a, To: b, Flow: license.Content}, {From: b, To: a, Flow: license.Base}, {From: c, To: a, Flow: license.Flow("tool")}},
		}
		if dot := DOT(c, g); strings.Count(dot, "\n") != 5+2*3 {
			t.Errorf("a name breaks a line of DOT:\n%s", dot)
		}
		d := xml.NewDecoder(strings.NewReader(SVG(c, g)))
		for {
			if _, err := d.Token(); err == io.EOF {
				return
			} else if err != nil {
				t.Fatalf("the SVG is not XML: %v", err)
			}
		}
	})
}
