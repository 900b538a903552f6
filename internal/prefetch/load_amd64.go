// SPDX-License-Identifier: Apache-2.0

package prefetch

import "unsafe"

// load begins to load lines of the cache.
//
//go:noescape
func load(from unsafe.Pointer, lines int)
