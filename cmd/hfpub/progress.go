package main

import (
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/hfpub/hfpub/validate/output"
)

// progress shows bars on stderr while stderr is a terminal, and nothing otherwise: logs of CI stay clean.
type progress struct {
	bars *mpb.Progress

	mu   sync.Mutex
	open map[string]*mpb.Bar
}

// newProgress starts a display; call done before anything is printed.
func (a *app) newProgress() *progress {
	p := &progress{open: map[string]*mpb.Bar{}}
	if !a.quiet && isTerminal(a.stderr) {
		p.bars = mpb.New(mpb.WithOutput(a.stderr), mpb.WithWidth(40), mpb.WithRefreshRate(150*time.Millisecond))
	}
	return p
}

// set moves the bar of a name to done of total bytes; safe for use by several goroutines.
func (p *progress) set(name string, done, total int64) {
	if p.bars == nil || total <= 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	bar := p.open[name]
	if bar == nil {
		bar = p.bars.AddBar(total,
			mpb.BarRemoveOnComplete(),
			mpb.PrependDecorators(decor.Name(output.OneLine(name), decor.WCSyncSpaceR)),
			mpb.AppendDecorators(decor.CountersKibiByte("% .1f / % .1f")),
		)
		p.open[name] = bar
	}
	bar.SetCurrent(done)
}

// counter returns a function that adds to the bar of a name, for readers that report differences.
func (p *progress) counter(name string, total int64) func(n int64) {
	if p.bars == nil {
		return nil
	}
	var mu sync.Mutex
	var done int64
	return func(n int64) {
		mu.Lock()
		defer mu.Unlock()
		done += n
		p.set(name, done, total)
	}
}

// done takes the bars off the terminal.
func (p *progress) done() {
	if p.bars == nil {
		return
	}
	p.mu.Lock()
	for _, bar := range p.open {
		bar.Abort(true)
	}
	p.mu.Unlock()
	p.bars.Wait()
}
