// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package device

import (
	"errors"
	"slices"

	"g500/comm"
	"g500/cuda"
	"g500/internal/machine"
)

// RemoteRanks returns the number of ranks that are not peers of this one.
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
	uuid, err := t.Device().UUID()
	if err := comm.Agree(t.Host(), err); err != nil {
		return false, err
	}
	uuids, err := comm.AllGatherBytes(t.Host(), []byte(uuid))
	if err != nil {
		return false, err
	}
	without := RemoteRanks(t) // ranks in whose memory this rank has no atomics
	for r, other := range uuids {
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

// Sharing has the ranks on this rank's GPU or MIG instance: only this one, unless a node has more ranks than GPUs.
type Sharing struct {
	t     Transport
	Ranks []int
}

// NewSharing finds the ranks on this rank's GPU. It is collective.
func NewSharing(t Transport) (Sharing, error) {
	uuid, err := t.Device().UUID()
	if err := comm.Agree(t.Host(), err); err != nil {
		return Sharing{}, err
	}
	ranks, err := comm.Sharers(t.Host(), machine.NodeID()+" "+uuid)
	return Sharing{t, ranks}, err
}

// Free returns this rank's share of the free memory of its GPU. It is collective, so that no rank allocates meanwhile.
func (s Sharing) Free() (int64, error) {
	if err := s.t.Host().Barrier(); err != nil {
		return 0, err
	}
	free, err := s.t.Device().Free()
	return free / int64(len(s.Ranks)), comm.Agree(s.t.Host(), err)
}

// TryConcurrency returns an error unless kernels of a process's ranks run at the same time, because in a search they
// wait for each other. It is collective.
func TryConcurrency(t Transport) error {
	ranks, err := comm.Sharers(t.Host(), machine.Process())
	if err != nil {
		return err
	}
	number, err := t.Device().NextConcurrencyTrial()
	if err := comm.Agree(t.Host(), err); err != nil {
		return err
	}
	if len(ranks) > 1 {
		err = t.Device().TryConcurrency(number, slices.Index(ranks, t.Host().Rank()), len(ranks))
	}
	return comm.Agree(t.Host(), err)
}
