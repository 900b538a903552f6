package gpu

import (
	"math/bits"
	"slices"

	"g500/bench"
	"g500/bfs"
	"g500/gpu/kernel1"
	gpuvalidate "g500/gpu/validate"
	"g500/graph"
	"g500/kronecker"
	"g500/record"
	"g500/sssp"
)

// Bytes of device memory per item. Vertices are vertices with an edge; N labels have up to N of them, large official
// graphs about half as many.
const (
	wideColBytes  = 2        // the same, of a wide graph: that one's rank
	searchBytes   = 20 + 23  // a vertex: columns of its first neighbours; state of a search, bitmaps, columns by tile
	wideBytes     = 16       // a vertex of a wide graph: ranks of first neighbours, of parents and in columns by tile
	workBytes     = 2        // a tuple: the least working memory of kernel 1, which takes more if it can
	stageBytes    = 12 + 2*8 // a tuple that comes from host memory: as kernels read it, and twice in narrow form
	narrowBytes   = 8        // of host memory: a tuple in narrow form
	weightedBytes = 8        // a directed edge with its weight
	pathsBytes    = 62 + 12  // a vertex: state of a search for shortest paths, its order by tile; the result of a label
	weightBytes   = 4        // a tuple's weight; two of them if it comes from host memory
)

// In addition, one rank alone needs for segmented pushes: cutBytes for each row that is cut and each
// segment. There is one of these for segmentVertices, and leastSegments: two for each block of a search on 132
// multiprocessors.
const (
	cutBytes        = 4 // of a row at a segment's bound
	segmentVertices = 48 << 10
	leastSegments   = 2 * 4 * 132
)

// In addition, several ranks need:
const (
	edgeBits       = 1             // a directed edge: whether it leads to a vertex by its first neighbour
	searchBitmaps  = 2             // of all positions
	pushBitmaps    = 2             // of them, if all ranks are peers
	searchBuffers  = 3<<29 + 1<<27 // at most: pairs from others 1 GiB, hints and known labels 256 MiB each, queues 128
	openBytes      = 8             // a vertex, in query mode, instead: edges of open vertices
	queryBytes     = 1 << 26       // and queries
	messageBytes   = 8             // a message of kernel 1, twice that with a weight or in a wide graph
	pathPlaceBytes = 12            // a position: distances, parents and labels for shortest paths,
	hostPlaceBytes = 8             // and more if hosts exchange,
	pathMessages   = 2 * 16        // and there for a vertex of another rank: messages to its owner, and from others
	pruneBytes     = 72            // a vertex, when kernel 1 prunes: what is stripped, the new order and its keys, rows
	prunePlaces    = 4 + 1         // a position, then: depths in the hub's tree; what leaves hang on
)

// stagedTuples is the number of tuples that come from host memory at a time, 256 MiB: some 5 ms. The validator checks
// more parents at a time then, because each pass over the tuples goes through PCIe.
const stagedTuples = 1 << 25

// Memory estimates a run's memory on each of that many ranks, in all possible ways, the fastest first: with the edge
// tuples in device memory, and with them in host memory. Vertices without an edge are counted as if they had one.
func Memory(p kronecker.Params, ranks int, validated bool) []bench.Plan {
	return estimate(p, ranks, validated, record.DefaultConfig().Search.ResultBits)
}

// estimate is Memory of a run whose results have resultBits for each parent.
func estimate(p kronecker.Params, ranks int, validated bool, resultBits int) []bench.Plan {
	tuples, vertices := kernel1.Share(p.Edges(), ranks), kernel1.Share(int64(p.Vertices()), ranks)
	build := workBytes * tuples
	search := (searchBytes + int64(resultBits/8)) * vertices
	wide := isWide(p, ranks)
	if ranks == 1 {
		search += cutMemory(vertices, bfs.DefaultPolicy())
	} else {
		message := int64(messageBytes)
		if wide {
			message *= 2
		}
		search += edgeBits * 2 * tuples / 8
		build += kernel1.RoundBytes(tuples, ranks, message)
		places := positions(p, ranks)
		querying := openBytes*min(vertices, places/int64(ranks)) + queryBytes
		search += searchBitmaps*places/8 + max(pushBitmaps*places/8, querying) + searchBuffers
	}
	engine := kernel1.Structure(tuples, vertices) + max(search, build) + kernel1.Spare
	if wide {
		engine += wideColBytes*2*tuples + wideBytes*vertices
	}
	plans := []bench.Plan{{
		Tuples: tuples * int64(graph.EdgeBytes), Engine: engine,
		Validator: gpuvalidate.Memory(p, ranks, gpuvalidate.DeviceWindow),
	}, {
		Tuples: stageBytes * min(tuples, stagedTuples), Engine: engine,
		Validator: gpuvalidate.Memory(p, ranks, gpuvalidate.HostWindow), InHost: narrowBytes * tuples,
	}}
	if int64(p.Vertices()) > 1<<32 { // tuples in host memory have labels of 32 bits
		plans = plans[:1]
	}
	for i := range plans {
		if !validated {
			plans[i].Validator = 0
		}
	}
	return plans
}

// positionBits is the shift of positions, of a rank's share of the vertices with an edge: as expected, and a little.
func positionBits(p kronecker.Params, ranks int) int {
	const uneven = 1.05
	return bits.Len64(uint64(uneven * p.Connected() / float64(ranks)))
}

// isWide reports whether a graph will need more than 32 bits for labels or, as far as can be expected, positions.
func isWide(p kronecker.Params, ranks int) bool {
	return ranks > 1 && (int64(p.Vertices()) > kernel1.MaxNarrow || int64(ranks)<<positionBits(p, ranks) > 1<<32)
}

// positions bounds those of all ranks, which leave gaps: less than twice as many as vertices. In large graphs, many of
// whose vertices have no edge, they are counted.
func positions(p kronecker.Params, ranks int) int64 {
	most := 2 * int64(p.Vertices())
	if isWide(p, ranks) {
		return min(most, int64(ranks)<<positionBits(p, ranks))
	}
	return most
}

// cutMemory returns the memory for the cuts of the longest rows, if a search of that many vertices pushes by segments.
func cutMemory(vertices int64, p bfs.Policy) int64 {
	if vertices < p.SegmentCore {
		return 0
	}
	return cutBytes * min(p.SegmentHubs, vertices) * (leastSegments + vertices/segmentVertices)
}

// pathsMemory adds what shortest paths need to a plan of estimate: a structure of their own, the weights of tuples,
// and in the validator of several ranks the distances of all vertices. Pruning is counted on several ranks alone. Ranks
// that push together (device.AtomicPeers) need less.
func pathsMemory(plan bench.Plan, p kronecker.Params, ranks int, prune sssp.Pruning, together bool) bench.Plan {
	tuples, vertices := kernel1.Share(p.Edges(), ranks), kernel1.Share(int64(p.Vertices()), ranks)
	plan.Engine += weightedBytes*2*tuples + (kernel1.RowBytes+kernel1.HubOfBytes+pathsBytes)*vertices
	if ranks > 1 {
		plan.Engine += kernel1.RoundBytes(tuples, ranks, messageBytes) // weights beside words
		plan.Engine += pathPlaceBytes * 2 * int64(p.Vertices())
		if !together {
			plan.Engine += hostPlaceBytes*2*int64(p.Vertices()) + pathMessages*int64(ranks-1)*vertices
		}
		if prune == sssp.PruneHub {
			plan.Engine += prunePlaces*2*int64(p.Vertices()) + pruneBytes*vertices
		}
	}
	if plan.InHost > 0 {
		plan.Tuples += 2 * weightBytes * min(tuples, stagedTuples)
		plan.InHost += weightBytes * tuples
	} else {
		plan.Tuples += weightBytes * tuples
	}
	if plan.Validator > 0 && ranks > 1 {
		plan.Validator += gpuvalidate.DistanceBytes * (int64(p.Vertices()) + int64(ranks)<<7) // slices are made of 128 places
	}
	return plan
}

// placesOf are the plans that a choice of the place of edge tuples leaves: auto, device or host.
func placesOf(tuples string, plans []bench.Plan) []bench.Plan {
	if tuples == "auto" {
		return plans
	}
	return slices.DeleteFunc(plans, func(p bench.Plan) bool { return (p.InHost > 0) != (tuples == "host") })
}

// MaxScale is the largest scale: 1024 ranks, for as many as messages between GPUs are sorted, own fewer than 2^31
// labels each. MaxNarrowScale is that of narrow graphs, to which shortest paths and parents of 32 bits are bound
// (ADR 26).
const (
	MaxScale       = 40
	MaxNarrowScale = 31
)

// maxScale returns the largest scale for results with that many bits for each parent.
func maxScale(resultBits int) int {
	if resultBits == 32 {
		return MaxNarrowScale
	}
	return MaxScale
}
