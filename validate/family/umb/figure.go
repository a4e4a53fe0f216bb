package umb

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/hfpub/hfpub/validate/family/field"
	"github.com/hfpub/hfpub/validate/family/notes"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// plot is what figure4_plot_data.json says of its models.
type plot struct {
	place  place
	models []plotModel
}

// plotModel is a model of the figure. Scores are not rounded there.
type plotModel struct {
	name, label            string
	contextual, parametric located
	stages                 []located
	byTask, memoryByTask   []located
}

// located is a score with its place in the document; task is its key.
type located struct {
	number
	line    int
	pointer string
	task    string
}

func locate(row *notes.Row, v tape.Value, pointer, task string) located {
	return located{numberAt(v), row.LineOf(v), pointer, task}
}

// numberAt is the number that a value is, which is not rounded.
func numberAt(v tape.Value) number {
	if v.Kind() != tape.Number {
		return number{}
	}
	n := parseNumber(string(v.Raw()))
	n.half = 0
	return n
}

func (l *located) write(note *record.Writer) {
	l.number.write(note)
	note.Int(int64(l.line))
	note.Text(l.pointer)
	note.Text(l.task)
}

func readLocated(r *record.Reader) located {
	return located{readNumber(r), int(r.Int()), r.Text(), r.Text()}
}

func writeAll(note *record.Writer, list []located) {
	note.Uint(uint64(len(list)))
	for i := range list {
		list[i].write(note)
	}
}

func readAll(r *record.Reader) []located {
	var out []located
	for range r.Uint() {
		if r.Err() != nil {
			return nil
		}
		out = append(out, readLocated(r))
	}
	return out
}

func notePlot(row *notes.Row, note *record.Writer) {
	n, _ := field.Len(row.Root, "models")
	note.Uint(uint64(n))
	for i, v := range field.List(row.Root, "models") {
		at := fmt.Sprintf("/models/%d/", i)
		one := func(key string) located {
			member, ok := v.Get(key)
			if !ok {
				return located{}
			}
			return locate(row, member, at+key, "")
		}
		m := plotModel{contextual: one("contextual_overall"), parametric: one("parametric_overall")}
		for j, score := range field.List(v, "parametric_stagewise_current") {
			m.stages = append(m.stages, locate(row, score, fmt.Sprintf("%sparametric_stagewise_current/%d", at, j), ""))
		}
		m.byTask = byTask(row, v, at, "contextual_taskwise")
		m.memoryByTask = byTask(row, v, at, "parametric_taskwise")
		lookAtOverride(row, v, at)
		lookAtOveralls(row, &m)
		note.Text(field.Text(v, "model"))
		note.Text(field.Text(v, "display_label"))
		m.contextual.write(note)
		m.parametric.write(note)
		writeAll(note, m.stages)
		writeAll(note, m.byTask)
		writeAll(note, m.memoryByTask)
	}
}

func byTask(row *notes.Row, model tape.Value, at, key string) []located {
	var out []located
	member, ok := model.Get(key)
	if !ok {
		return nil
	}
	for task, score := range member.Members() {
		out = append(out, locate(row, score, at+key+"/"+tape.EscapeToken(task.Text()), task.Text()))
	}
	return out
}

// lookAtOverride notes that a score of a model comes from another file than the others.
func lookAtOverride(row *notes.Row, model tape.Value, at string) {
	override, ok := model.At("/sources/stage1_override")
	if ok && override.Kind() == tape.String {
		f := finding.New(finding.UMBSourceOverride, "the score of stage 1 comes from a file of its own: %s", override.Text())
		row.Say(override, at+"sources/stage1_override", f)
	}
}

// lookAtOveralls recomputes the overall scores of a model. The contextual one is the mean over task families; the parametric one
// was seen to be the mean over stages, which is another thing.
func lookAtOveralls(row *notes.Row, m *plotModel) {
	root := row.Root
	say := func(l *located, f finding.Finding) {
		if at, ok := root.At(l.pointer); ok {
			row.Say(at, l.pointer, f)
		}
	}
	if mean, ok := meanOfAll(m.byTask); ok && m.contextual.ok && !m.contextual.equals(mean, 0) {
		say(&m.contextual, finding.New(finding.UMBOverall, "the mean of the task scores is %.6f, found %.6f", mean, m.contextual.value))
	}
	tasks, ok1 := meanOfAll(m.memoryByTask)
	stages, ok2 := meanOfAll(m.stages)
	switch {
	case !m.parametric.ok || !ok1 && !ok2 || ok1 && m.parametric.equals(tasks, 0):
	case ok2 && m.parametric.equals(stages, 0):
		if ok1 {
			say(&m.parametric, otherOverall())
		}
	case ok2:
		say(&m.parametric, finding.New(finding.UMBOverall, "the mean over stages is %.6f, found %.6f", stages, m.parametric.value))
	}
}

func otherOverall() finding.Finding {
	f := finding.New(finding.UMBOverallDefinition, "parametric_overall is not the mean of the task scores, as contextual_overall is")
	return f.Hinting("two definitions of overall in one figure: say so, or weigh the task families alike in both")
}

// meanOfAll is the mean of scores; ok is false when there are none, or one of them is no number.
func meanOfAll(list []located) (mean float64, ok bool) {
	var values []float64
	for i := range list {
		if !list[i].ok {
			return 0, false
		}
		values = append(values, list[i].value)
	}
	return meanOf(values), len(values) > 0
}

func readPlot(note *notes.Note) plot {
	p := plot{place: placeOf(note)}
	for range note.Uint() {
		if note.Err() != nil {
			return p
		}
		m := plotModel{name: note.Text(), label: note.Text(), contextual: readLocated(note.Reader), parametric: readLocated(note.Reader)}
		m.stages, m.byTask, m.memoryByTask = readAll(note.Reader), readAll(note.Reader), readAll(note.Reader)
		p.models = append(p.models, m)
	}
	return p
}

// tasked names the score of a model for a task family.
type tasked struct{ model, task string }

// judgeFigure holds the tables of the figure against its data, and both against the tables they come from.
func (w *world) judgeFigure() {
	fromTable := map[tasked]*cells{}
	for i := range w.results.rows[currentTasks] {
		if c := &w.results.rows[currentTasks][i]; c.characters == heldOut {
			fromTable[tasked{w.modelOf(c.model), c.task}] = c
		}
	}
	contextual, parametric := map[tasked]located{}, map[tasked]located{}
	models := map[string]*plotModel{}
	for _, p := range w.results.plots {
		for i := range p.models {
			m := &p.models[i]
			models[m.name] = m
			for _, l := range m.byTask {
				contextual[tasked{m.name, l.task}] = l
			}
			for _, l := range m.memoryByTask {
				parametric[tasked{m.name, l.task}] = l
				if c := fromTable[tasked{m.name, l.task}]; c != nil && l.ok && c.first.ok && !c.first.equals(l.value, l.half) {
					w.report(p.place.in(l.line, l.pointer), w.differs(c.first.value, c.place, l.value))
				}
			}
		}
	}
	for i := range w.results.rows[taskFigure] {
		c := &w.results.rows[taskFigure][i]
		key := tasked{w.modelOf(c.model), c.task}
		w.holdCell(c, "contextual_score", c.first, contextual[key].number)
		if from := fromTable[key]; from != nil {
			w.holdCell(c, "parametric_score", c.second, from.first)
		} else {
			w.holdCell(c, "parametric_score", c.second, parametric[key].number)
		}
	}
	for i := range w.results.rows[overallFigure] {
		w.judgeOverall(&w.results.rows[overallFigure][i], models)
	}
}

// holdCell holds a printed score against the one it was printed from, when that is known.
func (w *world) holdCell(c *cells, key string, printed, from number) {
	if printed.ok && from.ok && !printed.equals(from.value, from.half) {
		f := finding.New(finding.UMBFigureDiffers, "the figure's data say %.6f, found %g", from.value, printed.value)
		w.report(c.at(key), f.Hinting("print the table from the same run"))
	}
}

func (w *world) differs(want float64, at place, found float64) finding.Finding {
	return finding.New(finding.UMBFigureDiffers, "%s says %.6f, found %.6f", at.Where(), want, found)
}

// judgeOverall recomputes the overall scores that the figure's table prints.
func (w *world) judgeOverall(c *cells, models map[string]*plotModel) {
	var contextual, parametric []float64
	within, withinMemory := 0.0, 0.0
	for _, t := range w.results.rows[taskFigure] {
		if t.model == c.model && t.first.ok && t.second.ok {
			contextual, parametric = append(contextual, t.first.value), append(parametric, t.second.value)
			within, withinMemory = max(within, t.first.half), max(withinMemory, t.second.half)
		}
	}
	whole := len(contextual) == len(taskCodes)
	if mean := meanOf(contextual); whole && c.first.ok && !c.first.equals(mean, within) {
		w.report(c.at("contextual_overall"), finding.New(finding.UMBOverall, "the mean of the task scores is %.6f, found %g", mean, c.first.value))
	}
	if !c.second.ok {
		return
	}
	if m := models[w.modelOf(c.model)]; m != nil && m.parametric.ok && !c.second.equals(m.parametric.value, 0) {
		w.holdCell(c, "parametric_overall", c.second, m.parametric.number)
		return
	}
	if whole && !c.second.equals(meanOf(parametric), withinMemory) {
		w.report(c.at("parametric_overall"), otherOverall())
	}
}

// judgeLattice checks that a mean over n questions is one: each scores 0, 1/2 or 1, so that the mean times 2n is whole.
func (w *world) judgeLattice() {
	byTask := map[tasked]int{}
	for _, c := range w.results.rows[invalidByBoth] {
		byTask[tasked{w.modelOf(c.model), c.task}] = c.total
	}
	byStage := map[int]int{}
	for _, c := range w.results.rows[retentionMatrix] {
		if c.characters == heldOut {
			byStage[c.stage] = c.total
		}
	}
	if len(byStage) == 0 && w.has[unseen] {
		for i := range w.unseen {
			byStage[w.unseen[i].stage]++
		}
	}
	for _, p := range w.results.plots {
		for _, m := range p.models {
			for _, l := range m.byTask {
				w.holdLattice(p.place, &l, byTask[tasked{m.name, l.task}])
			}
			for i, l := range m.stages {
				w.holdLattice(p.place, &l, byStage[i+1])
			}
		}
	}
}

// latticeSlack is how far from a whole number the product may be: the scores are means in double precision.
const latticeSlack = 1e-6

func (w *world) holdLattice(at place, l *located, n int) {
	if n <= 0 || !l.ok {
		return
	}
	twice := l.value * float64(n) * 2
	if math.Abs(twice-math.Round(twice)) <= latticeSlack {
		return
	}
	f := finding.New(finding.UMBLattice, "%.9g is no mean of %d scores of 0, 1/2 or 1", l.value, n)
	w.report(at.in(l.line, l.pointer), f.Hinting("the score belongs to another number of questions, or was edited"))
}

// judgeCoverage notes where the scores of a model cover fewer stages than those of others, and holds means over stages and over
// task families against each other.
func (w *world) judgeCoverage() {
	stages := map[tasked][]*cells{}
	for i := range w.results.rows[currentStages] {
		c := &w.results.rows[currentStages][i]
		key := tasked{c.model, c.characters}
		stages[key] = append(stages[key], c)
	}
	most := 0
	for _, list := range stages {
		most = max(most, len(list))
	}
	for _, key := range slices.SortedFunc(maps.Keys(stages), compareTasked) {
		if list := stages[key]; len(list) < most && w.has[results] {
			f := finding.New(finding.UMBStageMissing, "%s of %s has %d of %d stages", key.task, key.model, len(list), most)
			w.report(list[0].place, f.Hinting("say so where the numbers are printed"))
		}
	}
	tasks := map[tasked][]*cells{}
	for i := range w.results.rows[currentTasks] {
		c := &w.results.rows[currentTasks][i]
		key := tasked{c.model, c.characters}
		tasks[key] = append(tasks[key], c)
	}
	for _, key := range slices.SortedFunc(maps.Keys(tasks), compareTasked) {
		w.holdMeans(key, tasks[key], stages[key])
	}
}

func compareTasked(a, b tasked) int {
	return slices.Compare([]string{a.model, a.task}, []string{b.model, b.task})
}

// holdMeans checks that the mean over task families of the means over stages is the mean over stages of the task-balanced scores.
func (w *world) holdMeans(key tasked, tasks, stages []*cells) {
	if len(stages) == 0 || len(tasks) != len(taskCodes) {
		return
	}
	sum, within, sumStages, withinStages := 0.0, 0.0, 0.0, 0.0
	for _, c := range tasks {
		if c.count != len(stages) {
			f := finding.New(finding.UMBStageMean, "%s of %s has scores of %d stages, found a mean of %d", key.task, key.model, len(stages), c.count)
			w.report(c.at("stage_count"), f)
			return
		}
		sum, within = sum+c.first.value, within+c.first.half
	}
	for _, c := range stages {
		sumStages, withinStages = sumStages+c.first.value, withinStages+c.first.half
	}
	n, k := float64(len(stages)), float64(len(tasks))
	if off := math.Abs(sum/k - sumStages/n); off > within/k+withinStages/n+stageMeanSlack {
		f := finding.New(finding.UMBStageMean, "the mean over task families of %s of %s is %.6f, and over stages %.6f", key.task, key.model, sum/k, sumStages/n)
		w.report(tasks[0].place, f.Hinting("both are the same sum; one of the tables is of another run"))
	}
}

// stageMeanSlack allows for scores by task and stage that were rounded to six decimals before the means were taken.
const stageMeanSlack = 1e-6

// modelOf is the name of a model, where a table has the label that figures print.
func (w *world) modelOf(name string) string {
	if model, ok := w.labels()[name]; ok {
		return model
	}
	return name
}

// labels maps the labels of models to their names, where they differ.
func (w *world) labels() map[string]string {
	if w.results.labels != nil {
		return w.results.labels
	}
	w.results.labels = map[string]string{}
	add := func(model, label string) {
		if model != "" && label != "" && model != label {
			w.results.labels[label] = model
		}
	}
	for _, kind := range []table{overallFigure, taskFigure} {
		for _, c := range w.results.rows[kind] {
			add(c.model, c.label)
		}
	}
	for _, p := range w.results.plots {
		for _, m := range p.models {
			add(m.name, m.label)
		}
	}
	return w.results.labels
}

// judgeModelNames notes tables that call a model by its label.
func (w *world) judgeModelNames() {
	said := map[tasked]bool{}
	for kind := invalidByModel; kind < plotData; kind++ {
		for _, c := range w.results.rows[kind] {
			model := w.modelOf(c.model)
			key := tasked{c.place.Path, c.model}
			if model == c.model || said[key] {
				continue
			}
			said[key] = true
			f := finding.New(finding.UMBModelName, "%s is called %s in other tables", c.model, model)
			w.report(c.at(columnsOf[kind].model), f.Hinting("use one name in all tables, or join them through the labels of the figure"))
		}
	}
}
