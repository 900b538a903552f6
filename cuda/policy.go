//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import "g500/policy"

// searchPolicy converts a policy for the kernels of breadth-first search on the device.
func (d *Device) searchPolicy(p policy.Policy) C.g500_policy {
	return C.g500_policy{
		alpha:            C.uint64_t(p.Alpha),
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
		wait_ns:          C.uint64_t(p.Wait()),
		prelaunch:        C.uint64_t(d.prelaunches(p)),
	}
}

// pathsPolicy converts a policy for the kernels of shortest paths on the device.
func (d *Device) pathsPolicy(p policy.Policy) C.g500_sssp_policy {
	return C.g500_sssp_policy{
		window:    C.uint32_t(p.SSSPWindow),
		landmarks: C.uint32_t(p.SSSPLandmarks),
		sweeps:    C.uint32_t(p.SSSPSweeps),
		classes:   C.uint32_t(p.SSSPClasses),
		hinted:    C.uint32_t(p.SSSPHinted),
		part:      C.uint32_t(p.SSSPPart),
		slots:     C.uint32_t(p.SSSPSlots),
		resident:  C.uint32_t(p.SSSPResident),
		prelaunch: C.uint32_t(d.prelaunches(p)),
		wait_ns:   C.uint64_t(p.Wait()),
	}
}

// prelaunches returns 1 if searches are pre-launched: the policy and the device must allow it.
func (d *Device) prelaunches(p policy.Policy) int64 {
	if d.launch != LaunchesReturn {
		return 0
	}
	return p.Prelaunch
}
