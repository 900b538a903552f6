//go:build cuda && mpi && cgo

package gpu

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"g500/bfs/bfstest"
	"g500/comm"
	"g500/comm/commtest"
	"g500/cuda"
)

func TestMain(m *testing.M) {
	if _, launcher := comm.Launcher(); launcher == "" {
		os.Exit(m.Run())
	}
	err := comm.MPI(func(t comm.Transport) error {
		world = t
		quietBenchmarks()
		if m.Run() != 0 {
			return errors.New("the tests fail on this rank")
		}
		return nil
	})
	if err != nil {
		os.Exit(1)
	}
}

// quietBenchmarks leaves the figures to rank 0: the ranks' lines would run into one another.
func quietBenchmarks() {
	flag.Parse()
	if world.Rank() != 0 && flag.Lookup("test.bench").Value.String() != "" {
		os.Stdout = nil
	}
}

// underMpirun runs a test on the ranks that there are. Started alone, it starts itself on 2 and on 4.
func underMpirun(t *testing.T, test func(t *testing.T)) {
	if world != nil {
		test(t)
		return
	}
	for _, ranks := range []int{2, 4} {
		t.Run(fmt.Sprintf("ranks=%d", ranks), func(t *testing.T) {
			mpirun(t, ranks, os.Args[0], "-test.run=^"+strings.Split(t.Name(), "/")[0]+"$")
		})
	}
}

func mpirun(t *testing.T, n int, program ...string) {
	t.Helper()
	out, err := commtest.Mpirun(t.Context(), t, n, program...).CombinedOutput()
	if err != nil || strings.Contains(string(out), "no tests to run") {
		t.Fatalf("%v\n%s", err, out)
	}
}

func TestConformanceOnMPI(t *testing.T) {
	underMpirun(t, func(t *testing.T) {
		for _, way := range inTime(t, waysToSearch) {
			bfstest.Run(t, engineWith(way), inWorld, world.Size())
		}
		withoutSharedWindows(t)
		for _, way := range inTime(t, waysByHost) {
			bfstest.Run(t, engineWith(way), inWorld, world.Size())
		}
	})
}

// inTime leaves out the forced forms where processes share a GPU: they take turns of milliseconds, one at each barrier.
func inTime(t *testing.T, ways []Options) []Options {
	t.Helper()
	cards, err := cuda.Cards()
	if err != nil {
		t.Fatal(err)
	}
	if world.Size() <= len(cards) {
		return ways
	}
	return slices.DeleteFunc(slices.Clone(ways), func(way Options) bool { return way.Exchange != "auto" })
}

func TestTransportOnMPI(t *testing.T) {
	underMpirun(t, func(t *testing.T) { testTransport(t, inWorld, world.Size()) })
}

// Ranks 0 and 1 see one GPU and rank 2 another one: the first two are peers, and the last is nobody's.
func TestHiddenGPUs(t *testing.T) {
	if world == nil {
		if cards, err := cuda.Cards(); err != nil || len(cards) < 2 {
			t.Skip("needs two GPUs")
		}
		self := []string{os.Args[0], "-test.run=^TestHiddenGPUs$"}
		first := []string{"env", "CUDA_VISIBLE_DEVICES=0"}
		second := []string{":", "-n", "1", "env", "CUDA_VISIBLE_DEVICES=1"}
		mpirun(t, 2, slices.Concat(first, self, second, self)...)
		return
	}
	check := func(tr comm.Transport) error {
		err := checkCarrier(tr, hidden, 1000)
		if err != nil {
			return err
		}
		d, err := cuda.Open(0)
		if err != nil {
			return err
		}
		_, err = newTransport(tr, d, carrierPeer)
		const want = "rank 0: gpu: rank 2 is no peer of this one: cuda: the GPU at "
		if err == nil || !strings.Contains(err.Error(), want) {
			return fmt.Errorf("the carrier peer gives %v", err)
		}
		return d.Close()
	}
	if err := inWorld(3, check); err != nil {
		t.Error(err)
	}
}

func hidden(t comm.Transport, d *cuda.Device, staging int64) (*carrier, error) {
	c, err := newCarrier(t, d, carrierAuto, staging)
	if err != nil {
		return nil, err
	}
	for r := range t.Size() {
		if want := r != t.Rank() && r < 2 && t.Rank() < 2; c.Peer(r) != want {
			return nil, fmt.Errorf("rank %d is a peer of rank %d: %v", r, t.Rank(), !want)
		}
	}
	return c, nil
}

func TestSharedWindowsOnMPI(t *testing.T) {
	underMpirun(t, func(t *testing.T) {
		err := inWorld(world.Size(), func(host comm.Transport) error {
			return joined(host, carrierMPI, checkSharedWindows)
		})
		if err != nil {
			t.Error(err)
		}
	})
}
