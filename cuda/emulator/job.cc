// SPDX-License-Identifier: Apache-2.0

#include "job.h"

#include <algorithm>
#include <cstdio>

#include "common/packed_row.cuh"
#include "cuda_runtime.h"

namespace emulator {

namespace {

constexpr uint32_t kDeferredAtATime = 8;

void free_window(unsigned char *at) { cudaFree(at); }

unsigned char *allocate_window(uint64_t bytes) {
	unsigned char *at;
	cudaMalloc(&at, bytes);
	cudaMemsetAsync(at, 0, bytes, nullptr);
	return at;
}

int64_t parent32(uint32_t parent) { return parent == 0xffffffff ? kNoParent : parent; }

} // namespace

Window::Window(uint64_t bytes) : at(allocate_window(bytes), free_window) {}

Job::Job(const Shares &built, const Form &form, uint32_t result_bits, const g500_policy &policy)
	: form(form), result_bits(result_bits), shares(built.of.size()), first_leaf(built.of[0].first_leaf) {
	for (uint32_t r = 0; r < count(); r++) {
		shares[r].graph = built.of[r];
		most = std::max(most, built.of[r].non_isolated);
	}
	for (uint32_t r = 0; r < count(); r++) create(r, policy);
	connect();
	if (form.far && !make_exchanges(&g500_search_prepare, G500_PREPARED)) printf("no neighbours of hubs\n");
}

uint32_t Job::non_leaf(uint32_t rank) const { return std::min(shares[rank].graph.non_isolated, first_leaf); }

uint32_t Job::label_at(uint32_t global_id) const {
	const uint32_t shift = shares[0].graph.shift;
	return shares[global_id >> shift].graph.labels[global_id & ((1u << shift) - 1)];
}

// Replaces the words of global ids by the words of labels.
void Job::look_up(g500_global_ids global_ids, uint64_t n) const {
	for (uint64_t i = 0; i < n; i++) {
		uint32_t &word = global_ids.words[i];
		if (word == kNoId32) continue;
		word = global_ids.ranks ? shares[global_ids.ranks[i]].graph.labels[word] : label_at(word);
	}
}

// Creates a rank's search and stores the labels of first neighbours, as the Go code does.
void Job::create(uint32_t rank, const g500_policy &policy) {
	Share &share = shares[rank];
	const g500_search_options options{1, result_bits, form.exchange, policy};
	g500_searching *search;
	g500_search_create(&share.graph, &options, &search, stream(rank));
	share.search.reset(search);
	cudaStreamSynchronize(stream(rank));
	look_up(g500_search_first_neighbours(search), share.graph.non_isolated);
	share.window.emplace(g500_search_window_bytes(search, form.far));
}

// Connects the searches, as the Go code does.
void Job::connect() {
	if (form.knows_labels || count() == 1) known = std::max(most, 1u);
	std::vector<uint64_t> vertices(G500_DEGREE_CLASSES), edges(G500_DEGREE_CLASSES);
	std::vector<void *> arrays[4];
	for (const Share &share : shares) chunks = std::max(chunks, g500_packed_chunks(&share.graph));
	for (uint32_t r = 0; r < count(); r++) {
		Share &share = shares[r];
		for (uint32_t h = 0; h < known; h++) labels.push_back(h < share.graph.non_isolated ? share.graph.labels[h] : 0);
		arrays[0].push_back(share.graph.rows);
		arrays[1].push_back(share.graph.cols);
		arrays[2].push_back(share.graph.local_ids);
		arrays[3].push_back(packed_elsewhere(r));
		std::vector<uint64_t> own_vertices(G500_DEGREE_CLASSES), own_edges(G500_DEGREE_CLASSES);
		g500_search_degrees(share.search.get(), own_vertices.data(), own_edges.data(), stream(r));
		for (int c = 0; c < G500_DEGREE_CLASSES; c++) vertices[c] += own_vertices[c], edges[c] += own_edges[c];
		for (uint32_t other = 0; other < count(); other++)
			share.windows.push_back(other == r || !form.far ? shares[other].window->data() : nullptr);
	}
	for (int c = 0; c < G500_DEGREE_CLASSES; c++)
		degrees.push_back(vertices[c] ? (uint32_t)(16 * edges[c] / vertices[c]) : 0);
	for (uint32_t r = 0; r < count(); r++) {
		const g500_ranks ranks = known_to(r, arrays);
		g500_search_connect(shares[r].search.get(), &ranks, stream(r));
	}
}

// Returns the addresses of a rank's packed rows, as if its memory were elsewhere at peers, each chunk in another place:
// addresses without the moves lead to no memory.
uint64_t *Job::packed_elsewhere(uint32_t rank) {
	const g500_graph &graph = shares[rank].graph;
	for (uint32_t i = 0; i < chunks; i++) moves.push_back((1ull << 45) + (rank * chunks + i) * 4096ull);
	if (!graph.packed) return nullptr;
	std::vector<uint64_t> &there = packed.emplace_back(graph.packed, graph.packed + graph.non_isolated);
	for (uint64_t &address : there) address -= moves.at(rank * chunks + (address >> g500::kAddressBits));
	return there.data();
}

g500_ranks Job::known_to(uint32_t rank, const std::vector<void *> (&arrays)[4]) const {
	g500_ranks ranks{};
	for (uint32_t r = 0; r < count(); r++) {
		ranks.non_leaf += non_leaf(r);
		ranks.edges += shares[r].graph.rows[non_leaf(r)];
	}
	ranks.most_non_leaf = std::min(most, first_leaf);
	ranks.known = known;
	ranks.d_labels = labels.data();
	ranks.windows = shares[rank].windows.data();
	ranks.far = form.far;
	ranks.most_reported = form.most_reported;
	ranks.most_parts = form.most_parts;
	ranks.deferred = form.far && known < most ? kDeferredAtATime : 0;
	if (form.far) ranks.degrees = degrees.data();
	if (count() == 1 || form.far) return ranks;
	ranks.rows = arrays[0].data();
	ranks.cols = arrays[1].data();
	ranks.local_ids = arrays[2].data();
	ranks.packed = arrays[3].data();
	ranks.chunks = chunks;
	ranks.moves = moves.data();
	ranks.degrees = degrees.data();
	return ranks;
}

// Searches from odd roots are pre-launched; every other pre-launch is cancelled first, and launched like those from
// even roots.
bool Job::search(uint32_t root) {
	for (uint32_t r = 0; r < count(); r++)
		for (uint32_t times = 0; times < root % 2 * 2; times++) // the second call does nothing
			if (g500_searching_prelaunch(shares[r].search.get(), stream(r))) return false;
	for (uint32_t r = 0; r < count(); r++)
		if (root % 4 == 3 && g500_searching_cancel_prelaunch(shares[r].search.get())) return false;
	fewest = ~0ull;
	const auto begin = [&](g500_searching *s, g500_wanted *wanted, void *on) {
		return g500_searching_begin(s, root, wanted, on);
	};
	if (form.far && !make_exchanges(begin, G500_SEARCH_DONE)) return false;
	for (uint32_t r = 0; r < count() && !form.far; r++)
		if (g500_searching_run(shares[r].search.get(), root, stream(r))) return false;
	bool ended = true;
	for (uint32_t r = 0; r < count(); r++) ended &= !g500_searching_await(shares[r].search.get(), stream(r));
	if (!ended) return false;
	if (form.far && known < most) {
		if (!store_deferred()) return false;
		for (uint32_t r = 0; r < count(); r++)
			if (g500_search_write_result(shares[r].search.get(), root, stream(r))) return false;
	}
	for (uint32_t r = 0; r < count(); r++) cudaStreamSynchronize(stream(r));
	return true;
}

// Makes the exchanges that searches want after `begin`, until they are done.
template <typename Begin>
bool Job::make_exchanges(Begin begin, int until) {
	std::vector<g500_wanted> wanted(count());
	for (uint32_t r = 0; r < count(); r++)
		if (begin(shares[r].search.get(), &wanted[r], stream(r))) return false;
	while (wanted[0].kind != until)
		if (!make_exchange(wanted) || !continue_far(wanted)) return false;
	return true;
}

// Continues the searches after an exchange, until they want another one or are done.
bool Job::continue_far(std::vector<g500_wanted> &wanted) {
	bool same = true;
	for (uint32_t r = 0; r < count(); r++) {
		int code;
		do code = g500_searching_next(shares[r].search.get(), &wanted[r], stream(r));
		while (code == 0 && wanted[r].kind == G500_WANTS_TIME);
		same &= code == 0 && wanted[r].kind == wanted[0].kind;
	}
	return same;
}

bool Job::make_exchange(const std::vector<g500_wanted> &wanted) {
	for (uint32_t r = 0; r < count(); r++) cudaStreamSynchronize(stream(r));
	for (uint32_t r = 0; left == 0 && r < count(); r++) g500_searching_fail(shares[r].search.get());
	if (left-- == 0) return false;
	for (uint32_t from = 0; from < count(); from++)
		for (uint32_t to = 0; to < count(); to++) {
			const g500_wanted &out = wanted[from], &in = wanted[to];
			if (out.kind == G500_WANTS_ALL_GATHER) {
				if (out.bytes != in.bytes) return false;
				fewest = std::min(fewest, out.bytes);
				memmove((char *)in.d_all + from * in.bytes, out.d_own, in.bytes);
				continue;
			}
			const uint64_t bytes = out.send_bytes[to];
			if (bytes != in.receive_bytes[from] || bytes > in.place) return false;
			memcpy((char *)in.d_receive + from * in.place, (const char *)out.d_send + to * out.place, bytes);
		}
	return true;
}

// Looks up deferred labels until none are left.
bool Job::store_deferred() {
	for (uint32_t some = 1; some;) {
		some = 0;
		for (uint32_t r = 0; r < count(); r++) {
			uint32_t n;
			g500_searching *search = shares[r].search.get();
			if (g500_search_deferred(search, &n, stream(r))) return false;
			look_up(g500_search_deferred_ids(search), n);
			if (g500_search_store_deferred(search, n, stream(r))) return false;
			some |= n;
		}
	}
	return true;
}

int64_t Job::parent(uint32_t label) const {
	const void *const parents = g500_search_parents(shares[rank_of(label)].search.get());
	const uint32_t place = label / count();
	return result_bits == 64 ? ((const int64_t *)parents)[place] : parent32(((const uint32_t *)parents)[place]);
}

std::vector<g500_level> Job::trace(uint32_t rank) const {
	std::vector<g500_level> levels(1024);
	int n = 0;
	g500_search_trace(shares[rank].search.get(), levels.data(), (int)levels.size(), &n, stream(rank));
	levels.resize(n);
	return levels;
}

} // namespace emulator
