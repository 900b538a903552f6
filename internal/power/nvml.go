// SPDX-License-Identifier: Apache-2.0

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

// nvml is the meter of one GPU: the energy counter of its card, which GPUs from Volta on have.
type nvml struct {
	library C.g500_nvml
	device  unsafe.Pointer
	busID   string
}

// NVML opens the meter of the GPU of the calling thread's context.
func NVML() (Meter, error) {
	var busID [C.G500_NVML_TEXT]C.char
	if err := findCurrentGPU(&busID[0]); err != nil {
		return nil, fmt.Errorf("no GPU has a meter: %w", err)
	}
	m := &nvml{busID: strings.ToLower(C.GoString(&busID[0]))}
	if err := m.open(&busID[0]); err != nil {
		return nil, fmt.Errorf("NVML has no meter of the GPU at %s: %w", m.busID, err)
	}
	return m, nil
}

// findCurrentGPU writes the bus ID of the calling thread's GPU.
func findCurrentGPU(busID *C.char) error {
	// Already loaded by the code that created the context.
	driver, err := dynlib.Load[C.g500_driver](driverLibrary, "cuCtxGetDevice", "cuDeviceGetPCIBusId")
	if err != nil {
		return fmt.Errorf("the driver's library cannot be loaded: %w", err)
	}
	if code := C.g500_current_gpu(&driver, busID); code != 0 {
		return fmt.Errorf("the thread has no context, or the GPU no bus ID: error %d", code)
	}
	return nil
}

// open opens NVML for the GPU, and tries its counter.
func (m *nvml) open(busID *C.char) (err error) {
	m.library, err = dynlib.Load[C.g500_nvml](nvmlLibrary, "nvmlInit_v2", "nvmlShutdown",
		"nvmlDeviceGetHandleByPciBusId_v2", "nvmlDeviceGetTotalEnergyConsumption", "nvmlDeviceGetUtilizationRates")
	if err != nil {
		return fmt.Errorf("the library cannot be loaded: %w", err)
	}
	if code := C.g500_nvml_open(&m.library, busID, &m.device); code != 0 {
		return fmt.Errorf("NVML cannot open the GPU: error %d", code)
	}
	if _, err := m.Read(); err != nil {
		C.g500_nvml_close(&m.library)
		return errors.New("this GPU does not report its energy")
	}
	return nil
}

// Identity is the card's: NVML measures the card, so the MIG instances of a card share its meter.
func (m *nvml) Identity() string { return machine.NodeID() + " " + m.busID }

func (m *nvml) Source() string { return "NVML, energy counter of the GPU at " + m.busID }

func (m *nvml) Covers() string { return "the card of the GPU at " + m.busID }

// Read returns joules since the driver was loaded.
func (m *nvml) Read() (float64, error) {
	var millijoules C.ulonglong
	if code := C.g500_nvml_read(&m.library, m.device, &millijoules); code != 0 {
		return 0, fmt.Errorf("NVML cannot read the meter of the GPU at %s: error %d", m.busID, code)
	}
	return float64(millijoules) / 1e3, nil
}

func (m *nvml) Close() error {
	if code := C.g500_nvml_close(&m.library); code != 0 {
		return fmt.Errorf("NVML cannot close: error %d", code)
	}
	return nil
}
