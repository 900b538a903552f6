// What an error code means.
#ifndef G500_ERRORS_H
#define G500_ERRORS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What an error code means, in the driver's words.
const char *g500_error_name(int code);
const char *g500_error_text(int code);

#ifdef __cplusplus
}
#endif
#endif
