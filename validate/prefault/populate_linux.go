package prefault

import (
	"errors"
	"fmt"
	"os"
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
	page := os.Getpagesize()
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
	_ = advise(start&^(hugePage-1), end, syscall.MADV_HUGEPAGE)
}

// heapPiece is the length of the pieces in which the heap is mapped, and a multiple of which each begins at.
const heapPiece = 4 << 20

// populateHeap asks for the pages of the heap from a new object to the end of its piece: for huge ones where there is room for some.
func populateHeap() error {
	page := uintptr(os.Getpagesize())
	start := (uintptr(unsafe.Pointer(new([16]byte))) + page - 1) &^ (page - 1)
	end := (start + heapPiece - 1) &^ (heapPiece - 1)
	huge := (start + hugePage - 1) &^ (hugePage - 1)
	return errors.Join(advise(start, huge, populateWrite), advise(huge, end, syscall.MADV_HUGEPAGE))
}

// advise is madvise for memory from start to before end, which may hold objects of others.
func advise(start, end, advice uintptr) error {
	if start == end {
		return nil
	}
	if _, _, errno := syscall.Syscall(syscall.SYS_MADVISE, start, end-start, advice); errno != 0 {
		return fmt.Errorf("madvise %d: %w", advice, errno)
	}
	return nil
}
