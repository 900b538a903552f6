package scale

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"g500/record"
	"g500/settings"
)

// Planned is one run of the plan of a study.
type Planned struct {
	Scale, Ranks int
	Repeat       int    // from 1
	Kernel       string // "" for the configuration's
}

// String returns the name of the run, also of its folder.
func (r Planned) String() string {
	name := fmt.Sprintf("scale%d-ranks%d-run%d", r.Scale, r.Ranks, r.Repeat)
	if r.Kernel != "" && r.Kernel != string(record.BFS) {
		name += "-" + r.Kernel
	}
	return name
}

// Plan lists the runs in order. Repeats are the outermost loop, so that changes of the machine over time affect all
// points equally, and a study that is cut off has each point once before any twice.
func (s Study) Plan() []Planned {
	var plan []Planned
	for repeat := 1; repeat <= s.Repeats; repeat++ {
		for _, scale := range distinct(s.Scales) {
			for _, p := range distinct(s.Ranks) {
				for _, kernel := range s.eachKernel() {
					plan = append(plan, Planned{s.graphScale(scale, p), p, repeat, kernel})
				}
			}
		}
	}
	return plan
}

// search returns the settings of the run's searches that the study sets.
func (r Planned) search() settings.SearchConfig {
	c := settings.Default().Search
	c.Kernel = cmp.Or(r.Kernel, c.Kernel)
	return c
}

// eachKernel returns the distinct kernels of the study.
func (s Study) eachKernel() []string {
	if len(s.Kernels) == 0 {
		return []string{""}
	}
	return distinct(s.Kernels)
}

// graphScale returns the scale of the graph.
func (s Study) graphScale(scale, ranks int) int {
	if s.Scaling == Weak {
		return scale + bits.Len(uint(ranks)) - 1
	}
	return scale
}

func distinct[T cmp.Ordered](x []T) []T { return slices.Compact(slices.Sorted(slices.Values(x))) }

// command starts a run in dir, or resumes it there.
func (s Study) command(program, config, dir string, r Planned, resume bool) []string {
	nodes := (r.Ranks + s.RanksPerNode - 1) / s.RanksPerNode
	fill := strings.NewReplacer(
		"{ranks}", strconv.Itoa(r.Ranks), "{nodes}", strconv.Itoa(nodes), "{scale}", strconv.Itoa(r.Scale))
	var command []string
	for _, word := range s.Launch {
		command = append(command, fill.Replace(word))
	}
	command = append(command, program, "run")
	if resume {
		return append(command, "--resume", dir)
	}
	return append(command, s.flagsOf(r, config, dir)...)
}

// flagsOf returns the flags of a new run in dir.
func (s Study) flagsOf(r Planned, config, dir string) (flags []string) {
	if config != "" {
		flags = append(flags, "--config", config)
	}
	if s.Threads > 0 {
		flags = append(flags, threadsFlag, strconv.Itoa(s.Threads))
	}
	flags = append(flags, s.Flags...)
	if r.Kernel != "" {
		flags = append(flags, "--kernel", r.Kernel)
	}
	if len(s.Launch) == 0 {
		flags = append(flags, "--ranks", strconv.Itoa(r.Ranks))
	}
	return append(flags, "--scale", strconv.Itoa(r.Scale), "--output", dir)
}
