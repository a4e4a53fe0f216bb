package memgym

import (
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// reevaluationRow judges what a harness says of the instances that it ran again: each is resolved or unresolved, not both, and it is
// completed.
func (j *judge) reevaluationRow(root tape.Value) []string {
	const hint = "each instance that ran stands in completed_ids, and in one of resolved_ids and unresolved_ids"
	completed, listed := map[string]bool{}, get(root, "completed_ids")
	for _, id := range texts(listed) {
		completed[id] = true
	}
	resolved := map[string]bool{}
	wrong := false
	for _, list := range []string{"resolved_ids", "unresolved_ids"} {
		for i, id := range elements(get(root, list)) {
			s := string(text(id))
			switch {
			case !is(id, tape.String): // the schema reports it
			case resolved[s]:
				wrong = true
				j.say(finding.MemgymReevaluation, id, at("/"+list, i, ""), hint, "%s stands before, too", s)
			case is(listed, tape.Array) && !completed[s]:
				wrong = true
				j.say(finding.MemgymReevaluation, id, at("/"+list, i, ""), hint, "%s is not in completed_ids", s)
			}
			resolved[s] = true
		}
	}
	for i, id := range elements(listed) {
		if s := string(text(id)); !wrong && is(id, tape.String) && !resolved[s] {
			j.say(finding.MemgymReevaluation, id, at("/completed_ids", i, ""), hint, "%s is neither in resolved_ids nor in unresolved_ids", s)
		}
	}
	return nil
}
