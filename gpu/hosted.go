//go:build cuda && cgo

package gpu

import (
	"g500/comm"
)

// askRoom is the number of labels that a rank asks for at a time after a search: 24 MB of messages.
const askRoom = 1 << 20

// strangers is the number of ranks that are no peers of this one. During a search their words come by way of the hosts:
// on boards, or in messages.
func (e *engine) strangers() (n int64) {
	host := e.t.Host()
	for r := range host.Size() {
		if r != host.Rank() && !e.t.Peer(r) {
			n++
		}
	}
	return n
}

// shareBoards opens the boards of ranks that have no more than so many hubs each, and finds out whether hosts have to
// carry messages beside them. It is collective.
func (e *engine) shareBoards(most int64) (err error) {
	if e.boards, err = openBoards(e.t, e.search.BoardBytes(most)); err != nil {
		return err
	}
	messages := []int64{e.strangers() - e.boards.shared()}
	err = e.t.Host().AllReduce(messages, comm.Sum)
	e.carried = messages[0] > 0
	return err
}

// prepareToAsk opens the way to labels of ranks that are no peers, if there are some that not every rank knows: known are
// those of so many hubs of each. It returns the number of labels that a rank can ask for at a time, 0 if it never will.
// It is collective.
func (e *engine) prepareToAsk(known int64) (room int64, err error) {
	most := []int64{e.graph.Hubs()}
	if err := e.t.Host().AllReduce(most, comm.Max); err != nil || most[0] <= known {
		return 0, err
	}
	room = min(askRoom, most[0])
	e.ask, err = newResolver(e.t, room)
	return room, err
}

// finish ends the tree of a search from root in which hosts had a part, or after which labels may be missing.
func (e *engine) finish(root uint32) error {
	if e.ask != nil {
		if err := e.askForLabels(); err != nil {
			return err
		}
	}
	return e.search.Finish(root)
}

// askForLabels finds out the labels of parents that the search left open.
func (e *engine) askForLabels() error {
	for {
		positions, n, err := e.search.Unresolved()
		if err := comm.Agree(e.t.Host(), err); err != nil {
			return err
		}
		most := []int64{n}
		if err := e.t.Host().AllReduce(most, comm.Max); err != nil || most[0] == 0 {
			return err
		}
		if err := e.ask.resolve(e.graph, positions, n, positions); err != nil {
			return err
		}
		if err := e.search.Resolve(n); err != nil {
			return err
		}
	}
}
