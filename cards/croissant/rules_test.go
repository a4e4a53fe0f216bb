package croissant

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// rule is something that holds of every valid document. broken lists where it does not.
type rule struct {
	name   string
	broken func(d *document) []string
}

// document is a decoded document with its parts sorted out.
type document struct {
	root map[string]any
	// resources, sets and fields are the objects of each class, fields at any depth; ids counts the ids that are defined.
	resources, sets, fields []map[string]any
	ids                     map[string]int
}

// violations lists what is wrong with a document by the rules of Croissant 1.0 and of its reference validator.
func violations(text []byte) []string {
	var root map[string]any
	if err := json.Unmarshal(text, &root); err != nil {
		return []string{"JSON: " + err.Error()}
	}
	d := newDocument(root)
	var out []string
	for _, r := range rules {
		for _, b := range r.broken(d) {
			out = append(out, r.name+": "+b)
		}
	}
	return out
}

func newDocument(root map[string]any) *document {
	d := &document{root: root, ids: map[string]int{}, resources: objects(root["distribution"]), sets: objects(root["recordSet"])}
	for _, set := range d.sets {
		d.collect(set["field"])
	}
	for _, part := range slices.Concat(d.resources, d.sets, d.fields) {
		d.ids[str(part["@id"])]++
	}
	return d
}

func (d *document) collect(fields any) {
	for _, f := range objects(fields) {
		d.fields = append(d.fields, f)
		d.collect(f["subField"])
	}
}

func objects(value any) []map[string]any {
	list, ok := value.([]any)
	if !ok && value != nil {
		list = []any{value}
	}
	var out []map[string]any
	for _, item := range list {
		object, _ := item.(map[string]any)
		out = append(out, object)
	}
	return out
}

func str(value any) string {
	text, _ := value.(string)
	return text
}

// target is the id that a reference points to, "" where it is no reference.
func target(value any) string {
	object, _ := value.(map[string]any)
	return str(object["@id"])
}

// forEach names the parts of which a condition does not hold.
func forEach(parts []map[string]any, holds func(part map[string]any) bool) []string {
	var out []string
	for _, part := range parts {
		if !holds(part) {
			out = append(out, fmt.Sprintf("%v", part["@id"]))
		}
	}
	return out
}

func ofType(parts []map[string]any, kind string) []map[string]any {
	return slices.DeleteFunc(slices.Clone(parts), func(p map[string]any) bool { return p["@type"] != kind })
}

func (d *document) leaves() []map[string]any {
	return slices.DeleteFunc(slices.Clone(d.fields), func(f map[string]any) bool { return f["subField"] != nil })
}

// inFiles are the leaves that take their values from files: those of record sets without data of their own.
func (d *document) inFiles() []map[string]any {
	inline := map[string]bool{}
	for _, set := range d.sets {
		for _, f := range objects(set["field"]) {
			inline[str(f["@id"])] = set["data"] != nil
		}
	}
	return slices.DeleteFunc(d.leaves(), func(f map[string]any) bool { return inline[str(f["@id"])] })
}

func one(holds bool, says string) []string {
	if holds {
		return nil
	}
	return []string{says}
}

var (
	hex64      = regexp.MustCompile(`^[0-9a-f]{64}$`)
	size       = regexp.MustCompile(`^[0-9]+ B$`)
	known      = []string{"sc:Text", "sc:Boolean", "sc:Integer", "sc:Float", "sc:Date", "sc:DateTime", "sc:Time"}
	newer      = []string{"isArray", "arrayShape", "annotation", "value", "excludes", "readLines", "unArchive", "sdVersion"}
	extracts   = []string{"column", "jsonPath", "fileProperty"}
	transforms = []string{"regex", "jsonPath", "separator", "replace", "format"}
)

// rules are those of the specification, and those that the reference validator adds.
var rules = []rule{
	{"the context is that of Croissant 1.0", func(d *document) []string { return wrongContext(d.root["@context"]) }},
	{"the type is sc:Dataset", func(d *document) []string { return one(d.root["@type"] == "sc:Dataset", "") }},
	{"it conforms to 1.0", func(d *document) []string {
		first := d.root["conformsTo"]
		if list, ok := first.([]any); ok {
			first = list[0]
		}
		return one(first == "http://mlcommons.org/croissant/1.0", fmt.Sprint(first))
	}},
	{"name and description are texts", func(d *document) []string {
		return one(str(d.root["name"]) != "" && str(d.root["description"]) != "", "")
	}},
	{"a license is an address or a CreativeWork", func(d *document) []string {
		switch license := d.root["license"].(type) {
		case nil:
			return nil
		case string:
			return one(isAddress(license), license)
		case map[string]any:
			return one(license["@type"] == "sc:CreativeWork" && str(license["name"]) != "", fmt.Sprint(license))
		}
		return []string{"of another kind"}
	}},
	{"a url is an address", func(d *document) []string {
		return one(d.root["url"] == nil || isAddress(str(d.root["url"])), "")
	}},
	{"creators are persons or organizations", func(d *document) []string {
		var out []string
		for _, c := range objects(d.root["creator"]) {
			known := c["@type"] == "sc:Organization" || c["@type"] == "sc:Person"
			out = append(out, one(known && str(c["name"]) != "", fmt.Sprint(c))...)
		}
		return out
	}},
	{"datePublished is a date", func(d *document) []string {
		if d.root["datePublished"] == nil {
			return nil
		}
		_, err := time.Parse("2006-01-02", str(d.root["datePublished"]))
		return one(err == nil, fmt.Sprint(err))
	}},
	{"ids are unique", func(d *document) []string {
		return slices.DeleteFunc(slices.Sorted(maps.Keys(d.ids)), func(id string) bool { return d.ids[id] == 1 })
	}},
	{"ids are addresses within the document", func(d *document) []string {
		return slices.DeleteFunc(slices.Sorted(maps.Keys(d.ids)), isID)
	}},
	{"every part has a name", func(d *document) []string {
		return forEach(slices.Concat(d.resources, d.sets, d.fields), func(p map[string]any) bool {
			_, ok := p["name"].(string)
			return ok
		})
	}},
	{"distribution has FileObjects and FileSets", func(d *document) []string {
		return forEach(d.resources, func(r map[string]any) bool { return r["@type"] == "cr:FileObject" || r["@type"] == "cr:FileSet" })
	}},
	{"resources have an encoding", func(d *document) []string {
		return forEach(d.resources, func(r map[string]any) bool {
			return strings.Count(str(r["encodingFormat"]), "/")+strings.Count(str(r["encodingFormat"]), "git+https") == 1
		})
	}},
	{"a FileObject has an address", func(d *document) []string {
		return forEach(ofType(d.resources, "cr:FileObject"), func(r map[string]any) bool {
			_, err := url.Parse(str(r["contentUrl"]))
			return err == nil && r["contentUrl"] != nil
		})
	}},
	{"a FileObject has its checksum and size, the repo aside", func(d *document) []string {
		return forEach(ofType(d.resources, "cr:FileObject"), func(r map[string]any) bool {
			if r["encodingFormat"] == "git+https" {
				return str(r["sha256"]) != ""
			}
			return hex64.MatchString(str(r["sha256"])) && size.MatchString(str(r["contentSize"]))
		})
	}},
	{"a FileSet includes something", func(d *document) []string {
		return forEach(ofType(d.resources, "cr:FileSet"), func(r map[string]any) bool {
			list, isList := r["includes"].([]any)
			return str(r["includes"]) != "" || isList && len(list) > 0
		})
	}},
	{"a container is a resource", func(d *document) []string {
		return forEach(d.resources, func(r map[string]any) bool {
			return r["containedIn"] == nil || slices.Contains(idsOf(d.resources), target(r["containedIn"]))
		})
	}},
	{"record sets and fields have their type", func(d *document) []string {
		return append(forEach(d.sets, func(s map[string]any) bool { return s["@type"] == "cr:RecordSet" }),
			forEach(d.fields, func(f map[string]any) bool { return f["@type"] == "cr:Field" })...)
	}},
	{"a record set has fields", func(d *document) []string {
		return forEach(d.sets, func(s map[string]any) bool { return len(objects(s["field"])) > 0 })
	}},
	{"fields are called after what is around them", func(d *document) []string {
		var out []string
		for _, part := range slices.Concat(d.sets, d.fields) {
			for _, f := range slices.Concat(objects(part["field"]), objects(part["subField"])) {
				out = append(out, one(strings.HasPrefix(str(f["@id"]), str(part["@id"])+"/"), str(f["@id"]))...)
			}
		}
		return out
	}},
	{"data has the fields as keys", func(d *document) []string { return forEach(d.sets, hasItsKeys) }},
	{"a key is a field of its set", func(d *document) []string {
		return forEach(d.sets, func(s map[string]any) bool {
			return s["key"] == nil || slices.Contains(idsOf(objects(s["field"])), target(s["key"]))
		})
	}},
	{"splits have a list of names", func(d *document) []string {
		return forEach(d.sets, func(s map[string]any) bool { return s["dataType"] != "cr:Split" || s["key"] != nil && s["data"] != nil })
	}},
	{"a leaf has a known type", func(d *document) []string {
		return forEach(d.leaves(), func(f map[string]any) bool { return slices.Contains(known, str(f["dataType"])) })
	}},
	{"a leaf has a source in the distribution", func(d *document) []string {
		return forEach(d.inFiles(), func(f map[string]any) bool {
			s, _ := f["source"].(map[string]any)
			return slices.Contains(idsOf(ofType(d.resources, "cr:FileSet")), target(s["fileSet"]))
		})
	}},
	{"a source extracts one thing", func(d *document) []string { return forEach(d.inFiles(), has("extract", extracts, false)) }},
	{"a transform does one thing", func(d *document) []string { return forEach(d.inFiles(), has("transform", transforms, true)) }},
	{"the fields of a set have one source", func(d *document) []string { return forEach(d.sets, hasOneSource) }},
	{"references lead to a field", func(d *document) []string {
		return forEach(d.fields, func(f map[string]any) bool {
			r, _ := f["references"].(map[string]any)
			return f["references"] == nil || slices.Contains(idsOf(d.fields), target(r["field"]))
		})
	}},
	{"repeated is true or left out", func(d *document) []string {
		return forEach(d.fields, func(f map[string]any) bool { return f["repeated"] == nil || f["repeated"] == true })
	}},
	{"nothing is of Croissant 1.1", func(d *document) []string {
		return forEach(slices.Concat([]map[string]any{d.root}, d.resources, d.sets, d.fields), func(p map[string]any) bool {
			return !slices.ContainsFunc(newer, func(key string) bool { return p[key] != nil })
		})
	}},
}

// contextKeys are those that the reference validator looks for in a document of 1.0, and the prefixes.
const contextKeys = "@language @vocab sc cr rai dct citeAs column conformsTo data dataType description equivalentProperty examples extract " +
	"field fileProperty fileObject fileSet format includes isLiveDataset jsonPath key md5 name parentField path recordSet references regex " +
	"repeated replace samplingRate separator source subField transform"

func wrongContext(value any) []string {
	have, ok := value.(map[string]any)
	if !ok {
		return []string{"not an object"}
	}
	special := map[string]any{
		"@language": "en", "@vocab": "https://schema.org/", "sc": "https://schema.org/", "cr": "http://mlcommons.org/croissant/",
		"rai": "http://mlcommons.org/croissant/RAI/", "dct": "http://purl.org/dc/terms/", "conformsTo": "dct:conformsTo",
		"data": map[string]any{"@id": "cr:data", "@type": "@json"}, "examples": map[string]any{"@id": "cr:examples", "@type": "@json"},
		"dataType": map[string]any{"@id": "cr:dataType", "@type": "@vocab"},
		"name":     map[string]any{"@container": "@language"}, "description": map[string]any{"@container": "@language"},
	}
	var out []string
	keys := strings.Fields(contextKeys)
	for _, key := range keys {
		want := any("cr:" + key)
		if s, ok := special[key]; ok {
			want = s
		}
		if fmt.Sprint(have[key]) != fmt.Sprint(want) {
			out = append(out, fmt.Sprintf("%s is %v, expected %v", key, have[key], want))
		}
	}
	for key := range have {
		if !slices.Contains(keys, key) {
			out = append(out, key+" is none of its keys")
		}
	}
	return out
}

func isAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "https" && u.Host != ""
}

// isID says that an id has no blanks, and that it means the same to every reader of relative addresses.
func isID(id string) bool {
	u, err := url.Parse(id)
	return err == nil && id != "" && u.Scheme == "" && u.Path == id && !strings.ContainsFunc(id, unicode.IsSpace) &&
		!slices.ContainsFunc(strings.Split(id, "/"), func(part string) bool { return part == "" || part == "." || part == ".." })
}

func idsOf(parts []map[string]any) []string {
	var out []string
	for _, part := range parts {
		out = append(out, str(part["@id"]))
	}
	return out
}

// has says that a part of a field's source has exactly one of some keys; it may be left out where it is optional.
func has(part string, keys []string, optional bool) func(f map[string]any) bool {
	return func(f map[string]any) bool {
		s, _ := f["source"].(map[string]any)
		object, ok := s[part].(map[string]any)
		if s[part] == nil && optional {
			return true
		}
		return ok && len(object) == 1 && slices.ContainsFunc(keys, func(key string) bool { return str(object[key]) != "" })
	}
}

func hasItsKeys(set map[string]any) bool {
	rows, ok := set["data"].([]any)
	if set["data"] == nil {
		return true
	}
	want := slices.Sorted(slices.Values(idsOf(objects(set["field"]))))
	for _, row := range rows {
		object, _ := row.(map[string]any)
		if !slices.Equal(slices.Sorted(maps.Keys(object)), want) {
			return false
		}
	}
	return ok && len(rows) > 0
}

func hasOneSource(set map[string]any) bool {
	sources := map[string]bool{}
	var collect func(fields any)
	collect = func(fields any) {
		for _, f := range objects(fields) {
			if s, ok := f["source"].(map[string]any); ok {
				sources[target(s["fileSet"])] = true
			}
			collect(f["subField"])
		}
	}
	collect(set["field"])
	return len(sources) <= 1
}

// quoteAll shows texts for a message, one to a line.
func quoteAll(texts []string) string {
	var b strings.Builder
	for _, text := range texts {
		b.WriteString("\n  " + strconv.Quote(text))
	}
	return b.String()
}
