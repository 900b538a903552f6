// SPDX-License-Identifier: Apache-2.0

// Names and descriptions of error codes: CUDA's and this program's.
#include <cuda_runtime.h>

#include "common/errors.h"

namespace {

constexpr struct Code {
	int code;
	const char *name, *text;
} kOwn[] = {
	{G500_ENDED_EARLY, "g500EndedEarly", "a kernel has ended without its result, and without an error"},
	{G500_FAILED_BEFORE, "g500FailedBefore", "an earlier search has failed, after which no other is possible"},
	{G500_GIVEN_UP, "g500GivenUp", "a search was given up"},
	{G500_ADDRESS_TOO_HIGH, "g500AddressTooHigh", "packed rows have an address beyond 48 bits: use --graph-form plain"},
};

// Returns one of this program's codes, or null.
const Code *own(int code) {
	for (const Code &one : kOwn)
		if (one.code == code) return &one;
	return nullptr;
}

} // namespace

const char *g500_error_name(int code) { return own(code) ? own(code)->name : cudaGetErrorName((cudaError_t)code); }

const char *g500_error_text(int code) { return own(code) ? own(code)->text : cudaGetErrorString((cudaError_t)code); }
