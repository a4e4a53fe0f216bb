package release

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/frontmatter"
	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/finding"
)

// maxReadme bounds the bytes of a README.md that are read for its front matter.
const maxReadme = 16 << 20

// Load reads the release at path: a folder with or without hfpub.yaml, or a manifest itself, by any name that ends in
// .yaml or .yml.
//
// The error is for what cannot be read at all: a path that does not exist (errors.Is fs.ErrNotExist) or may not be opened.
// Faults of the release are findings, all of them in one go: those of hfpub.yaml, and those of the configs in the README.md
// of a repo that hfpub.yaml gives no configs. What else is wrong with a README.md is for its own check to say
// ([frontmatter.Read]). With an error among the findings the Release is partial: what could be read is there, roots
// that could not be used have no Tree. It has no repos when hfpub.yaml is not YAML.
func Load(ctx context.Context, path string) (*Release, []finding.Finding, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, fmt.Errorf("read release: %w", err)
	}
	if !info.IsDir() {
		if ext := strings.ToLower(filepath.Ext(path)); ext != ".yaml" && ext != ".yml" {
			return nil, nil, fmt.Errorf("read release: %s is neither a folder nor an %s", path, ManifestName)
		}
		return loadManifest(ctx, filepath.Dir(path), path)
	}
	file := filepath.Join(path, ManifestName)
	switch _, err := os.Stat(file); {
	case err == nil:
		return loadManifest(ctx, path, file)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, nil, fmt.Errorf("read release: %w", err)
	}
	return loadFolder(ctx, path)
}

// loadFolder reads a folder without hfpub.yaml.
func loadFolder(ctx context.Context, dir string) (*Release, []finding.Finding, error) {
	name := filepath.Base(dir)
	if abs, err := filepath.Abs(dir); err == nil {
		name = filepath.Base(abs)
	}
	files, err := Walk(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	repo := Repo{ID: name, Type: Dataset, Status: Public, Root: ".", Dir: dir, Tree: files}
	_, findings, err := repo.ReadAsHub()
	if err != nil {
		return nil, nil, err
	}
	if slices.ContainsFunc(files, func(f TreeFile) bool { return f.Path == "hfpub.yml" }) {
		f := finding.New(finding.ManifestMissing, "hfpub.yml is not read, and there is no %s",
			ManifestName).At("hfpub.yml", 0)
		findings = append(findings, f.Hinting("rename it to %s", ManifestName))
	}
	return &Release{Name: name, Dir: dir, Repos: []Repo{repo}}, findings, nil
}

// loadManifest reads the release that a manifest declares.
func loadManifest(ctx context.Context, dir, file string) (*Release, []finding.Finding, error) {
	text, err := readManifest(file)
	if err != nil {
		return nil, nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("read release: %w", err)
	}
	defer root.Close()
	shown := filepath.Base(file)
	m := &manifest{decoder: &decoder{file: shown}, loose: map[int]bool{}, exists: func(path string) bool {
		info, err := root.Stat(filepath.FromSlash(path))
		return err == nil && info.Mode().IsRegular()
	}}
	doc, findings := strictyaml.Parse(strictyaml.Source{
		Path: shown, Text: text, Syntax: finding.ManifestYAML, DuplicateKey: finding.ManifestDuplicateKey,
	})
	m.findings = findings
	if doc == nil {
		return &Release{Dir: dir, File: file}, m.findings, nil
	}
	if doc.Root == nil || strictyaml.IsNull(doc.Root) {
		m.empty()
		return &Release{Dir: dir, File: file}, m.findings, nil
	}
	rel := m.release(doc.Root)
	rel.Dir, rel.File = dir, file
	if err := m.readRoots(ctx, root, rel, doc.Root); err != nil {
		return nil, nil, err
	}
	m.resolve(rel)
	return rel, m.findings, nil
}

// readManifest reads at most a little more than a YAML text may have.
func readManifest(file string) ([]byte, error) {
	text, err := regularfile.Read(file, strictyaml.MaxBytes+1)
	if err != nil {
		return nil, fmt.Errorf("read release: %w", err)
	}
	return text, nil
}

// readRoots lists the files of every repo and matches its patterns.
func (m *manifest) readRoots(ctx context.Context, root *os.Root, rel *Release, manifest *yaml.Node) error {
	_, list := strictyaml.Lookup(manifest, "repos")
	for i := range rel.Repos {
		r := &rel.Repos[i]
		r.Dir = filepath.Join(rel.Dir, filepath.FromSlash(r.Root))
		at := value{m.decoder, list.Content[i], "root", fmt.Sprintf("/repos/%d", i)}
		if v, ok := (object{value: at}).get("root"); ok {
			at = v
		}
		if !m.checkRoot(root, r, at) {
			m.loose[i] = m.loose[i] || len(r.Configs) == 0
			continue
		}
		files, err := walk(ctx, r.Dir, leftOut(rel, i))
		if err != nil {
			return err
		}
		r.Tree = files
		if len(r.Configs) == 0 && !m.loose[i] && r.Type == Dataset {
			_, findings, err := r.ReadAsHub()
			if err != nil {
				return err
			}
			m.findings = append(m.findings, findings...)
			m.loose[i] = len(findings) > 0
			continue
		}
		r.match()
		if err := r.readFields(); err != nil {
			return err
		}
	}
	return nil
}

// readFields takes over from the card of a declared repo under which fields the rows of its configs stand: hfpub.yaml has no
// parameters of the loader's, and the card keeps those that people wrote.
func (r *Repo) readFields() error {
	root, err := os.OpenRoot(r.Dir)
	if err != nil {
		return fmt.Errorf("open folder: %w", err)
	}
	defer root.Close()
	readme, err := readSmall(root, "README.md")
	if err != nil {
		return err
	}
	matter, _ := frontmatter.Read("README.md", readme)
	_, list := matter.Get("configs")
	for _, item := range strictyaml.Items(list) {
		_, name := strictyaml.Lookup(item, "config_name")
		_, field := strictyaml.Lookup(item, "field")
		for i := range r.Configs {
			c := &r.Configs[i]
			if name != nil && name.Value == c.Name && field != nil && field.Kind == yaml.ScalarNode && !strictyaml.IsNull(field) {
				c.Field = &field.Value
			}
		}
	}
	return nil
}

// checkRoot reports a root that is no folder inside that of the release. A withheld repo may have none. A root has to be
// named as it is: by another way into the same folder, the files of a withheld repo would be taken for those of a public one.
func (m *manifest) checkRoot(root *os.Root, r *Repo, at value) bool {
	clean := path.Clean(r.Root)
	dir, err := root.OpenRoot(filepath.FromSlash(clean))
	if err == nil {
		err = dir.Close()
	}
	if err == nil {
		fault := detour(root, clean)
		if fault != "" {
			m.fault(at, "name the folder itself, as it is written on disk", "the root %q of %s cannot be used: %s", r.Root, r.ID, fault)
		}
		return fault == ""
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) && r.Status == Withheld:
	case errors.Is(err, fs.ErrNotExist):
		m.fault(at, "make the folder, or correct the path; it is relative to hfpub.yaml",
			"the root %q of %s is not there", r.Root, r.ID)
	default:
		m.fault(at, "name a folder below the one that holds hfpub.yaml",
			"the root %q of %s cannot be used: it is no folder, may not be opened, or leads out of the release", r.Root, r.ID)
	}
	return false
}

// detour says how the path of a folder differs from what the folders above it list; "" when it does not.
func detour(root *os.Root, dir string) string {
	if dir == "." {
		return ""
	}
	parent := "."
	for name := range strings.SplitSeq(dir, "/") {
		entries, err := fs.ReadDir(root.FS(), parent)
		i := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name })
		switch {
		case i < 0 && err != nil:
			return "the folder above it may not be read"
		case i < 0:
			return "its name is written otherwise on disk"
		case entries[i].Type()&fs.ModeSymlink != 0:
			return "it leads through a symbolic link"
		}
		parent = path.Join(parent, name)
	}
	return ""
}

// leftOut picks what is below the root of repo i and not part of it: the roots of other repos, and the manifest and lock of
// a release of several repos, which may name some that are withheld.
func leftOut(rel *Release, i int) func(string) bool {
	others := inner(rel.Repos, i)
	several := len(rel.Repos) > 1
	manifest := filepath.Base(rel.File)
	return func(p string) bool {
		if slices.Contains(others, p) {
			return true
		}
		base := path.Base(p)
		return several && (base == ManifestName || base == LockName || p == manifest && path.Clean(rel.Repos[i].Root) == ".")
	}
}

// match finds the files of the repo's splits.
func (r *Repo) match() {
	for i := range r.Configs {
		for j := range r.Configs[i].Splits {
			s := &r.Configs[i].Splits[j]
			var globs []glob
			for _, p := range s.Patterns {
				if g, err := compileGlob(p); err == nil {
					globs = append(globs, g)
				}
			}
			s.Files = tree(r.Tree).data(globs)
		}
	}
}

// ReadAsHub gives a repo the configs that the Hub would read from its README.md or .huggingface.yaml in Dir, or from the names of
// the files in its Tree, and one that is not declared its license. byCard says that a file gave the configs.
func (r *Repo) ReadAsHub() (byCard bool, found []finding.Finding, err error) {
	root, err := os.OpenRoot(r.Dir)
	if err != nil {
		return false, nil, fmt.Errorf("open folder: %w", err)
	}
	defer root.Close()
	readme, err := readSmall(root, "README.md")
	if err != nil {
		return false, nil, err
	}
	matter, _ := frontmatter.Read("README.md", readme)
	if license, ok := matter.Strings("license"); ok && len(license) > 0 && !r.Declared {
		r.License = license[0]
		r.LicenseName, _ = matter.String("license_name")
		r.LicenseLink, _ = matter.String("license_link")
	}
	reader := &cardReader{file: "README.md", tree: r.Tree}
	_, list := matter.Get("configs")
	if list, err = reader.override(root, list); err != nil {
		return false, nil, err
	}
	r.Configs, byCard = reader.read(list)
	for i := range reader.findings {
		reader.findings[i].Repo = r.ID
	}
	return byCard, reader.findings, nil
}

// read gives the configs of a list, or of the names of files where there is no list.
func (r *cardReader) read(list *yaml.Node) (configs []Config, listed bool) {
	if list != nil {
		if configs, present := r.configs(list); present {
			return configs, true
		}
	}
	splits := r.detect("")
	if len(splits) == 0 {
		return nil, false
	}
	for i := range splits {
		splits[i].Files = readBy(Builder(splits[i].Files), splits[i].Files)
	}
	return []Config{{Name: "default", Splits: splits}}, false
}

// hubYAML is a file whose keys take the place of the same keys in README.md.
const hubYAML = ".huggingface.yaml"

// override gives the configs of a .huggingface.yaml where it has some, else those of README.md.
func (r *cardReader) override(root *os.Root, list *yaml.Node) (*yaml.Node, error) {
	text, err := readSmall(root, hubYAML)
	if err != nil || len(bytes.TrimSpace(text)) == 0 {
		return list, err
	}
	doc, findings := strictyaml.Parse(strictyaml.Source{
		Path: hubYAML, Text: text, Syntax: finding.CardFrontMatter, DuplicateKey: finding.CardDuplicateKey,
	})
	r.findings = append(r.findings, findings...)
	if doc == nil {
		return list, nil
	}
	if _, own := strictyaml.Lookup(doc.Root, "configs"); own != nil {
		r.file = hubYAML
		return own, nil
	}
	return list, nil
}

// readSmall reads a text file of a repo; nil when it is not there, or no file of the repo's.
func readSmall(root *os.Root, name string) ([]byte, error) {
	text, err := regularfile.ReadIn(root, name, maxReadme)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, regularfile.ErrNotRegular) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the card in %s: %w", root.Name(), err)
	}
	return text, nil
}
