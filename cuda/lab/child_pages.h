// SPDX-License-Identifier: Apache-2.0

// The requests of a child process on a graph in pages (child.cc, lab/pages/gpu.go). A batch changes edges and vertices,
// completely or not at all.
//
//   pages create BITS SPARE   puts the graph into pages of 1 << BITS columns
//   pages follow ROOT         keeps the levels of a search up to date from now on
//   pages batch N             followed by N updates; the answer has their effects
//   pages levels              the answer is followed by a word per vertex
//   pages rows                the answer is followed by the bytes of the offsets and of the columns, in rising order
//   pages search              searches follow by strategies in the pages, until the next batch
#pragma once

#include <algorithm>
#include <istream>

#include "common/check.cuh"
#include "lab/child.h"
#include "pages/pages.h"

namespace g500::child {

// Update is an update as Go writes it: of a directed edge, with a kind of pages.h, or of vertex u.
struct __attribute__((packed)) Update {
	uint8_t kind;
	uint32_t u, v;

	bool of_vertex() const { return kind > G500_PAGES_QUERY; }
	bool adds_vertex() const { return kind == G500_PAGES_QUERY + 1; }
};

// Effects are the changes by a batch; edges of removed vertices count only in the time.
struct Effects {
	g500_pages_totals edges;
	uint64_t added, removed, lost, level_nanoseconds;
};

// Paged is the graph in pages.
struct Paged {
	g500_pages *pages = nullptr;
	g500_levels *levels = nullptr; // null if they are not followed
	uint32_t root = 0;
	std::vector<uint8_t> there; // 1 for each vertex that exists, 0 for removed ones

	int create(uint32_t bits, uint64_t spare) {
		const g500_lab_graph rows = graph.rows();
		there.assign(graph.vertices(), 1);
		return g500_pages_create(&rows, bits, spare, &pages, nullptr);
	}

	int follow(uint32_t from) {
		root = from;
		if (levels) g500_levels_free(levels);
		levels = nullptr;
		return g500_levels_create(pages, root, &levels, nullptr);
	}

	int batch(const std::vector<Update> &updates, Effects *e) {
		const std::vector<uint8_t> before = there;
		g500_pages_begin(pages);
		const int code = apply(updates, e);
		if (code || !e->edges.full) return g500_pages_keep(pages), code;
		*e = {};
		e->edges.full = 1, there = before;
		if (const int set = set_vertices()) return set; // before: edges of removed vertices return
		if (const int undone = g500_pages_undo(pages, nullptr)) return undone;
		return levels ? follow(root) : 0;
	}

private:
	int set_vertices() { return g500_pages_set_vertices(pages, there.data(), nullptr); }

	// Applies alternating runs of updates of edges and of vertices, until the pages do not suffice.
	int apply(const std::vector<Update> &updates, Effects *e) {
		for (auto at = updates.begin(); at != updates.end() && !e->edges.full;) {
			const bool of_vertices = at->of_vertex();
			const auto end =
				std::find_if(at, updates.end(), [&](const Update &u) { return u.of_vertex() != of_vertices; });
			if (const int code = of_vertices ? change_vertices(at, end, e) : change_edges(at, end, e)) return code;
			at = end;
			g500_levels_totals l{};
			if (levels && !e->edges.full)
				if (const int code = g500_levels_update(levels, pages, &l, nullptr)) return code;
			e->lost += l.lost, e->level_nanoseconds += l.nanoseconds;
		}
		return 0;
	}

	// A vertex beyond the last one means no vertex.
	template <typename At>
	int change_edges(At at, At end, Effects *e) {
		const uint64_t bits = g500_pages_bits(pages), none = graph.vertices();
		std::vector<uint64_t> words;
		for (; at != end; at++) {
			const uint64_t u = at->u, v = at->v;
			words.push_back((std::min(u, none) << bits | std::min(v, none)) << 2 | at->kind);
		}
		g500_pages_totals t{}, &sum = e->edges;
		const int code = g500_pages_apply(pages, words.data(), words.size(), &t, nullptr);
		sum.inserted += t.inserted, sum.deleted += t.deleted, sum.unchanged += t.unchanged, sum.unknown += t.unknown;
		sum.found += t.found, sum.missing += t.missing, sum.nanoseconds += t.nanoseconds, sum.full = t.full;
		return code;
	}

	// A removed vertex loses its edges, even if a later update adds it again.
	template <typename At>
	int change_vertices(At at, At end, Effects *e) {
		std::vector<uint8_t> gone(there.size());
		for (; at != end; at++) {
			const bool known = at->u < there.size();
			if (!known && at->adds_vertex()) e->edges.unknown++;
			else if (!known || there[at->u] == at->adds_vertex()) e->edges.unchanged++;
			else if (at->adds_vertex()) there[at->u] = 1, e->added++;
			else there[at->u] = 0, gone[at->u] = 1, e->removed++;
		}
		g500_pages_totals t{};
		const int code = g500_pages_isolate(pages, gone.data(), &t, nullptr);
		e->edges.nanoseconds += t.nanoseconds, e->edges.full = t.full;
		return code ? code : set_vertices();
	}
};

inline Paged paged;

// Answers with the pages, and with the effects of a batch.
inline void answer_pages(const Effects &e) {
	const g500_pages_totals &t = e.edges;
	const uint64_t unused = g500_pages_unused(paged.pages);
	answer("\"tally\":{" + number("edges_inserted", t.inserted) + ',' + number("edges_deleted", t.deleted) + ',' +
		number("vertices_added", e.added) + ',' + number("vertices_removed", e.removed) + ',' +
		number("unchanged", t.unchanged) + ',' + number("unknown", t.unknown) + ',' + number("queries_found", t.found) + ',' +
		number("queries_not_found", t.missing) + "}," + seconds("seconds", t.nanoseconds) + ',' +
		seconds("level_seconds", e.level_nanoseconds) + ',' + number("levels_lost", e.lost) + ',' +
		truth("full", t.full) + ',' + number("unused", unused) + ',' +
		number("bytes", g500_pages_bytes(paged.pages)) + ',' +
		number("unused_bytes", unused * g500_pages_page_bytes(paged.pages)));
}

inline void send_levels() {
	std::vector<uint32_t> levels(graph.vertices());
	const size_t bytes = levels.size() * sizeof(uint32_t);
	if (const int code = read_back(levels.data(), g500_levels_of(paged.levels), bytes, nullptr)) return answer_code(code);
	answer_code(0);
	send(levels);
}

inline void send_rows() {
	std::vector<uint64_t> offsets(graph.vertices() + 1);
	std::vector<uint32_t> columns(g500_pages_edges(paged.pages));
	if (const int code = g500_pages_read(paged.pages, offsets.data(), columns.data(), nullptr)) return answer_code(code);
	for (size_t v = 0; v < graph.vertices(); v++)
		std::sort(columns.begin() + (ptrdiff_t)offsets[v], columns.begin() + (ptrdiff_t)offsets[v + 1]);
	answer(number("vertices", graph.vertices()) + ',' + number("edges", columns.size()));
	send(offsets), send(columns);
}

inline void answer_error(int code) {
	answer_code(code, "failure", {
		{cudaErrorInvalidValue, "a graph in pages has fewer than 2^30 vertices and 2^32 pages: choose a smaller one"},
		{cudaErrorMemoryAllocation,
			"the GPU lacks memory for the graph in pages: choose a smaller one, or a smaller --spare-pages"},
	});
}

// Answers a request; lab is the laboratory of searches.
inline void on_pages(std::istream &words, g500_lab **lab) {
	std::string request;
	uint64_t number, spare = 0;
	words >> request;
	if (request == "levels") return send_levels();
	if (request == "rows") return send_rows();
	if (request == "search") {
		if (*lab) g500_lab_free(*lab);
		return answer_error(g500_lab_create_on_pages(paged.pages, lab));
	}
	words >> number >> spare;
	Effects e{};
	int code = 0;
	if (request == "create") code = paged.create((uint32_t)number, spare);
	else if (request == "follow") code = paged.follow((uint32_t)number);
	else {
		std::vector<Update> updates;
		read_array(updates, number);
		code = paged.batch(updates, &e);
	}
	if (code) request == "follow" ? answer_code(code) : answer_error(code);
	else answer_pages(e);
}

} // namespace g500::child
