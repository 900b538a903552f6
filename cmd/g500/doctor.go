package main

import (
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"g500/bench"
	"g500/internal/machine"
)

// gpuMemoryFlag is for the program without GPUs, which asks the other one.
const gpuMemoryFlag = "gpu-memory"

func doctorCommand() *cobra.Command {
	var onlyGPUs, onlyGPUMemory, onlyPreset bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine offers, the largest graph that fits, and a preset for it",
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			out := c.OutOrStdout()
			switch {
			case onlyGPUs:
				fmt.Fprintln(out, strings.Join(gpus(), "\n"))
			case onlyGPUMemory:
				fmt.Fprintln(out, strings.Trim(fmt.Sprint(gpuMemories()), "[]"))
			case onlyPreset:
				fmt.Fprintln(out, propose(thisMachine()).Name)
			default:
				examine(out)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&onlyGPUs, "gpus", false, "tell of the GPUs only")
	c.Flags().BoolVar(&onlyPreset, "preset", false, "tell the name of the preset only, for run --config")
	c.Flags().BoolVar(&onlyGPUMemory, gpuMemoryFlag, false, "")
	_ = c.Flags().MarkHidden(gpuMemoryFlag)
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
	preset := propose(thisMachine())
	line("preset", "%s: %s", preset.Name, preset.What)
	line("its price", "%s", preset.Price)
	line("run it with", "%s", preset.command())
}

func cores() string {
	usable, online := machine.Cores(), machine.OnlineCores()
	if usable < online {
		return fmt.Sprintf("%d of %d: the launcher bound this process to some; with mpirun use --bind-to none",
			usable, online)
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
	return path + ", " + name
}

// largestGraph is the largest validated run on one rank without a GPU.
func largestGraph(available int64) string {
	cfg := bench.DefaultConfig()
	kit := hybridKit(machine.Cores())
	scale := bench.LargestScale(kit, cfg.Params(), 1, true, available)
	p := cfg.Params()
	p.Scale = scale
	return fmt.Sprintf("scale %d (%s with validation, engine %s)",
		scale, bench.Bytes(kit.Memory(p, 1, true).Total()), kit.Name)
}
