// SPDX-License-Identifier: Apache-2.0

// Fibers, streams, and memory.
#include "cuda_runtime.h"

#include <malloc.h>
#include <sys/mman.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <iterator>
#include <map>
#include <memory>

namespace emulator {

Fiber *running;
void *slow_stream;
uint64_t allocated = 0; // bytes of device memory

// Run is a running grid. Blocks of a grid that is not cooperative start as others end.
struct Run {
	Grid grid;
	void *stream;
	Run *previous; // in its stream, while it runs
	uint32_t started = 0, ended = 0, allowing = 0; // blocks
	uint32_t turns = 0, children = 0;
	std::deque<std::unique_ptr<Block>> blocks;

	bool has_ended() const { return ended == grid.blocks; }
	bool allows_next() const { return allowing == grid.blocks; }
};

namespace {

// A huge page has 62 stacks: fibers switch so often that TLB misses would dominate. A stack has an odd number of cache
// lines, so that the tops of stacks use all sets of the caches.
constexpr size_t kHugePage = 2 << 20, kCacheLine = 64, kStack = 527 * kCacheLine;
constexpr uint32_t kBlocksAtOnce = 4; // of a grid that is not cooperative
constexpr uint32_t kSlow = 100;       // turns of other devices per turn of a slow one

using Stream = std::deque<std::unique_ptr<Run>>;
std::map<void *, Stream> streams; // with grids
std::map<void *, int> devices; // of streams
constexpr size_t kLarge = 256 << 20;
constexpr size_t kGuard = 4096; // bytes behind the shared memory of a block, which keep their value
constexpr unsigned char kFresh = 0xcd; // value of shared memory at first
std::map<void *, size_t> large; // arrays of at least kLarge bytes
std::vector<void *> free_stacks;
void *scheduler; // the stack of the scheduler

// Freed arrays stay in the process: in virtual machines new pages are slow.
const bool kept = mallopt(M_MMAP_MAX, 0) && mallopt(M_TRIM_THRESHOLD, INT_MAX);

// Switches to another stack and stores the current one, which has the callee-saved registers. It ends with
// a jump, because processors expect a return to lead to the latest call, which is on the other stack.
extern "C" void emulator_switch(void **from, void *to);
asm(R"(
.globl emulator_switch
emulator_switch:
	pushq %rbp
	pushq %rbx
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	movq %rsp, (%rdi)
	movq %rsi, %rsp
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbx
	popq %rbp
	popq %rcx
	jmp *%rcx
)");

void begin() {
	running->own->run->grid.body();
	running->done = true;
	pause();
}

void allocate_stacks() {
	char *const page = (char *)aligned_alloc(kHugePage, kHugePage);
	madvise(page, kHugePage, MADV_HUGEPAGE);
	for (size_t at = 0; at + kStack <= kHugePage; at += kStack) free_stacks.push_back(page + at);
}

// A new stack has the state of a fiber that was switched away at the entry of begin.
void prepare(Fiber &fiber) {
	if (free_stacks.empty()) allocate_stacks();
	fiber.stack = free_stacks.back();
	free_stacks.pop_back();
	void **top = (void **)((char *)fiber.stack + kStack);
	*--top = nullptr; // the return address of begin, which never returns
	*--top = (void *)begin;
	for (int saved = 0; saved < 6; saved++) *--top = nullptr;
	fiber.top = top;
}

// Makes all fibers of a barrier ready.
void release(const Barrier &barrier) {
	for (uint32_t first = 0; first < barrier.expected; first += kWarp)
		barrier.ready[first / kWarp] = ~0u >> (kWarp - std::min(kWarp, barrier.expected - first));
}

uint32_t &ready(const Fiber &fiber) { return fiber.own->ready[fiber.thread.x / kWarp]; }
uint32_t bit(const Fiber &fiber) { return 1u << fiber.thread.x % kWarp; }

void start_block(Run &run) {
	const Grid &grid = run.grid;
	run.blocks.push_back(std::make_unique<Block>());
	Block &block = *run.blocks.back();
	block.run = &run;
	block.threads_left = grid.threads;
	block.warps.resize((grid.threads + kWarp - 1) / kWarp);
	block.ready.resize(block.warps.size());
	block.shared.assign(grid.shared + kGuard, kFresh);
	block.barrier = {grid.threads, block.ready.data()};
	release(block.barrier);
	for (uint32_t t = 0; t < grid.threads; t++) {
		Warp &warp = block.warps[t / kWarp];
		warp.barrier = {kWarp, &block.ready[t / kWarp]};
		warp.lanes[t % kWarp] = {{t}, {run.started}, {grid.blocks}, &block, &warp};
	}
	run.started++;
}

void end_thread(Fiber &fiber) {
	fiber.done = true;
	ready(fiber) &= ~bit(fiber);
	if (fiber.stack) free_stacks.push_back(fiber.stack); // none before the first turn
	Block &block = *fiber.own;
	if (--block.threads_left) return;
	const unsigned char *const guard = &block.shared[block.run->grid.shared]; // of equal bytes
	if (guard[0] != kFresh || memcmp(guard, guard + 1, kGuard - 1))
		fprintf(stderr, "a block has written beyond its shared memory\n"), abort();
	if (!block.allows_next) block.run->allowing++;
	block.run->ended++;
}

// Ends the threads of the block that faults select.
void lose_block(Run &run) {
	if (!run.grid.cooperative || faults.lost_block < 0 || run.turns <= faults.lost_after) return;
	for (const auto &block : run.blocks)
		for (Warp &warp : block->warps)
			for (Fiber &fiber : warp.lanes)
				if (fiber.own && !fiber.done && (int)fiber.block.x == faults.lost_block) end_thread(fiber);
}

// Sets running to the first of these lanes of a warp. Returns the top of its stack.
void *next(Warp &warp, uint32_t lanes) {
	running = &warp.lanes[__builtin_ctz(lanes)];
	if (!running->stack) prepare(*running);
	return running->top;
}

// Returns the ready lanes of the running fiber's warp after it.
uint32_t ready_behind() { return ready(*running) & -(2u << running->thread.x % kWarp); }

// Runs each ready thread of a warp until it waits, in the order of lanes. A thread that waits switches to the next one.
void step(Warp &warp, uint32_t lanes) {
	while (lanes) {
		emulator_switch(&scheduler, next(warp, lanes));
		if (running->done) end_thread(*running);
		lanes = ready_behind();
	}
}

// Runs each warp of a grid.
void step(Run &run) {
	run.turns++;
	const uint32_t at_once = run.grid.cooperative ? run.grid.blocks : kBlocksAtOnce;
	while (run.started < run.grid.blocks && run.started - run.ended < at_once) start_block(run);
	lose_block(run);
	for (const auto &block : run.blocks)
		for (size_t w = 0; w < block->warps.size(); w++) step(block->warps[w], block->ready[w]);
	while (!run.grid.cooperative && !run.blocks.empty() && run.blocks.front()->threads_left == 0) run.blocks.pop_front();
}

// Runs all streams. A stream's second grid overlaps the first one if both allow it.
void step_all() {
	static uint32_t turn = 0;
	turn++;
	for (auto at = streams.begin(); at != streams.end();) {
		auto &[name, stream] = *at++;
		if (slow_stream && name == slow_stream && turn % kSlow) continue;
		for (size_t i = 0; i < stream.size(); i++) {
			if (i > 0 && !(stream[i]->grid.overlaps && stream[i - 1]->allows_next())) break;
			stream[i]->previous = i > 0 ? stream[i - 1].get() : nullptr;
			step(*stream[i]);
		}
		while (!stream.empty() && stream.front()->has_ended()) {
			stream.pop_front();
			if (!stream.empty()) stream.front()->previous = nullptr;
		}
		if (stream.empty()) streams.erase(std::prev(at));
	}
}

} // namespace

void add(void *stream, const Grid &grid) {
	if (grid.blocks == 0) return;
	streams[stream].push_back(std::make_unique<Run>());
	streams[stream].back()->grid = grid;
	streams[stream].back()->stream = stream;
}

bool is_of_current_device(void *stream) { return !devices.count(stream) || devices[stream] == device; }

bool add_behind(const Grid &grid, bool tail) {
	Run &first = *running->own->run;
	Stream &stream = streams[first.stream];
	if (faults.waiting_grids && stream.size() > faults.waiting_grids) return false;
	auto behind = std::make_unique<Run>();
	behind->grid = grid;
	behind->stream = first.stream;
	stream.insert(stream.begin() + 1 + first.children, std::move(behind));
	first.children += !tail;
	return true;
}

void pause() {
	Fiber &own = *running;
	const uint32_t lanes = own.done ? 0 : ready_behind(); // the stack of a thread that is done is used again
	emulator_switch(&own.top, lanes ? next(*own.warp, lanes) : scheduler);
}

void wait(Barrier &barrier) {
	if (++barrier.arrived == barrier.expected) {
		barrier.arrived = 0;
		barrier.over++;
		release(barrier);
		return;
	}
	ready(*running) &= ~bit(*running);
	pause();
}

void allow_next_grid() {
	Block &block = *running->own;
	if (!block.allows_next) block.run->allowing++;
	block.allows_next = true;
}

void await_previous_grid() {
	while (running->own->run->previous) pause();
}

} // namespace emulator

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
	while (!emulator::streams[stream].empty()) emulator::step_all();
	return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
	static char names[1 << 16];
	static size_t made = 0;
	*stream = names + made++;
	emulator::devices[*stream] = emulator::device;
	return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
	for (int steps = 0; steps < 16 && !emulator::streams[stream].empty(); steps++) emulator::step_all();
	return emulator::streams[stream].empty() ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaMalloc(void **at, size_t bytes) {
	if (bytes >= emulator::kLarge) {
		*at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (*at == MAP_FAILED) return cudaErrorMemoryAllocation;
		emulator::large[*at] = bytes;
		emulator::allocated += bytes;
		return cudaSuccess;
	}
	*at = aligned_alloc(256, (bytes + 255) / 256 * 256);
	memset(*at, 0xcd, bytes);
	emulator::allocated += malloc_usable_size(*at);
	return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
	while (!emulator::streams.empty()) emulator::step_all();
	return cudaSuccess;
}

cudaError_t cudaFree(void *at) {
	cudaDeviceSynchronize();
	const auto found = emulator::large.find(at);
	if (found == emulator::large.end()) {
		emulator::allocated -= malloc_usable_size(at); // 0 for a null pointer
		free(at);
		return cudaSuccess;
	}
	emulator::allocated -= found->second;
	munmap(at, found->second);
	emulator::large.erase(found);
	return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind, cudaStream_t stream) {
	cudaStreamSynchronize(stream);
	memcpy(to, from, bytes);
	return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes, cudaStream_t stream) {
	cudaStreamSynchronize(stream);
	if (value == 0 && emulator::large.count(at) && bytes == emulator::large[at]) madvise(at, bytes, MADV_DONTNEED);
	else memset(at, value, bytes);
	return cudaSuccess;
}
