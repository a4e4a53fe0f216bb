package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hfpub/hfpub/schemas/atomicfile"
	"github.com/hfpub/hfpub/schemas/nearest"
	"github.com/hfpub/hfpub/validate/family/clerk/generate"
)

func generateCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "generate",
		Short: "Make data that is the same bytes on every machine",
		Long:  "Make data of a known artifact. The same flags give the same bytes on every machine.",
		Args:  cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			var names []string
			for _, sub := range c.Commands() {
				names = append(names, sub.Name())
			}
			if near, ok := nearest.Word(args[0], names); ok {
				return fmt.Errorf("there is no generator %q: did you mean %s?", args[0], near)
			}
			return fmt.Errorf("there is no generator %q: there are %s", args[0], strings.Join(names, ", "))
		},
	}
	c.AddCommand(generateClerkCommand(a))
	return c
}

func generateClerkCommand(a *app) *cobra.Command {
	p := generate.Defaults()
	var out string
	c := &cobra.Command{
		Use:   "clerk",
		Short: "Make CLERK timelines (artifact clerk/timelines)",
		Long: `Make timelines of personas who tell an assistant facts over several sessions, with the ledger that it
should keep of them, the programs that edit it, and questions about it: one JSON object on a line for each persona.

The rows have the shape and every stated property of the CLERK data set. They are not its rows: names, words, slots and
the salience oracle are hfpub's own. A card must say so.`,
		Example: `  hfpub generate clerk --out data/timelines_train.jsonl
  hfpub generate clerk --personas 100 --seed 4242 --split test > data/timelines_test.jsonl`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.generateClerk(cmd.Context(), p, out) },
	}
	c.Flags().IntVar(&p.Personas, "personas", p.Personas, fmt.Sprintf("number of rows, 1 to %d", generate.MaxPersonas))
	c.Flags().IntVar(&p.Sessions, "sessions", p.Sessions, "number of sessions of each")
	c.Flags().IntVar(&p.Budget, "budget", p.Budget, fmt.Sprintf("slots of a ledger at most, at least %d", generate.MinBudget))
	c.Flags().Uint64Var(&p.Seed, "seed", p.Seed, "seed of all that is drawn")
	c.Flags().StringVar(&p.Split, "split", p.Split, "pool of names: "+strings.Join(generate.Splits(), ", "))
	c.Flags().StringVar(&out, "out", "", "file to write; without it the rows go to stdout")
	return c
}

func (a *app) generateClerk(ctx context.Context, p generate.Params, out string) error {
	if err := p.Check(); err != nil {
		return err
	}
	write := func(w io.Writer) error { return generate.Write(ctx, w, p) }
	if out == "" {
		return write(a.stdout)
	}
	return atomicfile.WriteFrom(out, 0o644, write)
}
