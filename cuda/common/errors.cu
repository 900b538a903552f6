// Names and descriptions of error codes. The runtime's numbers are the driver's, so both kinds of code have them.
#include <cuda_runtime.h>

#include "common/errors.h"

extern "C" const char *g500_error_name(int code) { return cudaGetErrorName((cudaError_t)code); }

extern "C" const char *g500_error_text(int code) { return cudaGetErrorString((cudaError_t)code); }
