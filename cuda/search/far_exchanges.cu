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
	count_words(task.groups(far.groups) * sizeof(uint4));
	return gather(own, far.parts, far.gathered_bytes(task), then);
}

int FarSearch::gather_visited(Stage then) {
	return gather_parts(memory->state.visited[0] + memory->ranks.base / 32, then);
}

// Continues with a stage that reads the bits of all ranks, or of their hubs. Gathers the shorter of the missing bits
// and a list of their vertices. With queries it gathers the bits of hubs, and then queries others.
int FarSearch::with_bits(Stage then) {
	if (task.at.synchronized) return (this->*then)();
	const Far &far = memory->state.far;
	const bool asks = far.queries && task.hubs == 0;
	placed = asks ? &FarSearch::list_open : then, answered = then;
	if (asks && hubs_known) return list_open();
	hubs_known = asks;
	const u64 most = sum(kFarQueued) + (memory->ranks.count - 1) * sum(kFarLongest);
	const u64 rows = most / 4 + 1; // of 16 bytes, with the length
	task.list_bytes = rows * sizeof(uint4);
	if (!lists_new || task.list_bytes >= far.gathered_bytes(task))
		return gather_visited(&FarSearch::place_bits);
	if (const int code = launch("far_list_kernel", kernels->list)) return code;
	count_words(task.list_bytes);
	return gather(far.parts + memory->ranks.rank * task.list_bytes, far.parts, task.list_bytes, &FarSearch::place_list);
}

int FarSearch::place_bits() {
	const int code = launch("far_place_kernel", kernels->place);
	return code ? code : (this->*placed)();
}

int FarSearch::place_list() {
	const int code = launch("far_place_list_kernel", kernels->place_list);
	return code ? code : (this->*placed)();
}

// Gathers the bits of ghosts.
int FarSearch::gather_ghosts(Stage then) {
	if (const int code = launch("far_pack_kernel", kernels->pack)) return code;
	unsigned char *const parts = memory->state.far.parts;
	count_words(ghosts.bits_bytes());
	return gather(parts + memory->ranks.rank * ghosts.bytes(), parts, ghosts.bytes(), then);
}

// Gathers the bits that a sweep has written, and its reports.
int FarSearch::gather_swept() {
	const State &state = memory->state;
	const Far &far = state.far;
	if (ghosts.lists) return gather_ghosts(&FarSearch::place_swept);
	if (!far.queries) return gather_parts(state.next_part, &FarSearch::place_swept);
	unsigned char *const hub_bits = far.parts + memory->ranks.rank * far.part_bytes; // the report is behind them
	G500_TRY(cudaMemcpyAsync(hub_bits, state.next_part, far.bits_bytes(), cudaMemcpyDeviceToDevice, stream));
	return gather_parts((const u32 *)hub_bits, &FarSearch::place_swept);
}

// Sends bytes(out[r]) bytes to each other rank r and receives bytes(in[r]) from it. The caller fills in the places.
int FarSearch::all_to_all(const u64 *out, const u64 *in, BytesOf bytes, Stage then) {
	exchanged = 0;
	for (u32 r = 0; r < memory->ranks.count; r++) {
		const bool other = r != memory->ranks.rank;
		sent[r] = other ? bytes(out[r]) : 0, received[r] = other ? bytes(in[r]) : 0;
		exchanged += sent[r] + received[r];
	}
	exchanges++;
	*wanted = {G500_WANTS_ALL_TO_ALL};
	wanted->d_send = memory->pairs_out(), wanted->d_receive = memory->pairs_in();
	wanted->place = memory->message_words() * sizeof(u64), wanted->longest = bytes(sum(kFarLongest));
	wanted->send_bytes = sent.data(), wanted->receive_bytes = received.data();
	stage = then;
	return cudaSuccess;
}

// If reports have no counts, all messages are as long as the longest one: vertices are spread over ranks, so that most
// of its length is in use.
int FarSearch::exchange_pairs(Stage then) {
	const u32 ranks = memory->ranks.count, own = memory->ranks.rank;
	u64 *const pairs = memory->state.far.look_pairs();
	if (memory->state.far.most_entries == 0) std::fill_n(pairs, 2 * ranks, sum(kFarLongest));
	for (u32 r = 0; r < ranks; r++)
		if (r != own) level.pairs.sent += pairs[r], level.pairs.received += pairs[ranks + r];
	return all_to_all(pairs, pairs + ranks, [](u64 n) { return (1 + n) * sizeof(u64); }, then);
}

int FarSearch::list_open() {
	G500_TRY(cudaMemsetAsync(&memory->state.far.rank->open, 0, sizeof(u32), stream));
	const int code = launch("far_open_kernel", kernels->open);
	return code ? code : query(false);
}

int FarSearch::query(bool again) {
	task.again = again, task.reports = false;
	querying = true;
	const int code = launch_round("far_query_kernel", kernels->query);
	querying = false;
	return code ? code : gather_reports(&FarSearch::look_at_queries);
}

int FarSearch::look_at_queries() { return take_reports(&FarSearch::after_queries); }

int FarSearch::after_queries() {
	return sum(kFarSent) > 0 ? exchange_pairs(&FarSearch::reply) : (this->*answered)();
}

// The replies go back where queries came from.
int FarSearch::reply() {
	const Far &far = memory->state.far;
	const u32 ranks = memory->ranks.count;
	const u64 *const queries = far.look_pairs();
	G500_TRY(cudaMemsetAsync(far.replies, 0, ranks * far.reply_bytes, stream));
	if (const int code = launch("far_reply_kernel", kernels->reply)) return code;
	const BytesOf bytes = [](u64 n) { return (n + 63) / 64 * sizeof(u64); };
	const int code = all_to_all(queries + ranks, queries, bytes, &FarSearch::take_replies);
	wanted->d_send = far.replies, wanted->d_receive = (unsigned char *)far.replies + ranks * far.reply_bytes;
	wanted->place = far.reply_bytes;
	for (u32 r = 0; r < ranks; r++)
		level.words.sent += sent[r] / sizeof(u32), level.words.received += received[r] / sizeof(u32);
	return code;
}

int FarSearch::take_replies() {
	if (const int code = launch("far_take_replies_kernel", kernels->take_replies)) return code;
	return sum(kFarUnsent) > 0 ? query(true) : (this->*answered)();
}

} // namespace g500
