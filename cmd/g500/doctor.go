package main

import (
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"g500/bench"
	"g500/bfs"
	"g500/internal/machine"
)

func doctorCommand() *cobra.Command {
	onlyGPUs := false
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine offers and the largest graph that fits",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if onlyGPUs {
				_, err := fmt.Fprintln(c.OutOrStdout(), strings.Join(gpus(), "\n"))
				return err
			}
			examine(c.OutOrStdout())
			return nil
		},
	}
	c.Flags().BoolVar(&onlyGPUs, "gpus", false, "tell of the GPUs only")
	return c
}

// examine prints a line for each thing that a run depends on.
func examine(w io.Writer) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-14s "+format+"\n", append([]any{name + ":"}, args...)...)
	}
	total, available := machine.Memory()
	line("program", "%s", programVersion())
	line("built with", "%s; engines %s; %s", builtWith(), engineNames(), gpuBuild())
	line("host", "%s, %s, %s", machine.Host(), machine.System(), machine.CPU())
	line("cores", "%s", cores())
	line("memory", "%s, of which %s can be taken now", bench.Bytes(total), bench.Bytes(available))
	line("MPI", "%s", mpi())
	for _, fact := range gpus() {
		line("GPUs", "%s", fact)
	}
	line("largest graph", "%s", largestGraph(available))
}

func cores() string {
	usable, online := machine.Cores(), machine.OnlineCores()
	if usable < online {
		return fmt.Sprintf("%d of %d: the launcher bound this process to some; with mpirun use --bind-to none", usable, online)
	}
	return fmt.Sprint(usable)
}

func mpi() string {
	path, err := exec.LookPath("mpirun")
	if err != nil {
		return "mpirun is not on the PATH; Open MPI is in openmpi-bin and libopenmpi-dev"
	}
	text, err := exec.Command(path, "--version").Output()
	if err != nil {
		return fmt.Sprintf("%s does not answer: %v", path, err)
	}
	name, _, _ := strings.Cut(string(text), "\n")
	facts := []string{path, name}
	return strings.Join(facts, ", ")
}

// largestGraph is the largest validated run on one rank without a GPU.
func largestGraph(available int64) string {
	cfg := bench.DefaultConfig()
	kit := bench.CPU("hybrid", bfs.NewHybrid(machine.Cores()), machine.Cores())
	scale := bench.LargestScale(kit, cfg.Params(), 1, true, available)
	p := cfg.Params()
	p.Scale = scale
	return fmt.Sprintf("scale %d (%s with validation, engine %s)", scale, bench.Bytes(kit.Memory(p, 1, true).Total()), kit.Name)
}
