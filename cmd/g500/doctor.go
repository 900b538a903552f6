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
	"g500/internal/output"
	"g500/record"
)

// gpuMemoryFlag is for the program without GPUs, which asks the other one.
const gpuMemoryFlag = "gpu-memory"

func doctorCommand() *cobra.Command {
	var onlyGPUs, onlyGPUMemory, onlyPreset, asJSON bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine offers, the largest graph that fits, and a preset for it",
		Long: "Say what this machine offers, the largest graph that fits, and a preset for it. Started by mpirun or srun,\n" +
			"one rank of each host speaks, and the graph is the largest for the ranks that there are.",
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := refuseTogether(c.Flags(), "json", "gpus", "preset"); err != nil {
				return err
			}
			out := c.OutOrStdout()
			switch {
			case onlyGPUs:
				fmt.Fprintln(out, strings.Join(gpus(), "\n"))
			case onlyGPUMemory:
				fmt.Fprintln(out, strings.Trim(fmt.Sprint(gpuMemories()), "[]"))
			case onlyPreset:
				fmt.Fprintln(out, propose(thisMachine()).Name)
			case asJSON:
				return examineHosts(func(f findings) error { return output.JSON(out, f) })
			default:
				return examineHosts(func(f findings) error { f.print(out); return nil })
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document; its environment is as in run.json")
	c.Flags().BoolVar(&onlyGPUs, "gpus", false, "print the GPUs only")
	c.Flags().BoolVar(&onlyPreset, "preset", false, "print the name of the preset only, for run --config")
	c.Flags().BoolVar(&onlyGPUMemory, gpuMemoryFlag, false, "")
	_ = c.Flags().MarkHidden(gpuMemoryFlag)
	return c
}

// findings are what a run depends on, of one host.
type findings struct {
	Format      int                `json:"format"` // counts the changes that an older reader would misread
	Environment record.Environment `json:"environment"`
	Built       string             `json:"built_with"`
	CoresText   string             `json:"cores"`
	Warnings    []string           `json:"warnings,omitempty"` // causes of a poor rate
	Memory      string             `json:"memory"`
	Available   int64              `json:"available_bytes"` // for each rank
	Mpirun      string             `json:"mpirun"`
	GPUs        []string           `json:"gpus"`
	Largest     largest            `json:"largest_graph"`
	Preset      proposal           `json:"preset"`
}

// largest is the largest validated run without GPUs on that many ranks; scale 0 where none fits.
type largest struct {
	Scale  int    `json:"scale"`
	Ranks  int    `json:"ranks"`
	Bytes  int64  `json:"bytes"` // of each rank
	Engine string `json:"engine"`
	Holder string `json:"memory_of"`
}

// proposal is a preset for this machine.
type proposal struct {
	Name    string `json:"name"`
	What    string `json:"what"`
	Price   string `json:"price"`
	Command string `json:"command"`
}

// examineHosts has one rank of each host tell of it.
func examineHosts(tell func(findings) error) error {
	launch, transport, err := launcher(record.DefaultConfig().Machine, declare("doctor"))
	if err != nil {
		return misuseError{err}
	}
	return launch(func(t comm.Transport) error { return examineHost(t, transport, tell) })
}

// examineHost tells of the host if this is the first rank there.
func examineHost(t comm.Transport, transport string, tell func(findings) error) error {
	room, err := bench.HostRoom(t)
	if err != nil {
		return err
	}
	threads, err := bench.HostCores(t)
	place, onHost := comm.Place(t)
	if err != nil || place > 0 {
		return err
	}
	f := examine(transport)
	f.Memory = memory(room, onHost)
	f.Available = room.Bytes
	f.Largest = largestGraph(room, t.Size())
	for _, d := range diagnose(t, threads) {
		f.Warnings = append(f.Warnings, d.Text)
	}
	return tell(f)
}

// examine looks at everything on this host that does not depend on the ranks.
func examine(transport string) findings {
	preset := propose(thisMachine())
	f := findings{
		Format:      1,
		Environment: environment(transport, bench.Backend{Name: preset.cfg.Search.Engine}, machine.Cores()),
		Built:       fmt.Sprintf("%s; engines %s; %s", builtWith(), engineNames(), gpuBuild()),
		CoresText:   cores(),
		Mpirun:      mpi() + deviceMemory(transport),
		GPUs:        gpus(),
		Preset:      proposal{preset.Name, preset.What, preset.Price, preset.command()},
	}
	f.Environment.Nodes = []string{machine.Host()}
	f.Environment.Machines = []record.Kind{{
		Nodes: f.Environment.Nodes, Machine: record.Machine(machine.Describe()),
	}}
	return f
}

// print prints a line for each thing, in one piece for each host.
func (f findings) print(w io.Writer) {
	var text bytes.Buffer
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&text, "%-14s "+format+"\n", append([]any{name + ":"}, args...)...)
	}
	e := f.Environment
	line("program", "%s", e.Program)
	line("built with", "%s", f.Built)
	line("host", "%s, %s, %s", e.Nodes[0], e.System, e.CPU)
	line("cores", "%s", f.CoresText)
	line("memory", "%s", f.Memory)
	for _, warning := range f.Warnings {
		line("warning", "%s", warning)
	}
	line("MPI", "%s", f.Mpirun)
	for _, fact := range f.GPUs {
		line("GPUs", "%s", fact)
	}
	line("largest graph", "%s", f.Largest)
	line("preset", "%s: %s", f.Preset.Name, f.Preset.What)
	line("its price", "%s", f.Preset.Price)
	line("run it with", "%s", f.Preset.Command)
	_, _ = w.Write(text.Bytes())
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

// cores are those that this process can use, and of how many.
func cores() string {
	bound, online := machine.BoundCores(), machine.OnlineCores()
	text := fmt.Sprint(online)
	if bound < online {
		text = fmt.Sprintf("%d of %d, to which the launcher or the container bound this process", bound, online)
	}
	if quota, _ := machine.Quota(); quota > 0 {
		text += fmt.Sprintf("; CPU quota: %.3g", quota)
	}
	return text
}

// mpi names the launcher, and says so if it is not of the library that this program was built with.
func mpi() string {
	library, launcher := comm.MPIVersion(), "mpirun"
	ofOpenMPI := library == "" || strings.HasPrefix(library, "Open MPI")
	if _, err := exec.LookPath("mpiexec.hydra"); err == nil && !ofOpenMPI {
		launcher = "mpiexec.hydra"
	}
	path, err := exec.LookPath(launcher)
	if err != nil {
		return "mpirun is not on the PATH; Open MPI is in openmpi-bin and libopenmpi-dev"
	}
	text, err := exec.Command(path, "--version").Output()
	if err != nil {
		return fmt.Sprintf("%s does not answer: %v", path, err)
	}
	name := launcherVersion(string(text))
	if library != "" && ofOpenMPI != strings.Contains(name, "Open MPI") {
		name += fmt.Sprintf(", which does not start this program's ranks: it was built with %s", library)
	}
	return path + ", " + name
}

// deviceMemory says whether the MPI library takes messages that lie in the memory of GPUs, which only a library that
// runs says of itself.
func deviceMemory(transport string) string {
	switch {
	case !comm.HasMPI():
		return ""
	case transport != "mpi":
		return "; whether its library is CUDA-aware, mpirun -n 1 g500 doctor says"
	case comm.CUDAAware():
		return "; its library is CUDA-aware: it takes messages in the memory of GPUs"
	}
	return "; its library is not CUDA-aware: messages between GPUs go through host memory"
}

// launcherVersion is the name in what a launcher says of its version: the first line, but Hydra's number is in another.
func launcherVersion(said string) string {
	first, rest, _ := strings.Cut(said, "\n")
	if !strings.HasPrefix(first, "HYDRA") {
		return first
	}
	_, version, _ := strings.Cut(rest, "Version:")
	version, _, _ = strings.Cut(version, "\n")
	return "Hydra " + strings.TrimSpace(version)
}

// largestGraph is the largest validated run without GPUs on that many ranks, each with that room.
func largestGraph(room bench.Room, ranks int) largest {
	backend := hybridBackend(machine.Cores())
	p := record.DefaultConfig().Params()
	p.Scale = bench.LargestScale(backend, p, ranks, true, bench.Rooms{Backend: room.Bytes})
	l := largest{Scale: p.Scale, Ranks: ranks, Engine: backend.Name, Holder: room.Holder}
	if p.Scale > 0 {
		l.Bytes = bench.NewPlan(p, ranks, true).Total()
	}
	return l
}

func (l largest) String() string {
	on, each := "", ""
	if l.Ranks > 1 {
		on, each = fmt.Sprintf(" on %d ranks", l.Ranks), " each"
	}
	if l.Scale == 0 {
		return fmt.Sprintf("none%s: %s has too little memory", on, l.Holder)
	}
	return fmt.Sprintf("scale %d%s (%s%s with validation, engine %s)", l.Scale, on, bench.Bytes(l.Bytes), each, l.Engine)
}
