// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"cmp"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"g500/record"
)

// Planned is one run of the plan of a study.
type Planned struct {
	Scale, Ranks int
	Axis         string // of the study
	Units        int    // of the axis
	Repeat       int    // from 1
	Kernel       string // "" for the configuration's
}

// size returns the size of the run, as in ranks4.
func (r Planned) size() string { return fmt.Sprintf("%s%d", strings.ToLower(r.Axis), r.Units) }

// String returns the name of the run, also of its folder.
func (r Planned) String() string {
	name := fmt.Sprintf("scale%d-%s-run%d", r.Scale, r.size(), r.Repeat)
	if r.Kernel != "" && r.Kernel != string(record.BFS) {
		name += "-" + r.Kernel
	}
	return name
}

// Plan lists the runs in order. Repeats are the outermost loop, so that a study that is cut off has each point once
// before any twice. Each repeat has its runs in another random order, the same at each start of the study, so that
// changes of the machine over time affect no size more than others.
func (s Study) Plan() []Planned {
	var plan []Planned
	kernels := distinct(s.Kernels)
	if len(kernels) == 0 {
		kernels = []string{""}
	}
	for repeat := 1; repeat <= s.Repeats; repeat++ {
		first := len(plan)
		for _, scale := range distinct(s.Scales) {
			for _, units := range s.Sizes() {
				for _, kernel := range kernels {
					plan = append(plan, Planned{s.graphScale(scale, units), s.ranks(units), s.Axis(), units, repeat, kernel})
				}
			}
		}
		round := plan[first:]
		random := rand.New(rand.NewPCG(500, uint64(repeat)))
		random.Shuffle(len(round), func(i, j int) { round[i], round[j] = round[j], round[i] })
	}
	return plan
}

// PlanOf returns the plan of the run with a name, nil if the study has no such run.
func (s Study) PlanOf(name string) *Planned {
	for _, r := range s.Plan() {
		if r.String() == name {
			return &r
		}
	}
	return nil
}

// graphScale returns the scale of the graph.
func (s Study) graphScale(scale, units int) int {
	if s.Scaling == Weak {
		return scale + bits.Len(uint(units)) - 1
	}
	return scale
}

func distinct[T cmp.Ordered](x []T) []T { return slices.Compact(slices.Sorted(slices.Values(x))) }

// command starts a run in dir, or resumes it there.
func (s Study) command(program, config, dir string, r Planned, resume bool) []string {
	fill := strings.NewReplacer(
		"{ranks}", strconv.Itoa(r.Ranks), "{nodes}", strconv.Itoa(s.NodesOf(r.Ranks)), "{scale}", strconv.Itoa(r.Scale))
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
	switch {
	case s.Axis() == Cores:
		flags = append(flags, threadsFlag, strconv.Itoa(r.Units))
	case s.Threads > 0:
		flags = append(flags, threadsFlag, strconv.Itoa(s.Threads))
	}
	if s.Axis() == GPUs {
		flags = append(flags, engineFlag, "gpu")
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
