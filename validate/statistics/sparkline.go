package statistics

import (
	"slices"
	"strings"
)

// bars are the characters of a sparkline, from the lowest to the highest.
var bars = []rune("▁▂▃▄▅▆▇█")

// Sparkline draws the counts of a histogram, a character for each bin: a blank for an empty one, else a bar as high as its share of
// the largest count.
func (h *Histogram) Sparkline() string { return Sparkline(h.Counts) }

// Sparkline draws counts, a character for each.
func Sparkline(counts []int64) string {
	if len(counts) == 0 {
		return ""
	}
	most := slices.Max(counts)
	var b strings.Builder
	for _, n := range counts {
		if n == 0 {
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(bars[int(float64(n)/float64(most)*float64(len(bars)-1)+0.5)])
	}
	return b.String()
}
