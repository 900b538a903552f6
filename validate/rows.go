// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"slices"

	"g500/graph"
	"g500/internal/hugepage"
	"g500/internal/par"
	"g500/internal/prefetch"
)

// rows lists, for each owned vertex by place, the slots of other ends of its tuples, including duplicates, without
// self-loops.
type rows[S slot] struct {
	first   []int64 // row v is slots[first[v]:first[v+1]]; nil if all rows are empty
	slots   []S
	weights []float32 // of the tuples; nil without weights
}

// slot is the type of a stored slot.
type slot interface{ uint16 | uint32 }

// of returns row v.
func (r *rows[S]) of(v int) []S {
	if r.first == nil {
		return nil
	}
	return r.slots[r.first[v]:r.first[v+1]]
}

// prefetch begins to load rows lo to hi.
func (r *rows[S]) prefetch(lo, hi int) {
	if r.first == nil {
		return
	}
	prefetch.All(r.first[lo : hi+1])
	prefetch.All(r.slots[r.first[lo]:r.first[hi]])
	if r.weights != nil {
		prefetch.All(r.weights[r.first[lo]:r.first[hi]])
	}
}

// weightsOf returns the weights of row v.
func (r *rows[S]) weightsOf(v int) []float32 {
	if r.first == nil {
		return nil
	}
	return r.weights[r.first[v]:r.first[v+1]]
}

// run is a list of pairs whose other ends have the slots base+other.
type run struct {
	pairs   []pair
	weights []float32 // nil without weights
	base    uint32
}

// cut returns the pairs from lo to hi.
func (r *run) cut(lo, hi int) run {
	if r.weights == nil {
		return run{r.pairs[lo:hi], nil, r.base}
	}
	return run{r.pairs[lo:hi], r.weights[lo:hi], r.base}
}

// swapWeights swaps two pairs' weights, if there are weights.
func (r *run) swapWeights(i, j int) {
	if r.weights != nil {
		r.weights[i], r.weights[j] = r.weights[j], r.weights[i]
	}
}

// runs returns the pairs within rank self, and the others; first[q] is the slot of q's first ghost.
func (d *distributed) runs(self int, first []uint32) (inner, outer []run) {
	for q := range first {
		weights := chunks(d.weights, q)
		for i, chunk := range chunks(d.bins, q) {
			r := run{pairs: chunk}
			if weights != nil {
				r.weights = weights[i]
			}
			if q == self {
				inner = append(inner, r)
			} else {
				r.base = first[q]
				outer = append(outer, r)
			}
		}
	}
	return inner, outer
}

// newRows sorts the pairs by the place of the own end, below vertices. Each worker reads all pairs and writes the rows
// of its own share of the vertices: workers share no counter, and the rows do not depend on their speed.
func newRows[S slot](workers, vertices int, runs []run) rows[S] {
	if len(runs) == 0 {
		return rows[S]{}
	}
	r := rows[S]{first: hugepage.Make[int64](vertices + 1)}
	par.Each(workers, func(w int) {
		lo, hi := par.Share(vertices, w, workers)
		count(r.first[lo+1:hi+1], graph.Local(lo), runs)
	})
	par.SumUp(workers, r.first)
	entries := int(r.first[vertices])
	r.slots = hugepage.Make[S](entries)
	if runs[0].weights != nil {
		r.weights = hugepage.Make[float32](entries)
	}
	ends := slices.Clone(r.first[:vertices])
	par.Each(workers, func(w int) {
		lo, hi := par.Share(vertices, w, workers)
		r.fill(ends[lo:hi], graph.Local(lo), runs)
	})
	return r
}

// count adds up the entries of the rows from lo on. The difference of a row before lo wraps around, out of range.
func count(entries []int64, lo graph.Local, runs []run) {
	mine := graph.Local(len(entries))
	for _, run := range runs {
		for _, p := range run.pairs {
			if v := p.own - lo; v < mine {
				entries[v]++
			}
		}
	}
}

// fill writes the entries of the rows from lo on; next[v] is the index of v's next entry.
func (r *rows[S]) fill(next []int64, lo graph.Local, runs []run) {
	mine := graph.Local(len(next))
	for _, run := range runs {
		for i, p := range run.pairs {
			v := p.own - lo
			if v >= mine {
				continue
			}
			r.slots[next[v]] = S(run.base + uint32(p.other))
			if r.weights != nil {
				r.weights[next[v]] = run.weights[i]
			}
			next[v]++
		}
	}
}

// order numbers a rank's vertices by falling number of tuples, vertices with equally many by rising label. Most tuples
// then have an end among the first places, whose values stay in the cache.
type order struct {
	place     []uint32      // of each vertex, by local id, followed by the number of vertices
	local     []graph.Local // of the vertex at each place
	connected int           // number of vertices with tuples; they come first
}

// mostCounted bounds the numbers of tuples that order distinguishes.
const mostCounted = 1 << 16

// newOrder returns the order of vertices with these numbers of tuples.
func newOrder(tuples []uint32) order {
	o := order{place: hugepage.Make[uint32](len(tuples) + 1), local: make([]graph.Local, len(tuples))}
	o.place[len(tuples)] = uint32(len(tuples))
	next := make([]uint32, mostCounted+1) // next[n]: the place of the next vertex with n tuples
	for _, n := range tuples {
		next[min(n, mostCounted)]++
	}
	o.connected = len(tuples) - int(next[0])
	total := uint32(0)
	for n := mostCounted; n >= 0; n-- {
		next[n], total = total, total+next[n]
	}
	for l, n := range tuples {
		at := &next[min(n, mostCounted)]
		o.place[l], o.local[*at] = *at, graph.Local(l)
		*at++
	}
	return o
}

// countTuples returns the number of tuples of each owned vertex, without self-loops.
func countTuples(workers, owned int, inner, outer []run) []uint32 {
	tuples := make([]uint32, owned)
	par.Each(workers, func(w int) {
		lo, hi := par.Share(owned, w, workers)
		mine := tuples[lo:hi]
		for _, run := range inner {
			for _, p := range run.pairs {
				countEnd(mine, p.own-graph.Local(lo))
				countEnd(mine, p.other-graph.Local(lo))
			}
		}
		for _, run := range outer {
			for _, p := range run.pairs {
				countEnd(mine, p.own-graph.Local(lo))
			}
		}
	})
	return tuples
}

// countEnd counts an end among a worker's vertices. The index of a vertex before them has wrapped around, out of range.
func countEnd(tuples []uint32, index graph.Local) {
	if int(index) < len(tuples) {
		tuples[index]++
	}
}

// renumber replaces the ends of pairs within the rank by their places, such that the own end is the one with the higher
// place unless the graph is directed, and divides the pairs into those whose other end is below hubs, and the rest.
func (o *order) renumber(workers int, inner []run, hubs int, directed bool) (near, far []run) {
	near, far = slices.Clone(inner), slices.Clone(inner)
	par.For(workers, len(inner), 1, func(_, i, _ int) {
		pairs, n := inner[i].pairs, 0
		for j, p := range pairs {
			own, other := graph.Local(o.place[p.own]), graph.Local(o.place[p.other])
			if !directed {
				own, other = max(own, other), min(own, other)
			}
			pairs[j] = pairs[n]
			at := j
			if int(other) < hubs {
				inner[i].swapWeights(n, j)
				at = n
				n++
			}
			pairs[at] = pair{own, other}
		}
		near[i], far[i] = inner[i].cut(0, n), inner[i].cut(n, len(pairs))
	})
	return near, far
}

// renumberOwn replaces the own ends of pairs by their places.
func (o *order) renumberOwn(workers int, outer []run) {
	par.For(workers, len(outer), 1, func(_, i, _ int) {
		for j := range outer[i].pairs {
			own := &outer[i].pairs[j].own
			*own = graph.Local(o.place[*own])
		}
	})
}

// renumberList replaces local ids by places.
func (o *order) renumberList(vertices []graph.Local) {
	for i, l := range vertices {
		vertices[i] = graph.Local(o.place[l])
	}
}
