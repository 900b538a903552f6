// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"runtime"
	"testing"
)

func TestMemoryIsPlausible(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("memory is read on Linux only")
	}
	total, available := Here.Memory()
	if total < 64<<20 || available <= 0 || available > total {
		t.Errorf("total %d, available %d bytes", total, available)
	}
}
