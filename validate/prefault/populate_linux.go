package prefault

import (
	"syscall"
	"unsafe"
)

const (
	// populateWrite is MADV_POPULATE_WRITE of Linux 5.14.
	populateWrite = 23
	// hugePage is the usual length of huge pages.
	hugePage = 2 << 20
)

// populate asks for the pages of a buffer: for huge ones, where the system gives them to those who ask, and for all at once. Where that
// is refused they come when they are touched.
func populate(b []byte) {
	page := syscall.Getpagesize()
	if len(b) < 2*page {
		return
	}
	adviseHuge(b[:cap(b)])
	before := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (page - 1)
	whole := b[before : before+(len(b)-before)&^(page-1)]
	_ = syscall.Madvise(whole, populateWrite)
}

// adviseHuge asks for huge pages wherever a buffer has a part of one. What is beside it belongs to the heap, which is mapped in pieces of
// twice that length, so that the buffers of a run, which lie side by side, have huge pages across their borders.
func adviseHuge(b []byte) {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	end := (start + uintptr(len(b)) + hugePage - 1) &^ (hugePage - 1)
	start &^= hugePage - 1
	_ = advise(start, end, syscall.MADV_HUGEPAGE)
}
