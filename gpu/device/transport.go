//go:build cuda && cgo

package device

import (
	"errors"

	"g500/comm"
	"g500/cuda"
	"g500/internal/trace"
)

// Transport joins the GPUs of one job's ranks. Two ranks are peers where the GPU of each can write into the
// memory of the other's, through NVLink or PCIe; words between others, remote ranks, go by way of the hosts or by NCCL.
//
// All methods but Host, Device, Peer, Retire, Carriers, Traffic and Close are collective, as those of comm.Transport,
// and return when what they bring has arrived on this rank. Each begins when all ranks have called it and the work
// given to their devices before is done: so nobody's window is written to while its owner, or a kernel of its owner,
// still reads what was there. What a rank writes into its peers' windows by kernels of its own has to follow the same
// rule; Barrier is there for it. After an error no further call will succeed.
//
// A rank that fails or dies ends the job: on the loopback its launcher wakes the others, under MPI MPI_Abort or mpirun
// kills them. Nothing here waits for a rank in another way than through Host, but NCCL, for a limited time.
type Transport interface {
	// Host joins the same ranks with messages in host memory.
	Host() comm.Transport
	// Device is this rank's GPU.
	Device() *cuda.Device
	// Peer reports whether a rank is a peer of this one. No rank is its own peer.
	Peer(rank int) bool
	// Barrier returns when every rank has called it and the work given to their devices before is done.
	Barrier() error
	// Open takes a window of device memory, equally long on every rank.
	Open(label string, bytes int64) (*Window, error)
	// Expose lets peers use memory of this rank that is allocated by itself, as a window that is closed as others are.
	// Ranks may expose different lengths. The memory remains the caller's; it is given back by Retire.
	Expose(own cuda.Memory) (*Window, error)
	// Retire has memory given back that peers may still have open: at the next collective call after all have closed
	// it, or at once where there are no peers. It waits for nobody.
	Retire(free func() error) error
	// AllGather fills the first Size()*part bytes of a window: rank r brings the r-th part and gets the rest. part is a
	// multiple of 16.
	AllGather(w *Window, part int64) error
	// AllGatherSlice is AllGather of so many bytes of each part, from some place on: both multiples of 16, and the same
	// on every rank.
	AllGatherSlice(w *Window, part, from, bytes int64) error
	// AllToAll sends counts[r] bytes to rank r, for all r in order from consecutive places of send, and returns how
	// many bytes each rank has sent here. They lie one after another, in the order of ranks, in this rank's window
	// into. It is an error if they do not fit. Counts are multiples of 8; send does not lie in the window.
	AllToAll(send cuda.Memory, counts []int64, into *Window) (received []int64, err error)
	// Carriers says for people how words go from this rank to the others.
	Carriers() string
	// Traffic is what AllGather and AllToAll have moved between this rank and others, for each way that there is.
	Traffic() []Traffic
	// Close gives back what the transport holds; it waits for nobody. Windows must be closed before.
	Close() error
}

// The ways for words between two ranks, as flags and files name them.
const (
	CarrierPeer   = trace.PeerCarrier // straight into the other GPU's memory
	CarrierMPI    = "mpi"             // by way of the hosts: MPI from device memory where it is CUDA-aware, else staged
	CarrierStaged = "staged"          // by way of the hosts, through pinned host memory, whatever joins the hosts
	CarrierNCCL   = "nccl"            // by NCCL
)

// choice is what a value of --carrier means.
type choice struct {
	peers, only bool   // look for peers; refuse ranks that are none
	beyond      string // how words go between remote ranks
}

// choices are those that there are, auto among them: peers where there are some, and mpi to all others.
var choices = map[string]choice{
	CarrierAuto:                     {peers: true, beyond: CarrierMPI},
	CarrierPeer:                     {peers: true, only: true, beyond: CarrierMPI},
	CarrierMPI:                      {beyond: CarrierMPI},
	CarrierStaged:                   {beyond: CarrierStaged},
	CarrierNCCL:                     {beyond: CarrierNCCL},
	CarrierPeer + "+" + CarrierNCCL: {peers: true, beyond: CarrierNCCL},
}

const CarrierAuto = "auto"

// Traffic is what has gone one way since the start.
type Traffic struct {
	Carrier        string // "peer", or how words go between remote ranks
	Sent, Received int64  // bytes
}

// Window is device memory of this rank into which its peers can write.
type Window struct {
	cuda.Memory
	Peers []cuda.Memory // by rank: that rank's window as this GPU sees it, empty where it is no peer
	close func() error
}

// NewWindow returns a window that close gives back.
func NewWindow(m cuda.Memory, peers []cuda.Memory, close func() error) *Window {
	return &Window{Memory: m, Peers: peers, close: close}
}

// Close ends this rank's use of the window, its own and its peers'; it waits for nobody. All ranks close a window
// before the next collective call of the transport. Where there are peers, memory that they may still have open is
// given back by that call: Barrier, if there is no other.
func (w *Window) Close() error {
	if w == nil || w.close == nil {
		return nil
	}
	closed := w.close()
	*w = Window{}
	return closed
}

// Abandoned makes comm.ErrAbandoned of the error of a search that was ended on all ranks.
func Abandoned(err error) error {
	if errors.Is(err, cuda.ErrEnded) {
		return comm.ErrAbandoned
	}
	return err
}
