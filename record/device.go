// SPDX-License-Identifier: Apache-2.0

package record

import (
	"cmp"
	"fmt"
	"strings"

	"g500/settings"
)

// Device is the GPU of a rank, with the properties that affect the speed of a search.
type Device struct {
	Number      int    `json:"number"`                 // on its node
	Name        string `json:"name"`                   // of the model, as in NVIDIA H200
	Processors  int    `json:"multiprocessors"`        // streaming multiprocessors
	Capability  string `json:"compute_capability"`     // as in 9.0
	Driver      string `json:"driver"`                 // newest CUDA version that the driver supports
	Built       string `json:"built_with"`             // toolkit and digest of the kernels
	Transports  string `json:"gpu_transports"`         // GPU transports to the other ranks
	NoPrelaunch string `json:"no_prelaunch,omitempty"` // why searches are not pre-launched, "" if they are
}

// String describes the device in one line. It returns "" for nil, a run without a device.
func (d *Device) String() string {
	if d == nil {
		return ""
	}
	line := fmt.Sprintf("GPU %d, %s, %d multiprocessors, compute capability %s, driver for %s; %s; %s",
		d.Number, d.Name, d.Processors, d.Capability, d.Driver, d.Built, d.Transports)
	if d.NoPrelaunch != "" {
		line += "; " + d.NoPrelaunch
	}
	return line
}

// Machine returns the model of the device on which a rank computes: its GPU, or its processor.
func (e Environment) Machine() string {
	if e.Device != nil {
		return e.Device.Name
	}
	return strings.TrimSpace(e.CPU)
}

// OfTransport returns the variables that change how messages of searches travel in this run: NCCL's if GPUs exchange by
// NCCL, MPI's if CPUs or GPUs exchange by MPI, and none if GPUs read each other's memory or one process has all ranks.
func (e Environment) OfTransport() (all []string) {
	gpus := cmp.Or(e.Device, new(Device)).Transports
	by := map[string]bool{"MPI": gpus == ""}
	for _, t := range settings.GPUTransports {
		by[t.Library] = by[t.Library] || strings.Contains(gpus, t.Text)
	}
	for _, v := range e.Variables {
		if ofNCCL := strings.HasPrefix(v, "NCCL"); ofNCCL && by["NCCL"] || !ofNCCL && by["MPI"] && e.MPI != "" {
			all = append(all, v)
		}
	}
	return all
}

// transportVariables lists the variables that change the transport, for a sentence.
func (e Environment) transportVariables() string {
	return cmp.Or(strings.Join(e.OfTransport(), " "), "unchanged")
}

// Difference is a property with different values in two environments.
type Difference struct{ Name, Was, Is string }

// Difference returns the first property that affects the time of a search and differs in another environment, or nil.
func (e Environment) Difference(other Environment) *Difference {
	for _, d := range []Difference{
		{"engine", e.Engine, other.Engine},
		{"program", e.Program.String(), other.Program.String()},
		{"transport", e.Transport, other.Transport},
		{"number of threads per rank", fmt.Sprint(e.Threads), fmt.Sprint(other.Threads)},
		{"processor", e.CPU, other.CPU},
		{"setting of MPI and NCCL", e.transportVariables(), other.transportVariables()},
		{"device", e.Device.String(), other.Device.String()},
	} {
		if d.Was != d.Is {
			return &d
		}
	}
	return nil
}
