// SPDX-License-Identifier: Apache-2.0

package sssp

// Pruning selects edges that kernel 1 removes, in addition to self-loops and all except the lightest edge between two
// vertices. It does not change distances from any root (docs/adr/0019).
type Pruning string

const (
	// PruneNone removes no further edges.
	PruneNone Pruning = "none"
	// PruneHub removes edges that are longer than the detour over a hub: an edge between u and v of weight
	// w > D(u) + D(v) + Margin, for distances D from the hub.
	PruneHub Pruning = "hub"
)

// mostHops is the largest number of edges of a path for which Margin is proven.
const mostHops = 1 << 19

// Margin returns the largest rounding error of a detour over a hub, for the largest distance from the hub, and the
// largest number of edges of a shortest path from the hub. It is infinite, so no edge is removed, if hops exceed
// mostHops. The proof is in docs/adr/0019.
func Margin(farthest float32, hops int) float64 {
	if hops > mostHops {
		return float64(infinity)
	}
	const unit = 1.0 / (1 << 24) // the relative error of one rounded sum
	return 12 * float64(hops+1) * unit * float64(farthest)
}
