package sha256pair

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"math/rand/v2"
	"testing"
)

// Streams of all lengths are written as crypto/sha256 writes them, and go on after they are read.
func TestStreamsAreWrittenAndRead(t *testing.T) {
	both(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(7, 8))
		for length := range 3 * blockSize {
			text := randomText(random, length)
			written := NewStream()
			written.Write(text)
			whole := sha256.New()
			whole.Write(text)
			want, err := whole.(encoding.BinaryMarshaler).MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			got, err := written.MarshalBinary()
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%d bytes: the stream is %x, %v, want %x", length, got, err, want)
			}
			var s Stream
			if err := s.UnmarshalBinary(got); err != nil {
				t.Fatal(err)
			}
			s.Write(text)
			whole.Write(text)
			if sum := s.Sum(); !bytes.Equal(sum[:], whole.Sum(nil)) {
				t.Fatalf("the sum after twice %d bytes is %x, want %x", length, sum, whole.Sum(nil))
			}
		}
	})
}

func TestStreamsThatCannotBeRead(t *testing.T) {
	both(t, func(t *testing.T) {
		data, err := NewStream().MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		for name, bad := range map[string][]byte{
			"nothing": nil, "one byte less": data[:len(data)-1], "one byte more": append(bytes.Clone(data), 0), "another hash": append([]byte("sha\x02"), data[4:]...),
		} {
			var s Stream
			if err := s.UnmarshalBinary(bad); err == nil {
				t.Errorf("%s: no error, expected one", name)
			}
		}
	})
}
