//go:build cuda && cgo

package gpu

import (
	"g500/comm"
	"g500/cuda"
)

// DeviceTransport joins the GPUs of one job's ranks. Two ranks are peers where the GPU of each can write into the
// memory of the other's, through NVLink or PCIe; words between others go by way of the hosts.
//
// All methods but Host, Device and Peer are collective, as those of comm.Transport, and return when what they bring
// has arrived on this rank. After an error no further call will succeed.
type DeviceTransport interface {
	// Host joins the same ranks with messages in host memory.
	Host() comm.Transport
	// Device is this rank's GPU.
	Device() *cuda.Device
	// Peer reports whether a rank is a peer of this one. No rank is its own peer.
	Peer(rank int) bool
	// Open takes a window of device memory, equally long on every rank. Close of the window is local.
	Open(label string, bytes int64) (*Window, error)
	// AllGather fills the first Size()*part bytes of a window: rank r brings the r-th part and gets the rest. part is a
	// multiple of 16.
	AllGather(w *Window, part int64) error
	// AllToAll sends counts[r] bytes to rank r, for all r in order from consecutive places of send, and returns how many
	// bytes each rank has sent here. They lie one after another, in the order of ranks, in this rank's window into. It
	// is an error if they do not fit. Counts are multiples of 8.
	AllToAll(send cuda.Memory, counts []int64, into *Window) (received []int64, err error)
	// Close gives back what the transport holds. Windows must be closed before.
	Close() error
}

// Window is device memory of this rank into which its peers can write.
type Window struct {
	cuda.Memory
	Peers []cuda.Memory // by rank: that rank's window as this GPU sees it, empty where it is no peer
	close func() error
}

// Close gives the window back. No peer may write into it any more.
func (w *Window) Close() error { return w.close() }
