// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package device

import (
	"errors"
	"fmt"
	"os"

	"g500/comm"
	"g500/comm/agreement"
	"g500/comm/nccl"
	"g500/cuda"
	"g500/internal/machine"
	"g500/internal/timeout"
)

// collectives moves data between ranks by NCCL, all messages together. NCCL uses kernels, which need free
// multiprocessors. Therefore no kernel that waits for them may run on the device, and searches do not use NCCL while
// their kernels run.
type collectives struct {
	*nccl.Comm
	library  *nccl.Library
	host     comm.Transport
	with     []bool // by rank: messages are exchanged
	messages []nccl.Message
}

// nodeVariable is NCCL's variable for the node's name, which makes processes appear to be on different nodes.
const nodeVariable = "NCCL_HOSTID"

// openCollectives joins all ranks by NCCL, for messages with some of them. It is collective.
func openCollectives(c *transport, ranks []int, _ int64) (remoteTransport, error) {
	library, err := c.findNCCL()
	if err = comm.Agree(c.host, err); err == nil {
		err = sameNCCL(c.host, library)
	}
	if err != nil {
		return nil, err
	}
	id, err := comm.OfFirst(c.host, library.NewID)
	if err != nil {
		return nil, err
	}
	x := &collectives{library: library, host: c.host, with: make([]bool, c.host.Size())}
	for _, r := range ranks {
		x.with[r] = true
	}
	x.Comm, err = library.Join(id, c.host.Rank(), c.host.Size(), timeout.Joining, c.device)
	if err := comm.Agree(c.host, err); err != nil {
		return nil, errors.Join(err, x.close())
	}
	return x, nil
}

// findNCCL returns the library. It is an error if ranks share a card, which NCCL refuses even if they have MIG
// instances of their own, unless nodeVariable is set.
func (c *transport) findNCCL() (*nccl.Library, error) {
	onCard := c.ranksWith(func(other, mine place) bool { return other.Node == mine.Node && other.BusID == mine.BusID })
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

func (x *collectives) String() string { return x.library.String() }

func (x *collectives) put(all []transfer, _ int64) error {
	n, me := x.host.Size(), x.host.Rank()
	x.messages = x.messages[:0]
	for i := 1; i < n; i++ { // so that not all ranks send to the same one at once
		to, from := (me+i)%n, (me+n-i)%n
		if send := all[to].send; x.with[to] && send.Bytes() > 0 {
			x.messages = append(x.messages, nccl.Message{At: send.Address(), Bytes: send.Bytes(), Rank: to})
		}
		if receive := all[from].receive; x.with[from] && receive.Bytes() > 0 {
			x.messages = append(x.messages,
				nccl.Message{At: receive.Address(), Bytes: receive.Bytes(), Rank: from, Receive: true})
		}
	}
	return x.Exchange(x.messages)
}

// gather puts an all-gather of equal parts among all ranks, faster than messages, on the device's stream.
func (x *collectives) gather(own, all cuda.Memory) error {
	return x.AllGather(own.Address(), all.Address(), own.Bytes())
}

func (x *collectives) close() error {
	if x.Comm != nil {
		x.Close()
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
