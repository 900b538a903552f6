package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"g500/bench"
	"g500/internal/machine"
	"g500/report"
)

// gpuMemoryFlag is for the program without GPUs, which asks the other one.
const gpuMemoryFlag = "gpu-memory"

func doctorCommand() *cobra.Command {
	var onlyGPUs, onlyGPUMemory, onlyPreset, asJSON bool
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
			case asJSON:
				enc := json.NewEncoder(out)
				enc.SetEscapeHTML(false)
				enc.SetIndent("", "  ")
				return enc.Encode(examine())
			default:
				examine().print(out)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document, with the environment in the form of run.json")
	c.Flags().BoolVar(&onlyGPUs, "gpus", false, "tell of the GPUs only")
	c.Flags().BoolVar(&onlyPreset, "preset", false, "tell the name of the preset only, for run --config")
	c.Flags().BoolVar(&onlyGPUMemory, gpuMemoryFlag, false, "")
	_ = c.Flags().MarkHidden(gpuMemoryFlag)
	return c
}

// findings are what a run depends on.
type findings struct {
	Format      int                `json:"format"` // counts the changes that an older reader would misread
	Environment report.Environment `json:"environment"`
	Built       string             `json:"built_with"`
	CoresText   string             `json:"cores"` // with what to do where a launcher has bound this process
	Available   int64              `json:"available_bytes"`
	Mpirun      string             `json:"mpirun"`
	GPUs        []string           `json:"gpus"`
	Largest     largest            `json:"largest_graph"`
	Preset      proposal           `json:"preset"`
}

// largest is the largest validated run on one rank without a GPU.
type largest struct {
	Scale  int    `json:"scale"`
	Bytes  int64  `json:"bytes"`
	Engine string `json:"engine"`
}

// proposal is a preset for this machine.
type proposal struct {
	Name    string `json:"name"`
	What    string `json:"what"`
	Price   string `json:"price"`
	Command string `json:"command"`
}

// examine looks at everything that a run depends on.
func examine() findings {
	_, available := machine.Memory()
	preset := propose(thisMachine())
	_, transport, err := launcher(bench.DefaultConfig().Machine)
	if err != nil {
		transport = "" // the line on MPI tells
	}
	f := findings{
		Format:      1,
		Environment: environment(transport, bench.Kit{Name: preset.cfg.Search.Engine}, machine.Cores()),
		Built:       fmt.Sprintf("%s; engines %s; %s", builtWith(), engineNames(), gpuBuild()),
		CoresText:   cores(),
		Available:   available,
		Mpirun:      mpi(),
		GPUs:        gpus(),
		Largest:     largestGraph(available),
		Preset:      proposal{preset.Name, preset.What, preset.Price, preset.command()},
	}
	f.Environment.Hosts = []string{machine.Host()}
	f.Environment.Machines = []report.Kind{{
		Hosts: f.Environment.Hosts, Machine: report.Machine(machine.Describe()),
	}}
	return f
}

// print prints a line for each thing.
func (f findings) print(w io.Writer) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-14s "+format+"\n", append([]any{name + ":"}, args...)...)
	}
	e := f.Environment
	line("program", "%s", e.Program)
	line("built with", "%s", f.Built)
	line("host", "%s, %s, %s", e.Hosts[0], e.System, e.CPU)
	line("cores", "%s", f.CoresText)
	line("memory", "%s, of which %s can be taken now", bench.Bytes(e.MemoryB), bench.Bytes(f.Available))
	line("MPI", "%s", f.Mpirun)
	for _, fact := range f.GPUs {
		line("GPUs", "%s", fact)
	}
	line("largest graph", "scale %d (%s with validation, engine %s)",
		f.Largest.Scale, bench.Bytes(f.Largest.Bytes), f.Largest.Engine)
	line("preset", "%s: %s", f.Preset.Name, f.Preset.What)
	line("its price", "%s", f.Preset.Price)
	line("run it with", "%s", f.Preset.Command)
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

// largestGraph finds the largest graph that fits.
func largestGraph(available int64) largest {
	kit := hybridKit(machine.Cores())
	p := bench.DefaultConfig().Params()
	p.Scale = bench.LargestScale(kit, p, 1, true, available)
	return largest{p.Scale, kit.Memory(p, 1, true).Total(), kit.Name}
}
