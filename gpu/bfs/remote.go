//go:build cuda && cgo

package bfs

import (
	"errors"
	"slices"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
)

// canServe returns an error if a host cannot carry messages during a search, because its launch returns only when the
// search has ended.
func canServe(launching cuda.Launching) error {
	if launching != cuda.LaunchesBlock {
		return nil
	}
	return errors.New("gpu: launches wait for the end of their kernels here, but hosts carry messages during a search: " +
		"unset CUDA_LAUNCH_BLOCKING, and profile or debug ranks whose GPUs reach each other's memory, or a rank alone")
}

// shareWindows opens the shared-memory windows of remote ranks, and finds out whether hosts have to carry messages
// beside them. It is collective.
func (e *Engine) shareWindows(ranks *cuda.Ranks) (err error) {
	if e.shared, err = device.OpenSharedWindows(e.t, e.search.SharedWindowBytes(ranks.MostHubs)); err != nil {
		return err
	}
	messages, err := comm.Reduce(e.t.Host(), device.RemoteRanks(e.t)-e.shared.Ranks(), comm.Sum)
	ranks.Shared, ranks.SomeMessages = e.shared.Memory(), messages > 0
	if ranks.SomeMessages {
		if err := comm.Agree(e.t.Host(), canServe(e.t.Device().Launching())); err != nil {
			return err
		}
		e.between = newHostExchange(e.t.Host(), int(ranks.MostHubs+7)/8)
		ranks.Replicated, ranks.MostQueries = replicatedHubs(e.t.Host(), ranks.MostHubs)
		ranks.OtherNodes = slices.Max(e.t.Host().Nodes())
	}
	return err
}
