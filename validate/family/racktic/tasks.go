package racktic

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/validate/family/field"
	"github.com/hfpub/hfpub/validate/family/notes"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// workdir is the one absolute path that a task may hold.
const workdir = "/testbed"

// strategyTier is the tier of a strategy by construction; ok is false for one that nobody has given a tier.
func strategyTier(strategy string) (tier int, ok bool) {
	s := strings.TrimPrefix(strategy, "func_pm_")
	switch {
	case strategy == "func_basic", strategy == "other":
		return 0, true
	case s == "remove_assign", s == "remove_loop":
		return 2, true
	case strings.HasPrefix(s, "ctrl_"), strings.HasPrefix(s, "op_"), s == "remove_cond", s == "remove_wrapper", strings.HasPrefix(s, "lm_"):
		return 1, true
	case strings.HasPrefix(s, "class_"):
		return 3, true
	case s == "combine_file":
		return 4, true
	case s == "combine_module":
		return 5, true
	}
	return 0, false
}

func lookAtTask(row *notes.Row, note *record.Writer) {
	id := field.Text(row.Root, "instance_id")
	at, ok := row.Root.Get("instance_id")
	if !ok || id == "" {
		return
	}
	t := task{row, id}
	t.lookAtParts()
	t.lookAtTests()
	t.lookAtPatches()
	t.lookAtPaths()
	note.Text(id)
	note.Int(int64(row.LineOf(at)))
}

// task is a look at one task.
type task struct {
	row *notes.Row
	id  string
}

// say reports something about a member, when it is there.
func (t *task) say(key string, f finding.Finding) {
	if at, ok := t.row.Root.Get(key); ok {
		t.row.Say(at, "/"+key, f)
	}
}

// lookAtParts checks what follows from the id: repository, branch, strategy, tier and image.
func (t *task) lookAtParts() {
	repo, strategy, ok := partsOf(t.id)
	if !ok {
		return
	}
	root := t.row.Root
	if said := field.Text(root, "repo"); said != "" && said != "swesmith/"+repo {
		t.say("repo", finding.New(finding.RackticTaskRepo, "the issue is one of swesmith/%s, found %s", repo, said))
	}
	if said := field.Text(root, "base_commit"); said != "" && said != t.id {
		f := finding.New(finding.RackticTaskBranch, "the branch of an issue is called by its id, found %s", said)
		t.say("base_commit", f.Hinting("base_commit is %s", t.id))
	}
	if said := field.Text(root, "strategy"); said != "" && said != strategy {
		t.say("strategy", finding.New(finding.RackticTaskStrategy, "the issue was made by %s, found %s", strategy, said))
	}
	want, ok := strategyTier(strategy)
	if said, there := field.Int(root, "tier"); ok && there && said != want {
		t.say("tier", finding.New(finding.RackticTaskTier, "%s is of tier %d, found %d", strategy, want, said))
	}
	t.lookAtImage(repo)
}

// lookAtImage checks that the image is named after the repository. Names on Docker Hub have _1776_ for two underscores.
func (t *task) lookAtImage(repo string) {
	image := field.Text(t.row.Root, "image_name")
	if image == "" || isPath(image) {
		return
	}
	if strings.HasSuffix(image, ".sif") {
		f := finding.New(finding.RackticTaskImage, "%s is a file, not a Docker image", image)
		t.say("image_name", f.Hinting("name the image that others can pull"))
		return
	}
	name := strings.ToLower(strings.ReplaceAll(image, "_1776_", "__"))
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	name, _, _ = strings.Cut(name, ":")
	if strings.HasPrefix(name, "swesmith.") && strings.HasSuffix(name, "."+strings.ToLower(repo)) {
		return
	}
	f := finding.New(finding.RackticTaskImage, "%s is not the image of %s", image, repo)
	if !repoAtEnd.MatchString(name) {
		f = f.As(finding.Warning) // of no repository that could be told; its maker may have names of their own
	}
	t.say("image_name", f.Hinting("SWE-smith calls it swesmith.<arch>.%s", strings.ToLower(repo)))
}

// repoAtEnd is a repository at the end of the name of an image.
var repoAtEnd = lazyregexp.New(`__[a-z0-9._-]+\.[0-9a-f]{8}$`)

// lookAtPatches checks that test_patch is a unified diff, and that there is no patch: the branch holds the broken code, so that a
// patch would be its solution.
func (t *task) lookAtPatches() {
	if patch := field.Text(t.row.Root, "test_patch"); strings.TrimSpace(patch) != "" && !isDiff(patch) {
		f := finding.New(finding.RackticTestPatch, "test_patch is no unified diff")
		t.say("test_patch", f.Hinting("it begins with the line diff --git a/FILE b/FILE, or with --- and +++"))
	}
	if patch := field.Text(t.row.Root, "patch"); strings.TrimSpace(patch) != "" {
		f := finding.New(finding.RackticTaskPatch, "the task holds a patch of %d characters", utf8.RuneCountInString(patch))
		t.say("patch", f.Hinting("leave it empty, or say in the card that solutions are in the rows"))
	}
}

// isDiff says that a text is a unified diff: git's header, or the names of both files and a hunk behind them.
func isDiff(text string) bool {
	old, both := false, false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "diff --git "), both && strings.HasPrefix(line, "@@ -"):
			return true
		case strings.HasPrefix(line, "--- "):
			old = true
		case strings.HasPrefix(line, "+++ "):
			both = old
		}
	}
	return false
}

// lookAtTests checks the two lists of tests: their lengths, that no test is in both, and that the tests to keep are in files that
// hold a test to fix.
func (t *task) lookAtTests() {
	for _, c := range []struct{ count, list string }{{"n_f2p", "FAIL_TO_PASS"}, {"n_p2p_local", "PASS_TO_PASS"}} {
		said, ok1 := field.Int(t.row.Root, c.count)
		n, ok2 := field.Len(t.row.Root, c.list)
		if ok1 && ok2 && said != n {
			t.say(c.count, finding.New(finding.RackticTaskCount, "%s has %d tests, found %d", c.list, n, said))
		}
	}
	files, tests := map[string]bool{}, map[string]bool{}
	for _, test := range field.Texts(t.row.Root, "FAIL_TO_PASS") {
		files[fileOf(test)] = true
		tests[test] = true
	}
	if len(files) == 0 {
		return
	}
	var text []byte
	for i, v := range field.List(t.row.Root, "PASS_TO_PASS") {
		text = v.AppendText(text[:0])
		file, _, _ := bytes.Cut(text, []byte("::"))
		switch {
		case len(text) == 0:
		case tests[string(text)]:
			f := finding.New(finding.RackticTaskOverlap, "%s fails before and has to pass: it is in FAIL_TO_PASS", text)
			t.row.Say(v, fmt.Sprintf("/PASS_TO_PASS/%d", i), f)
		case !files[string(file)]:
			f := finding.New(finding.RackticTaskFile, "%s is in a file without a test to fix", text)
			t.row.Say(v, fmt.Sprintf("/PASS_TO_PASS/%d", i), f.Hinting("tests to keep are those of the files of FAIL_TO_PASS"))
		}
	}
}

// fileOf is the file of a pytest id.
func fileOf(test string) string {
	file, _, _ := strings.Cut(test, "::")
	return file
}

// home is a folder of a person or a machine inside a text.
var home = lazyregexp.New(`(?:^|[\s"'=(:,])(/(?:home|Users)/[A-Za-z0-9._-]+|/root/[A-Za-z0-9._-]+|[A-Z]:\\Users\\[A-Za-z0-9._-]+)`)

// lookAtPaths checks that no absolute path but /testbed is in the task: in long texts, that of somebody's own folder.
func (t *task) lookAtPaths() {
	for key, v := range t.row.Root.Members() {
		name := key.Text()
		t.lookAtPath(v, "/"+tape.EscapeToken(name), name == "problem_statement" || strings.HasSuffix(name, "patch"))
	}
}

func (t *task) lookAtPath(v tape.Value, pointer string, long bool) {
	switch v.Kind() {
	case tape.String:
		t.lookAtText(v, pointer, long)
	case tape.Array:
		for i, element := range v.Elements() {
			if element.Kind() != tape.String || long || mayBePath(element.Raw()) {
				t.lookAtPath(element, fmt.Sprintf("%s/%d", pointer, i), long)
			}
		}
	case tape.Object:
		for key, member := range v.Members() {
			t.lookAtPath(member, pointer+"/"+tape.EscapeToken(key.Text()), long)
		}
	}
}

// isPath says that a text is an absolute path, or one from somebody's home folder.
func isPath(text string) bool {
	return strings.HasPrefix(text, "/") || strings.HasPrefix(text, "~/") || strings.HasPrefix(text, "file:///") || strings.HasPrefix(text, `\\`) ||
		len(text) > 2 && text[1] == ':' && (text[2] == '\\' || text[2] == '/')
}

// mayBePath says that the text of a string, as it stands in the row, may be an absolute path.
func mayBePath(raw []byte) bool {
	return len(raw) > 0 && (raw[0] == '/' || raw[0] == '\\' || raw[0] == '~') || len(raw) > 2 && raw[1] == ':' || bytes.HasPrefix(raw, []byte("file:"))
}

func (t *task) lookAtText(v tape.Value, pointer string, long bool) {
	raw := v.Raw()
	if len(raw) == 0 {
		return
	}
	text := v.Text()
	if long {
		if found := home.FindStringSubmatch(text); found != nil {
			f := finding.New(finding.RackticAbsolutePath, "the text holds the path %s", found[1]).As(finding.Warning)
			t.row.Say(v, pointer, f.Hinting("take out what names a person or a machine"))
		}
		return
	}
	words := []string{text} // an id of a test may have anything in its brackets
	if pointer == "/test_command" {
		words = strings.Fields(text)
	}
	for _, word := range words {
		if isPath(word) && word != workdir && !strings.HasPrefix(word, workdir+"/") {
			f := finding.New(finding.RackticAbsolutePath, "%s is a path of some machine", word)
			t.row.Say(v, pointer, f.Hinting("the only absolute path of a task is %s", workdir))
			return
		}
	}
}

func (w *world) readTask(note *notes.Note) {
	id := note.Text()
	at := placeOf(note)
	at = at.in(int(note.Int()), "/instance_id")
	if first, again := w.tasks[id]; again {
		f := finding.New(finding.RackticTaskRepeated, "%s has a second task; the first is at %s", id, first.Where())
		w.report(at, f.Hinting("every issue is one task"))
		return
	}
	w.tasks[id] = at
	w.listed = append(w.listed, id)
}
