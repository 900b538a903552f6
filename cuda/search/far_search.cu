// SPDX-License-Identifier: Apache-2.0

#include "search/far_search.cuh"

#include <algorithm>

namespace g500 {

int FarSearch::open(SearchMemory &of, const FarLaunch &by, u32 in, u32 in_binning) {
	const u32 n = of.ranks.count;
	memory = &of, kernels = &by, blocks = in, binning = in_binning;
	sent.resize(n), received.resize(n);
	if (!of.state.far.on) return cudaSuccess;
	G500_TRY(look_.open(2 + kFarSums + 2 * n));
	of.state.far.look = look_.words();
	return cudaSuccess;
}

Facts FarSearch::facts() const {
	const Ranks &ranks = memory->ranks;
	return {memory->options.policy, task.at, ranks.non_leaf, ranks.round_pairs, ranks.count,
	        memory->options.exchange, hubs > 0, memory->state.split_hubs > 0, memory->decides(), true};
}

FarArguments FarSearch::arguments() const {
	FarArguments all{memory->arrays.view, memory->state, memory->ranks, memory->options.policy, task, ghosts};
	if (querying) all.ranks.round_pairs = all.ranks.capacity;
	return all;
}

cudaError_t FarSearch::launch_begin(u32 ring, cudaStream_t on) const {
	FarArguments first = arguments();
	first.task = {};
	first.task.round = rounds;
	const Launch how{binning, kThreads, on, kernels->context(memory->ranks.count)};
	return g500::launch_cooperative(kernels->begin, how, first, ring);
}

Launch FarSearch::full_grid(const FarKernel &kernel) const {
	const u32 grid = kernel.has_bins ? binning : blocks;
	return {grid, kThreads, stream, kernels->shared(kernel, memory->ranks.count)};
}

// Launches a kernel with at most that many blocks.
int FarSearch::launch(const FarKernel &kernel, u32 most) {
	Launch how = full_grid(kernel);
	how.blocks = std::min(how.blocks, most);
	return G500_START_BY(kernel.name, g500::launch(kernel.start, how, arguments()));
}

int FarSearch::launch_cooperative(const FarKernel &kernel) {
	return G500_START_BY(kernel.name, g500::launch_cooperative(kernel.start, full_grid(kernel), arguments()));
}

// Launches a kernel that sends pairs.
int FarSearch::launch_round(const FarKernel &kernel) {
	task.round = rounds++;
	return launch_cooperative(kernel);
}

int FarSearch::launch_push(bool again, bool lists) {
	task.again = again, task.lists = lists;
	if (!again) lists_new = task.at.synchronized && task.at.level > 0 && memory->state.far.most_entries > 0;
	task.reports = !again && task.at.synchronized;
	return launch_round(kernels->push);
}

// Launches a kernel that sends the host the sums.
int FarSearch::look(const FarKernel &teller, u32 most, Stage then) {
	task.look = look_.begin();
	const int code = launch(teller, most);
	task.look = 0;
	stage = then;
	return code;
}

int FarSearch::begin(u64 root, g500_wanted &want, cudaStream_t on) {
	wanted = &want, stream = on;
	const Ranks &ranks = memory->ranks;
	task = {};
	task.root = root;
	task.at.step = kPush;
	task.at.synchronized = true;
	lists_new = hubs_known = false;
	rounds++; // of the first kernel
	unexplored = ranks.edges;
	unvisited = ranks.non_leaf + 1; // the root may be a leaf
	trace.clear();
	level = {};
	exchanges = 0, busy = 0;
	level_began = Clock::now();
	look_.forget();
	return gather_reports(&FarSearch::after_push);
}

// Takes what the gathered reports list, and looks at the sums.
int FarSearch::take_reports() {
	const u32 enough = blocks_for((u64)memory->ranks.count * memory->state.far.most_entries, kThreads);
	return look(kernels->take, std::max(enough, 1u), taken);
}

int FarSearch::after_push() {
	if (sum(kFarUnsent) == 0) settle(sum(kFarEdges));
	if (all_are_listed()) return end_push();
	task.at.synchronized = hubs_known = false;
	return sum(kFarSent) > 0 ? exchange_pairs(&FarSearch::take_pairs) : end_push();
}

int FarSearch::take_pairs() {
	G500_TRY(launch(kernels->take_pairs));
	if (sum(kFarUnsent) == 0) return end_push();
	G500_TRY(launch_push(true, false));
	return gather_reports(&FarSearch::after_push);
}

int FarSearch::end_push() {
	record();
	if (sum(kFarClaims) == 0) return finish();
	expect(sum(kFarClaims), (sum(kFarEstimate) + 15) / 16, true);
	task.at.step = step_after_divided_push(facts());
	return start_level();
}

int FarSearch::start_level() {
	if (task.at.step == kPush) {
		G500_TRY(launch_push(false, !trace.empty() && makes_bitmap(trace.back().step)));
		return gather_reports(&FarSearch::after_push);
	}
	if (task.at.step == kDecide) return queries() ? with_bits(&FarSearch::decide) : decide();
	if (task.at.step == kPullRemaining) return with_bits(&FarSearch::search_remaining);
	if (task.at.step == kSplit || task.at.step == kPushSegments) {
		task.hubs = task.at.step == kSplit ? memory->state.split_hubs : hubs;
		return with_bits(&FarSearch::find_neighbours_of_hubs);
	}
	return with_bits(&FarSearch::sweep);
}

int FarSearch::find_neighbours_of_hubs() {
	G500_TRY(task.at.step == kSplit ? launch(kernels->split) : launch_cooperative(kernels->segments));
	return push_tail(false);
}

int FarSearch::push_tail(bool again) {
	task.again = again, task.reports = false;
	G500_TRY(launch_round(kernels->tail));
	return gather_reports(&FarSearch::after_tail);
}

int FarSearch::after_tail() {
	task.exchanged = sum(kFarSent) > 0;
	return task.exchanged ? exchange_pairs(&FarSearch::take_tail) : take_tail();
}

int FarSearch::take_tail() {
	G500_TRY(launch_cooperative(kernels->take_tail));
	if (sum(kFarUnsent) > 0) return push_tail(true);
	task.hubs = 0;
	return gather_swept();
}

int FarSearch::sweep() {
	G500_TRY(launch(kernels->sweep));
	return gather_swept();
}

int FarSearch::place_swept() {
	return look(ghosts.lists ? kernels->place_ghosts : kernels->place, kNone, &FarSearch::after_sweep);
}

int FarSearch::after_sweep() {
	Shared &at = task.at;
	if (at.estimated) settle(at.edges);
	record();
	at.sweeps++;
	at.swept = true;
	at.synchronized = !ghosts.lists && !queries();
	lists_new = false;
	hubs_known = true;
	at.hubs_visited = memory->state.hubs.limit > 0 && sum(kFarOpenHubs) == 0;
	if (sum(kFarClaims) == 0) return finish();
	expect(sum(kFarClaims), 0, false);
	at.step = step_after_sweep(facts());
	return start_level();
}

// Afterwards every rank has the bits of all vertices except those that other ranks find in the level; or with queries,
// of all hubs.
int FarSearch::decide() {
	G500_TRY(launch_cooperative(kernels->decide));
	task.at.decided = true;
	task.at.synchronized = !queries();
	return gather_reports(&FarSearch::after_remaining);
}

int FarSearch::search_remaining() {
	G500_TRY(launch(kernels->remaining));
	task.at.synchronized = !queries();
	return gather_reports(&FarSearch::after_remaining);
}

// If reports are too short, ranks exchange the bits of ghosts, or all bits.
int FarSearch::after_remaining() {
	if (sum(kFarClaims) == 0 || all_are_listed()) return end_remaining();
	G500_TRY(launch(kernels->take_found));
	if (task.at.decided && ghosts.lists) return gather_ghosts(&FarSearch::place_found);
	hubs_known = hubs_known && task.at.hubs_visited;
	if (queries()) return end_remaining();
	task.at.synchronized = false;
	return with_bits(&FarSearch::end_remaining);
}

int FarSearch::place_found() {
	G500_TRY(launch(kernels->place_ghosts));
	return end_remaining();
}

int FarSearch::end_remaining() {
	task.at.synchronized = !queries();
	record();
	if (sum(kFarClaims) == 0) return finish();
	expect(sum(kFarClaims), sum(kFarEstimate), false);
	task.at.step = kPullRemaining;
	if (!leads_nowhere(task.at)) return start_level();
	record();
	return finish();
}

// Leaves read the bits of other ranks' vertices.
int FarSearch::finish() {
	task.leaves = true;
	return with_bits(&FarSearch::write);
}

int FarSearch::write() {
	trace.back().words.sent += level.words.sent, trace.back().words.received += level.words.received;
	wanted->kind = G500_SEARCH_DONE;
	return launch(kernels->finish);
}

// Stores the exact numbers of the level's frontier, which its kernels have counted.
void FarSearch::settle(u64 edges) {
	Shared &at = task.at;
	at.frontier = sum(kFarFrontier), at.edges = edges;
	at.unexplored = unexplored - std::min(at.edges, unexplored);
	at.unvisited = unvisited - std::min(at.frontier, unvisited);
	at.estimated = false;
}

// Begins the next level with numbers of its frontier that may be estimated from above.
void FarSearch::expect(u64 frontier, u64 edges, bool estimated) {
	Shared &at = task.at;
	at.level++;
	unexplored = at.unexplored, unvisited = at.unvisited;
	at.frontier = frontier, at.edges = edges;
	at.estimated = estimated || memory->arrays.view.directed;
	at.unexplored = unexplored - std::min(edges, unexplored);
	at.unvisited = unvisited - std::min(frontier, unvisited);
}

// Adds the level to the trace.
void FarSearch::record() {
	const auto now = Clock::now();
	const std::chrono::nanoseconds took = now - level_began;
	level.step = task.at.step;
	level.frontier = task.at.frontier;
	level.edges = is_bottom_up(level.step) ? 0 : task.at.edges;
	level.nanoseconds = (u64)took.count();
	const u64 kernels = memory->state.far.look[1];
	level.exchange = level.nanoseconds - std::min(kernels - busy, level.nanoseconds);
	busy = kernels;
	level.barriers = exchanges;
	trace.push_back(level);
	level = {};
	level_began = now;
}

} // namespace g500
