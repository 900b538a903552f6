//go:build cuda && cgo

package sssp

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/kernel1"
	"g500/graph"
)

// pathRanks is the search for shortest paths on several ranks. Each rank stores a distance of every vertex in the
// non-leaf subgraph: the current one of its own vertices, and an upper bound of other ranks' vertices. In a push a rank
// sends new distances of other ranks' vertices to their owners when its own distances no longer change. Before a pull,
// and before a search for parents, the owners broadcast their distances (Chakaravarthy et al., IPDPS 2014).
//
// If all ranks are peers with atomics in each other's memory, kernels exchange (cuda/sssp/peers.cu); otherwise the
// hosts exchange between tasks.
type pathRanks struct {
	t                          device.Transport
	search                     *cuda.Paths
	sweeps                     int64
	peers                      bool           // all ranks are peers with atomics
	part, inner                int64          // bytes of a rank's part of the arrays, and of the non-leaf subgraph in it
	distances, parents, labels *device.Window // a word for each local id of each rank
	window                     *device.Window // for writes of peers during a search

	exchange *kernel1.Exchange // of messages to owners; nil among peers

	// Only if hosts exchange:

	queued            int64       // vertices in this rank's frontier
	exchanges         int64       // number of exchanges after pushes
	changed           int64       // vertices of all ranks that the last sweep has changed
	nearest, farthest float32     // of all ranks
	abandoned         atomic.Bool // this rank must abandon its search
}

// newPathRanks joins the searches of all ranks. It is collective.
func newPathRanks(t device.Transport, g *kernel1.Graph, search *cuda.Paths, sweeps int64) (*pathRanks, error) {
	r := &pathRanks{t: t, search: search, sweeps: sweeps, part: int64(kernel1.LabelBytes) << g.Shift()}
	if err := r.connect(g); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func (r *pathRanks) connect(g *kernel1.Graph) error {
	host := r.t.Host()
	var err error
	if r.peers, err = device.AtomicPeers(r.t); err != nil {
		return err
	}
	sums := []int64{g.Edges()}
	most := []int64{g.NonLeaves(), int64(math.Float32bits(r.search.Heaviest()))}
	fewest := []int64{r.search.Blocks()}
	err = errors.Join(host.AllReduce(sums, comm.Sum), host.AllReduce(most, comm.Max), host.AllReduce(fewest, comm.Min))
	if err != nil {
		return err
	}
	if err := r.open(most[0]); err != nil {
		return err
	}
	if r.labels, err = g.ShareLabels(r.part / kernel1.LabelBytes); err != nil {
		return err
	}
	known := cuda.PathRanks{
		Edges: sums[0], Heaviest: math.Float32frombits(uint32(most[1])),
		Distances: r.distances.Memory, Parents: r.parents.Memory, Labels: r.labels.Memory,
	}
	if r.peers {
		known.Blocks = fewest[0]
		known.Windows = device.ByRank(r.t, r.window)
		known.DistancesOf, known.ParentsOf = device.ByRank(r.t, r.distances), device.ByRank(r.t, r.parents)
	}
	if err := comm.Agree(host, r.search.Connect(known)); err != nil {
		return err
	}
	_, end := r.search.Class(r.search.Classes() - 1)
	r.inner = kernel1.LabelBytes * end
	if err := errors.Join(r.t.Barrier(), r.broadcast(r.distances), r.broadcast(r.parents)); err != nil {
		return err
	}
	if err := comm.Agree(host, r.search.DeriveDetours()); err != nil {
		return err
	}
	return r.t.Barrier()
}

// open opens the windows and the exchange, for ranks with at most that many vertices in the non-leaf subgraph.
func (r *pathRanks) open(nonLeaves int64) (err error) {
	n := int64(r.t.Host().Size())
	if r.distances, err = r.t.Open("distances", n*r.part); err != nil {
		return err
	}
	if r.parents, err = r.t.Open("parents", n*r.part); err != nil {
		return err
	}
	if r.peers {
		r.window, err = r.t.Open("search", r.search.WindowBytes())
		return err
	}
	messages := cuda.WeightedMessages.Bytes() * max((n-1)*nonLeaves, 1) // a vertex is sent once in an exchange
	r.exchange, err = kernel1.NewExchange(r.t, messages, 1)
	return err
}

// Close frees the windows and the exchange.
func (r *pathRanks) Close() error {
	return errors.Join(
		r.distances.Close(), r.parents.Close(), r.labels.Close(), r.window.Close(), r.exchange.Close())
}

// run searches from a label. It is collective.
func (r *pathRanks) run(root graph.Global) error {
	if r.peers {
		return device.Abandoned(r.search.Run(uint32(root)))
	}
	for _, step := range []func() error{
		func() error { return r.begin(root) },
		func() error { return r.push(cuda.PathPush, cuda.PathTake) },
		r.pull, r.pullAgain, r.pushRest, r.settleTies,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return r.search.Finish(uint32(root))
}

// begin broadcasts the path from the root to the non-leaf subgraph, which its owner finds, and starts the search.
func (r *pathRanks) begin(root graph.Global) error {
	host := r.t.Host()
	var path cuda.RootPath
	var err error
	if int(root)%host.Size() == host.Rank() {
		path, err = r.search.FindRootPath(uint32(root))
	}
	if err := errors.Join(err, host.AllReduce(path[:], comm.Sum)); err != nil {
		return err
	}
	r.nearest, r.farthest = float32(math.Inf(1)), 0
	p, err := r.search.Begin(&path)
	if err != nil {
		return err
	}
	_, err = r.agree(p, p.Queued)
	return err
}

// agree combines the progress of all ranks after a task, and sums the vertices that ranks have yet to push. If one rank
// must abandon the search, it returns comm.ErrAbandoned on all of them.
func (r *pathRanks) agree(p cuda.PathProgress, own int64) (all int64, err error) {
	r.queued = p.Queued
	rank, n := r.t.Host().Rank(), r.t.Host().Size()
	const each = 4 // words per rank
	words := make([]uint64, each*n)
	words[each*rank] = uint64(own)
	words[each*rank+1] = uint64(math.Float32bits(p.Nearest))
	words[each*rank+2] = uint64(math.Float32bits(p.Farthest))
	if r.abandoned.Load() {
		words[each*rank+3] = 1
	}
	if err := r.t.Host().AllGather(words); err != nil {
		return 0, err
	}
	for ; len(words) > 0; words = words[each:] {
		if words[3] != 0 {
			return 0, comm.ErrAbandoned
		}
		all += int64(words[0])
		r.nearest = min(r.nearest, math.Float32frombits(uint32(words[1])))
		r.farthest = max(r.farthest, math.Float32frombits(uint32(words[2])))
	}
	return all, nil
}

func (r *pathRanks) do(kind cuda.PathTask, s cuda.PathState) (cuda.PathProgress, error) {
	s.Queued, s.Nearest, s.Farthest = r.queued, r.nearest, r.farthest
	return r.search.Do(kind, s)
}

// push repeats until no distance changes on any rank, at least once.
func (r *pathRanks) push(task, take cuda.PathTask) error {
	for left := int64(1); left > 0; {
		r.exchanges++
		p, err := r.do(task, cuda.PathState{Number: r.exchanges})
		if err == nil {
			p, err = r.send(p, take)
		}
		if err != nil {
			return err
		}
		if left, err = r.agree(p, p.Queued); err != nil {
			return err
		}
	}
	return nil
}

// send sends new distances of other ranks' vertices to their owners, and takes the messages for this rank.
func (r *pathRanks) send(p cuda.PathProgress, take cuda.PathTask) (after cuda.PathProgress, err error) {
	x := r.exchange
	bytes, err := x.Bins.Reached(r.search, p.Remote, x.Send.Memory)
	if err != nil {
		return p, err
	}
	_, all, err := x.Run(x.Send.Memory, bytes, 0)
	if err != nil {
		return p, err
	}
	if all == 0 {
		return p, nil
	}
	return r.do(take, cuda.PathState{Messages: x.Receive[0].Part(0, all)})
}

// broadcast sends each rank's part of the non-leaf subgraph in a window to all ranks.
func (r *pathRanks) broadcast(w *device.Window) error {
	return r.t.AllGatherSlice(w, r.part, 0, r.inner)
}

// beyond reports whether reachable vertices may be beyond the window. If no landmark was reached, pushes have reached
// all of them.
func (r *pathRanks) beyond() bool { return !math.IsInf(float64(r.nearest), 1) }

// pull finds the paths of vertices beyond the window, class by class. Afterwards every rank has all distances.
func (r *pathRanks) pull() error {
	if err := r.broadcast(r.distances); err != nil || !r.beyond() {
		return err
	}
	for i := range r.search.Classes() {
		if _, err := r.do(cuda.PathPull, cuda.PathState{Number: int64(i)}); err != nil {
			return err
		}
		begin, end := r.search.Class(i)
		from, bytes := kernel1.LabelBytes*begin, kernel1.LabelBytes*(end-begin)
		if err := r.t.AllGatherSlice(r.distances, r.part, from, bytes); err != nil {
			return err
		}
	}
	return nil
}

// pullAgain makes the remaining sweeps. Vertices that the last one changes are the frontier.
func (r *pathRanks) pullAgain() error {
	if !r.beyond() {
		return nil
	}
	for range r.sweeps - 1 {
		if _, err := r.do(cuda.PathPullAgain, cuda.PathState{}); err != nil {
			return err
		}
		if err := r.broadcast(r.distances); err != nil {
			return err
		}
	}
	p, err := r.do(cuda.PathPullLast, cuda.PathState{})
	if err != nil {
		return err
	}
	r.changed, err = r.agree(p, p.Queued)
	return err
}

// pushRest pushes from the vertices that the last sweep has changed. Afterwards every rank has all distances.
func (r *pathRanks) pushRest() error {
	if !r.beyond() || r.changed == 0 {
		return nil
	}
	if err := r.push(cuda.PathPushRest, cuda.PathTakeRest); err != nil {
		return err
	}
	return r.broadcast(r.distances)
}

// settleTies finds the parents of vertices, including ties: vertices whose nearest neighbours have the same distance.
// Each further round settles at least one of these.
func (r *pathRanks) settleTies() error {
	p, err := r.do(cuda.PathFindParents, cuda.PathState{})
	for before := int64(math.MaxInt64); err == nil; {
		var tied int64
		if tied, err = r.agree(p, p.Tied); err != nil || tied == 0 {
			return err
		}
		if tied >= before {
			return fmt.Errorf("gpu: %d vertices still have no parent after a round: this is a fault of the program, "+
				"please report it", tied)
		}
		before = tied
		if _, err = r.do(cuda.PathLayOutParents, cuda.PathState{}); err != nil {
			return err
		}
		if err = r.broadcast(r.parents); err != nil {
			return err
		}
		p, err = r.do(cuda.PathSettleTies, cuda.PathState{})
	}
	return err
}
