package racktic_test

import (
	"testing"

	"github.com/hfpub/hfpub/validate/family/familytest"
)

// Every artifact and every code is shown by a test.
func TestMain(m *testing.M) { familytest.Main(m, familytest.Family{Name: "racktic"}) }
