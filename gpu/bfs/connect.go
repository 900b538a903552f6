//go:build cuda && cgo

package bfs

import (
	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
)

// connect joins the ranks' searches. It is collective.
func (e *Engine) connect() error {
	host := e.t.Host()
	ranks, err := e.countRanks()
	if err != nil {
		return err
	}
	steps := []func(*cuda.Ranks) error{e.openWindow}
	if host.Size() > 1 {
		steps = append(steps, e.shareLabels)
		if ranks.SomeRemote {
			steps = append(steps, e.prepareDeferred, e.shareWindows)
		} else if !e.graph.IDs64() {
			steps = append(steps, e.exposeGraph)
		}
	}
	for _, step := range steps {
		if err := step(ranks); err != nil {
			return err
		}
	}
	if err := comm.Agree(host, e.search.Connect(*ranks)); err != nil {
		return err
	}
	if ranks.Replicated < ranks.MostNonLeaves {
		if err := e.queryLeaves(); err != nil {
			return err
		}
	}
	return e.t.Barrier()
}

// countRanks returns the sums over all ranks that a search needs, before ranks share memory. It is collective.
func (e *Engine) countRanks() (*cuda.Ranks, error) {
	host := e.t.Host()
	sums := []int64{e.graph.NonLeaves(), e.graph.NonLeafEdges(), device.RemoteRanks(e.t)}
	if err := host.AllReduce(sums, comm.Sum); err != nil {
		return nil, err
	}
	most, err := comm.Reduce(host, e.graph.NonLeaves(), comm.Max)
	if err != nil {
		return nil, err
	}
	return &cuda.Ranks{
		NonLeaves: sums[0], Edges: sums[1], MostNonLeaves: most, SomeRemote: sums[2] > 0, Replicated: most,
		Known: e.graph.NonIsolated(), Labels: e.graph.Labels(), Shared: make([]cuda.Memory, host.Size()),
	}, nil
}

// openWindow opens the window for writes of peers.
func (e *Engine) openWindow(ranks *cuda.Ranks) (err error) {
	if e.window, err = e.t.Open("search", e.search.WindowBytes(ranks.SomeRemote)); err != nil {
		return err
	}
	ranks.Windows = device.ByRank(e.t, e.window)
	return nil
}

// shareLabels shares the first labels of each rank with all ranks, about Options.Known in total.
func (e *Engine) shareLabels(ranks *cuda.Ranks) (err error) {
	const grain = 4 // labels, since parts of an AllGather are multiples of 16 bytes
	each := min(ranks.MostNonLeaves, max(e.options.Known/int64(e.t.Host().Size()), 1))
	each = (each + grain - 1) / grain * grain
	if e.labels, err = e.graph.ShareLabels(each); err != nil {
		return err
	}
	ranks.Known, ranks.Labels = each, e.labels.Memory
	return nil
}
