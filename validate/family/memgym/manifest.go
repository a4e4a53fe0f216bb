package memgym

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// manifest is a split manifest, as far as it is judged.
type manifest struct {
	Meta struct {
		SourceRows   *int           `json:"source_jsonl_rows"`
		SHA256       *string        `json:"split_sha256"`
		Rows         map[string]int `json:"row_counts"`
		Trajectories map[string]int `json:"trajectory_counts"`
		Repos        map[string]int `json:"repo_counts"`
	} `json:"meta"`
	Assigned map[string]string   `json:"repo_assignments"`
	Splits   map[string][]string `json:"splits"`
}

// document says things about a row that is one document, by pointers into it.
type document struct {
	split *observe.Split
	entry *entry
	doc   tape.Tape
	say   *observe.Findings
}

func newDocument(split *observe.Split, e *entry, say *observe.Findings) *document {
	d := &document{split: split, entry: e, say: say}
	d.doc.Parse([]byte(e.texts[0])) // it was parsed before
	return d
}

// add says something about the value at a pointer.
func (d *document) add(code finding.Code, pointer, hint, format string, args ...any) {
	line := d.entry.line
	if v, ok := d.doc.Root().At(pointer); ok {
		line += v.LinesBefore()
	}
	d.say.Add(d.split, finding.New(code, format, args...).At(d.entry.path, line).In(pointer).Hinting("%s", hint))
}

// judgeManifest holds a manifest against itself and, where all of it was seen, against the corpus.
func (c *corpus) judgeManifest(split *observe.Split, e *entry, say *observe.Findings) {
	var m manifest
	if err := json.Unmarshal([]byte(e.texts[0]), &m); err != nil {
		return // the schema reports it
	}
	d := newDocument(split, e, say)
	c.assignments(d, &m)
	if m.Meta.SHA256 != nil && *m.Meta.SHA256 != checksum(m.Assigned) {
		d.add(finding.MemgymChecksum, "/meta/split_sha256", "it is the SHA-256 of the sorted lines repo TAB split LF",
			"split_sha256 is %s, and that of repo_assignments is %s", *m.Meta.SHA256, checksum(m.Assigned))
	}
	repos := map[string]int{}
	for _, split := range m.Assigned {
		repos[split]++
	}
	rows := 0
	for _, role := range []string{train, eval} {
		rows += m.Meta.Rows[role]
		c.trajectories(d, &m, role)
		d.count(m.Meta.Trajectories, "trajectory_counts", role, len(m.Splits[role]))
		d.count(m.Meta.Repos, "repo_counts", role, repos[role])
		if c.whole[role] {
			d.count(m.Meta.Rows, "row_counts", role, c.total[role])
		}
	}
	if m.Meta.SourceRows == nil {
		return
	}
	if c.complete() {
		rows = c.total[train] + c.total[eval]
	}
	if *m.Meta.SourceRows != rows {
		d.add(finding.MemgymManifest, "/meta/source_jsonl_rows", countHint, "source_jsonl_rows is %d, and there are %d", *m.Meta.SourceRows, rows)
	}
}

const countHint = "write what is counted: make the manifest again from the data"

// count says when a number is not what is counted.
func (d *document) count(said map[string]int, field, role string, counted int) {
	if n, ok := said[role]; ok && n != counted {
		d.add(finding.MemgymManifest, "/meta/"+field+"/"+role, countHint, "%s of %s is %d, and there are %d", field, role, n, counted)
	}
}

// assignments holds the splits of the repos against those of the corpus, as far as all rows of them were seen.
func (c *corpus) assignments(d *document, m *manifest) {
	if c.leaks {
		return
	}
	for _, repo := range slices.Sorted(maps.Keys(c.assigned)) {
		if got := m.Assigned[repo]; got != c.assigned[repo] {
			pointer, where := "/repo_assignments/"+tape.EscapeToken(repo), got
			if got == "" {
				pointer, where = "/repo_assignments", "no split"
			}
			d.add(finding.MemgymManifest, pointer, countHint, "the repo %s is in %s, and its rows are in %s", repo, where, c.assigned[repo])
		}
	}
	for _, repo := range slices.Sorted(maps.Keys(m.Assigned)) {
		if _, ok := c.assigned[repo]; !ok && c.whole[m.Assigned[repo]] {
			d.add(finding.MemgymManifest, "/repo_assignments/"+tape.EscapeToken(repo), countHint, "the repo %s has no rows", repo)
		}
	}
}

// trajectories judges the list of trajectories of a split: sorted, each in the split of its repo, and those of the data.
func (c *corpus) trajectories(d *document, m *manifest, role string) {
	listed := map[string]bool{}
	const hint = "list the trajectories of the split, each once, in order"
	for i, id := range m.Splits[role] {
		pointer := fmt.Sprintf("/splits/%s/%d", role, i)
		switch {
		case i > 0 && m.Splits[role][i-1] >= id:
			d.add(finding.MemgymManifestIDs, pointer, hint, "%s stands behind %s", id, m.Splits[role][i-1])
			return
		case m.Assigned[repoOf(id)] != role:
			where := cmp.Or(m.Assigned[repoOf(id)], "no split")
			d.add(finding.MemgymManifestIDs, pointer, hint, "%s is listed in %s, and its repo is in %s", id, role, where)
			return
		case c.whole[role] && !c.ids[role][id]:
			d.add(finding.MemgymManifestIDs, pointer, hint, "%s has no row in %s", id, role)
			return
		}
		listed[id] = true
	}
	if !c.whole[role] {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(c.ids[role])) {
		if !listed[id] {
			d.add(finding.MemgymManifestIDs, "/splits/"+role, hint, "%s has rows in %s, and is not listed", id, role)
			return
		}
	}
}
