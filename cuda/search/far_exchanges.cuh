// SPDX-License-Identifier: Apache-2.0

// The exchanges that a search between ranks that are not peers requests, before the first search and during searches.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include "common/push.cuh"
#include "search/kernels.cuh"
#include "search/memory.cuh"
#include "search/policy.cuh"

namespace g500 {

constexpr u64 kGhostShare = 4; // at most 1/kGhostShare of a rank's vertices may be ghosts
constexpr u64 kTrialBytes = 1 << 24; // that a rank receives in a long exchange of the trial
constexpr u32 kTrials = 3;           // of each exchange; the shortest time counts

// FarExchanges starts kernels, and names the exchanges between them. The last argument of a function that requests an
// exchange is the stage that follows.
class FarExchanges : public Driven {
public:
	explicit FarExchanges(SearchMemory &of) : Driven(of), memory(of) {}

	// Kernels have that many blocks, those with bins `in_binning`.
	int open(const FarLaunch &by, u32 in, u32 in_binning) {
		const u32 n = memory.ranks.count;
		kernels = &by, blocks = in, binning = in_binning;
		sent.resize(n), received.resize(n);
		if (!memory.state.far.on) return cudaSuccess;
		G500_TRY(look_.open(2 + kFarSums + 2 * n));
		memory.state.far.look = look_.words();
		return cudaSuccess;
	}

	// Continues with next until ranks are prepared. No search may have begun.
	int prepare(g500_wanted &want, cudaStream_t on) {
		wanted = &want, stream = on;
		look_.forget();
		const Ranks &ranks = memory.ranks;
		const u64 space = ranks.capacity * sizeof(u64), shortest = kChunk * sizeof(u64);
		const u64 longest = std::max<u64>(kTrialBytes / ranks.count / 16 * 16, 1 << 16);
		own = memory.share();
		own.trial = {{shortest, std::min(space, longest)}};
		for (auto &of : own.trial.ns) of[0] = of[1] = ~0ull;
		trials = 0;
		return try_exchanges();
	}

	// Launches the first kernel, which starts at a ring of the doorbell.
	cudaError_t launch_begin(u32 ring, cudaStream_t on) const {
		FarArguments first = arguments();
		first.task = {};
		first.task.round = rounds;
		const Launch how{binning, kThreads, on, kernels->context(memory.ranks.count), Launch::kCooperative};
		return g500::launch(kernels->begin, how, first, ring);
	}

protected:
	using Clock = std::chrono::steady_clock;
	using BytesOf = u64 (*)(u64 number);

	bool queries() const { return memory.state.far.queries; }
	u64 sum(FarSum of) const { return memory.state.far.look_sums()[of]; }

	// Launches a kernel with at most that many blocks.
	int launch(const FarKernel &kernel, u32 most = kNone) {
		const u32 grid = std::min(kernel.has_bins ? binning : blocks, most);
		const Launch how{grid, kThreads, stream, kernels->shared(kernel, memory.ranks.count), kernel.how};
		return G500_START_BY(kernel.name, g500::launch(kernel.start, how, arguments()));
	}

	// Launches a kernel that sends pairs.
	int launch_round(const FarKernel &kernel) {
		task.round = rounds++;
		return launch(kernel);
	}

	// Launches a kernel that sends the host the sums.
	int look(const FarKernel &teller, u32 most, Stage then) {
		task.look = look_.begin();
		const int code = launch(teller, most);
		task.look = 0;
		stage = std::move(then);
		return code;
	}

	// Gathers reports, takes what they list, and looks at the sums.
	int gather_reports(Stage then) {
		const Far &far = memory.state.far;
		unsigned char *const own = far.blocks + memory.ranks.rank * far.block_bytes;
		taken = std::move(then);
		return gather(own, far.blocks, far.block_bytes, [this] {
			const u32 enough = blocks_for((u64)memory.ranks.count * memory.state.far.most_entries, kThreads);
			return look(kernels->take, std::max(enough, 1u), std::move(taken));
		});
	}

	// Continues with a stage that reads the bits of all ranks, or of their hubs. Gathers the shorter of the missing bits
	// and a list of their vertices. With queries it gathers the bits of hubs, and then queries others.
	int with_bits(Stage then) {
		if (task.at.synchronized) return then();
		const Far &far = memory.state.far;
		const bool asks = far.queries && task.hubs == 0;
		answered = std::move(then);
		if (asks && hubs_known) return query_open();
		hubs_known = asks;
		const u64 most = sum(kFarQueued) + (memory.ranks.count - 1) * sum(kFarLongest);
		const u64 rows = most / 4 + 1; // of 16 bytes, with the length
		task.list_bytes = rows * sizeof(uint4);
		if (!lists_new || task.list_bytes >= far.gathered_bytes(task)) {
			const u32 *const own = memory.state.visited[0] + memory.ranks.base / 32;
			return gather_parts(own, [this] { return after_bits(kernels->place); });
		}
		G500_TRY(launch(kernels->list));
		count_words(task.list_bytes);
		unsigned char *const own = far.parts + memory.ranks.rank * task.list_bytes;
		return gather(own, far.parts, task.list_bytes, [this] { return after_bits(kernels->place_list); });
	}

	// Gathers the bits of ghosts.
	int gather_ghosts(Stage then) {
		G500_TRY(launch(kernels->pack));
		unsigned char *const parts = memory.state.far.parts;
		count_words(ghosts.bits_bytes());
		return gather(parts + memory.ranks.rank * ghosts.bytes(), parts, ghosts.bytes(), std::move(then));
	}

	// Gathers the bits that a sweep has written, with its reports, places them, and looks at the sums.
	int gather_swept(Stage then) {
		const State &state = memory.state;
		const Far &far = state.far;
		taken = std::move(then);
		const Stage place = [this] {
			return look(ghosts.lists ? kernels->place_ghosts : kernels->place, kNone, std::move(taken));
		};
		if (ghosts.lists) return gather_ghosts(place);
		if (!far.queries) return gather_parts(state.next_part, place);
		unsigned char *const hub_bits = far.parts + memory.ranks.rank * far.part_bytes; // the report is behind them
		G500_TRY(cudaMemcpyAsync(hub_bits, state.next_part, far.bits_bytes(), cudaMemcpyDeviceToDevice, stream));
		return gather_parts((const u32 *)hub_bits, place);
	}

	// If reports have no counts, all messages are as long as the longest one: vertices are spread over ranks, so that
	// most of its length is in use.
	int exchange_pairs(Stage then) {
		const u32 ranks = memory.ranks.count, own = memory.ranks.rank;
		u64 *const pairs = memory.state.far.look_pairs();
		if (memory.state.far.most_entries == 0) std::fill_n(pairs, 2 * ranks, sum(kFarLongest));
		for (u32 r = 0; r < ranks; r++)
			if (r != own) level.pairs.sent += pairs[r], level.pairs.received += pairs[ranks + r];
		return all_to_all(pairs, pairs + ranks, [](u64 n) { return (1 + n) * sizeof(u64); }, std::move(then));
	}

	SearchMemory &memory;
	const FarLaunch *kernels = nullptr;
	Ghosts ghosts{};
	u32 hubs = 0; // that all ranks have in Segments, of each rank; 0 without segments

	FarTask task{};
	u32 rounds = 0; // over all searches
	bool lists_new = false; // the ranks lack only the bits of the vertices that the last push has reached
	bool hubs_known = false; // with queries: all ranks have the bits of all visited hubs
	g500_level level{};
	Clock::time_point level_began;

private:
	FarArguments arguments() const {
		FarArguments all{memory.graph, memory.state, memory.ranks, memory.options.policy, task, ghosts};
		if (querying) all.ranks.round_pairs = all.ranks.capacity;
		return all;
	}

	// Counts the words of a gather of that many bytes from each rank.
	void count_words(u64 bytes) {
		const u64 words = (memory.ranks.count - 1) * (bytes / sizeof(u32));
		level.words.sent += words, level.words.received += words;
	}

	// Gathers the bits that each rank has of its own part, or of its hubs; and what is behind a part: after a sweep a
	// report, else nothing of use.
	int gather_parts(const u32 *own, Stage then) {
		const Far &far = memory.state.far;
		count_words(task.groups(far.groups) * sizeof(uint4));
		return gather(own, far.parts, far.gathered_bytes(task), std::move(then));
	}

	// Sends bytes(out[r]) bytes to each other rank r and receives bytes(in[r]) from it. The caller fills in the places.
	int all_to_all(const u64 *out, const u64 *in, BytesOf bytes, Stage then) {
		exchanged = 0;
		for (u32 r = 0; r < memory.ranks.count; r++) {
			const bool other = r != memory.ranks.rank;
			sent[r] = other ? bytes(out[r]) : 0, received[r] = other ? bytes(in[r]) : 0;
			exchanged += sent[r] + received[r];
		}
		exchanges++;
		*wanted = {G500_WANTS_ALL_TO_ALL};
		wanted->d_send = memory.pairs_out(), wanted->d_receive = memory.pairs_in();
		wanted->place = memory.message_words() * sizeof(u64), wanted->longest = bytes(sum(kFarLongest));
		wanted->send_bytes = sent.data(), wanted->receive_bytes = received.data();
		stage = std::move(then);
		return cudaSuccess;
	}

	// Places the gathered bits. With queries these are the bits of hubs; others are then queried if the level needs them.
	int after_bits(const FarKernel &place) {
		G500_TRY(launch(place));
		return queries() && task.hubs == 0 ? query_open() : go_on(answered);
	}

	// Queries the bits that open vertices need.
	int query_open() {
		G500_TRY(cudaMemsetAsync(&memory.state.far.rank->open, 0, sizeof(u32), stream));
		G500_TRY(launch(kernels->open));
		return query(false);
	}

	int query(bool again) {
		task.again = again, task.reports = false;
		querying = true;
		const int code = launch_round(kernels->query);
		querying = false;
		if (code) return code;
		return gather_reports([this] {
			return sum(kFarSent) > 0 ? exchange_pairs([this] { return reply(); }) : go_on(answered);
		});
	}

	// The replies go back where queries came from.
	int reply() {
		const Far &far = memory.state.far;
		const u32 ranks = memory.ranks.count;
		const u64 *const queries = far.look_pairs();
		G500_TRY(cudaMemsetAsync(far.replies, 0, ranks * far.reply_bytes, stream));
		G500_TRY(launch(kernels->reply));
		const BytesOf bytes = [](u64 n) { return (n + 63) / 64 * sizeof(u64); };
		const int code = all_to_all(queries + ranks, queries, bytes, [this] {
			G500_TRY(launch(kernels->take_replies));
			return sum(kFarUnsent) > 0 ? query(true) : go_on(answered);
		});
		wanted->d_send = far.replies, wanted->d_receive = (unsigned char *)far.replies + ranks * far.reply_bytes;
		wanted->place = far.reply_bytes;
		for (u32 r = 0; r < ranks; r++)
			level.words.sent += sent[r] / sizeof(u32), level.words.received += received[r] / sizeof(u32);
		return code;
	}

	// Measures exchanges of messages of both lengths, and then shares the times with all ranks.
	int try_exchanges() {
		const auto ended = [&] { return std::chrono::nanoseconds(Clock::now() - level_began).count(); };
		const Stage again = [this] { return try_exchanges(); };
		G500_TRY(cudaStreamSynchronize(stream));
		if (trials > 0) {
			u64 &ns = own.trial.ns[(trials - 1) / 2 % 2][(trials - 1) % 2];
			ns = std::min<u64>(ns, ended());
		}
		const Ranks &ranks = memory.ranks;
		if (trials == 4 * kTrials || memory.options.exchange != G500_EXCHANGE_AUTO) {
			unsigned char *const all = memory.state.far.blocks, *const at = all + ranks.rank * sizeof own;
			G500_TRY(cudaMemcpyAsync(at, &own, sizeof own, cudaMemcpyHostToDevice, stream));
			return gather(at, all, sizeof own, [this] { return after_shares(); });
		}
		const u64 bytes = own.trial.bytes[trials % 2];
		const bool gathers = trials++ / 2 % 2 == 0;
		level_began = Clock::now();
		if (gathers) return gather(memory.pairs_out(), (unsigned char *)memory.pairs_in(), bytes, again);
		const std::vector<u64> each(ranks.count, bytes);
		const int code = all_to_all(each.data(), each.data(), [](u64 n) { return n; }, again);
		wanted->longest = bytes;
		return code;
	}

	// Ranks may have lists for different numbers of hubs; the others are pushed.
	int after_shares() {
		const Ranks &ranks = memory.ranks;
		const Far &far = memory.state.far;
		std::vector<FarShare> shares;
		G500_TRY(read_shares(shares));
		hubs = (u32)shares[0].hubs;
		for (const FarShare &share : shares) hubs = std::min(hubs, (u32)share.hubs);
		const bool queries = choose_queries(shares);
		const u32 groups = queries ? memory.hub_groups(hubs) : ranks.groups;
		G500_TRY(memory.allocate_parts(groups, queries, stream));
		if (!far.hub_neighbours) return prepared();
		return gather(far.hub_neighbours + ranks.rank * far.part_bytes, far.hub_neighbours, far.part_bytes,
		              [this] { return find_ghosts(); });
	}

	// Chooses by the slowest rank's times, which are the same on all ranks. Without sweeps bits are exchanged only once.
	bool choose_queries(const std::vector<FarShare> &shares) const {
		enum { kMeasured, kAllBits, kQueries };
		const Ranks &ranks = memory.ranks;
		const u64 part = ranks.groups * sizeof(uint4), key = memory.options.policy.bit_queries;
		const int exchange = memory.options.exchange;
		if (exchange == G500_EXCHANGE_BITMAP || key == kAllBits) return false;
		if (ranks.count * part > memory.most_parts || key == kQueries) return true;
		if (exchange == G500_EXCHANGE_BINS) return false;
		FarTrial slowest = own.trial;
		for (const FarShare &share : shares)
			for (u32 i = 0; i < 4; i++) {
				u64 &ns = slowest.ns[i / 2][i % 2];
				ns = std::max(ns, share.trial.ns[i / 2][i % 2]);
			}
		return is_worth_queries(slowest, ranks.count, part, memory.hub_groups(hubs) * sizeof(uint4));
	}

	cudaError_t read_shares(std::vector<FarShare> &shares) const {
		shares.resize(memory.ranks.count);
		return read_back(shares.data(), memory.state.far.blocks, shares.size() * sizeof(FarShare), stream);
	}

	// With 64-bit ids ranks exchange all bits: the largest graphs leave no memory for lists.
	int find_ghosts() {
		if (memory.ids64()) return prepared();
		G500_TRY(launch(kernels->mark_others));
		G500_TRY(launch(kernels->find_ghosts));
		unsigned char *const all = memory.state.far.blocks;
		return gather(all + memory.ranks.rank * sizeof(FarShare), all, sizeof(FarShare), [this] { return list_ghosts(); });
	}

	// Ranks exchange all bits if one of them has too many ghosts.
	int list_ghosts() {
		const Ranks &ranks = memory.ranks;
		std::vector<FarShare> shares;
		G500_TRY(read_shares(shares));
		u64 most = 1;
		for (const FarShare &share : shares) most = std::max<u64>(most, share.ghosts);
		most = (most + kGroup - 1) / kGroup * kGroup;
		if (most * kGhostShare > (u64)ranks.groups * kGroup) return prepared();
		G500_TRY(ghost_lists.alloc(ranks.count * most));
		G500_TRY(cudaMemsetAsync(ghost_lists, 0xff, ranks.count * most * sizeof(u32), stream)); // kNone
		ghosts = {ghost_lists, (u32)most};
		G500_TRY(launch(kernels->list_ghosts));
		return gather(ghosts.lists + ranks.rank * most, (unsigned char *)ghosts.lists, most * sizeof(u32),
		              [this] { return prepared(); });
	}

	int prepared() {
		wanted->kind = G500_PREPARED;
		return cudaSuccess;
	}

	u32 blocks = 0, binning = 0;
	Array<u32> ghost_lists;
	Stage taken, answered; // the stages after reports are taken, and after bits or queries
	bool querying = false;
	u32 trials = 0; // exchanges of the trial so far
	FarShare own{}; // of this rank
	std::vector<u64> sent, received; // bytes by rank
};

} // namespace g500
