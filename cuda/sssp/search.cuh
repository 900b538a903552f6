// SPDX-License-Identifier: Apache-2.0

// The host side of a search for shortest paths: its graph, its state, and their memory.
#pragma once

#include <algorithm>

#include "common/searching.cuh"
#include "sssp/context.cuh"
#include "sssp/far.cuh"

namespace g500::sssp {

// ResidentPart sets a part of the L2 cache aside during its lifetime (CUDA C++ Programming Guide, device memory L2
// access management). A process has one such part per device: the last call sets its size, and all other kernels use
// the rest of the cache.
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

struct PathsMemory : g500_searching {
	Graph graph{};
	State state{};
	Policy policy{};
	u32 blocks = 0;
	ResidentPart resident;            // of this rank's distances
	const Col *light_edges = nullptr; // entries of all ranks (graph.cuh)
	u64 light_entries = 0;            // 0: ranks do not store them

	// Returns the number of places of vertices outside trees, by global id.
	u64 places() const { return ranks.count == 1 ? graph.own_non_tree : (u64)ranks.count << graph.shift; }
};

// The kernel of searches between ranks that are not peers (far.cu), and the bytes of shared memory of a block.
const void *far_path_kernel_address();
u64 far_path_shared(u32 ranks);
int launch_far(const PathsMemory &of, const Far &far, const FarTask &task, cudaStream_t stream);

} // namespace g500::sssp
