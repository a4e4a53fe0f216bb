package release

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/finding"
)

// manifest decodes an hfpub.yaml into a release.
type manifest struct {
	*decoder
	// exists reports whether a file is there, by its path relative to the release's folder.
	exists func(path string) bool
	// refs are the names of splits met, to be looked up when the files of all repos are known.
	refs []pendingRef
	// loose are the repos whose configs could not be read: their splits are not known.
	loose map[int]bool
}

// release decodes the root of a manifest.
func (m *manifest) release(root *yaml.Node) *Release {
	rel := &Release{}
	o, ok := value{m.decoder, root, "hfpub.yaml", ""}.object("version", "release", "repos", "rules", "claims")
	if !ok {
		return rel
	}
	if v, ok := o.need("version", "add `version: 1`"); ok {
		if n, isInt := strictyaml.Int(v.node); !isInt || n != 1 {
			v.wrong("1", "write `version: 1`, the only version of this form")
		}
	}
	if v, ok := o.need("release", "add `release: {name: …, version: 1.0.0}`"); ok {
		rel.Name, rel.Version = m.nameAndVersion(v)
	}
	if v, ok := o.need("repos", "list at least one repo with id, type and status"); ok {
		for i, item := range v.filled("repos") {
			item.name = fmt.Sprintf("repo %d", i+1)
			rel.Repos = append(rel.Repos, m.repo(item, i))
		}
		m.checkIDs(rel.Repos, v)
		m.checkRoots(rel.Repos, v)
	}
	if v, ok := o.get("rules"); ok {
		rel.Rules = m.rules(v, -1)
	}
	if v, ok := o.get("claims"); ok {
		rel.Claims = m.claims(v, -1)
	}
	return rel
}

func (m *manifest) nameAndVersion(v value) (name, version string) {
	o, ok := v.object("name", "version")
	if !ok {
		return "", ""
	}
	if n, ok := o.need("name", "add `name: my-release`"); ok {
		name, _ = n.text()
	}
	if n, ok := o.need("version", "add `version: 1.0.0`"); ok {
		version, _ = n.text()
	}
	return name, version
}

func (m *manifest) repo(v value, i int) Repo {
	r := Repo{Declared: true, Root: ".", Pos: v.pos()}
	o, ok := v.object("id", "type", "status", "root", "license", "license_name", "license_link", "card", "configs",
		"upstream", "hygiene", "rules", "claims", "reproduce")
	if !ok {
		m.loose[i] = true
		return r
	}
	if id, ok := o.need("id", "add `id: namespace/name`, the repo's name on the Hub"); ok {
		r.ID = m.id(id)
	}
	if t, ok := o.need("type", "add `type: dataset` or `type: model`"); ok {
		word, _ := t.oneOf(string(Dataset), string(Model))
		r.Type = Type(word)
	}
	if s, ok := o.need("status", "add `status: public`, `pending` (card only) or `withheld` (nothing leaves)"); ok {
		word, _ := s.oneOf(string(Public), string(Pending), string(Withheld))
		r.Status = Status(word)
	}
	if root, ok := o.get("root"); ok {
		r.Root = m.localPath(root, r.Root)
	}
	m.license(o, &r)
	if card, ok := o.get("card"); ok {
		r.Card = m.card(card)
	}
	if configs, ok := o.get("configs"); ok {
		before := len(m.findings)
		r.Configs = m.configs(configs)
		m.loose[i] = len(m.findings) > before
	}
	if upstream, ok := o.get("upstream"); ok {
		r.Upstream = m.upstream(upstream)
	}
	if hygiene, ok := o.get("hygiene"); ok {
		r.Hygiene = m.hygiene(hygiene)
	}
	if rules, ok := o.get("rules"); ok {
		r.Rules = m.rules(rules, i)
	}
	if claims, ok := o.get("claims"); ok {
		r.Claims = m.claims(claims, i)
	}
	if reproduce, ok := o.get("reproduce"); ok {
		r.Reproduce = m.reproduce(reproduce)
	}
	return r
}

func (m *manifest) id(v value) string {
	id, ok := v.text()
	if !ok {
		return ""
	}
	if fault := CheckRepoID(id); fault != "" {
		m.fault(v, "take the id from the repo's address on the Hub", "%q is no repo id: %s", id, fault)
	}
	return id
}

// localPath reads a path that must stay inside the folder it is relative to, without wildcards.
func (m *manifest) localPath(v value, otherwise string) string {
	p, ok := v.text()
	if !ok {
		return otherwise
	}
	if err := checkLocal(p); err != nil {
		m.fault(v, "write a path that stays inside the folder", "%s %q cannot be used: %v", v.name, p, err)
		return otherwise
	}
	return p
}

// license reads the license of a repo. A name and a link of its own belong to the license `other` only.
func (m *manifest) license(o object, r *Repo) {
	r.License, r.LicenseName, r.LicenseLink = o.text("license"), o.text("license_name"), o.text("license_link")
	if v, ok := o.get("license"); ok {
		r.LicensePos = v.pos()
	}
	for _, key := range []string{"license_name", "license_link"} {
		if v, ok := o.get(key); ok && r.License != "other" {
			m.warn(v, "take it out, or write `license: other`",
				"%s has no effect beside license %q: the Hub reads it for `other` only", key, r.License)
		}
	}
	if v, ok := o.get("license"); ok && r.License == "other" && r.LicenseName == "" {
		m.warn(v, "add `license_name:` with a name, and `license_link: LICENSE`",
			"license is other, and no license_name says which")
	}
}

func (m *manifest) card(v value) Card {
	var c Card
	o, ok := v.object("pretty_name", "language", "tags", "task_categories", "citation", "template", "sections",
		"base_model", "base_model_relation", "library_name", "pipeline_tag", "datasets", "metrics", "results")
	if !ok {
		return c
	}
	c.PrettyName = o.text("pretty_name")
	c.Tags = o.texts("tags", "tags")
	c.TaskCategories = o.texts("task_categories", "task categories")
	if l, ok := o.get("language"); ok {
		for _, e := range l.any("languages") {
			code, ok := e.text()
			if ok && !IsLanguage(code) {
				m.fault(e, "write a lower-case ISO 639 code such as en or deu, without region",
					"language %q is no code that the Hub takes", code)
			}
			c.Language = append(c.Language, code)
		}
	}
	c.Citation = strings.TrimSpace(o.text("citation"))
	if t, ok := o.get("template"); ok {
		c.Template, c.TemplatePos = m.localPath(t, ""), t.pos()
	}
	if s, ok := o.get("sections"); ok {
		c.Sections = m.sections(s)
	}
	c.Model = m.modelCard(o)
	return c
}

// modelCard reads what a card says of a model.
func (m *manifest) modelCard(o object) ModelCard {
	out := ModelCard{
		BaseModel: o.texts("base_model", "base models"), LibraryName: o.text("library_name"), PipelineTag: o.text("pipeline_tag"),
		Datasets: o.texts("datasets", "data sets"), Metrics: o.texts("metrics", "metrics"),
	}
	if r, ok := o.get("base_model_relation"); ok {
		out.Relation, _ = r.oneOf("adapter", "merge", "quantized", "finetune")
	}
	if list, ok := o.get("results"); ok {
		for i, item := range list.filled("results") {
			item.name = fmt.Sprintf("result %d", i+1)
			out.Results = append(out.Results, m.modelResult(item))
		}
	}
	return out
}

func (m *manifest) modelResult(v value) ModelResult {
	o, ok := v.object("task", "dataset", "dataset_name", "config", "split", "metric", "value")
	if !ok {
		return ModelResult{}
	}
	r := ModelResult{DatasetName: o.text("dataset_name"), Config: o.text("config"), Split: o.text("split")}
	needed := func(key, hint string) string {
		if _, ok := o.need(key, hint); !ok {
			return ""
		}
		return o.text(key)
	}
	r.Task = needed("task", "add `task:` with a task category such as text-generation")
	r.Dataset = needed("dataset", "add `dataset:` with the id of the data set")
	r.Metric = needed("metric", "add `metric:` with the id of a metric such as accuracy")
	if n, ok := o.need("value", "add `value:` with the number that was measured"); ok {
		if tag := n.node.ShortTag(); n.node.Kind != yaml.ScalarNode || tag != "!!int" && tag != "!!float" {
			n.wrong("a number", "write it without quotes and signs: 0.91")
		}
		r.Value = n.node.Value
	}
	return r
}

func (m *manifest) sections(v value) []Section {
	if v.node.Kind != yaml.MappingNode {
		v.wrong("a mapping of headings to texts", "write `Heading: |` and the text below, indented")
		return nil
	}
	var all []Section
	for k, n := range strictyaml.Pairs(v.node) {
		at := v.at + "/" + strictyaml.Escape(k.Value)
		if strings.TrimSpace(k.Value) == "" {
			m.fault(value{m.decoder, k, "section", at}, "write the heading before the colon", "a section has no heading")
		}
		s := value{m.decoder, n, fmt.Sprintf("section %q", k.Value), at}
		if text, ok := s.text(); ok {
			all = append(all, Section{k.Value, text})
		}
	}
	return all
}

func (m *manifest) configs(v value) []Config {
	var all []Config
	names := map[string]int{}
	defaults := 0
	for i, item := range v.filled("configs") {
		item.name = fmt.Sprintf("config %d", i+1)
		c := m.config(item)
		if line, twice := names[c.Name]; twice && c.Name != "" {
			m.fault(item, "give each config a name of its own", "config %q stands twice, first on line %d", c.Name, line)
		}
		names[c.Name] = c.Pos.Line
		all = append(all, c)
		if c.Default || c.Name == "default" {
			defaults++
		}
	}
	if defaults > 1 {
		m.fault(v, "keep `default: true` on one config only; a config named default counts as one",
			"several configs are the default")
	}
	return all
}

func (m *manifest) config(v value) Config {
	c := Config{PosFile: m.file, Pos: v.pos()}
	o, ok := v.object("name", "default", "features", "splits")
	if !ok {
		return c
	}
	if n, ok := o.need("name", "add `name: default`, or another name"); ok {
		if c.Name, ok = n.text(); ok {
			if fault := checkConfigName(c.Name); fault != "" {
				m.fault(n, "choose a name of letters, digits, -, _ and .",
					"config name %q is refused by load_dataset: %s", c.Name, fault)
			}
		}
	}
	if d, ok := o.get("default"); ok {
		c.Default = d.boolean()
	}
	if f, ok := o.get("features"); ok && len(f.filled("features")) > 0 {
		c.Features = f.node
	}
	if s, ok := o.need("splits", "list at least one split: `- {name: train, files: [data/train.jsonl]}`"); ok {
		c.Splits = m.splits(s)
	}
	return c
}

func (m *manifest) splits(v value) []Split {
	var all []Split
	names := map[string]int{}
	for i, item := range v.filled("splits") {
		item.name = fmt.Sprintf("split %d", i+1)
		s := m.split(item)
		if line, twice := names[s.Name]; twice && s.Name != "" {
			m.fault(item, "list all files of a split in one `files:`",
				"split %q stands twice in one config, first on line %d", s.Name, line)
		}
		names[s.Name] = s.Pos.Line
		all = append(all, s)
	}
	return all
}

var artifactName = lazyregexp.New(`^[a-z0-9][a-z0-9_-]*/[a-z0-9][a-z0-9_-]*$`)

func (m *manifest) split(v value) Split {
	s := Split{PosFile: m.file, Pos: v.pos()}
	o, ok := v.object("name", "files", "artifact", "schema")
	if !ok {
		return s
	}
	if n, ok := o.need("name", "add `name: train`, or another name"); ok {
		if s.Name, ok = n.text(); ok {
			if fault := checkSplitName(s.Name); fault != "" {
				m.fault(n, fmt.Sprintf("call it %s", mendSplitName(s.Name)),
					"split name %q is refused by load_dataset: %s", s.Name, fault)
			}
		}
	}
	if f, ok := o.need("files", "add `files: [data/train.jsonl]`, paths or patterns relative to root"); ok {
		s.Patterns, s.PatternPos = m.patterns(f)
	}
	artifact, hasArtifact := o.get("artifact")
	if hasArtifact {
		if s.Artifact, ok = artifact.text(); ok && !artifactName.MatchString(s.Artifact) {
			m.fault(artifact, "write family/name, such as memgym/pairs", "artifact %q is no family/name", s.Artifact)
		}
	}
	if schema, ok := o.get("schema"); ok {
		s.Schema = m.schema(schema)
		if hasArtifact {
			m.fault(schema, "keep one of the two: an artifact brings its own schema",
				"artifact and schema stand side by side")
		}
	}
	return s
}

// patterns reads paths and patterns of files.
func (m *manifest) patterns(v value) (patterns []string, places []Pos) {
	for _, e := range v.oneOrMore("paths") {
		p, ok := e.text()
		if !ok {
			continue
		}
		if _, err := compileGlob(p); err != nil {
			m.fault(e, "write a path or pattern that stays inside root, such as data/*.jsonl", "%q cannot be used: %v",
				p, err)
			continue
		}
		patterns, places = append(patterns, p), append(places, e.pos())
	}
	return patterns, places
}

// schema reads the path of a JSON Schema relative to the release's folder.
func (m *manifest) schema(v value) string {
	p := m.localPath(v, "")
	if p != "" && !m.exists(path.Clean(p)) {
		m.fault(v, "write the path relative to the folder of hfpub.yaml", "schema %q is not there", p)
	}
	return p
}

func (m *manifest) upstream(v value) []Upstream {
	var all []Upstream
	for i, item := range v.list("upstream works") {
		item.name = fmt.Sprintf("upstream %d", i+1)
		o, ok := item.object("name", "license", "flow")
		if !ok {
			continue
		}
		u := Upstream{Pos: item.pos()}
		if n, ok := o.need("name", "add `name:` with what the repo was made from"); ok {
			u.Name, _ = n.text()
		}
		if l, ok := o.need("license", "add `license:`, or `license: unknown` where nobody knows"); ok {
			u.License, _ = l.text()
		}
		if f, ok := o.need("flow", "add `flow: content`, labels, reference or tool"); ok {
			u.Flow, _ = f.oneOf("content", "labels", "reference", "tool")
		}
		all = append(all, u)
	}
	return all
}

func (m *manifest) hygiene(v value) Hygiene {
	var h Hygiene
	o, ok := v.object("allow", "forbid")
	if !ok {
		return h
	}
	h.Allow = o.texts("allow", "allowed paths")
	if f, ok := o.get("forbid"); ok {
		for _, e := range f.any("lists of fingerprints") {
			p := m.localPath(e, "")
			if p != "" && !m.exists(path.Clean(p)) {
				m.fault(e, "write the list with hfpub fingerprint", "the list %q is not there", p)
				continue
			}
			h.Forbid, h.ForbidPos = append(h.Forbid, p), append(h.ForbidPos, e.pos())
		}
	}
	return h
}

func (m *manifest) reproduce(v value) *Reproduce {
	o, ok := v.object("run", "produces")
	if !ok {
		return nil
	}
	r := &Reproduce{Pos: v.pos()}
	if run, ok := o.need("run", "add `run: [command, argument, …]`"); ok {
		for _, e := range run.filled("arguments") {
			if arg, ok := e.text(); ok {
				r.Run = append(r.Run, arg)
			}
		}
	}
	if p, ok := o.need("produces", "add `produces:` with the file that the command makes, relative to root"); ok {
		r.Produces = m.localPath(p, "")
	}
	return r
}

// checkIDs reports two repos of one id.
func (m *manifest) checkIDs(repos []Repo, list value) {
	first := map[string]int{}
	for i, r := range repos {
		if line, twice := first[r.ID]; twice && r.ID != "" {
			m.fault(list.list("repos")[i], "give each repo an id of its own", "repo %q stands twice, first on line %d",
				r.ID, line)
			continue
		}
		first[r.ID] = r.Pos.Line
	}
}

// checkRoots reports two repos that share a folder: their files could not be told apart. A folder inside another repo's is
// fine.
func (m *manifest) checkRoots(repos []Repo, list value) {
	for i, r := range repos {
		j := slices.IndexFunc(repos[:i], func(other Repo) bool { return path.Clean(other.Root) == path.Clean(r.Root) })
		if j < 0 {
			continue
		}
		m.fault(list.list("repos")[i], "give each repo a folder of its own with `root:`",
			"repos %q and %q have the same root %q", repos[j].ID, r.ID, r.Root)
	}
}

// inner lists the roots of other repos inside that of repo i, relative to it.
func inner(repos []Repo, i int) []string {
	outer := path.Clean(repos[i].Root)
	var roots []string
	for j, other := range repos {
		root := path.Clean(other.Root)
		if j == i || root == outer {
			continue
		}
		if outer == "." {
			roots = append(roots, root)
		} else if below, ok := strings.CutPrefix(root, outer+"/"); ok {
			roots = append(roots, below)
		}
	}
	return roots
}

// empty reports a manifest without a value.
func (m *manifest) empty() {
	m.findings = append(m.findings, finding.New(finding.ManifestYAML, "the file is empty").AtColumn(m.file, 1, 1).
		Hinting("write version, release and repos, or take it away: hfpub init then writes one from what is there"))
}
