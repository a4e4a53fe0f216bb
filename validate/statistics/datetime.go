package statistics

import (
	"fmt"
	"math"
	"strings"
	"time"
	_ "time/tzdata" // the names of zones mean the same on every machine

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

// stamp is what the dtype of a timestamp says.
type stamp struct {
	// unit is the length of one step in microseconds; a thousandth for nanoseconds.
	unit float64
	// zone is where instants are shown; nil without a zone.
	zone *time.Location
}

var timestampDtype = lazyregexp.New(`^timestamp\[(s|ms|us|ns)(?:, tz=([^\[\],]+))?\]$`)

// timestampOf reads the dtype of a timestamp. A zone that is not known is taken for UTC.
func timestampOf(dtype string) (stamp, bool) {
	m := timestampDtype.FindStringSubmatch(dtype)
	if m == nil {
		return stamp{}, false
	}
	s := stamp{unit: map[string]float64{"s": second, "ms": 1000, "us": 1, "ns": 0.001}[m[1]]}
	if m[2] != "" {
		s.zone = zoneOf(m[2])
	}
	return s, true
}

func zoneOf(name string) *time.Location {
	if at, err := time.Parse("-07:00", name); err == nil {
		_, offset := at.Zone()
		return time.FixedZone("", offset)
	}
	if zone, err := time.LoadLocation(name); err == nil {
		return zone
	}
	return time.UTC
}

// dateStatistics makes the viewer's statistics of instants. fine says that some are no whole seconds.
func dateStatistics(t *tally, limit int, fine bool, zone *time.Location, nulls Nulls) (*Dates, *spread, error) {
	if t == nil || t.count == 0 {
		return &Dates{Nulls: nulls}, &spread{exact: true}, nil
	}
	start := instantOfKey(t.least)
	s := t.seconds(limit, fine, start)
	n, err := s.numbers(nulls)
	if err != nil && err != errTwoEdges {
		return nil, s, err
	}
	show := func(seconds float64) *string {
		text := showInstant(start+int64(math.RoundToEven(seconds*second)), zone)
		return &text
	}
	std := showDuration(float64(*n.Std))
	out := &Dates{Nulls: nulls, Min: show(0), Max: show(float64(n.Max.(int64))), Mean: show(float64(*n.Mean)),
		Median: show(float64(*n.Median)), Std: &std, Histogram: &Histogram{Counts: n.Histogram.Counts}}
	for _, e := range n.Histogram.Edges {
		out.Histogram.Edges = append(out.Histogram.Edges, *show(float64(e.(int64))))
	}
	return out, s, err
}

// seconds is how the whole seconds from an instant on are distributed.
func (t *tally) seconds(limit int, fine bool, start int64) *spread {
	run := t.settle(limit)
	s := &spread{whole: true, count: t.count, exact: t.level == 0}
	since := func(key uint64) float64 {
		return float64((max(instantOfKey(key), start) - start) / second)
	}
	s.least, s.greatest = since(t.least), since(t.greatest)
	sums := &moments{}
	for _, p := range run {
		at := point{since(p.key), min(since(p.key|(1<<t.level-1)), s.greatest), p.count}
		s.points = append(s.points, at)
		sums.add(at.lo, at.count)
	}
	switch {
	case s.exact:
		s.mean, s.std, s.distinct = sums.mean(t.count), sums.std(t.count), int64(len(run))
	default:
		// A fraction that is cut off makes the mean about half a second less.
		s.mean, s.std = (t.seen.mean(t.count)-float64(start))/second, t.seen.std(t.count)/second
		if fine {
			s.mean = max(s.mean-0.5, 0)
		}
		s.distinct = t.distinct.estimate()
	}
	return s
}

// showInstant writes an instant to the second; the offset of its zone follows unless there is none, or it is UTC.
func showInstant(micros int64, zone *time.Location) string {
	at := time.UnixMicro(micros).UTC()
	if zone == nil {
		return at.Format(time.DateTime)
	}
	at = at.In(zone)
	if zone == time.UTC || zone.String() == "UTC" {
		return at.Format(time.DateTime)
	}
	return at.Format(time.DateTime + "-0700")
}

// showDuration writes so many seconds as Python writes a timedelta.
func showDuration(seconds float64) string {
	micros := int64(math.RoundToEven(seconds * second))
	days, rest := micros/day, micros%day
	var b strings.Builder
	switch days {
	case 0:
	case 1:
		b.WriteString("1 day, ")
	default:
		fmt.Fprintf(&b, "%d days, ", days)
	}
	whole := rest / second
	fmt.Fprintf(&b, "%d:%02d:%02d", whole/3600, whole/60%60, whole%60)
	if fraction := rest % second; fraction != 0 {
		fmt.Fprintf(&b, ".%06d", fraction)
	}
	return b.String()
}
