#include "textflag.h"

// What may stand behind the backslash of an escape that is not coded, " \ b f n r t, by the two halves of its code: a character is
// one of them when its lower half in simpleLow and its upper half in simpleHigh have a bit in common.
DATA simpleLow<>+0x00(SB)/8, $0x00040008000d0000
DATA simpleLow<>+0x08(SB)/8, $0x0004000200000000
GLOBL simpleLow<>(SB), RODATA|NOPTR, $16
DATA simpleHigh<>+0x00(SB)/8, $0x0804020000010000
DATA simpleHigh<>+0x08(SB)/8, $0x0000000000000000
GLOBL simpleHigh<>(SB), RODATA|NOPTR, $16

// What can be wrong with two bytes that follow each other, by the two halves of the first one and the upper half of the second: a bit
// that all three have in common. The top bit is wrong unless the second byte is the third or fourth of a character. (Keiser and Lemire,
// Validating UTF-8 In Less Than One Instruction Per Byte.)
DATA firstHigh<>+0x00(SB)/8, $0x0202020202020202
DATA firstHigh<>+0x08(SB)/8, $0x4915012180808080
GLOBL firstHigh<>(SB), RODATA|NOPTR, $16
DATA firstLow<>+0x00(SB)/8, $0xcbcbcb8b8383a3e7
DATA firstLow<>+0x08(SB)/8, $0xcbcbdbcbcbcbcbcb
GLOBL firstLow<>(SB), RODATA|NOPTR, $16
DATA secondHigh<>+0x00(SB)/8, $0x0101010101010101
DATA secondHigh<>+0x08(SB)/8, $0x01010101babaaee6
GLOBL secondHigh<>(SB), RODATA|NOPTR, $16

// What all bytes are compared with, or masked. Bytes from 0xe0 and 0xf0 on, the first of three and of four, keep their top bit when three
// or four is subtracted; all others have none then. Below begin, with its sign, are the bytes that continue a character.
DATA quote<>+0(SB)/1, $0x22
DATA slash<>+0(SB)/1, $0x5c
DATA blank<>+0(SB)/1, $0x20
DATA lower<>+0(SB)/1, $0x0f
DATA three<>+0(SB)/1, $0x60
DATA four<>+0(SB)/1, $0x70
DATA top<>+0(SB)/1, $0x80
DATA begin<>+0(SB)/1, $0xc0
DATA astral<>+0(SB)/1, $0xf0
DATA solidus<>+0(SB)/1, $0x2f
GLOBL quote<>(SB), RODATA|NOPTR, $1
GLOBL slash<>(SB), RODATA|NOPTR, $1
GLOBL blank<>(SB), RODATA|NOPTR, $1
GLOBL lower<>(SB), RODATA|NOPTR, $1
GLOBL three<>(SB), RODATA|NOPTR, $1
GLOBL four<>(SB), RODATA|NOPTR, $1
GLOBL top<>(SB), RODATA|NOPTR, $1
GLOBL begin<>(SB), RODATA|NOPTR, $1
GLOBL astral<>(SB), RODATA|NOPTR, $1
GLOBL solidus<>(SB), RODATA|NOPTR, $1

// Where the masks of a block are in its marks.
#define ENDS 0
#define ESCAPED 8
#define HALTS 16
#define SPECIAL 24
#define WIDE 32
#define CONTINUED 40
#define ASTRAL 48

// func markAVX512(marks *[windowBlocks]marks, text *byte, length int, more bool, open uint64) (after, broken, slashes uint64)
//
// CX counts the bytes that are left, Z0 is a block of them, Z1 the one before it. R9 is open, Z9 gathers what is wrong with UTF-8, and a
// byte of Z25 is 0 where one that stands there in a block is a slash. Of a block, R10 are quotes, then ends, R11 control characters, then
// halts, R12 backslashes, R13 what is escaped, R15 what is wide.
TEXT ·markAVX512(SB), NOSPLIT, $0-64
	MOVQ marks+0(FP), DI
	MOVQ text+8(FP), SI
	MOVQ length+16(FP), CX
	MOVB more+24(FP), BX
	MOVQ open+32(FP), R9
	MOVQ $0xaaaaaaaaaaaaaaaa, DX
	VPBROADCASTB quote<>(SB), Z10
	VPBROADCASTB slash<>(SB), Z11
	VPBROADCASTB blank<>(SB), Z12
	VPBROADCASTB lower<>(SB), Z13
	VBROADCASTI32X4 simpleLow<>(SB), Z14
	VBROADCASTI32X4 simpleHigh<>(SB), Z15
	VBROADCASTI32X4 firstHigh<>(SB), Z16
	VBROADCASTI32X4 firstLow<>(SB), Z17
	VBROADCASTI32X4 secondHigh<>(SB), Z18
	VPBROADCASTB three<>(SB), Z19
	VPBROADCASTB four<>(SB), Z20
	VPBROADCASTB top<>(SB), Z21
	VPBROADCASTB begin<>(SB), Z22
	VPBROADCASTB astral<>(SB), Z23
	VPBROADCASTB solidus<>(SB), Z24
	VMOVDQA64 Z24, Z25
	VPXORQ Z9, Z9, Z9
	VPXORQ Z1, Z1, Z1
	TESTB BX, BX
	JZ next
	VMOVDQU64 -64(SI), Z1

next:
	CMPQ CX, $64
	JLT last
	VMOVDQU64 (SI), Z0

block:
	VPCMPEQB Z10, Z0, K1
	VPCMPEQB Z11, Z0, K2
	VPCMPUB $1, Z12, Z0, K3
	VPMOVB2M Z0, K4
	VPCMPB $1, Z22, Z0, K5
	VPCMPUB $5, Z23, Z0, K6
	KMOVQ K1, R10
	KMOVQ K2, R12
	KMOVQ K3, R11
	KMOVQ K4, R15
	MOVQ R15, WIDE(DI)
	KMOVQ K5, CONTINUED(DI)
	KMOVQ K6, ASTRAL(DI)
	VPXORQ Z24, Z0, Z2
	VPMINUB Z2, Z25, Z25

	// The bytes one, two and three before each are in Z3, Z4 and Z5, the upper halves of all in Z8. What is wrong with pairs of bytes
	// is in Z6. Its top bit must be that of Z4, which is set behind the first of three bytes or the first two of four.
	VALIGNQ $6, Z1, Z0, Z2
	VPALIGNR $15, Z2, Z0, Z3
	VPALIGNR $14, Z2, Z0, Z4
	VPALIGNR $13, Z2, Z0, Z5
	VMOVDQA64 Z0, Z1
	VPSRLW $4, Z0, Z8
	VPANDQ Z13, Z8, Z8
	VPSRLW $4, Z3, Z6
	VPANDQ Z13, Z6, Z6
	VPANDQ Z13, Z3, Z7
	VPSHUFB Z6, Z16, Z6
	VPSHUFB Z7, Z17, Z7
	VPSHUFB Z8, Z18, Z2
	VPTERNLOGQ $0x80, Z7, Z2, Z6  // Z6 & Z2 & Z7
	VPSUBUSB Z19, Z4, Z4
	VPSUBUSB Z20, Z5, Z5
	VPTERNLOGQ $0xa8, Z21, Z5, Z4 // (Z4 | Z5) & Z21
	VPTERNLOGQ $0xf6, Z6, Z4, Z9  // Z9 | Z4 ^ Z6

	// Which bytes are escaped: those behind a backslash that is not escaped itself. The carry of the subtraction runs along each
	// sequence of backslashes; where it ends tells whether their number is odd. (As simdjson does it.)
	MOVQ R12, R13
	ORQ R9, R13
	VPSHUFB Z0, Z14, Z3
	VPSHUFB Z8, Z15, Z2
	VPTESTNMB Z3, Z2, K1
	KMOVQ K1, R8
	ANDNQ R12, R9, AX
	LEAQ (AX)(AX*1), BX
	ORQ DX, BX
	SUBQ AX, BX
	XORQ DX, BX
	XORQ BX, R13
	ANDQ R12, BX
	MOVQ BX, R9
	SHRQ $63, R9
	ANDNQ R10, R13, R10
	ANDQ R13, R8
	ORQ R10, R11
	ORQ R8, R11
	MOVQ R10, ENDS(DI)
	MOVQ R13, ESCAPED(DI)
	MOVQ R11, HALTS(DI)
	ORQ R13, R15
	ORQ R11, R15
	MOVQ R15, SPECIAL(DI)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $64, CX
	JGT next
	VPTESTMB Z9, Z9, K1
	KMOVQ K1, AX
	VPTESTNMB Z25, Z25, K1
	KMOVQ K1, BX
	VZEROUPPER
	MOVQ R9, after+40(FP)
	MOVQ AX, broken+48(FP)
	MOVQ BX, slashes+56(FP)
	RET

last:
	MOVQ $-1, AX
	BZHIQ CX, AX, AX
	KMOVQ AX, K7
	VMOVDQU8.Z (SI), K7, Z0
	JMP block

// func passMarks(marks *[windowBlocks]marks, i, limit int, s *sums) (halt int)
//
// DI are the marks of the block that begins at BX, AX its bytes from the beginning of the string on, and Z0 the sums. Marks are as long
// as their block, so that the places of both differ by a multiple of the window's length.
TEXT ·passMarks(SB), NOSPLIT, $0-40
	MOVQ marks+0(FP), SI
	MOVQ i+8(FP), BX
	MOVQ limit+16(FP), DX
	MOVQ s+24(FP), CX
	VMOVDQU64 (CX), Z0
	MOVQ $-1, AX
	SHLXQ BX, AX, AX
	ANDQ $-64, BX

pass:
	MOVQ BX, DI
	ANDQ $(16*64-1), DI
	ADDQ SI, DI
	MOVQ HALTS(DI), R12
	ANDQ AX, R12
	JNZ halt
	VPBROADCASTQ AX, Z1
	VPANDQ (DI), Z1, Z1
	VPOPCNTQ Z1, Z1
	VPADDQ Z1, Z0, Z0
	MOVQ $-1, AX
	ADDQ $64, BX
	CMPQ BX, DX
	JLT pass
	JMP passed

	// Of the last block, those up to the first halt.
halt:
	BLSMSKQ R12, R13
	ANDNQ R13, R12, R13
	ANDQ AX, R13
	VPBROADCASTQ R13, Z1
	VPANDQ (DI), Z1, Z1
	VPOPCNTQ Z1, Z1
	VPADDQ Z1, Z0, Z0
	TZCNTQ R12, R12
	ADDQ R12, BX

passed:
	VMOVDQU64 Z0, (CX)
	VZEROUPPER
	MOVQ BX, halt+32(FP)
	RET
