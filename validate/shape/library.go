package shape

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/xeipuuv/gojsonschema"

	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/validate/finding"
)

// Ref registers a folder of schema documents for $ref.
type Ref struct {
	// Prefix is the address of the folder: a $ref to PREFIX/x.json is read from DIR/x.json.
	Prefix string
	// Dir is the folder.
	Dir string
}

// beside is the scheme of the addresses of a schema file and the files beside it: beside:///schema.json.
const beside = "beside"

// maxFiles bounds the documents one schema is made of.
const maxFiles = 1000

// library finds the documents that references lead to, in folders. Nothing is fetched from the net.
type library struct {
	// dir is the folder of the schema file.
	dir     string
	folders []Ref
	opened  int
}

// newLibrary sorts the folders so that the longest prefix is looked at first.
func newLibrary(refs []Ref, dir string) library {
	var folders []Ref
	for _, ref := range refs {
		folders = append(folders, Ref{strings.TrimRight(ref.Prefix, "/") + "/", ref.Dir})
	}
	if dir != "" {
		folders = append(folders, Ref{beside + ":///", dir})
	}
	slices.SortStableFunc(folders, func(a, b Ref) int { return len(b.Prefix) - len(a.Prefix) })
	return library{dir: dir, folders: folders}
}

// errNotRegistered says that no folder is registered for an address.
var errNotRegistered = errors.New("no folder is registered for it, and nothing is fetched from the net")

// read returns the text of the document at an address, and the path findings name it by.
func (l *library) read(address string) (shown string, text []byte, err error) {
	if text := metaschema(address); text != nil {
		return address, text, nil
	}
	err = errNotRegistered
	for _, folder := range l.folders {
		rest, ok := strings.CutPrefix(address, folder.Prefix)
		if !ok {
			continue
		}
		if rest, ok = unescapePath(rest); !ok {
			continue
		}
		if l.opened++; l.opened > maxFiles {
			return "", nil, fmt.Errorf("it needs more than %d files", maxFiles)
		}
		text, err = readIn(folder.Dir, rest)
		if err == nil {
			return path.Join(filepath.ToSlash(folder.Dir), rest), text, nil
		}
	}
	return "", nil, err
}

func unescapePath(escaped string) (string, bool) {
	name, err := url.PathUnescape(escaped)
	return name, err == nil && fs.ValidPath(name)
}

// readIn reads a file inside a folder; links that lead out of it are not followed.
func readIn(dir, name string) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return regularfile.ReadIn(root, name, maxText+1)
}

// metaschema returns the text of the schema of a draft, which gojsonschema carries with it; nil for any other address.
func metaschema(address string) []byte {
	_, rest, _ := strings.Cut(address, "://")
	if _, ok := metaschemas[rest]; !ok {
		return nil
	}
	doc, err := gojsonschema.NewReferenceLoader("http://" + rest).LoadJSON()
	if err != nil {
		return nil
	}
	text, _ := json.Marshal(doc)
	return text
}

// resolve finds where the $ref of a schema leads; what is there is checked as well. nil, with a finding, when it leads
// nowhere.
func (c *checker) resolve(schema *node) *node {
	ref := schema.get("$ref")
	target, err := c.lookup(ref, c.base[schema])
	if err != nil {
		f := ref.finding(finding.SchemaRef, "the reference %s leads nowhere: %v", quote(ref.text), err)
		f.Hint = c.hintForRef(ref, c.base[schema], err)
		c.leaveOut(schema, f)
	}
	return target
}

// lookup follows a reference to its document and the place in it.
func (c *checker) lookup(ref *node, base *url.URL) (*node, error) {
	address, err := base.Parse(ref.text)
	if err != nil {
		return nil, errors.New("it is no address")
	}
	if base.Scheme == beside && address.Scheme == beside {
		if err := staysInside(base, ref.text); err != nil {
			return nil, err
		}
	}
	fragment := address.Fragment
	address.Fragment, address.RawFragment = "", ""
	document, err := c.document(address, ref.file)
	if err != nil {
		return nil, err
	}
	if fragment == "" {
		return document, nil
	}
	if !strings.HasPrefix(fragment, "/") {
		address.Fragment = fragment
		if named := c.named[address.String()]; named != nil {
			return named, nil
		}
		return nil, fmt.Errorf("no schema there has the name %s", quote("#"+fragment))
	}
	target, ok := document.at(fragment)
	if !ok {
		return nil, missing{target, fragment}
	}
	c.schema(target, c.baseOf(target))
	return target, nil
}

// missing says that a pointer leads to nothing; last is the last node on its way that exists.
type missing struct {
	last    *node
	pointer string
}

func (m missing) Error() string {
	return fmt.Sprintf("there is nothing at %s", quote(m.pointer))
}

// staysInside refuses relative references that climb out of the schema's folder.
func staysInside(base *url.URL, ref string) error {
	relative, err := url.Parse(ref)
	if err != nil || relative.Path == "" {
		return err
	}
	if !fs.ValidPath(path.Join(strings.TrimPrefix(path.Dir(base.Path), "/"), relative.Path)) {
		return errors.New("it leaves the folder of the schema file")
	}
	return nil
}

// document returns the root of the document, or the schema with an id, at an address, reading it where needed. by is the
// document that refers to it.
func (c *checker) document(address *url.URL, by *file) (*node, error) {
	name := address.String()
	if known := c.named[name]; known != nil {
		return known, nil
	}
	shown, text, err := c.read(name)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			return nil, fmt.Errorf("%s: %w", path.Path, path.Err)
		}
		return nil, err
	}
	f, found := parse(shown, text)
	for _, f := range found {
		c.report(f)
	}
	if f.root == nil {
		return nil, fmt.Errorf("%s is not strict JSON", shown)
	}
	f.draft = by.draft
	if d, ok := declared(f.root); ok && d == 0 {
		return nil, fmt.Errorf("%s is of %s, hfpub applies drafts 4, 6 and 7", shown, nameOfDraft(f.root.get("$schema").text))
	} else if ok {
		f.draft = d
	}
	c.named[name] = f.root
	c.base[f.root] = address
	c.schema(f.root, address)
	return f.root, nil
}

// baseOf is the base address at a place that a pointer led to.
func (c *checker) baseOf(n *node) *url.URL {
	for at := n.parent; at != nil; at = at.parent {
		if base := c.base[at]; base != nil {
			return base
		}
	}
	return c.base[n.file.root]
}

func (c *checker) hintForRef(ref *node, base *url.URL, err error) string {
	var nothing missing
	switch {
	case errors.Is(err, errNotRegistered):
		address, _ := base.Parse(ref.text)
		if address == nil || address.Host == "" {
			return ""
		}
		return fmt.Sprintf("give a folder with the document: --schema-ref %s=DIR", address.ResolveReference(&url.URL{Path: "."}))
	case errors.Is(err, fs.ErrNotExist):
		return "a relative reference starts from the folder of the schema file; other folders are given by --schema-ref PREFIX=DIR"
	case errors.As(err, &nothing):
		var there []string
		for _, child := range nothing.last.children {
			there = append(there, child.token)
		}
		wanted := nothing.pointer[strings.LastIndexByte(nothing.pointer, '/')+1:]
		if meant, ok := near(wanted, there); ok {
			return "did you mean " + meant + "?"
		}
	}
	return ""
}
