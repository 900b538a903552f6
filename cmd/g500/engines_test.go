// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"strings"
	"testing"
	"time"

	"g500/analysis/net"
	"g500/bench"
	"g500/comm"
	"g500/internal/expect"
	"g500/record"
	"g500/settings"
	"g500/settings/settingstest"
)

// withGPUEngine adds a GPU engine, with the backend of the CPU, until the end of the test.
func withGPUEngine(t *testing.T) {
	expect.Set(t, &engines, append([]engineChoice{{name: settings.GPU, backend: onCPU(cpuBackend)}}, engines...))
}

// All ranks choose the same engine, whichever engines each of them has.
func TestRanksAgreeOnTheEngine(t *testing.T) {
	withGPUEngine(t)
	noDriver := errors.New("no driver")
	for _, c := range []struct {
		meaning, asked string
		noGPU          []error // by rank
		want           string  // engine, "" for a refusal
		note           string  // the note or the refusal
	}{
		{"a GPU everywhere", "auto", []error{nil, nil, nil}, "gpu", ""},
		{"a GPU nowhere", "auto", []error{noDriver, noDriver}, "cpu", ""},
		{"one rank without", "auto", []error{nil, nil, noDriver, nil}, "cpu",
			"1 of 4 ranks have no GPU, so that all search with engine cpu (no driver)"},
		{"chosen by name", "gpu", []error{nil, nil}, "gpu", ""},
		{"chosen by name, one rank without", "gpu", []error{nil, noDriver, nil}, "", "rank 1: no driver"},
		{"another engine", "topdown", []error{nil, noDriver}, "topdown", ""},
	} {
		err := comm.Loopback(len(c.noGPU), func(tr comm.Transport) error {
			engine, note, err := chooseEngine(tr, c.asked, c.noGPU[tr.Rank()])
			expect.That(t, c.want == "" || engine == c.want && note == c.note,
				"%s: rank %d takes %s and notes %q, want %s and %q", c.meaning, tr.Rank(), engine, note, c.want, c.note)
			return err
		})
		expect.That(t, (err == nil) == (c.want != "") && (err == nil || strings.Contains(err.Error(), c.note)),
			"%s: the job ended with %v", c.meaning, err)
	}
}

// A rank whose GPU cannot be opened ends the job with its error, also if other ranks wait in their backends.
func TestBackendThatFailsOnOneRank(t *testing.T) {
	withGPUEngine(t)
	engines[0].backend = func(tr comm.Transport, _ record.Config, _ int) (bench.Backend, error) {
		if tr.Rank() == 2 {
			return bench.Backend{}, errors.New("its GPU has fallen off the bus")
		}
		return bench.Backend{}, tr.Barrier()
	}
	err := comm.Loopback(3, func(tr comm.Transport) error {
		_, _, err := backendFor(tr, &job{cfg: settings.Default()}, 1, nil)
		return err
	})
	expect.That(t, err != nil && err.Error() == "rank 2: its GPU has fallen off the bus", "the job ended with %v", err)
}

// Settings of GPUs are refused on every engine for CPUs, also if "auto" means that engine, and taken on GPUs.
func TestGPUSettingsAreRefusedOnCPUs(t *testing.T) {
	for _, s := range settings.Table {
		for _, engine := range []string{"cpu", "topdown"} {
			if s.Has(engine) {
				continue
			}
			c := settingstest.Changed(t, s, settings.Default())
			setting := "--" + s.Flag + "=" + s.Text(&c)
			status, out, errOut := call("run", "--scale", "4", "--engine", engine, setting)
			want := setting + " is for engine gpu"
			expect.That(t, status == misuse && out == "" && strings.Count(errOut, "\n") == 1 && strings.Contains(errOut, want),
				"status %d, output %q, error %q; want %q", status, out, errOut, want)
		}
	}
	withGPUEngine(t)
	cfg := settings.Default()
	cfg.Search.ResultBits, cfg.Search.Exchange, cfg.Machine.GPUTransport = 32, "bitmap", "mpi"
	for noGPU, refused := range map[error]bool{nil: false, errors.New("no driver"): true} {
		err := comm.Loopback(1, func(tr comm.Transport) error {
			_, _, err := backendFor(tr, &job{cfg: cfg}, 1, noGPU)
			return err
		})
		expect.Equal(t, err != nil, refused, "without a GPU because of", noGPU, err)
	}
}

// fakeGPUs is a gpuTransport with these transports; nccl is missing on rank 1.
type fakeGPUs struct {
	net.Transport
	t          comm.Transport
	transports []string
}

func (g fakeGPUs) Groups() int                        { return 2 }
func (g fakeGPUs) LevelTransports() ([]string, error) { return g.transports, nil }

func (g fakeGPUs) OpenLevels(name string, _ int64) (net.Levels, error) {
	var err error
	if name == "nccl" && g.t.Rank() == 1 {
		err = errors.New("no library")
	}
	return fakeLevels(name), comm.Agree(g.t, err)
}

type fakeLevels string

func (l fakeLevels) Name() string        { return string(l) }
func (l fakeLevels) Kernels() error      { return nil }
func (l fakeLevels) AllGather(int) error { return nil }
func (l fakeLevels) AllToAll(int) error  { return nil }
func (l fakeLevels) Close() error        { return nil }

// A transport that the user has not named may be missing, and the output has the reason. A named one ends the command.
func TestNetMeasuresTransportsThatAreThere(t *testing.T) {
	for _, transports := range [][]string{{"nccl", "staged"}, {"nccl"}} {
		figures := make([]net.Figures, 2)
		err := comm.Loopback(2, func(tr comm.Transport) error {
			o := netOptions{plan: net.Plan{Sizes: []int{8}, Repeats: 1}}
			now := time.Duration(0)
			clock := func() time.Duration { now += time.Microsecond; return now }
			return o.measureLevels(tr, fakeGPUs{t: tr, transports: transports}, &figures[tr.Rank()], clock)
		})
		f := figures[0]
		if len(transports) == 1 {
			expect.Error(t, err, "rank 1: no library")
			continue
		}
		expect.That(t, err == nil && len(f.Levels) == 9 && f.Levels[0].Transport == "staged" && f.Groups == 2 &&
			len(f.Unmeasured) == 1 && f.Unmeasured[0] == "nccl: rank 1: no library", "%v, %+v", err, f)
	}
}
