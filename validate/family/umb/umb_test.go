package umb_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/family/familytest"
)

// The areas that mutations must not touch but where they are meant to.
var areas = []string{"umb", "schema", "json", "csv", "rule", "manifest"}

const (
	personasFile  = "construction/personas.json"
	storiesFile   = "construction/stories.json"
	questionsFile = "construction/questions.json"
	summaryFile   = "construction/dataset_summary.json"
	figureFile    = "construction/figure4_plot_data.json"
	dialogueFile  = "long-dialogue/UMB_dialogue_benchmark.json"
	assignedFile  = "parametric-memory/manifests/dialogue_assignments.json"
	entitiesFile  = "parametric-memory/manifests/entity_split_assignments.json"
	infoFile      = "parametric-memory/configs/dataset_info.json"
	ptFile        = "parametric-memory/train_pt/stage_01_pt.jsonl"
	sftFile       = "parametric-memory/train_qa_sft/stage_01.jsonl"
	evalFile      = "parametric-memory/eval_unseen/memory_eval_stage_01.jsonl"
	allFile       = "parametric-memory/eval_unseen/memory_eval_all.jsonl"
	factsFile     = "state-tracking/facts.json"
	ladderFile    = "state-tracking/ladder/schema_longest_ladder_L02_tok96_c1_s1_f2_n2_seed42.json"
	longFile      = "state-tracking/ladder/schema_longest_ladder_L11_tok166_c1_s2_f10_n2_seed42.json"
	rowsFile      = "results/schema_longest_ladder_summary.csv"
)

func table(name string) string { return "results/tables/" + name + ".csv" }

func edit(file, old, new string) familytest.Edit {
	return familytest.Edit{File: file, Old: old, New: new}
}

type edits = []familytest.Edit

// mutation is a promise to break, as in package familytest.
type mutation struct {
	name  string
	edits edits
	want  []string
}

func mutate(t *testing.T, files familytest.Files, list []mutation) {
	t.Helper()
	var out []familytest.Mutation
	for _, m := range list {
		out = append(out, familytest.Mutation{Name: m.name, Edits: m.edits, Want: m.want})
	}
	familytest.Run(t, files, out, areas...)
}

// ada is the dialogue of Ada Reed, the test character of stage 1.
const ada = "d1a10000-5eed-4000-8000-000000001000"

func TestPersonasAndStories(t *testing.T) {
	mutate(t, familytest.Read(t, exampleDir), []mutation{
		{"two personas of one name", edits{edit(personasFile, `"name": "Joy Rowe"`, `"name": "Ada Reed"`)}, []string{
			"umb/name-repeated personas.json:326 /name", "umb/character-unknown stories.json:1865 /character_name"}},
		{"a type of personality that is none", edits{edit(personasFile, `"current_mbti": "INTJ"`, `"current_mbti": "INTX"`), edit(storiesFile, `"current_mbti": "INTJ"`, `"current_mbti": "INTX"`)}, []string{
			"schema/pattern personas.json:$1 /current_mbti", "schema/pattern stories.json:$2 /original_persona/current_mbti"}},
		{"periods of another length", edits{edit(personasFile, `"period": "2024-2025"`, `"period": "2023-2025"`), edit(storiesFile, `"period": "2024-2025"`, `"period": "2023-2025"`)}, []string{
			"schema/enum personas.json:$1 /evolution_timeline/2/period", "schema/enum stories.json:$2 /original_persona/evolution_timeline/2/period"}},
		{"a period twice", edits{edit(personasFile, `"period": "2022-2023"`, `"period": "2020-2021"`), edit(storiesFile, `"period": "2022-2023"`, `"period": "2020-2021"`)}, []string{
			"umb/period-order personas.json:$1 /evolution_timeline/1/period", "umb/period-order stories.json:$2 /original_persona/evolution_timeline/1/period"}},
		{"the persona of another character", edits{edit(storiesFile, `"name": "Ada Reed"`, `"name": "Ada"`)}, []string{"umb/persona-differs stories.json:$1 /original_persona/name"}},
		{"a persona changed after the story", edits{edit(personasFile, `"age": 24`, `"age": 25`)}, []string{"umb/persona-differs stories.json:4 /original_persona"}},
		{"years out of order", edits{edit(storiesFile, `"year": 2021`, `"year": 2020`)}, []string{
			"umb/year-order stories.json:$1 /chronology/1/year"}},
		{"an event id of another year", edits{edit(storiesFile, `"event_id": "2025_E2"`, `"event_id": "2024_E3"`)}, []string{
			"umb/event-summary questions.json:4 /original_events_summary",
			"umb/event-year stories.json:$1 /chronology/5/events/1/event_id"}},
		{"an event dated in another year", edits{edit(storiesFile, `"timestamp": "2021-03-13"`, `"timestamp": "2022-03-13"`)}, []string{
			"umb/event-year stories.json:$1 /chronology/1/events/0/timestamp"}},
		{"an event twice", edits{edit(storiesFile, `"event_id": "2020_E2"`, `"event_id": "2020_E1"`)}, []string{
			"umb/event-summary questions.json:4 /original_events_summary", "umb/event-repeated stories.json:$1 /chronology/0/events/1/event_id",
			"umb/cause-unknown stories.json:78 /chronology/1/events/0/caused_by_event_ids/0"}},
		{"a hole in the numbers", edits{edit(storiesFile, `"event_id": "2025_E2"`, `"event_id": "2025_E3"`)}, []string{
			"umb/event-summary questions.json:4 /original_events_summary", "umb/event-number stories.json:$1 /chronology/5/events/1/event_id"}},
		{"events out of order", edits{edit(storiesFile, `"timestamp": "2020-09-07"`, `"timestamp": "2020-02-07"`), edit(storiesFile, "\"2020_E1\"\n            ]", "]")}, []string{
			"umb/temporal-sources questions.json:67 /validated_tasks/3/gold_answer", "umb/event-order stories.json:62 /chronology/0/events/1/timestamp"}},
		{"a cause that nobody told", edits{edit(storiesFile, `"2020_E1"
            ]`, `"2020_E9"
            ]`)}, []string{"umb/cause-unknown stories.json:$1 /chronology/0/events/1/caused_by_event_ids/0"}},
		{"an event that causes itself", edits{edit(storiesFile, `"2020_E1"
            ]`, `"2020_E2"
            ]`)}, []string{"umb/cause-later stories.json:$1 /chronology/0/events/1/caused_by_event_ids/0"}},
		{"a cause that is later", edits{edit(storiesFile, `"2020_E1"
            ]`, `"2025_E2"
            ]`)}, []string{"umb/cause-later stories.json:$1 /chronology/0/events/1/caused_by_event_ids/0"}},
		{"a day in no calendar", edits{edit(storiesFile, `"timestamp": "2020-09-07"`, `"timestamp": "2020-09-31"`)}, []string{
			"umb/event-date stories.json:$1 /chronology/0/events/1/timestamp"}},
		{"a day in no calendar with a time", edits{edit(storiesFile, `"timestamp": "2020-09-07"`, `"timestamp": "2020-02-30 10:30"`)}, []string{
			"umb/event-date stories.json:$1 /chronology/0/events/1/timestamp"}},
		{"a date in no calendar", edits{edit(storiesFile, `"timestamp": "2020-09-07"`, `"timestamp": "2020-13-07"`)}, []string{
			"schema/pattern stories.json:$1 /chronology/0/events/1/timestamp"}},
	})
}

// Questions are repeated by dialogues and rows of training, so they are broken where nobody repeats them.
func TestQuestions(t *testing.T) {
	mutate(t, familytest.Read(t, exampleDir).Only("construction"), []mutation{
		{"a second set of questions", edits{edit(questionsFile, `"character_name": "Joy Rowe"`, `"character_name": "Ada Reed"`)}, []string{
			"umb/name-repeated questions.json:928 /character_name"}},
		{"a character without a story", edits{edit(questionsFile, `"character_name": "Joy Rowe"`, `"character_name": "Joy Row"`)}, []string{
			"umb/character-unknown questions.json:928 /character_name"}},
		{"a task that rests on an event nobody told", edits{edit(questionsFile, "\"2021_E1\"\n        ]", "\"2021_E7\"\n        ]")}, []string{
			"umb/event-unknown questions.json:$1 /validated_tasks/1/source_event_ids/1"}},
		{"an event that the list lacks", edits{edit(questionsFile, `"2024_E1",`, ``)}, []string{"umb/event-summary questions.json:4 /original_events_summary"}},
		{"an event too many in the list", edits{edit(questionsFile, `"2024_E1",`, `"2024_E1", "2024_E7",`)}, []string{
			"umb/event-summary questions.json:4 /original_events_summary"}},
		{"an event twice in the list", edits{edit(questionsFile, `"2024_E1",`, `"2024_E1", "2024_E1",`)}, []string{
			"schema/unique-items questions.json:4 /original_events_summary"}},
		{"an old state from nowhere", edits{edit(questionsFile, `"old_state_event_id": "2020_E1"`, `"old_state_event_id": "2019_E1"`)}, []string{
			"umb/old-state-event questions.json:$1 /validated_tasks/4/old_state_event_id"}},
		{"an update without its old state", edits{edit(questionsFile, ",\n        \"old_state_event_id\": \"2020_E1\"", ``)}, []string{
			"schema/required questions.json:74 /validated_tasks/4"}},
		{"an old state where nothing was updated", edits{edit(questionsFile, `"query": "What did Ada`, `"old_state_value": "", "query": "What did Ada`)}, []string{
			"schema/false questions.json:$1 /validated_tasks/0/old_state_value"}},
		{"a question that gives the month away", edits{edit(questionsFile, "between the first", "since March between the first")}, []string{
			"umb/temporal-leak questions.json:$1 /validated_tasks/3/query"}},
		{"a question that gives year and month away", edits{edit(questionsFile, "between the first", "since 2020-03 between the first")}, []string{
			"umb/temporal-leak questions.json:$1 /validated_tasks/3/query"}},
		{"dates that do not make the duration", edits{edit(questionsFile, "End: 2020-09-07", "End: 2020-09-08")}, []string{
			"umb/temporal-duration questions.json:71 /validated_tasks/3/answer_components/2"}},
		{"a duration that the answer does not say", edits{edit(questionsFile, "185 days passed", "184 days passed")}, []string{
			"umb/temporal-duration questions.json:$1 /validated_tasks/3/gold_answer"}},
		{"an answer of another time than its events", edits{edit(questionsFile, "185 days passed", "191 days passed"),
			edit(questionsFile, "Start: 2020-03-06", "Start: in spring"), edit(questionsFile, "Duration: 185 days", "Duration: 191 days")}, []string{
			"umb/temporal-sources questions.json:$1 /validated_tasks/3/gold_answer"}},
		{"an answer that is not the time between its own dates", edits{edit(questionsFile, "185 days passed.", "184 days passed (from 2020-03-06 to 2020-09-07).")}, []string{
			"umb/temporal-duration questions.json:$1 /validated_tasks/3/gold_answer"}},
		{"an answer far from the dates of its components", edits{edit(questionsFile, "185 days passed", "1,185 days passed")}, []string{
			"umb/temporal-duration questions.json:$1 /validated_tasks/3/gold_answer", "umb/temporal-sources questions.json:$1 /validated_tasks/3/gold_answer"}},
		{"an answer in other words behind it", edits{edit(questionsFile, "185 days passed", "195 days (about 6 months) passed"), edit(questionsFile, "Start: 2020-03-06", "Start: in spring"),
			edit(questionsFile, "Duration: 185 days", "Duration: long")}, []string{"umb/temporal-sources questions.json:$1 /validated_tasks/3/gold_answer"}},
		{"a question of blanks", edits{edit(questionsFile, `"query": "What did Ada Reed begin to learn?"`, `"query": " "`)}, []string{"schema/pattern questions.json:$1 /validated_tasks/0/query"}},
		{"an answer of blanks", edits{edit(questionsFile, `"gold_answer": "The trade of a baker."`, `"gold_answer": " "`)}, []string{"schema/pattern questions.json:$1 /validated_tasks/0/gold_answer"}},
		{"an answer in years", edits{edit(questionsFile, "185 days passed", "2 years passed"), edit(questionsFile, "Duration: 185 days", "Duration: long")}, []string{
			"umb/temporal-sources questions.json:$1 /validated_tasks/3/gold_answer"}},
		{"a year corrected that nobody said", edits{edit(questionsFile, "began in 2021, who", "began late, who")}, []string{
			"umb/premise-year questions.json:93 /validated_tasks/5/gold_answer"}},
		{"a family that is none", edits{edit(questionsFile, "Event Summarization", "Event Summary")}, []string{
			"schema/enum questions.json:$1 /validated_tasks/2/task_type"}},
	})
}

// Rows of any form are passed over or found wrong; they break nothing.
func TestRowsOfAnyForm(t *testing.T) {
	files := makeRelease()
	for artifact, file := range map[string]string{
		"umb/personas": personasFile, "umb/stories": storiesFile, "umb/qa": questionsFile, "umb/dialogue": dialogueFile, "umb/dataset-summary": summaryFile,
		"umb/pt": ptFile, "umb/qa-sft": sftFile, "umb/eval-unseen": evalFile, "umb/dataset-info": infoFile, "umb/ladder": ladderFile, "umb/results": figureFile,
	} {
		familytest.HoldAnyForm(t, artifact, firstRow(t, files[file]))
	}
	familytest.HoldAnyForm(t, "umb/facts", `{"Ada Reed": [{"fact": "Ada Reed bakes", "fact_id": "000001", "timestamp": "2020-03-06", "state_repr": "bakes", "schema": "Work"}], "Ben Ash": []}`)
	familytest.HoldAnyForm(t, "umb/assignments", files[assignedFile])
	familytest.HoldAnyForm(t, "umb/assignments", files[entitiesFile])
	familytest.HoldAnyForm(t, "umb/results", `{"model_name": "m", "checkpoint_stage": 2, "eval_stage": 1, "stage_relation": "old", "overall_score": 0.5, "num_examples": 6, "invalid_json_count": 1, "invalid_json_rate": "0.166667"}`)
	familytest.HoldAnyForm(t, "umb/ladder-summary", `{"level": "L01", "avg_est_tokens": 79, "num_characters": 1, "max_schemas_per_character": 1, "max_facts_per_schema": 1, "num_samples": 2, "seed": 42, "file": "x"}`)
}

// firstRow is the first row of a file: a line, an element of an array, or the whole object.
func firstRow(t *testing.T, text string) string {
	t.Helper()
	var rows []json.RawMessage
	if err := json.Unmarshal([]byte(text), &rows); err == nil {
		return string(rows[0])
	}
	if json.Valid([]byte(text)) {
		return text
	}
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func TestShards(t *testing.T) { familytest.Read(t, exampleDir).HoldShards(t) }

// A file that does not hold all its rows says nothing of what is missing, and a release without an artifact nothing of it.
func TestNothingIsMissedInPart(t *testing.T) {
	files := familytest.Read(t, exampleDir)
	changed, _ := files.With(t, edits{edit(ptFile, `{"instruction"`, `{"instruction`), edit(sftFile, `{"instruction"`, `{"instruction`), edit(evalFile, `{"id"`, `{"id`)})
	if got := changed.Found(t, "umb"); len(got) > 0 {
		t.Errorf("a row that cannot be read may be the one that is missing; found %q", got)
	}
	for _, root := range []string{"construction", "long-dialogue", "parametric-memory", "state-tracking", "results"} {
		if got := files.Only(root).Found(t, areas...); len(got) > 0 {
			t.Errorf("%s alone: found %q", root, got)
		}
	}
}

// An answer may be off by five days, or a year: the benchmark allows it.
func TestAnswersNearEnough(t *testing.T) {
	files, _ := familytest.Read(t, exampleDir).Only("construction").With(t, edits{
		edit(questionsFile, "185 days passed", "190 days passed"), edit(questionsFile, "Start: 2020-03-06", "Start: in spring"), edit(questionsFile, "Duration: 185 days", "Duration: long"),
	})
	if got := files.Found(t, areas...); len(got) > 0 {
		t.Errorf("190 days for 185 are near enough, found %q", got)
	}
}

func TestCleaning(t *testing.T) {
	mutate(t, familytest.Read(t, exampleDir).Only("construction", "long-dialogue"), []mutation{
		{"raw - removed is not valid", edits{edit(summaryFile, `"raw": 15, "valid": 10, "removed": 5`, `"raw": 16, "valid": 10, "removed": 5`)}, []string{
			"umb/cleaning dataset_summary.json:$1 /by_task_type/Information Extraction/valid"}},
		{"dialogues that do not add up", edits{edit(summaryFile, `"raw": 10,`, `"raw": 11,`)}, []string{"umb/cleaning dataset_summary.json:6 /dialogue_counts/retained"}},
		{"families that do not add up", edits{edit(summaryFile, `"raw": 15, "valid": 10, "removed": 5, "valid_rate": "66.7%"`, `"raw": 16, "valid": 11, "removed": 5, "valid_rate": "68.8%"`)}, []string{
			"umb/cleaning dataset_summary.json:10 /qa_task_counts/raw", "umb/cleaning dataset_summary.json:11 /qa_task_counts/valid_retained",
			"umb/cleaning-recount dataset_summary.json:$1 /by_task_type/Information Extraction/valid"}},
		{"a rate rounded down", edits{edit(summaryFile, "66.7%", "66.6%")}, []string{"umb/cleaning-rate dataset_summary.json:$1 /by_task_type/Information Extraction/valid_rate"}},
		{"a rate of two decimals", edits{edit(summaryFile, "66.7%", "66.67%")}, []string{"schema/pattern dataset_summary.json:$1 /by_task_type/Information Extraction/valid_rate",
			"umb/cleaning-rate dataset_summary.json:$1 /by_task_type/Information Extraction/valid_rate"}},
		{"a dialogue that is not counted", edits{edit(summaryFile, "\"raw\": 10,\n    \"retained\": 10", "\"raw\": 9,\n    \"retained\": 9")}, []string{
			"umb/cleaning-recount dataset_summary.json:6 /dialogue_counts/retained"}},
	})
}

func TestDialogues(t *testing.T) {
	files := familytest.Read(t, exampleDir).Only("construction", "long-dialogue")
	mutate(t, files, []mutation{
		{"an id twice", edits{edit(dialogueFile, "d1a10009-5eed-4000-8000-000000001009", ada)}, []string{"umb/id-repeated UMB_dialogue_benchmark.json:$1 /id"}},
		{"an id that is no UUID of version 4", edits{edit(dialogueFile, "d1a10009-5eed-4000", "d1a10009-5eed-1000")}, []string{"schema/pattern UMB_dialogue_benchmark.json:$1 /id"}},
		{"a second dialogue of a character", edits{edit(dialogueFile, `"character": "Joy Rowe"`, `"character": "Ada Reed"`)}, []string{"umb/name-repeated UMB_dialogue_benchmark.json:$1 /character"}},
		{"a character of whom nobody told", edits{edit(dialogueFile, `"character": "Joy Rowe"`, `"character": "Joy"`)}, []string{"umb/character-unknown UMB_dialogue_benchmark.json:$1 /character"}},
		{"turns miscounted", edits{edit(dialogueFile, `"total_turns": 8`, `"total_turns": 9`)}, []string{"umb/dialogue-count UMB_dialogue_benchmark.json:$1 /statistics/total_turns"}},
		{"segments miscounted", edits{edit(dialogueFile, `"total_segments": 4`, `"total_segments": 150`)}, []string{"umb/dialogue-count UMB_dialogue_benchmark.json:$1 /statistics/total_segments"}},
		{"tasks miscounted", edits{edit(dialogueFile, `"tasks_count": 6`, `"tasks_count": 7`)}, []string{"umb/dialogue-count UMB_dialogue_benchmark.json:$1 /statistics/tasks_count"}},
		{"a segment out of place", edits{edit(dialogueFile, `"segment_id": 2`, `"segment_id": 3`)}, []string{"umb/segment UMB_dialogue_benchmark.json:$1 /segment_outlines/2/segment_id"}},
		{"filler with facts", edits{edit(dialogueFile, "\"weather\",\n        \"anchor_count\": 0", "\"weather\",\n        \"anchor_count\": 1")}, []string{
			"umb/segment UMB_dialogue_benchmark.json:$1 /segment_outlines/2/anchor_count"}},
		{"no closing", edits{edit(dialogueFile, `"type": "closing"`, `"type": "filler"`)}, []string{"umb/segment UMB_dialogue_benchmark.json:$1 /segment_outlines/3/type"}},
		{"a task edited here only", edits{edit(dialogueFile, `"gold_answer": "A master baker."`, `"gold_answer": "A baker."`)}, []string{
			"umb/task-unknown UMB_dialogue_benchmark.json:58 /tasks_covered/4"}},
		{"a segment that failed", edits{edit(dialogueFile, `"failed_segments": 0`, `"failed_segments": 1`)}, []string{"schema/maximum UMB_dialogue_benchmark.json:$1 /statistics/failed_segments"}},
		{"a task removed that the summary does not count", edits{edit(dialogueFile, `"tasks_removed": 0`, `"tasks_removed": 1`)}, []string{
			"umb/cleaning-recount dataset_summary.json:12 /qa_task_counts/removed_incomplete_evidence", "umb/dialogue-count UMB_dialogue_benchmark.json:$1 /statistics/tasks_removed"}},
		{"an old state edited here only", edits{edit(dialogueFile, `"old_state_value": "Apprentice"`, `"old_state_value": "Teacher"`)}, []string{
			"umb/task-unknown UMB_dialogue_benchmark.json:58 /tasks_covered/4"}},
		{"a task twice", edits{edit(dialogueFile, firstTask(files[dialogueFile]), firstTask(files[dialogueFile])+firstTask(files[dialogueFile])), edit(dialogueFile, `"tasks_count": 6`, `"tasks_count": 7`)}, []string{
			"umb/cleaning-recount dataset_summary.json:17 /by_task_type/Information Extraction/valid",
			"umb/task-unknown UMB_dialogue_benchmark.json:18 /tasks_covered/1", "umb/dialogue-count UMB_dialogue_benchmark.json:175 /statistics/tasks_removed"}},
	})
}

// firstTask is the first task of the first dialogue, with the comma and line break behind it.
func firstTask(dialogues string) string {
	_, rest, _ := strings.Cut(dialogues, "\"tasks_covered\": [\n")
	task, _, _ := strings.Cut(rest, "},\n")
	return task + "},\n"
}

// Without questions, the tasks of a dialogue are judged by themselves and by the story.
func TestDialoguesWithoutQuestions(t *testing.T) {
	files := familytest.Read(t, exampleDir).Only("construction", "long-dialogue")
	files, _ = files.With(t, edits{edit("hfpub.yaml", "      - name: questions\n        splits: [{name: train, files: [questions.json], artifact: umb/qa}]\n", ""), {File: questionsFile}})
	mutate(t, files, []mutation{
		{"a task that rests on an event nobody told", edits{edit(dialogueFile, "\"2021_E1\"\n        ]", "\"2021_E7\"\n        ]")}, []string{"umb/event-unknown UMB_dialogue_benchmark.json:18 /tasks_covered/1"}},
		{"an old state from nowhere", edits{edit(dialogueFile, `"old_state_event_id": "2020_E1"`, `"old_state_event_id": "2019_E1"`)}, []string{"umb/old-state-event UMB_dialogue_benchmark.json:58 /tasks_covered/4"}},
		{"an answer of another time than its events", edits{edit(dialogueFile, "185 days passed", "191 days passed"), edit(dialogueFile, "Start: 2020-03-06", "Start: in spring"), edit(dialogueFile, "Duration: 185 days", "Duration: 191 days")}, []string{
			"umb/temporal-sources UMB_dialogue_benchmark.json:$1 /tasks_covered/3/gold_answer"}},
		{"dates that do not make the duration", edits{edit(dialogueFile, "End: 2020-09-07", "End: 2020-09-08")}, []string{"umb/temporal-duration UMB_dialogue_benchmark.json:55 /tasks_covered/3/answer_components/2"}},
		{"a question that gives the month away", edits{edit(dialogueFile, "between the first", "since March between the first")}, []string{"umb/temporal-leak UMB_dialogue_benchmark.json:$1 /tasks_covered/3/query"}},
		{"a year corrected that nobody said", edits{edit(dialogueFile, "began in 2021, who", "began late, who")}, []string{"umb/premise-year UMB_dialogue_benchmark.json:77 /tasks_covered/5/gold_answer"}},
	})
}

// manifestsOnly is the release without rows of training and evaluation, which repeat what the assignments say.
func manifestsOnly(t *testing.T) familytest.Files {
	files := familytest.Read(t, exampleDir).Only("long-dialogue", "parametric-memory")
	for name := range files {
		if strings.HasSuffix(name, ".jsonl") {
			delete(files, name)
		}
	}
	return files
}

func TestStages(t *testing.T) {
	const stage3 = "umb/entity-stage manifests/entity_split_assignments.json:18 /stages/03"
	mutate(t, manifestsOnly(t), []mutation{
		{"dialogues miscounted", edits{edit(assignedFile, `"num_dialogues": 10`, `"num_dialogues": 11`)}, []string{"umb/stage-size manifests/dialogue_assignments.json:$1 /num_dialogues"}},
		{"a stage too large", edits{edit(assignedFile, "\"Joy Rowe\",\n      \"stage_id\": 2", "\"Joy Rowe\",\n      \"stage_id\": 1"), edit(entitiesFile, ",\n        \"Joy Rowe\"", ""),
			edit(entitiesFile, `"Ivo Fern"`, `"Ivo Fern", "Joy Rowe"`)}, []string{"umb/stage-size manifests/dialogue_assignments.json:22 /assignments"}},
		{"a stage beyond the last", edits{edit(assignedFile, `"num_stages": 2`, `"num_stages": 1`)}, []string{"umb/stage-size manifests/dialogue_assignments.json:$1 /num_stages"}},
		{"turns of another dialogue", edits{edit(assignedFile, `"turn_count": 8`, `"turn_count": 9`)}, []string{"umb/assignment-differs manifests/dialogue_assignments.json:$1 /assignments/0/turn_count"}},
		{"tasks of another dialogue", edits{edit(assignedFile, `"qa_count": 6`, `"qa_count": 5`)}, []string{"umb/assignment-differs manifests/dialogue_assignments.json:$1 /assignments/0/qa_count"}},
		{"a character of another dialogue", edits{edit(assignedFile, `"character": "Ada Reed"`, `"character": "Ada"`), edit(entitiesFile, `"Ada Reed"`, `"Ada"`)}, []string{
			"umb/assignment-differs manifests/dialogue_assignments.json:$1 /assignments/0/character"}},
		{"a dialogue twice", edits{edit(assignedFile, "d1a10002-5eed-4000-8000-000000001002", ada)}, []string{"umb/assignment-missing UMB_dialogue_benchmark.json:333 /id",
			"umb/assigned-twice manifests/dialogue_assignments.json:$1 /assignments/1/dialogue_id", "umb/assignment-differs manifests/dialogue_assignments.json:32 /assignments/1/character"}},
		{"a dialogue that is not there", edits{edit(dialogueFile, ada, "d1a10000-5eed-4000-8000-00000000ffff")}, []string{
			"umb/assignment-missing UMB_dialogue_benchmark.json:$1 /id", "umb/dialogue-unknown manifests/dialogue_assignments.json:23 /assignments/0/dialogue_id"}},
		{"a character on both sides", edits{edit(entitiesFile, "\"test\": [\n        \"Ada Reed\"", "\"test\": [\n        \"Cleo Park\"")}, []string{
			"umb/entity-stage manifests/entity_split_assignments.json:6 /stages/01", "umb/entity-overlap manifests/entity_split_assignments.json:$1 /stages/01/test/0"}},
		{"a character of another stage", edits{edit(entitiesFile, `"Joy Rowe"`, `"Ada"`)}, []string{
			"umb/entity-stage manifests/entity_split_assignments.json:18 /stages/02", "umb/entity-stage manifests/entity_split_assignments.json:18 /stages/02"}},
		{"a stage that is not split", edits{edit(entitiesFile, `"02"`, `"03"`), edit(entitiesFile, "31013", "31014")}, []string{
			"umb/entity-stage manifests/entity_split_assignments.json:1 /stages", stage3, stage3, stage3, stage3, stage3}},
		{"dialogues that change places", edits{edit(assignedFile, "\"Ada Reed\",\n      \"stage_id\": 1", "\"Ada Reed\",\n      \"stage_id\": 2"), edit(assignedFile, "\"Ben Ash\",\n      \"stage_id\": 2", "\"Ben Ash\",\n      \"stage_id\": 1"),
			edit(entitiesFile, `"Ada Reed"`, `"Ben"`), edit(entitiesFile, `"Ben Ash"`, `"Ada Reed"`), edit(entitiesFile, `"Ben"`, `"Ben Ash"`)}, []string{"umb/stage-order manifests/dialogue_assignments.json:$1 /assignments/0/stage_id"}},
		{"a seed of other stages", edits{edit(assignedFile, `"seed": 111`, `"seed": 112`)}, []string{"umb/stage-order manifests/dialogue_assignments.json:40 /assignments/2/stage_id"}},
		{"sides that change places", edits{edit(entitiesFile, `"Ada Reed"`, `"Cleo"`), edit(entitiesFile, `"Cleo Park"`, `"Ada Reed"`), edit(entitiesFile, `"Cleo"`, `"Cleo Park"`)}, []string{
			"umb/entity-order manifests/entity_split_assignments.json:8 /stages/01/train"}},
		{"a share that does not add up", edits{edit(entitiesFile, "0.19999999999999996", "0.3")}, []string{"umb/entity-ratio manifests/entity_split_assignments.json:$1 /test_ratio"}},
		{"a split of another share", edits{edit(entitiesFile, `"train_ratio": 0.8`, `"train_ratio": 0.6`), edit(entitiesFile, "0.19999999999999996", "0.4")}, []string{
			"umb/entity-ratio manifests/entity_split_assignments.json:8 /stages/01/train", "umb/entity-ratio manifests/entity_split_assignments.json:20 /stages/02/train"}},
		{"a seed of another stage", edits{edit(entitiesFile, "31013", "31012")}, []string{"umb/entity-seed manifests/entity_split_assignments.json:$1 /stages/02/seed"}},
		{"dialogues in place of names", edits{edit(entitiesFile, `"Ada Reed"`, `{"dialogue_id": "`+ada+`", "character": "Ada Reed"}`)}, []string{}},
		{"a file of another stage", edits{edit(infoFile, "../train_pt/stage_01_pt.jsonl", "../train_pt/stage_02_pt.jsonl")}, []string{
			"umb/dataset-info configs/dataset_info.json:$1 /umb_entitysplit_stage_01_pt/file_name"}},
		{"a stage without pre-training text", edits{edit(infoFile, "umb_entitysplit_stage_02_pt", "umb_entitysplit_stage_03_pt"), edit(infoFile, "stage_02_pt.jsonl", "stage_03_pt.jsonl")}, []string{
			"umb/dataset-info configs/dataset_info.json:1", "umb/dataset-info configs/dataset_info.json:1"}},
		{"columns swapped", edits{edit(infoFile, `"prompt": "instruction"`, `"prompt": "input"`)}, []string{"schema/const configs/dataset_info.json:$1 /umb_entitysplit_stage_01_pt/columns/prompt"}},
	})
}

func TestTrainingFiles(t *testing.T) {
	files := familytest.Read(t, exampleDir).Only("long-dialogue", "parametric-memory")
	line := func(file string, n int) string { return strings.SplitAfter(files[file], "\n")[n-1] }
	mutate(t, files, []mutation{
		{"a chunk left out", edits{edit(ptFile, line(ptFile, 2), "")}, []string{"umb/chunk-cover train_pt/stage_01_pt.jsonl:1 /metadata/num_chunks"}},
		{"turns left out", edits{edit(ptFile, `"chunk_start_turn":3`, `"chunk_start_turn":5`)}, []string{"umb/chunk-cover train_pt/stage_01_pt.jsonl:2 /metadata/chunk_start_turn"}},
		{"an end before the last turn", edits{edit(ptFile, `"chunk_end_turn":7`, `"chunk_end_turn":6`)}, []string{"umb/chunk-cover train_pt/stage_01_pt.jsonl:3 /metadata/chunk_end_turn"}},
		{"chunks miscounted", edits{edit(ptFile, `"num_chunks":3`, `"num_chunks":4`)}, []string{"umb/chunk-cover train_pt/stage_01_pt.jsonl:1 /metadata/num_chunks"}},
		{"a first turn left out", edits{edit(ptFile, `"chunk_start_turn":0`, `"chunk_start_turn":1`)}, []string{"umb/chunk-cover train_pt/stage_01_pt.jsonl:1 /metadata/chunk_start_turn"}},
		{"an end behind the last turn", edits{edit(ptFile, `"chunk_end_turn":7`, `"chunk_end_turn":8`)}, []string{"umb/chunk-cover train_pt/stage_01_pt.jsonl:3 /metadata/chunk_end_turn"}},
		{"a chunk that begins before the one in front", edits{edit(ptFile, `"chunk_start_turn":6`, `"chunk_start_turn":2`)}, []string{"umb/chunk-cover train_pt/stage_01_pt.jsonl:3 /metadata/chunk_start_turn"}},
		{"chunks out of order", edits{edit(ptFile, line(ptFile, 1)+line(ptFile, 2), line(ptFile, 2)+line(ptFile, 1))}, []string{"umb/chunk-cover train_pt/stage_01_pt.jsonl:1 /metadata/chunk_id"}},
		{"an end before the beginning", edits{edit(ptFile, `"chunk_start_turn":3`, `"chunk_start_turn":7`)}, []string{"umb/chunk-cover train_pt/stage_01_pt.jsonl:2 /metadata/chunk_end_turn"}},
		{"a header of three lines", edits{edit(ptFile, `concern Ada Reed.\n`, `concern Ada Reed.\n\n`)}, []string{"umb/chunk-header train_pt/stage_01_pt.jsonl:1 /instruction"}},
		{"tokens miscounted", edits{edit(ptFile, `"approx_tokens":42`, `"approx_tokens":44`)}, []string{"umb/chunk-tokens train_pt/stage_01_pt.jsonl:1 /metadata/approx_tokens"}},
		{"a header of nobody", edits{edit(ptFile, `concern Ada Reed.\nThese notes involve Ada Reed.`, `concern somebody.\nNotes.`)}, []string{"umb/chunk-header train_pt/stage_01_pt.jsonl:1 /instruction"}},
		{"text in the answer", edits{edit(ptFile, `"output":""`, `"output":"x"`)}, []string{"schema/const train_pt/stage_01_pt.jsonl:1 /output"}},
		{"a row of another stage", edits{edit(ptFile, `"dialogue_stage":1`, `"dialogue_stage":2`)}, []string{
			"umb/stage-differs train_pt/stage_01_pt.jsonl:1 /metadata/dialogue_stage", "umb/stage-file train_pt/stage_01_pt.jsonl:1 /metadata/dialogue_stage"}},
		{"tasks of another dialogue", edits{edit(ptFile, `"qa_count":6`, `"qa_count":7`)}, []string{"umb/stage-differs train_pt/stage_01_pt.jsonl:1 /metadata/qa_count"}},
		{"a dialogue without text", edits{edit(ptFile, line(ptFile, 1)+line(ptFile, 2)+line(ptFile, 3), "")}, []string{
			"umb/chunk-missing manifests/dialogue_assignments.json:23 /assignments/0/dialogue_id"}},
		{"a question twice said", edits{edit(sftFile, `"input":"What did`, `"input":"What, did`)}, []string{"umb/sft-input train_qa_sft/stage_01.jsonl:1 /input"}},
		{"an answer without a field", edits{edit(sftFile, `,\"evidence_snippets\":[]`, ``)}, []string{"umb/sft-output train_qa_sft/stage_01.jsonl:1 /output"}},
		{"an answer that is no JSON", edits{edit(sftFile, `\"evidence_snippets\":[]}`, `\"evidence_snippets\":[]`)}, []string{"umb/sft-output train_qa_sft/stage_01.jsonl:1 /output"}},
		{"a row too few", edits{edit(sftFile, line(sftFile, 1), "")}, []string{"umb/sft-count manifests/entity_split_assignments.json:6 /stages/01"}},
		{"an answer edited here only", edits{edit(sftFile, `"gold_answer":"The trade of a weaver."`, `"gold_answer":"Weaving."`)}, []string{"umb/task-unknown train_qa_sft/stage_01.jsonl:1 /metadata"}},
		{"a question about a test character", edits{edit(sftFile, "", files[sftFile]+testRow)}, []string{
			"umb/eval-leak eval_unseen/memory_eval_stage_01.jsonl:1 /metadata/query", "umb/sft-character train_qa_sft/stage_01.jsonl:33 /metadata/character"}},
		{"a turn of the dialogue in a prompt", edits{edit(evalFile, `Return ONLY valid JSON.`, `user: How was step 1?\nReturn ONLY valid JSON.`), edit(allFile, `Return ONLY valid JSON.`, `user: How was step 1?\nReturn ONLY valid JSON.`)}, []string{
			"umb/eval-dialogue eval_unseen/memory_eval_all.jsonl:1 /prompt", "umb/eval-dialogue eval_unseen/memory_eval_stage_01.jsonl:1 /prompt"}},
		{"words of the dialogue in a prompt", edits{edit(evalFile, `Return ONLY valid JSON.`, `She said: I am Ada Reed, the baker. Step 2 was a good one. Return ONLY valid JSON.`), edit(allFile, `Return ONLY valid JSON.`, `She said: I am Ada Reed, the baker. Step 2 was a good one. Return ONLY valid JSON.`)}, []string{
			"umb/eval-dialogue eval_unseen/memory_eval_stage_01.jsonl:1 /prompt"}},
		{"an id of another task", edits{edit(evalFile, "::Information Extraction::0", "::Event Summarization::0"), edit(allFile, "::Information Extraction::0", "::Event Summarization::0")}, []string{
			"umb/eval-id eval_unseen/memory_eval_all.jsonl:1 /id", "umb/eval-id eval_unseen/memory_eval_stage_01.jsonl:1 /id"}},
		{"a prompt that goes on", edits{edit(evalFile, `begin to learn?","ref`, `begin to learn? Think.","ref`), edit(allFile, `begin to learn?","ref`, `begin to learn? Think.","ref`)}, []string{
			"umb/eval-prompt eval_unseen/memory_eval_all.jsonl:1 /prompt", "umb/eval-prompt eval_unseen/memory_eval_stage_01.jsonl:1 /prompt"}},
		{"a question too few", edits{edit(evalFile, line(evalFile, 6), ""), edit(allFile, line(evalFile, 6), "")}, []string{
			"umb/eval-count manifests/dialogue_assignments.json:27 /assignments/0/qa_count"}},
		{"a question twice", edits{edit(evalFile, line(evalFile, 6), line(evalFile, 5)), edit(allFile, line(evalFile, 6), line(evalFile, 5))}, []string{
			"umb/id-repeated eval_unseen/memory_eval_stage_01.jsonl:6 /id"}},
		{"a file of all stages out of order", edits{edit(allFile, line(allFile, 1), ""), edit(allFile, line(allFile, 2), line(allFile, 2)+line(allFile, 1))}, []string{
			"umb/eval-all eval_unseen/memory_eval_all.jsonl:1"}},
		{"a file of all stages that ends early", edits{edit(allFile, line(allFile, 12), "")}, []string{"umb/eval-all eval_unseen/memory_eval_all.jsonl:11"}},
		{"a training character among the unseen", edits{edit(entitiesFile, "\"Ada Reed\"", "\"Cleo Park\""), edit(entitiesFile, "\"Cleo Park\",", "\"Ada Reed\",")}, slices.Concat(
			placesOf("umb/eval-seen eval_unseen/memory_eval_stage_01.jsonl:%d /metadata/character", 6), []string{"umb/eval-count manifests/dialogue_assignments.json:34 /assignments/1/qa_count",
				"umb/sft-count manifests/entity_split_assignments.json:6 /stages/01"}, placesOf("umb/sft-character train_qa_sft/stage_01.jsonl:%d /metadata/character", 8),
			[]string{"umb/entity-order manifests/entity_split_assignments.json:8 /stages/01/train"})},
		{"a file that is registered and not there", edits{edit("parametric-memory/train_pt/stage_02_pt.jsonl", "", "")}, []string{"umb/dataset-info-file configs/dataset_info.json:21 /umb_entitysplit_stage_02_pt/file_name"}},
	})
}

// withoutManifests is a release that does not say what belongs to which stage and side.
func withoutManifests(t *testing.T, files familytest.Files) familytest.Files {
	files, _ = files.With(t, edits{
		edit("hfpub.yaml", "      - name: dialogue_assignments\n        splits: [{name: train, files: [manifests/dialogue_assignments.json], artifact: umb/assignments}]\n", ""),
		edit("hfpub.yaml", sidesConfig, ""), {File: assignedFile}, {File: entitiesFile},
	})
	return files
}

// sidesConfig is the config of the split of characters.
const sidesConfig = "      - name: entity_split\n        splits: [{name: train, files: [manifests/entity_split_assignments.json], artifact: umb/assignments}]\n"

// What is trained on and what is asked are held against each other alone, where nobody says who is for testing.
func TestTrainingFilesWithoutManifests(t *testing.T) {
	files := withoutManifests(t, familytest.Read(t, exampleDir).Only("parametric-memory"))
	line := func(file string, n int) string { return strings.SplitAfter(files[file], "\n")[n-1] }
	mutate(t, files, []mutation{
		{"a question that is trained on", edits{edit(sftFile, "", files[sftFile]+testRow)}, []string{
			"umb/eval-leak eval_unseen/memory_eval_stage_01.jsonl:1 /metadata/query", "umb/sft-count train_qa_sft/stage_01.jsonl:33 /metadata/character"}},
		{"a question of evaluation in place of one for training", edits{edit(sftFile, line(sftFile, 1), testRow)}, []string{
			"umb/eval-leak eval_unseen/memory_eval_stage_01.jsonl:1 /metadata/query", "umb/sft-count train_qa_sft/stage_01.jsonl:1 /metadata/character", "umb/sft-count train_qa_sft/stage_01.jsonl:2 /metadata/character"}},
		{"words of the text for training in a prompt", edits{edit(evalFile, `Return ONLY`, `I am Ada Reed, the baker. Step 2 was a good one. Return ONLY`), edit(allFile, `Return ONLY`, `I am Ada Reed, the baker. Step 2 was a good one. Return ONLY`)}, []string{
			"umb/eval-dialogue eval_unseen/memory_eval_stage_01.jsonl:1 /prompt"}},
		{"a first turn left out", edits{edit(ptFile, `"chunk_start_turn":0`, `"chunk_start_turn":1`)}, []string{"umb/chunk-cover train_pt/stage_01_pt.jsonl:1 /metadata/chunk_start_turn"}},
	})
	files = withoutManifests(t, familytest.Read(t, exampleDir).Only("parametric-memory", "long-dialogue"))
	mutate(t, files, []mutation{
		{"a question too few", edits{edit(evalFile, line(evalFile, 6), ""), edit(allFile, line(evalFile, 6), "")}, []string{"umb/eval-count eval_unseen/memory_eval_stage_01.jsonl:1 /metadata/dialogue_id"}},
	})
}

// Without the split of characters, those that have rows are counted by the assignments.
func TestTrainingFilesWithoutSides(t *testing.T) {
	files, _ := familytest.Read(t, exampleDir).Only("parametric-memory").With(t, edits{edit("hfpub.yaml", sidesConfig, ""), {File: entitiesFile}})
	line := func(file string, n int) string { return strings.SplitAfter(files[file], "\n")[n-1] }
	mutate(t, files, []mutation{
		{"a row too few", edits{edit(sftFile, line(sftFile, 1), "")}, []string{"umb/sft-count train_qa_sft/stage_01.jsonl:1 /metadata/character"}},
		{"a question too few", edits{edit(evalFile, line(evalFile, 6), ""), edit(allFile, line(evalFile, 6), "")}, []string{"umb/eval-count eval_unseen/memory_eval_stage_01.jsonl:1 /metadata/dialogue_id"}},
	})
}

// The summary counts what the assignments count, where there are no dialogues.
func TestCleaningWithoutDialogues(t *testing.T) {
	files := familytest.Read(t, exampleDir).Only("construction", "parametric-memory")
	for name := range files {
		if strings.HasSuffix(name, ".jsonl") {
			delete(files, name)
		}
	}
	mutate(t, files, []mutation{
		{"tasks of another cleaning", edits{edit(assignedFile, `"qa_count": 6`, `"qa_count": 5`)}, []string{"umb/cleaning-recount dataset_summary.json:11 /qa_task_counts/valid_retained"}},
	})
}

// Copies of the manifests say nothing new, and take nothing away.
func TestCopiesOfManifests(t *testing.T) {
	files := familytest.Read(t, exampleDir).Only("parametric-memory")
	copies := sidesConfig + "      - name: entity_copy\n        splits: [{name: train, files: [configs/entity_split_assignments.json], artifact: umb/assignments}]\n" +
		"      - name: assignments_copy\n        splits: [{name: train, files: [configs/dialogue_assignments.json], artifact: umb/assignments}]\n"
	files, _ = files.With(t, edits{edit("hfpub.yaml", sidesConfig, copies), edit("parametric-memory/configs/entity_split_assignments.json", "", files[entitiesFile]),
		edit("parametric-memory/configs/dialogue_assignments.json", "", files[assignedFile])})
	line := func(file string, n int) string { return strings.SplitAfter(files[file], "\n")[n-1] }
	mutate(t, files, []mutation{
		{"a row too few", edits{edit(sftFile, line(sftFile, 1), "")}, []string{"umb/sft-count manifests/entity_split_assignments.json:6 /stages/01"}},
	})
}

// placesOf are the places of a finding in the first n lines.
func placesOf(format string, n int) []string {
	var out []string
	for line := range n {
		out = append(out, fmt.Sprintf(format, line+1))
	}
	return out
}

// testRow is a row for fine-tuning that asks what evaluation asks.
const testRow = `{"instruction":"Answer.","input":"What did Ada Reed begin to learn?","output":"{\"answer\":\"The trade of a baker.\",\"evidence_snippets\":[]}","metadata":{"task_type":"Information Extraction",` +
	`"dialogue_id":"` + ada + `","dialogue_stage":1,"character":"Ada Reed","query":"What did Ada Reed begin to learn?","gold_answer":"The trade of a baker.",` +
	`"answer_components":["The trade of a baker"],"source_event_ids":["2020_E1"],"training_mode":"qa_sft"}}` + "\n"

func TestFacts(t *testing.T) {
	mutate(t, familytest.Read(t, exampleDir).Only("construction", "state-tracking"), []mutation{
		{"keys out of order", edits{edit(factsFile, "\"state_repr\": \"state 1\",\n      \"schema\": \"Home\"", "\"schema\": \"Home\",\n      \"state_repr\": \"state 1\"")}, []string{
			"umb/fact-keys facts.json:$1 /Ada Reed/0/schema"}},
		{"a number twice", edits{edit(factsFile, `"000002"`, `"000001"`)}, []string{"umb/fact-number facts.json:$1 /Ada Reed/1/fact_id"}},
		{"a number of another character", edits{edit(factsFile, `"000002"`, `"000092"`)}, []string{"umb/fact-number facts.json:$1 /Ada Reed/1/fact_id"}},
		{"numbers against time", edits{edit(factsFile, `"000003"`, `"000099"`), edit(factsFile, `"000004"`, `"000003"`), edit(factsFile, `"000099"`, `"000004"`)}, []string{
			"umb/fact-order facts.json:20 /Ada Reed/2/timestamp"}},
		{"a day in no calendar", edits{edit(factsFile, `"timestamp": "2024-03-14"`, `"timestamp": "2024-02-30"`)}, []string{"umb/fact-date facts.json:$1 /Ada Reed/20/timestamp", "umb/ladder-fact ladder/schema_longest_ladder_L11_tok166_c1_s2_f10_n2_seed42.json:13 /data/0/Prompt",
			"umb/ladder-fact ladder/schema_longest_ladder_L20_tok1116_c2_s10_f10_n2_seed42.json:35 /data/0/Prompt"}},
		{"a character without a story", edits{edit(factsFile, `"Joy Rowe": [`, `"Joy Rowes": [`)}, []string{"umb/character-unknown facts.json:1910 /Joy Rowes"}},
		{"a fact without a cluster", edits{edit(factsFile, `"schema": "Health"`, `"schema": ""`)}, []string{"schema/min-length facts.json:$1 /Ada Reed/5/schema",
			"umb/ladder-character ladder/schema_longest_ladder_L01_tok79_c1_s1_f1_n2_seed42.json:23 /meta/chosen_characters/0",
			"umb/ladder-character ladder/schema_longest_ladder_L02_tok96_c1_s1_f2_n2_seed42.json:23 /meta/chosen_characters/0",
			"umb/ladder-character ladder/schema_longest_ladder_L11_tok166_c1_s2_f10_n2_seed42.json:24 /meta/chosen_characters/0",
			"umb/ladder-fact ladder/schema_longest_ladder_L20_tok1116_c2_s10_f10_n2_seed42.json:35 /data/0/Prompt",
			"umb/ladder-character ladder/schema_longest_ladder_L20_tok1116_c2_s10_f10_n2_seed42.json:46 /meta/chosen_characters/0"}},
		{"a fact without a number", edits{edit(factsFile, `"fact_id": "000005"`, `"fact_id": "5"`)}, []string{"schema/pattern facts.json:$1 /Ada Reed/4/fact_id"}},
		{"a hole in the numbers", edits{edit(factsFile, `"000300"`, `"000301"`)}, []string{"umb/fact-number facts.json:$1 /Joy Rowe/29/fact_id"}},
	})
}

func TestLadder(t *testing.T) {
	files := familytest.Read(t, exampleDir).Only("state-tracking", "results")
	const name = "ladder/schema_longest_ladder_L02_tok96_c1_s1_f2_n2_seed42.json"
	mutate(t, files, []mutation{
		{"the later fact as ground truth", edits{edit(ladderFile, `"Home": "Ada Reed reaches state 1 of home"`, `"Home": "Ada Reed reaches state 2 of home"`)}, []string{
			"umb/ladder-truth " + name + ":$1 /data/0/GT/Ada Reed/schema_longest/Home"}},
		{"a cluster that the prompt lacks", edits{edit(ladderFile, `"Home": "Ada Reed reaches state 1 of home"`, `"Hut": "Ada Reed reaches state 1 of home"`)}, []string{
			"umb/ladder-truth " + name + ":7 /data/0/GT/Ada Reed/schema_longest", "umb/ladder-truth " + name + ":$1 /data/0/GT/Ada Reed/schema_longest/Hut"}},
		{"no ground truth for a group of several", edits{edit(ladderFile, `"Home": "Ada Reed reaches state 1 of home"`, `"Home": null`)}, []string{
			"umb/ladder-truth " + name + ":$1 /data/0/GT/Ada Reed/schema_longest/Home"}},
		{"a prompt edited", edits{edit(ladderFile, "Please perform", "Perform")}, []string{
			"umb/ladder-stats " + name + ":14 /data/0/Stats/chars"}},
		{"a cluster that is not chosen", edits{edit(ladderFile, "\"Ada Reed\": [\n          \"Home\"", "\"Ada Reed\": [\n          \"Hut\"")}, []string{
			"umb/ladder-schemas " + name + ":$1 /meta/chosen_schemas/Ada Reed/0"}},
		{"a cluster that is shown and not chosen", edits{edit(longFile, "          \"Home\",\n", "")}, []string{"umb/ladder-schemas " + strings.TrimPrefix(longFile, "state-tracking/") + ":28 /meta/chosen_schemas/Ada Reed"}},
		{"clusters of nobody", edits{edit(ladderFile, "\"Ada Reed\": [\n          \"Home\"", "\"Ada\": [\n          \"Home\"")}, []string{
			"umb/ladder-schemas " + name + ":26 /meta/chosen_schemas", "umb/ladder-schemas " + name + ":27 /meta/chosen_schemas/Ada"}},
		{"a fact of another day", edits{edit(ladderFile, "day_ts=18327", "day_ts=18328")}, []string{"umb/ladder-fact " + name + ":12 /data/0/Prompt"}},
		{"a limit of another level", edits{edit(ladderFile, `"max_facts_per_schema": 2`, `"max_facts_per_schema": 3`)}, []string{"umb/ladder-name " + name + ":$1 /meta/max_facts_per_schema"}},
		{"samples miscounted", edits{edit(ladderFile, `"s000002"`, `"s000003"`)}, []string{"umb/ladder-samples " + name + ":$1 /sample_id"}},
		{"a row of the summary of another size", edits{edit(rowsFile, "L02,96,1,1,2,2,42", "L02,96,1,1,2,3,42")}, []string{"umb/ladder-summary schema_longest_ladder_summary.csv:3 /num_samples"}},
		{"a mean of another file", edits{edit(rowsFile, "L02,96", "L02,95")}, []string{"umb/ladder-summary schema_longest_ladder_summary.csv:3 /avg_est_tokens"}},
		{"a row of the summary twice", edits{edit(rowsFile, "L02,96,1,1,2,2,42,schema_longest_ladder_L02_tok96_c1_s1_f2_n2_seed42.json\n", "L02,96,1,1,2,2,42,schema_longest_ladder_L02_tok96_c1_s1_f2_n2_seed42.json\nL02,96,1,1,2,2,42,schema_longest_ladder_L02_tok96_c1_s1_f2_n2_seed42.json\n")}, []string{
			"umb/row-repeated schema_longest_ladder_summary.csv:4 /file"}},
		{"a level of another file", edits{edit(rowsFile, "L02,96", "L03,96")}, []string{"umb/ladder-summary schema_longest_ladder_summary.csv:3 /level"}},
		{"a character with few facts", edits{edit(factsFile, `"schema": "Travel"`, `"schema": "Trips"`)}, []string{
			"umb/ladder-character ladder/schema_longest_ladder_L01_tok79_c1_s1_f1_n2_seed42.json:23 /meta/chosen_characters/0", "umb/ladder-character " + name + ":23 /meta/chosen_characters/0",
			"umb/ladder-character ladder/schema_longest_ladder_L11_tok166_c1_s2_f10_n2_seed42.json:24 /meta/chosen_characters/0",
			"umb/ladder-fact ladder/schema_longest_ladder_L20_tok1116_c2_s10_f10_n2_seed42.json:35 /data/0/Prompt",
			"umb/ladder-character ladder/schema_longest_ladder_L20_tok1116_c2_s10_f10_n2_seed42.json:46 /meta/chosen_characters/0"}},
		{"a file that the summary lacks", edits{edit(rowsFile, "L02,96,1,1,2,2,42,schema_longest_ladder_L02_tok96_c1_s1_f2_n2_seed42.json\n", "")}, []string{"umb/ladder-summary " + name + ":2"}},
		{"a row of a file that is not there", edits{edit(ladderFile, "", "")}, []string{"umb/ladder-summary schema_longest_ladder_summary.csv:3 /file"}},
	})
}

func TestResults(t *testing.T) {
	model, task, both := table("invalid_json_by_model"), table("invalid_json_by_task"), table("invalid_json_model_task")
	files := familytest.Read(t, exampleDir).Only("construction", "results")
	mutate(t, files, []mutation{
		{"a rate rounded down", edits{edit(both, "1,10,10.00%", "1,10,10.01%")}, []string{"umb/rate tables/invalid_json_model_task.csv:$1 /invalid_json_rate"}},
		{"a margin by model", edits{edit(model, "Tern-7B,6,60,10.00%", "Tern-7B,3,60,5.00%")}, []string{"umb/margin tables/invalid_json_by_model.csv:$1 /invalid_json_count"}},
		{"a margin by task", edits{edit(task, "3,20,15.00%", "3,30,10.00%")}, []string{"umb/margin tables/invalid_json_by_task.csv:$1 /total_count"}},
		{"a model without a margin", edits{edit(model, "Tern-7B,6,60,10.00%\n", "")}, []string{"umb/margin tables/invalid_json_model_task.csv:2"}},
		{"a code of another family", edits{edit(task, "Information Extraction,IE", "Information Extraction,ES")}, []string{"umb/task-code tables/invalid_json_by_task.csv:$1 /task_short"}},
		{"the own stage called old", edits{edit(table("retention_overall_matrix_long"), "2,2,current", "2,2,old")}, []string{"umb/matrix-relation tables/retention_overall_matrix_long.csv:$1 /stage_relation"}},
		{"a stage not seen yet", edits{edit(table("retention_overall_matrix_long"), "2,1,old", "1,2,old")}, []string{
			"umb/matrix-relation tables/retention_overall_matrix_long.csv:$1 /eval_stage", "umb/retention tables/retention_rate_overall_by_model.csv:2 /num_valid_old_stages"}},
		{"a row of the matrix left out", edits{edit(table("retention_overall_matrix_long"), matrixRow(files, "Tern-7B,2,1,old"), "")}, []string{"umb/retention tables/retention_rate_overall_by_model.csv:2 /num_valid_old_stages"}},
		{"a row of the matrix twice", edits{edit(table("retention_overall_matrix_long"), matrixRow(files, "Tern-7B,2,1,old"), matrixRow(files, "Tern-7B,2,1,old")+matrixRow(files, "Tern-7B,2,1,old"))}, []string{
			"umb/row-repeated tables/retention_overall_matrix_long.csv:4"}},
		{"examples of another stage", edits{edit(table("retention_overall_matrix_long"), "2,1,old,0.250000,6,1,0.166667", "2,1,old,0.250000,7,1,0.142857")}, []string{"umb/answer-count tables/retention_overall_matrix_long.csv:$1 /num_examples"}},
		{"a model asked less", edits{edit(both, "1,10,10.00%", "1,9,11.11%"), edit(model, "Tern-7B,6,60,10.00%", "Tern-7B,6,59,10.17%"), edit(task, "3,20,15.00%", "3,19,15.79%")}, []string{
			"umb/answer-count tables/invalid_json_model_task.csv:$1 /total_count"}},
		{"a model twice", edits{edit(model, "Tern-7B,6,60,10.00%\n", "Tern-7B,6,60,10.00%\nTern-7B,6,60,10.00%\n")}, []string{"umb/row-repeated tables/invalid_json_by_model.csv:3"}},
		{"a score off the diagonal", edits{edit(table("retention_overall_matrix_long"), "2,2,current,0.416667", "2,2,current,0.416660")}, []string{
			"umb/diagonal tables/parametric_current_stage_by_stage.csv:3 /current_stage_score"}},
		{"a mean retention", edits{edit(table("retention_rate_overall_by_model"), "2,0.500000,0.000000", "2,0.500020,0.000000")}, []string{"umb/retention tables/retention_rate_overall_by_model.csv:$1 /mean_retention_rate"}},
		{"a deviation of one value", edits{edit(table("retention_rate_overall_by_model"), "2,0.500000,0.000000", "2,0.500000,0.100000")}, []string{"umb/retention tables/retention_rate_overall_by_model.csv:$1 /std_retention_rate"}},
		{"old stages miscounted", edits{edit(table("retention_rate_overall_by_model"), "0.000000,1,1", "0.000000,2,1")}, []string{"umb/retention tables/retention_rate_overall_by_model.csv:$1 /num_old_stages"}},
		{"valid stages miscounted", edits{edit(table("retention_rate_overall_by_model"), "0.000000,1,1", "0.000000,1,0")}, []string{"umb/retention tables/retention_rate_overall_by_model.csv:$1 /num_valid_old_stages"}},
		{"an overall that is no mean", edits{edit(table("figure4_overall_comparison"), "0.650000", "0.560000")}, []string{"umb/overall tables/figure4_overall_comparison.csv:$1 /contextual_overall"}},
		{"two definitions of overall", edits{edit(table("figure4_overall_comparison"), "0.458333", "0.400000"), edit(figureFile, "0.45833333333333337", "0.4"), edit(figureFile, "0.4166666666666667", "0.3")}, []string{
			"umb/lattice figure4_plot_data.json:$3 /models/0/parametric_stagewise_current/1", "umb/overall-definition figure4_plot_data.json:$2 /models/0/parametric_overall",
			"umb/overall-definition tables/figure4_overall_comparison.csv:$1 /parametric_overall"}},
		{"a printed score", edits{edit(table("figure4_taskwise_profiles"), "0.400000,1.000000", "0.400001,1.000000")}, []string{"umb/figure-differs tables/figure4_taskwise_profiles.csv:$1 /contextual_score"}},
		{"a score that no answers have", edits{edit(figureFile, `"ES": 0.6,`, `"ES": 0.62,`), edit(figureFile, `"contextual_overall": 0.65`, `"contextual_overall": 0.6533333333333333`),
			edit(table("figure4_taskwise_profiles"), "0.600000,0.250000", "0.620000,0.250000"), edit(table("figure4_overall_comparison"), "0.650000", "0.653333")}, []string{
			"umb/lattice figure4_plot_data.json:$1 /models/0/contextual_taskwise/ES"}},
		{"a family of another run", edits{edit(table("parametric_taskwise_summary"), "IE,IE,1.000000", "IE,IE,0.900000")}, []string{
			"umb/figure-differs figure4_plot_data.json:23 /models/0/parametric_taskwise/IE", "umb/figure-differs tables/figure4_taskwise_profiles.csv:2 /parametric_score",
			"umb/stage-mean tables/parametric_taskwise_summary.csv:2"}},
		{"a model called by its label", edits{edit(table("figure4_overall_comparison"), "Tern-7B,Tern-7B,", "Tern-7B,Tern-7B-Chat,"), edit(table("retention_rate_overall_by_model"), "Tern-7B,2", "Tern-7B-Chat,2")}, []string{
			"umb/model-name tables/retention_rate_overall_by_model.csv:$2 /model"}},
		{"a score from another file", edits{edit(figureFile, `"stage1_override": null`, `"stage1_override": "outputs/again/scores.json"`)}, []string{"umb/source-override figure4_plot_data.json:$1 /models/0/sources/stage1_override"}},
		{"a stage without a score", edits{edit(table("parametric_current_stage_by_stage"), "Wren-3B,held_out_character,2,0.250000\n", "")}, []string{
			"umb/stage-mean tables/parametric_taskwise_summary.csv:8 /stage_count", "umb/stage-missing tables/parametric_current_stage_by_stage.csv:4"}},
	})
}

// A sample of one person and cluster with bounds broken, and a level that is another one.
func TestLadderBounds(t *testing.T) {
	files := familytest.Read(t, exampleDir).Only("state-tracking")
	const name = "ladder/schema_longest_ladder_L02_tok96_c1_s1_f2_n2_seed42.json"
	renamed := "state-tracking/ladder/schema_longest_ladder_L03_tok96_c1_s1_f2_n2_seed42.json"
	mutate(t, files, []mutation{
		{"a chosen character too many", edits{edit(ladderFile, "\"chosen_characters\": [\n        \"Ada Reed\"", "\"chosen_characters\": [\n        \"Ada Reed\", \"Ben Ash\"")}, []string{
			"umb/ladder-bounds " + name + ":23 /meta/chosen_characters"}},
		{"characters out of order", edits{edit("state-tracking/ladder/schema_longest_ladder_L20_tok1116_c2_s10_f10_n2_seed42.json",
			"\"chosen_characters\": [\n        \"Ada Reed\",\n        \"Ben Ash\"", "\"chosen_characters\": [\n        \"Ben Ash\",\n        \"Ada Reed\"")}, []string{
			"umb/ladder-people ladder/schema_longest_ladder_L20_tok1116_c2_s10_f10_n2_seed42.json:46 /meta/chosen_characters"}},
		{"no facts in the prompt", edits{edit(ladderFile, "schema=【Home】 | day_ts=18327", "cluster=【Home】 | day_ts=18327"), edit(ladderFile, "schema=【Home】 | day_ts=19071", "cluster=【Home】 | day_ts=19071")}, []string{
			"umb/ladder-truth " + name + ":6 /data/0/GT/Ada Reed", "umb/ladder-prompt " + name + ":12 /data/0/Prompt", "umb/ladder-stats " + name + ":14 /data/0/Stats/chars",
			"umb/ladder-stats " + name + ":17 /data/0/Stats/facts_lines"}},
		{"a cluster too many", edits{edit(ladderFile, "schema=【Home】 | day_ts=19071", "schema=【Work】 | day_ts=19071")}, []string{
			"umb/ladder-truth " + name + ":7 /data/0/GT/Ada Reed/schema_longest", "umb/ladder-bounds " + name + ":12 /data/0/Prompt", "umb/ladder-fact " + name + ":12 /data/0/Prompt",
			"umb/ladder-schemas " + name + ":27 /meta/chosen_schemas/Ada Reed"}},
		{"a level of another size", edits{{File: ladderFile}, {File: renamed, New: files[ladderFile]}}, []string{"umb/ladder-level " + strings.TrimPrefix(renamed, "state-tracking/") + ":2"}},
	})
}

// Copies on the Hub spell keys in lower case, hold ground truth as text and end in _hf; the samples are as true as before.
func TestLadderCopies(t *testing.T) {
	files := familytest.Read(t, exampleDir).Only("state-tracking", "results")
	copied := strings.NewReplacer(`"GT": {`+"\n          \"Ada Reed\": {\n            \"schema_longest\": {\n              \"Home\": \"Ada Reed reaches state 1 of home\"\n            }\n          }\n        }",
		`"gt": "{\"Ada Reed\": {\"schema_longest\": {\"Home\": \"Ada Reed reaches state 1 of home\"}}}"`, `"Stats": {`, `"stats": {`).Replace(files[ladderFile])
	changed, _ := files.With(t, edits{{File: ladderFile}, edit("state-tracking/ladder/schema_longest_ladder_L02_tok96_c1_s1_f2_n2_seed42_hf.json", "", copied)})
	if got := changed.Found(t, areas...); len(got) > 0 {
		t.Errorf("a copy with lower-case keys should be as true as the original, found %q", got)
	}
	changed["state-tracking/ladder/schema_longest_ladder_L02_tok96_c1_s1_f2_n2_seed42_hf.json"] = strings.Replace(copied, `state 1 of home\"`, `state 2 of home\"`, 1)
	want := []string{"umb/ladder-truth ladder/schema_longest_ladder_L02_tok96_c1_s1_f2_n2_seed42_hf.json:5 /data/0/gt"}
	if got := changed.Found(t, areas...); !slices.Equal(got, want) {
		t.Errorf("the text of a copy's ground truth is wrong: found %q, want %q", got, want)
	}
}

// matrixRow is the row of the retention matrix with a beginning.
func matrixRow(files familytest.Files, beginning string) string {
	for line := range strings.Lines(files[table("retention_overall_matrix_long")]) {
		if strings.HasPrefix(line, beginning) {
			return line
		}
	}
	return ""
}

// The matrix asks what the files of evaluation ask.
func TestExamplesOfStages(t *testing.T) {
	files := familytest.Read(t, exampleDir).Only("parametric-memory", "results")
	changed := strings.NewReplacer(",6,0,0.000000", ",7,0,0.000000", ",6,1,0.166667", ",7,1,0.142857").Replace(files[table("retention_overall_matrix_long")])
	mutate(t, files, []mutation{
		{"examples that nobody released", edits{edit(table("retention_overall_matrix_long"), "", changed)}, []string{
			"umb/answer-count tables/retention_overall_matrix_long.csv:2 /num_examples", "umb/answer-count tables/retention_overall_matrix_long.csv:3 /num_examples",
			"umb/answer-count tables/retention_overall_matrix_long.csv:5 /num_examples", "umb/answer-count tables/retention_overall_matrix_long.csv:6 /num_examples",
			"umb/answer-count tables/retention_overall_matrix_long.csv:4 /num_examples", "umb/answer-count tables/retention_overall_matrix_long.csv:7 /num_examples"}},
	})
}

// A rate that lies half-way is printed both ways.
func TestRatesHalfWay(t *testing.T) {
	files := familytest.Read(t, exampleDir).Only("construction")
	halves := func(rate string) string {
		return strings.NewReplacer(`"raw": 15, "valid": 10, "removed": 5, "valid_rate": "66.7%"`, `"raw": 16, "valid": 1, "removed": 15, "valid_rate": "`+rate+`"`,
			`"raw": 65`, `"raw": 66`, `"valid_retained": 60`, `"valid_retained": 51`, `"removed_incomplete_evidence": 5`, `"removed_incomplete_evidence": 15`, `"92.3%"`, `"77.3%"`).Replace(files[summaryFile])
	}
	for rate, want := range map[string]int{"6.2%": 0, "6.3%": 0, "6.4%": 1, "6.1%": 1} {
		changed, _ := files.With(t, edits{edit(summaryFile, "", halves(rate))})
		if got := changed.Found(t, areas...); len(got) != want {
			t.Errorf("1 of 16 as %s: found %q, want %d findings", rate, got, want)
		}
	}
}

// Turns may be counted from 1, or end behind the last one: then they are so in all dialogues.
func TestChunksCountedOtherwise(t *testing.T) {
	files := familytest.Read(t, exampleDir).Only("parametric-memory")
	for name, counted := range map[string]*strings.Replacer{
		"from 1": strings.NewReplacer(`"chunk_start_turn":0,"chunk_end_turn":3`, `"chunk_start_turn":1,"chunk_end_turn":4`, `"chunk_start_turn":3,"chunk_end_turn":6`, `"chunk_start_turn":4,"chunk_end_turn":7`,
			`"chunk_start_turn":6,"chunk_end_turn":7`, `"chunk_start_turn":7,"chunk_end_turn":8`),
		"ending behind the last turn": strings.NewReplacer(`"chunk_end_turn":3`, `"chunk_end_turn":4`, `"chunk_end_turn":6`, `"chunk_end_turn":7`, `"chunk_end_turn":7`, `"chunk_end_turn":8`),
	} {
		var list edits
		for path, text := range files {
			if strings.HasSuffix(path, "_pt.jsonl") {
				list = append(list, edit(path, "", counted.Replace(text)))
			}
		}
		changed, _ := files.With(t, list)
		if got := changed.Found(t, areas...); len(got) > 0 {
			t.Errorf("turns counted %s: found %q", name, got)
		}
		changed, _ = changed.With(t, edits{edit(ptFile, `"chunk_end_turn":8`, `"chunk_end_turn":7`)})
		if got := changed.Found(t, areas...); len(got) != 1 || !strings.HasPrefix(got[0], "umb/chunk-cover train_pt/stage_01_pt.jsonl:3 ") {
			t.Errorf("turns counted %s, the last one lost: found %q", name, got)
		}
	}
}

// only is a release of some of the example's files, each of its artifact.
func only(files familytest.Files, artifacts ...string) familytest.Files {
	out := familytest.Files{}
	manifest := "version: 1\nrelease: {name: part, version: 1.0.0}\nrepos:\n  - id: part/part\n    type: dataset\n    status: public\n    root: .\n    license: cc-by-4.0\n    configs:\n"
	for i := 0; i < len(artifacts); i += 2 {
		name := artifacts[i+1]
		out[name] = files[name]
		standard := ""
		if i == 0 {
			standard = "        default: true\n"
		}
		manifest += fmt.Sprintf("      - name: c%d\n%s        splits: [{name: train, files: [%s], artifact: %s}]\n", i, standard, name, artifacts[i])
	}
	out["hfpub.yaml"] = manifest
	return out
}

// Some promises are kept by several files. Where only one is there, breaking it is all that is found.
func TestFilesAlone(t *testing.T) {
	all := familytest.Read(t, exampleDir)
	line := func(file string, n int) string { return strings.SplitAfter(all[file], "\n")[n-1] }
	alone := func(release familytest.Files, m mutation) {
		t.Helper()
		changed, lines := release.With(t, m.edits)
		for i, want := range m.want {
			for n, at := range lines {
				want = strings.ReplaceAll(want, fmt.Sprintf("$%d", n+1), fmt.Sprint(at))
			}
			m.want[i] = want
		}
		if got := release.Found(t, areas...); len(got) > 0 {
			t.Errorf("%s: nothing should be wrong before, found %q", m.name, got)
		}
		if got := changed.Found(t, areas...); !slices.Equal(got, m.want) {
			t.Errorf("%s: found\n  %s\nwant\n  %s", m.name, strings.Join(got, "\n  "), strings.Join(m.want, "\n  "))
		}
	}
	story := only(all, "umb/stories", storiesFile)
	alone(story, mutation{"an event twice", edits{edit(storiesFile, `"event_id": "2025_E2"`, `"event_id": "2025_E1"`)}, []string{"umb/event-repeated " + storiesFile + ":$1 /chronology/5/events/1/event_id"}})
	alone(story, mutation{"a hole in the numbers", edits{edit(storiesFile, `"event_id": "2025_E2"`, `"event_id": "2025_E3"`)}, []string{"umb/event-number " + storiesFile + ":$1 /chronology/5/events/1/event_id"}})
	alone(story, mutation{"events out of order", edits{edit(storiesFile, `"timestamp": "2020-09-07"`, `"timestamp": "2020-02-07"`), edit(storiesFile, "\"2020_E1\"\n            ]", "]")}, []string{
		"umb/event-order " + storiesFile + ":62 /chronology/0/events/1/timestamp"}})
	figure := only(all, "umb/results", figureFile)
	alone(figure, mutation{"two definitions of overall", edits{edit(figureFile, "\"ES\": 0.25", "\"ES\": 0.35")}, []string{"umb/overall-definition " + figureFile + ":16 /models/0/parametric_overall"}})
	stages, tasks := table("parametric_current_stage_by_stage"), table("parametric_taskwise_summary")
	alone(only(all, "umb/results", stages, "umb/results", tasks), mutation{"a family of another run", edits{edit(tasks, "IE,IE,1.000000", "IE,IE,0.900000")}, []string{"umb/stage-mean " + tasks + ":2"}})
	alone(only(all, "umb/results", stages), mutation{"a stage without a score", edits{edit(stages, "Wren-3B,held_out_character,2,0.250000\n", "")}, []string{"umb/stage-missing " + stages + ":4"}})
	manifest := only(all, "umb/assignments", assignedFile)
	alone(manifest, mutation{"a dialogue twice", edits{edit(assignedFile, "d1a10002-5eed-4000-8000-000000001002", ada)}, []string{"umb/assigned-twice " + assignedFile + ":$1 /assignments/1/dialogue_id"}})
	more := strings.NewReplacer("d1a10009-5eed-4000-8000-000000001009", "d1a1000a-5eed-4000-8000-00000000100a", "Joy Rowe", "Kit Low").Replace(lastDialogue(all[dialogueFile]))
	alone(only(all, "umb/assignments", assignedFile, "umb/dialogue", dialogueFile), mutation{"a dialogue in no stage", edits{edit(dialogueFile, lastDialogue(all[dialogueFile]), lastDialogue(all[dialogueFile])+","+more)}, []string{
		"umb/assignment-missing " + dialogueFile + ":1653 /id"}})
	trained := only(all, "umb/assignments", assignedFile, "umb/assignments", entitiesFile, "umb/qa-sft", sftFile)
	alone(trained, mutation{"a row of no dialogue", edits{edit(sftFile, `"dialogue_id":"d1a10002-5eed-4000-8000-000000001002"`, `"dialogue_id":"d1a1ffff-5eed-4000-8000-000000001002"`)}, []string{
		"umb/dialogue-unknown " + sftFile + ":1 /metadata/dialogue_id"}})
	alone(trained, mutation{"a question about a test character", edits{edit(sftFile, "", all[sftFile]+testRow)}, []string{"umb/sft-character " + sftFile + ":33 /metadata/character"}})
	alone(only(all, "umb/qa-sft", sftFile), mutation{"a row too few", edits{edit(sftFile, line(sftFile, 1), "")}, []string{"umb/sft-count " + sftFile + ":1 /metadata/character"}})
	few := only(all, "umb/qa-sft", sftFile, "umb/eval-unseen", evalFile)
	few[sftFile] = line(sftFile, 1) + line(sftFile, 2)
	alone(few, mutation{"a question that is trained on", edits{edit(sftFile, line(sftFile, 2), line(sftFile, 2)+testRow)}, []string{"umb/eval-leak " + evalFile + ":1 /metadata/query"}})
	sides := only(all, "umb/assignments", entitiesFile)
	alone(sides, mutation{"a character on both sides", edits{edit(entitiesFile, "\"test\": [\n        \"Ada Reed\"", "\"test\": [\n        \"Cleo Park\"")}, []string{"umb/entity-overlap " + entitiesFile + ":$1 /stages/01/test/0"}})
	alone(only(all, "umb/assignments", entitiesFile, "umb/eval-unseen", evalFile), mutation{"a training character among the unseen", edits{edit(evalFile, `"character":"Ada Reed"`, `"character":"Cleo Park"`)}, []string{
		"umb/eval-seen " + evalFile + ":1 /metadata/character"}})
	alone(only(all, "umb/eval-unseen", allFile), mutation{"stages out of order", edits{edit(allFile, "", strings.Join(slices.Concat(strings.SplitAfter(all[allFile], "\n")[6:12], strings.SplitAfter(all[allFile], "\n")[:6]), ""))}, []string{
		"umb/eval-all " + allFile + ":7 /metadata/dialogue_stage"}})
	alone(only(all, "umb/facts", factsFile), mutation{"a day in no calendar", edits{edit(factsFile, `"timestamp": "2024-03-14"`, `"timestamp": "2024-02-30"`)}, []string{"umb/fact-date " + factsFile + ":$1 /Ada Reed/20/timestamp"}})
	alone(only(all, "umb/facts", factsFile, "umb/ladder", ladderFile), mutation{"a character with few facts", edits{edit(factsFile, `"schema": "Travel"`, `"schema": "Trips"`)}, []string{
		"umb/ladder-character " + ladderFile + ":23 /meta/chosen_characters/0"}})
	read := only(all, "umb/pt", ptFile)
	alone(read, mutation{"chunks that count other tasks", edits{edit(ptFile, line(ptFile, 2), strings.Replace(line(ptFile, 2), `"qa_count":6`, `"qa_count":7`, 1))}, []string{"umb/stage-differs " + ptFile + ":2 /metadata/qa_count"}})
	alone(only(all, "umb/pt", ptFile, "umb/dialogue", dialogueFile), mutation{"a turn of another chunk", edits{edit(ptFile, `I am Ada Reed, the baker. Step 1 was a good one.`, `I am Ada Reed, the baker. Step 4 was a good one.`)}, []string{"umb/chunk-text " + ptFile + ":1 /input"}})
	otherwise := only(all, "umb/pt", ptFile, "umb/dialogue", dialogueFile)
	otherwise[ptFile] = strings.NewReplacer("was a good one.", "went well......", "How was step", "What of step").Replace(all[ptFile])
	if got := otherwise.Found(t, areas...); len(got) > 0 {
		t.Errorf("text that is written otherwise in all chunks: found %q", got)
	}
	const bare = "bare.json"
	sample := `[{"sample_id": "s000001", "meta": {"seed": 42, "token_char_ratio": 4, "num_characters": 1, "max_schemas_per_character": 1, "max_facts_per_schema": 1, "shuffle_facts": false, "chosen_characters": ["Ada"],
"chosen_schemas": {"Ada": []}, "stats": {"facts_lines": 0, "prompts": {"schema_longest": {"chars": 12, "est_tokens": 3}}, "sum_chars": 12, "sum_est_tokens": 3}},
"data": [{"Task": "schema_longest", "Prompt": "No facts yet", "GT": {}, "Stats": {"chars": 12, "est_tokens": 3, "task": "schema_longest", "facts_lines": 0}}]}]`
	got := only(familytest.Files{bare: sample}, "umb/ladder", bare).Found(t, areas...)
	if want := []string{"schema/minimum " + bare + ":2 /meta/stats/facts_lines", "schema/minimum " + bare + ":3 /data/0/Stats/facts_lines", "umb/ladder-prompt " + bare + ":3 /data/0/Prompt"}; !slices.Equal(got, want) {
		t.Errorf("a prompt without facts: found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// lastDialogue is the last dialogue of a file.
func lastDialogue(dialogues string) string {
	i := strings.LastIndex(dialogues, "\n  {\n    \"id\"")
	return strings.TrimSuffix(dialogues[i:], "\n]\n")
}
