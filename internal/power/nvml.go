// SPDX-License-Identifier: Apache-2.0

//go:build cgo && linux

package power

// #include <stdlib.h>
// #include "g500nvml.h"
import "C"

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unsafe"

	"g500/internal/dynlib"
	"g500/internal/machine"
)

// nvmlLibrary belongs to NVIDIA's driver and is loaded when a meter is opened: the program starts without it.
var nvmlLibrary = "libnvidia-ml.so.1"

// nvml is the meter of one GPU: the energy counter of its card, which GPUs from Volta on have.
type nvml struct {
	library C.g500_nvml
	device  unsafe.Pointer
	busID   string
}

// NVML opens the meter of the GPU with a PCI bus id.
func NVML(busID string) (Meter, error) {
	m := &nvml{busID: strings.ToLower(busID)}
	if err := m.open(busID); err != nil {
		return nil, fmt.Errorf("NVML has no meter of the GPU at %s: %w", m.busID, err)
	}
	return m, nil
}

// open opens NVML for the GPU, and tries its counter.
func (m *nvml) open(busID string) (err error) {
	m.library, err = dynlib.Load[C.g500_nvml](nvmlLibrary, "nvmlInit_v2", "nvmlShutdown",
		"nvmlDeviceGetHandleByPciBusId_v2", "nvmlDeviceGetTotalEnergyConsumption", "nvmlDeviceGetUtilizationRates")
	if err != nil {
		return fmt.Errorf("the library cannot be loaded: %w", err)
	}
	id := C.CString(busID)
	defer C.free(unsafe.Pointer(id))
	if code := C.g500_nvml_open(&m.library, id, &m.device); code != 0 {
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

// busySamples is the number of looks at a busy GPU, a second apart: the last sample can include an earlier process.
const busySamples = 3

// Busy returns the share of time, from 0 to 1, in which kernels ran on the GPU with a PCI bus id, by NVML; 0 if it is
// unknown. Call it before this process runs kernels. It takes two seconds if the GPU is busy.
func Busy(busID string) float64 { return busy(busID, time.Second) }

func busy(busID string, between time.Duration) float64 {
	meter, err := NVML(busID)
	if err != nil {
		return 0
	}
	m := meter.(*nvml)
	defer m.Close()
	share := 1.0
	for i := range busySamples {
		if i > 0 {
			time.Sleep(between)
		}
		var rates C.g500_nvml_rates
		if C.g500_nvml_utilization(&m.library, m.device, &rates) != 0 {
			return 0
		}
		if share = min(share, float64(rates.gpu)/100); share == 0 {
			break
		}
	}
	return share
}
