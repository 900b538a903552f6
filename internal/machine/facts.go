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
)

// Facts are what a description of the host tells. Hosts of one kind have the same facts; what is not known is zero.
type Facts struct {
	CPU      string   // model name
	Sockets  int      // processors
	Cores    int      // physical cores of all sockets
	Threads  int      // logical processors
	MemoryB  int64    // installed, as the kernel counts it, in whole GiB: equal hosts differ by less
	GPUs     []string // models, one for each
	Driver   string   // of the GPUs
	Networks []string // devices that are more than software, with what drives them and how fast they are
	Kernel   string   // release
	Distro   string   // distribution of Linux
	Scaling  string   // of the processors' frequency: governors, and the driver
}

// Describe tells of this host.
func Describe() Facts { return describe("/") }

// describe reads the files of a host below a folder.
func describe(root string) Facts {
	h := host(root)
	f := Facts{
		CPU:    h.field("proc/cpuinfo", "model name"),
		GPUs:   h.gpus(),
		Driver: versionNumber.FindString(lineAfter(h.path("proc/driver/nvidia/version"), "NVRM version:")),
		Kernel: h.text("proc/sys/kernel/osrelease"),
		Distro: strings.Trim(lineAfter(h.path("etc/os-release"), "PRETTY_NAME="), `"`),
	}
	f.Scaling = h.scaling()
	f.Sockets, f.Cores, f.Threads = h.processors()
	kb, _ := strconv.ParseInt(strings.TrimSuffix(h.field("proc/meminfo", "MemTotal"), " kB"), 10, 64)
	f.MemoryB = (kb + 1<<19) >> 20 << 30
	f.Networks = slices.Concat(h.fabrics(), h.interfaces())
	return f
}

// versionNumber is the number in the driver's sentence about itself.
var versionNumber = regexp.MustCompile(`\d+\.\d+(\.\d+)*`)

// host is the folder below which a host's files are.
type host string

func (h host) path(elements ...string) string {
	return filepath.Join(append([]string{string(h)}, elements...)...)
}

// text is a short file without the space around it, "" where it cannot be read.
func (h host) text(elements ...string) string {
	raw, _ := os.ReadFile(h.path(elements...))
	return strings.TrimSpace(string(raw))
}

func (h host) field(path, name string) string { return field(h.path(path), name) }

// list are the entries of a folder, in order.
func (h host) list(dir string) (names []string) {
	entries, _ := os.ReadDir(h.path(dir))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// processors counts the logical processors, and the cores and sockets that the kernel sees them on.
func (h host) processors() (sockets, cores, threads int) {
	packages, physical := map[string]bool{}, map[string]bool{}
	const dir = "sys/devices/system/cpu"
	for _, name := range h.list(dir) {
		socket := h.text(dir, name, "topology/physical_package_id")
		if socket == "" {
			continue // no processor, or one that is off
		}
		threads++
		packages[socket] = true
		physical[socket+" "+h.text(dir, name, "topology/core_id")] = true
	}
	if threads == 0 {
		threads = runtime.NumCPU()
	}
	return len(packages), len(physical), threads
}

// scaling names the governors of all processors' frequencies, each once, and the driver: "performance (driver
// intel_pstate)". It is empty if the kernel has no frequency scaling, as in most virtual machines.
func (h host) scaling() string {
	const dir = "sys/devices/system/cpu"
	var governors, drivers []string
	for _, name := range h.list(dir) {
		if governor := h.text(dir, name, "cpufreq/scaling_governor"); governor != "" {
			governors = append(governors, governor)
			drivers = append(drivers, cmp.Or(h.text(dir, name, "cpufreq/scaling_driver"), "unknown"))
		}
	}
	if len(governors) == 0 {
		return ""
	}
	each := func(names []string) string {
		return strings.Join(slices.Compact(slices.Sorted(slices.Values(names))), ", ")
	}
	return fmt.Sprintf("%s (driver %s)", each(governors), each(drivers))
}

// gpus are those that NVIDIA's driver knows of.
func (h host) gpus() (models []string) {
	const dir = "proc/driver/nvidia/gpus"
	for _, bus := range h.list(dir) {
		models = append(models, cmp.Or(h.field(filepath.Join(dir, bus, "information"), "Model"), "unknown model"))
	}
	return models
}

// fabrics are the ports of RDMA devices: InfiniBand, RoCE, Slingshot.
func (h host) fabrics() (all []string) {
	const dir = "sys/class/infiniband"
	for _, device := range h.list(dir) {
		for _, port := range h.list(filepath.Join(dir, device, "ports")) {
			at := filepath.Join(dir, device, "ports", port)
			model := ""
			if m := h.text(dir, device, "hca_type"); m != "" {
				model = ", " + m
			}
			_, state, _ := strings.Cut(h.text(at, "state"), ": ")
			all = append(all, fmt.Sprintf("%s port %s%s: %s, %s, %s", device, port, model,
				cmp.Or(h.text(at, "link_layer"), "unknown link"), cmp.Or(h.text(at, "rate"), "unknown rate"),
				cmp.Or(strings.ToLower(state), "unknown state")))
		}
	}
	return all
}

// interfaces are those network interfaces that have a device. Bridges, tunnels and the loopback have none.
func (h host) interfaces() (all []string) {
	const dir = "sys/class/net"
	for _, name := range h.list(dir) {
		if _, err := os.Stat(h.path(dir, name, "device")); err != nil {
			continue
		}
		driver := "unknown driver"
		if link, err := os.Readlink(h.path(dir, name, "device/driver")); err == nil {
			driver = filepath.Base(link)
		}
		speed := "unknown speed" // as of interfaces that are down, which tell -1 or nothing
		if mbits, err := strconv.Atoi(h.text(dir, name, "speed")); err == nil && mbits > 0 {
			speed = fmt.Sprintf("%g Gb/s", float64(mbits)/1000)
		}
		all = append(all, fmt.Sprintf("%s (%s): %s", name, driver, speed))
	}
	return all
}

// queueWords are the variables in which Slurm tells what a job was given. Others may tell more than a result should.
var queueWords = []string{"SLURM_CLUSTER_NAME", "SLURM_JOB_ID", "SLURM_JOB_PARTITION", "SLURM_JOB_NUM_NODES",
	"SLURM_JOB_NODELIST", "SLURM_NTASKS", "SLURM_NTASKS_PER_NODE", "SLURM_CPUS_PER_TASK", "SLURM_GPUS_PER_NODE",
	"SLURM_MEM_PER_NODE", "SLURM_CPU_BIND", "SLURM_DISTRIBUTION"}

// Queue is what the queue has given to this job, as NAME=value; nothing where none started it.
func Queue() (given []string) {
	for _, name := range queueWords {
		if value := os.Getenv(name); value != "" {
			given = append(given, name+"="+value)
		}
	}
	return given
}
