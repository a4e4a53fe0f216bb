package hubtest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/pktline"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"
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
		refuse(w, r, http.StatusServiceUnavailable, "upstream hiccup")
		return
	}
	if h.due(ReceiveReset) {
		io.CopyN(io.Discard, r.Body, 4096)
		reset(w)
		return
	}
	body, err := h.spool(r)
	if err != nil {
		refuse(w, r, http.StatusBadRequest, "the request body cannot be read")
		return
	}
	defer body.Close()
	p, err := readPush(body)
	if err != nil {
		refuse(w, r, http.StatusBadRequest, "the push cannot be read: "+err.Error())
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
		refuse(w, r, http.StatusInternalServerError, err.Error())
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
		other := map[string]string{"other.txt": "landed in between\n"}
		if _, err := repo.Commit(p.updates[0].ref, "another push", other); err != nil {
			refuse(w, r, http.StatusInternalServerError, err.Error())
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
		refuse(w, r, http.StatusInternalServerError, err.Error())
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
