package rule

import (
	"testing"

	"github.com/hfpub/hfpub/validate/condition"
	"github.com/hfpub/hfpub/validate/observe/observetest"
)

// FuzzUnmarshal reads what observers of every kind of rule write.
func FuzzUnmarshal(f *testing.F) {
	rel, splits := observetest.Load(f, map[string]string{"a.jsonl": "", "b.jsonl": "", "hfpub.yaml": `version: 1
release: {name: tea, version: 1.0.0}
repos:
  - id: acme/tea
    type: dataset
    status: public
    root: .
    configs: [{name: default, splits: [{name: train, files: a.jsonl}, {name: test, files: b.jsonl}]}]
    rules:
      - unique: {in: [train, test], key: /id}
      - disjoint: {between: [train, test], key: [/q], normalize: [nfkc, casefold, spaces]}
      - subset: {of: train, in: test, key: /kind}
      - reference: {from: {in: test, key: /kind}, to: {in: train, key: /kind}, at_least: 1}
      - determines: {in: [train], key: [/kind], value: [/label]}
      - counts: {in: [train, test], by: /label, equal: {0: 2, 1: 2}}
      - sorted: {in: [train], by: /id}
      - near_duplicates: {between: [train, test], key: /q}
      - when: 'row.label == 1'
        must: 'row.score > 0.5'
`})
	var compiler condition.Compiler
	checks, found := Checks(rel, splits, &compiler, observetest.Options(f))
	if len(checks) != 9 || len(found) > 0 {
		f.Fatalf("%d checks, %v", len(checks), found)
	}
	observetest.FuzzUnmarshal(f, checks, splits,
		`{"id": 2, "q": "How long is green tea to draw in hot water?", "kind": "green", "label": 0, "score": 0.25}`,
		`{"id": 1, "q": "How long is black tea to draw in hot water?", "kind": "green", "label": 1, "score": 0.25}`,
		`{"id": 1, "q": null}`)
}
