// Package reproduce makes a data file anew by the command that hfpub.yaml declares for it, and compares the bytes.
//
// The command runs in an empty temporary folder, without a shell and without the environment of the caller: of that it gets
// PATH and no token. What it makes is the file that hfpub.yaml names, below that folder, or else what it writes to stdout.
package reproduce

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
)

// Options says how commands are run.
type Options struct {
	// Self is the program that the command hfpub stands for: this one, whatever PATH holds.
	Self string
	// Timeout bounds how long a command may run; 0 means no limit.
	Timeout time.Duration
}

// DefaultTimeout is how long a command may run where nobody says otherwise.
const DefaultTimeout = 10 * time.Minute

// patience is how long a command that was stopped may take to end.
const patience = 5 * time.Second

// Check runs the command of a repo and says how what it makes differs from the repo's file. The error is for what hfpub cannot
// do: no temporary folder, a file that cannot be read, a cancelled context.
func Check(ctx context.Context, repo *release.Repo, manifest string, opt Options) ([]finding.Finding, error) {
	again := repo.Reproduce
	if again == nil || len(again.Run) == 0 || again.Produces == "" || repo.Dir == "" {
		return nil, nil
	}
	dir, err := os.MkdirTemp("", "hfpub-reproduce-")
	if err != nil {
		return nil, fmt.Errorf("make a temporary folder: %w: set TMPDIR to a folder with room", err)
	}
	defer os.RemoveAll(dir)
	r := &run{repo: repo, opt: opt, work: filepath.Join(dir, "work"), stdout: filepath.Join(dir, "stdout")}
	r.place = finding.Finding{}.AtColumn(manifest, again.Pos.Line, again.Pos.Column).Place
	failed, err := r.command(ctx)
	if err != nil || failed != nil {
		return failed, err
	}
	extra, err := r.extra(ctx)
	if err != nil {
		return nil, err
	}
	found, err := r.compare(ctx)
	return append(found, extra...), err
}

// maxNamed is how many files are named that the command makes beside the declared one.
const maxNamed = 3

// extra says which other files the command made.
func (r *run) extra(ctx context.Context) ([]finding.Finding, error) {
	var names []string
	n := 0
	err := filepath.WalkDir(r.work, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return errors.Join(err, ctx.Err())
		}
		name, err := filepath.Rel(r.work, path)
		if name = filepath.ToSlash(name); err != nil || name == r.repo.Reproduce.Produces {
			return err
		}
		if n++; n <= maxNamed {
			names = append(names, strings.ToValidUTF8(name, "?"))
		}
		return nil
	})
	if err != nil || n == 0 {
		return nil, err
	}
	shown := strings.Join(names, ", ")
	if n > maxNamed {
		shown += fmt.Sprintf(" and %d more", n-maxNamed)
	}
	return r.say(finding.ReproduceExtra, "declare the file that matters; what else is made is compared with nothing", "the command makes %s, too, which is compared with nothing", shown), nil
}

// run is one run of a command.
type run struct {
	repo *release.Repo
	opt  Options
	// work is the folder that the command runs in, stdout the file that its output goes to.
	work, stdout string
	// place is that of the command in hfpub.yaml.
	place finding.Place
}

// say is a finding about the command.
func (r *run) say(code finding.Code, hint, format string, args ...any) []finding.Finding {
	f := finding.New(code, format, args...).Hinting("%s", hint)
	f.Place = r.place
	return []finding.Finding{f}
}

// command runs the command to its end, and says when it does not come to a good one.
func (r *run) command(ctx context.Context) ([]finding.Finding, error) {
	args := r.repo.Reproduce.Run
	if err := os.MkdirAll(filepath.Join(r.work, filepath.Dir(filepath.FromSlash(r.repo.Reproduce.Produces))), 0o755); err != nil {
		return nil, err
	}
	stdout, err := os.Create(r.stdout)
	if err != nil {
		return nil, err
	}
	defer stdout.Close()
	limited, cancel := ctx, context.CancelFunc(func() {})
	if r.opt.Timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, r.opt.Timeout)
	}
	defer cancel()
	name := args[0]
	if name == "hfpub" && r.opt.Self != "" {
		name = r.opt.Self
	}
	var stderr tail
	cmd := exec.CommandContext(limited, name, args[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = r.work, stdout, &stderr, patience
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.work, "TMPDIR=" + filepath.Dir(r.work), "LANG=C.UTF-8", "TZ=UTC"}
	err = cmd.Run()
	shown := strings.Join(args, " ")
	switch {
	case err == nil:
		return nil, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return r.say(finding.ReproduceFailed, "give it more time with --reproduce-timeout, or declare a command that makes less", "%s did not end within %s", shown, r.opt.Timeout), nil
	}
	said := strings.TrimSpace(stderr.String())
	if said != "" {
		said = ": " + said
	}
	return r.say(finding.ReproduceFailed, "run it by hand in an empty folder; it gets PATH and nothing else of the environment", "%s failed: %v%s", shown, err, said), nil
}

// tail keeps the last bytes that are written to it.
type tail struct{ kept []byte }

const maxTail = 400

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if extra := len(t.kept) - maxTail; extra > 0 {
		t.kept = append(t.kept[:0], t.kept[extra:]...)
	}
	return len(p), nil
}

// String is the text without control characters and cut characters.
func (t *tail) String() string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(string(t.kept), ""))
}

// compare holds what was made against the file of the repo.
func (r *run) compare(ctx context.Context) ([]finding.Finding, error) {
	path := r.repo.Reproduce.Produces
	made, err := r.made()
	if err != nil {
		return nil, err
	}
	if made == nil {
		return r.say(finding.ReproduceMissing, "declare the file that the command makes, relative to root", "the command makes no %s, and writes nothing to stdout", path), nil
	}
	defer made.Close()
	root, err := os.OpenRoot(r.repo.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	held, err := regularfile.OpenIn(root, filepath.FromSlash(path))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, regularfile.ErrNotRegular) {
		return r.say(finding.ReproduceMissing, "put what the command makes into the repo, or correct the path", "the repo holds no %s", path), nil
	}
	if err != nil {
		return nil, err
	}
	defer held.Close()
	d, err := differ(ctx, held, made)
	if err != nil || d == nil {
		return nil, err
	}
	f := finding.New(finding.ReproduceDiffers, "the file is not what the command makes: %s", d.what).At(path, d.line).In(d.pointer)
	return []finding.Finding{f.Hinting("release what the command makes, or declare the command that made the file, with its version and seed")}, nil
}

// made opens what the command made: the file, or what went to stdout; nil when it made nothing.
func (r *run) made() (io.ReadCloser, error) {
	root, err := os.OpenRoot(r.work)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := regularfile.OpenIn(root, filepath.FromSlash(r.repo.Reproduce.Produces))
	if err == nil {
		return f, nil
	}
	if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, regularfile.ErrNotRegular) {
		return nil, fmt.Errorf("read what the command made: %w", err)
	}
	info, err := os.Stat(r.stdout)
	if err != nil || info.Size() == 0 {
		return nil, err
	}
	return os.Open(r.stdout)
}

// difference is where two files differ first.
type difference struct {
	line    int
	pointer string
	what    string
}

// maxLine bounds the bytes of a line that are looked at for the field that differs.
const maxLine = 64 << 20

// differ reads two files line by line; nil when they are equal.
func differ(ctx context.Context, held, made io.Reader) (*difference, error) {
	a, b := newLines(held), newLines(made)
	for n := 1; ; n++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		first, err := a.next()
		if err != nil {
			return nil, err
		}
		second, err := b.next()
		if err != nil {
			return nil, err
		}
		switch {
		case bytes.Equal(first, second):
			if len(first) == 0 {
				return nil, nil
			}
		case len(second) == 0:
			return &difference{line: n, what: fmt.Sprintf("the command makes %d lines, and this is one more", n-1)}, nil
		case len(first) == 0:
			return &difference{line: n, what: fmt.Sprintf("it ends after %d lines, and the command makes more", n-1)}, nil
		default:
			pointer, what := field(first, second)
			return &difference{n, pointer, what}, nil
		}
	}
}
