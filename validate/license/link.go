package license

import "strings"

// Link is the address of a license's text or deed; "" where hfpub knows none.
func Link(id string) string {
	if rest, ok := strings.CutPrefix(id, "cc-by"); ok {
		at := strings.LastIndexByte(rest, '-')
		if at < 0 || !strings.Contains(rest[at:], ".") {
			return ""
		}
		return "https://creativecommons.org/licenses/by" + rest[:at] + "/" + rest[at+1:] + "/"
	}
	switch id {
	case "cc0-1.0":
		return "https://creativecommons.org/publicdomain/zero/1.0/"
	case "apache-2.0":
		return "https://www.apache.org/licenses/LICENSE-2.0"
	case "odbl", "odc-by", "pddl":
		return map[string]string{
			"odbl":   "https://opendatacommons.org/licenses/odbl/1-0/",
			"odc-by": "https://opendatacommons.org/licenses/by/1-0/",
			"pddl":   "https://opendatacommons.org/licenses/pddl/1-0/",
		}[id]
	}
	if t := terms()[id]; t.SPDX != "" {
		return "https://spdx.org/licenses/" + t.SPDX + ".html"
	}
	return ""
}
