package hygiene

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
)

// leftover is a kind of files that work leaves behind.
type leftover struct {
	name *lazyregexp.Regexp
	what string
	note bool
}

// leftovers are matched against the last part of a path, in this order.
var leftovers = []leftover{
	{name: lazyregexp.New(`(?i)\.(?:part|partial|incomplete|crdownload|aria2|download|tmp|temp)$|^tmp[._-]|\.tmp\.`), what: "an unfinished file"},
	{name: lazyregexp.New(`(?i)^(?:\.ds_store|thumbs\.db|desktop\.ini|\._.+|\.localized)$`), what: "a file of the operating system"},
	{name: lazyregexp.New(`(?i)~$|\.(?:bak|backup|orig|rej|old|sw[op])$|^#.*#$|^\.#`), what: "a copy that an editor or a merge left"},
	{name: lazyregexp.New(`(?i)\.py[co]$|^(?:\.coverage|nohup\.out|core|npm-debug\.log|\.python_history|\.bash_history|\.netrc|\.env(?:\.local)?)$`), what: "a file of somebody's working folder"},
	{name: lazyregexp.New(`(?i)^(?:checksums?|sha(?:1|256|512)sums?|md5sums?)(?:\.txt)?$|\.(?:md5|sha1|sha256|sha512|crc)$`), what: "a file of checksums", note: true},
}

// leftoverFolders are folders whose files belong to somebody's working folder.
var leftoverFolders = lazyregexp.New(`(?:^|/)(?:\.ipynb_checkpoints|\.idea|\.vscode|\.pytest_cache|\.mypy_cache|\.ruff_cache|node_modules|__MACOSX|wandb)/`)

// Leftovers finds files that nobody means to release. The error is for a folder that cannot be read.
func Leftovers(ctx context.Context, repo *release.Repo) ([]finding.Finding, error) {
	if repo.Dir == "" || len(repo.Tree) == 0 || repo.Status == release.Withheld {
		return nil, nil
	}
	var found []finding.Finding
	rows := dataFiles(repo)
	for _, f := range repo.Tree {
		if what, note := leftoverOf(f.Path); what != "" && !rows[f.Path] {
			out := finding.New(finding.HygieneLeftover, "%s", what).At(printable(f.Path), 0).Hinting("take it out of the folder, if it is not meant to be released")
			if note {
				out = out.As(finding.Note).Hinting("git and the Hub keep a SHA-256 of every file; make sure that these are still right")
			}
			found = append(found, out)
		}
	}
	hidden, err := neverListed(ctx, repo.Dir)
	return append(found, hidden...), err
}

// leftoverOf says what kind of leftover a file is; "" for none.
func leftoverOf(file string) (what string, note bool) {
	if leftoverFolders.MatchString(file) {
		return "a file of somebody's working folder", false
	}
	for _, l := range leftovers {
		if l.name.MatchString(path.Base(file)) {
			return l.what, l.note
		}
	}
	return "", false
}

// neverListed notes the files that hfpub itself never pushes, but git would.
func neverListed(ctx context.Context, dir string) ([]finding.Finding, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open folder: %w", err)
	}
	defer root.Close()
	var found []finding.Finding
	err = fs.WalkDir(root.FS(), ".", func(file string, d fs.DirEntry, err error) error {
		if err := errors.Join(ctx.Err(), err); err != nil {
			return err
		}
		name := d.Name()
		own := strings.HasPrefix(name, release.TempPrefix)
		switch {
		case d.IsDir() && (name == ".git" || name == ".cache" || name == "__pycache__" || name == ".venv"):
			return fs.SkipDir
		case own || name == ".DS_Store":
			what := "a file of the operating system"
			if own {
				what = "a temporary file that hfpub left when it was interrupted"
			}
			f := finding.New(finding.HygieneLeftover, "%s", what).As(finding.Note).At(printable(file), 0)
			found = append(found, f.Hinting("delete it; hfpub push leaves it out, but git would not"))
			if d.IsDir() {
				return fs.SkipDir
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list files of %s: %w", dir, err)
	}
	return found, nil
}
