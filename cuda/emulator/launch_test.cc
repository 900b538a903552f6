// SPDX-License-Identifier: Apache-2.0

// Faulty launches on the emulator: launches that fail, that return after their kernels have ended, and whose kernels
// end without running. A search must then fail or be right, and never return the result of another search. Prints each
// mistake, and fails if there are any.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "common/empty_level.h"
#include "common/errors.h"
#include "common/trials.h"
#include "common/warp.cuh"
#include "job.h"
#include "kernel1/kernel1.h"
#include "policies.h"
#include "search/kernels.cuh"
#include "sssp/sssp.h"

namespace emulator {

constexpr uint32_t kLabels = 40;

// A path: each vertex's parent is its neighbour toward the root.
Graph path(bool weighted) {
	Graph graph("path", kLabels, {0});
	for (uint32_t v = 1; v < kLabels; v++) graph.join(v - 1, v);
	if (weighted) graph.weights.assign(graph.tuples.size(), 1);
	return graph;
}

int64_t parent_on_path(uint32_t v, uint32_t root) { return v < root ? v + 1 : v > root ? v - 1 : v; }

// Searcher is a search of either kernel on one rank.
class Searcher {
public:
	virtual ~Searcher() = default;
	virtual int64_t parent(uint32_t v) = 0;
	virtual void *stream() const = 0;

	int prelaunch() { return created ? created : g500_searching_prelaunch(search_of, stream()); }
	int run(uint32_t root) { return created ? created : g500_searching_run(search_of, root, stream()); }
	int await() { return g500_searching_await(search_of, stream()); }

	bool is_busy() const { return cudaStreamQuery(stream()) == cudaErrorNotReady; }

	int search(uint32_t root) {
		const int code = run(root);
		return code ? code : await();
	}
	bool is_right(uint32_t root) {
		for (uint32_t v = 0; v < kLabels; v++)
			if (parent(v) != parent_on_path(v, root)) return false;
		return true;
	}

protected:
	g500_searching *search_of = nullptr;
	int created = 0;
};

class Levels : public Searcher {
public:
	explicit Levels(bool prelaunch) {
		construct(path(false), 1, Construction{0, kEnough, false}, shares_);
		job_.emplace(shares_, form_, 64, with(kSmall, &Policy::prelaunch, prelaunch));
		search_of = job_->search_of(0);
	}
	int64_t parent(uint32_t v) override { return job_->parent(v); }
	void *stream() const override { return job_->stream(0); }

private:
	const Form form_{"peers", G500_EXCHANGE_AUTO, false, true};
	Shares shares_;
	std::optional<Job> job_;
};

class Paths : public Searcher {
public:
	explicit Paths(bool prelaunch) {
		construct(path(true), 1, Construction{0, kEnough, false}, shares_);
		const PathPolicy policy = with(kSmallPaths, &PathPolicy::prelaunch, prelaunch);
		created = g500_sssp_create(&shares_.of[0], nullptr, &policy, 1, &search_of, nullptr);
	}
	~Paths() override { g500_searching_free(search_of); }
	int64_t parent(uint32_t v) override { return g500_sssp_parents(search_of)[v]; }
	void *stream() const override { return nullptr; }

private:
	Shares shares_;
};

int wrong = 0;

void expect(bool holds, const std::string &what) {
	if (holds) return;
	wrong++;
	printf("wrong: %s\n", what.c_str());
}

// Returns the result of the trial of launches.
int tried() {
	int found = -1;
	const int code = g500_try_prelaunch(&found, nullptr);
	return code ? -code : found;
}

void try_devices() {
	expect(tried() == G500_LAUNCHES_RETURN, "a usual launch does not return");
	faults.limits_kernels = true;
	expect(tried() == G500_KERNELS_ARE_LIMITED, "a limit of kernels is not seen");
	faults = {};
	faults.launches_block = true;
	expect(tried() == G500_LAUNCHES_BLOCK, "a blocking launch is not seen");
	faults = {};
	setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
	faults.failing_launches = 1; // no launch may happen
	expect(tried() == G500_LAUNCHES_BLOCK, "CUDA_LAUNCH_BLOCKING is not seen, or a kernel launched");
	setenv("CUDA_LAUNCH_BLOCKING", "0", 1);
	faults = {};
	expect(tried() == G500_LAUNCHES_RETURN, "CUDA_LAUNCH_BLOCKING=0 counts as 1");
	unsetenv("CUDA_LAUNCH_BLOCKING");
}

using Make = std::function<std::unique_ptr<Searcher>(bool prelaunch)>;

// Returns a searcher that has searched once.
std::unique_ptr<Searcher> begun(const Make &make, bool prelaunch) {
	std::unique_ptr<Searcher> searcher = make(prelaunch);
	const bool done = searcher->prelaunch() == 0 && searcher->search(3) == 0 && searcher->is_right(3);
	expect(done, "a usual search");
	return searcher;
}

void expect_dead(Searcher &searcher, const std::string &name) {
	expect(searcher.run(5) == G500_FAILED_BEFORE, name + ": a search after one that has failed is not refused");
	expect(searcher.prelaunch() == G500_FAILED_BEFORE, name + ": nor is a pre-launch refused");
}

void search(const std::string &name, const Make &make) {
	{
		const auto searcher = begun(make, true);
		faults.failing_launches = 1;
		expect(searcher->prelaunch() != 0, name + ": a failing launch is not reported");
		expect(searcher->search(7) != 0, name + ": a search whose launch failed has a result");
		expect_dead(*searcher, name + ", failed pre-launch");
	}
	{
		const auto searcher = begun(make, true);
		faults.failing_launches = 1;
		expect(searcher->search(7) != 0, name + ": a failing launch in the timed search is not reported");
		expect_dead(*searcher, name + ", failed launch");
	}
	{
		const auto searcher = begun(make, true);
		faults.lost_launches = 3; // the search, and the kernels after it
		expect(searcher->search(7) == G500_ENDED_EARLY, name + ": a search whose kernels are lost has a result");
		faults = {};
		expect_dead(*searcher, name + ", lost");
	}
	{
		const auto searcher = begun(make, true);
		expect(searcher->prelaunch() == 0, name + ": it cannot be pre-launched");
		expect(searcher->is_busy(), name + ": no kernel waits");
		faults.ahead_ns = 61 * kSecond; // the kernel times out
		while (searcher->is_busy()) {}
		expect(searcher->search(9) == 0 && searcher->is_right(9), name + ": after a kernel that waited too long");
		faults = {};
	}
	{
		const auto searcher = begun(make, false);
		faults.lost_launches = 1;
		expect(searcher->prelaunch() == 0 && faults.lost_launches == 1, name + ": without pre-launch a kernel is launched");
		faults = {};
		faults.launches_block = true;
		expect(searcher->search(11) == 0 && searcher->is_right(11), name + ": launches that wait for their kernels");
		faults = {};
	}
	faults.refuses_limits = true;
	begun(make, true);
	faults = {};
}

// Marks two messages, exchanges them with a rank that does the same, and returns the sum that the host gets; 0 if it
// gets none.
uint64_t empty_level(g500_empty_level *level, uint64_t mark, int *code) {
	constexpr uint64_t kPlace = 64;
	alignas(8) unsigned char sent[2 * kPlace] = {}, received[2 * kPlace];
	memset(received, 0xEE, sizeof received); // a rank receives nothing from itself
	int arrived = 0;
	uint64_t sum = 0;
	if ((*code = g500_empty_level_begin(level, sent, 2, kPlace, mark, nullptr))) return 0;
	cudaStreamSynchronize(nullptr);
	memcpy(received + kPlace, sent, kPlace);
	if ((*code = g500_empty_level_end(level, received, 2, 0, kPlace, nullptr))) return 0;
	do *code = g500_empty_level_await(level, 0, &arrived, &sum, nullptr);
	while (!*code && !arrived);
	return sum;
}

void run_empty_levels() {
	g500_empty_level *level = nullptr;
	int code = g500_empty_level_create(5'000'000'000, &level);
	expect(code == 0, "an empty level is not created");
	for (uint64_t mark : {7ull, 1ull << 40})
		expect(empty_level(level, mark, &code) == mark && code == 0, "the sum of an empty level's marks");
	faults.failing_launches = 1;
	expect(empty_level(level, 9, &code) == 0 && code != 0, "an empty level whose launch fails has a sum");
	faults = {};
	g500_empty_level_free(level);
}

// A multiprocessor of compute capability 9.0 has 228 KiB of shared memory, of which each block reserves one. On the
// most ranks all blocks of searches fit, or three of four with bins.
void fit_into_shared_memory() {
	const auto fit = [](uint64_t bytes) { return 228 * 1024 / (1024 + (int)bytes); };
	for (const g500::FarLaunch *of : {&g500::kFar32, &g500::kFar64}) {
		expect(fit(of->context(G500_MOST_RANKS)) >= 3, "bins leave no space for three blocks");
		for (const g500::FarKernel kernel : {of->sweep, of->take, of->decide, of->remaining, of->finish})
			expect(fit(of->shared(kernel, G500_MOST_RANKS)) >= g500::kBlocks, "a kernel without bins has some");
	}
}

// Numbers the threads and warps of a grid with one warp for each of 2^31 vertices.
void number_threads() {
	constexpr uint32_t kBlock = 256;
	const uint64_t blocks = 1ull << 28;
	Fiber last{{kBlock - 1}, {(uint32_t)blocks - 1}, {(uint32_t)blocks}, nullptr, nullptr};
	running = &last;
	expect(g500::thread_number<kBlock>() == blocks * kBlock - 1, "the number of a thread past 2^32");
	expect(g500::warp_number<kBlock>() == (1ull << 31) - 1, "the number of a warp past 2^27");
	running = nullptr;
}

} // namespace emulator

int main() {
	using namespace emulator;
	number_threads();
	fit_into_shared_memory();
	run_empty_levels();
	try_devices();
	search("search", [](bool prelaunch) { return std::make_unique<Levels>(prelaunch); });
	search("shortest paths", [](bool prelaunch) { return std::make_unique<Paths>(prelaunch); });
	printf("%d wrong\n", wrong);
	return wrong > 0;
}
