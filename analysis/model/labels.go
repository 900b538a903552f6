package model

import "math"

// labelsQueried returns how many labels of parents a rank queries: of the parents that sweeps find, except first
// neighbours and the largest hubs, whose labels all ranks know. Pairs bring the other labels.
func (g *Graph) labelsQueried(ranks int) (labels float64) {
	first, before, n := []float64{}, 0.0, float64(ranks) // ids of a rank before each class, and ids of all ranks
	for _, class := range g.classes {
		first = append(first, before/n)
		before += class.inner()
	}
	first = append(first, before/n)
	places := placesOf(first)
	for i, s := range g.searches[:modelledSearches] {
		for at, t := range g.lateLevels(i, g.severalGPUs.pulls) {
			if at == pushStep {
				continue
			}
			for k, parents := range g.lateParents(s[t], places) {
				end, all := first[k+1]*n, (first[k+1]-first[k])*n
				labels += parents * min(max((end-mostKnownLabels)/max(all, 1e-9), 0), 1)
			}
		}
	}
	return labels / n / modelledSearches
}

// lateParents returns, by class, the parents of the non-leaf vertices that a bottom-up level finds by another neighbour
// than their first. The neighbours of a vertex in each class follow from the classes; each is in this frontier by its
// class's share. The parent is the one in the frontier with the lowest id.
func (g *Graph) lateParents(l drawnLevel, places []place) []float64 {
	n := len(g.classes)
	parents := make([]float64, n)
	left, there := make([]float64, n), make([]float64, n) // shares of a class: in no earlier frontier, and in this one
	for j, c := range g.classes {
		left[j] = max(c.labels-l.visited[j]+l.vertices[j], 0) / c.labels
		there[j] = min(l.vertices[j]/c.labels, left[j])
	}
	for i, c := range g.classes {
		rates, missed := g.rates(i), c.labels*math.Exp(-l.missed[i])
		noNeighbour, noParent := 1.0, 1.0 // probabilities: none in the places so far, and none in the frontier
		for _, place := range places {
			all, found := 0.0, 0.0
			for _, m := range place {
				all += rates[m.class] * left[m.class] * m.share
				found += rates[m.class] * there[m.class] * m.share
			}
			if found == 0 {
				noNeighbour *= math.Exp(-all)
				continue
			}
			first := noNeighbour * -math.Expm1(-all) * found / all
			late := max(noParent*-math.Expm1(-found)-first, 0)
			for _, m := range place {
				parents[m.class] += missed * late * rates[m.class] * there[m.class] * m.share / found
			}
			noNeighbour, noParent = noNeighbour*math.Exp(-all), noParent*math.Exp(-found)
		}
	}
	return parents
}

// place is vertices in degree order of which any may be first: vertices of all ranks with the same id, or of one class.
// It has a share of each of these classes.
type place []struct {
	class int
	share float64
}

// placesOf divides the degree order, given the ids of a rank before each class.
func placesOf(first []float64) (all []place) {
	var open place // the last place, whose id the next class may share
	add := func(class int, ids, of float64) {
		if ids > 0 {
			open = append(open, place{{class, ids / of}}...)
		}
	}
	next := func() {
		if len(open) > 0 {
			all, open = append(all, open), nil
		}
	}
	for k := range len(first) - 1 {
		from, to := first[k], first[k+1]
		begin, end := min(math.Ceil(from), to), max(math.Floor(to), math.Ceil(from))
		add(k, begin-from, to-from)
		if begin == to {
			continue
		}
		next()
		add(k, min(end, to)-begin, to-from)
		next()
		add(k, to-min(end, to), to-from)
	}
	next()
	return all
}

// rates returns the expected number of neighbours in each class of a vertex of a class.
func (g *Graph) rates(class int) []float64 {
	rates := make([]float64, len(g.classes))
	for j, p := range g.joined[class] {
		rates[j] = -g.classes[j].labels * math.Log1p(-min(p, 1-1e-9))
	}
	return rates
}
