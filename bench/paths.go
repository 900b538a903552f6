// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"g500/record"
	"g500/sssp"
)

// PathsBackend has the functions of a backend for shortest paths.
type PathsBackend struct {
	// Kernel1 builds the engine.
	Kernel1 sssp.New
	// MaxScale is Backend.MaxScale for shortest paths.
	MaxScale int
}

// searchesPaths reports whether the run has shortest paths.
func (b *benchmark) searchesPaths() bool { return b.run.KernelRun(record.SSSP) != nil }
