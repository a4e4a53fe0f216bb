package license

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
)

func repoOf(t *testing.T, files map[string]string) *release.Repo {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := release.Walk(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return &release.Repo{ID: "acme/rulings", Type: release.Dataset, Status: release.Public, Dir: dir, Tree: tree}
}

func check(t *testing.T, repo *release.Repo) []finding.Finding {
	t.Helper()
	rel := &release.Release{File: filepath.Join(repo.Dir, "hfpub.yaml"), Dir: repo.Dir, Repos: []release.Repo{*repo}}
	x, err := Examine(rel)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(x.Findings(0), func(f finding.Finding) bool {
		return f.Code != finding.LicenseDisagree && f.Code != finding.CardLicenseUnknown
	})
}

const (
	mitText = "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files"
	ncText  = "Creative Commons Attribution-NonCommercial 4.0 International (CC BY-NC 4.0)\n\nSee https://creativecommons.org/licenses/by-nc/4.0/\n"
	saCard  = "---\nlicense: mit\nlanguage:\n- de\n---\n\n# Court rulings\n\nThe dataset is shared under CC BY-SA 4.0.\n"
)

// A repo is whole when all that speak say the same.
func TestVoicesThatAgree(t *testing.T) {
	for _, c := range []struct {
		name     string
		manifest string
		files    map[string]string
	}{
		{"nobody speaks", "", nil},
		{"hfpub.yaml alone", "mit", nil},
		{"hfpub.yaml and the real text", "mit", map[string]string{"LICENSE": mitText}},
		{"hfpub.yaml and a file of one id", "apache-2.0", map[string]string{"LICENSE": "apache-2.0\n"}},
		{"all four", "mit", map[string]string{"README.md": "---\nlicense: mit\n---\n# X\n\nThis dataset is licensed under the MIT License.\n", "LICENSE.md": mitText}},
		{"one of two ids", "", map[string]string{"README.md": "---\nlicense: [cc-by-4.0, mit]\n---\n", "LICENSE": mitText}},
		{"one of two statements", "", map[string]string{"README.md": "---\nlicense: cc-by-4.0\n---\nThe data are under CC BY 4.0.\n\nThis project is licensed under MIT.\n"}},
		{"one of two texts in a file", "mit", map[string]string{"LICENSE": mitText + "\nApache License\nVersion 2.0, January 2004"}},
		{"a family", "", map[string]string{"README.md": "---\nlicense: gpl\n---\n", "COPYING": "GNU GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007"}},
		{"a name without version", "cc-by-4.0", map[string]string{"README.md": "The dataset is licensed under CC BY.\n"}},
		{"a text that nobody knows", "mit", map[string]string{"LICENSE": "All rights reserved.\n"}},
		{"other, with an own text", "", map[string]string{"README.md": "---\nlicense: other\nlicense_name: tea-1.0\nlicense_link: LICENSE\n---\n", "LICENSE": "Drink it.\n"}},
		{"other, with a text that is known", "", map[string]string{"README.md": "---\nlicense: other\n---\n", "LICENSE": mitText}},
		{"other, named", "", map[string]string{"README.md": "---\nlicense: other\nlicense_name: cc-by-sa-2.0\n---\nThis dataset is licensed under CC BY-SA 2.0.\n"}},
		{"unknown", "", map[string]string{"README.md": "---\nlicense: unknown\n---\nThis dataset is licensed under MIT.\n"}},
		{"the license of the code", "cc-by-4.0", map[string]string{"LICENSE-CODE": mitText, "LICENSE": "cc-by-4.0"}},
		{"a folder of licenses is no license", "cc-by-4.0", map[string]string{"NOTICE": mitText}},
	} {
		t.Run(c.name, func(t *testing.T) {
			repo := repoOf(t, c.files)
			repo.License, repo.Declared = c.manifest, c.manifest != ""
			if found := check(t, repo); len(found) > 0 {
				t.Errorf("unexpected findings: %+v", found)
			}
		})
	}
}

func TestVoicesThatDisagree(t *testing.T) {
	for _, c := range []struct {
		name     string
		manifest string
		files    map[string]string
		// place of the finding, and what it lists.
		place string
		lists []string
	}{
		{"three voices", "", map[string]string{"README.md": saCard, "LICENSE": ncText}, "README.md:2:10",
			[]string{"mit (README.md:2)", "cc-by-sa-4.0 (README.md:9)", "cc-by-nc-4.0 (LICENSE)"}},
		{"front matter and text", "", map[string]string{"README.md": saCard}, "README.md:2:10", []string{"mit (README.md:2)", "cc-by-sa-4.0 (README.md:9)"}},
		{"front matter and file", "", map[string]string{"README.md": "---\nlicense: mit\n---\n", "LICENSE": ncText}, "README.md:2:10",
			[]string{"mit (README.md:2)", "cc-by-nc-4.0 (LICENSE)"}},
		{"text and file", "", map[string]string{"README.md": "The dataset is licensed under MIT.\n", "LICENSE": ncText}, "README.md:1",
			[]string{"mit (README.md:1)", "cc-by-nc-4.0 (LICENSE)"}},
		{"two files", "", map[string]string{"LICENSE": mitText, "LICENSE.md": ncText}, "LICENSE", []string{"mit (LICENSE)", "cc-by-nc-4.0 (LICENSE.md)"}},
		{"a list and a file", "", map[string]string{"README.md": "---\nlicense:\n- mit\n- cc-by-4.0\n---\n", "LICENSE": ncText}, "README.md:3:1",
			[]string{"mit or cc-by-4.0 (README.md:3)", "cc-by-nc-4.0 (LICENSE)"}},
		{"hfpub.yaml and front matter", "mit", map[string]string{"README.md": "---\nlicense: apache-2.0\n---\n"}, "README.md:2:10",
			[]string{"mit (hfpub.yaml:5)", "apache-2.0 (README.md:2)"}},
		{"hfpub.yaml and other in the front matter", "mit", map[string]string{"README.md": "---\nlicense: other\n---\n"}, "README.md:2:10",
			[]string{"mit (hfpub.yaml:5)", "other (README.md:2)"}},
		{"hfpub.yaml and file", "mit", map[string]string{"LICENSE": ncText}, "hfpub.yaml:5:5", []string{"mit (hfpub.yaml:5)", "cc-by-nc-4.0 (LICENSE)"}},
		{"other under a name that is known", "", map[string]string{"README.md": "---\nlicense: other\nlicense_name: cc-by-sa-2.0\n---\n", "LICENSE": mitText},
			"README.md:2:10", []string{"other (README.md:2)", "mit (LICENSE)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			repo := repoOf(t, c.files)
			repo.License, repo.Declared, repo.LicensePos = c.manifest, c.manifest != "", release.Pos{Line: 5, Column: 5}
			found := check(t, repo)
			if len(found) != 1 || found[0].Code != finding.LicenseDisagree || found[0].Severity != finding.Error {
				t.Fatalf("want one error license/disagree, got %+v", found)
			}
			if got := found[0].Where(); got != c.place {
				t.Errorf("the finding is at %s, want %s", got, c.place)
			}
			if want := "the license differs from place to place: " + strings.Join(c.lists, ", "); found[0].Message != want {
				t.Errorf("the message is\n%s\nwant\n%s", found[0].Message, want)
			}
		})
	}
}

func TestUnknownLicenseInFrontMatter(t *testing.T) {
	const list = "choose an id of https://huggingface.co/docs/hub/repositories-licenses, or `other` with license_name and license_link"
	for _, c := range []struct{ name, yaml, place, message, hint string }{
		{"a name", "license: CC BY 4.0", "README.md:2:10", `the Hub knows no license "CC BY 4.0"`, "write cc-by-4.0"},
		{"upper case", "license: MIT", "README.md:2:10", `the Hub knows no license "MIT"`, "write mit"},
		{"an SPDX id in a list", "license:\n- mit\n- GPL-3.0-or-later", "README.md:4:3", `the Hub knows no license "GPL-3.0-or-later"`, "write gpl-3.0"},
		{"a typing error", "license: apche-2.0", "README.md:2:10", `the Hub knows no license "apche-2.0"`, "write apache-2.0"},
		{"no version", "license: cc-by-nc", "README.md:2:10", `the Hub knows no license "cc-by-nc"`, "say which version: cc-by-nc-2.0, cc-by-nc-3.0, cc-by-nc-4.0"},
		{"a license the Hub has no id for", "license: cc-by-sa-2.0", "README.md:2:10", `the Hub knows no license "cc-by-sa-2.0"`,
			"the Hub has no id for this one: write `license: other`, `license_name: cc-by-sa-2.0` and a license_link"},
		{"an own license", "license: tea", "README.md:2:10", `the Hub knows no license "tea"`, list},
		{"a number", "license: 2.0", "README.md:2:10", `the Hub knows no license "2.0"`, list},
		{"nothing", "license:", "README.md:2:9", "the license is empty, which the Hub refuses", "take the key out, or " + list},
		{"an empty list", "license: []", "README.md:2:10", "the license is empty, which the Hub refuses", "take the key out, or " + list},
		{"a mapping", "license: {name: mit}", "README.md:2:10", "the license is a mapping, expected an id or a list of ids", list},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := check(t, repoOf(t, map[string]string{"README.md": "---\n" + c.yaml + "\n---\n# X\n"}))
			if len(found) != 1 {
				t.Fatalf("want one finding, got %+v", found)
			}
			want := [...]string{"card/license-unknown", "error", c.place, c.message, c.hint}
			got := [...]string{string(found[0].Code), string(found[0].Severity), found[0].Where(), found[0].Message, found[0].Hint}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnknownLicenseInManifest(t *testing.T) {
	repo := repoOf(t, nil)
	repo.Declared, repo.License, repo.LicensePos = true, "MIT", release.Pos{Line: 5, Column: 5}
	found := check(t, repo)
	if len(found) != 1 || found[0].Code != finding.CardLicenseUnknown || found[0].Where() != "hfpub.yaml:5:5" || found[0].Hint != "write mit" {
		t.Errorf("want card/license-unknown at hfpub.yaml:5:5 that offers mit, got %+v", found)
	}
}

// An id that the Hub refuses is still compared by what it means.
func TestUnknownIdIsComparedByItsMeaning(t *testing.T) {
	found := check(t, repoOf(t, map[string]string{"README.md": "---\nlicense: CC BY 4.0\n---\nThe dataset is shared under CC BY 4.0.\n"}))
	if len(found) != 1 || found[0].Code != finding.CardLicenseUnknown {
		t.Errorf("want card/license-unknown alone, got %+v", found)
	}
}

func TestBrokenFrontMatterIsLeftToOthers(t *testing.T) {
	if found := check(t, repoOf(t, map[string]string{"README.md": "---\nlicense: [\n---\n# X\n", "LICENSE": mitText})); len(found) > 0 {
		t.Errorf("unexpected findings: %+v", found)
	}
}

// The cards are real; those that disagree with themselves are named here, each with the reason.
func TestRealCards(t *testing.T) {
	cards, err := filepath.Glob(filepath.Join(shared(t), "data", "cards", "*.md"))
	if err != nil || len(cards) == 0 {
		t.Skip("the folder of real cards is not here")
	}
	defensible := map[string]string{
		"kelm.md":               "front matter cc-by-sa-3.0, text CC BY-SA 2.0",
		"kor_3i4k.md":           "front matter cc-by-4.0, text CC BY-SA-4.0",
		"wikitablequestions.md": "front matter cc-by-4.0, text Attribution Share Alike 4.0",
	}
	for _, card := range cards {
		text, err := os.ReadFile(card)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(card)
		repo := repoOf(t, map[string]string{"README.md": string(text)})
		repo.ID = strings.TrimSuffix(name, ".md")
		found := check(t, repo)
		if want := defensible[name] != ""; want != (len(found) > 0) {
			t.Errorf("%s: want findings: %v (%s), got %+v", name, want, defensible[name], found)
		}
	}
}

// shared finds the folder of shared material beside the checkout.
func shared(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(filepath.Dir(dir), "shared")
		}
		dir = filepath.Dir(dir)
	}
	t.Fatal("no go.mod above the package")
	return ""
}

func TestOfFile(t *testing.T) {
	for name, test := range map[string]struct {
		files    map[string]string
		path, id string
	}{
		"one":               {map[string]string{"LICENSE": mitText}, "LICENSE", "mit"},
		"another name":      {map[string]string{"COPYING.txt": ncText}, "COPYING.txt", "cc-by-nc-4.0"},
		"none":              {map[string]string{"a.jsonl": "{}"}, "", ""},
		"that of a part":    {map[string]string{"LICENSE-CODE": mitText}, "", ""},
		"two":               {map[string]string{"LICENSE": mitText, "COPYING": ncText}, "", ""},
		"two in one":        {map[string]string{"LICENSE": "Code: MIT License. Data: CC BY 4.0."}, "", ""},
		"nobody knows it":   {map[string]string{"LICENSE": "Do as you please."}, "", ""},
		"the Hub has no id": {map[string]string{"LICENSE": "CC BY-NC 2.5"}, "", ""},
	} {
		path, id, err := OfFile(repoOf(t, test.files))
		if err != nil || path != test.path || id != test.id {
			t.Errorf("%s: got %q, %q, %v, want %q, %q", name, path, id, err, test.path, test.id)
		}
	}
}
