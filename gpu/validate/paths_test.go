//go:build cuda && cgo

package validate

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/graph"
	"g500/partition"
	"g500/sssp"
	"g500/validate"
)

// pathsClaim is what is said to be the result of a search for shortest paths.
type pathsClaim struct {
	root      graph.Global
	parents   []graph.Global
	distances []float32
}

// changed is the claim with something else about it.
func (c pathsClaim) changed(change func(parents []graph.Global, distances []float32)) pathsClaim {
	c.parents, c.distances = slices.Clone(c.parents), slices.Clone(c.distances)
	change(c.parents, c.distances)
	return c
}

// weightedList is a list of tuples with weights.
type weightedList struct {
	vertices graph.Global
	edges    []graph.Edge
	weights  []float32
}

// weighed has five vertices of shortest paths from 0; 5 and 6 are apart, and 7 has no edge.
var weighed = weightedList{
	8, pairs(0, 1, 1, 2, 0, 2, 2, 3, 3, 4, 4, 4, 5, 6, 2, 1), []float32{0.25, 0.5, 1, 0, 1e-9, 0.1, 0.5, 0.625},
}

var weighedPaths = pathsClaim{
	0, []graph.Global{0, 0, 1, 2, 3, none, none, none}, []float32{0, 0.25, 0.75, 0.75, 0.75, -1, -1, -1},
}

// plantedPaths are results that break one rule each.
var plantedPaths = []struct {
	name   string
	change func(p []graph.Global, d []float32)
	rule   error // nil for a right result
}{
	{"right", func([]graph.Global, []float32) {}, nil},
	{"parent out of range", func(p []graph.Global, _ []float32) { p[3] = 99 }, validate.ErrRange},
	{"right but for a bit past the 32nd", func(p []graph.Global, _ []float32) { p[3] += 1 << 32 }, validate.ErrRange},
	{"root has another parent", func(p []graph.Global, _ []float32) { p[0] = 1 }, validate.ErrRoot},
	{"root has a distance", func(_ []graph.Global, d []float32) { d[0] = 0.5 }, validate.ErrDistance},
	{"parent was not reached", func(p []graph.Global, _ []float32) { p[3] = 5 }, validate.ErrOrphan},
	{"cycle of a weight that vanishes, and too short", func(p []graph.Global, d []float32) {
		p[3], p[4], d[3], d[4] = 4, 3, 0.5, 0.5
	}, validate.ErrCycle},
	{"cycle of weight 0 with the right distances", func(p []graph.Global, _ []float32) {
		p[2], p[3] = 3, 2
	}, validate.ErrCycle},
	{"reached without a distance", func(_ []graph.Global, d []float32) { d[4] = -1 }, validate.ErrDistance},
	{"distance without a parent", func(_ []graph.Global, d []float32) { d[5] = 1 }, validate.ErrDistance},
	{"infinite distance", func(_ []graph.Global, d []float32) { d[4] = float32(math.Inf(1)) }, validate.ErrDistance},
	{"no number", func(_ []graph.Global, d []float32) { d[4] = float32(math.NaN()) }, validate.ErrDistance},
	{"another component claimed by a cycle", func(p []graph.Global, d []float32) {
		p[5], p[6], d[5], d[6] = 6, 5, 1e30, 1e30
	}, validate.ErrCycle},
	{"vertex left out", func(p []graph.Global, d []float32) { p[4], d[4] = none, -1 }, validate.ErrSpan},
	{"longer way", func(p []graph.Global, d []float32) { p[2], d[2], d[3], d[4] = 0, 1, 1, 1 }, validate.ErrShorter},
	{"one unit in the last place too far", func(_ []graph.Global, d []float32) {
		d[4] = math.Nextafter32(d[4], 2)
	}, validate.ErrShorter},
	{"one unit in the last place too near", func(_ []graph.Global, d []float32) {
		d[1] = math.Nextafter32(d[1], 0)
	}, validate.ErrPathEdge},
	{"parent without an edge", func(p []graph.Global, _ []float32) { p[4] = 1 }, validate.ErrTreeEdge},
	{"the heavier of two edges", func(_ []graph.Global, d []float32) {
		d[2], d[3], d[4] = 0.875, 0.875, 0.875
	}, validate.ErrShorter},
	{"a path edge and a tree edge", func(p []graph.Global, d []float32) {
		p[4], d[1] = 1, math.Nextafter32(d[1], 0)
	}, validate.ErrTreeEdge},
}

func TestValidatorFindsPlantedFaultsOfPaths(t *testing.T) {
	check := func(t *testing.T, s setting) {
		var claims []pathsClaim
		for _, c := range plantedPaths {
			claims = append(claims, weighedPaths.changed(c.change))
		}
		for i, got := range s.validatePaths(t, weighed, claims...) {
			if c := plantedPaths[i]; !errors.Is(got.Fault, c.rule) || (got.Fault == nil) != (c.rule == nil) {
				t.Errorf("%+v, %s: the fault is %v, want %v", s, c.name, got.Fault, c.rule)
			}
		}
	}
	inEverySetting(t, check)
	for _, ranks := range []int{1, 2, 3} { // a tuple or two at a time
		check(t, setting{ranks, DeviceWindow, false, 1, false})
		check(t, setting{ranks, 1, true, 2, false})
	}
}

// Paths of more levels than can be told apart at a time are right, and a cycle at their end is found.
func TestValidatorOnDeepPaths(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = depth
	}
	edges, tree := path(scattered(n))
	list := weightedList{graph.Global(n), edges, make([]float32, len(edges))}
	right := pathsClaim{tree.root, tree.parents, make([]float32, n)} // all weights are 0
	last, before := edges[len(edges)-1].V(), edges[len(edges)-1].U()
	cycle := right.changed(func(p []graph.Global, _ []float32) { p[before] = last })
	inEverySetting(t, func(t *testing.T, s setting) {
		got := s.validatePaths(t, list, right, cycle)
		if got[0].Fault != nil || got[0].Levels != n || !errors.Is(got[1].Fault, validate.ErrCycle) {
			t.Errorf("%+v, and with a cycle %+v", got[0], got[1])
		}
	})
}

// One thing about a right result is changed.
func TestValidatorAgreesWithTheReferenceOnDamagedPaths(t *testing.T) {
	p := gputest.Official(11)
	list := weightedList{edges: make([]graph.Edge, p.Edges()), weights: make([]float32, p.Edges())}
	p.FillWeighted(0, list.edges, list.weights)
	right := rightPaths(t, list, list.edges[0].U())
	list.vertices = graph.Global(len(right.parents))
	rng := rand.New(rand.NewPCG(7, 0))
	claims := []pathsClaim{right}
	for range 200 {
		claims = append(claims, right.changed(func(p []graph.Global, d []float32) {
			v, w := rng.IntN(len(p)), rng.IntN(len(p))
			switch e := list.edges[rng.IntN(len(list.edges))]; rng.IntN(5) {
			case 0:
				p[v] = graph.Global(rng.IntN(len(p)+2)) - 1
			case 1:
				p[e.U()] = e.V()
			case 2:
				d[v] = math.Nextafter32(d[v], float32(2*rng.IntN(2)))
			case 3:
				d[v] = d[w]
			case 4:
				p[v], d[v] = none, -1
			}
		}))
	}
	if testing.Short() {
		claims = claims[:20]
	}
	inEverySetting(t, func(t *testing.T, s setting) {
		s.validatePaths(t, list, claims...)
	})
}

// Shortest paths are not validated if tuples have no weights.
func TestPathsNeedWeights(t *testing.T) {
	look := func(mine *Validator, _ *validate.Validator, _ partition.Layout) error {
		p, err := newPaths(mine, 2)
		if err == nil {
			_, err = mine.Paths(0, p)
		}
		return err
	}
	if err := oneRank.prepare(2, pairs(0, 1), nil, look); err == nil {
		t.Error("no error")
	}
}

// newPaths takes device memory for a result.
func newPaths(v *Validator, owned int64) (device.Paths, error) {
	parents, err := v.t.Device().Alloc("parents", 8*owned)
	if err != nil {
		return device.Paths{}, err
	}
	distances, err := v.t.Device().Alloc("distances", 4*owned)
	if err != nil {
		return device.Paths{}, err
	}
	return device.Paths{
		Tree: device.Tree{Words: parents.Memory, Vertices: owned, Bits: 64}, Distances: distances.Memory,
	}, nil
}

// validatePaths validates results one after the other. The verdicts must be the same on every rank, and
// print as those of the reference implementation.
func (s setting) validatePaths(t *testing.T, list weightedList, claims ...pathsClaim) []validate.Verdict {
	t.Helper()
	verdicts := make([]validate.Verdict, len(claims))
	run := func(mine *Validator, reference *validate.Validator, layout partition.Layout) error {
		on, err := newPaths(mine, mine.owned)
		if err != nil {
			return err
		}
		for i, c := range claims {
			parents, distances := make([]graph.Global, mine.owned), make([]float32, mine.owned)
			for l := range parents {
				v := layout.Global(mine.parts.Rank, graph.Local(l))
				parents[l], distances[l] = c.parents[v], c.distances[v]
			}
			want, err := reference.Paths(c.root, parents, distances)
			if err != nil {
				return err
			}
			got, err := validated(mine, on, c.root, parents, distances)
			if err != nil {
				return err
			}
			if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
				return fmt.Errorf("result %d, rank %d: %+v, want %+v", i, mine.parts.Rank, got, want)
			}
			if mine.parts.Rank == 0 {
				verdicts[i] = got
			}
		}
		return nil
	}
	if err := s.prepare(list.vertices, list.edges, list.weights, run); err != nil {
		t.Fatal(err)
	}
	return verdicts
}

// validated writes a result to the device and validates it.
func validated(
	v *Validator, p device.Paths, root graph.Global, parents []graph.Global, distances []float32,
) (validate.Verdict, error) {
	if err := cuda.Write(p.Tree.Words, 0, parents); err != nil {
		return validate.Verdict{}, err
	}
	if err := cuda.Write(p.Distances, 0, distances); err != nil {
		return validate.Verdict{}, err
	}
	return v.Paths(root, p)
}

// rightPaths are the reference engine's.
func rightPaths(t *testing.T, list weightedList, root graph.Global) pathsClaim {
	c := pathsClaim{root: root}
	err := comm.Loopback(1, func(tr comm.Transport) error {
		tuples := graph.HostWeightedTuples{HostTuples: list.edges, Weights: list.weights}
		e, err := sssp.NewBellmanFord(tr, tuples, sssp.PruneNone)
		if err != nil {
			return err
		}
		result, err := e.Search(root)
		if err == nil {
			c.parents, c.distances, err = result.Host()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
