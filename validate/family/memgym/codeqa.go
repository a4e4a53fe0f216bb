package memgym

import (
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// The bounds of an instance.
const (
	minQuestions = 2
	maxQuestions = 5
	// longContext is from how many tokens on a medium question is a hard one.
	longContext = 100_000
)

// codeQARow judges a code-QA instance.
func (j *judge) codeQARow(root tape.Value) []string {
	external := map[string]bool{}
	outside := 0
	for _, fact := range elements(get(root, "grounding_facts")) {
		found := !is(get(fact, "discoverable"), tape.True)
		external[string(text(get(fact, "id")))] = found
		if found {
			outside++
		}
	}
	if n, ok := integer(get(root, "num_external_facts")); ok && n != outside {
		j.say(finding.MemgymExternalFacts, get(root, "num_external_facts"), "/num_external_facts", "count the facts with discoverable false",
			"num_external_facts is %d, and %d facts cannot be discovered", n, outside)
	}
	tokens, _ := integer(get(root, "target_tokens"))
	questions := get(root, "qa_pairs")
	if !is(questions, tape.Array) {
		return nil
	}
	memory := false
	for i, qa := range elements(questions) {
		j.question(i, qa, external, tokens > longContext)
		memory = memory || is(get(qa, "requires_memory"), tape.True)
	}
	const hint = "an instance is kept with 2 to 5 questions, of which at least one requires memory"
	switch n := questions.Len(); {
	case n < minQuestions || n > maxQuestions:
		j.say(finding.MemgymQuestions, questions, "/qa_pairs", hint, "there are %d questions", n)
	case !memory:
		j.say(finding.MemgymQuestions, questions, "/qa_pairs", hint, "no question requires memory")
	}
	return nil
}

// question judges a question by the facts that it needs.
func (j *judge) question(i int, qa tape.Value, external map[string]bool, long bool) {
	linked := get(qa, "linked_fact_ids")
	if !is(linked, tape.Array) {
		return
	}
	outside := 0
	for k, id := range elements(linked) {
		fromOutside, known := external[string(text(id))]
		if !known {
			j.say(finding.MemgymFactID, id, at("/qa_pairs", i, at("/linked_fact_ids", k, "")), "name a fact of grounding_facts", "there is no fact %s", text(id))
			return
		}
		if fromOutside {
			outside++
		}
	}
	if n, ok := integer(get(qa, "num_linked_facts")); ok && n != linked.Len() {
		j.say(finding.MemgymLinkedFacts, get(qa, "num_linked_facts"), at("/qa_pairs", i, "/num_linked_facts"), "count linked_fact_ids",
			"num_linked_facts is %d, and %d facts are linked", n, linked.Len())
	}
	want := "hard"
	switch {
	case outside == 0:
		want = "easy"
	case outside < 3 && !long:
		want = "medium"
	}
	if got := get(qa, "difficulty"); is(got, tape.String) && !isText(got, want) {
		j.say(finding.MemgymDifficulty, got, at("/qa_pairs", i, "/difficulty"), "no fact from outside is easy, one or two are medium (hard above 100,000 tokens), more are hard",
			"difficulty is %s, and %d facts from outside make it %s", text(got), outside, want)
	}
}
