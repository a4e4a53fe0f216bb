//go:build !linux

package prefault

import "errors"

func populate([]byte) {}

func populateStart() error { return errors.ErrUnsupported }
