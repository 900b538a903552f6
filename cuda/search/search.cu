// Kernel 2: direction-optimizing breadth-first search in one cooperative launch a rank; levels are separated by barriers
// on the devices, and every decision is taken there.
#include <algorithm>
#include <new>
#include <optional>
#include <vector>

#include "common/check.cuh"
#include "search/search.cuh"
#include "search/columns.cuh"
#include "search/degrees.cuh"
#include "search/kernel.cuh"
#include "search/labels.cuh"
#include "search/office.cuh"
#include "search/store.cuh"
#include "search/wanted.cuh"

using namespace g500;

struct g500_search : SearchStore {
	int blocks = 0;
	u32 sharers = 1;
	Array<u64 *> outbox, inbox;
	Array<u64> listed;
	Office office;
	Wanted wanted;
	std::optional<Stopwatch> watch; // of a search that the host attends to

	const void *kernel() const { return many() ? (const void *)search_kernel<true> : (const void *)search_kernel<false>; }
	u64 shared_bytes() const { return many() ? Search<true>::bytes(world.ranks) : Search<false>::bytes(1); }
	int size_launch();
	int find_boxes(const g500_world &known, cudaStream_t stream);
	int launch_labels(u32 root, cudaStream_t stream);
};

// Ranks that share the device must find room on it at the same time. What shared memory a multiprocessor does not need is cache.
int g500_search::size_launch() {
	int device, processors, per_processor, memory, reserved, major;
	const u64 shared = shared_bytes();
	G500_TRY(cudaGetDevice(&device));
	G500_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
	G500_TRY(cudaFuncSetAttribute(kernel(), cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
	G500_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, kernel(), kThreads, shared));
	G500_TRY(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
	per_processor = std::min(per_processor, kBlocks);
	G500_TRY(cudaDeviceGetAttribute(&memory, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device));
	G500_TRY(cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, device));
	const int percent = (int)((per_processor * (shared + reserved) * 100 + memory - 1) / memory);
	G500_TRY(cudaFuncSetAttribute(kernel(), cudaFuncAttributePreferredSharedMemoryCarveout, percent));
	blocks = processors * per_processor / (int)sharers;
	overlap = major >= 9 && sharers == 1;
	return blocks > 0 ? cudaSuccess : cudaErrorLaunchOutOfResources;
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
	if (!code) code = s->allocate(s->blocks, (cudaStream_t)stream);
	if (!code && s->many()) code = s->find_boxes(*known, (cudaStream_t)stream);
	if (!code) code = s->find_firsts(*known, (cudaStream_t)stream);
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
	return s->wanted.collect(s->world.unresolved, s->state.parent, count, (cudaStream_t)stream);
}

extern "C" uint32_t *g500_search_wanted(g500_search *s) { return s->wanted.positions; }

extern "C" int g500_search_settle(g500_search *s, uint32_t count, void *stream) { return s->wanted.settle(count, s->state.parent, (cudaStream_t)stream); }

extern "C" int g500_search_finish(g500_search *s, uint32_t root, void *stream) { return s->launch_labels(root, (cudaStream_t)stream); }

extern "C" int g500_search_failure(const g500_search *s) { return s->failure ? *(volatile int *)s->failure - 1 : -1; }

extern "C" const uint32_t *g500_search_firsts(const g500_search *s) { return s->state.firsts; }

extern "C" const uint32_t *g500_search_parents(const g500_search *s) { return s->state.result; }

extern "C" int g500_search_trace(g500_search *s, g500_level *levels, int max, int *count, void *stream) {
	u32 length = 0;
	G500_TRY(cudaMemcpyAsync(&length, s->state.trace_length, sizeof length, cudaMemcpyDeviceToHost, (cudaStream_t)stream));
	G500_TRY(cudaStreamSynchronize((cudaStream_t)stream));
	*count = (int)length < max ? (int)length : max;
	G500_TRY(cudaMemcpyAsync(levels, s->state.trace, *count * sizeof(g500_level), cudaMemcpyDeviceToHost, (cudaStream_t)stream));
	G500_TRY(cudaStreamSynchronize((cudaStream_t)stream));
	if (s->columns.view.owned == 0 && *count < max) levels[(*count)++] = {2}; // the last pass of a rank without a label
	return cudaSuccess;
}
