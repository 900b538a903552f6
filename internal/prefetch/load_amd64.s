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
