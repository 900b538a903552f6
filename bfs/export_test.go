// SPDX-License-Identifier: Apache-2.0

package bfs

import "g500/graph/csr"

// CurrentBounds are the bounds of this process, which tests change.
var CurrentBounds = &bounds

// NewHybrid64 is NewHybrid with 64-bit positions.
func NewHybrid64(workers int) New { return hybrid(workers, func(*csr.Builder) bool { return true }) }
