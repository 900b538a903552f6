//go:build cuda && cgo

package gpu

import (
	"errors"
	"slices"

	"g500/comm"
	"g500/cuda"
)

// remoteRanks is the number of ranks that are no peers of this one. During a search they exchange through shared-memory
// windows, or by messages that the hosts carry.
func remoteRanks(t DeviceTransport) (n int64) {
	for r := range t.Host().Size() {
		if r != t.Host().Rank() && !t.Peer(r) {
			n++
		}
	}
	return n
}

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
func (e *engine) shareWindows(ranks *cuda.Ranks) (err error) {
	if e.shared, err = openSharedWindows(e.t, e.search.SharedWindowBytes(ranks.MostHubs)); err != nil {
		return err
	}
	messages := []int64{remoteRanks(e.t) - e.shared.ranks()}
	err = e.t.Host().AllReduce(messages, comm.Sum)
	ranks.Shared, ranks.SomeMessages = e.shared.memory(), messages[0] > 0
	if ranks.SomeMessages {
		if err := comm.Agree(e.t.Host(), canServe(e.t.Device().Launching())); err != nil {
			return err
		}
		e.between = newHostExchange(e.t.Host(), int(ranks.MostHubs+7)/8)
		ranks.Told, ranks.MostQuestions = told(e.t.Host(), ranks.MostHubs)
		ranks.OtherHosts = slices.Max(e.t.Host().Hosts())
	}
	return err
}
