package loader

import (
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/finding"
)

// oneBuilder reports files in other formats than the one that load_dataset will read the whole repo in. It takes the
// format from the first config: all splits of that must give the same.
func (c *checker) oneBuilder() {
	builder, first := "", ""
	for i := range c.repo.Configs {
		config := &c.repo.Configs[i]
		for j := range config.Splits {
			split := &config.Splits[j]
			own := format(split.Files)
			if builder == "" {
				builder, first = own, place(config, split)
			}
			switch {
			case own == "" || builder == "":
			case own != builder && i == 0:
				c.otherFormat(config, split, "split %q holds %s files, and %s %s files: load_dataset refuses a config of two formats",
					split.Name, own, first, builder)
			case own != builder && isTable(own) && isTable(builder):
				c.otherSeparator(config, split, own, builder)
			case own != builder:
				c.otherFormat(config, split, "split %q holds %s files, and %s %s files: load_dataset reads all configs as %s",
					split.Name, own, first, builder, builder)
			case len(split.Patterns) > 0:
				c.strays(config, split, own)
			}
		}
	}
}

// format is the builder of a split's files; tab-separated files are told from comma-separated ones, since the separator is
// the same for all files too.
func format(files []string) string {
	builder := release.Builder(files)
	if builder == "csv" && !slices.ContainsFunc(files, func(file string) bool { return extension(file) != ".tsv" }) {
		return "tsv"
	}
	return builder
}

func isTable(format string) bool { return format == "csv" || format == "tsv" }

func place(config *release.Config, split *release.Split) string {
	return "split " + config.Name + "/" + split.Name
}

func (c *checker) otherFormat(config *release.Config, split *release.Split, message string, args ...any) {
	f := finding.New(finding.LoaderOneBuilder, message, args...).At(split.Files[0], 0).OfSplit(config.Name, split.Name)
	c.add(f.Hinting("bring all files into one format, or put them into a repo of their own"))
}

// otherSeparator warns of tables that are read with the separator of the first config, unless the config says its own.
func (c *checker) otherSeparator(config *release.Config, split *release.Split, own, builder string) {
	if says(config.Node, "sep") || says(config.Node, "delimiter") {
		return
	}
	const message = "split %q holds %s files, and the first config %s files: load_dataset reads them with the wrong separator"
	f := finding.New(finding.LoaderOneBuilder, message, split.Name, own, builder)
	c.add(f.As(finding.Warning).At(split.Files[0], 0).OfSplit(config.Name, split.Name).
		Hinting(`write sep: "," or sep: "\t" in each config`))
}

func says(config *yaml.Node, key string) bool {
	k, _ := strictyaml.Lookup(config, key)
	return k != nil
}

// strays reports the files that a split's patterns match and whose extension is another format's than the split's. In media
// folders tables are metadata.
func (c *checker) strays(config *release.Config, split *release.Split, own string) {
	var strays []string
	for _, file := range unique(split.Files) {
		other := format([]string{file})
		if other == "" || other == own || isTable(other) && isTable(own) || isMediaFolder(own) || holds(file, own) {
			continue
		}
		strays = append(strays, file)
	}
	if len(strays) == 0 {
		return
	}
	f := finding.New(finding.LoaderOneBuilder, "split %q is read as %s, and %s is not", split.Name, own, list(strays))
	f = f.At(strays[0], 0).OfSplit(config.Name, split.Name)
	c.add(f.Hinting("narrow the split's patterns so that they match files of one format"))
}

func isMediaFolder(format string) bool {
	switch format {
	case "imagefolder", "audiofolder", "videofolder", "pdffolder", "niftifolder", "meshfolder":
		return true
	}
	return false
}

// holds reports whether any dot-part of a file's name belongs to a format: train.json.txt is read as either.
func holds(file, format string) bool {
	return slices.ContainsFunc(suffixes(file), func(ext string) bool { return release.Builder([]string{"x" + ext}) == format })
}
