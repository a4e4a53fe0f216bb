package claim

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/claim/number"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// maxFile bounds the bytes that are read of a file that a claim looks into.
const maxFile = 256 << 20

// dir is the folder that the paths of a claim are relative to.
func (c *Claims) dir(it *item) string {
	if it.repo != nil {
		return it.repo.Dir
	}
	return c.rel.Dir
}

// read reads the file that a claim looks into. problem says why it cannot be read.
func (c *Claims) read(it *item) (text []byte, problem string) {
	name := it.claim.Measure.File
	root, err := os.OpenRoot(c.dir(it))
	if err == nil {
		defer root.Close()
		text, err = regularfile.ReadIn(root, filepath.FromSlash(name), maxFile)
	}
	return text, fileProblem(name, err)
}

func fileProblem(name string, err error) string {
	var of *fs.PathError
	switch {
	case err == nil:
		return ""
	case errors.Is(err, fs.ErrNotExist):
		return name + " is not there"
	case errors.As(err, &of):
		err = of.Err
	}
	return fmt.Sprintf("%s cannot be read: %v", name, err)
}

// hash is the SHA-256 of a file.
func (c *Claims) hash(ctx context.Context, it *item) (*value, string) {
	name := it.claim.Measure.File
	root, err := os.OpenRoot(c.dir(it))
	if err != nil {
		return nil, fileProblem(name, err)
	}
	defer root.Close()
	f, err := regularfile.OpenIn(root, filepath.FromSlash(name))
	if err != nil {
		return nil, fileProblem(name, err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, readerOf(ctx, f)); err != nil {
		return nil, fileProblem(name, err)
	}
	return &value{text: hex.EncodeToString(h.Sum(nil))}, ""
}

// contextReader ends with its context.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func readerOf(ctx context.Context, r io.Reader) io.Reader { return contextReader{ctx, r} }

// Read implements io.Reader.
func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// valueOf is a number or a text in a JSON file; of an array or object it is the number of elements.
func (c *Claims) valueOf(it *item) (*value, string) {
	m := &it.claim.Measure
	text, problem := c.read(it)
	if problem != "" {
		return nil, problem
	}
	var doc tape.Tape
	if problems := doc.Parse(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))); len(problems) > 0 {
		return nil, fmt.Sprintf("%s is not strict JSON", m.File)
	}
	v, ok := doc.Root().At(m.Pointer)
	if !ok {
		return nil, fmt.Sprintf("%s has nothing at %s", m.File, m.Pointer)
	}
	switch v.Kind() {
	case tape.Number:
		return numberOf(string(v.Raw()))
	case tape.Array, tape.Object:
		return &value{number: big.NewRat(int64(v.Len()), 1)}, ""
	case tape.String:
		return textOf(v.Text()), ""
	}
	return nil, fmt.Sprintf("%s is %s at %s", m.File, v.Raw(), m.Pointer)
}

// numberOf reads a number of JSON's form.
func numberOf(text string) (*value, string) {
	var d decimal
	if err := d.parse([]byte(text)); err != nil {
		return nil, err.Error()
	}
	return &value{number: d.rat()}, ""
}

// textOf reads a text that may hold a number as people print it.
func textOf(text string) *value {
	text = strings.TrimSpace(text)
	all := number.Find(text)
	if len(all) != 1 || all[0].Start != 0 || all[0].End != len(text) || all[0].To != nil {
		return &value{text: text}
	}
	v := &value{number: all[0].Value, text: text, percent: all[0].Percent}
	if all[0].Bytes != nil {
		v.number = new(big.Rat).Mul(v.number, all[0].Bytes)
	}
	return v
}

// table reads the CSV file that a claim looks into.
func (c *Claims) table(it *item) (header []string, rows [][]string, problem string) {
	name := it.claim.Measure.File
	text, problem := c.read(it)
	if problem != "" {
		return nil, nil, problem
	}
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	if strings.EqualFold(filepath.Ext(name), ".tsv") {
		r.Comma = '\t'
	}
	all, err := r.ReadAll()
	if err != nil {
		return nil, nil, fmt.Sprintf("%s cannot be read as a table: %v", name, err)
	}
	if len(all) == 0 {
		return nil, nil, name + " has no header"
	}
	return all[0], all[1:], ""
}

// cell is a cell of a CSV file: of the one row that where picks.
func (c *Claims) cell(it *item) (*value, string) {
	m := &it.claim.Measure
	header, rows, problem := c.table(it)
	if problem != "" {
		return nil, problem
	}
	column := slices.Index(header, m.Column)
	if column < 0 {
		return nil, fmt.Sprintf("%s has no column %q", m.File, m.Column)
	}
	for _, cell := range m.Row {
		at := slices.Index(header, cell.Column)
		if at < 0 {
			return nil, fmt.Sprintf("%s has no column %q", m.File, cell.Column)
		}
		rows = slices.DeleteFunc(rows, func(row []string) bool { return row[at] != cell.Text })
	}
	if len(rows) != 1 {
		return nil, fmt.Sprintf("%d rows of %s have what where asks for, and one is needed", len(rows), m.File)
	}
	return textOf(rows[0][column]), ""
}

// listed are the sizes of the files that a measure is about: those of splits, or those that patterns match.
func (c *Claims) listed(it *item) map[string]int64 {
	m := &it.claim.Measure
	sizes := map[string]int64{}
	for _, split := range observe.Find(c.splits, m.In) {
		for _, file := range split.Repo.Tree {
			if slices.Contains(split.Files, file.Path) {
				sizes[split.Repo.ID+"#"+file.Path] = file.Size
			}
		}
	}
	repos := []*release.Repo{it.repo}
	if it.repo == nil {
		repos = nil
		for i := range c.rel.Repos {
			repos = append(repos, &c.rel.Repos[i])
		}
	}
	for _, text := range m.Files {
		pattern, err := release.ParsePattern(text)
		if err != nil {
			continue // found when the release was loaded
		}
		for _, repo := range repos {
			for _, file := range repo.Tree {
				if pattern.Covers(file.Path) || pattern.Names(file.Path) {
					sizes[repo.ID+"#"+file.Path] = file.Size
				}
			}
		}
	}
	return sizes
}
