#include "textflag.h"

// func load(from unsafe.Pointer, lines int)
TEXT ·load(SB), NOSPLIT, $0-16
	MOVD from+0(FP), R0
	MOVD lines+8(FP), R1
next:
	SUBS $1, R1, R1
	BLT  done
	PRFM (R0), PLDL1KEEP
	ADD  $64, R0
	B    next
done:
	RET

// func loadEach(lines *unsafe.Pointer, n int)
TEXT ·loadEach(SB), NOSPLIT, $0-16
	MOVD lines+0(FP), R0
	MOVD n+8(FP), R1
another:
	SUBS $1, R1, R1
	BLT  loaded
	MOVD.P 8(R0), R2
	PRFM (R2), PLDL1KEEP
	B    another
loaded:
	RET

// func own(lines *unsafe.Pointer, n int)
TEXT ·own(SB), NOSPLIT, $0-16
	MOVD lines+0(FP), R0
	MOVD n+8(FP), R1
nextline:
	SUBS $1, R1, R1
	BLT  owned
	MOVD.P 8(R0), R2
	PRFM (R2), PSTL1KEEP
	B    nextline
owned:
	RET
