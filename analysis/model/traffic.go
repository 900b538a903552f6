package model

import (
	"math"

	"g500/bfs"
)

// The forms in which ranks tell each other something, and the tiers by which it goes.
const (
	BitsForm   = "bits"   // of the visited bitmap: words, or new bits as gaps
	PairsForm  = "pairs"  // vertices and their parents, for the owners
	LabelsForm = "labels" // questions for labels of parents, and answers

	InsideTier  = "inside"  // between ranks of a host
	BetweenTier = "between" // between ranks of different hosts
)

// Sent is what all ranks together send in a level of the mean search, in one form by one tier. The level after the last
// one is the relabelling: that of the gather that leaves need, and of labels.
type Sent struct {
	Level       int
	Relabelling bool
	Form, Tier  string
	Bytes       float64
	Messages    float64 // that are not empty
}

// Cluster is so many ranks with equally many on each host, and how they choose what to send.
type Cluster struct {
	Ranks, OnHost int
	Bounds        bfs.Bounds
}

// Traffic is what the ranks of the CPU engine send each other in the mean search, with one worker each. It follows from
// the graph's probabilities and the formats of messages; nothing is fitted.
func Traffic(g *Graph, c Cluster) []Sent {
	x := newExchange(g, c)
	for _, w := range g.waves {
		x.search(w)
	}
	return x.mean(len(g.waves))
}

// exchange adds up what ranks send.
type exchange struct {
	g      *Graph
	bounds bfs.Bounds
	hosts  hosts

	ranks       float64
	leaves      float64   // share of the leaves that are in the core, on ranks whose core is shorter than the longest
	core, ends  float64   // vertices in the core, leaves among them, and edges that leave them
	order       []stretch // the core, by falling degree
	first       []float64 // hub ids of a rank before those of each class, and all
	places      []place
	coreDegrees []float64 // of an edge that leaves each class, the chance that it leads to the core

	stride  float64 // hub ids of a rank, in whole words
	tiers   bool    // whether bits go in two tiers
	hubs    float64 // hub ids of a rank that are told; all but where ranks ask each other
	told    []float64
	allTold []float64 // what was missed when ranks told last: of the hubs; of all others

	level       int
	relabelling bool
	late        []parents // whose labels are asked for, level by level
	questions   float64   // that were asked, of all searches; those of two ranks about one vertex are two
	sent        []Sent
}

func newExchange(g *Graph, c Cluster) *exchange {
	x := &exchange{g: g, bounds: c.Bounds, ranks: float64(c.Ranks), hosts: newHosts(c.Ranks, min(c.OnHost, c.Ranks))}
	longest := g.longestCore(x.ranks)
	x.stride = 64 * max(math.Ceil(longest/64), 1)
	x.hubs = x.stride
	incoming := x.hosts.each * (x.ranks - x.hosts.each) * x.stride / 8
	x.tiers = x.hosts.n > 1 && incoming >= float64(c.Bounds.TiersFrom)
	if x.tiers && incoming >= float64(c.Bounds.QueriesFrom) {
		x.hubs = float64(c.Bounds.ReplicatedIDs(int(x.stride), int(x.hosts.n)))
	}
	x.leaves = min((longest*x.ranks-g.Core)/(g.Vertices-g.Core), 1)
	x.order = g.hubOrder(x.leaves * (g.Vertices - g.Core))
	if x.hubs < x.stride {
		tellFirst(x.order, x.hubs*x.ranks)
	}
	x.core = g.Core + x.leaves*(g.Vertices-g.Core)
	before := 0.0
	for k, class := range g.classes {
		x.first = append(x.first, before/x.ranks)
		before += class.core()
		core, all := 0.0, 0.0
		for j, edges := range g.between[k] {
			core += edges * x.inCore(j)
			all += edges
		}
		x.coreDegrees = append(x.coreDegrees, core/all)
		x.ends += core * x.inCore(k)
	}
	x.first = append(x.first, before/x.ranks)
	x.places = placesOf(x.first)
	return x
}

// inCore is the share of a class' vertices with a given edge that are in the core.
func (x *exchange) inCore(class int) float64 {
	others := x.g.classes[class].others()
	return others + x.leaves*(1-others)
}

// frontier is how many vertices of each class a frontier has, leaves only where they are in the core.
func (x *exchange) frontier(l waveLevel) []float64 {
	core := clone(l.core)
	for k := range core {
		core[k] += x.leaves * (l.vertices[k] - core[k])
	}
	return core
}

// start forgets the last search.
func (x *exchange) start() {
	x.level, x.relabelling, x.late = 0, false, nil
	x.told, x.allTold = make([]float64, len(x.g.classes)), make([]float64, len(x.g.classes))
}

// search adds one search, level by level as bfs/hybrid.go has them.
func (x *exchange) search(w wave) {
	x.start()
	pulling, pushed, left, edges := false, false, x.ends, 0.0
	for t, l := range w.levels {
		frontier := sum(x.frontier(l))
		if frontier < 0.5 {
			break
		}
		switch {
		case !pulling && edges*bfs.Alpha > left && frontier > 1:
			pulling = true
			x.gather(l.missed)
		case pulling && frontier*bfs.Beta < x.core:
			pulling = false
		}
		if pulling {
			x.late = append(x.late, x.pulled(l))
			x.pull(w, t, pushed)
			pushed, edges = false, 0
		} else {
			x.push(w, t, pushed || t == 0, max(edges, frontier))
			pushed = true
			left -= x.edges(w, t)
			if t+1 < len(w.levels) {
				edges = x.edges(w, t+1)
				x.late = append(x.late, x.pushed(w, t))
			}
		}
		x.level++
	}
	x.relabelling, x.level = true, 0
	if last := w.levels[len(w.levels)-1]; !pulling {
		x.gather(last.after())
	}
	x.answerLeaves()
	x.labels()
}

// edges is how many directed edges of the core leave a frontier.
func (x *exchange) edges(w wave, t int) (edges float64) {
	l := w.levels[t]
	for k, found := range x.frontier(l) {
		if found > 0 {
			edges += found * x.g.degreeOf(w, t, k) * x.coreDegrees[k]
		}
	}
	return edges
}

// degreeOf is the mean number of neighbours of a class' vertices in a frontier. Those with many are found first: of
// vertices whose neighbours are each in the frontiers so far with a probability q, those that are missed have (1-q) of
// the neighbours of all.
func (g *Graph) degreeOf(w wave, t, k int) float64 {
	c := g.classes[k]
	mean := c.edges / c.labels
	if t == 0 {
		return mean / -math.Expm1(-c.all)
	}
	from, to := w.levels[t-1].missed[k], w.levels[t].missed[k]
	chance := math.Exp(-from) * -math.Expm1(from-to)
	if chance <= 0 {
		return mean
	}
	ends := (1-from/c.all)*math.Exp(-from) - (1-to/c.all)*math.Exp(-to)
	return max(mean*ends/chance, 1)
}

// add adds bytes and messages of all ranks.
func (x *exchange) add(form, tier string, bytes, messages float64) {
	if messages <= 0 {
		return
	}
	for i, s := range x.sent {
		if s.Level == x.level && s.Relabelling == x.relabelling && s.Form == form && s.Tier == tier {
			x.sent[i].Bytes += bytes
			x.sent[i].Messages += messages
			return
		}
	}
	x.sent = append(x.sent, Sent{x.level, x.relabelling, form, tier, bytes, messages})
}

// mean divides what was added by a number of searches.
func (x *exchange) mean(searches int) []Sent {
	for i := range x.sent {
		x.sent[i].Bytes /= float64(searches)
		x.sent[i].Messages /= float64(searches)
	}
	return x.sent
}
