package formats

// relabel gives the vertices of a list new numbers by a random permutation, where the options ask for it.
func relabel(l *list, o options, workers int) {
	if !o.shuffle {
		return
	}
	labels := newPermutation(uint64(l.vertices), newStream(o.seed, forLabels))
	l.eachPart(workers, func(_ int64, p *part) {
		for i, e := range p.pairs {
			p.pairs[i] = pair{uint32(labels.at(uint64(e.u))), uint32(labels.at(uint64(e.v)))}
		}
	})
}

// setWeights gives each tuple a weight drawn from [0, 1), takes the weights away, or leaves them, as the options say.
// Both directions of an edge have the same.
func setWeights(l *list, o options, workers int) {
	switch o.weights {
	case weightsUniform:
		draws := newStream(o.seed, forWeights)
		l.skew = false
		l.eachPart(workers, func(before int64, p *part) {
			p.weights = make([]float32, len(p.pairs))
			for i := range p.weights {
				p.weights[i] = draws.unit32(uint64(before) + uint64(i))
			}
		})
	case weightsNone:
		for i := range l.parts {
			l.parts[i].weights = nil
		}
	}
}
