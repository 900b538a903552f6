// Searches of small graphs on the emulator, in all forms, on one rank and several, beside a queue. It prints what is wrong, and
// fails if anything is.
#include <cstdio>
#include <vector>

#include "job.h"

namespace emulator {

constexpr u32 kBlocksOfARank = 2;

// The levels of all vertices from a root, -1 for those out of reach.
std::vector<int> levels(const Graph &graph, u32 root) {
	std::vector<int> level(graph.labels(), -1);
	std::vector<u32> queue{root};
	level[root] = 0;
	for (size_t i = 0; i < queue.size(); i++)
		for (u32 u : graph.neighbours[queue[i]]) {
			if (level[u] >= 0) continue;
			level[u] = level[queue[i]] + 1;
			queue.push_back(u);
		}
	return level;
}

// Whether the tree that a search has left is right.
bool is_right(const Job &job, const Graph &graph, u32 root) {
	const std::vector<int> level = levels(graph, root);
	for (u32 v = 0; v < graph.labels(); v++) {
		const u32 parent = job.parent(v, root);
		if (v == root ? parent == root : level[v] < 0 ? parent == kNone : parent < graph.labels() && graph.neighbours[v].count(parent) && level[parent] == level[v] - 1)
			continue;
		printf("root %u: vertex %u on level %d has parent %d\n", root, v, level[v], (int)parent);
		return false;
	}
	return true;
}

bool firsts_are_right(const Job &job) {
	for (u32 r = 0; r < job.shares.size(); r++) {
		const Share &share = *job.shares[r];
		if (!share.store.state.firsts) continue;
		for (u32 v = 0; v < share.labels.size(); v++)
			for (u64 e = share.rows[v]; e < share.rows[v + 1]; e++)
				if (job.is_first(r, e) != job.should_be_first(r, v, e)) {
					printf("rank %u: edge %llu of hub %u is wrongly told to be by a first neighbour, or not to be\n", r, (ull)e, v);
					return false;
				}
	}
	return true;
}

bool searches_are_right(const Graph &graph, u32 ranks, int exchange) {
	Job job(graph, ranks, exchange, kBlocksOfARank);
	if (!firsts_are_right(job)) return false;
	for (u32 root : graph.roots) {
		job.search(root);
		if (!is_right(job, graph, root)) return false;
	}
	return true;
}

} // namespace emulator

int main() {
	int wrong = 0, jobs = 0;
	for (const emulator::Graph &graph : emulator::graphs())
		for (uint32_t ranks : {1, 2, 3, 4})
			for (int exchange : {G500_EXCHANGE_AUTO, G500_EXCHANGE_BITMAP, G500_EXCHANGE_BINS}) {
				jobs++;
				if (emulator::searches_are_right(graph, ranks, exchange)) continue;
				wrong++;
				printf("wrong: %s, %u ranks, exchange %d\n", graph.name.c_str(), ranks, exchange);
			}
	printf("%d of %d jobs wrong\n", wrong, jobs);
	return wrong > 0;
}
