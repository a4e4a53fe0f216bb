package memgym

import (
	"math"
	"path"
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// evaluationRow judges an evaluation: its predictions, and the metrics that follow from them. It keeps the name of the pairs
// that it is about, and how many rows it judged.
func (j *judge) evaluationRow(root tape.Value) []string {
	n, hasN := integer(get(root, "n_eval_rows"))
	list := get(root, "per_row_predictions")
	if !is(list, tape.Array) {
		return nil
	}
	if hasN && n != list.Len() {
		j.say(finding.MemgymEvalRows, get(root, "n_eval_rows"), "/n_eval_rows", "count the predictions", "n_eval_rows is %d, and there are %d predictions", n, list.Len())
		hasN = false
	}
	predictions, ok := j.predictions(list)
	if ok && len(predictions) > 0 {
		j.metrics(get(root, "metrics"), predictions)
	}
	j.truncated(root, list.Len())
	if pairs := get(root, "pairs"); hasN && is(pairs, tape.String) {
		return []string{string(text(pairs)), strconv.Itoa(n)}
	}
	return nil
}

// predictions reads the predictions. ok is false when one of them cannot be counted on.
func (j *judge) predictions(list tape.Value) (out []prediction, ok bool) {
	ok = true
	for i, v := range elements(list) {
		truth, hasTruth := integer(get(v, "true_label"))
		label, hasLabel := integer(get(v, "pred_label"))
		p, hasP := decimal(get(v, "prob_safe"))
		if !hasTruth || !hasLabel || !hasP {
			return nil, false // the schema reports it
		}
		pointer := at("/per_row_predictions", i, "")
		safe := p >= safeFrom
		if (label == 1) != safe {
			j.say(finding.MemgymPrediction, v, pointer+"/pred_label", predictionHint, "pred_label is %d, and prob_safe is %v", label, p)
			ok = false
		}
		want := p
		if !safe {
			want = 1 - p
		}
		if c, has := decimal(get(v, "confidence")); has && ok && !near(c, want) {
			j.say(finding.MemgymPrediction, v, pointer+"/confidence", predictionHint, "confidence is %v, and prob_safe %v gives %v", c, p, want)
			ok = false
		}
		out = append(out, prediction{prob: p, safe: truth == 1})
	}
	return out, ok
}

const predictionHint = "pred_label is 1 where prob_safe is at least 0.5; confidence is prob_safe there, and 1 - prob_safe elsewhere"

// The gate of the evaluation script.
const (
	gateF1    = 0.4
	gateAUROC = 0.65
)

// metrics holds the metrics against those of the predictions.
func (j *judge) metrics(v tape.Value, predictions []prediction) {
	measured := measure(predictions)
	wrong := false
	for _, m := range measured {
		got := get(v, m.name)
		x, ok := decimal(got)
		if !ok || printsAs(got.Raw(), x, m.value) {
			continue
		}
		wrong = true
		j.say(finding.MemgymMetrics, got, "/metrics/"+m.name, "compute the metrics again from per_row_predictions", "%s is %s, and the predictions give %s",
			m.name, got.Raw(), strconv.FormatFloat(m.value, 'g', 6, 64))
	}
	f1, hasF1 := decimal(get(v, "safe_f1"))
	auroc, hasAUROC := decimal(get(v, "auroc"))
	if !wrong && hasF1 && hasAUROC && (f1 <= gateF1 || auroc <= gateAUROC) {
		j.say(finding.MemgymGate, v, "/metrics", "do not release the checkpoint, or tell why in the card", "safe_f1 is %v and auroc %v: the gate is above %v and %v", f1, auroc, gateF1, gateAUROC)
	}
}

// printsAs says whether a number, as it is written, is a value that was rounded to its digits.
func printsAs(raw []byte, written, value float64) bool {
	if near(written, value) {
		return true
	}
	_, fraction, _ := strings.Cut(string(raw), ".")
	if strings.ContainsAny(fraction, "eE") {
		return false
	}
	return math.Abs(written-value) <= 0.5*math.Pow10(-len(fraction))+1e-12
}

// truncated judges the share of prompts that were cut.
func (j *judge) truncated(root tape.Value, n int) {
	v := get(root, "truncation")
	count, ok := integer(get(v, "truncated_count"))
	share, has := decimal(get(v, "truncated_pct"))
	if !ok || !has || n == 0 {
		return
	}
	if want := 100 * float64(count) / float64(n); !printsAs(get(v, "truncated_pct").Raw(), share, want) {
		j.say(finding.MemgymMetrics, get(v, "truncated_pct"), "/truncation/truncated_pct", "truncated_pct is truncated_count in percent of the rows",
			"truncated_pct is %v, and %d of %d rows are %v", share, count, n, want)
	}
}

// joinEvaluations holds the number of rows that were judged against the file that they are in, where the release has it.
func joinEvaluations(evaluations, pairs []seen, say *observe.Findings) {
	rows := map[string]int{}
	for _, s := range pairs {
		if !s.whole {
			continue
		}
		for _, e := range s.entries {
			rows[path.Base(e.path)]++
		}
	}
	for _, s := range evaluations {
		for _, e := range s.entries {
			n, known := rows[path.Base(e.texts[0])]
			if said := e.texts[1]; known && said != strconv.Itoa(n) {
				f := finding.New(finding.MemgymEvalRows, "n_eval_rows is %s, and %s has %d rows", said, e.texts[0], n)
				say.Add(s.split, placed(f, e.place("/n_eval_rows")).Hinting("evaluate the file that is released"))
			}
		}
	}
}
