package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/output"
)

var update = flag.Bool("update", false, "write generated pages and golden files anew")

// TestCommandReference holds doc/commands to what the commands say of themselves.
func TestCommandReference(t *testing.T) {
	want := map[string][]byte{}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		c.DisableAutoGenTag = true
		var b bytes.Buffer
		if err := doc.GenMarkdown(c, &b); err != nil {
			t.Fatal(err)
		}
		want[strings.ReplaceAll(c.CommandPath(), " ", "_")+".md"] = b.Bytes()
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				walk(sub)
			}
		}
	}
	walk(newRoot(&app{stdout: io.Discard, stderr: io.Discard}))
	holdFolder(t, "doc/commands", want)
}

// TestCodeReference holds doc/codes.md to the table of codes.
func TestCodeReference(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("# Finding codes\n\nGenerated from the table of codes. `hfpub explain CODE` prints a page on each.\n\n")
	table := output.Table{Header: []string{"code", "severity", "what is wrong"}}
	for _, info := range finding.Codes() {
		table.Rows = append(table.Rows, []string{string(info.Code), string(info.Severity), info.Title})
	}
	output.MarkdownTable(&b, table)
	holdFile(t, "doc/codes.md", b.Bytes())
}

// holdFolder compares every file of a folder with what it should hold, no more and no less.
func holdFolder(t *testing.T, dir string, want map[string][]byte) {
	t.Helper()
	if *update {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range want {
		holdFile(t, filepath.Join(dir, name), text)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if want[e.Name()] == nil {
			t.Errorf("%s/%s describes nothing that exists: run go test ./cmd/hfpub -update", dir, e.Name())
		}
	}
}

func holdFile(t *testing.T, path string, want []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is out of date: run go test ./cmd/hfpub -update (%v)", path, fmt.Sprint(err))
	}
}
