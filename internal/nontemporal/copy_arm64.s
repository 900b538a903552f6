#include "textflag.h"

// Go's assembler lacks STNP, which stores a pair of registers past the caches.
#define STNP_V0_V1_0(R0)  WORD $0xac000400 // stnp q0, q1, [x0]
#define STNP_V2_V3_32(R0) WORD $0xac010c02 // stnp q2, q3, [x0, #32]

// func Copy(to, from unsafe.Pointer, lines int)
TEXT ·Copy(SB), NOSPLIT, $0-24
	MOVD to+0(FP), R0
	MOVD from+8(FP), R1
	MOVD lines+16(FP), R2
next:
	SUBS $1, R2, R2
	BLT  done
	VLD1.P 64(R1), [V0.B16, V1.B16, V2.B16, V3.B16]
	STNP_V0_V1_0(R0)
	STNP_V2_V3_32(R0)
	ADD  $64, R0
	B    next
done:
	RET

// func Stream(to, from unsafe.Pointer, lines int)
TEXT ·Stream(SB), NOSPLIT, $0-24
	MOVD to+0(FP), R0
	MOVD from+8(FP), R1
	MOVD lines+16(FP), R2
nextline:
	SUBS $1, R2, R2
	BLT  streamed
	ADD  $2048, R1, R3
	PRFM (R3), PLDL1KEEP
	VLD1.P 64(R1), [V0.B16, V1.B16, V2.B16, V3.B16]
	STNP_V0_V1_0(R0)
	STNP_V2_V3_32(R0)
	ADD  $64, R0
	B    nextline
streamed:
	RET

// func Drain()
TEXT ·Drain(SB), NOSPLIT, $0-0
	DMB $10 // ISHST: stores before it precede later ones
	RET
