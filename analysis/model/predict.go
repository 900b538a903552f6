package model

import (
	"fmt"
	"math"
)

// Prediction is what a search costs on each rank of a full host: the mean of 64.
type Prediction struct {
	Graph   *Graph   `json:"graph"`
	Ranks   int      `json:"ranks"`
	Hosts   int      `json:"hosts"`
	Form    Form     `json:"exchange"`
	Hubs    *Prefix  `json:"hubs,omitempty"` // of the form with hubs
	Profile Profile  `json:"profile"`
	Steps   []Step   `json:"steps"`
	Total   Step     `json:"total"`
	TEPS    float64  `json:"teps"`
	Overlap float64  `json:"overlap_seconds"` // that each step's exchange beside its own work would save at most
	Arrays  []Array  `json:"memory"`
	Limits  []string `json:"limits,omitempty"` // why the program could not run this as it is
}

// Step is one part of a search on one rank. Times are in seconds.
type Step struct {
	Name     string  `json:"name"`
	Times    float64 `json:"times"`    // of a search
	Frontier float64 `json:"frontier"` // vertices, of all ranks, each time
	Edges    float64 `json:"edges"`    // that leave it, where they are looked at
	Links    []Link  `json:"links,omitempty"`
	Compute  float64 `json:"compute_seconds"`
	Inside   float64 `json:"inside_seconds"`   // exchange inside a host that nothing hides
	Between  float64 `json:"between_seconds"`  // the same between hosts
	Exchange float64 `json:"exchange_seconds"` // both
	Wait     float64 `json:"wait_seconds"`     // in barriers
}

// Seconds is the time of the step.
func (s Step) Seconds() float64 { return s.Compute + s.Exchange + s.Wait }

// Received is what comes in by all links.
func (s Step) Received() (bytes float64) {
	for _, l := range s.Links {
		bytes += l.Received
	}
	return bytes
}

// Sent is what goes out by all links.
func (s Step) Sent() (bytes float64) {
	for _, l := range s.Links {
		bytes += l.Sent
	}
	return bytes
}

func sharingError(ranks, scale int) error {
	return fmt.Errorf("model: %d ranks cannot share a graph of scale %d: choose 1 to 2^%d", ranks, scale, scale)
}

// Predict is what a search of a graph costs.
func Predict(g *Graph, ranks int, p Profile, form Form) (*Prediction, error) {
	if ranks < 1 || float64(ranks) > g.Labels {
		return nil, sharingError(ranks, g.Scale)
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	l := layout{g: g, mean: g.shared, form: form, ranks: float64(ranks), host: float64(min(ranks, p.Host.Ranks))}
	if ranks == 1 {
		l.mean = g.alone
	}
	if l.ranks > l.host && form != Bins && form != Grid { // these send labels beside vertices
		l.labels = g.labelsAsked(ranks)
	}
	if form == Gaps && l.ranks > l.host {
		l.messages = g.messages(ranks)
	} else if form == Questions && l.ranks > l.host {
		l.asked = g.askedBy(ranks, int(l.host))
	} else if form == Gaps || form == Questions {
		l.form = Bitmap // peers write words
	}
	if form != Hubs {
		m := predict(l, p)
		m.Form = form
		m.Limits = m.limits()
		return m, nil
	}
	// As many classes of hubs as make the search shortest: more make longer bitmaps and shorter bins.
	var best *Prediction
	for classes := 1; classes <= g.Scale+1; classes++ {
		l.top = g.Prefix(classes)
		if m := predict(l, p); best == nil || m.Total.Seconds() < best.Total.Seconds() {
			best = m
		}
	}
	return best, nil
}

// predict is Predict for one layout.
func predict(l layout, p Profile) *Prediction {
	m := &Prediction{Graph: l.g, Ranks: int(l.ranks), Form: l.form, Profile: p, Total: Step{Name: "search", Times: 1}}
	m.Hosts = (m.Ranks + p.Host.Ranks - 1) / p.Host.Ranks
	if l.form == Hubs {
		m.Hubs = &l.top
	}
	for at := range steps {
		s := m.step(l, at)
		m.Steps = append(m.Steps, s)
		m.Total.Compute += s.Compute
		m.Total.Inside += s.Inside
		m.Total.Between += s.Between
		m.Total.Exchange += s.Exchange
		m.Total.Wait += s.Wait
		m.Overlap += min(s.Compute, s.Exchange)
		m.Total.Links = addLinks(m.Total.Links, s.Links)
	}
	m.TEPS = l.g.Tuples / m.Total.Seconds()
	m.Arrays = arrays(l)
	m.Limits = m.limits()
	return m
}

// step predicts one step.
func (m *Prediction) step(l layout, at int) Step {
	v, level := l.volumeOf(at), l.mean.levels[at]
	step := Step{Name: steps[at].name, Times: level.times, Frontier: level.frontier * l.g.Core,
		Edges: level.edges * l.g.CoreEnds}

	switch {
	case at == pushStep:
		step.Compute = m.push(l)
	case l.oneHost() && at >= thirdLevel && at <= labelOrder:
		step.Compute = m.beside(l, at)
	default:
		step.Compute = m.alone(l, at)
	}
	step.Compute += m.Profile.Steps.Pairs * m.slower(l) * v.edges * 1e-12

	move := m.divide(l, v)
	step.Links = move.links()
	step.Inside, step.Between = move.inside(m.Profile), move.between(m.Profile)
	step.Exchange = step.Inside + step.Between
	if at < labelOrder {
		step.Wait = m.barriers(l, at)
	}
	return step
}

// alone is the work of a step that has the GPU for itself.
func (m *Prediction) alone(l layout, at int) float64 {
	s, cost := steps[at], m.Profile.Steps.list()[at]
	units := l.units(at)
	if s.probes {
		units *= m.slower(l)
	}
	return l.mean.levels[at].times * (cost.Floor*1e-6 + cost.Each*units*1e-12)
}

// push is the work of the last top-down step: by segments on one rank, and else edge by edge or by bitmap. A replicated
// frontier is all on each rank.
func (m *Prediction) push(l layout) float64 {
	levels, whole := l.whole(pushStep)
	cost, edges := m.Profile.Steps.Push, l.mean.levels[pushStep].edges*l.g.CoreEnds
	ps := cost.Each * edges
	if l.ranks > 1 {
		ps = (m.Profile.Host.WholeEach*whole + m.Profile.Steps.Shared*(1-whole)/l.ranks) * edges
	}
	return (cost.Floor+levels*m.Profile.Host.Whole)*1e-6 + ps*m.slower(l)*1e-12
}

// beside is the work of the steps that overlap. The third and later levels have a quarter of the multiprocessors, and
// label order the others; what it has not done when they have ended it does alone. m.Steps has the steps before.
func (m *Prediction) beside(l layout, at int) float64 {
	times, costs := l.mean.levels[at].times, m.Profile.Beside
	switch at {
	case thirdLevel:
		return times * (costs.ThirdLevel.Floor*1e-6 + costs.ThirdLevel.Each*l.units(at)*1e-12)
	case laterLevels:
		return times * (costs.LaterLevels.Floor*1e-6 + costs.LaterLevels.Each*l.units(at)*1e-12)
	}
	left := costs.Delay*1e-6 + m.alone(l, labelOrder)
	for _, done := range m.Steps[thirdLevel:labelOrder] {
		left -= done.Seconds()
	}
	return max(left, costs.Least*1e-6)
}

// units is how much of what a step handles one rank has.
func (l layout) units(at int) float64 {
	switch s := steps[at]; {
	case l.form == Bins && s.bottomUp:
		return 0 // its edges are counted by the exchange
	case s.unit == perEdge:
		return l.mean.levels[at].edges * l.g.CoreEnds / l.ranks
	case s.unit == perLabelBytes:
		return (relabelledBytes*l.g.Vertices + resultBytes*l.g.Labels) / l.ranks
	}
	return l.g.Core / l.ranks
}

// slower is how much longer looks at random bits take than in the measured runs, whose bitmaps lay in the cache. Hubs'
// bits lie together and stay there; what leads elsewhere goes to memory. A first neighbour is more often a hub than the
// far end of any edge, so the truth is lower.
func (m *Prediction) slower(l layout) float64 {
	cached := m.Profile.GPU.CacheMB * 8e6
	if l.bits() <= cached {
		return 1
	}
	in := l.g.Covered(cached)
	return in + (1-in)*m.Profile.GPU.Cached/m.Profile.GPU.Uncached
}

// asking is what it takes to ask and answer at all, in us: two sums of all ranks, of the questions and of what was
// found; two messages to other hosts; and five exchanges inside a host, to put questions together, to collect answers
// at the gates and to deal out both.
func (m *Prediction) asking() float64 {
	host, net := m.Profile.Host, m.Profile.Network
	return 2*2*math.Ceil(math.Log2(float64(m.Hosts)))*net.Latency + 2*net.Latency + (2+5)*host.Barrier
}

// barriers is the time of the barriers of a step, which carry its sums: one of each level, two of the last top-down
// one, and one before the first bottom-up one unless bitmaps have gone round. Levels whose frontier is replicated have
// none, nor has the sweep after them. Levels with pairs take some time to send them and to take them in, however few
// there are. Between hosts, sums go up and down a binary tree, and the host launches each level and waits for it.
func (m *Prediction) barriers(l layout, at int) float64 {
	s, times := steps[at], l.mean.levels[at].times
	if m.Ranks == 1 {
		return 0
	}
	host, net := m.Profile.Host, m.Profile.Network
	if at == earlyStep && l.oneHost() {
		return (times*host.Whole + host.WholeStart) * 1e-6
	}
	whole, _ := l.whole(pushStep)
	count, level := 1.0, 0.0
	switch {
	case at == pushStep:
		count = 2 * (1 - whole)
	case at == firstSweep && !l.bitmapPush():
		count = 2 - whole
	}
	switch {
	case s.listed:
		level += host.TakeIn.Floor
	case at == earlyStep:
		level += host.Bins + host.TakeIn.Floor
	case !s.bottomUp && !l.bitmapPush():
		level += (1 - whole) * (host.Bins + host.TakeIn.Floor)
	}
	if min(m.Ranks, host.Ranks) > 1 {
		level += count * host.Barrier
	}
	if m.Hosts > 1 {
		level += count*2*math.Ceil(math.Log2(float64(m.Hosts)))*net.Latency + net.Drive
	}
	if l.form == Questions && s.bottomUp {
		level += m.asking()
	}
	us := times * level
	if at == earlyStep {
		us += host.Start
	}
	return us * 1e-6
}
