package loader

import (
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/parquet"
)

// maxRowGroup is the size in bytes, unpacked, of the largest row group that the Hub's viewer shows rows of when the file has
// no page index: 286.10 MiB, as its error says ("Rows from parquet row groups are too big to be read"; the check stands in
// libcommon/parquet_utils.py of huggingface/dataset-viewer).
const maxRowGroup = 300_000_000

// parquetFiles judges what the footers of a config's Parquet files say, the first file of the first split before all others:
// load_dataset takes the columns from there, and the viewer does too.
func (c *checker) parquetFiles(config *release.Config) {
	first := ""
	seen := map[string]bool{}
	for i := range config.Splits {
		split := &config.Splits[i]
		for _, file := range split.Files {
			schema := c.facts.Parquet[file]
			if schema == nil || seen[file] {
				continue
			}
			seen[file] = true
			c.rowGroups(config, split, file, schema)
			c.unloadable(config, split, file, schema, first == "")
			if first == "" {
				first = file
				continue
			}
			c.sameColumns(config, split, file, first)
		}
	}
}

// sameColumns compares a file with the first one: what is new in it, what is missing, and what has another type.
func (c *checker) sameColumns(config *release.Config, split *release.Split, file, first string) {
	report := func(severity finding.Severity, hint, format string, args ...any) {
		f := finding.New(finding.LoaderParquetSchemas, format, args...).As(severity).At(file, 0).OfSplit(config.Name, split.Name)
		c.add(f.Hinting("%s", hint))
	}
	declared := config.Features != nil
	want, has := c.facts.Parquet[first].Fields, c.facts.Parquet[file].Fields
	missing, added := absent(want, has), absent(has, want)
	const sameSchema = "write all files of the config with one schema"
	switch {
	case len(added) > 0 && len(missing) > 0:
		report(finding.Error, sameSchema, "column %s is missing and column %s is new, compared with %s: load_dataset fails",
			list(missing), list(added), first)
	case len(added) > 0:
		report(finding.Error, sameSchema, "column %s is new, compared with %s: load_dataset fails", list(added), first)
	case len(missing) > 0:
		report(finding.Warning, sameSchema, "column %s is missing, compared with %s: load_dataset fills in null, and the viewer fails",
			list(missing), first)
	}
	for _, f := range has {
		i := slices.IndexFunc(want, func(w parquet.Field) bool { return w.Name == f.Name })
		if i < 0 || f.Type.Equal(want[i].Type) {
			continue
		}
		severity, what := casting(f.Type, want[i].Type)
		if declared && severity == finding.Error {
			severity, what = finding.Warning, "load_dataset casts both to the declared feature, and the viewer fails"
		}
		report(severity, "write the column with one type in all files of the config",
			"column %s is %s, and %s in %s: %s", f.Name, f.Type, want[i].Type, first, what)
	}
}

// absent lists the columns of one file that another does not have.
func absent(of, in []parquet.Field) []string {
	var names []string
	for _, f := range of {
		if !slices.ContainsFunc(in, func(g parquet.Field) bool { return g.Name == f.Name }) {
			names = append(names, f.Name)
		}
	}
	return names
}

// casting says what becomes of values of one type where the first file has another.
func casting(from, to parquet.Type) (finding.Severity, string) {
	switch {
	case widens(from.Name, to.Name) || from.Name == "null":
		return finding.Warning, "load_dataset casts it, and the viewer fails"
	case sameButForm(from, to):
		return finding.Warning, "load_dataset casts it, and the viewer may fail"
	}
	return finding.Error, "load_dataset fails, or loads other values, and the viewer fails"
}

// sameButForm says that two types hold the same values in another form: string and large_string, list and large_list.
func sameButForm(a, b parquet.Type) bool {
	form := strings.NewReplacer("large_", "", "fixed_size_list", "list", "_view", "")
	if form.Replace(a.Name) != form.Replace(b.Name) || len(a.Fields) != len(b.Fields) {
		return false
	}
	for i := range a.Fields {
		x, y := a.Fields[i], b.Fields[i]
		if a.Name == "struct" && x.Name != y.Name || !x.Type.Equal(y.Type) && !sameButForm(x.Type, y.Type) {
			return false
		}
	}
	return a.Length == b.Length || a.Length == 0 || b.Length == 0
}

// widens says that every value of one type of numbers is one of another.
func widens(from, to string) bool {
	wider := map[string][]string{
		"int8":    {"int16", "int32", "int64", "float32", "float64"},
		"int16":   {"int32", "int64", "float32", "float64"},
		"int32":   {"int64", "float64"},
		"uint8":   {"uint16", "uint32", "uint64", "int16", "int32", "int64", "float32", "float64"},
		"uint16":  {"uint32", "uint64", "int32", "int64", "float32", "float64"},
		"uint32":  {"uint64", "int64", "float64"},
		"float16": {"float32", "float64"},
		"float32": {"float64"},
	}
	return slices.Contains(wider[from], to)
}

// unloadable reports the columns for whose type load_dataset has no feature, where it looks for one: in the first file.
func (c *checker) unloadable(config *release.Config, split *release.Split, file string, schema *parquet.Schema, first bool) {
	if !first || config.Features != nil {
		return
	}
	for _, f := range column.Unloadable(*schema) {
		const message = "column %s is of the type %s, or holds it, for which load_dataset has no feature: it fails"
		f := finding.New(finding.LoaderParquetType, message, f.Name, f.Type.Dtype).At(file, 0).OfSplit(config.Name, split.Name)
		c.add(f.Hinting("write a map as a list of structs with key and value, and bytes as binary"))
	}
}

// rowGroups reports row groups of which the viewer cannot show rows.
func (c *checker) rowGroups(config *release.Config, split *release.Split, file string, schema *parquet.Schema) {
	if schema.Stats.Largest <= maxRowGroup || schema.Stats.PageIndex {
		return
	}
	const message = "a row group has %d bytes unpacked: without a page index the viewer shows rows of at most %d"
	f := finding.New(finding.LoaderParquetRowGroup, message, schema.Stats.Largest, int64(maxRowGroup)).At(file, 0).OfSplit(config.Name, split.Name)
	c.add(f.Hinting("write smaller row groups (row_group_size), or a page index (write_page_index=True)"))
}
