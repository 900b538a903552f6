// SPDX-License-Identifier: Apache-2.0

// Policies of searches on the emulator: with the defaults of policy/policy.toml, and with small numbers.
#pragma once

#include <cstdint>

#include "common/policy_gen.h"

namespace emulator {

using Policy = g500_policy;
using PathPolicy = g500_sssp_policy;

// Returns a policy with some numbers replaced, each of which follows its member.
template <typename P, typename Member, typename... More>
constexpr P with(P policy, Member P::*member, uint64_t number, More... more) {
	policy.*member = (Member)number;
	if constexpr (sizeof...(more) > 0) return with(policy, more...);
	else return policy;
}

constexpr uint64_t kSecond = 1'000'000'000, kSlow = 120 * kSecond; // the emulator is slow

constexpr Policy kUsualPolicy{G500_USUAL_POLICY kSlow, 1};
constexpr PathPolicy kUsualPaths{G500_USUAL_SSSP_POLICY 1, kSlow};

// With these small graphs reach the steps of large ones.
constexpr Policy kSmall = with(kUsualPolicy, &Policy::few_edges, 20, &Policy::alpha, 3, &Policy::pull_hubs, 0,
                               &Policy::beta, 16, &Policy::short_queue, 16, &Policy::replicated_edges, 40,
                               &Policy::round_pairs, 64, &Policy::hub_vertices, 0);
constexpr PathPolicy kSmallPaths = with(kUsualPaths, &PathPolicy::window, 2'000, &PathPolicy::landmarks, 64,
                                        &PathPolicy::sweeps, 2, &PathPolicy::classes, 8, &PathPolicy::part, 1024,
                                        &PathPolicy::resident, 100);

} // namespace emulator
