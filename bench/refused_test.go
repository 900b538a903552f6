// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/internal/machine"
	"g500/partition"
	"g500/record"
	"g500/sssp"
)

// isRefused checks that a run ends with an error of one line before its first search. It returns the output folder,
// which has files only of a run that began.
func isRefused(t *testing.T, ranks int, s Setup, want string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "new", "out")
	s.Config.Output.Dir = dir
	got, err := run(t.Context(), ranks, s)
	expect.Error(t, err, want, ranks, "ranks")
	expect.That(t, want == "" || !strings.Contains(fmt.Sprint(err), "\n") && (got == nil || got.Done() == 0),
		"%d ranks: %v, %+v", ranks, err, got)
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	expect.That(t, got != nil || len(files) == 0, "%d ranks: files %q", ranks, files)
	return dir
}

const collections = "../graph/formats/testdata/cases/"

// A run that cannot succeed is refused with the cure, on all ranks, before work starts.
func TestRefusals(t *testing.T) {
	ofScale := func(scale, most int, kernel string) Setup {
		s := hybrid(configOf(kernel, scale))
		s.Backend.MaxScale, s.Backend.Budget = most, func() Budget { return Budget{} } // not known: enough
		return s
	}
	small := func(kernel string) Setup {
		s := hybrid(configOf(kernel, 30))
		s.Backend.Budget = func() Budget { return Budget{Holder: "this test", Bytes: 1600 << 20} }
		return s
	}
	devices := func(device, host int64) Setup {
		s := Setup{Config: config(6), Backend: backendOnDevices(device, host, new(Plan))}
		s.Backend.Use = func(Plan) { t.Error("a plan that does not fit is used") }
		return s
	}
	work := devices(1<<20, 4096)
	work.Backend.Check = func(w Work) error { return fmt.Errorf("this on %d ranks %w", w.Ranks, ErrRefused) }
	with := func(s Setup, change func(c *record.Config)) Setup { change(&s.Config); return s }
	arcs := "file:" + expect.File(t, "a.wel", "0 1 1\n1 2 1\n") + ",symmetric=no"
	sink := expect.File(t, "sink", "2\n")
	for _, c := range []struct {
		setup Setup
		want  string
	}{
		{ofScale(43, 42, "bfs"), "scale 43 is beyond engine cpu, whose vertex numbers end at scale 42: choose a smaller one"},
		{ofScale(32, 31, "bfs"), "whose vertex numbers end at scale 31: choose a smaller one, or engine cpu"},
		{ofScale(33, 42, "both"), fmt.Sprintf("the shortest paths of engine cpu, whose vertex numbers end at scale %d: "+
			"choose a smaller one, or kernel bfs", sssp.MaxScale)},
		{small("bfs"), "the largest scale that fits is 21:"}, // shortest paths take more memory
		{small("both"), "the largest scale that fits is 20:"},
		{devices(1099, 4096), "scale 6 needs 1.95 KiB, or 1.07 KiB and 1 GiB of its node's memory on each of"},
		{devices(1099, 4096), "and GPU 0 (abacus) has 1.07 KiB for each, "},
		{devices(1999, 1<<60), "1.95 KiB, or 1.07 KiB and 1 EiB of its node's memory on each of"},
		{work, "ranks is refused"},
		{ofSpec(t, "both", "grid2d:20x20"), "have no weights, which shortest paths need"},
		{ofSpec(t, "bfs", "file:none.mtx"), "none.mtx"},
		{ofSpec(t, "bfs", "kron:scale=31,edgefactor=1024"), "memory"},
		{ofSpec(t, "sssp", "file:"+collections+"ldbc.e"),
			"ldbc.e without a name: name weights by columns=src,dst,weight, or draw"},
		{with(ofSpec(t, "sssp", arcs), func(c *record.Config) { c.Search.Roots = sink }),
			"vertex 2 has no edge to another vertex"},
		{with(ofSpec(t, "sssp", arcs), func(c *record.Config) { c.Search.Prune = "hub" }), "leave out --prune hub"},
	} {
		for _, ranks := range []int{1, 2} {
			isRefused(t, ranks, c.setup, c.want)
			if c.setup.Graph != nil {
				c.setup.Graph = onGraph(t, c.setup.Config).Graph // whose tuples were taken
			}
		}
	}
	mustRun(t, 2, ofSpec(t, "sssp", "file:"+collections+"ldbc.e,columns=src,dst,weight"))
}

// The error for a matrix with negative weights is the same in each storage scheme, on any number of ranks.
func TestNegativeWeightsAreRefusedAlike(t *testing.T) {
	for _, file := range []string{"skew-lower-negative.mtx", "skew-as-general.mtx", "mtx-skew-real.mtx"} {
		for _, ranks := range enginetest.Ranks(1, 2, 3, 5) {
			isRefused(t, ranks, ofSpec(t, "sssp", "file:"+collections+file), "the edge between vertices 0 and 1 has the "+
				"weight -1.5: shortest paths need weights from 0 to 1e+28: weights=uniform draws others")
		}
	}
}

// isolated is a vertex of scale 10 without an edge to another vertex.
func isolated() int {
	ends, v := enginetest.Ends(enginetest.OfficialEdges(10)), 0
	for ends[graph.Global(v)] > 0 {
		v++
	}
	return v
}

func TestBadRootsAreRefusedWithTheirLine(t *testing.T) {
	lonely := isolated()
	for text, want := range map[string]string{
		"":                "has no roots",
		"458\nfour\n":     `:2: "four" is no label`,
		"# none\n\n":      "has no roots",
		"458\n# c\n\nx\n": `:4: "x" is no label`,
		"458\x00":         "is binary",
		"%%MatrixMarket matrix coordinate integer general\n2 1 2\n":      ":1: a Matrix Market file of roots is an array",
		"%%MatrixMarket matrix array integer general\n2 2\n1\n1\n1\n1\n": `:2: "2 2" is no size of an array`,
		"%%MatrixMarket matrix array integer general\n3 1\n459\n215\n":   "announces 3 roots, but has 2",
		"%%MatrixMarket matrix array integer general\n1 1\n0\n":          ":3: 0 is no vertex: labels of scale 10 go from 1",
		"%%MatrixMarket matrix array real general\n% c\n1 1\n1.5\n":      `:4: "1.5" is no label`,
		"458 214\n":                         `:1: "458 214" is no label`,
		"458\n214\n1024\n":                  ":3: 1024 is no vertex: labels of scale 10 go from 0 to 1023",
		"-1\n":                              ":1: -1 is no vertex",
		"99999999999999999999\n":            ":1: 99999999999999999999 is no vertex",
		"458\n214\n458\n":                   ":3: root 458 is in line 1 already",
		fmt.Sprintf("458\n%d\n214", lonely): fmt.Sprintf(":2: vertex %d has no edge to another vertex", lonely),
	} {
		isRefused(t, 2, hybrid(fileOfRoots(t, text)), want)
	}
}

// All ranks return the same error for such a root, so that the launcher prints it once.
func TestRootWithoutAnEdgeIsOneError(t *testing.T) {
	c := fileOfRoots(t, fmt.Sprintln(isolated()))
	var agreed atomic.Int32
	err := comm.Loopback(3, func(tr comm.Transport) error {
		_, err := Run(t.Context(), tr, hybrid(c))
		var one *comm.RankError
		if errors.As(err, &one) && one.Rank == 0 {
			agreed.Add(1)
		}
		return err
	})
	expect.That(t, err != nil && agreed.Load() == 3, "%d of 3 ranks return the error of rank 0: %v", agreed.Load(), err)
}

// If no drawn key meets the only edge of a graph, the error names a vertex, which is the root of a valid run.
func TestMissedEdgesAreNamed(t *testing.T) {
	c := config(7)
	drawn := map[graph.Global]bool{}
	for i := range int64(c.Params().Vertices()) {
		drawn[c.Params().KeyCandidate(i)] = true
	}
	var ends []int
	for v := 127; len(ends) < 2; v-- {
		if !drawn[graph.Global(v)] {
			ends = append(ends, v)
		}
	}
	spec := "file:" + expect.File(t, "one.txt", fmt.Sprintf("# Nodes: 128\n%d %d\n", ends[0], ends[1]))
	for _, ranks := range enginetest.Ranks(1, 2, 3, 5) {
		isRefused(t, ranks, ofSpec(t, "bfs", spec), fmt.Sprintf("name roots in a file (--roots), such as vertex %d", ends[1]))
	}
	s := ofSpec(t, "bfs", spec)
	s.Config.Search.Roots = fileOfRoots(t, fmt.Sprint(ends[1])).Search.Roots
	expect.Equal(t, mustRun(t, 2, s).Status, record.Valid)
}

// A full disk, or an exceeded quota, is detected before the graph is generated.
func TestFullDiskIsFoundBeforeTheSearches(t *testing.T) {
	for _, full := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		expect.Set(t, &allocate, func(*os.File, int64) error { return full })
		isRefused(t, 2, hybrid(config(8)), "in the output folder: "+full.Error())
	}
}

// Results of two searches of scale 8 take 4 KiB as trees and 6 KiB as shortest paths, and three labels of up to ten
// digits 33 bytes. The run starts only if they fit on the disk of the folder that exists.
func TestResultsThatDoNotFitOnTheDiskAreRefused(t *testing.T) {
	labels := "file:" + expect.File(t, "a.txt", "7 9000000000\n7 8\n") + ",labels=renumber"
	for _, c := range []struct {
		kernel, spec string
		keys         int
		trees        bool
		takes        int64
	}{
		{"bfs", "", 2, true, 4 << 10}, {"sssp", "", 2, true, 6 << 10}, {"both", "", 2, true, 10 << 10},
		{"bfs", labels, 1, false, 33}, {"bfs", labels, 1, true, 33 + 8*4}, // scale 2
	} {
		config := configOf(c.kernel, 8)
		config.Graph.Spec, config.Search.Keys, config.Output.Trees = c.spec, c.keys, c.trees
		asked := ""
		for free, want := range map[int64]string{c.takes: "", c.takes - 1: "takes " + Bytes(c.takes) + " of disk"} {
			expect.Set(t, &freeSpace, func(dir string) (int64, bool) { asked = dir; return free, true })
			dir := isRefused(t, 2, onGraph(t, config), want)
			expect.Equal(t, asked, filepath.Dir(filepath.Dir(dir)))
		}
	}
	expect.Set(t, &freeSpace, func(string) (int64, bool) { return 0, false })
	expect.NoError(t, CheckSpace(t.TempDir(), 1<<60), "a disk whose free space is not known")
}

// Space for stored results is reserved only if the file system can allocate it and does not limit the size of a file.
func TestResultsAreReservedIfThatCostsNothing(t *testing.T) {
	const large = 64 * 8 << 8 // of all trees
	for _, c := range []struct {
		large error
		goes  bool
	}{{nil, true}, {errors.ErrUnsupported, true}, {syscall.EFBIG, true}, {syscall.ENOSPC, false}} {
		cfg := config(8)
		cfg.Output.Dir, cfg.Output.Trees = t.TempDir(), true
		asked := false
		expect.Set(t, &allocate, func(f *os.File, bytes int64) error {
			if bytes != large {
				return machine.Allocate(f, bytes)
			}
			asked = true
			return c.large
		})
		r, err := run(context.Background(), 1, hybrid(cfg))
		valid := err == nil && r.Status == record.Valid
		expect.Equal(t, [2]bool{valid, asked}, [2]bool{c.goes, true}, c.large, "valid, and asked for", large, "bytes", err)
	}
}

func TestReservation(t *testing.T) {
	for meaning, f := range map[string]func(*os.File, int64) error{
		"allocated": machine.Allocate,
		"written":   func(*os.File, int64) error { return errors.ErrUnsupported },
	} {
		expect.Set(t, &allocate, f)
		dir := t.TempDir()
		r := expect.Value(reserve(dir, "files need", 100<<10, mostZeros))(t)
		kept := func() int64 { return expect.Value(r.file.Stat())(t).Sys().(*syscall.Stat_t).Blocks * 512 }
		expect.Equal(t, len(filesOf(t, dir)), 0, meaning)
		expect.That(t, kept() >= 100<<10, "%s: %d bytes are kept", meaning, kept())
		expect.NoError(t, r.spend(60<<10))
		expect.That(t, kept() <= 44<<10, "%s: %d bytes are kept after 60 KiB were given back", meaning, kept())
		expect.NoError(t, r.grow(200<<10))
		expect.That(t, kept() >= 200<<10, "%s: %d bytes are kept after it grew to 200 KiB", meaning, kept())
		expect.NoError(t, errors.Join(r.spend(1<<30), r.end()))
	}
}

// The space reserved for the files of a run suffices, with and without traces.
func TestReservedSpaceIsEnough(t *testing.T) {
	for _, traced := range []bool{false, true} {
		c := configOf("both", 10)
		c.Search.Trace, c.Output.Dir = traced, t.TempDir()
		first := int64(0)
		expect.Set(t, &allocate, func(f *os.File, bytes int64) error {
			if first == 0 {
				first = bytes
			} else {
				t.Errorf("traced %v: %d bytes were kept at first, and then %d", traced, first, bytes)
			}
			return machine.Allocate(f, bytes)
		})
		mustRun(t, 3, hybrid(c))
		all := int64(0)
		for _, text := range filesOf(t, c.Output.Dir) {
			all += int64(len(text))
		}
		expect.That(t, all != 0 && all <= first, "traced %v: %d bytes were kept, and the files have %d", traced, first, all)
	}
}

// fullDisk returns an error for each write.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// An array is gathered in pieces; one that cannot be written ends the job with the reason, on all ranks.
func TestArrayThatCannotBeWritten(t *testing.T) {
	layout := partition.NewCyclic(2*arrayPiece+5, 3)
	err := comm.Loopback(3, func(t comm.Transport) error {
		return comm.Agree(t, gatherArray(t, layout, make([]graph.Global, layout.Count(t.Rank())), fullDisk{}))
	})
	expect.That(t, err != nil && strings.HasPrefix(err.Error(), "rank 0: ") &&
		strings.Contains(err.Error(), "no space left"), "the job ended with %v", err)
}
