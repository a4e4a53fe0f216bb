package hubtest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// NoGitError says that there is no git with which a Hub could serve.
type NoGitError struct {
	// Missing is the program that was looked for.
	Missing string
	Err     error
}

// Error says what is missing and what to do.
func (e *NoGitError) Error() string {
	return fmt.Sprintf("a Hub in this process needs %s (%v): install git 2.32 or newer and put it on PATH", e.Missing, e.Err)
}

// Unwrap is the reason why the program could not be used.
func (e *NoGitError) Unwrap() error { return e.Err }

// git runs the git program with an environment of its own, so that no configuration of the user, no GIT_* variable and
// no credential helper has a say.
type git struct {
	bin string
	env []string
}

// findGit looks for git and its http-backend; home is an empty folder.
func findGit(ctx context.Context, home string) (git, error) {
	bin, err := exec.LookPath("git")
	if err != nil {
		return git{}, &NoGitError{"git", err}
	}
	// Every date is the same, so that the commits of a Hub do not depend on the clock.
	const date = "2025-01-01T00:00:00Z"
	g := git{bin: bin, env: []string{
		"PATH=" + os.Getenv("PATH"), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), "HOME=" + home, "TMPDIR=" + home, "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=system", "GIT_AUTHOR_EMAIL=system@localhost", "GIT_AUTHOR_DATE=" + date,
		"GIT_COMMITTER_NAME=system", "GIT_COMMITTER_EMAIL=system@localhost", "GIT_COMMITTER_DATE=" + date,
	}}
	libexec, err := g.run(ctx, home, nil, "--exec-path")
	if err != nil {
		return git{}, &NoGitError{"git", err}
	}
	backend := filepath.Join(strings.TrimSpace(string(libexec)), "git-http-backend")
	if _, err := exec.LookPath(backend); err != nil {
		return git{}, &NoGitError{"git http-backend", err}
	}
	return g, nil
}

// with returns a git whose environment has more in it.
func (g git) with(env ...string) git {
	return git{g.bin, append(g.env[:len(g.env):len(g.env)], env...)}
}

// command prepares one git process in dir.
func (g git) command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, g.bin, args...)
	cmd.Dir = dir
	cmd.Env = g.env
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// run runs git in dir and returns what it printed. The error holds what it said on stderr.
func (g git) run(ctx context.Context, dir string, stdin io.Reader, args ...string) ([]byte, error) {
	cmd := g.command(ctx, dir, args...)
	cmd.Stdin = stdin
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}

// line runs git and returns its one line of output.
func (g git) line(ctx context.Context, dir string, stdin io.Reader, args ...string) (string, error) {
	out, err := g.run(ctx, dir, stdin, args...)
	return strings.TrimSuffix(string(out), "\n"), err
}

// object is what git says of one object.
type object struct {
	oid string
	// kind is "" for a name that leads to no object.
	kind string
	size int64
}

// stat asks git for the kind and size of objects, in the order asked for.
func (g git) stat(ctx context.Context, dir string, names []string) ([]object, error) {
	out, err := g.run(ctx, dir, strings.NewReader(lines(names)), "cat-file", "--batch-check", "--buffer")
	if err != nil {
		return nil, err
	}
	objects := make([]object, 0, len(names))
	for row := range strings.Lines(string(out)) {
		o, err := parseObject(strings.TrimSuffix(row, "\n"))
		if err != nil {
			return nil, err
		}
		objects = append(objects, o)
	}
	if len(objects) != len(names) {
		return nil, fmt.Errorf("git cat-file: %d answers to %d questions", len(objects), len(names))
	}
	return objects, nil
}

// contents reads blobs one at a time; i counts them in the order asked for.
func (g git) contents(ctx context.Context, dir string, oids []string, visit func(i int, data []byte)) error {
	if len(oids) == 0 {
		return nil
	}
	cmd := g.command(ctx, dir, "cat-file", "--batch", "--buffer")
	cmd.Stdin = strings.NewReader(lines(oids))
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("git cat-file: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("git cat-file: %w", err)
	}
	err = readContents(bufio.NewReader(pipe), len(oids), visit)
	if err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		return err
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("git cat-file: %w", err)
	}
	return nil
}

// readContents reads n objects in the form of cat-file --batch: a header line, the bytes, a line end.
func readContents(r *bufio.Reader, n int, visit func(i int, data []byte)) error {
	for i := range n {
		row, err := r.ReadString('\n')
		if err != nil {
			return fmt.Errorf("git cat-file: %w", err)
		}
		o, err := parseObject(strings.TrimSuffix(row, "\n"))
		if err != nil {
			return err
		}
		if o.kind == "" {
			return fmt.Errorf("git cat-file: %s", row)
		}
		data := make([]byte, o.size+1)
		if _, err := io.ReadFull(r, data); err != nil {
			return fmt.Errorf("git cat-file: %w", err)
		}
		visit(i, data[:o.size:o.size])
	}
	return nil
}

// parseObject reads one header line of cat-file: oid SP kind SP size, or name SP missing.
func parseObject(row string) (object, error) {
	if strings.HasSuffix(row, " missing") {
		return object{}, nil
	}
	f := strings.Fields(row)
	if len(f) != 3 {
		return object{}, fmt.Errorf("git cat-file: cannot read %q", row)
	}
	size, err := strconv.ParseInt(f[2], 10, 64)
	if err != nil {
		return object{}, fmt.Errorf("git cat-file: cannot read %q", row)
	}
	return object{f[0], f[1], size}, nil
}

// lines ends each row with a line end.
func lines(rows []string) string {
	if len(rows) == 0 {
		return ""
	}
	return strings.Join(rows, "\n") + "\n"
}
