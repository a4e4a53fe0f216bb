package umb_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the data of the example release anew")

// exampleDir is the example release; hfpub.yaml, cards, license texts and the lock in it are not made here.
const exampleDir = "../../../testdata/releases/umb"

// The example release holds ten characters in two stages: small, whole, and true under all rules.
var names = []string{"Ada Reed", "Ben Ash", "Cleo Park", "Dan Oak", "Eve Moss", "Finn Lake", "Gus Hill", "Hana Bay", "Ivo Fern", "Joy Rowe"}

const (
	stageCount   = 2
	perCharacter = 8
)

func stageOf(i int) int { return i%stageCount + 1 }

// The seeds draw the stages and sides as they are here: characters go to the stages in turn, and the first one of each stage is a
// test character. Both were found by trying one seed after another with Python's random module.
const (
	stageSeed  = 111
	entitySeed = 31011
)

// isTest says that a character's questions are held out: the first one of each stage.
func isTest(i int) bool { return i < stageCount }

func dialogueID(i int) string {
	return fmt.Sprintf("%08x-5eed-4000-8000-%012x", 0xd1a10000+i, 0x1000+i)
}

type persona struct {
	Name         string `json:"name"`
	Demographics struct {
		Age        int    `json:"age"`
		Gender     string `json:"gender"`
		Location   string `json:"location"`
		Occupation string `json:"occupation"`
	} `json:"demographics"`
	MBTI      string   `json:"current_mbti"`
	Evolution []period `json:"evolution_timeline"`
	Profile   struct {
		Summary string `json:"personality_summary"`
		Tone    string `json:"tone_of_voice"`
		Hobbies string `json:"hobbies"`
		Anxiety string `json:"recent_anxiety_or_goal"`
	} `json:"current_profile"`
}

type period struct {
	Period string `json:"period"`
	State  string `json:"internal_state"`
	Goal   string `json:"primary_goal"`
	Shift  string `json:"personality_shift"`
}

func makePersona(i int) persona {
	p := persona{Name: names[i], MBTI: []string{"INTJ", "ESTP", "ISFP"}[i%3]}
	p.Demographics.Age, p.Demographics.Gender = 24+i, []string{"female", "male"}[i%2]
	p.Demographics.Location, p.Demographics.Occupation = "Harbour Town", trades[i]
	for _, years := range []string{"2020-2021", "2022-2023", "2024-2025"} {
		p.Evolution = append(p.Evolution, period{years, "Restless, then calmer.", "To live from the work of " + names[i] + ".", "More patient than before."})
	}
	p.Profile.Summary, p.Profile.Tone = "Curious and stubborn.", "Short sentences."
	p.Profile.Hobbies, p.Profile.Anxiety = "tea, rowing", "Whether the workshop will last."
	return p
}

var trades = []string{"baker", "potter", "weaver", "carpenter", "florist", "boat builder", "printer", "brewer", "tailor", "clockmaker"}

type event struct {
	ID        string   `json:"event_id"`
	Season    string   `json:"time_of_year"`
	Category  string   `json:"category"`
	Text      string   `json:"description"`
	Note      string   `json:"psychological_note"`
	Causes    []string `json:"caused_by_event_ids"`
	Timestamp string   `json:"timestamp"`
}

type year struct {
	Year    int     `json:"year"`
	Summary string  `json:"narrative_summary"`
	Events  []event `json:"events"`
}

type story struct {
	Name       string  `json:"character_name"`
	Persona    persona `json:"original_persona"`
	Chronology []year  `json:"chronology"`
}

func dateOf(i, y, k int) time.Time {
	return time.Date(y, time.Month(3+6*(k-1)), 5+(3*i+7*(y-2020)+k)%20, 0, 0, 0, 0, time.UTC)
}

func stamp(i, y, k int) string { return dateOf(i, y, k).Format(time.DateOnly) }

func makeStory(i int) story {
	s := story{Name: names[i], Persona: makePersona(i)}
	last := []string{}
	for y := 2020; y <= 2025; y++ {
		of := year{Year: y, Summary: fmt.Sprintf("In %d %s changed one thing at a time.", y, names[i])}
		for k := 1; k <= 2; k++ {
			id := fmt.Sprintf("%d_E%d", y, k)
			of.Events = append(of.Events, event{id, []string{"March (Spring)", "September (Autumn)"}[k-1], []string{"Career", "Personal"}[k-1],
				fmt.Sprintf("%s takes step %d of %d as a %s.", names[i], k, y, trades[i]), "It felt like a beginning.", last, stamp(i, y, k)})
			last = []string{id}
		}
		s.Chronology = append(s.Chronology, of)
	}
	return s
}

type task struct {
	Type       string   `json:"task_type"`
	Sources    []string `json:"source_event_ids"`
	Query      string   `json:"query"`
	Answer     string   `json:"gold_answer"`
	Components []string `json:"answer_components"`
	OldValue   string   `json:"old_state_value,omitempty"`
	OldEvent   string   `json:"old_state_event_id,omitempty"`
}

var families = []string{"Information Extraction", "Multi-session Reasoning", "Event Summarization", "Temporal Reasoning", "Knowledge Updating", "Memory Arbitration"}

var codes = []string{"IE", "MSR", "ES", "TR", "KU", "MA"}

func makeTasks(i int) []task {
	who, trade := names[i], trades[i]
	days := int(dateOf(i, 2020, 2).Sub(dateOf(i, 2020, 1)).Hours()) / 24
	return []task{
		{families[0], []string{"2020_E1"}, fmt.Sprintf("What did %s begin to learn?", who), fmt.Sprintf("The trade of a %s.", trade), []string{"The trade of a " + trade}, "", ""},
		{families[1], []string{"2020_E1", "2021_E1"}, fmt.Sprintf("How did the first step of %s lead to a workshop?", who), "One step caused the next, until there was a workshop.", []string{"First step", "Workshop"}, "", ""},
		{families[2], []string{"2022_E1", "2022_E2"}, fmt.Sprintf("Summarize the life of %s in 2022.", who), "Two steps, one at work and one at home.", []string{"Step at work", "Step at home"}, "", ""},
		{families[3], []string{"2020_E1", "2020_E2"}, fmt.Sprintf("How many days passed between the first and the second step of %s?", who), fmt.Sprintf("%d days passed.", days),
			[]string{"Start: " + stamp(i, 2020, 1), "End: " + stamp(i, 2020, 2), fmt.Sprintf("Duration: %d days", days)}, "", ""},
		{families[4], []string{"2025_E2"}, fmt.Sprintf("As of late 2025, what is %s?", who), fmt.Sprintf("A master %s.", trade), []string{"Master " + trade}, "Apprentice", "2020_E1"},
		{families[5], []string{"2020_E1"}, fmt.Sprintf("Since %s began in 2021, who was the first teacher?", who), fmt.Sprintf("The premise is incorrect. %s began in 2020, not 2021.", who), []string{"Began in 2020, not 2021"}, "", ""},
	}
}

// dropped is a task that cleaning takes away from every second dialogue.
func dropped(i int) task {
	return task{families[0], []string{"2023_E1"}, fmt.Sprintf("Which tea does %s drink?", names[i]), "Sencha.", []string{"Sencha"}, "", ""}
}

func isCleaned(i int) bool { return i%2 == 1 }

type questionsRow struct {
	Name     string   `json:"character_name"`
	Events   []string `json:"original_events_summary"`
	Settings string   `json:"consistent_scenario_settings"`
	Log      []string `json:"conflict_log"`
	Tasks    []task   `json:"validated_tasks"`
}

func makeQuestions(i int) questionsRow {
	q := questionsRow{Name: names[i], Settings: names[i] + " lives in Harbour Town.", Log: []string{"Normalized: names of task families"}, Tasks: makeTasks(i)}
	for y := 2020; y <= 2025; y++ {
		q.Events = append(q.Events, fmt.Sprintf("%d_E1", y), fmt.Sprintf("%d_E2", y))
	}
	if isCleaned(i) {
		q.Tasks = append(q.Tasks, dropped(i))
	}
	return q
}

type turn struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type segment struct {
	ID      int    `json:"segment_id"`
	Type    string `json:"type"`
	Topic   string `json:"topic"`
	Anchors int    `json:"anchor_count"`
	Dynamic bool   `json:"has_dynamic"`
}

func makeTurns(i int) []turn {
	var out []turn
	for k := range 4 {
		out = append(out, turn{"user", fmt.Sprintf("How was step %d?", k+1)}, turn{"assistant", fmt.Sprintf("I am %s, the %s. Step %d was a good one.", names[i], trades[i], k+1)})
	}
	return out
}

func makeDialogue(i int) any {
	removed := 0
	if isCleaned(i) {
		removed = 1
	}
	return struct {
		ID         string            `json:"id"`
		Character  string            `json:"character"`
		Mode       string            `json:"generation_mode"`
		Tasks      []task            `json:"tasks_covered"`
		Segments   []segment         `json:"segment_outlines"`
		Dialogue   []turn            `json:"dialogue"`
		Scene      map[string]string `json:"scene_config"`
		Category   string            `json:"scene_category"`
		Statistics any               `json:"statistics"`
	}{
		dialogueID(i), names[i], "natural_v8", makeTasks(i),
		[]segment{{0, "opening", "greeting", 1, false}, {1, "info-anchor", "work", 2, true}, {2, "filler", "weather", 0, false}, {3, "closing", "goodbye", 0, false}},
		makeTurns(i), map[string]string{"interlocutor_role": "a guest", "setting": "tea house", "interlocutor_goal": "company", "opening_style": "Casual"}, "tea_house",
		struct {
			Segments int `json:"total_segments"`
			Turns    int `json:"total_turns"`
			Tokens   int `json:"estimated_tokens"`
			Anchors  int `json:"info_anchors"`
			Info     int `json:"info_segments"`
			Filler   int `json:"filler_segments"`
			Rerolls  int `json:"length_rerolls"`
			Failed   int `json:"failed_segments"`
			Tasks    int `json:"tasks_count"`
			Removed  int `json:"tasks_removed"`
		}{4, 8, 90, 3, 1, 1, 0, 0, 6, removed},
	}
}

const cleaningSummary = `{
  "source_dialogues": "../output/raw_dialogues.json",
  "validation_report": "../output/report.json",
  "dialogue_counts": {
    "raw": 10,
    "retained": 10,
    "removed_no_valid_qa": 0
  },
  "qa_task_counts": {
    "raw": 65,
    "valid_retained": 60,
    "removed_incomplete_evidence": 5,
    "valid_rate": "92.3%"
  },
  "by_task_type": {
    "Event Summarization": {"raw": 10, "valid": 10, "removed": 0, "valid_rate": "100.0%"},
    "Information Extraction": {"raw": 15, "valid": 10, "removed": 5, "valid_rate": "66.7%"},
    "Knowledge Updating": {"raw": 10, "valid": 10, "removed": 0, "valid_rate": "100.0%"},
    "Memory Arbitration": {"raw": 10, "valid": 10, "removed": 0, "valid_rate": "100.0%"},
    "Multi-session Reasoning": {"raw": 10, "valid": 10, "removed": 0, "valid_rate": "100.0%"},
    "Temporal Reasoning": {"raw": 10, "valid": 10, "removed": 0, "valid_rate": "100.0%"}
  }
}
`

type assigned struct {
	ID        string `json:"dialogue_id"`
	Character string `json:"character"`
	Stage     int    `json:"stage_id"`
	Tasks     int    `json:"qa_count"`
	Turns     int    `json:"turn_count"`
}

func makeAssignments() any {
	var list []assigned
	for stage := 1; stage <= stageCount; stage++ {
		for i := range names {
			if stageOf(i) == stage {
				list = append(list, assigned{dialogueID(i), names[i], stage, 6, 8})
			}
		}
	}
	return struct {
		Path         string     `json:"dataset_path"`
		Dialogues    int        `json:"num_dialogues"`
		Stages       int        `json:"num_stages"`
		Tokens       int        `json:"max_chunk_tokens"`
		Overlap      int        `json:"overlap_turns"`
		Mode         string     `json:"chunking_mode"`
		OverlapToken int        `json:"sliding_window_overlap_tokens"`
		Header       string     `json:"pt_header_style"`
		Record       string     `json:"pt_record_style"`
		Sampling     string     `json:"qa_sampling_mode"`
		Most         int        `json:"qa_max_samples_per_character"`
		Weights      any        `json:"qa_task_weights"`
		Seed         int        `json:"seed"`
		Assignments  []assigned `json:"assignments"`
	}{"${UMB_ROOT}/long-dialogue/UMB_dialogue_benchmark.json", len(names), stageCount, 64, 1, "sliding_window", 16, "natural", "alpaca", "role_balanced_upweight", perCharacter,
		map[string]float64{families[0]: 1, families[4]: 1.25, families[5]: 1.25, families[3]: 2, families[1]: 1.75, families[2]: 1.75}, stageSeed, list}
}

func makeEntities() any {
	type side struct {
		Seed  int      `json:"seed"`
		Train []string `json:"train"`
		Test  []string `json:"test"`
	}
	stages := map[string]side{}
	for stage := 1; stage <= stageCount; stage++ {
		s := side{Seed: entitySeed + stage}
		for i, name := range names {
			switch {
			case stageOf(i) != stage:
			case isTest(i):
				s.Test = append(s.Test, name)
			default:
				s.Train = append(s.Train, name)
			}
		}
		stages[fmt.Sprintf("%02d", stage)] = s
	}
	return struct {
		Seed   int             `json:"entity_split_seed"`
		Train  float64         `json:"train_ratio"`
		Test   float64         `json:"test_ratio"`
		Stages map[string]side `json:"stages"`
	}{entitySeed, 0.8, 0.19999999999999996, stages}
}

// cut are the first and last turns of the chunks of every dialogue.
var cut = [][2]int{{0, 3}, {3, 6}, {6, 7}}

type chunkRow struct {
	Instruction string  `json:"instruction"`
	Input       string  `json:"input"`
	Output      string  `json:"output"`
	Metadata    chunkOf `json:"metadata"`
}

type chunkOf struct {
	ID        string `json:"dialogue_id"`
	Stage     int    `json:"dialogue_stage"`
	Character string `json:"character"`
	Chunk     int    `json:"chunk_id"`
	Chunks    int    `json:"num_chunks"`
	First     int    `json:"chunk_start_turn"`
	Last      int    `json:"chunk_end_turn"`
	Tokens    int    `json:"approx_tokens"`
	Tasks     int    `json:"qa_count"`
	Mode      string `json:"training_mode"`
	Header    string `json:"pt_header_style"`
	Record    string `json:"pt_record_style"`
}

func makeChunks(i int) []any {
	var out []any
	turns := makeTurns(i)
	for k, c := range cut {
		var lines []string
		tokens := 0
		for _, t := range turns[c[0] : c[1]+1] {
			line := t.Role + ": " + t.Content
			lines = append(lines, line)
			tokens += (len(line) + 3) / 4
		}
		header := fmt.Sprintf("The following dialogue details concern %s.\nThese notes involve %s.", names[i], names[i])
		out = append(out, chunkRow{header, strings.Join(lines, "\n"), "", chunkOf{dialogueID(i), stageOf(i), names[i], k + 1, len(cut), c[0], c[1], tokens, 6, "pt", "natural", "alpaca"}})
	}
	return out
}

type taskOf struct {
	Type       string   `json:"task_type"`
	ID         string   `json:"dialogue_id"`
	Stage      int      `json:"dialogue_stage"`
	Character  string   `json:"character"`
	Query      string   `json:"query"`
	Answer     string   `json:"gold_answer,omitempty"`
	Components []string `json:"answer_components"`
	Sources    []string `json:"source_event_ids"`
	Mode       string   `json:"training_mode,omitempty"`
	Copy       int      `json:"resampled_copy_index,omitempty"`
}

// answerOf is the answer to a task in the form of its family.
func answerOf(t task) string {
	var v any
	switch t.Type {
	case families[0]:
		v = map[string]any{"answer": t.Answer, "evidence_snippets": []string{}}
	case families[1]:
		v = map[string]any{"event_chain": t.Components, "final_outcome": t.Answer}
	case families[2]:
		v = map[string]any{"time_span": "2022", "key_turning_points": t.Components, "summary": t.Answer}
	case families[3]:
		v = map[string]any{"final_answer": t.Answer, "days": 0, "start_date": "", "end_date": ""}
	case families[4]:
		v = map[string]any{"latest_state": t.Answer, "as_of_time": "", "deprecated_state": t.OldValue}
	default:
		v = map[string]any{"premise_verdict": "incorrect", "premise_error": "", "corrected_facts": t.Components, "final_answer": t.Answer}
	}
	return strings.TrimSpace(text(v, ""))
}

func instruction(i int) string {
	return "You previously learned a long conversation and must answer from memory.\nCharacter: " + names[i] + "\nReturn ONLY valid JSON."
}

func makeTraining(i int) []any {
	var out []any
	tasks := makeTasks(i)
	for k := range perCharacter {
		t := tasks[k%len(tasks)]
		meta := taskOf{t.Type, dialogueID(i), stageOf(i), names[i], t.Query, t.Answer, t.Components, t.Sources, "qa_sft", max(0, k-len(tasks)+1)}
		out = append(out, struct {
			Instruction string `json:"instruction"`
			Input       string `json:"input"`
			Output      string `json:"output"`
			Metadata    taskOf `json:"metadata"`
		}{instruction(i), t.Query, answerOf(t), meta})
	}
	return out
}

func makeEvaluation(i int) []any {
	var out []any
	for k, t := range makeTasks(i) {
		out = append(out, struct {
			ID        string `json:"id"`
			Prompt    string `json:"prompt"`
			Reference string `json:"reference"`
			Metadata  taskOf `json:"metadata"`
		}{fmt.Sprintf("%s::%s::%d", dialogueID(i), t.Type, k), instruction(i) + "\n\n[Question]\n" + t.Query, t.Answer,
			taskOf{Type: t.Type, ID: dialogueID(i), Stage: stageOf(i), Character: names[i], Query: t.Query, Components: t.Components, Sources: t.Sources}})
	}
	return out
}

func makeDatasetInfo() any {
	type entry struct {
		File       string            `json:"file_name"`
		Formatting string            `json:"formatting"`
		Columns    map[string]string `json:"columns"`
	}
	columns := map[string]string{"prompt": "instruction", "query": "input", "response": "output"}
	out := map[string]entry{}
	for stage := 1; stage <= stageCount; stage++ {
		out[fmt.Sprintf("umb_entitysplit_stage_%02d_pt", stage)] = entry{fmt.Sprintf("../train_pt/stage_%02d_pt.jsonl", stage), "alpaca", columns}
		out[fmt.Sprintf("umb_entitysplit_stage_%02d_qa", stage)] = entry{fmt.Sprintf("../train_qa_sft/stage_%02d.jsonl", stage), "alpaca", columns}
	}
	return out
}

type fact struct {
	Fact   string `json:"fact"`
	ID     string `json:"fact_id"`
	Date   string `json:"timestamp"`
	State  string `json:"state_repr"`
	Schema string `json:"schema"`
}

var clusters = []string{"Home", "Study", "Work", "Band", "Garden", "Health", "Money", "Rowing", "Tea", "Travel"}

// makeFacts makes three facts in each of ten clusters for each character, in the order of time.
func makeFacts() map[string][]fact {
	all := map[string][]fact{}
	next := 1
	for i, name := range names { // in the order of the names
		for k := range 3 * len(clusters) {
			state, cluster := k/len(clusters)+1, clusters[k%len(clusters)]
			half := k * 12 / (3 * len(clusters)) // of the six years
			date := dateOf(i, 2020+half/2, half%2+1).Format(time.DateOnly)
			all[name] = append(all[name], fact{fmt.Sprintf("%s reaches state %d of %s", name, state, strings.ToLower(cluster)), fmt.Sprintf("%06d", next), date, fmt.Sprintf("state %d", state), cluster})
			next++
		}
	}
	return all
}

// promptOf is a prompt of the ladder: a worked example, which has facts too, and the facts.
func promptOf(facts []fact) string {
	var lines []string
	for _, f := range facts {
		day, _ := time.Parse(time.DateOnly, f.Date)
		lines = append(lines, fmt.Sprintf("schema=【%s】 | day_ts=%d | fact=%s", f.Schema, day.Unix()/86400, f.Fact))
	}
	return "Please perform a strict atomic fact state-tracking task.\n\nExample:\nschema=【State A】 | day_ts=1 | fact=Xiao Li starts\nschema=【State A】 | day_ts=9 | fact=Xiao Li stops\n\n" +
		"Now process the following facts:\n" + strings.Join(lines, "\n") + "\n\nMake sure the output is in valid JSON format.\n"
}

type rung struct{ level, characters, schemas, facts int }

var rungs = []rung{{1, 1, 1, 1}, {2, 1, 1, 2}, {11, 1, 2, 10}, {20, 2, 10, 10}}

type stats struct {
	Chars  int    `json:"chars"`
	Tokens int    `json:"est_tokens"`
	Task   string `json:"task,omitempty"`
	Lines  int    `json:"facts_lines,omitempty"`
}

// makeRung makes two samples of a level; they return with the sum of their tokens.
func makeRung(r rung) (samples []any, tokens int) {
	all := makeFacts()
	for n := range 2 {
		chosen := append([]string{}, names[3*n:3*n+r.characters]...)
		schemas := map[string][]string{}
		truth := map[string]any{}
		var shown []fact
		for _, name := range chosen {
			schemas[name] = clusters[:min(r.schemas, len(clusters))]
			answers := map[string]string{}
			for _, f := range all[name] {
				count := 0
				for _, s := range shown {
					if s.Schema == f.Schema && strings.HasPrefix(s.Fact, name) {
						count++
					}
				}
				if contains(schemas[name], f.Schema) && count < r.facts {
					shown = append(shown, f)
				}
			}
			for _, schema := range schemas[name] {
				answers[schema] = longestOf(shown, name, schema)
			}
			truth[name] = map[string]any{"schema_longest": answers}
		}
		prompt := promptOf(shown)
		chars := len([]rune(prompt))
		est := (chars + 2) / 4
		if chars%8 == 2 {
			est = chars / 4 // halves to even
		}
		tokens += est
		one := stats{chars, est, "", 0}
		samples = append(samples, map[string]any{
			"sample_id": fmt.Sprintf("s%06d", n+1),
			"meta": map[string]any{
				"seed": 42, "token_char_ratio": 4.0, "num_characters": r.characters, "max_schemas_per_character": r.schemas, "max_facts_per_schema": r.facts,
				"shuffle_facts": false, "chosen_characters": chosen, "chosen_schemas": schemas,
				"stats": map[string]any{"facts_lines": len(shown), "prompts": map[string]any{"schema_longest": one}, "sum_chars": chars, "sum_est_tokens": est},
			},
			"data": []any{map[string]any{"Task": "schema_longest", "Prompt": prompt, "GT": truth, "Stats": stats{chars, est, "schema_longest", len(shown)}}},
		})
	}
	return samples, tokens
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// longestOf is the ground truth said plainly: the facts are in the order of time.
func longestOf(shown []fact, name, schema string) string {
	var mine []fact
	for _, f := range shown {
		if f.Schema == schema && strings.HasPrefix(f.Fact, name) {
			mine = append(mine, f)
		}
	}
	best, gap := mine[0].Fact, time.Duration(0)
	for k := 1; k < len(mine); k++ {
		a, _ := time.Parse(time.DateOnly, mine[k-1].Date)
		b, _ := time.Parse(time.DateOnly, mine[k].Date)
		if b.Sub(a) > gap {
			best, gap = mine[k-1].Fact, b.Sub(a)
		}
	}
	return best
}

// scores of two models by stage and task family: one question of each family and stage.
var scores = map[string][stageCount][6]float64{
	"Tern-7B": {{1, 0.5, 0, 1, 0, 0.5}, {1, 0, 0.5, 0, 1, 0}},
	"Wren-3B": {{0, 0.5, 0, 1, 0, 0}, {1, 0, 0, 0, 0, 0.5}},
}

var models = []string{"Tern-7B", "Wren-3B"}

func mean(list ...float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum / float64(len(list))
}

// makeResults makes the result tables.
func makeResults(out map[string]string) {
	byModel, byTask, both := "model_name,invalid_json_count,total_count,invalid_json_rate\n", "task_type,task_short,invalid_json_count,total_count,invalid_json_rate\n",
		"model_name,task_type,task_short,invalid_json_count,total_count,invalid_json_rate\n"
	current, tasks := "model_name,split_type,checkpoint_stage,current_stage_score\n", "model_name,split_type,task_type,task_short,mean_current_stage_task_score,stage_count\n"
	overall, profiles := "model,display_label,contextual_overall,parametric_overall\n", "model,display_label,task_code,task_name,contextual_score,parametric_score\n"
	matrix := "model_name,checkpoint_stage,eval_stage,stage_relation,overall_score,num_examples,invalid_json_count,invalid_json_rate,split_type,source_file\n"
	rates := "model,checkpoint_stage,mean_retention_rate,std_retention_rate,num_old_stages,num_valid_old_stages\n"
	sums := make([]int, 6)
	var plots []any
	for m, model := range models {
		invalid := 0
		contextual, parametric := map[string]float64{}, map[string]float64{}
		var byStage, contextualAll []float64
		for stage := 1; stage <= stageCount; stage++ {
			s := scores[model][stage-1]
			byStage = append(byStage, mean(s[:]...))
			current += fmt.Sprintf("%s,held_out_character,%d,%.6f\n", model, stage, byStage[stage-1])
		}
		for t, family := range families {
			n := (m + t) % 3
			invalid, sums[t] = invalid+n, sums[t]+n
			both += fmt.Sprintf("%s,%s,%s,%d,10,%.2f%%\n", model, family, codes[t], n, float64(n)*10)
			contextual[codes[t]] = float64(8+2*t-m) / 20
			contextualAll = append(contextualAll, contextual[codes[t]])
			parametric[codes[t]] = mean(scores[model][0][t], scores[model][1][t])
			tasks += fmt.Sprintf("%s,held_out_character,%s,%s,%.6f,%d\n", model, codes[t], codes[t], parametric[codes[t]], stageCount)
			profiles += fmt.Sprintf("%s,%s,%s,%s,%.6f,%.6f\n", model, model, codes[t], family, contextual[codes[t]], parametric[codes[t]])
		}
		byModel += fmt.Sprintf("%s,%d,60,%.2f%%\n", model, invalid, float64(invalid)/0.6)
		overall += fmt.Sprintf("%s,%s,%.6f,%.6f\n", model, model, mean(contextualAll...), mean(byStage...))
		source := "outputs/" + model + "/scores.json"
		matrix += fmt.Sprintf("%s,1,1,current,%.6f,6,0,0.000000,held_out_character,%s\n", model, byStage[0], source)
		matrix += fmt.Sprintf("%s,2,1,old,%.6f,6,1,0.166667,held_out_character,%s\n", model, byStage[0]/2, source)
		matrix += fmt.Sprintf("%s,2,2,current,%.6f,6,0,0.000000,held_out_character,%s\n", model, byStage[1], source)
		rates += fmt.Sprintf("%s,2,0.500000,0.000000,1,1\n", model)
		plots = append(plots, map[string]any{
			"model": model, "display_label": model, "sources": map[string]any{"contextual_scores": source, "stage1_override": nil},
			"contextual_overall": mean(contextualAll...), "parametric_overall": mean(byStage...), "parametric_stagewise_current": byStage,
			"contextual_taskwise": contextual, "parametric_taskwise": parametric,
		})
	}
	var order []any
	for t, family := range families {
		byTask += fmt.Sprintf("%s,%s,%d,20,%.2f%%\n", family, codes[t], sums[t], float64(sums[t])*5)
		order = append(order, map[string]string{"code": codes[t], "name": family})
	}
	for name, table := range map[string]string{
		"invalid_json_by_model": byModel, "invalid_json_by_task": byTask, "invalid_json_model_task": both, "parametric_current_stage_by_stage": current,
		"parametric_taskwise_summary": tasks, "figure4_overall_comparison": overall, "figure4_taskwise_profiles": profiles, "retention_overall_matrix_long": matrix,
		"retention_rate_overall_by_model": rates,
	} {
		out["results/tables/"+name+".csv"] = table
	}
	out["construction/figure4_plot_data.json"] = text(map[string]any{"figure_title": "Contextual and parametric memory", "task_order": order, "models": plots}, "  ")
}

// makeRelease makes the data files of the example release by their paths.
func makeRelease() map[string]string {
	out := map[string]string{}
	var personas, stories, questions, dialogues []any
	pt, sft, eval := map[int][]any{}, map[int][]any{}, map[int][]any{}
	for i := range names {
		personas = append(personas, makePersona(i))
		stories = append(stories, makeStory(i))
		questions = append(questions, makeQuestions(i))
		dialogues = append(dialogues, makeDialogue(i))
		pt[stageOf(i)] = append(pt[stageOf(i)], makeChunks(i)...)
		if isTest(i) {
			eval[stageOf(i)] = append(eval[stageOf(i)], makeEvaluation(i)...)
		} else {
			sft[stageOf(i)] = append(sft[stageOf(i)], makeTraining(i)...)
		}
	}
	out["construction/personas.json"] = text(personas, "    ")
	out["construction/stories.json"] = text(stories, "  ")
	out["construction/questions.json"] = text(questions, "  ")
	out["construction/dataset_summary.json"] = cleaningSummary
	out["long-dialogue/UMB_dialogue_benchmark.json"] = text(dialogues, "  ")
	var all []any
	for stage := 1; stage <= stageCount; stage++ {
		out[fmt.Sprintf("parametric-memory/train_pt/stage_%02d_pt.jsonl", stage)] = lines(pt[stage])
		out[fmt.Sprintf("parametric-memory/train_qa_sft/stage_%02d.jsonl", stage)] = lines(sft[stage])
		out[fmt.Sprintf("parametric-memory/eval_unseen/memory_eval_stage_%02d.jsonl", stage)] = lines(eval[stage])
		all = append(all, eval[stage]...)
	}
	out["parametric-memory/eval_unseen/memory_eval_all.jsonl"] = lines(all)
	out["parametric-memory/manifests/dialogue_assignments.json"] = text(makeAssignments(), "  ")
	out["parametric-memory/manifests/entity_split_assignments.json"] = text(makeEntities(), "  ")
	out["parametric-memory/configs/dataset_info.json"] = text(makeDatasetInfo(), "  ")
	out["state-tracking/facts.json"] = text(makeFacts(), "  ")
	summary := "level,avg_est_tokens,num_characters,max_schemas_per_character,max_facts_per_schema,num_samples,seed,file\n"
	for _, r := range rungs {
		samples, tokens := makeRung(r)
		average := (tokens + 1) / 2
		if tokens%4 == 1 {
			average = tokens / 2 // halves to even
		}
		name := fmt.Sprintf("schema_longest_ladder_L%02d_tok%d_c%d_s%d_f%d_n2_seed42.json", r.level, average, r.characters, r.schemas, r.facts)
		out["state-tracking/ladder/"+name] = text(samples, "  ")
		summary += fmt.Sprintf("L%02d,%d,%d,%d,%d,2,42,%s\n", r.level, average, r.characters, r.schemas, r.facts, name)
	}
	out["results/schema_longest_ladder_summary.csv"] = summary
	makeResults(out)
	return out
}

// text writes a value as JSON without escaping what need not be.
func text(v any, indent string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return b.String()
}

func lines(rows []any) string {
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(text(row, ""))
	}
	return b.String()
}

// TestExampleRelease holds the data of the example release to its makers.
func TestExampleRelease(t *testing.T) {
	made := makeRelease()
	var paths []string
	for path := range made {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	for _, path := range paths {
		full := filepath.Join(exampleDir, filepath.FromSlash(path))
		if *update {
			if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(full, []byte(made[path]), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(full)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != made[path] {
			t.Errorf("%s is not what the maker writes: run the tests of this package with -update", path)
		}
	}
}
