#include "textflag.h"

// func Copy(to, from unsafe.Pointer, lines int)
TEXT ·Copy(SB), NOSPLIT, $0-24
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ lines+16(FP), CX
next:
	SUBQ $1, CX
	JLT  done
	MOVOU 0(SI), X0
	MOVOU 16(SI), X1
	MOVOU 32(SI), X2
	MOVOU 48(SI), X3
	MOVNTO X0, 0(DI)
	MOVNTO X1, 16(DI)
	MOVNTO X2, 32(DI)
	MOVNTO X3, 48(DI)
	ADDQ $64, SI
	ADDQ $64, DI
	JMP  next
done:
	RET

// func Widen(to, from unsafe.Pointer, lines int)
TEXT ·Widen(SB), NOSPLIT, $0-24
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ lines+16(FP), CX
nextline:
	SUBQ $1, CX
	JLT  widened
	PREFETCHT0 2048(SI)
	MOVOU 0(SI), X0
	MOVOU 16(SI), X2
	MOVO X0, X1
	MOVO X2, X3
	MOVO X0, X4
	MOVO X2, X5
	PSRAL $31, X4
	PSRAL $31, X5
	PUNPCKLLQ X4, X0
	PUNPCKHLQ X4, X1
	PUNPCKLLQ X5, X2
	PUNPCKHLQ X5, X3
	MOVNTO X0, 0(DI)
	MOVNTO X1, 16(DI)
	MOVNTO X2, 32(DI)
	MOVNTO X3, 48(DI)
	ADDQ $32, SI
	ADDQ $64, DI
	JMP  nextline
widened:
	RET

// func Drain()
TEXT ·Drain(SB), NOSPLIT, $0-0
	SFENCE
	RET
