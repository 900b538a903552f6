// The judge: the specification's five rules for a tree (section "Validation"), on the original edge tuples.

#include <new>

#include "judge.cuh"
#include "judge_levels.cuh"
#include "judge_tuples.cuh"

using namespace g500::judge;

// Memory: 8.7 bytes a label beside the tuples.
struct g500_judge {
	const g500_edge *edges;
	u64 count;
	u32 vertices;
	g500::Array<u64> up;     // by label: an ancestor (judge_levels.cuh)
	g500::Array<u32> narrow; // NarrowLevels
	g500::Array<u32> joined; // bitmap by label: a tuple joins it to its parent
	g500::Array<Tally> tally;
};

namespace {

// Trial is one tree before the judge.
struct Trial {
	g500_judge *judge;
	u32 root;
	const u32 *parents;
	cudaStream_t stream;
	Tally tally; // as last fetched

	u32 label_blocks() const { return g500::blocks_for(judge->vertices, kLabelsPerBlock); }
	// At least one, which may have nothing to do: a launch without blocks is an error.
	u32 tuple_blocks() const { return judge->count ? g500::blocks_for(judge->count, kTuplesPerBlock) : 1; }
};

// Waits for the kernels launched so far, and fetches what they have found.
int fetch(Trial &t) {
	G500_TRY(cudaMemcpyAsync(&t.tally, t.judge->tally.get(), sizeof t.tally, cudaMemcpyDeviceToHost, t.stream));
	G500_TRY(cudaStreamSynchronize(t.stream));
	return cudaSuccess;
}

// The first broken rule found so far, 0 if none is.
int broken_rule(const Tally &tally) {
	for (int rule = 1; rule < kRules; rule++) {
		if (tally.worst[rule] != kNoOffence) return rule;
	}
	return 0;
}

// Clears the tally: no offence, all counts zero.
int clear_tally(Trial &t) {
	Tally *tally = t.judge->tally;
	G500_TRY(cudaMemsetAsync(tally, 0, sizeof *tally, t.stream));
	G500_TRY(cudaMemsetAsync(tally->worst, 0xff, sizeof tally->worst, t.stream));
	return cudaSuccess;
}

// Takes over the parents.
int enter(Trial &t) {
	G500_LAUNCH(enter_kernel<<<t.label_blocks(), kThreads, 0, t.stream>>>(
		t.parents, t.judge->vertices, t.root, t.judge->up, t.judge->tally));
	return fetch(t);
}

// One round of pointer doubling.
int climb_once(Trial &t) {
	Tally *tally = t.judge->tally;
	G500_TRY(cudaMemsetAsync(&tally->open, 0, sizeof tally->open, t.stream));
	G500_LAUNCH(climb_kernel<<<t.label_blocks(), kThreads, 0, t.stream>>>(t.judge->vertices, t.root, t.judge->up, tally));
	return fetch(t);
}

// Climbs until every vertex has come to the root, or is known never to. After the r-th round an open vertex knows an
// ancestor at least 2^r steps away; in a tree none is farther than the number of vertices.
int climb(Trial &t) {
	for (u64 known = 1; t.tally.open > 0 && known < t.judge->vertices; known *= 2) {
		if (const int code = climb_once(t)) return code;
		if (broken_rule(t.tally)) return cudaSuccess;
	}
	if (t.tally.open == 0) return cudaSuccess;
	G500_LAUNCH(find_stuck_kernel<<<t.label_blocks(), kThreads, 0, t.stream>>>(
		t.parents, t.judge->vertices, t.root, t.judge->up, t.judge->tally));
	return fetch(t);
}

// Packs the levels as narrow as they should be.
int pack_levels(Trial &t) {
	const u32 words = g500::blocks_for(t.judge->vertices, NarrowLevels::kLabelsPerWord);
	G500_LAUNCH(pack_levels_kernel<<<g500::blocks_for(words, kLabelsPerBlock), kThreads, 0, t.stream>>>(
		t.judge->vertices, t.judge->up, t.judge->narrow, t.judge->tally));
	return fetch(t);
}

// Judges the tree against the tuples, and counts.
int check_tuples(Trial &t) {
	const g500_judge &j = *t.judge;
	const u64 bitmap = ((u64)j.vertices + 31) / 32 * sizeof(u32);
	G500_TRY(cudaMemsetAsync(j.joined.get(), 0, bitmap, t.stream));
	if (t.tally.deepest <= NarrowLevels::kDeepest) {
		G500_LAUNCH(check_tuples_kernel<<<t.tuple_blocks(), kThreads, 0, t.stream>>>(j.edges, j.count, NarrowLevels{j.narrow},
		                                                                            t.parents, j.joined, j.tally));
	} else {
		G500_LAUNCH(check_tuples_kernel<<<t.tuple_blocks(), kThreads, 0, t.stream>>>(j.edges, j.count, WideLevels{j.up},
		                                                                            t.parents, j.joined, j.tally));
	}
	G500_LAUNCH(check_joined_kernel<<<t.label_blocks(), kThreads, 0, t.stream>>>(t.parents, j.vertices, t.root, j.joined, j.tally));
	return fetch(t);
}

// Goes through the rules in order, and stops at the first step that finds one broken: the next would make no sense.
int judge_tree(Trial &t) {
	for (int (*step)(Trial &) : {clear_tally, enter, climb, pack_levels, check_tuples}) {
		if (const int code = step(t)) return code;
		if (broken_rule(t.tally)) break;
	}
	return cudaSuccess;
}

// A broken rule tells where; counts are those of a right tree only.
g500_verdict verdict(const Tally &tally) {
	g500_verdict v = {};
	v.rule = broken_rule(tally);
	if (v.rule) {
		v.u = tally.worst[v.rule] >> 32;
		v.v = tally.worst[v.rule] & 0xffffffffu;
		return v;
	}
	v.edges = tally.edges;
	v.loops = tally.loops;
	v.reached = tally.reached;
	v.levels = (u32)tally.deepest + 1;
	return v;
}

// No tally has been fetched yet.
Tally blank() {
	Tally tally = {};
	for (ull &worst : tally.worst) worst = kNoOffence;
	return tally;
}

// Allocates what all trees share, and checks that the labels of all tuples are vertices.
int prepare(g500_judge *j, cudaStream_t stream) {
	G500_TRY(j->up.alloc(j->vertices));
	G500_TRY(j->narrow.alloc(((u64)j->vertices + NarrowLevels::kLabelsPerWord - 1) / NarrowLevels::kLabelsPerWord));
	G500_TRY(j->joined.alloc(((u64)j->vertices + 31) / 32));
	G500_TRY(j->tally.alloc(1));
	Trial t = {j, 0, nullptr, stream, blank()};
	if (const int code = clear_tally(t)) return code;
	G500_LAUNCH(check_labels_kernel<<<t.tuple_blocks(), kThreads, 0, stream>>>(j->edges, j->count, j->vertices, j->tally));
	if (const int code = fetch(t)) return code;
	return t.tally.worst[0] == kNoOffence ? cudaSuccess : cudaErrorInvalidValue;
}

} // namespace

extern "C" int g500_judge_create(const g500_edge *d_edges, uint64_t count, uint64_t vertices, g500_judge **judge, void *stream) {
	*judge = nullptr;
	if (vertices == 0 || vertices > kNone) return cudaErrorInvalidValue;
	g500_judge *j = new (std::nothrow) g500_judge{d_edges, count, (u32)vertices, {}, {}, {}, {}};
	if (j == nullptr) return cudaErrorMemoryAllocation;
	if (const int code = prepare(j, (cudaStream_t)stream)) {
		delete j;
		return code;
	}
	*judge = j;
	return cudaSuccess;
}

extern "C" void g500_judge_free(g500_judge *judge) { delete judge; }

extern "C" int g500_judge_tree(g500_judge *judge, uint64_t root, const uint32_t *d_parents, g500_verdict *verdict_out, void *stream) {
	if (root >= judge->vertices) return cudaErrorInvalidValue;
	Trial trial = {judge, (u32)root, d_parents, (cudaStream_t)stream, blank()};
	if (const int code = judge_tree(trial)) return code;
	*verdict_out = verdict(trial.tally);
	return cudaSuccess;
}
