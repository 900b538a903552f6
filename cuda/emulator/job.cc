#include "job.h"

#include <tuple>

#include "search/kernel.cuh"
#include "search/office.cuh"

namespace g500 {

// Only ranks that are no peers send messages.
u64 Office::pairs(u64, u32) { return 0; }

} // namespace g500

namespace emulator {

constexpr u64 kPatience = 60'000'000'000;

Job::Job(const Graph &graph, u32 ranks, int exchange, u32 blocks) : graph(graph), blocks(blocks), hub(graph.labels(), kNone) {
	for (u32 r = 0; r < ranks; r++) shares.push_back(std::make_unique<Share>());
	order_hubs();
	for (u32 r = 0; r < ranks; r++) {
		lay_out(r);
		SearchStore &store = shares[r]->store;
		store.world.ranks = ranks;
		store.world.rank = r;
		store.world.shift = shift;
		store.world.base = position(r, 0);
		store.exchange = exchange;
		lift_columns(*shares[r], r);
		store.lay_out_window();
	}
	connect();
}

// Gives each rank's vertices with an edge their hub ids, by falling degree.
void Job::order_hubs() {
	for (u32 v = 0; v < graph.labels(); v++) {
		shares[rank_of(v)]->hub_of.push_back(kNone);
		if (!graph.neighbours[v].empty()) shares[rank_of(v)]->labels.push_back(v);
	}
	u32 most = 0;
	for (auto &share : shares) {
		std::stable_sort(share->labels.begin(), share->labels.end(), [&](u32 a, u32 b) { return graph.neighbours[a].size() > graph.neighbours[b].size(); });
		for (u32 h = 0; h < share->labels.size(); h++) share->hub_of[share->labels[h] / shares.size()] = hub[share->labels[h]] = h;
		most = std::max(most, (u32)share->labels.size());
	}
	if (shares.size() == 1) return;
	for (shift = 8; 1u << shift < (most + kPad - 1) / kPad * kPad;) shift++;
}

// Lays out a rank's rows: neighbours by hub id, then rank.
void Job::lay_out(u32 rank) {
	Share &share = *shares[rank];
	for (u32 v : share.labels) {
		std::vector<u32> row(graph.neighbours[v].begin(), graph.neighbours[v].end());
		std::sort(row.begin(), row.end(), [&](u32 a, u32 b) { return std::make_tuple(hub[a], rank_of(a)) < std::make_tuple(hub[b], rank_of(b)); });
		for (u32 u : row) share.cols.push_back(position(rank_of(u), hub[u]));
		share.rows.push_back(share.cols.size());
	}
}

void Job::lift_columns(Share &share, u32 rank) {
	Columns &g = share.store.columns.view;
	g.hubs = (u32)share.labels.size();
	g.padded = (g.hubs + kPad - 1) / kPad * kPad;
	g.edges = share.cols.size();
	g.owned = (u32)share.hub_of.size();
	share.first.assign(g.padded, kNone);
	share.next4.assign(g.padded, make_uint4(kNone, kNone, kNone, kNone));
	for (u32 h = 0; h < g.hubs; h++) {
		const auto neighbour = [&](u64 k) { return share.rows[h] + k < share.rows[h + 1] ? share.cols[share.rows[h] + k] : kNone; };
		share.first[h] = neighbour(0);
		share.next4[h] = make_uint4(neighbour(1), neighbour(2), neighbour(3), neighbour(4));
		if (neighbour(1) != kNone) g.many = h + 1;
	}
	g.rows = share.rows.data();
	g.cols = share.cols.data();
	g.labels = share.labels.data();
	g.hub_of = share.hub_of.data();
	g.first = share.first.data();
	g.next4 = share.next4.data();
}

// Tells the searches of each other, as the Go side does. All ranks are peers, and know all labels.
void Job::connect() {
	const u32 ranks = (u32)shares.size();
	std::vector<void *> windows, boards(ranks), rows, cols, hub_of;
	std::vector<u32> vertices, degrees;
	g500_world known{};
	for (auto &share : shares) known.most = std::max(known.most, share->store.columns.view.hubs);
	known.prefix = std::max(known.most, 1u);
	for (auto &share : shares) {
		const Columns &g = share->store.columns.view;
		known.hubs += g.hubs;
		known.edges += g.edges;
		share->window.resize(share->store.world.at.bytes);
		windows.push_back(share->window.data());
		rows.push_back(share->rows.data());
		cols.push_back(share->cols.data());
		hub_of.push_back(share->hub_of.data());
		vertices.push_back(g.hubs);
		labels.insert(labels.end(), share->labels.begin(), share->labels.end());
		labels.resize(labels.size() + known.prefix - g.hubs);
	}
	for (u32 number = 0; number < G500_DEGREE_CLASSES; number++) {
		u64 in = 0, edges = 0;
		for (auto &share : shares) {
			const u64 hubs = share->store.columns.view.hubs, begin = min(first_of_class(number), hubs), end = min(first_of_class(number + 1), hubs);
			in += end - begin;
			edges += share->rows[end] - share->rows[begin];
		}
		degrees.push_back(in ? (u32)(16 * edges / in) : 0);
	}
	known.d_labels = labels.data();
	known.windows = windows.data();
	known.boards = boards.data();
	known.patience = kPatience;
	if (ranks > 1) {
		known.rows = rows.data();
		known.cols = cols.data();
		known.hub_of = hub_of.data();
		known.vertices = vertices.data();
		known.degrees = degrees.data();
	}
	for (u32 r = 0; r < ranks; r++) {
		SearchStore &store = shares[r]->store;
		store.know_world(known, nullptr);
		store.allocate(blocks, nullptr);
		find_boxes(r);
		store.find_firsts(known, nullptr);
	}
}

// Pairs go straight into the windows of peers.
void Job::find_boxes(u32 rank) {
	const u32 ranks = (u32)shares.size();
	World &world = shares[rank]->store.world;
	const u64 turn = ranks * world.capacity;
	world.room = world.capacity;
	const auto box = [&](u32 at, u32 from) { return (u64 *)(shares[at]->window.data() + world.at.inbox) + from * world.capacity; };
	Share &share = *shares[rank];
	share.outbox.resize(2 * ranks);
	share.inbox.resize(2 * ranks);
	for (u32 r = 0; r < ranks && ranks > 1; r++)
		for (u32 odd = 0; odd < 2; odd++) {
			share.outbox[odd * ranks + r] = box(r, rank) + odd * turn;
			share.inbox[odd * ranks + r] = box(rank, r) + odd * turn;
		}
	world.outbox = share.outbox.data();
	world.inbox = share.inbox.data();
	share.listed.alloc(ranks);
	world.listed = share.listed;
}

void Job::search(u32 root) {
	std::vector<Grid> grids;
	const bool many = shares.size() > 1;
	for (auto &share : shares) {
		const SearchStore &s = share->store;
		const auto body = [&s, root, many] { (many ? search_kernel<true> : search_kernel<false>)(s.columns.view, s.state, s.world, root); };
		grids.push_back({blocks, (u32)kThreads, many ? Search<true>::bytes((u32)shares.size()) : Search<false>::bytes(1), body});
	}
	run(grids);
}

u32 Job::parent(u32 label, u32 root) const {
	const Share &share = *shares[rank_of(label)];
	const u32 v = hub[label];
	if (v == kNone) return label == root ? root : kNone; // as the last pass has it
	const uint2 reached = share.store.state.reached[word_of(v)];
	if (!(reached.x >> bit_of(v) & 1)) return kNone;
	return reached.y >> bit_of(v) & 1 ? share.store.state.parent[v] : label_of(share.first[v]);
}

bool Job::is_first(u32 rank, u64 edge) const { return shares[rank]->store.state.firsts[edge / 32] >> edge % 32 & 1; }

} // namespace emulator
