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

	"github.com/spf13/cobra"

	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/testdata/releases"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/output"
)

func demoCommand(a *app) *cobra.Command {
	var dir, example string
	var serve bool
	c := &cobra.Command{
		Use:   "demo",
		Short: "Take an example release through everything, to a Hub inside this process",
		Long: `Make a small release of two repos in a temporary folder, validate it, write its cards, lock it, push it
to a Hub inside this process, verify what arrived and write the catalog. Nothing leaves this machine. Needs git.

--example takes another release: clerk, memgym (nine repos, one of them pending, one withheld), racktic or umb.
With --serve the Hub stays, to try hfpub on data of your own: it is that of a user called you.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !slices.Contains(releases.Names(), example) {
				return fmt.Errorf("--example %s: the examples are %s", example, strings.Join(releases.Names(), ", "))
			}
			return a.demo(cmd.Context(), example, dir, serve)
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "empty folder to work in (default: a new temporary one)")
	c.Flags().StringVar(&example, "example", releases.Names()[0], "example release to take")
	c.Flags().BoolVar(&serve, "serve", false, "keep the Hub running until Ctrl-C")
	return c
}

func (a *app) demo(ctx context.Context, example, dir string, serve bool) error {
	if a.format != "table" {
		return errors.New("demo tells a story: it has no other --format than table")
	}
	work, err := demoFolder(dir)
	if err != nil {
		return err
	}
	path := filepath.Join(work, example)
	rel, hub, err := startDemo(ctx, example, path, filepath.Join(work, "hub"))
	if err != nil {
		if dir == "" {
			_ = os.RemoveAll(work) // nothing to look at
		}
		return err
	}
	defer hub.Close()
	a.getenv = onHub(hub, a.getenv)

	steps := []struct {
		command, says string
		run           func() error
	}{
		{"validate", "what is true of the data", func() error { return a.validate(ctx, []string{path}, validate.Options{}, false) }},
		{"card", "README.md and schema.md from what was measured", func() error { return a.card(ctx, []string{path}, false, false) }},
		{"lock", "digests and counts as approved", func() error { return a.lock(ctx, []string{path}) }},
		{"plan", "what a push would do", func() error { return a.push(ctx, path, &pushFlags{branch: "main", dryRun: true}) }},
		{"push", "LFS first, then one commit for each repo", func() error { return a.push(ctx, path, &pushFlags{branch: "main"}) }},
		{"push", "again: nothing is new", func() error { return a.push(ctx, path, &pushFlags{branch: "main"}) }},
		{"verify", "what arrived", func() error { return a.verify(ctx, path, verifyFlags{}, &pushFlags{branch: "main"}) }},
		{"catalog", "the index page over all repos", func() error { return a.catalog(ctx, []string{path}, false) }},
	}
	fmt.Fprintf(a.stdout, "An example release of %s is in %s.\n", output.Plural(len(rel.Repos), "repo"), path)
	for i, step := range steps {
		fmt.Fprintf(a.stdout, "\n── %d. hfpub %s: %s\n\n", i+1, step.command, step.says)
		if err := step.run(); err != nil {
			return err
		}
	}
	return a.demoEnd(ctx, rel, hub, serve)
}

// demoEnd says where to look, and keeps the Hub running if it should.
func (a *app) demoEnd(ctx context.Context, rel *release.Release, hub *hubtest.Hub, serve bool) error {
	first := rel.Repos[0]
	fmt.Fprintf(a.stdout, `
Look at
  what was declared                %s
  the card, written from the data  %s
  every field                      %s
  the index page                   %s
and run hfpub yourself: hfpub validate %s
`, filepath.Join(rel.Dir, "hfpub.yaml"), filepath.Join(first.Dir, "README.md"), filepath.Join(first.Dir, "schema.md"),
		filepath.Join(rel.Dir, "catalog.md"), rel.Dir)
	if !serve {
		return nil
	}
	fmt.Fprintf(a.stdout, `
The Hub runs until Ctrl-C. In another terminal:
  git clone %s
  export HF_ENDPOINT=%s HF_TOKEN=%s
  hfpub push %s
  hfpub push --first --remote %s FOLDER
`, hub.RepoURL(first.Type, first.ID), hub.URL(), hub.Token(hubtest.Write), rel.Dir,
		hub.RepoURL(release.Dataset, demoUser+"/my-data"))
	<-ctx.Done()
	return nil
}

// demoFolder is the folder to work in: a given one, which must be empty or new, or a temporary one.
func demoFolder(dir string) (string, error) {
	if dir == "" {
		return temporaryFolder("hfpub-demo-")
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if len(entries) > 0 {
		return "", fmt.Errorf("%s is not empty: give --dir a new folder", dir)
	}
	return dir, os.MkdirAll(dir, 0o755)
}

// startDemo writes an example release to a folder, and starts a Hub with its repos, empty as the real Hub makes them.
func startDemo(ctx context.Context, example, path, hubDir string) (*release.Release, *hubtest.Hub, error) {
	if err := os.CopyFS(path, releases.Files(example)); err != nil {
		return nil, nil, fmt.Errorf("write the example release: %w", err)
	}
	rel, found, err := release.Load(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	if errors, _, _ := finding.Totals(found); errors > 0 {
		return nil, nil, fmt.Errorf("the example release is broken: %s", found[0].Message)
	}
	hub, err := startHub(hubDir, rel)
	return rel, hub, err
}

// demoUser owns the demo's token, and may create repos.
const demoUser = "you"

// startHub starts a Hub with the repos of a release. A withheld one is no business of the Hub.
func startHub(dir string, rel *release.Release) (*hubtest.Hub, error) {
	options := hubtest.Options{User: demoUser}
	for _, repo := range rel.Repos {
		namespace, _, _ := strings.Cut(repo.ID, "/")
		options.Orgs = append(options.Orgs, namespace)
	}
	hub, err := hubtest.Start(dir, options)
	if err != nil {
		return nil, err
	}
	for _, repo := range rel.Repos {
		if repo.Status == release.Withheld {
			continue
		}
		if _, err := hub.CreateRepo(repo.Type, repo.ID); err != nil {
			hub.Close()
			return nil, err
		}
	}
	return hub, nil
}

// onHub is the environment with the demo's Hub and token in the place of the user's.
func onHub(hub *hubtest.Hub, getenv func(string) string) func(string) string {
	return func(name string) string {
		switch name {
		case "HF_ENDPOINT":
			return hub.URL()
		case "HF_TOKEN":
			return hub.Token(hubtest.Write)
		case "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_OIDC_RESOURCE", "HUGGINGFACE_CO_STAGING":
			return ""
		}
		return getenv(name)
	}
}
