package validate

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/hfpub/hfpub/schemas/release"
)

// Loose makes a release of data files that belong to none: one repo without a folder, with one split for each file, named
// after the file. It is an error when a file does not exist or is a folder.
func Loose(paths []string) (*release.Release, error) {
	config := release.Config{Name: "default"}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is not a file: give data files, or one folder", path)
		}
		shown := filepath.ToSlash(path)
		config.Splits = append(config.Splits, release.Split{Name: filepath.Base(path), Patterns: []string{shown}, Files: []string{shown}})
	}
	repo := release.Repo{ID: "files", Type: release.Dataset, Status: release.Public, Configs: []release.Config{config}}
	return &release.Release{Name: "files", Repos: []release.Repo{repo}}, nil
}
