// Package prefault has the memory be there that is surely used, before it is touched: long buffers, and what a start of the program
// touches all over.
//
// A process gets its memory page by page, each when it is first touched, and on virtual machines that takes some microseconds for
// every 4 KiB: as long as everything else that is done with so many bytes of rows. Asked for at once, pages take a fraction of it, and
// huge pages of 2 MiB next to nothing (BenchmarkBytes). It pays for memory that is surely used up to its end, and only the
// first time it is used.
package prefault

// asked says what came of asking for the program's code and for the first piece of the heap, which the inits of 200 packages fill
// with tables. Go initialises packages in the order of their paths, as soon as what they import is ready. This one imports little, and so
// comes before nearly all that fill the heap: a start takes seven eighths of the time that it takes without.
var asked = populateStart()

// Bytes returns n zero bytes with room for more up to a capacity, the memory of which comes when it is touched.
func Bytes(n, capacity int) []byte {
	b := make([]byte, n, capacity)
	populate(b)
	return b
}
