// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"math"
	"strings"
	"time"

	"g500/record"
	"g500/settings"
)

// Pace estimates the time of a study's runs from those that have ended.
type Pace struct {
	study Study
	ended []timed
}

type timed struct {
	Planned
	seconds float64
}

// NewPace returns the pace of a study before its first run.
func NewPace(s Study) *Pace { return &Pace{study: s} }

// Add adds the time of a run that has ended.
func (p *Pace) Add(r Planned, took time.Duration) {
	p.ended = append(p.ended, timed{r, took.Seconds()})
}

// Known reports whether a run has ended. Otherwise times are right within a factor of about 5.
func (p *Pace) Known() bool { return len(p.ended) > 0 }

// Of returns the estimated time of these runs. For each run it is the mean time of the most similar runs that have
// ended, in proportion to the work per unit.
func (p *Pace) Of(runs []Planned) time.Duration {
	sum := 0.0
	for _, r := range runs {
		sum += p.seconds(r)
	}
	return time.Duration(min(sum, longest) * float64(time.Second))
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
		for _, s := range k.Searches {
			seconds += s.Seconds + max(s.ValidateSeconds, 0)
		}
	}
	return time.Duration(seconds * float64(time.Second))
}
