package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/validate/hygiene/fingerprint"
)

// maxFingerprinted bounds the bytes of one file that is fingerprinted: it is held as a whole.
const maxFingerprinted = 1 << 30

func fingerprintCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "fingerprint NAME FILE...",
		Short: "Write a list by which texts that must not be released are found",
		Long: `Write the fingerprints of texts that must not be released to stdout, under the name of what they are
from. A fingerprint is the hash of twelve words in a row; the list holds no text. Name the list in hfpub.yaml,
under the repo whose files must not hold any of it:

    hygiene: {forbid: [persona-bank.fingerprints]}`,
		Example: `  hfpub fingerprint 'Persona Bank' bank.jsonl > persona-bank.fingerprints`,
		Args:    atLeast(2),
		RunE:    func(_ *cobra.Command, args []string) error { return a.fingerprint(args[0], args[1:]) },
	}
}

func (a *app) fingerprint(name string, paths []string) error {
	var all []uint64
	for _, path := range paths {
		text, err := regularfile.Read(path, maxFingerprinted+1)
		switch {
		case err != nil:
			return fmt.Errorf("read %s: %w", path, err)
		case len(text) > maxFingerprinted:
			return fmt.Errorf("%s is larger than %d GiB: give it in parts", path, maxFingerprinted>>30)
		}
		all = append(all, fingerprint.Of(fingerprint.Plain(path, text))...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) == 0 {
		return fmt.Errorf("the files hold no %d words in a row, and so leave no fingerprint", fingerprint.Window)
	}
	return fingerprint.Write(a.stdout, name, all)
}
