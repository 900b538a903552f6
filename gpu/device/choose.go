// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package device

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"g500/comm"
	"g500/internal/machine"
)

// choose opens the transport of AutoTransport to the remote ranks: NCCL if every rank has it and all exchanges of its
// trial arrive, else the staged one. MPI from device memory must be named, because no search with it has been measured.
// It is collective.
func (c *transport) choose(ranks []int, piece int64) error {
	without, err := c.withoutNCCL()
	if err != nil {
		return err
	}
	if without == "" {
		if without, err = c.tryNCCL(ranks, piece); err != nil {
			return err
		}
	}
	if without == "" {
		c.choice = c.chosen("NCCL's trial passed on all ranks")
		return nil
	}
	err = c.use(StagedTransport, ranks, piece)
	if err == nil {
		c.choice = c.chosen("NCCL cannot be used: " + without)
	}
	return err
}

// chosen describes the choice.
func (c *transport) chosen(why string) string {
	return fmt.Sprintf("--gpu-transport %s: %s between %d groups of peers, because %s", AutoTransport,
		c.remote, c.domains, why)
}

// withoutNCCL returns the reason of the lowest rank that cannot use NCCL, "" if all can. It is collective.
func (c *transport) withoutNCCL() (string, error) {
	onCard, err := c.sharersOfCard()
	if err != nil {
		return "", err
	}
	reason := ""
	if _, err := findNCCL(onCard); err != nil {
		reason = fmt.Sprintf("rank %d on node %s: %v", c.host.Rank(), machine.Node(), err)
	}
	reasons, err := comm.AllGatherTexts(c.host, reason)
	if err != nil {
		return "", err
	}
	return cmp.Or(reasons...), nil
}

// tryNCCL opens NCCL and tries all exchanges. If they fail, it closes NCCL on all ranks and returns the error as a
// reason; an error that this rank has alone is returned as such, because others may wait for this rank. It is
// collective.
func (c *transport) tryNCCL(ranks []int, piece int64) (reason string, err error) {
	err = c.use(NCCLTransport, ranks, piece)
	var agreed *comm.RankError
	if err == nil || !errors.As(err, &agreed) {
		return "", err
	}
	return agreed.Error(), c.closeRemote()
}

// closeRemote closes the exchanges and the transport to remote ranks.
func (c *transport) closeRemote() (err error) {
	if c.exchanges != nil {
		err = c.exchanges.close()
	}
	if c.remote != nil {
		err = errors.Join(err, c.remote.close())
	}
	c.exchanges, c.remote = nil, nil
	return err
}

// countDomains counts the groups of peers. It is collective.
func (c *transport) countDomains() error {
	lowest := make([]uint64, c.host.Size()) // by rank: the lowest rank among itself and its peers
	me := c.host.Rank()
	lowest[me] = uint64(slices.IndexFunc(c.routes, func(r route) bool { return r != remoteRank }))
	if err := c.host.AllGather(lowest); err != nil {
		return err
	}
	slices.Sort(lowest)
	c.domains = len(slices.Compact(lowest))
	return nil
}
