// The exchanges before the first search between ranks that are not peers.
#include "search/far_search.cuh"

#include <algorithm>
#include <vector>

namespace g500 {

int FarSearch::prepare(g500_wanted &want, cudaStream_t on) {
	wanted = &want, stream = on;
	looking = false;
	const FarShare own = memory->share();
	unsigned char *const all = memory->state.far.blocks, *const at = all + memory->ranks.rank * sizeof own;
	G500_TRY(cudaMemcpyAsync(at, &own, sizeof own, cudaMemcpyHostToDevice, stream));
	G500_TRY(cudaStreamSynchronize(stream)); // before `own` ends
	return gather(at, all, sizeof own, &FarSearch::after_shares);
}

// Found vertices are sent in one round, so a rank must not have more other vertices than that has pairs. Ranks may have
// lists for different numbers of hubs; the others are pushed.
int FarSearch::after_shares() {
	const Ranks &ranks = memory->ranks;
	const Far &far = memory->state.far;
	std::vector<FarShare> shares(ranks.count);
	G500_TRY(read_back(shares.data(), (const FarShare *)far.blocks, ranks.count * sizeof(FarShare), stream));
	u64 most = 0;
	hubs = (u32)shares[0].hubs;
	for (const FarShare &share : shares) {
		most = std::max(most, share.others);
		hubs = std::min(hubs, (u32)share.hubs);
	}
	decides = far.hub_neighbours && most <= ranks.round_pairs;
	if (!far.hub_neighbours) return prepared();
	return gather(far.hub_neighbours + ranks.rank * far.part_bytes, far.hub_neighbours, far.part_bytes,
	              &FarSearch::prepared);
}

int FarSearch::prepared() {
	wanted->kind = G500_PREPARED;
	return cudaSuccess;
}

} // namespace g500
