#include "textflag.h"

// Where the parts of tables, and of masks, begin.
#define NIBBLES 2048
#define ASCII 2208
#define RUNS 512
#define PARTS 1024
#define EQUALS 1536
#define VALUES 2048
#define LONGS 2560
#define FULLS 3072
#define BETWEENS 3584
#define OPERATORS 4096
#define BEFORE 4608

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

// HALF makes begin and run the bits of those of the 32 bytes that are in none, slash those of bytes of runs that are none of parts, and
// equal those of equals signs.
#define HALF(at, begin, run, slash, equal) \
	VPBROADCASTB sign<>(SB), Y14; \
	VPCMPEQB at(SI), Y14, Y14; \
	VPMOVMSKB Y14, equal; \
	LOAD(at); \
	VPSHUFB Y12, Y8, Y14; \
	VPSHUFB Y13, Y9, Y15; \
	VPAND Y15, Y14, Y14; \
	VPMOVMSKB Y14, slash; \
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

DATA sign<>+0(SB)/1, $'='
GLOBL sign<>(SB), RODATA|NOPTR, $1

// func masksAVX2(t *tables, text *byte, blocks int, m *masks)
TEXT ·masksAVX2(SB), NOSPLIT, $0-32
	MOVQ t+0(FP), AX
	MOVQ text+8(FP), SI
	MOVQ blocks+16(FP), CX
	MOVQ m+24(FP), DI
	VBROADCASTI128 NIBBLES+0(AX), Y0
	VBROADCASTI128 NIBBLES+16(AX), Y1
	VBROADCASTI128 NIBBLES+32(AX), Y2
	VBROADCASTI128 NIBBLES+48(AX), Y3
	VBROADCASTI128 NIBBLES+64(AX), Y4
	VBROADCASTI128 NIBBLES+80(AX), Y5
	VBROADCASTI128 NIBBLES+96(AX), Y6
	VBROADCASTI128 NIBBLES+112(AX), Y7
	VBROADCASTI128 NIBBLES+128(AX), Y8
	VBROADCASTI128 NIBBLES+144(AX), Y9
	MOVL $0x0f0f0f0f, AX
	VMOVD AX, X10
	VPBROADCASTD X10, Y10
	VPXOR Y11, Y11, Y11

next:
	HALF(0, R8, R9, R12, AX)
	HALF(32, R10, R11, R13, BX)
	SHLQ $32, R10
	SHLQ $32, R11
	SHLQ $32, R13
	SHLQ $32, BX
	ORQ R10, R8
	ORQ R11, R9
	ORQ R13, R12
	ORQ BX, AX
	ORQ R9, R12
	NOTQ R8
	NOTQ R9
	NOTQ R12
	MOVQ R8, (DI)
	MOVQ R9, RUNS(DI)
	MOVQ R12, PARTS(DI)
	MOVQ AX, EQUALS(DI)
	ADDQ $64, SI
	ADDQ $8, DI
	DECQ CX
	JNZ next
	VZEROUPPER
	RET

// What follows looks at 64 bytes at once, and when it has been at all of them, at the masks of eight blocks at once. What writes a mask
// and what reads eight of them stay that far apart since a load waits for the stores that it is put together of.
//
// First, Z0 to Z9 hold the tables, the lower half of the bytes first; Z20 to Z23 are the bits of the classes, Z24 is 128 in each byte.
// Then, Z0 to Z11 are the masks of the eight blocks before, in the order of the type behind, and Z29 is all ones.

// SETS512 makes sets those of a table in which the bytes at a place of the text are.
#define SETS512(at, low, high, sets) \
	VMOVDQU8 at(SI), sets; \
	VPERMI2B high, low, sets

// MOVED moves the bits of masks n places on, from block to block.
#define MOVED(n, masks, before, to) \
	VALIGNQ $7, before, masks, to; \
	VPSHLDQ $n, to, masks, to

// LAST keeps the mask of the last block, which K1 chooses. Its vector has two names.
#define LAST(at, before, low) \
	VPCOMPRESSQ before, K1, before; \
	VMOVQ low, BEFORE+at(DX)

// func lookAVX512(t *tables, text *byte, blocks int, m *masks) (some uint64)
TEXT ·lookAVX512(SB), NOSPLIT, $0-40
	MOVQ t+0(FP), AX
	MOVQ text+8(FP), SI
	MOVQ blocks+16(FP), R11
	MOVQ m+24(FP), DX
	VMOVDQU8 ASCII+0(AX), Z0
	VMOVDQU8 ASCII+64(AX), Z1
	VMOVDQU8 ASCII+128(AX), Z2
	VMOVDQU8 ASCII+192(AX), Z3
	VMOVDQU8 ASCII+256(AX), Z4
	VMOVDQU8 ASCII+320(AX), Z5
	VMOVDQU8 ASCII+384(AX), Z6
	VMOVDQU8 ASCII+448(AX), Z7
	VMOVDQU8 ASCII+512(AX), Z8
	VMOVDQU8 ASCII+576(AX), Z9
	MOVL $0x01010101, BX
	VPBROADCASTD BX, Z20
	VPADDB Z20, Z20, Z21
	VPADDB Z21, Z21, Z22
	VPADDB Z22, Z22, Z23
	VPSLLW $7, Z20, Z24
	MOVQ DX, DI
	XORL CX, CX // how many blocks are done

masks:
	SETS512(0, Z0, Z1, Z14)
	SETS512(1, Z2, Z3, Z15)
	SETS512(2, Z4, Z5, Z16)
	SETS512(3, Z6, Z7, Z17)
	VPANDQ Z14, Z15, Z15
	VPTERNLOGQ $0x80, Z15, Z16, Z17
	VPTESTMB Z17, Z17, K1
	VMOVDQU8 (SI), Z14
	VPTESTNMB Z24, Z14, K2
	VPERMI2B Z9, Z8, Z14
	VPTESTMB Z20, Z14, K2, K3
	VPTESTMB Z21, Z14, K2, K4
	VPTESTMB Z22, Z14, K2, K5
	VPTESTMB Z23, Z14, K2, K6
	KMOVQ K1, (DI)(CX*8)
	KMOVQ K3, RUNS(DI)(CX*8)
	KMOVQ K4, PARTS(DI)(CX*8)
	KMOVQ K5, BETWEENS(DI)(CX*8)
	KMOVQ K6, OPERATORS(DI)(CX*8)
	ADDQ $64, SI
	INCQ CX
	CMPQ CX, R11
	JNE masks

	// Zeros fill the masks of the last eight blocks.
	XORL R8, R8

fill:
	TESTQ $7, CX
	JZ filled
	MOVQ R8, (DI)(CX*8)
	MOVQ R8, RUNS(DI)(CX*8)
	MOVQ R8, PARTS(DI)(CX*8)
	MOVQ R8, BETWEENS(DI)(CX*8)
	MOVQ R8, OPERATORS(DI)(CX*8)
	INCQ CX
	JMP fill

filled:
	VPTERNLOGQ $0xff, Z29, Z29, Z29
	VPBROADCASTQ BEFORE+0(DX), Z0
	VPBROADCASTQ BEFORE+8(DX), Z1
	VPBROADCASTQ BEFORE+16(DX), Z2
	VPBROADCASTQ BEFORE+24(DX), Z3
	VPBROADCASTQ BEFORE+32(DX), Z4
	VPBROADCASTQ BEFORE+40(DX), Z5
	VPBROADCASTQ BEFORE+48(DX), Z6
	VPBROADCASTQ BEFORE+56(DX), Z7
	VPBROADCASTQ BEFORE+64(DX), Z8
	VPBROADCASTQ BEFORE+72(DX), Z9
	VPBROADCASTQ BEFORE+80(DX), Z10
	VPBROADCASTQ BEFORE+88(DX), Z11
	MOVQ BEFORE+88(DX), R10
	SHRQ $63, R10 // what is carried over to the sum of the next blocks
	XORL BX, BX // some

combine:
	VMOVDQU64 RUNS(DI), Z14
	VMOVDQU64 PARTS(DI), Z13
	VMOVDQU64 OPERATORS(DI), Z30
	VPCMPEQD Z29, Z14, K1
	VPSRLD.Z $31, Z29, K1, Z15
	VMOVDQU64 Z15, FULLS(DI)
	MOVED(1, Z14, Z0, Z15)
	VMOVDQA64 Z14, Z0
	VPANDQ Z14, Z30, Z31 // equals
	MOVED(1, Z31, Z8, Z16)
	VMOVDQA64 Z31, Z8
	VPTERNLOGQ $0xa2, Z13, Z15, Z16 // where values may begin
	VPANDQ Z14, Z15, Z15 // runTwo
	MOVED(2, Z15, Z1, Z14)
	VMOVDQA64 Z15, Z1
	VPANDQ Z15, Z14, Z14 // runFour
	MOVED(4, Z14, Z2, Z17)
	VPANDQ Z14, Z17, Z17 // runEight
	MOVED(8, Z14, Z2, Z18)
	VMOVDQA64 Z14, Z2
	VPANDQ Z17, Z18, Z18 // runTwelve
	MOVED(1, Z13, Z3, Z15)
	VMOVDQA64 Z13, Z3
	VPANDQ Z13, Z15, Z15 // two
	MOVED(2, Z15, Z4, Z14)
	VMOVDQA64 Z15, Z4
	VPANDQ Z15, Z14, Z14 // four
	MOVED(4, Z14, Z5, Z17)
	VMOVDQA64 Z14, Z5
	VPANDQ Z14, Z17, Z17 // eight
	MOVED(8, Z17, Z6, Z19)
	VMOVDQA64 Z17, Z6
	VPANDQ Z17, Z19, Z19 // long
	MOVED(1, Z19, Z7, Z31)
	VMOVDQA64 Z19, Z7
	VPANDNQ Z19, Z31, Z31
	VMOVDQU64 Z31, LONGS(DI)

	// Adding fills what is between an operator and a value, from the operator on: a carry goes through the ones. The byte behind
	// one that stands between may be the letter of an escape.
	VMOVDQU64 BETWEENS(DI), Z14
	MOVED(1, Z14, Z10, Z15)
	VMOVDQA64 Z14, Z10
	VPORQ Z14, Z15, Z15
	VPADDQ Z15, Z30, Z17
	VPCMPUQ $1, Z30, Z17, K1 // the blocks whose sums are too long
	VPCMPEQQ Z29, Z17, K2    // and those that would be, with one more
	KMOVB K1, R8
	KMOVB K2, R9
	LEAQ (R10)(R8*2), R10
	ADDQ R9, R10
	XORQ R10, R9
	KMOVB R9, K1
	SHRQ $8, R10
	VPSUBQ Z29, Z17, K1, Z17
	VPTERNLOGQ $0x8a, Z15, Z30, Z17 // reached
	MOVED(1, Z17, Z11, Z19)
	VMOVDQA64 Z17, Z11
	VPANDQ Z19, Z16, Z16 // begun
	MOVED(11, Z16, Z9, Z19)
	VMOVDQA64 Z16, Z9
	VPANDQ Z18, Z19, Z19
	VMOVDQU64 Z19, VALUES(DI)

	VPTERNLOGQ $0xfe, (DI), Z31, Z19
	VPORQ FULLS(DI), Z19, Z19
	VPTESTMQ Z19, Z19, K1
	KMOVB K1, R8
	ORQ R8, BX
	RORQ $8, BX
	ADDQ $64, DI
	SUBQ $8, CX
	JNE combine

	// The first bits of some are turned down to where they belong.
	LEAQ 7(R11), CX
	ANDQ $~7, CX
	NEGQ CX
	RORQ CX, BX
	MOVQ BX, some+32(FP)

	LEAQ -1(R11), CX
	ANDQ $7, CX
	MOVL $1, R8
	SHLQ CX, R8
	KMOVB R8, K1
	LAST(0, Z0, X0)
	LAST(8, Z1, X1)
	LAST(16, Z2, X2)
	LAST(24, Z3, X3)
	LAST(32, Z4, X4)
	LAST(40, Z5, X5)
	LAST(48, Z6, X6)
	LAST(56, Z7, X7)
	LAST(64, Z8, X8)
	LAST(72, Z9, X9)
	LAST(80, Z10, X10)
	LAST(88, Z11, X11)
	VZEROUPPER
	RET
