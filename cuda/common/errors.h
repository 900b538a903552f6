// Names of error codes.
#ifndef G500_ERRORS_H
#define G500_ERRORS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Error codes of this program. CUDA's end at 10000.
enum {
	G500_ENDED_EARLY = 10001, // a kernel has ended, but what it computes is not complete
	G500_FAILED_BEFORE,       // an earlier search has failed, and what searches leave to the next is not whole
	G500_GIVEN_UP,            // a search has not gone on, or was told to end: g500_stall says where
};

// The name of an error code, such as cudaErrorMemoryAllocation, and the driver's description of it, or ours.
const char *g500_error_name(int code);
const char *g500_error_text(int code);

#ifdef __cplusplus
}
#endif
#endif
