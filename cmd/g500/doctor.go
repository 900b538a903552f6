package main

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"g500/bench"
	"g500/comm"
	"g500/internal/machine"
)

// gpuMemoryFlag is for the program without GPUs, which asks the other one.
const gpuMemoryFlag = "gpu-memory"

func doctorCommand() *cobra.Command {
	var onlyGPUs, onlyGPUMemory, onlyPreset bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine offers, the largest graph that fits, and a preset for it",
		Long: "Say what this machine offers, the largest graph that fits, and a preset for it. Started by mpirun or srun,\n" +
			"one rank of each host speaks, and the graph is the largest for the ranks that there are.",
		Args: noArguments,
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
				return examineHosts(out)
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

// examineHosts has one rank of each host tell of it.
func examineHosts(out io.Writer) error {
	launch, _, err := launcher(bench.DefaultConfig().Machine)
	if err != nil {
		return misuseError{err}
	}
	return launch(func(t comm.Transport) error { return examine(t, out) })
}

// examine prints a line for each thing that a run on these ranks depends on, in one piece for each host.
func examine(t comm.Transport, out io.Writer) error {
	room, err := bench.HostRoom(t)
	place, onHost := t.Node()
	if err != nil || place > 0 {
		return err
	}
	var text bytes.Buffer
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&text, "%-14s "+format+"\n", append([]any{name + ":"}, args...)...)
	}
	line("program", "%s", programVersion())
	line("built with", "%s; engines %s; %s", builtWith(), engineNames(), gpuBuild())
	line("host", "%s, %s, %s", machine.Host(), machine.System(), machine.CPU())
	line("cores", "%s", cores())
	line("memory", "%s", memory(room, onHost))
	line("MPI", "%s", mpi())
	for _, fact := range gpus() {
		line("GPUs", "%s", fact)
	}
	line("largest graph", "%s", largestGraph(room, t.Size()))
	preset := propose(thisMachine())
	line("preset", "%s: %s", preset.Name, preset.What)
	line("its price", "%s", preset.Price)
	line("run it with", "%s", preset.command())
	_, err = out.Write(text.Bytes())
	return err
}

// memory tells of the host's memory, and of what limits a rank's part of it.
func memory(room bench.Room, ranks int) string {
	total, available := machine.Memory()
	text := fmt.Sprintf("%s, of which %s can be taken now", bench.Bytes(total), bench.Bytes(available))
	if limit, left := machine.AddressSpace(); limit > 0 {
		text += fmt.Sprintf("; ulimit -v %d leaves a process %s", limit>>10, bench.Bytes(left))
	}
	if ranks > 1 {
		text += fmt.Sprintf("; %s for each of %d ranks", bench.Bytes(room.Bytes), ranks)
	}
	return text
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

// largestGraph is the largest validated run without GPUs on that many ranks, each with that room.
func largestGraph(room bench.Room, ranks int) string {
	kit := hybridKit(machine.Cores())
	p := bench.DefaultConfig().Params()
	p.Scale = bench.LargestScale(kit, p, ranks, true, room.Bytes)
	on := ""
	if ranks > 1 {
		on = fmt.Sprintf(" on %d ranks", ranks)
	}
	if p.Scale == 0 {
		return fmt.Sprintf("none%s: %s has too little memory", on, room.Holder)
	}
	each := bench.Bytes(kit.Memory(p, ranks, true).Total())
	if ranks > 1 {
		each += " each"
	}
	return fmt.Sprintf("scale %d%s (%s with validation, engine %s)", p.Scale, on, each, kit.Name)
}
