// SPDX-License-Identifier: Apache-2.0

// Names and descriptions of error codes: CUDA's and this program's.
#include <cuda_runtime.h>

#include "common/errors.h"

namespace {

struct Code {
	const char *name, *text;
};

// Returns one of this program's codes, or null.
const Code *own(int code) {
	static const Code ended{"g500EndedEarly", "a kernel has ended without its result, and without an error"};
	static const Code failed{"g500FailedBefore", "an earlier search has failed, after which no other is possible"};
	static const Code given_up{"g500GivenUp", "a search was given up"};
	static const Code high{"g500AddressTooHigh", "packed rows have an address beyond 48 bits: use --graph-form plain"};
	switch (code) {
	case G500_ADDRESS_TOO_HIGH: return &high;
	case G500_GIVEN_UP: return &given_up;
	case G500_ENDED_EARLY: return &ended;
	case G500_FAILED_BEFORE: return &failed;
	}
	return nullptr;
}

} // namespace

const char *g500_error_name(int code) { return own(code) ? own(code)->name : cudaGetErrorName((cudaError_t)code); }

const char *g500_error_text(int code) { return own(code) ? own(code)->text : cudaGetErrorString((cudaError_t)code); }
