//go:build cuda && cgo

package device

import (
	"errors"
	"fmt"
	"os"

	"g500/comm"
	"g500/comm/nccl"
	"g500/cuda"
	"g500/internal/agreement"
	"g500/internal/machine"
	"g500/internal/timeout"
)

// collectives moves data between remote ranks by NCCL, all messages of a move at once, and is an Exchanger between all
// ranks. NCCL uses kernels, which need free multiprocessors. Therefore no kernel that waits for them may run on the
// device, and searches do not use NCCL while their kernels run.
type collectives struct {
	c        *transport
	library  *nccl.Library
	comm     *nccl.Comm
	messages []nccl.Message
}

// nodeVariable is NCCL's variable for the node's name, which makes processes appear to be on different nodes.
const nodeVariable = "NCCL_HOSTID"

// newCollectives joins all ranks by NCCL. It is collective.
func newCollectives(c *transport) (*collectives, error) {
	x := &collectives{c: c}
	onCard, err := c.sharersOfCard()
	if err != nil {
		return nil, err
	}
	x.library, err = findNCCL(onCard)
	if err := comm.Agree(c.host, err); err != nil {
		return nil, errors.Join(err, x.close())
	}
	if err := sameNCCL(c.host, x.library); err != nil {
		return nil, errors.Join(err, x.close())
	}
	id, err := shareID(c.host, x.library)
	if err != nil {
		return nil, errors.Join(err, x.close())
	}
	x.comm, err = x.library.Join(id, c.host.Rank(), c.host.Size(), timeout.Joining, c.device)
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

// sameNCCL returns an error on all ranks if their libraries have different versions, with which NCCL fails or hangs. It
// is collective.
func sameNCCL(t comm.Transport, library *nccl.Library) error {
	err := agreement.Check(t, agreement.Declaration{Node: machine.Node(), Settings: []agreement.Setting{{
		Name: "the NCCL library", Value: library.String(),
		Cure: "install the same one on all nodes, or name its file in " + nccl.FileVariable,
	}}})
	if err != nil {
		return &comm.RankError{Err: err, All: true}
	}
	return nil
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
	bytes, err := x.exchange(func(rank int) (send, receive cuda.Memory) {
		if x.c.routes[rank] != remoteRank {
			return cuda.Memory{}, cuda.Memory{}
		}
		return all[rank].send, all[rank].receive
	})
	if err != nil {
		return err
	}
	return x.comm.Wait(bytes)
}

// exchange puts messages with all other ranks on the device's stream, and returns the number of their bytes.
func (x *collectives) exchange(with func(rank int) (send, receive cuda.Memory)) (bytes int64, err error) {
	n, me := x.c.host.Size(), x.c.host.Rank()
	x.messages = x.messages[:0]
	for i := 1; i < n; i++ { // so that not all ranks send to the same one at once
		to, from := (me+i)%n, (me+n-i)%n
		if send, _ := with(to); send.Bytes() > 0 {
			x.messages = append(x.messages, nccl.Message{At: send.Address(), Bytes: send.Bytes(), Rank: to})
			bytes += send.Bytes()
		}
		if _, receive := with(from); receive.Bytes() > 0 {
			x.messages = append(x.messages,
				nccl.Message{At: receive.Address(), Bytes: receive.Bytes(), Rank: from, Receive: true})
			bytes += receive.Bytes()
		}
	}
	return bytes, x.comm.Exchange(x.messages)
}

func (x *collectives) gather(all cuda.Memory) error {
	part := all.Bytes() / int64(x.c.host.Size())
	own := all.Part(int64(x.c.host.Rank())*part, part)
	if err := x.comm.AllGather(own.Address(), all.Address(), part); err != nil {
		return err
	}
	return x.comm.Wait(all.Bytes())
}

func (x *collectives) AllGatherOn(own, all cuda.Memory) error {
	others := int64(x.c.host.Size() - 1)
	x.c.traffic[1].Sent += others * own.Bytes()
	x.c.traffic[1].Received += others * own.Bytes()
	return x.comm.AllGather(own.Address(), all.Address(), own.Bytes())
}

func (x *collectives) AllToAllOn(m cuda.Messages) error {
	for r, route := range x.c.routes {
		if route != itself {
			x.c.traffic[1].Sent += m.Sent[r]
			x.c.traffic[1].Received += m.Received[r]
		}
	}
	_, err := x.exchange(func(rank int) (send, receive cuda.Memory) {
		at := int64(rank) * m.Place
		return m.Send.Part(at, m.Sent[rank]), m.Into.Part(at, m.Received[rank])
	})
	return err
}

func (x *collectives) Check() error           { return x.comm.Check() }
func (x *collectives) Wait(bytes int64) error { return x.comm.Wait(bytes) }
func (x *collectives) Abort(cause error)      { x.comm.Abort(cause) }
func (x *collectives) Transport() string      { return x.c.traffic[1].Transport }

func (x *collectives) close() error {
	if x.comm != nil {
		x.comm.Close()
	}
	return nil
}

// DescribeNCCL describes the NCCL library that transports would use, or the reason why there is none.
func DescribeNCCL() string {
	library, err := nccl.Find()
	if err != nil {
		return fmt.Sprintf("no --gpu-transport %s: %v", NCCLTransport, err)
	}
	return fmt.Sprintf("%v (%s), for --gpu-transport %s", library, library.File(), NCCLTransport)
}
