// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"g500/bench"
	"g500/cmd/cli"
	"g500/gpu"
	"g500/internal/machine"
	"g500/record"
	"g500/settings"
)

// planOptions are the flags of a plan. The memory is of each rank, in GiB; 0 for the memory of this node.
type planOptions struct {
	on        bool
	gpu, host int64
}

func planFlags(f *pflag.FlagSet, p *planOptions) {
	f.BoolVar(&p.on, "plan", false, "print the memory of each rank by part, and exit with 1 if it does not fit")
	f.Int64Var(&p.gpu, "gpu-memory-gib", 0, "with --plan: memory of each GPU, in GiB; 0 for this node's first GPU")
	f.Int64Var(&p.host, "host-memory-gib", 0, "with --plan: node's memory for each rank, in GiB; 0 for all of this node's")
}

// print prints the plan of a run on any machine, without starting ranks. The error is that it does not fit.
func (p planOptions) print(out io.Writer, j *job) error {
	err := p.write(out, j)
	if errors.Is(err, bench.ErrBeyond) || errors.Is(err, bench.ErrRefused) {
		return cli.Misuse(err)
	}
	return err
}

func (p planOptions) write(out io.Writer, j *job) error {
	c := j.cfg
	if c.Graph.Spec != "" || c.Graph.Edges != "" {
		return cli.Misuse(errors.New("--plan is for the official graph: leave --graph and --edges out"))
	}
	host := bench.Budget{Bytes: p.host << 30, Holder: "each node (--host-memory-gib)"}
	if p.host == 0 {
		host = bench.Budget{Bytes: machine.ProcessMemory(), Holder: machine.Node()}
	}
	card := bench.Budget{Bytes: p.gpu << 30, Holder: "each GPU (--gpu-memory-gib)"}
	if sizes := gpus().Memories; p.gpu == 0 && len(sizes) > 0 {
		card = bench.Budget{Bytes: sizes[0], Holder: "a GPU of " + machine.Node()}
	}
	name := c.Search.Engine
	if name == "auto" && card.Bytes > 0 || name == settings.GPU {
		if card.Bytes == 0 {
			return cli.Misuse(errors.New("this node has no GPU: give the memory of a GPU, as --gpu-memory-gib 130"))
		}
		peers := c.Machine.Ranks == 1 || c.Machine.GPUTransport == "peer" // auto may have ranks of several nodes
		return gpu.Planner(c, peers).WritePlan(out, c, card, host)
	}
	if name == "auto" {
		name = settings.CPU
	}
	if p.gpu > 0 {
		return cli.Misuse(fmt.Errorf("--gpu-memory-gib has no effect on engine %s: leave it out", name))
	}
	if _, err := j.lacking(name); err != nil {
		return err
	}
	return writeHostPlan(out, c, name, host)
}

// writeHostPlan writes the plan of a run on CPUs by an engine.
func writeHostPlan(out io.Writer, c record.Config, engine string, host bench.Budget) error {
	backend, err := engineNamed(engine).backend(nil, c, 1)
	if err != nil {
		return err
	}
	return backend.WritePlan(out, c, host, host)
}

// beyondMemory returns the reason why ranks on this node cannot run c on its CPUs, "" if they can or compute on GPUs.
func beyondMemory(c record.Config) string {
	engine := c.Search.Engine
	if engine == "auto" && len(gpus().Memories) == 0 {
		engine = settings.CPU
	}
	if engine == settings.GPU || engine == "auto" || c.Graph.Spec != "" {
		return ""
	}
	host := bench.Budget{Bytes: machine.ProcessMemory() / int64(max(c.Machine.Ranks, 1)), Holder: machine.Node()}
	if err := writeHostPlan(io.Discard, c, engine, host); err != nil {
		return err.Error()
	}
	return ""
}
