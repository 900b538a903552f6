// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"g500/analysis/net"
	"g500/bench"
	"g500/cmd/cli"
	"g500/comm"
	"g500/internal/machine"
	"g500/settings"
)

// hostEngine is the value of "g500 net --engine" that measures between host memories.
const hostEngine = "host"

// netOptions are the flags of "g500 net".
type netOptions struct {
	plan   net.Plan
	cfg    settings.Config
	engine string
	gauges string // file for Prometheus

	fail                bool    // if a pair has a fault
	slow, latency, rate float64 // limits: a ratio, us, GB/s
	format              cli.OutputFormat
}

// gpuTransport measures between the memories of GPUs.
type gpuTransport interface {
	net.Transport
	// Groups returns the number of groups of peers.
	Groups() int
	// LevelTransports returns the transports by which levels can be measured.
	LevelTransports() ([]string, error)
	// OpenLevels opens levels with exchanges of that many bytes.
	OpenLevels(transport string, bytes int64) (net.Levels, error)
}

func netCommand() *cobra.Command {
	opt := netOptions{plan: net.DefaultPlan(), slow: net.DefaultLimits().Slow,
		cfg: settings.Default(), engine: hostEngine}
	opt.cfg.Machine.Ranks = 2
	c := &cobra.Command{
		Use:  "net",
		Args: cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := cmp.Or(opt.check(), refuseIdleRanks(c.Flags(), opt.cfg.Machine)); err != nil {
				return cli.Misuse(err)
			}
			var noGPU error
			if opt.engine == settings.GPU {
				opt.cfg.Search.Engine = settings.GPU
				noGPU = toGPUProgram(opt.cfg)
			}
			if noGPU != nil && comm.Launched().Tasks == 1 {
				return cli.Misuse(noGPU)
			}
			return opt.measure(c, noGPU)
		},
	}
	f := c.Flags()
	f.StringVar(&opt.engine, "engine", opt.engine, "measure between host memories (host) or GPU memories (gpu)")
	settingFlags(f, &opt.cfg, "machine.gpu_transport", "machine.transport", "machine.ranks", "machine.emulate_nodes")
	f.IntSliceVar(&opt.plan.Sizes, "sizes", opt.plan.Sizes, "measure messages of these sizes in bytes, in ascending order")
	f.IntVar(&opt.plan.Repeats, "repeats", opt.plan.Repeats, "send small messages this many times, larger ones less often")
	f.BoolVar(&opt.fail, "check", false, "exit with 1 if a pair exceeds a limit, or GPUs of a node are no peers")
	f.Float64Var(&opt.slow, "slow", opt.slow, "report pairs this many times worse than the median of their kind")
	f.Float64Var(&opt.latency, "max-latency-us", 0, "report pairs with a higher latency at the smallest size; 0 for any")
	f.Float64Var(&opt.rate, "min-gbs", 0, "report pairs with a lower bandwidth at the largest size; 0 for any")
	prometheusFlag(f, &opt.gauges)
	opt.format.AddTo(c, "pair and size")
	return c
}

func (o netOptions) check() error {
	if err := o.cfg.Check(); err != nil {
		return err
	}
	if by := o.cfg.Machine.GPUTransport; o.engine == hostEngine && by != "auto" {
		return fmt.Errorf("--gpu-transport %s is for --engine gpu: leave it out, or use that engine", by)
	}
	return cmp.Or(o.plan.Check(), checkGauges(o.gauges))
}

// limits returns the limits of the flags. GPUs of a node must be peers in a check.
func (o netOptions) limits() net.Limits {
	return net.Limits{Slow: o.slow, Latency: o.latency * 1e-6, Bandwidth: o.rate * 1e9,
		Peers: o.fail && o.engine == settings.GPU}
}

// measure starts the ranks and prints the results on rank 0. noGPU is the reason why this process cannot use a GPU.
func (o netOptions) measure(c *cobra.Command, noGPU error) error {
	out, errOut := c.OutOrStdout(), c.ErrOrStderr()
	var faults atomic.Bool // the same on all ranks
	launch, transport, err := launcher(o.cfg.Machine, declare("net",
		flagValues(c.Flags(), "engine", "gpu-transport", "emulate-nodes", "sizes", "repeats")...))
	if err != nil {
		return cli.Misuse(err)
	}
	began := time.Now()
	clock := func() time.Duration { return time.Since(began) }
	err = launch.watched(errOut, "measuring", func(t comm.Transport) error {
		if err := comm.Agree(t, noGPU); err != nil {
			return err
		}
		node := machine.Node()
		if o.cfg.Machine.EmulateNodes > 0 {
			node += fmt.Sprintf(", node %d", t.Nodes()[t.Rank()])
		}
		nodes, err := comm.Gathered(t, node)
		if err != nil {
			return err
		}
		if err := o.checkMemory(t, errOut); err != nil {
			return err
		}
		measured, err := o.open(t, transport)
		if err != nil {
			return err
		}
		figures, err := net.Measure(t, measured, nodes, o.plan, clock)
		if err != nil && t.Size() < 2 {
			return onAllRanks(cli.Misuse(err))
		}
		if err == nil && o.engine == settings.GPU {
			err = o.measureLevels(t, measured.(gpuTransport), figures, clock)
		}
		if err != nil {
			return err
		}
		if t.Rank() == 0 {
			figures.Find(o.limits())
			err = o.write(figures, out, errOut)
		}
		found, failed := comm.Reduce(t, int64(len(figures.Faults)), comm.Max)
		faults.Store(found > 0)
		return cmp.Or(failed, comm.Agree(t, err), measured.Close())
	})
	if err == nil && o.fail && faults.Load() {
		return cli.ErrInvalid
	}
	return err
}

// measureLevels adds the levels of searches by each transport between GPUs. One that is not named may be missing.
func (o netOptions) measureLevels(t comm.Transport, of gpuTransport, f *net.Figures, clock func() time.Duration) error {
	f.Groups = of.Groups()
	transports, err := of.LevelTransports()
	if err != nil {
		return err
	}
	for _, name := range transports {
		levels, err := of.OpenLevels(name, net.LevelBytes(t.Size()))
		var agreed *comm.RankError
		if errors.As(err, &agreed) && len(transports) > 1 {
			f.Unmeasured = append(f.Unmeasured, fmt.Sprintf("%s: %v", name, err))
			continue
		}
		if err != nil {
			return err
		}
		all, err := net.MeasureLevels(t, levels, o.plan, clock)
		if err == nil {
			f.Levels = append(f.Levels, all...)
			err = comm.Agree(t, levels.Close())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// write writes the results, and with --check each fault to errOut.
func (o netOptions) write(f *net.Figures, out, errOut io.Writer) error {
	err := cmp.Or(o.format.Write(out, f.WriteText, f.WriteJSON, f.WriteCSV), writeGauges(o.gauges, f.WritePrometheus))
	for _, fault := range f.Faults {
		if o.fail {
			fmt.Fprintf(errOut, "g500: %s\n", fault.Text)
		}
	}
	return err
}

// open returns the transport to measure.
func (o netOptions) open(t comm.Transport, transport comm.HostTransport) (net.Transport, error) {
	if o.engine == settings.GPU {
		return gpuLinks(t, o.cfg.Machine.GPUTransport, o.plan.BufferBytes())
	}
	name := "host memory, " + cmp.Or(transport.Library(), "goroutines of one process")
	return net.OverHostMemory(t, name, o.plan.BufferBytes()), nil
}

// checkMemory prints the memory for messages on rank 0, and refuses messages that exceed a rank's share of the node's
// memory. GPU memory is checked by its allocation. checkMemory is collective.
func (o netOptions) checkMemory(t comm.Transport, errOut io.Writer) error {
	need := 2 * o.plan.BufferBytes() // to send and to receive
	if t.Rank() == 0 {
		fmt.Fprintf(errOut, "memory: %s per rank, ranks: %d (messages)\n", bench.Bytes(need), t.Size())
	}
	if o.engine == settings.GPU {
		return nil
	}
	limit, err := bench.HostBudget(t)
	if err != nil {
		return err
	}
	var short error
	if limit.Bytes > 0 && need > limit.Bytes {
		short = fmt.Errorf("messages of %s need %s on each of %d ranks, and %s has %s for each: let --sizes end at "+
			"%d bytes, or use more nodes", bench.Bytes(int64(o.plan.Sizes[len(o.plan.Sizes)-1])), bench.Bytes(need), t.Size(),
			limit.Holder, bench.Bytes(limit.Bytes), limit.Bytes/2)
	}
	return comm.Agree(t, short)
}
