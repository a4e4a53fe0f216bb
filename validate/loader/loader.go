// Package loader says what load_dataset and the Hub's viewer make of a repo's files and splits.
//
// [Check] judges the list of files, the splits that release found in it, and the number of rows in each file; what stands
// in the rows is judged elsewhere. A finding is an error where load_dataset fails, or where rows are missing or loaded
// twice beyond doubt; a warning where it loads something else than was meant; a note where everything works and a reader
// may still be surprised.
package loader

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/parquet"
)

// Facts is what reading the data files showed.
type Facts struct {
	// Rows holds the number of rows of every data file by its path. A file that could not be counted is not in it: a
	// Git LFS pointer, a format that is not read, a file with rows that the reader refused. What depends on its rows is not
	// judged.
	Rows map[string]int64
	// Forms says how JSON files are written, by their paths.
	Forms map[string]Form
	// Fields says what stands under the fields that configs read.
	Fields map[InConfig]Field
	// Parquet holds what the footers of Parquet files say, by their paths.
	Parquet map[string]*parquet.Schema
}

// Form is how a JSON file is written.
type Form struct {
	// Array says that it is one array of rows, whose bracket stands on line ArrayLine; BlankFirst that blanks, and BOM that a
	// byte order mark comes before all else.
	Array           bool
	ArrayLine       int
	BlankFirst, BOM bool
	// Wrapped says that the loader does not see that its elements are objects; see [rows.Totals].
	Wrapped bool
}

// InConfig is a file as a config reads it.
type InConfig struct{ Config, Path string }

// Field is what stands in a file under the field that a config reads.
type Field struct {
	// Kind and Line are those of [rows.Totals].
	Kind string
	Line int
	// Rows counts the rows; it is nil where they could not be counted.
	Rows *int64
}

// Check judges the files and splits of a repo. Loose files without a folder, and model repos without configs, are no
// business of the loader; of a folder that is not there, release has said so.
func Check(repo *release.Repo, facts Facts) []finding.Finding {
	if repo.Dir == "" || repo.Type == release.Model && len(repo.Configs) == 0 {
		return nil
	}
	if _, err := os.Stat(repo.Dir); err != nil {
		return nil
	}
	c := &checker{repo: repo, facts: facts, data: dataFiles(repo.Tree), claimed: claimed(repo.Configs)}
	c.sets = shardSets(c.data)
	c.noData()
	c.oneBuilder()
	for i := range repo.Configs {
		c.parquetFiles(&repo.Configs[i])
		for j := range repo.Configs[i].Splits {
			c.split(&repo.Configs[i], j)
		}
	}
	c.defaultConfig()
	c.unclaimed()
	return c.found
}

// checker is one check under way.
type checker struct {
	repo  *release.Repo
	facts Facts
	// data are the files that look like data.
	data []string
	// claimed are the files that belong to a split.
	claimed map[string]bool
	// sets are the sets of shards in the whole repo.
	sets  map[setName]*shardSet
	found []finding.Finding
}

func (c *checker) add(f finding.Finding) { c.found = append(c.found, f) }

// field reports files of a config that do not hold a list under its `field`.
func (c *checker) field(config *release.Config, split *release.Split) {
	if config.Field == nil {
		return
	}
	for _, file := range unique(split.Files) {
		of, known := c.facts.Fields[InConfig{config.Name, file}]
		if !known {
			continue
		}
		var f finding.Finding
		switch of.Kind {
		case "", "array", "null":
			continue
		case "object":
			f = finding.New(finding.LoaderFieldNotRead, "an object stands under the field %q: load_dataset makes columns of its members, and hfpub reads rows in a list only", *config.Field)
			f = f.Hinting("rows, features and sizes were not checked: write a list of objects, best as JSON Lines in a file of its own")
		case rows.FieldMissing:
			f = finding.New(finding.LoaderFieldMissing, "the file is no object with the field %q, which config %q reads: load_dataset fails", *config.Field, config.Name)
			f = f.Hinting("correct `field` in the config, or the file")
		default:
			f = finding.New(finding.LoaderFieldMissing, "a %s stands under the field %q, which config %q reads, and no list: load_dataset fails", of.Kind, *config.Field, config.Name)
			f = f.Hinting("write a list of objects there")
		}
		c.add(f.At(file, of.Line).OfSplit(config.Name, split.Name))
	}
}

// rows counts the rows that a config finds in a file; known is false where they could not be counted.
func (c *checker) rows(config *release.Config, file string) (n int64, known bool) {
	if of, has := c.facts.Fields[InConfig{config.Name, file}]; has {
		if of.Rows == nil {
			return 0, false
		}
		return *of.Rows, true
	}
	n, known = c.facts.Rows[file]
	return n, known
}

// staysHome reports whether the repo's data are not pushed, so that files may be missing.
func (c *checker) staysHome() bool {
	return c.repo.Status == release.Pending || c.repo.Status == release.Withheld
}

// dataFiles lists the files of a tree that look like data: by their extension, in whatever case, and not hidden.
func dataFiles(tree []release.TreeFile) []string {
	var files []string
	for _, file := range tree {
		if !file.Symlink() && extension(file.Path) != "" && !isHidden(file.Path) {
			files = append(files, file.Path)
		}
	}
	return files
}

// claimed are the files that belong to a split.
func claimed(configs []release.Config) map[string]bool {
	files := map[string]bool{}
	for _, config := range configs {
		for _, split := range config.Splits {
			for _, file := range split.Files {
				files[file] = true
			}
		}
	}
	return files
}

// extension is the first dot-part of a file's name that the loader knows, in whatever case: .jsonl of train.jsonl.gz.
func extension(file string) string {
	for _, ext := range suffixes(file) {
		if strings.EqualFold(ext, ".zip") || release.Builder([]string{"x" + ext}) != "" {
			return ext
		}
	}
	return ""
}

// suffixes are all the dot-parts of a file's name; every one of them counts for the loader.
func suffixes(file string) []string {
	parts := strings.Split(path.Base(file), ".")[1:]
	for i, part := range parts {
		parts[i] = "." + part
	}
	return parts
}

// isLoaded reports whether the loader takes a file by its extension. It knows the extensions in lower case, those of
// media in upper case too.
func isLoaded(file string) bool {
	return slices.ContainsFunc(suffixes(file), func(ext string) bool {
		if extension("x"+ext) == "" {
			return false
		}
		return ext == strings.ToLower(ext) || ext == strings.ToUpper(ext) && isMediaFolder(release.Builder([]string{"x" + ext}))
	})
}

// isHidden reports whether the loader passes over a file for its name or that of a folder above it, unless a pattern names
// it.
func isHidden(file string) bool {
	folder, name := path.Split(file)
	switch name {
	case "README.md", "config.json", "dataset_info.json", "dataset_infos.json", "dummy_data.zip", "dataset_dict.json":
		return true
	}
	return strings.HasPrefix(name, ".") || strings.HasPrefix(folder, ".") || strings.HasPrefix(folder, "__") ||
		strings.Contains(folder, "/.") || strings.Contains(folder, "/__")
}

// noData reports a data set without any data file. A card alone is fine where the data are not out yet.
func (c *checker) noData() {
	if c.repo.Type == release.Model || c.staysHome() || slices.ContainsFunc(c.data, isLoaded) {
		return
	}
	for _, config := range c.repo.Configs {
		for _, split := range config.Splits {
			if len(split.Patterns) > 0 || len(split.Files) > 0 {
				return // the patterns are reported
			}
		}
	}
	f := finding.New(finding.LoaderNoData, "the folder holds no data files: load_dataset fails on it")
	switch {
	case len(c.data) > 0:
		f = f.Hinting("load_dataset knows extensions in lower case only: rename %s", c.data[0])
	case c.repo.Declared:
		f = f.Hinting("put data files such as .jsonl, .csv or .parquet into it, or say `status: pending` while only the card is out")
	default:
		f = f.Hinting("put data files such as .jsonl, .csv or .parquet into it")
	}
	c.add(f)
}

// split judges one split of a config.
func (c *checker) split(config *release.Config, at int) {
	split := &config.Splits[at]
	c.patterns(config, split)
	c.twice(config, split)
	c.shards(config, split)
	c.empty(config, at)
	c.arrays(config, split)
	c.field(config, split)
}

// arrays reports files with an array that does not begin with the first byte: the loader then takes them for JSON Lines. It
// passes over a byte order mark in the first file of a split only. And it warns of arrays whose rows the loader does not see.
func (c *checker) arrays(config *release.Config, split *release.Split) {
	if config.Field != nil {
		return
	}
	for i, file := range split.Files {
		form := c.facts.Forms[file]
		if form.Array && form.Wrapped {
			const message = "no row begins within the first 100 bytes of the array: load_dataset takes its elements for texts and puts each into a column named text"
			f := finding.New(finding.LoaderArrayWrapped, message).At(file, form.ArrayLine).OfSplit(config.Name, split.Name)
			c.add(f.Hinting("begin the first row right behind the bracket"))
			continue
		}
		what := "blanks stand"
		if !form.BlankFirst {
			what = "a byte order mark stands"
		}
		if !form.Array || !form.BlankFirst && (!form.BOM || i == 0) {
			continue
		}
		f := finding.New(finding.LoaderArrayPlace, "%s before the bracket of the array: load_dataset takes the file for JSON Lines and fails", what)
		c.add(f.At(file, form.ArrayLine).OfSplit(config.Name, split.Name).Hinting("begin the file with the bracket"))
	}
}

// empty reports a split without rows, and files whose emptiness stops the loader.
func (c *checker) empty(config *release.Config, at int) {
	split := &config.Splits[at]
	if len(split.Files) == 0 {
		c.emptyGuess(config, split)
		return
	}
	var total int64
	counted := true
	for _, file := range split.Files {
		rows, known := c.rows(config, file)
		counted = counted && known
		total += rows
	}
	if counted && total == 0 {
		f := finding.New(finding.LoaderEmptySplit, "split %q has no rows: load_dataset fails on it", split.Name)
		f = f.At(split.Files[0], 0).OfSplit(config.Name, split.Name)
		c.add(f.Hinting("write rows into %s, or take the split out", list(unique(split.Files))))
		return
	}
	for i, file := range unique(split.Files) {
		if rows, known := c.rows(config, file); !known || rows > 0 || c.size(file) > 0 {
			continue
		}
		first := at == 0 && i == 0 && release.Builder([]string{file}) == "json"
		switch {
		case first && config.Features != nil:
			c.add(emptyFile(config, split, file, emptyFirst).As(finding.Warning))
		case first:
			c.add(emptyFile(config, split, file, emptyFirst+" and fails"))
		case release.Builder([]string{file}) == "csv":
			c.add(emptyFile(config, split, file, "the file is empty, without even a header: load_dataset fails on it"))
		}
	}
}

// emptyGuess reports a split that names of files stand for while the loader knows none of their extensions.
func (c *checker) emptyGuess(config *release.Config, split *release.Split) {
	if config.PosFile != "" || len(split.Patterns) > 0 {
		return
	}
	const message = "names of files stand for split %q, and load_dataset knows none of their extensions: it fails"
	f := finding.New(finding.LoaderEmptySplit, message, split.Name).OfSplit(config.Name, split.Name)
	c.add(f.Hinting("list the files of each split in a `configs` block of README.md"))
}

const emptyFirst = "the first file of the first split is empty: load_dataset looks there for the columns"

func emptyFile(config *release.Config, split *release.Split, file, message string) finding.Finding {
	f := finding.New(finding.LoaderEmptySplit, "%s", message).At(file, 0).OfSplit(config.Name, split.Name)
	return f.Hinting("remove the empty file")
}

func (c *checker) size(file string) int64 {
	byPath := func(f release.TreeFile, path string) int { return cmp.Compare(f.Path, path) }
	i, found := slices.BinarySearchFunc(c.repo.Tree, file, byPath)
	if !found {
		return -1
	}
	return c.repo.Tree[i].Size
}

// twice reports files that a split reads more than once.
func (c *checker) twice(config *release.Config, split *release.Split) {
	times := map[string]int{}
	var again []string
	for _, file := range split.Files {
		times[file]++
		if times[file] == 2 {
			again = append(again, file)
		}
	}
	if len(again) == 0 {
		return
	}
	f := finding.New(finding.LoaderFileTwice, "split %q reads %s more than once: its rows are doubled", split.Name, list(again))
	f = f.At(again[0], 0).OfSplit(config.Name, split.Name)
	if len(split.Patterns) == 0 {
		c.add(f.Hinting("two words of its path mean the split: rename it, or list the files in a `configs` block of README.md"))
		return
	}
	c.add(f.Hinting("name each file in one pattern of the split only"))
}

// defaultConfig notes that several configs leave load_dataset without one to take by itself.
func (c *checker) defaultConfig() {
	configs := c.repo.Configs
	isDefault := func(c release.Config) bool { return c.Default || c.Name == "default" }
	if len(configs) < 2 || slices.ContainsFunc(configs, isDefault) {
		return
	}
	const message = "none of the %d configs is the default: load_dataset without a config's name fails"
	f := finding.New(finding.LoaderDefaultConfig, message, len(configs))
	f = f.AtColumn(configs[0].PosFile, configs[0].Pos.Line, configs[0].Pos.Column)
	c.add(f.Hinting("write `default: true` in one of them, %s for example, if most users want it", configs[0].Name))
}

// unique gives the different values of a list, in its order.
func unique(files []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(files), func(file string) bool {
		known := seen[file]
		seen[file] = true
		return known
	})
}

// list names the first files of a list and counts the others.
func list(files []string) string {
	const shown = 20
	if len(files) <= shown {
		return strings.Join(files, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(files[:shown], ", "), len(files)-shown)
}
