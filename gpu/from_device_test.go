//go:build cuda && mpi && cgo

package gpu

import (
	"fmt"
	"testing"

	"g500/comm"
	"g500/cuda"
)

func TestNCCLOnMPI(t *testing.T) {
	underMpirun(t, func(t *testing.T) { testNCCL(t, inWorld, world.Size()) })
}

// An MPI that is CUDA-aware gets device memory, unless staging is asked for.
func TestFromDeviceOnMPI(t *testing.T) {
	underMpirun(t, func(t *testing.T) {
		if !comm.CUDAAware() {
			lacks(t, "the MPI library is not CUDA-aware")
		}
		for _, name := range []string{carrierMPI, carrierStaged} {
			err := inWorld(world.Size(), func(tr comm.Transport) error {
				return checkCarrier(tr, expectFromDevice(name), stagingBytes)
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
}

// expectFromDevice makes a carrier, and looks whether it hands over device memory.
func expectFromDevice(name string) join {
	return func(t comm.Transport, d *cuda.Device, staging int64) (*carrier, error) {
		c, err := newCarrier(t, d, name, staging)
		if err != nil {
			return nil, err
		}
		if _, is := c.away.(*fromDevice); is != (name == carrierMPI) {
			return nil, fmt.Errorf("the carrier %s goes %s", name, c.Carriers())
		}
		return c, nil
	}
}
