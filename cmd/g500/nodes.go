// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"g500/bench"
	"g500/comm"
	"g500/comm/agreement"
	"g500/internal/lists"
	"g500/internal/machine"
	"g500/internal/output"
	"g500/settings"
)

// nodeLimits are the flags of "g500 doctor" with the least that a node must have. 0 is any.
type nodeLimits struct {
	memory, gpuMemory float64 // GiB
	cores, gpus       int
	peers             bool // every two GPUs reach each other's memory
}

// limitFlags are the names of the flags, which need --check.
var limitFlags = []string{"min-memory-gib", "min-cores", "min-gpus", "min-gpu-memory-gib", "peers"}

func (l *nodeLimits) addTo(f *pflag.FlagSet) {
	f.Float64Var(&l.memory, limitFlags[0], 0, "with --check: installed memory, as the system counts it, in GiB")
	f.IntVar(&l.cores, limitFlags[1], 0, "with --check: logical cores that this process may use")
	f.IntVar(&l.gpus, limitFlags[2], 0, "with --check: number of GPUs")
	f.Float64Var(&l.gpuMemory, limitFlags[3], 0, "with --check: memory of each GPU, in GiB")
	f.BoolVar(&l.peers, limitFlags[4], false, "with --check: every two GPUs reach each other's memory")
}

// nodeCheck is the result of one check of a node.
type nodeCheck struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Text string `json:"text,omitempty"` // cause and cure, or the node's figure and the limit
}

// hardware is the hardware of a node.
type hardware struct {
	memory, available int64 // of the host, in bytes
	cores             int
	gpuFacts
}

// thisHardware returns the hardware of this node.
func thisHardware() hardware {
	total, _ := machine.Here.Memory()
	return hardware{total, machine.ProcessMemory(), machine.Cores(), gpus()}
}

// checks compares the hardware with the limits that are set.
func (l nodeLimits) checks(h hardware) (all []nodeCheck) {
	add := func(set bool, name string, ok bool, format string, args ...any) {
		if set {
			all = append(all, nodeCheck{name, ok, fmt.Sprintf(format, args...)})
		}
	}
	gib := func(limit float64) int64 { return int64(math.Ceil(limit * (1 << 30))) }
	add(l.memory > 0, "memory", h.memory >= gib(l.memory), "%s of memory, at least %s", bench.Bytes(h.memory),
		bench.Bytes(gib(l.memory)))
	add(l.cores > 0, "cores", h.cores >= l.cores, "%d usable cores, at least %d", h.cores, l.cores)
	add(l.gpus > 0, "GPUs", len(h.Memories) >= l.gpus, "%d GPUs, at least %d", len(h.Memories), l.gpus)
	least := int64(0)
	if len(h.Memories) > 0 {
		least = slices.Min(h.Memories)
	}
	add(l.gpuMemory > 0, "GPU memory", least >= gib(l.gpuMemory), "%s of memory on the smallest GPU, at least %s",
		bench.Bytes(least), bench.Bytes(gib(l.gpuMemory)))
	switch {
	case h.Unknown != "":
		add(l.peers, "peers", false, "peer access of the GPUs is unknown: %s", h.Unknown)
	case len(h.Apart) > 0:
		add(l.peers, "peers", false, "GPUs without access to each other's memory: %s", strings.Join(h.Apart, ", "))
	default:
		add(l.peers, "peers", true, "%d GPUs reach each other's memory", len(h.Memories))
	}
	return all
}

// causeChecks returns a check for each cause of a low rate.
func causeChecks(found []machine.Diagnosis) (all []nodeCheck) {
	for _, cause := range machine.Causes {
		c := nodeCheck{Name: cause, OK: true}
		for _, d := range found {
			if d.Cause == cause {
				c.OK, c.Text = false, d.Text
			}
		}
		all = append(all, c)
	}
	return all
}

// writePrometheus writes the checks and the sizes of the node.
func (f findings) writePrometheus(w io.Writer) error {
	var m output.Metrics
	m.Flag("g500_doctor_healthy", "1 if all checks passed.", f.Healthy)
	for _, c := range f.Checks {
		m.Flag("g500_doctor_check", "1 if the check passed.", c.OK, output.Label{Name: "check", Value: c.Name})
	}
	m.Gauge("g500_doctor_memory_bytes", "Installed memory.", float64(f.hardware.memory))
	m.Gauge("g500_doctor_available_bytes", "Memory that a rank may use.", float64(f.Available))
	m.Gauge("g500_doctor_cores", "Logical cores that a process may use.", float64(f.hardware.cores))
	for i, size := range f.hardware.Memories {
		m.Gauge("g500_doctor_gpu_memory_bytes", "Memory of a GPU.", float64(size),
			output.Label{Name: "gpu", Value: strconv.Itoa(i)})
	}
	return m.Write(w)
}

// examineGPUs describes the transport between the GPUs of a run on these ranks, "" for one rank or without GPUs, and
// returns the GPUs of this rank's node that are on another socket than all network adapters or their rank's cores.
// noGPU is the reason why this process cannot use a GPU. It is collective.
func examineGPUs(t comm.Transport, noGPU error) (paths string, far []machine.Diagnosis, err error) {
	if text := farFromNetwork(); text != "" {
		far = append(far, machine.Diagnosis{Cause: machine.GPUNetwork, Text: text})
	}
	if t.Size() == 1 {
		return "", far, nil
	}
	engine, paths, err := chooseEngine(t, "auto", noGPU)
	if err != nil || engine != settings.GPU {
		return paths, far, err
	}
	paths, gpu, err := gpuPaths(t)
	if err != nil {
		return "", nil, err
	}
	cores, err := gpuCores(t, gpu)
	return paths, append(far, cores...), err
}

// gpuCores returns the GPUs of this rank's node that are on another socket than the cores of their ranks. gpu is the
// bus id of this rank's GPU. It is collective.
func gpuCores(t comm.Transport, gpu string) (far []machine.Diagnosis, err error) {
	texts, err := comm.Gathered(t, farFromCores(gpu))
	nodes := t.Nodes()
	for r, text := range texts {
		if text != "" && nodes[r] == nodes[t.Rank()] {
			far = append(far, machine.Diagnosis{Cause: machine.GPUCores, Text: fmt.Sprintf("rank %d: %s", r, text)})
		}
	}
	return far, err
}

// Tests replace these.
var (
	farFromNetwork = machine.Here.FarFromNetwork
	farFromCores   = machine.Here.FarFromCores
)

// rankDiagnosis has the causes of a poor rate that one rank found on its node.
type rankDiagnosis struct {
	Host      string
	Threads   int
	Causes    []machine.Diagnosis
	Libraries []string // versions, in the order of libraryNames
}

// libraryNames has the names of libraries that may differ between nodes. Other programs and NCCLs are refused.
var libraryNames = []string{"versions of MPI", "NVIDIA drivers"}

// libraries returns the versions of this rank's libraries.
func libraries(transport comm.HostTransport) []string {
	return []string{transport.Library(), machine.Here.Driver()}
}

// causesOfLowRate examines this node. Tests replace it.
var causesOfLowRate = machine.Diagnose

// diagnose returns the causes of a poor rate on this rank's node.
func diagnose(t comm.Transport, threads int) []machine.Diagnosis {
	_, onNode := comm.Place(t)
	return causesOfLowRate(machine.Load{Threads: threads, Ranks: onNode})
}

// sentences returns the causes of a poor rate, and libraries that differ: each cause once, as the first rank describes
// it, and names the ranks unless all have it.
func sentences(all []rankDiagnosis) (texts []string) {
	var order []string
	ranks, text := map[string][]int{}, map[string]string{}
	threads := lists.Of(all, func(d rankDiagnosis) int { return d.Threads })
	fewest, most := slices.Index(threads, slices.Min(threads)), slices.Index(threads, slices.Max(threads))
	for r, d := range all {
		for _, c := range d.Causes {
			if text[c.Cause] == "" {
				order, text[c.Cause] = append(order, c.Cause), c.Text
			}
			ranks[c.Cause] = append(ranks[c.Cause], r)
		}
	}
	for _, cause := range order {
		who := ""
		if with := ranks[cause]; len(with) < len(all) {
			who = fmt.Sprintf("%s, such as on node %s: ", agreement.Ranks(with), all[with[0]].Host)
		}
		texts = append(texts, who+text[cause])
	}
	if threads[fewest] < threads[most] {
		texts = append(texts, fmt.Sprintf("ranks have different numbers of threads: rank %d on node %s has %d, "+
			"rank %d on node %s has %d: all others wait for the slowest", fewest, all[fewest].Host, threads[fewest],
			most, all[most].Host, threads[most]))
	}
	return append(texts, differences(all)...)
}

// differences returns a sentence for each library of which two ranks have different versions.
func differences(all []rankDiagnosis) (texts []string) {
	for i, name := range libraryNames {
		first := all[0]
		other := slices.IndexFunc(all, func(d rankDiagnosis) bool { return d.Libraries[i] != first.Libraries[i] })
		if other < 0 {
			continue
		}
		texts = append(texts, fmt.Sprintf("ranks have different %s: rank 0 on node %s has %s, rank %d on node %s has %s: "+
			"if the run hangs or fails, install the same one on all nodes", name, first.Host,
			cmp.Or(first.Libraries[i], "none"), other, all[other].Host, cmp.Or(all[other].Libraries[i], "none")))
	}
	return texts
}
