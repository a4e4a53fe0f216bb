// Package memgym knows the rules of MemGym's artifacts (memgym/...): the corpus of its reward model and how it was split, rows
// outside its domain, evaluations, deep-research and code-QA instances, the site's leaderboard, the adapter.
//
// What can be told of a row alone is judged when it is seen (pairs.go, rewards.go, dr.go, codeqa.go, evaluation.go,
// leaderboard.go). Of each row a few texts are kept (entry), and when all rows of the release have been seen they are joined:
// splits of the corpus with each other and with their manifest (corpus.go, manifest.go), slices with what they are slices of
// (bundle.go), predictions with the rows they are about, trajectories with the list of those that were run (listed.go). The adapter
// is files, not rows (adapter.go).
package memgym

import (
	"context"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// The artifacts.
const (
	pairs            = "memgym/pairs"
	pairsTau2        = "memgym/pairs-tau2"
	pairsWebArena    = "memgym/pairs-webarena"
	strategy         = "memgym/strategy-ood"
	strategySlice    = "memgym/strategy-ood-slice"
	strategyManifest = "memgym/strategy-ood-manifest"
	reevaluation     = "memgym/strategy-ood-reeval"
	splitManifest    = "memgym/split-manifest"
	evaluation       = "memgym/rm-eval"
	deepResearch     = "memgym/dr-instances"
	codeQA           = "memgym/codeqa-instances"
	midTraining      = "memgym/midtrain"
	leaderboard      = "memgym/leaderboard"
)

// looks returns what looks at a row of an artifact: it says what is wrong with it, and returns the texts to keep; nil for an
// artifact without rules for single rows.
func looks(artifact string) func(j *judge, root tape.Value) []string {
	switch artifact {
	case pairs:
		return (*judge).corpusRow
	case pairsTau2:
		return (*judge).tau2Row
	case pairsWebArena:
		return (*judge).webArenaRow
	case strategy:
		return (*judge).strategyRow
	case strategySlice:
		return (*judge).sliceRow
	case strategyManifest, splitManifest:
		return (*judge).whole
	case evaluation:
		return (*judge).evaluationRow
	case deepResearch:
		return (*judge).deepResearchRow
	case codeQA:
		return (*judge).codeQARow
	case midTraining:
		return (*judge).midTrainingRow
	case reevaluation:
		return (*judge).reevaluationRow
	case leaderboard:
		return (*judge).leaderboardRow
	}
	return nil
}

// Checks returns the check of a release with artifacts of MemGym, or with its adapter.
func Checks(rel *release.Release, splits []*observe.Split, opt observe.Options) []observe.Check {
	if !slices.ContainsFunc(splits, func(s *observe.Split) bool { return looks(s.Artifact) != nil }) &&
		!slices.ContainsFunc(rel.Repos, func(r release.Repo) bool { return isAdapter(&r) }) {
		return nil
	}
	return []observe.Check{&check{release: rel, maxPlaces: opt.MaxPlaces}}
}

type check struct {
	release   *release.Release
	maxPlaces int
}

func (c *check) Observer(split *observe.Split) observe.Observer {
	look := looks(split.Artifact)
	if look == nil {
		return nil
	}
	return &observer{judge: &judge{}, look: look, found: finding.Set{MaxPlaces: c.maxPlaces}}
}

// entry is what is kept of a row.
type entry struct {
	path string
	line int
	// texts are as the artifact's look returns them.
	texts []string
}

func (e *entry) place(pointer string) finding.Place {
	return finding.Place{Path: e.path, Line: e.line, Pointer: pointer}
}

// observer is what a run of rows showed.
type observer struct {
	judge   *judge
	look    func(j *judge, root tape.Value) []string
	found   finding.Set
	entries []entry
}

func (o *observer) Observe(row *rows.Row) {
	root := row.Doc.Root()
	if row.Cells || root.Kind() != tape.Object {
		return
	}
	o.judge.row, o.judge.found = row, &o.found
	if texts := o.look(o.judge, root); texts != nil {
		o.entries = append(o.entries, entry{row.Path, row.Line, texts})
	}
}

func (o *observer) Merge(next rows.Observer) {
	n := next.(*observer)
	o.found.Merge(&n.found)
	o.entries = append(o.entries, n.entries...)
}

func (o *observer) MarshalBinary() ([]byte, error) {
	var w record.Writer
	found, err := o.found.MarshalBinary()
	if err != nil {
		return nil, err
	}
	w.Part(found)
	w.Uint(uint64(len(o.entries)))
	for _, e := range o.entries {
		w.Text(e.path)
		w.Uint(uint64(e.line))
		w.Uint(uint64(len(e.texts)))
		for _, text := range e.texts {
			w.Text(text)
		}
	}
	return w.Bytes(), nil
}

// The bounds of a record: far more than a row keeps, and than a data set of such rows has.
const (
	maxTexts   = 1 << 8
	maxEntries = 1 << 40
)

func (o *observer) UnmarshalBinary(data []byte) error {
	r := record.NewReader(data)
	if err := o.found.UnmarshalBinary(r.Part()); err != nil {
		return err
	}
	for range r.Count(maxEntries) {
		e := entry{path: r.Text(), line: int(r.Uint())}
		for range r.Count(maxTexts) {
			e.texts = append(e.texts, r.Text())
		}
		o.entries = append(o.entries, e)
	}
	return r.End()
}

// seen is a split with what its rows showed.
type seen struct {
	split   *observe.Split
	whole   bool
	entries []entry
}

func (c *check) Finish(ctx context.Context, all []observe.Seen, say *observe.Findings) error {
	by := map[string][]seen{}
	for _, s := range all {
		o := s.Observer.(*observer)
		say.Merge(s.Split, &o.found)
		by[s.Split.Artifact] = append(by[s.Split.Artifact], seen{s.Split, s.Whole, o.entries})
	}
	joinCorpus(by[pairs], by[splitManifest], say)
	if err := c.listed(ctx, by[pairs], say); err != nil {
		return err
	}
	for _, artifact := range []string{pairsTau2, pairsWebArena, strategy} {
		forksTwice(by[artifact], false, say)
	}
	joinUnion(by[pairsWebArena], say)
	joinBundle(by[strategy], by[strategySlice], by[strategyManifest], say)
	joinEvaluations(by[evaluation], slices.Concat(by[pairs], by[pairsTau2], by[pairsWebArena], by[strategy]), say)
	idsTwice(by[deepResearch], say)
	for _, s := range by[midTraining] {
		if s.split.Repo.Status != release.Withheld {
			refuse(s.split, say)
		}
	}
	c.adapters(say)
	return nil
}

// refuse says that mid-training rows are not to be released.
func refuse(split *observe.Split, say *observe.Findings) {
	path := ""
	if len(split.Files) > 0 {
		path = split.Files[0]
	}
	f := finding.New(finding.MemgymNotReleased, "%s holds mid-training rows, and its status is %s", split.Repo.ID, split.Repo.Status)
	say.Add(split, f.At(path, 0).Hinting("write `status: withheld`: nothing of such a repo leaves the house"))
}

// idsTwice says which ids of deep-research instances stand twice: they are made of a hash that is not unique.
func idsTwice(splits []seen, say *observe.Findings) {
	first := map[string]finding.Place{}
	for _, s := range splits {
		for _, e := range s.entries {
			before, twice := first[e.texts[0]]
			if !twice {
				first[e.texts[0]] = e.place("/instance_id")
				continue
			}
			f := finding.New(finding.MemgymInstanceTwice, "%s is the id of another instance, at %s", e.texts[0], before.Where())
			say.Add(s.split, placed(f, e.place("/instance_id")).Hinting("number the instances: their hash has 100,000 values only"))
		}
	}
}

// forksTwice says which events stand twice in a split, or in all splits together.
func forksTwice(splits []seen, together bool, say *observe.Findings) {
	first := map[string]finding.Place{}
	for _, s := range splits {
		if !together {
			clear(first)
		}
		for _, e := range s.entries {
			id := e.texts[0]
			if before, twice := first[id]; twice {
				f := finding.New(finding.MemgymForkTwice, "the event %s stands at %s, too", id, before.Where())
				say.Add(s.split, placed(f, e.place("/fork_event_id")).Hinting("each event is one row; take one of the two out"))
				continue
			}
			first[id] = e.place("/fork_event_id")
		}
	}
}

// joinUnion says which rows of a scored set are not in the union that it is a part of, or have another label there. The two are told apart by the names of
// their splits or files.
func joinUnion(splits []seen, say *observe.Findings) {
	for _, union := range splits {
		if !isCalled(union.split, "union") || !union.whole {
			continue
		}
		known := map[string]string{}
		for _, e := range union.entries {
			known[e.texts[keptFork]] = e.texts[keptLabel]
		}
		for _, part := range splits {
			if part.split.Repo != union.split.Repo || !isCalled(part.split, "paper") {
				continue
			}
			for _, e := range part.entries {
				label, there := known[e.texts[keptFork]]
				mine := e.texts[keptLabel]
				switch {
				case !there:
					f := finding.New(finding.MemgymUnion, "the event %s is not in split %s", e.texts[keptFork], union.split.Name)
					say.Add(part.split, placed(f, e.place("/fork_event_id")).Hinting("the union holds every row that was scored, and those that were not"))
				case label != "" && mine != "" && label != mine:
					f := finding.New(finding.MemgymUnion, "the label of %s is %s, and in split %s it is %s", e.texts[keptFork], mine, union.split.Name, label)
					say.Add(part.split, placed(f, e.place("/label")).Hinting("the scored rows are rows of the union"))
				}
			}
		}
	}
}

// isCalled says that the name of a split, of its config, or of its files, holds a word.
func isCalled(split *observe.Split, word string) bool {
	return strings.Contains(split.Name, word) || strings.Contains(split.Config.Name, word) || slices.ContainsFunc(split.Files, func(path string) bool {
		return strings.Contains(path[strings.LastIndexByte(path, '/')+1:], word)
	})
}

func placed(f finding.Finding, at finding.Place) finding.Finding {
	f.Place = at
	return f
}
