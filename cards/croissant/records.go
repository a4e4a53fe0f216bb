package croissant

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/rows"
)

// severals is one text, or a list of them.
type severals []string

// MarshalJSON writes a single text without a list around it.
func (s severals) MarshalJSON() ([]byte, error) {
	if len(s) == 1 {
		return marshal(s[0])
	}
	return marshal([]string(s))
}

// marshal is json.Marshal with <, > and & as they are.
func marshal(value any) ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return []byte(strings.TrimSuffix(b.String(), "\n")), err
}

func bytesOf(n int64) string { return strconv.FormatInt(n, 10) + " B" }

// table is what becomes one record set of rows: a config, or one split of it where the paths of files do not tell the splits
// apart.
type table struct {
	config, name string
	splits       []validate.Split
	features     column.Features
	// kinds are the kinds of values of every field, by its pointer.
	kinds map[string][]column.KindCount
	files fileList
	// encoding is that of all files; the zero encoding where they have several, or there are none.
	encoding encoding
	// bySplit finds the split in a path, "" where it is not told by it.
	bySplit string
	// fileSet is the id of the files in the document.
	fileSet string
}

// fileList is the files of a table, each once, with a name and a description for them.
type fileList struct {
	name, about string
	list        []validate.File
}

// tables cuts a config into tables.
func tables(config validate.Config) []*table {
	whole := newTable(config, config.Splits)
	whole.files.name = "config-" + config.Name
	whole.files.about = fmt.Sprintf("The data files of config %s.", config.Name)
	whole.bySplit = splitPattern(config.Splits)
	if whole.bySplit != "" || len(config.Splits) < 2 {
		return []*table{whole}
	}
	var out []*table
	for i, split := range config.Splits {
		t := newTable(config, config.Splits[i:i+1])
		t.name = config.Name + "_" + split.Name
		t.files.name = "config-" + config.Name + "-split-" + split.Name
		t.files.about = fmt.Sprintf("The data files of split %s of config %s.", split.Name, config.Name)
		out = append(out, t)
	}
	return out
}

func newTable(config validate.Config, splits []validate.Split) *table {
	t := &table{
		config: config.Name, name: config.Name, splits: splits, features: config.Features, kinds: map[string][]column.KindCount{},
	}
	for _, field := range config.Fields {
		t.kinds[field.Pointer] = field.Kinds
	}
	seen := map[string]bool{}
	for _, split := range splits {
		for _, file := range split.Files {
			if !seen[file.Path] {
				seen[file.Path] = true
				t.files.list = append(t.files.list, file)
			}
		}
	}
	t.encoding = common(t.files.list)
	return t
}

// common is the encoding of all files, the zero encoding where they have several. A lone object is a JSON Line among others.
func common(files []validate.File) encoding {
	var out encoding
	lines := encoding{format: formats[rows.JSONLines]}
	for i, file := range files {
		switch e := encodingOf(file); {
		case i == 0:
			out = e
		case e == lines && out == loneObject, e == loneObject && out == lines:
			out = lines
		case e != out:
			return encoding{}
		}
	}
	return out
}

// recordSet is a set of rows, or the list of a config's splits.
type recordSet struct {
	Type        string              `json:"@type"`
	ID          string              `json:"@id"`
	Name        string              `json:"name"`
	Description string              `json:"description"`
	DataType    string              `json:"dataType,omitempty"`
	Key         *ref                `json:"key,omitempty"`
	Field       []field             `json:"field"`
	Data        []map[string]string `json:"data,omitempty"`
}

// recordSets lists, config by config, the splits and the rows.
func (b *builder) recordSets(byConfig [][]*table) []recordSet {
	var out []recordSet
	for i, config := range b.in.Measured.Configs {
		if len(config.Splits) == 0 {
			continue
		}
		splits := b.splitsOf(config)
		out = append(out, splits)
		for _, t := range byConfig[i] {
			if set, ok := b.rowsOf(t, splits.Field[0].ID); ok {
				out = append(out, set)
			}
		}
	}
	return out
}

func (b *builder) splitsOf(config validate.Config) recordSet {
	id := b.ids.claim("", config.Name+"_splits", false)
	name := field{Type: "cr:Field", ID: b.ids.claim(id, "split_name", false), Name: "split_name", DataType: "sc:Text"}
	set := recordSet{
		Type: "cr:RecordSet", ID: id, Name: config.Name + "_splits", Description: fmt.Sprintf("The splits of config %s.", config.Name),
		DataType: "cr:Split", Key: &ref{name.ID}, Field: []field{name},
	}
	for _, split := range config.Splits {
		set.Data = append(set.Data, map[string]string{name.ID: split.Name})
	}
	return set
}

// rowsOf describes the rows of a table; ok is false where no field of them is known.
func (b *builder) rowsOf(t *table, splitNames string) (set recordSet, ok bool) {
	if t.fileSet == "" || len(t.features) == 0 {
		return recordSet{}, false
	}
	name := t.name
	if name == b.in.name() {
		name = "record_set_" + name // as on the Hub, where the data set has the name itself
	}
	set = recordSet{Type: "cr:RecordSet", ID: b.ids.claim("", name, false), Name: name}
	if t.bySplit != "" {
		set.Field = append(set.Field, field{
			Type: "cr:Field", ID: b.ids.claim(set.ID, "split", false), Name: "split", Description: "The split that the row belongs to.",
			DataType: "sc:Text",
			Source: &source{
				FileSet: ref{t.fileSet}, Extract: extract{FileProperty: "fullpath"}, Transform: &transform{Regex: t.bySplit},
			},
			References: &references{ref{splitNames}},
		})
	}
	fields := fieldReader{ids: b.ids, table: t}
	for _, feature := range t.features {
		if f, ok := fields.column(set.ID, feature); ok {
			set.Field = append(set.Field, f)
		}
	}
	set.Description = describe(t, fields.left)
	return set, len(set.Field) > 0
}

// describe says what a table holds, and which of its columns are left out because Croissant has no type for them.
func describe(t *table, left []string) string {
	var counts []string
	for _, split := range t.splits {
		if split.Rows != nil {
			counts = append(counts, split.Name+" ("+plural(*split.Rows, "row")+")")
		} else {
			counts = append(counts, split.Name)
		}
	}
	noun := "Splits"
	if len(counts) == 1 {
		noun = "Split"
	}
	out := fmt.Sprintf("Config %s. %s: %s.", t.config, noun, strings.Join(counts, ", "))
	if len(left) > 0 {
		out += " Left out, since Croissant has no type for them: " + strings.Join(left, ", ") + "."
	}
	return out
}

func plural(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.FormatInt(n, 10) + " " + noun
}
