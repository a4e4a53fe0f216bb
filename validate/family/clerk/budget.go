package clerk

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/record"
)

// defaultBudget is how many slots a ledger of CLERK has at most.
const defaultBudget = 12

// outcome is how a session's program ended, as far as the budget decides whether that is right.
type outcome struct {
	path string
	// given is the number of slots of the ledger after the session, played that of the ledger which the program gives.
	given, played int
	// evicts says that the program evicts something.
	evicts bool
	// foreign says that the slots have another form, or that there are none.
	foreign bool
	// fault is what is wrong if the budget is kept; "" for nothing.
	fault finding.Code
}

// sizes holds the sessions by their outcome: the budget is known when all have been seen. A session is kept as what would be
// said of it: its fault, or that its ledger is too large.
type sizes map[outcome]*sessions

type sessions struct {
	found finding.Set
	// more counts more of them when no more places are kept.
	more    finding.Repeats
	counted bool
}

// add takes in a session; place is called when its place is to be kept.
func (s sizes) add(of outcome, maxPlaces int, say func() finding.Finding) {
	known := s[of]
	if known == nil {
		known = &sessions{found: finding.Set{MaxPlaces: maxPlaces}}
		s[of] = known
	}
	if known.counted && of.fault == "" && known.more.Full() {
		known.more.Add()
		return
	}
	known.more = known.found.AddHinted(say(), nil)
	known.counted = true
}

func (s sizes) merge(next sizes, maxPlaces int) {
	for of, theirs := range next {
		mine := s[of]
		if mine == nil {
			mine = &sessions{found: finding.Set{MaxPlaces: maxPlaces}}
			s[of] = mine
		}
		mine.found.Merge(&theirs.found)
		mine.counted = false
	}
}

// judge says what is wrong with the sessions of a split.
func (s sizes) judge(split *observe.Split, maxPlaces int) *finding.Set {
	out := &finding.Set{MaxPlaces: maxPlaces}
	budget, known := declaredBudget(split)
	if !known {
		budget, known = s.budget()
	}
	for _, of := range s.order() {
		code := of.fault
		switch {
		case !known:
		case of.given > budget:
			code = finding.ClerkBudget
		case of.played > budget || of.evicts && of.played < budget:
			code = finding.ClerkEvictCount
		}
		if code == "" {
			continue
		}
		for _, f := range s[of].found.All() {
			out.Add(of.word(f, code, budget))
		}
	}
	return out
}

// word says of a session what its outcome means when the budget is known.
func (of outcome) word(f finding.Finding, code finding.Code, budget int) finding.Finding {
	if code == of.fault {
		return f
	}
	field := "gold_ops"
	f.Code, f.Severity = code, code.Severity()
	switch {
	case code == finding.ClerkBudget:
		field = "ledger_after"
		f.Message = fmt.Sprintf("the ledger holds %d slots, and the budget is %d", of.given, budget)
		f.Hint = "evict what is least salient; a budget other than 12 is taken from --budget of the repo's reproduce"
	case of.played > budget:
		f.Message = fmt.Sprintf("the program leaves %d slots, and the budget is %d", of.played, budget)
		f.Hint = "an EVICT is missing: as many slots as are too many have to go"
	default:
		f.Message = fmt.Sprintf("the program evicts down to %d slots, and the budget is %d", of.played, budget)
		f.Hint = "there is an EVICT too many: no more slots go than are too many"
	}
	f.Pointer = inSession(f.Pointer, field)
	f.Places = slices.Clone(f.Places)
	for i := range f.Places {
		f.Places[i].Pointer = inSession(f.Places[i].Pointer, field)
	}
	return f
}

// inSession is the pointer to a field of the session that a pointer leads into.
func inSession(pointer, field string) string {
	tokens := strings.SplitN(pointer, "/", 4) // "", sessions, the number, the rest
	return strings.Join(tokens[:min(3, len(tokens))], "/") + "/" + field
}

// order lists the outcomes, in an order of their own.
func (s sizes) order() []outcome {
	return slices.SortedFunc(maps.Keys(s), func(a, b outcome) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.fault, b.fault), cmp.Compare(a.given, b.given), cmp.Compare(a.played, b.played),
			cmp.Compare(yes(a.evicts), yes(b.evicts)), cmp.Compare(yes(a.foreign), yes(b.foreign)))
	})
}

func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}

// budget finds out the budget of sessions for which none is declared: most programs that evict something evict down to it.
// Where none does, it is that of CLERK, unless so many ledgers are larger that theirs must be another one. What is not made by
// hfpub's generator has no larger one: the card of CLERK promises it.
func (s sizes) budget() (budget int, known bool) {
	left := map[int]int{}
	sessions, large := 0, 0
	foreign := true
	for of, list := range s {
		n := 0
		for _, f := range list.found.All() {
			n += f.Count
		}
		sessions += n
		foreign = foreign && of.foreign
		if of.evicts {
			left[of.played] += n
		}
		if of.given > defaultBudget {
			large += n
		}
	}
	for size, n := range left {
		if most := left[budget]; n > most || n == most && size > budget {
			budget = size
		}
	}
	switch {
	case foreign && (budget == 0 || budget > defaultBudget):
		return defaultBudget, true
	case len(left) > 0:
		return budget, true
	}
	const few = 10
	return defaultBudget, large*few < sessions
}

// declaredBudget is that of the command which makes the split anew.
func declaredBudget(split *observe.Split) (budget int, ok bool) {
	return declaredNumber(split, "--budget", defaultBudget)
}

// declaredNumber is the number that a flag has in the command which makes the split anew, or the usual one without the flag.
func declaredNumber(split *observe.Split, flag string, usual int) (n int, ok bool) {
	again := split.Repo.Reproduce
	if again == nil || !slices.Contains(split.Files, again.Produces) || !slices.Contains(again.Run, "clerk") {
		return 0, false
	}
	for i, arg := range again.Run {
		value, given := strings.CutPrefix(arg, flag+"=")
		if arg == flag && i+1 < len(again.Run) {
			value, given = again.Run[i+1], true
		}
		if n, err := strconv.Atoi(value); given && err == nil {
			return n, true
		}
	}
	return usual, slices.Contains(again.Run, "generate")
}

func (s sizes) write(w *record.Writer) error {
	w.Uint(uint64(len(s)))
	for _, of := range s.order() {
		w.Text(of.path)
		w.Uint(uint64(of.given))
		w.Uint(uint64(of.played))
		w.Bool(of.evicts)
		w.Bool(of.foreign)
		w.Text(string(of.fault))
		found, err := s[of].found.MarshalBinary()
		if err != nil {
			return err
		}
		w.Part(found)
	}
	return nil
}

// maxOutcomes bounds the outcomes of a record.
const maxOutcomes = 1 << 24

func (s sizes) read(r *record.Reader, maxPlaces int) error {
	for range r.Count(maxOutcomes) {
		of := outcome{path: r.Text(), given: int(r.Uint()), played: int(r.Uint()), evicts: r.Bool(), foreign: r.Bool(), fault: finding.Code(r.Text())}
		list := &sessions{found: finding.Set{MaxPlaces: maxPlaces}}
		if err := list.found.UnmarshalBinary(r.Part()); err != nil {
			return err
		}
		s[of] = list
	}
	return r.Err()
}
