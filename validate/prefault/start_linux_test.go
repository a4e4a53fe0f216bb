package prefault

import (
	"bytes"
	"testing"
)

func TestMappingOf(t *testing.T) {
	const maps = "00400000-0142c000 r-xp 00000000 fe:00 42  /bin/a-b 10-20 c\n" +
		"0142c000-027cd000 r--p 0102c000 fe:00 42  /bin/a-b 10-20 c\n" +
		"7f5e00000000-7f5e00400000 rw-p 00000000 00:00 0 \n" +
		"7f5e00400000-7f5e04"
	for _, test := range []struct {
		name                string
		address, start, end uintptr
	}{
		{"first byte", 0x400000, 0x400000, 0x142c000},
		{"last byte", 0x142bfff, 0x400000, 0x142c000},
		{"first byte of the next", 0x142c000, 0x142c000, 0x27cd000},
		{"long addresses", 0x7f5e00123456, 0x7f5e00000000, 0x7f5e00400000},
		{"in a file's name", 0x18, 0, 0},
		{"in none", 0x30000000, 0, 0},
		{"in a line cut off", 0x7f5e00400001, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			if start, end := mappingOf([]byte(maps), test.address); start != test.start || end != test.end {
				t.Errorf("%#x is in %#x-%#x, want %#x-%#x", test.address, start, end, test.start, test.end)
			}
		})
	}
}

// The pages can be asked for again and again, and hold what they held.
func TestPopulateStartKeepsObjects(t *testing.T) {
	if asked != nil {
		t.Skipf("this system gives no pages in advance: %v", asked)
	}
	kept := make([][]byte, 100)
	for i := range kept {
		kept[i] = bytes.Repeat([]byte{byte(i)}, 100_000)
		if err := populateStart(); err != nil {
			t.Fatalf("pages were given at the start, and now not: %v", err)
		}
	}
	for i, b := range kept {
		if !bytes.Equal(b, bytes.Repeat([]byte{byte(i)}, len(b))) {
			t.Fatalf("object %d is no longer what it was", i)
		}
	}
}
