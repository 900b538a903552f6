package sssp

// Pruning says which edges kernel 1 leaves out of the structure, in addition to self-loops and all except the lightest
// between two vertices. No pruning changes a distance, whatever the root (docs/adr/0019).
type Pruning string

const (
	// PruneNone leaves out none.
	PruneNone Pruning = "none"
	// PruneHub leaves out edges that are longer than the way around by a hub: where D are the distances from the hub, an
	// edge between u and v of weight w > D(u) + D(v) + Margin.
	PruneHub Pruning = "hub"
)

// mostHops bounds the paths for which Margin is proven.
const mostHops = 1 << 19

// Margin is the largest rounding error of the way around by a hub, if the farthest vertex that the hub reaches has that
// distance from it, and no shortest path from the hub has more edges than hops. It is infinite where hops are too many:
// then no edge may be left out. The proof is in docs/adr/0019.
func Margin(farthest float32, hops int) float64 {
	if hops > mostHops {
		return float64(infinity)
	}
	const unit = 1.0 / (1 << 24) // the relative error of one rounded sum
	return 12 * float64(hops+1) * unit * float64(farthest)
}
