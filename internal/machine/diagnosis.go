// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"g500/internal/lists"
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
	return Here.diagnose(l, cores{bound: BoundCores(), online: OnlineCores()})
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

func (k Root) diagnose(l Load, c cores) (all []Diagnosis) {
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
func (k Root) lowQuota(c cores) string {
	quota, _ := k.Quota()
	if quota == 0 || quota >= float64(c.bound) {
		return ""
	}
	return fmt.Sprintf("the CPU quota of the control group is %.3g of %d cores, and the default of --threads follows it: "+
		"raise it (docker --cpus, Kubernetes limits.cpu)", quota, c.online)
}

// lowMemory describes a memory limit below 7/8 of the node's memory. Slurm reserves less than 1/8 for the system.
func (k Root) lowMemory() string {
	installed := k.kilobytes("MemTotal")
	limit, _ := k.Memory()
	if limit >= installed-installed/8 {
		return ""
	}
	return fmt.Sprintf("the memory limit of the control group is %s of %s: larger graphs need a higher one "+
		"(docker --memory, sbatch --mem)", gib(limit), gib(installed))
}

// swapInUse describes swap space in use above 1% of the node's memory. Below, it may be unused pages.
func (k Root) swapInUse() string {
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

// FarFromNetwork describes GPUs of this node without an active network adapter on their socket, "" if there are none or
// sockets are unknown.
func (k Root) FarFromNetwork() string {
	var gpus, sockets, near []string // GPUs without an adapter, their sockets, and the numbers of the other GPUs
	adapters, at := k.adapters()
	for i, gpu := range k.list("proc/driver/nvidia/gpus") {
		on := k.socketsOf(k.text("sys/bus/pci/devices", gpu, "local_cpulist"))
		if len(on) == 0 || len(adapters) == 0 || shares(on, at) {
			near = append(near, strconv.Itoa(i))
			continue
		}
		gpus, sockets = append(gpus, gpu), append(sockets, on...)
	}
	if len(gpus) == 0 {
		return ""
	}
	cure := "install an adapter there"
	if len(near) > 0 {
		cure = "if a node has fewer ranks than GPUs, use the other GPUs, by CUDA_DEVICE_ORDER=PCI_BUS_ID " +
			"CUDA_VISIBLE_DEVICES=" + strings.Join(near, ",")
	}
	return fmt.Sprintf("the network adapters (%s) are on socket %s, and GPUs %s on socket %s: their messages to other "+
		"nodes cross the link between sockets; %s", strings.Join(adapters, ", "), unique(at), strings.Join(gpus, ", "),
		unique(sockets), cure)
}

// FarFromCores describes the GPU with a PCI bus id if this process may use no core of its socket, "" if it may or
// sockets are unknown.
func (k Root) FarFromCores(gpu string) string {
	allowed := field(k.path("proc/self/status"), "Cpus_allowed_list")
	cores := k.socketsOf(allowed)
	on := k.socketsOf(k.text("sys/bus/pci/devices", strings.ToLower(gpu), "local_cpulist"))
	if len(on) == 0 || len(cores) == 0 || shares(on, cores) {
		return ""
	}
	return fmt.Sprintf("the cores %s of this rank are on socket %s, and its GPU %s on socket %s: let mpirun bind each "+
		"rank to the socket of its GPU, as with --map-by ppr:4:socket --bind-to socket for 4 GPUs per socket, or use "+
		"--bind-to none", allowed, unique(cores), gpu, unique(on))
}

// adapters returns the active RDMA devices or, without any, the network interfaces that are up, and their sockets.
// Those on an unknown socket are left out.
func (k Root) adapters() (names, sockets []string) {
	add := func(dir, name string) {
		if on := k.socketsOf(k.text(dir, name, "device/local_cpulist")); len(on) > 0 {
			names, sockets = append(names, name), append(sockets, on...)
		}
	}
	const fabrics, interfaces = "sys/class/infiniband", "sys/class/net"
	for _, name := range k.list(fabrics) {
		active := func(port string) bool {
			return strings.Contains(k.text(fabrics, name, "ports", port, "state"), "ACTIVE")
		}
		if slices.ContainsFunc(k.list(fabrics+"/"+name+"/ports"), active) {
			add(fabrics, name)
		}
	}
	if len(names) > 0 {
		return names, sockets
	}
	for _, name := range k.list(interfaces) {
		if k.text(interfaces, name, "operstate") == "up" {
			add(interfaces, name)
		}
	}
	return names, sockets
}

// socketsOf returns the sockets of a list of logical processors, such as 0-3,8.
func (k Root) socketsOf(list string) (sockets []string) {
	for _, n := range numbers(list) {
		socket := k.text("sys/devices/system/cpu", "cpu"+strconv.Itoa(n), "topology/physical_package_id")
		if socket != "" && !slices.Contains(sockets, socket) {
			sockets = append(sockets, socket)
		}
	}
	return sockets
}

func shares(a, b []string) bool {
	return slices.ContainsFunc(a, func(socket string) bool { return slices.Contains(b, socket) })
}

// unique lists the distinct texts.
func unique(texts []string) string { return strings.Join(lists.Distinct(texts), ", ") }
