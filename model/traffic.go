package model

import "math"

// The forms in which ranks tell each other something, and the tiers by which it goes.
const (
	WordsForm  = "words"  // all words of a part of the bitmap
	GapsForm   = "gaps"   // its new bits, as gaps
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

// Cluster is so many ranks with equally many on each host, and what an all-gather has to bring to a host, in bytes, for
// ranks to go in two tiers (ADR 23).
type Cluster struct {
	Ranks, OnHost int
	TiersFrom     float64
}

// DefaultTiersFrom is the program's (bfs/gather.go).
const DefaultTiersFrom = 1 << 20

// The direction rule of the engine on CPUs (bfs/direction.go).
const (
	hostAlpha = 30
	hostBeta  = 64
)

// Traffic is what the ranks of the CPU engine send each other in the mean search, with one worker each. It follows from
// the graph's probabilities and the formats of messages; nothing is fitted.
func Traffic(g *Graph, c Cluster) []Sent {
	x := newExchange(g, c)
	for _, w := range g.waves {
		x.search(w)
	}
	for i := range x.sent {
		x.sent[i].Bytes /= float64(len(g.waves))
		x.sent[i].Messages /= float64(len(g.waves))
	}
	return x.sent
}

// exchange adds up what ranks send.
type exchange struct {
	g            *Graph
	ranks, host  float64
	leaves       float64   // share of the leaves that are in the core, on ranks whose core is shorter than the longest
	core, ends   float64   // vertices in the core, leaves among them, and edges that leave them
	words        float64   // bytes of a rank's part of the bitmap
	tiers        bool      // whether ranks go in two tiers
	order        []stretch // the core, by falling degree
	first        []float64 // hub ids of a rank before those of each class
	level        int
	relabelling  bool
	told         []float64 // what was missed when ranks told last what they have
	asked        []group   // vertices whose parents' labels are asked for
	sent         []Sent
	coreDegrees  []float64 // of an edge that leaves each class, the chance that it leads to the core
	shareBetween float64   // of what goes to a rank drawn at random, for other hosts
	shareInside  float64   // the same, for other ranks of the host
}

// group is vertices whose parents are of so many, and the mean length of a parent's hub id.
type group struct{ vertices, parents, idBytes float64 }

func newExchange(g *Graph, c Cluster) *exchange {
	x := &exchange{g: g, ranks: float64(c.Ranks), host: float64(min(c.OnHost, c.Ranks))}
	longest := g.longestCore(x.ranks)
	x.words = 8 * max(math.Ceil(longest/64), 1)
	x.tiers = x.ranks > x.host && x.host*(x.ranks-x.host)*x.words >= c.TiersFrom
	x.leaves = min((longest*x.ranks-g.Core)/(g.Vertices-g.Core), 1)
	x.order = g.hubOrder(x.leaves * (g.Vertices - g.Core))
	x.core = g.Core + x.leaves*(g.Vertices-g.Core)
	x.shareBetween = 1 - x.host/x.ranks
	x.shareInside = (x.host - 1) / x.ranks
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

// search adds one search, level by level as bfs/hybrid.go has them.
func (x *exchange) search(w wave) {
	x.level, x.relabelling, x.asked = 0, false, nil
	x.told = make([]float64, len(x.g.classes))
	pulling, left, edges := false, x.ends, 0.0
	for t, l := range w.levels {
		frontier := sum(x.frontier(l))
		if frontier < 0.5 {
			break
		}
		switch {
		case !pulling && edges*hostAlpha > left && frontier > 1:
			pulling = true
			x.gather(l.missed)
		case pulling && frontier*hostBeta < x.core:
			pulling = false
		}
		if pulling {
			x.asked = append(x.asked, x.pulled(l))
			x.gather(l.after())
		} else {
			x.push(w, t)
			left -= x.edges(w, t)
			if t+1 < len(w.levels) {
				edges = x.edges(w, t+1)
				x.asked = append(x.asked, x.pushed(w, t))
			}
		}
		x.level++
	}
	x.relabelling, x.level = true, 0
	if last := w.levels[len(w.levels)-1]; !pulling {
		x.gather(last.after())
	}
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

// gather has all ranks tell what is new since they told last.
func (x *exchange) gather(now []float64) {
	form, bytes := x.message(now)
	if !x.tiers {
		x.add(WordsForm, InsideTier, x.ranks*(x.host-1)*x.words, x.ranks*(x.host-1))
		x.add(WordsForm, BetweenTier, x.ranks*(x.ranks-x.host)*x.words, x.ranks*(x.ranks-x.host))
		return
	}
	hosts := x.ranks / x.host
	x.add(form, BetweenTier, x.ranks*(hosts-1)*bytes, x.ranks*(hosts-1))
	bundle := hosts * (varint(bytes) + bytes)
	x.add(form, InsideTier, x.ranks*(x.host-1)*bundle, x.ranks*(x.host-1))
}

// message is what a rank tells in two tiers of what is new since it told last: in which form, in how many bytes.
func (x *exchange) message(now []float64) (form string, bytes float64) {
	runs := make([]run, len(x.order))
	for i, s := range x.order {
		runs[i] = run{s.vertices() / x.ranks, s.found(x.g, x.told, now)}
	}
	x.told = clone(now)
	if bytes = 1 + gapBytes(runs); bytes < 1+x.words {
		return GapsForm, bytes
	}
	return WordsForm, 1 + x.words
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

// varint is the length of a number as a varint.
func varint(n float64) float64 {
	bytes := 1.0
	for ; n >= 128; n /= 128 {
		bytes++
	}
	return bytes
}
