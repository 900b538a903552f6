// SPDX-License-Identifier: Apache-2.0

package record

import (
	"cmp"
	"fmt"
	"strings"

	"g500/internal/lists"
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
func (e Environment) OfTransport() []string {
	gpus := cmp.Or(e.Device, new(Device)).Transports
	by := map[string]bool{"MPI": gpus == ""}
	for _, t := range settings.GPUTransports {
		by[t.Library] = by[t.Library] || strings.Contains(gpus, t.Text)
	}
	return lists.Where(e.Variables, func(v string) bool {
		ofNCCL := strings.HasPrefix(v, "NCCL")
		return ofNCCL && by["NCCL"] || !ofNCCL && by["MPI"] && e.MPI != ""
	})
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

// Program is the version of g500 that made a run. Its text is "g500 0.3.0 (commit 1234567-dirty)".
type Program struct {
	Version string // name and version: g500 0.3.0
	Commit  string // "" if the text has none, UnknownCommit if the build had none
	Dirty   bool   // built with changes that the commit does not have
}

// UnknownCommit is the commit of a program that was built without git.
const UnknownCommit = "unknown"

const dirty = "-dirty" // as git describe writes it

// NewProgram returns the program with a version and the commit as git describe prints it.
func NewProgram(version, commit string) Program {
	commit, changed := strings.CutSuffix(commit, dirty)
	return Program{version, commit, changed}
}

// describe returns the commit as git describe prints it.
func (p Program) describe() string {
	if p.Dirty {
		return p.Commit + dirty
	}
	return p.Commit
}

// Label returns the commit as git describe prints it, or the version if the commit is unknown.
func (p Program) Label() string {
	if commit := p.describe(); commit != UnknownCommit {
		return cmp.Or(commit, p.Version)
	}
	return p.Version
}

// Reproducible reports whether the program can be built again from its commit.
func (p Program) Reproducible() bool { return p.Commit != UnknownCommit && !p.Dirty }

// String returns the text of the program.
func (p Program) String() string {
	if commit := p.describe(); commit != "" {
		return p.Version + " (commit " + commit + ")"
	}
	return p.Version
}

// MarshalText returns the text of the program.
func (p Program) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText parses the text of any program. A text in another form is a version without a commit.
func (p *Program) UnmarshalText(text []byte) error {
	version, rest, _ := strings.Cut(string(text), " (commit ")
	commit, closed := strings.CutSuffix(rest, ")")
	if *p = NewProgram(version, commit); !closed || p.String() != string(text) {
		*p = Program{Version: string(text)}
	}
	return nil
}
