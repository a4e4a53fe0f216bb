package finding_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/finding"
)

// Every code can be explained: a page with a title, an example and a fix.
func TestEveryCodeHasAPage(t *testing.T) {
	seen := map[finding.Code]bool{}
	for _, info := range finding.Codes() {
		if seen[info.Code] {
			t.Errorf("%s stands twice in the table", info.Code)
		}
		seen[info.Code] = true
		page, ok := finding.Page(info.Code)
		if !ok {
			t.Errorf("%s has no page", info.Code)
			continue
		}
		for _, part := range []string{"# " + string(info.Code) + ": ", "\n## Example\n", "\n## Fix\n"} {
			if !strings.Contains(page, part) {
				t.Errorf("the page of %s lacks %q", info.Code, part)
			}
		}
	}
}

func TestEveryPageHasACode(t *testing.T) {
	err := filepath.WalkDir("pages", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		code := strings.TrimSuffix(filepath.ToSlash(strings.TrimPrefix(path, "pages"+string(os.PathSeparator))), ".md")
		if _, ok := finding.Lookup(finding.Code(code)); !ok {
			t.Errorf("%s explains a code that is not in the table", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
