package formats

import (
	"context"
	"slices"

	"g500/internal/par"
)

// resources are what the making of a list may use.
type resources struct {
	ctx     context.Context
	workers int
	room    int64 // bytes of memory; 0 if unknown

	fit func(Size) error // refuses a graph of a size for which there is no memory
}

// pair is a tuple: an edge between two vertices, or from the first to the second in a directed graph.
type pair struct{ u, v uint32 }

// part is a run of tuples of a list. weights has one for each tuple, or is nil.
type part struct {
	pairs   []pair
	weights []float32
}

func (p *part) add(u, v uint32) { p.pairs = append(p.pairs, pair{u, v}) }

func (p *part) addWeighted(u, v uint32, w float32) {
	p.add(u, v)
	p.weights = append(p.weights, w)
}

// list is what generators and readers make: the tuples of a graph. How it is cut into parts does not depend on the
// number of workers.
type list struct {
	vertices   int64
	parts      []part
	undirected bool // a tuple means both directions, whatever the spec says
	skew       bool // the opposite direction of a tuple has the negative weight

	reading Reading
}

// tuples is the length of the list.
func (l *list) tuples() (n int64) {
	for i := range l.parts {
		n += int64(len(l.parts[i].pairs))
	}
	return n
}

// eachPart calls body for each part with the number of tuples before it, on several workers.
func (l *list) eachPart(workers int, body func(before int64, p *part)) {
	before := make([]int64, len(l.parts)+1)
	for i := range l.parts {
		before[i+1] = before[i] + int64(len(l.parts[i].pairs))
	}
	par.For(workers, len(l.parts), 1, func(_, i, _ int) { body(before[i], &l.parts[i]) })
}

// generated makes the parts of a list: body adds what items lo to hi-1 have, at most each tuples for an item on
// average. Of a context that has ended the error is its cause.
func generated(on resources, items int64, each float64, body func(lo, hi int64, p *part)) ([]part, error) {
	const grain = 1 << 15
	parts := make([]part, (items+grain-1)/grain)
	par.For(on.workers, len(parts), 1, func(_, i, _ int) {
		if on.ctx.Err() != nil {
			return
		}
		lo := int64(i) * grain
		hi := min(lo+grain, items)
		parts[i].pairs = make([]pair, 0, int(float64(hi-lo)*each))
		body(lo, hi, &parts[i])
	})
	return parts, context.Cause(on.ctx)
}

func (l *list) weighted() bool {
	return slices.ContainsFunc(l.parts, func(p part) bool { return p.weights != nil })
}
