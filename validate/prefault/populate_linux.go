package prefault

import (
	"os"
	"syscall"
	"unsafe"
)

// populateWrite is MADV_POPULATE_WRITE of Linux 5.14.
const populateWrite = 23

// populate asks for the pages of a buffer. Where that is refused they come when they are touched.
func populate(b []byte) {
	page := os.Getpagesize()
	if len(b) < 2*page {
		return
	}
	before := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (page - 1)
	whole := b[before : before+(len(b)-before)&^(page-1)]
	_ = syscall.Madvise(whole, populateWrite)
}
