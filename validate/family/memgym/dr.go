package memgym

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// drFact is a grounding fact: its id, and the hops that show and need it.
type drFact struct {
	id          string
	first, need int
}

// instance is a deep-research instance as far as its rules need it.
type instance struct {
	// research says that the instance was made by searching, as all that are released.
	research bool
	facts    []drFact
	// hops are the turns that are no red herring, by hop: their places among all turns.
	hops []int
	// turns is the number of turns.
	turns int
	// window is how many turns are in view, 0 when nothing is evicted.
	window int
}

// deepResearchRow judges a deep-research instance.
func (j *judge) deepResearchRow(root tape.Value) []string {
	j.hops(root)
	in := j.instance(root)
	j.seedQuestion(root, in)
	j.remember(root, in)
	j.perTurn(root, in)
	j.tokens(root)
	j.verification(root, in)
	j.distractors(root, in)
	j.wikipedia(root)
	if id := get(root, "instance_id"); is(id, tape.String) {
		return []string{string(text(id))}
	}
	return nil
}

// hops judges num_hops by the decomposition and the name of the file.
func (j *judge) hops(root tape.Value) {
	v := get(root, "num_hops")
	n, ok := integer(v)
	if !ok {
		return
	}
	if steps := get(root, "decomposition"); is(steps, tape.Array) && steps.Len() != n {
		j.say(finding.MemgymHops, v, "/num_hops", "a question has a hop for each step of its decomposition", "num_hops is %d, and the decomposition has %d steps", n, steps.Len())
		return
	}
	name := j.row.Path[strings.LastIndexByte(j.row.Path, '/')+1:]
	for _, stratum := range []struct {
		prefix   string
		from, to int
	}{{"3hop", 3, 3}, {"4hop", 4, 4}, {"56hop", 5, 6}} {
		if strings.HasPrefix(name, stratum.prefix) && (n < stratum.from || n > stratum.to) {
			j.say(finding.MemgymHops, v, "/num_hops", "the name of the file says how many hops its questions have", "num_hops is %d in %s", n, name)
		}
	}
}

// researchID is what the ids of instances begin with that were made by searching.
const researchID = "memgym_ir__research__"

// seedQuestion judges that the seed question is told twice.
func (j *judge) seedQuestion(root tape.Value, in *instance) {
	base, original := get(root, "base_instance"), get(root, "original_question")
	if in.research && is(base, tape.String) && is(original, tape.String) && !sameText(base, original) {
		j.say(finding.MemgymSeedQuestion, original, "/original_question", "both are the seed question", "original_question is not base_instance")
	}
}

// instance reads facts and turns, and judges their numbers.
func (j *judge) instance(root tape.Value) *instance {
	in := &instance{research: bytes.HasPrefix(text(get(root, "instance_id")), []byte(researchID))}
	for i, turn := range elements(get(root, "turns")) {
		if n, ok := integer(get(turn, "turn_index")); ok && n != i {
			j.say(finding.MemgymTurnIndex, get(turn, "turn_index"), at("/turns", i, "/turn_index"), "turns are numbered from 0 in their order", "turn_index is %d in turn %d", n, i)
		}
		if !is(get(turn, "is_red_herring"), tape.True) {
			in.hops = append(in.hops, i)
		}
		in.turns++
	}
	known := map[string]bool{}
	for i, fact := range elements(get(root, "grounding_facts")) {
		j.once(get(fact, "fact_id"), at("/grounding_facts", i, "/fact_id"), known)
		first, ok := integer(get(fact, "first_available_at_hop"))
		need, also := integer(get(fact, "needed_at_hop"))
		if span, has := integer(get(fact, "retention_span")); ok && also && has && span != need-first {
			j.say(finding.MemgymRetentionSpan, get(fact, "retention_span"), at("/grounding_facts", i, "/retention_span"), "retention_span is needed_at_hop less first_available_at_hop",
				"retention_span is %d, and the fact is needed %d hops after it is shown", span, need-first)
		}
		in.facts = append(in.facts, drFact{string(text(get(fact, "fact_id"))), first, need})
	}
	if policy := get(root, "eviction_policy"); is(policy, tape.Object) {
		in.window, _ = integer(get(policy, "window_size"))
		if isText(get(policy, "mode"), "full_eviction") || in.window < 1 {
			in.window = 1
		}
	}
	return in
}

// once says when an id of a list stands in it before. known are those that do.
func (j *judge) once(id tape.Value, pointer string, known map[string]bool) {
	s := string(text(id))
	if is(id, tape.String) && known[s] {
		j.say(finding.MemgymIDTwice, id, pointer, "give each element of the list an id of its own", "%s is the id of an element before it, too", s)
	}
	known[s] = true
}

// turnOf is the turn of a hop. A hop that no turn is made for is taken for the number of a turn, as MemGym does.
func (in *instance) turnOf(hop int) int {
	if hop >= 0 && hop < len(in.hops) {
		return in.hops[hop]
	}
	return hop
}

// from is the first turn that is in view in a turn.
func (in *instance) from(turn int) int { return max(0, turn-in.window+1) }

// critical are the facts that are needed in a turn and are no more in view, in the order of the facts.
func (in *instance) critical(turn int) []string {
	out := []string{}
	for _, f := range in.facts {
		if in.turnOf(f.need) == turn && in.turnOf(f.first) < in.from(turn) {
			out = append(out, f.id)
		}
	}
	return out
}

// shown are the facts of some turns, sorted, each once.
func (in *instance) shown(from, to int) []string {
	out := []string{}
	for _, f := range in.facts {
		if turn := in.turnOf(f.first); turn >= from && turn < to {
			out = append(out, f.id)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// remember judges what has to be remembered.
func (j *judge) remember(root tape.Value, in *instance) {
	known := map[string]bool{}
	for _, f := range in.facts {
		known[f.id] = true
	}
	required := get(root, "memory_required_facts")
	for i, id := range elements(required) {
		if s := string(text(id)); !known[s] {
			j.say(finding.MemgymFactID, id, at("/memory_required_facts", i, ""), "name a fact of grounding_facts", "there is no fact %s", s)
			return
		}
	}
	if in.window == 0 || !is(required, tape.Array) {
		return
	}
	var want []string
	for turn := range in.turns {
		for _, id := range in.critical(turn) {
			if !slices.Contains(want, id) {
				want = append(want, id)
			}
		}
	}
	if got := texts(required); !slices.Equal(got, want) {
		j.say(finding.MemgymRequiredFacts, required, "/memory_required_facts", "hfpub explain memgym/required-facts tells the rule",
			"memory_required_facts is [%s], and the eviction policy asks for [%s]", strings.Join(got, " "), strings.Join(want, " "))
	}
}

const perTurnHint = "hfpub explain memgym/per-turn-retention tells the rule"

// perTurn judges the retention of each turn: what is in view, what is no more, and what of that is needed.
func (j *judge) perTurn(root tape.Value, in *instance) {
	list := get(get(root, "rubric"), "per_turn_retention")
	const pointer = "/rubric/per_turn_retention"
	if in.window == 0 || !is(list, tape.Array) {
		return
	}
	if list.Len() != in.turns {
		j.say(finding.MemgymPerTurn, list, pointer, perTurnHint, "the retention of %d turns is told, and there are %d", list.Len(), in.turns)
		return
	}
	for i, entry := range list.Elements() {
		if turn, ok := integer(get(entry, "turn")); !ok {
			continue
		} else if turn != i {
			j.say(finding.MemgymPerTurn, get(entry, "turn"), at(pointer, i, "/turn"), perTurnHint, "turn is %d in entry %d", turn, i)
			return
		}
		for _, part := range []struct {
			field string
			want  []string
		}{
			{"available_facts", in.shown(in.from(i), i+1)}, {"evicted_facts", in.shown(0, in.from(i))}, {"critical", in.critical(i)},
		} {
			field := get(entry, part.field)
			if got := texts(field); is(field, tape.Array) && !slices.Equal(got, part.want) {
				j.say(finding.MemgymPerTurn, field, at(pointer, i, "/"+part.field), perTurnHint,
					"%s of turn %d is [%s], and the eviction policy gives [%s]", part.field, i, strings.Join(got, " "), strings.Join(part.want, " "))
				return
			}
		}
	}
}

// tokens judges that the total is the sum of its parts.
func (j *judge) tokens(root tape.Value) {
	counts := get(root, "context_tokens")
	if !is(counts, tape.Object) {
		return
	}
	sum, total, has := 0, 0, false
	for key, v := range counts.Members() {
		n, ok := integer(v)
		if !ok {
			return
		}
		if isText(key, "total") {
			total, has = n, true
		} else {
			sum += n
		}
	}
	if !has {
		return
	}
	if total != sum {
		j.say(finding.MemgymContextTokens, get(counts, "total"), "/context_tokens/total", "total is the sum of the other counts", "total is %d, and the sum is %d", total, sum)
		return
	}
	if n, ok := integer(get(root, "total_tokens")); ok && n != total {
		j.say(finding.MemgymTotalTokens, get(root, "total_tokens"), "/total_tokens", "scaling after the build changes it; tell so in the card",
			"total_tokens is %d, and context_tokens.total is %d", n, total)
	}
}

// The thresholds of the verification.
const (
	minScore   = 0.5
	minGap     = 0.3
	maxLong    = 0.90
	docLong    = 0.85 // what the text of the module says in place of maxLong
	maxHack    = 0.45
	maxWithout = 0.3
	maxContext = 0.4
)

// verification judges the numbers of the verification and whether they pass.
func (j *judge) verification(root tape.Value, in *instance) {
	v := get(root, "verification")
	scores := get(v, "scores")
	if !is(scores, tape.Array) {
		j.acceptance(v)
		return
	}
	const hint = "hfpub explain memgym/verification tells the rule"
	var list []float64
	for _, s := range elements(scores) {
		x, ok := decimal(s)
		if !ok {
			return
		}
		list = append(list, x)
	}
	spans := 0
	for _, f := range in.facts {
		if f.need > f.first {
			spans++
		}
	}
	if len(list) != spans+1 {
		j.say(finding.MemgymVerification, scores, "/verification/scores", hint, "there are %d scores, and %d facts that have to be retained", len(list), spans)
		return
	}
	first, last := list[0], list[len(list)-1]
	long, hasLong := decimal(get(v, "score_long_context"))
	for _, c := range []struct {
		field string
		want  float64
		known bool
	}{
		{"score_no_memory", first, true}, {"score_all_memory", last, true}, {"memory_gap", last - first, true}, {"context_gap", last - long, hasLong},
	} {
		if x, ok := decimal(get(v, c.field)); ok && c.known && !near(x, c.want) {
			j.say(finding.MemgymVerification, get(v, c.field), "/verification/"+c.field, hint, "%s is %v, and the scores give %v", c.field, x, c.want)
			return
		}
	}
	passed := last >= minScore && (last-first >= minGap || near(last-first, minGap)) && first <= minScore && (!hasLong || long <= maxLong && last >= long)
	j.verdict(v, "passed", passed, hint)
	if passed && hasLong && long > docLong {
		j.say(finding.MemgymLongContext, get(v, "score_long_context"), "/verification/score_long_context", "tell in the card which of the two bounds holds",
			"score_long_context is %v: it passes the bound of the code, %v, and not that of the text, %v", long, maxLong, docLong)
	}
	if hack, ok := decimal(get(v, "hack_score")); ok {
		j.verdict(v, "hack_passed", hack <= maxHack, hint)
	}
}

// acceptance judges the verification of instances that were made from a data set.
func (j *judge) acceptance(v tape.Value) {
	a, ok := decimal(get(v, "score_a"))
	b, also := decimal(get(v, "score_b"))
	c, too := decimal(get(v, "score_c"))
	if !ok || !also || !too {
		return
	}
	const hint = "hfpub explain memgym/verification tells the rule"
	for _, gap := range []struct {
		field string
		want  float64
	}{{"gap_ab", a - b}, {"gap_ac", a - c}} {
		if x, has := decimal(get(v, gap.field)); has && !near(x, gap.want) {
			j.say(finding.MemgymVerification, get(v, gap.field), "/verification/"+gap.field, hint, "%s is %v, and the scores give %v", gap.field, x, gap.want)
			return
		}
	}
	j.verdict(v, "accepted", a >= minScore && (b < maxWithout || a-b >= minGap || near(a-b, minGap)) && c < maxContext, hint)
}

// verdict says when a verdict is not what its numbers give.
func (j *judge) verdict(v tape.Value, field string, want bool, hint string) {
	got := get(v, field)
	if (is(got, tape.True) || is(got, tape.False)) && got.Bool() != want {
		j.say(finding.MemgymVerification, got, "/verification/"+field, hint, "%s is %v, and the scores give %v", field, got.Bool(), want)
	}
}

// minAnswer is how many characters an answer has at least that is looked for in distractors.
const minAnswer = 6

// distractors judges that no near miss gives the answer away, and that they contradict facts that are there.
func (j *judge) distractors(root tape.Value, in *instance) {
	answer := bytes.ToLower(text(get(root, "answer")))
	telling := utf8.RuneCount(answer) >= minAnswer
	known := map[string]bool{}
	for i, d := range elements(get(root, "distractors")) {
		pointer := at("/distractors", i, "")
		j.once(get(d, "id"), pointer+"/id", known)
		if turn, ok := integer(get(d, "target_turn")); ok && is(get(root, "turns"), tape.Array) && (turn < 0 || turn >= in.turns) {
			j.say(finding.MemgymTargetTurn, get(d, "target_turn"), pointer+"/target_turn", "name a turn by its number, from 0", "target_turn is %d, and there are %d turns", turn, in.turns)
		}
		content := get(d, "content")
		if telling && isText(get(d, "source"), "sibling_near_miss") && bytes.Contains(bytes.ToLower(text(content)), answer) {
			j.say(finding.MemgymNearMiss, content, pointer+"/content", "a near miss answers another question: write one that does not hold the answer", "the distractor holds the answer %s", answer)
		}
		id := get(d, "interferes_with")
		if is(id, tape.String) && !slices.ContainsFunc(in.facts, func(f drFact) bool { return isText(id, f.id) }) {
			j.say(finding.MemgymFactID, id, pointer+"/interferes_with", "name a fact of grounding_facts", "there is no fact %s", text(id))
		}
	}
}

// wikipedia says which documents name Wikipedia: its passages are under a license that the release does not have.
func (j *judge) wikipedia(root tape.Value) {
	if !names(root.Raw()) {
		return
	}
	judge := func(document tape.Value, pointer string) {
		title, passage := get(document, "title"), get(document, "text")
		switch {
		case is(title, tape.String) && names(title.Raw()):
			j.say(finding.MemgymWikipedia, title, pointer+"/title", wikipediaHint, "the title names Wikipedia as the source")
		case is(passage, tape.String) && bytes.Contains(passage.Raw(), []byte(wikipediaHost)):
			j.say(finding.MemgymWikipedia, passage, pointer+"/text", wikipediaHint, "the text names an address of Wikipedia")
		}
	}
	for i, turn := range elements(get(root, "turns")) {
		for k, document := range elements(get(turn, "documents")) {
			judge(document, at("/turns", i, at("/documents", k, "")))
		}
	}
	for i, paragraph := range elements(get(root, "gold_supporting_paragraphs")) {
		judge(paragraph, at("/gold_supporting_paragraphs", i, ""))
	}
}

const (
	wikipediaHost = "wikipedia.org"
	wikipediaHint = "say where the passage comes from; one of Wikipedia brings CC BY-SA along"
)

// names says that a text names Wikipedia, by its name or its address.
func names(text []byte) bool {
	return bytes.Contains(text, []byte(wikipediaHost)) || bytes.Contains(text, []byte("Wikipedia"))
}
