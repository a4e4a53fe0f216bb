package racktic_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/family/familytest"
)

var areas = []string{"racktic", "schema", "json", "csv", "rule", "manifest"}

const (
	alchemyFile  = "memory-tasks/symbolic_alchemy/train_streams.jsonl"
	streamsFile  = "memory-tasks/codebase_adaptation/train_streams.jsonl"
	tasksFile    = "memory-tasks/codebase_adaptation/tasks.jsonl"
	episodesFile = "episodes/episodes.csv"
)

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

func TestAlchemy(t *testing.T) {
	const at = "symbolic_alchemy/train_streams.jsonl"
	mutate(t, familytest.Read(t, exampleDir), []mutation{
		{"an episode twice", edits{edit(alchemyFile, `"episode_index":7`, `"episode_index":0`)}, []string{"racktic/episode-repeated " + at + ":3 /metadata/episode_index"}},
		{"an episode kept for evaluation", edits{edit(alchemyFile, `"episode_index":7`, `"episode_index":10`)}, []string{"racktic/episode-excluded " + at + ":3 /metadata/episode_index"}},
		{"an episode that the table does not have", edits{edit(alchemyFile, `"episode_index":7`, `"episode_index":70`)}, []string{"racktic/episode-unknown " + at + ":3 /metadata/episode_index"}},
		{"an index beyond the prebuilt file", edits{edit(alchemyFile, `"episode_index":7`, `"episode_index":1000`), edit(episodesFile, "11,10,10,3,12,true\n", "11,10,10,3,12,true\n1000,12,10,3,12,false\n")}, []string{
			"schema/maximum episodes.csv:14 /episode_index", "schema/maximum " + at + ":3 /metadata/episode_index"}},
		{"a hard episode among easy ones", edits{edit(episodesFile, "0,12,10", "0,10,10")}, []string{"racktic/episode-order " + at + ":3 /metadata/episode_index"}},
		{"more steps", edits{edit(alchemyFile, `"max_steps_per_trial":20`, `"max_steps_per_trial":40`)}, []string{"schema/const " + at + ":1 /metadata/max_steps_per_trial"}},
		{"another granularity", edits{edit(alchemyFile, `"trial"`, `"episode"`)}, []string{"schema/const " + at + ":1 /metadata/rewrite_granularity"}},
		{"edges that say two things", edits{edit(episodesFile, "11,10,10,3,12,true\n", "11,10,10,3,12,true\n11,12,10,3,12,true\n")}, []string{"racktic/episode-differs episodes.csv:14 /edges"}},
		{"a number of edges that no episode has", edits{edit(episodesFile, "11,10,10,3,12,true\n", "11,11,10,3,12,true\n")}, []string{"schema/enum episodes.csv:13 /edges"}},
		{"trials of another level", edits{edit(episodesFile, "11,10,10,3,12,true\n", "11,10,9,3,12,true\n")}, []string{"schema/const episodes.csv:13 /trials"}},
		{"a word for edges", edits{edit(episodesFile, "11,10,10,3,12,true\n", "11,ten,10,3,12,true\n")}, []string{"schema/type episodes.csv:13 /edges"}},
		{"an episode without its edges", edits{edit(episodesFile, "7,12,10,3,12,false\n", "7,,10,3,12,false\n")}, []string{"racktic/episode-unknown " + at + ":3 /metadata/episode_index"}},
		{"content beside the metadata", edits{edit(alchemyFile, `{"metadata"`, `{"stones":[[0,1,1]],"metadata"`)}, []string{"racktic/alchemy-content " + at + ":1 /stones"}},
		{"numbers in the prompt", edits{edit(alchemyFile, `"role":"user"`, `"graph":[1,0],"role":"user"`)}, []string{
			"racktic/alchemy-content " + at + ":1 /prompt/0/graph"}},
		{"words of the environment in the prompt", edits{edit(alchemyFile, "Alchemy episode 0.", "Alchemy episode 0. The stones are 1, 0 and 1.")}, []string{"racktic/alchemy-content " + at + ":2 /prompt"}},
		{"another split", edits{edit(alchemyFile, `"max_steps`, `"split":"test","max_steps`)}, []string{"schema/const " + at + ":1 /metadata/split"}},
		{"content of the environment", edits{edit(alchemyFile, `"max_steps`, `"graph":[1,0],"max_steps`)}, []string{"racktic/alchemy-content " + at + ":1 /metadata/graph"}},
	})
}

func TestCodebaseStreams(t *testing.T) {
	const at = "codebase_adaptation/train_streams.jsonl"
	files := familytest.Read(t, exampleDir)
	delete(files, tasksFile)
	line := func(n int) string { return strings.SplitAfter(files[streamsFile], "\n")[n-1] }
	// Sixth and seventh issue of the first stream.
	const sixth, seventh = "acme__widgets.0a1b2c3d.func_pm_op_change_const__00000005", "acme__kettle.1b2c3d4e.func_pm_class_rm_base__00000006"
	mutate(t, files, []mutation{
		{"a label of the other half", edits{edit(streamsFile, `"acme__widgets.0a1b2c3d","acme__kettle.1b2c3d4e"`, `"acme__kettle.1b2c3d4e","acme__kettle.1b2c3d4e"`)}, []string{
			"racktic/stream-label " + at + ":1 /metadata/instance_ids/5", "racktic/stream-layout " + at + ":1 /metadata/stage_labels/5"}},
		{"seven issues of the first repository", edits{edit(streamsFile, seventh, "acme__widgets.0a1b2c3d.func_pm_class_rm_base__00000006"),
			edit(streamsFile, `"acme__kettle.1b2c3d4e","acme__kettle.1b2c3d4e","acme__kettle.1b2c3d4e"`, `"acme__widgets.0a1b2c3d","acme__kettle.1b2c3d4e","acme__kettle.1b2c3d4e"`)}, []string{
			"racktic/stream-layout " + at + ":1 /metadata/stage_labels/6"}},
		{"eleven issues", edits{edit(streamsFile, `"`+sixth+`",`, ``)}, []string{"schema/min-items " + at + ":1 /metadata/instance_ids"}},
		{"a strategy that is not in the id", edits{edit(streamsFile, `"strategies":["func_pm_class_rm_base"`, `"strategies":["func_basic"`)}, []string{
			"racktic/stream-strategy " + at + ":1 /metadata/strategies/0"}},
		{"an issue in two streams", edits{edit(streamsFile, sixth, "acme__widgets.0a1b2c3d.func_pm_op_change_const__00000005"), edit(streamsFile, "acme__kettle.1b2c3d4e.func_pm_op_change_const__00000017", "acme__kettle.1b2c3d4e.func_pm_op_change_const__00000011")}, []string{
			"racktic/issue-repeated " + at + ":2 /metadata/instance_ids/5"}},
		{"hard before easy", edits{
			edit(streamsFile, "acme__widgets.0a1b2c3d.func_pm_class_rm_base__00000000", "acme__widgets.0a1b2c3d.func_pm_ctrl_shuffle__00000000"),
			edit(streamsFile, "acme__widgets.0a1b2c3d.func_pm_ctrl_shuffle__00000001", "acme__widgets.0a1b2c3d.func_pm_class_rm_base__00000001"),
			edit(streamsFile, `["func_pm_class_rm_base","func_pm_ctrl_shuffle"`, `["func_pm_ctrl_shuffle","func_pm_class_rm_base"`)}, []string{"racktic/stream-order " + at + ":1 /metadata/strategies/1"}},
		{"an issue too hard for the tier", edits{edit(streamsFile, sixth, "acme__widgets.0a1b2c3d.lm_rewrite__00000005"), edit(streamsFile, `"func_pm_op_change_const","func_pm_class_rm_base"`, `"lm_rewrite","func_pm_class_rm_base"`)}, []string{
			"racktic/stream-tier " + at + ":1 /metadata/strategies"}},
		{"tiers out of order", edits{edit(streamsFile, "v3-mixed episode 0", "v3-easy_mid episode 0")}, []string{"racktic/stream-prompt " + at + ":5 /prompt/0/content/0/text"}},
		{"a stream left out", edits{edit(streamsFile, line(2), "")}, []string{"racktic/stream-index " + at + ":2 /metadata/episode_index"}},
		{"a seed of another stream", edits{edit(streamsFile, `"shuffle_seed":3`, `"shuffle_seed":4`)}, []string{"racktic/stream-index " + at + ":4 /metadata/shuffle_seed"}},
		{"a tier behind a harder one", edits{edit(streamsFile, line(5)+line(6), ""), edit(streamsFile, line(1)+line(2), line(5)+line(6)+line(1)+line(2))}, []string{
			"racktic/stream-index " + at + ":1 /metadata/episode_index", "racktic/stream-index " + at + ":3 /metadata/episode_index", "racktic/tier-order " + at + ":3 /metadata/difficulty_tier"}},
		{"a repository that is held out", edits{edit(streamsFile, "", strings.ReplaceAll(files[streamsFile], "wren__ledger.3d4e5f60", "jd__tenacity.0d40e76f"))}, []string{
			"racktic/repo-held-out " + at + ":3 /metadata/repoB", "racktic/repo-held-out " + at + ":4 /metadata/repoA"}},
		{"an issue of another repository", edits{edit(streamsFile, sixth, "tern__rowing.2c3d4e5f.func_pm_op_change_const__00000005")}, []string{"racktic/stream-label " + at + ":1 /metadata/instance_ids/5"}},
		{"tiers that change places", edits{edit(streamsFile, "", renumbered(line(3), 0)+renumbered(line(4), 1)+renumbered(line(1), 2)+renumbered(line(2), 3)+line(5)+line(6))}, []string{"racktic/tier-order " + at + ":3 /metadata/difficulty_tier"}},
		{"a tier of an older version", edits{edit(streamsFile, `"difficulty_tier":"pure_easy"`, `"difficulty_tier":"easy"`)}, []string{"schema/enum " + at + ":1 /metadata/difficulty_tier"}},
		{"one repository twice", edits{edit(streamsFile, "", strings.Replace(files[streamsFile], line(1), strings.ReplaceAll(line(1), "acme__kettle.1b2c3d4e", "acme__widgets.0a1b2c3d"), 1))}, []string{"racktic/stream-layout " + at + ":1 /metadata/repoB"}},
		{"a text of another tier", edits{edit(streamsFile, "v3-pure_easy episode 0", "v3-pure_easy episode 1")}, []string{"racktic/stream-prompt " + at + ":1 /prompt/0/content/0/text"}},
		{"an issue twice in a stream", edits{edit(streamsFile, sixth, "acme__widgets.0a1b2c3d.func_pm_class_rm_base__00000000"), edit(streamsFile, `"func_pm_op_change_const","func_pm_class_rm_base"`, `"func_pm_class_rm_base","func_pm_class_rm_base"`)}, []string{
			"racktic/issue-repeated " + at + ":1 /metadata/instance_ids/5", "racktic/stream-order " + at + ":1 /metadata/strategies/5", "schema/unique-items " + at + ":1 /metadata/instance_ids"}},
		{"a strategy that is none", edits{edit(streamsFile, `"strategies":["func_pm_class_rm_base"`, `"strategies":["func_pm_magic"`)}, []string{
			"racktic/stream-strategy " + at + ":1 /metadata/strategies/0", "schema/enum " + at + ":1 /metadata/strategies/0"}},
		{"an id of no form", edits{edit(streamsFile, sixth, "acme__widgets.0a1b2c3d.func_pm_op_change_const__0005")}, []string{"schema/pattern " + at + ":1 /metadata/instance_ids/5"}},
	})
}

// renumbered is a stream with another index and seed.
func renumbered(stream string, index int) string {
	numbers := regexp.MustCompile(`"(episode_index|shuffle_seed)":[0-9]+`)
	return numbers.ReplaceAllString(stream, fmt.Sprintf(`"$1":%d`, index))
}

func TestCodebaseTasks(t *testing.T) {
	const at = "codebase_adaptation/tasks.jsonl"
	const first = "acme__widgets.0a1b2c3d.func_pm_class_rm_base__00000000"
	files := familytest.Read(t, exampleDir)
	line := func(n int) string { return strings.SplitAfter(files[tasksFile], "\n")[n-1] }
	mutate(t, files, []mutation{
		{"a task lost", edits{edit(tasksFile, line(1), "")}, []string{"racktic/issue-missing codebase_adaptation/train_streams.jsonl:1 /metadata/instance_ids/0"}},
		{"a task of no stream", edits{edit(tasksFile, line(1), strings.ReplaceAll(line(1), "__00000000", "__99999999")+line(1))}, []string{"racktic/task-unused " + at + ":1 /instance_id"}},
		{"a task twice", edits{edit(tasksFile, line(1), line(1)+line(1))}, []string{"racktic/task-repeated " + at + ":2 /instance_id"}},
		{"tests to fix miscounted", edits{edit(tasksFile, `"n_f2p":2`, `"n_f2p":3`)}, []string{"racktic/task-count " + at + ":1 /n_f2p"}},
		{"tests to keep miscounted", edits{edit(tasksFile, `"n_p2p_local":3`, `"n_p2p_local":4`)}, []string{"racktic/task-count " + at + ":1 /n_p2p_local"}},
		{"a test to keep in another file", edits{edit(tasksFile, "tests/test_part0.py::test_two", "tests/test_other.py::test_two")}, []string{"racktic/task-file " + at + ":1 /PASS_TO_PASS/1"}},
		{"a test in both lists", edits{edit(tasksFile, "tests/test_part0.py::test_two", "tests/test_part0.py::test_empty")}, []string{"racktic/task-overlap " + at + ":1 /PASS_TO_PASS/1"}},
		{"too few tests to keep", edits{edit(tasksFile, `,"tests/test_part0.py::TestMany::test_three"`, ``), edit(tasksFile, `"n_p2p_local":3`, `"n_p2p_local":2`)}, []string{
			"schema/min-items " + at + ":1 /PASS_TO_PASS", "schema/minimum " + at + ":1 /n_p2p_local"}},
		{"a test outside", edits{edit(tasksFile, `"tests/test_part0.py::test_two"`, `"../dev/test_part0.py::test_two"`)}, []string{"racktic/task-file " + at + ":1 /PASS_TO_PASS/1", "schema/not " + at + ":1 /PASS_TO_PASS/1"}},
		{"an image on somebody's disk", edits{edit(tasksFile, "swesmith.x86_64.acme__widgets.0a1b2c3d", "/scratch/images/acme__widgets.sif")}, []string{"racktic/absolute-path " + at + ":1 /image_name"}},
		{"an image that is a file", edits{edit(tasksFile, "swesmith.x86_64.acme__widgets.0a1b2c3d", "images/acme__widgets.sif")}, []string{"racktic/task-image " + at + ":1 /image_name"}},
		{"an image of another repository", edits{edit(tasksFile, "swesmith.x86_64.acme__widgets.0a1b2c3d", "swesmith.x86_64.acme__kettle.1b2c3d4e")}, []string{"racktic/task-image " + at + ":1 /image_name"}},
		{"an image as Docker Hub names it", edits{edit(tasksFile, "swesmith.x86_64.acme__widgets.0a1b2c3d", "hub/swesmith.x86_64.acme_1776_widgets.0a1b2c3d:latest")}, []string{}},
		{"a command of some machine", edits{edit(tasksFile, "python -m pytest", "/opt/conda/bin/python -m pytest")}, []string{"racktic/absolute-path " + at + ":1 /test_command", "schema/const " + at + ":1 /test_command"}},
		{"an image of another commit", edits{edit(tasksFile, "swesmith.x86_64.acme__widgets.0a1b2c3d", "swesmith.x86_64.acme__widgets.0a1b2c3e")}, []string{"racktic/task-image " + at + ":1 /image_name"}},
		{"an image from somebody's home", edits{edit(tasksFile, "swesmith.x86_64.acme__widgets.0a1b2c3d", "~/images/acme__widgets.0a1b2c3d")}, []string{"racktic/absolute-path " + at + ":1 /image_name"}},
		{"a path of some machine in a field of its own", edits{edit(tasksFile, `"workdir":"/testbed"`, `"workdir":"/testbed","log":"file:///tmp/run.log"`)}, []string{"racktic/absolute-path " + at + ":1 /log"}},
		{"a patch of tests that is none", edits{edit(tasksFile, `"test_patch":"--- a/tests/test_part0.py\n+++`, `"test_patch":"tests/test_part0.py\n+++`)}, []string{"racktic/test-patch " + at + ":1 /test_patch"}},
		{"a patch of tests as git writes it", edits{edit(tasksFile, `"test_patch":"--- a/tests/test_part0.py\n`, `"test_patch":"diff --git a/tests/test_part0.py b/tests/test_part0.py\n--- a/tests/test_part0.py\n`)}, []string{}},
		{"a solution", edits{edit(tasksFile, `"test_patch":`, `"patch":"diff --git a/x.py b/x.py\n","test_patch":`)}, []string{"racktic/task-patch " + at + ":1 /patch"}},
		{"an empty patch", edits{edit(tasksFile, `"test_patch":`, `"patch":"","test_patch":`)}, []string{}},
		{"a longer timeout", edits{edit(tasksFile, `"test_timeout":300`, `"test_timeout":600`)}, []string{"schema/const " + at + ":1 /test_timeout"}},
		{"another mode", edits{edit(tasksFile, `"test_timeout":300`, `"test_timeout":300,"runtime_mode":"docker","init_submodules":true`)}, []string{
			"schema/const " + at + ":1 /init_submodules", "schema/const " + at + ":1 /runtime_mode"}},
		{"too many tests to fix", edits{edit(tasksFile, `"FAIL_TO_PASS":["tests/test_part0.py::test_empty"`, `"FAIL_TO_PASS":["tests/test_part0.py::test_empty"`+manyTests(19)), edit(tasksFile, `"n_f2p":2`, `"n_f2p":21`)}, []string{
			"schema/max-items " + at + ":1 /FAIL_TO_PASS", "schema/maximum " + at + ":1 /n_f2p"}},
		{"no test to fix", edits{edit(tasksFile, `["tests/test_part0.py::test_empty","tests/test_part0.py::test_path[/a b]"]`, `[]`), edit(tasksFile, `"n_f2p":2`, `"n_f2p":0`)}, []string{
			"schema/min-items " + at + ":1 /FAIL_TO_PASS", "schema/minimum " + at + ":1 /n_f2p"}},
		{"a tier beyond the last", edits{edit(tasksFile, `"tier":3`, `"tier":6`)}, []string{"racktic/task-tier " + at + ":1 /tier", "schema/maximum " + at + ":1 /tier"}},
		{"a name in the problem", edits{edit(tasksFile, "See the failing test.", "See /home/ada/notes.txt for more.")}, []string{"racktic/absolute-path " + at + ":1 /problem_statement"}},
		{"a commit in place of the branch", edits{edit(tasksFile, `"base_commit":"`+first+`"`, `"base_commit":"0a1b2c3d"`)}, []string{"racktic/task-branch " + at + ":1 /base_commit"}},
		{"another repository", edits{edit(tasksFile, `"repo":"swesmith/acme__widgets.0a1b2c3d"`, `"repo":"swesmith/acme__kettle.1b2c3d4e"`)}, []string{"racktic/task-repo " + at + ":1 /repo"}},
		{"another strategy", edits{edit(tasksFile, `"strategy":"func_pm_class_rm_base"`, `"strategy":"func_basic"`)}, []string{"racktic/task-strategy " + at + ":1 /strategy"}},
		{"another tier", edits{edit(tasksFile, `"tier":3`, `"tier":2`)}, []string{"racktic/task-tier " + at + ":1 /tier"}},
		{"another folder", edits{edit(tasksFile, `"workdir":"/testbed"`, `"workdir":"/repo"`)}, []string{"racktic/absolute-path " + at + ":1 /workdir", "schema/const " + at + ":1 /workdir"}},
		{"a problem of few words", edits{edit(tasksFile, "Part 0 of the library gives a wrong result since the last change. Calling it with an empty list should give zero; it raises an error instead. See the failing test.", "It fails.")}, []string{
			"schema/min-length " + at + ":1 /problem_statement"}},
	})
}

// manyTests are n more tests of the first task's file.
func manyTests(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"tests/test_part0.py::test_more%d"`, i)
	}
	return b.String()
}

// A file that does not hold all its rows says nothing of what is missing.
func TestNothingIsMissedInPart(t *testing.T) {
	files := familytest.Read(t, exampleDir)
	changed, _ := files.With(t, edits{edit(tasksFile, `{"instance_id"`, `{"instance_id`)})
	if got := changed.Found(t, "racktic"); len(got) > 0 {
		t.Errorf("a task that cannot be read may be the one that is missing; found %q", got)
	}
}

// Rows of any form are passed over or found wrong; they break nothing.
func TestRowsOfAnyForm(t *testing.T) {
	files := makeRelease()
	for artifact, file := range map[string]string{"racktic/alchemy-streams": alchemyFile, "racktic/codebase-streams": streamsFile, "racktic/codebase-tasks": tasksFile} {
		row, _, _ := strings.Cut(files[file], "\n")
		familytest.HoldAnyForm(t, artifact, row)
	}
	familytest.HoldAnyForm(t, "racktic/alchemy-episodes", `{"episode_index": 3, "edges": 12, "trials": 10, "stones_per_trial": 3, "potions_per_trial": 12, "excluded": true}`)
}

func TestShards(t *testing.T) { familytest.Read(t, exampleDir).HoldShards(t) }

// sharedDir holds the edges of all prebuilt episodes, beside the checkout.
const sharedDir = "../../../../shared/data/dm_alchemy"

// The real table of episodes joins with streams in the order of their edges, and shows one that is out of order. Beside that nothing
// is found, in any area.
func TestRealEpisodes(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(sharedDir, "edges_by_episode.csv"))
	if err != nil {
		t.Skip("the edges of dm_alchemy are not beside the checkout")
	}
	byEdges := map[string][]string{}
	for row := range strings.Lines(string(text)) {
		cells := strings.Split(row, ",")
		byEdges[cells[1]] = append(byEdges[cells[1]], cells[0])
	}
	var order []string
	for _, edges := range []string{"12", "10", "9", "8", "7"} {
		order = append(order, byEdges[edges]...)
	}
	if len(order) != 1000 {
		t.Fatalf("%d episodes, want 1000", len(order))
	}
	find := func(order []string) []string {
		var rows strings.Builder
		for _, episode := range order {
			fmt.Fprintf(&rows, `{"prompt": [{"role": "user", "content": "Episode %s."}], "metadata": {"episode_index": %s, "max_steps_per_trial": 20, "rewrite_granularity": "trial"}}`+"\n", episode, episode)
		}
		return familytest.Files{"streams/train_streams.jsonl": rows.String(), "edges/edges.csv": string(text), "hfpub.yaml": `version: 1
release: {name: alchemy, version: 1.0.0}
repos:
  - {id: real/streams, type: dataset, status: public, root: streams, license: mit, configs: [{name: default, splits: [{name: train, files: [train_streams.jsonl], artifact: racktic/alchemy-streams}]}]}
  - {id: real/edges, type: dataset, status: public, root: edges, license: apache-2.0, configs: [{name: default, splits: [{name: train, files: [edges.csv], artifact: racktic/alchemy-episodes}]}]}
`}.FoundAll(t)
	}
	known := []string{"warning card/missing README.md:0", "warning card/missing README.md:0"} // nobody wrote cards
	if got := find(order); !slices.Equal(got, known) {
		t.Errorf("all episodes from easy to hard: found %q, want %q", got, known)
	}
	order = slices.Clone(order)
	order[250], order[251] = order[251], order[250] // the last of 12 edges and the first of 10
	if got, want := find(order), slices.Concat([]string{"error racktic/episode-order train_streams.jsonl:252 /metadata/episode_index"}, known); !slices.Equal(got, want) {
		t.Errorf("two levels mixed: found %q, want %q", got, want)
	}
}
