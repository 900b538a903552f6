// The exchanges before the first search between ranks that are not peers.
#include "search/far_search.cuh"

#include <algorithm>
#include <vector>

namespace g500 {

namespace {

constexpr u64 kGhostShare = 4; // at most 1/kGhostShare of a rank's vertices may be ghosts

} // namespace

int FarSearch::prepare(g500_wanted &want, cudaStream_t on) {
	wanted = &want, stream = on;
	look_->forget();
	const FarShare own = memory->share();
	unsigned char *const all = memory->state.far.blocks, *const at = all + memory->ranks.rank * sizeof own;
	G500_TRY(cudaMemcpyAsync(at, &own, sizeof own, cudaMemcpyHostToDevice, stream));
	G500_TRY(cudaStreamSynchronize(stream)); // before `own` ends
	return gather(at, all, sizeof own, &FarSearch::after_shares);
}

// Ranks may have lists for different numbers of hubs; the others are pushed.
int FarSearch::after_shares() {
	const Ranks &ranks = memory->ranks;
	const Far &far = memory->state.far;
	std::vector<FarShare> shares;
	G500_TRY(read_shares(shares));
	hubs = (u32)shares[0].hubs;
	others = 0;
	for (const FarShare &share : shares) hubs = std::min(hubs, (u32)share.hubs), others += share.others;
	if (!far.hub_neighbours || !has_few_others(memory->options.policy, others, ranks.non_leaf)) return prepared();
	return gather(far.hub_neighbours + ranks.rank * far.part_bytes, far.hub_neighbours, far.part_bytes,
	              &FarSearch::find_ghosts);
}

cudaError_t FarSearch::read_shares(std::vector<FarShare> &shares) const {
	shares.resize(memory->ranks.count);
	return read_back(shares.data(), (const FarShare *)memory->state.far.blocks, shares.size() * sizeof(FarShare), stream);
}

// With 64-bit ids ranks exchange all bits: the largest graphs leave no memory for lists.
int FarSearch::find_ghosts() {
	if (memory->ids64()) return prepared();
	if (const int code = launch("far_mark_others_kernel", kernels->mark_others, blocks)) return code;
	if (const int code = launch("far_find_ghosts_kernel", kernels->find_ghosts, blocks)) return code;
	unsigned char *const all = memory->state.far.blocks;
	return gather(all + memory->ranks.rank * sizeof(FarShare), all, sizeof(FarShare), &FarSearch::list_ghosts);
}

// Ranks exchange all bits if one of them has too many ghosts.
int FarSearch::list_ghosts() {
	const Ranks &ranks = memory->ranks;
	std::vector<FarShare> shares;
	G500_TRY(read_shares(shares));
	u64 most = 1;
	for (const FarShare &share : shares) most = std::max<u64>(most, share.ghosts);
	most = (most + kGroup - 1) / kGroup * kGroup;
	if (most * kGhostShare > (u64)ranks.groups * kGroup) return prepared();
	G500_TRY(ghost_lists.alloc(ranks.count * most));
	G500_TRY(cudaMemsetAsync(ghost_lists, 0xff, ranks.count * most * sizeof(u32), stream)); // kNone
	ghosts = {ghost_lists, (u32)most};
	if (const int code = launch("far_list_ghosts_kernel", kernels->list_ghosts, blocks)) return code;
	return gather(ghosts.lists + ranks.rank * most, (unsigned char *)ghosts.lists, most * sizeof(u32),
	              &FarSearch::prepared);
}

int FarSearch::prepared() {
	wanted->kind = G500_PREPARED;
	return cudaSuccess;
}

} // namespace g500
