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

// func Stream(to, from unsafe.Pointer, lines int)
TEXT ·Stream(SB), NOSPLIT, $0-24
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ lines+16(FP), CX
nextline:
	SUBQ $1, CX
	JLT  streamed
	PREFETCHT0 2048(SI)
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
	JMP  nextline
streamed:
	RET

// func Drain()
TEXT ·Drain(SB), NOSPLIT, $0-0
	SFENCE
	RET
