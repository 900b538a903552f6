package validate

import (
	"slices"

	"g500/graph"
	"g500/internal/par"
)

// rows lists, for each owned vertex, the slots of the other ends of its tuples, including duplicates, without
// self-loops. Two rows have a tuple within the rank.
type rows struct {
	first   []int64 // row v is slots[first[v]:first[v+1]]
	slots   []uint32
	weights []float32 // of the tuples; nil without weights
}

func (r *rows) of(v int) []uint32         { return r.slots[r.first[v]:r.first[v+1]] }
func (r *rows) weightsOf(v int) []float32 { return r.weights[r.first[v]:r.first[v+1]] }

// run is a list of pairs whose other ends have the slots base+other. If it is internal, both ends are on this rank and
// have a row.
type run struct {
	pairs    []pair
	weights  []float32 // nil without weights
	base     uint32
	internal bool
}

// runs returns all pairs of rank self; first[q] is the slot of q's first ghost.
func (d *distributed) runs(self int, first []uint32) []run {
	var all []run
	for q := range first {
		weights := chunks(d.weights, q)
		for i, chunk := range chunks(d.bins, q) {
			r := run{pairs: chunk, internal: q == self}
			if weights != nil {
				r.weights = weights[i]
			}
			if !r.internal {
				r.base = first[q]
			}
			all = append(all, r)
		}
	}
	return all
}

// newRows sorts the pairs by owned vertex. Each worker reads all pairs and writes the rows of its own share of the
// vertices: workers share no counter, and the rows do not depend on their speed.
func newRows(workers, owned int, runs []run) rows {
	r := rows{first: make([]int64, owned+1)}
	par.Each(workers, func(w int) {
		lo, hi := par.Share(owned, w, workers)
		count(r.first[lo+1:hi+1], graph.Local(lo), runs)
	})
	for v := range owned {
		r.first[v+1] += r.first[v]
	}
	r.slots = make([]uint32, r.first[owned])
	if len(runs) > 0 && runs[0].weights != nil {
		r.weights = make([]float32, r.first[owned])
	}
	ends := slices.Clone(r.first[:owned])
	par.Each(workers, func(w int) {
		lo, hi := par.Share(owned, w, workers)
		r.fill(ends[lo:hi], graph.Local(lo), runs)
	})
	return r
}

// count adds up the entries of the rows from lo on. The difference of a row before lo wraps around, out of range.
func count(degree []int64, lo graph.Local, runs []run) {
	rows := graph.Local(len(degree))
	for _, run := range runs {
		for _, p := range run.pairs {
			if v := p.own - lo; v < rows {
				degree[v]++
			}
			if v := p.other - lo; run.internal && v < rows {
				degree[v]++
			}
		}
	}
}

// fill writes the entries of the rows from lo on; next[v] is the index of v's next entry.
func (r *rows) fill(next []int64, lo graph.Local, runs []run) {
	mine := graph.Local(len(next))
	put := func(v graph.Local, slot uint32, run run, i int) {
		r.slots[next[v]] = slot
		if r.weights != nil {
			r.weights[next[v]] = run.weights[i]
		}
		next[v]++
	}
	for _, run := range runs {
		for i, p := range run.pairs {
			if v := p.own - lo; v < mine {
				put(v, run.base+uint32(p.other), run, i)
			}
			if v := p.other - lo; run.internal && v < mine {
				put(v, uint32(p.own), run, i)
			}
		}
	}
}
