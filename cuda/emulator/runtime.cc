// Fibers, and memory.
#include "cuda_runtime.h"

#include <cstdlib>
#include <memory>

namespace emulator {

Fiber *running;

namespace {

constexpr size_t kStack = 128 << 10;

void *scheduler; // the stack of what runs the fibers

// Goes over to another stack, and keeps where this one is left: what a function must leave as it was lies on it.
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
	ret
)");

void begin() {
	(*running->body)();
	running->done = true;
	pause();
}

// A new stack looks as if its fiber had been left at the entry of begin.
void prepare(Fiber &fiber) {
	fiber.stack = malloc(kStack);
	void **top = (void **)((uintptr_t)((char *)fiber.stack + kStack - 64) / 16 * 16);
	*--top = nullptr; // where begin, which does not, would return to
	*--top = (void *)begin;
	for (int saved = 0; saved < 6; saved++) *--top = nullptr;
	fiber.top = top;
}

void add(const Grid &grid, std::vector<std::unique_ptr<Block>> &blocks, std::vector<Fiber> &fibers) {
	for (uint32_t b = 0; b < grid.blocks; b++) {
		blocks.push_back(std::make_unique<Block>());
		Block &block = *blocks.back();
		block.meeting.expected = grid.threads;
		block.warps.resize(grid.threads / kWarp);
		block.shared.assign(grid.shared, 0xcd);
		for (Warp &warp : block.warps) warp.meeting.expected = kWarp;
		for (uint32_t t = 0; t < grid.threads; t++) fibers.push_back({{t}, {b}, {grid.blocks}, &block, &block.warps[t / kWarp]});
	}
}

} // namespace

void pause() { emulator_switch(&running->top, scheduler); }

void meet(Meeting &meeting) {
	if (++meeting.arrived == meeting.expected) {
		meeting.arrived = 0;
		meeting.over++;
		return;
	}
	running->until = &meeting.over;
	running->was = meeting.over;
	pause();
	running->until = nullptr;
}

void run(const std::vector<Grid> &grids) {
	std::vector<std::unique_ptr<Block>> blocks;
	std::vector<Fiber> fibers;
	std::vector<const Grid *> of;
	for (const Grid &grid : grids) {
		add(grid, blocks, fibers);
		of.resize(fibers.size(), &grid);
	}
	for (size_t i = 0; i < fibers.size(); i++) {
		fibers[i].body = &of[i]->body;
		prepare(fibers[i]);
	}
	for (size_t left = fibers.size(); left;)
		for (Fiber &fiber : fibers) {
			if (fiber.done || (fiber.until && *fiber.until == fiber.was)) continue;
			running = &fiber;
			emulator_switch(&scheduler, fiber.top);
			left -= fiber.done;
		}
	for (Fiber &fiber : fibers) free(fiber.stack);
}

} // namespace emulator

cudaError_t cudaMalloc(void **at, size_t bytes) {
	*at = aligned_alloc(256, (bytes + 255) / 256 * 256);
	memset(*at, 0xcd, bytes);
	return cudaSuccess;
}

cudaError_t cudaFree(void *at) {
	free(at);
	return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind, cudaStream_t) {
	memcpy(to, from, bytes);
	return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes, cudaStream_t) {
	memset(at, value, bytes);
	return cudaSuccess;
}
