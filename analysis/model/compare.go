package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"g500/internal/trace"
	"g500/record"
)

// Comparison compares a prediction with a measured run, step by step, by means over the searches with a trace.
type Comparison struct {
	Prediction *Prediction `json:"prediction"`
	Searches   int         `json:"searches"`
	Measured   []Measured  `json:"measured"`
	Total      Measured    `json:"measured_total"`
	TEPS       float64     `json:"measured_teps,omitempty"` // harmonic mean; 0 unless the run is VALID
	Device     string      `json:"measured_device"`         // the GPU of rank 0
	Notes      []string    `json:"notes,omitempty"`         // limits of the comparison
}

// Measured is a step of the mean traced search. Parts of its time and bytes are means over ranks, and absent on one
// rank.
type Measured struct {
	Step
	Slowest float64 `json:"seconds"` // of the slowest rank
}

// RanksPerNode returns the number of ranks on the first node of a run, 1 if the nodes are unknown.
func RanksPerNode(run *record.Run) int {
	ranks := 0
	for _, node := range run.Environment.Nodes {
		if node == run.Environment.Nodes[0] {
			ranks++
		}
	}
	return max(ranks, 1)
}

// Compare predicts the breadth-first searches of a run with traces. It refuses runs that the model does not cover.
func Compare(run *record.Run, p Profile, scheme Scheme) (*Comparison, error) {
	if err := checkComparable(run); err != nil {
		return nil, err
	}
	searched := *run.KernelRun(record.BFS)
	g, err := NewGraph(run.Scale)
	if err != nil {
		return nil, err
	}
	c := &Comparison{
		Measured: make([]Measured, stepCount), Device: run.Environment.Device.String(), Notes: notesOn(run, p),
	}
	if c.Prediction, err = Predict(g, run.Ranks, p, scheme); err != nil {
		return nil, err
	}
	for i := range c.Measured {
		c.Measured[i].Name = steps[i].name
	}
	secondsPerEdge := 0.0
	for _, s := range searched.Searches {
		if len(s.Trace) > 0 {
			c.Searches++
			secondsPerEdge += s.Seconds / float64(s.Edges)
			c.add(s)
		}
	}
	if c.Searches == 0 {
		return nil, fmt.Errorf("model: the run has no trace; run it with --trace")
	}
	if run.Statistics(searched).TEPS != nil {
		c.TEPS = float64(c.Searches) / secondsPerEdge
	}
	c.average()
	return c, nil
}

// checkComparable refuses a run whose machine, graph or kernel the model does not cover.
func checkComparable(run *record.Run) error {
	switch e := run.Environment; {
	case run.KernelRun(record.BFS) == nil:
		return errors.New("model: the run has shortest paths only, and the model covers breadth-first search")
	case run.Graph != nil:
		return fmt.Errorf("model: the run searched %s; the model covers the official graph only", run.Graph.Spec)
	case run.EdgeFactor != EdgeFactor:
		return fmt.Errorf("model: the run has edge factor %d; the model covers the official graph only, with %d",
			run.EdgeFactor, EdgeFactor)
	case e.Device == nil:
		return fmt.Errorf("model: the run used engine %s on %s, and the model covers GPUs: compare a run of "+
			"g500 run --engine gpu --trace", e.Engine, e.CPU)
	}
	return nil
}

// notesOn returns a note if the run's GPU differs from the default machine's, and one if the run is not VALID.
func notesOn(run *record.Run, p Profile) (notes []string) {
	usual := H200()
	if p.GPU == usual.GPU && p.Steps == usual.Steps && !strings.Contains(run.Environment.Machine(), "H200") {
		notes = append(notes, "the model's machine has H200s, the run had another GPU: describe its machine with --machine")
	}
	if verdict := run.Verdict(); verdict != string(record.Valid) {
		notes = append(notes, "the run does not count: "+verdict)
	}
	return notes
}

// add adds one search to the sums.
func (c *Comparison) add(s record.Search) {
	left := s.Seconds
	for i, at := range stepsOf(s.Trace) {
		m, l := &c.Measured[at], s.Trace[i]
		left -= l.Seconds
		m.Slowest += l.Seconds
		m.Times++
		m.Frontier += float64(l.Frontier)
		m.Edges += float64(l.Edges)
		if l.Ranks == nil {
			m.Compute += l.Seconds
			continue
		}
		part := Step{Compute: mean(l.Ranks.Computing), Exchange: mean(l.Ranks.Exchanging), Wait: mean(l.Ranks.Waiting)}
		for _, t := range l.Ranks.Traffic {
			part.Links = append(part.Links, Link{t.Payload, t.Transport, mean(t.Sent), mean(t.Received)})
		}
		m.add(part)
	}
	c.Measured[rest].Times++
	c.Measured[rest].Compute += left
	c.Measured[rest].Slowest += left
}

// average divides the sums by the searches, and adds up the steps.
func (c *Comparison) average() {
	n := float64(c.Searches)
	c.Total.Step = Step{Name: "search", Times: 1}
	for i := range c.Measured {
		m := &c.Measured[i]
		m.Frontier /= max(m.Times, 1)
		m.Edges /= max(m.Times, 1)
		for _, sum := range []*float64{&m.Times, &m.Slowest, &m.Compute, &m.Exchange, &m.Wait} {
			*sum /= n
		}
		for j := range m.Links {
			m.Links[j].Sent /= n
			m.Links[j].Received /= n
		}
		c.Total.Slowest += m.Slowest
		c.Total.add(m.Step)
	}
}

// stepsOf returns the step of each level of a trace. Levels count from the first bottom-up one: from the fourth on all
// are later levels, whatever their direction. In a search without a bottom-up level all are top-down.
func stepsOf(levels []record.Level) []int {
	first := slices.IndexFunc(levels, func(l record.Level) bool { return l.Step == trace.BottomUpStep })
	if first < 0 {
		first = len(levels)
	}
	of := make([]int, len(levels))
	for i, l := range levels {
		if of[i] = stepOf(i, first); l.Step == trace.ResultOrderStep {
			of[i] = labelOrder
		}
	}
	return of
}

// mean is the mean over all ranks, 0 of none.
func mean[T int64 | float64](x []T) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64(v)
	}
	return sum / float64(max(len(x), 1))
}
