package shape

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xeipuuv/gojsonschema"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// compiled compiles a schema that must be usable.
func compiled(t testing.TB, schema string) *Schema {
	t.Helper()
	s, found := Compile("schema.json", []byte(schema), Options{})
	if s == nil {
		t.Fatalf("the schema is not compiled: %v", found)
	}
	return s
}

// refused says whether a row is refused.
func refused(t testing.TB, s *Schema, row string) bool {
	t.Helper()
	o := s.NewObserver(0)
	o.Observe(rowOf(t, "rows.jsonl", 1, []byte(row)))
	return o.Findings().Len() > 0
}

func codes(found []finding.Finding) []finding.Code {
	var list []finding.Code
	for _, f := range found {
		list = append(list, f.Code)
	}
	return list
}

func TestNothingIsFetched(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	asked := make(chan struct{}, 1)
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			asked <- struct{}{}
			c.Close()
		}
	}()
	address := "http://" + listener.Addr().String() + "/schema.json"
	for _, schema := range []string{
		`{"$ref": %q}`,
		`{"$id": %q, "properties": {"a": {"$ref": "other.json"}}}`,
		`{"properties": {"a": {"$ref": %q}}, "items": {"$ref": "#/properties/a"}}`,
		`{"enum": [{"$ref": %q}], "default": {"$ref": "#"}}`,
		`{"$schema": %q}`,
	} {
		_, found := Compile("schema.json", fmt.Appendf(nil, schema, address), Options{})
		for _, f := range found {
			if f.Code == finding.SchemaRef && !strings.Contains(f.Message, "nothing is fetched") {
				t.Errorf("the finding does not say that nothing is fetched: %s", f.Message)
			}
		}
	}
	select {
	case <-asked:
		t.Error("the address of a $ref was asked: schemas must come from folders only")
	default:
	}
}

func TestMetaschemasNeedNoNet(t *testing.T) {
	for _, address := range metaschemaOf {
		s, found := Compile("schema.json", fmt.Appendf(nil, `{"$ref": %q}`, address), Options{})
		if s == nil || len(found) > 0 {
			t.Errorf("%s: %v", address, found)
			continue
		}
		if refused(t, s, `{"minLength": 1}`) || !refused(t, s, `{"minLength": -1}`) {
			t.Errorf("%s is not applied to a row that is a schema", address)
		}
	}
}

// Relative references stay in the folder of the schema file, through .. and through links.
func TestRelativeReferencesStayInTheFolder(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "in")
	if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"secret.json": "{}", "in/sub/a.json": `{"$ref": "../b.json"}`, "in/b.json": `{"type": "string"}`}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(outer, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../secret.json", filepath.Join(dir, "link.json")); err != nil {
		t.Skip("no symbolic links here")
	}
	for ref, ok := range map[string]bool{
		"sub/a.json": true, "b.json": true, "./sub/../b.json": true, "schema.json": true, "/b.json": false,
		"../secret.json": false, "sub/../../secret.json": false, "link.json": false, "none.json": false, "sub": false, "": true,
	} {
		schema := fmt.Appendf(nil, `{"properties": {"a": {"$ref": %q}}}`, ref)
		_, found := Compile("schema.json", schema, Options{Dir: dir})
		if got := len(found) == 0; got != ok {
			t.Errorf("$ref %q: resolves: %v, expected %v: %v", ref, got, ok, found)
		}
	}
}

// A schema may name itself by its file, whatever its $id.
func TestSchemaRefersToItsOwnFile(t *testing.T) {
	schema := `{"$id": "https://example.com/v2", "properties": {"a": {"$ref": "own.json#/definitions/a"}},
		"definitions": {"a": {"type": "string"}}}`
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "own.json"), []byte(schema), 0o644); err != nil {
		t.Fatal(err)
	}
	s, found := Compile("own.json", []byte(schema), Options{Dir: dir})
	if len(found) > 0 || !refused(t, s, `{"a": 1}`) {
		t.Errorf("a reference to the file itself is not followed: %v", found)
	}
}

// A long way of references would overflow gojsonschema's stack, and then nothing could be reported.
func TestLongWaysOfReferences(t *testing.T) {
	chain := func(n int, link string) string {
		var b strings.Builder
		b.WriteString(`{"definitions": {`)
		for i := range n {
			fmt.Fprintf(&b, `"d%d": `+link+`,`, i, fmt.Sprintf(`{"$ref": "#/definitions/d%d"}`, i+1))
		}
		fmt.Fprintf(&b, `"d%d": {"type": "integer"}}, "$ref": "#/definitions/d0"}`, n)
		return b.String()
	}
	tests := []struct {
		name, schema string
		want         []finding.Code
	}{
		{"into the value, many", chain(16_000, `{"properties": {"x": {"items": %s}}}`), nil},
		{"in place, few", chain(60, `%s`), nil},
		{"in place, many", chain(100, `%s`), []finding.Code{finding.SchemaRef}},
		{"in place through allOf", chain(40, `{"allOf": [%s]}`), []finding.Code{finding.SchemaRef}},
		{"too many schemas", chain(26_000, `{"items": %s}`), []finding.Code{finding.SchemaUnreadable}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, found := Compile("schema.json", []byte(test.schema), Options{})
			if diff := cmp.Diff(test.want, codes(found)); diff != "" {
				t.Errorf("findings differ (-want +got):\n%s", diff)
			}
		})
	}
}

// A schema that doubles its way at every step is cut before a row has to walk it.
func TestReferencesThatMultiply(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"$ref": "#/definitions/d0", "definitions": {"d20": {"type": "integer"}`)
	for i := range 20 {
		next := fmt.Sprintf(`{"$ref": "#/definitions/d%d"}`, i+1)
		fmt.Fprintf(&b, `, "d%d": {"allOf": [%s, %[2]s, %[2]s]}`, i, next)
	}
	b.WriteString("}}")
	_, found := Compile("schema.json", []byte(b.String()), Options{})
	if !slices.Contains(codes(found), finding.SchemaRef) {
		t.Errorf("3^20 visits of one value are let through: %v", found)
	}
}

// What a cut leaves over still counts: a way that doubles at every step must be cut again and again. Uncut, the row would be
// walked 2^40 times.
func TestReferencesThatMultiplyBehindACut(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"$ref": "#/definitions/d0", "definitions": {"d40": {"type": "integer"}`)
	for i := range 40 {
		next := fmt.Sprintf(`{"$ref": "#/definitions/d%d"}`, i+1)
		fmt.Fprintf(&b, `, "d%d": {"allOf": [%s, %[2]s]}`, i, next)
	}
	b.WriteString("}}")
	s, found := Compile("schema.json", []byte(b.String()), Options{})
	if !slices.Contains(codes(found), finding.SchemaRef) {
		t.Errorf("2^40 visits of one value are let through: %v", found)
	}
	if refused(t, s, "1") {
		t.Error("1 is refused, and all that was left of the schema asks for an integer")
	}
}

// The deepest row against the longest way in place at each of its levels.
func TestDeepestRow(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"$ref": "#/definitions/d0", "definitions": {`)
	const way = 8
	for i := range way {
		fmt.Fprintf(&b, `"d%d": {"allOf": [{"$ref": "#/definitions/d%d"}]},`, i, i+1)
	}
	fmt.Fprintf(&b, `"d%d": {"properties": {"x": {"$ref": "#/definitions/d0"}}, "type": "object"}}}`, way)
	s := compiled(t, b.String())
	deep := strings.Repeat(`{"x":`, tape.MaxDepth-1) + "1" + strings.Repeat("}", tape.MaxDepth-1)
	if !refused(t, s, deep) {
		t.Error("a fault at the bottom of the deepest row is not found")
	}
}

// gojsonschema holds all of a value against every alternative: in a tree of several kinds of objects that is 4^30 visits.
func TestTreeOfSeveralKinds(t *testing.T) {
	var kinds []string
	for _, name := range []string{"a", "b", "c", "d"} {
		kinds = append(kinds, fmt.Sprintf(`{"required": ["kind"], "properties": {"kind": {"const": %q}, "inner": {"$ref": "#"}}}`, name))
	}
	s := compiled(t, `{"oneOf": [`+strings.Join(kinds, ",")+`]}`)
	const depth = 30
	row := strings.Repeat(`{"kind": "c", "inner": `, depth) + `{"kind": "%s"}` + strings.Repeat("}", depth)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if refused(t, s, fmt.Sprintf(row, "d")) {
			t.Error("a tree of known kinds is refused")
		}
		if !refused(t, s, fmt.Sprintf(row, "e")) {
			t.Error("an unknown kind at the bottom is not found")
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("a row of 30 levels takes more than a minute: the kinds must be told apart first")
	}
}

// A minimum of 0 alone is met by whatever has no sign.
func TestMinimumOfZero(t *testing.T) {
	for _, schema := range []string{`{"minimum": 0}`, `{"minimum": -0.0}`, `{"type": "number", "minimum": 0e7}`} {
		for row, want := range map[string]bool{
			"0": false, "1": false, "0.5": false, "1e400": false, "1e-400": false,
			"-0": false, "-0.0": false, "-1": true, "-1e-400": true, "-0.5e9": true,
		} {
			if got := refused(t, compiled(t, schema), row); got != want {
				t.Errorf("%s against %s: refused: %v, expected %v", row, schema, got, want)
			}
		}
	}
	for row, want := range map[string]bool{"0": true, "-1": true, "1": false, "3": true} {
		if got := refused(t, compiled(t, `{"minimum": 0, "exclusiveMinimum": 0, "exclusiveMaximum": 2}`), row); got != want {
			t.Errorf("%s with other bounds: refused: %v, expected %v", row, got, want)
		}
	}
}

// Numbers that overflow float64 make gojsonschema panic in several places; they are judged all the same.
func TestHugeNumbers(t *testing.T) {
	tests := []struct {
		schema, row string
		refused     bool
	}{
		{`{"minimum": 1e9999}`, `1e10000`, false},
		{`{"minimum": 1e9999}`, `1e9998`, true},
		{`{"const": 1e400}`, `1e400`, false},
		{`{"const": 1e400}`, `1e401`, true},
		{`{"enum": [{"a": [1e400]}, "x"]}`, `{"a": [10e399]}`, false},
		{`{"enum": ["x", null, true]}`, `1e400`, true},
		{`{"enum": [["x"], {"y": "z"}]}`, `[1e400]`, true},
		{`{"not": {"enum": ["x", ["y"]]}}`, `[1e400]`, false},
		{`{"multipleOf": 1e-9999}`, `1e9999`, false},
		{`{"type": "integer"}`, `1e400`, false},
		{`{"type": "integer"}`, `1e-400`, true},
		{`{"uniqueItems": true}`, `[1e400, 1e400]`, true},
		{`{"minLength": 1e40}`, `"x"`, true},
		{`{"maxLength": 2.0}`, `"xyz"`, true},
	}
	for _, test := range tests {
		if got := refused(t, compiled(t, test.schema), test.row); got != test.refused {
			t.Errorf("%s against %s: refused: %v, expected %v", test.row, test.schema, got, test.refused)
		}
	}
}

// A schema with an exponent beyond what the reader takes is refused as text, not handed on to a panic.
func TestExponentInSchema(t *testing.T) {
	s, found := Compile("schema.json", []byte(`{"minimum": 1e10000000}`), Options{})
	if s != nil || len(found) != 1 || found[0].Code != finding.SchemaUnreadable || found[0].Pointer != "/minimum" {
		t.Errorf("expected one finding at /minimum and no schema, got %v", found)
	}
}

func TestSizeOfSchema(t *testing.T) {
	s, found := Compile("schema.json", []byte(strings.Repeat(" ", maxText)+"{}"), Options{})
	if s != nil || len(found) != 1 || found[0].Code != finding.SchemaUnreadable {
		t.Errorf("expected a schema above the size to be refused, got %v", found)
	}
}

// Of very many findings the first are kept, and with them an error, so that the run does not end well.
func TestManyFindings(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"a": 1`)
	for i := range 200_000 {
		fmt.Fprintf(&b, `, "minLenght%d": 1`, i)
	}
	b.WriteString(`, "type": "strin", "minLength": -1}`)
	s, found := Compile("schema.json", []byte(b.String()), Options{})
	if s == nil || len(found) != maxFound+1 || found[maxFound].Severity != finding.Error {
		t.Errorf("expected %d findings and an error, got %d", maxFound, len(found))
	}
}

// What is wrong with one keyword does not change what the others say.
func TestRestOfABadSchemaIsApplied(t *testing.T) {
	tests := []struct {
		name, schema, row string
		refused           bool
	}{
		{"beside a wrong value", `{"minLength": "3", "maxLength": 2}`, `"abc"`, true},
		{"a property with a bad schema stays known", `{"properties": {"a": 5}, "additionalProperties": false}`, `{"a": 1}`, false},
		{"beside a property with a bad schema", `{"properties": {"a": 5}, "additionalProperties": false}`, `{"b": 1}`, true},
		{"what a bad pattern was meant for is not additional", `{"patternProperties": {"(?=a)": {}}, "additionalProperties": false}`,
			`{"a": 1}`, false},
		{"an alternative that is wrong lets all pass", `{"anyOf": [{"type": "string"}, 7]}`, `1`, false},
		{"oneOf with a wrong alternative", `{"oneOf": [{"type": "string"}, {"$ref": "#/nowhere"}]}`, `"x"`, false},
		{"not with a reference to nowhere", `{"not": {"$ref": "#/nowhere"}}`, `1`, false},
		{"a bad element of items keeps its place", `{"items": [5, {"type": "string"}]}`, `[1, 2]`, true},
		{"allOf without its bad part", `{"allOf": [5, {"type": "string"}]}`, `1`, true},
		{"a cycle is cut", `{"allOf": [{"$ref": "#"}], "type": "string"}`, `1`, true},
	}
	for _, test := range tests {
		s, found := Compile("schema.json", []byte(test.schema), Options{})
		if s == nil || len(found) == 0 {
			t.Errorf("%s: expected a schema and a finding, got %v", test.name, found)
			continue
		}
		if got := refused(t, s, test.row); got != test.refused {
			t.Errorf("%s: %s against %s: refused: %v, expected %v", test.name, test.row, test.schema, got, test.refused)
		}
	}
}

// Rows may be shown to any number of observers in any number of goroutines, and every compilation says the same:
// gojsonschema walks maps.
func TestResultDependsOnNothingElse(t *testing.T) {
	for _, dir := range []string{"unions", "objects", "arrays", "conditional", "nested-keys", "wrong-values", "date-times"} {
		dir = filepath.Join("testdata", "golden", dir)
		want := said(t, dir, Matcher)
		text, err := os.ReadFile(filepath.Join(dir, "schema.json"))
		if err != nil {
			t.Fatal(err)
		}
		s, _ := Compile("schema.json", text, Options{})
		together := observed(t, s, dir).All()
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				if got := said(t, dir, Matcher); got != want {
					t.Errorf("%s: another compilation says something else:\n%s", dir, cmp.Diff(want, got))
				}
				if diff := cmp.Diff(together, observed(t, s, dir).All()); diff != "" {
					t.Errorf("%s: another observer of the same schema says something else:\n%s", dir, diff)
				}
			})
		}
		wait.Wait()
	}
}

func TestMergeIsOneRun(t *testing.T) {
	dir := filepath.Join("testdata", "golden", "unions")
	text, err := os.ReadFile(filepath.Join(dir, "schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	s, _ := Compile("schema.json", text, Options{})
	data, err := os.ReadFile(filepath.Join(dir, "rows.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	want := observed(t, s, dir).All()
	for cut := range lines {
		first, second := s.NewObserver(0), s.NewObserver(0)
		for i, raw := range lines {
			o := first
			if i >= cut {
				o = second
			}
			o.Observe(rowOf(t, "rows.jsonl", i+1, []byte(raw)))
		}
		first.Merge(second)
		if diff := cmp.Diff(want, first.Findings().All()); diff != "" {
			t.Errorf("cut before line %d: findings differ from those of one run (-want +got):\n%s", cut+1, diff)
		}
	}
}

// A value of several lines is reported on the line it begins on.
func TestPhysicalLines(t *testing.T) {
	s := compiled(t, `{"properties": {"a": {"type": "string"}, "b": {"items": {"required": ["x"]}}}}`)
	o := s.NewObserver(0)
	o.Observe(rowOf(t, "rows.json", 10, []byte("{\n  \"a\":\n    1,\n  \"b\": [\n    {\"x\": 1},\n    {}\n  ]\n}")))
	got := map[string]int{}
	for _, f := range o.Findings().All() {
		got[f.Pointer] = f.Line
	}
	if diff := cmp.Diff(map[string]int{"/a": 12, "/b/1": 15}, got); diff != "" {
		t.Errorf("lines differ (-want +got):\n%s", diff)
	}
}

// Messages show values cut to size, and never the library's name of a row.
func TestMessagesAreShort(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	s := compiled(t, `{"properties": {
		"a": {"enum": ["y"]}, "b": {"type": "integer"}, "c": {"const": {"k": "v"}}, "d": {"maxLength": 3},
		"e": {"pattern": "y"}, "f": {"uniqueItems": true}, "g": {"not": {"pattern": "x"}}, "h": {"format": "date"}},
		"additionalProperties": false, "propertyNames": {"maxLength": 5}}`)
	row := strings.ReplaceAll(`{"a": X, "b": X, "c": {"k": X}, "d": X, "e": X, "f": [X, X], "g": X, "h": X, X: 1}`, "X", fmt.Sprintf("%q", long))
	o := s.NewObserver(0)
	o.Observe(rowOf(t, "rows.jsonl", 1, []byte(row)))
	found := o.Findings().All()
	if len(found) != 10 {
		t.Errorf("expected 10 findings, got %d", len(found))
	}
	for _, f := range found {
		if len(f.Message)+len(f.Hint)+len(f.Pointer) > 500 || strings.Contains(f.Message, "(root)") {
			t.Errorf("%s at %s: a message of %d bytes: %.300s", f.Code, f.Pointer, len(f.Message), f.Message)
		}
	}
}

func FuzzCompile(f *testing.F) {
	folders, _ := filepath.Glob("testdata/golden/*")
	for _, dir := range folders {
		schema, err := os.ReadFile(filepath.Join(dir, "schema.json"))
		if err != nil {
			f.Fatal(err)
		}
		data, _ := os.ReadFile(filepath.Join(dir, "rows.jsonl"))
		row, _, _ := strings.Cut(string(data), "\n")
		f.Add(schema, []byte(row))
	}
	f.Fuzz(func(t *testing.T, schema, row []byte) {
		s, found := Compile("schema.json", schema, Options{})
		if s == nil && !slices.ContainsFunc(found, func(f finding.Finding) bool { return f.Severity == finding.Error }) {
			t.Fatalf("no schema, and no error that says why: %v", found)
		}
		var doc tape.Tape
		if s == nil || len(doc.Parse(row)) > 0 {
			return
		}
		told := observe(s, row).All()
		for _, f := range told {
			if _, ok := finding.Lookup(f.Code); !ok || f.Message == "" || strings.Contains(f.Message, "%!") {
				t.Errorf("a finding without its words: %+v", f)
			}
		}
		second, _ := Compile("schema.json", schema, Options{Engine: GoJSONSchema})
		errs, err := validate(second.gojsonschema, doc.Root().Any())
		beyondFloat := bytes.ContainsAny(row, "eE") || len(row) > 300
		if err != nil && !beyondFloat {
			t.Errorf("%s is not judged by %s", row, schema)
		}
		if open := openGroups(errs); open != 0 {
			t.Errorf("%s against %s: the errors open %d groups more than they close", row, schema, open)
		}
		if refused := len(errs) > 0; err == nil && refused != (len(told) > 0) && !bytes.Contains(schema, []byte("uniqueItems")) {
			t.Errorf("%s against %s: gojsonschema refuses it: %v, the matcher finds %v", row, schema, refused, told)
		}
	})
}

// openGroups counts the groups of errors that are opened, less those that are closed.
func openGroups(errs []gojsonschema.ResultError) int {
	n := 0
	for _, err := range errs {
		if opens(err) {
			n++
		}
		if err.Type() == allOfFailed {
			n--
		}
	}
	return n
}

func observe(s *Schema, raw []byte) *finding.Set {
	o := s.NewObserver(0)
	var doc tape.Tape
	doc.Parse(raw)
	o.Observe(&rows.Row{Path: "rows.jsonl", Line: 1, Doc: &doc})
	return o.Findings()
}
