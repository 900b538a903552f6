// The part of the L2 cache that is set aside for memory which should stay there (CUDA C++ Programming Guide, device
// memory L2 access management).
#pragma once

#include <algorithm>

#include "common/check.cuh"
#include "common/launch.cuh"

namespace g500 {

// ResidentPart sets a part of the L2 cache aside while it lives. The process has one such part on a device: who sets it
// aside last says how large it is, and all other kernels have that much less of the cache.
class ResidentPart {
public:
	ResidentPart() = default;
	ResidentPart(const ResidentPart &) = delete;
	ResidentPart &operator=(const ResidentPart &) = delete;
	~ResidentPart() { give_back(); }

	// Sets as much aside as the device allows, for the first bytes of some memory; none on a device that cannot, and
	// none if that is refused, as to the clients of MPS.
	cudaError_t set_aside(void *begin, size_t bytes) {
		int device, most, window;
		G500_TRY(cudaGetDevice(&device));
		G500_TRY(cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, device));
		G500_TRY(cudaDeviceGetAttribute(&window, cudaDevAttrMaxAccessPolicyWindowSize, device));
		const size_t allowed = std::min({bytes, (size_t)most, (size_t)window});
		if (allowed == 0) return cudaSuccess;
		if (cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, allowed) == cudaSuccess) view_ = {begin, allowed};
		else cudaGetLastError(); // it would be the next launch's
		return cudaSuccess;
	}

	const Resident &view() const { return view_; }

private:
	Resident view_;

	void give_back() {
		if (view_.bytes == 0) return;
		(void)cudaCtxResetPersistingL2Cache();
		(void)cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
	}
};

} // namespace g500
