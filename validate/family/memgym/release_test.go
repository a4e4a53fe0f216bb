package memgym_test

import (
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/hfpub/hfpub/validate/family/familytest"
	"github.com/hfpub/hfpub/validate/family/memgym/memgymtest"
)

var made = sync.OnceValue(func() familytest.Files {
	files := familytest.Files(memgymtest.Files())
	files["hfpub.yaml"] = memgymtest.Manifest()
	return files
})

// example is the example release, which keeps every promise.
func example() familytest.Files { return maps.Clone(made()) }

// beside is the part of the example that is judged together with a file.
func beside(path string) familytest.Files {
	root, _, _ := strings.Cut(path, "/")
	if root == "rm-train" || root == "rm-iid-heldout" || root == "rm-1p7b" {
		return example().Only("rm-train", "rm-iid-heldout", "rm-1p7b")
	}
	return example().Only(root)
}

func TestTheExampleIsValid(t *testing.T) {
	for _, f := range example().Findings(t) {
		t.Errorf("found %s", f)
	}
}
