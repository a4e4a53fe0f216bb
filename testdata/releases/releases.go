// Package releases holds the example releases that tests and `hfpub demo` work on, embedded in the binary.
package releases

import "embed"

// TeaHouse is a small, whole and valid release of two repos, one public and one pending, below the folder tea-house.
//
//go:embed all:tea-house
var TeaHouse embed.FS
