// The memory of one rank's searches: what is allocated, where peers find what in it, and what is told of them.
#include <algorithm>
#include <vector>

#include "search/firsts.cuh"
#include "search/office.cuh"
#include "search/rule.cuh"
#include "search/store.cuh"

namespace g500 {

namespace {

constexpr ull kNotes = 1 << 26; // parents that are noted for other ranks' vertices, 256 MiB
constexpr u64 kInboxPairs = 1 << 26; // that an inbox has room for in a round, 512 MiB
constexpr u64 kMostPairs = 1 << 23;  // from one rank

// Takes part of a run of memory that ends at end so far. Returns where it begins.
u64 take_part(u64 &end, u64 bytes) {
	const u64 begin = end;
	end += (bytes + 255) / 256 * 256;
	return begin;
}

} // namespace

u64 SearchStore::most_noted() const { return std::min((1ull << world.shift) / kNotedShare, kNotes / world.ranks) / kGroup * kGroup; }

void SearchStore::lay_out_window() {
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
void SearchStore::lay_out_board(u32 most) {
	const u64 ranks = world.ranks, groups = (most + kPad - 1) / kPad * (kPad / kGroup);
	u64 end = 0;
	world.board.mail = take_part(end, 2 * ranks * kNews * sizeof(u64));
	for (u64 &places : world.board.places) places = take_part(end, groups * sizeof(u32));
	for (u64 &words : world.board.groups) words = take_part(end, groups * sizeof(uint4));
	world.board.boxes = take_part(end, 2 * ranks * Office::pairs(ranks, world.shift) * sizeof(u64));
	world.board.bytes = end;
}

int SearchStore::know_world(const g500_world &known, cudaStream_t stream) {
	world.hubs = known.hubs;
	world.edges = known.edges;
	world.groups = (known.most + kPad - 1) / kPad * (kPad / kGroup);
	world.prefix = known.prefix;
	world.labels = known.d_labels;
	world.patience = known.patience;
	world.apart = known.apart;
	world.alpha = known.carried ? kAlphaCarried : known.apart ? kAlphaShared : kAlpha;
	attended = known.carried || known.ask > 0;
	for (u32 r = 0; r < world.ranks; r++) world.readers += r != world.rank && known.boards[r];
	G500_TRY(windows.alloc(world.ranks));
	G500_TRY(cudaMemcpyAsync(windows.get(), known.windows, world.ranks * sizeof(void *), cudaMemcpyHostToDevice, stream));
	world.windows = windows;
	G500_TRY(boards.alloc(world.ranks));
	G500_TRY(cudaMemcpyAsync(boards.get(), known.boards, world.ranks * sizeof(void *), cudaMemcpyHostToDevice, stream));
	world.boards = boards;
	unsigned char *own = (unsigned char *)known.windows[world.rank];
	world.window = own;
	G500_TRY(cudaMemsetAsync(own, 0, world.at.bytes, stream));
	for (int i = 0; i < 2; i++) state.visited[i] = (u32 *)(own + world.at.visited[i]);
	if (many())
		G500_TRY(cudaMemcpyAsync(own + world.at.labels, columns.view.labels, columns.view.hubs * sizeof(u32), cudaMemcpyDeviceToDevice, stream));
	return many() ? know_graphs(known, stream) : cudaSuccess;
}

// Takes over how this rank reads the others' graphs, if levels are to be searched as a whole.
int SearchStore::know_graphs(const g500_world &known, cudaStream_t stream) {
	if (!known.rows || exchange != G500_EXCHANGE_AUTO) return cudaSuccess;
	std::vector<Neighbour> all(world.ranks);
	for (u32 r = 0; r < world.ranks; r++) all[r] = {(const u64 *)known.rows[r], (const u32 *)known.cols[r], (const u32 *)known.hub_of[r]};
	G500_TRY(graphs.alloc(world.ranks));
	G500_TRY(degrees.alloc(G500_DEGREE_CLASSES));
	G500_TRY(cudaMemcpyAsync(graphs, all.data(), world.ranks * sizeof(Neighbour), cudaMemcpyHostToDevice, stream));
	G500_TRY(cudaMemcpyAsync(degrees, known.degrees, G500_DEGREE_CLASSES * sizeof(u32), cudaMemcpyHostToDevice, stream));
	G500_TRY(cudaStreamSynchronize(stream)); // before the list goes
	world.graphs = graphs;
	world.whole = std::max(kWholeEdges, world.hubs / world.ranks);
	world.degrees = degrees;
	return cudaSuccess;
}

int SearchStore::allocate(u64 blocks, cudaStream_t stream) {
	const Columns &g = columns.view;
	const u64 padded = g.padded ? g.padded : kPad;
	const u64 tiles = (g.owned + kTile - 1) / kTile;
	// Each warp's list of missed vertices must hold all that the warp sweeps, and all lists together the first neighbours of
	// any rank's vertices.
	const u64 warps = blocks * kThreads / 32;
	const u64 missed_length = std::max(((padded / kPad + warps - 1) / warps) * kPad * warps, (u64)world.groups * kGroup);
	state.exchange = exchange;
	const u64 room = world.graphs ? std::max(padded, std::min((u64)world.ranks << world.shift, world.whole)) : padded; // in a queue
	state.queue_limit = (u32)(exchange == G500_EXCHANGE_BINS ? padded : std::min(room, std::max(world.hubs / kBeta, (u64)kShortQueue)));
	const u64 hubs = world.hubs / world.ranks;
	state.high = (u32)(many() ? hubs / kOwnShare : std::min(hubs / kHighShare, kMostHigh)) / kGroup * kGroup;
	state.noted = many() ? (u32)std::min(hubs / kNotedShare, most_noted()) / kGroup * kGroup : 0;
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
	G500_TRY(meeting.alloc(1));
	G500_TRY(cudaMemsetAsync(meeting, 0, sizeof(Meeting), stream));
	world.meeting = meeting;
	return many() ? allocate_for_many(stream) : cudaSuccess;
}

int SearchStore::find_firsts(const g500_world &known, cudaStream_t stream) {
	if (exchange == G500_EXCHANGE_BINS || known.apart || columns.view.edges == 0) return cudaSuccess;
	G500_TRY(firsts.alloc((columns.view.edges + 31) / 32));
	state.firsts = firsts;
	return g500::find_firsts(columns.view, world, known, missed, firsts, stream);
}

// Allocates what only a search on several ranks needs.
int SearchStore::allocate_for_many(cudaStream_t stream) {
	const u64 padded = columns.view.padded ? columns.view.padded : kPad;
	G500_TRY(cudaHostAlloc((void **)&failure, sizeof *failure, cudaHostAllocMapped));
	*failure = 0;
	G500_TRY(fresh.alloc(padded / 32));
	G500_TRY(unresolved.alloc(padded / 32));
	G500_TRY(sent.alloc(2 * world.ranks));
	state.fresh = fresh;
	world.unresolved = unresolved;
	world.sent = sent;
	world.failure = failure;
	return cudaSuccess;
}

} // namespace g500
