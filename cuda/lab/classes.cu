// Searches with vertices in classes (Toedling, Winter, Steinberger, 2019, section III-B).
#include "lab/classes.cuh"
#include "lab/runner.cuh"

namespace g500::lab {

// One level of a search by classes. With kSorted each new vertex goes into the queue of its class at once (immediate
// classification), else all go into one queue (deferred). Reads 4 B queue and two row offsets a vertex, a column and a
// status an edge; writes 4 B queue and the status for each new vertex. Races: filter.cuh.
template <Order kOrder>
__global__ void __launch_bounds__(kThreads) expand_classes_kernel(Level k, Classes in, Queue out) {
	G500_SHARED_MEMORY(memory);
	expand_classes_to<kOrder>(k, *reinterpret_cast<ExpandShared *>(memory), in, out);
}

// Deferred classification: a thread a vertex of the queue. Reads 4 B queue and two row offsets a vertex, writes 4 B
// into the queue of its class. No races: places are reserved by atomics.
__global__ void __launch_bounds__(kThreads) classify_kernel(Level k, Frontier in, Queue out) {
	G500_SHARED_MEMORY(memory);
	Appender<kSorted> append(k, reinterpret_cast<ExpandShared *>(memory)->append, out);
	for_tiles(in.size(), [&](u64 i, bool has) { append(has, has ? in.vertices[i] : kNone); });
	append.finish();
}

// The queues of classes lie one after the other.
Classes classes_at(const u32 *vertices, u64 room, const ull *counted) {
	Classes classes;
	for (int i = 0; i < kClasses; i++) classes.of[i] = {vertices + i * room, nullptr, room, counted + i};
	return classes;
}

// Each level begins with one queue, whose vertices go into four.
int search_deferred(g500_lab *lab) {
	Memory &m = lab->memory;
	const u64 room = lab->vertex_room();
	Counters *const counters = lab->counters;
	const Queue sorted = {m.vertices[1], nullptr, room, counters[1].queued};
	const Queue out = {m.vertices[0], nullptr, room, counters->queued};
	u64 n = 1;
	for (u32 depth = 1; n; depth++) {
		lab->begin_level();
		const Frontier in = {m.vertices[0], nullptr, n, nullptr};
		LAB_LAUNCH(lab, "classify_kernel", classify_kernel, lab->over(n), lab->level(depth), in, sorted);
		const Classes classes = classes_at(m.vertices[1], room, sorted.queued);
		LAB_LAUNCH(lab, "expand_classes_kernel", expand_classes_kernel<kPlain>, lab->over_all(), lab->level(depth), classes,
		           out);
		if (const int code = lab->end_level(n, false)) return code;
		n = lab->queued_within(room);
	}
	return cudaSuccess;
}

// Each level goes from four queues to four others. The root is in the first class, whatever its degree.
int search_immediate(g500_lab *lab) {
	Memory &m = lab->memory;
	const u64 room = lab->vertex_room();
	u64 counts[kClasses] = {1}, n = 1;
	for (u32 depth = 1; n; depth++) {
		lab->begin_level();
		Classes classes;
		for (int i = 0; i < kClasses; i++)
			classes.of[i] = {m.vertices[(depth - 1) % 2] + i * room, nullptr, counts[i], nullptr};
		const Queue out = {m.vertices[depth % 2], nullptr, room, lab->counters.get()->queued};
		const Launch how = counts[1] + counts[2] + counts[3] ? lab->over_all() : lab->over(n);
		LAB_LAUNCH(lab, "expand_classes_kernel", expand_classes_kernel<kSorted>, how, lab->level(depth), classes, out);
		if (const int code = lab->end_level(n, false)) return code;
		n = lab->queued_within(room);
		for (int i = 0; i < kClasses; i++) counts[i] = lab->seen->queued[i];
	}
	return cudaSuccess;
}

int search_by_classes(g500_lab *lab) {
	return lab->strategy.shape == kDeferredClasses ? search_deferred(lab) : search_immediate(lab);
}

} // namespace g500::lab
