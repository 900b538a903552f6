// The exchanges that a search between ranks that are not peers requests.
#include <algorithm>

#include "search/far_search.cuh"

namespace g500 {

int FarSearch::gather(const void *own, unsigned char *all, u64 bytes, Stage then) {
	*wanted = {G500_WANTS_ALL_GATHER, own, all, bytes};
	exchanged = bytes * memory->ranks.count;
	exchanges++;
	stage = then;
	return cudaSuccess;
}

int FarSearch::gather_reports(Stage then) {
	const Far &far = memory->state.far;
	return gather(far.blocks + memory->ranks.rank * far.block_bytes, far.blocks, far.block_bytes, then);
}

// Counts the words of a gather of that many bytes from each rank.
void FarSearch::count_words(u64 bytes) {
	const u64 words = (memory->ranks.count - 1) * (bytes / sizeof(u32));
	level.words.sent += words, level.words.received += words;
}

// Gathers the bits that each rank has of its own part, or of its hubs; and what is behind a part: after a sweep a
// report, else nothing of use.
int FarSearch::gather_parts(const u32 *own, Stage then) {
	const Ranks &ranks = memory->ranks;
	const Far &far = memory->state.far;
	count_words(task.groups(ranks.groups) * sizeof(uint4));
	return gather(own, far.parts, far.gathered_bytes(task, ranks.groups), then);
}

int FarSearch::gather_visited(Stage then) {
	return gather_parts(memory->state.visited[0] + memory->ranks.base / 32, then);
}

// Continues with a stage that reads the bits of all ranks, or of their hubs. Gathers the shorter of the missing bits
// and a list of their vertices.
int FarSearch::with_bits(Stage then) {
	if (task.at.synchronized) return (this->*then)();
	placed = then;
	const Far &far = memory->state.far;
	const u64 rows = far.look[2] / 4 + 1; // of 16 bytes, with the length
	task.list_bytes = rows * sizeof(uint4);
	if (!lists_new || far.in_place || task.list_bytes >= far.gathered_bytes(task, memory->ranks.groups))
		return gather_visited(&FarSearch::place_bits);
	if (const int code = launch("far_list_kernel", kernels->list, blocks)) return code;
	count_words(task.list_bytes);
	return gather(far.parts + memory->ranks.rank * task.list_bytes, far.parts, task.list_bytes, &FarSearch::place_list);
}

int FarSearch::place_bits() {
	const int code = launch("far_place_kernel", kernels->place, blocks);
	return code ? code : (this->*placed)();
}

int FarSearch::place_list() {
	const int code = launch("far_place_list_kernel", kernels->place_list, blocks);
	return code ? code : (this->*placed)();
}

// Gathers the bits of ghosts.
int FarSearch::gather_ghosts(Stage then) {
	if (const int code = launch("far_pack_kernel", kernels->pack, blocks)) return code;
	unsigned char *const parts = memory->state.far.parts;
	count_words(ghosts.bits_bytes());
	return gather(parts + memory->ranks.rank * ghosts.bytes(), parts, ghosts.bytes(), then);
}

// Gathers the bits that a sweep has written, and its reports.
int FarSearch::gather_swept() {
	if (ghosts.lists) return gather_ghosts(&FarSearch::place_swept);
	if (memory->state.far.in_place) {
		const u64 first = memory->ranks.base / 32, bytes = memory->ranks.groups * sizeof(uint4);
		u32 *const *const visited = memory->state.visited;
		G500_TRY(cudaMemcpyAsync(visited[1] + first, visited[0] + first, bytes, cudaMemcpyDeviceToDevice, stream));
	}
	return gather_parts(memory->state.next_part, &FarSearch::place_swept);
}

int FarSearch::exchange_pairs(Stage then) {
	const Ranks &ranks = memory->ranks;
	const u64 *const pairs = memory->state.far.look_pairs();
	exchanged = 0;
	for (u32 r = 0; r < ranks.count; r++) {
		const bool other = r != ranks.rank;
		sent[r] = other ? pairs[r] * sizeof(u64) : 0;
		received[r] = other ? pairs[ranks.count + r] * sizeof(u64) : 0;
		exchanged += sent[r] + received[r];
		level.pairs.sent += sent[r] / sizeof(u64), level.pairs.received += received[r] / sizeof(u64);
	}
	exchanges++;
	*wanted = {G500_WANTS_ALL_TO_ALL};
	wanted->d_send = memory->pairs_out(), wanted->d_receive = memory->pairs_in();
	wanted->place = ranks.round_pairs * sizeof(u64), wanted->longest = sum(kFarLongest) * sizeof(u64);
	wanted->send_bytes = sent.data(), wanted->receive_bytes = received.data();
	stage = then;
	return cudaSuccess;
}

} // namespace g500
