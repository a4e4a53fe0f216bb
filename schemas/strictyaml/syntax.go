package strictyaml

import (
	"bytes"
	"cmp"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

// searchBudget bounds the bytes that are parsed to find the place of a syntax error.
const searchBudget = 2 << 20

var lineInError = lazyregexp.New(`^(?:yaml: )?(?:line \d+: )?`)

// explained maps messages of yaml.v3 to plainer ones, "" where they are plain enough, and to advice.
var explained = []struct{ yaml, message, hint string }{
	{"mapping values are not allowed in this context", "a colon stands where no value may begin",
		"put quotes around text that holds a colon and a blank, and check the indentation"},
	{"did not find expected key", "this does not belong to the mapping it stands in",
		"check indentation, quotes and brackets on this line"},
	{"could not find expected ':'", "a colon is missing after a key",
		"write `key: value`, and indent the lines of a longer text"},
	{"found unexpected end of stream", "a quote is opened and never closed", "close the quote"},
	{"found unexpected document indicator", "a quote is opened and never closed", "close the quote"},
	{"did not find expected ',' or ']'", "a list in square brackets is not closed, or text in it needs quotes",
		"close it with ], and separate its items by commas"},
	{"did not find expected ',' or '}'", "a mapping in braces is not closed, or text in it needs quotes",
		"close it with }, and separate its entries by commas"},
	{"did not find expected node content", "a value is missing or not closed",
		"write the value, and close brackets and braces"},
	{"block sequence entries are not allowed in this context", "a list item cannot stand here",
		"start the list on a line of its own, each item with a dash and a blank"},
	{"did not find expected '-' indicator", "this does not belong to the list it stands in",
		"check the indentation; each item starts with a dash and a blank"},
	{"found character that cannot start any token", "a value cannot start with this character",
		"put quotes around the text"},
	{"found a tab character that violates indentation", "a tab indents the line", "indent with blanks"},
	{"found a tab character where an indentation space is expected", "a tab indents the line", "indent with blanks"},
	{"did not find expected <document start>", "text follows the end of the document",
		"check indentation, and put quotes around text with special characters"},
	{"did not find expected alphabetic or numeric character", "a name must follow & or *",
		"put quotes around text that starts with & or *"},
	{"found undefined tag handle", "a tag is not defined", "put quotes around text that starts with !"},
	{"unknown anchor", "", "define the anchor with & further up, or put quotes around text that starts with *"},
	{"found incompatible YAML document", "a %YAML line names another version than 1.1", "take the %YAML line out"},
	{"found unknown escape character", "a backslash in double quotes is followed by an unknown letter",
		"write \\\\ for a backslash, or use single quotes"},
	{"found invalid Unicode character escape code", "an escape in double quotes stands for no character",
		"write the character itself: YAML has no surrogate pairs as JSON has"},
	{"exceeded max depth", "values nest deeper than 10000 levels", "flatten the values"},
}

// reportSyntax reports the one error that yaml.v3 gave, at the place where the text stops being YAML.
func (p *parser) reportSyntax(err error) {
	at := stopOfYAML(p.text)
	what := lineInError.ReplaceAllString(err.Error(), "")
	message, hint := what, "check indentation, quotes and brackets"
	for _, e := range explained {
		if strings.Contains(what, e.yaml) {
			message, hint = cmp.Or(e.message, what), e.hint
			break
		}
	}
	if at < len(p.text) && p.text[at] == '\t' {
		message, hint = "a tab stands where YAML takes blanks only", "indent with blanks"
	}
	p.report(p.doc.lines[0]+at, "not YAML: %s", message).Hint = hint
}

// stopOfYAML finds the first character that no readable beginning of the text includes. yaml.v3 names a line at best, often that
// of the surrounding mapping. Candidates are tried from the point that the scanner had reached backwards, so that few
// beginnings have to be parsed; when the budget is used up the line reached must do.
func stopOfYAML(text []byte) int {
	counter := &countingReader{text: text}
	_, _, _ = decode(counter)
	reached := max(counter.read-1, 0)
	budget := searchBudget
	readable := func(end int) bool {
		budget -= end + 1
		_, _, err := decode(bytes.NewReader(text[:end]))
		return err == nil
	}
	last := bytes.LastIndexByte(text[:reached], '\n') + 1
	line := last
	for line > 0 && budget > 0 && !readable(line) {
		line = bytes.LastIndexByte(text[:line-1], '\n') + 1
	}
	if budget <= 0 {
		return last
	}
	for at := endOfLine(text, line); at > line && budget > 0; {
		_, size := utf8.DecodeLastRune(text[line:at])
		at -= size
		if readable(at) {
			return at
		}
	}
	return line
}

// countingReader hands out one byte at a time, so that what was read is what the scanner needed.
type countingReader struct {
	text []byte
	read int
}

func (r *countingReader) Read(b []byte) (int, error) {
	if r.read == len(r.text) {
		return 0, io.EOF
	}
	if len(b) == 0 {
		return 0, nil
	}
	b[0] = r.text[r.read]
	r.read++
	return 1, nil
}
