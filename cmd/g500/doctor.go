// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	_ "embed" // texts
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"g500/bench"
	"g500/cmd/cli"
	"g500/comm"
	"g500/internal/lists"
	"g500/internal/machine"
	"g500/internal/output"
	"g500/record"
	"g500/settings"
)

// gpuFactsFlag is hidden: the program without GPUs starts the GPU program with it.
const gpuFactsFlag = "gpu-facts"

// gpuFacts are the GPUs of this node.
type gpuFacts struct {
	Lines    []string // for people
	Memories []int64  // of each, in bytes
	Apart    []string // pairs that do not reach each other's memory, as 0-1
	Unknown  string   // why the pairs are unknown, "" if they are known
}

// doctorOptions are the flags of "g500 doctor".
type doctorOptions struct {
	gpus, gpuFacts, preset, json bool // print only this

	check  bool // a failed check ends the command with failure
	limits nodeLimits
	gauges string // file for Prometheus
}

func doctorCommand() *cobra.Command {
	var opt doctorOptions
	c := &cobra.Command{
		Use:  "doctor",
		Args: cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			err := checkGauges(opt.gauges)
			if !opt.check {
				err = cmp.Or(cli.RefuseIdle(c.Flags(), "without --check", limitFlags...), err)
			}
			if err != nil {
				return cli.Misuse(err)
			}
			out := c.OutOrStdout()
			switch {
			case opt.gpus:
				fmt.Fprintln(out, strings.Join(gpus().Lines, "\n"))
			case opt.gpuFacts:
				return output.JSON(out, gpus())
			case opt.preset:
				fmt.Fprintln(out, propose(thisHardware()).Name)
			default:
				return opt.examineNodes(out, c.ErrOrStderr())
			}
			return nil
		},
	}
	f := c.Flags()
	f.BoolVar(&opt.json, "json", false, "print one JSON document; its environment is as in run.json")
	f.BoolVar(&opt.gpus, "gpus", false, "print the GPUs only")
	f.BoolVar(&opt.preset, "preset", false, "print the name of the preset only, for run --config")
	f.BoolVar(&opt.check, "check", false, "exit with 1 if a check fails, and print the failed ones to standard error")
	opt.limits.addTo(f)
	prometheusFlag(f, &opt.gauges)
	f.BoolVar(&opt.gpuFacts, gpuFactsFlag, false, "")
	_ = f.MarkHidden(gpuFactsFlag)
	for _, only := range []string{"gpus", "preset"} {
		for _, other := range []string{"json", "check", "prometheus"} {
			c.MarkFlagsMutuallyExclusive(other, only)
		}
	}
	c.MarkFlagsMutuallyExclusive("gpus", "preset")
	return c
}

// examineNodes examines one rank of each node, prints the findings and, for Prometheus, writes them.
func (o doctorOptions) examineNodes(out, errOut io.Writer) error {
	var failed atomic.Bool
	var noGPU error // the reason why this process cannot use a GPU, if there are several
	if l := comm.Launched(); l.Tasks > 1 || l.AtLeast {
		noGPU = toGPUProgram(settings.Default())
	}
	launch, transport, err := launcher(settings.Default().Machine, declare("doctor"))
	if err != nil {
		return cli.Misuse(err)
	}
	report := func(f findings) error {
		if !f.Healthy && o.check {
			failed.Store(true)
			for _, c := range f.Checks {
				if !c.OK {
					fmt.Fprintf(errOut, "g500: node %s: %s\n", f.Environment.Nodes[0], c.Text)
				}
			}
		}
		if err := writeGauges(o.gauges, f.writePrometheus); err != nil || o.json {
			return cmp.Or(err, output.Document(out, doctorFormat, f))
		}
		return output.FillIn(out, doctorText, nil, f) // in one write, so that nodes do not mix
	}
	err = launch(func(t comm.Transport) error { return examineNode(t, transport, o.limits, noGPU, report) })
	if err == nil && failed.Load() {
		return cli.ErrInvalid
	}
	return err
}

// doctorFormat counts incompatible changes of the JSON.
const doctorFormat = 1

// findings describe one node for "g500 doctor".
type findings struct {
	Environment record.Environment `json:"environment"`
	Built       string             `json:"built_with"`
	CoresText   string             `json:"cores"`
	Warnings    []string           `json:"warnings,omitempty"` // causes of a poor rate
	Checks      []nodeCheck        `json:"checks"`             // of these causes, and of the limits that flags set
	Healthy     bool               `json:"healthy"`            // all checks passed
	Memory      string             `json:"memory"`
	Available   int64              `json:"available_bytes"` // for each rank
	Mpirun      string             `json:"mpirun"`
	GPUs        []string           `json:"gpus"`
	Transport   string             `json:"gpu_transport,omitempty"` // of a run on these ranks; absent for one rank
	Largest     largest            `json:"largest_graph"`
	Preset      preset             `json:"preset"` // for this machine

	hardware hardware
}

// largest is the largest validated run without GPUs on that many ranks; scale 0 if none fits.
type largest struct {
	Scale  int    `json:"scale"`
	Ranks  int    `json:"ranks"`
	Bytes  int64  `json:"bytes"` // of each rank
	Engine string `json:"engine"`
	Holder string `json:"memory_of"`
}

// examineNode calls report with the findings if this is the first rank of its node.
func examineNode(t comm.Transport, transport comm.HostTransport, limits nodeLimits, noGPU error,
	report func(findings) error) error {
	limit, err := bench.HostBudget(t)
	if err != nil {
		return err
	}
	threads, err := bench.HostCores(t)
	if err != nil {
		return err
	}
	paths, far, err := examineGPUs(t, noGPU)
	place, onNode := comm.Place(t)
	if err != nil || place > 0 {
		return err
	}
	h := thisHardware()
	preset, causes := propose(h), append(diagnose(t, threads), far...)
	f := findings{
		Environment: environment(transport, bench.Backend{Name: preset.cfg.Search.Engine}, machine.Cores()),
		Built:       fmt.Sprintf("%s; engines %s; %s", builtWith(), engineNames(), gpuBuild()),
		CoresText:   cores(),
		Warnings:    lists.Of(causes, func(d machine.Diagnosis) string { return d.Text }),
		Checks:      append(causeChecks(causes), limits.checks(h)...),
		Memory:      memory(limit, onNode),
		Available:   limit.Bytes,
		Mpirun:      mpi() + deviceMemory(transport),
		GPUs:        h.Lines,
		Transport:   paths,
		Largest:     largestGraph(limit, t.Size()),
		Preset:      preset,
		hardware:    h,
	}
	f.Environment.Nodes = []string{machine.Node()}
	f.Environment.Machines = []record.Kind{{Nodes: f.Environment.Nodes, Facts: machine.Here.Describe()}}
	f.Healthy = !slices.ContainsFunc(f.Checks, func(c nodeCheck) bool { return !c.OK })
	return report(f)
}

//go:embed doctor.gotmpl
var doctorText string

// OfLimits returns the checks of the limits that flags set, for the text.
func (f findings) OfLimits() []nodeCheck { return f.Checks[min(len(machine.Causes), len(f.Checks)):] }

// memory describes the node's memory and the limits of a rank's share.
func memory(limit bench.Budget, ranks int) string {
	total, available := machine.Here.Memory()
	text := fmt.Sprintf("%s, of which %s are available", bench.Bytes(total), bench.Bytes(available))
	if space, left := machine.AddressSpace(); space > 0 {
		text += fmt.Sprintf("; ulimit -v %d leaves a process %s", space>>10, bench.Bytes(left))
	}
	if ranks > 1 {
		text += fmt.Sprintf("; %s for each of %d ranks", bench.Bytes(limit.Bytes), ranks)
	}
	return text
}

// cores describes the cores that this process can use.
func cores() string {
	bound, online := machine.BoundCores(), machine.OnlineCores()
	text := fmt.Sprint(online)
	if bound < online {
		text = fmt.Sprintf("%d of %d, to which the launcher or the container bound this process", bound, online)
	}
	if quota, _ := machine.Here.Quota(); quota > 0 {
		text += fmt.Sprintf("; CPU quota: %.3g", quota)
	}
	if n := machine.GoMaxProcs(); n > 0 {
		text += fmt.Sprintf("; threads by GOMAXPROCS: %d", n)
	}
	return text
}

// mpi names the MPI launcher, with a note if this program was built with another library.
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

// deviceMemory describes whether the MPI library is CUDA-aware, and its thread level. It needs an initialised library.
func deviceMemory(transport comm.HostTransport) string {
	switch {
	case comm.MPIVersion() == "":
		return ""
	case transport.Library() == "":
		return "; mpirun -n 1 g500 doctor prints whether its library is CUDA-aware"
	case comm.CUDAAware():
		return "; its library is CUDA-aware: it sends from GPU memory; thread level " + comm.ThreadLevel()
	}
	return "; its library is not CUDA-aware: its messages between GPUs go through host memory; thread level " +
		comm.ThreadLevel()
}

// launcherVersion returns the name and version in the output of "mpirun --version": the first line, except for Hydra.
func launcherVersion(text string) string {
	first, rest, _ := strings.Cut(text, "\n")
	if !strings.HasPrefix(first, "HYDRA") {
		return first
	}
	_, version, _ := strings.Cut(rest, "Version:")
	version, _, _ = strings.Cut(version, "\n")
	return "Hydra " + strings.TrimSpace(version)
}

// largestGraph returns the largest validated run without GPUs on that many ranks, each with that memory limit.
func largestGraph(limit bench.Budget, ranks int) largest {
	backend := cpuBackend(machine.Cores())
	w := bench.WorkOf(settings.Default(), ranks)
	w.Scale = bench.LargestScale(backend, w, bench.Budgets{Backend: limit.Bytes})
	l := largest{Scale: w.Scale, Ranks: ranks, Engine: backend.Name, Holder: limit.Holder}
	if w.Scale > 0 {
		l.Bytes = bench.HostMemory(w).Total()
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
