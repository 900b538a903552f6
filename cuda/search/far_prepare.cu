// The exchanges before the first search between ranks that are not peers.
#include "search/far_search.cuh"

#include "common/push.cuh"

#include <algorithm>
#include <vector>

namespace g500 {

namespace {

constexpr u64 kGhostShare = 4; // at most 1/kGhostShare of a rank's vertices may be ghosts
constexpr u64 kTrialBytes = 1 << 24; // that a rank receives in a long exchange of the trial
constexpr u32 kTrials = 3;           // of each exchange; the shortest time counts

} // namespace

int FarSearch::prepare(g500_wanted &want, cudaStream_t on) {
	wanted = &want, stream = on;
	look_->forget();
	const Ranks &ranks = memory->ranks;
	const u64 space = ranks.capacity * sizeof(u64), shortest = kChunk * sizeof(u64);
	const u64 longest = std::max<u64>(kTrialBytes / ranks.count / 16 * 16, 1 << 16);
	own = memory->share();
	own.trial = {{shortest, std::min(space, longest)}};
	for (auto &of : own.trial.ns) of[0] = of[1] = ~0ull;
	trials = 0;
	return try_exchanges();
}

// Measures exchanges of messages of both lengths, and then shares the times with all ranks.
int FarSearch::try_exchanges() {
	const auto ended = [&] { return std::chrono::nanoseconds(Clock::now() - level_began).count(); };
	G500_TRY(cudaStreamSynchronize(stream));
	if (trials > 0) {
		u64 &ns = own.trial.ns[(trials - 1) / 2 % 2][(trials - 1) % 2];
		ns = std::min<u64>(ns, ended());
	}
	const Ranks &ranks = memory->ranks;
	if (trials == 4 * kTrials || memory->options.exchange != G500_EXCHANGE_AUTO) {
		unsigned char *const all = memory->state.far.blocks, *const at = all + ranks.rank * sizeof own;
		G500_TRY(cudaMemcpyAsync(at, &own, sizeof own, cudaMemcpyHostToDevice, stream));
		return gather(at, all, sizeof own, &FarSearch::after_shares);
	}
	const u64 bytes = own.trial.bytes[trials % 2];
	const bool gathers = trials++ / 2 % 2 == 0;
	level_began = Clock::now();
	if (gathers) return gather(memory->pairs_out(), (unsigned char *)memory->pairs_in(), bytes, &FarSearch::try_exchanges);
	const std::vector<u64> each(ranks.count, bytes);
	const int code = all_to_all(each.data(), each.data(), [](u64 n) { return n; }, &FarSearch::try_exchanges);
	wanted->longest = bytes;
	return code;
}

// Ranks may have lists for different numbers of hubs; the others are pushed.
int FarSearch::after_shares() {
	const Ranks &ranks = memory->ranks;
	const Far &far = memory->state.far;
	std::vector<FarShare> shares;
	G500_TRY(read_shares(shares));
	hubs = (u32)shares[0].hubs;
	for (const FarShare &share : shares) hubs = std::min(hubs, (u32)share.hubs);
	const bool queries = choose_queries(shares);
	const u32 groups = queries ? memory->hub_groups(hubs) : ranks.groups;
	if (const int code = memory->allocate_parts(groups, queries, stream)) return code;
	if (!far.hub_neighbours) return prepared();
	return gather(far.hub_neighbours + ranks.rank * far.part_bytes, far.hub_neighbours, far.part_bytes,
	              &FarSearch::find_ghosts);
}

// Chooses by the slowest rank's times, which are the same on all ranks. Without sweeps bits are exchanged only once.
bool FarSearch::choose_queries(const std::vector<FarShare> &shares) const {
	enum { kMeasured, kAllBits, kQueries };
	const Ranks &ranks = memory->ranks;
	const u64 part = ranks.groups * sizeof(uint4), key = memory->options.policy.bit_queries;
	const int exchange = memory->options.exchange;
	if (exchange == G500_EXCHANGE_BITMAP || key == kAllBits) return false;
	if (ranks.count * part > memory->most_parts || key == kQueries) return true;
	if (exchange == G500_EXCHANGE_BINS) return false;
	FarTrial slowest = own.trial;
	for (const FarShare &share : shares)
		for (u32 i = 0; i < 4; i++) {
			u64 &ns = slowest.ns[i / 2][i % 2];
			ns = std::max(ns, share.trial.ns[i / 2][i % 2]);
		}
	return is_worth_queries(slowest, ranks.count, part, memory->hub_groups(hubs) * sizeof(uint4));
}

cudaError_t FarSearch::read_shares(std::vector<FarShare> &shares) const {
	shares.resize(memory->ranks.count);
	return read_back(shares.data(), (const FarShare *)memory->state.far.blocks, shares.size() * sizeof(FarShare), stream);
}

// With 64-bit ids ranks exchange all bits: the largest graphs leave no memory for lists.
int FarSearch::find_ghosts() {
	if (memory->ids64()) return prepared();
	if (const int code = launch("far_mark_others_kernel", kernels->mark_others)) return code;
	if (const int code = launch("far_find_ghosts_kernel", kernels->find_ghosts)) return code;
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
	if (const int code = launch("far_list_ghosts_kernel", kernels->list_ghosts)) return code;
	return gather(ghosts.lists + ranks.rank * most, (unsigned char *)ghosts.lists, most * sizeof(u32),
	              &FarSearch::prepared);
}

int FarSearch::prepared() {
	wanted->kind = G500_PREPARED;
	return cudaSuccess;
}

} // namespace g500
