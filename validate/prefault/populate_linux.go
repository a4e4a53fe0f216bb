package prefault

import (
	"syscall"
	"unsafe"
)

// populateWrite is MADV_POPULATE_WRITE of Linux 5.14.
const populateWrite = 23

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

// adviseHuge asks for huge pages in the pieces of the heap that a buffer stands in. What is put beside it later, buffers or others, has
// huge pages then too.
func adviseHuge(b []byte) {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	end := (start + uintptr(len(b)) + heapPiece - 1) &^ (heapPiece - 1)
	start &^= heapPiece - 1
	_ = advise(start, end, syscall.MADV_HUGEPAGE)
}
