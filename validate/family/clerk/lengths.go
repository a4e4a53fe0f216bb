package clerk

import (
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
)

// judgeLengths says which rows of a split have another number of sessions than it should have: the declared one, or else that of most
// rows.
func judgeLengths(seen []observe.Seen, say *observe.Findings) {
	for _, s := range seen {
		names := s.Observer.(*observer).names
		want, _ := declaredNumber(s.Split, "--sessions", 0)
		if want == 0 {
			want = commonLength(names)
		}
		for _, p := range names {
			if p.sessions == want {
				continue
			}
			f := finding.New(finding.ClerkSessionCount, "%s has %d sessions, and a persona of the split has %d", p.name, p.sessions, want)
			place := p.place
			place.Pointer = "/sessions"
			say.Add(s.Split, at(f, place).Hinting("give all personas the same number of sessions; a number that is declared is that of --sessions in the repo's reproduce"))
		}
	}
}

// commonLength is the number of sessions that most personas have, the larger one of two.
func commonLength(names []persona) (common int) {
	rows := map[int]int{}
	for _, p := range names {
		rows[p.sessions]++
	}
	for sessions, n := range rows {
		if most := rows[common]; n > most || n == most && sessions > common {
			common = sessions
		}
	}
	return common
}
