package parquet

import (
	"encoding/binary"
	"errors"
)

const (
	// maxNesting is how deep the structs of a footer or a page header may be nested; the format needs five levels.
	maxNesting = 32
	// maxStructs is how many structs the lists of a footer may hold: each takes up to half a kilobyte in memory.
	maxStructs = 1_500_000
)

var (
	errShort    = errors.New("the bytes end too early")
	errThrift   = errors.New("the bytes are not what the format asks for")
	errTooLarge = errors.New("it lists more row groups and columns than are read")
)

// thriftSize returns the length of the struct that data begins with, in Thrift's compact protocol. It is errShort when data
// ends before the struct does. No more is believed than stands there, so that decoding what it accepts takes memory in
// proportion.
func thriftSize(data []byte) (int, error) {
	w := walker{data: data}
	if err := w.object(0); err != nil {
		return 0, err
	}
	return w.at, nil
}

// walker goes through a Thrift text.
type walker struct {
	data []byte
	at   int
	// structs counts those in lists.
	structs int
}

// The types of the compact protocol.
const (
	thriftTrue = iota + 1
	thriftFalse
	thriftByte
	thriftI16
	thriftI32
	thriftI64
	thriftDouble
	thriftBinary
	thriftList
	thriftSet
	thriftMap
	thriftStruct
	thriftUUID
)

func (w *walker) byte() (byte, error) {
	if w.at >= len(w.data) {
		return 0, errShort
	}
	w.at++
	return w.data[w.at-1], nil
}

func (w *walker) varint() (uint64, error) {
	n, size := binary.Uvarint(w.data[w.at:])
	switch {
	case size == 0:
		return 0, errShort
	case size < 0:
		return 0, errThrift
	}
	w.at += size
	return n, nil
}

func (w *walker) pass(n uint64) error {
	if n > uint64(len(w.data)-w.at) {
		return errShort
	}
	w.at += int(n)
	return nil
}

func (w *walker) object(depth int) error {
	if depth > maxNesting {
		return errThrift
	}
	for {
		head, err := w.byte()
		if err != nil || head == 0 {
			return err
		}
		if head>>4 == 0 { // the number of the field stands apart
			if _, err := w.varint(); err != nil {
				return err
			}
		}
		if kind := head & 15; kind != thriftTrue && kind != thriftFalse {
			if err := w.value(kind, depth); err != nil {
				return err
			}
		}
	}
}

func (w *walker) value(kind byte, depth int) error {
	switch kind {
	case thriftTrue, thriftFalse, thriftByte: // in lists; in structs a truth value is its type
		return w.pass(1)
	case thriftI16, thriftI32, thriftI64:
		_, err := w.varint()
		return err
	case thriftDouble:
		return w.pass(8)
	case thriftBinary:
		n, err := w.varint()
		if err != nil {
			return err
		}
		return w.pass(n)
	case thriftList, thriftSet:
		return w.list(depth)
	case thriftMap:
		return w.dictionary(depth)
	case thriftStruct:
		return w.object(depth + 1)
	case thriftUUID:
		return w.pass(16)
	}
	return errThrift
}

func (w *walker) list(depth int) error {
	head, err := w.byte()
	if err != nil {
		return err
	}
	count := uint64(head >> 4)
	if count == 15 {
		if count, err = w.varint(); err != nil {
			return err
		}
	}
	return w.values(count, depth, head&15)
}

func (w *walker) dictionary(depth int) error {
	count, err := w.varint()
	if err != nil || count == 0 {
		return err
	}
	kinds, err := w.byte()
	if err != nil {
		return err
	}
	return w.values(count, depth, kinds>>4, kinds&15)
}

// values passes over count times a value of each kind.
func (w *walker) values(count uint64, depth int, kinds ...byte) error {
	if depth > maxNesting {
		return errThrift
	}
	for range count {
		for _, kind := range kinds {
			if kind == thriftStruct {
				if w.structs++; w.structs > maxStructs {
					return errTooLarge
				}
			}
			if err := w.value(kind, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}
