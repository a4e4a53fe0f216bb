package generate_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/family/clerk/generate"
)

// made generates timelines.
func made(t testing.TB, p generate.Params) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := generate.Write(t.Context(), &b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The sums are those of the format's specification, made by an independent program.
func TestGoldenFiles(t *testing.T) {
	for _, c := range []struct {
		params generate.Params
		bytes  int
		sha256 string
	}{
		{generate.Params{Personas: 1, Sessions: 1, Budget: 12, Seed: 0, Split: "train"}, 3160, "ec1e29f8048d88d0e429f9a567d4fb71d85af91c2b50a7e9ca160cc89ed12cfc"},
		{generate.Params{Personas: 2, Sessions: 3, Budget: 6, Seed: 7, Split: "test"}, 17941, "049c689dcaf7a5256115190d370f4a6c3a4261dba3c88648d5ab4db30a05368c"},
		{generate.Params{Personas: 3, Sessions: 8, Budget: 12, Seed: 137, Split: "train"}, 107304, "663e03470d526412a32411ebded75fc4a06a7e6b474bb7d36667280e64b9bbb7"},
		{generate.Params{Personas: 5, Sessions: 10, Budget: 20, Seed: 1, Split: "val"}, 253681, "4b89a9f76561a19bf8319f469345dfcede170966c70502836796430649d58b01"},
		{generate.Defaults(), 28049014, "287330d7adb1edc42754c9943e38de5a6a4eea54e9264a5156226119ada99f62"},
		{generate.Params{Personas: 100, Sessions: 8, Budget: 12, Seed: 991, Split: "train"}, 3482803, "d9b337810f95054bf57d4ff9a71df1cf31f05795646dc53099401dccad6c3256"},
		{generate.Params{Personas: 100, Sessions: 8, Budget: 12, Seed: 991, Split: "val"}, 3616414, "ca43e0b3c5e6b99dbb2d1c35e36319a4918c46bfa1cacb38a4f2633629425460"},
		{generate.Params{Personas: 100, Sessions: 8, Budget: 12, Seed: 4242, Split: "test"}, 3525113, "ecbd0cf51d8507525ef161faf025fdb446a77419f450b85eeb026b33b30b6b3f"},
	} {
		text := made(t, c.params)
		sum := sha256.Sum256(text)
		if got := hex.EncodeToString(sum[:]); len(text) != c.bytes || got != c.sha256 {
			t.Errorf("%+v gives %d bytes with the sum %s, want %d with %s", c.params, len(text), got, c.bytes, c.sha256)
		}
	}
}

func TestFirstNames(t *testing.T) {
	for _, c := range []struct {
		split string
		seed  uint64
		want  string
	}{{"train", 137, "Henk Nowak"}, {"train", 991, "Hugo Jansky"}, {"val", 991, "Lionel Elmhurst"}, {"test", 4242, "Fola Juma"}} {
		text := made(t, generate.Params{Personas: 1, Sessions: 1, Budget: 12, Seed: c.seed, Split: c.split})
		if want := `{"name":"` + c.want + `",`; !strings.HasPrefix(string(text), want) {
			t.Errorf("%s/%d begins with %.40s, want %s", c.split, c.seed, text, want)
		}
	}
}

func TestTheBytesDoNotDependOnTheWorkers(t *testing.T) {
	p := generate.Params{Personas: 100, Sessions: 3, Budget: 6, Seed: 5, Split: "val"}
	want := made(t, p)
	t.Chdir(t.TempDir())
	for _, workers := range []int{1, 2, 3, 7} {
		old := runtime.GOMAXPROCS(workers)
		got := made(t, p)
		runtime.GOMAXPROCS(old)
		if !bytes.Equal(got, want) {
			t.Errorf("%d workers write other bytes", workers)
		}
	}
}

func TestParametersAreChecked(t *testing.T) {
	for name, change := range map[string]func(*generate.Params){
		"no persona":      func(p *generate.Params) { p.Personas = 0 },
		"too many names":  func(p *generate.Params) { p.Personas = generate.MaxPersonas + 1 },
		"no session":      func(p *generate.Params) { p.Sessions = 0 },
		"budget too tiny": func(p *generate.Params) { p.Budget = generate.MinBudget - 1 },
		"unknown split":   func(p *generate.Params) { p.Split = "dev" },
	} {
		p := generate.Defaults()
		change(&p)
		if err := generate.Write(t.Context(), io.Discard, p); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWriteStops(t *testing.T) {
	if err := generate.Write(t.Context(), brokenPipe{}, generate.Defaults()); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a writer that fails gives %v, want its error", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := generate.Write(ctx, io.Discard, generate.Defaults()); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context gives %v, want its error", err)
	}
}

func BenchmarkWrite(b *testing.B) {
	p := generate.Defaults()
	b.SetBytes(28049014)
	b.ReportAllocs()
	for b.Loop() {
		if err := generate.Write(b.Context(), io.Discard, p); err != nil {
			b.Fatal(err)
		}
	}
}
