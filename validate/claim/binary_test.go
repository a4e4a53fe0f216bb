package claim

import (
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/condition"
	"github.com/hfpub/hfpub/validate/observe/observetest"
)

// FuzzUnmarshal reads what observers of every measure over rows write.
func FuzzUnmarshal(f *testing.F) {
	measures := []string{
		"rows: {in: train}", "distinct: {in: train, key: /kind}", "count: {in: train, where: 'row.label == 1'}", "share: {in: train, where: 'row.label == 1'}",
		"sum: {in: train, value: /score}", "mean: {in: train, value: /score}", "median: {in: train, value: /score}", "std: {in: train, value: /score}",
		"min: {in: train, value: /score}", "max: {in: train, value: /score}", "auroc: {in: train, label: /label, positive: 1, score: /score}",
		"ece: {in: train, label: /label, positive: 1, score: /score, bins: 10}", "balance: {in: train, by: /label, equal: 1}",
		"accuracy: {in: train, label: /label, prediction: /said}", "f1: {in: train, label: /label, prediction: /said, positive: 1}",
	}
	var claims strings.Builder
	for i, m := range measures {
		claims.WriteString("\n      - {id: m" + string(rune('a'+i)) + ", said: {text: \"1\"}, measure: {" + m + "}}")
	}
	rel, splits := observetest.Load(f, map[string]string{"a.jsonl": "", "hfpub.yaml": `version: 1
release: {name: tea, version: 1.0.0}
repos:
  - id: acme/tea
    type: dataset
    status: public
    root: .
    configs: [{name: default, splits: [{name: train, files: a.jsonl}]}]
    claims:` + claims.String() + "\n"})
	var compiler condition.Compiler
	c, found := New(rel, splits, &compiler, observetest.Options(f))
	if len(found) > 0 || len(c.Checks()) < 10 {
		f.Fatalf("%d checks, %v", len(c.Checks()), found)
	}
	observetest.FuzzUnmarshal(f, c.Checks(), splits, `{"kind": "a", "label": 1, "said": 1, "score": 0.5}`, `{"kind": "b", "label": 0, "said": 1, "score": 0.25}`, `{"kind": null, "score": "x"}`)
}
