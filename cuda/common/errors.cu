// Error codes in the driver's words. The runtime's numbers are the driver's, so both kinds of code can be told.
#include <cuda_runtime.h>

#include "g500cuda.h"

extern "C" const char *g500_error_name(int code) { return cudaGetErrorName((cudaError_t)code); }

extern "C" const char *g500_error_text(int code) { return cudaGetErrorString((cudaError_t)code); }
