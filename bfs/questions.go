package bfs

import (
	"encoding/binary"
	"errors"
	"slices"

	"g500/comm"
	"g500/graph/csr"
	"g500/internal/trace"
)

// questions are which vertices of others the ranks of a host want to know of: whether they are visited. The ranks of
// a host put theirs together, so that each is asked once, and know all of them, so that answers are bits and nothing
// else. Between two hosts there is one message with questions, and one with answers.
type questions[P csr.Pos] struct {
	t     comm.Transport
	g     *csr.Graph[P]
	tiers *comm.Tiers
	host  int
	hosts []int // of ranks

	own   []P        // positions that this rank asks about, sorted
	asked []P        // those of all ranks of this host
	index []P        // of each of these, its index on this rank; None where this rank does not ask
	here  [][]csr.ID // by host: own vertices that it asks about, in the order of its questions
	send  [][]byte   // by host
}

func newQuestions[P csr.Pos](t comm.Transport, g *csr.Graph[P], tiers *comm.Tiers) *questions[P] {
	hosts := t.Hosts()
	return &questions[P]{
		t: t, g: g, tiers: tiers, host: hosts[g.Rank], hosts: hosts,
		here: make([][]csr.ID, tiers.Hosts()), send: make([][]byte, tiers.Hosts()),
	}
}

// pose asks about ghosts, by their indices, in any order; it sorts them in their memory. It is collective.
func (q *questions[P]) pose(ghosts []P) error {
	defer comm.CarryForm(q.t, trace.QuestionsForm)()
	slices.Sort(ghosts)
	ghosts = slices.Compact(ghosts)
	q.own = q.own[:0]
	for _, p := range ghosts {
		q.own = append(q.own, P(q.g.Position(q.g.Owner(p)))) // which rise as well
	}
	if err := q.unite(); err != nil {
		return err
	}
	q.indexOwn(ghosts)
	for host := range q.send {
		q.send[host], q.here[host] = q.send[host][:0], q.here[host][:0]
	}
	last := make([]P, len(q.send)) // and one more: of the last question to a host
	for _, p := range q.asked {
		r, id := q.g.Vertex(int(p))
		switch host := q.hosts[r]; {
		case host == q.host && r == q.g.Rank:
			q.here[host] = append(q.here[host], id)
		case host != q.host && q.tiers.Gate(host) == q.g.Rank:
			q.send[host] = binary.AppendUvarint(q.send[host], uint64(p-last[host]))
			last[host] = p + 1
		}
	}
	got, err := q.tiers.ToHosts(q.send)
	if err != nil {
		return err
	}
	for r, message := range got {
		host := q.hosts[r]
		if host == q.host {
			continue
		}
		err := eachQuestion(message, P(q.g.Positions()), func(p P) {
			if owner, id := q.g.Vertex(int(p)); owner == q.g.Rank {
				q.here[host] = append(q.here[host], id)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// indexOwn notes the indices of this rank's ghosts where the host asks about them.
func (q *questions[P]) indexOwn(ghosts []P) {
	q.index = q.index[:0]
	i := 0
	for _, p := range q.asked {
		index := q.g.None()
		if i < len(q.own) && q.own[i] == p {
			index = ghosts[i]
			i++
		}
		q.index = append(q.index, index)
	}
}

// unite puts the questions of the ranks of this host together.
func (q *questions[P]) unite() error {
	own := q.send[q.host][:0]
	next := P(0)
	for _, p := range q.own {
		own = binary.AppendUvarint(own, uint64(p-next))
		next = p + 1
	}
	q.send[q.host] = own
	got, err := q.tiers.Inside(own)
	if err != nil {
		return err
	}
	q.asked = q.asked[:0]
	for _, message := range got {
		err := eachQuestion(message, P(q.g.Positions()), func(p P) { q.asked = append(q.asked, p) })
		if err != nil {
			return err
		}
	}
	slices.Sort(q.asked)
	q.asked = slices.Compact(q.asked)
	return nil
}

// answer tells by a bitmap which of the vertices that were asked about are visited, and sets the bits of those that the
// others tell of in some bitmaps. It is collective.
func (q *questions[P]) answer(by bitmap, into ...bitmap) error {
	defer comm.CarryForm(q.t, trace.AnswersForm)()
	own := q.g.Index(0)
	for host, ids := range q.here {
		q.send[host] = q.send[host][:0]
		for k, id := range ids {
			q.send[host] = appendBit(q.send[host], k, by.has(uint64(own+P(id))))
		}
	}
	got, err := q.tiers.ToHosts(q.send)
	if err != nil {
		return err
	}
	i := 0
	for r, message := range got {
		end := P(r+1) * P(q.g.Stride)
		for k := 0; i < len(q.asked) && q.asked[i] < end; i, k = i+1, k+1 {
			if k/8 >= len(message) {
				return errQuestions
			}
			if message[k/8]>>(k%8)&1 == 0 || q.index[i] == q.g.None() {
				continue
			}
			for _, b := range into {
				b.set(uint64(q.index[i]))
			}
		}
	}
	return nil
}

var errQuestions = errors.New("bfs: a message of questions is damaged: ranks run different versions of g500")

// eachQuestion hands on the positions in a message, which rise: varints of the gaps between them. It ends with an error
// at one that is not below limit.
func eachQuestion[P csr.Pos](message []byte, limit P, body func(P)) error {
	for next := uint64(0); len(message) > 0; next++ {
		gap, n := binary.Uvarint(message)
		if n <= 0 || gap >= uint64(limit) || next+gap >= uint64(limit) {
			return errQuestions
		}
		next += gap
		body(P(next))
		message = message[n:]
	}
	return nil
}

// appendBit appends the k-th bit of a message.
func appendBit(message []byte, k int, bit bool) []byte {
	if k%8 == 0 {
		message = append(message, 0)
	}
	if bit {
		message[len(message)-1] |= 1 << (k % 8)
	}
	return message
}
