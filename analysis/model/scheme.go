package model

import (
	"fmt"
	"math"

	"g500/bfs"
)

// Scheme is an exchange scheme: how ranks send each other the vertices that a level has visited.
type Scheme string

const (
	// Bitmap partitions vertices 1-D. Each rank holds the visited bitmap of the non-leaf subgraph, and sends its part to
	// all others after each bottom-up level: once to each other node, where GPUs read it from host memory (ADR 28). The
	// engine's lists of changed words are longer in the mean search, because each sweep changes 25% of the words.
	Bitmap Scheme = "bitmap"
	// Gaps is the CPU engine's scheme for mid-sized graphs (ADR 23): a rank sends the new bits of its part as gaps or as
	// words, whichever is shorter, once to each node, where they are forwarded to the peers.
	Gaps Scheme = "gaps"
	// Queries is the CPU engine's scheme for large graphs (ADR 28): gaps of a replicated hub bitmap, and queries about
	// the other neighbours that vertices need.
	Queries Scheme = "queries"
	// Hubs, which is not implemented, replicates bitmaps of hubs, as words in two-level messages. Other vertices are
	// pushed with their parents, in two-level messages too (Pan, Pearce and Owens, 2018, arXiv 1803.03922).
	Hubs Scheme = "hubs"
	// Grid, which is not implemented, is 2-D (Beamer, Buluc et al., 2013): each rank of a square holds the edges from one
	// block of vertices to another, and their bits. The ranks of a node share a block.
	Grid Scheme = "grid"
	// Bins is 1-D without other ranks' bitmaps: all levels are top-down, and a rank sends each vertex to its owner once.
	Bins Scheme = "bins"
)

// Schemes are all schemes, the simplest first.
var Schemes = []Scheme{Bitmap, Gaps, Queries, Hubs, Grid, Bins}

// Exists reports whether the GPU engine has the scheme as it is modelled; its query mode differs from Queries.
func (s Scheme) Exists() bool { return s == Bitmap || s == Bins }

// ParseScheme returns the scheme of a name. The former name of Queries is "questions".
func ParseScheme(name string) (Scheme, error) {
	if name == "questions" {
		return Queries, nil
	}
	for _, s := range Schemes {
		if name == string(s) {
			return s, nil
		}
	}
	return "", fmt.Errorf("model: there is no exchange %q: choose bitmap, gaps, queries, hubs, grid or bins", name)
}

// Bytes of items of messages.
const (
	pairBytes  = 8 // a vertex and its parent's label
	labelBytes = 8 // a query for a label, and its reply
	edgeBytes  = 4 // read per edge of a peer's row
)

// Peers replicate a frontier of at most replicatedEdges, or of as many edges as each peer has vertices: each expands
// all of it (gpu/policy/policy.toml). A frontier with more edges than the other two bounds is pushed through a bitmap,
// as in the program that was measured: segmented pushes of several ranks are not modelled.
const (
	replicatedEdges = 1 << 24
	bitmapEdges     = 4000000 // per rank
	bitmapShare     = 4       // the edges of all ranks, times this, exceed the vertices
)

// shortPairs is the largest mean number of pairs per two ranks that go from node to node (gpu/bfs/host_exchange.go).
const shortPairs = 128

// layout is a graph divided among ranks under a scheme.
type layout struct {
	g      *Graph
	mean   *means
	scheme Scheme
	ranks  float64
	node   float64 // ranks on each node
	hubs   Prefix  // of Hubs

	messages [stepCount]float64 // of Gaps: bytes of a rank's message
	queried  *queryCosts        // of Queries
	labels   float64            // of parents that a rank queries
}

// oneNode reports whether all ranks are peers. Then peers replicate small frontiers, and the result is written in
// parallel with the third and later levels, except in Bins, whose levels leave no list. On several nodes, steps are
// sequential and small levels send pairs.
func (l layout) oneNode() bool { return l.ranks <= l.node && l.scheme != Bins }

// smallFrontiers returns the shares of the searches and of their edges whose last top-down frontier is replicated.
func (l layout) smallFrontiers() (searches, edges float64) {
	return l.mean.small(max(replicatedEdges, l.g.Vertices/l.ranks))
}

// bitmapPush reports whether peers push large top-down levels, by the mean of those not replicated, through a bitmap.
func (l layout) bitmapPush() bool {
	searches, share := l.smallFrontiers()
	if searches == 1 || l.ranks == 1 {
		return false
	}
	edges := (1 - share) / (1 - searches) * l.mean.steps[pushStep].edges * l.g.InnerEdges
	return l.oneNode() && edges/l.ranks > bitmapEdges && edges*bitmapShare > l.g.Inner
}

// replicated returns the shares of a top-down step's levels and of its edges whose frontier is replicated.
func (l layout) replicated(at int) (levels, edges float64) {
	switch {
	case l.ranks == 1 || !l.oneNode() || at > pushStep:
		return 0, 0
	case at == earlyStep:
		return 1, 1
	}
	return l.smallFrontiers()
}

// volume is the data that a rank receives in a step from all others together; it sends as much.
type volume struct {
	words    float64   // bytes of bitmaps
	shared   float64   // bytes of bitmaps that all ranks of a node need, and that cross the network once
	changed  float64   // share of the words that peers write
	marked   float64   // bytes of push bitmaps, to owners and back; peers only
	pairs    float64   // bytes
	rows     float64   // bytes of neighbour arrays that are read in place; peers only
	messages float64   // per rank of another node
	edges    float64   // that the rank visits to fill bins, in addition to the step's own work
	queried  exchanged // with queries
}

// bits returns the number of bits that a rank reads at random.
func (l layout) bits() float64 {
	switch l.scheme {
	case Hubs:
		return l.hubs.Vertices
	case Queries:
		return l.queried.bits
	case Grid:
		return l.g.Inner / math.Sqrt(l.ranks)
	}
	return l.g.Inner
}

// others returns the share that is on other parts, of n equal parts.
func others(n float64) float64 { return 1 - 1/n }

// volumeOf returns the volume of a step.
func (l layout) volumeOf(at int) volume {
	switch s := steps[at]; {
	case at == labelOrder:
		return l.result()
	case at == rest:
		return volume{}
	case l.scheme == Queries && s.bottomUp:
		return volume{edges: l.queried.steps[at].queries, queried: l.queried.steps[at]}
	case l.scheme == Bins:
		return l.binned(at)
	case !s.bottomUp:
		return l.pushed(at)
	case s.listed && l.scheme == Gaps:
		v := l.addWords(volume{}, at)
		v.changed = 1
		v.shared *= l.mean.steps[at].times
		v.messages *= l.mean.steps[at].times
		return v
	case s.listed:
		return l.published(at)
	}
	v := l.addWords(volume{}, at)
	if l.scheme == Grid { // the ranks that share a block gather its bits
		v.words = v.shared
	}
	return l.addPairs(v, at)
}

// result returns the volume for writing the result on several nodes: labels of parents, from rank to rank as GPUs query
// them, or by the CPU engine's rule; and in Queries the bits of neighbours of leaves.
func (l layout) result() (v volume) {
	if l.labels > 0 {
		apart := l.ranks - l.node
		v.queried = exchanged{between: 2 * labelBytes * l.labels * apart / l.ranks, messages: 2 * apart}
		if l.scheme != Bitmap && bfs.DefaultBounds().ItemsToNodes(int64(l.labels*l.ranks), int64(l.ranks)) {
			v.queried.messages /= l.node
		}
	}
	if l.scheme == Queries {
		v.queried = v.queried.plus(l.queried.steps[labelOrder], 1)
	}
	return v
}

// addWords adds the bits that a rank needs from all others.
func (l layout) addWords(v volume, at int) volume {
	v.changed = steps[at].changed
	switch l.scheme {
	case Bitmap:
		if l.ranks > l.node {
			v.shared, v.changed = l.bits()/8*others(l.ranks), 1
			v.messages += 1 / l.node
			break
		}
		v.words = l.bits() / 8 * others(l.ranks)
	case Queries:
		v.queried = l.queried.steps[at]
	case Gaps:
		v.shared, v.changed = l.messages[at]*l.ranks*others(l.ranks), 1
		v.messages += 1 / l.node
	case Hubs:
		v.shared = l.bits() / 8 * others(l.ranks)
		v.messages += 1 / l.node
	case Grid:
		v.shared = l.bits() / 8 * others(math.Sqrt(l.ranks))
		v.messages += 1 / math.Sqrt(l.ranks)
	}
	return v
}

// perRank returns the messages per rank of another node, if a rank receives that many pairs: one, or one per node.
func (l layout) perRank(pairs float64) float64 {
	if l.scheme == Hubs || l.scheme != Bins && pairs <= shortPairs*l.ranks {
		return 1 / l.node
	}
	return 1
}

// pushed returns the volume of a top-down step: a pair from each rank that finds a new vertex, or a push bitmap for
// each owner and the result back. After the last step before the first sweep, all ranks need all bits. A replicated
// frontier needs only the others' rows.
func (l layout) pushed(at int) volume {
	levels, edges := l.replicated(at)
	s := l.mean.steps[at]
	finders := 1 - math.Pow(others(l.ranks), steps[at].claims) // share of the ranks
	pairs := s.found * l.g.Inner * finders * others(l.ranks)
	v := volume{
		pairs:    pairBytes * s.times * pairs,
		messages: 2 * s.times * l.perRank(pairs), // their number, then the pairs
	}
	if at == pushStep {
		v = l.addWords(v, at)
		v.words, v.shared = v.words*(1-levels), v.shared*(1-levels)
		if l.bitmapPush() {
			v.pairs = 0
			v.marked = 2 * (1 - levels) * l.g.Inner / 8 * others(l.ranks)
		}
	}
	if levels > 0 {
		v.pairs *= 1 - edges
		v.rows = edgeBytes * edges * s.times * s.edges * l.g.InnerEdges * others(l.ranks)
	}
	return v
}

// published returns the volume of a step that searches for the remaining vertices: each one found is sent to all ranks
// that hold its bit.
func (l layout) published(at int) volume {
	s := l.mean.steps[at]
	pairs := s.found * l.bits() * others(l.ranks)
	v := volume{pairs: pairBytes * s.times * pairs, messages: s.times * l.perRank(pairs)}
	if l.scheme == Grid { // for two blocks
		v.pairs *= 2
		v.messages *= 2 / math.Sqrt(l.ranks)
	}
	return l.addPairs(v, at)
}

// addPairs adds the pairs of a bottom-up step.
func (l layout) addPairs(v volume, at int) volume {
	s := l.mean.steps[at]
	switch l.scheme {
	case Hubs: // an edge between two other vertices is pushed once
		v.edges = s.times * s.frontier * l.hubs.Light * l.g.InnerEdges / l.ranks
		v.pairs += pairBytes * v.edges * others(l.ranks)
		v.messages += 2 * s.times * l.perRank(v.edges)
	case Grid: // parents go to the owners
		v.pairs += pairBytes * s.times * s.found * l.g.Inner / l.ranks * others(math.Sqrt(l.ranks))
		v.messages += 2 * s.times / math.Sqrt(l.ranks)
	}
	return v
}

// binned returns the volume of a step that visits every edge of the frontier. Of d edges to a vertex, d/P leave
// vertices of one rank, which sends the vertex once.
func (l layout) binned(at int) volume {
	s := l.mean.steps[at]
	pairs := 0.0
	for _, c := range l.g.classes {
		if c.vertices > 0 {
			pairs += c.vertices * (1 - math.Pow(others(l.ranks), c.edges/c.vertices))
		}
	}
	v := volume{pairs: pairBytes * s.times * s.frontier * pairs * others(l.ranks), messages: 2 * s.times}
	if steps[at].bottomUp {
		v.edges = s.times * s.frontier * l.g.InnerEdges / l.ranks
	}
	return v
}
