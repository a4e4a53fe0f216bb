package secrets

import (
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
)

// The parts of a file of rules hold the rules of the whole, in their order.
func TestPartsOfAFileHoldItsRules(t *testing.T) {
	for _, text := range []string{gitleaksRules, ownRules, ""} {
		var whole rulesFile
		if _, err := toml.Decode(text, &whole); err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{1, 2, 3, 7, 1000} {
			parts := split(text, n)
			if strings.Join(parts, "") != text || len(parts) > n {
				t.Fatalf("%d parts are not the file in at most %d", len(parts), n)
			}
			if n == 7 && text == gitleaksRules && len(parts) != n {
				t.Errorf("%d parts of %d", len(parts), n)
			}
			var got rulesFile
			for i, part := range parts {
				var file rulesFile
				if _, err := toml.Decode(part, &file); err != nil {
					t.Fatalf("part %d of %d: %v", i, n, err)
				}
				if i == 0 {
					got.Allowlist = file.Allowlist
				} else if diff := cmp.Diff(allowForm{}, file.Allowlist); diff != "" {
					t.Errorf("part %d of %d has an allow-list of its own:\n%s", i, n, diff)
				}
				got.Rules = append(got.Rules, file.Rules...)
			}
			if diff := cmp.Diff(whole, got); diff != "" {
				t.Errorf("%d parts (-whole +parts):\n%s", n, diff)
			}
		}
	}
}
