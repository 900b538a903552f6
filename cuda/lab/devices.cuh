// SPDX-License-Identifier: Apache-2.0

// Several GPUs of one process: which of them can access each other's memory, and which one a thread uses.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "common/types.cuh"

namespace g500 {

// OnDevice makes a GPU the calling thread's current device, and restores the previous one.
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

// Enables kernels of one GPU to read another GPU's memory. Returns whether they can.
inline bool reaches(int from, int to) {
	int able = 0;
	if (cudaDeviceCanAccessPeer(&able, from, to) != cudaSuccess || !able) return false;
	const OnDevice here(from);
	const cudaError_t code = cudaDeviceEnablePeerAccess(to, 0);
	if (code != cudaSuccess) cudaGetLastError(); // the next launch would report it
	return code == cudaSuccess || code == cudaErrorPeerAccessAlreadyEnabled;
}

// Returns at most `most` GPUs that can access each other's memory, the current one first.
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
