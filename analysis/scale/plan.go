// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"g500/internal/lists"
	"g500/record"
	"g500/settings"
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
	kernels := lists.Distinct(s.Kernels)
	if len(kernels) == 0 {
		kernels = []string{""}
	}
	for repeat := 1; repeat <= s.Repeats; repeat++ {
		first := len(plan)
		for _, scale := range lists.Distinct(s.Scales) {
			for _, units := range s.Sizes() {
				whole := scale
				if s.Scaling == Weak {
					whole += bits.Len(uint(units)) - 1
				}
				for _, kernel := range kernels {
					plan = append(plan, Planned{whole, s.ranks(units), s.Axis(), units, repeat, kernel})
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
	return lists.Find(s.Plan(), func(r Planned) bool { return r.String() == name })
}

// command starts a run in dir, or resumes it there.
func (s Study) command(program, config, dir string, r Planned, resume bool) []string {
	fill := strings.NewReplacer(
		"{ranks}", strconv.Itoa(r.Ranks), "{nodes}", strconv.Itoa(s.NodesOf(r.Ranks)), "{scale}", strconv.Itoa(r.Scale))
	command := append(lists.Of(s.Launch, fill.Replace), program, "run")
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

// Pace estimates the time of a study's runs from those that have ended.
type Pace struct {
	study Study
	ended []timed
}

type timed struct {
	Planned
	seconds float64
}

// Add adds the time of a run that has ended.
func (p *Pace) Add(r Planned, took time.Duration) {
	p.ended = append(p.ended, timed{r, took.Seconds()})
}

// Known reports whether a run has ended. Otherwise times are right within a factor of about 5.
func (p *Pace) Known() bool { return len(p.ended) > 0 }

// Of returns the estimated time of these runs. For each run it is the mean time of the most similar runs that have
// ended, in proportion to the work per unit.
func (p *Pace) Of(runs []Planned) time.Duration {
	return time.Duration(min(lists.Sum(runs, p.seconds), longest) * float64(time.Second))
}

// longest is an estimate in seconds, three centuries, above which a time.Duration would overflow.
const longest = 9e9

func (p *Pace) seconds(r Planned) float64 {
	nearest, total, n := math.Inf(1), 0.0, 0
	for _, e := range p.ended {
		distance := r.distance(e.Planned)
		if distance < nearest {
			nearest, total, n = distance, 0, 0
		}
		if distance == nearest {
			total, n = total+e.seconds*p.study.rough(r)/p.study.rough(e.Planned), n+1
		}
	}
	if n == 0 {
		return p.study.rough(r)
	}
	return total / float64(n)
}

// distance returns how unlike the times of two runs are: the doublings between their sizes, and more between kernels.
func (r Planned) distance(other Planned) float64 {
	d := math.Abs(float64(r.Scale-other.Scale)) + math.Abs(math.Log2(float64(r.Units)/float64(other.Units)))
	if r.Kernel != other.Kernel {
		d += 100
	}
	return d
}

// Seconds of a whole run with 64 keys, from stored runs: its start, and for each edge tuple of BFS on one thread or
// GPU. Shortest paths take several times as long.
const (
	startSeconds  = 1
	threadSeconds = 1e-6
	gpuSeconds    = 3e-9
	pathsFactor   = 4
)

// rough returns the seconds of a run by these figures.
func (s Study) rough(r Planned) float64 {
	perTuple, workers := threadSeconds, r.Ranks*max(s.Threads, 1)
	if s.Axis() == Cores {
		workers = r.Units
	}
	if s.Axis() == GPUs || strings.Contains(strings.Join(s.Flags, " "), "gpu") {
		perTuple, workers = gpuSeconds, r.Ranks
	}
	if r.Kernel != "" && r.Kernel != string(record.BFS) {
		perTuple *= pathsFactor
	}
	return startSeconds + settings.OfficialEdgeFactor*math.Exp2(float64(r.Scale))*perTuple/float64(workers)
}

// timeOf returns the time of a stored run without its start and its output.
func timeOf(r *record.Run) time.Duration {
	seconds := r.GenerationSeconds + r.ConstructionSeconds()
	for _, k := range r.Kernels {
		seconds += lists.Sum(k.Searches, func(s record.Search) float64 { return s.Seconds + max(s.ValidateSeconds, 0) })
	}
	return time.Duration(seconds * float64(time.Second))
}
