package bench

import (
	"fmt"
	"math"
	"slices"

	"g500/bfs"
	"g500/graph"
	"g500/kronecker"
	"g500/validate"
)

// Plan is an upper estimate of the memory that each rank needs, in bytes, made before anything large is allocated.
type Plan struct {
	Tuples    int64 // the rank's share of the edge list
	Engine    int64 // the searchable structure while it is built, search state included
	Validator int64 // the tuples in the form for validation
	InHost    int64 // host memory for the edge list, of a backend on a device that keeps the list outside
}

// NewPlan estimates a run on that many ranks.
func NewPlan(p kronecker.Params, ranks int, validated bool) Plan {
	share := heaviest(p, ranks)
	plan := Plan{Tuples: share.Tuples * int64(graph.EdgeBytes), Engine: bfs.HybridMemory(share)}
	if validated {
		plan.Validator = validate.Memory(share)
	}
	return plan
}

// heaviest is the share of the rank that owns the greatest hub. Lesser hubs may be there too, which adds a half at
// most; of graphs of other kinds ranks get an eighth more than their share. Only official graphs have more than 2^32
// labels; in others each label may have an edge.
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
	const gaps = 1.05 // between the positions of ranks, whose vertices are not equally many
	s.Positions = int64(gaps * p.Connected())
	s.Wide = s.Positions >= math.MaxUint32
	if labels := s.Vertices * int64(ranks); labels <= 1<<32 {
		s.Positions = labels
	}
	return s
}

// Total is the memory of the backend: the tuples stay until the validator has its copy.
func (p Plan) Total() int64 { return p.Tuples + p.Engine + p.Validator }

// besideList is the host memory of a process in addition to an edge list that is there for a device.
const besideList = 1 << 30

// Budgets are the memory that each rank can take, in bytes: where its backend works, and of its host. 0 is for what is
// not known.
type Budgets struct{ Backend, Host int64 }

// Fits reports whether the memory is enough.
func (r Budgets) Fits(p Plan) bool {
	return (r.Backend == 0 || p.Total() <= r.Backend) && (r.Host == 0 || p.InHost == 0 || p.InHost+besideList <= r.Host)
}

// LargestScale is the largest scale of which a plan fits into those rooms of each rank, 0 if none does.
func LargestScale(backend Backend, p kronecker.Params, ranks int, validated bool, rooms Budgets) int {
	for p.Scale = backend.MaxScale; p.Scale > 0; p.Scale-- {
		if rooms.Backend > 0 && slices.ContainsFunc(backend.Memory(p, ranks, validated), rooms.Fits) {
			return p.Scale
		}
	}
	return 0
}

// Bytes is an amount of memory for people: 1536 MiB is "1.50 GiB".
func Bytes(n int64) string {
	const units = "KMGTPE"
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	value, unit := float64(n)/1024, 0
	for value >= 1024 && unit < len(units)-1 {
		value, unit = value/1024, unit+1
	}
	if value >= 999.5 { // which %.3g writes as 1e+03
		return fmt.Sprintf("%.0f %ciB", value, units[unit])
	}
	return fmt.Sprintf("%.3g %ciB", value, units[unit])
}
