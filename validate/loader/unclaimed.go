package loader

import (
	"fmt"
	"path"
	"strings"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
)

// description is a data set's Croissant document. Configs keep the loader away from it; without any it may be taken for data.
const description = "croissant.json"

// unclaimed reports data files that belong to no split: everybody can download them, nobody gets them from load_dataset.
// A file of the same kind and folder as a split's files was most likely meant for one; a table elsewhere is worth a
// warning; what may well be a manifest or a list of checksums is worth a note.
func (c *checker) unclaimed() {
	if c.repo.Type == release.Model || len(c.repo.Configs) == 0 {
		return
	}
	type kind struct{ folder, extension string }
	kinds := map[kind]bool{}
	for file := range c.claimed {
		kinds[kind{path.Dir(file), extension(file)}] = true
	}
	schemas := c.schemas()
	var rows, side []string
	for _, file := range c.data {
		switch {
		case c.claimed[file] || schemas[file] || file == description && !c.isGuessed():
		case kinds[kind{path.Dir(file), extension(file)}] || isRowsOnly(extension(file)):
			rows = append(rows, file)
		case isMaybeSide(extension(file)):
			side = append(side, file)
		}
	}
	if len(rows) > 0 {
		f := finding.New(finding.LoaderUnclaimedFile, "%s", neverLoaded(rows)).At(rows[0], 0)
		them := "it"
		if len(rows) > 1 {
			them = "them"
		}
		if c.isGuessed() {
			f = f.Hinting("without configs, splits are guessed from file names: list %s in a `configs` block of README.md", them)
		} else {
			f = f.Hinting("list %s in a split of the configs, or take %s out", them, them)
		}
		c.add(f)
	}
	if len(side) > 0 {
		f := finding.New(finding.LoaderUnclaimedFile, "%s", neverLoaded(side)).At(side[0], 0)
		c.add(f.As(finding.Note).Hinting("right for manifests, checksums and the like; data belong into a split"))
	}
}

func neverLoaded(files []string) string {
	if len(files) == 1 {
		return files[0] + " belongs to no split and is never loaded"
	}
	return fmt.Sprintf("%d files belong to no split and are never loaded: %s", len(files), list(files))
}

// isGuessed reports whether the splits were found by the names of files, for want of configs.
func (c *checker) isGuessed() bool {
	for _, config := range c.repo.Configs {
		if config.PosFile != "" {
			return false
		}
	}
	return true
}

// schemas are the JSON Schemas of splits that lie in the repo's own folder.
func (c *checker) schemas() map[string]bool {
	schemas := map[string]bool{}
	for _, config := range c.repo.Configs {
		for _, split := range config.Splits {
			if split.Schema == "" {
				continue
			}
			for _, file := range c.data {
				if path.Join(c.repo.Root, file) == path.Clean(split.Schema) {
					schemas[file] = true
				}
			}
		}
	}
	return schemas
}

// isRowsOnly reports whether an extension is used for rows and nothing else.
func isRowsOnly(ext string) bool {
	switch strings.ToLower(ext) {
	case ".jsonl", ".ndjson", ".parquet", ".geoparquet", ".arrow", ".lance", ".conll", ".conllu":
		return true
	}
	return false
}

// isMaybeSide reports whether an extension is used for rows and for other things.
func isMaybeSide(ext string) bool {
	switch strings.ToLower(ext) {
	case ".json", ".csv", ".tsv", ".txt":
		return true
	}
	return false
}
