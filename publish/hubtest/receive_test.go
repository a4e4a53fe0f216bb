package hubtest

import (
	"fmt"
	"io"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
)

const (
	zero = "0000000000000000000000000000000000000000"
	one  = "1111111111111111111111111111111111111111"
)

// packet is one pkt-line.
func packet(text string) string { return fmt.Sprintf("%04x%s", len(text)+4, text) }

func TestReadPush(t *testing.T) {
	tests := []struct {
		name, text string
		want       push
		rest       string
		ok         bool
	}{
		{"one command", packet(zero+" "+one+" refs/heads/main\x00report-status atomic") + "0000PACK",
			push{[]update{{zero, one, "refs/heads/main"}}, []string{"report-status", "atomic"}}, "PACK", true},
		{"a shallow line before", packet("shallow "+one) + packet(one+" "+zero+" refs/pr/1\x00 quiet\n") + "0000",
			push{[]update{{one, zero, "refs/pr/1"}}, []string{"quiet"}}, "", true},
		{"nothing", "0000", push{}, "", true},
		{"no end", packet(zero + " " + one + " refs/heads/main"), push{}, "", false},
		{"no command", packet("push") + "0000", push{}, "", false},
		{"a name for an id", packet("main "+one+" ref") + "0000", push{}, "", false},
		{"no packet", "zzzz", push{}, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := strings.NewReader(tt.text)
			got, err := readPush(r)
			if (err == nil) != tt.ok || !reflect.DeepEqual(got, tt.want) {
				t.Fatalf("read %+v (%v), want %+v", got, err, tt.want)
			}
			if rest, _ := io.ReadAll(r); tt.ok && string(rest) != tt.rest {
				t.Errorf("what follows is %q, want %q", rest, tt.rest)
			}
		})
	}
}

// TestRefusalForms: a client gets the report in the form it can read.
func TestRefusalForms(t *testing.T) {
	report := packet("unpack ok\n") + packet("ng refs/x pre-receive hook declined\n") + "0000"
	for _, tt := range []struct{ name, capabilities, want string }{
		{"with side-band", "report-status side-band-64k", packet("\x02no\n") + packet("\x01"+report) + "0000"},
		{"without", "report-status", report},
		{"no report wanted", "quiet", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			push{[]update{{zero, one, "refs/x"}}, strings.Fields(tt.capabilities)}.refuse(w, "no")
			if got := w.Body.String(); got != tt.want {
				t.Errorf("answered %q, want %q", got, tt.want)
			}
		})
	}
}

// FuzzReadPush: bytes from a client never do more harm than an error, and what is read is well formed.
func FuzzReadPush(f *testing.F) {
	f.Add(packet(zero+" "+one+" refs/heads/main\x00report-status atomic") + "0000PACK")
	f.Add(packet("shallow "+one) + "0000")
	f.Add("00040004")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := readPush(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, u := range p.updates {
			if !isObjectID(u.old) || !isObjectID(u.new) || u.ref == "" {
				t.Errorf("read the command %+v", u)
			}
		}
	})
}
