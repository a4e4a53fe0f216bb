#include "textflag.h"

// The tables of the four bytes of fingerprints are in Y0 to Y7, that of runs in Y8 and Y9, the lower half first. Y10 is 15 in each
// byte, Y11 zero.

// LOAD makes Y12 the lower and Y13 the upper halves of 32 bytes of the text.
#define LOAD(at) \
	VMOVDQU at(SI), Y12; \
	VPSRLW $4, Y12, Y13; \
	VPAND Y10, Y12, Y12; \
	VPAND Y10, Y13, Y13

// SETS makes Y14 the sets of a table in which the bytes are.
#define SETS(low, high) \
	VPSHUFB Y12, low, Y14; \
	VPSHUFB Y13, high, Y13; \
	VPAND Y13, Y14, Y14

// HALF makes begin and run the bits of those of the 32 bytes that are in none.
#define HALF(at, begin, run) \
	LOAD(at); \
	VPSHUFB Y12, Y8, Y14; \
	VPSHUFB Y13, Y9, Y15; \
	VPAND Y15, Y14, Y14; \
	VPCMPEQB Y11, Y14, Y14; \
	VPMOVMSKB Y14, run; \
	VPSHUFB Y12, Y0, Y15; \
	VPSHUFB Y13, Y1, Y14; \
	VPAND Y14, Y15, Y15; \
	LOAD(at+1); \
	SETS(Y2, Y3); \
	VPAND Y14, Y15, Y15; \
	LOAD(at+2); \
	SETS(Y4, Y5); \
	VPAND Y14, Y15, Y15; \
	LOAD(at+3); \
	SETS(Y6, Y7); \
	VPAND Y14, Y15, Y15; \
	VPCMPEQB Y11, Y15, Y15; \
	VPMOVMSKB Y15, begin

// func masksAVX2(t *tables, text *byte, blocks int, begins, runs *uint64)
TEXT ·masksAVX2(SB), NOSPLIT, $0-40
	MOVQ t+0(FP), AX
	MOVQ text+8(FP), SI
	MOVQ blocks+16(FP), CX
	MOVQ begins+24(FP), DI
	MOVQ runs+32(FP), DX
	VBROADCASTI128 0(AX), Y0
	VBROADCASTI128 16(AX), Y1
	VBROADCASTI128 32(AX), Y2
	VBROADCASTI128 48(AX), Y3
	VBROADCASTI128 64(AX), Y4
	VBROADCASTI128 80(AX), Y5
	VBROADCASTI128 96(AX), Y6
	VBROADCASTI128 112(AX), Y7
	VBROADCASTI128 128(AX), Y8
	VBROADCASTI128 144(AX), Y9
	MOVL $0x0f0f0f0f, AX
	VMOVD AX, X10
	VPBROADCASTD X10, Y10
	VPXOR Y11, Y11, Y11

next:
	HALF(0, R8, R9)
	HALF(32, R10, R11)
	SHLQ $32, R10
	SHLQ $32, R11
	ORQ R10, R8
	ORQ R11, R9
	NOTQ R8
	NOTQ R9
	MOVQ R8, (DI)
	MOVQ R9, (DX)
	ADDQ $64, SI
	ADDQ $8, DI
	ADDQ $8, DX
	DECQ CX
	JNZ next
	VZEROUPPER
	RET
