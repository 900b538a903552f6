// SPDX-License-Identifier: Apache-2.0

package gpu

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"g500/bench"
	"g500/gpu/kernel1"
	gpuvalidate "g500/gpu/validate"
	"g500/graph"
	"g500/kronecker"
	"g500/policy"
	"g500/record"
	"g500/settings"
	"g500/sssp"
)

// Bytes of device memory per item. Vertices are non-isolated vertices; estimates of plain rows count all labels as
// vertices that are no leaves, although about half of the labels of large official graphs are isolated.
const (
	col64Bytes    = 2        // per directed edge, with 64-bit ids: the rank of its end
	label64Bytes  = 6        // per vertex, with 64-bit labels: ranks of first neighbours' and of parents' labels
	searchBytes   = 20 + 23  // per vertex: arrays of first neighbours; state of a search, bitmaps and arrays by tile
	listBytes     = 4 + 10   // per vertex of other graphs: all may have several edges, and no hub as first neighbour
	vertex64Bytes = 12       // per vertex, with 64-bit ids: ranks of first neighbours and of leaves' neighbours
	workBytes     = 2        // per tuple: the least working memory of kernel 1, which uses more if it is free
	stageBytes    = 12 + 2*8 // per tuple of a piece from host memory: for kernels, and twice with 32-bit labels;
	longStaged    = 2 * 12   // twice with longer labels
	narrowBytes   = 8        // per tuple, of host memory or of a generated piece for validation: two 32-bit labels;
	longBytes     = 12       // or two 48-bit labels
	weightedBytes = 8        // per directed edge with a weight
	addressBytes  = 8        // per vertex with a packed row
	leafBytes     = 18       // per leaf in place of searchBytes: arrays by tile, waiting leaves
	pathsBytes    = 76 + 12  // per vertex: state of a search for shortest paths, order by tile; result per label
	weightBytes   = 4        // per tuple with a weight, twice for a piece from host memory
	offsetBytes   = 8        // per vertex of a directed graph: edges before each vertex of the longest frontier,
	hintBytes     = 8        // and for shortest paths which vertex has pushed the distance, per id without peers
)

// A rank also stores lists of the neighbours of hubs in each segment, for segmented pushes. There are at most
// blockSegments, two for each block of a search on 132 multiprocessors, and one more for each segmentVertices.
const (
	cutBytes        = 4 // per list: a hub and a segment
	endBytes        = 2 // per entry of a list
	mostListed      = 4 // lists have at most 1/mostListed of the directed edges, and fewer than 2^32 entries
	segmentVertices = 48 << 10
	blockSegments   = 2 * 4 * 132
)

// Several ranks also store:
const (
	searchBitmaps  = 2             // bits per id
	gatheredBits   = 2             // likewise, some ranks are no peers: visited; has a hub as first neighbour
	ghostBits      = 1             // likewise, with 32-bit ids, per label: 1/32 of the labels is in lists of ghosts
	searchBuffers  = 1<<30 + 1<<27 // at most: pairs from others 1 GiB, queues 128 MiB
	knownBytes     = 4             // per label that every rank stores
	messageBytes   = 8             // per message of kernel 1, twice with a weight or with 64-bit labels
	pathPlaceBytes = 12            // per id: distances, parents and labels for shortest paths;
	farPlaceBytes  = 12            // if some ranks are no peers, also marks, places of light edges,
	pathOffers     = 2 * 16        // per vertex and rank: offers to its owner, and from others,
	listedBytes    = 8             // per vertex: a list of distances for others;
	pathReports    = 48 << 20      // at most, of all ranks: reports with such lists;
	lightBytes     = 8             // and per entry with a light edge
	pruneBytes     = 72            // per vertex, for pruning: stripped vertices, new order and its keys, rows
	prunePlaces    = 4 + 1         // per id, for pruning: depths in the tree of the root, parents of leaves
)

// stagedTuples is the number of tuples that are generated, or copied from host memory, at a time: 256 MiB, which are
// copied in some 5 ms. The validator then checks more parents per pass over the tuples.
const stagedTuples = 1 << 25

// job is a run whose memory is estimated.
type job struct {
	bench.Work
	search         settings.SearchConfig
	atomicPeers    bool  // the result of device.AtomicPeers: such ranks need less
	tuples, labels int64 // of a rank, at most
}

func jobOf(w bench.Work, c settings.SearchConfig, atomicPeers bool) job {
	return job{w, c, atomicPeers, kernel1.Share(w.Edges(), w.Ranks), kernel1.Share(int64(w.Vertices()), w.Ranks)}
}

// Memory estimates the memory of each rank with the default settings, if ranks are no peers. It returns a plan with the
// edge tuples in device memory, a slower one with the edge tuples in host memory, and one without stored tuples.
func Memory(w bench.Work) []bench.Plan {
	return jobOf(w, settings.Default().Search, false).plans("plain")
}

// sizes are the sizes of a rank's rows.
type sizes struct {
	bits             float64 // of an entry in packed rows; 0 in plain rows
	vertices, leaves int64   // with leaves, and only leaves
	segments         int64   // bytes
}

func (j job) plainSizes() sizes {
	usual := policy.Default()
	lists := usual.SegmentHubs * (blockSegments + j.labels/segmentVertices)
	return sizes{vertices: j.labels, segments: cutBytes*lists + endBytes*min(2*j.tuples/mostListed, 1<<32)}
}

// packedSizes returns the sizes of packed rows. Official graphs have the expected vertices, on several ranks 1% more.
func (j job) packedSizes() sizes {
	s := j.plainSizes()
	if s.bits = j.packedBits(); j.Other {
		return s
	}
	uneven, ranks := 1.0, float64(j.Ranks)
	if j.Ranks > 1 {
		uneven = 1.01
	}
	s.vertices = int64(uneven * j.Connected() / ranks)
	s.leaves = int64((j.Connected() - j.NonLeaves()) / ranks)
	s.segments = j.officialSegments(s.vertices - s.leaves)
	return s
}

// officialSegments returns the memory of one rank for segmented pushes, with that many vertices that are no leaves.
// Lists have the edges from vertices in segments to hubs, except to first neighbours; see SegmentStore in cuda/search.
func (j job) officialSegments(vertices int64) int64 {
	ends, usual := 2*float64(j.tuples), policy.Default()
	for hubs := usual.SegmentHubs; ; hubs /= 2 {
		listed := ends*j.ShareOfHighest(hubs)*(1-j.ShareOfHighest(usual.SegmentPulled)) - float64(vertices)
		if listed <= min(ends/mostListed, 1<<32) {
			return cutBytes*hubs*(blockSegments+vertices/segmentVertices) + endBytes*max(int64(listed), 0)
		}
	}
}

// engine returns a plan with the memory of the engine.
func (j job) engine(rows sizes) bench.Plan {
	const chunks = 1 + 1.0/64 // of packed rows: with the free memory in their chunks
	vertices, structure := rows.vertices, kernel1.Structure(j.tuples, j.labels)
	if rows.bits > 0 {
		structure = int64(chunks*rows.bits/8*2*float64(j.tuples)) + kernel1.LocalIDBytes*j.labels
		structure += (addressBytes + kernel1.RowBytes) * vertices
	}
	build, all, ids := workBytes*j.tuples, int64(j.Vertices()), j.ids()
	on := bench.Plan{Packed: rows.bits > 0}
	if on.Add("graph", structure); ids.labels64 {
		on.Add("ranks of labels", label64Bytes*vertices)
	}
	if ids.ids64 {
		on.Add("ranks of ids", col64Bytes*2*j.tuples+vertex64Bytes*vertices)
	}
	built := on.Engine
	states := searchBytes*(vertices-rows.leaves) + leafBytes*rows.leaves
	on.Add("searches and results", states+int64(j.search.ResultBits/8)*j.labels)
	if !ids.ids64 && all >= policy.Default().SegmentVertices {
		on.Add("segments", rows.segments)
	}
	if j.Ranks > 1 {
		message := int64(messageBytes)
		if ids.labels64 {
			message *= 2
		}
		build += kernel1.RoundBytes(j.tuples, j.Ranks, message)
		on.Add("bitmaps of all ranks", j.bitmaps(ids))
		on.Add("messages, known labels", searchBuffers+knownBytes*min(all, policy.KnownLabels))
	}
	on.Add("kernel 1, beyond searches", build-(on.Engine-built))
	on.Add("spare", kernel1.Spare)
	return on
}

// packedBits returns the bits of packed rows per directed edge, two for each tuple. Official graphs have 14.4 of them
// at scale 22, 16.3 at 26, 17.2 at 28 and 17.75 at 29, by count on one rank, and at least those of headers and one low
// bit. Gaps are wider if ranks do not use all numbers of their bits. In other graphs all rows may have kLongestPlain+1
// entries (cuda/common/packed_row.cuh), with the widest gaps.
func (j job) packedBits() float64 {
	if j.Other {
		return 44
	}
	numbers := float64(int64(1) << bits.Len(uint(j.Ranks-1)))
	wider := math.Log2(numbers / float64(j.Ranks) * 16 / float64(j.EdgeFactor))
	return max(5, 14.45+0.47*float64(j.Scale-22)+wider)
}

// placed returns the plans of an engine with tuples in device memory, in host memory, and generated.
func (j job) placed(on bench.Plan) []bench.Plan {
	inHost, generated, staged := on, on, j.staged()
	on.Tuples = j.tuples * int64(graph.EdgeBytes)
	inHost.Tuples, inHost.InHost = stageBytes*staged, narrowBytes*j.tuples
	generated.Tuples = (int64(graph.EdgeBytes) + narrowBytes) * staged
	if hasLongLabels(j.Params) {
		inHost.Tuples, inHost.InHost = longStaged*staged, longBytes*j.tuples
		generated.Tuples = int64(graph.EdgeBytes) * staged
	}
	if j.Validated || j.Counted {
		on.Validator = gpuvalidate.Memory(j.Params, j.Ranks, gpuvalidate.DeviceWindow)
		inHost.Validator = gpuvalidate.Memory(j.Params, j.Ranks, gpuvalidate.SlowWindow)
		generated.Validator = inHost.Validator
	}
	on.EdgeMemory, inHost.EdgeMemory, generated.EdgeMemory = settings.InDevice, settings.InHost, settings.Generated
	return []bench.Plan{on, inHost, generated}
}

// staged returns the largest number of tuples of a piece.
func (j job) staged() int64 { return min(j.tuples, stagedTuples) }

// hasLongLabels reports whether labels have more than 32 bits.
func hasLongLabels(p kronecker.Params) bool { return int64(p.Vertices()) > 1<<32 }

// idForm is the widths of a graph's labels and packed global ids, and an upper bound of these ids, of all ranks.
type idForm struct {
	labels64, ids64 bool
	most            int64
}

// ids returns the form that kernel 1 will choose. 32-bit ids have gaps, but there are less than twice as many as
// labels, and at most 2^32. With 64-bit ids leaves have none; the bound uses the expected number of other vertices of a
// rank, plus 5%, and g500_part64.
func (j job) ids() idForm {
	const uneven, grain, report = 1.05, 256, 1024
	ranks, several := int64(j.Ranks), j.Ranks > 1
	manyIDs := ranks<<bits.Len64(uint64(uneven*j.Connected()/float64(ranks))) > 1<<32
	labels64 := j.search.IDs64 || manyIDs || int64(j.Vertices()) > kernel1.MaxIDs32
	if several && labels64 && (manyIDs || !j.atomicPeers) {
		return idForm{true, true, ranks * (int64(uneven*j.NonLeaves()/float64(ranks)) + grain + report)}
	}
	return idForm{several && labels64, false, min(2*int64(j.Vertices()), 1<<32)}
}

// bitmaps returns the memory of one rank for bitmaps. With 64-bit ids ranks have one of all ranks and their own part,
// and two gathered ones or, if one is longer than policy.MostParts, hubs' bits.
func (j job) bitmaps(ids idForm) int64 {
	all, own := ids.most, ids.most/int64(j.Ranks)
	switch {
	case !ids.ids64:
		return (searchBitmaps*all + (gatheredBits+ghostBits)*min(int64(j.Vertices()), all)) / 8
	case all/8 > policy.MostParts:
		return (all + own + all/policy.Default().HubShare) / 8
	}
	return ((1+gatheredBits)*all + own) / 8
}

// addPaths adds the memory of shortest paths to a plan: a second graph, the weights of tuples, and the distances in the
// validator of several ranks. Pruning needs memory only on several ranks.
func (j job) addPaths(plan *bench.Plan) {
	all, ranks := int64(j.Vertices()), int64(j.Ranks)
	engine := weightedBytes*2*j.tuples + (kernel1.RowBytes+kernel1.LocalIDBytes+pathsBytes)*j.labels
	if ranks > 1 {
		engine += kernel1.RoundBytes(j.tuples, j.Ranks, messageBytes) + pathPlaceBytes*2*all // messages have weights
		if !j.atomicPeers {
			engine += pathReports + farPlaceBytes*2*all + (pathOffers*ranks+listedBytes)*j.labels
			engine += lightBytes * min(policy.LightEntries, 4*j.Edges()) // two per directed edge
		}
		if j.Prune == sssp.PruneHub {
			engine += prunePlaces*2*all + pruneBytes*j.labels
		}
		if plan.Validator > 0 { // slices are multiples of 128 vertices
			plan.Validator += gpuvalidate.DistanceBytes * (all + ranks<<7)
		}
	}
	plan.Add("shortest paths", engine)
	weights := map[string]int64{
		settings.InDevice: j.tuples, settings.InHost: 2 * j.staged(), settings.Generated: j.staged()}
	plan.Tuples += weightBytes * weights[plan.EdgeMemory]
	if plan.InHost > 0 {
		plan.InHost += weightBytes * j.tuples
	}
}

// directed returns the additional memory of searches in a directed graph, whose levels are all top-down. The rows have
// half of the entries for which there is memory.
func (j job) directed() int64 {
	switch {
	case !j.HasPaths():
		return offsetBytes * j.labels
	case j.Ranks > 1 && !j.atomicPeers:
		return offsetBytes*j.labels + hintBytes*2*int64(j.Vertices()) // per id
	}
	return (offsetBytes + hintBytes) * j.labels
}

// Planner returns a backend that only plans memory, for a run with that configuration. It needs no GPU. atomicPeers is
// the result of device.AtomicPeers.
func Planner(c record.Config, atomicPeers bool) bench.Backend {
	bits, generated := c.Search.ResultBits, (*bench.Backend)(nil)
	if other := c; c.Machine.EdgeMemory != settings.Generated && c.Graph.Edges == "" {
		other.Machine.EdgeMemory = settings.Generated
		planner := Planner(other, atomicPeers)
		generated = &planner
	}
	return bench.Backend{
		Name: settings.GPU, MaxScale: map[int]int{32: MaxScale32, 64: MaxScale}[bits], ResultBits: bits, Generated: generated,
		Memory: func(w bench.Work) []bench.Plan {
			plans, memory := jobOf(w, c.Search, atomicPeers).plans(c.Machine.GraphForm), c.Machine.EdgeMemory
			return slices.DeleteFunc(plans, func(p bench.Plan) bool { // auto generates no tuples again
				return p.EdgeMemory != memory && (memory != "auto" || p.EdgeMemory == settings.Generated)
			})
		},
		Check: func(w bench.Work) error {
			if c.Machine.EdgeMemory == settings.Generated && (w.Other || c.Graph.Edges != "") {
				return fmt.Errorf("--edge-memory generated %w: only the official graph can be generated again, not the tuples of "+
					"--edges or --graph: use --edge-memory auto", bench.ErrRefused)
			}
			if err := jobOf(w, c.Search, atomicPeers).plainOnly(); err != nil && c.Machine.GraphForm == "packed" {
				return fmt.Errorf("--graph-form packed %w: %w", bench.ErrRefused, err)
			}
			return nil
		},
		MaxPathsScale: MaxScale32,
	}
}

// plainOnly returns an error that says why a run cannot pack its rows, and the cure; nil if it can.
func (j job) plainOnly() error {
	const use = ": use --graph-form plain"
	switch {
	case !slices.Contains(j.Kernels, record.BFS):
		return errors.New("only rows for BFS are packed, and kernel sssp has others" + use)
	case j.ids().labels64:
		return errors.New("rows of graphs with 64-bit labels are not packed" + use)
	}
	return nil
}

// plans returns the plans that fit a value of --graph-form: auto, plain or packed. Packed rows are slower, and the last
// choice of auto. There is no plan for packed rows if a run cannot pack them.
func (j job) plans(form string) (plans []bench.Plan) {
	if form != "packed" {
		plans = j.placed(j.engine(j.plainSizes()))
	}
	if form != "plain" && j.plainOnly() == nil {
		plans = append(plans, j.placed(j.engine(j.packedSizes()))...)
	}
	for i := range plans {
		if j.Other {
			plans[i].Add("lists of other graphs", listBytes*j.labels)
		}
		if j.HasPaths() {
			j.addPaths(&plans[i])
		}
		if j.Directed {
			plans[i].Add("directed edges", j.directed())
		}
	}
	return plans
}

// MaxScale is the largest scale: messages between GPUs are binned for up to 8,192 ranks, each of which owns fewer than
// 2^31 labels. MaxScale32 is for shortest paths and 32-bit parents, which need 32-bit labels (ADR 26).
const (
	MaxScale   = 43
	MaxScale32 = 31
)

// largestScales returns the largest scale of BFS on one GPU, and a line for each value of a setting with another one.
func largestScales(budgets bench.Budgets) (usual int, others []string) {
	largest := func(c settings.Config) int {
		return bench.LargestScale(Planner(c, true), bench.WorkOf(c, 1), budgets)
	}
	usual = largest(settings.Default())
	for _, s := range []settings.Setting{settings.Of("machine.edge_memory"), settings.Of("machine.graph_form")} {
		for _, value := range s.Values {
			c := settings.Default()
			*s.Field(&c).(*string) = value
			if scale := largest(c); scale != usual {
				others = append(others, fmt.Sprintf("up to scale %d with --%s %s", scale, s.Flag, value))
			}
		}
	}
	return usual, others
}
