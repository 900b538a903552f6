// What both forms of the validator have on a rank: the division of vertices, the tree, and findings.
#pragma once

#include <cstring>

#include "validate/validate.cuh"

namespace g500::validate {

struct Validation {
	cudaStream_t stream;
	Split<u64> split; // the one for 32-bit labels is derived from it
	Array<Tally> tally;
	u64 sought[G500_RULES]; // the tally's labels sought
	Tree<u64> tree;

	// Enters a tree: no offence, all counts zero.
	int enter(u64 root, const void *d_parents, int bits) {
		if (root >= split.n || (bits != 32 && bits != 64)) return cudaErrorInvalidValue;
		tree = {{d_parents, bits == 64}, root};
		return clear();
	}

	int clear() {
		Tally *const all = tally;
		G500_TRY(cudaMemsetAsync(all, 0, sizeof *all, stream));
		for (ull *labels : {all->worst, all->other, all->sought})
			G500_TRY(cudaMemsetAsync(labels, 0xff, sizeof all->worst, stream));
		std::memset(sought, 0xff, sizeof sought);
		return cudaSuccess;
	}

	// Waits for the kernels launched so far, and copies their findings.
	int fetch(g500_findings *findings) const { return read_back(findings, tally.get(), sizeof *findings, stream); }

	// Launches kernels that check rules, and copies the findings. If a label is worse than all before, launches them again
	// to find the other label; the second launch writes the same results, except for the counts.
	template <typename Start>
	int look(g500_findings *findings, Start start) {
		bool anew = true;
		for (int launches = 0; launches < 2 && anew; launches++) {
			G500_TRY((int)start());
			G500_TRY(fetch(findings));
			G500_TRY(seek(*findings, &anew));
		}
		return cudaSuccess;
	}

	// Returns a launch over n vertices or messages, kPlacesPerBlock per block.
	Launch over(u64 n) const { return {blocks_for(n, kPlacesPerBlock), kThreads, stream}; }

private:
	// Makes the worst labels found the sought ones. *anew becomes whether one of them is new.
	int seek(const g500_findings &found, bool *anew) {
		*anew = false;
		for (int rule = 0; rule < G500_RULES; rule++) {
			if (found.worst[rule] == sought[rule]) continue;
			*anew = true;
			sought[rule] = found.worst[rule];
			G500_TRY(cudaMemsetAsync(&tally.get()->other[rule], 0xff, sizeof(ull), stream));
		}
		if (!*anew) return cudaSuccess;
		return cudaMemcpyAsync(tally.get()->sought, sought, sizeof sought, cudaMemcpyHostToDevice, stream);
	}
};

// Launches a kernel as G500_START does, by Validation::look.
#define G500_CHECK(validation, findings, kernel, ...) \
	(validation)->look(findings, [&] { return G500_START(kernel, __VA_ARGS__); })

inline Split<u64> split_among(u32 ranks, u32 rank, u64 vertices) {
	Split<u64> split = {ranks, rank, vertices, 0, 0, 0};
	split.owned = vertices > rank ? (u32)((vertices - rank - 1) / ranks) + 1 : 0;
	split.reciprocal = ranks > 1 ? ~0ull / ranks + 1 : 0;
	return split;
}

// Completes a new validator unless `code` is an error, or deletes it.
template <typename Validator>
int created(Validator *v, Validator **validator, int code) {
	if (code == cudaSuccess) code = v->tally.alloc(1);
	if (code == cudaSuccess) code = v->clear();
	if (code == cudaSuccess) *validator = v;
	else delete v;
	return code;
}

} // namespace g500::validate
