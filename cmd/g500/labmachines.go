package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"g500/comm"
	"g500/graph/formats"
	"g500/internal/machine"
	"g500/lab"
	"g500/settings"
)

// Help of flags that several commands of the laboratory have.
const (
	labGraphHelp   = "use the graphs of these specs, as kron:scale=16,grid2d:512x512"
	labSourcesHelp = "search from this many vertices by each strategy"
	labTableHelp   = "add the strategies of this file, with rows as in lab/strategies.toml"
)

// labMachines are the flags that choose the machines of the laboratory.
type labMachines struct {
	engine  string
	threads int
	quiet   bool
	onGPU   []string // flags and values of the command line that have no effect without a GPU
}

func (m *labMachines) addTo(f *pflag.FlagSet) {
	f.StringVar(&m.engine, "engine", "auto", "use: auto (a GPU if there is one, and the CPU), gpu or cpu")
	f.IntVar(&m.threads, "threads", 0, "use this many worker threads on CPUs; 0 for all cores")
	f.BoolVar(&m.quiet, "quiet", false, "hide progress")
}

func (m *labMachines) check() error {
	cfg := settings.Default()
	cfg.Machine.Threads = m.threads
	return cfg.Check()
}

// refuseWithoutGPU returns a misuse error if a flag of the command line needs a GPU and none is used. noGPU is the
// reason why there is none, nil if there is one.
func (m *labMachines) refuseWithoutGPU(noGPU error) error {
	switch {
	case len(m.onGPU) == 0:
	case m.engine == cpuEngine:
		return misuseError{fmt.Errorf("%s has no effect with --engine cpu: leave one of them out", m.onGPU[0])}
	case noGPU != nil:
		return misuseError{fmt.Errorf("%s has no effect without a GPU (%w): leave it out", m.onGPU[0], noGPU)}
	}
	return nil
}

// needGPU notes that a flag with this value has no effect without a GPU, if it was given and is not "all".
func (m *labMachines) needGPU(f *pflag.FlagSet, flag, value string) {
	if given := f.Lookup(flag); given.Changed && given.Value.String() != "all" {
		m.onGPU = append(m.onGPU, strings.TrimSpace("--"+flag+" "+value))
	}
}

// labPlace has the resources of which the machines of the laboratory are made.
type labPlace struct {
	t       comm.Transport // of one rank
	threads int
	clock   func() time.Duration
	hasGPU  bool
}

// useLab starts the GPU program in place of this one if there is a GPU, calls open to make the machines, and calls body
// to measure on them.
func useLab[M io.Closer](
	m *labMachines, errOut io.Writer, open func(labPlace) ([]M, error),
	body func(ctx context.Context, all []M, show progress) error,
) error {
	cfg := settings.Default()
	cfg.Search.Engine = m.engine
	noGPU := toGPUProgram(cfg)
	if m.engine == gpuEngine && noGPU != nil {
		return misuseError{noGPU}
	}
	if err := m.refuseWithoutGPU(noGPU); err != nil {
		return err
	}
	show := newProgress(errOut, m.quiet, shortSilence)
	defer show.Close()
	ctx, end := untilStopped(errOut)
	defer end()
	return comm.Loopback(1, func(t comm.Transport) error {
		began := time.Now()
		at := labPlace{t: t, threads: m.threads, hasGPU: m.engine != cpuEngine && noGPU == nil}
		at.clock = func() time.Duration { return time.Since(began) }
		if at.threads == 0 {
			at.threads = machine.Cores()
		}
		if noGPU != nil {
			show.Note("everything that needs a GPU is left out: " + noGPU.Error())
		}
		all, err := open(at)
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

// openSearchers returns the machines that search: a GPU, if there is one, then the cores.
func openSearchers(at labPlace) (all []lab.Machine, err error) {
	if at.hasGPU {
		if all, err = gpuLab(at.t, at.clock); err != nil {
			return nil, err
		}
	}
	return append(all, lab.NewCPU(at.t, at.threads, at.clock)), nil
}

// labGraphs returns a function that makes the graph of a spec, in the order of its input, and writes the notes of the
// reader of a file to errOut.
func labGraphs(errOut io.Writer) func(ctx context.Context, text string) (*lab.Graph, error) {
	return func(ctx context.Context, text string) (*lab.Graph, error) {
		spec, err := formats.Parse(text)
		if err != nil {
			return nil, misuseError{err}
		}
		_, available := machine.Memory()
		g, err := spec.Make(ctx, runtime.GOMAXPROCS(0), available)
		if err != nil {
			return nil, err
		}
		writeNotes(errOut, g)
		return &lab.Graph{Name: spec.String(), Offsets: g.Offsets, Columns: g.Neighbours, Symmetric: !g.Directed}, nil
	}
}
