package hubtest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate/hygiene/lfspointer"
)

// The Hub's limits for files that are not in LFS, in bytes.
const (
	plainMax = 10 << 20
	// plainBinaryMax is a limit at which binary files have been refused; the Hub does not publish its own.
	plainBinaryMax = 1 << 20
)

// What the Hub says before it lists the files that it refuses.
const (
	bigText = `Your push was rejected because it contains files larger than 10 MiB.
Please use https://huggingface.co/docs/hub/xet to store large files.
See also: https://huggingface.co/docs/hub/repositories-getting-started#terminal

Offending files:`
	binaryText = `Your push was rejected because it contains binary files.
Please use https://huggingface.co/docs/hub/xet to store binary files.
See also: https://huggingface.co/docs/hub/repositories-getting-started#terminal

Offending files:`
	danglingText = `Your push was rejected because an LFS pointer pointed to a file that does not exist.
For instance, this can happen if you used git push --no-verify to push your changes.
Offending file:`
)

// verdict is what the Hub's pre-receive hook says of a push. Both texts empty: all is well.
type verdict struct{ refusal, warning string }

// judge looks at what a push brings before any of it is in the repo: the pack is unpacked beside it. Where git itself
// will refuse (a broken pack, missing history), judge keeps quiet and lets it.
func (h *Hub) judge(ctx context.Context, repo *Repo, p push, pack *spoolFile) (verdict, error) {
	quarantine, err := os.MkdirTemp(h.tmp, "incoming-")
	if err != nil {
		return verdict{}, err
	}
	defer os.RemoveAll(quarantine)
	if err := os.Mkdir(filepath.Join(quarantine, "pack"), 0o755); err != nil {
		return verdict{}, err
	}
	j := judge{repo, h.git.with("GIT_OBJECT_DIRECTORY="+quarantine,
		"GIT_ALTERNATE_OBJECT_DIRECTORIES="+filepath.Join(repo.dir, "objects"))}
	if slices.ContainsFunc(p.updates, func(u update) bool { return !u.deletes() }) {
		if _, err := j.git.run(ctx, repo.dir, pack.File, "index-pack", "--stdin", "--fix-thin"); err != nil {
			return verdict{}, ctx.Err()
		}
	}
	var all verdict
	for _, u := range p.updates {
		if u.deletes() {
			continue
		}
		v, err := j.update(ctx, u)
		if err != nil || v.refusal != "" {
			return v, err
		}
		if v.warning != "" {
			all.warning = v.warning
		}
	}
	return all, nil
}

// judge knows the objects of the repo and those of a push.
type judge struct {
	repo *Repo
	git  git
}

// blob is a blob of a push and a path under which it stands.
type blob struct {
	object
	path string
}

// update judges the commits that one command brings: every blob of every new commit, and the card at the tip.
func (j judge) update(ctx context.Context, u update) (verdict, error) {
	blobs, err := j.newBlobs(ctx, u)
	if err != nil {
		return verdict{}, ctx.Err()
	}
	if paths := tooBig(blobs); len(paths) > 0 {
		return verdict{refusal: offending(bigText, paths, u.ref)}, nil
	}
	paths, err := j.binary(ctx, blobs)
	if err != nil {
		return verdict{}, err
	}
	if len(paths) > 0 {
		return verdict{refusal: offending(binaryText, paths, u.ref)}, nil
	}
	if paths, err = j.dangling(ctx, blobs); err != nil {
		return verdict{}, err
	}
	if len(paths) > 0 {
		return verdict{refusal: offending(danglingText, paths, u.ref)}, nil
	}
	return j.card(ctx, u)
}

// newBlobs lists the blobs that the repo did not have.
func (j judge) newBlobs(ctx context.Context, u update) ([]blob, error) {
	out, err := j.git.run(ctx, j.repo.dir, nil, "rev-list", "--objects", u.new, "--not", "--all")
	if err != nil {
		return nil, err
	}
	var oids, paths []string
	for row := range strings.Lines(string(out)) {
		oid, path, _ := strings.Cut(strings.TrimSuffix(row, "\n"), " ")
		oids, paths = append(oids, oid), append(paths, path)
	}
	objects, err := j.git.stat(ctx, j.repo.dir, oids)
	if err != nil {
		return nil, err
	}
	var blobs []blob
	for i, o := range objects {
		if o.kind == "blob" {
			blobs = append(blobs, blob{o, paths[i]})
		}
	}
	return blobs, nil
}

// tooBig finds plain blobs above the limit.
func tooBig(blobs []blob) (paths []string) {
	for _, b := range blobs {
		if b.size > plainMax {
			paths = append(paths, b.path)
		}
	}
	return paths
}

// binary finds plain binary blobs above their limit.
func (j judge) binary(ctx context.Context, blobs []blob) (paths []string, err error) {
	err = j.read(ctx, blobs, func(b blob) bool { return b.size > plainBinaryMax }, func(b blob, data []byte) {
		if isBinary(data) {
			paths = append(paths, b.path)
		}
	})
	return paths, err
}

// isBinary decides as git does: a NUL among the first 8000 bytes.
func isBinary(data []byte) bool { return bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 }

// dangling finds LFS pointers whose object the repo does not hold.
func (j judge) dangling(ctx context.Context, blobs []blob) (paths []string, err error) {
	err = j.read(ctx, blobs, func(b blob) bool { return b.size < lfspointer.MaxSize }, func(b blob, data []byte) {
		if p, ok := lfspointer.Parse(data); ok && !j.repo.HasObject(p) {
			paths = append(paths, b.path)
		}
	})
	return paths, err
}

// read visits the content of some of the blobs.
func (j judge) read(ctx context.Context, blobs []blob, some func(blob) bool, visit func(blob, []byte)) error {
	var chosen []blob
	var oids []string
	for _, b := range blobs {
		if some(b) {
			chosen, oids = append(chosen, b), append(oids, b.oid)
		}
	}
	return j.git.contents(ctx, j.repo.dir, oids, func(i int, data []byte) { visit(chosen[i], data) })
}

// card judges README.md at the tip of a branch or pull request, if the push changes it.
func (j judge) card(ctx context.Context, u update) (verdict, error) {
	if !strings.HasPrefix(u.ref, "refs/heads/") && !strings.HasPrefix(u.ref, "refs/pr/") {
		return verdict{}, nil
	}
	tips, err := j.git.stat(ctx, j.repo.dir, []string{u.old + ":README.md", u.new + ":README.md"})
	if err != nil {
		return verdict{}, err
	}
	if tips[1].kind != "blob" || tips[0] == tips[1] {
		return verdict{}, nil
	}
	var report cardReport
	err = j.git.contents(ctx, j.repo.dir, []string{tips[1].oid}, func(_ int, data []byte) {
		report = judgeCard(j.repo.Type, string(data))
	})
	return verdict{report.refusal(), report.warning()}, err
}

// refusal is what the hook says of a card with errors.
func (c cardReport) refusal() string {
	switch {
	case c.unreadable != "":
		return framed("Invalid YAML in README.md:\n  - Error: " + c.unreadable)
	case len(c.errors) > 0:
		return framed("Sorry, your push was rejected during YAML metadata verification:\n"+bullets("Error", c.errors)) +
			"\nPlease find the documentation at:\nhttps://huggingface.co/docs/hub/model-cards#model-card-metadata\n"
	}
	return ""
}

// warning is what the hook says of a card that it lets through.
func (c cardReport) warning() string {
	if len(c.warnings) == 0 {
		return ""
	}
	return framed(strings.TrimSuffix(bullets("Warning", c.warnings), "\n"))
}

func bullets(word string, texts []string) string {
	var b strings.Builder
	for _, t := range texts {
		fmt.Fprintf(&b, "  - %s: %s\n", word, t)
	}
	return b.String()
}

// offending is a refusal that lists files.
func offending(text string, paths []string, ref string) string {
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		text += fmt.Sprintf("\n  - %s (ref: %s)", path, ref)
	}
	return framed(text)
}

// framed puts the Hub's rulers around a text.
func framed(text string) string {
	ruler := strings.Repeat("-", 73)
	return ruler + "\n" + strings.TrimSuffix(text, "\n") + "\n" + ruler
}
