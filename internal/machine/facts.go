// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"g500/internal/lists"
)

// Facts describe a node. Nodes of the same kind have the same facts; unknown facts are zero.
type Facts struct {
	CPU      string   `json:"cpu,omitempty"`               // model name
	Sockets  int      `json:"sockets,omitempty"`           // processors
	Cores    int      `json:"physical_cores,omitempty"`    // physical cores of all sockets
	Threads  int      `json:"logical_cores"`               // logical processors
	MemoryB  int64    `json:"memory_bytes,omitempty"`      // installed, rounded to GiB because equal nodes differ slightly
	GPUs     []string `json:"gpus,omitempty"`              // model of each
	Driver   string   `json:"gpu_driver,omitempty"`        // of the GPUs
	Networks []string `json:"networks,omitempty"`          // devices with hardware, their drivers and speeds
	Kernel   string   `json:"kernel,omitempty"`            // release
	Distro   string   `json:"distribution,omitempty"`      // distribution of Linux
	Scaling  string   `json:"frequency_scaling,omitempty"` // of the processors' frequency: governors, and the driver
}

// Driver returns the version of NVIDIA's driver on this node, "" without one.
func (k Root) Driver() string {
	return versionNumber.FindString(lineAfter(k.path("proc/driver/nvidia/version"), "NVRM version:"))
}

// Describe returns the facts of this node.
func (k Root) Describe() Facts {
	f := Facts{
		CPU:     field(k.path("proc/cpuinfo"), "model name"),
		GPUs:    k.gpus(),
		Driver:  k.Driver(),
		Kernel:  k.text("proc/sys/kernel/osrelease"),
		Distro:  strings.Trim(lineAfter(k.path("etc/os-release"), "PRETTY_NAME="), `"`),
		Scaling: k.scaling(),
		MemoryB: (k.kilobytes("MemTotal") + 1<<29) >> 30 << 30,
	}
	f.Sockets, f.Cores, f.Threads = k.processors()
	f.Networks = slices.Concat(k.fabrics(), k.interfaces())
	return f
}

// versionNumber matches the number in the text of the driver's version.
var versionNumber = regexp.MustCompile(`\d+\.\d+(\.\d+)*`)

// text returns the content of a short file without surrounding space, "" if it cannot be read.
func (k Root) text(elements ...string) string {
	raw, _ := os.ReadFile(k.path(elements...))
	return strings.TrimSpace(string(raw))
}

// list returns the sorted names in a folder.
func (k Root) list(dir string) []string {
	entries, _ := os.ReadDir(k.path(dir))
	return lists.Of(entries, os.DirEntry.Name)
}

// processors returns the numbers of sockets, physical cores and logical processors.
func (k Root) processors() (sockets, cores, threads int) {
	packages, physical := map[string]bool{}, map[string]bool{}
	const dir = "sys/devices/system/cpu"
	for _, name := range k.list(dir) {
		socket := k.text(dir, name, "topology/physical_package_id")
		if socket == "" {
			continue // not a processor, or switched off
		}
		threads++
		packages[socket] = true
		physical[socket+" "+k.text(dir, name, "topology/core_id")] = true
	}
	if threads == 0 {
		threads = runtime.NumCPU()
	}
	return len(packages), len(physical), threads
}

// scaling returns the distinct governors and drivers of the processors' frequencies, such as "performance (driver
// intel_pstate)"; "" without frequency scaling, as in most virtual machines.
func (k Root) scaling() string {
	const dir = "sys/devices/system/cpu"
	var governors, drivers []string
	for _, name := range k.list(dir) {
		if governor := k.text(dir, name, "cpufreq/scaling_governor"); governor != "" {
			governors = append(governors, governor)
			drivers = append(drivers, cmp.Or(k.text(dir, name, "cpufreq/scaling_driver"), "unknown"))
		}
	}
	if len(governors) == 0 {
		return ""
	}
	return fmt.Sprintf("%s (driver %s)", unique(governors), unique(drivers))
}

// gpus returns the models of the GPUs that NVIDIA's driver lists.
func (k Root) gpus() []string {
	const dir = "proc/driver/nvidia/gpus"
	return lists.Of(k.list(dir), func(bus string) string {
		return cmp.Or(field(k.path(dir, bus, "information"), "Model"), "unknown model")
	})
}

// fabrics returns the ports of RDMA devices: InfiniBand, RoCE, Slingshot.
func (k Root) fabrics() (all []string) {
	const dir = "sys/class/infiniband"
	for _, device := range k.list(dir) {
		for _, port := range k.list(filepath.Join(dir, device, "ports")) {
			at := filepath.Join(dir, device, "ports", port)
			model := ""
			if m := k.text(dir, device, "hca_type"); m != "" {
				model = ", " + m
			}
			_, state, _ := strings.Cut(k.text(at, "state"), ": ")
			all = append(all, fmt.Sprintf("%s port %s%s: %s, %s, %s", device, port, model,
				cmp.Or(k.text(at, "link_layer"), "unknown link"), cmp.Or(k.text(at, "rate"), "unknown rate"),
				cmp.Or(strings.ToLower(state), "unknown state")))
		}
	}
	return all
}

// interfaces returns the network interfaces with a device. Bridges, tunnels and the loopback interface have none.
func (k Root) interfaces() (all []string) {
	const dir = "sys/class/net"
	for _, name := range k.list(dir) {
		if _, err := os.Stat(k.path(dir, name, "device")); err != nil {
			continue
		}
		driver := "unknown driver"
		if link, err := os.Readlink(k.path(dir, name, "device/driver")); err == nil {
			driver = filepath.Base(link)
		}
		speed := "unknown speed" // an interface that is down reports -1 or no speed
		if mbits, err := strconv.Atoi(k.text(dir, name, "speed")); err == nil && mbits > 0 {
			speed = fmt.Sprintf("%g Gb/s", float64(mbits)/1000)
		}
		all = append(all, fmt.Sprintf("%s (%s): %s", name, driver, speed))
	}
	return all
}

// queueVariables are the variables of Slurm that describe a job's resources. Others may contain private data.
var queueVariables = []string{"SLURM_CLUSTER_NAME", "SLURM_JOB_ID", "SLURM_JOB_PARTITION", "SLURM_JOB_NUM_NODES",
	"SLURM_JOB_NODELIST", "SLURM_NTASKS", "SLURM_NTASKS_PER_NODE", "SLURM_CPUS_PER_TASK", "SLURM_GPUS_PER_NODE",
	"SLURM_MEM_PER_NODE", "SLURM_CPU_BIND", "SLURM_DISTRIBUTION"}

// transportVariables matches the variables by which users change how MPI and NCCL move messages; noVariables those that
// print or name something, as an address or a number of the job.
var (
	transportVariables = regexp.MustCompile(`^(NCCL|UCX|FI|PSM2|MPICH|MPIR_CVAR|I_MPI_(FABRICS|OFI|SHM|ADJUST)|` +
		`OMPI_MCA_(btl|pml|mtl|coll|smsc|opal_cuda|opal_common))(_\w+)?=.`)
	noVariables = regexp.MustCompile(`(?i)^\w*(DEBUG|LOG|VERBOSE|HOSTID|HOSTNAME|VERSION|DUMP|STATS|` +
		`COMM_ID|UUID|RAS_ADDR|DISPLAY|MEMORY_REPORT)`)
)

// TransportVariables returns the variables of an environment that change how messages travel, as NAME=value, sorted.
func TransportVariables(environment []string) []string {
	all := lists.Where(environment, func(variable string) bool {
		return transportVariables.MatchString(variable) && !noVariables.MatchString(variable)
	})
	slices.Sort(all)
	return all
}

// Queue returns the resources that Slurm has given to this job, as NAME=value; nil without Slurm.
func Queue() (given []string) {
	for _, name := range queueVariables {
		if value := os.Getenv(name); value != "" {
			given = append(given, name+"="+value)
		}
	}
	return given
}
