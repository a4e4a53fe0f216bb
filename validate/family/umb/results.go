package umb

import (
	"math"
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/validate/family/field"
	"github.com/hfpub/hfpub/validate/family/notes"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// table is a kind of result table. The columns tell which.
type table uint8

const (
	noTable table = iota
	invalidByModel
	invalidByTask
	invalidByBoth
	currentStages
	currentTasks
	overallFigure
	taskFigure
	retentionRates
	retentionMatrix
	plotData
)

// tableOf tells which table a row belongs to by the column that no other table has.
func tableOf(row tape.Value) table {
	has := func(key string) bool { _, ok := row.Get(key); return ok }
	switch {
	case has("models"):
		return plotData
	case has("eval_stage"):
		return retentionMatrix
	case has("mean_retention_rate"):
		return retentionRates
	case has("contextual_score"):
		return taskFigure
	case has("contextual_overall"):
		return overallFigure
	case has("mean_current_stage_task_score"):
		return currentTasks
	case has("current_stage_score"):
		return currentStages
	case has("invalid_json_count") && has("model_name") && has("task_type"):
		return invalidByBoth
	case has("invalid_json_count") && has("model_name"):
		return invalidByModel
	case has("invalid_json_count") && has("task_type"):
		return invalidByTask
	}
	return noTable
}

// number is a printed number: its value, and half a unit of its last digit, which is what rounding can have taken away.
type number struct {
	value, half float64
	ok          bool
}

func numberOf(row tape.Value, key string) number {
	_, digits, ok := field.Number(row, key)
	if !ok {
		return number{}
	}
	return parseNumber(digits)
}

// parseNumber reads a number as it is printed.
func parseNumber(printed string) number {
	value, err := strconv.ParseFloat(printed, 64)
	if err != nil {
		return number{}
	}
	digits, exponent, _ := strings.Cut(strings.ToLower(printed), "e")
	_, fraction, _ := strings.Cut(digits, ".")
	power, _ := strconv.Atoi(exponent)
	return number{value, math.Pow(10, float64(power-len(fraction))) / 2, true}
}

// asScore is the number as a score: those are printed to six decimals at least, of which zeros at the end may be left out.
func (n number) asScore() number {
	n.half = min(n.half, 0.5e-6)
	return n
}

// slack is what computing in floating point can be off.
const slack = 1e-9

// equals says that the printed number can stand for a value that is known up to within.
func (n number) equals(value, within float64) bool {
	return math.Abs(n.value-value) <= n.half+within+slack
}

func (n number) write(note *record.Writer) {
	note.Bool(n.ok)
	note.Uint(math.Float64bits(n.value))
	note.Uint(math.Float64bits(n.half))
}

func readNumber(r *record.Reader) number {
	ok := r.Bool()
	return number{math.Float64frombits(r.Uint()), math.Float64frombits(r.Uint()), ok}
}

// cells is a row of a table of CSV: what names it and what it says.
type cells struct {
	place place
	table table
	// model is the model's name, label that of figures; task is a task code; characters is the split type.
	model, label, task, characters, relation string
	checkpoint, stage                        int
	count, total                             int
	// first and second are the scores of the row, or the mean and the deviation.
	first, second number
}

// columns says which columns of a table hold what; "" for none.
type columns struct {
	model, task, checkpoint, stage, count, total, first, second string
}

var columnsOf = map[table]columns{
	invalidByModel:  {model: "model_name", count: "invalid_json_count", total: "total_count"},
	invalidByTask:   {task: "task_type", count: "invalid_json_count", total: "total_count"},
	invalidByBoth:   {model: "model_name", task: "task_type", count: "invalid_json_count", total: "total_count"},
	currentStages:   {model: "model_name", checkpoint: "checkpoint_stage", first: "current_stage_score"},
	currentTasks:    {model: "model_name", task: "task_type", count: "stage_count", first: "mean_current_stage_task_score"},
	overallFigure:   {model: "model", first: "contextual_overall", second: "parametric_overall"},
	taskFigure:      {model: "model", task: "task_name", first: "contextual_score", second: "parametric_score"},
	retentionRates:  {model: "model", checkpoint: "checkpoint_stage", count: "num_old_stages", total: "num_valid_old_stages", first: "mean_retention_rate", second: "std_retention_rate"},
	retentionMatrix: {model: "model_name", checkpoint: "checkpoint_stage", stage: "eval_stage", count: "invalid_json_count", total: "num_examples", first: "overall_score"},
}

func lookAtResult(row *notes.Row, note *record.Writer) {
	kind := tableOf(row.Root)
	if kind == noTable {
		return
	}
	note.Uint(uint64(kind))
	if kind == plotData {
		notePlot(row, note)
		return
	}
	c := columnsOf[kind]
	lookAtRate(row, c)
	task := field.Text(row.Root, c.task)
	for _, text := range []string{field.Text(row.Root, c.model), field.Text(row.Root, "display_label"), taskCode(task), field.Text(row.Root, "split_type"), field.Text(row.Root, "stage_relation")} {
		note.Text(text)
	}
	lookAtTaskCode(row, task, "task_short")
	lookAtTaskCode(row, task, "task_code")
	for _, key := range []string{c.checkpoint, c.stage, c.count, c.total} {
		n, _ := field.Int(row.Root, key)
		note.Int(int64(n))
	}
	numberOf(row.Root, c.first).asScore().write(note)
	numberOf(row.Root, c.second).asScore().write(note)
}

// taskCode is the code of a task family, which tables give by its name or its code.
func taskCode(task string) string {
	if code, ok := taskCodes[task]; ok {
		return code
	}
	return task
}

// lookAtTaskCode checks that the code in a row is that of its task family.
func lookAtTaskCode(row *notes.Row, task, key string) {
	code := field.Text(row.Root, key)
	if want := taskCode(task); code != "" && task != "" && code != want {
		at, _ := row.Root.Get(key)
		row.Say(at, "/"+key, finding.New(finding.UMBTaskCode, "the code of %s is %s, found %s", task, want, code))
	}
}

// lookAtRate checks a rate against its count and total. Tables print it in percent, or as a share.
func lookAtRate(row *notes.Row, c columns) {
	rate, ok := row.Root.Get("invalid_json_rate")
	if !ok {
		return
	}
	count, ok1 := field.Int(row.Root, c.count)
	total, ok2 := field.Int(row.Root, c.total)
	if !ok1 || !ok2 || total <= 0 || count < 0 {
		return
	}
	said := rate.Text()
	up, down := decimals(int64(count), int64(total), 6)
	if strings.HasSuffix(said, "%") {
		up, down = decimals(100*int64(count), int64(total), 2)
		up, down = up+"%", down+"%"
	}
	if said != up && said != down {
		f := finding.New(finding.UMBRate, "%d of %d is %s, found %s", count, total, up, said)
		row.Say(rate, "/invalid_json_rate", f.Hinting("compute the rate from the counts of the row"))
	}
}

// decimals writes a quotient with so many decimals. Where it lies half-way, printers differ: up and down are the two ways then, and
// else the same.
func decimals(numerator, denominator int64, places int) (up, down string) {
	scale := int64(1)
	for range places {
		scale *= 10
	}
	twice := 2 * numerator * scale
	nearest := (twice + denominator) / (2 * denominator)
	up = fixed(nearest, places)
	if (twice+denominator)%(2*denominator) == 0 {
		return up, fixed(nearest-1, places)
	}
	return up, up
}

// fixed writes a number of units of the last of so many decimals.
func fixed(units int64, places int) string {
	digits := strconv.FormatInt(units, 10)
	for len(digits) <= places {
		digits = "0" + digits
	}
	return digits[:len(digits)-places] + "." + digits[len(digits)-places:]
}

func (w *world) readResult(note *notes.Note) {
	kind := table(note.Uint())
	if kind == plotData {
		w.results.plots = append(w.results.plots, readPlot(note))
		return
	}
	c := cells{place: placeOf(note), table: kind, model: note.Text(), label: note.Text(), task: note.Text(), characters: note.Text(), relation: note.Text()}
	c.checkpoint, c.stage, c.count, c.total = int(note.Int()), int(note.Int()), int(note.Int()), int(note.Int())
	c.first, c.second = readNumber(note.Reader), readNumber(note.Reader)
	if w.results.rows == nil {
		w.results.rows = map[table][]cells{}
	}
	w.results.rows[kind] = append(w.results.rows[kind], c)
}

// resultTables are all result tables of the release.
type resultTables struct {
	rows  map[table][]cells
	plots []plot
	// labels are those of [world.labels].
	labels map[string]string
}

// at is the place of a cell of a row.
func (c *cells) at(key string) place { return c.place.in(c.place.Line, "/"+key) }

// judgeResults holds the tables against each other.
func (w *world) judgeResults() {
	w.judgeRepeated()
	w.judgeAnswers()
	w.judgeMargins()
	w.judgeRetention()
	w.judgeFigure()
	w.judgeLattice()
	w.judgeCoverage()
	w.judgeModelNames()
}

// judgeMargins checks that the tables of invalid answers by model and by task are the sums of the one by both.
func (w *world) judgeMargins() {
	both := w.results.rows[invalidByBoth]
	if len(both) == 0 || !w.has[results] {
		return
	}
	type sum struct{ count, total int }
	byModel, byTask := map[string]sum{}, map[string]sum{}
	for _, c := range both {
		m, t := byModel[c.model], byTask[c.task]
		byModel[c.model] = sum{m.count + c.count, m.total + c.total}
		byTask[c.task] = sum{t.count + c.count, t.total + c.total}
	}
	hold := func(c cells, name string, want sum, known bool) {
		switch {
		case !known:
			w.report(c.place, finding.New(finding.UMBMargin, "the table of models and tasks has no rows of %s", name))
		case c.count != want.count:
			w.report(c.at("invalid_json_count"), finding.New(finding.UMBMargin, "the table of models and tasks has %d invalid answers of %s, found %d", want.count, name, c.count))
		case c.total != want.total:
			w.report(c.at("total_count"), finding.New(finding.UMBMargin, "the table of models and tasks has %d answers of %s, found %d", want.total, name, c.total))
		}
	}
	for _, c := range w.results.rows[invalidByModel] {
		want, known := byModel[c.model]
		hold(c, c.model, want, known)
	}
	for _, c := range w.results.rows[invalidByTask] {
		want, known := byTask[c.task]
		hold(c, c.task, want, known)
	}
	w.missingMargins(invalidByModel, func(c *cells) string { return c.model })
	w.missingMargins(invalidByTask, func(c *cells) string { return c.task })
}

// missingMargins reports what the table by both has and a margin that is there lacks.
func (w *world) missingMargins(margin table, name func(*cells) string) {
	rows, both := w.results.rows[margin], w.results.rows[invalidByBoth]
	if len(rows) == 0 {
		return
	}
	listed := map[string]bool{}
	for i := range rows {
		listed[name(&rows[i])] = true
	}
	for i := range both {
		if n := name(&both[i]); !listed[n] {
			listed[n] = true
			w.report(both[i].place, finding.New(finding.UMBMargin, "%s has no row in %s", n, rows[0].place.Path))
		}
	}
}

// judgeRepeated checks that each thing has one row in its table.
func (w *world) judgeRepeated() {
	type key struct {
		file, model, task, characters string
		checkpoint, stage             int
	}
	for kind := invalidByModel; kind < plotData; kind++ {
		first := map[key]place{}
		for _, c := range w.results.rows[kind] {
			k := key{c.place.Path, c.model, c.task, c.characters, c.checkpoint, c.stage}
			if before, again := first[k]; again {
				f := finding.New(finding.UMBRowRepeated, "the row is about the same as the one at %s", before.Where())
				w.report(c.place, f.Hinting("keep one: nobody can tell which of them counts"))
				continue
			}
			first[k] = c.place
		}
	}
}

// judgeAnswers checks that all models were asked the same questions: as many of a task family as cleaning left, and as many of a
// stage as its file of evaluation has.
func (w *world) judgeAnswers() {
	byTask := map[string]known{}
	if len(w.cleaned) > 0 {
		for family, n := range w.cleaned[0].valid {
			if w.cleaned[0].unsound[family] {
				continue
			}
			byTask[taskCodes[family]] = known{n.n, w.cleaned[0].place.in(n.line, n.pointer)}
		}
	}
	for _, c := range w.results.rows[invalidByBoth] {
		holdAnswers(w, byTask, c.task, &c, "total_count")
	}
	byStage := map[int]known{}
	for _, e := range w.unseen {
		n, ok := byStage[e.stage]
		if !ok {
			n.from = e.place.in(0, "")
		}
		n.n++
		byStage[e.stage] = n
	}
	if !w.has[unseen] {
		clear(byStage)
	}
	supervised := map[int]known{}
	for _, c := range w.results.rows[retentionMatrix] {
		if c.characters == heldOut {
			holdAnswers(w, byStage, c.stage, &c, "num_examples")
		} else {
			holdAnswers(w, supervised, c.stage, &c, "num_examples")
		}
	}
}

// known is a number with where it stands.
type known struct {
	n    int
	from place
}

// holdAnswers holds the number of answers of a row against the one that is known of the same questions; the first row of them says
// it where nothing else does.
func holdAnswers[K comparable](w *world, counts map[K]known, key K, c *cells, column string) {
	want, ok := counts[key]
	switch {
	case c.total <= 0:
	case !ok:
		counts[key] = known{c.total, c.place}
	case c.total != want.n:
		f := finding.New(finding.UMBAnswerCount, "%d answers, and %s has %d for the same questions", c.total, want.from.Where(), want.n)
		w.report(c.at(column), f.Hinting("a score over other questions cannot be compared"))
	}
}
