package hubtest

import (
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/schemas/release"
)

func TestJudgeCard(t *testing.T) {
	missing := []string{"empty or missing yaml metadata in repo card"}
	block := func(yaml string) string { return "---\n" + yaml + "\n---\n# Title\n" }
	tests := []struct {
		name, text string
		kind       release.Type
		// unreadable is a part of the reason, errors and warnings are parts of the messages, in order.
		unreadable       string
		errors, warnings []string
	}{
		{name: "all is well", text: block("license: mit\nlanguage:\n- en\n- code\nconfigs:\n- config_name: default\nunknown: 1")},
		{name: "no metadata", text: "# Title\n", warnings: missing},
		{name: "byte order mark", text: "\ufeff" + block("license: MIT"), warnings: missing},
		{name: "blank after the dashes", text: "--- \nlicense: MIT\n---\n", warnings: missing},
		{name: "nothing in between", text: "---\n---\n", warnings: missing},
		{name: "white space before", text: "\n  \n" + block("license: mit")},
		{name: "CR LF", text: "---\r\nlicense: mit\r\n---\r\n"},
		{name: "no end of the block", text: "---\nlicense: MIT\n", warnings: missing},
		{name: "closed at the end of the text", text: "---\nlicense: mit\n---"},
		{name: "dashes with more behind do not close", text: block("a: |\n  x\n---x: 1\nlicense: mit")},

		{name: "no YAML", text: block("license: [mit"), unreadable: "line 1"},
		{name: "a list", text: block("- license"), unreadable: "must be a mapping"},
		{name: "only a comment", text: block("# license"), unreadable: "must be a mapping"},
		{name: "a key twice", text: block("license: mit\nlicense: mit"), unreadable: `duplicated mapping key "license" (line 2)`},
		{name: "a Python tag", text: block("x: !!python/tuple [1]"), unreadable: "unknown tag !<tag:yaml.org,2002:python/tuple>"},
		{name: "binary", text: block("a:\n- x: !!binary aGk="), unreadable: "unknown tag !<tag:yaml.org,2002:binary> (line 2)"},
		{name: "an alias of itself", text: block("a: &a\n  b: *a")},

		{name: "license blank", text: block("license:"), errors: []string{`"license" must be one of`}},
		{name: "license in capitals", text: block("license: MIT"), errors: []string{`"license" must be one of`}},
		{name: "license by its SPDX id", text: block("license: gpl-3.0-or-later"), errors: []string{`"license" must be one of`}},
		{name: "license other", text: block("license: other")},
		{name: "license list", text: block("license: [mit, Apache-2.0]"), errors: []string{`"license[1]" must be one of`}},
		{name: "license mapping", text: block("license: {id: mit}"), errors: []string{`"license" must be one of`}},
		{name: "language in capitals", text: block("language: [en, EN]"),
			errors: []string{`"language[1]" must only contain lowercase characters`}},
		{name: "language name", text: block("language: english"), errors: []string{`"language" with value "english" is not valid`}},
		{name: "language with region", text: block("language: pt-br"),
			errors: []string{`"language" with value "pt-br" is not valid`}},
		{name: "language no is text in YAML 1.2", text: block("language: no")},
		{name: "language through an alias", text: block("a: &l [EN]\nlanguage: *l"),
			errors: []string{`"language[0]" must only contain`}},
		{name: "configs not a list", text: block("configs: {config_name: default}"), errors: []string{`"configs" must be an array`}},
		{name: "model-index not a list", text: block("model-index: x"), errors: []string{`"model-index" must be an array`}},
		{name: "tags as mapping", text: block("tags: {a: b}"), errors: []string{`"tags" must be an array`}},
		{name: "size_categories as text", text: block("size_categories: n<1K")},
		{name: "datasets blank in a model card", kind: release.Model, text: block("datasets:"),
			errors: []string{`"datasets" is not allowed to be empty`}},
		{name: "class labels by number", text: block("dataset_info: {features: [{name: y, dtype: {class_label: {names: {0: a}}}}]}"),
			errors: []string{"write '0' in quotes"}},
		{name: "class labels by text", text: block("dataset_info: {features: [{name: y, dtype: {class_label: {names: {'0': a}}}}]}")},
		{name: "all at once", text: block("license: X\nlanguage: EN\nconfigs: 1"),
			errors: []string{`"license"`, `"language"`, `"configs"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := judgeCard(tt.kind, tt.text)
			if (got.unreadable == "") != (tt.unreadable == "") || !strings.Contains(got.unreadable, tt.unreadable) {
				t.Errorf("unreadable: %q, want %q", got.unreadable, tt.unreadable)
			}
			if !slices.EqualFunc(got.errors, tt.errors, strings.Contains) {
				t.Errorf("errors: %q, want %q", got.errors, tt.errors)
			}
			if !slices.EqualFunc(got.warnings, tt.warnings, strings.Contains) {
				t.Errorf("warnings: %q, want %q", got.warnings, tt.warnings)
			}
		})
	}
}

// FuzzJudgeCard: whatever a card holds, the Hub has an opinion and stays up.
func FuzzJudgeCard(f *testing.F) {
	for _, seed := range []string{
		"---\nlicense: mit\n---\n", "---\na: &a [*a]\n---\n", "---\n<<: {license: MIT}\n? [x]\n: y\n---", "---\n\t\n---",
		"---\ndataset_info: {class_label: {names: {0: a}}}\nlanguage: [[EN]]\n---\n", "---\n!!binary x: y\n---\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := judgeCard(release.Dataset, text)
		if c.unreadable != "" && len(c.errors) > 0 {
			t.Errorf("a card that cannot be read has errors %q", c.errors)
		}
		if (c.refusal() == "") != (c.unreadable == "" && len(c.errors) == 0) {
			t.Errorf("the push of %+v is answered by %q", c, c.refusal())
		}
	})
}
