// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"g500/comm"
	"g500/settings"
)

// Check returns an error for the first two statements in a run of any status that contradict each other. Statistics and
// the verdict are not part of a run; Parse checks them, and that the record has every member.
func Check(run *Run) error {
	if began := run.Done() > 0 || len(run.Environment.Nodes) > 0; !began {
		return nil // the record of a failure to start
	}
	if run.Config == nil {
		return errors.New("it has no configuration")
	}
	for _, check := range []func(*Run) error{checkRanks, checkEnvironment, checkParts, checkKernels, checkSettings,
		checkInputs, func(r *Run) error { return eachSearch(r, r.checkSearch) }, checkRoots, checkComponents} {
		if err := check(run); err != nil { // a later check relies on the earlier ones
			return err
		}
	}
	return nil
}

// checkRanks compares the number of ranks with the lengths of the lists of one entry per rank.
func checkRanks(r *Run) error {
	nodes, devices, times := len(r.Environment.Nodes), len(r.Environment.RankDevices), r.RankGenerationSeconds
	switch {
	case r.Ranks < 1:
		return fmt.Errorf("it has %d ranks", r.Ranks)
	case nodes != r.Ranks:
		return fmt.Errorf("it has %d ranks and the nodes of %d", r.Ranks, nodes)
	case devices > 0 && devices != r.Ranks:
		return fmt.Errorf("it has %d ranks and the devices of %d", r.Ranks, devices)
	case len(times) > 0 && len(times) != r.Ranks:
		return fmt.Errorf("it has %d ranks and the generation times of %d", r.Ranks, len(times))
	case len(times) > 0 && slices.Max(times) > r.GenerationSeconds:
		return fmt.Errorf("generation took %g s, and %g s on one rank", r.GenerationSeconds, slices.Max(times))
	}
	return nil
}

// checkEnvironment checks the statements on the ranks' machines.
func checkEnvironment(r *Run) error {
	e, onGPU := r.Environment, r.Environment.Engine == settings.GPU
	transport := comm.TransportNamed(e.Transport)
	described := map[string]bool{}
	for _, kind := range e.Machines {
		for _, node := range kind.Nodes {
			described[node] = true
		}
	}
	undescribed := func(node string) bool { return !described[node] }
	switch {
	case !slices.Contains(settings.Of("search.engine").Values[1:], e.Engine):
		return fmt.Errorf("there is no engine %q", e.Engine)
	case onGPU != (e.Device != nil), len(e.RankDevices) > 0 && !onGPU:
		return fmt.Errorf("it has engine %s and the device %q", e.Engine, e.Device)
	case transport == nil:
		return fmt.Errorf("there is no transport %q", e.Transport)
	case transport.Tasks != (e.MPI != ""):
		return fmt.Errorf("it has transport %s and the MPI library %q", e.Transport, e.MPI)
	case e.Threads < 1:
		return fmt.Errorf("each rank has %d threads", e.Threads)
	case len(e.Machines) > 0 && slices.ContainsFunc(e.Nodes, undescribed):
		return fmt.Errorf("its machines describe other nodes than %s", strings.Join(e.Nodes, ", "))
	}
	return nil
}

// checkInputs checks that a run which has read roots or edges from a file names the file with its content.
func checkInputs(r *Run) error {
	c := r.Config
	for _, set := range []Input{{Use: RootsUse, Path: c.Search.Roots}, {Use: EdgesUse, Path: c.Graph.Edges}} {
		read := func(i Input) bool { return i.Use == set.Use && i.Path == set.Path }
		if set.Path != "" && r.Done() > 0 && !slices.ContainsFunc(r.Inputs, read) {
			return fmt.Errorf("its configuration has the file %q of %s, and its inputs lack it", set.Path, set.Use)
		}
	}
	return nil
}

// checkParts compares the searches of a resumed run with the searches of its earlier parts.
func checkParts(r *Run) error {
	done := 0
	for i, part := range r.Parts {
		if part.Searches < done {
			return fmt.Errorf("its part %d ended after %d searches, and the part before after %d", i+1, part.Searches, done)
		}
		done = part.Searches
	}
	switch {
	case r.Resumed != done:
		return fmt.Errorf("it was resumed after %d searches, and its earlier parts have %d", r.Resumed, done)
	case r.Resumed > r.Done():
		return fmt.Errorf("it was resumed after %d searches, and has %d", r.Resumed, r.Done())
	}
	return nil
}

// checkKernels checks that the run has each kernel at most once, and refuses negative times of earlier steps.
func checkKernels(r *Run) error {
	if len(r.Kernels) == 0 {
		return errors.New("it has no kernel")
	}
	for i, k := range r.Kernels {
		switch {
		case k.Kernel != BFS && k.Kernel != SSSP:
			return fmt.Errorf("there is no kernel %q", k.Kernel)
		case r.KernelRun(k.Kernel) != &r.Kernels[i]:
			return fmt.Errorf("it has kernel %s twice", k.Kernel)
		case r.GenerationSeconds < 0, k.ConstructionSeconds < 0: // NaN is a time that is unknown
			return fmt.Errorf("generation took %g s and kernel 1 %g s", r.GenerationSeconds, k.ConstructionSeconds)
		case k.Keys < 1 && r.planned() != 0:
			return fmt.Errorf("kernel %s has %d search keys, and another kernel has some", k.Kernel, k.Keys)
		}
	}
	return nil
}

// eachSearch calls check with each search of each kernel and the search's name, until check returns an error.
func eachSearch(r *Run, check func(name string, s Search) error) error {
	for _, k := range r.Kernels {
		for _, s := range k.Searches {
			if err := check(fmt.Sprintf("search key %d%s", s.Key, k.Kernel.Of()), s); err != nil {
				return err
			}
		}
	}
	return nil
}

// mostTEPS is beyond the rate of any machine.
const mostTEPS = 1e15

func (r *Run) checkSearch(name string, s Search) error {
	if err := checkTrace(r, name, s); err != nil {
		return err
	}
	if s.Root < 0 || s.Root >= r.vertices() {
		return fmt.Errorf("%s has root %d, and the graph %d vertices", name, s.Root, r.vertices())
	}
	if s.ValidateSeconds < 0 || math.IsInf(s.ValidateSeconds, 0) {
		if s.ValidateSeconds != NotValidated || s.Edges != 0 || s.EdgesWithLoops != 0 || s.Reached != 0 {
			return fmt.Errorf("%s was not validated, and has %d edges and %d vertices", name, s.Edges, s.Reached)
		}
		return nil
	}
	if s.Fault != "" {
		return nil // the counts of a wrong result need not agree
	}
	switch {
	case s.Reached < 1 || s.Reached > r.vertices():
		return fmt.Errorf("%s reached %d of %d vertices", name, s.Reached, r.vertices())
	case s.Edges < s.Reached-1:
		return fmt.Errorf("%s reached %d vertices, which takes %d edges at least, and counted %d",
			name, s.Reached, s.Reached-1, s.Edges)
	case s.Edges > s.EdgesWithLoops || s.EdgesWithLoops > r.tuples():
		return fmt.Errorf("%s has %d edges, %d with self-loops, of %d tuples", name, s.Edges, s.EdgesWithLoops, r.tuples())
	case s.Levels < 1 || int64(s.Levels) > s.Reached:
		return fmt.Errorf("%s has %d levels of %d vertices", name, s.Levels, s.Reached)
	case s.Seconds > 0 && float64(s.Edges)/s.Seconds >= mostTEPS:
		return fmt.Errorf("%s took %g s for %d edges, and no machine has %g TEPS", name, s.Seconds, s.Edges, mostTEPS)
	}
	return nil
}

// vertices and tuples return the size of the graph.
func (r *Run) vertices() int64 {
	if g := r.Graph; g != nil {
		return g.Vertices
	}
	return int64(1) << min(max(r.Scale, 0), 62)
}

func (r *Run) tuples() int64 {
	if g := r.Graph; g != nil {
		return g.Edges
	}
	if r.EdgeFactor > math.MaxInt64/r.vertices() {
		return math.MaxInt64
	}
	return r.EdgeFactor * r.vertices()
}

// checkRoots returns an error if both kernels have different roots for one search key.
func checkRoots(r *Run) error {
	first := map[int]int64{}
	return eachSearch(r, func(name string, search Search) error {
		root, known := first[search.Key]
		if !known {
			first[search.Key] = search.Root
		} else if root != search.Root {
			return fmt.Errorf("%s has root %d, and another search has root %d for that key", name, search.Root, root)
		}
		return nil
	})
}

// component has the counts of a search: the size of a connected component of the graph.
type component struct {
	Search
	name string // of its first search
}

func (c component) same(other component) bool {
	return c.Edges == other.Edges && c.EdgesWithLoops == other.EdgesWithLoops && c.Reached == other.Reached
}

// checkComponents compares the counts of all searches. Searches from one root have equal counts. In an undirected
// graph, searches of one component have equal counts, too, and components with different counts together have at most
// the vertices and edges of the graph.
func checkComponents(r *Run) error {
	var all []component
	byRoot := map[int64]component{}
	vertices, tuples := int64(0), int64(0)
	return eachSearch(r, func(name string, s Search) error {
		if s.ValidateSeconds < 0 || s.Fault != "" {
			return nil
		}
		c := component{s, name}
		if other, known := byRoot[s.Root]; known && !c.same(other) {
			return disagree(other, c, "have one root")
		}
		byRoot[s.Root] = c
		if slices.ContainsFunc(all, c.same) || r.Graph != nil && r.Graph.Directed {
			return nil
		}
		vertices, tuples = vertices+s.Reached, tuples+s.EdgesWithLoops
		if len(all) > 0 && (vertices > r.vertices() || tuples > r.tuples()) {
			largest := slices.MaxFunc(all, func(a, b component) int { return int(a.Edges - b.Edges) })
			return disagree(largest, c, "must be in one component, since the graph is too small for two")
		}
		all = append(all, c)
		return nil
	})
}

func disagree(a, b component, why string) error {
	return fmt.Errorf("%s and %s %s, and counted %d and %d edges, %d and %d with self-loops, %d and %d vertices",
		a.name, b.name, why, a.Edges, b.Edges, a.EdgesWithLoops, b.EdgesWithLoops, a.Reached, b.Reached)
}
