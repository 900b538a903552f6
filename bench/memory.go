// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"cmp"
	_ "embed" // plan.gotmpl
	"fmt"
	"io"
	"math"
	"slices"
	"text/template"
	"unsafe"

	"g500/bfs"
	"g500/graph"
	"g500/internal/lists"
	"g500/internal/output"
	"g500/kronecker"
	"g500/record"
	"g500/settings"
	"g500/sssp"
	"g500/validate"
)

// Plan is an upper bound of the memory that each rank needs, in bytes, estimated before large allocations.
type Plan struct {
	Tuples    int64 // the rank's share of the edge list
	Engine    int64 // the searchable structures, search state included: the sum of Parts, set by Add
	Parts     []Part
	Building  int64 // memory that kernel 1 frees before the validator is made
	Validator int64 // the validator's copy of the tuples
	InHost    int64 // host memory for the edge list, if a GPU backend keeps it there
	Packed    bool  // rows are packed

	EdgeMemory string // the value of --edge-memory that has this plan; "" if the backend has no such setting
}

// Part is the memory of one part of the engine.
type Part struct {
	Name  string
	Bytes int64
}

// Add adds a part to the engine.
func (p *Plan) Add(name string, bytes int64) {
	if bytes > 0 {
		p.Engine += bytes
		p.Parts = append(slices.Clip(p.Parts), Part{name, bytes})
	}
}

// Work is the part of a run on which its memory depends.
type Work struct {
	kronecker.Params
	Ranks     int
	Validated bool
	Counted   bool // edges are counted without validation
	Kernels   []record.Kernel
	Prune     sssp.Pruning
	Directed  bool
	Other     bool // all vertices may have several edges; edge files are planned as the official graph
}

// WorkOf returns the work of a configuration on that many ranks, for an undirected graph.
func WorkOf(c record.Config, ranks int) Work {
	s := c.Search
	return Work{Params: c.Params(), Ranks: ranks, Validated: s.Validate, Kernels: record.Kernels(s.Kernel),
		Prune: sssp.Pruning(s.Prune), Other: c.Graph.Spec != ""}
}

// HasPaths reports whether shortest paths are searched.
func (w Work) HasPaths() bool { return slices.Contains(w.Kernels, record.SSSP) }

// HostMemory estimates a run in host memory. Only plans of validated runs have a validator.
//
// In a directed graph each kernel has the offsets of a second set of rows, and kernel 1 counts the degrees in both
// directions and together. The rows of both directions together have as many entries as an undirected graph has.
func HostMemory(w Work) Plan {
	const weight, offset, degrees = int64(unsafe.Sizeof(float32(0))), 8, 2 * 4
	share := heaviest(w.Params, w.Ranks)
	plan := Plan{Tuples: share.Tuples * int64(graph.EdgeBytes)}
	engine, building := bfs.HybridMemory(share)
	plan.Add("graph and searches", engine)
	if plan.Building = building; w.Validated {
		plan.Validator = validate.Memory(share)
	}
	if w.HasPaths() {
		plan.Tuples += share.Tuples * weight
		engine, building = sssp.Memory(share, w.Prune)
		plan.Add("shortest paths", engine)
		plan.Building = max(plan.Building, building) // kernels are built one after the other
		if w.Validated {
			plan.Validator += 3 * share.Tuples * weight // in the rows of both ends, and in messages
		}
	}
	if w.Directed {
		plan.Add("directed edges", int64(len(w.Kernels))*offset*share.Vertices)
		plan.Building += degrees * share.Vertices
	}
	if w.Counted {
		plan.Add("edge counts", 8*share.Vertices)
	}
	return plan
}

// heaviest returns the share of the rank that owns the vertex of highest degree. Other hubs on that rank add at most
// half of that degree. For other graphs the bound is 12.5% above the mean share. Only official graphs have more than
// 2^32 labels; in other graphs each label may have an edge.
func heaviest(p kronecker.Params, ranks int) graph.Share {
	s := graph.Share{
		Ranks:    ranks,
		Vertices: (int64(p.Vertices()) + int64(ranks) - 1) / int64(ranks),
		Tuples:   (p.Edges() + int64(ranks) - 1) / int64(ranks),
	}
	s.Ends = 2 * s.Tuples
	if ranks > 1 {
		s.Ends += max(s.Ends/8, int64(1.5*p.HighestDegree()))
	}
	const gaps = 1.05 // in the packed global ids, because ranks have unequal numbers of vertices
	s.Positions = int64(gaps * p.Connected())
	s.IDs64 = s.Positions >= math.MaxUint32
	if labels := s.Vertices * int64(ranks); labels <= 1<<32 {
		s.Positions = labels
	}
	return s
}

// Total returns the memory of the backend. The tuples stay until the validator has its copy.
func (p Plan) Total() int64 { return p.Tuples + p.Engine + max(p.Building, p.Validator) }

// host returns the memory of the node for one rank, 0 if it is the backend's.
func (p Plan) host() int64 {
	if p.InHost == 0 {
		return 0
	}
	return p.InHost + processMemory
}

// processMemory is the host memory of a process in addition to the edge list of a GPU backend.
const processMemory = 1 << 30

// Budgets has the memory that each rank can use, in bytes, for its backend and in host memory; 0 if unknown.
type Budgets struct{ Backend, Host int64 }

// Fits reports whether the memory is enough.
func (r Budgets) Fits(p Plan) bool {
	return (r.Backend == 0 || p.Total() <= r.Backend) && (r.Host == 0 || p.host() <= r.Host)
}

// LargestScale returns the largest scale with a plan that fits into the budgets of each rank, 0 if there is none.
func LargestScale(backend Backend, w Work, budgets Budgets) int {
	for w.Scale = backend.mostScale(w); w.Scale > 0; w.Scale-- {
		if budgets.Backend > 0 && slices.ContainsFunc(backend.Memory(w), budgets.Fits) {
			return w.Scale
		}
	}
	return 0
}

// mostScale returns the scale of the largest official graph whose vertices all kernels can number.
func (b Backend) mostScale(w Work) int {
	if w.HasPaths() {
		return min(b.MaxScale, b.MaxPathsScale)
	}
	return b.MaxScale
}

// Bytes formats an amount of memory for people: 1536 MiB is "1.5 GiB".
func Bytes(n int64) string {
	const units = "KMGTPE"
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	value, unit := float64(n)/1024, 0
	for value >= 1024 && unit < len(units)-1 {
		value, unit = value/1024, unit+1
	}
	if value >= 999.5 { // %.3g would write 1e+03
		return fmt.Sprintf("%.0f %ciB", value, units[unit])
	}
	return fmt.Sprintf("%.3g %ciB", value, units[unit])
}

//go:embed plan.gotmpl
var planText string

// WritePlan writes the memory of each rank for a run on the official graph in GiB, by part, with a column for each of
// the backend's plans. It returns an error if no plan fits the memory that each rank has.
func (b Backend) WritePlan(w io.Writer, c record.Config, budget, host Budget) error {
	if err := b.checkScale(c); err != nil {
		return err
	}
	work, budgets := WorkOf(c, c.Machine.Ranks), Budgets{budget.Bytes, host.Bytes}
	plans, err := b.plans(work)
	if err != nil {
		return err
	}
	functions := template.FuncMap{"column": b.column, "part": Plan.part, "host": Plan.host, "fits": budgets.Fits,
		"max": func(x, y int64) int64 { return max(x, y) },
		"gib": func(width int, n int64) string { return fmt.Sprintf("%*.1f", width, float64(n)/(1<<30)) }}
	err = output.FillIn(w, planText, functions, map[string]any{
		"Title": fmt.Sprintf("scale %d on %d ranks, GiB", c.Graph.Scale, work.Ranks), "Plans": plans,
		"Parts":  slices.MaxFunc(plans, func(a, b Plan) int { return len(a.Parts) - len(b.Parts) }).Parts,
		"InHost": slices.ContainsFunc(plans, func(p Plan) bool { return p.InHost > 0 }), "Budget": budget, "Host": host,
	})
	if err == nil && !slices.ContainsFunc(plans, budgets.Fits) {
		err = b.tooLarge(work, budget, host)
	}
	return err
}

// column names the column of a plan.
func (b Backend) column(p Plan) string {
	where := map[string]string{settings.InHost: "in host", settings.Generated: "generated"}[p.EdgeMemory]
	switch {
	case p.Packed && where != "":
		return "packed, " + where
	case p.Packed:
		return "packed"
	case where != "":
		return "tuples " + where
	}
	return b.Name
}

// plans returns the plans for a work, or the error of Check.
func (b Backend) plans(w Work) ([]Plan, error) {
	if b.Check != nil {
		if err := b.Check(w); err != nil {
			return nil, err
		}
	}
	return b.Memory(w), nil
}

// part returns the bytes of a part, 0 if the plan has none of that name.
func (p Plan) part(name string) int64 {
	return cmp.Or(lists.Find(p.Parts, func(part Part) bool { return part.Name == name }), &Part{}).Bytes
}
