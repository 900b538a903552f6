// SPDX-License-Identifier: Apache-2.0

// The forms of exchange that searches are tested in.
#pragma once

#include "job.h"

namespace emulator {

inline const std::vector<Form> forms{
	{"far, auto", G500_EXCHANGE_AUTO, true, true},
	{"far, auto, few known labels", G500_EXCHANGE_AUTO, true, false},
	{"far, auto, reports of 3 vertices", G500_EXCHANGE_AUTO, true, true, 3},
	{"far, bins, only sums in reports", G500_EXCHANGE_BINS, true, true, 0},
	{"far, bitmap", G500_EXCHANGE_BITMAP, true, true},
	{"far, bins", G500_EXCHANGE_BINS, true, true},
	{"peers, auto", G500_EXCHANGE_AUTO, false, true},
	{"peers, auto, few known labels", G500_EXCHANGE_AUTO, false, false},
	{"peers, bitmap", G500_EXCHANGE_BITMAP, false, true},
	{"peers, bins", G500_EXCHANGE_BINS, false, true},
	{"far, auto, queries, only sums in reports", G500_EXCHANGE_AUTO, true, true, 0, 0},
	{"far, auto, queries, few known labels, reports of 3 vertices", G500_EXCHANGE_AUTO, true, false, 3, 0},
	{"far, bins, queries", G500_EXCHANGE_BINS, true, true, kAll, 0},
	{"far, auto, only sums in reports", G500_EXCHANGE_AUTO, true, true, 0},
};

} // namespace emulator
