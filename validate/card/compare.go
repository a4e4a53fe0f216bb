package card

import (
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/nearest"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/finding"
)

// compareSplits holds the splits of an entry against those that have files. load_dataset does the same, and fails when
// names or row counts differ.
func (c *checker) compareSplits(e entry, splits []splitInfo, config *Config) {
	if splits == nil {
		return
	}
	var listed []string
	for _, s := range splits {
		listed = append(listed, s.name)
		measured := config.split(s.name)
		if measured == nil {
			c.splitWithoutData(e, s, config)
			continue
		}
		c.compareExamples(e, s, measured)
	}
	k, _ := strictyaml.Lookup(e.node, "splits")
	for _, split := range config.Splits {
		if len(split.Files) == 0 || slices.Contains(listed, split.Name) {
			continue
		}
		f := c.report(finding.CardSplitsDiffer, k, e.at+"/splits", "list it, or let `hfpub card` write dataset_info anew",
			"split %q has data%s and is not listed in dataset_info: load_dataset fails", split.Name, inRows(split.Rows))
		*f = f.OfSplit(e.config, split.Name)
	}
}

func inRows(rows *int64) string {
	if rows == nil {
		return ""
	}
	return " (" + countRows(*rows) + ")"
}

func countRows(n int64) string { return fmt.Sprintf("%d %s", n, plural(n, "row", "rows")) }

func (c *checker) splitWithoutData(e entry, s splitInfo, config *Config) {
	hint := "take it out, or let `hfpub card` write dataset_info anew"
	var names []string
	for _, split := range config.Splits {
		names = append(names, split.Name)
	}
	if near, ok := nearest.Word(s.name, names); ok && near != s.name {
		hint = "did you mean " + near + "?"
	}
	f := c.report(finding.CardSplitsDiffer, s.nameNode, s.at+"/name", hint,
		"dataset_info lists split %q, to which no data belongs: load_dataset fails", s.name)
	*f = f.OfSplit(e.config, s.name)
}

// compareExamples holds num_examples against the rows; load_dataset takes a missing one for 0.
func (c *checker) compareExamples(e entry, s splitInfo, measured *Split) {
	if measured.Rows == nil || len(measured.Files) == 0 {
		return
	}
	rows := *measured.Rows
	if s.examples == nil && rows != 0 {
		f := c.report(finding.CardNumExamples, s.node, s.at, fmt.Sprintf("add `num_examples: %d`", rows),
			"split %q has %s and no num_examples: load_dataset takes that for 0 and fails", s.name, countRows(rows))
		*f = f.OfSplit(e.config, s.name)
	}
	if s.examples == nil {
		return
	}
	said, ok := wholeNumber(s.examples)
	if !ok || said == rows {
		return
	}
	f := c.report(finding.CardNumExamples, s.examples, s.at+"/num_examples",
		fmt.Sprintf("write %d; `hfpub card` does it", rows),
		"split %q: num_examples says %d, found %s (difference %+d): load_dataset fails", s.name, said,
		countRows(rows), rows-said)
	*f = f.OfSplit(e.config, s.name)
}

// compareSizes holds the sizes in bytes against what was measured. Sizes in memory depend on the features, so they are
// compared only where the card has none or the same.
func (c *checker) compareSizes(e entry, splits []splitInfo, config *Config, sameTypes bool) {
	var total int64
	sized := sameTypes
	for _, split := range config.Splits {
		if split.NumBytes == nil || len(split.Files) == 0 {
			sized = false
			continue
		}
		total += *split.NumBytes
	}
	for _, s := range splits {
		if measured := config.split(s.name); sameTypes && measured != nil && measured.NumBytes != nil && s.bytes != nil {
			f := c.compareBytes(s.bytes, s.at+"/num_bytes", fmt.Sprintf("num_bytes of split %q", s.name), *measured.NumBytes)
			if f != nil {
				*f = f.OfSplit(e.config, s.name)
			}
		}
	}
	_, size := strictyaml.Lookup(e.node, "dataset_size")
	if size != nil && sized {
		c.compareBytes(size, e.at+"/dataset_size", "dataset_size", total)
	}
	_, download := strictyaml.Lookup(e.node, "download_size")
	if files, ok := config.fileBytes(); download != nil && ok {
		c.compareBytes(download, e.at+"/download_size", "download_size", files)
	}
}

func (c *checker) compareBytes(n *yaml.Node, at, what string, found int64) *finding.Finding {
	said, ok := wholeNumber(n)
	if !ok || said == found {
		return nil
	}
	return c.report(finding.CardBytesDiffer, n, at, fmt.Sprintf("write %d; `hfpub card` does it", found),
		"%s says %d, found %d (difference %+d)", what, said, found, found-said)
}

func (m *Config) split(name string) *Split {
	for i := range m.Splits {
		if m.Splits[i].Name == name {
			return &m.Splits[i]
		}
	}
	return nil
}

// fileBytes sums the sizes of the config's files, each counted once; false when some split could not be read.
func (m *Config) fileBytes() (int64, bool) {
	var total int64
	seen := map[string]bool{}
	for _, split := range m.Splits {
		if split.Rows == nil || len(split.Files) == 0 {
			return 0, false
		}
		for _, file := range split.Files {
			if !seen[file.Path] {
				seen[file.Path] = true
				total += file.Bytes
			}
		}
	}
	return total, true
}
