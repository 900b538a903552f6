// SPDX-License-Identifier: Apache-2.0

// Launches on a CPU: a grid is added to its stream, and runs while the host waits for it.
#pragma once

#include "threads.h"

namespace g500 {

template <typename... P>
cudaError_t launch(void (*kernel)(P...), const Launch &by, const As<P> &...arguments) {
	const auto body = [=] { kernel(arguments...); };
	const bool cooperative = by.how == Launch::kCooperative, overlap = by.how == Launch::kOverlapped;
	emulator::Faults &faults = emulator::faults;
	if (by.blocks == 0) return cudaSuccess;
	if (!emulator::is_of_current_device(by.stream)) return cudaErrorInvalidResourceHandle;
	if (faults.failing_launches > 0) return faults.failing_launches--, cudaErrorLaunchOutOfResources;
	if (faults.lost_launches > 0) return faults.lost_launches--, cudaSuccess;
	emulator::add(by.stream, {by.blocks, by.threads, by.shared, cooperative, overlap, body});
	return faults.launches_block ? cudaStreamSynchronize(by.stream) : cudaSuccess;
}

// From a kernel: its children run after it, in the order of the launches, each followed by its own children; then its
// tail.
template <auto kKernel, typename... A>
cudaError_t launch_behind(const Launch &how, bool tail, const A &...arguments) {
	const emulator::Grid grid = {how.blocks, how.threads, how.shared, false, false, [=] { kKernel(arguments...); }};
	return emulator::add_behind(grid, tail) ? cudaSuccess : cudaErrorLaunchOutOfResources;
}

template <auto kKernel, typename... A>
cudaError_t launch_child(const Launch &how, const A &...arguments) {
	return launch_behind<kKernel>(how, false, arguments...);
}

template <auto kKernel, typename... A>
cudaError_t launch_tail(const Launch &how, const A &...arguments) {
	return launch_behind<kKernel>(how, true, arguments...);
}

} // namespace g500
