package validate_test

import (
	"testing"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/finding"
)

// A license is missing where it should be written: in hfpub.yaml when the release has one without.
func TestWhereALicenseIsMissing(t *testing.T) {
	without := "version: 1\nrelease: {name: tea, version: 1.0.0}\nrepos:\n- id: acme/tea\n  type: dataset\n  status: public\n" +
		"  configs: [{name: default, splits: [{name: train, files: a.jsonl}]}]\n"
	for _, tt := range []struct {
		name, manifest, want string
	}{
		{"in a plain folder", "", "README.md:2:1"},
		{"in hfpub.yaml", without, "hfpub.yaml:4:3"},
		{"in README.md, which hfpub card has not written yet", manifest("[{name: default, splits: [{name: train, files: a.jsonl}]}]"), "README.md:2:1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"README.md": "---\nlanguage: en\n---\n", "a.jsonl": "{\"a\": 1}\n{\"a\": 2}\n"}
			if tt.manifest != "" {
				files[release.ManifestName] = tt.manifest
			}
			rel, found := folder(t, files)
			var got string
			for _, f := range run(t, rel, found, validate.Options{}).Findings {
				if f.Code == finding.CardLicenseMissing {
					got = f.Where()
				}
			}
			if got != tt.want {
				t.Errorf("the license is missing at %q, want %q", got, tt.want)
			}
		})
	}
}
