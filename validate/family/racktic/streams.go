package racktic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/validate/family/field"
	"github.com/hfpub/hfpub/validate/family/notes"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// half is how many issues of a stream are of one repository.
const half = 6

// heldOut is a repository that probes use, so that no stream may.
const heldOut = "jd__tenacity.0d40e76f"

// passRates are the shares of runs that solve an issue, by its strategy, as the builder of the streams has them. A strategy
// that was not measured has unmeasured.
var passRates = map[string]float64{
	"func_pm_class_rm_base": .75, "func_pm_ctrl_shuffle": .42, "func_basic": .40, "func_pm_op_swap": .33, "func_pm_op_change": .32,
	"func_pm_op_change_const": .30, "func_pm_ctrl_invert_if": .23, "other": .17, "combine_file": .16, "func_pm_remove_assign": .13,
	"func_pm_remove_cond": .11, "func_pm_class_rm_funcs": .11, "lm_rewrite": .08, "func_pm_remove_loop": .04, "combine_module": .01,
	"func_pm_remove_wrapper": 0,
}

const unmeasured = .15

func passRate(strategy string) float64 {
	if rate, ok := passRates[strategy]; ok {
		return rate
	}
	return unmeasured
}

// The levels of issues: easy from a pass rate of .25 on, mid from .10 on.
const (
	easy = iota
	mid
	hard
)

func levelOf(strategy string) int {
	switch rate := passRate(strategy); {
	case rate >= .25:
		return easy
	case rate >= .10:
		return mid
	}
	return hard
}

// tiers are the tiers of streams in the order of the file, with how many issues of each level a half has.
var tiers = []struct {
	name string
	of   [3]int
}{{"pure_easy", [3]int{6, 0, 0}}, {"easy_mid", [3]int{3, 3, 0}}, {"mixed", [3]int{2, 2, 2}}}

// tierOf is the place of a tier; -1 when there is none of the name.
func tierOf(name string) int {
	for i := range tiers {
		if tiers[i].name == name {
			return i
		}
	}
	return -1
}

var issue = lazyregexp.New(`^(.+?__.+\.[0-9a-f]{8})\.(?:([a-z0-9_]+?)__[a-z0-9]{8}|pr_[0-9]+)$`)

// partsOf cuts an issue's id into its repository and its strategy; pull requests are of strategy other.
func partsOf(id string) (repo, strategy string, ok bool) {
	found := issue.FindStringSubmatch(id)
	if found == nil {
		return "", "", false
	}
	if found[2] == "" {
		return found[1], "other", true
	}
	return found[1], found[2], true
}

// stream is what is known of a stream of issues.
type stream struct {
	place                         place
	index, seed                   int
	tier, text, repoA, repoB      string
	indexLine, seedLine, tierLine int
	textLine                      int
	ids                           []string
	idLines                       []int
}

const textPointer = "/prompt/0/content/0/text"

func lookAtStream(row *notes.Row, note *record.Writer) {
	metadata, ok := row.Root.Get("metadata")
	if !ok || metadata.Kind() != tape.Object {
		return
	}
	l := look{row, metadata, field.Text(metadata, "repoA"), field.Text(metadata, "repoB")}
	l.repos()
	if l.issues() {
		l.tier()
	}
	l.note(note)
}

// look is a look at one stream.
type look struct {
	row          *notes.Row
	metadata     tape.Value
	repoA, repoB string
}

func (l *look) say(at tape.Value, path string, f finding.Finding) {
	l.row.Say(at, "/metadata/"+path, f)
}

// repos checks the two repositories.
func (l *look) repos() {
	if at, ok := l.metadata.Get("repoB"); ok && l.repoB != "" && l.repoA == l.repoB {
		l.say(at, "repoB", finding.New(finding.RackticStreamLayout, "both halves of the stream are of %s", l.repoA).Hinting("a stream goes from one repository to another"))
	}
	for _, key := range []string{"repoA", "repoB"} {
		if at, ok := l.metadata.Get(key); ok && at.Text() == heldOut {
			l.say(at, key, finding.New(finding.RackticRepoHeldOut, "%s is held out for probes", heldOut))
		}
	}
}

// issues checks labels and strategies against the ids, and the labels against the repositories. It is false when the strategies
// tell nothing: they are not those of the issues.
func (l *look) issues() (sound bool) {
	sound = true
	labels, strategies := field.Texts(l.metadata, "stage_labels"), field.Texts(l.metadata, "strategies")
	for i, v := range field.List(l.metadata, "stage_labels") {
		want := l.repoA
		if i >= half {
			want = l.repoB
		}
		if label := v.Text(); want != "" && label != "" && label != want {
			f := finding.New(finding.RackticStreamLayout, "issue %d is of %s, expected one of %s", i+1, label, want)
			l.say(v, fmt.Sprintf("stage_labels/%d", i), f.Hinting("six issues of repoA come first, then six of repoB"))
		}
	}
	if n, _ := field.Len(l.metadata, "instance_ids"); n != len(labels) || n != len(strategies) {
		return false
	}
	for i, v := range field.List(l.metadata, "instance_ids") {
		repo, strategy, ok := partsOf(v.Text())
		if !ok {
			continue
		}
		if labels[i] != "" && labels[i] != repo {
			l.say(v, fmt.Sprintf("instance_ids/%d", i), finding.New(finding.RackticStreamLabel, "%s is an issue of %s, its label says %s", v.Text(), repo, labels[i]))
		}
		if strategies[i] != "" && strategies[i] != strategy {
			sound = false
			at, _ := l.metadata.At(fmt.Sprintf("/strategies/%d", i))
			f := finding.New(finding.RackticStreamStrategy, "%s was made by %s, found %s", v.Text(), strategy, strategies[i])
			l.say(at, fmt.Sprintf("strategies/%d", i), f)
		}
	}
	return sound
}

// tier checks what the halves of the stream are made of, and that they go from easy to hard.
func (l *look) tier() {
	at, ok := l.metadata.Get("strategies")
	tier := tierOf(field.Text(l.metadata, "difficulty_tier"))
	if !ok || at.Len() != 2*half || tier < 0 {
		return
	}
	strategies := field.Texts(l.metadata, "strategies")
	for segment := range 2 {
		list := strategies[segment*half : (segment+1)*half]
		if slices.Contains(list, "") {
			return
		}
		var levels [3]int
		for _, strategy := range list {
			levels[levelOf(strategy)]++
		}
		if want := tiers[tier].of; levels != want {
			f := finding.New(finding.RackticStreamTier, "half %d of the stream has %d easy, %d mid and %d hard issues; %s has %d, %d and %d", segment+1,
				levels[easy], levels[mid], levels[hard], tiers[tier].name, want[easy], want[mid], want[hard])
			l.say(at, "strategies", f.Hinting("the level of an issue follows from the pass rate of its strategy"))
			continue
		}
		for i := 1; i < half; i++ {
			if passRate(list[i]) > passRate(list[i-1]) {
				n := segment*half + i
				v, _ := l.metadata.At(fmt.Sprintf("/strategies/%d", n))
				f := finding.New(finding.RackticStreamOrder, "%s, solved in %.0f %% of runs, comes behind %s with %.0f %%", list[i], 100*passRate(list[i]), list[i-1], 100*passRate(list[i-1]))
				l.say(v, fmt.Sprintf("strategies/%d", n), f.Hinting("a half goes from the easiest issue to the hardest"))
				break
			}
		}
	}
}

func (l *look) note(note *record.Writer) {
	line := func(key string) int {
		v, ok := l.metadata.Get(key)
		if !ok {
			return l.row.Line
		}
		return l.row.LineOf(v)
	}
	number := func(key string) int64 {
		n, ok := field.Int(l.metadata, key)
		if !ok {
			return -1
		}
		return int64(n)
	}
	text, ok := l.row.Root.At(textPointer)
	textLine, prompt := l.row.Line, ""
	if ok {
		textLine, prompt = l.row.LineOf(text), text.Text()
	}
	note.Int(number("episode_index"))
	note.Int(number("shuffle_seed"))
	for _, s := range []string{field.Text(l.metadata, "difficulty_tier"), prompt, l.repoA, l.repoB} {
		note.Text(s)
	}
	for _, n := range []int{line("episode_index"), line("shuffle_seed"), line("difficulty_tier"), textLine} {
		note.Int(int64(n))
	}
	ids, _ := field.Len(l.metadata, "instance_ids")
	note.Uint(uint64(ids))
	for _, v := range field.List(l.metadata, "instance_ids") {
		note.Text(v.Text())
		note.Int(int64(l.row.LineOf(v)))
	}
}

func (w *world) readStream(note *notes.Note) {
	s := stream{place: placeOf(note), index: int(note.Int()), seed: int(note.Int()), tier: note.Text(), text: note.Text(), repoA: note.Text(), repoB: note.Text(),
		indexLine: int(note.Int()), seedLine: int(note.Int()), tierLine: int(note.Int()), textLine: int(note.Int())}
	for range note.Uint() {
		if note.Err() != nil {
			return
		}
		s.ids = append(s.ids, note.Text())
		s.idLines = append(s.idLines, int(note.Int()))
	}
	w.streams = append(w.streams, s)
}

// numbers is where in the file, and in each tier, the next stream stands.
type numbers struct {
	position int
	inTier   map[string]int
	tier     int
}

// judgeStreams checks the order and the numbers of streams, and that every issue is in one stream and is a task.
func (w *world) judgeStreams() {
	used := map[string]place{}
	var next numbers
	for i := range w.streams {
		s := &w.streams[i]
		if i == 0 || w.streams[i-1].place.split != s.place.split {
			next = numbers{inTier: map[string]int{}}
		}
		if w.has[codebaseStreams] {
			w.judgeNumbers(s, &next)
		}
		if t := tierOf(s.tier); t >= 0 {
			if t < next.tier {
				f := finding.New(finding.RackticTierOrder, "a stream of tier %s comes behind one of %s", s.tier, tiers[next.tier].name)
				w.report(s.place.in(s.tierLine, "/metadata/difficulty_tier"), f.Hinting("tiers come in the order pure_easy, easy_mid, mixed"))
			}
			next.tier = t
		}
		w.judgeIssues(s, used)
	}
	if len(w.streams) > 0 && w.has[codebaseStreams] {
		for _, id := range w.listed {
			if _, ok := used[id]; !ok {
				f := finding.New(finding.RackticTaskUnused, "%s is in no stream", id)
				w.report(w.tasks[id], f.Hinting("the tasks are the issues of all streams, no more"))
			}
		}
	}
}

// judgeNumbers checks what follows from where a stream stands: its index, its seed and its text. Behind a stream that is out of
// place, numbers go on from it: what one lost stream moves is one finding.
func (w *world) judgeNumbers(s *stream, next *numbers) {
	before, after := fmt.Sprintf("SWE-smith 6p6 v3-%s episode ", s.tier), fmt.Sprintf(": %s -> %s.", s.repoA, s.repoB)
	if s.index >= 0 && s.index != next.position {
		f := finding.New(finding.RackticStreamIndex, "the stream has the index %d, expected %d", s.index, next.position)
		w.report(s.place.in(s.indexLine, "/metadata/episode_index"), f.Hinting("the index counts the streams of the file from 0"))
		next.position = s.index
		rest, ok1 := strings.CutPrefix(s.text, before)
		number, ok2 := strings.CutSuffix(rest, after)
		if n, err := strconv.Atoi(number); ok1 && ok2 && err == nil {
			next.inTier[s.tier] = n
		}
	}
	if s.seed >= 0 && s.index >= 0 && s.seed != s.index {
		w.report(s.place.in(s.seedLine, "/metadata/shuffle_seed"), finding.New(finding.RackticStreamIndex, "shuffle_seed is the index %d, found %d", s.index, s.seed))
	}
	want := fmt.Sprintf("%s%d%s", before, next.inTier[s.tier], after)
	if s.text != "" && tierOf(s.tier) >= 0 && s.text != want {
		f := finding.New(finding.RackticStreamPrompt, "the text is %q", s.text)
		w.report(s.place.in(s.textLine, textPointer), f.Hinting("tier, number in the tier and repositories make it %q", want))
	}
	next.position++
	next.inTier[s.countedTier()]++
}

// countedTier is the tier that a stream counts in: where there is none of its name, the one that its text names.
func (s *stream) countedTier() string {
	if tierOf(s.tier) >= 0 {
		return s.tier
	}
	for _, t := range tiers {
		if strings.Contains(s.text, "v3-"+t.name+" ") {
			return t.name
		}
	}
	return s.tier
}

// judgeIssues checks that the issues of a stream are in no other one, and that each is a task.
func (w *world) judgeIssues(s *stream, used map[string]place) {
	for i, id := range s.ids {
		if id == "" {
			continue
		}
		at := s.place.in(s.idLines[i], fmt.Sprintf("/metadata/instance_ids/%d", i))
		if first, again := used[id]; again {
			f := finding.New(finding.RackticIssueRepeated, "%s stands twice; first at %s", id, first.Where())
			w.report(at, f.Hinting("every issue is in one stream"))
			continue
		}
		used[id] = at
		if _, ok := w.tasks[id]; !ok && w.has[codebaseTasks] {
			f := finding.New(finding.RackticIssueMissing, "%s is no task", id)
			w.report(at, f.Hinting("add the task, or take the stream out: it cannot be run"))
		}
	}
}
