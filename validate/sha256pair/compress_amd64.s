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
// to X12. X0 is where SHA256RNDS2 wants the words of two rounds.
//
// Two such instructions of one lane have to wait for each other, and in that time the processor could begin another one. It does when
// the lanes take turns at every two rounds, and when the words of the next rounds are made before that: these steps in another order
// take a tenth to a quarter longer (AMD Zen 5).

// LOAD reads sixteen bytes of a message.
#define LOAD(at, text, m) \
	MOVOU  at(text), m \
	PSHUFB X15, m

// SUM makes sum what four rounds need: the words in m with their constants.
#define SUM(at, m, sum) \
	MOVO  m, sum \
	PADDD at(AX), sum

// LOWER does the first two of these rounds, UPPER the others.
#define LOWER(sum, abef, cdgh) \
	MOVO        sum, X0 \
	SHA256RNDS2 X0, abef, cdgh

#define UPPER(sum, abef, cdgh) \
	PSHUFD      $0x0e, sum, X0 \
	SHA256RNDS2 X0, cdgh, abef

// FINISH makes the words sixteen rounds on of those in m0, to which FIRST was applied: m3 and m2 are the last two before them.
#define FINISH(m2, m3, m0) \
	MOVO       m3, X0 \
	PALIGNR    $4, m2, X0 \
	PADDD      X0, m0 \
	SHA256MSG2 m3, m0

#define FIRST(m0, m1) \
	SHA256MSG1 m1, m0

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

// ROUNDS does the four rounds for the words in m, ROUNDS_BOTH those of both lanes.
#define ROUNDS(at, m) \
	SUM(at, m, X13) \
	LOWER(X13, X1, X2) \
	UPPER(X13, X1, X2)

#define ROUNDS_BOTH(at, a, b) \
	SUM(at, a, X13) \
	SUM(at, b, X14) \
	LOWER(X13, X1, X2) \
	LOWER(X14, X3, X4) \
	UPPER(X13, X1, X2) \
	UPPER(X14, X3, X4)

// BLOCK_BOTH takes a block of each text into the states of both lanes.
#define BLOCK_BOTH \
	MOVOU X1, 0(SP) \
	MOVOU X2, 16(SP) \
	MOVOU X3, 32(SP) \
	MOVOU X4, 48(SP) \
	LOAD(0, SI, X5) \
	LOAD(0, DI, X9) \
	ROUNDS_BOTH(0, X5, X9) \
	LOAD(16, SI, X6) \
	LOAD(16, DI, X10) \
	ROUNDS_BOTH(16, X6, X10) \
	FIRST(X5, X6) \
	FIRST(X9, X10) \
	LOAD(32, SI, X7) \
	LOAD(32, DI, X11) \
	ROUNDS_BOTH(32, X7, X11) \
	FIRST(X6, X7) \
	FIRST(X10, X11) \
	LOAD(48, SI, X8) \
	LOAD(48, DI, X12) \
	FINISH(X7, X8, X5) \
	FINISH(X11, X12, X9) \
	ROUNDS_BOTH(48, X8, X12) \
	FIRST(X7, X8) \
	FIRST(X11, X12) \
	FINISH(X8, X5, X6) \
	FINISH(X12, X9, X10) \
	ROUNDS_BOTH(64, X5, X9) \
	FIRST(X8, X5) \
	FIRST(X12, X9) \
	FINISH(X5, X6, X7) \
	FINISH(X9, X10, X11) \
	ROUNDS_BOTH(80, X6, X10) \
	FIRST(X5, X6) \
	FIRST(X9, X10) \
	FINISH(X6, X7, X8) \
	FINISH(X10, X11, X12) \
	ROUNDS_BOTH(96, X7, X11) \
	FIRST(X6, X7) \
	FIRST(X10, X11) \
	FINISH(X7, X8, X5) \
	FINISH(X11, X12, X9) \
	ROUNDS_BOTH(112, X8, X12) \
	FIRST(X7, X8) \
	FIRST(X11, X12) \
	FINISH(X8, X5, X6) \
	FINISH(X12, X9, X10) \
	ROUNDS_BOTH(128, X5, X9) \
	FIRST(X8, X5) \
	FIRST(X12, X9) \
	FINISH(X5, X6, X7) \
	FINISH(X9, X10, X11) \
	ROUNDS_BOTH(144, X6, X10) \
	FIRST(X5, X6) \
	FIRST(X9, X10) \
	FINISH(X6, X7, X8) \
	FINISH(X10, X11, X12) \
	ROUNDS_BOTH(160, X7, X11) \
	FIRST(X6, X7) \
	FIRST(X10, X11) \
	FINISH(X7, X8, X5) \
	FINISH(X11, X12, X9) \
	ROUNDS_BOTH(176, X8, X12) \
	FIRST(X7, X8) \
	FIRST(X11, X12) \
	FINISH(X8, X5, X6) \
	FINISH(X12, X9, X10) \
	ROUNDS_BOTH(192, X5, X9) \
	FIRST(X8, X5) \
	FIRST(X12, X9) \
	FINISH(X5, X6, X7) \
	FINISH(X9, X10, X11) \
	ROUNDS_BOTH(208, X6, X10) \
	FINISH(X6, X7, X8) \
	FINISH(X10, X11, X12) \
	ROUNDS_BOTH(224, X7, X11) \
	ROUNDS_BOTH(240, X8, X12) \
	MOVOU 0(SP), X13 \
	PADDD X13, X1 \
	MOVOU 16(SP), X13 \
	PADDD X13, X2 \
	MOVOU 32(SP), X14 \
	PADDD X14, X3 \
	MOVOU 48(SP), X14 \
	PADDD X14, X4

// func compressOne(of *state, text *byte, blocks int)
TEXT ·compressOne(SB), NOSPLIT, $32-24
	MOVQ  of+0(FP), R8
	MOVQ  text+8(FP), SI
	MOVQ  blocks+16(FP), CX
	LEAQ  ·constants(SB), AX
	MOVOU ·swap(SB), X15
	ENTER(R8, X1, X2, X13)

next:
	MOVOU X1, 0(SP)
	MOVOU X2, 16(SP)
	LOAD(0, SI, X5)
	ROUNDS(0, X5)
	LOAD(16, SI, X6)
	ROUNDS(16, X6)
	FIRST(X5, X6)
	LOAD(32, SI, X7)
	ROUNDS(32, X7)
	FIRST(X6, X7)
	LOAD(48, SI, X8)
	FINISH(X7, X8, X5)
	ROUNDS(48, X8)
	FIRST(X7, X8)
	FINISH(X8, X5, X6)
	ROUNDS(64, X5)
	FIRST(X8, X5)
	FINISH(X5, X6, X7)
	ROUNDS(80, X6)
	FIRST(X5, X6)
	FINISH(X6, X7, X8)
	ROUNDS(96, X7)
	FIRST(X6, X7)
	FINISH(X7, X8, X5)
	ROUNDS(112, X8)
	FIRST(X7, X8)
	FINISH(X8, X5, X6)
	ROUNDS(128, X5)
	FIRST(X8, X5)
	FINISH(X5, X6, X7)
	ROUNDS(144, X6)
	FIRST(X5, X6)
	FINISH(X6, X7, X8)
	ROUNDS(160, X7)
	FIRST(X6, X7)
	FINISH(X7, X8, X5)
	ROUNDS(176, X8)
	FIRST(X7, X8)
	FINISH(X8, X5, X6)
	ROUNDS(192, X5)
	FIRST(X8, X5)
	FINISH(X5, X6, X7)
	ROUNDS(208, X6)
	FINISH(X6, X7, X8)
	ROUNDS(224, X7)
	ROUNDS(240, X8)
	MOVOU 0(SP), X13
	PADDD X13, X1
	MOVOU 16(SP), X13
	PADDD X13, X2
	ADDQ  $64, SI
	DECQ  CX
	JNZ   next
	LEAVE(R8, X1, X2, X13)
	RET

// func compressTwo(a *state, textA *byte, b *state, textB *byte, blocks int)
TEXT ·compressTwo(SB), NOSPLIT, $64-40
	MOVQ  a+0(FP), R8
	MOVQ  textA+8(FP), SI
	MOVQ  b+16(FP), R9
	MOVQ  textB+24(FP), DI
	MOVQ  blocks+32(FP), CX
	LEAQ  ·constants(SB), AX
	MOVOU ·swap(SB), X15
	ENTER(R8, X1, X2, X13)
	ENTER(R9, X3, X4, X14)

next:
	BLOCK_BOTH
	ADDQ  $64, SI
	ADDQ  $64, DI
	DECQ  CX
	JNZ   next
	LEAVE(R8, X1, X2, X13)
	LEAVE(R9, X3, X4, X14)
	RET

// func compressTexts(stream *state, from *byte, padded *byte, texts *text, count int, sums *byte)
TEXT ·compressTexts(SB), NOSPLIT, $64-48
	MOVQ  stream+0(FP), R8
	MOVQ  from+8(FP), SI
	MOVQ  padded+16(FP), DI
	MOVQ  texts+24(FP), R10
	MOVQ  count+32(FP), CX
	MOVQ  sums+40(FP), R9
	LEAQ  ·initial(SB), R11
	LEAQ  ·constants(SB), AX
	MOVOU ·swap(SB), X15
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
	PSHUFB X15, X3
	PSHUFB X15, X4
	MOVOU  X3, (R9)
	MOVOU  X4, 16(R9)
	ADDQ   $32, R9
	ADDQ   $text__size, R10
	DECQ   CX
	JNZ    text
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
