// Error codes and their names.
#ifndef G500_ERRORS_H
#define G500_ERRORS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Error codes of this program. CUDA's are below 10000.
enum {
	G500_ENDED_EARLY = 10001, // a kernel has ended without a complete result
	G500_FAILED_BEFORE,       // an earlier search has failed, and left the state undefined for later ones
	G500_GIVEN_UP,            // a search made no progress, or the host ended it: see g500_stall
};

// Return the name of an error code, such as cudaErrorMemoryAllocation, and its description.
const char *g500_error_name(int code);
const char *g500_error_text(int code);

#ifdef __cplusplus
}
#endif
#endif
