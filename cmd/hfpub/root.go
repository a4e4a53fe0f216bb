package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/nearest"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/hygiene"
	"github.com/hfpub/hfpub/validate/output"
)

// app holds what all commands share: where to write, the environment, and the flags that every command knows.
type app struct {
	stdout, stderr io.Writer
	getenv         func(string) string

	format      string
	strict      bool
	quiet       bool
	jobs        int
	maxFindings int
}

// newRoot builds the command line.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "hfpub",
		Short: "Validate, document, push and verify data sets for the Hugging Face Hub",
		Long: `hfpub proves before the push that a data set release is what it promises to be, writes its
card from what it measured, pushes it by git with its own LFS client, and verifies what arrived.
PATH is a folder of data files, a folder with an hfpub.yaml, or an hfpub.yaml; without it, the
folder you are in.

Exit codes: 0 nothing stops the release; 1 a finding of severity error (or a warning with
--strict); 2 hfpub could not do its work (usage, missing file, network).`,
		Example: `  hfpub demo                    # all of it, on an example
  hfpub validate my-data        # what is wrong
  hfpub explain json/syntax     # what that means
  hfpub card my-data            # write README.md and schema.md
  hfpub init my-data            # write hfpub.yaml and a draft schema
  hfpub push --first --remote https://huggingface.co/datasets/you/my-data my-data`,
		Version:           version(),
		Args:              cobra.ArbitraryArgs,
		RunE:              help,
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: func(c *cobra.Command, _ []string) error { return a.checkFlags(c) },
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetVersionTemplate("hfpub {{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		said := goWords.ReplaceAllString(err.Error(), "")
		return fmt.Errorf("%s: %s --help lists the flags", said, c.CommandPath())
	})
	flags := root.PersistentFlags()
	flags.StringVar(&a.format, "format", "table", "form of the result: "+strings.Join(output.Formats(), ", "))
	flags.BoolVar(&a.strict, "strict", false, "let warnings stop the release too")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "print findings only; no progress")
	flags.IntVar(&a.jobs, "jobs", 0, "workers that read, hash and judge (0: one for each core)")
	flags.IntVar(&a.maxFindings, "max-findings", 100, "findings listed at most, and places of one finding (0: all)")
	root.AddCommand(
		initCommand(a), validateCommand(a), mergeCommand(a), statsCommand(a), lockCommand(a), cardCommand(a),
		licenseCommand(a), discrepanciesCommand(a), fingerprintCommand(a), diffCommand(a), catalogCommand(a), planCommand(a), pushCommand(a),
		verifyCommand(a), generateCommand(a),
		explainCommand(a), demoCommand(a), versionCommand(a),
	)
	return root
}

// help is hfpub without a command. A word that is none is most likely a mistyped one.
func help(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return root.Help()
	}
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	if near, ok := nearest.Word(args[0], names); ok {
		return fmt.Errorf("there is no command %q: did you mean %s?", args[0], near)
	}
	return fmt.Errorf("there is no command %q: hfpub --help lists all commands", args[0])
}

// atMostOne is for commands that take one argument or none.
func atMostOne(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("%s takes one %s, not %d: %s --help says more", c.CommandPath(), argumentOf(c), len(args), c.CommandPath())
	}
	return nil
}

// goWords are what the standard library adds to a flag's value that is no number or duration.
var goWords = lazyregexp.New(`: (strconv\.\w+: parsing|time:) .*$`)

// atLeast is for commands that take so many arguments or more.
func atLeast(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < n {
			return fmt.Errorf("%s: %d of its arguments are missing: %s --help says more", c.UseLine(), n-len(args), c.CommandPath())
		}
		return nil
	}
}

// exactly is for commands that take so many arguments.
func exactly(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return fmt.Errorf("%s takes %d arguments, not %d: %s --help says more", c.CommandPath(), n, len(args), c.CommandPath())
		}
		return atLeast(n)(c, args)
	}
}

// argumentOf is the name of a command's only argument, such as PATH.
func argumentOf(c *cobra.Command) string {
	_, name, _ := strings.Cut(c.Use, "[")
	name, _, _ = strings.Cut(name, "]")
	return name
}

// forms says that a command has some of the forms only.
func (a *app) forms(command string, known ...string) error {
	if slices.Contains(known, a.format) {
		return nil
	}
	return fmt.Errorf("--format %s: %s has the forms %s only", a.format, command, strings.Join(known, ", "))
}

// moreForms is the annotation of a command that has forms of its own, beside those that all commands have.
const moreForms = "forms"

func (a *app) checkFlags(c *cobra.Command) error {
	forms := append(output.Formats(), strings.Fields(c.Annotations[moreForms])...)
	if !slices.Contains(forms, a.format) {
		return fmt.Errorf("--format %s: use one of %s", a.format, strings.Join(forms, ", "))
	}
	if a.jobs < 0 || a.maxFindings < 0 {
		return errors.New("--jobs and --max-findings take 0 or a positive number")
	}
	return nil
}

// listed are the findings that --max-findings allows to list, and how many it leaves out.
func (a *app) listed(found []finding.Finding) (list []finding.Finding, omitted int) {
	if a.maxFindings == 0 || len(found) <= a.maxFindings {
		return found, 0
	}
	return found[:a.maxFindings], len(found) - a.maxFindings
}

// show writes a result to stdout, without the secrets that values in it may hold, and says by its error whether it stops the release. rel may be nil.
func (a *app) show(rel *release.Release, r output.Result, stops bool) error {
	o := output.Options{Color: a.color(), Width: width(a.stdout), Quiet: a.quiet, Strict: a.strict, Version: version()}
	if rel != nil {
		o.Locate = locator(rel)
	}
	var text bytes.Buffer
	if err := output.Write(&text, a.format, r, o); err != nil {
		return err
	}
	if _, err := a.stdout.Write(hygiene.Redact(text.Bytes())); err != nil {
		return err
	}
	if stops {
		return errFound
	}
	return nil
}

// stops says whether so many errors and warnings stop the release.
func (a *app) stops(errors, warnings int) bool {
	return errors > 0 || a.strict && warnings > 0
}

// color says whether stdout is a terminal that wants colours (https://no-color.org).
func (a *app) color() bool {
	return a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb" && isTerminal(a.stdout)
}

// width is how many columns a terminal has; 0 for anything else, and where it does not tell.
func width(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// locator turns the path of a finding, relative to its repo or to the release, into one relative to the working
// directory. A path that is in neither folder is one that the user named, or a file that the repo lacks.
func locator(rel *release.Release) func(*finding.Finding, string) string {
	return func(f *finding.Finding, path string) string {
		if filepath.IsAbs(path) || rel.Dir == "" {
			return path
		}
		dirs := []string{rel.Dir}
		if repo := rel.Repo(f.Repo); repo != nil {
			dirs = []string{repo.Dir}
		} else if len(rel.Repos) == 1 {
			dirs = append(dirs, rel.Repos[0].Dir)
		}
		if rel.File != "" && path == filepath.Base(rel.File) {
			return rel.File
		}
		for _, dir := range append(dirs, "") {
			if full := filepath.Join(dir, filepath.FromSlash(path)); exists(full) {
				return filepath.ToSlash(full)
			}
		}
		return filepath.ToSlash(filepath.Join(dirs[0], filepath.FromSlash(path)))
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// version is the module's version, or the commit for a build from a checkout.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}

// pathArg is the PATH of a command: its only argument, or the working directory.
func pathArg(args []string) string {
	if len(args) == 0 {
		return "."
	}
	return args[0]
}
