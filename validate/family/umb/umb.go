// Package umb knows what must be true of a release of UnifiedMemBench beyond the schemas of its artifacts.
//
// The artifacts depend on one another: personas → stories → questions → dialogues → training and evaluation rows, and stories →
// facts → ladder; result tables depend on each other. One check looks at them all. For each artifact there is a file with a look,
// which judges a row by itself and notes what others need to know of it, and with what is made of the notes when all rows have
// been seen. What is missing in a release is not missed: a rule that needs an artifact says nothing without it.
//
// The rules are those of the generators and validators of the benchmark, and what was recomputed from its files.
package umb

import (
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/family/notes"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
)

// The artifacts.
const (
	personas       = "umb/personas"
	stories        = "umb/stories"
	questions      = "umb/qa"
	dialogues      = "umb/dialogue"
	datasetSummary = "umb/dataset-summary"
	assignments    = "umb/assignments"
	chunks         = "umb/pt"
	sft            = "umb/qa-sft"
	unseen         = "umb/eval-unseen"
	datasetInfo    = "umb/dataset-info"
	facts          = "umb/facts"
	ladder         = "umb/ladder"
	ladderSummary  = "umb/ladder-summary"
	results        = "umb/results"
)

// artifact is one of the family.
type artifact = notes.Artifact[*world]

// artifactOf returns what is known of an artifact.
func artifactOf(name string) (a artifact, ok bool) {
	switch name {
	case personas:
		return artifact{Look: lookAtPersona, Read: (*world).readPersona}, true
	case stories:
		return artifact{Look: lookAtStory, Read: (*world).readStory}, true
	case questions:
		return artifact{Look: lookAtQuestions, Read: (*world).readQuestions}, true
	case dialogues:
		return artifact{Look: lookAtDialogue, Read: (*world).readDialogue}, true
	case datasetSummary:
		return artifact{Look: lookAtSummary, Read: (*world).readSummary}, true
	case assignments:
		return artifact{Look: lookAtAssignments, Read: (*world).readAssignments}, true
	case chunks:
		return artifact{Look: lookAtChunk, Read: (*world).readChunk}, true
	case sft:
		return artifact{Look: newTrainedLook(), Read: (*world).readTrained}, true
	case unseen:
		return artifact{Look: lookAtUnseen, Read: (*world).readUnseen}, true
	case datasetInfo:
		return artifact{Look: lookAtDatasetInfo, Read: (*world).readDatasetInfo}, true
	case facts:
		return artifact{Look: lookAtFacts, Read: (*world).readFacts}, true
	case ladder:
		return artifact{Look: newLadderLook(), Read: (*world).readLadder}, true
	case ladderSummary:
		return artifact{Look: lookAtLadderSummary, Read: (*world).readLadderSummary}, true
	case results:
		return artifact{Look: lookAtResult, Read: (*world).readResult}, true
	}
	return artifact{}, false
}

// Checks returns the check of the family when some split holds one of its artifacts.
func Checks(_ *release.Release, splits []*observe.Split, opt observe.Options) []observe.Check {
	return notes.Family[*world]{Artifact: artifactOf, World: newWorld, Judge: (*world).judge}.Checks(splits, opt)
}

// world is what all artifacts of the release showed.
type world struct {
	say *observe.Findings
	// has says of each artifact that it is there, and that all its rows were seen.
	has map[string]bool

	personas  map[string]*persona
	stories   map[string]*story
	told      []named[*story]
	asked     map[string]*asked
	askers    []named[*asked]
	dialogues map[string]*dialogue
	spoken    []*dialogue
	counted   spokenCounts
	cleaned   []*cleaned
	// manifests assign dialogues to stages, entities split the characters of stages; assigned finds an assignment by its dialogue.
	manifests []*stageManifest
	assigned  map[string]*assignment
	entities  []*entitySplit
	// chunks are those of each dialogue, chunked the dialogues in order.
	chunks  map[string][]chunk
	chunked []string
	// trained are the rows for fine-tuning, trainedOn who was asked what there.
	trained   []trained
	trainedOn map[hash]bool
	// unseen are the rows of evaluation by stage, unseenAll those of the file of all stages.
	unseen, unseenAll []evaluated
	registered        []registered
	// facts are those of each character, factSizes how many there are in each of its clusters, remembered where its list stands.
	facts      map[string]map[hash]bool
	factSizes  map[string]map[string]int
	remembered []named[place]
	// rungs are the files of the ladder by path, climbed in order; rungRows are those of the summary, shown the facts of prompts, chosen
	// their characters.
	chosen   []chosenPeople
	rungs    map[string]*rungFile
	climbed  []*rungFile
	rungRows []summaryRow
	shown    []shownFact
	results  resultTables
}

// place is where something stands.
type place struct {
	split *observe.Split
	finding.Place
}

func newWorld(say *observe.Findings, has map[string]bool) *world {
	return &world{
		say: say, has: has,
		personas: map[string]*persona{}, stories: map[string]*story{}, asked: map[string]*asked{}, dialogues: map[string]*dialogue{},
		assigned: map[string]*assignment{}, chunks: map[string][]chunk{}, trainedOn: map[hash]bool{}, rungs: map[string]*rungFile{}, counted: spokenCounts{families: map[string]int{}},
	}
}

// report adds a finding at a place.
func (w *world) report(at place, f finding.Finding) {
	f.Place = at.Place
	w.say.Add(at.split, f)
}

// judge holds the artifacts against each other.
func (w *world) judge() {
	w.judgeStories()
	w.judgeQuestions()
	w.judgeDialogues()
	w.judgeCleaning()
	w.judgeAssignments()
	w.judgeChunks()
	w.judgeTrained()
	w.judgeUnseen()
	w.judgeDatasetInfo()
	w.judgeFacts()
	w.judgeLadder()
	w.judgeResults()
}

// placeOf is the place of a note's row.
func placeOf(note *notes.Note) place { return place{note.Split, note.Place} }

// in is the place of a value inside a row.
func (p place) in(line int, pointer string) place {
	p.Line, p.Pointer = line, pointer
	return p
}

// nameOnce reports a character that has two rows where there may be one.
func (w *world) nameOnce(at place, what, name string, first place) {
	f := finding.New(finding.UMBNameRepeated, "%s has a second %s; the first is at %s", name, what, first.Where())
	w.report(at, f.Hinting("keep one: names are what joins personas, stories, questions and dialogues"))
}
