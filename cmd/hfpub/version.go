package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/hfpub/hfpub/validate/output"
)

func versionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of hfpub",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := a.forms("version", "table", "json"); err != nil {
				return err
			}
			if a.format == "json" {
				return a.show(nil, output.Result{JSON: map[string]string{"hfpub": version(), "go": runtime.Version()}}, false)
			}
			_, err := fmt.Fprintf(a.stdout, "hfpub %s (%s, %s/%s)\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
