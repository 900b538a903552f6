package csr

import (
	"g500/comm"
	"g500/graph"
)

// Labels finds the labels of positions, which only their owners know.
type Labels struct {
	g         *Graph
	t         comm.Transport
	questions [][]Hub
	answers   [][]graph.Local
}

// NewLabels makes a Labels; its buffers are kept from one Resolve to the next.
func NewLabels(g *Graph, t comm.Transport) *Labels {
	return &Labels{g, t, make([][]Hub, t.Size()), make([][]graph.Local, t.Size())}
}

// Resolve calls set with the label of each position. It is collective; positions may be empty. Among one rank
// nothing is sent.
func (q *Labels) Resolve(positions []Pos, set func(i int, label graph.Global)) error {
	if q.t.Size() == 1 {
		for i, p := range positions {
			_, h := q.g.Owner(p)
			set(i, q.g.Label(h))
		}
		return nil
	}
	for r := range q.questions {
		q.questions[r] = q.questions[r][:0]
	}
	for _, p := range positions {
		r, h := q.g.Owner(p)
		q.questions[r] = append(q.questions[r], h)
	}
	asked, err := comm.Exchange(q.t, q.questions)
	if err != nil {
		return err
	}
	for r, hubs := range asked {
		q.answers[r] = q.answers[r][:0]
		for _, h := range hubs {
			q.answers[r] = append(q.answers[r], q.g.LocalOf[h])
		}
	}
	locals, err := comm.Exchange(q.t, q.answers)
	if err != nil {
		return err
	}
	for i, p := range positions {
		r, _ := q.g.Owner(p)
		set(i, q.g.Layout.Global(r, locals[r][0]))
		locals[r] = locals[r][1:]
	}
	return nil
}
