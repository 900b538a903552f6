package record

import (
	"cmp"
	"errors"
	"fmt"
	"math"
)

// Check returns an error for the first two statements in a run of any status that contradict each other. Statistics and
// the verdict are not part of a run; Parse checks them.
func Check(run *Run) error {
	if began := run.Done() > 0 || len(run.Environment.Nodes) > 0; !began {
		return nil // the record of a failure to start
	}
	if run.Config != nil {
		if err := checkSettings(run, *run.Config); err != nil {
			return err
		}
	}
	return cmp.Or(checkRanks(run), checkParts(run), checkKernels(run), eachSearch(run, search{run}.check),
		checkRoots(run), checkComponents(run))
}

// checkRanks compares the number of ranks with the lengths of the lists of one entry per rank.
func checkRanks(r *Run) error {
	nodes, devices, times := len(r.Environment.Nodes), len(r.Environment.RankDevices), len(r.RankGenerationSeconds)
	switch {
	case r.Ranks < 1:
		return fmt.Errorf("it has %d ranks", r.Ranks)
	case nodes != r.Ranks:
		return fmt.Errorf("it has %d ranks and the nodes of %d", r.Ranks, nodes)
	case devices > 0 && devices != r.Ranks:
		return fmt.Errorf("it has %d ranks and the devices of %d", r.Ranks, devices)
	case times > 0 && times != r.Ranks:
		return fmt.Errorf("it has %d ranks and the generation times of %d", r.Ranks, times)
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
	case len(r.Parts) > 0 && r.Resumed != done:
		return fmt.Errorf("it was resumed after %d searches, and its last part ended after %d", r.Resumed, done)
	case r.Resumed < 0 || r.Resumed > r.Done():
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
		case !(r.GenerationSeconds >= 0), !(k.ConstructionSeconds >= 0):
			return fmt.Errorf("generation took %g s and kernel 1 %g s", r.GenerationSeconds, k.ConstructionSeconds)
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

// search checks single searches of a run.
type search struct{ run *Run }

func (c search) check(name string, s Search) error {
	if s.Root < 0 || s.Root >= c.vertices() {
		return fmt.Errorf("%s has root %d, and the graph %d vertices", name, s.Root, c.vertices())
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
	case s.Reached < 1 || s.Reached > c.vertices():
		return fmt.Errorf("%s reached %d of %d vertices", name, s.Reached, c.vertices())
	case s.Edges < s.Reached-1:
		return fmt.Errorf("%s reached %d vertices, which takes %d edges at least, and counted %d",
			name, s.Reached, s.Reached-1, s.Edges)
	case s.Edges > s.EdgesWithLoops || s.EdgesWithLoops > c.tuples():
		return fmt.Errorf("%s has %d edges, %d with self-loops, of %d tuples", name, s.Edges, s.EdgesWithLoops, c.tuples())
	case s.Levels < 1 || int64(s.Levels) > s.Reached:
		return fmt.Errorf("%s has %d levels of %d vertices", name, s.Levels, s.Reached)
	case s.Seconds > 0 && float64(s.Edges)/s.Seconds >= mostTEPS:
		return fmt.Errorf("%s took %g s for %d edges, and no machine has %g TEPS", name, s.Seconds, s.Edges, mostTEPS)
	}
	return nil
}

// vertices and tuples return the size of the graph.
func (c search) vertices() int64 {
	if g := c.run.Graph; g != nil {
		return g.Vertices
	}
	return int64(1) << min(max(c.run.Scale, 0), 62)
}

func (c search) tuples() int64 {
	if g := c.run.Graph; g != nil {
		return g.Edges
	}
	if c.run.EdgeFactor > math.MaxInt64/c.vertices() {
		return math.MaxInt64
	}
	return c.run.EdgeFactor * c.vertices()
}
