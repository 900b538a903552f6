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
	"g500/internal/machine"
)

// collectives moves data between remote ranks by NCCL, all messages of a move at once. NCCL uses kernels, which need
// free multiprocessors. Therefore no kernel that waits for them may run on the device, and searches do not use NCCL
// while their kernels run.
type collectives struct {
	library    *nccl.Library
	comm       *nccl.Comm
	copies     *cuda.CopyStream
	ranks      []int    // remote ranks
	send, into [][]byte // by rank: device memory
}

// ncclWait is the time limit for joining ranks, and for an exchange in addition to the time for its bytes.
const ncclWait = time.Minute

// nodeVariable is NCCL's variable for the node's name, which makes processes appear to be on different nodes.
const nodeVariable = "NCCL_HOSTID"

// newCollectives joins all ranks by NCCL. It is collective.
func newCollectives(c *transport, ranks []int) (*collectives, error) {
	x := &collectives{ranks: ranks, send: make([][]byte, c.host.Size()), into: make([][]byte, c.host.Size())}
	onCard, err := c.sharersOfCard()
	if err != nil {
		return nil, err
	}
	if x.library, err = findNCCL(onCard); err == nil {
		x.copies, err = c.device.NewCopyStream()
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

// sharersOfCard returns the ranks on this rank's card. It is collective.
func (c *transport) sharersOfCard() ([]int, error) {
	busID, err := c.device.BusID()
	if err := comm.Agree(c.host, err); err != nil {
		return nil, err
	}
	return comm.Sharers(c.host, machine.NodeID()+" "+busID)
}

// findNCCL returns the library. It is an error if ranks share a card, which NCCL refuses even if they have MIG
// instances of their own, unless nodeVariable is set.
func findNCCL(onCard []int) (*nccl.Library, error) {
	if len(onCard) < 2 || os.Getenv(nodeVariable) != "" {
		return nccl.Find()
	}
	return nil, fmt.Errorf("gpu: ranks %d and %d share a GPU, and NCCL takes one rank a GPU: start no more ranks than "+
		"GPUs, or use --gpu-transport %s", onCard[0], onCard[1], StagedTransport)
}

// shareID returns an id that rank 0 creates, on all ranks. It is collective.
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

func (x *collectives) String() string { return x.library.String() }

func (x *collectives) move(all []transfer, _ int64) error {
	for _, r := range x.ranks {
		x.send[r], x.into[r] = all[r].send.Foreign(), all[r].receive.Foreign()
	}
	return x.comm.Exchange(x.send, x.into, x.copies)
}

func (x *collectives) gather(all cuda.Memory) error { return x.comm.AllGather(all.Foreign(), x.copies) }

func (x *collectives) close() error {
	if x.comm != nil {
		x.comm.Close()
	}
	return cuda.Free(x.copies)
}

// DescribeNCCL describes the NCCL library that transports would use, or the reason why there is none.
func DescribeNCCL() string {
	library, err := nccl.Find()
	if err != nil {
		return fmt.Sprintf("no --gpu-transport %s: %v", NCCLTransport, err)
	}
	return fmt.Sprintf("%v (%s), for --gpu-transport %s", library, library.File(), NCCLTransport)
}
