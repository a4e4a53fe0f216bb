// Package manifest writes the first hfpub.yaml of a data set folder that has none.
//
// [Text] says what the folder is read as today: the configs of its README.md, else the splits that the names of its files
// stand for, a whole set of shards as one pattern; license, pretty name, languages, tags and tasks from the front
// matter. Comments say what each part is for. What would be no valid hfpub.yaml is left out: a language that the Hub does
// not take stays in README.md, where validate speaks of it.
package manifest

import (
	"slices"
	"strings"
	"unicode"

	"github.com/hfpub/hfpub/cards"
	"github.com/hfpub/hfpub/cards/yamlout"
	"github.com/hfpub/hfpub/schemas/frontmatter"
	"github.com/hfpub/hfpub/schemas/release"
)

// Input is what an hfpub.yaml is made of.
type Input struct {
	// Repo is the folder as it is read without hfpub.yaml, its ID the name of the folder.
	Repo *release.Repo
	// README is README.md as it stands, nil where there is none.
	README []byte
	// LicenseFile is a license file and FileLicense the Hub's id of the license in it, for a README.md that names none.
	LicenseFile, FileLicense string
	// ID is the repo's id on the Hub; "" for a guess.
	ID string
	// Schemas are the paths of the JSON Schemas relative to the folder, by the name of the config whose rows they are for.
	Schemas map[string]string
}

// Text writes the hfpub.yaml. It does not depend on anything but its input.
func Text(in Input) []byte {
	w := &writer{}
	w.line("", "# What this release is. hfpub init wrote it from what is in this folder; from now on it is yours to edit.")
	w.line("", "# hfpub validate holds the data to it, hfpub card writes README.md from it, hfpub push sends the folder.")
	w.line("", "version: 1")
	w.line("", "release:")
	w.text("  ", "name", in.Repo.ID, "")
	w.line("  ", "version: 0.1.0"+note("raise it with each change of the data"))
	w.line("", "repos:")
	w.repo(in)
	return []byte(w.String())
}

// GuessID is the id of a repo whose owner nobody has named: you/ and the folder's name, made fit for the Hub.
func GuessID(folder string) string {
	name := strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '.') {
			return r
		}
		return '-'
	}, folder)
	for _, pair := range []string{"--", "..", "-.", ".-"} {
		for strings.Contains(name, pair) {
			name = strings.ReplaceAll(name, pair, "-")
		}
	}
	const longest = 96
	name = strings.Trim(name[:min(len(name), longest)], "-.")
	id := "you/" + strings.TrimSuffix(name, ".git")
	if release.CheckRepoID(id) != "" {
		return "you/dataset"
	}
	return id
}

// indent is that of the keys of the repo, splitIndent that of the list of splits.
const (
	indent      = "    "
	splitIndent = indent + "      "
)

// writer writes lines of YAML.
type writer struct{ strings.Builder }

func (w *writer) line(indent, text string) { w.WriteString(indent + text + "\n") }

// text writes a key and a text, and a comment behind them.
func (w *writer) text(indent, key, value, comment string) {
	w.line(indent, key+": "+yamlout.Text(value)+note(comment))
}

// list writes a key and a list of texts; nothing for an empty one.
func (w *writer) list(indent, key string, values []string) {
	if len(values) > 0 {
		w.line(indent, key+":")
	}
	for _, v := range values {
		w.line(indent, "  - "+yamlout.Text(v))
	}
}

func note(comment string) string {
	if comment == "" {
		return ""
	}
	return "  # " + comment
}

func (w *writer) repo(in Input) {
	if in.ID != "" {
		w.text("  - ", "id", in.ID, "the repo's name on the Hub")
	} else {
		w.text("  - ", "id", GuessID(in.Repo.ID), "the repo's name on the Hub: put your name, or your organisation's, in place of you")
	}
	w.line(indent, "type: dataset")
	w.line(indent, "status: public"+note("public | pending (only the card is pushed) | withheld (nothing is)"))
	w.line(indent, "root: ."+note("the folder of the repo's files, relative to hfpub.yaml"))
	matter, _ := frontmatter.Read(cards.ReadmePath, in.README)
	w.license(in, matter)
	w.card(matter)
	w.configs(in)
}

// license writes the license of README.md, else that of a license file. hfpub.yaml holds one: of several in README.md none is
// taken, and they stay there.
func (w *writer) license(in Input, matter *frontmatter.Matter) {
	licenses := texts(matter, "license")
	key, _ := matter.Get("license")
	switch {
	case len(licenses) == 1:
		w.text(indent, "license", licenses[0], "")
	case key == nil && in.FileLicense != "":
		w.text(indent, "license", in.FileLicense, "as "+in.LicenseFile+" says")
	case key == nil:
		w.line(indent, "# license: cc-by-4.0"+note("nothing here says yet on which terms people may use the data"))
	}
	if len(licenses) != 1 || licenses[0] != "other" {
		return
	}
	for _, key := range []string{"license_name", "license_link"} {
		if value, ok := matter.String(key); ok && value != "" {
			w.text(indent, key, value, "")
		}
	}
}

// card writes the keys that hfpub.yaml and the head of README.md share.
func (w *writer) card(matter *frontmatter.Matter) {
	var lines writer
	if name, ok := matter.String("pretty_name"); ok && name != "" {
		lines.text(indent+"  ", "pretty_name", name, "")
	}
	languages := texts(matter, "language")
	if !slices.ContainsFunc(languages, func(code string) bool { return !release.IsLanguage(code) }) {
		lines.list(indent+"  ", "language", languages)
	}
	lines.list(indent+"  ", "tags", texts(matter, "tags"))
	lines.list(indent+"  ", "task_categories", texts(matter, "task_categories"))
	if lines.Len() > 0 {
		w.line(indent, "card:"+note("goes into the head of README.md"))
		w.WriteString(lines.String())
		return
	}
	w.line(indent, "# card:"+note("goes into the head of README.md"))
	w.line(indent, "#   pretty_name: My Data Set")
	w.line(indent, "#   language: [en]")
	w.line(indent, "#   task_categories: [text-generation]")
}

// texts are the texts of a key of the front matter; none where some value is no text, or empty.
func texts(matter *frontmatter.Matter, key string) []string {
	values, ok := matter.Strings(key)
	if !ok || slices.Contains(values, "") {
		return nil
	}
	return values
}

// configs writes the configs that have files. Without one the repo stays as the Hub would read it.
func (w *writer) configs(in Input) {
	var configs []release.Config
	for _, config := range in.Repo.Configs {
		config.Splits = slices.DeleteFunc(slices.Clone(config.Splits), func(s release.Split) bool { return len(patterns(in.Repo, &s)) == 0 })
		if len(config.Splits) > 0 {
			configs = append(configs, config)
		}
	}
	if len(configs) == 0 {
		return
	}
	w.line(indent, "configs:"+note("as load_dataset reads the folder today; paths and patterns are relative to root"))
	for _, config := range configs {
		w.text(indent+"  - ", "name", config.Name, "")
		if config.Default && len(configs) > 1 {
			w.line(indent+"    ", "default: true"+note("what load_dataset takes when no config is named"))
		}
		w.line(indent+"    ", "splits:")
		for i, split := range config.Splits {
			w.text(splitIndent+"- ", "name", split.Name, "")
			w.list(splitIndent+"  ", "files", patterns(in.Repo, &split))
			w.schema(in.Schemas[config.Name], i == 0)
		}
	}
}

// schema writes the path of a config's schema, with what it is where it stands first.
func (w *writer) schema(path string, first bool) {
	switch {
	case path == "":
	case first:
		w.text(splitIndent+"  ", "schema", path, "a draft from the data: edit it into what is promised")
	default:
		w.text(splitIndent+"  ", "schema", path, "")
	}
}

// patterns are what a split's `files` says: the patterns of README.md as they stand there, else those of its files. A file
// that two words of its path put into the split is listed once.
func patterns(repo *release.Repo, split *release.Split) []string {
	if len(split.Patterns) > 0 {
		return split.Patterns
	}
	var files []string
	seen := map[string]bool{}
	for _, file := range split.Files {
		if !seen[file] {
			files = append(files, file)
		}
		seen[file] = true
	}
	return cards.Patterns(repo, files)
}
