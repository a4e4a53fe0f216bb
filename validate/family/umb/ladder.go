package umb

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/validate/family/field"
	"github.com/hfpub/hfpub/validate/family/notes"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// rung names a file of the ladder: schema_longest_ladder_L01_tok812_c1_s1_f1_n50_seed42.json. Copies on the Hub end in _hf.
var rung = lazyregexp.New(`^schema_longest_ladder_L([0-9]{2})_tok([0-9]+)_c([0-9]+)_s([0-9]+)_f([0-9]+)_n([0-9]+)_seed(-?[0-9]+)(?:_hf)?\.jsonl?$`)

// rungParts are the numbers in the name of a file of the ladder.
type rungParts struct{ level, tokens, characters, schemas, facts, samples, seed int }

func partsOf(file string) (p rungParts, ok bool) {
	found := rung.FindStringSubmatch(path.Base(file))
	if found == nil {
		return p, false
	}
	for i, n := range []*int{&p.level, &p.tokens, &p.characters, &p.schemas, &p.facts, &p.samples, &p.seed} {
		*n, _ = strconv.Atoi(found[i+1])
	}
	return p, true
}

// levelSize is what the levels allow: characters, clusters of each, facts of each cluster; ok is false for a level beyond the ladder.
func levelSize(level int) (characters, schemas, facts int, ok bool) {
	switch {
	case level < 1 || level > 34:
		return 0, 0, 0, false
	case level <= 10:
		return 1, 1, level, true
	case level <= 19:
		return 1, level - 9, 10, true
	case level <= 28:
		return level - 18, 10, 10, true
	}
	return 5 * (level - 26), 10, 10, true
}

// factLine is a line of the prompt that is a fact: schema=【S】 | day_ts=D | fact=F, in brackets of either kind.
var factLine = lazyregexp.New(`^\s*schema=(?:【([^】]*)】|\[([^\]]*)\]) \| day_ts=(-?[0-9]+) \| fact=(.*)$`)

// shown is a fact in a prompt; person is whose it is, "" when nobody knows.
type shown struct {
	schema, fact, person string
	day, order           int
}

// inputMark is the line behind which the facts of the generator's prompts begin; above it is a worked example with facts.
const inputMark = "Now process the following facts:"

// factsIn are the facts of the input part of a prompt: those behind the mark, or without one, the last lines of facts that
// nothing but blank lines comes between.
func factsIn(prompt string) []shown {
	lines := strings.Split(prompt, "\n")
	start := 0
	for i, line := range lines {
		if strings.TrimSpace(line) == inputMark {
			start = i + 1
		}
	}
	var out []shown
	broken := false
	for _, line := range lines[start:] {
		found := factLine.FindStringSubmatch(line)
		if found == nil {
			broken = broken || start == 0 && strings.TrimSpace(line) != ""
			continue
		}
		if broken {
			out, broken = out[:0], false
		}
		day, _ := strconv.Atoi(found[3])
		out = append(out, shown{schema: cmp.Or(found[1], found[2]), fact: found[4], day: day, order: len(out)})
	}
	return out
}

// longest computes the ground truth: for each person and cluster the fact that held longest. Facts are sorted by day, then by their
// order in the prompt; of one fact, or of facts of one day, it is the first; otherwise the earlier one of the first of the largest
// gaps.
func longest(facts []shown) map[string]map[string]string {
	groups := map[string]map[string][]shown{}
	for _, f := range facts {
		if f.person == "" {
			continue
		}
		if groups[f.person] == nil {
			groups[f.person] = map[string][]shown{}
		}
		groups[f.person][f.schema] = append(groups[f.person][f.schema], f)
	}
	truth := map[string]map[string]string{}
	for person, schemas := range groups {
		truth[person] = map[string]string{}
		for schema, list := range schemas {
			slices.SortFunc(list, func(a, b shown) int { return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.order, b.order)) })
			best, gap := 0, 0
			for i := 1; i < len(list); i++ {
				if g := list[i].day - list[i-1].day; g > gap {
					best, gap = i-1, g
				}
			}
			truth[person][schema] = list[best].fact
		}
	}
	return truth
}

// findPeople tells whose each fact is: of the person whose name occurs in it. Of a fact that names several it is the one that the
// facts around it are about, since those of a person stand together; or else the first to be named. A lone person need not be named.
func findPeople(facts []shown, people []string) {
	named := make([][]string, len(facts))
	for i := range facts {
		named[i] = namesIn(facts[i].fact, people)
	}
	for i := range facts {
		switch list := named[i]; {
		case len(people) == 1:
			facts[i].person = people[0]
		case len(list) == 0:
		case len(list) > 1 && i > 0 && slices.Contains(list, facts[i-1].person):
			facts[i].person = facts[i-1].person
		case len(list) > 1 && i+1 < len(facts) && len(named[i+1]) == 1 && slices.Contains(list, named[i+1][0]):
			facts[i].person = named[i+1][0]
		default:
			facts[i].person = list[0]
		}
	}
}

// namesIn are the people whose names occur in a fact, in the order of the text; of names at one place the longest.
func namesIn(fact string, people []string) []string {
	at := map[int]string{}
	for _, name := range people {
		if i := strings.Index(fact, name); i >= 0 && len(name) > len(at[i]) {
			at[i] = name
		}
	}
	var out []string
	for _, i := range slices.Sorted(maps.Keys(at)) {
		out = append(out, at[i])
	}
	return out
}

// prompt is the one prompt of a sample, with keys as the generator or the copies on the Hub write them.
type prompt struct{ value tape.Value }

// get returns a member by its name in the generator's spelling, and its pointer.
func (p *prompt) get(name string) (v tape.Value, pointer string, ok bool) {
	if v, ok = p.value.Get(name); ok {
		return v, "/data/0/" + name, true
	}
	lower := strings.ToLower(name)
	v, ok = p.value.Get(lower)
	return v, "/data/0/" + lower, ok
}

// newLadderLook returns a look at samples. It parses ground truth that is JSON text on a tape of its own.
func newLadderLook() notes.Look {
	var truth tape.Tape
	return func(row *notes.Row, note *record.Writer) {
		meta, ok := row.Root.Get("meta")
		data, there := row.Root.At("/data/0")
		if !ok || !there {
			return
		}
		s := sample{row: row, meta: meta, people: field.Texts(meta, "chosen_characters"), prompt: prompt{data}}
		text, at, ok := s.prompt.get("Prompt")
		if !ok || text.Kind() != tape.String {
			return
		}
		s.facts = factsIn(text.Text())
		findPeople(s.facts, s.people)
		s.lookAtFactLines(text, at)
		s.lookAtName()
		s.lookAtPeople()
		s.lookAtStats(text)
		s.lookAtBounds(text, at)
		s.lookAtSchemas()
		s.lookAtTruth(&truth)
		s.note(note, text, at)
	}
}

// sample is a sample of the ladder.
type sample struct {
	row    *notes.Row
	meta   tape.Value
	people []string
	prompt prompt
	facts  []shown
	// unnamed says that a fact names none of the people, so that nobody knows what the truth is.
	unnamed bool
}

func (s *sample) lookAtFactLines(text tape.Value, at string) {
	if len(s.facts) == 0 {
		f := finding.New(finding.UMBLadderPrompt, "the prompt has no line of facts")
		s.row.Say(text, at, f.Hinting("a line of facts is: schema=【S】 | day_ts=D | fact=F"))
	}
}

// lookAtName holds the parameters of a sample against the name of its file and the size of the level.
func (s *sample) lookAtName() {
	parts, ok := partsOf(s.row.Path)
	if !ok {
		return
	}
	for _, p := range []struct {
		key  string
		want int
	}{{"num_characters", parts.characters}, {"max_schemas_per_character", parts.schemas}, {"max_facts_per_schema", parts.facts}, {"seed", parts.seed}} {
		if said, ok := field.Int(s.meta, p.key); ok && said != p.want {
			v, _ := s.meta.Get(p.key)
			s.row.Say(v, "/meta/"+p.key, finding.New(finding.UMBLadderName, "the name of the file says %d, found %d", p.want, said))
		}
	}
}

// lookAtPeople checks that the characters are sorted.
func (s *sample) lookAtPeople() {
	if !slices.IsSorted(s.people) {
		v, _ := s.meta.Get("chosen_characters")
		s.row.Say(v, "/meta/chosen_characters", finding.New(finding.UMBLadderPeople, "the chosen characters are not sorted"))
	}
}

// lookAtStats counts the prompt again. What follows from a wrong number is not reported once more.
func (s *sample) lookAtStats(text tape.Value) {
	hold := func(parent tape.Value, base, key string, want int) (said int) {
		v, ok := parent.At(key)
		if !ok {
			return want
		}
		said, ok = field.IntOf(v)
		if !ok || said == want {
			return want
		}
		f := finding.New(finding.UMBLadderStats, "the prompt has %d, found %d", want, said)
		s.row.Say(v, base+key, f.Hinting("chars are characters, est_tokens a quarter of them, rounded; facts_lines the lines of facts to process"))
		return said
	}
	chars, lines := utf8.RuneCountInString(text.Text()), len(s.facts)
	stats, at, ok := s.prompt.get("Stats")
	if ok {
		chars, lines = hold(stats, at, "/chars", chars), hold(stats, at, "/facts_lines", lines)
	}
	tokens := max(1, int(math.RoundToEven(float64(chars)/4)))
	if ok {
		tokens = hold(stats, at, "/est_tokens", tokens)
	}
	hold(s.meta, "/meta", "/stats/facts_lines", lines)
	hold(s.meta, "/meta", "/stats/prompts/schema_longest/chars", chars)
	hold(s.meta, "/meta", "/stats/prompts/schema_longest/est_tokens", tokens)
	hold(s.meta, "/meta", "/stats/sum_chars", chars)
	hold(s.meta, "/meta", "/stats/sum_est_tokens", tokens)
}

// lookAtBounds checks that the prompt shows no more than the level allows.
func (s *sample) lookAtBounds(text tape.Value, at string) {
	bound := func(key string) int {
		n, ok := field.Int(s.meta, key)
		if !ok {
			return math.MaxInt
		}
		return n
	}
	say := func(v tape.Value, pointer, format string, args ...any) {
		s.row.Say(v, pointer, finding.New(finding.UMBLadderBounds, format, args...))
	}
	if most := bound("num_characters"); len(s.people) > most {
		v, _ := s.meta.Get("chosen_characters")
		say(v, "/meta/chosen_characters", "%d characters are chosen, num_characters allows %d", len(s.people), most)
		return
	}
	type group struct{ person, schema string }
	sizes, schemas := map[group]int{}, map[string]int{}
	for _, f := range s.facts {
		person := f.person
		if person == "" {
			f := finding.New(finding.UMBLadderBounds, "a fact names none of the chosen characters: %s", f.fact)
			s.row.Say(text, at, f.As(finding.Warning).Hinting("the ground truth of the sample is not judged"))
			s.unnamed = true
			return
		}
		key := group{person, f.schema}
		if sizes[key]++; sizes[key] == 1 {
			schemas[person]++
		}
		if most := bound("max_facts_per_schema"); sizes[key] > most {
			say(text, at, "more than %d facts of %s in %s", most, person, f.schema)
			return
		}
		if most := bound("max_schemas_per_character"); schemas[person] > most {
			say(text, at, "more than %d clusters of %s", most, person)
			return
		}
	}
}

// lookAtSchemas checks that the chosen clusters of each character are those that the prompt shows facts of.
func (s *sample) lookAtSchemas() {
	chosen, ok := s.meta.Get("chosen_schemas")
	if !ok || chosen.Kind() != tape.Object || s.unnamed || len(s.facts) == 0 {
		return
	}
	say := func(at tape.Value, pointer, format string, args ...any) {
		s.row.Say(at, "/meta/chosen_schemas"+pointer, finding.New(finding.UMBLadderSchemas, format, args...))
	}
	left := map[string]map[string]bool{}
	for _, f := range s.facts {
		if left[f.person] == nil {
			left[f.person] = map[string]bool{}
		}
		left[f.person][f.schema] = true
	}
	for key, list := range chosen.Members() {
		name := key.Text()
		base := "/" + tape.EscapeToken(name)
		if list.Kind() != tape.Array {
			return
		}
		if !slices.Contains(s.people, name) {
			say(list, base, "%s is not among the chosen characters", name)
			continue
		}
		strange := false
		for i, v := range list.Elements() {
			if schema := v.Text(); !left[name][schema] {
				strange = true
				say(v, fmt.Sprintf("%s/%d", base, i), "the prompt has no facts of %s in %s", name, schema)
			} else {
				delete(left[name], schema)
			}
		}
		if more := slices.Sorted(maps.Keys(left[name])); len(more) > 0 && !strange {
			say(list, base, "the prompt has facts of %s in %s, which is not chosen", name, more[0])
		}
		delete(left, name)
	}
	if more := slices.Sorted(maps.Keys(left)); len(more) > 0 {
		say(chosen, "", "no clusters are chosen for %s", more[0])
	}
}

// lookAtTruth recomputes the ground truth from the prompt. A cluster with one fact may have null in place of it.
func (s *sample) lookAtTruth(text *tape.Tape) {
	v, at, ok := s.prompt.get("GT")
	if !ok || s.unnamed {
		return
	}
	root, inside := v, true
	if v.Kind() == tape.String {
		if problems := text.Parse([]byte(v.Text())); len(problems) > 0 {
			s.row.Say(v, at, finding.New(finding.UMBLadderTruth, "the ground truth is text, and no JSON"))
			return
		}
		root, inside = text.Root(), false
	}
	say := func(found tape.Value, pointer string, f finding.Finding) {
		if !inside {
			found, pointer = v, at
		} else {
			pointer = at + pointer
		}
		s.row.Say(found, pointer, f.Hinting("sort the facts of a person and cluster by day; the answer is the earlier fact of the first largest gap"))
	}
	want := longest(s.facts)
	for person, answers := range root.Members() {
		name := person.Text()
		answer, _ := answers.Get("schema_longest")
		base := "/" + tape.EscapeToken(name)
		if want[name] == nil {
			say(answers, base, finding.New(finding.UMBLadderTruth, "the prompt has no facts of %s", name))
			continue
		}
		if answer.Tape() == nil {
			continue
		}
		for key, fact := range answer.Members() {
			schema := key.Text()
			expected, known := want[name][schema]
			pointer := base + "/schema_longest/" + tape.EscapeToken(schema)
			switch {
			case !known:
				say(fact, pointer, finding.New(finding.UMBLadderTruth, "the prompt has no facts of %s in %s", name, schema))
			case fact.Kind() == tape.String && fact.Text() != expected:
				say(fact, pointer, finding.New(finding.UMBLadderTruth, "of %s in %s this held longest: %s", name, schema, expected))
			case fact.Kind() != tape.String && s.countOf(name, schema) > 1:
				say(fact, pointer, finding.New(finding.UMBLadderTruth, "of %s in %s this held longest: %s", name, schema, expected))
			}
			delete(want[name], schema)
		}
		if left := slices.Sorted(maps.Keys(want[name])); len(left) > 0 {
			say(answer, base+"/schema_longest", finding.New(finding.UMBLadderTruth, "the ground truth of %s lacks %s", name, left[0]))
		}
		delete(want, name)
	}
	if left := slices.Sorted(maps.Keys(want)); len(left) > 0 && root.Kind() == tape.Object {
		say(root, "", finding.New(finding.UMBLadderTruth, "the ground truth lacks %s", left[0]))
	}
}

func (s *sample) countOf(person, schema string) int {
	n := 0
	for _, f := range s.facts {
		if f.schema == schema && f.person == person {
			n++
		}
	}
	return n
}

// note notes the number of the sample, its tokens as stated, and its facts.
func (s *sample) note(note *record.Writer, text tape.Value, at string) {
	id, _ := s.row.Root.Get("sample_id")
	number, err := strconv.Atoi(strings.TrimPrefix(field.Text(s.row.Root, "sample_id"), "s"))
	if err != nil {
		number = -1
	}
	tokens := -1
	if stats, _, ok := s.prompt.get("Stats"); ok {
		if n, ok := field.Int(stats, "est_tokens"); ok {
			tokens = n
		}
	}
	note.Int(int64(number))
	note.Int(int64(lineOf(s.row, id)))
	note.Int(int64(tokens))
	note.Int(int64(s.row.LineOf(text)))
	note.Text(at)
	people, _ := s.meta.Get("chosen_characters")
	note.Int(int64(lineOf(s.row, people)))
	writeTexts(note, s.people)
	note.Uint(uint64(len(s.facts)))
	for _, f := range s.facts {
		h := factHash(f.person, f.schema, f.day, f.fact)
		note.Text(f.person)
		note.Raw(h[:])
	}
}

// rungFile is what is known of a file of the ladder.
type rungFile struct {
	place   place
	path    string
	tokens  []int
	samples int
}

func (w *world) readLadder(note *notes.Note) {
	at := placeOf(note)
	number, line, tokens := int(note.Int()), int(note.Int()), int(note.Int())
	promptLine, promptAt := int(note.Int()), note.Text()
	peopleAt := at.in(int(note.Int()), "/meta/chosen_characters")
	w.chosen = append(w.chosen, chosenPeople{peopleAt, readTexts(note.Reader)})
	file := w.rungs[at.Path]
	if file == nil {
		file = &rungFile{place: at, path: at.Path}
		w.rungs[at.Path] = file
		w.climbed = append(w.climbed, file)
	}
	file.samples++
	file.tokens = append(file.tokens, tokens)
	if number >= 0 && number != file.samples && w.has[ladder] {
		f := finding.New(finding.UMBLadderSamples, "sample %d of the file is numbered s%06d", file.samples, number)
		w.report(at.in(line, "/sample_id"), f.Hinting("samples are numbered s000001, s000002 and so on"))
	}
	for range note.Uint() {
		if note.Err() != nil {
			return
		}
		w.shown = append(w.shown, shownFact{at.in(promptLine, promptAt), note.Text(), readHash(note.Reader)})
	}
}

// chosenPeople are the characters of a sample.
type chosenPeople struct {
	place place
	names []string
}

// shownFact is a fact that a prompt shows.
type shownFact struct {
	place  place
	person string
	hash   hash
}

// summaryRow is a row of the ladder's summary.
type summaryRow struct {
	place  place
	level  string
	file   string
	tokens number
	parts  rungParts
}

func lookAtLadderSummary(row *notes.Row, note *record.Writer) {
	note.Text(field.Text(row.Root, "level"))
	note.Text(field.Text(row.Root, "file"))
	numberOf(row.Root, "avg_est_tokens").write(note)
	for _, key := range []string{"num_characters", "max_schemas_per_character", "max_facts_per_schema", "num_samples", "seed"} {
		n, _ := field.Int(row.Root, key)
		note.Int(int64(n))
	}
}

func (w *world) readLadderSummary(note *notes.Note) {
	s := summaryRow{place: placeOf(note), level: note.Text(), file: note.Text(), tokens: readNumber(note.Reader)}
	for _, n := range []*int{&s.parts.characters, &s.parts.schemas, &s.parts.facts, &s.parts.samples, &s.parts.seed} {
		*n = int(note.Int())
	}
	w.rungRows = append(w.rungRows, s)
}

// judgeLadder holds the files of the ladder against their names, the summary and the facts.
func (w *world) judgeLadder() {
	byName := map[string]*rungFile{}
	for _, file := range w.climbed {
		byName[plainName(file.path)] = file
		w.judgeRung(file)
	}
	listed := map[string]bool{}
	for i := range w.rungRows {
		r := &w.rungRows[i]
		if name := plainName(r.file); listed[name] {
			f := finding.New(finding.UMBRowRepeated, "%s has a row already", r.file)
			w.report(r.place.in(r.place.Line, "/file"), f.Hinting("keep one row for each file of the ladder"))
			continue
		}
		listed[plainName(r.file)] = true
		w.judgeSummaryRow(&w.rungRows[i], byName)
	}
	if len(w.rungRows) > 0 && w.has[ladderSummary] {
		for _, file := range w.climbed {
			if _, ok := partsOf(file.path); ok && !listed[plainName(file.path)] {
				w.report(file.place, finding.New(finding.UMBLadderSummary, "%s has no row in %s", path.Base(file.path), w.rungRows[0].place.Path))
			}
		}
	}
	w.judgeShown()
	w.judgeChosen()
}

// plainName is the name of a file of the ladder as the generator writes it.
func plainName(file string) string {
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(path.Base(file), ".jsonl"), ".json"), "_hf")
}

// judgeRung holds a file against its name.
func (w *world) judgeRung(file *rungFile) {
	parts, ok := partsOf(file.path)
	if !ok {
		return
	}
	if c, s, f, known := levelSize(parts.level); known && (c != parts.characters || s != parts.schemas || f != parts.facts) {
		found := finding.New(finding.UMBLadderLevel, "level %d is c%d s%d f%d, the name says c%d s%d f%d", parts.level, c, s, f, parts.characters, parts.schemas, parts.facts)
		w.report(file.place, found)
	}
	if !w.has[ladder] {
		return
	}
	if file.samples != parts.samples {
		w.report(file.place, finding.New(finding.UMBLadderSamples, "the name of the file says %d samples, found %d", parts.samples, file.samples))
	}
	if mean, ok := meanTokens(file.tokens); ok && int(math.RoundToEven(mean)) != parts.tokens {
		w.report(file.place, finding.New(finding.UMBLadderName, "the mean of est_tokens is %.1f, the name of the file says %d", mean, parts.tokens))
	}
}

// meanTokens is the mean of the tokens that samples state; ok is false when one states none.
func meanTokens(tokens []int) (mean float64, ok bool) {
	sum := 0
	for _, n := range tokens {
		if n < 0 {
			return 0, false
		}
		sum += n
	}
	return float64(sum) / float64(len(tokens)), len(tokens) > 0
}

// judgeSummaryRow holds a row of the summary against the name of its file and the file itself.
func (w *world) judgeSummaryRow(s *summaryRow, byName map[string]*rungFile) {
	at := func(key string) place { return s.place.in(s.place.Line, "/"+key) }
	parts, ok := partsOf(s.file)
	if !ok {
		w.report(at("file"), finding.New(finding.UMBLadderSummary, "%s is no name of a file of the ladder", s.file))
		return
	}
	if want := fmt.Sprintf("L%02d", parts.level); s.level != "" && s.level != want {
		w.report(at("level"), finding.New(finding.UMBLadderSummary, "the file is of level %s, found %s", want, s.level))
	}
	for _, c := range []struct {
		key         string
		said, wants int
	}{
		{"num_characters", s.parts.characters, parts.characters}, {"max_schemas_per_character", s.parts.schemas, parts.schemas},
		{"max_facts_per_schema", s.parts.facts, parts.facts}, {"num_samples", s.parts.samples, parts.samples}, {"seed", s.parts.seed, parts.seed},
	} {
		if c.said != c.wants {
			w.report(at(c.key), finding.New(finding.UMBLadderSummary, "the name of the file says %d, found %d", c.wants, c.said))
		}
	}
	file := byName[plainName(s.file)]
	if file == nil {
		if len(byName) > 0 && w.has[ladder] {
			w.report(at("file"), finding.New(finding.UMBLadderSummary, "%s is not there", s.file))
		}
		return
	}
	// The summary may print the mean with decimals, or rounded as in the file's name.
	if mean, ok := meanTokens(file.tokens); ok && s.tokens.ok && w.has[ladder] && !s.tokens.equals(mean, 0) && s.tokens.value != math.RoundToEven(mean) {
		w.report(at("avg_est_tokens"), finding.New(finding.UMBLadderSummary, "the mean of est_tokens is %.1f, found %g", mean, s.tokens.value))
	}
}

// judgeShown checks that prompts show facts of the file of facts. Of each prompt the first strange fact is reported.
func (w *world) judgeShown() {
	if len(w.facts) == 0 || !w.has[facts] {
		return
	}
	said := map[place]bool{}
	for _, s := range w.shown {
		if s.person == "" || w.facts[s.person][s.hash] || said[s.place] {
			continue
		}
		said[s.place] = true
		f := finding.New(finding.UMBLadderFact, "the prompt shows a fact of %s that the file of facts does not have", s.person)
		w.report(s.place, f.Hinting("fact, day and cluster are those of the file of facts; make the prompt anew from it"))
	}
}

// A character is fit for the ladder when it has at least fitSchemas clusters and in each of them fitFacts facts.
const (
	fitSchemas = 10
	fitFacts   = 2
)

// judgeChosen checks that the characters of samples have enough facts.
func (w *world) judgeChosen() {
	if len(w.facts) == 0 || !w.has[facts] {
		return
	}
	for _, c := range w.chosen {
		for i, name := range c.names {
			sizes, ok := w.factSizes[name]
			least := fitFacts
			for _, n := range sizes {
				least = min(least, n)
			}
			if !ok || len(sizes) >= fitSchemas && least >= fitFacts {
				continue
			}
			f := finding.New(finding.UMBLadderCharacter, "%s has %d clusters of facts, the smallest of %d", name, len(sizes), least)
			at := c.place.in(c.place.Line, fmt.Sprintf("%s/%d", c.place.Pointer, i))
			w.report(at, f.Hinting("the ladder is about characters with at least %d clusters of at least %d facts", fitSchemas, fitFacts))
		}
	}
}
