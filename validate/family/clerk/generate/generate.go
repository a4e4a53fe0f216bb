// Package generate makes CLERK timelines: personas who tell an assistant facts over several sessions, with the memory that the
// assistant should keep, the program that edits it, and questions about it.
//
// It is a substitute of our own for the generator of the CLERK data set, whose source is not public: rows have the shape that
// the card shows and every property that it states, and not one byte of the original. The same [Params] give the same bytes on
// every machine: all randomness comes from streams that are named after split, seed, persona and session (stream.go), so
// that a row depends neither on the number of personas nor a session on the number of sessions. A persona's world is played
// in numbers (persona.go, session.go) and written by appending texts that were escaped beforehand (phrases.go, write.go).
package generate

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/hfpub/hfpub/validate/family/clerk/vocabulary"
)

// Params says what to generate.
type Params struct {
	// Personas is the number of rows, from 1 to [MaxPersonas].
	Personas int
	// Sessions is the number of sessions of each, at least 1.
	Sessions int
	// Budget is how many slots a ledger has at most, at least [MinBudget].
	Budget int
	Seed   uint64
	// Split chooses the pool of names: train, val or test. It is part of every stream's name, too.
	Split string
}

// Defaults are the parameters of the training file.
func Defaults() Params {
	return Params{Personas: 800, Sessions: 8, Budget: 12, Seed: 137, Split: "train"}
}

const (
	// MaxPersonas is the number of distinct names of a split.
	MaxPersonas = 2048
	// MinBudget is the largest number of facts in a session: what a session touches never has to be forgotten in it.
	MinBudget = 6
)

// Splits are the pools of names.
func Splits() []string { return []string{"train", "val", "test"} }

// Check says what is wrong with the parameters.
func (p *Params) Check() error {
	switch {
	case p.Personas < 1 || p.Personas > MaxPersonas:
		return fmt.Errorf("%d personas: give 1 to %d, the number of distinct names of a split", p.Personas, MaxPersonas)
	case p.Sessions < 1:
		return fmt.Errorf("%d sessions: give at least 1", p.Sessions)
	case p.Budget < MinBudget:
		return fmt.Errorf("budget %d: give at least %d, so that what a session states fits in", p.Budget, MinBudget)
	case !slices.Contains(Splits(), p.Split):
		return fmt.Errorf("split %q: give one of %s", p.Split, strings.Join(Splits(), ", "))
	}
	return nil
}

// chunk is how many personas a worker makes at a time.
const chunk = 8

// Write writes the timelines, one JSON object on a line for each persona.
func Write(ctx context.Context, w io.Writer, p Params) error {
	if err := p.Check(); err != nil {
		return err
	}
	words := newPhrases(vocabulary.Shipped(), p.Split)
	names := p.stream(none, none, "names")
	offset := names.below(MaxPersonas)
	workers := make([]*worker, min(runtime.GOMAXPROCS(0), (p.Personas+chunk-1)/chunk))
	for i := range workers {
		workers[i] = newWorker(&p, words, offset)
	}
	for at := 0; at < p.Personas; at += chunk * len(workers) {
		if err := ctx.Err(); err != nil {
			return err
		}
		var group sync.WaitGroup
		for i, worker := range workers {
			from := at + i*chunk
			group.Go(func() { worker.make(from, min(from+chunk, p.Personas)) })
		}
		group.Wait()
		for _, worker := range workers {
			if _, err := w.Write(worker.out); err != nil {
				return fmt.Errorf("write timelines: %w", err)
			}
		}
	}
	return nil
}
