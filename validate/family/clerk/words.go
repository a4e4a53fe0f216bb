package clerk

import (
	"bytes"

	"github.com/hfpub/hfpub/validate/family/clerk/vocabulary"
)

// words is the vocabulary as it is looked up.
type words struct {
	predicates map[string]*predicate
	chatter    map[string]bool
	// acks are the assistant's answers.
	acks map[string]bool
	// values are all values of all predicates.
	values [][]byte
	// pools are the given names of each split's pool.
	pools map[string]map[string]bool
}

type predicate struct {
	importance int
	// label is the noun by which questions ask about it.
	label  string
	values map[string]bool
	// sentences are the templates of each kind of event, cut at the hole.
	sentences map[string][]sentence
}

type sentence struct{ before, after []byte }

func newWords(v *vocabulary.Vocabulary) *words {
	w := &words{predicates: map[string]*predicate{}, chatter: map[string]bool{}, acks: map[string]bool{}, pools: map[string]map[string]bool{}}
	for _, p := range v.Predicates {
		known := &predicate{importance: p.Importance, label: p.Label, values: map[string]bool{}}
		for _, value := range p.Values {
			known.values[value] = true
			w.values = append(w.values, []byte(value))
		}
		known.sentences = map[string][]sentence{"ADD": cut(p.Add, "{v}"), "UPDATE": cut(p.Update, "{v}"), "NEGATE": cut(p.Negate, "{o}")}
		w.predicates[p.ID] = known
	}
	for _, line := range v.Chatter {
		w.chatter[line] = true
	}
	for _, line := range v.Acks {
		w.acks[line] = true
	}
	for split, pool := range v.Names {
		w.pools[split] = map[string]bool{}
		for _, name := range pool.Given {
			w.pools[split][name] = true
		}
	}
	return w
}

func cut(templates []string, hole string) []sentence {
	var out []sentence
	for _, template := range templates {
		before, after, _ := bytes.Cut([]byte(template), []byte(hole))
		out = append(out, sentence{before, after})
	}
	return out
}

// isValue says whether a text can be the value of a predicate. Of a predicate that is not in the vocabulary any can.
func (w *words) isValue(pred, value []byte) bool {
	p := w.predicates[string(pred)]
	return p == nil || p.values[string(value)]
}

// states says whether a text is one that states the value by one of the predicate's own sentences.
func (w *words) states(kind, pred, value, text []byte) bool {
	p := w.predicates[string(pred)]
	if p == nil {
		return false
	}
	for _, s := range p.sentences[string(kind)] {
		if len(text) == len(s.before)+len(value)+len(s.after) && bytes.HasPrefix(text, s.before) && bytes.HasSuffix(text, s.after) &&
			bytes.Equal(text[len(s.before):len(s.before)+len(value)], value) {
			return true
		}
	}
	return false
}

// other is a value of the vocabulary that stands in a text beside the one it is about; nil for none.
func (w *words) other(text, value []byte) []byte {
	for _, v := range w.values {
		if !bytes.Equal(v, value) && bytes.Contains(text, v) {
			return v
		}
	}
	return nil
}
