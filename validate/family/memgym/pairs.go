package memgym

import (
	"bytes"
	"strconv"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// The texts that are kept of a row of pairs. All have the event and the label; those of the corpus have all, and others may have
// more behind the first two.
const (
	keptFork = iota
	keptLabel
	keptTrajectory
	keptSplit
	keptModel
)

// corpusRow judges a row of the corpus.
func (j *judge) corpusRow(root tape.Value) []string {
	j.label(root)
	j.messages(root)
	j.counts(root)
	j.ids(root)
	j.source(root)
	j.diverged(root)
	fork, trajectory, split := get(root, "fork_event_id"), get(root, "trajectory_id"), get(root, "split")
	if !is(fork, tape.String) || !is(trajectory, tape.String) || !is(split, tape.String) {
		return nil
	}
	return append(j.forkOf(root), j.keep(trajectory), j.keep(split), j.keep(get(root, "source_model")))
}

// forkOf keeps the event of a row and its label, "" for one that the row contradicts itself; nil without an event.
func (j *judge) forkOf(root tape.Value) []string {
	fork := get(root, "fork_event_id")
	if !is(fork, tape.String) {
		return nil
	}
	label := ""
	if n, ok := integer(get(root, "label")); ok && isText(get(root, "completion"), wordOf(n)) {
		label = strconv.Itoa(n)
	}
	return []string{string(text(fork)), label}
}

// wordOf is the completion of a label; "" for what is none.
func wordOf(label int) string {
	switch label {
	case 0:
		return " N"
	case 1:
		return " Y"
	}
	return ""
}

// label judges that label, completion and target say the same.
func (j *judge) label(root tape.Value) {
	label, completion, target := get(root, "label"), get(root, "completion"), get(root, "target")
	n, ok := integer(label)
	want := wordOf(n)
	if !ok || want == "" {
		return
	}
	const hint = "label 1 is \" Y\", label 0 is \" N\", each with a blank before it, and target repeats completion"
	if !isWord(completion) || !isWord(target) {
		return // the schema reports it
	}
	switch {
	case !isText(completion, want):
		j.say(finding.MemgymLabel, completion, "/completion", hint, "completion is %q, and label %d asks for %q", text(completion), n, want)
	case !sameText(completion, target):
		j.say(finding.MemgymLabel, target, "/target", hint, "target is %q, and completion is %q", text(target), text(completion))
	}
}

func isWord(v tape.Value) bool { return isText(v, " Y") || isText(v, " N") }

// answer is what a prompt ends with, as it is written in JSON and as it is.
const (
	answer        = "\n\nAnswer:"
	answerEscaped = `\n\nAnswer:`
)

// messages judges what is made of the messages: the prompt, the input, the last turn.
func (j *judge) messages(root tape.Value) {
	messages, prompt, input := get(root, "messages"), get(root, "prompt"), get(root, "input")
	if !is(messages, tape.Array) || !is(prompt, tape.String) {
		return
	}
	if at, ok := j.flattened(messages, prompt); !ok {
		j.say(finding.MemgymPrompt, prompt, "/prompt", promptHint, "the prompt is not that of the messages: it differs at %s", at)
	} else {
		j.input(prompt, input)
	}
	j.judgment(root, messages)
	j.summary(root, messages)
}

// input judges that the input is the prompt without its ending.
func (j *judge) input(prompt, input tape.Value) {
	if is(prompt, tape.String) && is(input, tape.String) && !j.isInput(prompt, input) {
		j.say(finding.MemgymInput, input, "/input", "input is the prompt without its ending", "input is not the prompt without the ending %q", answer)
	}
}

func (j *judge) isInput(prompt, input tape.Value) bool {
	if bytes.HasSuffix(prompt.Raw(), []byte(answerEscaped)) && bytes.Equal(prompt.Raw()[:len(prompt.Raw())-len(answerEscaped)], input.Raw()) {
		return true
	}
	j.one = prompt.AppendText(j.one[:0])
	j.two = append(input.AppendText(j.two[:0]), answer...)
	return bytes.Equal(j.one, j.two)
}

// judgment judges the last message: the user asks about the step, what was done to the memory, and both actions.
func (j *judge) judgment(root, messages tape.Value) {
	if messages.Len() == 0 {
		return
	}
	last := messages.First()
	for range messages.Len() - 1 {
		last = last.After()
	}
	pointer := at("/messages", messages.Len()-1, "")
	content := text(get(last, "content"))
	if role := get(last, "role"); is(role, tape.String) && !isText(role, "user") {
		j.say(finding.MemgymJudgment, last, pointer+"/role", judgmentHint, "the last message is not the user's")
		return
	}
	if content == nil {
		return
	}
	for _, field := range []string{"step", "perturbation", "recorded_action", "predicted_action"} {
		v := get(root, field)
		want := text(v)
		if is(v, tape.Number) {
			want = v.Raw()
		}
		if len(want) > 0 && !bytes.Contains(content, want) {
			j.say(finding.MemgymJudgment, last, pointer+"/content", judgmentHint, "the judgment turn does not tell %s", field)
			return
		}
	}
}

const judgmentHint = "the last message is the user's, and tells step, perturbation, recorded_action and predicted_action"

// summaryPrefix is what the message begins with that holds the summary of what was forgotten.
const summaryPrefix = "[Summary] "

// summary judges that the numbers about the summary are those of the one in view.
func (j *judge) summary(root, messages tape.Value) {
	compactions, ok := integer(get(root, "n_compactions_active"))
	chars, also := integer(get(root, "active_summary_chars"))
	if !ok || !also || (chars == 0) != (compactions == 0) {
		return // the counts are wrong in themselves
	}
	const hint = "the summary is the one message that begins with [Summary] and a blank; active_summary_chars counts what stands behind that"
	inView, last := 0, tape.Value{}
	for _, m := range messages.Elements() {
		if content := get(m, "content"); isText(get(m, "role"), "user") && bytes.HasPrefix(text(content), []byte(summaryPrefix)) {
			inView, last = inView+1, content
		}
	}
	switch at := get(root, "active_summary_chars"); {
	case compactions == 0 && inView > 0:
		j.say(finding.MemgymSummary, get(root, "n_compactions_active"), "/n_compactions_active", hint, "n_compactions_active is 0, and a summary is in view")
	case compactions > 0 && inView == 0:
		j.say(finding.MemgymSummary, at, "/active_summary_chars", hint, "active_summary_chars is %d, and no summary is in view", chars)
	case inView == 1 && last.Chars()-len(summaryPrefix) != chars:
		j.say(finding.MemgymSummary, at, "/active_summary_chars", hint, "active_summary_chars is %d, and the summary in view has %d", chars, last.Chars()-len(summaryPrefix))
	}
}

// counts judges the numbers that count something of the row.
func (j *judge) counts(root tape.Value) {
	messages := get(root, "messages")
	if n, ok := integer(get(root, "n_messages_in_view")); ok && is(messages, tape.Array) && n != messages.Len()-1 {
		j.say(finding.MemgymCounts, get(root, "n_messages_in_view"), "/n_messages_in_view", "count the messages before the judgment turn",
			"n_messages_in_view is %d, and there are %d messages before the last", n, messages.Len()-1)
	}
	compactions, has := integer(get(root, "n_compactions_active"))
	if chars, ok := integer(get(root, "active_summary_chars")); ok && has && (chars == 0) != (compactions == 0) {
		j.say(finding.MemgymCounts, get(root, "active_summary_chars"), "/active_summary_chars", "it is 0 where no compaction is active, and only there",
			"active_summary_chars is %d with %d active compactions", chars, compactions)
	}
	original, has := integer(get(root, "original_msgs"))
	if filtered, ok := integer(get(root, "filtered_msgs")); ok && has && filtered > original {
		j.say(finding.MemgymCounts, get(root, "filtered_msgs"), "/filtered_msgs", "filtering takes messages away",
			"filtered_msgs is %d of %d original_msgs", filtered, original)
	}
}

// ids judges that the ids of a row are made of each other.
func (j *judge) ids(root tape.Value) {
	trajectory, instance, fork := get(root, "trajectory_id"), get(root, "instance_id"), get(root, "fork_event_id")
	if is(trajectory, tape.String) && is(instance, tape.String) && !sameText(trajectory, instance) {
		j.say(finding.MemgymIDs, instance, "/instance_id", "instance_id repeats trajectory_id", "instance_id is %s, and trajectory_id is %s", text(instance), text(trajectory))
		return
	}
	step, perturbation := get(root, "step"), get(root, "perturbation")
	if !is(fork, tape.String) || !is(step, tape.Number) || !is(perturbation, tape.String) || !is(instance, tape.String) {
		return
	}
	want := string(text(instance)) + "_" + string(step.Raw()) + "_" + string(text(perturbation))
	if !isText(fork, want) {
		j.say(finding.MemgymIDs, fork, "/fork_event_id", "fork_event_id is instance_id, step and perturbation, joined by underscores",
			"fork_event_id is %s, and the row is %s", text(fork), want)
	}
}

// diverged says when a row of the corpus has diverged and is SAFE, or has not and is HARMFUL: the builder takes the one for the other where
// nobody told it. Two actions may differ and lead to the same.
func (j *judge) diverged(root tape.Value) {
	v := get(root, "diverged")
	label, ok := integer(get(root, "label"))
	if ok && isText(get(root, "completion"), wordOf(label)) && (is(v, tape.True) || is(v, tape.False)) && v.Bool() != (label == 0) {
		j.say(finding.MemgymDiverged, v, "/diverged", "diverged is true where label is 0, unless the replay says otherwise", "diverged is %v, and label is %d", v.Bool(), label)
	}
}

// sameAction says when a row says of two actions that they differ, or do not, and both are there. A slice cuts long actions.
func (j *judge) sameAction(root tape.Value) {
	v, recorded, predicted := get(root, "diverged"), get(root, "recorded_action"), get(root, "predicted_action")
	if !is(v, tape.True) && !is(v, tape.False) || !is(recorded, tape.String) || !is(predicted, tape.String) || predicted.Chars() >= cutAction {
		return
	}
	if same := sameText(recorded, predicted); v.Bool() == same {
		f := finding.New(finding.MemgymDiverged, "diverged is %v, and the actions are equal: %v", v.Bool(), same).At(j.row.Path, j.row.LineOf(v)).In("/diverged")
		j.found.Add(f.As(finding.Warning).Hinting("diverged says that recorded_action and predicted_action differ"))
	}
}

// source judges that the run and the reasoner go together.
func (j *judge) source(root tape.Value) {
	dir, model := get(root, "source_dir"), get(root, "source_model")
	for _, known := range [][2]string{
		{"sonnet_fork_gap554_scaleA_v1", "sonnet45"}, {"gptoss_fork_gap554_scaleA_v1", "gptoss120b"}, {"haiku45_fork_diverse500_scaleA_v1", "haiku45"},
	} {
		if isText(dir, known[0]) && is(model, tape.String) && !isText(model, known[1]) {
			j.say(finding.MemgymSource, model, "/source_model", "each run is of one reasoner", "source_model is %s, and %s is a run of %s", text(model), known[0], known[1])
		}
	}
}
