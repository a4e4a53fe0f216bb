package hygiene

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/hygiene/secrets"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// RowCheck looks through the texts of all rows: for secrets, paths of machines, personal data and forbidden texts.
type RowCheck struct {
	policies  map[*release.Repo]*policy
	maxPlaces int
}

// NewRowCheck makes the check of a release. The error is for a list of fingerprints that cannot be read.
func NewRowCheck(rel *release.Release, opt observe.Options) (*RowCheck, error) {
	c := &RowCheck{map[*release.Repo]*policy{}, opt.MaxPlaces}
	for i := range rel.Repos {
		var err error
		if c.policies[&rel.Repos[i]], err = newPolicy(rel, &rel.Repos[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", rel.Repos[i].ID, err)
		}
	}
	return c, nil
}

// Observer implements [observe.Check]. What is withheld does not leave, and is not looked at.
func (c *RowCheck) Observer(split *observe.Split) observe.Observer {
	policy := c.policies[split.Repo]
	if policy == nil || split.Repo.Status == release.Withheld {
		return nil
	}
	return &rowObserver{
		reader: reader{policy: policy},
		found:  finding.Set{MaxPlaces: c.maxPlaces},
	}
}

// Finish implements [observe.Check].
func (c *RowCheck) Finish(_ context.Context, seen []observe.Seen, say *observe.Findings) error {
	for _, s := range seen {
		say.Merge(s.Split, &s.Observer.(*rowObserver).found)
	}
	return nil
}

type rowObserver struct {
	// reader has its scanner from the first row on: what that takes may still be made beside other things when observers are.
	reader reader
	found  finding.Set
	// suspects are the strings and keys of a row to be read, by their nodes; text is one of them, decoded.
	suspects []int
	text     []byte
}

// Merge implements rows.Observer.
func (o *rowObserver) Merge(next rows.Observer) { o.found.Merge(&next.(*rowObserver).found) }

// keptText is how many bytes of a decoded text are kept for the next one, from block to block.
const keptText = 1 << 20

// Reset implements [observe.Reusable].
func (o *rowObserver) Reset() {
	o.found = finding.Set{MaxPlaces: o.found.MaxPlaces}
	if o.reader.scanner != nil {
		o.reader.scanner.Reset()
	}
	if cap(o.text) > keptText {
		o.text = nil
	}
}

// MarshalBinary implements [observe.Observer].
func (o *rowObserver) MarshalBinary() ([]byte, error) { return o.found.MarshalBinary() }

// UnmarshalBinary implements [observe.Observer].
func (o *rowObserver) UnmarshalBinary(data []byte) error { return o.found.UnmarshalBinary(data) }

// Observe implements rows.Observer. One walk over the row as it is written finds the strings that may hold something; only those
// are decoded and read.
func (o *rowObserver) Observe(row *rows.Row) {
	o.suspect(row)
	for _, node := range o.suspects {
		o.read(row, row.Doc.Root(), node)
	}
}

// ObserveRun implements [rows.RunObserver]. The walk is one over all rows.
func (o *rowObserver) ObserveRun(run *rows.Run) {
	o.suspect(run.At(0))
	for _, node := range o.suspects {
		i := node / run.Stride
		o.read(run.At(i), run.Doc.Value(i*run.Stride), node)
	}
}

// read reads a string or key of a row, whose value is root.
func (o *rowObserver) read(row *rows.Row, root tape.Value, node int) {
	v := row.Doc.Value(node)
	text := v.Raw()
	if v.Escaped() {
		o.text = v.AppendText(o.text[:0])
		text = o.text
	}
	pointer, isKey := pointerTo(root, node)
	for _, t := range o.reader.read(text, row.Path) {
		o.found.Add(t.At(row.Path, row.LineOf(v)).In(pointer))
	}
	if isKey {
		o.member(row, root, v)
	}
}

// member reads a key and its value together: some rules know a secret by its name alone. What the value shows by itself is found
// when it is read.
func (o *rowObserver) member(row *rows.Row, root, key tape.Value) {
	value := key.After()
	if value.Kind() != tape.String {
		return
	}
	o.text = value.AppendText(o.text[:0])
	alone := slices.Clone(o.reader.scanner.Scan(o.text, row.Path, nil))
	o.text = key.AppendText(o.text[:0])
	name := len(o.text)
	o.text = append(o.text, `: "`...)
	before := len(o.text)
	o.text = append(value.AppendText(o.text), '"')
	for _, h := range o.reader.scanner.Scan(o.text, row.Path, nil) {
		known := func(a secrets.Hit) bool { return a.Start+before < h.End && h.Start < a.End+before }
		if h.Start <= name || h.Rule == secrets.Generic || slices.ContainsFunc(alone, known) {
			continue
		}
		if f, ok := o.reader.secret(o.text[h.Start:h.End], h); ok {
			pointer, _ := pointerTo(root, value.Node())
			o.found.Add(f.At(row.Path, row.LineOf(value)).In(pointer))
		}
	}
}

// suspect lists the strings of a tape, which begins with a row, around which a keyword or marker stands, and those in which escapes may
// hide them; all of them where texts are forbidden.
func (o *rowObserver) suspect(row *rows.Row) {
	if o.reader.scanner == nil {
		o.reader.scanner = set().NewScanner()
	}
	o.suspects = o.suspects[:0]
	nodes := row.Doc.Nodes
	if o.reader.policy.forbidden != nil {
		for i := range nodes {
			if nodes[i].Kind() == tape.String {
				o.suspects = append(o.suspects, i)
			}
		}
		return
	}
	found := func(start int) {
		if n := len(o.suspects); n > 0 && bounds(&nodes[o.suspects[n-1]], start) {
			return
		}
		// The node with the last beginning before the word; strings lie beside each other.
		at := sort.Search(len(nodes), func(i int) bool { from, _ := nodes[i].Span(); return from > start }) - 1
		if at >= 0 && nodes[at].Kind() == tape.String && bounds(&nodes[at], start) {
			o.suspects = append(o.suspects, at)
		}
	}
	if row.Ahead == nil {
		o.reader.scanner.Candidates(row.Doc.Text, found)
	} else {
		o.reader.scanner.CandidatesAhead(row.Ahead, len(row.Doc.Text), row.Offset, found)
	}
	slices.Sort(o.suspects)
	o.suspects = slices.Compact(o.suspects)
}

// bounds says whether an offset lies in a node.
func bounds(n *tape.Node, at int) bool {
	from, to := n.Span()
	return from <= at && at < to
}

// pointerTo is the JSON Pointer from a value to a node in it; for a key, to the object that it is in.
func pointerTo(root tape.Value, node int) (pointer string, isKey bool) {
	var out []byte
	at := root
	for at.Node() != node {
		next, token, ok := child(at, node)
		if !ok {
			return string(out), true
		}
		out = tape.AppendToken(out, token)
		at = next
	}
	return string(out), false
}

// child is the element or member of a value that holds a node, with its token; ok is false when there is none.
func child(of tape.Value, node int) (next tape.Value, token string, ok bool) {
	holds := func(v tape.Value) bool {
		if v.Kind() < tape.Array {
			return v.Node() == node
		}
		return v.Node() <= node && node < v.After().Node()
	}
	if of.Kind() == tape.Array {
		for i, element := range of.Elements() {
			if holds(element) {
				return element, strconv.Itoa(i), true
			}
		}
	}
	for key, value := range of.Members() {
		if holds(value) {
			return value, key.Text(), true
		}
	}
	return of, "", false
}
