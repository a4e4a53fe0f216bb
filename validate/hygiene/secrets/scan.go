package secrets

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

// Hit is a secret in a text.
type Hit struct {
	// Rule is the id of the rule that found it, Description its words, which end in a point.
	Rule, Description string
	// Start and End bound the secret itself in the text.
	Start, End int
}

// Scanner looks for secrets. It serves one goroutine.
type Scanner struct {
	set     *Set
	hits    []Hit
	sifting sifting
	ahead   ahead
}

// NewScanner returns a scanner for one goroutine.
func (s *Set) NewScanner() *Scanner { return &Scanner{set: s} }

// Mark is a marker that stands in a text, by its number, with the bounds of its word.
type Mark struct{ Marker, Start, End int }

// match is what the expression of a rule matched.
type match struct {
	rule          *rule
	text          []byte
	start, end    int
	whole, secret string
	path          string
}

// line is the line, or lines, that the match stands on.
func (m *match) line() string {
	start, end := m.start, m.end
	for start > 0 && m.text[start-1] != '\n' && m.start-start < commonWindow {
		start--
	}
	for end < len(m.text) && m.text[end] != '\n' && end-m.end < commonWindow {
		end++
	}
	return string(m.text[start:end])
}

// Candidates calls fn for places in JSON, as it is written, around which there may be a secret or a marker, or where an escape may
// hide one; not in the order of the text, and one perhaps twice. What is there has to be looked at with [Scanner.Scan], decoded:
// nothing is found where no candidate is.
func (s *Scanner) Candidates(text []byte, fn func(start int)) {
	s.ahead = ahead{}
	s.set.sieve.sift(text, &s.sifting, fn)
}

// Reset forgets what was seen ahead of the text of the last call.
func (s *Scanner) Reset() { s.ahead = ahead{places: s.ahead.places[:0]} }

// ahead is what was seen of a long text, by offsets in it.
type ahead struct {
	// from and to bound what has been sifted; places are those of candidates there, in order.
	from, to int64
	places   []int64
}

// CandidatesAhead is [Scanner.Candidates] for a text that is the first length bytes of a longer one, which begins at an offset of a file. More
// of the longer text is sifted for the next calls, which go on to greater offsets: to begin with a short text takes longer than to
// sift it. Up to where it ends each call has all of it.
func (s *Scanner) CandidatesAhead(text []byte, length int, offset int64, fn func(start int)) {
	a := &s.ahead
	if offset < a.from || offset >= a.to {
		*a = ahead{from: offset, to: offset, places: a.places[:0]}
		s.sifting.before = behind{}
	}
	end := offset + int64(length)
	for a.to < end {
		to := s.set.sieve.siftFrom(text, int(a.to-offset), &s.sifting, func(start int) { a.places = append(a.places, offset+int64(start)) })
		a.to = offset + int64(min(to, len(text)))
		slices.Sort(a.places)
	}
	for len(a.places) > 0 && a.places[0] < end {
		if a.places[0] >= offset {
			fn(int(a.places[0] - offset))
		}
		a.places = a.places[1:]
	}
}

// worth says whether a keyword or marker may be more than a word.
func (s *Set) worth(word int, text []byte, start, end int) bool {
	for _, r := range s.byWord[word] {
		if r.path == nil && r.near.fits(text, start, end) {
			return true
		}
	}
	for _, m := range s.markersBy[word] {
		if near := s.markers[m].Near; near == nil || near(text, start, end) {
			return true
		}
	}
	return false
}

// Scan returns the secrets in a text, in its order; what overlaps is given once. path is the name of the file, which some rules
// ask for. marked is called for every marker; nil for nobody. The result is valid until the next call.
func (s *Scanner) Scan(text []byte, path string, marked func(Mark)) []Hit {
	s.hits = s.hits[:0]
	s.set.words.find(text, func(start, word int) {
		end := start + len(s.set.wordOf[word])
		for _, r := range s.set.byWord[word] {
			if (r.path == nil || r.path.MatchString(path)) && r.near.fits(text, start, end) {
				s.try(r, text, start, end, path)
			}
		}
		for _, m := range s.set.markersBy[word] {
			if near := s.set.markers[m].Near; marked != nil && (near == nil || near(text, start, end)) {
				marked(Mark{m, start, end})
			}
		}
	})
	return s.distinct()
}

// distinct sorts the hits and drops those that lie in or on another one. A rule that knows what it found goes before the generic
// one, and one that stands earlier in the list before a later one.
func (s *Scanner) distinct() []Hit {
	if len(s.hits) < 2 {
		return s.hits
	}
	slices.SortStableFunc(s.hits, func(a, b Hit) int {
		return cmp.Or(rank(a)-rank(b), a.Start-b.Start, b.End-a.End, cmp.Compare(a.Rule, b.Rule))
	})
	var kept []Hit
	for _, h := range s.hits {
		if !slices.ContainsFunc(kept, func(k Hit) bool { return h.Start < k.End && k.Start < h.End }) {
			kept = append(kept, h)
		}
	}
	slices.SortStableFunc(kept, func(a, b Hit) int { return a.Start - b.Start })
	return kept
}

func rank(h Hit) int {
	switch h.Rule {
	case Generic:
		return 2
	case "url-password", "curl-auth-user", "curl-auth-header":
		return 1
	}
	return 0
}

// try runs a rule around a keyword.
func (s *Scanner) try(r *rule, text []byte, start, end int, path string) {
	if r.near.assigned {
		s.tryAssigned(r, text, start, path)
		return
	}
	from, to := windowAround(text, start, end, r.window)
	for from < to {
		at := r.expression.FindSubmatchIndex(text[from:to])
		if at == nil {
			return
		}
		s.take(r, text, at, from, path)
		from += max(at[1], at[0]+1)
	}
}

// tryAssigned runs a rule for a name with a value right where its keyword stands. What the expression would allow before the
// keyword belongs to the match.
func (s *Scanner) tryAssigned(r *rule, text []byte, start int, path string) {
	_, to := windowAround(text, start, start, r.window)
	at := r.expression.FindSubmatchIndex(text[start:to])
	if at == nil {
		return
	}
	before := 0
	for before < maxPrefix && start-before > 0 && isName(text[start-before-1]) {
		before++
	}
	at[0] -= before
	s.take(r, text, at, start, path)
}

// maxPrefix is how many characters of a name the expressions take before a keyword.
const maxPrefix = 50

// windowAround is the part of a text that is looked at for a keyword. It ends where a word does, so that no half of one is
// taken for a whole.
func windowAround(text []byte, start, end, window int) (from, to int) {
	from, to = max(0, start-window), min(len(text), end+window)
	for from > 0 && start-from < 2*window && !isSpace(text[from-1]) {
		from--
	}
	for to < len(text) && to-end < 2*window && !isSpace(text[to]) {
		to++
	}
	return from, to
}

// take keeps a match unless it has too little entropy or is on an allow-list.
func (s *Scanner) take(r *rule, text []byte, at []int, from int, path string) {
	group := r.group
	for g := 1; group == 0 && g < len(at)/2; g++ {
		if at[2*g] >= 0 && at[2*g+1] > at[2*g] {
			group = g
		}
	}
	if 2*group+1 >= len(at) || at[2*group] < 0 {
		group = 0
	}
	start, end := from+at[2*group], from+at[2*group+1]
	if slices.ContainsFunc(s.hits, func(h Hit) bool { return h.Rule == r.id && h.Start == start && h.End == end }) {
		return
	}
	m := &match{rule: r, text: text, start: from + at[0], end: from + at[1], secret: string(text[start:end]), path: path}
	m.whole = string(text[m.start:m.end])
	if r.entropy > 0 && entropy(m.secret) <= r.entropy || isPlaceholder(m.secret) || r.id == Generic && isHash(m.secret) {
		return
	}
	if global.takesOut(m) || slices.ContainsFunc(r.allow, func(l allowList) bool { return l.takesOut(m) }) {
		return
	}
	s.hits = append(s.hits, Hit{r.id, r.description, start, end})
}

// entropy is that of Shannon over the characters of a text, in bits for each.
func entropy(s string) float64 {
	counts := map[rune]int{}
	for _, r := range s {
		counts[r]++
	}
	keys := make([]rune, 0, len(counts))
	for r := range counts {
		keys = append(keys, r)
	}
	slices.Sort(keys) // the sum of floats depends on the order
	n, sum := float64(utf8.RuneCountInString(s)), 0.0
	for _, r := range keys {
		p := float64(counts[r]) / n
		sum -= p * math.Log2(p)
	}
	return sum
}

// placeholders are parts of texts that stand where a secret would.
var placeholders = []string{"your", "placeholder", "dummy", "redacted", "changeme", "xxxx", "****", "....", "____", "insert", "replace", "00000000", "12345678"}

func isPlaceholder(s string) bool {
	low := strings.ToLower(s)
	return slices.ContainsFunc(placeholders, func(p string) bool { return strings.Contains(low, p) })
}

// hash is what digests and UUIDs look like: hexadecimal digits of the usual lengths.
var hash = lazyregexp.New(`^(?i:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{48}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`)

func isHash(s string) bool {
	if _, digest, ok := strings.Cut(s, ":"); ok { // sha256:…
		s = digest
	}
	return hash.MatchString(s)
}

// shown is how many characters of a secret are shown at most.
const shown = 4

// Shown is a secret as it may be shown: its first characters and its length.
func Shown(secret []byte) (start string, length int) {
	runes := []rune(strings.ToValidUTF8(string(secret[:min(len(secret), 64)]), "\ufffd"))
	return string(runes[:min(shown, len(runes))]) + "…", utf8.RuneCount(secret)
}

// Redact returns a text with the first characters of every secret and an ellipsis in place of it. as is how the text is read,
// byte for byte: the text itself, or a copy in which escapes are blank. What only the generic rule finds stays, since it is
// mostly none. The text itself is returned when there is nothing to take out.
func (s *Scanner) Redact(text, as []byte) []byte {
	var out []byte
	at := 0
	for _, h := range s.Scan(as, "", nil) {
		if h.Rule == Generic {
			continue
		}
		start, _ := Shown(text[h.Start:h.End])
		out = append(append(out, text[at:h.Start]...), start...)
		at = h.End
	}
	if at == 0 {
		return text
	}
	return append(out, text[at:]...)
}
