package shape

import (
	"fmt"
	"strings"
	"sync"

	"github.com/xeipuuv/gojsonschema"
)

// failure is one error of gojsonschema. An error about a combination of schemas holds the errors of the schemas combined.
type failure struct {
	err   gojsonschema.ResultError
	kind  string
	inner []*failure
	// within is the kind of the error that holds this one.
	within string
	// ofName says that the error is about a property's name.
	ofName bool
}

// The kinds of gojsonschema's errors that hold others.
const (
	anyOfFailed    = "number_any_of"
	oneOfFailed    = "number_one_of"
	allOfFailed    = "number_all_of"
	thenFailed     = "condition_then"
	elseFailed     = "condition_else"
	containsFailed = "contains"
	nameFailed     = "invalid_property_name"
)

// treeOf groups gojsonschema's flat list of errors. An error that is followed by those of a schema below it opens a
// group; the schemas in the normal form are written so that the error of an allOf closes it, and no other allOf gives one.
func treeOf(errs []gojsonschema.ResultError) []*failure {
	root := &failure{}
	open := []*failure{root}
	for _, err := range errs {
		top := open[len(open)-1]
		if err.Type() == allOfFailed {
			open = open[:max(len(open)-1, 1)]
			continue
		}
		f := &failure{err: err, kind: err.Type(), within: top.kind, ofName: top.ofName || top.kind == nameFailed}
		top.inner = append(top.inner, f)
		if opens(err) {
			open = append(open, f)
		}
	}
	return root.inner
}

func opens(err gojsonschema.ResultError) bool {
	switch err.Type() {
	case anyOfFailed, oneOfFailed, thenFailed, elseFailed, nameFailed:
		return true
	case containsFailed:
		array, _ := err.Value().([]any)
		return len(array) > 0
	}
	return false
}

// tokens is the path to the value that an error is about. The separator never stands in a key, as it is no UTF-8.
func (f *failure) tokens() []string {
	const separator = "\xff"
	return strings.Split(f.err.Context().String(separator), separator)[1:]
}

// isListing says that the error is about enum or const; see [listed].
func (f *failure) isListing() bool {
	return f.kind == "enum" || f.kind == "number_not" && f.within == thenFailed
}

// registerFormats adds the formats to the one table that gojsonschema looks them up in, which it guards by a lock.
var registerFormats = sync.OnceFunc(func() {
	for name, holds := range formats {
		gojsonschema.FormatCheckers.Add(formatPrefix+name, formatChecker(holds))
	}
})

// formatPrefix starts the names under which gojsonschema knows the formats, so that its own stay as they are: those take
// a date or a time for a date-time, refuse numbers, and more.
const formatPrefix = "hfpub:"

// formatChecker makes a format gojsonschema's; what is no text has every format.
type formatChecker func([]byte) bool

// IsFormat implements gojsonschema.FormatChecker.
func (holds formatChecker) IsFormat(input any) bool {
	text, ok := input.(string)
	return !ok || holds([]byte(text))
}

// compile hands the normal form to gojsonschema, whatever it does with it.
func compile(document any) (engine *gojsonschema.Schema, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("gojsonschema: %v", r)
		}
	}()
	loader := gojsonschema.NewSchemaLoader()
	loader.AutoDetect = false
	loader.Draft = gojsonschema.Draft7
	return loader.Compile(gojsonschema.NewRawLoader(document))
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
