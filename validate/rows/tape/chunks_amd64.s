#include "textflag.h"

// What may stand behind the backslash of an escape that is not coded, " \ b f n r t, by the two halves of its code: a character is
// one of them when its lower half in low and its upper half in high have a bit in common.
DATA low<>+0x00(SB)/8, $0x00040008000d0000
DATA low<>+0x08(SB)/8, $0x0004000200000000
DATA low<>+0x10(SB)/8, $0x00040008000d0000
DATA low<>+0x18(SB)/8, $0x0004000200000000
GLOBL low<>(SB), RODATA|NOPTR, $32
DATA high<>+0x00(SB)/8, $0x0804020000010000
DATA high<>+0x08(SB)/8, $0x0000000000000000
DATA high<>+0x10(SB)/8, $0x0804020000010000
DATA high<>+0x18(SB)/8, $0x0000000000000000
GLOBL high<>(SB), RODATA|NOPTR, $32

// Every second bit, from the second on.
DATA odd<>+0x00(SB)/8, $0xaaaaaaaaaaaaaaaa
GLOBL odd<>(SB), RODATA|NOPTR, $8

// What the bytes of a text are compared with, 32 times each.
DATA quote<>+0x00(SB)/8, $0x2222222222222222
DATA quote<>+0x08(SB)/8, $0x2222222222222222
DATA quote<>+0x10(SB)/8, $0x2222222222222222
DATA quote<>+0x18(SB)/8, $0x2222222222222222
GLOBL quote<>(SB), RODATA|NOPTR, $32
DATA slash<>+0x00(SB)/8, $0x5c5c5c5c5c5c5c5c
DATA slash<>+0x08(SB)/8, $0x5c5c5c5c5c5c5c5c
DATA slash<>+0x10(SB)/8, $0x5c5c5c5c5c5c5c5c
DATA slash<>+0x18(SB)/8, $0x5c5c5c5c5c5c5c5c
GLOBL slash<>(SB), RODATA|NOPTR, $32
DATA blank<>+0x00(SB)/8, $0x2020202020202020
DATA blank<>+0x08(SB)/8, $0x2020202020202020
DATA blank<>+0x10(SB)/8, $0x2020202020202020
DATA blank<>+0x18(SB)/8, $0x2020202020202020
GLOBL blank<>(SB), RODATA|NOPTR, $32
DATA nibble<>+0x00(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibble<>+0x08(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibble<>+0x10(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibble<>+0x18(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL nibble<>(SB), RODATA|NOPTR, $32

// MASK gathers the top bits of 64 bytes.
#define MASK(first, second, mask, temp) \
	VPMOVMSKB first, mask \
	VPMOVMSKB second, temp \
	SHLQ      $32, temp \
	ORQ       temp, mask

// INVALID marks the bytes that may not be escaped.
#define INVALID(text, mask, temp) \
	VPSHUFB  text, Y13, mask \
	VPSRLW   $4, text, temp \
	VPAND    Y15, temp, temp \
	VPSHUFB  temp, Y14, temp \
	VPAND    temp, mask, mask \
	VPCMPEQB Y9, mask, mask

// func scanChunks(text *byte, length int) (passed, escapes int)
//
// DI counts what was passed, R8 the escapes in it. R9 is 1 when the last byte is a backslash whose escape goes on behind it.
TEXT ·scanChunks(SB), NOSPLIT, $0-32
	MOVQ    text+0(FP), SI
	MOVQ    length+8(FP), CX
	XORQ    DI, DI
	XORQ    R8, R8
	XORQ    R9, R9
	MOVQ    odd<>(SB), DX
	VMOVDQU quote<>(SB), Y10
	VMOVDQU slash<>(SB), Y11
	VMOVDQU blank<>(SB), Y12
	VMOVDQU nibble<>(SB), Y15
	VMOVDQU low<>(SB), Y13
	VMOVDQU high<>(SB), Y14

next:
	LEAQ 64(DI), AX
	CMPQ AX, CX
	JGT  short

	// Quotes in Y2 and Y3, backslashes in Y4 and Y5. Y6 and Y7 are quotes and, as the bytes are compared with their signs, control
	// characters and what is beyond ASCII.
	VMOVDQU  (SI)(DI*1), Y0
	VMOVDQU  32(SI)(DI*1), Y1
	VPCMPEQB Y10, Y0, Y2
	VPCMPEQB Y10, Y1, Y3
	VPCMPEQB Y11, Y0, Y4
	VPCMPEQB Y11, Y1, Y5
	VPCMPGTB Y0, Y12, Y6
	VPCMPGTB Y1, Y12, Y7
	VPOR     Y2, Y6, Y6
	VPOR     Y3, Y7, Y7
	VPOR     Y4, Y6, Y8
	VPOR     Y5, Y7, Y9
	VPOR     Y8, Y9, Y8
	VPTEST   Y8, Y8
	JNZ      special
	TESTQ    R9, R9
	JNZ      special
	ADDQ     $64, DI
	JMP      next

special:
	MASK(Y6, Y7, R11, AX)
	MASK(Y4, Y5, R12, AX)
	MOVQ R12, R13
	ORQ  R9, R13
	JZ   unescaped

	// Which bytes are escaped: those behind a backslash that is not escaped itself. The carry of the subtraction runs along each
	// sequence of backslashes; where it ends tells whether their number is odd. (As simdjson does it.)
	MOVQ R9, AX
	NOTQ AX
	ANDQ R12, AX
	LEAQ (AX)(AX*1), BX
	ORQ  DX, BX
	SUBQ AX, BX
	XORQ DX, BX
	XORQ BX, R13
	ANDQ R12, BX
	SHRQ $63, BX

	// What ends the scan: quotes that are not escaped, the characters of Y6 and Y7, and what may not be escaped.
	MASK(Y2, Y3, R10, AX)
	ANDQ  R13, R10
	NOTQ  R10
	ANDQ  R10, R11
	VPXOR Y9, Y9, Y9
	INVALID(Y0, Y2, Y4)
	INVALID(Y1, Y3, Y5)
	MASK(Y2, Y3, R10, AX)
	ANDQ  R13, R10
	ORQ   R10, R11
	JNZ   found
	POPCNTQ R13, R13
	ADDQ  R13, R8
	MOVQ  BX, R9
	ADDQ  $64, DI
	JMP   next

unescaped:
	TZCNTQ R11, R11
	ADDQ   R11, DI
	JMP    done

found:
	TZCNTQ  R11, AX
	BZHIQ   AX, R13, R10
	POPCNTQ R10, R10
	ADDQ    R10, R8
	ADDQ    AX, DI
	BTQ     AX, R13
	JCC     done
	DECQ    DI
	JMP     done

short:
	SUBQ R9, DI

done:
	VZEROUPPER
	MOVQ DI, passed+16(FP)
	MOVQ R8, escapes+24(FP)
	RET
