//go:build !amd64

package prefetch

import "unsafe"

// load does nothing on processors whose prefetchers are usually on.
func load(unsafe.Pointer, int) {}
