// SPDX-License-Identifier: Apache-2.0

// Thrust's iterator over a function of another iterator's items, on a CPU.
#pragma once

#include <cstddef>

namespace thrust {

template <typename Function, typename Iterator>
struct transform_iterator {
	Iterator from;
	Function function;

	auto operator[](size_t i) const { return function(from[i]); }
};

template <typename Function, typename Iterator>
transform_iterator<Function, Iterator> make_transform_iterator(Iterator from, Function function) {
	return {from, function};
}

} // namespace thrust
