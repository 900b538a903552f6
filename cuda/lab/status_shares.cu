// SPDX-License-Identifier: Apache-2.0

// Enterprise on several GPUs (Liu and Huang, SC 2015, section 4.4). Each share has the rows of a range of vertices, of
// equal length, and a status array of all vertices. In a level a share
//
//   1. expands its queue, and marks new vertices in its status array,
//   2. packs them into bits by ballots,
//   3. marks the new vertices of the others, whose bits it reads in place,
//   4. and makes its next queue of the vertices of its range.
#include "lab/shares.cuh"
#include "lab/status_queue.cuh"

namespace g500::lab {

namespace {

// Writes a bit per vertex: whether the level has found it. Reads a status per vertex.
__global__ void __launch_bounds__(kThreads) pack_kernel(Level k, u32 *bits) {
	for_tiles(k.g.n, [&](u64 i, bool has) {
		const u32 word = __ballot_sync(~0u, has && k.visited.is_at((u32)i, k.depth));
		if (has && lane_of_thread() == 0) bits[i / 32] = word;
	});
}

// Marks the vertices that another share has found. Their parents remain there. Reads a bit per vertex.
__global__ void __launch_bounds__(kThreads) mark_kernel(Level k, const u32 *bits) {
	k.visited.parent = nullptr;
	for_tiles(k.g.n, [&](u64 i, bool has) {
		if (!has || !(bits[i / 32] >> (i & 31) & 1)) return;
		if (k.visited.is_unseen((u32)i)) k.visited.reach((u32)i, k.depth, 0);
	});
}

// Copies the parents that a share has found. Several shares may have one: each is right.
__global__ void __launch_bounds__(kThreads) copy_parents_kernel(const u32 *from, u64 n, u32 *parents) {
	for_tiles(n, [&](u64 i, bool has) {
		if (has && from[i] != kNone) parents[i] = from[i];
	});
}

// Calls act(share, queue) for each share, on its GPU.
template <typename Act>
int on_each(Shares &shares, std::vector<StatusQueue> &queues, Act act) {
	for (u32 i = 0; i < shares.count(); i++) {
		const OnDevice here((int)shares.of[i]->figures.device);
		if (const int code = act(*shares.of[i], queues[i])) return code;
	}
	return cudaSuccess;
}

// Steps 1 and 2.
int find(Share &share, StatusQueue &queue, u32 depth) {
	g500_lab *const lab = share.lab.get();
	lab->begin_level();
	if (const int code = queue.expand(depth)) return code;
	LAB_LAUNCH(lab, "pack_kernel", pack_kernel, lab->over_all(), lab->level(depth), share.bits.get());
	return cudaEventRecord(share.done, share.stream);
}

// Steps 3 and 4.
int join(Shares &shares, Share &share, StatusQueue &queue, u32 depth) {
	g500_lab *const lab = share.lab.get();
	for (const auto &other : shares.of) {
		if (other.get() == &share) continue;
		G500_TRY(cudaStreamWaitEvent(share.stream, other->done, 0));
		LAB_LAUNCH(lab, "mark_kernel", mark_kernel, lab->over_all(), lab->level(depth), other->bits.get());
		share.figures.pulled += lab->g.n / 8;
	}
	return queue.refill(depth + 1);
}

// Waits for a share. Adds its figures to the sums of all, and its counters to the sums that choose the direction.
int end_level(g500_lab *all, g500_lab_level &level, Share &share, StatusQueue &queue) {
	if (const int code = queue.end_level()) return code;
	const g500_lab &lab = *share.lab;
	const g500_lab_level &own = lab.search.levels.back();
	level.bottom_up = own.bottom_up, level.launches += own.launches;
	level.vertices += own.vertices, level.edges += own.edges;
	share.figures.vertices += own.vertices, share.figures.edges += own.edges;
	all->seen->queued[0] += lab.seen->queued[0];
	all->seen->frontier_edges += lab.seen->frontier_edges, all->seen->hubs += lab.seen->hubs;
	all->search.cache_hits += lab.seen->cache_hits;
	return cudaSuccess;
}

} // namespace

int allocate_status_shares(g500_lab *lab) {
	const u64 n = lab->g.n;
	const auto range = [n](const Rows &rows, u64 i, u64 count) { return rows.range(n * i / count, n * (i + 1) / count); };
	if (const int code = divide(lab, range)) return code;
	g500_lab_strategy own = lab->strategy;
	own.gpus = 1;
	for (const auto &share : lab->shares->of) {
		const OnDevice here((int)share->figures.device);
		if (const int code = g500_lab_prepare(share->lab.get(), &own, share->stream)) return code;
		share->lab->usual_hub_degree = lab->usual_hub_degree;
		share->lab->hub_degree = own.hub_degree ? own.hub_degree : lab->usual_hub_degree;
		G500_TRY(share->bits.alloc(n / 32 + 1));
		lab->memory.bytes += share->lab->memory.bytes + (n / 32 + 1) * sizeof(u32);
	}
	return cudaSuccess;
}

int start_status_shares(g500_lab *lab, u32 root) {
	for (const auto &share : lab->shares->of) {
		const OnDevice here((int)share->figures.device);
		share->figures = {share->figures.device};
		share->lab->search = {share->stream};
		if (const int code = share->lab->start(root)) return code;
	}
	return cudaSuccess;
}

int search_by_status_shares(g500_lab *lab) {
	Shares &shares = *lab->shares;
	Search &search = lab->search;
	std::vector<StatusQueue> queues;
	for (u64 i = 0, count = shares.count(), n = lab->g.n; i < count; i++) {
		const u32 first = (u32)(n * i / count);
		queues.emplace_back(shares.of[i]->lab.get(), first, (u32)(n * (i + 1) / count) - first);
	}
	const auto total = [&] {
		u64 sum = 0;
		for (const StatusQueue &queue : queues) sum += queue.total();
		return sum;
	};
	if (const int code = on_each(shares, queues, [](Share &, StatusQueue &q) { return q.begin(); })) return code;
	search.level_began = std::chrono::steady_clock::now();
	for (u32 depth = 1; total() && (depth == 1 || lab->seen->queued[0]); depth++) {
		g500_lab_level level{};
		*lab->seen = {};
		const auto first = [&](Share &s, StatusQueue &q) { return find(s, q, depth); };
		const auto second = [&](Share &s, StatusQueue &q) { return join(shares, s, q, depth); };
		const auto third = [&](Share &s, StatusQueue &q) { return end_level(lab, level, s, q); };
		if (const int code = on_each(shares, queues, first)) return code;
		if (const int code = on_each(shares, queues, second)) return code;
		if (const int code = on_each(shares, queues, third)) return code;
		const auto took = std::chrono::steady_clock::now() - search.level_began;
		level.nanoseconds = (u64)std::chrono::nanoseconds(took).count();
		search.level_began += took; // the time of a queue belongs to the level that reads it
		search.levels.push_back(level);
		search.launches += level.launches;
		if (level.bottom_up || !lab->turns_bottom_up()) continue;
		const auto turn = [&](Share &, StatusQueue &q) { return q.turn(depth + 1); };
		if (const int code = on_each(shares, queues, turn)) return code;
	}
	return cudaSuccess;
}

int join_status_shares(g500_lab *lab) {
	const u64 n = lab->g.n;
	G500_TRY(cudaMemcpyAsync(lab->distance, lab->shares->of[0]->lab->distance, n * sizeof(u32),
		cudaMemcpyDeviceToDevice, lab->search.stream));
	if (!lab->parent) return cudaSuccess;
	G500_TRY(cudaMemsetAsync(lab->parent, 0xff, n * sizeof(u32), lab->search.stream));
	for (const auto &share : lab->shares->of)
		G500_LAUNCH(copy_parents_kernel, lab->over_all(), share->lab->parent.get(), n, lab->parent.get());
	return cudaSuccess;
}

} // namespace g500::lab
