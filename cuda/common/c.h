// SPDX-License-Identifier: Apache-2.0

// Marks of the declarations that Go calls, for headers that C compilers read, too.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
#define G500_BEGIN_C extern "C" {
#define G500_END_C }
#else
#define G500_BEGIN_C
#define G500_END_C
#endif
