package umb_test

import (
	"testing"

	"github.com/hfpub/hfpub/validate/family/familytest"
)

// Every artifact and every code is shown by a test.
func TestMain(m *testing.M) {
	familytest.Main(m, familytest.Family{Name: "umb", Open: []string{
		"umb/event-repeated",
		"umb/event-number",
		"umb/event-order",
		"umb/overall-definition",
		"umb/stage-mean",
		"umb/stage-missing",
		"umb/assigned-twice",
		"umb/assignment-missing",
		"umb/dialogue-unknown",
		"umb/entity-overlap",
		"umb/sft-character",
		"umb/eval-seen",
		"umb/ladder-character",
		"umb/fact-date",
		"umb/ladder-prompt",
	}})
}
