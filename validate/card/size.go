package card

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/nearest"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/finding"
)

// sizes are the Hub's size categories: what holds for fewer rows than the bound.
var sizes = []struct {
	below    int64
	category string
}{
	{1e3, "n<1K"}, {1e4, "1K<n<10K"}, {1e5, "10K<n<100K"}, {1e6, "100K<n<1M"}, {1e7, "1M<n<10M"}, {1e8, "10M<n<100M"},
	{1e9, "100M<n<1B"}, {1e10, "1B<n<10B"}, {1e11, "10B<n<100B"}, {1e12, "100B<n<1T"},
}

const largest = "n>1T"

// SizeCategory is the Hub's category for a number of rows; a lower bound belongs to its category.
func SizeCategory(rows int64) string {
	for _, s := range sizes {
		if rows < s.below {
			return s.category
		}
	}
	return largest
}

// sizeCategories judges the categories by themselves and against the rows of all configs together. The words other and
// unknown are taken by the Hub's libraries.
func (c *checker) sizeCategories(v *yaml.Node, at string) {
	rows, measured := c.rows()
	nodes, places := []*yaml.Node{v}, []string{at}
	if v.Kind == yaml.SequenceNode {
		nodes, places = v.Content, nil
		for i := range nodes {
			places = append(places, fmt.Sprintf("%s/%d", at, i))
		}
	}
	var said []string
	for i, n := range nodes {
		text, ok := strictyaml.String(n)
		switch {
		case !ok || text == "":
			return
		case !isSize(text):
			c.report(finding.CardSizeCategory, n, places[i], sizeHint(text, rows, measured), "%q is no size category", text)
			return
		}
		said = append(said, text)
	}
	if !measured || len(nodes) == 0 || slices.Contains(said, SizeCategory(rows)) {
		return
	}
	c.report(finding.CardSizeDiffers, nodes[0], places[0], "write "+SizeCategory(rows),
		"size_categories says %s, the data has %s",
		strings.Join(said, ", "), countRows(rows))
}

func isSize(text string) bool {
	return slices.Contains(categories(), text) || text == "other" || text == "unknown"
}

func categories() []string {
	var all []string
	for _, s := range sizes {
		all = append(all, s.category)
	}
	return append(all, largest)
}

// sizeHint offers the category that fits the rows, else the one that was meant.
func sizeHint(text string, rows int64, measured bool) string {
	if measured {
		return fmt.Sprintf("write %s, which fits %s", SizeCategory(rows), countRows(rows))
	}
	if near, ok := nearest.Word(strings.ReplaceAll(text, " ", ""), categories()); ok {
		return "write " + near
	}
	return "write one of " + strings.Join(categories(), ", ")
}
