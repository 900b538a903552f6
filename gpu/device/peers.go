//go:build cuda && cgo

package device

import (
	"errors"
	"slices"

	"g500/comm"
	"g500/cuda"
)

// RemoteRanks returns the number of ranks that are not peers of this one. During a search they exchange through
// shared-memory windows or by messages.
func RemoteRanks(t Transport) (n int64) {
	for r := range t.Host().Size() {
		if r != t.Host().Rank() && !t.Peer(r) {
			n++
		}
	}
	return n
}

// AtomicPeers reports whether all ranks are peers whose kernels have atomics in each other's memory. It is collective.
func AtomicPeers(t Transport) (bool, error) {
	busID, err := t.Device().BusID()
	if err := comm.Agree(t.Host(), err); err != nil {
		return false, err
	}
	busIDs, err := comm.AllGatherBytes(t.Host(), []byte(busID))
	if err != nil {
		return false, err
	}
	without := RemoteRanks(t) // ranks in whose memory this rank has no atomics
	for r, other := range busIDs {
		if !t.Peer(r) {
			continue
		}
		has, fault := t.Device().HasAtomics(string(other))
		if !has {
			without++
		}
		err = errors.Join(err, fault)
	}
	if err := comm.Agree(t.Host(), err); err != nil {
		return false, err
	}
	without, err = comm.Reduce(t.Host(), without, comm.Sum)
	return without == 0, err
}

// ByRank returns the windows of all ranks as this GPU sees them: its own window and the windows of its peers.
func ByRank(t Transport, w *Window) []cuda.Memory {
	all := slices.Clone(w.Peers)
	all[t.Host().Rank()] = w.Memory
	return all
}
