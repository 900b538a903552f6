// What both forms of the validator have on a rank: the division of vertices, the tree, and findings.
#pragma once

#include <cstring>

#include "validate/validate.cuh"

namespace g500::validate {

struct Validation {
	Split<u64> split; // the one for 32-bit labels is derived from it
	Array<Tally> tally;
	u64 sought[G500_RULES]; // the tally's labels sought
	Tree<u64> tree;
};

inline Split<u64> split_among(u32 ranks, u32 rank, u64 vertices) {
	Split<u64> split = {ranks, rank, vertices, 0, 0, 0};
	split.owned = vertices > rank ? (u32)((vertices - rank - 1) / ranks) + 1 : 0;
	split.reciprocal = ranks > 1 ? ~0ull / ranks + 1 : 0;
	return split;
}

// Clears the tally: no offence, all counts zero.
inline int clear_tally(Validation *v, cudaStream_t stream) {
	Tally *tally = v->tally;
	G500_TRY(cudaMemsetAsync(tally, 0, sizeof *tally, stream));
	for (ull *labels : {tally->worst, tally->other, tally->sought})
		G500_TRY(cudaMemsetAsync(labels, 0xff, sizeof tally->worst, stream));
	std::memset(v->sought, 0xff, sizeof v->sought);
	return cudaSuccess;
}

// Waits for the kernels launched so far, and copies their findings.
inline int fetch(const Validation *v, g500_findings *findings, cudaStream_t stream) {
	return read_back(findings, v->tally.get(), sizeof *findings, stream);
}

// Makes the worst labels found the sought ones. *anew becomes whether one of them is new.
inline int seek(Validation *v, const g500_findings &found, bool *anew, cudaStream_t stream) {
	*anew = false;
	for (int rule = 0; rule < G500_RULES; rule++) {
		if (found.worst[rule] == v->sought[rule]) continue;
		*anew = true;
		v->sought[rule] = found.worst[rule];
		G500_TRY(cudaMemsetAsync(&v->tally.get()->other[rule], 0xff, sizeof(ull), stream));
	}
	if (!*anew) return cudaSuccess;
	G500_TRY(cudaMemcpyAsync(v->tally.get()->sought, v->sought, sizeof v->sought, cudaMemcpyHostToDevice, stream));
	return cudaSuccess;
}

// Launches kernels that check rules, and copies the findings. If a label is worse than all before, launches them again
// to find the other label; the second launch writes the same results, except for the counts.
template <typename Start>
int look(Validation *v, g500_findings *findings, cudaStream_t stream, Start start) {
	bool anew = true;
	for (int launches = 0; launches < 2 && anew; launches++) {
		if (const int code = start()) return code;
		if (const int code = fetch(v, findings, stream)) return code;
		if (const int code = seek(v, *findings, &anew, stream)) return code;
	}
	return cudaSuccess;
}

// Completes a new validator, or deletes it.
template <typename Validator>
int created(Validator *v, Validator **validator, cudaStream_t stream) {
	int code = v->tally.alloc(1);
	if (code == cudaSuccess) code = clear_tally(v, stream);
	if (code == cudaSuccess) *validator = v;
	else delete v;
	return code;
}

} // namespace g500::validate
