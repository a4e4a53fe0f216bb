// Package family lists the families of artifacts whose rows follow rules that no declaration can express. The packages below
// know one family each: its rules as checks of the pass, and what generates its data.
package family

import (
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/family/clerk"
	"github.com/hfpub/hfpub/validate/family/integers"
	"github.com/hfpub/hfpub/validate/family/memgym"
	"github.com/hfpub/hfpub/validate/family/racktic"
	"github.com/hfpub/hfpub/validate/family/umb"
	"github.com/hfpub/hfpub/validate/observe"
)

// makers make the checks of each family, for the splits of a release that hold its artifacts, and those of what all families
// promise.
func makers() []func(*release.Release, []*observe.Split, observe.Options) []observe.Check {
	return []func(*release.Release, []*observe.Split, observe.Options) []observe.Check{
		umb.Checks,
		racktic.Checks,
		clerk.Checks,
		memgym.Checks,
		integers.Checks,
	}
}

// Checks returns the checks of all families.
func Checks(rel *release.Release, splits []*observe.Split, opt observe.Options) []observe.Check {
	var all []observe.Check
	for _, make := range makers() {
		all = append(all, make(rel, splits, opt)...)
	}
	return all
}
