//go:build cgo && linux

package power

// #include "g500nvml.h"
import "C"

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"g500/internal/dynlib"
	"g500/internal/machine"
)

// The libraries belong to NVIDIA's driver and are loaded when a meter is opened: the program starts without them.
var (
	nvmlLibrary   = "libnvidia-ml.so.1"
	driverLibrary = "libcuda.so.1"
)

// nvml is the meter of one GPU: the energy counter of its card or, before Volta, the power gauge.
type nvml struct {
	library C.g500_nvml
	device  unsafe.Pointer
	meters  C.g500_meters
	kind    Kind
	busID   string
}

// NVML opens the meter of the GPU of the calling thread's context.
func NVML() (Meter, error) {
	var busID [C.G500_NVML_TEXT]C.char
	if err := findCurrentGPU(&busID[0]); err != nil {
		return nil, fmt.Errorf("power: no GPU has a meter: %w", err)
	}
	m := &nvml{busID: strings.ToLower(C.GoString(&busID[0]))}
	if err := m.open(&busID[0]); err != nil {
		return nil, fmt.Errorf("power: NVML has no meter of the GPU at %s: %w", m.busID, err)
	}
	return m, nil
}

// findCurrentGPU writes the bus ID of the calling thread's GPU.
func findCurrentGPU(busID *C.char) error {
	library, err := dynlib.Open(driverLibrary) // already loaded by the code that created the context
	if err != nil {
		return fmt.Errorf("the driver's library cannot be loaded: %w", err)
	}
	driver, err := dynlib.Table[C.g500_driver](library, "cuCtxGetDevice", "cuDeviceGetPCIBusId")
	if err != nil {
		return err
	}
	if code := C.g500_current_gpu(&driver, busID); code != 0 {
		return fmt.Errorf("the thread has no context, or the GPU no bus ID: error %d", code)
	}
	return nil
}

// open opens NVML for the GPU and chooses the first of the counter and the gauge that responds.
func (m *nvml) open(busID *C.char) error {
	library, err := dynlib.Open(nvmlLibrary)
	if err != nil {
		return fmt.Errorf("the library cannot be loaded: %w", err)
	}
	m.library, err = dynlib.Table[C.g500_nvml](library, "nvmlInit_v2", "nvmlShutdown", "nvmlDeviceGetHandleByPciBusId_v2")
	if err != nil {
		return err
	}
	m.meters.energy = (*[0]byte)(library.Find("nvmlDeviceGetTotalEnergyConsumption"))
	m.meters.power = (*[0]byte)(library.Find("nvmlDeviceGetPowerUsage"))
	if code := C.g500_nvml_open(&m.library, busID, &m.device); code != 0 {
		return fmt.Errorf("NVML cannot open the GPU: error %d", code)
	}
	for _, m.kind = range [...]Kind{Counter, Gauge} {
		if _, err := m.Read(); err == nil {
			return nil
		}
	}
	C.g500_nvml_close(&m.library)
	return errors.New("this GPU reports neither its energy nor its power")
}

// Identity is the card's: NVML measures the card, so the MIG instances of a card share its meter.
func (m *nvml) Identity() string { return machine.NodeID() + " " + m.busID }

func (m *nvml) Source() string {
	if m.Kind() == Counter {
		return "NVML, energy counter of the GPU at " + m.busID
	}
	return "NVML, power gauge of the GPU at " + m.busID
}

func (m *nvml) Covers() string { return "the card of the GPU at " + m.busID }

func (m *nvml) Kind() Kind { return m.kind }

// Read returns joules since the driver was loaded, or watts.
func (m *nvml) Read() (float64, error) {
	var thousandths C.ulonglong
	if code := C.g500_nvml_read(&m.meters, m.device, C.int(m.kind), &thousandths); code != 0 {
		return 0, fmt.Errorf("power: NVML cannot read the meter of the GPU at %s: error %d", m.busID, code)
	}
	return float64(thousandths) / 1e3, nil
}

func (m *nvml) Close() error {
	if code := C.g500_nvml_close(&m.library); code != 0 {
		return fmt.Errorf("power: NVML cannot close: error %d", code)
	}
	return nil
}
