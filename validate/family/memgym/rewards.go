package memgym

import (
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// tau2Row judges a row from tau2-bench.
func (j *judge) tau2Row(root tape.Value) []string {
	j.label(root)
	j.delta(root, "memory_reward")
	j.sign(root, func(delta float64) bool { return delta >= 0 }, "label is 1 where delta_r is at least 0")
	j.input(get(root, "prompt"), get(root, "input"))
	j.ids(root)
	j.ofDomain(root, "tau2_")
	j.strategyName(root)
	return j.forkOf(root)
}

// strategyName judges that the strategy and the run of a row from tau2-bench are named the same in all its fields.
func (j *judge) strategyName(root tape.Value) {
	model, perturbation := get(root, "source_model"), get(root, "perturbation")
	if is(model, tape.String) && is(perturbation, tape.String) && !isText(perturbation, "scenario_swap__"+string(text(model))) {
		j.say(finding.MemgymStrategyName, perturbation, "/perturbation", "perturbation is scenario_swap__ and source_model, the name of the strategy",
			"perturbation is %s, and source_model is %s", text(perturbation), text(model))
	}
	if dir, run := get(root, "source_dir"), get(root, "tau2_run"); is(dir, tape.String) && is(run, tape.String) && !sameText(dir, run) {
		j.say(finding.MemgymStrategyName, run, "/tau2_run", "tau2_run repeats source_dir", "tau2_run is %s, and source_dir is %s", text(run), text(dir))
	}
}

// webArenaRow judges a row from WebArena.
func (j *judge) webArenaRow(root tape.Value) []string {
	j.label(root)
	j.messages(root)
	j.counts(root)
	j.delta(root, "memory_reward")
	const hint = "label is 1 where delta_r is above 0; rows with delta_r 0 are left out"
	if delta, ok := decimal(get(root, "delta_r")); ok && delta == 0 {
		j.say(finding.MemgymRewardLabel, get(root, "delta_r"), "/delta_r", hint, "delta_r is 0, and says nothing")
	} else {
		j.sign(root, func(delta float64) bool { return delta > 0 }, hint)
	}
	j.ids(root)
	if is(get(root, "delta_r"), tape.Number) {
		j.ofDomain(root, "webarena_")
		j.sameAction(root)
	}
	return j.forkOf(root)
}

// strategyRow judges a combined row of the strategy bundle, and keeps what slices repeat.
func (j *judge) strategyRow(root tape.Value) []string {
	j.label(root)
	j.messages(root)
	j.counts(root)
	j.delta(root, "ood_reward")
	j.sign(root, func(delta float64) bool { return delta >= 0 }, strategySign)
	j.ids(root)
	j.swap(root)
	j.sameAction(root)
	fork := j.forkOf(root)
	if fork == nil {
		return nil
	}
	return append(fork, projection(root)...)
}

const strategySign = "label is 1 where delta_r is at least 0"

// sliceRow judges a row of a slice.
func (j *judge) sliceRow(root tape.Value) []string {
	j.delta(root, "ood_reward")
	j.sign(root, func(delta float64) bool { return delta >= 0 }, strategySign)
	j.swap(root)
	j.sameAction(root)
	return projection(root)
}

// delta judges that the difference of the rewards is their difference.
func (j *judge) delta(root tape.Value, reward string) {
	delta, has := decimal(get(root, "delta_r"))
	baseline, ok := decimal(get(root, "baseline_reward"))
	with, also := decimal(get(root, reward))
	if has && ok && also && !near(with-baseline, delta) {
		j.say(finding.MemgymDelta, get(root, "delta_r"), "/delta_r", "delta_r is "+reward+" less baseline_reward",
			"delta_r is %s, and %s less baseline_reward is %v", get(root, "delta_r").Raw(), reward, with-baseline)
	}
}

// sign judges the label by the difference of the rewards.
func (j *judge) sign(root tape.Value, safe func(delta float64) bool, hint string) {
	delta, has := decimal(get(root, "delta_r"))
	label, ok := integer(get(root, "label"))
	if has && ok && safe(delta) != (label == 1) {
		j.say(finding.MemgymRewardLabel, get(root, "label"), "/label", hint, "label is %d, and delta_r is %s", label, get(root, "delta_r").Raw())
	}
}

// ofDomain judges that the id of a trajectory begins with its domain.
func (j *judge) ofDomain(root tape.Value, prefix string) {
	trajectory, domain := get(root, "trajectory_id"), get(root, "domain")
	if !is(trajectory, tape.String) || !is(domain, tape.String) {
		return
	}
	want := prefix + string(text(domain)) + "_"
	if !strings.HasPrefix(string(text(trajectory)), want) {
		j.say(finding.MemgymIDs, trajectory, "/trajectory_id", "trajectory_id is "+prefix+", the domain and the task",
			"trajectory_id is %s, and the domain asks for %s...", text(trajectory), want)
	}
}

// swap judges that the perturbation names the strategy.
func (j *judge) swap(root tape.Value) {
	perturbation, strategy := get(root, "perturbation"), get(root, "ood_strategy")
	if is(perturbation, tape.String) && is(strategy, tape.String) && !isText(perturbation, "strategy_swap__"+string(text(strategy))) {
		j.say(finding.MemgymIDs, perturbation, "/perturbation", "perturbation is strategy_swap__ and the strategy",
			"perturbation is %s, and the strategy is %s", text(perturbation), text(strategy))
	}
}

// projected are the fields of a combined row that a slice repeats: first those that tell rows apart. The perturbation is not
// among them: it follows from the strategy.
func projected() []string {
	return []string{"instance_id", "step", "ood_strategy", "diverged", "label", "split", "recorded_action", "predicted_action",
		"delta_r", "baseline_reward", "ood_reward"}
}

// projectedKey is how many of the projected fields tell rows apart.
const projectedKey = 3

// cutAction is how many characters of predicted_action a combined row keeps; a slice keeps more.
const cutAction = 500

// projection is the row as a slice has it: the JSON text of each field.
func projection(root tape.Value) []string {
	var out []string
	for _, field := range projected() {
		v := get(root, field)
		value := ""
		switch {
		case v.Tape() == nil:
		case field == "predicted_action":
			value = string(firstChars(text(v), cutAction))
		case v.Kind() == tape.String:
			value = string(text(v))
		case v.Kind() == tape.Number:
			value = strings.TrimSuffix(string(v.Raw()), ".0")
		default:
			value = string(v.Raw())
		}
		out = append(out, value)
	}
	return out
}

// firstChars are the first characters of a text.
func firstChars(text []byte, n int) []byte {
	for i := range string(text) {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}
