package memgym

import (
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// midTrainingRow judges a row of mid-training. That there is one at all is judged by its repo.
func (j *judge) midTrainingRow(root tape.Value) []string {
	completion := get(root, "completion")
	if n, ok := integer(get(root, "completion_chars")); ok && is(completion, tape.String) && n != completion.Chars() {
		j.say(finding.MemgymCounts, get(root, "completion_chars"), "/completion_chars", "count the characters of the completion",
			"completion_chars is %d, and the completion has %d", n, completion.Chars())
	}
	return nil
}
