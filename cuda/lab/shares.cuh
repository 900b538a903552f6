// SPDX-License-Identifier: Apache-2.0

// Shares of a graph on several GPUs of one process. A share is a laboratory with some of the rows.
#pragma once

#include <algorithm>
#include <numeric>

#include "lab/devices.cuh"
#include "kernel1/bins.cuh"
#include "lab/runner.cuh"

namespace g500::lab {

// Rows of a graph in host memory.
struct Rows {
	std::vector<u64> offsets;
	std::vector<u32> columns;
	// Returns the rows of a share.
	Rows stripe(u32 own, u32 shares) const {
		Rows rows{{0}, {}};
		for (u64 v = own; v + 1 < offsets.size(); v += shares) {
			rows.columns.insert(rows.columns.end(), columns.begin() + offsets[v], columns.begin() + offsets[v + 1]);
			rows.offsets.push_back(rows.columns.size());
		}
		return rows;
	}
	// Returns the rows of a range; the others are empty.
	Rows range(u64 begin, u64 end) const {
		Rows rows{offsets, {columns.begin() + offsets[begin], columns.begin() + offsets[end]}};
		for (u64 &at : rows.offsets) at = std::clamp(at, offsets[begin], offsets[end]) - offsets[begin];
		return rows;
	}
};

int fetch_rows(const Adjacency &g, cudaStream_t stream, Rows &rows);

struct Share {
	cudaStream_t stream = nullptr;
	cudaEvent_t done = nullptr; // after it has read its bins on all shares, or written its bits
	std::unique_ptr<g500_lab, void (*)(g500_lab *)> lab{nullptr, g500_lab_free}; // the bins are its edges[1]
	std::unique_ptr<g500_bins, void (*)(g500_bins *)> bins{nullptr, g500_bins_free};
	Array<ull> offsets;
	HostArray<ull> filled; // edges in each bin, after the last level
	Array<u32> bits; // of the vertices that a search by status has found in this level
	g500_lab_share figures;

	explicit Share(int device) : figures{(u32)device} {}
	~Share() {
		if (stream) cudaStreamDestroy(stream);
		if (done) cudaEventDestroy(done);
	}
	// Makes the laboratory of a share, which keeps its rows for all strategies.
	int make_lab(const Rows &rows, bool symmetric, u32 shares);
	// Frees the memory of a strategy, but not the rows.
	void release();
	// Returns the number of edges in the bins of the first owners.
	u64 binned(u32 owners) const { return std::accumulate(filled + 0, filled + owners, u64(0)); }
};

struct Shares {
	std::vector<std::unique_ptr<Share>> of;
	u32 count() const { return (u32)of.size(); }
};

// Sets the shares of a laboratory: those that an earlier strategy of this shape has left, or new ones. cut(rows, i, n)
// returns the rows of share i of n.
template <typename Cut>
int divide(g500_lab *lab, Cut cut) {
	const u32 count = std::min(lab->strategy.gpus, lab->g.n);
	std::shared_ptr<Shares> &kept = lab->divided[{lab->strategy.shape, count}];
	if (kept) {
		lab->shares = kept;
		return cudaSuccess;
	}
	Rows rows;
	if (const int code = fetch_rows(lab->g, lab->search.stream, rows)) return code;
	const std::vector<int> devices = devices_in_reach(count);
	const auto made = std::make_shared<Shares>();
	for (u32 i = 0; i < count; i++) {
		Share &share = *made->of.emplace_back(new Share(devices[i % devices.size()]));
		if (const int code = share.make_lab(cut(rows, i, count), lab->symmetric, count)) return code;
	}
	kept = lab->shares = made;
	return cudaSuccess;
}

} // namespace g500::lab
