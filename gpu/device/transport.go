//go:build cuda && cgo

package device

import (
	"errors"

	"g500/comm"
	"g500/cuda"
	"g500/internal/trace"
)

// Transport joins the GPUs of one job's ranks. Two ranks are peers if the GPU of each can write into the memory of the
// other GPU, through NVLink or PCIe. Words between other ranks, called remote ranks, go through the hosts or by NCCL.
//
// All methods except Host, Device, Peer, Retire, Describe, Traffic and Close are collective, and return when the words
// for this rank have arrived. Each starts when all ranks have called it and their devices have done the work given to
// them before. Therefore no window is written to while its owner, or a kernel of its owner, still reads from it.
// Kernels that write into the windows of peers must follow the same rule, by Barrier. After an error no further call
// succeeds.
//
// A rank that fails or dies ends the job: on the loopback its launcher wakes the others, under MPI MPI_Abort or mpirun
// kills them. Only NCCL waits for ranks other than through Host, and its waits have a timeout.
type Transport interface {
	// Host joins the same ranks with messages in host memory.
	Host() comm.Transport
	// Device is this rank's GPU.
	Device() *cuda.Device
	// Peer reports whether a rank is a peer of this one. No rank is its own peer.
	Peer(rank int) bool
	// Barrier returns when every rank has called it and their devices have done the work given to them before.
	Barrier() error
	// Open allocates a window of device memory, of the same length on every rank.
	Open(label string, bytes int64) (*Window, error)
	// Expose returns a window of memory that the caller has allocated, for its peers. Ranks may expose different lengths.
	// The memory remains the caller's, to be freed by Retire after the window is closed.
	Expose(own cuda.Memory) (*Window, error)
	// Retire calls free for memory that peers may still have open: at the next collective call after all have closed it,
	// or at once if this rank has no peers. It does not wait.
	Retire(free func() error) error
	// AllGather fills the first Size()*part bytes of a window: rank r has the r-th part and receives the others. part is
	// a multiple of 16.
	AllGather(w *Window, part int64) error
	// AllGatherSlice is AllGather of the given number of bytes of each part, starting at byte from. Both are multiples of
	// 16 and the same on every rank.
	AllGatherSlice(w *Window, part, from, bytes int64) error
	// AllToAll sends counts[r] bytes to rank r, for all r in order from consecutive places of send, and returns the
	// number of bytes from each rank. They are in the window into, one after another in the order of ranks. It is an
	// error if they do not fit. Counts are multiples of 8; send is not part of the window.
	AllToAll(send cuda.Memory, counts []int64, into *Window) (received []int64, err error)
	// Describe returns how words go from this rank to the others.
	Describe() string
	// Traffic returns the bytes that AllGather and AllToAll have moved between this rank and others, by transport.
	Traffic() []Traffic
	// Close frees the resources of the transport without waiting. Windows must be closed before.
	Close() error
}

// The transports of words between two ranks, as flags and files name them.
const (
	PeerTransport   = trace.PeerTransport // directly into the memory of the other GPU
	MPITransport    = "mpi"               // MPI from device memory if the library is CUDA-aware, else staged
	StagedTransport = "staged"            // messages between hosts, through pinned host memory
	NCCLTransport   = "nccl"              // by NCCL
)

// choice is the meaning of a value of --gpu-transport.
type choice struct {
	peers, only bool   // look for peers; refuse ranks that are none
	beyond      string // how words go between remote ranks
}

// choices has all values of --gpu-transport. auto is peer between peers, and mpi between remote ranks.
var choices = map[string]choice{
	AutoTransport:                       {peers: true, beyond: MPITransport},
	PeerTransport:                       {peers: true, only: true, beyond: MPITransport},
	MPITransport:                        {beyond: MPITransport},
	StagedTransport:                     {beyond: StagedTransport},
	NCCLTransport:                       {beyond: NCCLTransport},
	PeerTransport + "+" + NCCLTransport: {peers: true, beyond: NCCLTransport},
}

const AutoTransport = "auto"

// Traffic is the traffic of one transport since the start.
type Traffic struct {
	Transport      string // "peer", or how words go between remote ranks
	Sent, Received int64  // bytes
}

// Window is device memory of this rank into which its peers can write.
type Window struct {
	cuda.Memory
	Peers []cuda.Memory // by rank: the window of a peer as this GPU sees it, empty for other ranks
	close func() error
}

// NewWindow returns a window that is freed by close, which may be nil.
func NewWindow(m cuda.Memory, peers []cuda.Memory, close func() error) *Window {
	return &Window{Memory: m, Peers: peers, close: close}
}

// Close ends this rank's use of the window, of its own part and its peers' parts, without waiting. All ranks close a
// window before the next collective call of the transport, which frees memory that peers may still have open. A nil
// window holds nothing.
func (w *Window) Close() error {
	if w == nil || w.close == nil {
		return nil
	}
	closed := w.close()
	*w = Window{}
	return closed
}

// Abandoned returns comm.ErrAbandoned for the error of a search that was ended on all ranks, and other errors as they
// are.
func Abandoned(err error) error {
	if errors.Is(err, cuda.ErrEnded) {
		return comm.ErrAbandoned
	}
	return err
}
