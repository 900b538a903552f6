// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 && !arm64

package prefetch

import "unsafe"

// load does nothing: reading ahead is implemented for amd64 and arm64 only.
func load(unsafe.Pointer, int) {}

// loadEach does nothing.
func loadEach(*unsafe.Pointer, int) {}

// own does nothing.
func own(*unsafe.Pointer, int) {}
