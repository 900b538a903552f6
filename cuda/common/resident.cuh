// SPDX-License-Identifier: Apache-2.0

// The part of the L2 cache that is set aside for resident memory (CUDA C++ Programming Guide, device memory L2 access
// management).
#pragma once

#include <algorithm>

#include "common/check.cuh"
#include "common/launch.cuh"

namespace g500 {

// ResidentPart sets a part of the L2 cache aside during its lifetime. A process has one such part per device: the last
// call sets its size, and all other kernels use the rest of the cache.
class ResidentPart {
public:
	ResidentPart() = default;
	ResidentPart(const ResidentPart &) = delete;
	ResidentPart &operator=(const ResidentPart &) = delete;
	~ResidentPart() {
		if (view_.bytes == 0) return;
		(void)cudaCtxResetPersistingL2Cache();
		(void)cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
	}

	// Sets as much aside as the device allows for the first bytes of a memory block; nothing if the device cannot, or
	// refuses, as for clients of MPS.
	cudaError_t set_aside(void *begin, size_t bytes) {
		int device, most, window;
		G500_TRY(cudaGetDevice(&device));
		G500_TRY(cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, device));
		G500_TRY(cudaDeviceGetAttribute(&window, cudaDevAttrMaxAccessPolicyWindowSize, device));
		const size_t allowed = std::min({bytes, (size_t)most, (size_t)window});
		if (allowed == 0) return cudaSuccess;
		if (cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, allowed) == cudaSuccess) view_ = {begin, allowed};
		else cudaGetLastError(); // the next launch would report it
		return cudaSuccess;
	}

	const Resident &view() const { return view_; }

private:
	Resident view_;
};

} // namespace g500
