//go:build cgo && linux

package power

// #cgo LDFLAGS: -ldl
// #include <stdlib.h>
// #include "g500nvml.h"
import "C"

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"g500/internal/machine"
)

// The libraries come with NVIDIA's driver and are loaded when a meter is opened: the program starts without them.
var (
	nvmlLibrary   = "libnvidia-ml.so.1"
	driverLibrary = "libcuda.so.1"
)

// nvml is the meter of one GPU: the counter of its card's energy, or, before Volta, the gauge of its power.
type nvml struct {
	handle C.g500_nvml
	busID  string
}

// NVML opens the meter of the GPU that the calling thread works on.
func NVML() (Meter, error) {
	var busID [C.G500_NVML_TEXT]C.char
	var why [C.G500_NVML_TEXT]C.char
	driver, library := C.CString(driverLibrary), C.CString(nvmlLibrary)
	defer C.free(unsafe.Pointer(driver))
	defer C.free(unsafe.Pointer(library))
	if C.g500_current_gpu(driver, &busID[0], &why[0]) != 0 {
		return nil, errors.New("power: there is no GPU to read a meter of: " + C.GoString(&why[0]))
	}
	m := &nvml{busID: strings.ToLower(C.GoString(&busID[0]))}
	if C.g500_nvml_open(library, &busID[0], &m.handle, &why[0]) != 0 {
		return nil, fmt.Errorf("power: NVML has no meter of the GPU at %s: %s", m.busID, C.GoString(&why[0]))
	}
	return m, nil
}

func (m *nvml) Identity() string { return machine.HostID() + " " + m.busID }

func (m *nvml) Source() string {
	if m.Kind() == Counter {
		return "NVML, energy counter of the GPU at " + m.busID
	}
	return "NVML, power gauge of the GPU at " + m.busID
}

func (m *nvml) Covers() string { return "the card of the GPU at " + m.busID }

func (m *nvml) Kind() Kind {
	if m.handle.energy != nil {
		return Counter
	}
	return Gauge
}

// Read returns joules since the driver was loaded, or watts.
func (m *nvml) Read() (float64, error) {
	var thousandths C.ulonglong
	if code := C.g500_nvml_read(&m.handle, &thousandths); code != 0 {
		return 0, fmt.Errorf("power: NVML does not read the meter of the GPU at %s: error %d", m.busID, code)
	}
	return float64(thousandths) / 1e3, nil
}

func (m *nvml) Close() error {
	if code := C.g500_nvml_close(&m.handle); code != 0 {
		return fmt.Errorf("power: NVML does not close: error %d", code)
	}
	return nil
}
