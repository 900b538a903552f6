// Names of error codes.
#ifndef G500_ERRORS_H
#define G500_ERRORS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The name of an error code, such as cudaErrorMemoryAllocation, and the driver's description of it.
const char *g500_error_name(int code);
const char *g500_error_text(int code);

#ifdef __cplusplus
}
#endif
#endif
