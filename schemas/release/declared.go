package release

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/nearest"
	"github.com/hfpub/hfpub/schemas/strictyaml"
)

// checkPointer says what is wrong with a JSON Pointer (RFC 6901), "" when nothing is.
func checkPointer(p string) string {
	if p != "" && !strings.HasPrefix(p, "/") {
		return "it starts with /"
	}
	for i := strings.IndexByte(p, '~'); i >= 0 && i < len(p); i++ {
		if p[i] == '~' && (i+1 == len(p) || p[i+1] != '0' && p[i+1] != '1') {
			return "~ in a name is written ~0, and / is written ~1"
		}
	}
	return ""
}

// pointer reads a JSON Pointer into a row. The empty pointer is the row itself.
func (m *manifest) pointer(v value) Path {
	p, ok := strictyaml.String(v.node)
	if !ok {
		v.wrong("a JSON Pointer such as /id", "put quotes around it, with a slash before each name")
		return ""
	}
	if fault := checkPointer(p); fault != "" {
		m.fault(v, "write /field, /outer/inner, or /list/*/field for every element", "%s %q is no JSON Pointer: %s",
			v.name, p, fault)
	}
	return Path(p)
}

func (m *manifest) pointers(v value) []Path {
	var all []Path
	for _, e := range v.oneOrMore("JSON Pointers") {
		all = append(all, m.pointer(e))
	}
	return all
}

// pendingRef is a name of a split and the repo whose rule or claim uses it, -1 for those of the release.
type pendingRef struct {
	at   value
	repo int
	ref  *SplitRef
	// before are those that stand before it in its list.
	before []SplitRef
}

// splitRefs reads names of splits; there must be at least so many.
func (m *manifest) splitRefs(v value, repo, least int) []SplitRef {
	list := v.oneOrMore("splits")
	if len(list) > 0 && len(list) < least {
		m.fault(v, "name the splits in brackets: [train, test]", "%s needs at least %d splits", v.name, least)
	}
	all := make([]SplitRef, len(list))
	for i, e := range list {
		text, ok := e.text()
		if !ok {
			continue
		}
		ref, fault := parseRef(text)
		if fault != "" {
			m.fault(e, "write split, config/split or repo#config/split", "%q names no split: %s", text, fault)
			continue
		}
		ref.Pos = e.pos()
		all[i] = ref
		m.refs = append(m.refs, pendingRef{e, repo, &all[i], all[:i]})
	}
	return all
}

// parseRef reads split, config/split or repo#config/split.
func parseRef(text string) (ref SplitRef, fault string) {
	ref.Split = text
	if repo, rest, ok := strings.Cut(text, "#"); ok {
		ref.Repo, ref.Split = repo, rest
		if fault := CheckRepoID(repo); fault != "" {
			return ref, fmt.Sprintf("%q is no repo id: %s", repo, fault)
		}
	}
	if config, split, ok := strings.Cut(ref.Split, "/"); ok {
		ref.Config, ref.Split = config, split
		if fault := checkConfigName(config); fault != "" {
			return ref, fmt.Sprintf("%q is no config name: %s", config, fault)
		}
	}
	if fault := checkSplitName(ref.Split); fault != "" {
		return ref, fmt.Sprintf("%q is no split name: %s", ref.Split, fault)
	}
	return ref, ""
}

// resolve looks up every name of a split and fills in its repo and config. Names that lead into a repo whose configs have
// faults are left alone.
func (m *manifest) resolve(rel *Release) {
	ids := make([]string, len(rel.Repos))
	for i, r := range rel.Repos {
		ids[i] = r.ID
	}
	for _, p := range m.refs {
		i := p.repo
		if p.ref.Repo != "" {
			i = slices.Index(ids, p.ref.Repo)
		}
		switch {
		case i < 0 && p.ref.Repo != "":
			m.fault(p.at, suggest(p.ref.Repo, ids), "no repo %q in this release", p.ref.Repo)
		case i < 0:
			m.fault(p.at, "write repo#config/split",
				"a rule or claim of the whole release must say of which repo split %q is", p.ref.Split)
		case !m.loose[i]:
			m.resolveIn(p, &rel.Repos[i])
		}
	}
}

func (m *manifest) resolveIn(p pendingRef, repo *Repo) {
	var known, holders []string
	for _, c := range repo.Configs {
		for _, s := range c.Splits {
			known = append(known, s.Name, c.Name+"/"+s.Name)
			if s.Name == p.ref.Split && (p.ref.Config == "" || p.ref.Config == c.Name) {
				holders = append(holders, c.Name)
			}
		}
	}
	name := p.ref.Split
	if p.ref.Config != "" {
		name = p.ref.Config + "/" + name
	}
	switch len(holders) {
	case 0:
		m.fault(p.at, suggest(name, known), "repo %s has no split %q", repo.ID, name)
	case 1:
		p.ref.Repo, p.ref.Config = repo.ID, holders[0]
		if slices.ContainsFunc(p.before, p.ref.same) {
			m.fault(p.at, "name each split once", "split %q stands in this list already", name)
		}
	default:
		m.fault(p.at, fmt.Sprintf("write %s/%s, for example", holders[0], name), "split %q is in several configs: %s",
			name, strings.Join(holders, ", "))
	}
}

// suggest offers the nearest of the known names, else some of them.
func suggest(got string, known []string) string {
	if near, ok := nearest.Word(got, known); ok {
		return fmt.Sprintf("did you mean %s?", near)
	}
	if len(known) == 0 {
		return "declare it first"
	}
	return "known here: " + strings.Join(known[:min(len(known), 8)], ", ")
}

func (m *manifest) normalize(o object) []string {
	v, ok := o.get("normalize")
	if !ok {
		return nil
	}
	var all []string
	for _, e := range v.any("normalizations") {
		if word, ok := e.oneOf("nfkc", "casefold", "spaces", "punctuation"); ok {
			all = append(all, word)
		}
	}
	return all
}

const (
	inHint  = "add `in: [train]` with the splits it is about"
	keyHint = "add `key: [/id]` with JSON Pointers into a row"
	byHint  = "add `by: /field`, a JSON Pointer into a row"
)

// in reads the splits under the key in.
func (m *manifest) in(o object, repo int) []SplitRef {
	v, ok := o.need("in", inHint)
	if !ok {
		return nil
	}
	return m.splitRefs(v, repo, 1)
}

func (m *manifest) key(o object) []Path {
	v, ok := o.need("key", keyHint)
	if !ok {
		return nil
	}
	return m.pointers(v)
}

// field reads one JSON Pointer under a key that is needed.
func (m *manifest) field(o object, key, hint string) Path {
	v, ok := o.need(key, hint)
	if !ok {
		return ""
	}
	return m.pointer(v)
}

var ruleKinds = []string{"unique", "disjoint", "reference", "subset", "determines", "counts", "sorted", "when", "near_duplicates"}

// rules reads a list of rules. One with faults is left out: what it says is not known.
func (m *manifest) rules(v value, repo int) []Rule {
	var all []Rule
	for i, item := range v.list("rules") {
		item.name = fmt.Sprintf("rule %d", i+1)
		before := len(m.findings)
		if rule, ok := m.rule(item, repo); ok && len(m.findings) == before {
			all = append(all, rule)
		}
	}
	return all
}

func (m *manifest) rule(v value, repo int) (Rule, bool) {
	_, hasWhen := strictyaml.Lookup(v.node, "when")
	_, hasMust := strictyaml.Lookup(v.node, "must")
	if hasWhen != nil || hasMust != nil {
		return m.when(v, repo)
	}
	o, ok := v.object(ruleKinds...)
	if !ok {
		return Rule{}, false
	}
	rule := Rule{Pos: v.pos()}
	for _, kind := range ruleKinds {
		args, ok := o.get(kind)
		if !ok {
			continue
		}
		if rule.Kind != "" {
			m.fault(args, "write each rule as an item of its own", "rule %s stands beside rule %s", kind, rule.Kind)
			continue
		}
		rule.Kind = kind
		m.arguments(&rule, args, repo)
	}
	if rule.Kind == "" && len(o.meant) == 0 {
		m.fault(v, "write one of "+strings.Join(ruleKinds, ", "), "%s says no rule", v.name)
	}
	return rule, rule.Kind != ""
}

// arguments decodes what stands under the rule's key.
func (m *manifest) arguments(rule *Rule, v value, repo int) {
	switch rule.Kind {
	case "unique":
		rule.Unique = m.unique(v, repo)
	case "disjoint":
		rule.Disjoint = m.disjoint(v, repo)
	case "reference":
		rule.Reference = m.reference(v, repo)
	case "subset":
		rule.Subset = m.subset(v, repo)
	case "determines":
		rule.Determines = m.determines(v, repo)
	case "counts":
		rule.Counts = m.counts(v, repo)
	case "sorted":
		rule.Sorted = m.sorted(v, repo)
	case "near_duplicates":
		rule.NearDuplicates = m.nearDuplicates(v, repo)
	}
}

func (m *manifest) unique(v value, repo int) *Unique {
	r := &Unique{}
	if o, ok := v.object("in", "key", "normalize"); ok {
		r.In, r.Key, r.Normalize = m.in(o, repo), m.key(o), m.normalize(o)
	}
	return r
}

func (m *manifest) disjoint(v value, repo int) *Disjoint {
	r := &Disjoint{}
	o, ok := v.object("between", "key", "normalize")
	if !ok {
		return r
	}
	if between, ok := o.need("between", "add `between: [train, test]`"); ok {
		r.Between = m.splitRefs(between, repo, 2)
	}
	r.Key, r.Normalize = m.key(o), m.normalize(o)
	return r
}

func (m *manifest) reference(v value, repo int) *Reference {
	r := &Reference{}
	o, ok := v.object("from", "to", "exactly", "at_least", "at_most")
	if !ok {
		return r
	}
	if from, ok := o.need("from", "add `from: {in: split, key: /field}`"); ok {
		r.From = m.end(from, repo)
	}
	if to, ok := o.need("to", "add `to: {in: split, key: /field}`"); ok {
		r.To = m.end(to, repo)
	}
	r.Exactly, r.AtLeast, r.AtMost = m.times(o, "exactly"), m.times(o, "at_least"), m.times(o, "at_most")
	if r.Exactly != nil && (r.AtLeast != nil || r.AtMost != nil) {
		m.fault(v, "keep exactly, or at_least and at_most", "exactly stands beside at_least or at_most")
	}
	if r.AtLeast != nil && r.AtMost != nil && *r.AtLeast > *r.AtMost {
		m.fault(v, "change the two numbers over", "at_least %d is more than at_most %d", *r.AtLeast, *r.AtMost)
	}
	return r
}

func (m *manifest) end(v value, repo int) End {
	o, ok := v.object("in", "key")
	if !ok {
		return End{}
	}
	return End{In: m.in(o, repo), Key: m.key(o)}
}

// times reads a number of occurrences.
func (m *manifest) times(o object, key string) *int64 {
	v, ok := o.get(key)
	if !ok {
		return nil
	}
	n, ok := v.number(0)
	if !ok {
		return nil
	}
	return &n
}

func (m *manifest) subset(v value, repo int) *Subset {
	r := &Subset{}
	o, ok := v.object("in", "of", "key", "normalize")
	if !ok {
		return r
	}
	r.In = m.in(o, repo)
	if of, ok := o.need("of", "add `of: [split]`, the splits that hold every key"); ok {
		r.Of = m.splitRefs(of, repo, 1)
	}
	r.Key, r.Normalize = m.key(o), m.normalize(o)
	return r
}

func (m *manifest) determines(v value, repo int) *Determines {
	r := &Determines{}
	o, ok := v.object("in", "key", "value")
	if !ok {
		return r
	}
	r.In, r.Key = m.in(o, repo), m.key(o)
	if val, ok := o.need("value", "add `value: [/field]`, what the key decides"); ok {
		r.Value = m.pointers(val)
	}
	return r
}

func (m *manifest) counts(v value, repo int) *Counts {
	r := &Counts{}
	o, ok := v.object("in", "by", "equal")
	if !ok {
		return r
	}
	r.In, r.By = m.in(o, repo), m.field(o, "by", byHint)
	equal, ok := o.need("equal", "add `equal: {value: number of rows}`")
	if !ok {
		return r
	}
	if equal.node.Kind != yaml.MappingNode || len(equal.node.Content) == 0 {
		equal.wrong("a mapping of values to numbers of rows", "write it as {0: 16357, 1: 2280}")
		return r
	}
	for k, n := range strictyaml.Pairs(equal.node) {
		at := equal.at + "/" + strictyaml.Escape(k.Value)
		val, ok := m.scalar(value{m.decoder, k, "value", at})
		rows, isNumber := value{m.decoder, n, fmt.Sprintf("rows of %s", k.Value), at}.number(0)
		if ok && isNumber {
			r.Equal = append(r.Equal, ValueCount{val, rows})
		}
	}
	return r
}

func (m *manifest) sorted(v value, repo int) *Sorted {
	r := &Sorted{}
	o, ok := v.object("in", "by", "order")
	if !ok {
		return r
	}
	r.In, r.By = m.in(o, repo), m.field(o, "by", byHint)
	order, ok := o.get("order")
	if !ok {
		return r
	}
	if order.node.Kind == yaml.ScalarNode {
		word, _ := order.oneOf("ascending", "descending")
		r.Descending = word == "descending"
		return r
	}
	for _, e := range order.filled("values") {
		if s, ok := m.scalar(e); ok {
			r.Order = append(r.Order, s)
		}
	}
	return r
}

// The bounds of near_duplicates: longer shingles and signatures make nothing better, and cost.
const (
	maxShingle      = 64
	maxPermutations = 1024
)

func (m *manifest) nearDuplicates(v value, repo int) *NearDuplicates {
	r := &NearDuplicates{Threshold: 0.7, Shingle: 3, Permutations: 64}
	o, ok := v.object("in", "between", "key", "threshold", "shingle", "permutations", "bands", "seed")
	if !ok {
		return r
	}
	in, hasIn := o.get("in")
	between, hasBetween := o.get("between")
	switch {
	case hasIn && hasBetween:
		m.fault(between, "keep between for rows of different splits, or in for all rows", "in stands beside between")
	case hasBetween:
		r.Between = m.splitRefs(between, repo, 2)
	case hasIn:
		r.In = m.splitRefs(in, repo, 1)
	default:
		o.need("between", "add `between: [train, test]`, or `in: [train]` for the rows of one split")
	}
	r.Key = m.key(o)
	if t, ok := o.get("threshold"); ok {
		r.Threshold = m.threshold(t)
	}
	r.Shingle = m.bounded(o, "shingle", r.Shingle, maxShingle)
	r.Permutations = m.bounded(o, "permutations", r.Permutations, maxPermutations)
	r.Bands = m.bounded(o, "bands", 0, r.Permutations)
	if seed, ok := o.get("seed"); ok {
		r.Seed, _ = seed.number(0)
	}
	return r
}

// leastThreshold is the smallest similarity that can be asked for: not even signatures of maxPermutations hashes tell a smaller one
// from none.
const leastThreshold = 0.001

// threshold reads a similarity.
func (m *manifest) threshold(v value) float64 {
	tag := v.node.ShortTag()
	share, err := strconv.ParseFloat(v.node.Value, 64)
	if isNumber := tag == "!!float" || tag == "!!int"; !isNumber || err != nil || !decimalNumber.MatchString(v.node.Value) || share < leastThreshold || share > 1 {
		v.wrong("a number from 0.001 to 1", "write the share of shingles that two texts have in common, such as 0.8")
		return 1
	}
	return share
}

// decimalNumber is a number in decimal digits.
var decimalNumber = lazyregexp.New(`^\+?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$`)

// bounded reads a number from 1 up to a bound; otherwise is the number where there is none.
func (m *manifest) bounded(o object, key string, otherwise, most int64) int64 {
	v, ok := o.get(key)
	if !ok {
		return otherwise
	}
	n, ok := v.number(1)
	if ok && n > most {
		m.fault(v, fmt.Sprintf("write a number up to %d", most), "%s %d is too large", key, n)
		ok = false
	}
	if !ok {
		return otherwise
	}
	return n
}

func (m *manifest) when(v value, repo int) (Rule, bool) {
	o, _ := v.object("when", "must", "in")
	r := &When{}
	if in, ok := o.get("in"); ok {
		r.In = m.splitRefs(in, repo, 1)
	}
	if repo < 0 && len(r.In) == 0 {
		m.fault(v, "add `in: [repo#config/split]`", "a rule of the whole release must say what splits it is about")
	}
	if when, ok := o.need("when", "add `when:` with a condition over row; 'true' for all rows"); ok {
		r.Condition, _ = when.text()
		r.ConditionPos = when.pos()
	}
	if must, ok := o.need("must", "add `must:` with what such rows must meet"); ok {
		r.Must, _ = must.text()
		r.MustPos = must.pos()
	}
	return Rule{Kind: "when", When: r, Pos: v.pos()}, true
}

// scalar reads a JSON value that is no object or array.
func (m *manifest) scalar(v value) (Scalar, bool) {
	if v.node.Kind != yaml.ScalarNode {
		v.wrong("one value", "write a text, a number, true, false or null")
		return Scalar{}, false
	}
	switch v.node.ShortTag() {
	case "!!int", "!!float":
		if !jsonNumber.MatchString(v.node.Value) {
			m.fault(v, "write the number as JSON does, or put quotes around a text", "%s %s is no JSON number", v.name,
				v.node.Value)
			return Scalar{}, false
		}
		return Scalar{Number, v.node.Value}, true
	case "!!bool":
		b, _ := strictyaml.Bool(v.node)
		return Scalar{Boolean, fmt.Sprint(b)}, true
	case "!!null":
		return Scalar{Null, "null"}, true
	}
	return Scalar{String, v.node.Value}, true
}
