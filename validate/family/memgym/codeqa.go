package memgym

import (
	"bytes"
	"slices"

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
	facts := &codeFacts{external: map[string]bool{}}
	known := map[string]bool{}
	for i, fact := range elements(get(root, "grounding_facts")) {
		j.once(get(fact, "id"), at("/grounding_facts", i, "/id"), known)
		external := is(get(fact, "discoverable"), tape.False)
		facts.external[string(text(get(fact, "id")))] = external
		facts.outside += yes(external)
		facts.critical += yes(isText(get(fact, "relevance"), "critical"))
	}
	if n, ok := integer(get(root, "num_external_facts")); ok && n != facts.outside {
		j.say(finding.MemgymExternalFacts, get(root, "num_external_facts"), "/num_external_facts", "count the facts with discoverable false",
			"num_external_facts is %d, and %d facts cannot be discovered", n, facts.outside)
	}
	if n, ok := integer(get(root, "num_critical_facts")); ok && n != facts.critical {
		j.say(finding.MemgymCriticalFacts, get(root, "num_critical_facts"), "/num_critical_facts", "count the facts with relevance critical",
			"num_critical_facts is %d, and %d facts are critical", n, facts.critical)
	}
	facts.tokens, _ = integer(get(root, "target_tokens"))
	if questions := get(root, "qa_pairs"); is(questions, tape.Array) {
		asked := j.questions(questions, facts)
		j.misleading(root, asked)
	}
	return nil
}

// codeFacts are the facts of a code-QA instance.
type codeFacts struct {
	// external says of each fact, by its id, that it cannot be discovered.
	external          map[string]bool
	outside, critical int
	// tokens are those that the instance was filled up to, 0 when it was not.
	tokens int
}

func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}

// questions judges the questions, and returns their ids.
func (j *judge) questions(list tape.Value, facts *codeFacts) (ids map[string]bool) {
	ids = map[string]bool{}
	asked := map[string]bool{}
	memory := false
	for i, qa := range list.Elements() {
		j.once(get(qa, "qa_id"), at("/qa_pairs", i, "/qa_id"), ids)
		j.question(i, qa, facts)
		memory = memory || is(get(qa, "requires_memory"), tape.True)
		asked[string(bytes.ToLower(bytes.TrimSpace(text(get(qa, "question")))))] = true
	}
	const hint = "an instance is kept with 2 to 5 questions, none of them twice, of which at least one requires memory"
	switch n := list.Len(); {
	case n < minQuestions || n > maxQuestions:
		j.say(finding.MemgymQuestions, list, "/qa_pairs", hint, "there are %d questions", n)
	case len(asked) < n:
		j.say(finding.MemgymQuestions, list, "/qa_pairs", hint, "there are %d questions, and only %d different ones", n, len(asked))
	case !memory:
		j.say(finding.MemgymQuestions, list, "/qa_pairs", hint, "no question requires memory")
	}
	return ids
}

// misleading judges that distractors mislead about questions that are there.
func (j *judge) misleading(root tape.Value, asked map[string]bool) {
	known := map[string]bool{}
	for i, d := range elements(get(root, "distractors")) {
		j.once(get(d, "id"), at("/distractors", i, "/id"), known)
		if id := get(d, "target_qa_id"); is(id, tape.String) && !asked[string(text(id))] {
			j.say(finding.MemgymQuestionID, id, at("/distractors", i, "/target_qa_id"), "name a question of qa_pairs", "there is no question %s", text(id))
		}
	}
}

// question judges a question by the facts that it needs.
func (j *judge) question(i int, qa tape.Value, facts *codeFacts) {
	linked := get(qa, "linked_fact_ids")
	if !is(linked, tape.Array) {
		return
	}
	outside := 0
	for k, id := range elements(linked) {
		external, known := facts.external[string(text(id))]
		if !known {
			j.say(finding.MemgymFactID, id, at("/qa_pairs", i, at("/linked_fact_ids", k, "")), "name a fact of grounding_facts", "there is no fact %s", text(id))
			return
		}
		outside += yes(external)
	}
	if n, ok := integer(get(qa, "num_linked_facts")); ok && n != linked.Len() {
		j.say(finding.MemgymLinkedFacts, get(qa, "num_linked_facts"), at("/qa_pairs", i, "/num_linked_facts"), "count linked_fact_ids",
			"num_linked_facts is %d, and %d facts are linked", n, linked.Len())
	}
	for _, flag := range []struct {
		field string
		want  bool
	}{{"requires_memory", outside > 0}, {"requires_synthesis", linked.Len() > 1}} {
		v := get(qa, flag.field)
		if (is(v, tape.True) || is(v, tape.False)) && v.Bool() != flag.want {
			j.say(finding.MemgymRequires, v, at("/qa_pairs", i, "/"+flag.field), "a question requires memory when it needs a fact from outside, and synthesis when it needs several facts",
				"%s is %v, and of %d linked facts %d are from outside", flag.field, v.Bool(), linked.Len(), outside)
		}
	}
	want := difficulties(outside, linked.Len(), facts.tokens)
	if got := get(qa, "difficulty"); is(got, tape.String) && !slices.Contains(want, string(text(got))) {
		j.say(finding.MemgymDifficulty, got, at("/qa_pairs", i, "/difficulty"), "no fact from outside is easy, one or two are medium (hard above 100,000 tokens), more are hard",
			"difficulty is %s, and %d facts from outside make it %s", text(got), outside, want[0])
	}
}

// difficulties are the difficulties that a question may have, the one that the documentation asks for first. It counts facts from
// outside, and the code all linked facts once one of them is from outside; the code measures the tokens of the instance, which are
// known only by what was aimed at.
func difficulties(outside, linked, tokens int) []string {
	const many = 3
	switch {
	case outside == 0:
		return []string{"easy"}
	case outside >= many || tokens > longContext:
		return []string{"hard"}
	case linked >= many || tokens == longContext:
		return []string{"medium", "hard"}
	}
	return []string{"medium"}
}
