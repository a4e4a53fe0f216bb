package column

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// jsonLines calls f for every row of a JSON Lines text; false when strict JSON refuses it.
func jsonLines(path string, text []byte, f func(*rows.Row)) bool {
	var doc tape.Tape
	var batches rows.Batches
	var offset int64
	row := rows.Row{Path: path, Doc: &doc}
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		offset, text = 3, text[3:]
	}
	for len(text) > 0 {
		line := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line = text[:i+1]
		}
		text = text[len(line):]
		row.Line++
		row.Offset, row.End = offset, offset+int64(len(line))
		offset = row.End
		row.Batch = batches.Line(row.End)
		value := bytes.TrimSpace(line)
		if len(value) == 0 {
			continue
		}
		if len(doc.Parse(value)) > 0 {
			return false
		}
		f(&row)
		row.Index++
	}
	return true
}

// jsonArray calls f for every element of a JSON array.
func jsonArray(path string, text []byte, f func(*rows.Row)) bool {
	var all, doc tape.Tape
	if len(all.Parse(text)) > 0 {
		return false
	}
	row := rows.Row{Path: path, Doc: &doc, Line: 1}
	for _, element := range all.Root().Elements() {
		if len(doc.Parse(element.Raw())) > 0 {
			return false
		}
		f(&row)
		row.Index++
	}
	return true
}

// csvRows calls f for every row of a CSV text.
func csvRows(path string, text string, comma rune, f func(*rows.Row)) bool {
	reader := csv.NewReader(strings.NewReader(text))
	reader.Comma = comma
	all, err := reader.ReadAll()
	if err != nil {
		return false
	}
	var doc tape.Tape
	row := rows.Row{Path: path, Doc: &doc, Cells: true, Line: 1}
	for _, record := range all[1:] {
		row.Line++
		var object []byte
		for i, cell := range record {
			object = append(object, ',')
			object = append(appendJSONText(object, all[0][i]), ':')
			object = appendJSONText(object, cell)
		}
		object = append(object, '}')
		object[0] = '{'
		if len(doc.Parse(object)) > 0 {
			return false
		}
		f(&row)
		row.Index++
	}
	return true
}

// observe shows the rows of a text to a new observer.
func observe(t testing.TB, lines ...string) *Observer {
	t.Helper()
	return observeFile(t, NewObserver(), "train.jsonl", strings.Join(lines, "\n"))
}

func observeFile(t testing.TB, o *Observer, path, text string) *Observer {
	t.Helper()
	if !jsonLines(path, []byte(text), o.Observe) {
		t.Fatalf("the test's own rows are not strict JSON: %.200s", text)
	}
	return o
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	var buf bytes.Buffer
	encoder := json.NewEncoder(&buf)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(buf.String())
}
