//go:build cuda && cgo

package device

// Internals for the tests, which are in package device_test because package gputest imports this one.

const (
	Granule      = granule
	NodeVariable = nodeVariable
	NCCLWait     = ncclWait
)

// RetiredBy returns how many buffers a transport still holds.
func RetiredBy(t Transport) int { return len(t.(*transport).retired) }

// GoesFromDevice reports whether MPI gets device memory.
func GoesFromDevice(t Transport) bool {
	_, is := t.(*transport).remote.(*fromDevice)
	return is
}

// GoesByNCCL reports whether NCCL moves the words.
func GoesByNCCL(t Transport) bool {
	_, is := t.(*transport).remote.(*collectives)
	return is
}

// FaultOf returns why ranks of this node exchange messages.
func FaultOf(s *SharedWindows) error { return s.fault }
