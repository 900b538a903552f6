package model

import (
	"fmt"
	"math"
)

// Prediction is the mean cost of a search on each rank of a full node.
type Prediction struct {
	Graph   *Graph   `json:"graph"`
	Ranks   int      `json:"ranks"`
	Nodes   int      `json:"nodes"`
	Scheme  Scheme   `json:"exchange"`
	Hubs    *Prefix  `json:"hubs,omitempty"` // of scheme Hubs
	Profile Profile  `json:"profile"`
	Steps   []Step   `json:"steps"`
	Total   Step     `json:"total"`
	TEPS    float64  `json:"teps"`
	Overlap float64  `json:"overlap_seconds"` // most that overlapping each step's exchange with its own work would save
	Arrays  []Array  `json:"memory"`
	Limits  []string `json:"limits,omitempty"` // reasons why the program could not run this
}

// Step is one part of a search on one rank. Times are in seconds.
type Step struct {
	Name     string  `json:"name"`
	Times    float64 `json:"times"`    // per search
	Frontier float64 `json:"frontier"` // vertices of all ranks, each time
	Edges    float64 `json:"edges"`    // that leave it, if they are visited
	Links    []Link  `json:"links,omitempty"`
	Compute  float64 `json:"compute_seconds"`
	Inside   float64 `json:"inside_seconds"`   // exchange inside a node, not overlapped
	Between  float64 `json:"between_seconds"`  // exchange between nodes, not overlapped
	Exchange float64 `json:"exchange_seconds"` // both
	Wait     float64 `json:"wait_seconds"`     // in barriers
}

// Seconds returns the time of the step.
func (s Step) Seconds() float64 { return s.Compute + s.Exchange + s.Wait }

// Received returns the bytes received by all links.
func (s Step) Received() (bytes float64) {
	for _, l := range s.Links {
		bytes += l.Received
	}
	return bytes
}

// Sent returns the bytes sent by all links.
func (s Step) Sent() (bytes float64) {
	for _, l := range s.Links {
		bytes += l.Sent
	}
	return bytes
}

// add adds the times and links of another step.
func (s *Step) add(t Step) {
	s.Compute += t.Compute
	s.Inside += t.Inside
	s.Between += t.Between
	s.Exchange += t.Exchange
	s.Wait += t.Wait
	s.Links = addLinks(s.Links, t.Links)
}

func sharingError(ranks, scale int) error {
	return fmt.Errorf("model: %d ranks cannot share a graph of scale %d: choose 1 to 2^%d", ranks, scale, scale)
}

// Predict predicts a search of a graph.
func Predict(g *Graph, ranks int, p Profile, scheme Scheme) (*Prediction, error) {
	if ranks < 1 || float64(ranks) > g.Labels {
		return nil, sharingError(ranks, g.Scale)
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	l := layout{g: g, mean: g.severalGPUs, scheme: scheme, ranks: float64(ranks), node: float64(min(ranks, p.Node.Ranks))}
	if ranks == 1 {
		l.mean = g.oneGPU
	}
	several := l.ranks > l.node
	if several && scheme != Bins && scheme != Grid { // these send labels with vertices
		l.labels = g.labelsQueried(ranks)
	}
	switch {
	case scheme == Gaps && several:
		l.messages = g.gapMessages(ranks)
	case scheme == Queries && several:
		l.queried = g.queryCosts(ranks, int(l.node))
	case scheme == Gaps || scheme == Queries:
		l.scheme = Bitmap // peers write words
	case scheme == Hubs:
		// The fastest search determines the number of classes of hubs: more make longer bitmaps and shorter bins.
		var best *Prediction
		for classes := 1; classes <= g.Scale+1; classes++ {
			hubs := g.Prefix(classes)
			l.hubs = hubs
			if m := l.predict(p, scheme); best == nil || m.Total.Seconds() < best.Total.Seconds() {
				best, m.Hubs = m, &hubs
			}
		}
		return best, nil
	}
	return l.predict(p, scheme), nil
}

// predict predicts one layout, for the scheme that the caller requested.
func (l layout) predict(p Profile, scheme Scheme) *Prediction {
	m := &Prediction{Graph: l.g, Ranks: int(l.ranks), Scheme: scheme, Profile: p, Total: Step{Name: "search", Times: 1}}
	m.Nodes = (m.Ranks + p.Node.Ranks - 1) / p.Node.Ranks
	for at := range steps {
		s := m.step(l, at)
		m.Steps = append(m.Steps, s)
		m.Total.add(s)
		m.Overlap += min(s.Compute, s.Exchange)
	}
	m.TEPS = l.g.Tuples / m.Total.Seconds()
	m.Arrays = l.arrays()
	m.Limits = m.limits()
	return m
}

func (m *Prediction) step(l layout, at int) Step {
	v, level := l.volumeOf(at), l.mean.steps[at]
	step := Step{Name: steps[at].name, Times: level.times, Frontier: level.frontier * l.g.Inner,
		Edges: level.edges * l.g.InnerEdges}
	switch {
	case at == pushStep:
		step.Compute = m.push(l)
	case l.oneNode() && at >= thirdLevel && at <= labelOrder:
		step.Compute = m.parallel(l, at)
	default:
		step.Compute = m.alone(l, at)
	}
	step.Compute += m.Profile.Steps.Pairs * m.probeSlowdown(l) * v.edges * 1e-12

	move := l.divide(v)
	step.Links = move.links()
	step.Inside, step.Between = move.inside(m.Profile), move.between(m.Profile)
	step.Exchange = step.Inside + step.Between
	if at < labelOrder && m.Ranks > 1 {
		step.Wait = m.wait(l, at)
	}
	return step
}

// alone returns the seconds of a step that runs alone on the GPU.
func (m *Prediction) alone(l layout, at int) float64 {
	cost, units := m.Profile.Steps.list()[at], l.units(at)
	if steps[at].probes {
		units *= m.probeSlowdown(l)
	}
	return l.mean.steps[at].times * (cost.Floor*1e-6 + cost.Each*units*1e-12)
}

// push returns the seconds of the last top-down step: by segments on one rank; on several edge by edge or by bitmap.
// Each rank expands all of a replicated frontier.
func (m *Prediction) push(l layout) float64 {
	levels, replicated := l.replicated(pushStep)
	cost, edges := m.Profile.Steps.Push, l.mean.steps[pushStep].edges*l.g.InnerEdges
	ps := cost.Each * edges
	if l.ranks > 1 {
		ps = (m.Profile.Node.ReplicatedEach*replicated + m.Profile.Steps.Shared*(1-replicated)/l.ranks) * edges
	}
	return (cost.Floor+levels*m.Profile.Node.Replicated)*1e-6 + ps*m.probeSlowdown(l)*1e-12
}

// parallel returns the seconds of the steps that overlap: 25% of the multiprocessors run the third and later
// levels, the others write the result, and then all write its rest. m.Steps has the steps before.
func (m *Prediction) parallel(l layout, at int) float64 {
	costs := m.Profile.Parallel
	cost := costs.LaterLevels
	switch at {
	case labelOrder:
		left := costs.Delay*1e-6 + m.alone(l, labelOrder)
		for _, done := range m.Steps[thirdLevel:labelOrder] {
			left -= done.Seconds()
		}
		return max(left, costs.Least*1e-6)
	case thirdLevel:
		cost = costs.ThirdLevel
	}
	return l.mean.steps[at].times * (cost.Floor*1e-6 + cost.Each*l.units(at)*1e-12)
}

// units returns a rank's units of work in a step: bytes of the result, otherwise non-leaf vertices.
func (l layout) units(at int) float64 {
	switch {
	case l.scheme == Bins && steps[at].bottomUp:
		return 0 // the exchange counts its edges
	case at == labelOrder:
		return (relabelledBytes*l.g.Vertices + resultBytes*l.g.Labels) / l.ranks
	}
	return l.g.Inner / l.ranks
}

// probeSlowdown returns the time of random bit reads relative to the measured runs, whose bitmaps were in the cache.
// The bits of hubs are contiguous and stay there; other edges lead to memory. It is an upper bound, because a first
// neighbour is more often a hub than the end of any edge is.
func (m *Prediction) probeSlowdown(l layout) float64 {
	cached := m.Profile.GPU.CacheMB * 8e6
	if l.bits() <= cached {
		return 1
	}
	in := l.g.Covered(cached)
	return in + (1-in)*m.Profile.GPU.Cached/m.Profile.GPU.Uncached
}

// sums returns the microseconds of a sum over all nodes, up and down a binary tree.
func (m *Prediction) sums() float64 {
	return 2 * math.Ceil(math.Log2(float64(m.Nodes))) * m.Profile.Network.Latency
}

// wait returns the seconds in the barriers of a step, which also compute its sums: one per level, two in the last
// top-down one, and one before the first bottom-up one unless bitmaps were exchanged. Levels with a replicated frontier
// have none, and neither has the sweep after them. Levels with pairs take a minimum time to send and receive them.
// Between nodes, the host launches each level and waits for it.
func (m *Prediction) wait(l layout, at int) float64 {
	s, times := steps[at], l.mean.steps[at].times
	node, net := m.Profile.Node, m.Profile.Network
	if at == earlyStep && l.oneNode() {
		return (times*node.Replicated + node.ReplicatedStart) * 1e-6
	}
	replicated, _ := l.replicated(pushStep)
	count, level := 1.0, 0.0
	switch {
	case at == pushStep:
		count = 2 * (1 - replicated)
	case at == firstSweep && !l.bitmapPush():
		count = 2 - replicated
	}
	switch {
	case s.listed:
		level += node.Receive.Floor
	case at == earlyStep:
		level += node.Bins + node.Receive.Floor
	case !s.bottomUp && !l.bitmapPush():
		level += (1 - replicated) * (node.Bins + node.Receive.Floor)
	}
	if l.node > 1 {
		level += count * node.Barrier
	}
	if m.Nodes > 1 {
		level += count*m.sums() + net.Drive
	}
	if l.scheme == Queries && s.bottomUp {
		// Two sums over all ranks, of queries and of vertices found; two messages to other nodes; and five exchanges inside
		// a node, to merge queries, to collect replies at node leaders and to forward both.
		level += 2*m.sums() + 2*net.Latency + (2+5)*node.Barrier
	}
	us := times * level
	if at == earlyStep {
		us += node.Start
	}
	return us * 1e-6
}
