// Package shape holds rows against a JSON Schema of draft 4, 6 or 7.
//
// [Compile] reads a schema strictly and checks it before any row is seen: the draft, every keyword and its value, patterns,
// and where each $ref leads. What is wrong with it is a finding at the place in the schema file, and the rows are judged
// by the rest. Only a schema that says nothing reliable (not JSON, another draft) gives no [Schema]. References lead to the
// document itself, to files in the folder of the schema file and to registered folders; nothing is fetched from the net.
//
// An [Observer] gives a finding for everything in a row that breaks a keyword: code schema/KEYWORD, the physical line and
// the pointer of the value. One Schema serves any number of observers at once.
//
// # The matcher
//
// The checked tree is compiled (compile.go) to matchers: one for every schema, with what it says of strings, numbers,
// arrays and objects, and of the value as a whole. A row is held against them as it lies on its tape (match.go), without
// decoding it: numbers are compared by their digits (number.go), and what a schema says of the keys of an object is found
// out once for each shape of object (object.go). Where schemas branch and share parts, each value is held against each of
// them once (memory.go). A row that fits costs nothing more.
//
// A row that does not fit is walked once more to collect its faults (fault.go), and the explainer says them in words
// (explain.go, union.go, words.go). In a bad file all rows may have the same fault: once the set of findings does nothing
// but count it, the words are left out (reporter.go, tally.go). A file that is one array may be shown element by element
// (elements.go).
//
// # gojsonschema
//
// With [GoJSONSchema] as the engine, rows are judged by github.com/xeipuuv/gojsonschema alone: the second opinion, slow but
// written by others. The tests hold the two engines against each other. It is not asked about the rows that the matcher
// refuses: the words are the same, and there is no bound to the time it takes for one (a tree of alternatives takes it
// exponential time).
//
// It never sees the schema as it was written: lower.go writes a normal form of it, in draft 7, with all documents in one,
// and with what gojsonschema does not do exactly (numbers in enum and const, formats, bounds of draft 4) put in words
// that it does. Its errors come as a flat list; gojsonschema.go turns them back into a tree, and gojsonwords.go says them
// in our words. What it still does not do exactly: uniqueItems, where two numbers of an array have the same float64 and
// the keyword stands below not, if, anyOf or oneOf; and where a number of the array is beyond 1e308, which is reported as
// a row that cannot be judged.
//
// # CSV and TSV
//
// A cell is text. With a schema it counts as a number, true, false or null only where the schema's own properties name
// its column with a type that does not include string, and the text is exactly such a JSON literal (for booleans True and
// False too). An empty cell is null where that type allows null; else, when the column is not required, it counts as
// absent. Every other cell stays text. The property is looked for in the schema's top-level properties, following $ref.
package shape

import (
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"

	"github.com/xeipuuv/gojsonschema"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// Options says what a schema may refer to.
type Options struct {
	// Refs registers folders of documents.
	Refs []Ref
	// Dir is the folder that relative references start from: the one the schema file is in. "" allows none.
	Dir string
	// Engine is what judges the rows; "" is the matcher.
	Engine Engine
}

// Engine is what judges the rows.
type Engine string

const (
	// Matcher is this package's own engine; so is "".
	Matcher Engine = "matcher"
	// GoJSONSchema is the library gojsonschema. It is much slower, and is there for a second opinion.
	GoJSONSchema Engine = "gojsonschema"
)

// ParseEngine reads the name of an engine.
func ParseEngine(name string) (Engine, error) {
	switch e := Engine(name); e {
	case Matcher, GoJSONSchema:
		return e, nil
	}
	return "", fmt.Errorf("%s is no engine: use %s or %s", name, Matcher, GoJSONSchema)
}

// Schema is a schema that rows can be held against, by several goroutines at once.
type Schema struct {
	tree tree
	// root is what the schema compiles to; objects counts the object matchers in it.
	root    *matcher
	objects int
	idle    *idle
	// gojsonschema judges rows in place of root, where it is not nil.
	gojsonschema *gojsonschema.Schema
	cells        map[string]cell
	// elements are the keywords about the array of which the rows are elements; see [Schema.Elements].
	elements *arrayMatcher
}

// Compile checks a schema and prepares it for rows. path is how findings name the schema file. The findings are about the
// schema; the Schema is nil only when no row can be judged by it, and then one of them is an error.
func Compile(path string, text []byte, opt Options) (*Schema, []finding.Finding) {
	f, found := parse(path, text)
	if f.root == nil {
		return nil, found
	}
	f.draft = draft7
	if d, ok := declared(f.root); ok && d == 0 {
		return nil, append(found, refuse(f.root))
	} else if ok {
		f.draft = d
	}
	if f.root.kind != tape.Object && !f.root.isBool() {
		f := f.root.finding(finding.SchemaUnreadable, "the schema is %s, expected an object", kindName(f.root.kind, f.root.isWhole()))
		return nil, append(found, f)
	}
	c := newChecker(f, opt, found)
	c.run()
	if c.full {
		f := f.root.finding(finding.SchemaUnreadable, "the schema holds more than %d schemas", maxSchemas)
		return nil, append(c.found, f)
	}
	s := &Schema{tree: c.tree, cells: cellsOf(&c.tree), idle: &idle{}}
	compiler := newCompiler(&s.tree)
	s.root = compiler.compileTree(c.root)
	s.objects = compiler.objects
	if opt.Engine == GoJSONSchema {
		engine, err := compile(lower(&s.tree, c.root))
		if err != nil {
			f := f.root.finding(finding.SchemaUnreadable, "the schema cannot be applied: %v", err)
			return nil, append(c.found, f)
		}
		s.gojsonschema = engine
	}
	return s, c.found
}

func newChecker(f *file, opt Options, found []finding.Finding) *checker {
	return &checker{
		tree: tree{
			root: f.root, target: map[*node]*node{}, out: map[*node]bool{}, idle: map[*node]bool{},
			patterns: map[string]*regexp.Regexp{},
		},
		library: newLibrary(opt.Refs, opt.Dir),
		found:   found,
		seen:    map[*node]bool{},
		base:    map[*node]*url.URL{},
		named:   map[string]*node{},
	}
}

// run checks the schema, then every place a reference leads to, and last where the references lead all together.
func (c *checker) run() {
	address := &url.URL{Scheme: beside, Path: "/" + filepath.Base(c.root.file.path)}
	c.base[c.root] = address
	c.named[address.String()] = c.root
	c.schema(c.root, address)
	c.alsoBeside(c.base[c.root])
	for i := 0; i < len(c.refs) && !c.full; i++ {
		if target := c.resolve(c.refs[i]); target != nil {
			c.target[c.refs[i]] = target
		}
	}
	s := scales{c, map[*node]weight{}}
	for _, schema := range c.schemas {
		s.weigh(schema)
	}
}

// alsoBeside lets references that start from the schema's own $id lead to the files beside it, which is where its
// neighbours are while they are being written. Registered folders come first.
func (c *checker) alsoBeside(id *url.URL) {
	if id.Host == "" || c.dir == "" {
		return
	}
	neighbours := id.ResolveReference(&url.URL{Path: "."})
	c.folders = append(c.folders, Ref{neighbours.String(), c.dir})
	itself := neighbours.JoinPath(filepath.Base(c.root.file.path)).String()
	if c.named[itself] == nil {
		c.named[itself] = c.root
	}
}
