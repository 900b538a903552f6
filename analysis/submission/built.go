// SPDX-License-Identifier: Apache-2.0

package submission

import (
	"fmt"
	"strings"

	"g500/record"
)

// narrowScale is the largest scale of graphs whose vertices all have 32-bit numbers, on any number of ranks.
const narrowScale = 31

// sentences are the sentences of a paragraph that apply to a run.
type sentences []string

func (s *sentences) say(applies bool, format string, args ...any) {
	if applies {
		*s = append(*s, fmt.Sprintf(format, args...))
	}
}

// howTimed adds the sentences on the clock, and on work before it starts.
func (r Run) howTimed(all *sentences) {
	onGPU, before := r.Environment.Engine == "gpu", r.prelaunched()
	all.say(true, "The time of a search runs from a barrier of all ranks, before the root is given, to the complete "+
		"result of the slowest rank.")
	all.say(true, "An untimed warm-up search from the first key precedes the searches of each kernel, as in the "+
		"reference code (docs/adr/0004).")
	all.say(onGPU, "The result then is in the memory of the GPUs; a copy to the host is not timed.")
	all.say(!onGPU, "The result then is in host memory.")
	all.say(r.Environment.Engine == fastEngine, "The threads of a search are woken before the clock starts, and poll for "+
		"its first loop. Waking them in the clock takes about 1 ms on 32 cores (docs/adr/0043).")
	all.say(before, "The kernel of a search is launched before the clock starts and waits for its root. A launch in the "+
		"clock takes 4 to 5 us per search (docs/adr/0004).")
	all.say(before && r.KernelRun(record.SSSP) != nil && r.Ranks > 1, "For SSSP this holds if all GPUs write to each "+
		"other's memory; otherwise its kernels are launched in the clock.")
}

// howStructured adds the sentences on the structures that kernel 1 builds.
func (r Run) howStructured(all *sentences) {
	compact := r.compact()
	some, names := len(compact) > 0, kernelNames(compact)
	all.say(some && r.Scale <= narrowScale,
		"The structures of %s number vertices in 32 bits; results have the graph's labels.", names)
	all.say(some && r.Scale > narrowScale, "The structures of %s number vertices in 32 bits if fewer than 2^32 vertices "+
		"have an edge, and in more otherwise (docs/adr/0026); results have the graph's labels.", names)
	all.say(some, "Kernel 1 of %s numbers vertices by falling degree, within its time (docs/adr/0002).", names)
	all.say(some, "Kernel 1 of %s drops self-loops and duplicate edges. TEPS count duplicate edges, and no self-loops.",
		names)
	paths := r.KernelRun(record.SSSP)
	all.say(paths != nil && r.Environment.Engine == fastEngine, "Kernel 1 of SSSP pushes once from the vertex with the "+
		"most edges, within its time, to find how far the first push of a search reaches (docs/adr/0038).")
	two, shared := len(r.Kernels) > 1, paths != nil && paths.ConstructionIncludesEarlier
	all.say(two && !shared, "BFS and SSSP have one structure each. A separate kernel 1 built each from the same edge "+
		"tuples. In the output block construction_time is the sum of both (docs/adr/0018).")
	all.say(two && shared, "BFS and SSSP have one structure each. Kernel 1 of SSSP uses the degree order of kernel 1 of "+
		"BFS: its time includes both, and is construction_time in the output block (docs/adr/0048).")
	all.say(r.Pruned() != "", "Kernel 1 of SSSP left out edges that are on no shortest path from any root, by the "+
		"distances from a hub (docs/adr/0019). TEPS count these edges too.")
}

// compact returns the run's kernels whose structure renumbers vertices and has each edge once. Top-down BFS keeps
// labels and every edge tuple except self-loops.
func (r Run) compact() (kernels []record.KernelRun) {
	for _, k := range r.Kernels {
		if k.Kernel == record.SSSP || r.Environment.Engine != plainEngine {
			kernels = append(kernels, k)
		}
	}
	return kernels
}

// The engines on CPUs: the fast one, and the reference implementations with which the others are compared in tests.
const fastEngine, plainEngine = "cpu", "topdown"

// algorithms names the algorithms of the run's kernels.
func (r Run) algorithms() string {
	of := map[record.Kernel]string{
		record.BFS: "direction-optimizing BFS", record.SSSP: "SSSP by pushes below a threshold and pulls beyond it",
	}
	if r.Environment.Engine == plainEngine {
		of = map[record.Kernel]string{
			record.BFS: "level-synchronous top-down BFS", record.SSSP: "SSSP by Bellman-Ford rounds",
		}
	}
	var names []string
	for _, k := range r.Kernels {
		names = append(names, of[k.Kernel])
	}
	return strings.Join(names, "; ")
}

// prelaunched reports whether kernels were launched before the clock started: if the policy and the device permit it.
func (r Run) prelaunched() bool {
	e := r.Environment
	return e.Engine == "gpu" && e.Device != nil && e.Device.NoPrelaunch == "" && r.Config.Policy.Prelaunch != 0
}
