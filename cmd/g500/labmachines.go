package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"time"

	"github.com/spf13/pflag"

	"g500/bench"
	"g500/comm"
	"g500/internal/machine"
	"g500/lab"
)

// labMachines are the flags that say where the laboratory searches.
type labMachines struct {
	engine  string
	threads int
	quiet   bool
}

func (m *labMachines) addTo(f *pflag.FlagSet) {
	f.StringVar(&m.engine, "engine", "auto", "where to search: auto, gpu (a GPU is a must) or cpu (no GPU)")
	f.IntVar(&m.threads, "threads", 0, "worker threads of searches on CPUs; 0 for all cores")
	f.BoolVar(&m.quiet, "quiet", false, "show no progress")
}

func (m *labMachines) check() error {
	switch {
	case m.engine != "auto" && m.engine != gpuEngine && m.engine != "cpu":
		return fmt.Errorf("--engine %s is none: choose auto, gpu or cpu", m.engine)
	case m.threads < 0:
		return fmt.Errorf("--threads %d: choose 0 or more", m.threads)
	}
	return nil
}

// use lets the GPU program take over where there is one, and has body measure.
func (m *labMachines) use(
	errOut io.Writer, body func(ctx context.Context, all []lab.Machine, show progress) error,
) error {
	cfg := bench.DefaultConfig()
	cfg.Search.Engine = m.engine
	noGPU := toGPUProgram(cfg)
	if m.engine == gpuEngine && noGPU != nil {
		return misuseError{noGPU}
	}
	show := newProgress(errOut, m.quiet)
	defer show.Close()
	ctx, stop := signal.NotifyContext(context.Background(), stopSignals()...)
	defer stop()
	return comm.Loopback(1, func(t comm.Transport) error {
		all, err := m.open(t, noGPU, show)
		if err != nil {
			return err
		}
		err = body(ctx, all, show)
		for _, one := range all {
			err = errors.Join(err, one.Close())
		}
		return err
	})
}

// open makes the machines: those on a GPU first, if there is one.
func (m *labMachines) open(t comm.Transport, noGPU error, show progress) (all []lab.Machine, err error) {
	threads := m.threads
	if threads == 0 {
		threads = machine.Cores()
	}
	began := time.Now()
	clock := func() time.Duration { return time.Since(began) }
	if m.engine != "cpu" && noGPU == nil {
		if all, err = gpuLab(t, clock); err != nil {
			return nil, err
		}
	} else if noGPU != nil {
		show.Note("strategies of papers are left out: " + noGPU.Error())
	}
	return append(all, lab.NewCPU(t, threads, clock)), nil
}
