package loader

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
)

// shardName is the name of one of several files: train-00001-of-00003.jsonl. The Hub's form has five digits.
var shardName = lazyregexp.New(`^(.*?)-(\d{1,18})-of-(\d{1,18})(\D.*)?$`)

// shard is a file that calls itself one of several, by its index from 0.
type shard struct {
	file  string
	index int64
}

// setName is what the shards of one set have in common: the path up to the index, and the total.
type setName struct {
	stem  string
	total int64
}

func (n setName) compare(other setName) int {
	return cmp.Or(cmp.Compare(n.stem, other.stem), cmp.Compare(n.total, other.total))
}

// shardSet are the shards of one name, by index. Their endings may differ.
type shardSet struct {
	setName
	shards []shard
}

// shards reports sets of shards with holes, and several sets of the same name in one split.
func (c *checker) shards(config *release.Config, split *release.Split) {
	sets := shardSets(unique(split.Files))
	var before *shardSet
	for _, name := range slices.SortedFunc(maps.Keys(sets), setName.compare) {
		set := sets[name]
		for _, fault := range c.faults(set) {
			f := finding.New(finding.LoaderShards, "split %q: %s", split.Name, fault.what).At(set.shards[0].file, 0)
			c.add(f.OfSplit(config.Name, split.Name).As(fault.severity).Hinting("%s", fault.hint))
		}
		if before != nil && before.stem == set.stem {
			c.add(mixed(config, split, before, set))
		}
		before = set
	}
}

// shardSets groups files by the sets that their names put them into.
func shardSets(files []string) map[setName]*shardSet {
	sets := map[setName]*shardSet{}
	for _, file := range files {
		m := shardName.FindStringSubmatch(path.Base(file))
		if m == nil {
			continue
		}
		index, _ := strconv.ParseInt(m[2], 10, 64)
		total, _ := strconv.ParseInt(m[3], 10, 64)
		name := setName{path.Join(path.Dir(file), m[1]), total}
		if sets[name] == nil {
			sets[name] = &shardSet{setName: name}
		}
		sets[name].shards = append(sets[name].shards, shard{file, index})
	}
	for _, set := range sets {
		slices.SortFunc(set.shards, func(a, b shard) int {
			return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.file, b.file))
		})
	}
	return sets
}

// otherShard reports whether two files call themselves different shards of one set.
func otherShard(a, b string) bool {
	return a != b && len(shardSets([]string{a, b})) == 1 && isShard(a) && isShard(b)
}

func isShard(file string) bool { return shardName.MatchString(path.Base(file)) }

// shardFault is what is wrong with a set.
type shardFault struct {
	what, hint string
	severity   finding.Severity
}

// faults finds shards that are missing, stand twice, or lie beyond the total. A shard that is in the repo and only not in
// the split is not missing: a split may be a part of a set.
func (c *checker) faults(set *shardSet) []shardFault {
	const again = "put the whole set in place, and remove what is left of an old one"
	first, last := set.shards[0], set.shards[len(set.shards)-1]
	if first.index == 1 && last.index == set.total && int64(len(set.shards)) == set.total {
		return []shardFault{{fmt.Sprintf("%s and the others are counted from 1; shards on the Hub count from 0", first.file),
			"rename them, so that nobody looks for shard 0", finding.Warning}}
	}
	var faults []shardFault
	if missing, n := c.missing(set); n > 0 {
		what := fmt.Sprintf("%s is missing", missing[0])
		if n > 1 {
			what = fmt.Sprintf("%s are missing", andMore(missing, n))
		}
		faults = append(faults, shardFault{what, again, finding.Error})
	}
	var double, beyond []string
	for i, s := range set.shards {
		if i > 0 && s.index == set.shards[i-1].index {
			double = append(double, fmt.Sprintf("%s and %s", set.shards[i-1].file, s.file))
		}
		if s.index >= set.total {
			beyond = append(beyond, s.file)
		}
	}
	if len(double) > 0 {
		what := fmt.Sprintf("%s claim to be the same shard; both are loaded", list(double))
		faults = append(faults, shardFault{what, "keep one of them", finding.Error})
	}
	if len(beyond) > 0 {
		what := fmt.Sprintf("%s: the number is beyond the total of %d", list(beyond), set.total)
		faults = append(faults, shardFault{what, again, finding.Error})
	}
	return faults
}

// missing names the first shards of a set that are nowhere in the repo, and counts all of them.
func (c *checker) missing(set *shardSet) (names []string, n int64) {
	have := map[int64]bool{}
	for _, known := range []*shardSet{set, c.sets[set.setName]} {
		if known == nil {
			continue
		}
		for _, s := range known.shards {
			if s.index < set.total {
				have[s.index] = true
			}
		}
	}
	for index := int64(0); index < set.total && len(names) < maxNamed; index++ {
		if !have[index] {
			names = append(names, set.name(index))
		}
	}
	return names, set.total - int64(len(have))
}

// maxNamed bounds the missing shards that a message names.
const maxNamed = 5

// name is the name of another shard of the set, written as the first one is.
func (set *shardSet) name(index int64) string {
	m := shardName.FindStringSubmatch(path.Base(set.shards[0].file))
	return path.Join(path.Dir(set.shards[0].file), fmt.Sprintf("%s-%0*d-of-%s%s", m[1], len(m[2]), index, m[3], m[4]))
}

func andMore(names []string, n int64) string {
	all := strings.Join(names, ", ")
	if more := n - int64(len(names)); more > 0 {
		return fmt.Sprintf("%s and %d more", all, more)
	}
	return all
}

// mixed is the finding about two sets of one name: the rows of both are loaded.
func mixed(config *release.Config, split *release.Split, a, b *shardSet) finding.Finding {
	const message = "split %q holds shards of two sets, of %d and of %d, and all are loaded together: %s beside %s"
	f := finding.New(finding.LoaderShardsMixed, message, split.Name, a.total, b.total, list(a.files()), list(b.files()))
	f = f.At(a.shards[0].file, 0).OfSplit(config.Name, split.Name)
	return f.Hinting("remove the set that an earlier upload left behind")
}

func (set *shardSet) files() []string {
	var files []string
	for _, s := range set.shards {
		files = append(files, s.file)
	}
	return files
}
