package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hfpub/hfpub/schemas/nearest"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/output"
)

func explainCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "explain [CODE]",
		Short: "Explain a finding code: what it means, an example, the fix",
		Long:  "Explain a finding code on one page. Without a code, list all of them; with a part of some, those.",
		Example: `  hfpub explain json/duplicate-key
  hfpub explain csv/`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return codeNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listCodes("")
			}
			return a.explain(args[0])
		},
	}
}

func (a *app) explain(code string) error {
	page, ok := finding.Page(finding.Code(code))
	if !ok {
		if code != "" && slices.ContainsFunc(codeNames(), func(name string) bool { return strings.Contains(name, code) }) {
			return a.listCodes(code)
		}
		if near, ok := nearest.Word(code, codeNames()); ok {
			return fmt.Errorf("no finding has the code %s: did you mean %s?", code, near)
		}
		return fmt.Errorf("no finding has the code %s: hfpub explain lists all codes", code)
	}
	info, _ := finding.Lookup(finding.Code(code))
	if a.format == "json" {
		return a.show(nil, output.Result{JSON: map[string]any{"code": code, "severity": info.Severity, "title": info.Title, "page": page}}, false)
	}
	_, err := fmt.Fprintf(a.stdout, "%s\n", strings.TrimSpace(page))
	return err
}

// listCodes lists the codes that have a text in them.
func (a *app) listCodes(part string) error {
	t := output.Table{Header: []string{"code", "severity", "what is wrong"}}
	list := []map[string]any{}
	for _, info := range finding.Codes() {
		if !strings.Contains(string(info.Code), part) {
			continue
		}
		t.Rows = append(t.Rows, []string{string(info.Code), string(info.Severity), info.Title})
		list = append(list, map[string]any{"code": info.Code, "severity": info.Severity, "title": info.Title})
	}
	return a.show(nil, output.Result{Command: "explain", JSON: map[string]any{"codes": list}, Tables: []output.Table{t}}, false)
}

func codeNames() []string {
	var names []string
	for _, info := range finding.Codes() {
		names = append(names, string(info.Code))
	}
	return names
}
