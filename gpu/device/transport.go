// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package device

import (
	"errors"
	"strings"

	"g500/comm"
	"g500/cuda"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/trace"
)

// Transport joins the GPUs of a job's ranks. Two ranks are peers if the GPU of each can write into the memory of the
// other GPU, through NVLink or PCIe. Data between other ranks, called remote ranks, moves by MPI or NCCL.
//
// All methods except Host, Device, Sharers, Peer, Retire, Describe and Close are collective, and return when the data
// for this rank has arrived. Each starts after all ranks have called it and their devices have finished earlier work.
// Therefore no window is written while its owner, or a kernel of its owner, still reads it. Kernels that write into
// windows of peers must follow the same rule, by Barrier. After another error than ErrTooLong all further calls fail.
//
// A rank that fails or dies ends the job: on the loopback its launcher wakes the others, under MPI MPI_Abort or mpirun
// kills them. Only NCCL waits for ranks other than through Host, and its waits have a timeout.
type Transport interface {
	// Host returns the transport of the same ranks for host memory.
	Host() comm.Transport
	// Device returns this rank's GPU.
	Device() *cuda.Device
	// Sharers returns the ranks on this rank's GPU or MIG instance: only this one, unless a node has more ranks than GPUs.
	Sharers() []int
	// Peer reports whether a rank is a peer of this one. No rank is its own peer.
	Peer(rank int) bool
	// Barrier waits until every rank has called it and their devices have finished earlier work.
	Barrier() error
	// Open allocates a window of device memory, of the same length on every rank.
	Open(label string, bytes int64) (*Window, error)
	// Expose returns a window of memory that the caller has allocated. Its length may differ between ranks. The caller
	// frees the memory by Retire after it has closed the window.
	Expose(own cuda.Memory) (*Window, error)
	// Retire calls free for memory that peers may still have open: at the next collective call after all have closed
	// it, or at once if this rank has no peers. It does not wait.
	Retire(free func() error) error
	// AllGather fills the first Size()*part bytes of a window: rank r has the r-th part and receives the others. part
	// is a multiple of 16.
	AllGather(w *Window, part int64) error
	// AllGatherFront is AllGather of the first bytes of each part. Their number is a multiple of 16, the same on every
	// rank.
	AllGatherFront(w *Window, part, bytes int64) error
	// AllToAll sends counts[r] bytes to rank r, from consecutive parts of send in the order of ranks, and returns the
	// number of bytes from each rank. They arrive in the window into, also in the order of ranks. If those to some rank do
	// not fit, no window changes, and all ranks get ErrTooLong. Counts are multiples of 8; send is not part of the window.
	AllToAll(send cuda.Memory, counts []int64, into *Window) (received []int64, err error)
	// Exchanges returns exchanges between all ranks by the transport between remote ranks. If there are none, the first
	// call opens and tries the exchanges. Close closes them.
	Exchanges() (*Exchanger, error)
	// Describe returns a text about the paths from this rank to the others.
	Describe() string
	// Choice returns which transport AutoTransport has chosen between remote ranks, and why; "" if it had no choice. All
	// ranks get the same text.
	Choice() string
	// Close frees the resources of the transport without waiting. Windows must be closed before.
	Close() error
}

// ErrTooLong is the error of AllToAll if messages do not fit. Other calls may follow it.
var ErrTooLong = errors.New("gpu: a message does not fit into a window: use more ranks, or a smaller scale")

// The transports between two ranks, as in flags and files.
const (
	AutoTransport   = "auto"              // peer between peers; nccl between remote ranks if its trial passes, else staged
	PeerTransport   = trace.PeerTransport // writes into the memory of the other GPU
	MPITransport    = "mpi"               // MPI from device memory if the library is CUDA-aware, else staged
	StagedTransport = "staged"            // MPI from pinned host memory
	NCCLTransport   = "nccl"
)

// choice is the meaning of a value of --gpu-transport.
type choice struct {
	peers, peersOnly bool   // look for peers; return an error if ranks are remote
	remote           string // the transport between remote ranks; AutoTransport chooses it
}

// meaningOf returns the meaning of a value of --gpu-transport.
func meaningOf(value string) choice {
	remote, both := strings.CutPrefix(value, PeerTransport+"+")
	if value == PeerTransport {
		return choice{peers: true, peersOnly: true, remote: AutoTransport}
	}
	return choice{peers: both || value == AutoTransport, remote: remote}
}

// Window is device memory of this rank into which its peers can write.
type Window struct {
	cuda.Memory
	Peers []cuda.Memory // by rank: the peer's window as this GPU accesses it, empty for other ranks
	close func() error
}

// NewWindow returns a window that close frees. close may be nil.
func NewWindow(m cuda.Memory, peers []cuda.Memory, close func() error) *Window {
	return &Window{Memory: m, Peers: peers, close: close}
}

// Close ends this rank's use of its own window and its peers' windows, without waiting. All ranks close a window before
// the next collective call of the transport, which frees the memory. Closing a nil window does nothing.
func (w *Window) Close() error {
	if w == nil || w.close == nil {
		return nil
	}
	closed := w.close()
	*w = Window{}
	return closed
}

// Abandoned returns comm.ErrAbandoned for cuda.ErrEnded, and other errors as they are.
func Abandoned(err error) error {
	if errors.Is(err, cuda.ErrEnded) {
		return comm.ErrAbandoned
	}
	return err
}

// Result is the result of a search in device memory, by owned label.
type Result struct {
	Parents   cuda.Memory // of Bits each; with distances they have 64 bits, and are 16-byte aligned
	Bits      int         // 32 or 64
	Vertices  int64
	Distances *cuda.Memory // single precision; nil for breadth-first search
}

// Host copies the result to host memory.
func (r Result) Host() (host engine.HostResult, err error) {
	if host.Parents, err = r.parents(); err == nil && r.Distances != nil {
		host.Distances = make([]float32, r.Vertices)
		err = cuda.Read(host.Distances, *r.Distances, 0)
	}
	return host, err
}

func (r Result) parents() ([]graph.Global, error) {
	const most = 1 << 24 // 32-bit parents that are copied at a time: 64 MB
	parents := make([]graph.Global, r.Vertices)
	if r.Bits == 64 { // the same format as on the host
		return parents, cuda.Read(parents, r.Parents, 0)
	}
	words := make([]uint32, min(r.Vertices, most))
	for first := int64(0); first < r.Vertices; first += most {
		words = words[:min(most, r.Vertices-first)]
		if err := cuda.Read(words, r.Parents, first); err != nil {
			return nil, err
		}
		for i, parent := range words {
			if parents[first+int64(i)] = graph.Global(parent); parent == cuda.NoVertex {
				parents[first+int64(i)] = graph.NoParent
			}
		}
	}
	return parents, nil
}
