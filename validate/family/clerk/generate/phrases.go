package generate

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/hfpub/hfpub/validate/family/clerk/vocabulary"
)

// phrases is the vocabulary as it is written: JSON texts without their quotes, and such texts escaped once more for the ledgers,
// which are JSON in JSON.
type phrases struct {
	given, family []text
	predicates    []predicate
	chatter, acks []string
}

// text is a text escaped once and twice.
type text struct{ once, twice string }

// predicate is a predicate by its phrases. Its sentences are by template and value.
type predicate struct {
	id                  text
	importance          int
	label               string
	values              []text
	add, update, negate [][]string
}

func newPhrases(v *vocabulary.Vocabulary, split string) *phrases {
	p := &phrases{given: texts(v.Names[split].Given), family: texts(v.Names[split].Family)}
	for _, pred := range v.Predicates {
		p.predicates = append(p.predicates, predicate{
			id: newText(pred.ID), importance: pred.Importance, label: escape(pred.Label), values: texts(pred.Values),
			add:    sentences(pred.Add, "{v}", pred.Values),
			update: sentences(pred.Update, "{v}", pred.Values),
			negate: sentences(pred.Negate, "{o}", pred.Values),
		})
	}
	for _, line := range v.Chatter {
		p.chatter = append(p.chatter, escape(line))
	}
	for _, line := range v.Acks {
		p.acks = append(p.acks, escape(line))
	}
	return p
}

// name is the name of a persona. All pairs of given and family name differ for the first [MaxPersonas] personas.
func (p *phrases) name(persona, offset int) text {
	j := (persona + offset) % (len(p.given) * len(p.family))
	given, family := p.given[j%len(p.given)], p.family[(j/len(p.given)+j)%len(p.family)]
	return text{given.once + " " + family.once, given.twice + " " + family.twice}
}

func newText(s string) text { return text{escape(s), escape(escape(s))} }

func texts(list []string) []text {
	var out []text
	for _, s := range list {
		out = append(out, newText(s))
	}
	return out
}

// sentences fills every template with every value.
func sentences(templates []string, hole string, values []string) [][]string {
	var out [][]string
	for _, template := range templates {
		var filled []string
		for _, value := range values {
			filled = append(filled, escape(strings.Replace(template, hole, value, 1)))
		}
		out = append(out, filled)
	}
	return out
}

// escape writes a text as JSON does, without quotes and without the escapes that are meant for HTML.
func escape(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a string can be encoded, and a buffer written to
	}
	quoted := strings.TrimSpace(b.String())
	return quoted[1 : len(quoted)-1]
}
