package memgym

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

const promptHint = "the prompt is the messages one behind the other: [System], [User], [Assistant], [Tool] or [Exit], a line end and the content, " +
	"with blank lines between them, and at the end a blank line and Answer:"

// between stands between two messages.
const between = "\n\n"

// flattened says whether a prompt is that of the messages; at is where it differs. First it is compared as it is written, which
// is what most writers get: then no text is decoded.
func (j *judge) flattened(messages, prompt tape.Value) (at string, ok bool) {
	if !isPlain(messages) {
		return j.flattenedCalls(messages, prompt)
	}
	if _, ok = compare(prompt.Raw(), messages, `\n`, func(v tape.Value) []byte { return v.Raw() }); ok {
		return "", true
	}
	j.one = prompt.AppendText(j.one[:0])
	return compare(j.one, messages, "\n", func(v tape.Value) []byte {
		if !v.Escaped() {
			return v.Raw()
		}
		j.two = v.AppendText(j.two[:0])
		return j.two
	})
}

// isPlain says that the content of each message is a text, and all of it.
func isPlain(messages tape.Value) bool {
	for _, m := range messages.Elements() {
		if calls := get(m, "tool_calls"); !is(get(m, "content"), tape.String) || is(calls, tape.Array) && calls.Len() > 0 {
			return false
		}
	}
	return true
}

// heading is that of a role in a prompt.
func heading(role string) string {
	if role == "" {
		return "["
	}
	return "[" + strings.ToUpper(role[:1]) + role[1:] + "]"
}

// compare holds a prompt against messages whose content is text.
func compare(rest []byte, messages tape.Value, newline string, textOf func(tape.Value) []byte) (at string, ok bool) {
	for i, m := range messages.Elements() {
		if i > 0 {
			if rest, ok = bytes.CutPrefix(rest, []byte(newline+newline)); !ok {
				return "the end of message " + strconv.Itoa(i-1), false
			}
		}
		if rest, ok = bytes.CutPrefix(rest, []byte(heading(string(text(get(m, "role")))))); !ok {
			return "the heading of message " + strconv.Itoa(i), false
		}
		after, isLine := bytes.CutPrefix(rest, []byte(newline))
		if !isLine {
			after, isLine = bytes.CutPrefix(rest, []byte(" "))
		}
		if rest, ok = bytes.CutPrefix(after, textOf(get(m, "content"))); !ok || !isLine {
			return "message " + strconv.Itoa(i), false
		}
	}
	if string(rest) != newline+newline+"Answer:" {
		return "its end", false
	}
	return "", true
}

// flattenedCalls is [judge.flattened] for messages with calls of tools or with parts. What a call of another tool than bash looks
// like depends on the language of the writer: such a message may be any text up to the next one.
func (j *judge) flattenedCalls(messages, prompt tape.Value) (at string, ok bool) {
	j.one = prompt.AppendText(j.one[:0])
	rest, exact := j.one, true
	for i, m := range messages.Elements() {
		block, known := j.block(m)
		if i > 0 {
			block = append([]byte(between), block...)
		}
		if exact {
			rest, ok = bytes.CutPrefix(rest, block)
		} else {
			_, rest, ok = bytes.Cut(rest, block)
		}
		if !ok {
			return "message " + strconv.Itoa(i), false
		}
		exact = known
	}
	if exact && string(rest) != answer || !bytes.HasSuffix(rest, []byte(answer)) {
		return "its end", false
	}
	return "", true
}

// block is a message as it stands in a prompt. Where not all of it is known, it is the beginning.
func (j *judge) block(m tape.Value) (block []byte, known bool) {
	role, content := string(text(get(m, "role"))), get(m, "content")
	block = append([]byte(heading(role)), '\n')
	start := len(block)
	part := func(text string) {
		if len(block) > start {
			block = append(block, '\n')
		}
		block = append(block, text...)
	}
	switch {
	case is(content, tape.String):
		block = content.AppendText(block)
	case is(content, tape.Array):
		for _, chunk := range content.Elements() {
			if chunk.Kind() == tape.String {
				part(chunk.Text())
				continue
			}
			said := text(get(chunk, "text"))
			if len(said) == 0 {
				return block, false
			}
			part(string(said))
		}
	}
	if role != "assistant" {
		return block, true
	}
	for _, call := range elements(get(m, "tool_calls")) {
		command, ok := bash(call)
		if !ok {
			return block, false
		}
		part("$ " + command)
	}
	return block, true
}

// bash is the command of a call of bash; ok is false for another call.
func bash(call tape.Value) (command string, ok bool) {
	function := get(call, "function")
	arguments := get(function, "arguments")
	if !isText(get(function, "name"), "bash") {
		return "", false
	}
	if is(arguments, tape.String) {
		var inner tape.Tape
		if len(inner.Parse([]byte(arguments.Text()))) > 0 {
			return "", false
		}
		arguments = inner.Root()
	}
	if !is(arguments, tape.Object) {
		return "", false
	}
	said := text(get(arguments, "command"))
	return string(said), len(said) > 0
}
