package license

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestInFile(t *testing.T) {
	bsd := "Redistribution and use in source and binary forms, with or without\nmodification, are permitted provided that the following conditions are met:\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"MIT, wrapped and quoted in its own way", "Copyright (c) 2026 X\n\nPermission is hereby granted, free of charge, to any\nperson obtaining a copy of this software and\n" +
			"associated documentation files (the “Software”), to deal", []string{"mit"}},
		{"Apache", "                                 Apache License\n                           Version 2.0, January 2004\n", []string{"apache-2.0"}},
		{"the notice of Apache", "Licensed under the Apache License, Version 2.0 (the \"License\");\nyou may not use this file", []string{"apache-2.0"}},
		{"BSD with two clauses", bsd + "1. Redistributions of source code must retain", []string{"bsd-2-clause"}},
		{"BSD with three clauses", bsd + "Neither the name of X may be used to endorse or promote products derived from", []string{"bsd-3-clause"}},
		{"BSD without patents", bsd + "may be used to endorse or promote products derived from X. NO EXPRESS OR IMPLIED LICENSES TO ANY PARTY'S PATENT RIGHTS " +
			"ARE GRANTED BY THIS LICENSE.", []string{"bsd-3-clause-clear"}},
		{"BSD with advertising", bsd + "All advertising materials mentioning features. to endorse or promote products derived from", []string{"bsd"}},
		{"GPL", "GNU GENERAL PUBLIC LICENSE\n Version 3, 29 June 2007\n … the GNU Affero General Public License … the GNU Lesser General Public License", []string{"gpl-3.0"}},
		{"LGPL", "GNU LESSER GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007\n version 3 of the GNU General Public License", []string{"lgpl-3.0"}},
		{"AGPL", "GNU AFFERO GENERAL PUBLIC LICENSE\nVersion 3, 19 November 2007", []string{"agpl-3.0"}},
		{"Creative Commons 4.0", "Attribution-NonCommercial-ShareAlike 4.0 International\n=====\nCreative Commons Attribution-NonCommercial-ShareAlike 4.0 International " +
			"Public License\nBy exercising the Licensed Rights", []string{"cc-by-nc-sa-4.0"}},
		{"Creative Commons 3.0", "Creative Commons Legal Code\n\nAttribution-NonCommercial-NoDerivs 3.0 Unported\n\nCREATIVE COMMONS CORPORATION IS NOT A LAW FIRM", []string{"cc-by-nc-nd-3.0"}},
		{"Creative Commons 2.5", "Creative Commons Legal Code\n\nAttribution 2.5\n\nCREATIVE COMMONS CORPORATION IS NOT A LAW FIRM", []string{"cc-by-2.5"}},
		{"CC0", "Creative Commons Legal Code\n\nCC0 1.0 Universal\n\nCREATIVE COMMONS CORPORATION IS NOT A LAW FIRM", []string{"cc0-1.0"}},
		{"ODbL", "ODC Open Database License (ODbL)\n\n### Preamble\n", []string{"odbl"}},
		{"ODC-By", "ODC Attribution License (ODC-By)\n\nPREAMBLE", []string{"odc-by"}},
		{"CDLA", "Community Data License Agreement – Permissive – Version 2.0\n\nThis is the", []string{"cdla-permissive-2.0"}},
		{"the Unlicense", "This is free and unencumbered software released into the public domain.\n", []string{"unlicense"}},
		{"two in one", "Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files\n" +
			"Apache License\nVersion 2.0, January 2004", []string{"mit", "apache-2.0"}},
		{"an id alone", "apache-2.0\n", []string{"apache-2.0"}},
		{"an SPDX id alone", "SPDX-License-Identifier: CC-BY-4.0\n", []string{"cc-by-4.0"}},
		{"a name alone", "MIT\n", []string{"mit"}},
		{"a name and a link", "Creative Commons Attribution-NonCommercial 4.0 International (CC BY-NC 4.0)\n\nSee https://creativecommons.org/licenses/by-nc/4.0/\n",
			[]string{"cc-by-nc-4.0"}},
		{"a short notice", "Tea (c) 2026 the authors\n\nThis work is licensed under a Creative Commons Attribution 4.0 International License.\n" +
			"You should have received a copy of the license.\n<https://creativecommons.org/licenses/by/4.0/>.\n", []string{"cc-by-4.0"}},
		{"two names", "Code: Apache License 2.0. Data: CC BY 4.0.\n", []string{"apache-2.0", "cc-by-4.0"}},
		{"an own license", "You may read these rows on Mondays.\n", nil},
		{"a long text that names a license in passing", strings.Repeat("You may read these rows on Mondays. ", 60) + "This is not the MIT License.", nil},
		{"nothing", "", nil},
		{"bytes that are no text", "\xff\xfe\x00M\x00I\x00T\x00", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := InFile([]byte(c.text)); !slices.Equal(got, c.want) {
				t.Errorf("InFile says %q, want %q", got, c.want)
			}
		})
	}
}

// Debian installs the full texts of some licenses.
func TestInFileOnFullTexts(t *testing.T) {
	const dir = "/usr/share/common-licenses"
	if _, err := os.Stat(dir); err != nil {
		t.Skip("this system has no folder of license texts")
	}
	for file, want := range map[string]string{
		"Apache-2.0": "apache-2.0", "BSD": "bsd-3-clause", "CC0-1.0": "cc0-1.0", "GFDL-1.3": "gfdl", "GPL-2": "gpl-2.0", "GPL-3": "gpl-3.0",
		"LGPL-2.1": "lgpl-2.1", "LGPL-3": "lgpl-3.0", "MPL-2.0": "mpl-2.0", "Artistic": "",
	} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			continue
		}
		if got := strings.Join(InFile(text), " "); got != want {
			t.Errorf("the text of %s is taken for %q, want %q", file, got, want)
		}
	}
}

func FuzzInFile(f *testing.F) {
	f.Add([]byte("Creative Commons Attribution-NonCommercial 4.0 International (CC BY-NC 4.0)"))
	f.Add([]byte("\xff GNU GENERAL PUBLIC LICENSE\n Version 3, 29 June 2007 ½ 4．0"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, id := range InFile(text) {
			if id == "" || strings.ToLower(id) != id {
				t.Errorf("InFile(%q) gives the id %q", text, id)
			}
		}
	})
}

// The licenses that ask for a NOTICE are known by their texts.
func TestTextsOfLicensesWithANotice(t *testing.T) {
	for text, want := range map[string]string{
		"META LLAMA 3 COMMUNITY LICENSE AGREEMENT\nMeta Llama 3 Version Release Date: April 18, 2024": "llama3",
		"LLAMA 3.1 COMMUNITY LICENSE AGREEMENT\nLlama 3.1 Version Release Date: July 23, 2024":        "llama3.1",
		"LLAMA 2 COMMUNITY LICENSE AGREEMENT\nLlama 2 Version Release Date: July 18, 2023":            "llama2",
		"Gemma Terms of Use\n\nLast modified: March 24, 2025\n":                                       "gemma",
		"Educational Community License\nVersion 2.0, April 2007\n":                                    "ecl-2.0",
	} {
		got := InFile([]byte(text))
		if len(got) != 1 || got[0] != want {
			t.Errorf("%q is %v, want %s", text, got, want)
		}
	}
}
