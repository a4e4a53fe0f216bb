package hubtest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/pktline"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"
)

// The Hub's limits for files that are not in LFS, in bytes.
const (
	plainMax = 10 << 20
	// plainBinaryMax is where binary files have been seen refused; the Hub does not publish its limit.
	plainBinaryMax = 1 << 20
)

// update is one command of a push: move ref from old to new.
type update struct{ old, new, ref string }

func (u update) deletes() bool { return strings.Trim(u.new, "0") == "" }

// push is the head of a receive-pack request.
type push struct {
	updates      []update
	capabilities []string
}

func (p push) has(capability string) bool { return slices.Contains(p.capabilities, capability) }

// receivePack takes a push: it judges what the pack brings as the Hub's pre-receive hook does, then lets git apply it.
func (h *Hub) receivePack(w http.ResponseWriter, r *http.Request, repo *Repo) {
	if h.due(Receive503) {
		refuse(w, r, problem{http.StatusServiceUnavailable, "", "upstream hiccup"})
		return
	}
	if h.due(ReceiveReset) {
		io.CopyN(io.Discard, r.Body, 4096)
		reset(w)
		return
	}
	body, err := h.spool(r)
	if err != nil {
		refuse(w, r, problem{http.StatusBadRequest, "", "the request body cannot be read"})
		return
	}
	defer body.Close()
	p, err := readPush(body)
	if err != nil {
		refuse(w, r, problem{http.StatusBadRequest, "", "the push cannot be read: " + err.Error()})
		return
	}
	// Before a large push git sends an empty one, to see whether the server wants a password.
	if len(p.updates) == 0 {
		h.forward(w, r, repo, body)
		return
	}
	h.count(func(s *Stats) { s.Pushes++; s.PackBytes += body.size })
	verdict, err := h.judge(r.Context(), repo, p, body)
	switch {
	case err != nil:
		refuse(w, r, problem{http.StatusInternalServerError, "", err.Error()})
	case h.due(ReceiveReject):
		p.refuse(w, "Your push was refused by the test hook: terms of use not accepted. \x1b[31mred\x1b[0m")
	case verdict.refusal != "":
		p.refuse(w, verdict.refusal)
	default:
		h.apply(w, r, repo, p, verdict, body)
	}
}

// apply lets git move the refs.
func (h *Hub) apply(w http.ResponseWriter, r *http.Request, repo *Repo, p push, v verdict, body *spoolFile) {
	if h.due(ReceiveRace) {
		if _, err := repo.Commit(p.updates[0].ref, "another push", map[string]string{"other.txt": "landed in between\n"}); err != nil {
			refuse(w, r, problem{http.StatusInternalServerError, "", err.Error()})
			return
		}
	}
	if h.due(ReceiveLost) {
		h.forward(&nowhere{header: http.Header{}}, r, repo, body)
		reset(w)
		return
	}
	if v.warning != "" && p.has("side-band-64k") {
		w = &prefixed{ResponseWriter: w, prefix: band(v.warning)}
	}
	h.forward(w, r, repo, body)
}

// forward hands the request to git as it came.
func (h *Hub) forward(w http.ResponseWriter, r *http.Request, repo *Repo, body *spoolFile) {
	if _, err := body.Seek(0, io.SeekStart); err != nil {
		refuse(w, r, problem{http.StatusInternalServerError, "", err.Error()})
		return
	}
	h.backend(w, r, repo, "git-receive-pack", body)
}

// readPush reads the commands of a push and leaves r at the start of its pack.
func readPush(r io.Reader) (push, error) {
	var p push
	s := pktline.NewScanner(r)
	for s.Scan() {
		row := s.Bytes()
		if len(row) == 0 {
			return p, nil
		}
		command, capabilities, _ := strings.Cut(string(row), "\x00")
		p.capabilities = append(p.capabilities, strings.Fields(capabilities)...)
		f := strings.SplitN(strings.TrimSuffix(command, "\n"), " ", 3)
		if f[0] == "shallow" {
			continue
		}
		if len(f) != 3 || !isObjectID(f[0]) || !isObjectID(f[1]) || f[2] == "" {
			return push{}, fmt.Errorf("%q is no command", command)
		}
		p.updates = append(p.updates, update{f[0], f[1], f[2]})
	}
	if err := s.Err(); err != nil {
		return push{}, err
	}
	return push{}, io.ErrUnexpectedEOF
}

func isObjectID(s string) bool { return len(s) == 40 && strings.Trim(s, "0123456789abcdef") == "" }

// refuse answers a push as git does when its pre-receive hook said no.
func (p push) refuse(w http.ResponseWriter, text string) {
	var report bytes.Buffer
	e := pktline.NewEncoder(&report)
	e.EncodeString("unpack ok\n")
	for _, u := range p.updates {
		e.Encodef("ng %s pre-receive hook declined\n", u.ref)
	}
	e.Flush()
	w.Header().Set("Content-Type", "application/x-git-receive-pack-result")
	w.Header().Set("Cache-Control", "no-cache")
	switch {
	case !p.has("report-status") && !p.has("report-status-v2"):
	case p.has("side-band-64k"):
		w.Write(band(text))
		sideband.NewMuxer(sideband.Sideband64k, w).Write(report.Bytes())
		pktline.NewEncoder(w).Flush()
	default:
		w.Write(report.Bytes())
	}
}

// band is text for the user as side-band packets.
func band(text string) []byte {
	var b bytes.Buffer
	sideband.NewMuxer(sideband.Sideband64k, &b).WriteChannel(sideband.ProgressMessage, []byte(text+"\n"))
	return b.Bytes()
}

// prefixed writes something before the body.
type prefixed struct {
	http.ResponseWriter
	prefix []byte
}

// Write sends the prefix first.
func (w *prefixed) Write(b []byte) (int, error) {
	if w.prefix != nil {
		if _, err := w.ResponseWriter.Write(w.prefix); err != nil {
			return 0, err
		}
		w.prefix = nil
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *prefixed) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// nowhere is an answer that nobody gets.
type nowhere struct{ header http.Header }

func (n *nowhere) Header() http.Header         { return n.header }
func (n *nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (n *nowhere) WriteHeader(int)             {}

// verdict is what the Hub's hook thinks of a push. Both texts empty: all is well.
type verdict struct{ refusal, warning string }

// judge looks at what a push brings before any of it is in the repo: the pack is unpacked beside it. Where git itself will
// refuse (a broken pack, missing history), judge keeps quiet and lets it.
func (h *Hub) judge(ctx context.Context, repo *Repo, p push, pack *spoolFile) (verdict, error) {
	quarantine, err := os.MkdirTemp(h.tmp, "incoming-")
	if err != nil {
		return verdict{}, err
	}
	defer os.RemoveAll(quarantine)
	if err := os.MkdirAll(filepath.Join(quarantine, "pack"), 0o755); err != nil {
		return verdict{}, err
	}
	g := h.git.with("GIT_OBJECT_DIRECTORY="+quarantine, "GIT_ALTERNATE_OBJECT_DIRECTORIES="+filepath.Join(repo.dir, "objects"))
	if slices.ContainsFunc(p.updates, func(u update) bool { return !u.deletes() }) {
		if _, err := g.run(ctx, repo.dir, pack.File, "index-pack", "--stdin", "--fix-thin"); err != nil {
			return verdict{}, ctx.Err()
		}
	}
	var all verdict
	for _, u := range p.updates {
		if u.deletes() {
			continue
		}
		v, err := h.judgeUpdate(ctx, repo, g, u)
		if err != nil || v.refusal != "" {
			return v, err
		}
		all.warning = cmpOr(all.warning, v.warning)
	}
	return all, nil
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// named is a blob of a push and a path under which it stands.
type named struct {
	object
	path string
}

// judgeUpdate judges the commits that one command brings: every blob of every new commit, and the card at the tip.
func (h *Hub) judgeUpdate(ctx context.Context, repo *Repo, g git, u update) (verdict, error) {
	blobs, err := newBlobs(ctx, repo, g, u)
	if err != nil {
		return verdict{}, ctx.Err()
	}
	for _, rule := range []func(context.Context, *Repo, git, []named) (string, []string, error){tooBig, binary, dangling} {
		text, paths, err := rule(ctx, repo, g, blobs)
		if err != nil {
			return verdict{}, err
		}
		if len(paths) > 0 {
			return verdict{refusal: offending(text, paths, u.ref)}, nil
		}
	}
	return verdict{}, nil
}

// newBlobs lists the blobs that the repo did not have.
func newBlobs(ctx context.Context, repo *Repo, g git, u update) ([]named, error) {
	out, err := g.run(ctx, repo.dir, nil, "rev-list", "--objects", u.new, "--not", "--all")
	if err != nil {
		return nil, err
	}
	var oids, paths []string
	for row := range strings.Lines(string(out)) {
		oid, path, _ := strings.Cut(strings.TrimSuffix(row, "\n"), " ")
		oids, paths = append(oids, oid), append(paths, path)
	}
	objects, err := g.stat(ctx, repo.dir, oids)
	if err != nil {
		return nil, err
	}
	var blobs []named
	for i, o := range objects {
		if o.kind == "blob" {
			blobs = append(blobs, named{o, paths[i]})
		}
	}
	return blobs, nil
}

// tooBig finds plain blobs above the limit.
func tooBig(_ context.Context, _ *Repo, _ git, blobs []named) (text string, paths []string, err error) {
	for _, b := range blobs {
		if b.size > plainMax {
			paths = append(paths, b.path)
		}
	}
	return "Your push was rejected because it contains files larger than 10 MiB.\n" +
		"Please use https://huggingface.co/docs/hub/xet to store large files.\n" +
		"See also: https://huggingface.co/docs/hub/repositories-getting-started#terminal\n\nOffending files:\n", paths, nil
}

// binary finds plain binary blobs above theirs: a NUL among the first 8000 bytes, as git decides it.
func binary(ctx context.Context, repo *Repo, g git, blobs []named) (text string, paths []string, err error) {
	for _, b := range blobs {
		if b.size <= plainBinaryMax {
			continue
		}
		err := g.contents(ctx, repo.dir, []string{b.oid}, func(_ object, data []byte) error {
			if bytes.IndexByte(data[:8000], 0) >= 0 {
				paths = append(paths, b.path)
			}
			return nil
		})
		if err != nil {
			return "", nil, err
		}
	}
	return "Your push was rejected because it contains binary files.\n" +
		"Please use https://huggingface.co/docs/hub/xet to store binary files.\n" +
		"See also: https://huggingface.co/docs/hub/repositories-getting-started#terminal\n\nOffending files:\n", paths, nil
}

// dangling finds LFS pointers whose object the repo does not hold.
func dangling(ctx context.Context, repo *Repo, g git, blobs []named) (text string, paths []string, err error) {
	small := slices.DeleteFunc(slices.Clone(blobs), func(b named) bool { return b.size >= pointerMax })
	oids := make([]string, len(small))
	for i, b := range small {
		oids[i] = b.oid
	}
	next := 0
	err = g.contents(ctx, repo.dir, oids, func(_ object, data []byte) error {
		if p, ok := parsePointer(data); ok && !repo.HasObject(p) {
			paths = append(paths, small[next].path)
		}
		next++
		return nil
	})
	return "Your push was rejected because an LFS pointer pointed to a file that does not exist.\n" +
		"For instance, this can happen if you used git push --no-verify to push your changes.\nOffending file:\n", paths, err
}

// offending is a refusal that lists files.
func offending(text string, paths []string, ref string) string {
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		text += fmt.Sprintf("  - %s (ref: %s)\n", path, ref)
	}
	return framed(text)
}

// framed puts the Hub's rulers around a text.
func framed(text string) string {
	ruler := strings.Repeat("-", 73)
	return ruler + "\n" + strings.TrimSuffix(text, "\n") + "\n" + ruler
}
