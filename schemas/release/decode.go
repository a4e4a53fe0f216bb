package release

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/nearest"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/finding"
)

// decoder collects the faults of a manifest while its nodes are turned into values.
type decoder struct {
	file     string
	findings []finding.Finding
}

// fault reports a value that is not allowed.
func (d *decoder) fault(v value, hint, format string, args ...any) {
	d.report(finding.ManifestValue, v, hint, format, args...)
}

// warn reports a value that is allowed and has no effect.
func (d *decoder) warn(v value, hint, format string, args ...any) {
	d.report(finding.ManifestValue, v, hint, format, args...)
	d.findings[len(d.findings)-1].Severity = finding.Warning
}

func (d *decoder) report(code finding.Code, v value, hint, format string, args ...any) {
	f := finding.New(code, format, args...).AtColumn(d.file, v.node.Line, v.node.Column).In(v.at)
	f.Hint = hint
	d.findings = append(d.findings, f)
}

// value is a node of the manifest with the name of its key for messages, and its JSON Pointer.
type value struct {
	d    *decoder
	node *yaml.Node
	name string
	at   string
}

func (v value) pos() Pos { return Pos{v.node.Line, v.node.Column} }

// wrong reports a value of the wrong type.
func (v value) wrong(expected, hint string) {
	v.d.fault(v, hint, "%s is %s, expected %s", v.name, strictyaml.Describe(v.node), expected)
}

// text reads a text that is not empty.
func (v value) text() (string, bool) {
	s, ok := strictyaml.String(v.node)
	switch {
	case !ok && v.node.Kind == yaml.ScalarNode && v.node.Value != "":
		v.wrong("text", fmt.Sprintf("put quotes around it: %q", v.node.Value))
		return "", false
	case !ok:
		v.wrong("text", "write one text, or take the key out")
		return "", false
	case s == "":
		v.d.fault(v, "write a text, or take the key out", "%s is empty", v.name)
		return "", false
	}
	return s, true
}

// oneOf reads one of a few words.
func (v value) oneOf(words ...string) (string, bool) {
	s, ok := v.text()
	if !ok || slices.Contains(words, s) {
		return s, ok
	}
	hint := "write one of " + strings.Join(words, ", ")
	if near, ok := nearest.Word(s, words); ok {
		hint = fmt.Sprintf("did you mean %s?", near)
	}
	v.d.fault(v, hint, "%s is %q, expected one of %s", v.name, s, strings.Join(words, ", "))
	return "", false
}

func (v value) boolean() bool {
	b, ok := strictyaml.Bool(v.node)
	if !ok {
		v.wrong("true or false", "write true or false")
	}
	return b
}

// number reads a whole number from least on.
func (v value) number(least int64) (int64, bool) {
	n, ok := strictyaml.Int(v.node)
	if !ok || n < least {
		v.wrong(fmt.Sprintf("a whole number from %d on", least), "write the number in decimal digits")
		return 0, false
	}
	return n, true
}

// list gives the elements of a list.
func (v value) list(of string) []value {
	if v.node.Kind != yaml.SequenceNode {
		v.wrong("a list of "+of, fmt.Sprintf("write each of the %s on a line of its own, behind a dash and a blank", of))
		return nil
	}
	var all []value
	for i, n := range v.node.Content {
		all = append(all, value{v.d, n, v.name, v.at + "/" + strconv.Itoa(i)})
	}
	return all
}

// filled gives the elements of a list that must have some.
func (v value) filled(of string) []value {
	all := v.list(of)
	if v.node.Kind == yaml.SequenceNode && len(all) == 0 {
		v.d.fault(v, "fill the list, or take the key out", "%s is an empty list", v.name)
	}
	return all
}

// isOne reports whether one value stands where a list of such values may stand.
func (v value) isOne() bool { return v.node.Kind == yaml.ScalarNode && !strictyaml.IsNull(v.node) }

// oneOrMore gives the elements of a list that must have some, or the value itself where one stands alone.
func (v value) oneOrMore(of string) []value {
	if v.isOne() {
		return []value{v}
	}
	return v.filled(of)
}

// any gives the elements of a list that may be empty, or the value itself where one stands alone.
func (v value) any(of string) []value {
	if v.isOne() {
		return []value{v}
	}
	return v.list(of)
}

// object is a mapping of the manifest with known keys.
type object struct {
	value
	// meant are known keys that unknown ones were probably meant to be; they are not reported as missing too.
	meant []string
}

// object reads a mapping and reports keys that are not known.
func (v value) object(known ...string) (object, bool) {
	if v.node.Kind != yaml.MappingNode {
		v.wrong("a mapping", "write it as `key: value` lines, with the keys "+strings.Join(known, ", "))
		return object{value: v}, false
	}
	o := object{value: v}
	for k := range strictyaml.Pairs(v.node) {
		if slices.Contains(known, k.Value) {
			continue
		}
		key := value{v.d, k, k.Value, v.at + "/" + strictyaml.Escape(k.Value)}
		hint := "known here: " + strings.Join(known, ", ")
		if near, ok := nearest.Word(k.Value, known); ok {
			hint = fmt.Sprintf("did you mean %s?", near)
			o.meant = append(o.meant, near)
		}
		v.d.report(finding.ManifestUnknownKey, key, hint, "unknown key %q in %s", k.Value, v.name)
	}
	return o, true
}

// get gives the value of a key where it is there.
func (o object) get(key string) (value, bool) {
	_, n := strictyaml.Lookup(o.node, key)
	if n == nil {
		return value{}, false
	}
	return value{o.d, n, key, o.at + "/" + key}, true
}

// need gives the value of a key and reports a key that is missing.
func (o object) need(key, hint string) (value, bool) {
	v, ok := o.get(key)
	if !ok && !slices.Contains(o.meant, key) {
		missing := value{o.d, o.node, key, o.at + "/" + key}
		o.d.report(finding.ManifestMissing, missing, hint, "%s has no %s", o.name, key)
	}
	return v, ok
}

// text reads the text of a key that may be left out.
func (o object) text(key string) string {
	v, ok := o.get(key)
	if !ok {
		return ""
	}
	s, _ := v.text()
	return s
}

// texts reads one text or a list of texts under a key that may be left out.
func (o object) texts(key, of string) []string {
	v, ok := o.get(key)
	if !ok {
		return nil
	}
	var all []string
	for _, e := range v.any(of) {
		if s, ok := e.text(); ok {
			all = append(all, s)
		}
	}
	return all
}
