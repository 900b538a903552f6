// SPDX-License-Identifier: Apache-2.0

#include "sssp/far_paths.cuh"

#include <algorithm>

#include "sssp/open_lists.cuh"
#include "sssp/search.cuh"

namespace g500::sssp {

namespace {

constexpr u64 kReportBytes = 16 << 10;   // at first
constexpr u64 kMostReported = 4 << 20; // bytes of offers that a rank gets in reports
constexpr u64 kMostWords = 16 << 20;   // bytes of words, likewise

u64 in_units(u64 bytes) { return (bytes + sizeof(uint4) - 1) / sizeof(uint4) * sizeof(uint4); }

// Returns the number of light edges of one of this rank's vertices. Its row is sorted by weight.
__device__ u32 light_edges_of(const Graph &g, u32 local_id, float window) {
	const u64 begin = g.rows[local_id];
	return (u32)(first_not(begin, g.rows[local_id + 1], [&](u64 i) { return g.cols[i].weight < window; }) - begin);
}

// Counts this rank's entries.
// Map:    one thread per vertex outside trees. Reads: 16 B of rows and a few weights. Writes: an atomic per row.
__global__ void count_light_kernel(const __grid_constant__ Graph graph, float window, ull *count) {
	const u32 local_id = thread_number<kThreads>();
	if (local_id >= graph.own_non_tree) return;
	const u32 n = light_edges_of(graph, local_id, window);
	if (n > 0) atomicAdd(count, (ull)n + 1);
}

// Writes this rank's entries.
// Map:    one thread per vertex outside trees. Reads: as count_light_kernel, and 8 B per entry. Writes: 8 B per entry.
__global__ void store_light_kernel(const __grid_constant__ Graph graph, float window, ull *count, Col *entries) {
	const u32 local_id = thread_number<kThreads>();
	if (local_id >= graph.own_non_tree) return;
	const u32 n = light_edges_of(graph, local_id, window);
	if (n == 0) return;
	Col *const row = entries + atomicAdd(count, (ull)n + 1);
	row[0] = light_row(graph.base + local_id, n);
	for (u32 i = 0; i < n; i++) row[i + 1] = graph.cols[graph.rows[local_id] + i];
}

// Stores the place of the first light edge of each vertex.
// Map:    one thread per entry. Reads: 8 B. Writes: 4 random B per row.
__global__ void index_light_kernel(const Col *entries, u64 n, u32 *light) {
	const u64 i = thread_number<kThreads>();
	if (i < n && is_light_row(entries[i])) light[entries[i].global_id] = (u32)i + 1;
}

} // namespace

int FarPaths::open(g500_sssp &of, u32 further, u32 listed, cudaStream_t on) {
	const u64 n = of.ranks.count;
	search = &of, sweeps = further;
	words = (of.graph.non_tree + 3) & ~3u;
	lengths.resize(n);
	const u64 space = (kReportBytes - sizeof(PathReport)) / sizeof(Offer);
	far.listed = std::min<u64>(space, listed);
	far.most_listed = kMostReported / (n - 1) / sizeof(Offer);
	far.space = 1 + std::max<u64>(of.state.frontier_space, 32); // two frontiers of all ranks need half of the memory
	expected.assign(sweeps + 2, far.listed);
	most_expected = listed < space ? listed : std::min<u64>(kMostWords / (n - 1) / sizeof(uint2), words / 2 + space);
	const u64 most = std::max({far.listed, far.most_listed, most_expected});
	G500_TRY(of.held.alloc_zeroed(n * far.report_bytes(most), far.reports, on));
	G500_TRY(of.held.alloc(n * far.space, far.send));
	G500_TRY(of.held.alloc(n * far.space, far.received));
	G500_TRY(of.held.alloc(far.space, far.list.at));
	G500_TRY(of.held.alloc_zeroed(n + 1, far.sent, on));
	G500_TRY(of.held.alloc_zeroed(1, far.path, on));
	G500_TRY(look_.open(1 + kPathSums));
	far.list.count = far.sent + n, far.list.space = far.space, far.look = look_.words();
	return cudaSuccess;
}

// Launches a kernel, which takes what the last exchange has brought.
int FarPaths::launch(int kind, bool reads, u32 of) {
	task.kind = kind, task.reads = reads, task.number = of;
	task.space = expected[kind == kPullAgain ? number : kind == kFindParents || kind == kSettleTies ? sweeps + 1 : 0];
	const int code = launch_far(*search, far, task, stream);
	task.news = {}, task.starts = task.received = false, task.look = 0;
	return code;
}

int FarPaths::gather(const void *own, u64 bytes, void *all, News news, Stage then) {
	news.stride = bytes;
	task.news = news;
	return Driven::gather(own, all, bytes, search->ranks.count, then);
}

// `most` is kMost of the reports that the last kernel has read.
int FarPaths::gather_reports(Stage then, u64 most) { return gather_offers(far.listed_after(most), then); }

// Gathers reports with this space for offers.
int FarPaths::gather_offers(u64 space, Stage then) {
	task.bytes = far.report_bytes(space);
	return gather(&far.report(search->ranks.rank, task.bytes), task.bytes, far.reports, {}, then);
}

int FarPaths::gather_words(u32 begin, u32 end, Stage then) {
	const u32 *const own = search->state.distance + search->graph.base + begin;
	return gather(own, (u64)(end - begin) * sizeof(u32), far.received, {kWords, begin, end}, then);
}

// All ranks get the words that are listed, if there are any: as lists, or the complete parts if these are shorter and
// not a frontier. Then launches the next kernel.
int FarPaths::gather_listed() {
	const u64 listed = sum(kUnpublished);
	if (listed == 0) return launch_next();
	const u64 bytes = in_units(listed * sizeof(uint2));
	const bool needs_list = next_launch.kind == kPushLight || next_launch.kind == kSettleTies;
	if (!needs_list && bytes >= words * sizeof(u32)) return gather_words(0, words, &FarPaths::launch_next);
	return gather(far.list.at, bytes, far.received, {kLists}, &FarPaths::launch_next);
}

int FarPaths::launch_next() {
	const int code = launch(next_launch.kind, false, next_launch.number);
	return code ? code : (this->*next_launch.then)();
}

// Gathers the reports of a kernel that has listed words, and launches the next kernel before the sums are known. If a
// list was longer than in the searches so far, that kernel does nothing.
int FarPaths::share(u32 of, Next with) {
	list_number = of, next_launch = with;
	task.bytes = far.bytes_with_words(task.space);
	return gather(&far.report(search->ranks.rank, task.bytes), task.bytes, far.reports, {kReported, 0, 0, 0, task.space},
	              &FarPaths::take_listed);
}

int FarPaths::take_listed() {
	had = task.news.space;
	task.look = look_.begin();
	stage = &FarPaths::after_listed;
	return launch(next_launch.kind, true, next_launch.number);
}

// Expects a list of about this length in the next search.
void FarPaths::expect(u32 of, u64 length) {
	u64 &space = expected[of];
	space = std::min(std::max({length + length / 4, space - space / 8, far.listed}), most_expected);
}

int FarPaths::after_listed() {
	const u64 listed = sum(kUnpublished);
	expect(list_number, listed);
	return listed > had ? gather_listed() : (this->*next_launch.then)();
}

// All messages are as long as the longest one: vertices are spread over ranks, so that most of its length is in use.
int FarPaths::exchange_offers(Stage then) {
	const u64 longest = (1 + sum(kLongest)) * sizeof(uint4);
	std::fill(lengths.begin(), lengths.end(), longest);
	lengths[search->ranks.rank] = 0;
	exchanged = 2 * longest * (lengths.size() - 1);
	*wanted = {G500_WANTS_ALL_TO_ALL, nullptr, nullptr, 0, far.send, far.received, far.space * sizeof(uint4), longest,
	           lengths.data(), lengths.data()};
	stage = then;
	return cudaSuccess;
}

int FarPaths::begin(u32 root, g500_wanted &want, cudaStream_t on) {
	wanted = &want, stream = on;
	task = {};
	task.root = root;
	push = kPush;
	look_.forget();
	if (const int code = launch(kBegin)) return code;
	return gather_reports(&FarPaths::start_push);
}

const Searching &FarPaths::searching() const { return *search; }
u64 FarPaths::wait_ns() const { return search->ranks.wait_ns; }

int FarPaths::start_push() {
	task.starts = true;
	const int code = launch(kPush, true);
	return code ? code : gather_reports(&FarPaths::push_on);
}

// Launches the next round before the sums of the last one are known. If that was the last round, it lists what the push
// has changed.
int FarPaths::push_on() {
	task.look = look_.begin();
	stage = &FarPaths::after_push;
	return launch(push, true);
}

int FarPaths::after_push() {
	if (sum(kSent) > 0) return exchange_offers(&FarPaths::push_received);
	if (sum(kOffered) > 0) return gather_reports(&FarPaths::push_on, sum(kMost));
	number = 0;
	const Next parents{kFindParents, 0, &FarPaths::share_tied};
	if (push == kPushRest) {
		next_launch = parents;
		return gather_listed();
	}
	if (!reaches_beyond()) return share(0, parents);
	if (far.light) return gather_offers(task.space, &FarPaths::take_seeds);
	return share(0, {kPull, 0, &FarPaths::after_class});
}

// Launches the push over light edges before it is known whether all seeds were listed in reports.
int FarPaths::take_seeds() {
	task.news.kind = kSeeds;
	task.look = look_.begin();
	stage = &FarPaths::after_seeds;
	return launch(kPushLight, true);
}

int FarPaths::after_seeds() {
	expect(0, sum(kMost));
	return sum(kSent) > 0 ? exchange_offers(&FarPaths::list_received) : pull_class();
}

int FarPaths::list_received() {
	task.received = true;
	const int code = launch(kPush, true, 1);
	return code ? code : share(0, {kPushLight, 0, &FarPaths::pull_class});
}

int FarPaths::push_received() {
	task.received = true;
	const int code = launch(push, true);
	return code ? code : gather_reports(&FarPaths::push_on, sum(kMost));
}

// The first sweep, over one class. All ranks get its words.
int FarPaths::pull_class() {
	if (number == search->policy.classes) {
		number = 0;
		return pull_again();
	}
	const int code = launch(kPull, false, number);
	return code ? code : after_class();
}

int FarPaths::after_class() {
	const ClassRange of = class_range(search->graph.non_tree, search->policy.classes, number++);
	const u32 end = (of.end + 3) & ~3u;
	return end > of.begin ? gather_words(of.begin, end, &FarPaths::pull_class) : pull_class();
}

int FarPaths::pull_again() {
	const int code = launch(kind_of_sweep(++number));
	return code ? code : after_sweep();
}

int FarPaths::after_sweep() {
	if (number >= sweeps) return gather_reports(&FarPaths::start_rest);
	const u32 list = number++;
	return share(list, {kind_of_sweep(number), 0, &FarPaths::after_sweep});
}

int FarPaths::start_rest() {
	push = kPushRest;
	task.starts = true;
	task.look = look_.begin();
	stage = &FarPaths::after_first_rest;
	return launch(push, true);
}

// If the last sweep has changed nothing, the push had nothing to do.
int FarPaths::after_first_rest() {
	if (sum(kChanged) > 0) return gather_reports(&FarPaths::push_on);
	next_launch = {kFindParents, 0, &FarPaths::share_tied};
	return launch_next();
}

int FarPaths::share_tied() {
	tied = ~0ull;
	return share(sweeps + 1, {kSettleTies, 0, &FarPaths::after_ties});
}

// A round that settles none would be an error: it ends the search, and validation reports it.
int FarPaths::after_ties() {
	const u64 before = tied;
	tied = sum(kStillTied);
	if (tied == 0 || tied >= before) {
		wanted->kind = G500_SEARCH_DONE;
		return cudaSuccess;
	}
	return share(sweeps + 1, next_launch);
}

} // namespace g500::sssp

using namespace g500;
using namespace g500::sssp;

int g500_sssp::index_light(cudaStream_t stream) {
	if (light_entries == 0) return cudaSuccess;
	u32 *light;
	G500_TRY(held.alloc_zeroed(places(), light, stream));
	G500_LAUNCH(index_light_kernel, thread_for(light_entries, stream), light_edges, light_entries, light);
	far.push_over(light, light_edges, policy.window);
	return cudaSuccess;
}

int g500_sssp_count_light(g500_sssp *search, uint64_t *count, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	const Graph &g = search->graph;
	const Policy &policy = search->policy;
	Array<ull> sum;
	G500_TRY(sum.alloc_zeroed(1, stream));
	if (policy.landmarks > 0)
		G500_LAUNCH(count_light_kernel, thread_for(g.own_non_tree, stream), g, policy.window, sum.get());
	return read_back(count, sum, sizeof *count, stream);
}

int g500_sssp_store_light(g500_sssp *search, uint64_t *d_light, uint64_t most, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	const Graph &g = search->graph;
	Col *const of_all = (Col *)d_light, *const own = of_all + search->ranks.rank * most;
	Array<ull> sum;
	G500_TRY(sum.alloc_zeroed(1, stream));
	search->light_edges = of_all, search->light_entries = search->ranks.count * most;
	G500_TRY(cudaMemsetAsync(of_all, 0, search->light_entries * sizeof(Col), stream));
	G500_LAUNCH(store_light_kernel, thread_for(g.own_non_tree, stream), g, search->policy.window, sum.get(), own);
	return cudaStreamSynchronize(stream);
}
