// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"
	"strconv"
	"strings"
)

// Diagnosis is a cause of a low rate on this node, with the cure.
type Diagnosis struct {
	Cause string // a short name, the same on all nodes
	Text  string
}

// Load is the use of a node by a process.
type Load struct {
	Threads int // worker threads of a rank
	Ranks   int // on the node, of all processes
}

// Diagnose returns the causes of a low rate for a process with this load.
func Diagnose(l Load) []Diagnosis {
	return kernel("/").diagnose(l, cores{bound: BoundCores(), online: OnlineCores()})
}

// cores are the numbers of logical processors to which the process is bound, and of the node.
type cores struct{ bound, online int }

// Causes are the causes that Diagnose can find, in its order, and the cause of FarFromCores.
var Causes = []string{"bound cores", "CPU quota", "memory limit", "swap", GPUCores}

// Causes that Diagnose does not find.
const (
	GPUCores   = "cores of GPUs"
	GPUNetwork = "network of GPUs" // of FarFromNetwork; no fault of a node, which may have few adapters
)

func (k kernel) diagnose(l Load, c cores) (all []Diagnosis) {
	for i, text := range []string{tooFewCores(l, c), k.lowQuota(c), k.lowMemory(), k.swapInUse()} {
		d := Diagnosis{Causes[i], text}
		if d.Text != "" {
			all = append(all, d)
		}
	}
	return all
}

// tooFewCores describes a process that is bound to fewer cores than it has threads, or to one core although the node
// has more cores than ranks, and a node with more threads than cores.
func tooFewCores(l Load, c cores) string {
	const cure = "with mpirun use --bind-to none, with srun --cpus-per-task, in a container more CPUs"
	switch {
	case c.bound < c.online && l.Threads > c.bound:
		return fmt.Sprintf("bound to %d of %d cores, with %d threads per rank: %s", c.bound, c.online, l.Threads, cure)
	case l.Ranks*l.Threads > c.online:
		return fmt.Sprintf("%d threads (%d per rank) share the node's %d cores: fewer ranks, or fewer --threads, are faster",
			l.Ranks*l.Threads, l.Threads, c.online)
	case c.bound == 1 && l.Ranks < c.online:
		return fmt.Sprintf("bound to 1 of %d cores: %s", c.online, cure)
	}
	return ""
}

// lowQuota describes a CPU quota below the cores to which the process is bound.
func (k kernel) lowQuota(c cores) string {
	quota, _ := k.quota()
	if quota == 0 || quota >= float64(c.bound) {
		return ""
	}
	return fmt.Sprintf("the CPU quota of the control group is %.3g of %d cores, and the default of --threads follows it: "+
		"raise it (docker --cpus, Kubernetes limits.cpu)", quota, c.online)
}

// lowMemory describes a memory limit below 7/8 of the node's memory. Slurm reserves less than 1/8 for the system.
func (k kernel) lowMemory() string {
	installed := k.kilobytes("MemTotal")
	limit, _ := k.memory()
	if limit >= installed-installed/8 {
		return ""
	}
	return fmt.Sprintf("the memory limit of the control group is %s of %s: larger graphs need a higher one "+
		"(docker --memory, sbatch --mem)", gib(limit), gib(installed))
}

// swapInUse describes swap space in use above 1% of the node's memory. Below, it may be unused pages.
func (k kernel) swapInUse() string {
	used := k.kilobytes("SwapTotal") - k.kilobytes("SwapFree")
	if used <= k.kilobytes("MemTotal")/100 {
		return ""
	}
	return fmt.Sprintf("%s of the node's memory is in swap space: other programs take memory from the run; "+
		"end them, or choose a smaller scale", gib(used))
}

// gib formats a number of bytes in GiB.
func gib(bytes int64) string {
	return strings.TrimSuffix(strconv.FormatFloat(float64(bytes)/(1<<30), 'f', 1, 64), ".0") + " GiB"
}
