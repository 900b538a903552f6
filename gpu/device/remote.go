// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package device

import (
	"g500/comm"
	"g500/cuda"
	"g500/settings"
)

// remoteTransport moves data between remote ranks.
type remoteTransport interface {
	// put makes the transfers with its ranks after the device's work. When it returns, the device's stream has them or,
	// by MPI, copies to the device. longest is an upper bound of the messages between any two ranks, the same on all
	// ranks. It is collective.
	put(all []transfer, longest int64) error
	// Check, Wait and Abort are those of an Exchanger.
	Check() error
	Wait(bytes int64) error
	Abort(cause error)
	// String describes the transport.
	String() string
	close() error
}

// gatherer is a remoteTransport with an all-gather that is faster than messages.
type gatherer interface {
	// gather puts an all-gather of equal parts among all ranks on the device's stream. It is collective.
	gather(own, all cuda.Memory) error
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
