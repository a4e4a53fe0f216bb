// Package parquet reads the rows of Parquet files as JSON texts, and tells which Arrow types their columns have.
//
// Everything in a file is foreign: a footer of a few bytes may ask for gigabytes. So this package reads the footer and the
// pages itself, holds each size against what is there before it is believed (thrift.go, guard.go), and unpacks pages into
// buffers of the stated size (unpack.go). What is then sound in size goes to parquet-go, which decodes levels and values;
// it sees column chunks without compression (pages.go). A [File] is cut into [Block]s, runs of rows of one row group, which
// can be read side by side. assemble.go puts the values of the columns together again as rows.
//
// # How values are written
//
// A row is an object with a member for every column, null included, so that the same rows as JSON Lines have the same
// digest:
//   - integers keep all digits; decimals are numbers with all of theirs
//   - floats are the shortest text that reads back as the same float of their own width; NaN and infinities are null
//   - texts, ENUM and JSON columns are strings; other bytes are strings in base64, and UUIDs in their usual form
//   - dates are YYYY-MM-DD, times hh:mm:ss, timestamps both with a T between them; a fraction of a second has 3, 6 or 9
//     digits and is left out when it is 0; a timestamp adjusted to UTC ends in Z
//   - durations are integers in their unit
//   - a struct is an object, a list an array, a map an array of objects with key and value
package parquet

import "fmt"

// Error says why a file, or what stands from some row on, cannot be read.
type Error struct {
	// Column is the dotted path of the column that is at fault; "" when the file as a whole is.
	Column string
	// Reason is what is wrong, and Advice what to do.
	Reason, Advice string
}

// Error gives the reason with the column.
func (e *Error) Error() string {
	if e.Column == "" {
		return e.Reason
	}
	return fmt.Sprintf("column %q: %s", e.Column, e.Reason)
}

const (
	fetchAgain = "fetch the file again, or write it again"
	writeAgain = "write the file again with another writer"
)

// damaged is the error for what no writer writes.
func damaged(format string, args ...any) *Error {
	return &Error{Reason: fmt.Sprintf(format, args...), Advice: fetchAgain}
}

// unsupported is the error for what is sound and not read.
func unsupported(format string, args ...any) *Error {
	return &Error{Reason: fmt.Sprintf(format, args...), Advice: writeAgain}
}
