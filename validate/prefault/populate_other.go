//go:build !linux

package prefault

import "errors"

func populate([]byte) {}

func populateHeap() error { return errors.ErrUnsupported }
