package statistics

import (
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/record"
)

// words counts the texts that pandas takes for missing values, the empty one among them. There are 19, see [column.IsMissing].
type words map[string]int64

func (w *words) add(text []byte) {
	if *w == nil {
		*w = words{}
	}
	(*w)[string(text)]++
}

func (w *words) merge(next words) {
	if *w == nil && len(next) > 0 {
		*w = words{}
	}
	for text, n := range next {
		(*w)[text] += n
	}
}

// keeping is the column whose words are texts like others, with empty the empty one too.
func (c *columnSeen) keeping(limit int, empty bool) *columnSeen {
	_, some := c.words[""]
	if len(c.words) == 0 || some && len(c.words) == 1 && !empty {
		return c
	}
	out := *c
	out.words = nil
	more := newTexts()
	for _, text := range slices.Sorted(maps.Keys(c.words)) {
		n := c.words[text]
		if text == "" && !empty {
			continue
		}
		out.valid += n
		more.count += n
		more.opening.broken = true // no word is a date
		more.put(labelOf([]byte(text), utf8.RuneCountInString(text), n), []byte(text))
	}
	if c.texts != nil {
		more.merge(c.texts.clone(), limit)
	}
	out.texts = more
	return &out
}

func (w words) write(out *record.Writer) {
	out.Uint(uint64(len(w)))
	for _, text := range slices.Sorted(maps.Keys(w)) {
		out.Text(text)
		out.Uint(uint64(w[text]))
	}
}

// maxWords is more than there are words.
const maxWords = 32

// words reads words, and says how many cells they are.
func (r reader) words(w *words) int64 {
	var all int64
	for range r.Count(maxWords) {
		text, n := r.Text(), r.count()
		if _, twice := (*w)[text]; twice || n == 0 || !column.IsMissing([]byte(text)) {
			r.Fail()
			return 0
		}
		w.merge(words{text: n})
		all += n
	}
	return all
}
