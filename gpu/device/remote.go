// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package device

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"g500/comm"
	"g500/cuda"
	"g500/internal/machine"
	"g500/settings"
)

// remoteTransport moves data between remote ranks.
type remoteTransport interface {
	// put makes the transfers with its ranks after the device's work. When it returns, the device's stream has them or,
	// by MPI, copies to the device. longest is an upper bound of the messages between any two ranks, the same on all
	// ranks. It is collective.
	put(all []transfer, longest int64) error
	// Check and Abort are those of cuda.Exchanges.
	Check() error
	Abort(cause error)
	// Wait waits for the end of the device's work, with a time limit for that many bytes of exchanges.
	Wait(bytes int64) error
	// String describes the transport.
	String() string
	close() error
}

// byMPI has the common part of remote transports by MPI.
type byMPI struct {
	name   string // of its row
	host   comm.Transport
	device *cuda.Device
	ranks  []int // remote ranks
}

// Check and Abort have nothing to do: only copies to the device remain when put returns, and MPI ends the job if a rank
// dies.
func (m *byMPI) Check() error     { return nil }
func (m *byMPI) Wait(int64) error { return m.device.Synchronize() }
func (m *byMPI) Abort(error)      {}
func (m *byMPI) String() string   { return settings.GPUTransports[m.name].Text }

// remotes has a row per transport between remote ranks. Its name is a value of --gpu-transport, alone and after
// "peer+", and has a row in settings.GPUTransports. All functions are collective.
var remotes = []struct {
	name  string
	there func(host comm.Transport) (bool, error) // whether all ranks may have it
	// open opens the transport. bytes limits the staging per rank and direction.
	open func(c *transport, ranks []int, bytes int64) (remoteTransport, error)
}{
	{NCCLTransport, maybe, openCollectives},
	{MPITransport, allCUDAAware, openFromDevice},
	{StagedTransport, maybe, openStaging},
}

// maybe lets the function that opens a transport find out.
func maybe(comm.Transport) (bool, error) { return true, nil }

// newRemote opens the transport of that name to remote ranks or, if not all ranks have it, StagedTransport. It is
// collective.
func (c *transport) newRemote(name string, ranks []int, bytes int64) (remoteTransport, error) {
	for _, r := range remotes {
		if r.name != name {
			continue
		}
		if there, err := r.there(c.host); err != nil {
			return nil, err
		} else if there {
			return r.open(c, ranks, bytes)
		}
	}
	return openStaging(c, ranks, bytes)
}

// allCUDAAware reports whether the MPI libraries of all ranks accept device memory; they may differ. It is collective.
func allCUDAAware(host comm.Transport) (bool, error) {
	aware := int64(0)
	if comm.CUDAAware() {
		aware = 1
	}
	aware, err := comm.Reduce(host, aware, comm.Min)
	return aware == 1, err
}

// fromDevice moves data between the device memories of remote ranks by a CUDA-aware MPI.
type fromDevice struct {
	byMPI
	send, into [][]byte // by rank: device memory, arguments of AllToAllInto
}

func openFromDevice(c *transport, ranks []int, _ int64) (remoteTransport, error) {
	n := c.host.Size()
	return &fromDevice{byMPI{MPITransport, c.host, c.device, ranks}, make([][]byte, n), make([][]byte, n)}, nil
}

func (f *fromDevice) put(all []transfer, _ int64) error {
	if err := f.device.Synchronize(); err != nil {
		return err
	}
	for _, r := range f.ranks {
		f.send[r], f.into[r] = all[r].send.Foreign(), all[r].receive.Foreign()
	}
	return f.host.AllToAllInto(f.send, f.into)
}

func (f *fromDevice) close() error { return nil }

// choose opens the transport of AutoTransport to the remote ranks: NCCL if every rank has it and all exchanges of its
// trial arrive, else the staged one. MPI from device memory must be named, because no search with it has been measured.
// It is collective.
func (c *transport) choose(ranks []int, piece int64) error {
	without, err := c.withoutNCCL()
	if err == nil && without == "" {
		without, err = c.tryNCCL(ranks, piece)
	}
	why := "NCCL's trial passed on all ranks"
	if err == nil && without != "" {
		why = "NCCL cannot be used: " + without
		err = c.use(StagedTransport, ranks, piece)
	}
	if err == nil {
		c.choice = fmt.Sprintf("--gpu-transport %s: %s between %d groups of peers, because %s", AutoTransport,
			c.remote, c.domains, why)
	}
	return err
}

// withoutNCCL returns the reason of the lowest rank that cannot use NCCL, "" if all can. It is collective.
func (c *transport) withoutNCCL() (string, error) {
	reason := ""
	if _, err := c.findNCCL(); err != nil {
		reason = fmt.Sprintf("rank %d on node %s: %v", c.host.Rank(), machine.Node(), err)
	}
	reasons, err := comm.Gathered(c.host, reason)
	return cmp.Or(reasons...), err
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
