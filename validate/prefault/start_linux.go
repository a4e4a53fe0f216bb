package prefault

import (
	"runtime"
	"syscall"
	"unsafe"
)

const (
	// populateRead is MADV_POPULATE_READ of Linux 5.14.
	populateRead = 22
	// heapPiece is the length of the pieces in which the heap grows, and a multiple of which each begins at.
	heapPiece = 4 << 20
)

// populateStart asks for the pages of the program's code and of the first piece of the heap. Where they are the system tells; where it
// does not, or does not give pages in advance, they come when they are touched.
func populateStart() error {
	maps, err := mappings()
	if err != nil {
		return err
	}
	var code [1]uintptr
	runtime.Callers(1, code[:])
	object := uintptr(unsafe.Pointer(new([16]byte)))
	start, end := mappingOf(maps, code[0])
	if err := advise(start, end, populateRead); err != nil {
		return err
	}
	start, end = mappingOf(maps, object)
	piece := object &^ (heapPiece - 1)
	start, end = max(start, piece), min(end, piece+heapPiece)
	_ = advise(start, end, syscall.MADV_HUGEPAGE) // for the half of it that nothing was put into so far
	return advise(start, end, populateWrite)
}

// mappings returns the first lines of /proc/self/maps, which tell what memory the program has: its code and its heap come first.
func mappings() ([]byte, error) {
	fd, err := syscall.Open("/proc/self/maps", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer syscall.Close(fd)
	text := make([]byte, 4096)
	n, err := syscall.Read(fd, text)
	return text[:max(n, 0)], err
}

// mappingOf finds the mapping that an address is in among those of /proc/self/maps, whose lines begin with "start-end " in hexadecimal.
// Without one both ends are 0.
func mappingOf(maps []byte, address uintptr) (start, end uintptr) {
	var ends [2]uintptr
	field := 0
	for _, c := range maps {
		switch {
		case c == '\n':
			ends, field = [2]uintptr{}, 0
		case field == len(ends):
		case c == '-' || c == ' ':
			field++
			if field == len(ends) && ends[0] <= address && address < ends[1] {
				return ends[0], ends[1]
			}
		default:
			ends[field] = ends[field]<<4 | hexDigit(c)
		}
	}
	return 0, 0
}

// hexDigit is the value of a digit as the system writes it, in lower case.
func hexDigit(c byte) uintptr {
	if c >= 'a' {
		return uintptr(c-'a') + 10
	}
	return uintptr(c - '0')
}

// advise is madvise for memory from start to before end, if there is some. It may hold what is not ours.
func advise(start, end, advice uintptr) error {
	if start >= end {
		return nil
	}
	if _, _, errno := syscall.Syscall(syscall.SYS_MADVISE, start, end-start, advice); errno != 0 {
		return errno
	}
	return nil
}
