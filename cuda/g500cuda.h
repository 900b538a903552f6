// SPDX-License-Identifier: Apache-2.0

// The C interface between Go and the kernels: one header per folder. Functions that can fail return a cudaError_t as
// int, or a code of common/errors.h; 0 means success. Pointers named d_* are device memory; a stream is a cudaStream_t.
// Nothing here is thread-safe: one OS thread owns the device.
#pragma once

#include "common/empty_level.h"
#include "common/errors.h"
#include "common/timing.h"
#include "common/trials.h"
#include "generate/generate.h"
#include "kernel1/kernel1.h"
#include "search/search.h"
#include "sssp/sssp.h"
#include "validate/validate.h"
