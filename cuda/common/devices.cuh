// Several GPUs of one process: which of them reach each other's memory, and which one a thread works on.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
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

// Whether kernels of a GPU can read the memory of another one. If they can, they may from now on.
inline bool reaches(int from, int to) {
	int able = 0;
	if (cudaDeviceCanAccessPeer(&able, from, to) != cudaSuccess || !able) return false;
	const OnDevice here(from);
	const cudaError_t code = cudaDeviceEnablePeerAccess(to, 0);
	if (code != cudaSuccess) cudaGetLastError(); // it would be the next launch's
	return code == cudaSuccess || code == cudaErrorPeerAccessAlreadyEnabled;
}

// Up to so many GPUs that reach each other's memory, that of the calling thread first.
inline std::vector<int> devices_in_reach(u32 most) {
	int here = 0, count = 0;
	cudaGetDevice(&here);
	cudaGetDeviceCount(&count);
	std::vector<int> found{here};
	for (int d = 0; d < count && found.size() < most; d++)
		if (d != here && std::all_of(found.begin(), found.end(), [d](int e) { return reaches(d, e) && reaches(e, d); }))
			found.push_back(d);
	return found;
}

} // namespace g500
