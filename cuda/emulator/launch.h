// Launches on a CPU: a grid is added to its stream, and runs when that is waited for.
#pragma once

#include "threads.h"

namespace g500 {

template <typename... P>
cudaError_t launch_grid(void (*kernel)(P...), const Launch &how, bool cooperative, const As<P> &...arguments) {
	const auto body = [=] { kernel(arguments...); };
	emulator::add(how.stream, {how.blocks, how.threads, how.shared, cooperative, how.overlap, body});
	return cudaSuccess;
}

template <typename... P>
cudaError_t launch(void (*kernel)(P...), const Launch &how, const As<P> &...arguments) {
	return launch_grid(kernel, how, false, arguments...);
}

template <typename... P>
cudaError_t launch_cooperative(void (*kernel)(P...), const Launch &how, const As<P> &...arguments) {
	return launch_grid(kernel, how, true, arguments...);
}

template <typename... P>
cudaError_t launch_overlapped(void (*kernel)(P...), const Launch &how, const As<P> &...arguments) {
	return launch_grid(kernel, how, false, arguments...);
}

} // namespace g500
