// Kernel 2: direction-optimizing breadth-first search in one cooperative launch a rank; levels are separated by barriers
// on the devices, and every decision is taken there.
#include <algorithm>
#include <new>
#include <optional>
#include <vector>

#include "check.cuh"
#include "search.cuh"
#include "search_clock.cuh"
#include "search_columns.cuh"
#include "search_handover.cuh"
#include "search_labels.cuh"
#include "search_levels.cuh"
#include "search_office.cuh"
#include "search_plan.cuh"
#include "search_rule.cuh"
#include "search_wanted.cuh"
#include "search_whole.cuh"

namespace g500 {

namespace {

template <bool kMany>
__global__ void __launch_bounds__(kThreads, kBlocks) search_kernel(const __grid_constant__ Columns g, const __grid_constant__ State s,
                                                                   const __grid_constant__ World w, u32 root) {
	extern __shared__ __align__(16) unsigned char memory[];
	Search<kMany> &search = *reinterpret_cast<Search<kMany> *>(memory);
	const Progress &at = search.at;
	if (threadIdx.x == 0) new (&search) Search<kMany>(g, s, w);
	__syncthreads();
	search.begin_trace();
	search.start(root);
	for (;;) {
		search.plan();
		if (search.is_over()) break;
		const bool last = search.leads_nowhere();
		if (search.hands_over()) {
			search.hand_over();
			if (!at.stays) return;
		}
		if (!last) search.level();
		if (search.is_over()) break; // a frontier that was not told of may turn out empty
		search.record();
		if (last) break;
		alone([&] {
			search.at.level++;
			search.at.guessed = false;
		});
	}
	search.end();
}

} // namespace

} // namespace g500

using namespace g500;

constexpr ull kNotes = 1 << 26; // parents that are noted for other ranks' vertices, 256 MiB

struct g500_search {
	ColumnStore columns;
	State state{};
	World world{};
	int blocks = 0;
	int exchange = 0;
	u32 sharers = 1;
	Array<u32> marks, fresh, by_other, parent, queue[2], missed, trace_length, result, unresolved, pairs;
	Array<uint2> reached;
	Array<u64> offsets, clock;
	Array<ull> sent;
	Array<Meeting> meeting;
	Array<unsigned char *> windows, boards;
	Array<u64 *> outbox, inbox;
	Array<u64> listed;
	Array<Neighbour> graphs;
	Array<u32> degrees;
	Office office;
	Wanted wanted;
	bool attended = false; // the host has a part in searches, at the end at least
	std::optional<Stopwatch> watch; // of a search that the host attends to
	Array<Counters> counters;
	Array<Handover> handover;
	Array<g500_level> trace;
	int *failure = nullptr; // pinned

	bool overlap = false; // the device starts a kernel's blocks as those of the kernel before it end (Hopper and later)

	~g500_search() { cudaFreeHost(failure); }

	bool many() const { return world.ranks > 1; }
	const void *kernel() const { return many() ? (const void *)search_kernel<true> : (const void *)search_kernel<false>; }
	u64 shared_bytes() const { return many() ? Search<true>::bytes(world.ranks) : Search<false>::bytes(1); }
	u64 most_noted() const { return std::min((1ull << world.shift) / kNotedShare, kNotes / world.ranks) / kGroup * kGroup; }
	u64 part_bytes() const { return many() ? (1ull << world.shift) / 8 : columns.view.padded / 8; }
	int size_launch();
	void lay_out_window();
	void lay_out_board(u32 most);
	int know_world(const g500_world &known, cudaStream_t stream);
	int know_graphs(const g500_world &known, cudaStream_t stream);
	int find_boxes(const g500_world &known, cudaStream_t stream);
	int allocate(cudaStream_t stream);
	int allocate_meeting(cudaStream_t stream);
	int launch_labels(u32 root, cudaStream_t stream);
};

// Ranks that share the device must find room on it at the same time.
int g500_search::size_launch() {
	int device, processors, per_processor, major;
	const u64 shared = shared_bytes();
	G500_TRY(cudaGetDevice(&device));
	G500_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
	G500_TRY(cudaFuncSetAttribute(kernel(), cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
	G500_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, kernel(), kThreads, shared));
	G500_TRY(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
	per_processor = std::min(per_processor, kBlocks);
	blocks = processors * per_processor / (int)sharers;
	overlap = major >= 9 && sharers == 1;
	return blocks > 0 ? cudaSuccess : cudaErrorLaunchOutOfResources;
}

constexpr u64 kInboxPairs = 1 << 26; // that an inbox has room for in a round, 512 MiB
constexpr u64 kMostPairs = 1 << 23;  // from one rank

// Takes part of a run of memory that ends at end so far. Returns where it begins.
static u64 take_part(u64 &end, u64 bytes) {
	const u64 begin = end;
	end += (bytes + 255) / 256 * 256;
	return begin;
}

void g500_search::lay_out_window() {
	const u64 ranks = world.ranks;
	u64 end = 0;
	const auto take = [&end](u64 bytes) { return take_part(end, bytes); };
	world.capacity = many() ? std::min({1ull << world.shift, (ull)kMostPairs, (ull)(kInboxPairs / ranks)}) : 0;
	world.at.mail = take(2 * ranks * kNews * sizeof(u64));
	for (u64 &bitmap : world.at.visited) bitmap = take(ranks * part_bytes());
	world.at.inbox = take(2 * ranks * world.capacity * sizeof(u64));
	world.at.marks = take(many() ? ranks * part_bytes() : 0);
	world.at.notes = take(many() ? ranks * most_noted() * sizeof(u32) : 0);
	world.at.labels = take(many() ? sizeof(u32) << world.shift : 0);
	world.at.bytes = end;
}

// Lists have room for all groups that a rank has: it lists each once at most.
void g500_search::lay_out_board(u32 most) {
	const u64 ranks = world.ranks, groups = (most + kPad - 1) / kPad * (kPad / kGroup);
	u64 end = 0;
	world.board.mail = take_part(end, 2 * ranks * kNews * sizeof(u64));
	for (u64 &places : world.board.places) places = take_part(end, groups * sizeof(u32));
	for (u64 &words : world.board.groups) words = take_part(end, groups * sizeof(uint4));
	world.board.boxes = take_part(end, 2 * ranks * Office::pairs(ranks, world.shift) * sizeof(u64));
	world.board.bytes = end;
}

// Takes over what is told of the other ranks, and prepares this rank's window.
int g500_search::know_world(const g500_world &known, cudaStream_t stream) {
	world.hubs = known.hubs;
	world.edges = known.edges;
	world.groups = (known.most + kPad - 1) / kPad * (kPad / kGroup);
	world.prefix = known.prefix;
	world.labels = known.d_labels;
	world.patience = known.patience;
	world.apart = known.apart;
	world.alpha = known.carried ? kAlphaCarried : known.apart ? kAlphaShared : kAlphaFar;
	attended = known.carried || known.ask > 0;
	for (u32 r = 0; r < world.ranks; r++) world.readers += r != world.rank && known.boards[r];
	G500_TRY(windows.alloc(world.ranks));
	G500_TRY(cudaMemcpyAsync(windows.get(), known.windows, world.ranks * sizeof(void *), cudaMemcpyHostToDevice, stream));
	world.windows = windows;
	G500_TRY(boards.alloc(world.ranks));
	G500_TRY(cudaMemcpyAsync(boards.get(), known.boards, world.ranks * sizeof(void *), cudaMemcpyHostToDevice, stream));
	world.boards = boards;
	unsigned char *own = (unsigned char *)known.windows[world.rank];
	G500_TRY(cudaMemsetAsync(own, 0, world.at.bytes, stream));
	for (int i = 0; i < 2; i++) state.visited[i] = (u32 *)(own + world.at.visited[i]);
	if (many())
		G500_TRY(cudaMemcpyAsync(own + world.at.labels, columns.view.labels, columns.view.hubs * sizeof(u32), cudaMemcpyDeviceToDevice, stream));
	return cudaSuccess;
}

// Takes over how this rank reads the others' graphs, if levels are to be searched as a whole.
int g500_search::know_graphs(const g500_world &known, cudaStream_t stream) {
	if (!known.rows || exchange != G500_EXCHANGE_AUTO) return cudaSuccess;
	std::vector<Neighbour> all(world.ranks);
	for (u32 r = 0; r < world.ranks; r++) all[r] = {(const u64 *)known.rows[r], (const u32 *)known.cols[r], (const u32 *)known.hub_of[r]};
	G500_TRY(graphs.alloc(world.ranks));
	G500_TRY(degrees.alloc(G500_DEGREE_CLASSES));
	G500_TRY(cudaMemcpyAsync(graphs, all.data(), world.ranks * sizeof(Neighbour), cudaMemcpyHostToDevice, stream));
	G500_TRY(cudaMemcpyAsync(degrees, known.degrees, G500_DEGREE_CLASSES * sizeof(u32), cudaMemcpyHostToDevice, stream));
	G500_TRY(cudaStreamSynchronize(stream)); // before the list goes
	world.graphs = graphs;
	world.degrees = degrees;
	return cudaSuccess;
}

// Finds where pairs for each rank go, and where those from it come: in the windows of peers, on boards, or by way of the
// hosts. A rank may send the pairs of one round while those of the last are taken in, but for those that go by way of the
// hosts, which carry them when all have been.
int g500_search::find_boxes(const g500_world &known, cudaStream_t stream) {
	const u64 ranks = world.ranks;
	world.room = known.apart ? Office::pairs(ranks, world.shift) : world.capacity;
	const auto box = [&](u32 at_rank, u64 from) { return (u64 *)((unsigned char *)known.windows[at_rank] + world.at.inbox) + from * world.capacity; };
	const auto on_board = [&](u32 of_rank, u64 to) { return (u64 *)((unsigned char *)known.boards[of_rank] + world.board.boxes) + to * world.room; };
	std::vector<u64 *> out(2 * ranks), in(2 * ranks);
	std::vector<u64> turn(ranks); // from the box of even rounds to that of odd ones
	for (u32 r = 0; r < ranks; r++) {
		if (r == world.rank) continue;
		if (known.windows[r]) {
			out[r] = box(r, world.rank);
			in[r] = box(world.rank, r);
			turn[r] = ranks * world.capacity;
		} else if (known.boards[r]) {
			out[r] = on_board(world.rank, r);
			in[r] = on_board(r, world.rank);
			turn[r] = ranks * world.room;
		}
	}
	const Needs needs{world.ranks, world.rank, columns.view.padded / 64, std::max(world.room, part_bytes() / sizeof(u64))};
	if (const int code = office.open(known, needs, world.carried, out, in)) return code;
	for (u32 r = 0; r < ranks; r++) {
		out[ranks + r] = out[r] + turn[r];
		in[ranks + r] = in[r] + turn[r];
	}
	G500_TRY(outbox.alloc(2 * ranks));
	G500_TRY(inbox.alloc(2 * ranks));
	G500_TRY(listed.alloc(ranks));
	G500_TRY(cudaMemcpyAsync(outbox, out.data(), 2 * ranks * sizeof(u64 *), cudaMemcpyHostToDevice, stream));
	G500_TRY(cudaMemcpyAsync(inbox, in.data(), 2 * ranks * sizeof(u64 *), cudaMemcpyHostToDevice, stream));
	G500_TRY(cudaMemsetAsync(listed, 0, ranks * sizeof(u64), stream));
	world.outbox = outbox;
	world.inbox = inbox;
	world.listed = listed;
	G500_TRY(cudaStreamSynchronize(stream)); // before the lists go
	return wanted.open(known.ask, columns.view.padded / 32);
}

int g500_search::allocate(cudaStream_t stream) {
	const Columns &g = columns.view;
	const u64 padded = g.padded ? g.padded : kPad;
	const u64 tiles = (g.owned + kTile - 1) / kTile;
	// Each warp's list of missed vertices must hold all that the warp sweeps.
	const u64 warps = (u64)blocks * kThreads / 32;
	const u64 missed_length = ((padded / kPad + warps - 1) / warps) * kPad * warps;
	state.exchange = exchange;
	const u64 room = world.graphs ? std::max(padded, std::min((u64)world.ranks << world.shift, kWholeEdges)) : padded; // in a queue
	state.queue_limit = (u32)(exchange == G500_EXCHANGE_BINS ? padded : std::min(room, std::max(world.hubs / kBeta, (u64)kShortQueue)));
	state.high = (u32)(world.hubs / world.ranks / (many() ? kOwnShare : kHighShare)) / kGroup * kGroup;
	state.noted = many() ? (u32)std::min(world.hubs / world.ranks / kNotedShare, most_noted()) / kGroup * kGroup : 0;
	G500_TRY(offsets.alloc(state.queue_limit));
	state.offsets = offsets;
	for (int i = 0; i < 2; i++) {
		G500_TRY(queue[i].alloc(room));
		state.queue[i] = queue[i];
	}
	G500_TRY(marks.alloc(world.ranks * part_bytes() / sizeof(u32)));
	state.marks = marks;
	G500_TRY(by_other.alloc(padded / 32));
	G500_TRY(cudaMemsetAsync(by_other, 0, padded / 8, stream));
	G500_TRY(parent.alloc(padded));
	G500_TRY(missed.alloc(missed_length));
	G500_TRY(counters.alloc(kRing));
	G500_TRY(trace.alloc(kTraceLevels + 1)); // and the last pass
	G500_TRY(cudaMemsetAsync(trace, 0, (kTraceLevels + 1) * sizeof(g500_level), stream)); // its padding is copied too
	G500_TRY(handover.alloc(1));
	G500_TRY(cudaMemsetAsync(handover, 0, sizeof(Handover), stream));
	state.handover = handover;
	state.early = overlap && !attended;
	G500_TRY(clock.alloc(1));
	state.clock = clock;
	G500_TRY(trace_length.alloc(1));
	G500_TRY(cudaMemsetAsync(trace_length, 0, sizeof(u32), stream));
	G500_TRY(reached.alloc(padded / 32));
	G500_TRY(result.alloc(tiles * kTile));
	state.by_other = by_other;
	state.parent = parent;
	state.missed = missed;
	state.counters = counters;
	state.trace = trace;
	state.trace_length = trace_length;
	state.reached = reached;
	state.result = result;
	return cudaSuccess;
}

// Allocates what only a search on several ranks needs.
int g500_search::allocate_meeting(cudaStream_t stream) {
	const u64 padded = columns.view.padded ? columns.view.padded : kPad;
	G500_TRY(cudaHostAlloc((void **)&failure, sizeof *failure, cudaHostAllocMapped));
	*failure = 0;
	G500_TRY(fresh.alloc(padded / 32));
	G500_TRY(unresolved.alloc(padded / 32));
	G500_TRY(sent.alloc(2 * world.ranks));
	G500_TRY(pairs.alloc(2 * world.ranks));
	G500_TRY(meeting.alloc(1));
	G500_TRY(cudaMemsetAsync(meeting, 0, sizeof(Meeting), stream));
	state.fresh = fresh;
	world.unresolved = unresolved;
	world.sent = sent;
	world.pairs = pairs;
	world.meeting = meeting;
	world.failure = failure;
	return cudaSuccess;
}

// Launches the last pass so that it need not wait to be launched when the search ends.
int g500_search::launch_labels(u32 root, cudaStream_t stream) {
	if (columns.view.owned == 0) return cudaSuccess;
	cudaLaunchAttribute early;
	early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
	early.val.programmaticStreamSerializationAllowed = 1;
	cudaLaunchConfig_t config{};
	config.gridDim = (columns.view.owned + kTile - 1) / kTile;
	config.blockDim = kLabelThreads;
	config.stream = stream;
	config.attrs = &early;
	config.numAttrs = overlap;
	const bool here = root % world.ranks == world.rank;
	const u32 own_root = here ? root / world.ranks : kNone;
	G500_LAUNCH_BY("write_labels_kernel", cudaLaunchKernelEx(&config, write_labels_kernel, columns.view, state, own_root, root));
	return cudaSuccess;
}

extern "C" int g500_search_create(const g500_graph *graph, uint32_t sharers, int exchange, g500_search **out, void *stream) {
	*out = nullptr;
	if (graph->vertices >= kNone || sharers == 0) return cudaErrorInvalidValue;
	g500_search *s = new (std::nothrow) g500_search;
	if (!s) return cudaErrorMemoryAllocation;
	s->world.ranks = graph->ranks;
	s->world.rank = graph->rank;
	s->world.shift = graph->shift;
	s->world.base = graph->ranks > 1 ? graph->rank << graph->shift : 0;
	s->exchange = exchange;
	s->sharers = sharers;
	int code = s->columns.derive(*graph, (cudaStream_t)stream);
	if (!code) code = s->size_launch();
	if (code) {
		delete s;
		return code;
	}
	s->lay_out_window();
	*out = s;
	return cudaSuccess;
}

extern "C" void g500_search_free(g500_search *s) { delete s; }

extern "C" uint32_t *g500_search_first_neighbours(g500_search *s) { return s->columns.first_neighbours(); }

extern "C" uint64_t g500_search_window_bytes(const g500_search *s) { return s->world.at.bytes; }

extern "C" uint64_t g500_search_board_bytes(g500_search *s, uint32_t most) {
	s->lay_out_board(most);
	return s->world.board.bytes;
}

extern "C" int g500_search_census(const g500_search *s, uint64_t *vertices, uint64_t *edges, void *stream) {
	return count_degrees(s->columns.view, vertices, edges, (cudaStream_t)stream);
}

extern "C" int g500_search_connect(g500_search *s, const g500_world *known, void *stream) {
	int code = s->know_world(*known, (cudaStream_t)stream);
	if (!code && s->many()) code = s->know_graphs(*known, (cudaStream_t)stream);
	if (!code) code = s->allocate((cudaStream_t)stream);
	if (!code && s->many()) code = s->allocate_meeting((cudaStream_t)stream);
	if (!code && s->many()) code = s->find_boxes(*known, (cudaStream_t)stream);
	if (code) return code;
	G500_TRY(cudaStreamSynchronize((cudaStream_t)stream)); // what the caller brought may go
	return cudaSuccess;
}

// A search that needs the host must not be waited for before it is served.
extern "C" int g500_search_run(g500_search *s, uint32_t root, void *stream) {
	void *arguments[] = {&s->columns.view, &s->state, &s->world, &root};
	s->office.begin();
	s->watch.emplace("search_kernel");
	G500_TRY(cudaLaunchCooperativeKernel(s->kernel(), dim3(s->blocks), dim3(kThreads), arguments, s->shared_bytes(), (cudaStream_t)stream));
	if (s->office.serves()) return cudaSuccess;
	G500_TRY(s->watch->stop(cudaSuccess));
	if (s->attended) return cudaSuccess;
	return s->launch_labels(root, (cudaStream_t)stream);
}

extern "C" int g500_search_serve(g500_search *s, int answer, int *ready, void *stream) {
	if (answer != G500_NONE_YET) s->office.answer(answer == G500_CARRIED);
	const int code = s->office.await(ready, (cudaStream_t)stream);
	return code || *ready ? code : s->watch->stop(cudaSuccess);
}

extern "C" const g500_message *g500_search_letters(const g500_search *s) { return s->office.letters(); }

extern "C" const g500_message *g500_search_rooms(const g500_search *s) { return s->office.rooms(); }

extern "C" int g500_search_want(g500_search *s, uint32_t *count, void *stream) {
	return s->wanted.collect(s->unresolved, s->parent, count, (cudaStream_t)stream);
}

extern "C" uint32_t *g500_search_wanted(g500_search *s) { return s->wanted.positions; }

extern "C" int g500_search_settle(g500_search *s, uint32_t count, void *stream) { return s->wanted.settle(count, s->parent, (cudaStream_t)stream); }

extern "C" int g500_search_finish(g500_search *s, uint32_t root, void *stream) { return s->launch_labels(root, (cudaStream_t)stream); }

extern "C" int g500_search_failure(const g500_search *s) { return s->failure ? *(volatile int *)s->failure - 1 : -1; }

extern "C" const uint32_t *g500_search_parents(const g500_search *s) { return s->result; }

extern "C" int g500_search_trace(g500_search *s, g500_level *levels, int max, int *count, void *stream) {
	u32 length = 0;
	G500_TRY(cudaMemcpyAsync(&length, s->trace_length, sizeof length, cudaMemcpyDeviceToHost, (cudaStream_t)stream));
	G500_TRY(cudaStreamSynchronize((cudaStream_t)stream));
	*count = (int)length < max ? (int)length : max;
	G500_TRY(cudaMemcpyAsync(levels, s->trace, *count * sizeof(g500_level), cudaMemcpyDeviceToHost, (cudaStream_t)stream));
	G500_TRY(cudaStreamSynchronize((cudaStream_t)stream));
	return cudaSuccess;
}
