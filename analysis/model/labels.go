package model

import "math"

// parents are those of the vertices that a level finds whose labels their ranks have to ask for, by class: how many
// ask, and how many parents there are to ask for.
type parents struct{ asking, vertices []float64 }

// labels is what the relabelling sends: a parent's hub id to its owner, and its place among the owner's labels back.
func (x *exchange) labels() {
	place := 0.0
	for reach, n := 1.0, x.g.Labels/x.ranks; reach < n; reach *= 128 {
		place += min((n-reach)/n, 1)
	}
	labels, questions, unasked := 0.0, 0.0, 0.0 // the last: ln of the share of pairs of ranks without a question
	for _, p := range x.late {
		for k, asking := range p.asking {
			if asking == 0 || p.vertices[k] == 0 {
				continue
			}
			labels += asking
			questions += asking * x.idBytes(k, 128)
			unasked += p.vertices[k] * math.Log1p(math.Expm1(-asking/(p.vertices[k]*x.ranks))/x.ranks)
		}
	}
	chance := -math.Expm1(unasked)
	for _, bytes := range []float64{questions, labels * place} {
		x.exchangeLabels(labels, messages{1, chance, bytes / (x.ranks * x.ranks * max(chance, 1e-12))})
	}
}

// exchangeLabels brings messages of so many labels from rank to rank, or from host to host: those for the ranks of a
// host behind each other, each with its length.
func (x *exchange) exchangeLabels(labels float64, m messages) {
	mean := labels / x.ranks
	most := mean + math.Sqrt(mean)*highest(x.ranks)
	if !x.narrow() || !x.bounds.ItemsToHosts(int64(most*x.ranks), int64(x.ranks)) {
		x.toRanks(LabelsForm, m)
		return
	}
	together := messages{1, some(m.chance, x.hosts.each), 0}
	together.bytes = x.hosts.each * (1 + m.each()/together.chance)
	x.toHosts(LabelsForm, together, together.each())
}

// pushed are the parents of all that a frontier finds top-down.
func (x *exchange) pushed(w wave, t int) parents {
	frontier := x.frontier(w.levels[t])
	asking := make([]float64, len(frontier))
	for k, vertices := range frontier {
		if vertices > 0 {
			asking[k] = vertices * x.g.degreeOf(w, t, k)
		}
	}
	found := sum(x.frontier(w.levels[t+1])) / max(sum(asking), 1e-9)
	for k := range asking {
		asking[k] *= found
	}
	return parents{asking, frontier}
}

// pulled are the parents of those vertices of the core that a bottom-up level finds by another neighbour than their
// first. How many neighbours a vertex has in each class that no frontier had before follows from the classes; each is
// in this frontier by the share of its class. The parent is the one there with the lowest hub id.
func (x *exchange) pulled(l waveLevel) parents {
	n := len(x.g.classes)
	p := parents{make([]float64, n), x.frontier(l)}
	left, there := make([]float64, n), make([]float64, n) // shares of a class: in no earlier frontier, and in this one
	for j, c := range x.g.classes {
		left[j] = max(c.labels-l.visited[j]+l.vertices[j], 0) / c.labels
		there[j] = min(l.vertices[j]/c.labels, left[j])
	}
	for i, c := range x.g.classes {
		rates, missed := x.rates(i), c.labels*math.Exp(-l.missed[i])
		none, nobody := 1.0, 1.0 // probabilities of no neighbour so far, and of none in the frontier
		for _, place := range x.places {
			all, found := 0.0, 0.0
			for _, m := range place {
				all += rates[m.class] * left[m.class] * m.share
				found += rates[m.class] * there[m.class] * m.share
			}
			if found == 0 {
				none *= math.Exp(-all)
				continue
			}
			first := none * -math.Expm1(-all) * found / all
			late := max(nobody*-math.Expm1(-found)-first, 0)
			for _, m := range place {
				p.asking[m.class] += missed * late * rates[m.class] * there[m.class] * m.share / found
			}
			none, nobody = none*math.Exp(-all), nobody*math.Exp(-found)
		}
	}
	return p
}

// place is vertices in the hub order of which any may come first: those of all ranks that share a hub id, or of one
// class. It has a share of each of these classes.
type place []struct {
	class int
	share float64
}

// placesOf divides the hub order, given the hub ids of a rank before each class.
func placesOf(first []float64) (all []place) {
	var open place // the last place, whose hub id the next class may share
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

// rates is how many neighbours a vertex of a class has in each class.
func (x *exchange) rates(class int) []float64 {
	rates := make([]float64, len(x.g.classes))
	for j, p := range x.g.joined[class] {
		rates[j] = -x.g.classes[j].labels * math.Log1p(-min(p, 1-1e-9))
	}
	return rates
}
