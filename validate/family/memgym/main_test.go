package memgym_test

import (
	"testing"

	"github.com/hfpub/hfpub/validate/family/familytest"
	"github.com/hfpub/hfpub/validate/finding"
)

// Every artifact and every code is shown by a test.
func TestMain(m *testing.M) {
	familytest.Main(m, familytest.Family{Name: "memgym", Repos: []finding.Code{finding.MemgymAdapter}})
}
