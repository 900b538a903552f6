#include "textflag.h"

// Go's assembler lacks STNP, which stores a pair of registers past the caches, and SXTL, which widens numbers with sign.
#define STNP_V0_V1_0(R0)  WORD $0xac000400 // stnp q0, q1, [x0]
#define STNP_V2_V3_0(R0)  WORD $0xac000c02 // stnp q2, q3, [x0]
#define STNP_V2_V3_32(R0) WORD $0xac010c02 // stnp q2, q3, [x0, #32]
#define STNP_V4_V5_32(R0) WORD $0xac011404 // stnp q4, q5, [x0, #32]
#define SXTL_V0_V2        WORD $0x0f20a402 // sxtl v2.2d, v0.2s
#define SXTL2_V0_V3       WORD $0x4f20a403 // sxtl2 v3.2d, v0.4s
#define SXTL_V1_V4        WORD $0x0f20a424 // sxtl v4.2d, v1.2s
#define SXTL2_V1_V5       WORD $0x4f20a425 // sxtl2 v5.2d, v1.4s

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

// func Widen(to, from unsafe.Pointer, lines int)
TEXT ·Widen(SB), NOSPLIT, $0-24
	MOVD to+0(FP), R0
	MOVD from+8(FP), R1
	MOVD lines+16(FP), R2
nextline:
	SUBS $1, R2, R2
	BLT  widened
	ADD  $2048, R1, R3
	PRFM (R3), PLDL1KEEP
	VLD1.P 32(R1), [V0.S4, V1.S4]
	SXTL_V0_V2
	SXTL2_V0_V3
	SXTL_V1_V4
	SXTL2_V1_V5
	STNP_V2_V3_0(R0)
	STNP_V4_V5_32(R0)
	ADD  $64, R0
	B    nextline
widened:
	RET

// func Drain()
TEXT ·Drain(SB), NOSPLIT, $0-0
	DMB $10 // ISHST: stores before it precede later ones
	RET
