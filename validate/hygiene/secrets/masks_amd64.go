package secrets

import "golang.org/x/sys/cpu"

// masks is [tables.masksPlainly] with vectors of 32 bytes where the processor has them.
func (t *tables) masks(text []byte, begins, runs []uint64) {
	if !cpu.X86.HasAVX2 || len(begins) == 0 {
		t.masksPlainly(text, begins, runs)
		return
	}
	_, _ = text[len(begins)*block+depth-2], runs[len(begins)-1]
	masksAVX2(t, &text[0], len(begins), &begins[0], &runs[0])
}

// masksAVX2 reads blocks*block+depth-1 bytes of text and writes as many masks as there are blocks, of which there must be one.
//
//go:noescape
func masksAVX2(t *tables, text *byte, blocks int, begins, runs *uint64)
