// SPDX-License-Identifier: Apache-2.0

package record

// ForeignRates are the rates of a kernel's searches as other benchmarks count edges. Graph500 counts the edge tuples of
// the root's component, with duplicates: rates of different benchmarks are not comparable.
type ForeignRates struct {
	// Edges and vertices per second of LDBC Graphalytics 1.0 (section "Metrics"): edges and vertices of the simple graph
	// over the time of a search.
	EVPS Rates `json:"ldbc_graphalytics_evps"`
	// Undirected edges per second of cuGraph's Graph500 drivers (cpp/tests/traversal): edges of the root's component in
	// the simple graph. It is nil if a component may lack more than 0.1% of the edges.
	CuGraph *Rates `json:"cugraph_driver_teps,omitempty"`
}

// leastOutside is the largest share of the simple graph's edges that may be outside a root's component for CuGraph,
// because kernel 1 counts the edges of all components together. In official graphs the share is far below.
const leastOutside = 1e-3

// foreignRates returns the rates of a valid kernel, nil if the simple graph is unknown.
func (r *Run) foreignRates(k KernelRun) *ForeignRates {
	g := r.Simple
	if g == nil || g.Edges < 1 {
		return nil
	}
	var evps, edges []float64
	for _, s := range k.Searches {
		evps = append(evps, s.Seconds/float64(g.Vertices+g.Edges))
		outside := r.tuples() - s.EdgesWithLoops // with duplicates and self-loops: at least as many
		if float64(outside) <= leastOutside*float64(g.Edges) {
			edges = append(edges, s.Seconds/float64(g.Edges))
		}
	}
	rates := &ForeignRates{EVPS: RatesOf(evps)}
	if len(edges) == len(k.Searches) {
		of := RatesOf(edges)
		rates.CuGraph = &of
	}
	return rates
}
