// SPDX-License-Identifier: Apache-2.0

//go:build amd64 || arm64

package prefetch

import "unsafe"

// load begins to load lines of the cache.
//
//go:noescape
func load(from unsafe.Pointer, lines int)

// loadEach begins to load lines of the cache, given by addresses in them.
//
//go:noescape
func loadEach(lines *unsafe.Pointer, n int)

// own is loadEach for writing.
//
//go:noescape
func own(lines *unsafe.Pointer, n int)
