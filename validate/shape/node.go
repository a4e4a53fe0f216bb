package shape

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// maxText bounds one schema document, in bytes.
const maxText = 8 << 20

// file is one schema document.
type file struct {
	// path is how findings name the file.
	path  string
	text  []byte
	lines lines
	root  *node
	draft draft
}

// node is a value of a schema document with its place.
type node struct {
	file *file
	kind tape.Kind
	// text is the text of a string, or the literal of a number.
	text string
	// offset is where the value begins in the document; keyAt where its key does, for a member of an object.
	offset, keyAt int

	parent *node
	// token is the member's key or the element's index.
	token string
	// children are the members or elements, in document order; byToken finds them where they are many.
	children []*node
	byToken  map[string]*node
	// exact is the canonical text of a value that enum or const lists.
	exact string
}

// parse reads a schema document strictly. A file that is not strict JSON has no root.
func parse(path string, text []byte) (*file, []finding.Finding) {
	f := &file{path: path, text: text}
	if len(text) > maxText {
		found := finding.New(finding.SchemaUnreadable, "the schema is longer than %d MiB", maxText>>20).At(path, 0)
		return f, []finding.Finding{found.Hinting("split it, and refer to the parts with $ref")}
	}
	var found []finding.Finding
	if rest, ok := bytes.CutPrefix(text, []byte("\ufeff")); ok {
		f.text = rest
		bom := finding.New(finding.JSONBOM, "the schema starts with a byte order mark").AtColumn(path, 1, 1)
		found = append(found, bom.Hinting("save it as UTF-8 without BOM"))
	}
	f.lines = linesOf(f.text)
	var doc tape.Tape
	problems := doc.Parse(f.text)
	for _, p := range problems {
		line, column := f.lines.place(f.text, p.Offset)
		problem := finding.New(finding.SchemaUnreadable, "the schema is not strict JSON: %s", p.Message)
		problem.Hint = p.Hint
		if p.Code == finding.JSONSeveralValues {
			problem.Message, problem.Hint = "the file holds more than one JSON value", "a schema is one JSON object: is this the right file?"
		}
		found = append(found, problem.AtColumn(path, line, column).In(p.Pointer))
	}
	if len(problems) == 0 {
		f.root = f.node(doc.Root(), nil, "")
	}
	return f, found
}

func (f *file) node(v tape.Value, parent *node, token string) *node {
	n := &node{file: f, kind: v.Kind(), offset: v.Offset(), keyAt: v.Offset(), parent: parent, token: token}
	switch n.kind {
	case tape.Number:
		n.text = string(v.Raw())
	case tape.String:
		n.text = v.Text()
	case tape.Array:
		n.children = make([]*node, 0, v.Len())
		for i, element := range v.Elements() {
			n.children = append(n.children, f.node(element, n, strconv.Itoa(i)))
		}
	case tape.Object:
		n.children = make([]*node, 0, v.Len())
		for key, value := range v.Members() {
			child := f.node(value, n, key.Text())
			child.keyAt = key.Offset()
			n.children = append(n.children, child)
		}
		n.remember()
	}
	return n
}

// remember makes the members of a large object quick to find.
func (n *node) remember() {
	const few = 16
	if len(n.children) <= few {
		return
	}
	n.byToken = make(map[string]*node, len(n.children))
	for _, child := range n.children {
		n.byToken[child.token] = child
	}
}

// finding makes a finding at the node; a member of an object is placed at its key.
func (n *node) finding(code finding.Code, format string, args ...any) finding.Finding {
	line, column := n.file.lines.place(n.file.text, n.keyAt)
	return finding.New(code, format, args...).AtColumn(n.file.path, line, column).In(n.pointer())
}

// pointer is the RFC 6901 JSON Pointer of the node in its document.
func (n *node) pointer() string {
	var tokens []string
	for at := n; at.parent != nil; at = at.parent {
		tokens = append(tokens, at.token)
	}
	slices.Reverse(tokens)
	return pointerTo(tokens)
}

// pointerTo writes a path as an RFC 6901 JSON Pointer. One that is very long ends early, at a value around the place.
func pointerTo(path []string) string {
	const most = 4096
	var pointer []byte
	for _, token := range path {
		before := len(pointer)
		if pointer = tape.AppendToken(pointer, token); len(pointer) > most {
			return string(pointer[:before])
		}
	}
	return string(pointer)
}

// get returns the member of an object or the element of an array, nil if there is none.
func (n *node) get(token string) *node {
	if n.byToken != nil {
		return n.byToken[token]
	}
	for _, child := range n.children {
		if child.token == token {
			return child
		}
	}
	return nil
}

// at follows an RFC 6901 JSON Pointer from the node. On failure it returns the last node that exists, and false.
func (n *node) at(pointer string) (*node, bool) {
	if pointer == "" {
		return n, true
	}
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for _, token := range strings.Split(pointer, "/")[1:] {
		next := n.get(unescape.Replace(token))
		if next == nil {
			return n, false
		}
		n = next
	}
	return n, true
}

// isBool says that the node is true or false.
func (n *node) isBool() bool { return n.kind == tape.True || n.kind == tape.False }

// value is the node as row values are: maps, slices, strings, json.Number, bool, nil.
func (n *node) value() any {
	switch n.kind {
	case tape.Object:
		out := make(map[string]any, len(n.children))
		for _, child := range n.children {
			out[child.token] = child.value()
		}
		return out
	case tape.Array:
		out := make([]any, len(n.children))
		for i, child := range n.children {
			out[i] = child.value()
		}
		return out
	case tape.Number:
		return json.Number(n.text)
	case tape.String:
		return n.text
	case tape.Null:
		return nil
	}
	return n.kind == tape.True
}
