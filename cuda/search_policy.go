//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import "time"

// Policy has the fields of bfs.Policy, which documents them. It is the same on all ranks.
type Policy struct {
	Alpha, AlphaShared, AlphaMessages                                                               int64
	Beta, FewEdges, ShortQueue                                                                      int64
	PullHubs                                                                                        int64
	ReplicatedEdges                                                                                 int64
	SegmentVertices, SegmentEdges, SegmentShare, SegmentHubs, SegmentPulled                         int64
	SplitAlpha, SplitHubs                                                                           int64
	ListingShare, RemainingShare, HubVertices, HubShare, OverlapShare                               int64
	SSSPWindow, SSSPPruned, SSSPLandmarks, SSSPSweeps, SSSPClasses, SSSPHinted, SSSPPart, SSSPSlots int64
	SSSPResident                                                                                    int64
	RoundPairs, WaitSeconds                                                                         int64
	Prelaunch                                                                                       int64
}

// c converts the policy for the kernels of breadth-first search.
func (p Policy) c() C.g500_policy {
	return C.g500_policy{
		alpha:            C.uint64_t(p.Alpha),
		alpha_shared:     C.uint64_t(p.AlphaShared),
		alpha_messages:   C.uint64_t(p.AlphaMessages),
		beta:             C.uint64_t(p.Beta),
		few_edges:        C.uint64_t(p.FewEdges),
		short_queue:      C.uint64_t(p.ShortQueue),
		pull_hubs:        C.uint64_t(p.PullHubs),
		replicated_edges: C.uint64_t(p.ReplicatedEdges),
		segment_vertices: C.uint64_t(p.SegmentVertices),
		segment_edges:    C.uint64_t(p.SegmentEdges),
		segment_share:    C.uint64_t(p.SegmentShare),
		segment_hubs:     C.uint64_t(p.SegmentHubs),
		segment_pulled:   C.uint64_t(p.SegmentPulled),
		split_alpha:      C.uint64_t(p.SplitAlpha),
		split_hubs:       C.uint64_t(p.SplitHubs),
		listing_share:    C.uint64_t(p.ListingShare),
		remaining_share:  C.uint64_t(p.RemainingShare),
		hub_vertices:     C.uint64_t(p.HubVertices),
		hub_share:        C.uint64_t(p.HubShare),
		overlap_share:    C.uint64_t(p.OverlapShare),
		round_pairs:      C.uint64_t(p.RoundPairs),
		wait_ns:          C.uint64_t(p.wait()),
		prelaunch:        C.uint64_t(p.Prelaunch),
	}
}

// wait is the time limit for other ranks.
func (p Policy) wait() time.Duration { return time.Duration(p.WaitSeconds) * time.Second }

// sssp converts the policy for the kernels of shortest paths.
func (p Policy) sssp() C.g500_sssp_policy {
	return C.g500_sssp_policy{
		window:    C.uint32_t(p.SSSPWindow),
		landmarks: C.uint32_t(p.SSSPLandmarks),
		sweeps:    C.uint32_t(p.SSSPSweeps),
		classes:   C.uint32_t(p.SSSPClasses),
		hinted:    C.uint32_t(p.SSSPHinted),
		part:      C.uint32_t(p.SSSPPart),
		slots:     C.uint32_t(p.SSSPSlots),
		resident:  C.uint32_t(p.SSSPResident),
		prelaunch: C.uint32_t(p.Prelaunch),
		wait_ns:   C.uint64_t(p.wait()),
	}
}
