package leak

import (
	"testing"

	"github.com/hfpub/hfpub/validate/observe/observetest"
)

func FuzzUnmarshal(f *testing.F) {
	_, splits := observetest.Load(f, map[string]string{"a.jsonl": "", "b.jsonl": "", "hfpub.yaml": `version: 1
release: {name: tea, version: 1.0.0}
repos:
  - id: acme/tea
    type: dataset
    status: public
    root: .
    configs: [{name: default, splits: [{name: train, files: a.jsonl}, {name: test, files: b.jsonl}]}]
`})
	observetest.FuzzUnmarshal(f, Checks(splits, observetest.Options(f)), splits, `{"a": 1}`, `{"a": 2}`)
}
