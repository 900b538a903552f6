package csr

import (
	"encoding/binary"
	"errors"

	"g500/comm"
	"g500/graph"
)

// Labels resolves indices to labels, which only the owners have. Queries are ids and replies are local ids, both as
// varints.
type Labels[P Pos] struct {
	g        *Graph[P]
	t        comm.Transport
	Exchange func(send [][]byte) ([][]byte, error) // an AllToAll; by default the transport's
	queries  [][]byte
	replies  [][]byte
}

// NewLabels returns a Labels, which keeps its buffers between calls of Resolve.
func NewLabels[P Pos](g *Graph[P], t comm.Transport) *Labels[P] {
	return &Labels[P]{g, t, t.AllToAll, make([][]byte, t.Size()), make([][]byte, t.Size())}
}

// Resolve calls set with the label of each vertex, given by its index. It is collective; indices may be empty.
func (q *Labels[P]) Resolve(indices []P, set func(i int, label graph.Global)) error {
	if q.t.Size() == 1 {
		for i, p := range indices {
			_, h := q.g.Owner(p)
			set(i, q.g.Label(h))
		}
		return nil
	}
	for r := range q.queries {
		q.queries[r] = q.queries[r][:0]
	}
	for _, p := range indices {
		r, h := q.g.Owner(p)
		q.queries[r] = binary.AppendUvarint(q.queries[r], uint64(h))
	}
	queried, err := q.Exchange(q.queries)
	if err != nil {
		return err
	}
	for r, ids := range queried {
		if q.replies[r], err = q.reply(q.replies[r][:0], ids); err != nil {
			return err
		}
	}
	locals, err := q.Exchange(q.replies)
	if err != nil {
		return err
	}
	for i, p := range indices {
		r, _ := q.g.Owner(p)
		local, n := binary.Uvarint(locals[r])
		if n <= 0 {
			return errLabels
		}
		set(i, q.g.Layout.Global(r, graph.Local(local)))
		locals[r] = locals[r][n:]
	}
	return nil
}

var errLabels = errors.New("csr: a message about labels is damaged: ranks run different versions of g500")

// reply appends the local ids of owned vertices.
func (q *Labels[P]) reply(message, ids []byte) ([]byte, error) {
	for len(ids) > 0 {
		h, n := binary.Uvarint(ids)
		if n <= 0 || h >= uint64(len(q.g.LocalOf)) {
			return nil, errLabels
		}
		message = binary.AppendUvarint(message, uint64(q.g.LocalOf[h]))
		ids = ids[n:]
	}
	return message, nil
}
