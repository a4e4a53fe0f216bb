// Package releases holds the example releases that tests and `hfpub demo` work on, embedded in the binary.
package releases

import "embed"

// TeaHouse is a small, whole and valid release of two repos, one public and one pending, below the folder tea-house.
//
//go:embed all:tea-house
var TeaHouse embed.FS

// All holds the example releases, each below a folder of its name: tea-house, and one for each family of artifacts.
//
//go:embed all:tea-house all:clerk all:memgym all:racktic all:umb
var All embed.FS

// Names lists the example releases.
func Names() []string { return []string{"tea-house", "clerk", "memgym", "racktic", "umb"} }
