package umb

import (
	"math"

	"github.com/hfpub/hfpub/validate/finding"
)

// The two kinds of characters whose questions are asked.
const heldOut = "held_out_character"

// cell names a score of the retention matrix.
type cell struct {
	model, characters string
	checkpoint, stage int
}

// judgeRetention recomputes what follows from the retention matrix: M(c, s), the score of checkpoint c on stage s.
func (w *world) judgeRetention() {
	matrix := map[cell]number{}
	for i := range w.results.rows[retentionMatrix] {
		c := &w.results.rows[retentionMatrix][i]
		w.judgeRelation(c)
		matrix[cell{w.modelOf(c.model), c.characters, c.checkpoint, c.stage}] = c.first
	}
	for i := range w.results.rows[currentStages] {
		c := &w.results.rows[currentStages][i]
		d, ok := matrix[cell{w.modelOf(c.model), c.characters, c.checkpoint, c.checkpoint}]
		if ok && d.ok && c.first.ok && !c.first.equals(d.value, d.half) {
			f := finding.New(finding.UMBDiagonal, "the retention matrix has %g for checkpoint %d on its own stage, found %g", d.value, c.checkpoint, c.first.value)
			w.report(c.at("current_stage_score"), f.Hinting("both tables show the score on the stage just trained"))
		}
	}
	for i := range w.results.rows[retentionRates] {
		w.judgeRates(&w.results.rows[retentionRates][i], matrix)
	}
}

// judgeRelation checks that the row of a checkpoint's own stage is called current, and that later stages have none.
func (w *world) judgeRelation(c *cells) {
	want := "old"
	if c.checkpoint == c.stage {
		want = "current"
	}
	switch {
	case c.checkpoint < 1 || c.stage < 1:
	case c.stage > c.checkpoint:
		w.report(c.at("eval_stage"), finding.New(finding.UMBRelation, "checkpoint %d has not seen stage %d", c.checkpoint, c.stage))
	case c.relation != "" && c.relation != want:
		f := finding.New(finding.UMBRelation, "stage %d is %s for checkpoint %d, found %s", c.stage, want, c.checkpoint, c.relation)
		w.report(c.at("stage_relation"), f)
	}
}

// judgeRates recomputes a row of retention rates: retention(c, s) = M(c, s) / M(s, s) for the stages s before c, their mean and
// their sample standard deviation, which is 0 for one stage.
func (w *world) judgeRates(c *cells, matrix map[cell]number) {
	if c.checkpoint < 1 {
		return
	}
	if c.count != c.checkpoint-1 {
		w.report(c.at("num_old_stages"), finding.New(finding.UMBRetention, "checkpoint %d has %d old stages, found %d", c.checkpoint, c.checkpoint-1, c.count))
		return
	}
	rates, within, ok := ratesOf(w.modelOf(c.model), c.checkpoint, matrix)
	if !ok || !w.has[results] {
		return
	}
	if c.total != len(rates) {
		w.report(c.at("num_valid_old_stages"), finding.New(finding.UMBRetention, "%d old stages have a score to compare with, found %d", len(rates), c.total))
		return
	}
	mean, deviation := meanOf(rates), deviationOf(rates)
	const hint = "recompute it from the retention matrix of held-out characters"
	if c.first.ok && !c.first.equals(mean, within) {
		f := finding.New(finding.UMBRetention, "the mean retention of checkpoint %d is %.6f, found %g", c.checkpoint, mean, c.first.value)
		w.report(c.at("mean_retention_rate"), f.Hinting(hint))
	}
	if c.second.ok && !c.second.equals(deviation, 2*within) {
		f := finding.New(finding.UMBRetention, "the deviation of checkpoint %d is %.6f, found %g", c.checkpoint, deviation, c.second.value)
		w.report(c.at("std_retention_rate"), f.Hinting(hint))
	}
}

// ratesOf are the retention rates of a checkpoint over the old stages that have a score now and had one when they were current, and
// how much rounding in the matrix can change one of them; ok is false when the matrix knows nothing of the checkpoint.
func ratesOf(model string, checkpoint int, matrix map[cell]number) (rates []float64, within float64, ok bool) {
	_, ok = matrix[cell{model, heldOut, checkpoint, checkpoint}]
	for stage := 1; stage < checkpoint; stage++ {
		now, ok1 := matrix[cell{model, heldOut, checkpoint, stage}]
		base, ok2 := matrix[cell{model, heldOut, stage, stage}]
		ok = ok || ok1
		if !ok1 || !ok2 || !now.ok || !base.ok || base.value <= 0 {
			continue
		}
		rate := now.value / base.value
		rates = append(rates, rate)
		within = max(within, (now.half+rate*base.half)/base.value)
	}
	return rates, within, ok
}

func meanOf(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// deviationOf is the sample standard deviation; 0 for fewer than two values.
func deviationOf(values []float64) float64 {
	if len(values) < 2 {
		return 0
	}
	mean, sum := meanOf(values), 0.0
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return math.Sqrt(sum / float64(len(values)-1))
}
