package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/hfpub/hfpub/cards"
	"github.com/hfpub/hfpub/cards/manifest"
	"github.com/hfpub/hfpub/schemas/atomicfile"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/draft"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/license"
	"github.com/hfpub/hfpub/validate/output"
)

func initCommand(a *app) *cobra.Command {
	var id string
	var noSchema bool
	c := &cobra.Command{
		Use:   "init [PATH]",
		Short: "Write hfpub.yaml and a draft schema for a data set folder",
		Long: `Write hfpub.yaml for a data set folder that has none, from what is there: configs and splits as
the folder is read today (the configs of README.md, else the names of files and folders), and what
the front matter of README.md says. A draft JSON Schema for each config holds for every row of it:
types, required fields, an enum where a few short texts come again and again.

The schemas go to .hfpub, a hidden folder, because load_dataset could take a .json file anywhere
else for data. Nothing that is there already is written over. Data that cannot be read as it is
has to be mended first.`,
		Example: `  hfpub init my-data                     # write my-data/hfpub.yaml and my-data/.hfpub/default.schema.json
  hfpub init --id tea-house/orders       # this folder; the repo's name on the Hub is known
  hfpub init --no-schema                 # hfpub.yaml only`,
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.init(cmd.Context(), args, id, !noSchema)
		},
	}
	c.Flags().StringVar(&id, "id", "", "the repo's name on the Hub, namespace/name (a guess from the folder's name)")
	c.Flags().BoolVar(&noSchema, "no-schema", false, "draft no schemas")
	return c
}

func (a *app) init(ctx context.Context, args []string, id string, schemas bool) error {
	dir := pathArg(args)
	if err := wantsUndeclared(dir); err != nil {
		return err
	}
	if id != "" {
		if fault := release.CheckRepoID(id); fault != "" {
			return fmt.Errorf("--id %s: %s", id, fault)
		}
	}
	rel, report, err := a.examine(ctx, []string{dir}, validate.Options{}, false)
	if err != nil {
		return err
	}
	if bad := unfit(report.Findings); len(bad) > 0 {
		return a.showInit(rel, nil, bad, "nothing written: first mend what the errors above are about")
	}
	files, without, err := firstFiles(rel, report, id, schemas)
	if err != nil {
		return err
	}
	if err := writeNew(dir, files); err != nil {
		return err
	}
	written := make([]string, len(files))
	for i, file := range files {
		written[i] = filepath.ToSlash(file.in(dir))
	}
	return a.showInit(rel, written, nil, initLines(args, written, without, id == "", report)...)
}

// firstFiles makes the schemas and, last, the hfpub.yaml of a folder, and names the configs that get no schema.
func firstFiles(rel *release.Release, report *validate.Report, id string, schemas bool) (files []newFile, without []string, err error) {
	in := manifest.Input{Repo: &rel.Repos[0], ID: id}
	if err := readAbout(&in); err != nil {
		return nil, nil, err
	}
	if schemas {
		files, in.Schemas, without = drafts(report.Repos[0].Configs)
	}
	text := manifest.Text(in)
	if len(text) > strictyaml.MaxBytes {
		return nil, nil, fmt.Errorf("so many files make an hfpub.yaml of more than %d MiB: name the files of each split by patterns, "+
			"in a `configs` block of README.md, and start again", strictyaml.MaxBytes>>20)
	}
	return append(files, newFile{release.ManifestName, text}), without, nil
}

// wantsUndeclared refuses a path that is no folder, and one that has an hfpub.yaml.
func wantsUndeclared(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("read folder: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is a file: give the folder that hfpub.yaml is to be written for", dir)
	}
	return wantsNone(filepath.Join(dir, release.ManifestName))
}

// wantsNone refuses to write over anything, a link that leads nowhere included.
func wantsNone(path string) error {
	_, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("%s is there already: edit it, or take it away to have a new one written", path)
}

// unfit returns the errors after which nothing that hfpub.yaml or a schema says would be true: those that keep a card
// from being written, a front matter that cannot be read, and names that cannot stand in hfpub.yaml.
func unfit(found []finding.Finding) []finding.Finding {
	codes := []finding.Code{finding.CardFrontMatter, finding.CardDuplicateKey, finding.LoaderSplitName, finding.PublishPath}
	return slices.DeleteFunc(slices.Clone(found), func(f finding.Finding) bool {
		return len(blocking([]finding.Finding{f})) == 0 && (f.Severity != finding.Error || !slices.Contains(codes, f.Code))
	})
}

// readAbout reads what the folder says about itself: its README.md and its license file.
func readAbout(in *manifest.Input) error {
	root, err := os.OpenRoot(in.Repo.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if in.README, err = readOptional(root, cards.ReadmePath); err != nil {
		return err
	}
	in.LicenseFile, in.FileLicense, err = license.OfFile(in.Repo)
	return err
}

// newFile is a file to be written, its path relative to the folder.
type newFile struct {
	path string
	text []byte
}

// in is the file's path in the folder, as a path to open.
func (f newFile) in(dir string) string { return filepath.Join(dir, filepath.FromSlash(f.path)) }

// drafts drafts the schemas of the configs whose files could all be read as rows, gives their paths by config, and names the
// configs without one.
func drafts(configs []validate.Config) (files []newFile, paths map[string]string, without []string) {
	var names []string
	var texts [][]byte
	for _, config := range configs {
		unread := slices.ContainsFunc(config.Splits, func(s validate.Split) bool { return s.Rows == nil })
		text := draft.Schema(config.Fields)
		if unread || text == nil {
			without = append(without, config.Name)
			continue
		}
		names, texts = append(names, config.Name), append(texts, text)
	}
	paths = manifest.SchemaPaths(names)
	for i, name := range names {
		files = append(files, newFile{paths[name], texts[i]})
	}
	return files, paths, without
}

// writeNew writes files that are not there yet, all of them or none, the last one last.
func writeNew(dir string, files []newFile) error {
	for _, file := range files {
		if err := wantsNone(file.in(dir)); err != nil {
			return err
		}
	}
	var made []string
	for _, file := range files {
		err := makeFolder(dir, filepath.Dir(file.in(dir)), &made)
		if err == nil {
			err = atomicfile.Write(file.in(dir), file.text, 0o644)
		}
		if err != nil {
			return errors.Join(err, remove(made))
		}
		made = append(made, file.in(dir))
	}
	return nil
}

// makeFolder makes a folder inside dir where there is none yet. A link in its place is not followed.
func makeFolder(dir, folder string, made *[]string) error {
	if folder == filepath.Clean(dir) {
		return nil
	}
	info, err := os.Lstat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err = os.Mkdir(folder, 0o755); err == nil {
			*made = append(*made, folder)
		}
		return err
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is no folder: take it away, the schemas are written there", folder)
	}
	return nil
}

// remove takes away what was made, the last first.
func remove(made []string) error {
	var errs []error
	for _, path := range slices.Backward(made) {
		errs = append(errs, os.Remove(path))
	}
	return errors.Join(errs...)
}

// initLines says what was written and what to do next.
func initLines(args, written, without []string, guessed bool, report *validate.Report) []string {
	var lines []string
	for _, path := range written {
		lines = append(lines, "wrote "+path)
	}
	for _, config := range without {
		lines = append(lines, "no schema for config "+config+": hfpub cannot read all of its files, or finds no fields in them, or very many")
	}
	if n := report.Summary.Errors; n > 0 {
		lines = append(lines, "found "+output.Plural(n, "error")+" before writing: hfpub validate says what is left of them")
	}
	next := "next: look over what was written, then"
	if guessed {
		next = "next: put your name in place of you in hfpub.yaml, look over the rest, then"
	}
	lines = append(lines, next)
	path := ""
	for _, arg := range args {
		path = " " + shellQuoted(arg)
	}
	return append(lines, "  hfpub validate"+path, "  hfpub card"+path)
}

// shellQuoted writes a path so that it can be pasted at a shell's prompt.
func shellQuoted(path string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_./+,:@%", r)
	}
	if !strings.ContainsFunc(path, func(r rune) bool { return !plain(r) }) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// showInit shows what was written; findings are why nothing was.
func (a *app) showInit(rel *release.Release, written []string, found []finding.Finding, lines ...string) error {
	if written == nil {
		written = []string{}
	}
	if found == nil {
		found = []finding.Finding{}
	}
	list, omitted := a.listed(found)
	json := map[string]any{"written": written, "findings": list}
	r := output.Result{Command: "init", JSON: json, Findings: list, Omitted: omitted, Lines: lines}
	return a.show(rel, r, len(found) > 0)
}
