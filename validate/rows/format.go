package rows

import (
	"path"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
)

// Kind is how a file writes its rows.
type Kind string

// The kinds of files that are read as rows, and some that the Hub's loader reads and hfpub does not.
const (
	JSONLines Kind = "jsonl"
	JSON      Kind = "json"
	CSV       Kind = "csv"
	TSV       Kind = "tsv"
	Parquet   Kind = "parquet"
	Arrow     Kind = "arrow"
	Text      Kind = "text"
	CoNLL     Kind = "conll"
	Tar       Kind = "tar"
	XML       Kind = "xml"
	HDF5      Kind = "hdf5"
	Eval      Kind = "eval"
	Lance     Kind = "lance"
	TSFile    Kind = "tsfile"
)

// Packing is how a file is compressed as a whole.
type Packing string

// The packings that the Hub's loader unpacks; gz and zst are read here too.
const (
	Plain Packing = ""
	Gzip  Packing = "gz"
	Zstd  Packing = "zst"
	Bzip2 Packing = "bz2"
	LZ4   Packing = "lz4"
	XZ    Packing = "xz"
	Zip   Packing = "zip"
)

// Format is what the name of a file says about its content. The zero Format is that of a name which says nothing.
type Format struct {
	Kind    Kind
	Packing Packing
}

// String writes the format as a suffix: "jsonl", "csv.gz".
func (f Format) String() string {
	if f.Packing == Plain {
		return string(f.Kind)
	}
	return string(f.Kind) + "." + string(f.Packing)
}

// Readable says that Read knows how to find the rows of such a file.
func (f Format) Readable() bool {
	switch f.Packing {
	case Plain, Gzip, Zstd:
	default:
		return false
	}
	switch f.Kind {
	case JSONLines, JSON, CSV, TSV:
		return true
	case Parquet: // is packed inside
		return f.Packing == Plain
	}
	return false
}

// Shareable says that several processes can each read a part of such a file.
func (f Format) Shareable() bool { return f.Readable() && f.Packing == Plain && f.Kind != Parquet }

// either picks the code of the format's area.
func (f Format) either(json, csv finding.Code) finding.Code {
	if f.Kind == CSV || f.Kind == TSV {
		return csv
	}
	return json
}

// suffixes are the last parts of file names that the Hub's loader goes by.
var suffixes = map[string]Kind{
	"jsonl": JSONLines, "ndjson": JSONLines, "json": JSON, "csv": CSV, "tsv": TSV,
	"parquet": Parquet, "geoparquet": Parquet, "gpq": Parquet, "arrow": Arrow, "txt": Text, "conll": CoNLL, "conllu": CoNLL,
	"tar": Tar, "xml": XML, "hdf5": HDF5, "h5": HDF5, "eval": Eval, "lance": Lance, "tsfile": TSFile,
}

// FormatOf tells the format of a file from its last suffixes, in capitals or not: data/train.jsonl.gz is packed JSON
// Lines. Where they say nothing, any part before them does, as for the Hub's loader: train.json.bak is JSON. ok is false when no
// part of the name does.
func FormatOf(name string) (format Format, ok bool) {
	name, suffix := cutSuffix(strings.ToLower(path.Base(name)))
	switch p := Packing(suffix); p {
	case Gzip, Zstd, Bzip2, LZ4, XZ, Zip:
		format.Packing = p
		_, suffix = cutSuffix(name)
	}
	for {
		if format.Kind, ok = suffixes[suffix]; ok {
			return format, true
		}
		if suffix == "" {
			return Format{}, false
		}
		format.Packing = Plain
		name, suffix = cutSuffix(name)
	}
}

func cutSuffix(name string) (stem, suffix string) {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return name, ""
}
