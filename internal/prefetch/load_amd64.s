#include "textflag.h"

// func load(from unsafe.Pointer, lines int)
TEXT ·load(SB), NOSPLIT, $0-16
	MOVQ from+0(FP), SI
	MOVQ lines+8(FP), CX
next:
	SUBQ $1, CX
	JLT  done
	PREFETCHT0 (SI)
	ADDQ $64, SI
	JMP  next
done:
	RET

// func loadEach(lines *unsafe.Pointer, n int)
TEXT ·loadEach(SB), NOSPLIT, $0-16
	MOVQ lines+0(FP), SI
	MOVQ n+8(FP), CX
another:
	SUBQ $1, CX
	JLT  loaded
	MOVQ (SI), AX
	PREFETCHT0 (AX)
	ADDQ $8, SI
	JMP  another
loaded:
	RET

// func own(lines *unsafe.Pointer, n int)
TEXT ·own(SB), NOSPLIT, $0-16
	MOVQ lines+0(FP), SI
	MOVQ n+8(FP), CX
nextline:
	SUBQ $1, CX
	JLT  owned
	MOVQ (SI), AX
	BYTE $0x0F; BYTE $0x0D; BYTE $0x08 // PREFETCHW (AX), which the assembler does not have
	ADDQ $8, SI
	JMP  nextline
owned:
	RET
