package main

import (
	"errors"
	"strings"
	"testing"

	"g500/bench"
	"g500/comm"
	"g500/record"
)

// withGPUEngine gives this program a GPU engine for the length of a test; its backend is the CPU's.
func withGPUEngine(t *testing.T) {
	t.Helper()
	was := engines
	hybrid, err := engineNamed("cpu")
	if err != nil {
		t.Fatal(err)
	}
	engines = append([]engine{{name: gpuEngine, backend: hybrid.backend, ways: true}}, was...)
	t.Cleanup(func() { engines = was })
}

// All ranks take the same engine, whatever each of them could have.
func TestRanksAgreeOnTheEngine(t *testing.T) {
	withGPUEngine(t)
	noDriver := errors.New("no driver")
	for _, c := range []struct {
		meaning string
		asked   string
		noGPU   []error // by rank
		want    string  // engine, "" for a refusal
		told    string  // in the note or the refusal
	}{
		{"a GPU everywhere", "auto", []error{nil, nil, nil}, "gpu", ""},
		{"a GPU nowhere", "auto", []error{noDriver, noDriver}, "cpu", ""},
		{"one rank without", "auto", []error{nil, nil, noDriver, nil}, "cpu",
			"1 of 4 ranks go without a GPU, so that all search with engine cpu (no driver)"},
		{"asked for by name", "gpu", []error{nil, nil}, "gpu", ""},
		{"asked for by name, one rank without", "gpu", []error{nil, noDriver, nil}, "", "rank 1: no driver"},
		{"without asking for one", "topdown", []error{nil, noDriver}, "topdown", ""},
		{"an unknown name", "warp", []error{nil, nil}, "", "there is no engine \"warp\""},
	} {
		err := comm.Loopback(len(c.noGPU), func(tr comm.Transport) error {
			e, note, err := chooseEngine(tr, c.asked, c.noGPU[tr.Rank()])
			if e.name != c.want {
				t.Errorf("%s: rank %d takes %q, want %q", c.meaning, tr.Rank(), e.name, c.want)
			}
			if c.want != "" && note != c.told {
				t.Errorf("%s: rank %d notes %q, want %q", c.meaning, tr.Rank(), note, c.told)
			}
			return err
		})
		if (err == nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.told) {
			t.Errorf("%s: the job ended with %v", c.meaning, err)
		}
	}
}

// A rank whose GPU cannot be opened ends the job with its sentence, also where the others wait for it inside their
// backends.
func TestBackendThatFailsOnOneRank(t *testing.T) {
	withGPUEngine(t)
	engines[0].backend = func(tr comm.Transport, _ record.Config, _ int) (bench.Backend, error) {
		if tr.Rank() == 2 {
			return bench.Backend{}, errors.New("its GPU has fallen off the bus")
		}
		return bench.Backend{}, tr.Barrier()
	}
	err := comm.Loopback(3, func(tr comm.Transport) error {
		_, _, err := backendFor(tr, record.DefaultConfig(), 1, nil)
		return err
	})
	if err == nil || err.Error() != "rank 2: its GPU has fallen off the bus" {
		t.Errorf("the job ended with %v", err)
	}
}

// Results of the CPU's engines have 64 bits, whatever engine "auto" means.
func TestShortResultsAreForGPUs(t *testing.T) {
	for _, engine := range []string{"cpu", "topdown"} {
		status, out, errOut := call("run", "--scale", "4", "--engine", engine, "--result-bits", "32")
		want := "--result-bits 32 is for engine gpu, and results of engine " + engine + " have 64 bits a parent"
		if status != misuse || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, want) {
			t.Errorf("status %d, output %q, error %q; want %q", status, out, errOut, want)
		}
	}
	withGPUEngine(t)
	cfg := record.DefaultConfig()
	cfg.Search.ResultBits = 32
	for auto, refused := range map[error]bool{nil: false, errors.New("no driver"): true} {
		err := comm.Loopback(1, func(tr comm.Transport) error {
			_, _, err := backendFor(tr, cfg, 1, auto)
			return err
		})
		if (err != nil) != refused {
			t.Errorf("without a GPU because of %v: %v", auto, err)
		}
	}
	if status, _, errOut := call("run", "--scale", "4", "--result-bits", "48"); status != misuse ||
		!strings.Contains(errOut, "search.result_bits = 48: it must be 64, or 32 for comparison") {
		t.Errorf("48 bits: status %d, error %q", status, errOut)
	}
}

func TestWaysAreForGPUs(t *testing.T) {
	for _, args := range [][]string{{"--exchange", "bins"}, {"--gpu-transport", "peer"}} {
		for _, engine := range []string{"cpu", "topdown"} {
			status, out, errOut := call(append([]string{"run", "--scale", "4", "--engine", engine}, args...)...)
			want := strings.Join(args, " ") + " says how GPUs reach each other, and engine " + engine + " uses none"
			if status != misuse || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, want) {
				t.Errorf("status %d, output %q, error %q; want %q", status, out, errOut, want)
			}
		}
	}
	cfg := record.DefaultConfig()
	cfg.Search.Exchange, cfg.Machine.GPUTransport = "bitmap", "mpi"
	if err := checkWays(cfg, engine{name: gpuEngine, ways: true}); err != nil {
		t.Error(err)
	}
}
