// SPDX-License-Identifier: Apache-2.0

package collect

import "math"

// Per is the rates of a point's runs in TEPS per GPU, per core that computes, and per node, and the energy of a search
// in joules. A figure that the runs do not have is NaN.
type Per struct{ GPU, Core, Node, Joules float64 }

// Per returns the figures per unit: medians of the runs.
func (p Point) Per() Per {
	of := func(figure func(*Run) float64) float64 { return p.spread(figure).Median }
	return Per{of((*Run).perGPU), of((*Run).perCore), of((*Run).perNode), of((*Run).joules)}
}

// per divides the run's rate by a number of units; NaN if the run has no rate or no such unit.
func (r *Run) per(units int) float64 {
	if r.TEPS == nil || units == 0 {
		return math.NaN()
	}
	return r.TEPS.HarmonicMean / float64(units)
}

// perGPU returns the rate per GPU. Each rank computes on one.
func (r *Run) perGPU() float64 {
	if r.Environment.Device == nil {
		return math.NaN()
	}
	return r.per(r.Ranks)
}

// perCore returns the rate per core that has a thread of a rank, unless ranks compute on GPUs.
func (r *Run) perCore() float64 {
	threads := r.Ranks * r.Kind.Threads
	if cores := r.Cores(); cores > 0 {
		threads = min(threads, cores)
	}
	return r.per(threads)
}

func (r *Run) perNode() float64 { return r.per(r.Nodes) }

// energy returns the joules of a search and its TEPS per watt, if the run measured them.
func (r *Run) energy() (joules, perWatt float64) {
	if r.Power == nil || r.Power.Refused != "" {
		return math.NaN(), math.NaN()
	}
	return r.Power.JoulesPerSearch, r.Power.TEPSPerWatt
}

func (r *Run) joules() float64 {
	joules, _ := r.energy()
	return joules
}
