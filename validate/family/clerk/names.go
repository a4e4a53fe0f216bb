package clerk

import (
	"fmt"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
)

// persona is the name of a row and where it stands.
type persona struct {
	name string
	// strict says that the row is of the generator's form, where no two rows of a split have the same name.
	strict bool
	// sessions is how many sessions the row has.
	sessions int
	place    finding.Place
}

// role is what a split is for.
type role int

const (
	other role = iota
	train
	val
	test
)

// roleOf reads the role of a split from its name.
func roleOf(split string) role {
	name := strings.ToLower(split)
	for _, word := range []struct {
		part string
		role role
	}{{"train", train}, {"val", val}, {"dev", val}, {"test", test}} {
		if strings.Contains(name, word.part) {
			return word.role
		}
	}
	return other
}

// judgeNames says which splits share names, and which names stand twice in a split.
func judgeNames(seen []observe.Seen, say *observe.Findings) {
	for i, s := range seen {
		o := s.Observer.(*observer)
		first := map[string]persona{}
		for _, p := range o.names {
			before, twice := first[p.name]
			if !twice {
				first[p.name] = p
				continue
			}
			if p.strict && before.strict {
				f := finding.New(finding.ClerkNameTwice, "%s is the persona of another row, at %s", p.name, before.place.Where())
				say.Add(s.Split, at(f, p.place).Hinting("every row has a persona of its own"))
			}
		}
		for _, before := range seen[:i] {
			if before.Split.Repo == s.Split.Repo {
				shared(before, s, o.check.words, say)
			}
		}
	}
}

// shared says what two splits of a repo have in common. Personas of a test split may stand in no other. Those of a validation
// split may come from the pool of the training split; how many do is told.
func shared(a, b observe.Seen, words *words, say *observe.Findings) {
	first, second := roleOf(a.Split.Name), roleOf(b.Split.Name)
	if first == other || second == other || first == second {
		return
	}
	tested := first == test || second == test
	known := map[string]finding.Place{}
	for _, p := range a.Observer.(*observer).names {
		if _, twice := known[p.name]; !twice {
			known[p.name] = p.place
		}
	}
	overlap := 0
	for _, p := range b.Observer.(*observer).names {
		place, ok := known[p.name]
		if !ok {
			continue
		}
		given, _, _ := strings.Cut(p.name, " ")
		if !tested && !words.pools["val"][given] {
			overlap++
			continue
		}
		f := finding.New(finding.ClerkNameShared, "%s is a persona of split %s, too, at %s", p.name, a.Split.Name, place.Where())
		say.Add(b.Split, at(f, p.place).Hinting("give each split a pool of names of its own"))
	}
	if overlap > 0 {
		f := finding.New(finding.ClerkNameOverlap, "%s with split %s", names(overlap), a.Split.Name)
		say.Add(b.Split, f.Hinting("this is meant where both splits are made from the pool of train; say so in the card"))
	}
}

func names(n int) string {
	if n == 1 {
		return "1 persona has the name of one of those"
	}
	return fmt.Sprintf("%d personas share their names", n)
}

func at(f finding.Finding, place finding.Place) finding.Finding {
	f.Place = place
	return f
}
