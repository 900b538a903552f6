package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"g500/analysis/net"
	"g500/comm"
	"g500/internal/agreement"
	"g500/internal/machine"
	"g500/record"
)

// hostEngine is what "g500 net" measures without GPUs: host memory, whatever searches in it.
const hostEngine = "host"

// netOptions are the flags of "g500 net".
type netOptions struct {
	plan      net.Plan
	where     record.MachineConfig
	engine    string
	machine   string // file for the model
	json, csv bool
}

// gpuTransport measures between the memories of GPUs.
type gpuTransport interface {
	net.Transport
	Close() error
}

func netCommand() *cobra.Command {
	opt := netOptions{plan: net.DefaultPlan(), where: record.DefaultConfig().Machine, engine: hostEngine}
	opt.where.Ranks = 2
	c := &cobra.Command{
		Use:   "net",
		Short: "Measure latency and bandwidth between the ranks of a job, and name slow pairs",
		Long: "Measure messages between each two ranks, and from all to all, for several sizes. Start it as a run is\n" +
			"started: by mpirun or srun, or with --ranks in one process. Latency is half a round trip; bandwidth is that\n" +
			"of a window of messages that are under way together. With --engine gpu messages lie in the memory of GPUs.\n" +
			"With --machine the figures that g500 model can use go into a file for its flag of the same name.",
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := cmp.Or(opt.check(), refuseIdleRanks(c.Flags(), opt.where)); err != nil {
				return misuseError{err}
			}
			var noGPU error
			if opt.engine == gpuEngine {
				cfg := record.DefaultConfig()
				cfg.Search.Engine = gpuEngine
				noGPU = toGPUProgram(cfg)
			}
			if tasks, _ := comm.Launcher(); noGPU != nil && tasks == 1 {
				return misuseError{noGPU}
			}
			return opt.measure(noGPU, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.StringVar(&opt.engine, "engine", opt.engine,
		"measure between host memories (host) or GPU memories (gpu)")
	f.StringVar(&opt.where.GPUTransport, "gpu-transport", opt.where.GPUTransport, gpuTransportHelp)
	f.StringVar(&opt.where.Transport, "transport", opt.where.Transport, transportHelp)
	f.IntVar(&opt.where.Ranks, "ranks", opt.where.Ranks, ranksHelp)
	f.IntSliceVar(&opt.plan.Sizes, "sizes", opt.plan.Sizes, "measure messages of these sizes in bytes, in ascending order")
	f.IntVar(&opt.plan.Repeats, "repeats", opt.plan.Repeats, "send small messages this many times, larger ones less often")
	f.BoolVar(&opt.plan.Together, "together", false,
		"measure pairs without a common rank at the same time")
	f.StringVar(&opt.machine, "machine", "", "write a machine file for g500 model --machine")
	f.BoolVar(&opt.json, "json", false, "print JSON, in base units: seconds, bytes")
	f.BoolVar(&opt.csv, "csv", false, "print CSV, one row per pair and size, in base units")
	return c
}

func (o netOptions) check() error {
	switch {
	case o.engine != hostEngine && o.engine != gpuEngine:
		return fmt.Errorf("there is no memory of %q to measure: choose --engine host or gpu", o.engine)
	case o.engine == hostEngine && o.where.GPUTransport != "auto":
		return fmt.Errorf("--gpu-transport %s is for --engine gpu: leave it out, or use that engine", o.where.GPUTransport)
	case o.json && o.csv:
		return errors.New("--json and --csv exclude each other: choose one")
	}
	return o.plan.Check()
}

// declare lists the settings that all ranks must have alike to measure together.
func (o netOptions) declare() agreement.Declaration {
	return declare("net",
		agreement.Setting{Name: "--engine", Value: o.engine},
		agreement.Setting{Name: "--gpu-transport", Value: o.where.GPUTransport},
		agreement.Setting{Name: "--sizes", Value: fmt.Sprint(o.plan.Sizes)},
		agreement.Setting{Name: "--repeats", Value: fmt.Sprint(o.plan.Repeats)},
		agreement.Setting{Name: "--together", Value: fmt.Sprint(o.plan.Together)})
}

// measure starts the ranks, and prints what they find on rank 0. noGPU says why this process cannot use a GPU.
func (o netOptions) measure(noGPU error, out, errOut io.Writer) error {
	launch, transport, err := launcher(o.where, o.declare())
	if err != nil {
		return misuseError{err}
	}
	began := time.Now()
	clock := func() time.Duration { return time.Since(began) }
	return launch(func(t comm.Transport) error {
		if err := comm.Agree(t, noGPU); err != nil {
			return err
		}
		hosts, err := comm.AllGatherTexts(t, machine.Host())
		if err != nil {
			return err
		}
		if err := o.checkMemory(t, errOut); err != nil {
			return err
		}
		measured, release, err := o.open(t, transport)
		if err != nil {
			return err
		}
		figures, err := net.Measure(t, measured, hosts, o.plan, clock)
		if err != nil {
			return alike(err, t)
		}
		if t.Rank() == 0 {
			err = o.tell(figures, out)
		}
		return cmp.Or(comm.Agree(t, err), release())
	})
}

// alike marks what every rank refuses, so that one tells it. Other errors are of one rank.
func alike(err error, t comm.Transport) error {
	if t.Size() < 2 {
		return onAllRanks(misuseError{err})
	}
	return err
}

// open returns the transport to measure, and a function that frees it.
func (o netOptions) open(t comm.Transport, transport string) (net.Transport, func() error, error) {
	room := o.plan.Room(t.Size())
	if o.engine == gpuEngine {
		c, err := gpuLinks(t, o.where.GPUTransport, room)
		if err != nil {
			return nil, nil, err
		}
		return c, c.Close, nil
	}
	name := "host memory, goroutines of one process"
	if transport == "mpi" {
		name = "host memory, " + comm.MPIVersion()
	}
	return net.OverHosts(t, name, room), func() error { return nil }, nil
}

// tell prints the figures and writes the file for the model.
func (o netOptions) tell(f *net.Figures, out io.Writer) error {
	write := f.WriteText
	switch {
	case o.json:
		write = f.WriteJSON
	case o.csv:
		write = f.WriteCSV
	}
	if err := write(out); err != nil || o.machine == "" {
		return err
	}
	return writeFile(o.machine, f.WriteMachine)
}
