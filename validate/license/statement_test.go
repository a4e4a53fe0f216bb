package license

import (
	"strings"
	"testing"
)

func TestInCard(t *testing.T) {
	for _, c := range []struct {
		name, markdown string
		// want is what the card says: ids joined by blanks, and the line behind @.
		want string
	}{
		{"a sentence", "# Court rulings\n\nThe dataset is shared under CC BY-SA 4.0.\n", "cc-by-sa-4.0@3"},
		{"with a link", "This dataset is licensed under the [MIT License](https://opensource.org/licenses/MIT).", "mit@1"},
		{"a license of one word", "The data are released under MIT.", "mit@1"},
		{"a license of one word with an article", "The data are released under the terms of the Apache license.", "apache@1"},
		{"without verb", "The data is under the [Creative Commons Attribution 4.0 License](https://creativecommons.org/licenses/by/4.0/)", "cc-by-4.0@1"},
		{"without subject", "Released under CC0 1.0.", "cc0-1.0@1"},
		{"wrapped over lines", "The corpus is made\navailable under the Creative\nCommons Attribution 4.0 license.", "cc-by-4.0@2"},
		{"by its name", "# Dataset Card for hotpot_qa\n\n## Licensing\n\nHotpotQA is distributed under a CC BY-SA 4.0 License.", "cc-by-sa-4.0@5"},
		{"by its name from elsewhere", "GSM8K is licensed under the MIT License.", "mit@1"},
		{"two statements", "The dataset is licensed under MIT.\n\nThe data are licensed under CC BY 4.0.", "mit@1 cc-by-4.0@3"},
		{"a label", "- **License:** Apache 2.0\n", "apache-2.0@1"},
		{"a label with a link", "**License**: [CC BY-NC 4.0](https://creativecommons.org/licenses/by-nc/4.0/)\n", "cc-by-nc-4.0@1"},
		{"a table of properties", "| License | CC BY 4.0 |\n|---|---|\n", "cc-by-4.0@1"},
		{"a section of one name", "## License\n\nCC-BY-4.0\n", "cc-by-4.0@3"},
		{"a section of one link", "## Licensing Information\n\n[Creative Commons Attribution-ShareAlike 3.0 Unported](https://creativecommons.org/licenses/by-sa/3.0/).\n",
			"cc-by-sa-3.0@3"},
		{"an SPDX id", "This dataset is licensed under GPL-3.0-or-later.", "gpl-3.0@1"},
		{"inline code", "The dataset is licensed under `Creative Commons Attribution 4.0 License`", "cc-by-4.0@1"},
		{"a badge", "[![License: MIT](https://img.shields.io/badge/License-MIT-yellow.svg)](https://opensource.org/licenses/MIT)", "mit@1"},
		{"a badge without text", "![license](https://img.shields.io/badge/license-CC%20BY--NC%204.0-blue)", "cc-by-nc-4.0@1"},
		{"open source is no source", "This dataset is available under the open source MIT License.", "mit@1"},
		{"an address that is not a link", "## License\n\nhttps://creativecommons.org/licenses/by/4.0/\n", "cc-by-4.0@3"},

		{"no license at all", "The dataset was released under great pressure. MIT hosts it.", ""},
		{"the institute", "The dataset was released by MIT.", ""},
		{"another's data", "SQuAD is licensed under CC BY-SA 4.0.", ""},
		{"another's dataset", "The SQuAD dataset is licensed under CC BY-SA 4.0.", ""},
		{"another's data in a section about licenses", "## License\n\nSQuAD is licensed under CC BY-SA 4.0.\n", ""},
		{"the source data", "The source data of X is under CC BY-SA 4.0.", ""},
		{"a relative clause", "This dataset builds on SQuAD, which is licensed under CC BY-SA 4.0.", ""},
		{"the code", "The code is licensed under the MIT License.", ""},
		{"code and data", "Code and data are released under the MIT License.", ""},
		{"a part", "Parts of this dataset are licensed under CC BY 4.0.", ""},
		{"an exception", "The dataset is licensed under CC BY 4.0 except for the images.", ""},
		{"a condition", "If you need it, the dataset is available under the MIT License.", ""},
		{"a denial", "This dataset is not licensed under the MIT License.", ""},
		{"the past", "The dataset was previously released under CC BY-NC 4.0.", ""},
		{"the future", "The dataset will be released under CC BY 4.0.", ""},
		{"a table of other data sets", "| Name | License | Rows |\n|---|---|---|\n| SQuAD | CC BY-SA 4.0 | 5 |\n", ""},
		{"a label with more than a name", "License: MIT for the code, CC BY 4.0 for the data", ""},
		{"a section about the sources", "## Source Data\n\nThe dataset is licensed under CC BY-SA 4.0.\n", ""},
		{"a section below one about the sources", "## Source Data\n\n### License\n\nCC BY-SA 4.0\n", ""},
		{"a block of code", "```\nThe dataset is licensed under CC BY-SA 4.0.\n```\n~~~~\nLicense: MIT\n~~~\n~~~~\n", ""},
		{"indented code", "Text:\n\n    License: MIT\n\n    License: MIT\n", ""},
		{"a comment", "<!-- The dataset is licensed under CC BY 4.0.\n\nLicense: MIT -->", ""},
		{"a quotation", "> The dataset is licensed under CC BY-SA 4.0.\n", ""},
		{"what hfpub wrote", "<!-- hfpub:begin license -->\n## License\n\n`mit`\n<!-- hfpub:end license -->\n", ""},
		{"what hfpub wrote, without end", "<!-- hfpub:begin license -->\n## License\n\n`mit`\n", ""},
		{"a badge of the code", "![Code License](https://img.shields.io/badge/Code%20License-MIT-yellow.svg)", ""},
		{"a badge of something else", "![build](https://img.shields.io/badge/MIT-passing-green)", ""},
		{"a badge that asks a server", "![license](https://img.shields.io/github/license/apache/superset)", ""},
		{"the title is no section", "# MIT License data\n\nCC BY 4.0\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var said []string
			for _, s := range InCard(c.markdown, 1, "openai/gsm8k") {
				said = append(said, strings.Join(s.IDs, " ")+"@"+string(rune('0'+s.Line)))
			}
			if got := strings.Join(said, " "); got != c.want {
				t.Errorf("InCard finds %q, want %q, in\n%s", got, c.want, c.markdown)
			}
		})
	}
}

func FuzzInCard(f *testing.F) {
	f.Add("# A\n\nThe dataset is shared under [CC BY-SA 4.0](x).\n\n| License | MIT |\n```\n~~~\n<!-- hfpub:begin a -->\n- ![License: MIT](/badge/a%2")
	f.Fuzz(func(t *testing.T, markdown string) {
		lines := strings.Count(markdown, "\n") + 1
		for _, s := range InCard(markdown, 1, markdown) {
			if s.Line < 1 || s.Line > lines || len(s.IDs) == 0 {
				t.Errorf("%+v of a text of %d lines", s, lines)
			}
		}
	})
}
