//go:build cuda && cgo

package cuda

// #cgo CFLAGS: -I${SRCDIR}
// #cgo LDFLAGS: -L${SRCDIR}/../build -lg500cuda -lcudadevrt -lcudart_static -lstdc++ -lm -lrt -lpthread -ldl
// #include <cuda.h>
// #include "g500cuda.h"
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"gorgonia.org/cu"
)

// Card is what the driver says of one GPU.
type Card struct {
	Number     int
	Name       string
	Major      int // compute capability
	Minor      int
	Processors int   // streaming multiprocessors
	Memory     int64 // bytes
}

// String names the card for people.
func (c Card) String() string {
	return fmt.Sprintf("GPU %d, %s, %d multiprocessors, compute capability %d.%d",
		c.Number, c.Name, c.Processors, c.Major, c.Minor)
}

// Device is a GPU in use, with the one stream on which all its work is done in order. The stream waits for no other
// one, in particular not for those of other ranks that share the GPU; so nothing may be put on the default stream.
type Device struct {
	Card
	context cu.CUContext
	stream  cu.Stream
	ledger  ledger
	launch  Launching
}

// Cards lists the GPUs that this process may use.
func Cards() ([]Card, error) {
	n, err := cu.NumDevices()
	if err != nil {
		return nil, checkDriver("counting the GPUs", err)
	}
	cards := make([]Card, n)
	for i := range cards {
		if cards[i], err = look(i); err != nil {
			return nil, err
		}
	}
	return cards, nil
}

// look asks the driver about a GPU; it opens nothing.
func look(number int) (Card, error) {
	card := Card{Number: number}
	device, err := cu.GetDevice(number)
	if err == nil {
		card.Name, err = device.Name()
	}
	if err == nil {
		card.Major, card.Minor, err = device.ComputeCapability()
	}
	if err == nil {
		card.Processors, err = device.Attribute(cu.MultiprocessorCount)
	}
	if err == nil {
		card.Memory, err = device.TotalMem()
	}
	return card, checkDriver(fmt.Sprintf("asking for GPU %d", number), err)
}

// Open takes the GPU of a rank, by its place among the ranks of its host. Where there are more ranks than GPUs, ranks
// share GPUs. Where the launcher gives each task a GPU of its own, the task sees that one only.
//
// Open ties the calling goroutine to its thread, and Close unties it.
func Open(rankOnHost int) (*Device, error) {
	if err := checkVersions(); err != nil {
		return nil, err
	}
	n, err := cu.NumDevices()
	if err != nil {
		return nil, checkDriver("counting the GPUs", err)
	}
	if n == 0 {
		return nil, errors.New("cuda: this process may use no GPU; is CUDA_VISIBLE_DEVICES empty?")
	}
	card, err := look(rankOnHost % n)
	if err != nil {
		return nil, err
	}
	d := &Device{Card: card}
	if err := d.enter(); err != nil {
		return nil, err
	}
	if d.launch, err = d.tryPrelaunch(); err != nil {
		d.launch = LaunchesBlock // the first launch of a search returns the error, and transports need no launch
	}
	return d, nil
}

// settingUp is held while the primary context of a GPU is made: ranks of one process may share it.
var settingUp sync.Mutex

// enter makes the primary context, which the runtime library under the kernels uses too, the thread's own. Waiting
// spins, because a search is over sooner than a thread wakes up; that can be set only before there is a context.
func (d *Device) enter() error {
	settingUp.Lock()
	defer settingUp.Unlock()
	device := cu.Device(d.Number)
	_, active, err := device.PrimaryCtxState()
	if err == nil && active == 0 {
		err = device.SetPrimaryCtxFlags(cu.SchedSpin)
	}
	if err != nil {
		return checkDriver(fmt.Sprintf("setting up GPU %d", d.Number), err)
	}
	if d.context, err = device.RetainPrimaryCtx(); err != nil {
		return checkDriver(fmt.Sprintf("opening GPU %d", d.Number), err)
	}
	if err := d.context.Lock(); err != nil {
		return checkDriver(fmt.Sprintf("entering GPU %d", d.Number), err)
	}
	if d.stream, err = cu.MakeStream(cu.NonBlocking); err != nil {
		runtime.UnlockOSThread()
	}
	return checkDriver("making a stream", err)
}

// Close frees what is still held of the device, and unties the goroutine from its thread. The context stays until the
// process ends: the runtime library has loaded the kernels into it, and other ranks may be at work in it, for which
// Close does not wait.
func (d *Device) Close() error {
	defer runtime.UnlockOSThread()
	return errors.Join(d.Synchronize(), d.ledger.clear(), checkDriver("destroying the stream", d.stream.Destroy()))
}

// Free is the memory, in bytes, that can still be taken.
func (d *Device) Free() (int64, error) {
	free, _, err := cu.MemInfo()
	return free, checkDriver("asking for free memory", err)
}

// Synchronize waits until all work that was given to the device is done, and returns what went wrong in it.
func (d *Device) Synchronize() error {
	return checkDriver(fmt.Sprintf("waiting for GPU %d", d.Number), d.stream.Synchronize())
}

// onStream is the stream as the C door takes it.
func (d *Device) onStream() unsafe.Pointer { return unsafe.Pointer(d.stream.C()) }
