package license

import (
	"strings"
	"testing"
)

func TestTheHubHas83Ids(t *testing.T) {
	if n := len(ids()); n != 83 {
		t.Errorf("%d ids, want 83", n)
	}
	for _, id := range ids() {
		if !Known(id) || id != strings.ToLower(id) || strings.TrimSpace(id) != id {
			t.Errorf("%q is not an id as the Hub writes it", id)
		}
	}
	for _, id := range []string{"MIT", "Apache-2.0", "CC BY 4.0", "gpl-3.0-or-later", "", "mit\n", "cc-by-sa-2.0"} {
		if Known(id) {
			t.Errorf("the Hub refuses %q", id)
		}
	}
}

func TestSuggest(t *testing.T) {
	for text, want := range map[string]string{
		"CC BY 4.0":  "cc-by-4.0",
		"CC-BY-4.0":  "cc-by-4.0",
		"cc-by-nc-4": "cc-by-nc-4.0",
		"Creative Commons Attribution-NonCommercial-ShareAlike 4.0 International": "cc-by-nc-sa-4.0",
		"CC BY-NC-ND 3.0": "cc-by-nc-nd-3.0",
		"https://creativecommons.org/licenses/by-sa/3.0/": "cc-by-sa-3.0",
		"CC0":                           "cc0-1.0",
		"MIT":                           "mit",
		"MIT License":                   "mit",
		"Apache-2.0":                    "apache-2.0",
		"Apache 2":                      "apache-2.0",
		"Apache License, Version 2.0":   "apache-2.0",
		"apche-2.0":                     "apache-2.0",
		"GPL-3.0-or-later":              "gpl-3.0",
		"GPLv3":                         "gpl-3.0",
		"AGPL-3.0-only":                 "agpl-3.0",
		"LGPL-2.1+":                     "lgpl-2.1",
		"GNU General Public License v2": "gpl-2.0",
		"BSD-3-Clause":                  "bsd-3-clause",
		"3-clause BSD":                  "bsd-3-clause",
		"ODbL-1.0":                      "odbl",
		"ODC-By-1.0":                    "odc-by",
		"PDDL-1.0":                      "pddl",
		"CDLA-Permissive-2.0":           "cdla-permissive-2.0",
		"Mozilla Public License 2.0":    "mpl-2.0",
		"The Unlicense":                 "unlicense",
		"EUPL-1.2":                      "eupl-1.2",
		" mit ":                         "mit",
		// The Hub has none of these, and another version is another license.
		"cc-by-sa-2.0":      "",
		"CC BY":             "",
		"unlicensed":        "",
		"public domain":     "",
		"proprietary":       "",
		"see LICENSE":       "",
		"MIT and CC BY 4.0": "",
		"":                  "",
	} {
		got, ok := Suggest(text)
		if got != want || ok != (want != "") {
			t.Errorf("Suggest(%q) = %q, %v; want %q", text, got, ok, want)
		}
		if ok && !Known(got) {
			t.Errorf("Suggest(%q) offers %q, which the Hub refuses", text, got)
		}
	}
}

func TestSame(t *testing.T) {
	for _, pair := range [][2]string{
		{"mit", "mit"}, {"gpl", "gpl-3.0"}, {"cc-by", "cc-by-4.0"}, {"cc", "cc-by-sa-4.0"}, {"cc", "cc0-1.0"}, {"bsd", "bsd-3-clause"},
		{"apache", "apache-2.0"}, {"openrail", "bigscience-openrail-m"}, {"odc-by", "odc-by-1.0"},
	} {
		if !same(pair[0], pair[1]) || !same(pair[1], pair[0]) {
			t.Errorf("%s and %s may be one license", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{
		{"mit", "apache-2.0"}, {"cc-by", "cc-by-sa-4.0"}, {"cc-by-4.0", "cc-by-3.0"}, {"gpl", "lgpl-3.0"}, {"gpl-3.0", "agpl-3.0"}, {"lgpl", "lgpl-lr"},
		{"cc-by-nc", "cc-by-nc-sa-4.0"},
	} {
		if same(pair[0], pair[1]) || same(pair[1], pair[0]) {
			t.Errorf("%s and %s are two licenses", pair[0], pair[1])
		}
	}
}

func FuzzSuggest(f *testing.F) {
	f.Add("CC BY 4.0")
	f.Add("gnu lesser general public license v2.1 or later")
	f.Fuzz(func(t *testing.T, text string) {
		if id, ok := Suggest(text); ok && !Known(id) {
			t.Errorf("Suggest(%q) offers %q, which the Hub refuses", text, id)
		}
	})
}
