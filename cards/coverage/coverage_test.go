package coverage_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/cards/coverage"
)

func TestNotes(t *testing.T) {
	const card = "---\nlicense: mit\nsize: 5\n---\n\n# The 3 sets\n\nThé set has 15,630 rows, 87.8 % of them in 12 files since 2024.\n" +
		"1. See `f(7)` and https://example.com/8 and [9 pages](a/10).\n\n```\n11 rows\n```\n\n<!-- hfpub:begin data -->\n| 13 |\n<!-- hfpub:end data -->\n\n| train | 14 |\n"
	var got []string
	for _, f := range coverage.Notes("README.md", []byte(card), []string{"15630 rows", "about 87.8%"}) {
		got = append(got, fmt.Sprintf("%s %s %s", f.Severity, f.Where(), f.Message))
	}
	want := []string{
		`note README.md:8:44 no claim covers "12"`,
		`note README.md:9:46 no claim covers "9"`,
		`note README.md:19:11 no claim covers "14"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
