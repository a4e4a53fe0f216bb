package memgym_test

import (
	"testing"

	"github.com/hfpub/hfpub/validate/family/familytest"
	"github.com/hfpub/hfpub/validate/family/memgym/memgymtest"
)

// example is the example release, which keeps every promise.
func example() familytest.Files {
	files := familytest.Files(memgymtest.Files())
	files["hfpub.yaml"] = memgymtest.Manifest()
	return files
}

func TestTheExampleIsValid(t *testing.T) {
	for _, f := range example().Findings(t) {
		t.Errorf("found %s", f)
	}
}
