#include "textflag.h"

// What follows comes for sixteen texts, each of which has one of the sixteen words of a register. a to h are in Z0 to Z7, the words of a
// block in Z16 to Z31, and what is needed for a moment in Z8 to Z15.

// INSERT loads a block of text i: its quarters go to part of the registers m0 to m3, of which each holds quarters of four texts. What is
// as far behind as the next sixteen texts of three blocks is fetched meanwhile: texts have left the nearer caches when they are hashed.
#define INSERT(i, part, m0, m1, m2, m3) \
	MOVL         (4*(i))(R8), R9 \
	PREFETCHT0   3072(SI)(R9*1) \
	VINSERTI32X4 $part, 0(SI)(R9*1), m0, m0 \
	VINSERTI32X4 $part, 16(SI)(R9*1), m1, m1 \
	VINSERTI32X4 $part, 32(SI)(R9*1), m2, m2 \
	VINSERTI32X4 $part, 48(SI)(R9*1), m3, m3

// FOUR loads the blocks of four texts.
#define FOUR(i, m0, m1, m2, m3) \
	MOVL       (4*(i))(R8), R9 \
	PREFETCHT0 3072(SI)(R9*1) \
	VMOVDQU    0(SI)(R9*1), X8 \
	VMOVDQU    16(SI)(R9*1), X9 \
	VMOVDQU    32(SI)(R9*1), X10 \
	VMOVDQU    48(SI)(R9*1), X11 \
	INSERT(i+4, 1, Z8, Z9, Z10, Z11) \
	INSERT(i+8, 2, Z8, Z9, Z10, Z11) \
	INSERT(i+12, 3, Z8, Z9, Z10, Z11) \
	VPSHUFB    Z15, Z8, m0 \
	VPSHUFB    Z15, Z9, m1 \
	VPSHUFB    Z15, Z10, m2 \
	VPSHUFB    Z15, Z11, m3

// TRANSPOSE makes, of the four words that four texts have in each of four registers, registers that hold one word of each.
#define TRANSPOSE(m0, m1, m2, m3) \
	VPUNPCKLDQ  m1, m0, Z8 \
	VPUNPCKHDQ  m1, m0, Z9 \
	VPUNPCKLDQ  m3, m2, Z10 \
	VPUNPCKHDQ  m3, m2, Z11 \
	VPUNPCKLQDQ Z10, Z8, m0 \
	VPUNPCKHQDQ Z10, Z8, m1 \
	VPUNPCKLQDQ Z11, Z9, m2 \
	VPUNPCKHQDQ Z11, Z9, m3

// ROUND is one of FIPS 180-4, section 6.2.2, step 3. Its new a is in h, its new e in d.
#define ROUND(at, w, a, b, c, d, e, f, g, h) \
	VPADDD.BCST at(AX), w, Z8 \
	VPRORD      $6, e, Z9 \
	VPRORD      $11, e, Z10 \
	VPRORD      $25, e, Z11 \
	VMOVDQA32   e, Z12 \
	VPADDD      Z8, h, h \
	VPTERNLOGD  $0x96, Z9, Z10, Z11 \
	VPTERNLOGD  $0xca, g, f, Z12 \
	VPADDD      Z11, h, h \
	VPRORD      $2, a, Z9 \
	VPRORD      $13, a, Z10 \
	VPRORD      $22, a, Z11 \
	VMOVDQA32   a, Z13 \
	VPADDD      Z12, h, h \
	VPTERNLOGD  $0x96, Z9, Z10, Z11 \
	VPTERNLOGD  $0xe8, c, b, Z13 \
	VPADDD      h, d, d \
	VPADDD      Z11, Z13, Z13 \
	VPADDD      Z13, h, h

// WORD makes the word sixteen rounds on of w0; w1, w9 and w14 are those one, nine and fourteen behind it.
#define WORD(w0, w1, w9, w14) \
	VPRORD     $7, w1, Z8 \
	VPRORD     $18, w1, Z9 \
	VPSRLD     $3, w1, Z10 \
	VPADDD     w9, w0, w0 \
	VPTERNLOGD $0x96, Z8, Z9, Z10 \
	VPRORD     $17, w14, Z11 \
	VPRORD     $19, w14, Z12 \
	VPSRLD     $10, w14, Z13 \
	VPADDD     Z10, w0, w0 \
	VPTERNLOGD $0x96, Z11, Z12, Z13 \
	VPADDD     Z13, w0, w0

// KEEP adds what a state was to what the rounds made of it, for the texts that have not ended.
#define KEEP(at, s) \
	VMOVDQU32 at(SP), Z8 \
	VPADDD    s, Z8, K1, Z8 \
	VMOVDQA32 Z8, s

// LEAVE writes a half of the sums of four texts, from text i on every fourth.
#define LEAVE(i, half, s) \
	VEXTRACTI32X4 $0, s, (32*i+half)(DI) \
	VEXTRACTI32X4 $1, s, (32*i+128+half)(DI) \
	VEXTRACTI32X4 $2, s, (32*i+256+half)(DI) \
	VEXTRACTI32X4 $3, s, (32*i+384+half)(DI)

// func compressSixteen(padded *byte, of *sixteen, sums *byte)
TEXT ·compressSixteen(SB), NOSPLIT, $512-24
	MOVQ         padded+0(FP), SI
	MOVQ         of+8(FP), R8
	MOVQ         sums+16(FP), DI
	LEAQ         ·initial(SB), R11
	VPBROADCASTD 0(R11), Z0
	VPBROADCASTD 4(R11), Z1
	VPBROADCASTD 8(R11), Z2
	VPBROADCASTD 12(R11), Z3
	VPBROADCASTD 16(R11), Z4
	VPBROADCASTD 20(R11), Z5
	VPBROADCASTD 24(R11), Z6
	VPBROADCASTD 28(R11), Z7

block:
	VMOVDQU32 Z0, 0(SP)
	VMOVDQU32 Z1, 64(SP)
	VMOVDQU32 Z2, 128(SP)
	VMOVDQU32 Z3, 192(SP)
	VMOVDQU32 Z4, 256(SP)
	VMOVDQU32 Z5, 320(SP)
	VMOVDQU32 Z6, 384(SP)
	VMOVDQU32 Z7, 448(SP)

	VBROADCASTI32X4 ·swap(SB), Z15
	FOUR(0, Z16, Z20, Z24, Z28)
	FOUR(1, Z17, Z21, Z25, Z29)
	FOUR(2, Z18, Z22, Z26, Z30)
	FOUR(3, Z19, Z23, Z27, Z31)
	TRANSPOSE(Z16, Z17, Z18, Z19)
	TRANSPOSE(Z20, Z21, Z22, Z23)
	TRANSPOSE(Z24, Z25, Z26, Z27)
	TRANSPOSE(Z28, Z29, Z30, Z31)

	LEAQ ·constants(SB), AX
	MOVL $3, CX

rounds:
	ROUND(0, Z16, Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7)
	WORD(Z16, Z17, Z25, Z30)
	ROUND(4, Z17, Z7, Z0, Z1, Z2, Z3, Z4, Z5, Z6)
	WORD(Z17, Z18, Z26, Z31)
	ROUND(8, Z18, Z6, Z7, Z0, Z1, Z2, Z3, Z4, Z5)
	WORD(Z18, Z19, Z27, Z16)
	ROUND(12, Z19, Z5, Z6, Z7, Z0, Z1, Z2, Z3, Z4)
	WORD(Z19, Z20, Z28, Z17)
	ROUND(16, Z20, Z4, Z5, Z6, Z7, Z0, Z1, Z2, Z3)
	WORD(Z20, Z21, Z29, Z18)
	ROUND(20, Z21, Z3, Z4, Z5, Z6, Z7, Z0, Z1, Z2)
	WORD(Z21, Z22, Z30, Z19)
	ROUND(24, Z22, Z2, Z3, Z4, Z5, Z6, Z7, Z0, Z1)
	WORD(Z22, Z23, Z31, Z20)
	ROUND(28, Z23, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z0)
	WORD(Z23, Z24, Z16, Z21)
	ROUND(32, Z24, Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7)
	WORD(Z24, Z25, Z17, Z22)
	ROUND(36, Z25, Z7, Z0, Z1, Z2, Z3, Z4, Z5, Z6)
	WORD(Z25, Z26, Z18, Z23)
	ROUND(40, Z26, Z6, Z7, Z0, Z1, Z2, Z3, Z4, Z5)
	WORD(Z26, Z27, Z19, Z24)
	ROUND(44, Z27, Z5, Z6, Z7, Z0, Z1, Z2, Z3, Z4)
	WORD(Z27, Z28, Z20, Z25)
	ROUND(48, Z28, Z4, Z5, Z6, Z7, Z0, Z1, Z2, Z3)
	WORD(Z28, Z29, Z21, Z26)
	ROUND(52, Z29, Z3, Z4, Z5, Z6, Z7, Z0, Z1, Z2)
	WORD(Z29, Z30, Z22, Z27)
	ROUND(56, Z30, Z2, Z3, Z4, Z5, Z6, Z7, Z0, Z1)
	WORD(Z30, Z31, Z23, Z28)
	ROUND(60, Z31, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z0)
	WORD(Z31, Z16, Z24, Z29)
	ADDQ $64, AX
	DECL CX
	JNZ  rounds
	ROUND(0, Z16, Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7)
	ROUND(4, Z17, Z7, Z0, Z1, Z2, Z3, Z4, Z5, Z6)
	ROUND(8, Z18, Z6, Z7, Z0, Z1, Z2, Z3, Z4, Z5)
	ROUND(12, Z19, Z5, Z6, Z7, Z0, Z1, Z2, Z3, Z4)
	ROUND(16, Z20, Z4, Z5, Z6, Z7, Z0, Z1, Z2, Z3)
	ROUND(20, Z21, Z3, Z4, Z5, Z6, Z7, Z0, Z1, Z2)
	ROUND(24, Z22, Z2, Z3, Z4, Z5, Z6, Z7, Z0, Z1)
	ROUND(28, Z23, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z0)
	ROUND(32, Z24, Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7)
	ROUND(36, Z25, Z7, Z0, Z1, Z2, Z3, Z4, Z5, Z6)
	ROUND(40, Z26, Z6, Z7, Z0, Z1, Z2, Z3, Z4, Z5)
	ROUND(44, Z27, Z5, Z6, Z7, Z0, Z1, Z2, Z3, Z4)
	ROUND(48, Z28, Z4, Z5, Z6, Z7, Z0, Z1, Z2, Z3)
	ROUND(52, Z29, Z3, Z4, Z5, Z6, Z7, Z0, Z1, Z2)
	ROUND(56, Z30, Z2, Z3, Z4, Z5, Z6, Z7, Z0, Z1)
	ROUND(60, Z31, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z0)

	// K1 are the texts that this block belongs to, K2 those that have another one.
	VMOVDQU32    64(R8), Z9
	VPTESTMD     Z9, Z9, K1
	KEEP(0, Z0)
	KEEP(64, Z1)
	KEEP(128, Z2)
	KEEP(192, Z3)
	KEEP(256, Z4)
	KEEP(320, Z5)
	KEEP(384, Z6)
	KEEP(448, Z7)
	VPTERNLOGD   $0xff, Z10, Z10, Z10
	VPADDD       Z10, Z9, K1, Z9
	VMOVDQU32    Z9, 64(R8)
	VPTESTMD     Z9, Z9, K2
	MOVL         $64, R9
	VPBROADCASTD R9, Z10
	VMOVDQU32    0(R8), Z11
	VPADDD       Z10, Z11, K2, Z11
	VMOVDQU32    Z11, 0(R8)
	KORTESTW     K2, K2
	JNZ          block

	VBROADCASTI32X4 ·swap(SB), Z15
	TRANSPOSE(Z0, Z1, Z2, Z3)
	TRANSPOSE(Z4, Z5, Z6, Z7)
	VPSHUFB Z15, Z0, Z0
	VPSHUFB Z15, Z1, Z1
	VPSHUFB Z15, Z2, Z2
	VPSHUFB Z15, Z3, Z3
	VPSHUFB Z15, Z4, Z4
	VPSHUFB Z15, Z5, Z5
	VPSHUFB Z15, Z6, Z6
	VPSHUFB Z15, Z7, Z7
	LEAVE(0, 0, Z0)
	LEAVE(1, 0, Z1)
	LEAVE(2, 0, Z2)
	LEAVE(3, 0, Z3)
	LEAVE(0, 16, Z4)
	LEAVE(1, 16, Z5)
	LEAVE(2, 16, Z6)
	LEAVE(3, 16, Z7)
	VZEROUPPER
	RET
