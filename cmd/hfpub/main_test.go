package main

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/schemas/release"
)

// The scripts and the cases run hfpub as people do: as a program. TestMain makes the test binary answer to that name.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"hfpub": func() {
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
			code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
			stop()
			os.Exit(code)
		},
	})
}

// TestScripts runs the sessions of testdata/script, one file for each command.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "1")
			env.Setenv("HF_TOKEN", "")
			env.Setenv("HF_HUB_DISABLE_IMPLICIT_TOKEN", "")
			env.Setenv("RELEASES", repoPath(t, "testdata/releases"))
			env.Setenv("TEA_HOUSE", repoPath(t, "testdata/releases/tea-house"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"hub":     hubCmd,
			"replace": replaceCmd,
			"copydir": copydirCmd,
		},
	})
}

// hubCmd starts a Hub in the test's process: `hub [type/namespace/name …]` with these repos in it. It sets HF_ENDPOINT and HF_TOKEN, and
// stops with the script.
func hubCmd(ts *testscript.TestScript, neg bool, repos []string) {
	if _, err := exec.LookPath("git"); err != nil {
		ts.Fatalf("these scripts need git: %v", err)
	}
	hub, err := hubtest.Start(ts.MkAbs("hub"), hubtest.Options{})
	ts.Check(err)
	ts.Defer(func() { hub.Close() })
	for _, name := range repos {
		kind, id, _ := strings.Cut(name, "/")
		_, err := hub.CreateRepo(release.Type(kind), id)
		ts.Check(err)
	}
	ts.Setenv("HF_ENDPOINT", hub.URL())
	ts.Setenv("HF_TOKEN", hub.Token(hubtest.Write))
	ts.Setenv("HUB", strings.TrimPrefix(hub.URL(), "http://"))
}

// replaceCmd changes a file: `replace FILE OLD NEW` replaces the first occurrence of a text, which must be there.
func replaceCmd(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	path := ts.MkAbs(args[0])
	text, err := os.ReadFile(path)
	ts.Check(err)
	if !strings.Contains(string(text), args[1]) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(path, []byte(strings.Replace(string(text), args[1], args[2], 1)), 0o644))
}

// copydirCmd copies a folder: `copydir FROM TO`.
func copydirCmd(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: copydir FROM TO")
	}
	ts.Check(os.CopyFS(ts.MkAbs(args[1]), os.DirFS(ts.MkAbs(args[0]))))
}
