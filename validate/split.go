package validate

import (
	"sync"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/digest"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/shape"
	"github.com/hfpub/hfpub/validate/statistics"
)

// splitPass is what is seen of one split.
type splitPass struct {
	repo   *release.Repo
	config *release.Config
	split  *release.Split
	schema *shape.Schema
	// elements is the schema of the elements of a file that is one array; nil when the schema is not about such files.
	elements *shape.Schema
	// atOnce says that the schema is about such files and needs all of one at once; see atonce.go.
	atOnce    bool
	maxPlaces int
	// statistics says that columns are measured, splits is the number of splits of the release.
	statistics bool
	splits     int
	parts      []*part
	// known is the split as checks see it; checks are those that look at it.
	known  *observe.Split
	checks []observe.Check
	// seen is what all files showed.
	seen *sight
	// found is what is wrong with the files themselves.
	found finding.Set
}

// part is one file of a split, in the place that it has there.
type part struct {
	split  *splitPass
	at     int
	totals rows.Totals
	// of is the stretch that the part belongs to, place its place there.
	of    *stretch
	place int
	// waiting is what the file showed while others before it were not done; nil when it is the file's turn.
	waiting *sight
	done    bool
	// spare are observers whose rows have been merged.
	spare []spare
}

// stretch is a run of parts of a split, one behind the other, that are read by one process. What their files show is merged in
// file order, as soon as all before it is there.
type stretch struct {
	split *splitPass
	parts []*part
	// first is the file that it begins with.
	first *dataFile

	mu sync.Mutex
	// seen is what all parts before parts[turn] showed, and what that one showed so far.
	seen *sight
	turn int
}

func (p *pass) newSplitPass(known *observe.Split, schema *schema) *splitPass {
	s := &splitPass{repo: known.Repo, config: known.Config, split: known.Split, known: known, maxPlaces: p.opt.MaxPlaces, statistics: p.opt.Statistics, splits: splitCount(p.rel)}
	s.found.MaxPlaces = s.maxPlaces
	if schema != nil && schema.shape != nil {
		s.schema = schema.shape
		var ok bool
		s.elements, ok = s.schema.Elements()
		s.atOnce = !ok && s.schema.AboutArrays()
	}
	for i := range s.split.Files {
		s.parts = append(s.parts, &part{split: s, at: i})
	}
	return s
}

// sight is what was seen of a run of a split's rows.
type sight struct {
	columns *column.Observer
	digest  *digest.Observer
	// shape is nil for a split without a schema.
	shape *shape.Observer
	// statistics is nil when they are not asked for.
	statistics *statistics.Observer
	// checks are the observers of the split's checks.
	checks []observe.Observer
	// together are all observers, when each of them can be shown many rows at once; else it is nil.
	together []rows.RunObserver
}

// schemaOf is the schema that the rows of a file are held against. A schema that is about arrays only is about the whole of a
// file that holds one.
func (s *splitPass) schemaOf(array bool) *shape.Schema {
	switch {
	case array && s.atOnce:
		return nil
	case array && s.elements != nil:
		return s.elements
	}
	return s.schema
}

// spare are observers of a sight that can be used again: nil where there is none, checks for each check of the split or for none.
type spare struct {
	columns *column.Observer
	checks  []observe.Observer
}

// look makes observers for a run of rows, around those that are there. schema may be nil.
func (s *splitPass) look(schema *shape.Schema, there spare, d *digest.Observer) *sight {
	out := &sight{columns: there.columns, digest: d, checks: there.checks}
	if out.columns == nil {
		out.columns = column.NewObserver()
	}
	if schema != nil {
		out.shape = schema.NewObserver(s.maxPlaces)
	}
	if s.statistics {
		out.statistics = statistics.NewObserver(s.splits)
	}
	if out.checks == nil {
		out.checks = make([]observe.Observer, len(s.checks))
	}
	for i, check := range s.checks {
		if out.checks[i] == nil {
			out.checks[i] = check.Observer(s.known)
		}
	}
	out.together = out.asRunObservers()
	return out
}

// all calls fn with every observer, until it returns false.
func (s *sight) all(fn func(rows.Observer) bool) {
	if !fn(s.columns) || !fn(s.digest) || s.shape != nil && !fn(s.shape) || s.statistics != nil && !fn(s.statistics) {
		return
	}
	for _, check := range s.checks {
		if !fn(check) {
			return
		}
	}
}

// asRunObservers is sight.together.
func (s *sight) asRunObservers() []rows.RunObserver {
	together := make([]rows.RunObserver, 0, 4+len(s.checks))
	for o := range s.all {
		run, ok := o.(rows.RunObserver)
		if !ok {
			return nil
		}
		together = append(together, run)
	}
	return together
}

func (s *sight) observe(row *rows.Row) {
	s.columns.Observe(row)
	s.digest.Observe(row)
	if s.shape != nil {
		s.shape.Observe(row)
	}
	if s.statistics != nil {
		s.statistics.Observe(row)
	}
	for _, check := range s.checks {
		check.Observe(row)
	}
}

// observeRun shows rows together.
func (s *sight) observeRun(run *rows.Run) {
	for _, o := range s.together {
		o.ObserveRun(run)
	}
}

// hash takes in the hashes of the rows, those that are not hashed yet too.
func (s *sight) hash() {
	hashes := s.digest.Hashes()
	for _, check := range s.checks {
		if c, ok := check.(observe.HashObserver); ok {
			c.ObserveHashes(hashes)
		}
	}
}

// seal does behind the last row of a block what merging would have to do otherwise.
func (s *sight) seal() {
	if s.statistics != nil {
		s.statistics.Seal()
	}
}

// merge takes over what was seen of the rows that follow.
func (s *sight) merge(next *sight) {
	s.columns.Merge(next.columns)
	s.digest.Merge(next.digest)
	if s.shape != nil && next.shape != nil {
		s.shape.Merge(next.shape)
	}
	if s.statistics != nil {
		s.statistics.Merge(next.statistics)
	}
	for i, check := range s.checks {
		check.Merge(next.checks[i])
	}
}

// findings are those about the rows and those about the files together.
func (s *sight) findings(about *finding.Set) *finding.Set {
	out := &finding.Set{MaxPlaces: about.MaxPlaces}
	out.Merge(about)
	if s.shape != nil {
		out.Merge(s.shape.Findings())
	}
	return out
}

// newStretch returns a stretch that begins with a part, which stands for a file.
func newStretch(first *part, file *dataFile) *stretch {
	s := first.split
	hashes := digest.NewObserver()
	if first.at == 0 && file.fromStart() {
		hashes = digest.NewFirst()
	}
	return &stretch{split: s, first: file, seen: s.look(s.schema, spare{}, hashes)}
}

func (s *stretch) add(p *part) {
	p.of, p.place = s, len(s.parts)
	s.parts = append(s.parts, p)
}

// merge takes over what the next rows of a file showed, and returns how many rows wait for others by that.
func (p *part) merge(next *sight) (waiting int64) {
	s := p.of
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn == p.place {
		s.seen.merge(next)
		p.keep(next)
		return 0
	}
	if p.waiting == nil {
		p.waiting = p.split.look(p.split.schema, spare{}, digest.NewObserver())
	}
	waiting = next.digest.Rows()
	p.waiting.merge(next)
	p.keep(next)
	return waiting
}

// keep keeps what can be used for the next block of what was merged.
func (p *part) keep(merged *sight) {
	kept := spare{checks: merged.checks}
	if merged.columns.Reuse() {
		kept.columns = merged.columns
	}
	for i, check := range kept.checks {
		if again, ok := check.(observe.Reusable); ok {
			again.Reset()
		} else {
			kept.checks[i] = nil
		}
	}
	p.spare = append(p.spare, kept)
}

// takeSpare returns observers for the next block of the file that were used before.
func (p *part) takeSpare() spare {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	n := len(p.spare)
	if n == 0 {
		return spare{}
	}
	last := p.spare[n-1]
	p.spare = p.spare[:n-1]
	return last
}

// follow lets the observers of a block know what those they will be merged with saw.
func (p *part) follow(next *sight) {
	if next.statistics == nil && next.shape == nil {
		return
	}
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	if next.statistics != nil {
		next.statistics.Follow(p.of.seen.statistics)
	}
	if next.shape != nil && p.of.turn == p.place && p.of.seen.shape != nil {
		next.shape.Follow(p.of.seen.shape)
	}
}

// finish says that the file has shown all its rows, and merges what waited for that; it returns the number of those rows.
func (p *part) finish() (released int64) {
	s := p.of
	s.mu.Lock()
	defer s.mu.Unlock()
	p.done, p.spare = true, nil
	for s.turn < len(s.parts) && s.parts[s.turn].done {
		s.turn++
		if s.turn < len(s.parts) && s.parts[s.turn].waiting != nil {
			next := s.parts[s.turn].waiting
			s.parts[s.turn].waiting = nil
			released += next.digest.Rows()
			s.seen.merge(next)
		}
	}
	return released
}

// lend has the digest of what is merged go on while the rows of the file's next block are hashed, until it is taken back.
func (p *part) lend(next *sight) {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	if p.of.turn == p.place {
		p.of.seen.digest.Lend(next.digest)
	}
}

func (p *part) takeBack() {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	if p.of.turn == p.place {
		p.of.seen.digest.TakeBack()
	}
}

// isNext says that nothing the file shows has to wait.
func (p *part) isNext() bool {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	return p.of.turn == p.place
}

// conclude takes in what is known of the whole file. What is wrong with the file itself is said once, by its first part.
func (p *part) conclude(totals rows.Totals, found *finding.Set) {
	p.totals = totals
	if found != nil {
		p.split.found.Merge(found)
	}
	if totals.Elements >= 0 && p.split.elements != nil {
		whole := p.split.elements.NewObserver(p.split.maxPlaces)
		whole.EndArray(p.split.split.Files[p.at], totals.ArrayLine, totals.Elements)
		p.split.found.Merge(whole.Findings())
	}
}
