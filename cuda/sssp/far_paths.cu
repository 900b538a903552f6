#include "sssp/far_paths.cuh"

#include <algorithm>

#include "sssp/open_lists.cuh"
#include "sssp/search.cuh"

namespace g500::sssp {

namespace {

constexpr int kGoesOn = -1; // of g500_wanted.kind: no exchange is needed
constexpr u64 kReportBytes = 16 << 10;   // at first
constexpr u64 kMostReported = 4 << 20; // bytes of offers that a rank gets in reports

u64 in_units(u64 bytes) { return (bytes + sizeof(uint4) - 1) / sizeof(uint4) * sizeof(uint4); }

} // namespace

int FarPaths::open(const g500_sssp &of, u32 further, u32 listed, cudaStream_t on) {
	const u64 n = of.ranks.count;
	search = &of, sweeps = further;
	words = (of.graph.non_tree + 3) & ~3u;
	sent.resize(n), received.resize(n);
	far.offers_at = in_units(sizeof(PathReport) + n * sizeof(u32));
	const u64 space = far.offers_at < kReportBytes ? (kReportBytes - far.offers_at) / sizeof(Offer) : 0;
	far.listed = std::min<u64>(space, listed);
	far.most_listed = kMostReported / (n - 1) / sizeof(Offer);
	far.space = std::max<u64>(of.state.frontier_space, 32); // two frontiers of all ranks need half of the memory
	G500_TRY(reports.alloc_zeroed(n * far.report_bytes(std::max(far.listed, far.most_listed)), on));
	G500_TRY(out.alloc(n * far.space));
	G500_TRY(in.alloc(n * far.space));
	G500_TRY(list.alloc(far.space));
	G500_TRY(counts.alloc_zeroed(n + 1, on));
	G500_TRY(path.alloc_zeroed(1, on));
	G500_TRY(look_.open(1 + kPathSums + 2 * n));
	far.reports = reports, far.send = out, far.received = in, far.list = {list, counts + n, far.space};
	far.sent = counts, far.path = path, far.look = look_.words();
	return cudaSuccess;
}

// Launches a kernel, which takes what the last exchange has brought.
int FarPaths::launch(int kind, bool reads, u32 of) {
	task.kind = kind, task.reads = reads, task.number = of;
	const int code = launch_far(*search, far, task, stream);
	task.news = {}, task.starts = task.received = false, task.look = 0;
	return code;
}

int FarPaths::gather(const void *own, u64 bytes, News news, Stage then) {
	news.stride = bytes;
	task.news = news;
	*wanted = {G500_WANTS_ALL_GATHER, own, far.received, bytes};
	exchanged = bytes * search->ranks.count;
	stage = then;
	return cudaSuccess;
}

// `most` is kMost of the reports that the last kernel has read.
int FarPaths::gather_reports(Stage then, u64 most) {
	task.bytes = far.report_bytes(far.listed_after(most));
	*wanted = {G500_WANTS_ALL_GATHER, &far.report(search->ranks.rank, task.bytes), far.reports, task.bytes};
	exchanged = task.bytes * search->ranks.count;
	stage = then;
	return cudaSuccess;
}

int FarPaths::gather_words(u32 begin, u32 end, Stage then) {
	const u32 *const own = search->state.distance + search->graph.base + begin;
	return gather(own, (u64)(end - begin) * sizeof(u32), {kWords, begin, end}, then);
}

int FarPaths::gather_lists(Stage then) {
	return gather(far.list.at, in_units(sum(kUnpublished) * sizeof(uint2)), {kLists}, then);
}

// Looks at the sums of gathered reports.
int FarPaths::look(Stage then) {
	stage = then;
	return launch_tell(*search, far, task.bytes, look_.begin(), stream);
}

int FarPaths::exchange_offers(Stage then) {
	const u32 n = search->ranks.count;
	const u64 *const offers = far.look_counts();
	exchanged = 0;
	for (u32 r = 0; r < n; r++) {
		const bool other = r != search->ranks.rank;
		sent[r] = other ? offers[r] * sizeof(uint4) : 0;
		received[r] = other ? offers[n + r] * sizeof(uint4) : 0;
		exchanged += sent[r] + received[r];
	}
	*wanted = {G500_WANTS_ALL_TO_ALL};
	wanted->d_send = far.send, wanted->d_receive = far.received;
	wanted->place = far.space * sizeof(uint4), wanted->longest = sum(kLongest) * sizeof(uint4);
	wanted->send_bytes = sent.data(), wanted->receive_bytes = received.data();
	stage = then;
	return cudaSuccess;
}

int FarPaths::begin(u32 root, g500_wanted &want, cudaStream_t on) {
	wanted = &want, stream = on;
	task = {};
	task.root = root;
	push = kPush;
	look_.forget();
	if (const int code = launch(kBegin)) return code;
	return gather_reports(&FarPaths::start_push);
}

int FarPaths::next(g500_wanted &want, cudaStream_t on) {
	wanted = &want, stream = on;
	*wanted = {kGoesOn};
	while (wanted->kind == kGoesOn) {
		if (look_.is_open()) {
			const int code = await_look();
			if (code || look_.is_open()) return code;
		}
		if (const int code = (this->*stage)()) return code;
	}
	return cudaSuccess;
}

// Waits a short time for the sums. If they have not arrived yet, the search wants time.
int FarPaths::await_look() {
	G500_TRY(look_.await(stream));
	if (!look_.is_open() && sum(kEnds) == 0) return cudaSuccess;
	if (!look_.is_open()) return search->give_up(sum(kEnds) >= kGaveUp ? G500_RANK_GAVE_UP : G500_HOST_REQUESTED);
	*wanted = {G500_WANTS_TIME};
	if (search->control->stall.why != G500_GOES_ON) return G500_GIVEN_UP;
	return look_.is_late(search->ranks.wait_ns, exchanged) ? search->give_up(G500_EXCHANGE_LATE) : (int)cudaSuccess;
}

int FarPaths::start_push() {
	task.starts = true;
	const int code = launch(kPush, true);
	return code ? code : gather_reports(&FarPaths::push_on);
}

// Launches the next round before the sums of the last one are known. If that was the last round, it lists what the push
// has changed.
int FarPaths::push_on() {
	task.look = look_.begin();
	stage = &FarPaths::after_push;
	return launch(push, true);
}

int FarPaths::after_push() {
	if (sum(kSent) > 0) return exchange_offers(&FarPaths::push_received);
	if (sum(kOffered) > 0) return gather_reports(&FarPaths::push_on, sum(kMost));
	number = 0;
	known = push == kPushRest || !reaches_beyond() ? &FarPaths::find_parents
	        : far.light                            ? &FarPaths::push_light
	                                               : &FarPaths::pull_class;
	return push == kPushRest ? shared() : gather_reports(&FarPaths::share_changes);
}

int FarPaths::push_received() {
	task.received = true;
	const int code = launch(push, true);
	return code ? code : gather_reports(&FarPaths::push_on, sum(kMost));
}

int FarPaths::share_changes() { return look(&FarPaths::shared); }

// All ranks get the words that have changed: as lists, or the complete parts if these are shorter and not a frontier.
int FarPaths::shared() {
	const u64 listed = sum(kUnpublished);
	if (listed == 0) return (this->*known)();
	const bool is_shorter = listed * sizeof(uint2) < words * sizeof(u32);
	return is_shorter || known == &FarPaths::push_light ? gather_lists(known) : gather_words(0, words, known);
}

int FarPaths::push_light() {
	const int code = launch(kPushLight);
	return code ? code : pull_class();
}

// The first sweep, over one class. All ranks get its words.
int FarPaths::pull_class() {
	const u32 classes = search->policy.classes;
	if (number == classes) {
		number = 0;
		return pull_again();
	}
	const ClassRange of = class_range(search->graph.non_tree, classes, number);
	if (const int code = launch(kPull, false, number++)) return code;
	const u32 end = (of.end + 3) & ~3u;
	return end > of.begin ? gather_words(of.begin, end, &FarPaths::pull_class) : pull_class();
}

int FarPaths::pull_again() {
	const bool is_last = ++number >= sweeps;
	if (const int code = launch(is_last ? kPullLast : kPullAgain)) return code;
	known = &FarPaths::pull_again;
	return gather_reports(is_last ? &FarPaths::start_rest : &FarPaths::share_changes);
}

int FarPaths::start_rest() {
	push = kPushRest;
	task.starts = true;
	task.look = look_.begin();
	stage = &FarPaths::after_first_rest;
	return launch(push, true);
}

// If the last sweep has changed nothing, the push had nothing to do.
int FarPaths::after_first_rest() {
	return sum(kChanged) > 0 ? gather_reports(&FarPaths::push_on) : find_parents();
}

int FarPaths::find_parents() {
	tied = ~0ull;
	const int code = launch(kFindParents);
	return code ? code : gather_reports(&FarPaths::look_at_ties);
}

int FarPaths::look_at_ties() { return look(&FarPaths::after_ties); }

// A round that settles none would be an error: it ends the search, and validation reports it.
int FarPaths::after_ties() {
	const u64 before = tied;
	tied = sum(kStillTied);
	if (tied == 0 || tied >= before) {
		wanted->kind = G500_SEARCH_DONE;
		return cudaSuccess;
	}
	return gather_lists(&FarPaths::settle_ties);
}

int FarPaths::settle_ties() {
	const int code = launch(kSettleTies);
	return code ? code : gather_reports(&FarPaths::look_at_ties);
}

} // namespace g500::sssp
