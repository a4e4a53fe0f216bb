package loader

import (
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/finding"
)

// Columns says what load_dataset makes of the columns of a config. judged says that the features which the card declares have
// been held against the data, with errors: what makes the loader fail is then known.
func Columns(config *release.Config, troubles []column.Trouble, judged bool) []finding.Finding {
	var found []finding.Finding
	for _, t := range troubles {
		if judged && t.Severity == finding.Error {
			continue
		}
		f := finding.New(t.Code, "%s", t.Message).As(t.Severity).At(t.Path, t.Line).In(t.Pointer)
		f = f.OfSplit(config.Name, config.Splits[t.Split].Name)
		f.Hint = hints[t.Code]
		if t.Cure != "" {
			f.Hint = t.Cure
		}
		found = append(found, f)
	}
	return found
}

// hints advise where declaring features does not help.
var hints = map[finding.Code]string{
	finding.LoaderColumnsDiffer: "write the same columns into every file",
	finding.LoaderFieldsDiffer:  "write the same fields into every object, null where there is nothing",
	finding.LoaderTypeChanges:   "write values of one type",
	finding.LoaderNullFirst:     "declare its type in the features of the card",
	finding.LoaderNullColumn:    "leave the column out, or declare its type in the features of the card",
	finding.LoaderMixedKinds:    "write values of one kind; a column of texts and numbers can hold texts alone",
	finding.LoaderKeysDiffer:    "write every key into every object, null where there is nothing",
	finding.LoaderTimestamps:    "declare timestamp[s] in the features if times are meant; json keeps the texts",
	finding.LoaderValuesChange:  "write values of one type, or declare json in the features, which keeps them",
	finding.LoaderBigInteger:    "write big integers as texts",
	finding.LoaderNumberRange:   "write the number as a text",
	finding.LoaderLeadingZeros:  "declare string in the features inside the config, in README.md",
	finding.LoaderMissingText:   "write keep_default_na: false and na_values: [''] into the config, if the texts are meant",
	finding.LoaderNameMisleads:  "rename it, or write values of one kind",
	finding.LoaderAgentTrace:    "declare features in the card, or write parse_agent_traces: false into the config",
	finding.LoaderBlankFirst:    "remove the blank line",
	finding.LoaderNesting:       "write what is deep inside as text",
}
