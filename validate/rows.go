package validate

import "g500/graph"

// rows lists, for each owned vertex, the slots of the other ends of its tuples: duplicates as often as they
// come, self-loops not at all. A tuple within the rank is in two rows.
type rows struct {
	first   []int64 // first[v] to first[v+1] bound v's row in slots
	slots   []uint32
	weights []float32 // of the tuples; nil where they have none
}

func (r *rows) of(v int) []uint32         { return r.slots[r.first[v]:r.first[v+1]] }
func (r *rows) weightsOf(v int) []float32 { return r.weights[r.first[v]:r.first[v+1]] }

// run is a list of pairs whose other ends have the slots base+other. In a run within the rank both ends have
// a row.
type run struct {
	pairs   []pair
	weights []float32 // nil where tuples have none
	base    uint32
	within  bool
}

// runs lists what was dealt to rank self; first[q] is the slot of q's first ghost.
func (d *dealt) runs(self int, first []uint32) []run {
	var all []run
	for q := range first {
		weights := chunks(d.weights, q)
		for i, chunk := range chunks(d.bins, q) {
			r := run{pairs: chunk, within: q == self}
			if weights != nil {
				r.weights = weights[i]
			}
			if !r.within {
				r.base = first[q]
			}
			all = append(all, r)
		}
	}
	return all
}

// newRows sorts the pairs by owned vertex. Each worker reads all pairs and writes the rows of its own share of
// the vertices: no counter is shared, and the rows do not depend on who is faster.
func newRows(c crew, owned int, runs []run) rows {
	r := rows{first: make([]int64, owned+1)}
	c.each(func(w int) {
		lo, hi := c.share(owned, w)
		count(r.first[lo+1:hi+1], graph.Local(lo), runs)
	})
	for v := range owned {
		r.first[v+1] += r.first[v]
	}
	r.slots = make([]uint32, r.first[owned])
	if len(runs) > 0 && runs[0].weights != nil {
		r.weights = make([]float32, r.first[owned])
	}
	ends := make([]int64, owned)
	copy(ends, r.first)
	c.each(func(w int) {
		lo, hi := c.share(owned, w)
		r.fill(ends[lo:hi], graph.Local(lo), runs)
	})
	return r
}

// count adds up the entries of the rows from lo on. For a row before lo the difference wraps round, out of range.
func count(degree []int64, lo graph.Local, runs []run) {
	rows := graph.Local(len(degree))
	for _, run := range runs {
		for _, p := range run.pairs {
			if v := p.own - lo; v < rows {
				degree[v]++
			}
			if v := p.other - lo; run.within && v < rows {
				degree[v]++
			}
		}
	}
}

// fill writes the entries of the rows from lo on; next[v] is where v's next entry goes.
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
			if v := p.other - lo; run.within && v < mine {
				put(v, uint32(p.own), run, i)
			}
		}
	}
}
