package clerk_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/family/familytest"
)

// What is known of the published repos of CLERK is found: one had no data files (D-CLK-01), the other no weights (D-CLK-05). That
// names of val are those of train (D-CLK-02) and that ops were applied twice (D-CLK-03) is shown by the mutations; what a stale
// question is (D-CLK-04) is asked only of rows in hfpub's own form.
func TestDiscrepancies(t *testing.T) {
	files := familytest.Files{"README.md": "# CLERK\n", "model/common.py": "slots = []\n", "hfpub.yaml": `version: 1
release: {name: clerk, version: 1.0.0}
repos:
  - {id: a/clerk-synthetic-sessions, type: dataset, status: public, license: apache-2.0,
     configs: [{name: default, splits: [{name: train, files: [data/timelines_train.jsonl], artifact: clerk/timelines}]}]}
  - {id: a/clerk-memory, type: model, status: public, root: model, license: apache-2.0}
`}
	got := files.All(t)
	for _, want := range []string{"loader/no-such-file hfpub.yaml:5 ", "license/status hfpub.yaml:6 "} {
		if !slices.Contains(got, want) {
			t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), want)
		}
	}
}

// Nothing is wrong with the sample of an independent program.
func TestTheRealSample(t *testing.T) {
	text, err := os.ReadFile("../../../../shared/data/clerk_generated/sample_test_p2_s3_b6_seed7.jsonl")
	if err != nil {
		t.Skipf("the shared material is not beside this checkout: %v", err)
	}
	files := splits{"test": {string(text)}}.files("")
	if got := files.All(t); len(got) > 0 {
		t.Errorf("found\n  %s", strings.Join(got, "\n  "))
	}
	folder := familytest.Files{"sample_test_p2_s3_b6_seed7.jsonl": string(text)}
	if got := folder.All(t); len(got) > 0 {
		t.Errorf("as a folder: found\n  %s", strings.Join(got, "\n  "))
	}
}
