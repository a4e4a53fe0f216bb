// Package releases holds the example releases that tests and `hfpub demo` work on, embedded in the binary.
package releases

import (
	"embed"
	"io/fs"
)

//go:embed all:tea-house all:clerk all:memgym all:racktic all:umb
var files embed.FS

// Names lists the example releases: tea-house, of two repos, one public and one pending, and one for each family of artifacts.
func Names() []string { return []string{"tea-house", "clerk", "memgym", "racktic", "umb"} }

// Files holds the files of an example release, by its name.
func Files(name string) fs.FS {
	folder, err := fs.Sub(files, name)
	if err != nil {
		panic(err) // the name is no path at all
	}
	return folder
}
