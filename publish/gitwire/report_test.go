package gitwire

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/google/go-cmp/cmp"
)

func band(n byte, text string) string { return packet(string([]byte{n}) + text) }

func TestReadReport(t *testing.T) {
	good := packet("unpack ok\n") + packet("ok refs/heads/main\n") + "0000"
	refused := packet("unpack ok\n") + packet("ng refs/heads/main pre-receive hook declined\n") + "0000"
	update := Update{Ref: main, New: plumbing.NewHash(strings.Repeat("1", 40))}
	for _, c := range []struct {
		name, answer string
		banded       bool
		said         []string
		refs         map[string]string
		fails        string
	}{
		{name: "no bands", answer: good, refs: map[string]string{main: "ok"}},
		{name: "bands", answer: band(1, good) + "0000", banded: true, refs: map[string]string{main: "ok"}},
		{name: "a report cut into pieces", answer: band(1, good[:7]) + band(2, "x\n") + band(1, good[7:]) + "0000",
			banded: true,
			said:   []string{"x"}, refs: map[string]string{main: "ok"}},
		{name: "words before and after the report", answer: band(2, "Checking\n") + band(1, good) + band(2, "View your ") +
			band(2, "data set\r\nbye") + "0000", banded: true, said: []string{"Checking", "View your data set", "bye"},
			refs: map[string]string{main: "ok"}},
		{name: "words after the flush", answer: band(1, good) + "0000" + band(2, "late\n") + "0000", banded: true,
			said: []string{"late"},
			refs: map[string]string{main: "ok"}},
		{name: "counters", answer: band(2, "Resolving: 50%\rResolving: 100%\rResolving: 100%, done.\n") + band(1, good) +
			"0000", banded: true,
			said: []string{"Resolving: 100%, done."}, refs: map[string]string{main: "ok"}},
		{name: "escapes", answer: band(2, "\x1b[31mred\x1b[0m\x07\n") + band(1, good) + "0000", banded: true,
			said: []string{"red"},
			refs: map[string]string{main: "ok"}},
		{name: "refused", answer: band(2, "no\n") + band(1, refused) + "0000", banded: true,
			fails: "main: pre-receive hook declined; it says: no"},
		{name: "the pack is bad", answer: packet("unpack index-pack abnormal exit\n") +
			packet("ng refs/heads/main unpacker error\n") + "0000",
			fails: "refs/heads/main: unpacker error; unpack: index-pack abnormal exit"},
		{name: "nothing", answer: "", fails: "does not say what became of the push"},
		{name: "nothing in bands", answer: "", banded: true, fails: "does not say what became of the push"},
		{name: "only a flush", answer: "0000", banded: true, fails: "does not say what became of the push"},
		{name: "cut off", answer: band(1, good)[:20], banded: true, fails: "read the answer: the server closed the connection"},
		{name: "cut off after the unpack line", answer: packet("unpack ok\n"), fails: "missing flush"},
		{name: "a report that does not name the branch", answer: packet("unpack ok\n") + packet("ok refs/heads/other\n") +
			"0000", fails: "does not say what became of the push"},
		{name: "the server gives up", answer: band(2, "trying\n") + band(3, "out of disk\x1b[0m\n"), banded: true,
			fails: "the server says: out of disk"},
		{name: "another band", answer: band(9, "x"), banded: true, fails: "band 9"},
		{name: "a page of HTML", answer: "<html>", fails: "invalid pkt-len"},
	} {
		m := &messages{}
		status, err := readReport(strings.NewReader(c.answer), c.banded, m)
		var report *Report
		if err == nil {
			report, err = judge(status, []Update{update}, m.lines, 7)
		}
		if c.fails != "" {
			if err == nil || !strings.Contains(err.Error(), c.fails) || strings.Contains(err.Error(), "\x1b") {
				t.Errorf("%s: %v, want an error with %q", c.name, err, c.fails)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(&Report{Refs: c.refs, Remote: c.said, Sent: 7}, report); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestMessagesAreBounded(t *testing.T) {
	m := &messages{}
	for range 3 << 8 {
		m.add(bytes.Repeat([]byte("x"), 4096))
	}
	m.end()
	if m.size > maxReport || len(m.lines) != 1 {
		t.Errorf("%d bytes and %d lines kept, want at most %d bytes and one line", m.size, len(m.lines), maxReport)
	}
	told := 0
	m = &messages{told: func(string) { told++ }}
	m.add(bytes.Repeat([]byte("x\n"), 5000))
	if len(m.lines) != maxLines || told != maxLines {
		t.Errorf("%d lines kept and %d told, want %d", len(m.lines), told, maxLines)
	}
	text := (&RejectedError{Unpack: "ok", Refs: map[string]string{main: "no"}, Remote: m.lines}).Error()
	if len(text) > 300 || !strings.Contains(text, "and 980 lines more") {
		t.Errorf("%q, want the first of the lines and how many there are more", text)
	}
}

func FuzzReadReport(f *testing.F) {
	good := packet("unpack ok\n") + packet("ok refs/heads/main\n") + "0000"
	f.Add([]byte(good), false)
	f.Add([]byte(band(2, "a\r\nb\rc\n")+band(1, good)+"0000"), true)
	f.Add([]byte(band(3, "x")), true)
	f.Add([]byte("0004"), true)
	f.Fuzz(func(t *testing.T, answer []byte, banded bool) {
		m := &messages{}
		status, err := readReport(bytes.NewReader(answer), banded, m)
		if err == nil {
			_, err = judge(status, []Update{{Ref: main}}, m.lines, 0)
		}
		var rejected *RejectedError
		texts := m.lines
		if errors.As(err, &rejected) {
			texts = append(texts, rejected.Unpack, rejected.Refs[main])
		}
		if err != nil {
			texts = append(texts, err.Error())
		}
		for _, text := range texts {
			if i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
				t.Errorf("%q holds what a terminal obeys", text)
			}
		}
	})
}

func FuzzRefs(f *testing.F) {
	f.Add([]byte("001e# service=git-upload-pack\n0000" +
		packet(strings.Repeat("1", 40)+" HEAD\x00symref=HEAD:refs/heads/main\n") + "0000"))
	f.Add([]byte("001e# service=git-upload-pack\n00000000"))
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := Open("http://hub.example/x", Options{Transport: canned(body), Retry: quick})
		if err != nil {
			t.Fatal(err)
		}
		refs, err := r.Refs(t.Context())
		if err != nil {
			printable(t, err)
			return
		}
		refs.Get(main)
		refs.Branches()
	})
}

// printable fails where an error holds what a terminal obeys.
func printable(t *testing.T, err error) {
	t.Helper()
	if strings.ContainsFunc(err.Error(), func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Errorf("%q holds what a terminal obeys", err)
	}
}

// FuzzFetch gives any bytes for a pack: they are refused or read, and never bring the reader down.
func FuzzFetch(f *testing.F) {
	var pack bytes.Buffer
	if err := WritePack(f.Context(), &pack, []Object{Blob([]byte("x"))}); err != nil {
		f.Fatal(err)
	}
	f.Add([]byte("0008NAK\n" + pack.String()))
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := Open("http://hub.example/x", Options{Transport: canned(body), Retry: quick})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Fetch(t.Context(), newRefs(packp.NewAdvRefs()), plumbing.NewHash(strings.Repeat("1", 40))); err != nil {
			printable(t, err)
		}
	})
}

// canned answers every request with the same bytes, as git would.
type canned []byte

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	kind := "application/x-git-upload-pack-result"
	if r.Method == http.MethodGet {
		kind = "application/x-git-upload-pack-advertisement"
	}
	return &http.Response{StatusCode: 200, Request: r, Header: http.Header{"Content-Type": {kind}},
		Body: io.NopCloser(bytes.NewReader(c))}, nil
}
