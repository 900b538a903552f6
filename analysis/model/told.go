package model

import "math"

// gather has all ranks tell what is new since they told last, as far as it is told (bfs/gather.go).
func (x *exchange) gather(now []float64) {
	if !x.tiers {
		x.toRanks(BitsForm, messages{1, 1, x.stride / 8})
		x.told = clone(now)
		return
	}
	x.tell(now, x.hubs)
}

// tell has them tell what is new of their first hub ids.
func (x *exchange) tell(now []float64, ids float64) {
	m := x.message(now, ids)
	if ids/8 > float64(x.bounds.ShortMessage) {
		x.toAll(BitsForm, m)
	} else {
		x.toHosts(BitsForm, m, m.each())
	}
}

// message is what a rank tells in tiers of its first hub ids: nothing where nothing is new, gaps, or all words.
func (x *exchange) message(now []float64, ids float64) messages {
	var runs []run
	fresh := 0.0
	x.eachTold(ids, func(s stretch, told []float64, n float64) {
		r := run{n, s.found(x.g, told, now)}
		runs = append(runs, r)
		fresh += r.ids * r.chance
	})
	x.told = clone(now)
	if ids > x.hubs {
		x.allTold = clone(now)
	}
	some := -math.Expm1(-fresh)
	if gaps := some + gapBytes(runs); gaps < 1+ids/8 {
		return messages{some, 1, gaps / max(some, 1e-300)}
	}
	return messages{1, 1, 1 + ids/8}
}

// eachTold calls body with the parts of the hub order up to so many hub ids of a rank: what was missed when it told of
// them last, and how many of them it has.
func (x *exchange) eachTold(ids float64, body func(s stretch, told []float64, n float64)) {
	for _, s := range x.order {
		all := s.vertices() / x.ranks
		n := min(all, ids)
		ids -= n
		hubs := min(s.told*all, n)
		if hubs > 0 {
			body(s, x.told, hubs)
		}
		if n > hubs {
			body(s, x.allTold, n-hubs)
		}
	}
}
