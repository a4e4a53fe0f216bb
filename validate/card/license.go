package card

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/finding"
	licenses "github.com/hfpub/hfpub/validate/license"
)

// license judges whether there is a license, and the keys beside it. Whether the Hub knows its id is judged elsewhere.
func (c *checker) license() {
	_, v := c.matter.Get("license")
	if v == nil {
		c.licenseMissing()
		return
	}
	ids, ok := strictyaml.Strings(v)
	if !ok || len(ids) == 0 {
		return
	}
	if slices.Contains(ids, "other") {
		c.licenseOther(v)
		return
	}
	if slices.ContainsFunc(ids, func(id string) bool { return !licenses.Known(id) }) {
		return
	}
	for _, key := range []string{"license_name", "license_link"} {
		if k, _ := c.matter.Get(key); k != nil {
			c.report(finding.CardLicenseIgnored, k, "/"+key, "take it out, or write `license: other`",
				"%s has no effect beside the license %s", key, strings.Join(ids, ", "))
		}
	}
}

// licenseMissing reports a card without license. A front matter that cannot be read has been reported; what stays at
// home needs none.
func (c *checker) licenseMissing() {
	if c.meansLicense || c.unreadable() || c.repo.Status == release.Withheld {
		return
	}
	f := finding.New(finding.CardLicenseMissing, "the front matter names no license")
	switch {
	case c.matter.Node == nil:
		f.Message = "README.md has no front matter, and so names no license"
		f = f.At(c.file, 1)
	default:
		f = f.AtColumn(c.file, c.matter.Block.FirstLine, 1)
	}
	f.Hint = "write `license:` with an id of https://huggingface.co/docs/hub/repositories-licenses, or `license: unknown`"
	if c.repo.Declared && c.repo.License != "" {
		f.Hint = "`hfpub card` writes the license of hfpub.yaml, " + c.repo.License
	}
	c.found = append(c.found, f)
}

// unreadable tells whether there is a front matter that could not be read, or that is empty.
func (c *checker) unreadable() bool {
	if c.matter.Node != nil {
		return false
	}
	text := bytes.TrimLeft(c.matter.Block.Body(), "\ufeff \t\r\n")
	return c.matter.Block.Close > 0 || bytes.HasPrefix(text, []byte("---"))
}

// licenseOther judges what stands for the text of a license that is not on the Hub's list.
func (c *checker) licenseOther(v *yaml.Node) {
	_, name := c.matter.Get("license_name")
	_, link := c.matter.Get("license_link")
	const example = "write `license_name: my-license-1.0` and `license_link: LICENSE`, " +
		"and put the text into a file called LICENSE"
	switch {
	case name == nil && link == nil:
		c.report(finding.CardLicenseOther, v, "/license", example,
			"the license is other, without license_name and license_link")
	case name == nil:
		c.report(finding.CardLicenseOther, v, "/license", example, "the license is other, without license_name")
	case link == nil:
		c.report(finding.CardLicenseOther, v, "/license", example, "the license is other, without license_link")
	}
	if text, ok := strictyaml.String(link); ok && text != "" && !strings.Contains(text, "://") && !c.hasFile(text) {
		c.report(finding.CardLicenseOther, link, "/license_link", "put the text of the license there, or give its address",
			"license_link is %q, and the repo has no such file", text)
	}
}

func (c *checker) hasFile(name string) bool {
	clean := path.Clean(strings.TrimPrefix(name, "/"))
	return slices.ContainsFunc(c.repo.Tree, func(f release.TreeFile) bool { return f.Path == clean })
}
