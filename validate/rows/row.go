package rows

import "github.com/hfpub/hfpub/validate/rows/tape"

// Row is one row of a file, tokenised once and shown to every observer.
type Row struct {
	// Path is the file's path as findings name it: relative to the repo's root, with slashes.
	Path string
	// Line is the physical line, from 1, of the row's first byte.
	Line int
	// Index numbers the rows of the file from 0. In JSON refused rows have one too: for an element of an array it is that of
	// the array. In CSV only rows that are shown have one, as the loader's chunks of rows go by what it can read.
	Index int64
	// Offset is the position of the row's first byte in the uncompressed file, End the one behind its line end (behind
	// the value itself for an element of a JSON array).
	Offset, End int64
	// Batch numbers from 0 the batches in which load_dataset reads the file; see [Batches]. It stays 0 for a JSON array,
	// which is one batch, and for CSV, where batches follow from Index.
	Batch int
	// Ahead is the text from the row's first byte to the end of all rows that are in memory: whoever is faster with much text may look
	// at rows ahead of their turn. It is nil where Doc does not hold the row as it stands in the file, and where only a part of a
	// row may be in memory.
	Ahead []byte
	// Element says that the row is an element of a JSON array. Wrapped says that load_dataset does not see that its elements are
	// objects, and puts each into a column named text; see [Totals].
	Element, Wrapped bool
	// Framed says that the row stands under a key of a JSON document (see [Options]), of which load_dataset makes a table of pandas.
	Framed bool
	// Doc is the row's value. For CSV and TSV it is an object of text cells in column order.
	Doc *tape.Tape
	// OneLine says that no line ends within the row, as in JSON Lines.
	OneLine bool
	// Cells says that the row comes from a CSV or TSV file: every value is the text of a cell, as written.
	Cells bool
	// Typed says that the row comes from a Parquet file, which knows the types of its columns; see package parquet for how
	// its values are written. Line is then the number of the row in the file, from 1.
	Typed bool
}

// LineOf returns the physical line, from 1, on which a value of the row begins.
func (r *Row) LineOf(v tape.Value) int {
	if r.Cells || r.Typed || r.OneLine {
		return r.Line
	}
	return r.Line + v.LinesBefore()
}
