package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/testdata/releases"
	"github.com/hfpub/hfpub/validate"
)

func demoCommand(a *app) *cobra.Command {
	var dir string
	var serve bool
	c := &cobra.Command{
		Use:   "demo",
		Short: "Take an example release through everything, to a Hub inside this process",
		Long: `Make a small release of two repos in a temporary folder, validate it, write its cards, lock it, push it
to a Hub inside this process and verify what arrived. Nothing leaves this machine. Needs git.

With --serve the Hub stays, to try hfpub on data of your own: it is that of a user called you.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.demo(cmd.Context(), dir, serve)
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "empty folder to work in (default: a new temporary one)")
	c.Flags().BoolVar(&serve, "serve", false, "keep the Hub running until Ctrl-C")
	return c
}

func (a *app) demo(ctx context.Context, dir string, serve bool) error {
	if a.format != "table" {
		return errors.New("demo tells a story: it has no other --format than table")
	}
	work, err := demoFolder(dir)
	if err != nil {
		return err
	}
	hub, err := startHub(filepath.Join(work, "hub"))
	if err != nil {
		if dir == "" {
			_ = os.RemoveAll(work) // nothing to look at
		}
		return err
	}
	defer hub.Close()
	path := filepath.Join(work, "tea-house")
	if err := copyExample(path); err != nil {
		return err
	}
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
	}
	fmt.Fprintf(a.stdout, "An example release of two repos is in %s.\n", path)
	for i, step := range steps {
		fmt.Fprintf(a.stdout, "\n── %d. hfpub %s: %s\n\n", i+1, step.command, step.says)
		if err := step.run(); err != nil {
			return err
		}
	}
	return a.demoEnd(ctx, path, hub, serve)
}

// demoEnd says where to look, and keeps the Hub running if it should.
func (a *app) demoEnd(ctx context.Context, path string, hub *hubtest.Hub, serve bool) error {
	fmt.Fprintf(a.stdout, `
Look at
  what was declared                %s
  the card, written from the data  %s
  every field                      %s
and run hfpub yourself: hfpub validate %s
`, filepath.Join(path, "hfpub.yaml"), filepath.Join(path, "orders", "README.md"), filepath.Join(path, "orders", "schema.md"), path)
	if !serve {
		return nil
	}
	fmt.Fprintf(a.stdout, `
The Hub runs until Ctrl-C. In another terminal:
  git clone %s
  export HF_ENDPOINT=%s HF_TOKEN=%s
  hfpub push %s
  hfpub push --first --remote %s FOLDER
`, hub.RepoURL(release.Dataset, "tea-house/orders"), hub.URL(), hub.Token(hubtest.Write), path,
		hub.RepoURL(release.Dataset, demoUser+"/my-data"))
	<-ctx.Done()
	return nil
}

// demoFolder is the folder to work in: a given one, which must be empty or new, or a temporary one.
func demoFolder(dir string) (string, error) {
	if dir == "" {
		return os.MkdirTemp("", "hfpub-demo-")
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

// copyExample writes the embedded example release to a folder.
func copyExample(path string) error {
	example, err := fs.Sub(releases.TeaHouse, "tea-house")
	if err != nil {
		return err
	}
	if err := os.CopyFS(path, example); err != nil {
		return fmt.Errorf("write the example release: %w", err)
	}
	return nil
}

// demoUser owns the demo's token, and may create repos.
const demoUser = "you"

// startHub starts a Hub with the repos of the example, empty as the real Hub makes them.
func startHub(dir string) (*hubtest.Hub, error) {
	hub, err := hubtest.Start(dir, hubtest.Options{User: demoUser})
	if err != nil {
		return nil, err
	}
	for _, id := range []string{"tea-house/orders", "tea-house/probes"} {
		if _, err := hub.CreateRepo(release.Dataset, id); err != nil {
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
