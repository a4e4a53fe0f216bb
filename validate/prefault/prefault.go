// Package prefault makes long buffers whose memory is there from the beginning.
//
// A process gets its memory page by page, each when it is first touched, and on virtual machines that takes some microseconds for
// every 4 KiB: as long as everything else that is done with so many bytes of rows. Asked for at once, pages take a fraction of it, and
// huge pages of 2 MiB next to nothing (BenchmarkBytes). It pays for buffers that are surely used up to their end, and only the
// first time their memory is used.
package prefault

// Bytes returns n zero bytes with room for more up to a capacity, the memory of which comes when it is touched.
func Bytes(n, capacity int) []byte {
	b := make([]byte, n, capacity)
	populate(b)
	return b
}
