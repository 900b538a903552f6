//go:build cuda && cgo

package bfs

import (
	"errors"
	"slices"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/kernel1"
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
		if ranks.Levels = ranks.SomeRemote && e.options.Levels && !e.graph.IDs64(); ranks.Levels {
			steps = append(steps, e.prepareDeferred, e.countDegrees, e.openExchanges)
		} else if ranks.SomeRemote {
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
	if ranks.Levels {
		if err := comm.Agree(host, e.search.PrepareLevels(e.levels)); err != nil {
			return err
		}
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
	if e.window, err = e.t.Open("search", e.search.WindowBytes()); err != nil {
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

// canServe returns an error if a host cannot exchange messages during a search, because launches block until their
// kernel ends.
func canServe(launching cuda.Launching) error {
	if launching != cuda.LaunchesBlock {
		return nil
	}
	return errors.New("gpu: launches wait for the end of their kernels, but hosts exchange messages during a search: " +
		"unset CUDA_LAUNCH_BLOCKING, and profile or debug ranks whose GPUs reach each other's memory, or a rank alone")
}

// shareWindows opens the shared-memory windows of remote ranks, and prepares messages if some ranks share no memory. It
// is collective.
func (e *Engine) shareWindows(ranks *cuda.Ranks) (err error) {
	if e.shared, err = device.OpenSharedWindows(e.t, e.search.SharedWindowBytes(ranks.MostNonLeaves)); err != nil {
		return err
	}
	messages, err := comm.Reduce(e.t.Host(), device.RemoteRanks(e.t)-e.shared.Ranks(), comm.Sum)
	ranks.Shared, ranks.SomeMessages = e.shared.Memory(), messages > 0
	if ranks.SomeMessages {
		if err := comm.Agree(e.t.Host(), canServe(e.t.Device().Launching())); err != nil {
			return err
		}
		e.messages = newHostExchange(e.t.Host(), int(ranks.MostNonLeaves+7)/8)
		ranks.Replicated, ranks.MostQueries = replicatedHubs(e.t.Host(), ranks.MostNonLeaves)
		ranks.OtherNodes = slices.Max(e.t.Host().Nodes())
	}
	return err
}

// exposeGraph exposes the graph's arrays to all ranks, which must be peers, and finds the mean degrees. Pushes from a
// replicated frontier need both. It is collective.
func (e *Engine) exposeGraph(ranks *cuda.Ranks) error {
	for _, array := range []struct {
		own cuda.Memory
		all *[]cuda.Memory
	}{{e.graph.Rows(), &ranks.Rows}, {e.graph.Cols(), &ranks.Cols}, {e.graph.LocalIDs(), &ranks.LocalIDs}} {
		w, err := e.t.Expose(array.own)
		if err != nil {
			return err
		}
		e.exposed = append(e.exposed, w)
		*array.all = device.ByRank(e.t, w)
	}
	return e.countDegrees(ranks)
}

// openExchanges opens the exchanges of searches level by level. It is collective.
func (e *Engine) openExchanges(*cuda.Ranks) (err error) {
	e.levels, err = device.NewExchanger(e.t)
	return err
}

// countDegrees finds the mean degrees of degree classes over all ranks. It is collective.
func (e *Engine) countDegrees(ranks *cuda.Ranks) error {
	vertices, edges, err := e.search.Degrees()
	if err := comm.Agree(e.t.Host(), err); err != nil {
		return err
	}
	sums := append(vertices, edges...)
	if err := e.t.Host().AllReduce(sums, comm.Sum); err != nil {
		return err
	}
	ranks.Degrees = meanDegrees(sums[:len(vertices)], sums[len(vertices):])
	return nil
}

// deferredCapacity is the number of labels that a rank queries at a time after a search: 24 MB of messages.
const deferredCapacity = 1 << 20

// prepareDeferred opens a lookup of remote ranks' labels, if there are labels that not every rank stores. It is
// collective.
func (e *Engine) prepareDeferred(ranks *cuda.Ranks) (err error) {
	if ranks.MostNonLeaves <= ranks.Known {
		return nil
	}
	ranks.Deferred = min(deferredCapacity, ranks.MostNonLeaves)
	e.deferred, err = kernel1.NewLabelLookup(e.t, ranks.Deferred)
	return err
}

// lookUpDeferred looks up the labels of parents that the search has deferred.
func (e *Engine) lookUpDeferred() error {
	for {
		ids, n, err := e.search.Deferred()
		if err := comm.Agree(e.t.Host(), err); err != nil {
			return err
		}
		most, err := comm.Reduce(e.t.Host(), n, comm.Max)
		if err != nil || most == 0 {
			return err
		}
		if err := e.deferred.LookUp(e.graph.Graph, ids, n, ids.Words); err != nil {
			return err
		}
		if err := e.search.StoreDeferred(n); err != nil {
			return err
		}
	}
}

// queryLeaves finds this rank's queries about neighbours of leaves and sends them to the owners, which reply at the end
// of each search. It is collective and part of kernel 1.
func (e *Engine) queryLeaves() error {
	host := e.t.Host()
	counts, found, err := e.search.FindLeafQueries(host.Size())
	words := make([]uint64, found.Bytes()/8)
	if err == nil {
		err = cuda.Read(words, found, 0)
	}
	if err := comm.Agree(host, err); err != nil {
		return err
	}
	got, all, most, err := exchangeWords(host, counts, words)
	if err == nil {
		err = e.search.TakeLeafQueries(got, all, most)
	}
	return comm.Agree(host, err)
}
