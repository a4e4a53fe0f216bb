package shape

import (
	"fmt"
	"slices"

	"github.com/xeipuuv/gojsonschema"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows"
)

// Observer holds the rows it is shown against a schema. It serves one goroutine; the schema serves many.
type Observer struct {
	schema *Schema
	found  finding.Set
	// engines serves the explanation of anyOf and oneOf.
	engines map[*node]*gojsonschema.Schema
}

// NewObserver returns an observer that keeps up to maxPlaces places for each finding, 0 for all of them.
func (s *Schema) NewObserver(maxPlaces int) *Observer {
	return &Observer{schema: s, found: finding.Set{MaxPlaces: maxPlaces}, engines: map[*node]*gojsonschema.Schema{}}
}

// Findings returns what was found in the rows seen. The set belongs to the observer.
func (o *Observer) Findings() *finding.Set { return &o.found }

// Merge implements rows.Observer.
func (o *Observer) Merge(next rows.Observer) { o.found.Merge(&next.(*Observer).found) }

// Observe implements rows.Observer.
func (o *Observer) Observe(row *rows.Row) {
	root := row.Doc.Root()
	var value any
	if row.Cells {
		value = o.schema.row(root)
	} else {
		value = root.Any()
	}
	causes := o.judge(value)
	if len(causes) == 0 {
		return
	}
	l := linesOfRow(row, causes)
	for _, c := range causes {
		pointer := pointerTo(c.path)
		f := finding.New(c.code, "%s", c.message).At(row.Path, l.line[pointer]).In(pointer)
		f.Hint = c.hint
		o.found.Add(f)
	}
}

// judge returns what is wrong with a row.
func (o *Observer) judge(row any) []cause {
	errs, err := validate(o.schema.engine, row)
	if err != nil {
		c := notJudged("the row cannot be held against the schema: gojsonschema fails on it")
		return []cause{c.hinting("a number beyond 1e308 in an array with uniqueItems does that")}
	}
	if len(errs) == 0 {
		return nil
	}
	e := &explainer{tree: &o.schema.tree, root: o.schema.tree.root, row: row, engines: o.engines}
	causes := e.causes(treeOf(errs))
	isUnique := func(err gojsonschema.ResultError) bool { return err.Type() == "unique" }
	if len(causes) == 0 && !slices.ContainsFunc(errs, isUnique) {
		return []cause{notJudged("the row is refused by the schema: " + errs[0].Description())}
	}
	return causes
}

func notJudged(message string) cause {
	return cause{code: finding.SchemaRowNotJudged, message: message}
}

// validate returns gojsonschema's errors about a value; the error is for its own failures.
func validate(engine *gojsonschema.Schema, value any) (errs []gojsonschema.ResultError, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("gojsonschema: %v", r)
		}
	}()
	result, err := engine.Validate(gojsonschema.NewRawLoader(value))
	if err != nil {
		return nil, err
	}
	return result.Errors(), nil
}
