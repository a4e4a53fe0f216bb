package croissant

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/rows"
)

// hub is the address of the Hub, under which its data sets are known everywhere.
const hub = "https://huggingface.co/"

// resource is a FileObject or a FileSet.
type resource struct {
	Type           string   `json:"@type"`
	ID             string   `json:"@id"`
	Name           string   `json:"name"`
	Description    string   `json:"description,omitempty"`
	ContainedIn    *ref     `json:"containedIn,omitempty"`
	ContentURL     string   `json:"contentUrl,omitempty"`
	ContentSize    string   `json:"contentSize,omitempty"`
	EncodingFormat string   `json:"encodingFormat"`
	SHA256         string   `json:"sha256,omitempty"`
	Includes       severals `json:"includes,omitempty"`
}

// repoFile describes the repo itself. A git repo has no checksum; the validator asks for one all the same, and the Hub and
// Croissant's own examples give the address of the issue about it.
func (b *builder) repoFile() resource {
	return resource{
		Type: "cr:FileObject", ID: b.ids.claim("", "repo", false), Name: "repo", Description: "The Hugging Face git repository.",
		ContentURL: hub + "datasets/" + b.in.Repo.ID, EncodingFormat: "git+https",
		SHA256: "https://github.com/mlcommons/croissant/issues/80",
	}
}

// distribution lists the repo, every data file once, and the set of files behind every record set. A plain folder has no
// address yet: its files lie beside the document.
func (b *builder) distribution(tables []*table) []resource {
	var out []resource
	var repo *ref
	if b.in.Repo.Declared {
		out = append(out, b.repoFile())
		repo = &ref{out[0].ID}
	}
	seen := map[string]bool{}
	for _, config := range b.in.Measured.Configs {
		for _, split := range config.Splits {
			for _, file := range split.Files {
				if !seen[file.Path] {
					seen[file.Path] = true
					out = append(out, b.fileObject(file))
				}
			}
		}
	}
	for _, t := range tables {
		if t.encoding.format == "" {
			continue
		}
		t.fileSet = b.ids.claim("", "files-for-"+t.files.name, false)
		out = append(out, resource{
			Type: "cr:FileSet", ID: t.fileSet, Name: t.fileSet, Description: t.files.about, ContainedIn: repo,
			EncodingFormat: t.encoding.format, Includes: b.includes(t),
		})
	}
	return out
}

func (b *builder) fileObject(file validate.File) resource {
	return resource{
		Type: "cr:FileObject", ID: b.ids.claim("", file.Path, true), Name: path.Base(file.Path), ContentURL: b.in.address(file.Path),
		ContentSize: bytesOf(file.Bytes), EncodingFormat: encodingOf(file).format, SHA256: file.SHA256,
	}
}

// address is where a file is found: on the Hub, or beside the document.
func (in *Input) address(file string) string {
	relative := (&url.URL{Path: file}).String()
	if !in.Repo.Declared {
		return relative
	}
	return hub + "datasets/" + in.Repo.ID + "/resolve/main/" + strings.TrimPrefix(relative, "./")
}

// encoding is how the rows of a file are written, and the JSONPath of one row where a column cannot be named alone.
type encoding struct{ format, row string }

// encodingOf tells the encoding of a file. Readers unpack gzip by the file's name and then go by the encoding, so that of a
// gzipped file is its content's; any other packing they do not unpack.
func encodingOf(file validate.File) encoding {
	format, ok := rows.FormatOf(file.Path)
	if !ok {
		return encoding{format: "application/octet-stream"}
	}
	if packed := packings[format.Packing]; packed != "" {
		return encoding{format: packed}
	}
	if file.Under != nil {
		return encoding{"application/json", joined("$", *file.Under) + "[*]"}
	}
	if format.Kind == rows.JSON {
		return jsonEncoding(file)
	}
	if known := formats[format.Kind]; known != "" {
		return encoding{format: known}
	}
	return encoding{format: "application/octet-stream"}
}

// loneObject is a JSON file that holds one row.
var loneObject = encoding{"application/json", "$"}

// jsonEncoding tells a JSON array from one object and from JSON Lines under the name of JSON.
func jsonEncoding(file validate.File) encoding {
	switch {
	case file.Array:
		return encoding{"application/json", "$[*]"}
	case file.Rows != nil && *file.Rows == 1:
		return loneObject
	case file.Rows != nil:
		return encoding{format: formats[rows.JSONLines]}
	}
	return encoding{format: "application/json"}
}

// formats are the media types by which Croissant's readers know the kinds of files.
var formats = map[rows.Kind]string{
	rows.JSONLines: "application/jsonlines", rows.CSV: "text/csv", rows.TSV: "text/tab-separated-values",
	rows.Parquet: "application/x-parquet", rows.Text: "text/plain", rows.Tar: "application/x-tar", rows.XML: "application/xml",
}

var packings = map[rows.Packing]string{
	rows.Zstd: "application/zstd", rows.Bzip2: "application/x-bzip2", rows.LZ4: "application/x-lz4", rows.XZ: "application/x-xz",
	rows.Zip: "application/zip",
}

// includes are the patterns of a set of files: those that somebody wrote for its splits where a reader, for whom * goes across
// slashes, finds the same files by them; else every path.
func (b *builder) includes(t *table) severals {
	patterns := b.written(t)
	if len(patterns) > 0 && b.match(patterns, t.files.list) {
		return patterns
	}
	var paths severals
	for _, file := range t.files.list {
		paths = append(paths, strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]").Replace(file.Path))
	}
	return paths
}

// written are the patterns of a table's splits as they are written, nil where some split has none or one with a class of
// characters, which readers understand in different ways.
func (b *builder) written(t *table) severals {
	var out severals
	for _, split := range t.splits {
		patterns := b.patterns[[2]string{t.config, split.Name}]
		if len(patterns) == 0 {
			return nil
		}
		for _, pattern := range patterns {
			if strings.Contains(pattern, "[") {
				return nil
			}
			if pattern = path.Clean(pattern); !slices.Contains(out, pattern) {
				out = append(out, pattern)
			}
		}
	}
	return out
}

// match tells whether patterns find these files in the repo and no others.
func (b *builder) match(patterns []string, files []validate.File) bool {
	want, found := map[string]bool{}, map[string]bool{}
	for _, file := range files {
		want[file.Path] = true
	}
	for _, pattern := range patterns {
		prefix := pattern
		if i := strings.IndexAny(pattern, "*?"); i >= 0 {
			prefix = pattern[:i]
		}
		first, _ := slices.BinarySearch(b.paths, prefix)
		for _, file := range b.paths[first:] {
			if !strings.HasPrefix(file, prefix) {
				break
			}
			if !fnmatch(pattern, file) {
				continue
			}
			if !want[file] {
				return false
			}
			found[file] = true
		}
	}
	return len(found) == len(want)
}

// fnmatch matches as Python's function of this name does where a pattern has no class: * and ? stand for any characters.
func fnmatch(pattern, name string) bool {
	star, behind := -1, 0
	p, n := 0, 0
	for n < len(name) {
		_, size := utf8.DecodeRuneInString(name[n:])
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, behind = p, n
			p++
		case p < len(pattern) && pattern[p] == '?':
			p, n = p+1, n+size
		case p < len(pattern) && pattern[p] == name[n]:
			p, n = p+1, n+1
		case star >= 0:
			_, passed := utf8.DecodeRuneInString(name[behind:])
			behind += passed
			p, n = star+1, behind
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
