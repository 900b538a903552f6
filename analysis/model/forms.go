package model

import (
	"fmt"
	"math"

	"g500/bfs"
)

// Form is the way in which ranks tell each other what a level found.
type Form string

const (
	// Bitmap is what the engine on GPUs does: vertices are owned 1-D, every rank holds the visited bitmap of the core, and
	// sends its part of it to all others after each bottom-up level; to other hosts once to each, where host memory has it
	// for all GPUs (ADR 28). Lists of changed words, which the engine has too, are longer in the mean search: each sweep
	// changes more than a quarter of the words.
	Bitmap Form = "bitmap"
	// Gaps is what the engine on CPUs does with small graphs (ADR 23): a rank tells what is new of its part, as the
	// gaps between the new bits or as words, whichever is shorter, once to each host, and there it goes on to the
	// peers.
	Gaps Form = "gaps"
	// Questions is what the engine on CPUs does with large graphs (ADR 28): gaps for the bits of the first hub ids of each
	// rank, and questions about the other neighbours that vertices need.
	Questions Form = "questions"
	// Hubs has bitmaps of the hubs only, as words in two tiers, for bottom-up; a vertex that is no hub is pushed, with its
	// parent, to those of its neighbours that are none either (Pan, Pearce and Owens, 2018, arXiv 1803.03922).
	// Pairs go in two tiers too: for each other host a rank has one message.
	Hubs Form = "hubs"
	// Grid is 2-D (Beamer, Buluc et al., 2013): ranks form a square, and each holds the edges from one block of vertices
	// to another, whose bits are all that it needs. The ranks of a host share a block.
	Grid Form = "grid"
	// Bins is 1-D without others' bitmaps: all levels are top-down, and a rank sends a vertex that it comes upon for the
	// first time to the owner.
	Bins Form = "bins"
)

// Forms are all of them.
var Forms = []Form{Bitmap, Gaps, Questions, Hubs, Grid, Bins}

// Exists says whether the engine on GPUs has the form; the others are what could be built.
func (f Form) Exists() bool { return f == Bitmap || f == Bins }

// ParseForm reads a form's name.
func ParseForm(name string) (Form, error) {
	for _, f := range Forms {
		if name == string(f) {
			return f, nil
		}
	}
	return "", fmt.Errorf("model: there is no exchange %q: choose bitmap, gaps, questions, hubs, grid or bins", name)
}

const pairBytes = 8 // an entry of a bin: a vertex and its parent's label

// A frontier of at most wholeEdges, or as many edges as each peer has vertices, is replicated: each peer expands all of
// it. One with more edges than the others say is pushed through a bitmap. The numbers are those of the default policy
// (bfs/policy.toml).
const (
	wholeEdges  = 1 << 24
	bitmapEdges = 4000000 // of a rank among several
	bitmapShare = 4       // and of all ranks, in so many parts of the vertices
)

// layout is how a form divides a graph among ranks.
type layout struct {
	g     *Graph
	mean  *means
	form  Form
	ranks float64
	host  float64 // ranks on each host
	top   Prefix  // the hubs, where the form has them

	messages [stepCount]float64 // of the form with gaps: bytes of a rank's message
	asked    *asked             // of the form with questions
	labels   float64            // of parents, that a rank asks others for
}

// oneHost says whether all ranks are peers, or there is one. Then label order begins beside the third level, and peers
// replicate small frontiers. All forms are taken to do so, as the hosts they differ in are one; but not the bins, which
// have no sweeps that leave a list. Where hosts are several, steps follow one another, and small levels have pairs.
func (l layout) oneHost() bool { return l.ranks <= l.host && l.form != Bins }

// wholeEdges is the largest number of edges of a frontier that is replicated.
func (l layout) wholeEdges() float64 { return max(wholeEdges, l.g.Vertices/l.ranks) }

// bitmapPush says whether large top-down levels are pushed through a bitmap, as those of peers are. The edges are the
// mean of those that are not replicated.
func (l layout) bitmapPush() bool {
	searches, share := l.mean.small(l.wholeEdges())
	if searches == 1 || l.ranks == 1 {
		return false
	}
	edges := (1 - share) / (1 - searches) * l.mean.levels[pushStep].edges * l.g.CoreEnds
	return l.oneHost() && edges/l.ranks > bitmapEdges && edges*bitmapShare > l.g.Core
}

// whole is the shares of a top-down step's levels and of its edges whose frontier is replicated.
func (l layout) whole(at int) (levels, edges float64) {
	switch {
	case l.ranks == 1 || !l.oneHost() || at > pushStep:
		return 0, 0
	case at == earlyStep:
		return 1, 1
	}
	return l.mean.small(l.wholeEdges())
}

// volume is what a rank receives in a step from all others together, each of which brings as much; it sends as much.
type volume struct {
	words    float64 // bytes of bitmaps
	shared   float64 // bytes of bitmaps that all ranks of a host need: they cross the network once
	changed  float64 // the share of words that peers write
	marked   float64 // bytes of bitmaps for the owners, and of what they made of them; peers only
	pairs    float64 // bytes of bins
	rows     float64 // bytes of columns that are read in place; peers only
	messages float64 // from each rank of another host
	edges    float64 // that the rank looks at to fill bins, beside the step's own work
	asked    exchanged
}

// bits is the number of bits that a rank looks at at random.
func (l layout) bits() float64 {
	switch l.form {
	case Hubs:
		return l.top.Vertices
	case Questions:
		return l.asked.bits
	case Grid:
		return l.g.Core / math.Sqrt(l.ranks)
	}
	return l.g.Core
}

// claiming is the share of the ranks that come upon a vertex to which as many edges lead.
func (l layout) claiming(edges float64) float64 { return 1 - math.Pow(others(l.ranks), edges) }

// others is the share of what is spread evenly over n parts that lies on parts other than one's own.
func others(n float64) float64 { return 1 - 1/n }

// volumeOf is what a step moves.
func (l layout) volumeOf(at int) volume {
	switch s := steps[at]; {
	case at == labelOrder:
		return l.relabelled()
	case at == rest:
		return volume{}
	case l.form == Questions && s.bottomUp:
		return volume{edges: l.asked.steps[at].questions, asked: l.asked.steps[at]}
	case l.form == Bins:
		return l.binned(at)
	case !s.bottomUp:
		return l.pushed(at)
	case s.listed && l.form == Gaps:
		v := l.addWords(volume{}, at)
		v.changed = 1
		v.shared *= l.mean.levels[at].times
		v.messages *= l.mean.levels[at].times
		return v
	case s.listed:
		return l.published(at)
	}
	return l.swept(at)
}

// labelBytes are those of a question for a label, and of the answer.
const labelBytes = 8

// relabelled is what label order needs of other hosts: labels of parents, from rank to rank as the engine on GPUs asks
// for them, or by the rule of that on CPUs; and of neighbours of leaves whether they are visited.
func (l layout) relabelled() (v volume) {
	if l.labels > 0 {
		apart := l.ranks - l.host
		v.asked = exchanged{between: 2 * labelBytes * l.labels * apart / l.ranks, messages: 2 * apart}
		if l.form != Bitmap && bfs.DefaultBounds().ItemsToHosts(int64(l.labels*l.ranks), int64(l.ranks)) {
			v.asked.messages /= l.host
		}
	}
	if l.form == Questions {
		v.asked = v.asked.and(l.asked.steps[labelOrder])
	}
	return v
}

// addWords adds the bits of all vertices that a rank needs from the others.
func (l layout) addWords(v volume, at int) volume {
	v.changed = steps[at].changed
	switch l.form {
	case Bitmap:
		if l.ranks > l.host {
			v.shared, v.changed = l.bits()/8*others(l.ranks), 1
			v.messages += 1 / l.host
			break
		}
		v.words = l.bits() / 8 * others(l.ranks)
	case Questions:
		v.asked = l.asked.steps[at]
	case Gaps:
		v.shared, v.changed = l.messages[at]*l.ranks*others(l.ranks), 1
		v.messages += 1 / l.host
	case Hubs:
		v.shared = l.bits() / 8 * others(l.ranks)
		v.messages += 1 / l.host
	case Grid:
		v.shared = l.bits() / 8 * others(math.Sqrt(l.ranks))
		v.messages += 1 / math.Sqrt(l.ranks)
	}
	return v
}

// shortPairs is how many pairs there may be for each two ranks to go from host to host (gpu/bfs/host_exchange.go).
const shortPairs = 128

// perRank is how many messages with so many pairs, that a rank receives, there are for each rank of another host: one,
// or in two tiers one a host.
func (l layout) perRank(pairs float64) float64 {
	if l.form == Hubs || l.form != Bins && pairs <= shortPairs*l.ranks {
		return 1 / l.host
	}
	return 1
}

// columnBytes is what a rank reads of an edge whose row a peer has.
const columnBytes = 4

// pushed is a top-down step's: a pair from each rank that comes upon a new vertex, or a bitmap for each owner, and then
// what the owner has made of them. After the last before the first sweep, everybody needs everybody's bits. A
// replicated frontier needs the others' rows, and nothing else.
func (l layout) pushed(at int) volume {
	levels, edges := l.whole(at)
	s := l.mean.levels[at]
	pairs := s.found * l.g.Core * l.claiming(steps[at].claims) * others(l.ranks)
	v := volume{
		pairs:    pairBytes * s.times * pairs,
		messages: 2 * s.times * l.perRank(pairs), // how many, then the pairs
	}
	if at == pushStep {
		v = l.addWords(v, at)
		v.words, v.shared = v.words*(1-levels), v.shared*(1-levels)
		if l.bitmapPush() {
			v.pairs = 0
			v.marked = 2 * (1 - levels) * l.g.Core / 8 * others(l.ranks)
		}
	}
	if levels > 0 {
		v.pairs *= 1 - edges
		v.rows = columnBytes * edges * s.times * s.edges * l.g.CoreEnds * others(l.ranks)
	}
	return v
}

// swept is a bottom-up step's.
func (l layout) swept(at int) volume {
	v := l.addWords(volume{}, at)
	if l.form == Grid { // the bits found in the other block go round the ranks that share it
		v.words = v.shared
	}
	return l.addPairs(v, at)
}

// published is what a step sends that looks for the residual vertices: each one found goes to all that hold its bit.
func (l layout) published(at int) volume {
	s := l.mean.levels[at]
	pairs := s.found * l.bits() * others(l.ranks)
	v := volume{pairs: pairBytes * s.times * pairs, messages: s.times * l.perRank(pairs)}
	if l.form == Grid { // those of two blocks
		v.pairs *= 2
		v.messages *= 2 / math.Sqrt(l.ranks)
	}
	return l.addPairs(v, at)
}

// addPairs adds what a bottom-up step of some forms sends vertex by vertex.
func (l layout) addPairs(v volume, at int) volume {
	s := l.mean.levels[at]
	switch l.form {
	case Hubs: // an edge between two that are none is pushed once, when its vertex is in the frontier
		v.edges = s.times * s.frontier * l.top.Light * l.g.CoreEnds / l.ranks
		v.pairs += pairBytes * v.edges * others(l.ranks)
		v.messages += 2 * s.times * l.perRank(v.edges)
	case Grid: // parents go to the owners
		v.pairs += pairBytes * s.times * s.found * l.g.Core / l.ranks * others(math.Sqrt(l.ranks))
		v.messages += 2 * s.times / math.Sqrt(l.ranks)
	}
	return v
}

// binned is a step's in which every edge of the frontier is looked at. Of d edges that lead to a vertex, d/P leave
// vertices of one rank, which sends it once.
func (l layout) binned(at int) volume {
	s := l.mean.levels[at]
	pairs := 0.0
	for _, c := range l.g.classes {
		if c.vertices > 0 {
			pairs += c.vertices * (1 - math.Pow(others(l.ranks), c.edges/c.vertices))
		}
	}
	v := volume{pairs: pairBytes * s.times * s.frontier * pairs * others(l.ranks), messages: 2 * s.times}
	if steps[at].bottomUp {
		v.edges = s.times * s.frontier * l.g.CoreEnds / l.ranks
	}
	return v
}
