// Several GPUs of one process: which of them reach each other's memory, and which one a thread works on.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "common/types.cuh"

namespace g500 {

// OnDevice has the calling thread work on a GPU, and then again on the one before.
class OnDevice {
public:
	explicit OnDevice(int device) {
		cudaGetDevice(&before_);
		cudaSetDevice(device);
	}
	OnDevice(const OnDevice &) = delete;
	OnDevice &operator=(const OnDevice &) = delete;
	~OnDevice() { cudaSetDevice(before_); }

private:
	int before_ = 0;
};

// Whether two GPUs read each other's memory. If they can, they do from now on.
inline bool reach_each_other(int a, int b) {
	for (const auto &[from, to] : {std::pair<int, int>{a, b}, {b, a}}) {
		int able = 0;
		if (cudaDeviceCanAccessPeer(&able, from, to) != cudaSuccess || !able) return false;
		const OnDevice here(from);
		const cudaError_t code = cudaDeviceEnablePeerAccess(to, 0);
		if (code != cudaSuccess) cudaGetLastError(); // it would be the next launch's
		if (code != cudaSuccess && code != cudaErrorPeerAccessAlreadyEnabled) return false;
	}
	return true;
}

// Up to so many GPUs that reach each other's memory, that of the calling thread first.
inline std::vector<int> devices_in_reach(u32 most) {
	int here = 0, count = 0;
	cudaGetDevice(&here);
	cudaGetDeviceCount(&count);
	std::vector<int> found{here};
	for (int d = 0; d < count && found.size() < most; d++)
		if (d != here && std::all_of(found.begin(), found.end(), [d](int other) { return reach_each_other(d, other); }))
			found.push_back(d);
	return found;
}

} // namespace g500
