// Whether searches are still possible. A search leaves counters and flags to the next one; those of a failed search are
// not whole.
#pragma once

#include "common/errors.h"

namespace g500 {

// Soundness remembers the first failure.
class Soundness {
public:
	// Does what begins a search, unless one has failed before. act returns an error code.
	template <typename Act>
	int begin(Act act) {
		return failed_ ? G500_FAILED_BEFORE : keep(act());
	}

	// Takes note of an error code of a search under way, and returns it.
	int keep(int code) {
		failed_ = failed_ || code != 0;
		return code;
	}

private:
	bool failed_ = false;
};

} // namespace g500
