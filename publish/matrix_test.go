package publish

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hfpub/hfpub/publish/exchange"
	"github.com/hfpub/hfpub/publish/gitwire"
	"github.com/hfpub/hfpub/publish/hubtest"
)

var update = flag.Bool("update", false, "write the table of faults in the docs anew")

// faultsPage is the page of the docs that shows what the matrix found.
const faultsPage = "../cmd/hfpub/doc/faults.md"

// The transfers of the matrix: by size, the Hub offers one request or parts.
const (
	basic     = "basic"
	multipart = "multipart"
)

// The ways in which a push is disturbed.
const (
	once    = "once"
	always  = "always"
	cancels = "cancelled"
	killed  = "killed"
)

// matrixFaults are the faults of the network and the servers that a push can meet. Those of downloads are for verify --deep.
var matrixFaults = []struct {
	fault hubtest.Fault
	// only is the transfer that has it, "" for both.
	only string
}{
	{hubtest.Info503, ""}, {hubtest.Batch429, ""}, {hubtest.Batch502, ""}, {hubtest.BatchMissing, ""},
	{hubtest.Put503, ""}, {hubtest.PutReset, ""}, {hubtest.Put403, ""}, {hubtest.PutSwallow, ""}, {hubtest.PutStall, ""},
	{hubtest.Complete500, multipart}, {hubtest.Verify500, ""},
	{hubtest.Receive503, ""}, {hubtest.ReceiveReset, ""}, {hubtest.ReceiveLost, ""}, {hubtest.ReceiveReject, ""}, {hubtest.ReceiveRace, ""},
}

// matrixRetry waits little, and not for servers that ask for more than a second.
var matrixRetry = exchange.Policy{Attempts: 4, First: time.Millisecond, Cap: time.Millisecond, Budget: 1500 * time.Millisecond}

// Every fault, with each transfer, once and for ever, and with the push cancelled or killed at the moment of the fault: in the end
// there is the whole release, or the branch as it was and a clear message; and the next push makes it whole.
func TestMatrixOfFaults(t *testing.T) {
	var mu sync.Mutex
	outcomes := map[string]string{}
	t.Run("cells", func(t *testing.T) {
		for _, f := range matrixFaults {
			for _, transfer := range []string{basic, multipart} {
				if f.only != "" && f.only != transfer {
					continue
				}
				for _, way := range []string{once, always, cancels, killed} {
					name := fmt.Sprintf("%s/%s/%s", f.fault, transfer, way)
					t.Run(name, func(t *testing.T) {
						t.Parallel()
						c := newCell(t, f.fault, transfer)
						outcome := c.run(way)
						c.again()
						mu.Lock()
						outcomes[name] = outcome
						mu.Unlock()
					})
				}
			}
		}
	})
	if t.Failed() || testing.Short() {
		return
	}
	page := matrixPage(outcomes)
	if *update {
		if err := os.WriteFile(faultsPage, page, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old, err := os.ReadFile(faultsPage); err != nil || !bytes.Equal(old, page) {
		t.Errorf("%s is out of date (%v): run go test ./publish -run Matrix -update\n%s", faultsPage, err, page)
	}
}

// cell is one push that is disturbed.
type cell struct {
	*world
	fault hubtest.Fault
	seed  string
	tmp   string
}

func newCell(t *testing.T, fault hubtest.Fault, transfer string) *cell {
	o := hubtest.Options{}
	if transfer == multipart {
		o.MultipartOver, o.PartSize = 16<<10, 32<<10
	}
	c := &cell{world: newWorld(t, o), fault: fault, tmp: t.TempDir()}
	c.write(usual())
	c.write(map[string]string{attributesName: "*.jsonl filter=lfs diff=lfs merge=lfs -text\n",
		"data/train.jsonl": noise(128 << 10), "data/train-2.jsonl": noise(64<<10 + 1)})
	c.seed = c.head()
	return c
}

// run pushes with the fault, and says what came of it.
func (c *cell) run(way string) (outcome string) {
	switch way {
	case always:
		c.hub.Fault(c.fault, 1000)
	default:
		c.hub.Fault(c.fault, 1)
	}
	var err error
	switch way {
	case killed:
		c.kill()
	case cancels:
		err = c.cancel()
	default:
		_, err = c.push(quickly)
	}
	happened := c.hub.Stats().Faults[c.fault] > 0
	if !happened && way != killed && way != cancels {
		c.t.Errorf("the fault never happened: the cell proves nothing")
	}
	c.hub.Fault(c.fault, 0)
	return c.judge(way, err)
}

func quickly(o *Options) { o.Retry, o.Idle = matrixRetry, time.Second }

// cancel ends the context as soon as the fault has happened.
func (c *cell) cancel() error {
	ctx, end := context.WithCancel(c.t.Context())
	defer end()
	go c.await(ctx, end)
	p := c.publisher(quickly)
	plan, err := p.Plan(ctx, meta)
	if err == nil {
		_, err = p.Publish(ctx, plan)
	}
	return err
}

// await calls do as soon as the fault has happened.
func (c *cell) await(ctx context.Context, do func()) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for ctx.Err() == nil {
		if c.hub.Stats().Faults[c.fault] > 0 {
			do()
			return
		}
		<-tick.C
	}
}

// kill pushes from a process of its own, which is killed as soon as the fault has happened.
func (c *cell) kill() {
	ctx, end := context.WithCancel(c.t.Context())
	defer end()
	child := exec.Command(os.Args[0], "-test.run=^TestPushOfAProcess$", "-test.count=1")
	child.Env = append(os.Environ(), "HFPUB_TEST_REMOTE="+c.repo.URL(), "HFPUB_TEST_TOKEN="+c.hub.Token(hubtest.Write),
		"HFPUB_TEST_DIR="+c.dir, "TMPDIR="+c.tmp)
	var out bytes.Buffer
	child.Stdout, child.Stderr = &out, &out
	if err := child.Start(); err != nil {
		c.t.Fatal(err)
	}
	go c.await(ctx, func() { child.Process.Kill() })
	_ = child.Wait() // killed, or through before that
	if !strings.Contains(out.String(), "begun") {
		c.t.Fatalf("the process did not begin to push:\n%s", out.String())
	}
}

// TestPushOfAProcess is the push of the process that [cell.kill] starts.
func TestPushOfAProcess(t *testing.T) {
	remote := os.Getenv("HFPUB_TEST_REMOTE")
	if remote == "" {
		t.Skip("a part of TestMatrixOfFaults")
	}
	w := &world{t: t, dir: os.Getenv("HFPUB_TEST_DIR"), release: rowsRepo(os.Getenv("HFPUB_TEST_DIR"))}
	w.reload()
	token := os.Getenv("HFPUB_TEST_TOKEN")
	p, err := New(Target{URL: remote}, w.release, Options{
		AuthorizeGit: func(r *http.Request) { r.SetBasicAuth("hf_user", token) },
		AuthorizeLFS: func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) },
		TokenSource:  "HF_TOKEN", Retry: matrixRetry, Idle: time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("begun")
	plan, err := p.Plan(t.Context(), meta)
	if err == nil {
		_, err = p.Publish(t.Context(), plan)
	}
	fmt.Println("ended", err)
}

// judge says what state the push has left. The error is nil for a killed push, which has no last word.
func (c *cell) judge(way string, err error) string {
	c.t.Helper()
	head := c.head()
	switch {
	case c.fault == hubtest.ReceiveRace && head != c.seed:
		return c.judgeRace(way, err)
	case head == c.seed:
		if way != killed {
			c.clear(err)
		}
		return "untouched"
	}
	v, verr := c.publisher(nil).Verify(c.t.Context(), Question{Deep: true})
	if verr != nil || !v.OK {
		c.t.Errorf("the branch has moved, and the release is not whole: %+v, %v", v, verr)
	}
	var unknown *gitwire.UnknownError
	var unverified *UnverifiedError
	if err != nil && !errors.As(err, &unknown) && !errors.As(err, &unverified) {
		c.t.Errorf("the release is there, and the push says: %v", err)
	}
	return "complete"
}

// judgeRace looks at a branch to which somebody else has pushed meanwhile.
func (c *cell) judgeRace(way string, err error) string {
	var stale *gitwire.StaleError
	if _, there := c.remote()["data/train.jsonl"]; there || way != killed && way != cancels && !errors.As(err, &stale) {
		c.t.Errorf("somebody else's commit was there first, and the push says %v", err)
	}
	return "untouched"
}

// clear wants an error that says what happened and what to do.
func (c *cell) clear(err error) {
	c.t.Helper()
	var advised *Error
	if err == nil || !errors.As(err, &advised) || advised.Hint == "" || strings.Contains(err.Error(), "\n") || strings.ContainsRune(err.Error(), '\x1b') {
		c.t.Errorf("the branch is as it was, and the push says %q; want what happened and what to do, on one line", fmt.Sprint(err))
	}
}

// again pushes without a fault: all has to be there then, and nothing left behind.
func (c *cell) again() {
	c.t.Helper()
	_, err := c.push(quickly)
	var stale *gitwire.StaleError
	for try := 0; errors.As(err, &stale) && try < 5; try++ {
		_, err = c.push(quickly) // what the server had begun for the push before has ended just now
	}
	if err != nil {
		c.t.Fatalf("the next push: %v", err)
	}
	v, err := c.publisher(nil).Verify(c.t.Context(), Question{Deep: true})
	if err != nil || !v.OK {
		c.t.Errorf("after the next push: %+v, %v; want the whole release", v, err)
	}
	if leaks := c.hub.Leaks(); len(leaks) > 0 {
		c.t.Errorf("the token leaked: %v", leaks)
	}
}

// matrixPage writes what the matrix found. For a push that is cancelled or killed either end is right, and which it is depends on
// the moment.
func matrixPage(outcomes map[string]string) []byte {
	var b bytes.Buffer
	tried := len(outcomes)
	b.WriteString("# Faults that a push survives\n\n")
	b.WriteString("Written by `go test ./publish -run Matrix -update`. A Hub in the test's process fails in one way while a release of three files\n" +
		"goes into LFS and git: once, for ever, and once with the push cancelled (Ctrl-C) or killed (`kill -9`) at that moment. A cell holds when\n" +
		"the end is the complete release, every byte of it downloaded and hashed, or the branch as it was with one line that says what\n" +
		"happened and what to do; and when the next push, without the fault, makes the release complete.\n\n")
	fmt.Fprintf(&b, "%d cells tried, %d hold.\n\n", tried, tried)
	b.WriteString("| fault | transfer | once | for ever | cancelled | killed |\n|---|---|---|---|---|---|\n")
	for _, f := range matrixFaults {
		for _, transfer := range []string{basic, multipart} {
			if f.only != "" && f.only != transfer {
				continue
			}
			at := fmt.Sprintf("%s/%s/", f.fault, transfer)
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", strings.ReplaceAll(string(f.fault), "_", " "), transfer,
				outcomes[at+once], outcomes[at+always], holds(outcomes[at+cancels]), holds(outcomes[at+killed]))
		}
	}
	return b.Bytes()
}

func holds(outcome string) string {
	if outcome == "" {
		return "not tried"
	}
	return "holds"
}
