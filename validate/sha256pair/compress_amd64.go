package sha256pair

import "golang.org/x/sys/cpu"

// fast says that the processor has the instructions that the functions below use.
var fast = hasSHA() && cpu.X86.HasAVX

// wide says that the processor has those of compressSixteen, too, for which it is worth to gather texts.
var wide = fast && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW

// hasSHA says that there are instructions for SHA-256.
func hasSHA() bool

// compressOne takes so many blocks of a text into a state.
//
//go:noescape
func compressOne(of *state, text *byte, blocks int)

// compressTwo takes so many blocks of each of two texts into their states.
//
//go:noescape
func compressTwo(a *state, textA *byte, b *state, textB *byte, blocks int)

// compressTexts hashes texts that stand one behind the other, with what SHA-256 adds to them, and takes as many blocks of a stream into
// its state. There is one text at least.
//
//go:noescape
func compressTexts(stream *state, from, padded *byte, texts *text, count int, sums *byte)

// compressSixteen hashes sixteen texts, with what SHA-256 adds to them, all at once. Their starts count from padded; the sums stand one
// behind the other.
//
//go:noescape
func compressSixteen(padded *byte, of *sixteen, sums *byte)
