// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #include <stdlib.h>
// #include "g500cuda.h"
import "C"

import "unsafe"

// PathRanks has the properties of all ranks that a rank needs in a search for shortest paths. Arrays have a part of
// 4<<Graph.Shift bytes for each rank, with a 32-bit word for each local id.
type PathRanks struct {
	Edges              int64 // of all ranks
	Heaviest           float32
	Distances, Parents Memory // arrays for searches; the caller copies the parts of other ranks
	Labels             Memory // array of the labels of all non-isolated vertices

	// If all ranks are peers: windows of WindowBytes and the arrays, by rank, including this rank; else nil, and the host
	// drives searches (Paths.RunDriven).
	Windows, DistancesOf, ParentsOf []Memory
	Blocks                          int64 // the least Paths.Blocks of any rank
}

// mostListed is the space for distances in a rank's first report, if they fit.
const mostListed = 1 << 20

// WindowBytes returns the size of the window into which peers write, which is the same on all ranks.
func (p *Paths) WindowBytes() int64 { return int64(C.g500_sssp_window_bytes(p.c)) }

// Blocks returns the number of blocks of a search that fit on this rank's device.
func (p *Paths) Blocks() int64 { return int64(C.g500_sssp_blocks(p.c)) }

// Heaviest returns the largest weight of this rank's edges.
func (p *Paths) Heaviest() float32 { return float32(C.g500_sssp_heaviest(p.c)) }

// Connect prepares searches on several ranks. Ranks then exchange their parts of Distances and Parents, and each calls
// DeriveDetours.
func (p *Paths) Connect(r PathRanks) error {
	ranks := C.g500_sssp_ranks{
		edges: C.uint64_t(r.Edges), heaviest: C.float(r.Heaviest),
		d_distances: pointer[C.uint32_t](r.Distances.address),
		d_parents:   pointer[C.uint32_t](r.Parents.address), d_labels: pointer[C.uint32_t](r.Labels.address),
		listed: mostListed,
	}
	if len(r.Windows) > 0 {
		windows, distances, parents := addresses(r.Windows), addresses(r.DistancesOf), addresses(r.ParentsOf)
		defer C.free(unsafe.Pointer(windows))
		defer C.free(unsafe.Pointer(distances))
		defer C.free(unsafe.Pointer(parents))
		ranks.windows = windows
		ranks.distances = (**C.uint32_t)(unsafe.Pointer(distances))
		ranks.parents = (**C.uint32_t)(unsafe.Pointer(parents))
		ranks.blocks = C.uint32_t(r.Blocks)
	}
	return p.device.Explain(check("connecting searches for shortest paths",
		C.g500_sssp_connect(p.c, &ranks, p.device.onStream())))
}

// CountLight returns the number of this rank's entries with light edges, of LightBytes each. It is called between
// Connect and DeriveDetours, of ranks that are not peers.
func (p *Paths) CountLight() (int64, error) {
	var count C.uint64_t
	err := check("counting light edges", C.g500_sssp_count_light(p.c, &count, p.device.onStream()))
	return int64(count), err
}

// LightBytes is the size of an entry with a light edge.
const LightBytes = 8

// StoreLight writes this rank's entries into its part of a memory with `most` entries of each rank, which must outlive
// the searches. Ranks then exchange their parts.
func (p *Paths) StoreLight(all Memory, most int64) error {
	return check("storing light edges", C.g500_sssp_store_light(p.c, pointer[C.uint64_t](all.address), C.uint64_t(most),
		p.device.onStream()))
}

// DeriveDetours completes Connect: it derives bounds of paths from the weights that all ranks have exchanged.
func (p *Paths) DeriveDetours() error {
	return check("deriving bounds of shortest paths", C.g500_sssp_derive_detours(p.c, p.device.onStream()))
}

// RunDriven is Run for ranks that are not peers: the host starts each kernel, and x exchanges between them.
func (p *Paths) RunDriven(root uint32, x Exchanges) error {
	code := C.g500_sssp_begin(p.c, C.uint32_t(root), &p.wanted, p.device.onStream())
	if err := check("starting a search for shortest paths", code); err != nil {
		return err
	}
	if err := p.device.drive(p, &p.wanted, searchDone, x); err != nil {
		return err
	}
	return p.await()
}

func (p *Paths) next() error {
	return p.checkSearch("searching for shortest paths", C.g500_sssp_next(p.c, &p.wanted, p.device.onStream()))
}

func (p *Paths) fail() { C.g500_sssp_fail(p.c) }

func (p *Paths) size() int { return p.graph.Ranks() }
