// Soundness records whether searches are still possible. A search passes counters and flags to the next one; a failed
// search leaves them undefined.
#pragma once

#include "common/errors.h"

namespace g500 {

// Soundness records the first failure.
class Soundness {
public:
	// Calls act, the start of a search, unless a search has failed before. act returns an error code.
	template <typename Act>
	int begin(Act act) {
		return failed_ ? G500_FAILED_BEFORE : keep(act());
	}

	// Records an error code of a running search, and returns it.
	int keep(int code) {
		failed_ = failed_ || code != 0;
		return code;
	}

private:
	bool failed_ = false;
};

} // namespace g500
