// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/record"
	"g500/settings"
	"g500/sssp"
)

func config(scale int) record.Config { return configOf("bfs", scale) }

func configOf(kernel string, scale int) record.Config {
	c := settings.Default()
	c.Graph.Scale, c.Search.Kernel = scale, kernel
	return c
}

// onCPU has the fast engines with one goroutine per rank.
func onCPU() Backend { return CPU("cpu", bfs.NewHybrid(1), sssp.NewSearch(1), 1) }

func hybrid(c record.Config) Setup { return Setup{Config: c, Backend: onCPU()} }

// onGraph is hybrid with the graph of the configuration's spec.
func onGraph(t *testing.T, c record.Config) Setup {
	t.Helper()
	s := hybrid(c)
	s.Graph = expect.Value(NewSpecGraph(c))(t)
	return s
}

// ofSpec is a setup with a kernel on the graph of a spec.
func ofSpec(t *testing.T, kernel, spec string) Setup {
	t.Helper()
	c := configOf(kernel, 16)
	c.Graph.Spec = spec
	return onGraph(t, c)
}

// onRanks runs the benchmark on loopback, with a setup for each rank, and returns the runs by rank.
func onRanks(ctx context.Context, ranks int, setup func(rank int) Setup) ([]*record.Run, error) {
	runs := make([]*record.Run, ranks)
	err := comm.Loopback(ranks, func(t comm.Transport) (err error) {
		s := setup(t.Rank())
		if s.Environment.Engine == "" {
			s.Environment.Engine, s.Environment.Transport, s.Environment.Threads = "cpu", "loopback", 1
		}
		s.Config.Machine.Ranks = t.Size()
		runs[t.Rank()], err = Run(ctx, t, s)
		return err
	})
	return runs, err
}

// run runs the benchmark on loopback with one setup and returns rank 0's run.
func run(ctx context.Context, ranks int, s Setup) (*record.Run, error) {
	runs, err := onRanks(ctx, ranks, func(int) Setup { return s })
	return runs[0], err
}

// mustRun is run in a test that ends if the run has an error.
func mustRun(t *testing.T, ranks int, s Setup) *record.Run {
	t.Helper()
	return expect.Value(run(context.Background(), ranks, s))(t)
}

// cutOff runs until a signal after that many searches of the last kernel.
func cutOff(t *testing.T, ranks int, s Setup, searches int) *record.Run {
	t.Helper()
	ctx, interrupt := context.WithCancel(context.Background())
	defer interrupt()
	in := searchStep(record.BFS)
	if s.Config.Search.Kernel != "bfs" {
		in = searchStep(record.SSSP)
	}
	r := expect.Value(onRanks(ctx, ranks, func(int) Setup {
		own := s
		own.Watch = &signalAfter{interrupt: interrupt, searches: searches, in: in}
		return own
	}))(t)[0]
	expect.Equal(t, r.Status, record.Incomplete, r.Verdict())
	return r
}

// signalAfter sends a signal after some searches of a step.
type signalAfter struct {
	Watchers
	interrupt func()
	searches  int
	step, in  string // the present step, and the one of the signal, "" for any
}

func (s *signalAfter) Step(name string, _ int64) { s.step = name }

func (s *signalAfter) Searched(_ record.Search, done, _ int) {
	if done == s.searches && (s.in == "" || s.step == s.in) {
		s.interrupt()
	}
}

// resuming returns the setup that resumes the run in a folder.
func resuming(t *testing.T, dir string) Setup {
	t.Helper()
	earlier := expect.Value(record.ReadEarlier(dir))(t)
	s := onGraph(t, *earlier.Config)
	s.Earlier = earlier
	return s
}

// searching is an engine with another Search.
type searching struct {
	engine.Engine
	search func(root graph.Global) (engine.Result, error)
}

func (e searching) Search(root graph.Global) (engine.Result, error) { return e.search(root) }

// paced returns the engine with searches that take d longer.
func paced(e engine.Engine, d time.Duration) engine.Engine {
	return searching{e, func(root graph.Global) (engine.Result, error) {
		time.Sleep(d)
		return e.Search(root)
	}}
}

// wrapTrees replaces the setup's engine of breadth-first search on each rank.
func (s *Setup) wrapTrees(wrap func(t comm.Transport, e engine.Engine) engine.Engine) {
	kernel1 := s.Backend.Kernel1
	s.Backend.Kernel1 = func(t comm.Transport, tuples graph.Tuples) (engine.Engine, error) {
		e, err := kernel1(t, tuples)
		return wrap(t, e), err
	}
}

// wrapPaths replaces the setup's engine of shortest paths on each rank.
func (s *Setup) wrapPaths(wrap func(e engine.Engine) engine.Engine) {
	kernel1 := s.Backend.Paths
	s.Backend.Paths = func(t comm.Transport, tuples graph.Tuples, prune sssp.Pruning) (engine.Engine, error) {
		e, err := kernel1(t, tuples, prune)
		return wrap(e), err
	}
}

// faultySetup is a setup whose searches from the n-th on pass each rank's tree to wrong.
func faultySetup(c record.Config, n int, wrong func(t comm.Transport, tree []graph.Global) error) Setup {
	s := hybrid(c)
	s.spoil(n, wrong)
	return s
}

// spoil passes each rank's tree of the searches from the n-th on to wrong.
func (s *Setup) spoil(n int, wrong func(t comm.Transport, tree []graph.Global) error) {
	s.wrapTrees(func(t comm.Transport, e engine.Engine) engine.Engine {
		left := n
		return searching{e, func(root graph.Global) (engine.Result, error) {
			tree, err := e.Search(root)
			if left--; err != nil || left > 0 {
				return tree, err
			}
			found, err := tree.Host()
			return tree, errors.Join(err, wrong(t, found.Parents))
		}}
	})
}

// dropVertex removes a vertex that a search has reached from its tree on rank 0.
func dropVertex(t comm.Transport, tree []graph.Global) error {
	for l := range tree {
		if t.Rank() == 0 && tree[l] != graph.NoParent {
			tree[l] = graph.NoParent
			break
		}
	}
	return nil
}

func edgeListFile(t *testing.T, edges []graph.Edge) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "edges")
	file := expect.Value(os.Create(path))(t)
	defer file.Close()
	expect.NoError(t, graph.WriteEdges(file, graph.Packed, edges))
	return path
}

// edgesOf is a configuration that reads the official graph of its scale from a file.
func edgesOf(t *testing.T, scale int) record.Config {
	t.Helper()
	c := config(scale)
	c.Graph.Edges = edgeListFile(t, enginetest.OfficialEdges(scale))
	return c
}

// fileOfRoots is a configuration of scale 10 that reads its roots from a file.
func fileOfRoots(t *testing.T, text string) record.Config {
	t.Helper()
	c := config(10)
	c.Search.Roots = expect.File(t, "roots.txt", text)
	return c
}
