//go:build cuda && mpi && cgo

package device_test

import (
	"fmt"
	"testing"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/gputest"
)

func TestNCCLOnMPI(t *testing.T) {
	gputest.UnderMpirun(t, func(t *testing.T) { testNCCL(t, gputest.InWorld, gputest.World.Size()) })
}

// An MPI that is CUDA-aware gets device memory, unless staging is asked for.
func TestFromDeviceOnMPI(t *testing.T) {
	gputest.UnderMpirun(t, func(t *testing.T) {
		if !comm.CUDAAware() {
			lacks(t, "the MPI library is not CUDA-aware")
		}
		for _, name := range []string{device.MPITransport, device.StagedTransport} {
			err := gputest.InWorld(gputest.World.Size(), func(tr comm.Transport) error {
				return checkTransport(tr, expectFromDevice(name), device.StagingBytes)
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
}

// expectFromDevice makes a transport, and looks whether it hands over device memory.
func expectFromDevice(name string) gputest.Join {
	return func(t comm.Transport, d *cuda.Device, staging int64) (device.Transport, error) {
		c, err := gputest.Chosen(name)(t, d, staging)
		if err != nil {
			return nil, err
		}
		if device.GoesFromDevice(c) != (name == device.MPITransport) {
			return nil, fmt.Errorf("the transport %s goes %s", name, c.Describe())
		}
		return c, nil
	}
}
