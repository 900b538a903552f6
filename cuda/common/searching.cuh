// SPDX-License-Identifier: Apache-2.0

// The host's part of searches of both kernels.
#pragma once

#include <functional>

#include "common/doorbell.cuh"
#include "common/host_poll.cuh"
#include "common/ranks.cuh"
#include "common/searching.h"

namespace g500 {

// Searching is what the host has of a rank's searches. A search passes counters and flags to the next one; a failed
// search leaves them undefined, so that no other is possible.
struct Searching {
	Arrays held; // device memory
	Ranks ranks{};
	u32 searches = 0; // so far
	Doorbell doorbell;
	// A word for early notification of the host: the last thread of a search writes the search's number, which the host
	// polls. Synchronizing the stream takes about 2 us longer (ADR 4).
	HostArray<u32> completed;
	HostArray<Control> control;

	virtual ~Searching() = default;

	// Launches the kernel of a search, which waits for the ring with this number.
	virtual cudaError_t launch_search(u32 ring, cudaStream_t stream) const = 0;
	virtual bool prelaunches() const = 0; // by the policy
	virtual bool publishes() const = 0;   // the last kernel of a search publishes that the result is complete
	// Start a search from a label, or one that the host drives; continue that.
	virtual int run(u64 root, cudaStream_t stream) = 0;
	virtual int begin_driven(u64 root, g500_wanted &wanted, cudaStream_t stream) = 0;
	virtual int next(g500_wanted &wanted, cudaStream_t stream) = 0;

	// Allocates memory, and stores its addresses in the kernels' views.
	template <typename State>
	cudaError_t open(State &state, cudaStream_t stream) {
		G500_TRY(control.alloc(1));
		ranks.control = control;
		G500_TRY(doorbell.open(stream));
		state.doorbell = doorbell.words();
		G500_TRY(completed.alloc(1));
		state.completed = completed;
		return cudaSuccess;
	}

	// Calls act, the start of a search, unless a search has failed before. act returns an error code.
	template <typename Act>
	int start(Act act) {
		return failed_ ? (int)G500_FAILED_BEFORE : keep(act());
	}

	// Records an error code of a running search, and returns it.
	int keep(int code) {
		failed_ = failed_ || code != 0;
		return code;
	}

	// Launches the kernel of the next search. Kernels whose times are measured are not pre-launched. A second pre-launched
	// kernel would be queued after one that may never start.
	cudaError_t prelaunch(cudaStream_t stream) {
		if (timings.on || !prelaunches() || doorbell.is_awaited()) return cudaSuccess;
		const cudaError_t code = launch_search(++doorbell.number, stream);
		doorbell.waiting = code == cudaSuccess;
		return code;
	}

	// Rings for the waiting kernel, or else launches one.
	cudaError_t ring(u64 root, cudaStream_t stream) {
		const bool awaited = doorbell.is_awaited();
		if (!awaited) doorbell.number++;
		doorbell.ring(root);
		return awaited ? cudaSuccess : launch_search(doorbell.number, stream);
	}

	// Waits until the last search has published that it is complete or, if it does not, until the stream's work has ended.
	int await(cudaStream_t stream) const {
		const auto is_complete = [&] { return __atomic_load_n((u32 *)completed, __ATOMIC_ACQUIRE) == searches; };
		G500_TRY(publishes() ? poll_until(stream, is_complete) : cudaStreamSynchronize(stream));
		if (stall().why != G500_GOES_ON) return G500_GIVEN_UP;
		return doorbell.is_missed() ? cudaErrorLaunchTimeout : cudaSuccess;
	}

	// Requests the end of the running search, or the next one.
	void end() const { __atomic_store_n(&control->ends, 1, __ATOMIC_RELEASE); }

	// Returns why the last search was given up.
	const g500_stall &stall() const { return control->stall; }

	// Records why a search is given up, unless there is a reason already.
	int give_up(const g500_stall &why) const {
		if (stall().why == G500_GOES_ON) control->stall = why;
		return G500_GIVEN_UP;
	}

private:
	bool failed_ = false;
};

// Driven is a search that the host drives by stages, between two exchanges or looks. All ranks want the same exchanges,
// because all choices depend on sums over all ranks.
class Driven {
public:
	explicit Driven(Searching &of) : searching_(of) {}

	// Continues after the wanted exchange was put on the stream, until the search wants another one or time, or is done.
	int next(g500_wanted &want, cudaStream_t on) {
		constexpr int kGoesOn = -1;
		wanted = &want, stream = on;
		for (want = {kGoesOn}; want.kind == kGoesOn;) {
			if (look_.is_open()) G500_TRY(await_look());
			if (look_.is_open()) return cudaSuccess;
			G500_TRY(go_on(stage));
		}
		return cudaSuccess;
	}

protected:
	using Stage = std::function<int()>; // captures only the search, so that it needs no allocation

	virtual u64 ends() const = 0; // number of ranks that request the end, and of those that give up, times kGaveUp
	virtual g500_stall place(u32 why) const = 0; // the reason with the place of the search

	// Calls a stage, which may name another one in its place.
	static int go_on(Stage &at) {
		const Stage now = std::move(at);
		return now();
	}

	// Requests an all-gather between all ranks, and names the stage that follows.
	int gather(const void *own, void *all, u64 bytes, Stage then) {
		*wanted = {G500_WANTS_ALL_GATHER, own, all, bytes};
		exchanged = bytes * searching_.ranks.count;
		exchanges++;
		stage = std::move(then);
		return cudaSuccess;
	}

	Stage stage;
	Look look_;
	u64 exchanged = 0; // bytes of the last exchange
	u32 exchanges = 0; // so far; the search sets it to 0 at its beginning
	g500_wanted *wanted = nullptr; // of the present call
	cudaStream_t stream = nullptr; // likewise

private:
	// Waits a short time for the sums. If they have not arrived yet, the search wants time.
	int await_look() {
		G500_TRY(look_.await(stream));
		if (!look_.is_open() && ends() == 0) return cudaSuccess;
		if (!look_.is_open()) return give_up(ends() >= kGaveUp ? G500_RANK_GAVE_UP : G500_HOST_REQUESTED);
		*wanted = {G500_WANTS_TIME};
		if (searching_.stall().why != G500_GOES_ON) return G500_GIVEN_UP;
		return look_.is_late(searching_.ranks.wait_ns, exchanged) ? give_up(G500_EXCHANGE_LATE) : (int)cudaSuccess;
	}

	int give_up(u32 why) const { return searching_.give_up(place(why)); }

	Searching &searching_;
};

} // namespace g500

struct g500_searching : g500::Searching {};
