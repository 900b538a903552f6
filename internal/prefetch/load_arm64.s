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
