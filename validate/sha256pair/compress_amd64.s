#include "go_asm.h"
#include "textflag.h"

// The round constants of FIPS 180-4, section 4.2.2, two in each line.
DATA ·constants+0x00(SB)/8, $0x71374491428a2f98
DATA ·constants+0x08(SB)/8, $0xe9b5dba5b5c0fbcf
DATA ·constants+0x10(SB)/8, $0x59f111f13956c25b
DATA ·constants+0x18(SB)/8, $0xab1c5ed5923f82a4
DATA ·constants+0x20(SB)/8, $0x12835b01d807aa98
DATA ·constants+0x28(SB)/8, $0x550c7dc3243185be
DATA ·constants+0x30(SB)/8, $0x80deb1fe72be5d74
DATA ·constants+0x38(SB)/8, $0xc19bf1749bdc06a7
DATA ·constants+0x40(SB)/8, $0xefbe4786e49b69c1
DATA ·constants+0x48(SB)/8, $0x240ca1cc0fc19dc6
DATA ·constants+0x50(SB)/8, $0x4a7484aa2de92c6f
DATA ·constants+0x58(SB)/8, $0x76f988da5cb0a9dc
DATA ·constants+0x60(SB)/8, $0xa831c66d983e5152
DATA ·constants+0x68(SB)/8, $0xbf597fc7b00327c8
DATA ·constants+0x70(SB)/8, $0xd5a79147c6e00bf3
DATA ·constants+0x78(SB)/8, $0x1429296706ca6351
DATA ·constants+0x80(SB)/8, $0x2e1b213827b70a85
DATA ·constants+0x88(SB)/8, $0x53380d134d2c6dfc
DATA ·constants+0x90(SB)/8, $0x766a0abb650a7354
DATA ·constants+0x98(SB)/8, $0x92722c8581c2c92e
DATA ·constants+0xa0(SB)/8, $0xa81a664ba2bfe8a1
DATA ·constants+0xa8(SB)/8, $0xc76c51a3c24b8b70
DATA ·constants+0xb0(SB)/8, $0xd6990624d192e819
DATA ·constants+0xb8(SB)/8, $0x106aa070f40e3585
DATA ·constants+0xc0(SB)/8, $0x1e376c0819a4c116
DATA ·constants+0xc8(SB)/8, $0x34b0bcb52748774c
DATA ·constants+0xd0(SB)/8, $0x4ed8aa4a391c0cb3
DATA ·constants+0xd8(SB)/8, $0x682e6ff35b9cca4f
DATA ·constants+0xe0(SB)/8, $0x78a5636f748f82ee
DATA ·constants+0xe8(SB)/8, $0x8cc7020884c87814
DATA ·constants+0xf0(SB)/8, $0xa4506ceb90befffa
DATA ·constants+0xf8(SB)/8, $0xc67178f2bef9a3f7
GLOBL ·constants(SB), RODATA|NOPTR, $256

// The order of bytes that makes words of a message of its big-endian bytes.
DATA ·swap+0x00(SB)/8, $0x0405060700010203
DATA ·swap+0x08(SB)/8, $0x0c0d0e0f08090a0b
GLOBL ·swap(SB), RODATA|NOPTR, $16

// What follows comes for lane A, whose state is in X1 and X2 and whose message in X5 to X8, and for lane B, with X3 and X4, and X9
// to X12. X0 is where SHA256RNDS2 wants the words of two rounds. X15 is zero.
//
// Two such instructions of one lane have to wait for each other, and in that time the processor could do one of the other lane. AMD Zen 5
// has two units for them, and each is bound to a unit before it is known which one will be free: by the number of vector steps that went
// before, modulo 16. Those that are eight steps apart get different units. So the lanes take turns at every four rounds, and the steps of
// these, which are twelve, stand in the order of LATE: LOWER of both lanes is twelve steps apart, and UPPER of one lane and LOWER of the
// other eight. SHA256MSG1 counts for two steps and SHA256MSG2 for four; moves between registers and out of memory do not count reliably,
// so there are none. Where nobody needs the words of SHA256MSG1 it is there for the distance. Other orders take up to a quarter longer,
// always or in every other call (BenchmarkPair).

// LOAD reads sixteen bytes of a message.
#define LOAD(at, text, m) \
	VPOR    at(text), X15, m \
	VPSHUFB ·swap(SB), m, m

// LOWER does the first two of the four rounds for the words in m, with their constants, UPPER the others.
#define LOWER(at, m, abef, cdgh) \
	VPADDD      at(AX), m, X0 \
	SHA256RNDS2 X0, abef, cdgh

#define UPPER(abef, cdgh) \
	VPSHUFD     $0x0e, X0, X0 \
	SHA256RNDS2 X0, cdgh, abef

// EARLY does four of the first twelve rounds and reads the words of the next four.
#define EARLY(at, text, m2, m3, m0, abef, cdgh) \
	LOWER(at, m3, abef, cdgh) \
	LOAD(at+16, text, m0) \
	UPPER(abef, cdgh) \
	SHA256MSG1 m3, m2

// LATE does four of the others but for the last, and makes the words of the next four: sixteen rounds on of those in m0. m3 and m2 are
// the last two before them.
#define LATE(at, m2, m3, m0, abef, cdgh) \
	LOWER(at, m3, abef, cdgh) \
	VPALIGNR $4, m2, m3, X13 \
	VPADDD   X13, m0, m0 \
	UPPER(abef, cdgh) \
	SHA256MSG2 m3, m0 \
	SHA256MSG1 m3, m2

#define EARLY_BOTH(at, a2, a3, a0, b2, b3, b0) \
	EARLY(at, SI, a2, a3, a0, X1, X2) \
	EARLY(at, DI, b2, b3, b0, X3, X4)

#define LATE_BOTH(at, a2, a3, a0, b2, b3, b0) \
	LATE(at, a2, a3, a0, X1, X2) \
	LATE(at, b2, b3, b0, X3, X4)

// ENTER turns the eight words of a state into the form of the instructions, TURN turns them back, and LEAVE keeps them, too.
#define ENTER(state, abef, cdgh, temp) \
	MOVOU   (state), abef \
	MOVOU   16(state), cdgh \
	PSHUFD  $0xb1, abef, abef \
	PSHUFD  $0x1b, cdgh, cdgh \
	MOVO    abef, temp \
	PALIGNR $8, cdgh, abef \
	PBLENDW $0xf0, temp, cdgh

#define TURN(abef, cdgh, temp) \
	PSHUFD  $0x1b, abef, abef \
	PSHUFD  $0xb1, cdgh, cdgh \
	MOVO    abef, temp \
	PBLENDW $0xf0, cdgh, abef \
	PALIGNR $8, temp, cdgh

#define LEAVE(state, abef, cdgh, temp) \
	TURN(abef, cdgh, temp) \
	MOVOU abef, (state) \
	MOVOU cdgh, 16(state)

// SAVE keeps the state before a block, ADD adds it to the one behind.
#define SAVE(at, abef, cdgh) \
	VMOVDQU abef, at(SP) \
	VMOVDQU cdgh, at+16(SP)

#define ADD(at, abef, cdgh) \
	VPADDD at(SP), abef, abef \
	VPADDD at+16(SP), cdgh, cdgh

// BLOCK takes a block of a text into the state of lane A, BLOCK_BOTH one of each into those of both lanes.
#define BLOCK \
	SAVE(0, X1, X2) \
	LOAD(0, SI, X5) \
	EARLY(0, SI, X8, X5, X6, X1, X2) \
	EARLY(16, SI, X5, X6, X7, X1, X2) \
	EARLY(32, SI, X6, X7, X8, X1, X2) \
	LATE(48, X7, X8, X5, X1, X2) \
	LATE(64, X8, X5, X6, X1, X2) \
	LATE(80, X5, X6, X7, X1, X2) \
	LATE(96, X6, X7, X8, X1, X2) \
	LATE(112, X7, X8, X5, X1, X2) \
	LATE(128, X8, X5, X6, X1, X2) \
	LATE(144, X5, X6, X7, X1, X2) \
	LATE(160, X6, X7, X8, X1, X2) \
	LATE(176, X7, X8, X5, X1, X2) \
	LATE(192, X8, X5, X6, X1, X2) \
	LATE(208, X5, X6, X7, X1, X2) \
	LATE(224, X6, X7, X8, X1, X2) \
	LOWER(240, X8, X1, X2) \
	UPPER(X1, X2) \
	ADD(0, X1, X2)

#define BLOCK_BOTH \
	SAVE(0, X1, X2) \
	SAVE(32, X3, X4) \
	LOAD(0, SI, X5) \
	LOAD(0, DI, X9) \
	EARLY_BOTH(0, X8, X5, X6, X12, X9, X10) \
	EARLY_BOTH(16, X5, X6, X7, X9, X10, X11) \
	EARLY_BOTH(32, X6, X7, X8, X10, X11, X12) \
	LATE_BOTH(48, X7, X8, X5, X11, X12, X9) \
	LATE_BOTH(64, X8, X5, X6, X12, X9, X10) \
	LATE_BOTH(80, X5, X6, X7, X9, X10, X11) \
	LATE_BOTH(96, X6, X7, X8, X10, X11, X12) \
	LATE_BOTH(112, X7, X8, X5, X11, X12, X9) \
	LATE_BOTH(128, X8, X5, X6, X12, X9, X10) \
	LATE_BOTH(144, X5, X6, X7, X9, X10, X11) \
	LATE_BOTH(160, X6, X7, X8, X10, X11, X12) \
	LATE_BOTH(176, X7, X8, X5, X11, X12, X9) \
	LATE_BOTH(192, X8, X5, X6, X12, X9, X10) \
	LATE_BOTH(208, X5, X6, X7, X9, X10, X11) \
	LATE_BOTH(224, X6, X7, X8, X10, X11, X12) \
	LOWER(240, X8, X1, X2) \
	UPPER(X1, X2) \
	LOWER(240, X12, X3, X4) \
	UPPER(X3, X4) \
	ADD(0, X1, X2) \
	ADD(32, X3, X4)

// func compressOne(of *state, text *byte, blocks int)
TEXT ·compressOne(SB), NOSPLIT, $32-24
	MOVQ of+0(FP), R8
	MOVQ text+8(FP), SI
	MOVQ blocks+16(FP), CX
	LEAQ ·constants(SB), AX
	VPXOR X15, X15, X15
	ENTER(R8, X1, X2, X13)

next:
	BLOCK
	ADDQ $64, SI
	DECQ CX
	JNZ  next
	LEAVE(R8, X1, X2, X13)
	RET

// func compressTwo(a *state, textA *byte, b *state, textB *byte, blocks int)
TEXT ·compressTwo(SB), NOSPLIT, $64-40
	MOVQ a+0(FP), R8
	MOVQ textA+8(FP), SI
	MOVQ b+16(FP), R9
	MOVQ textB+24(FP), DI
	MOVQ blocks+32(FP), CX
	LEAQ ·constants(SB), AX
	VPXOR X15, X15, X15
	ENTER(R8, X1, X2, X13)
	ENTER(R9, X3, X4, X14)

next:
	BLOCK_BOTH
	ADDQ $64, SI
	ADDQ $64, DI
	DECQ CX
	JNZ  next
	LEAVE(R8, X1, X2, X13)
	LEAVE(R9, X3, X4, X14)
	RET

// func compressTexts(stream *state, from *byte, padded *byte, texts *text, count int, sums *byte)
TEXT ·compressTexts(SB), NOSPLIT, $64-48
	MOVQ stream+0(FP), R8
	MOVQ from+8(FP), SI
	MOVQ padded+16(FP), DI
	MOVQ texts+24(FP), R10
	MOVQ count+32(FP), CX
	MOVQ sums+40(FP), R9
	LEAQ ·initial(SB), R11
	LEAQ ·constants(SB), AX
	VPXOR X15, X15, X15
	ENTER(R8, X1, X2, X13)

text:
	MOVQ text_padded(R10), R12
	SHRQ $6, R12
	ENTER(R11, X3, X4, X14)

next:
	BLOCK_BOTH
	ADDQ $64, SI
	ADDQ $64, DI
	DECQ R12
	JNZ  next

	// Sums are big-endian, as messages are.
	TURN(X3, X4, X14)
	VPSHUFB ·swap(SB), X3, X3
	VPSHUFB ·swap(SB), X4, X4
	MOVOU   X3, (R9)
	MOVOU   X4, 16(R9)
	ADDQ    $32, R9
	ADDQ    $text__size, R10
	DECQ    CX
	JNZ     text
	LEAVE(R8, X1, X2, X13)
	RET

// func hasSHA() bool
TEXT ·hasSHA(SB), NOSPLIT, $0-1
	XORL AX, AX
	XORL CX, CX
	CPUID
	MOVB $0, ret+0(FP)
	CMPL AX, $7
	JLT  done
	MOVL $7, AX
	XORL CX, CX
	CPUID
	SHRL $29, BX
	ANDL $1, BX
	MOVB BX, ret+0(FP)

done:
	RET
