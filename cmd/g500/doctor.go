package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"g500/bench"
	"g500/internal/machine"
)

func doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine offers and the largest graph that fits",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			examine(c.OutOrStdout())
			return nil
		},
	}
}

// examine prints a line for each thing that a run depends on.
func examine(w io.Writer) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-14s "+format+"\n", append([]any{name + ":"}, args...)...)
	}
	total, available := machine.Memory()
	line("program", "%s", programVersion())
	line("built with", "%s; engines %s", builtWith(), engineNames())
	line("host", "%s, %s, %s", machine.Host(), machine.System(), machine.CPU())
	line("cores", "%s", cores())
	line("memory", "%s, of which %s can be taken now", bench.Bytes(total), bench.Bytes(available))
	line("MPI", "%s", mpi())
	line("GPUs", "%s", gpus())
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
	return path + ", " + name
}

// gpus asks the driver's own files: they are there whether or not this program was built for GPUs.
func gpus() string {
	cards, _ := filepath.Glob("/proc/driver/nvidia/gpus/*")
	if len(cards) == 0 {
		return "no NVIDIA driver is loaded"
	}
	text, _ := os.ReadFile("/proc/driver/nvidia/version")
	driver, _, _ := strings.Cut(string(text), "\n")
	return fmt.Sprintf("%d, %s", len(cards), strings.TrimSpace(driver))
}

// largestGraph is the largest validated run on one rank.
func largestGraph(available int64) string {
	cfg := bench.DefaultConfig()
	kit, err := kitFor("auto", machine.Cores())
	if err != nil {
		return err.Error()
	}
	scale := bench.LargestScale(kit, cfg.Params(), 1, true, available)
	p := cfg.Params()
	p.Scale = scale
	return fmt.Sprintf("scale %d (%s with validation, engine %s)", scale, bench.Bytes(kit.Memory(p, 1, true).Total()), kit.Name)
}
