package memgym

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
)

// The splits of the corpus.
const (
	train = "train"
	eval  = "eval"
)

// repoOf is the repo of a trajectory, by which the corpus is split.
func repoOf(trajectory string) string {
	repo, _, _ := strings.Cut(trajectory, "__")
	return repo
}

// corpus is what the rows of all its splits are, by repo.
type corpus struct {
	// rows are the rows of each repo, assigned its split, first its first row in it.
	rows     map[string]int
	assigned map[string]string
	first    map[string]located
	// ids are the trajectories of each split, total its rows.
	ids   map[string]map[string]bool
	total map[string]int
	// whole says of each split that all its rows were seen.
	whole map[string]bool
	// leaks says that a repo is in both splits.
	leaks bool
}

// located is a row of a split.
type located struct {
	split *observe.Split
	entry *entry
}

// roleOf is the split of the corpus that a split of the release holds, by its name or those of its files; "" when they do not
// tell.
func roleOf(split *observe.Split) string {
	words := []struct{ word, role string }{{"train", train}, {"eval", eval}, {"test", eval}, {"held", eval}, {"val", eval}}
	for _, w := range words {
		if strings.Contains(split.Name, w.word) {
			return w.role
		}
	}
	for _, w := range words {
		if isCalled(split, w.word) {
			return w.role
		}
	}
	return ""
}

// joinCorpus judges the splits of the corpus together, and with their manifests.
func joinCorpus(splits, manifests []seen, say *observe.Findings) {
	forksTwice(splits, true, say)
	c := &corpus{
		rows: map[string]int{}, assigned: map[string]string{}, first: map[string]located{},
		ids: map[string]map[string]bool{train: {}, eval: {}}, total: map[string]int{}, whole: map[string]bool{train: true, eval: true},
	}
	for _, s := range splits {
		role := roleOf(s.split)
		for _, of := range []string{train, eval} {
			c.whole[of] = c.whole[of] && (s.whole || role != "" && role != of)
		}
		for i := range s.entries {
			c.add(s.split, &s.entries[i], role, say)
		}
	}
	for _, of := range []string{train, eval} {
		c.whole[of] = c.whole[of] && c.total[of] > 0
	}
	if c.complete() && !c.leaks {
		c.judgeRule(say)
	}
	for _, m := range manifests {
		for i := range m.entries {
			c.judgeManifest(m.split, &m.entries[i], say)
		}
	}
}

// complete says that all rows of both splits were seen.
func (c *corpus) complete() bool { return c.whole[train] && c.whole[eval] }

// add takes in a row, and says when it is in the wrong split.
func (c *corpus) add(split *observe.Split, e *entry, role string, say *observe.Findings) {
	field := e.texts[keptSplit]
	if role == "" {
		role = field
	} else if field != role {
		f := finding.New(finding.MemgymSplitField, "split is %s, and the row is in %s", field, role)
		say.Add(split, placed(f, e.place("/split")).Hinting("split names the file that the row is in"))
	}
	if role != train && role != eval {
		return
	}
	trajectory := e.texts[keptTrajectory]
	repo := repoOf(trajectory)
	c.rows[repo]++
	c.total[role]++
	c.ids[role][trajectory] = true
	switch before, known := c.assigned[repo]; {
	case !known:
		c.assigned[repo], c.first[repo] = role, located{split, e}
	case before != role:
		c.leaks = true
		f := finding.New(finding.MemgymRepoLeak, "the repo %s is in %s, too, at %s", repo, before, c.first[repo].entry.place("/trajectory_id").Where())
		say.Add(split, placed(f, e.place("/trajectory_id")).Hinting("all rows of a repo are in one split: otherwise the model is tested on what it has seen"))
	}
}

// evalShare is one of how many rows the split rule aims at for eval.
const evalShare = 10

// assign splits the repos by the rule: from the smallest on, by rows and name, they go to eval until a tenth of the rows is there.
func assign(rows map[string]int) map[string]string {
	total := 0
	for _, n := range rows {
		total += n
	}
	out := map[string]string{}
	sum := 0
	for _, repo := range slices.SortedFunc(maps.Keys(rows), func(a, b string) int { return cmp.Or(cmp.Compare(rows[a], rows[b]), cmp.Compare(a, b)) }) {
		if sum < total/evalShare {
			out[repo] = eval
			sum += rows[repo]
		} else {
			out[repo] = train
		}
	}
	return out
}

// judgeRule says which repos the rule puts into the other split.
func (c *corpus) judgeRule(say *observe.Findings) {
	want := assign(c.rows)
	for _, repo := range slices.Sorted(maps.Keys(want)) {
		if c.assigned[repo] == want[repo] {
			continue
		}
		at := c.first[repo]
		f := finding.New(finding.MemgymSplitRule, "the repo %s, with %d of %d rows, is in %s, and the rule puts it into %s",
			repo, c.rows[repo], c.total[train]+c.total[eval], c.assigned[repo], want[repo])
		say.Add(at.split, placed(f, at.entry.place("/trajectory_id")).Hinting("hfpub explain %s tells the rule", finding.MemgymSplitRule))
	}
}

// checksum is that of an assignment: the SHA-256 of the sorted lines of repo, tab, split.
func checksum(assigned map[string]string) string {
	h := sha256.New()
	var lines []string
	for repo, split := range assigned {
		lines = append(lines, repo+"\t"+split+"\n")
	}
	slices.Sort(lines)
	for _, line := range lines {
		h.Write([]byte(line))
	}
	return hex.EncodeToString(h.Sum(nil))
}
