//go:build cuda && cgo

package device

import (
	"errors"
	"fmt"
	"os"
	"time"

	"g500/comm"
	"g500/comm/nccl"
	"g500/cuda"
)

// collectives has NCCL carry words between remote ranks, the messages of a move all at once. NCCL moves words by
// kernels, which need room on the device: so none may be under way there that waits for them. No search uses it while
// its kernel runs.
type collectives struct {
	library    *nccl.Library
	comm       *nccl.Comm
	lane       *cuda.Lane
	ranks      []int    // that are no peers of this one
	send, into [][]byte // by rank: device memory
}

// ncclWait is the time in which NCCL must join the ranks, and finish an exchange in addition to the time for its bytes.
const ncclWait = time.Minute

// hostVariable has NCCL take processes for ones of several hosts.
const hostVariable = "NCCL_HOSTID"

// newCollectives is collective.
func newCollectives(c *transport, ranks []int) (*collectives, error) {
	x := &collectives{ranks: ranks, send: make([][]byte, c.host.Size()), into: make([][]byte, c.host.Size())}
	shared, err := NewSharing(c)
	if err != nil {
		return nil, err
	}
	if err = shared.checkNCCL(); err == nil {
		x.library, err = nccl.Find()
	}
	if err == nil {
		x.lane, err = c.device.NewLane()
	}
	if err := comm.Agree(c.host, err); err != nil {
		return nil, errors.Join(err, x.close())
	}
	id, err := shareID(c.host, x.library)
	if err != nil {
		return nil, errors.Join(err, x.close())
	}
	x.comm, err = x.library.Join(id, c.host.Rank(), c.host.Size(), ncclWait)
	if err := comm.Agree(c.host, err); err != nil {
		return nil, errors.Join(err, x.close())
	}
	return x, nil
}

// checkNCCL refuses ranks that share a GPU, as NCCL does, unless its variable for the host's name is set.
func (s Sharing) checkNCCL() error {
	if len(s.Ranks) < 2 || os.Getenv(hostVariable) != "" {
		return nil
	}
	return fmt.Errorf("gpu: ranks %d and %d share a GPU, and NCCL takes one rank a GPU: start no more ranks than GPUs, "+
		"or use --gpu-transport %s", s.Ranks[0], s.Ranks[1], MPITransport)
}

// shareID gives the id that rank 0 makes to all ranks. It is collective.
func shareID(t comm.Transport, library *nccl.Library) (id nccl.ID, err error) {
	if t.Rank() == 0 {
		id, err = library.NewID()
	}
	if err := comm.Agree(t, err); err != nil {
		return id, err
	}
	all, err := comm.AllGatherBytes(t, id[:])
	if err == nil {
		copy(id[:], all[0])
	}
	return id, err
}

// String says for people how the words go.
func (x *collectives) String() string { return x.library.String() }

func (x *collectives) move(all []transfer, _ int64) error {
	for _, r := range x.ranks {
		x.send[r], x.into[r] = all[r].send.Foreign(), all[r].here.Foreign()
	}
	return x.comm.Exchange(x.send, x.into, x.lane)
}

func (x *collectives) gather(all cuda.Memory) error { return x.comm.AllGather(all.Foreign(), x.lane) }

func (x *collectives) close() error {
	if x.comm != nil {
		x.comm.Close()
	}
	if x.lane == nil {
		return nil
	}
	return x.lane.Close()
}

// DescribeNCCL names the NCCL library that transports would use, or says why there is none.
func DescribeNCCL() string {
	library, err := nccl.Find()
	if err != nil {
		return fmt.Sprintf("no --gpu-transport %s: %v", NCCLTransport, err)
	}
	return fmt.Sprintf("%v (%s), for --gpu-transport %s", library, library.File(), NCCLTransport)
}
