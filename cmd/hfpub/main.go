// Command hfpub publishes data sets on the Hugging Face Hub: it validates a release, writes its cards, pushes it by git with
// its own LFS client and verifies what arrived.
//
// Every command is one file: flags in, text out. The work is done by the packages validate, cards and publish.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/hfpub/hfpub/publish"
	"github.com/hfpub/hfpub/publish/gitwire"
	"github.com/hfpub/hfpub/validate/output"
)

func main() {
	collectLater()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// errFound says that a command worked and found something that stops the release: exit code 1, nothing more to print.
var errFound = errors.New("the release has errors")

// run executes one command line and returns its exit code: 0 when nothing stops the release, 1 for findings that do, 2
// when hfpub could not do its work.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot(&app{stdout: stdout, stderr: stderr, getenv: os.Getenv})
	root.SetArgs(args)
	help := &checkedWriter{w: stdout}
	root.SetOut(help)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = help.err
	}
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errFound):
		return 1
	case ctx.Err() != nil && !inDoubt(err):
		fmt.Fprintln(stderr, "hfpub: interrupted")
		return 2
	}
	fmt.Fprintf(stderr, "hfpub: %s\n", output.OneLine(strings.TrimSpace(err.Error())))
	return 2
}

// checkedWriter remembers that a write failed: cobra does not look when it prints help.
type checkedWriter struct {
	w   io.Writer
	err error
}

func (c *checkedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if err != nil {
		c.err = err
	}
	return n, err
}

// inDoubt says that a push was cut off after its data had been sent: what came of it has to be told.
func inDoubt(err error) bool {
	var unknown *gitwire.UnknownError
	var unverified *publish.UnverifiedError
	return errors.As(err, &unknown) || errors.As(err, &unverified)
}
