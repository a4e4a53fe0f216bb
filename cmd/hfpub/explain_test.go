package main

import "testing"

func TestPagesAreFoldedForATerminal(t *testing.T) {
	for name, c := range map[string]struct{ page, want string }{
		"a paragraph is filled anew": {
			"one two three four five six\nseven eight nine", "one two three four\nfive six seven eight\nnine"},
		"headings and examples stay": {
			"# a heading that is longer than a line\n\n    an example that is longer\n", "# a heading that is longer than a line\n\n    an example that is longer\n"},
		"list items hang": {
			"- one two three four five six\n- seven", "- one two three four\n  five six\n- seven"},
		"code stays together, even if its source is broken": {
			"write `hfpub card\n--check` or not at all", "write `hfpub card --check`\nor not at all"},
		"letters count, not bytes": {"ééééééééé ééééééééé x", "ééééééééé ééééééééé\nx"},
	} {
		if got := folded(c.page, 20); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}
