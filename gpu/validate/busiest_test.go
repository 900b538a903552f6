// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"testing"

	"g500/internal/expect"
)

func TestBusiestLevels(t *testing.T) {
	for _, c := range []struct {
		sizes []uint64
		want  int
	}{
		{nil, 0},
		{[]uint64{0, 0, 0}, 0},
		{[]uint64{0, 40, 9_000_000, 22_000_000, 6_000_000, 800}, 2},
		{[]uint64{0, 3000, 15_000_000, 17_000_000, 40_000}, 1},    // the hubs of level 1 have more ends than level 4
		{[]uint64{0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 1},   // a path
		{[]uint64{0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 50}, 11}, // ending in a star
	} {
		expect.Equal(t, busiest(c.sizes), c.want, "busiest", c.sizes)
	}
}
