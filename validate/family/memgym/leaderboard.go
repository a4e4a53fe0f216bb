package memgym

import (
	"math"
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// line is an entry of the leaderboard as far as it is judged.
type line struct {
	track           string
	n               int
	score, baseline float64
	hasBaseline     bool
	isBaseline      bool
}

// leaderboardRow judges the file behind the site's tables.
func (j *judge) leaderboardRow(root tape.Value) []string {
	entries := get(root, "entries")
	var lines []line
	for _, e := range elements(entries) {
		n, _ := integer(get(e, "n"))
		score, _ := decimal(get(e, "score"))
		baseline, has := decimal(get(e, "baseline"))
		lines = append(lines, line{string(text(get(e, "track"))), n, score, baseline, has, is(get(e, "is_baseline"), tape.True)})
	}
	gains := map[string]float64{}
	for i, e := range elements(entries) {
		pointer := at("/entries", i, "")
		j.published(e, pointer)
		delta, hasDelta := decimal(get(e, "delta"))
		l := &lines[i]
		switch {
		case l.isBaseline:
			if l.hasBaseline || hasDelta {
				j.say(finding.MemgymBaseline, e, pointer+"/baseline", "a baseline has neither baseline nor delta", "the entry is a baseline and is compared with one")
			}
		case is(get(e, "baseline"), tape.Null) || is(get(e, "delta"), tape.Null):
			j.say(finding.MemgymBaseline, e, pointer+"/baseline", "an entry that is no baseline has baseline and delta", "the entry is no baseline and is compared with none")
		case l.hasBaseline && hasDelta && !near(l.score-l.baseline, delta):
			j.say(finding.MemgymLeaderboardDelta, get(e, "delta"), pointer+"/delta", "delta is score less baseline", "delta is %v, and score less baseline is %s", delta,
				strconv.FormatFloat(l.score-l.baseline, 'g', 6, 64))
		case l.hasBaseline && hasDelta:
			if j.baseline(e, pointer, l, lines) {
				gains[l.track] = max(gains[l.track], delta)
			}
		}
	}
	j.headlines(root, gains)
	return nil
}

// baseline judges that the baseline of an entry is that of its track and number of tasks.
func (j *judge) baseline(e tape.Value, pointer string, l *line, lines []line) bool {
	for _, other := range lines {
		if other.isBaseline && other.track == l.track && other.n == l.n {
			if near(other.score, l.baseline) {
				return true
			}
			j.say(finding.MemgymBaseline, get(e, "baseline"), pointer+"/baseline", "take over the score of the baseline's entry",
				"baseline is %v, and the score of the baseline of %s is %v", l.baseline, l.track, other.score)
			return false
		}
	}
	j.say(finding.MemgymBaseline, e, pointer+"/n", "compare with a baseline on the same tasks", "no baseline of %s has n %d", l.track, l.n)
	return false
}

var gain = lazyregexp.New(`^[+-][0-9]+(\.[0-9]+)?`)

// headlines judges that a headline that is a gain is the best one of its track.
func (j *judge) headlines(root tape.Value, gains map[string]float64) {
	tracks := get(get(root, "meta"), "tracks")
	if !is(tracks, tape.Object) {
		return
	}
	for key, track := range tracks.Members() {
		headline := get(track, "headline")
		number := gain.FindString(string(text(headline)))
		best, known := gains[key.Text()]
		if number == "" || !known {
			continue
		}
		x, err := strconv.ParseFloat(number, 64)
		_, fraction, _ := strings.Cut(number, ".")
		if err == nil && math.Abs(x-best) > 0.5*math.Pow10(-len(fraction))+1e-9 {
			j.say(finding.MemgymHeadline, headline, "/meta/tracks/"+tape.EscapeToken(key.Text())+"/headline", "show the best delta of the track",
				"the headline is %s, and the best delta is %v", text(headline), best)
		}
	}
}

// published are the numbers of instances that MemGym published: an entry that is about all of a set has its size as n.
func published() []struct {
	track, notes string
	n            int
} {
	return []struct {
		track, notes string
		n            int
	}{{"codeqa", "", 4289}, {"dr", "5/6-hop", 117}}
}

// published judges the number of tasks of an entry.
func (j *judge) published(e tape.Value, pointer string) {
	for _, known := range published() {
		n, ok := integer(get(e, "n"))
		if ok && isText(get(e, "track"), known.track) && strings.Contains(string(text(get(e, "notes"))), known.notes) && n != known.n {
			j.say(finding.MemgymPublished, get(e, "n"), pointer+"/n", "tell which instances were used, or correct n",
				"n is %d, and %d instances of %s %swere published", n, known.n, known.track, strings.TrimLeft(known.notes+" ", " "))
		}
	}
}
