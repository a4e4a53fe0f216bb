package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

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
		Args: atMostOne,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return codeNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.forms("explain", "table", "json", "markdown"); err != nil {
				return err
			}
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
	_, err := fmt.Fprintf(a.stdout, "%s\n", folded(strings.TrimSpace(page), pageWidth))
	return err
}

// pageWidth is how many characters a line of a page has at most, so that it fits into any terminal.
const pageWidth = 80

// folded breaks the paragraphs and list items of a page into lines of up to width characters. Headings and examples stay
// as they are.
func folded(page string, width int) string {
	var out, block []string
	flush := func() {
		if len(block) > 0 {
			out = append(out, filled(strings.Join(block, " "), width)...)
			block = nil
		}
	}
	for line := range strings.SplitSeq(page, "\n") {
		asIs := line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "    ")
		if asIs || strings.HasPrefix(line, "- ") {
			flush()
		}
		if asIs {
			out = append(out, line)
		} else {
			block = append(block, line)
		}
	}
	flush()
	return strings.Join(out, "\n")
}

// filled breaks one paragraph or list item into lines. Code in it stays together.
func filled(text string, width int) []string {
	hang := ""
	if strings.HasPrefix(text, "- ") {
		hang = "  "
	}
	var lines []string
	line, code := "", false
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case code || utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = hang + word
		}
		if strings.Count(word, "`")%2 == 1 {
			code = !code
		}
	}
	return append(lines, line)
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
