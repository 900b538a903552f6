//go:build cuda && cgo

package bfs

import (
	"errors"
	"slices"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
)

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
