package tape

import (
	"encoding/binary"
	"fmt"
	"testing"
)

func TestEightDigits(t *testing.T) {
	for _, want := range []uint64{0, 1, 9, 10, 12_345_678, 87_654_321, 90_000_009, 99_999_999} {
		if got := EightDigits(binary.LittleEndian.Uint64(fmt.Appendf(nil, "%08d", want))); got != want {
			t.Errorf("the digits of %08d are taken for %d", want, got)
		}
	}
	if got := EightDigits(binary.LittleEndian.Uint64([]byte("\x00\x00\x00\x00\x00123"))); got != 123 {
		t.Errorf("123 behind zero bytes is taken for %d", got)
	}
}
