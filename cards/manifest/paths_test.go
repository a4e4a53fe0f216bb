package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSchemaPaths(t *testing.T) {
	long := strings.Repeat("é", 80)
	got := SchemaPaths([]string{"default", "en-US_1.0", "a b", "a_b", "A", "a", "..", "tab\t", long, "日本"})
	want := map[string]string{
		"default": ".hfpub/default.schema.json", "en-US_1.0": ".hfpub/en-US_1.0.schema.json",
		"a b": ".hfpub/a_b.schema.json", "a_b": ".hfpub/a_b-2.schema.json",
		"A": ".hfpub/A.schema.json", "a": ".hfpub/a-2.schema.json",
		"..": ".hfpub/...schema.json", "tab\t": ".hfpub/tab_.schema.json",
		long: ".hfpub/" + long[:100] + ".schema.json", "日本": ".hfpub/日本.schema.json",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
}
