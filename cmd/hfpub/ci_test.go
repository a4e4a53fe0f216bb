package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// The action for workflows passes every input on, and by the environment alone: text in the place of a shell word would be run.
func TestAction(t *testing.T) {
	text, err := os.ReadFile("../../.github/actions/hfpub/action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Inputs map[string]struct{ Description string }
		Runs   struct {
			Using string
			Steps []struct {
				Name, Run, Shell string
				Env              map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(text, &action); err != nil {
		t.Fatal(err)
	}
	for name, input := range action.Inputs {
		if input.Description == "" || !strings.Contains(string(text), "${{ inputs."+name+" }}") {
			t.Errorf("input %s is not described, or not used", name)
		}
	}
	for _, step := range action.Runs.Steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("step %q puts a value into its script: %s", step.Name, step.Run)
		}
	}
	last := action.Runs.Steps[len(action.Runs.Steps)-1]
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed: the script of the action is not run")
	}
	for _, c := range []struct{ name, command, args, token, want string }{
		{"validate", "validate", "--locked\n--only\na b; $(touch x)\n", "", "[validate] [my data] [--format] [github] [--locked] [--only] [a b; $(touch x)] token="},
		{"push", "push", "", "hf_secret", "[push] [my data] token=hf_secret"},
	} {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "hfpub"), "#!/bin/sh\nfor a in \"$@\"; do printf '[%s] ' \"$a\"; done\nprintf 'token=%s' \"$HF_TOKEN$TOKEN\"\n")
		if err := os.Chmod(filepath.Join(dir, "hfpub"), 0o755); err != nil {
			t.Fatal(err)
		}
		run := exec.Command(bash, "-euo", "pipefail", "-c", last.Run)
		run.Dir = dir
		run.Env = []string{"PATH=" + os.Getenv("PATH"), "RUNNER_TEMP=" + dir, "COMMAND=" + c.command, "RELEASE=my data", "ARGS=" + c.args, "TOKEN=" + c.token}
		if out, err := run.CombinedOutput(); err != nil || string(out) != c.want {
			t.Errorf("%s: %v\n%s\nwant %s", c.name, err, out, c.want)
		}
	}
}

var hookEntry = regexp.MustCompile(`^hfpub (\S+)(?: (--\S+))?$`)

// The hooks name commands and flags that there are.
func TestHooks(t *testing.T) {
	text, err := os.ReadFile("../../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct{ ID, Entry string }
	if err := yaml.Unmarshal(text, &hooks); err != nil {
		t.Fatal(err)
	}
	if len(hooks) == 0 {
		t.Error("there are no hooks")
	}
	for _, hook := range hooks {
		m := hookEntry.FindStringSubmatch(hook.Entry)
		if m == nil {
			t.Errorf("%s: entry %q is no command of hfpub", hook.ID, hook.Entry)
			continue
		}
		code, out, _ := hfpub(t, m[1], "--help")
		if code != 0 || !strings.Contains(out, "hfpub "+m[1]) || !strings.Contains(out, m[2]) {
			t.Errorf("%s: hfpub %s has no %s:\n%s", hook.ID, m[1], m[2], out)
		}
	}
}
