package sha256pair

import (
	"encoding"
	"encoding/binary"
	"errors"
)

const (
	// magic begins a stream in binary form.
	magic = "sha\x03"
	// binarySize is the length of that form in bytes.
	binarySize = len(magic) + 8*4 + blockSize + lengthSize
)

// MarshalBinary writes a stream as crypto/sha256 writes a hash under way, whatever the processor, for UnmarshalBinary to go on with.
func (s *Stream) MarshalBinary() ([]byte, error) {
	if s.portable != nil {
		return s.portable.(encoding.BinaryMarshaler).MarshalBinary()
	}
	out := append(make([]byte, 0, binarySize), magic...)
	for _, word := range s.state {
		out = binary.BigEndian.AppendUint32(out, word)
	}
	var tail [blockSize]byte
	copy(tail[:], s.tail[:s.length%blockSize])
	out = append(out, tail[:]...)
	return binary.BigEndian.AppendUint64(out, s.length), nil
}

// UnmarshalBinary makes the stream what MarshalBinary wrote.
func (s *Stream) UnmarshalBinary(data []byte) error {
	*s = *NewStream()
	if s.portable != nil {
		return s.portable.(encoding.BinaryUnmarshaler).UnmarshalBinary(data)
	}
	if len(data) != binarySize || string(data[:len(magic)]) != magic {
		return errors.New("sha256pair: that is no SHA-256 under way")
	}
	data = data[len(magic):]
	for i := range s.state {
		s.state[i] = binary.BigEndian.Uint32(data[4*i:])
	}
	data = data[8*4:]
	copy(s.tail[:], data)
	s.length = binary.BigEndian.Uint64(data[blockSize:])
	return nil
}
